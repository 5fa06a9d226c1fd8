"""The hours between a deadline and its newspaper (clans R1): the game knows already what nobody has been told yet."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from engine.calendar import Calendar
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.store.prepared import Prepared
from forumbot.store.tables import inputs, turns

NEWSPAPER = "newspaper"
"""An ``announce`` due of this name at the opening of a turn: the newspaper of the turn before comes out at that hour."""


def newspaper_waits(calendar: Calendar, turn: int, opens: datetime) -> bool:
    """Whether the newspaper of the turn before ``turn`` comes out only as ``turn`` opens."""
    return any(due.call == "announce" and due.name == NEWSPAPER for due in calendar.turn(turn, opens))


_OPENED = Prepared(
    sa.select(turns.c.opened_at).where(turns.c.game_id == sa.bindparam("game"), turns.c.turn == sa.bindparam("turn"))
)


def opened_at(connection: sa.Connection, game_id: str, turn: int) -> datetime | None:
    """When a turn began, or begins; None for one that was never opened."""
    found: datetime | None = _OPENED.value(connection, game=game_id, turn=turn)
    return found


def eve(connection: sa.Connection, row: GameRow, match: Match, at: datetime) -> Match | None:
    """For a message of those hours: the match before the deadline was resolved. None for every other message.

    Read in the light of that game, its answer cannot tell who has died.
    """
    if match.stage != "turn":
        return None
    opened = opened_at(connection, row.id, match.turn)
    if opened is None or at >= opened or not newspaper_waits(match.ruleset.calendar(match.tables), match.turn, opened):
        return None
    closes = inputs.c.game_id == row.id, inputs.c.kind == "close", inputs.c.struck.is_(None)
    closed = connection.execute(sa.select(sa.func.max(inputs.c.seq)).where(*closes)).scalar()
    if closed is None:
        return None
    before = Match.begin(row.ruleset, row.tables, row.seed)
    for given in record.inputs_of(connection, row.id, until=closed):
        if given.seq < closed:
            before.apply(given)
    return before
