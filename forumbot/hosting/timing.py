"""The host's word about time: pause and resume, deadlines that are moved or called at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from forumbot.hosting.acting import Context, Refused, Undo, shift
from forumbot.hosting.holding import BY_HOST
from forumbot.hosting.record import REMINDERS, RESOLVING
from forumbot.store.tables import deadlines, games


def pause(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """Nothing of the game falls due or is judged until it is resumed."""
    if context.row.paused_at is not None:
        raise Refused("игра уже на паузе")
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=context.now))
    return {"paused_at": None}


def resume(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """Every open deadline moves by as long as the pause was."""
    if context.row.paused_at is None:
        raise Refused("игра не на паузе")
    shift(context, context.now - context.row.paused_at)
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=None))
    return {"paused_at": context.row.paused_at.isoformat(), "shifted": (context.now - context.row.paused_at).total_seconds()}


def extend(context: Context, payload: Mapping[str, Any]) -> Undo:
    """All open deadlines of the present turn move by so many hours (negative: sooner)."""
    hours = float(payload["hours"])
    shift(context, timedelta(hours=hours))
    return {"shifted": hours * 3600}


def resolve_now(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """The next deadline is now; one that is held for want of a complete reading is resolved on what has been read."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None)
    due = (
        context.connection.execute(
            sa.select(deadlines).where(*mine, deadlines.c.call.in_(RESOLVING)).order_by(deadlines.c.due_at, deadlines.c.id)
        )
        .mappings()
        .first()
    )
    if due is None:
        raise Refused("у игры нет ближайшего срока")
    if due["due_at"] > context.now:
        # Reminders of a deadline that is now would come after it.
        context.connection.execute(
            deadlines.update()
            .where(*mine, deadlines.c.call.in_(REMINDERS), deadlines.c.due_at <= due["due_at"])
            .values(done_at=context.now)
        )
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(due_at=context.now))
    elif due["held_since"] is not None:
        # The bot waits for a complete reading; the host decides on what has been read.
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(held_reason=BY_HOST))
    return {"deadline": due["id"], "due_at": due["due_at"].isoformat()}


def move(context: Context, payload: Mapping[str, Any]) -> Undo:
    """One open deadline moves to a moment of the host's choice."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None), deadlines.c.id == payload["deadline"]
    due = context.connection.execute(sa.select(deadlines).where(*mine)).mappings().first()
    if due is None:
        raise Refused("такого срока у игры нет, или он уже прошёл")
    at = datetime.fromisoformat(payload["at"])
    if at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(context.voice.zone))
    context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(due_at=at))
    return {"deadline": due["id"], "due_at": due["due_at"].isoformat()}
