"""What a host decides about orders: reviews, orders struck out or entered for a player, draws made as he says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.acts import objects
from forumbot.hosting.core import record
from forumbot.hosting.core.acting import Context, Refused, Undo, decide, enter, moment_of, seat_of, verdict_of
from forumbot.hosting.turns import interventions
from forumbot.store.tables import acts, inputs


def accept(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: one of its candidate readings (``choice``) or all of them become orders."""
    verdict = verdict_of(context, payload["verdict"])
    _undecided(context, verdict)
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


def reject(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: it is no order."""
    verdict = verdict_of(context, payload["verdict"])
    _undecided(context, verdict)
    decide(context, verdict["id"], "rejected")
    return {"entered": [], "verdict": verdict["id"], "outcome": verdict["outcome"]}


def strike(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Orders that were taken from this message no longer count."""
    verdict = verdict_of(context, payload["verdict"])
    if verdict["turn"] != context.row.turn and not context.correcting:
        raise Refused("этот ход уже подведён: исправьте его («исправить ход», forumbot turn correct)")
    if not record.strike(context.connection, context.row.id, [verdict["id"]], context.mark):
        raise Refused(f"из записи {verdict['id']} ничего не засчитано{_struck_by(context, verdict['id'])}")
    return {"struck": context.mark, "of": verdict["id"]}


def _undecided(context: Context, verdict: sa.RowMapping) -> None:
    """Raises Refused when the reading was decided before, or counts already."""
    act = _act(context, verdict["decided_by"])
    if act is not None:
        what = "засчитано" if verdict["outcome"] == "accepted" else "отклонено"
        raise Refused(f"запись {verdict['id']} уже решена: {what} {objects.by(context, act)}; чтобы решить иначе, отмените то")
    mine = inputs.c.game_id == context.row.id, inputs.c.verdict_id == verdict["id"], inputs.c.struck.is_(None)
    if verdict["outcome"] == "accepted" and context.connection.execute(sa.select(inputs.c.id).where(*mine)).first():
        raise Refused(f"запись {verdict['id']} уже засчитана; чтобы не считать её, снимите её («не засчитывать»)")


def _struck_by(context: Context, verdict_id: int) -> str:
    mine = inputs.c.game_id == context.row.id, inputs.c.verdict_id == verdict_id, inputs.c.struck.is_not(None)
    act = _act(context, context.connection.execute(sa.select(inputs.c.struck).where(*mine)).scalar())
    return f": снято {objects.by(context, act)}" if act is not None else ""


def _act(context: Context, mark: str | None) -> sa.RowMapping | None:
    """The act that a row is marked with."""
    number = (mark or "").removeprefix("act:")
    if not number.isdecimal() or mark == number:
        return None
    return context.connection.execute(sa.select(acts).where(acts.c.id == int(number))).mappings().first()


def order(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host enters an order for a player."""
    seat = seat_of(context, payload["player"])
    action = payload["action"]
    spec = find_ruleset(context.row.ruleset).spec
    if action not in spec.actions:
        raise Refused(f"в правилах нет действия «{action}»; есть: {', '.join(sorted(spec.actions))}")
    targets = [seat_of(context, nick) for nick in payload.get("targets", [])]
    at = moment_of(context, payload["at"]) if payload.get("at") else None
    turn = payload.get("turn", context.row.turn)
    return {"entered": [enter(context, seat, action, targets, payload.get("args", {}), at=at, turn=turn)]}


def force(context: Context, payload: Mapping[str, Any]) -> Undo:
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
    return record.place_for(context.connection, context.row.id, turn, datetime.min.replace(tzinfo=UTC), behind_marks=True)
