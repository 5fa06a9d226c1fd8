"""The host's word about time: pause and resume, deadlines that are moved or called at once. Everybody hears of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.acts import objects
from forumbot.hosting.core import naming, schedule, troubles
from forumbot.hosting.core.acting import Context, Refused, Undo, moment_of
from forumbot.hosting.core.record import REMINDERS, RESOLVING
from forumbot.hosting.turns import holding, rescheduled
from forumbot.store.tables import deadlines, games

_FARTHEST = timedelta(days=60)
"""A deadline that is put farther off is a slip of the pen: a longer break is a pause."""


def pause(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """Nothing of the game falls due or is judged until it is resumed."""
    since = context.row.paused_at
    if since is not None:
        raise Refused(f"игра уже на паузе, с остановки {naming.wall(since, context.now, context.voice.zone)}")
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=context.now))
    rescheduled.tell(context, rescheduled.PAUSED)
    return {"paused_at": None}


def resume(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """Every open deadline moves by as long as the pause was."""
    if context.row.paused_at is None:
        last = next(objects.standing_acts(context.connection, context.row.id, "resume"), None)
        raise Refused("игра не на паузе" + (f": она продолжена {objects.by(context, last)}" if last else ""))
    by = context.now - context.row.paused_at
    before = rescheduled.moments(context)
    moved = schedule.shift(context.connection, context.row.id, by)
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=None))
    _settle(context, moved)
    rescheduled.tell(context, rescheduled.RESUMED, before)
    return {"paused_at": context.row.paused_at.isoformat(), "shifted": by.total_seconds(), "moved": moved}


def extend(context: Context, payload: Mapping[str, Any]) -> Undo:
    """All open deadlines of the present turn move by so many hours (negative: sooner)."""
    by = timedelta(hours=float(payload["hours"]))
    if abs(by) > _FARTHEST:
        raise Refused(f"так далеко сроки не сдвигают (больше {_FARTHEST.days} дней): на долго есть пауза")
    before = rescheduled.moments(context)
    if not before:
        raise Refused("впереди у игры нет ни одного срока")
    if not by:
        raise Refused("сдвигать не на что: названо 0 часов")
    _not_past(context, min(before.values()) + by, min(before, key=lambda name: before[name]))
    moved = schedule.shift(context.connection, context.row.id, by)
    _settle(context, moved)
    rescheduled.tell(context, rescheduled.MOVED, before)
    return {"shifted": by.total_seconds(), "moved": moved}


def resolve_now(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The named deadline, the next one, is now; one that is held for want of a complete reading is resolved on what has been
    read."""
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
    named = naming.deadline(context.writer(), due)
    if payload.get("deadline") is None:
        when = naming.wall(due["due_at"], context.now, context.voice.zone)
        raise Refused(f"назовите срок, который подвести; ближайший - {due['id']}: {named} {when}")
    if payload["deadline"] != due["id"]:
        raise Refused(f"раньше этого наступает другой срок, {due['id']}: {named}")
    if context.row.paused_at is not None:
        raise Refused("игра на паузе: сначала продолжите её")
    done: dict[str, Any] = {"deadline": due["id"], "due_at": due["due_at"].isoformat()}
    if due["due_at"] > context.now:
        # Reminders of a deadline that is now would come after it.
        early = *mine, deadlines.c.call.in_(REMINDERS), deadlines.c.due_at <= due["due_at"]
        done["reminders"] = [int(row) for row in context.connection.execute(sa.select(deadlines.c.id).where(*early)).scalars()]
        context.connection.execute(deadlines.update().where(deadlines.c.id.in_(done["reminders"])).values(done_at=context.now))
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(due_at=context.now))
        _settle(context, [due["id"]])
    elif due["held_since"] is not None:
        # The bot waits for a complete reading; the host decides on what has been read.
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(held_reason=holding.BY_HOST))
    else:
        raise Refused(f"{named}: срок уже наступил, бот подводит итог")
    return {**done, "to": min(context.now, due["due_at"]).isoformat()}


def move(context: Context, payload: Mapping[str, Any]) -> Undo:
    """One open deadline moves to a moment of the host's choice, with its publication and its reminders."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None), deadlines.c.id == payload["deadline"]
    due = context.connection.execute(sa.select(deadlines).where(*mine, deadlines.c.call.in_(RESOLVING))).mappings().first()
    if due is None:
        raise Refused("такого срока у игры нет, или его не переносят: напоминания и публикации идут за своим сроком")
    at = moment_of(context, payload["at"])
    if at == due["due_at"]:
        raise Refused("этот срок и так стоит на это время")
    _not_past(context, at, due["name"])
    if at - context.now > _FARTHEST:
        raise Refused(f"до этого часа больше {_FARTHEST.days} дней: проверьте дату; на долго есть пауза")
    _in_order(context, due, at)
    before = rescheduled.moments(context)
    by = at - due["due_at"]
    moved = schedule.shift(
        context.connection,
        context.row.id,
        by,
        only=[due["id"], *(row["id"] for row in schedule.company(context.connection, due))],
    )
    _settle(context, moved)
    rescheduled.tell(context, rescheduled.MOVED, before)
    return {"shifted": by.total_seconds(), "moved": moved, "to": at.isoformat(), "deadline_moved": due["id"]}


def _settle(context: Context, moved: list[int]) -> None:
    """What follows from moved deadlines: the rules are told, and nobody waits for a deadline that is held no longer."""
    for turn in schedule.affected(context.connection, moved):
        schedule.obey(context.connection, context.row.id, turn, context.now)
    rows = context.connection.execute(sa.select(deadlines).where(deadlines.c.id.in_(moved))).mappings()
    for due in rows.all():
        troubles.clear_trouble(context.connection, holding.key(due))


def _not_past(context: Context, at: datetime, name: str) -> None:
    if at <= context.now:
        when = naming.wall(at, context.now, context.voice.zone)
        raise Refused(
            f"«{naming.moment(context.writer(), name)}» пришлось бы {when}, а это уже прошло; "
            "чтобы подвести итог сейчас, есть действие «подвести итоги сейчас»"
        )


def _in_order(context: Context, due: sa.RowMapping, at: datetime) -> None:
    """The moments of a turn come in the order of its rules."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.turn == due["turn"], deadlines.c.call.in_(RESOLVING)
    others = context.connection.execute(sa.select(deadlines).where(*mine, deadlines.c.id != due["id"])).mappings().all()
    for other in others:
        if (other["due_at"] < due["due_at"] and at < other["due_at"]) or due["due_at"] < other["due_at"] < at:
            when = naming.wall(other["due_at"], context.now, context.voice.zone)
            order = "раньше" if other["due_at"] > at else "позже"
            named = naming.deadline(context.writer(), other)
            raise Refused(f"так этот срок был бы {order}, чем {named} ({when}): перенесите сначала тот")
