"""Acts of a host are taken back, part by part, until their consequences are published."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from forumbot.hosting import corrections, interventions, keys, newspapers, questions, seating
from forumbot.hosting.acting import UNSENT, Context, Refused, Undo, shift
from forumbot.hosting.match import SETUP_TURN
from forumbot.store.tables import acts, aliases, deadlines, games, holders, inputs, outbox, verdicts


def undo(context: Context, payload: Mapping[str, Any], kinds: Collection[str]) -> Undo:
    """Take an act of one of these kinds back; refused once a turn that rests on it has been resolved (a correction is
    corrected again)."""
    connection = context.connection
    act = (
        connection.execute(sa.select(acts).where(acts.c.id == payload["act"], acts.c.game_id == context.row.id))
        .mappings()
        .first()
    )
    if act is None or act["done_at"] is None or act["error"] is not None or act["kind"] not in kinds:
        raise Refused("такого действия нет, или отменять нечего")
    if connection.execute(sa.select(acts.c.id).where(acts.c.undoes == act["id"], acts.c.error.is_(None))).first():
        raise Refused("это действие уже отменено")
    done = act["result"] or {}
    if act["kind"] == "correct":
        corrections.take_back(context, act["id"], lambda: _take_back_all(context, done["changes"]))
    else:
        if _RESTING & done.keys():
            _unpublished(context, act["done_at"])
        unseen = newspapers.withdraw(connection, context.row.id, f"act{act['id']}/")
        _take_back(context, done)
        interventions.unsay(context, act, unseen=unseen)
    connection.execute(acts.update().where(acts.c.id == context.act_id).values(undoes=act["id"]))
    if act["kind"] == "prologue":
        newspapers.rewrite(context, done["turn"])
    return {}


def _take_back_all(context: Context, changes: Sequence[Undo]) -> None:
    for done in reversed(changes):
        _take_back(context, done)


def _take_back(context: Context, done: Undo) -> None:
    for key, back in _BACK.items():
        if key in done:
            back(context, done)


def _back_entered(context: Context, done: Undo) -> None:
    mine = inputs.c.game_id == context.row.id, inputs.c.id.in_(done["entered"])
    context.connection.execute(inputs.update().where(*mine).values(struck=context.mark))


def _back_struck(context: Context, done: Undo) -> None:
    mine = inputs.c.game_id == context.row.id, inputs.c.struck == done["struck"], inputs.c.verdict_id == done["of"]
    context.connection.execute(inputs.update().where(*mine).values(struck=None))


def _back_verdict(context: Context, done: Undo) -> None:
    context.connection.execute(
        verdicts.update().where(verdicts.c.id == done["verdict"]).values(outcome=done["outcome"], decided_by=None)
    )


def _back_replaced(context: Context, done: Undo) -> None:
    since = datetime.fromisoformat(done["since"])
    mine = holders.c.game_id == context.row.id, holders.c.seat == done["seat"]
    context.connection.execute(holders.update().where(*mine, holders.c.since == since).values(until=context.now))
    context.connection.execute(holders.update().where(*mine, holders.c.until == since).values(until=None))


def _back_alias(context: Context, done: Undo) -> None:
    context.connection.execute(aliases.delete().where(aliases.c.game_id == context.row.id, aliases.c.alias == done["alias"]))


def _back_address(context: Context, done: Undo) -> None:
    seating.bind_address(context.connection, context.row.id, done["seat"], done["address"])


def _back_shifted(context: Context, done: Undo) -> None:
    shift(context, timedelta(seconds=-done["shifted"]))


def _back_paused(context: Context, done: Undo) -> None:
    moment = datetime.fromisoformat(done["paused_at"]) if done["paused_at"] else None
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=moment))


def _back_deadline(context: Context, done: Undo) -> None:
    moment = datetime.fromisoformat(done["due_at"])
    context.connection.execute(deadlines.update().where(deadlines.c.id == done["deadline"]).values(due_at=moment))


def _back_outbox(context: Context, done: Undo) -> None:
    """What was sent by the bot stays sent; what the host had marked as sent by hand waits again."""
    row = context.connection.execute(sa.select(outbox).where(outbox.c.id == done["outbox"])).mappings().first()
    by_hand = row is not None and row["state"] == "sent" and "by_hand" in (row["result"] or {})
    if row is None or not (by_hand or row["state"] in UNSENT):
        raise Refused("это уже отправлено или отправляется")
    values = {key: done[key] for key in ("state", "body") if key in done}
    if by_hand:
        values |= {"sent_at": None, "result": done.get("kept")}
    chosen = keys.parts_of(row["key"]) if done.get("parts") else outbox.c.id == row["id"]
    context.connection.execute(outbox.update().where(chosen, outbox.c.state.in_((*UNSENT, row["state"]))).values(values))


def _back_signed(context: Context, done: Undo) -> None:
    seating.sign(context.connection, context.row.id, done["seat"], done["signed"])


_BACK: Mapping[str, Callable[[Context, Undo], None]] = {
    "entered": _back_entered,
    "struck": _back_struck,
    "verdict": _back_verdict,
    "since": _back_replaced,
    "alias": _back_alias,
    "address": _back_address,
    "shifted": _back_shifted,
    "paused_at": _back_paused,
    "deadline": _back_deadline,
    "outbox": _back_outbox,
    "signed": _back_signed,
    "question": questions.reopen,
}
"""Key of an act's result -> what takes that part of it back."""

_RESTING = frozenset({"entered", "struck", "shifted", "paused_at", "deadline"})
"""Results on which the resolution of a turn may rest."""


def _unpublished(context: Context, since: datetime) -> None:
    """A mark inside the running turn has published nothing yet: the game is folded anew."""
    resolved = context.connection.execute(
        sa.select(deadlines.c.name).where(
            deadlines.c.game_id == context.row.id,
            deadlines.c.done_at >= since,
            sa.or_(
                deadlines.c.call.in_(("close", "signup", "announce")),
                sa.and_(deadlines.c.call == "mark", deadlines.c.turn == SETUP_TURN),
            ),
        )
    ).first()
    if resolved is not None:
        raise Refused("с тех пор уже подведён итог: отменить нельзя, исправьте ход")
