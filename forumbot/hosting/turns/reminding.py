"""Reminders before the marks of a turn: who still owes a move hears of it, and so does the host who owes a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from engine.calendar import Due
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Spec
from forumbot.hosting.core import activity, outbox
from forumbot.hosting.core.evidence import Evidence
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.sitting import Sitting
from forumbot.reading.requests import requests
from forumbot.settings import Game
from forumbot.store.prepared import Row
from forumbot.store.tables import letters

REMINDERS, NO_REMINDERS = "reminders", "no_reminders"
"""What a player asks of reminders (``config/reading/requests.toml``)."""


def moments(row: GameRow, dues: Sequence[Due], opens: datetime) -> Iterator[tuple[str, str, datetime]]:
    """Name, call and moment of each reminder of a turn that opens at ``opens``."""
    return anew(row, row.config, dues, opens)


def anew(row: GameRow, config: Game, dues: Sequence[Due], opens: datetime) -> Iterator[tuple[str, str, datetime]]:
    """The same by other settings of the game."""
    wanted = {"remind": config.remind_hours, "review": config.review_hours}
    for call, ahead in wanted.items():
        for due in awaited(find_ruleset(row.ruleset).spec, dues):
            at = due.at - timedelta(hours=ahead)
            if ahead and at > opens:
                yield f"{call}/{due.name}", call, at


def awaited(spec: Spec, dues: Sequence[Due]) -> list[Due]:
    """Those of a turn's moments at which players must have acted."""
    return [due for due in dues if due.call != "announce" and (not spec.reminded or due.name in spec.reminded)]


def remind(sitting: Sitting, match: Match, due: Row) -> None:
    """Write to everybody whom this reminder may save a move or a penalty."""
    until = due["due_at"] + timedelta(hours=sitting.row.config.remind_hours)
    unwanted = _unwanted(sitting)
    for seat, owing in activity.due(match, sitting.seats.names()).items():
        holder = sitting.seats.holders.get(seat)
        if holder is not None and seat not in unwanted:
            sitting.publisher.private(
                sitting.connection,
                f"t{match.turn}/{due['name']}/{seat}",
                holder,
                "reminder.j2",
                sitting.publisher.facts(match),
                priority=outbox.RECEIPTS,
                of=due["name"].partition("/")[2],
                due=until,
                actions=list(owing.actions),
                activity=owing.activity,
            )


def _unwanted(sitting: Sitting) -> set[str]:
    """Seats whose player has said, by his last word about it in this game, that he wants no reminders."""
    proven = letters.c.routed.in_((Evidence.PM, Evidence.MAIL_PROVEN, Evidence.CODE))
    mine = letters.c.game_id == sitting.row.id, letters.c.seat.is_not(None), proven
    said = sa.select(letters.c.seat, letters.c.subject, letters.c.text).where(*mine, letters.c.text.contains("апомин"))
    found: set[str] = set()
    for seat, subject, text in sitting.connection.execute(said.order_by(letters.c.received_at, letters.c.id)):
        asks = requests(text, subject or "").asks
        if NO_REMINDERS in asks:
            found.add(seat)
        elif REMINDERS in asks:
            found.discard(seat)
    return found
