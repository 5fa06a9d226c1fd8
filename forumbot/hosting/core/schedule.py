"""The moments of a turn. They stand in one place, the table ``deadlines``; when they change, the fold is told by an input
right behind the opening of the turn, so that an order is in time by the moment that holds now, whenever it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from engine.calendar import Due
from forumbot.hosting.core import record
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.store.tables import deadlines, inputs, turns

_CALLS = ("mark", "close")
"""Calls of deadlines that are moments of the rules."""


def told(opens: datetime, dues: Sequence[Due]) -> dict[str, Any]:
    """The payload of the input that opens a turn with these moments."""
    return {"hours": _hours(opens, {due.name: due.at for due in dues if due.call in _CALLS})}


def obey(connection: sa.Connection, game_id: str, turn: int, now: datetime) -> bool:
    """Tell the fold the stored moments of this turn where it knows others; gives whether it had to be told."""
    mine = turns.c.game_id == game_id, turns.c.turn == turn
    opened = connection.execute(sa.select(turns.c.opened_at).where(*mine)).scalar()
    if opened is None:
        return False
    hours = _hours(opened, marks(connection, game_id, turn))
    rows = connection.execute(
        sa.select(inputs.c.seq, inputs.c.kind, inputs.c.payload)
        .where(inputs.c.game_id == game_id, inputs.c.turn == turn, inputs.c.struck.is_(None))
        .order_by(inputs.c.seq)
    ).all()
    known = [(seq, payload.get("hours")) for seq, kind, payload in rows if kind in ("open", "hours")]
    last, said = known[-1]
    if said == hours:
        return False
    record.add_input(connection, game_id, "hours", turn, now, {"hours": hours}, seq=record.behind(connection, game_id, last))
    return True


def marks(connection: sa.Connection, game_id: str, turn: int) -> dict[str, datetime]:
    """Name -> moment of all that is resolved in a turn, past or to come, in order of time."""
    mine = deadlines.c.game_id == game_id, deadlines.c.turn == turn, deadlines.c.call.in_(_CALLS)
    query = sa.select(deadlines.c.name, deadlines.c.due_at).where(*mine).order_by(deadlines.c.due_at, deadlines.c.id)
    return {str(name): at for name, at in connection.execute(query)}


def dues(connection: sa.Connection, game_id: str, turn: int) -> list[Due]:
    """What is resolved or published in a turn, as its rows have it, in order of time."""
    mine = deadlines.c.game_id == game_id, deadlines.c.turn == turn, deadlines.c.call.in_((*_CALLS, "announce"))
    query = sa.select(deadlines.c.name, deadlines.c.due_at, deadlines.c.call).where(*mine)
    rows = connection.execute(query.order_by(deadlines.c.due_at, deadlines.c.id)).all()
    return [Due(name, at, call) for name, at, call in rows]


def add(connection: sa.Connection, game_id: str, turn: int, name: str, call: str, at: datetime) -> None:
    """A further deadline of a turn; one that has been there and is over does not come again."""
    record.add_deadline(connection, game_id, turn, name, call, at)


def shift(connection: sa.Connection, game_id: str, by: timedelta, *, only: Sequence[int] | None = None) -> list[int]:
    """Deadlines of the game that are open (``only``: exactly these, open or not) move; gives their rows. What was held for
    want of a complete reading is so no longer."""
    mine = [deadlines.c.game_id == game_id, deadlines.c.done_at.is_(None) if only is None else deadlines.c.id.in_(only)]
    rows = connection.execute(sa.select(deadlines.c.id, deadlines.c.due_at).where(*mine)).all()
    for row_id, due_at in rows:
        put(connection, row_id, due_at + by)
    return [int(row_id) for row_id, _ in rows]


def put(connection: sa.Connection, row_id: int, at: datetime) -> None:
    """One deadline falls due at this moment."""
    moved = {"due_at": at, "held_since": None, "held_reason": None}
    connection.execute(deadlines.update().where(deadlines.c.id == row_id).values(moved))


def company(connection: sa.Connection, due: sa.RowMapping) -> list[sa.RowMapping]:
    """What goes with a deadline wherever it is moved: its publication, and the reminders of it that are still to come."""
    names = (due["name"], *(f"{call}/{due['name']}" for call in record.REMINDERS))
    mine = deadlines.c.game_id == due["game_id"], deadlines.c.turn == due["turn"], deadlines.c.id != due["id"]
    rows = connection.execute(sa.select(deadlines).where(*mine, deadlines.c.name.in_(names), deadlines.c.done_at.is_(None)))
    return list(rows.mappings())


def affected(connection: sa.Connection, ids: Sequence[int]) -> list[int]:
    """The turns, set-up left out, whose deadlines these are."""
    found = connection.execute(sa.select(deadlines.c.turn).where(deadlines.c.id.in_(ids)).distinct()).scalars()
    return sorted(int(turn) for turn in found if turn != SETUP_TURN)


def _hours(opens: datetime, at: Mapping[str, datetime]) -> dict[str, Any]:
    marks = {name: moment.astimezone(UTC).isoformat() for name, moment in sorted(at.items())}
    return {"opens": opens.astimezone(UTC).isoformat(), "marks": marks}
