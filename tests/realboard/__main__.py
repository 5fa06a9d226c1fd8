"""``python -m tests.realboard URL --admin NICK --password …``: whole games on a real phpBB, amid its troubles.

The board's own clock must follow the campaign's (``--clock``, see docs/real-boards.md). Without a board the campaign says so and
ends with 0.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from forumbot.demo import purses
from forumbot.demo.driver import MOST_TURNS, Driver, Stuck
from forumbot.demo.games.model import Players
from forumbot.demo.house import HOST_ADDRESS
from forumbot.demo.mailbox import serve_mailbox
from forumbot.demo.players import MOSCOW
from forumbot.demo.rehearsal import company_of, players_of
from forumbot.demo.report import compare
from forumbot.demo.saying import Saying
from tests.realboard.browser import Refused
from tests.realboard.doubles import doubled
from tests.realboard.hand import Hand
from tests.realboard.house import PASSWORD, furnish
from tests.realboard.owner import Owner
from tests.realboard.pace import Lives
from tests.realboard.proxy import between
from tests.realboard.troubles import Troubles
from tests.torture.campaign import Failed, zygote
from tests.torture.clock import StepClock

RULESETS = ("goldenkey", "league", "clans", "mafialife")


class Enough(Exception):
    """So many turns were to be played."""


class Told:
    """A ``forumbot.demo.driver.Listener`` that prints the course of a game. ``turns``: raises Enough after so many."""

    def __init__(self, turns: int) -> None:
        self.seats: tuple[str, ...] = ()
        self._turns = turns

    def signed_up(self, seats: tuple[str, ...], posts: int) -> None:
        self.seats = seats
        print(f"  {posts} sign-up posts, {len(seats)} players", flush=True)

    def phase(self, turn: int, name: str, said: list[Saying], at: datetime) -> None:
        print(f"  turn {turn} {name}: {len(said)} messages", flush=True)

    def newspaper(self, turn: int, report: str) -> None:
        if turn >= self._turns:
            raise Enough


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.realboard", description=__doc__)
    parser.add_argument("url", nargs="?", help="the board's address")
    parser.add_argument("--admin", default="admin")
    parser.add_argument("--password", default="")
    parser.add_argument("--clock", type=Path, help="the file that the board's clock follows")
    parser.add_argument("--ruleset", choices=RULESETS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1, help="games of each ruleset")
    parser.add_argument("--turns", type=int, default=MOST_TURNS, help="end a game after so many turns")
    parser.add_argument("--style", type=int, default=0, help="which of the board's styles the bot's account has, from 0")
    parser.add_argument("--kills", type=float, default=0.3, help="share of the daemon's lives that end by a kill")
    parser.add_argument("--troubles", type=float, default=0.3, help="chance of a new trouble before each life")
    said = parser.parse_args(arguments)
    if said.url is None or said.clock is None:
        print("skipped: no board is given (docs/real-boards.md says how one is set up)")
        return 0
    bad = 0
    for seed in range(said.seed, said.seed + said.games):
        for ruleset in said.ruleset or RULESETS:
            folder = Path(tempfile.mkdtemp(prefix=f"realboard-{ruleset}-"))
            if _game(said, ruleset, seed, folder):
                shutil.rmtree(folder)
            else:
                bad += 1
                print(f"    kept: {folder}", flush=True)
    return 1 if bad else 0


def _game(said: argparse.Namespace, ruleset: str, seed: int, folder: Path) -> bool:
    players = players_of(ruleset, seed)
    clock = StepClock(said.clock)
    _shift(players, clock)
    company, chance, began = company_of(players, seed), Random(f"realboard/{seed}/{ruleset}"), time.monotonic()
    print(f"{ruleset}, seed {seed}, on {said.url}", flush=True)
    (folder / "clock").symlink_to(said.clock.absolute())
    site = folder / "site"
    with between(said.url) as proxy, serve_mailbox(clock, {HOST_ADDRESS: PASSWORD}) as mailbox, zygote() as ready:
        owner = Owner(said.url, said.admin, said.password, wait=clock.sleep)
        owner.enter()
        owner.calm()
        house = furnish(site, clock, players.frame, company, mailbox, owner, proxy.url)
        house.bot.preferences(style=house.bot.styles()[said.style])
        purses.bring(house)
        troubles = Troubles(house, proxy, chance, said.troubles)
        hand = Hand(house)
        lives = Lives(house, ready, chance, said.kills, troubles.before, troubles.after, hand.act)
        house.looked = lambda: lives.live(1, 1)
        told = Told(said.turns)
        driver = Driver(house, players, lives, told)
        winner = None
        try:
            with contextlib.suppress(Enough):
                winner = driver.play()
            troubles.end()
            lives.killing = troubles.share = 0.0
            lives.settle()
            found = compare(house, driver.said, told.seats)
            wrong = [*found.differences, *hand.wrong, *doubled(house)]
        except (Stuck, Failed, Refused) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        finally:
            driver.close()
            troubles.end()
    faults = ", ".join(f"{name} {number}" for name, number in sorted((troubles.told + proxy.shown + hand.did).items()))
    print(f"  winner {winner}; {sum(proxy.counts.values())} requests, {lives.lived} lives, {lives.killed} kills; {faults}; "
          f"{time.monotonic() - began:.0f} s; differences: {len(wrong)}", flush=True)  # fmt: skip
    if wrong:
        (folder / "course.txt").write_text("\n".join(troubles.course), encoding="utf-8")
    for line in wrong:
        print(f"    {line}", flush=True)
    return not wrong


def _shift(players: Players, clock: StepClock) -> None:
    """Move the game behind what the board has seen, by whole weeks; the clock goes to its beginning."""
    frame = players.frame
    weeks = timedelta(weeks=max(0, -(-(clock.now() - frame.starts.replace(tzinfo=MOSCOW)) // timedelta(weeks=1))))
    players.frame = dataclasses.replace(
        frame, starts=frame.starts + weeks, signup_closes=frame.signup_closes + weeks, first_day=frame.first_day + weeks
    )
    clock.move_to(players.frame.starts.replace(tzinfo=MOSCOW))


if __name__ == "__main__":
    sys.exit(main())
