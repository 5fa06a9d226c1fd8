"""What a host does: each act is a row with who and when, is carried out by the daemon, changes the game only through
inputs (so it is part of the replay), and can be taken back until its consequences are published."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
import structlog

from engine.model import EngineError
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting import corrections, interventions, keys, newspapers, people, record, rulepost, seating, waitlist
from forumbot.hosting.acting import (
    UNSENT,
    Context,
    Refused,
    Undo,
    Voice,
    decide,
    enter,
    outbox_row,
    place_in_time,
    seat_of,
    shift,
    verdict_of,
)
from forumbot.hosting.match import SETUP_TURN
from forumbot.hosting.record import REMINDERS, RESOLVING
from forumbot.store.database import Store, StoreError
from forumbot.store.tables import acts, aliases, deadlines, games, holders, inputs, letters, outbox, verdicts

log = structlog.get_logger("forumbot.acts")

__all__ = ["KINDS", "Refused", "Voice", "ask", "execute"]


def ask(connection: sa.Connection, game_id: str, who: str, kind: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Enter an act for the daemon; gives its number. Raises Refused for an unknown kind."""
    if kind not in _DO:
        raise Refused(f"нет такого действия: «{kind}»")
    made = connection.execute(
        acts.insert().values(game_id=game_id, who=who, kind=kind, payload=payload, asked_at=now)
    )
    (act_id,) = made.inserted_primary_key or (0,)
    return int(act_id)


def execute(store: Store, now: datetime, voice: Voice) -> set[str]:
    """Carry out every act that waits, one transaction each; gives the games whose inputs may have changed."""
    touched: set[str] = set()
    with store.read() as connection:
        waiting = connection.execute(sa.select(acts.c.id).where(acts.c.done_at.is_(None)).order_by(acts.c.id)).scalars().all()
    for act_id in waiting:
        error: str | None = None
        try:
            with store.write() as connection:
                act = connection.execute(sa.select(acts).where(acts.c.id == act_id)).mappings().one()
                row = record.load(connection, act["game_id"])
                context = Context(connection, row, now, act_id, act["who"], voice)
                undo = _carry_out(context, act["kind"], act["payload"])
                people.settle(connection, row.id, now)
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, result=dict(undo)))
                touched.add(row.id)
        except Refused as refused:
            error = str(refused)
        except EngineError as refused:
            error = f"правила этого не допускают: {refused.problem}"
        except (KeyError, TypeError, ValueError) as wrong:
            # The payload comes from the desk or a script: what is missing there is the asker's fault.
            error = f"действие записано неверно: {wrong}"
            log.warning("act_refused", act=act_id, error=repr(wrong))
        except StoreError:
            raise
        except Exception:
            # One act that fails must not stop the games; nothing of it was kept.
            log.exception("act_failed", act=act_id)
            error = "ошибка программы, подробности в журнале бота; ничего не изменено"
        if error is not None:
            with store.write() as connection:
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, error=error))
    return touched


def _carry_out(context: Context, kind: str, payload: Mapping[str, Any]) -> Undo:
    """Do it, and tell players at once what the rules now answer them in the running turn."""
    if kind not in _ANSWERED:
        return _DO[kind](context, payload)
    with interventions.answering(context):
        return _DO[kind](context, payload)


# Orders and verdicts ----------------------------------------------------------------------------------------------------


def _accept(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: one of its candidate readings (``choice``) or all of them become orders."""
    verdict = verdict_of(context, payload["verdict"])
    if verdict["seat"] is None:
        raise Refused("сообщение не от игрока: сначала привяжите его адрес или ник")
    readings = verdict["orders"]
    choice = payload.get("choice")
    if choice is not None and not 0 <= choice < len(readings):
        raise Refused(f"в записи {verdict['id']} нет такого прочтения")
    chosen = readings if choice is None else [readings[choice]]
    if not chosen:
        raise Refused(f"в записи {verdict['id']} нечего принимать: внесите ход за игрока")
    if chosen[0]["action"] in interventions.host_actions(context.row.ruleset):
        # What a player asked of the host (to let him go) happens when the host says so, not when it was asked.
        asked = {"player": verdict["seat"], "action": chosen[0]["action"], "args": chosen[0]["args"]}
        done = interventions.host_order(context, asked)
        decide(context, verdict["id"], "accepted")
        return {**done, "verdict": verdict["id"], "outcome": verdict["outcome"]}
    made = [
        enter(
            context,
            verdict["seat"],
            order["action"],
            order["targets"],
            order["args"],
            at=verdict["at"],
            turn=verdict["turn"],
            verdict_id=verdict["id"],
            ref=f"{verdict['id']}.{readings.index(order)}",
        )
        for order in chosen
    ]
    decide(context, verdict["id"], "accepted")
    return {"entered": made, "verdict": verdict["id"], "outcome": verdict["outcome"]}


def _reject(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: it is no order."""
    verdict = verdict_of(context, payload["verdict"])
    decide(context, verdict["id"], "rejected")
    return {"entered": [], "verdict": verdict["id"], "outcome": verdict["outcome"]}


def _strike(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Orders that were taken from this message no longer count."""
    verdict = verdict_of(context, payload["verdict"])
    if verdict["turn"] != context.row.turn and not context.correcting:
        raise Refused("этот ход уже подведён: исправьте его («исправить ход», forumbot turn correct)")
    if not record.strike(context.connection, context.row.id, [verdict["id"]], context.mark):
        raise Refused(f"из записи {verdict['id']} ничего не засчитано")
    return {"struck": context.mark, "of": verdict["id"]}


def _order(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host enters an order for a player."""
    seat = seat_of(context, payload["player"])
    action = payload["action"]
    spec = find_ruleset(context.row.ruleset).spec
    if action not in spec.actions:
        raise Refused(f"в правилах нет действия «{action}»")
    targets = [seat_of(context, nick) for nick in payload.get("targets", [])]
    at = datetime.fromisoformat(payload["at"]) if payload.get("at") else None
    turn = payload.get("turn", context.row.turn)
    return {"entered": [enter(context, seat, action, targets, payload.get("args", {}), at=at, turn=turn)]}


def _force(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A draw is decided by the host before it is made."""
    points = find_ruleset(context.row.ruleset).spec.chance_points
    if payload["point"] not in points:
        raise Refused(f"такой жеребьёвки нет; есть: {', '.join(points)}")
    turn = payload.get("turn", context.row.turn)
    if turn != context.row.turn and not context.correcting:
        raise Refused("этот ход уже подведён: исправьте его («исправить ход», forumbot turn correct)")
    place = None if turn == context.row.turn else _opening(context, turn)
    given = record.add_input(
        context.connection,
        context.row.id,
        "force",
        turn,
        context.now,
        {"point": payload["point"], "values": list(payload["values"])},
        seq=place,
    )
    return {"entered": [given.row]}


def _opening(context: Context, turn: int) -> float | None:
    """The place right after the opening of a turn, before anything in it is drawn."""
    mine = inputs.c.game_id == context.row.id, inputs.c.turn == turn, inputs.c.kind == "open"
    if context.connection.execute(sa.select(inputs.c.id).where(*mine)).first() is None:
        raise Refused(f"хода {turn} в этой игре не было")
    return place_in_time(context.connection, context.row.id, turn, datetime.min.replace(tzinfo=UTC))


# Players ------------------------------------------------------------------------------------------------------------------


def _replace(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Another person takes a seat: role and votes pass on, the old account and address lose their rights."""
    seat = seat_of(context, payload["player"])
    present = seating.load(context.connection, context.row.id)
    nick, uid = _newcomer(context, payload)
    if any(holder.uid == uid for holder in present.holders.values()):
        raise Refused("этот участник уже играет")
    seating.replace(context.connection, context.row.id, seat, nick, uid, context.now)
    waitlist.plays(context.connection, context.row.id, uid)
    interventions.introduce(context, seat, present.holders[seat].nick)
    return {"seat": seat, "since": context.now.isoformat()}


def _newcomer(context: Context, payload: Mapping[str, Any]) -> tuple[str, int]:
    """Whom the host names (``nick``, ``uid``); without a name the first of the waiting list."""
    if payload.get("uid") is not None:
        return payload["nick"], payload["uid"]
    first = next(iter(waitlist.waiting(context.connection, context.row.id)), None)
    if first is None:
        raise Refused("в запасе никого нет: назовите, кто вступает в игру")
    return first.nick, first.uid


def _alias(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A further spelling that means a player, for the whole game."""
    seat = seat_of(context, payload["player"])
    known = context.connection.execute(
        sa.select(aliases.c.seat).where(aliases.c.game_id == context.row.id, aliases.c.alias == payload["alias"])
    ).scalar()
    if known is not None:
        raise Refused(f"«{payload['alias']}» уже означает игрока {known}")
    context.connection.execute(aliases.insert().values(game_id=context.row.id, alias=payload["alias"], seat=seat))
    return {"alias": payload["alias"]}


def _bind(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A mail address is a player's from now on; his unrouted letters from it are read anew."""
    seat = seat_of(context, payload["player"])
    holder = seating.load(context.connection, context.row.id).holders[seat]
    address = payload["address"]
    seating.bind_address(context.connection, context.row.id, seat, address)
    if address:
        stray = letters.c.game_id.is_(None), letters.c.routed.in_(("unknown_sender", "not_proven"))
        context.connection.execute(
            letters.update()
            .where(letters.c.sender == address, *stray)
            .values(game_id=context.row.id, seat=seat, routed="address")
        )
    return {"seat": seat, "address": holder.address}


# Time ---------------------------------------------------------------------------------------------------------------------


def _pause(context: Context, _payload: Mapping[str, Any]) -> Undo:
    if context.row.paused_at is not None:
        raise Refused("игра уже на паузе")
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=context.now))
    return {"paused_at": None}


def _resume(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """Every open deadline moves by as long as the pause was."""
    if context.row.paused_at is None:
        raise Refused("игра не на паузе")
    shift(context, context.now - context.row.paused_at)
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=None))
    return {"paused_at": context.row.paused_at.isoformat(), "shifted": (context.now - context.row.paused_at).total_seconds()}


def _extend(context: Context, payload: Mapping[str, Any]) -> Undo:
    """All open deadlines of the present turn move by so many hours (negative: sooner)."""
    hours = float(payload["hours"])
    shift(context, timedelta(hours=hours))
    return {"shifted": hours * 3600}


def _resolve_now(context: Context, _payload: Mapping[str, Any]) -> Undo:
    """The next deadline is now; one that is held for want of a complete reading is resolved on what has been read."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None)
    due = (
        context.connection.execute(
            sa.select(deadlines)
            .where(*mine, deadlines.c.call.in_(RESOLVING))
            .order_by(deadlines.c.due_at, deadlines.c.id)
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
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(held_reason="host"))
    return {"deadline": due["id"], "due_at": due["due_at"].isoformat()}


def _move(context: Context, payload: Mapping[str, Any]) -> Undo:
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


# The outbox ---------------------------------------------------------------------------------------------------------------


def _release(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Something that waits for the host goes out, a long newspaper with all its parts."""
    row = outbox_row(context, payload["outbox"], ("held",))
    context.connection.execute(
        outbox.update().where(keys.parts_of(row["key"]), outbox.c.state == "held").values(state="waiting")
    )
    return {"outbox": payload["outbox"], "state": "held", "parts": True}


def _keep(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Something that waits to be sent is held back until the host releases it."""
    row = outbox_row(context, payload["outbox"], ("waiting", "failed"))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(state="held"))
    return {"outbox": payload["outbox"], "state": row["state"]}


def _edit(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host's own wording of something that was not sent yet."""
    row = outbox_row(context, payload["outbox"], ("held", "waiting", "failed"))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(body=payload["body"]))
    return {"outbox": payload["outbox"], "body": row["body"]}


def _retry(context: Context, payload: Mapping[str, Any]) -> Undo:
    row = outbox_row(context, payload["outbox"], ("failed",))
    context.connection.execute(
        outbox.update().where(outbox.c.id == payload["outbox"]).values(state="waiting", attempts=0, not_before=context.now)
    )
    return {"outbox": payload["outbox"], "state": row["state"]}


def _posted(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host has posted this by hand; the bot must not."""
    row = outbox_row(context, payload["outbox"], ("waiting", "failed", "held", "shadow"))
    context.connection.execute(
        outbox.update()
        .where(outbox.c.id == payload["outbox"])
        .values(state="sent", sent_at=context.now, result={"by_hand": context.who})
    )
    return {"outbox": payload["outbox"], "state": row["state"], "kept": row["result"]}


# Taking back --------------------------------------------------------------------------------------------------------------


def _undo(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Take an act back; refused once a turn that rests on it has been resolved (a correction is corrected again)."""
    connection = context.connection
    act = connection.execute(
        sa.select(acts).where(acts.c.id == payload["act"], acts.c.game_id == context.row.id)
    ).mappings().first()
    if act is None or act["done_at"] is None or act["error"] is not None or act["kind"] not in _UNDONE:
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
    context.connection.execute(
        aliases.delete().where(aliases.c.game_id == context.row.id, aliases.c.alias == done["alias"])
    )


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


# The table of acts -----------------------------------------------------------------------------------------------------


def _correct(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A turn that was resolved is played again with other orders (goldenkey S9)."""

    def change(given: Mapping[str, Any]) -> Undo:
        if given["kind"] not in corrections.KINDS:
            raise Refused(f"исправить ход можно так: {', '.join(corrections.KINDS)}; «{given['kind']}» нельзя")
        return _DO[given["kind"]](context, given)

    return corrections.correct(context, payload["changes"], change)


_DO: Mapping[str, Callable[[Context, Mapping[str, Any]], Undo]] = {
    "accept": _accept,
    "reject": _reject,
    "strike": _strike,
    "order": _order,
    "force": _force,
    "host": interventions.host_order,
    "remove": interventions.remove,
    "warn": interventions.warn,
    "write": interventions.write,
    "seat": interventions.seat,
    "unseat": interventions.unseat,
    "replace": _replace,
    "alias": _alias,
    "bind": _bind,
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "resolve": _resolve_now,
    "move": _move,
    "release": _release,
    "keep": _keep,
    "edit": _edit,
    "retry": _retry,
    "posted": _posted,
    "prologue": newspapers.prologue_act,
    "rules": rulepost.post,
    "correct": _correct,
    "undo": _undo,
}

KINDS = tuple(_DO)
_UNDONE = frozenset(KINDS) - {"undo"}
"""What can be taken back; rights that were given at the desk (``access``) are changed there."""

_ANSWERED = frozenset({"accept", "reject", "strike", "order", "host", "remove", "correct", "undo"})
"""Acts after which players are told what changed for them in the running turn."""
