"""What the players have left of earlier games: drawn, and entered into the host's accounts as a CSV of balances."""

from __future__ import annotations

import csv
import io
from random import Random

from forumbot.demo.games.model import Frame
from forumbot.demo.house import House
from forumbot.demo.players import Company
from forumbot.hosting.daemon import wiring
from forumbot.hosting.people import csvfiles
from forumbot.settings import load_site

Purses = dict[str, dict[str, int]]


def purses(company: Company, frame: Frame) -> Purses:
    """Nick -> currency -> sum; empty where the ruleset has no accounts between games."""
    random = Random(f"{company.seed}/purses")
    bounds = frame.accounts
    return {name: {one: random.randint(*bounds[one]) for one in bounds} for name in company.actors} if bounds else {}


def bring(house: House) -> None:
    """Before the first game: the balances go into the database as by ``forumbot players import``."""
    drawn = purses(house.company, house.frame)
    if not drawn:
        return
    currencies = list(house.frame.accounts)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("nick", "uid", *currencies))
    for name, sums in drawn.items():
        writer.writerow((name, house.company.actors[name].uid, *(sums[one] for one in currencies)))
    file = house.folder / "balances.csv"
    file.write_text(out.getvalue(), encoding="utf-8")
    store = wiring.open_store(load_site(house.config))
    with store.write() as connection:
        csvfiles.take(connection, file.name, out.getvalue(), house.clock.now())
    store.close()
