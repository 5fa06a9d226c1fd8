"""``forumbot ledger``: coins, points and lives of a game, with the reason of every booking."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from engine.turn import Ledger
from forumbot.cli.acting import game_options, opened
from forumbot.cli.common import show_json, show_table


@click.command(
    "ledger",
    epilog="""\b
Примеры:
  forumbot ledger                      остатки всех
  forumbot ledger --player Анна --json
""",
)
@click.option("--player", default=None, help="Только этот игрок (ник).")
@game_options
def command(player: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Счета игры: остатки и, где правила их ведут, все записи с причинами."""
    from forumbot.hosting.core import record, seating
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        match = record.fold(connection, here.row)
        names = seating.load(connection, here.row.id).names()
    balances = match.ruleset.balances(match.game) if match.game is not None else {}
    rules = match.ruleset
    booked = rules.ledger(match.game) if isinstance(rules, Ledger) and match.game is not None else ()
    bookings = [asdict(one) for one in booked]

    def wanted(holder: str) -> bool:
        return player in (None, holder, names.get(holder))

    rows = [one for one in bookings if wanted(_owner(one))]
    if as_json:
        sums = {name: {h: amount for h, amount in held.items() if wanted(h)} for name, held in balances.items()}
        show_json({"balances": sums, "bookings": rows})
        return
    writer = Writer(here.row.templates, here.zone)
    show_table(
        ("счёт", "чей", "остаток"),
        [
            (writer.word("currencies", name), names.get(holder) or writer.word("roles", holder), f"{amount:g}")
            for name, held in balances.items()
            for holder, amount in held.items()
            if wanted(holder)
        ],
        title="Остатки",
    )
    if rows:
        show_table(
            ("ход", "кто", "сумма", "откуда и куда", "за что"),
            [
                (
                    one["turn"],
                    names.get(_owner(one), _owner(one)),
                    one["amount"],
                    " → ".join(writer.word("currencies", one[key]) for key in ("source", "sink") if one.get(key)),
                    f"{writer.word('bookings', one['reason'])} {_about(one, names)}".strip(),
                )
                for one in rows
            ],
            title="Записи",
        )


def _owner(booking: dict[str, Any]) -> str:
    return str(booking.get("seat") or booking.get("player") or "")


def _about(booking: dict[str, Any], names: dict[str, str]) -> str:
    about = str(booking.get("item") or booking.get("about") or "")
    return names.get(about, about)
