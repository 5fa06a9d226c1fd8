"""What a host does: each act is a row with who and when, is carried out by the daemon, changes the game only through
inputs (so it is part of the replay), and can be taken back until its consequences are published."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from engine.model import EngineError, Order
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting import record, seating
from forumbot.hosting.record import GameRow
from forumbot.hosting.wire import frozen, order_data
from forumbot.store.database import Store
from forumbot.store.tables import acts, aliases, deadlines, games, holders, inputs, letters, outbox, verdicts


class Refused(Exception):
    """The act cannot be done; the text is one Russian sentence for the host."""


@dataclass(slots=True)
class _Context:
    connection: sa.Connection
    row: GameRow
    now: datetime
    act_id: int
    who: str

    @property
    def mark(self) -> str:
        """How rows say which act changed them."""
        return f"act:{self.act_id}"


Undo = Mapping[str, Any]


def ask(connection: sa.Connection, game_id: str, who: str, kind: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Enter an act for the daemon; gives its number. Raises Refused for an unknown kind."""
    if kind not in _DO:
        raise Refused(f"нет такого действия: «{kind}»")
    made = connection.execute(
        acts.insert().values(game_id=game_id, who=who, kind=kind, payload=payload, asked_at=now)
    )
    (act_id,) = made.inserted_primary_key or (0,)
    return int(act_id)


def execute(store: Store, now: datetime) -> set[str]:
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
                context = _Context(connection, row, now, act_id, act["who"])
                undo = _DO[act["kind"]](context, act["payload"])
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, result=dict(undo)))
                touched.add(row.id)
        except Refused as refused:
            error = str(refused)
        except EngineError as refused:
            error = f"правила этого не допускают: {refused.problem}"
        if error is not None:
            with store.write() as connection:
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, error=error))
    return touched


# Orders and verdicts ----------------------------------------------------------------------------------------------------


def _accept(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: one of its candidate readings (``choice``) or all of them become orders."""
    verdict = _verdict(context, payload["verdict"])
    if verdict["seat"] is None:
        raise Refused("сообщение не от игрока: сначала привяжите его адрес или ник")
    readings = verdict["orders"]
    choice = payload.get("choice")
    if choice is not None and not 0 <= choice < len(readings):
        raise Refused(f"в записи {verdict['id']} нет такого прочтения")
    chosen = readings if choice is None else [readings[choice]]
    if not chosen:
        raise Refused(f"в записи {verdict['id']} нечего принимать: внесите ход за игрока")
    seat, at, turn = verdict["seat"], verdict["at"], verdict["turn"]
    made = [_enter(context, seat, order["action"], order["targets"], order["args"], at, turn, verdict) for order in chosen]
    _decide(context, verdict["id"], "accepted")
    return {"inputs": made, "verdict": verdict["id"], "outcome": verdict["outcome"]}


def _reject(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A review is decided: it is no order."""
    verdict = _verdict(context, payload["verdict"])
    _decide(context, verdict["id"], "rejected")
    return {"inputs": [], "verdict": verdict["id"], "outcome": verdict["outcome"]}


def _strike(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """Orders that were taken from this message no longer count."""
    verdict = _verdict(context, payload["verdict"])
    if not record.strike(context.connection, context.row.id, [verdict["id"]], context.mark):
        raise Refused(f"из записи {verdict['id']} ничего не засчитано")
    return {"struck": context.mark}


def _order(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """The host enters an order for a player."""
    seat = _seat(context, payload["player"])
    action = payload["action"]
    spec = find_ruleset(context.row.ruleset).spec
    if action not in spec.actions:
        raise Refused(f"в правилах нет действия «{action}»")
    targets = [_seat(context, nick) for nick in payload.get("targets", [])]
    at = datetime.fromisoformat(payload["at"]) if payload.get("at") else context.now
    turn = payload.get("turn", context.row.turn)
    made = _enter(context, seat, action, targets, payload.get("args", {}), at, turn, None)
    return {"inputs": [made]}


def _force(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A draw is decided by the host before it is made."""
    points = find_ruleset(context.row.ruleset).spec.chance_points
    if payload["point"] not in points:
        raise Refused(f"такой жеребьёвки нет; есть: {', '.join(points)}")
    given = record.add_input(
        context.connection,
        context.row.id,
        "force",
        context.row.turn,
        context.now,
        {"point": payload["point"], "values": list(payload["values"])},
    )
    return {"inputs": [given.seq]}


# Players ------------------------------------------------------------------------------------------------------------------


def _replace(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """Another person takes a seat: role and votes pass on, the old account and address lose their rights."""
    seat = _seat(context, payload["player"])
    present = seating.load(context.connection, context.row.id)
    if any(holder.uid == payload["uid"] for holder in present.holders.values()):
        raise Refused("этот участник уже играет")
    seating.replace(context.connection, context.row.id, seat, payload["nick"], payload["uid"], context.now)
    return {"seat": seat, "since": context.now.isoformat()}


def _alias(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A further spelling that means a player, for the whole game."""
    seat = _seat(context, payload["player"])
    known = context.connection.execute(
        sa.select(aliases.c.seat).where(aliases.c.game_id == context.row.id, aliases.c.alias == payload["alias"])
    ).scalar()
    if known is not None:
        raise Refused(f"«{payload['alias']}» уже означает игрока {known}")
    context.connection.execute(aliases.insert().values(game_id=context.row.id, alias=payload["alias"], seat=seat))
    return {"alias": payload["alias"]}


def _bind(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A mail address is a player's from now on; his unrouted letters from it are read anew."""
    seat = _seat(context, payload["player"])
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


def _pause(context: _Context, _payload: Mapping[str, Any]) -> Undo:
    if context.row.paused_at is not None:
        raise Refused("игра уже на паузе")
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=context.now))
    return {}


def _resume(context: _Context, _payload: Mapping[str, Any]) -> Undo:
    """Every open deadline moves by as long as the pause was."""
    if context.row.paused_at is None:
        raise Refused("игра не на паузе")
    _shift(context, context.now - context.row.paused_at)
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=None))
    return {"paused_at": context.row.paused_at.isoformat(), "shifted": (context.now - context.row.paused_at).total_seconds()}


def _extend(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """All open deadlines of the present turn move by so many hours (negative: sooner)."""
    hours = float(payload["hours"])
    _shift(context, timedelta(hours=hours))
    return {"shifted": hours * 3600}


def _resolve_now(context: _Context, _payload: Mapping[str, Any]) -> Undo:
    """The next deadline is now."""
    due = record.next_deadline(context.connection, context.row.id)
    if due is None:
        raise Refused("у игры нет ближайшего срока")
    if due["due_at"] > context.now:
        context.connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(due_at=context.now))
    return {"deadline": due["id"], "due_at": due["due_at"].isoformat()}


# The outbox ---------------------------------------------------------------------------------------------------------------


def _release(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """A newspaper that waits for the host goes out."""
    _outbox_row(context, payload["outbox"], ("held",))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(state="waiting"))
    return {"outbox": payload["outbox"], "state": "held"}


def _keep(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """Something that waits to be sent is held back until the host releases it."""
    row = _outbox_row(context, payload["outbox"], ("waiting", "failed"))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(state="held"))
    return {"outbox": payload["outbox"], "state": row["state"]}


def _edit(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """The host's own wording of something that was not sent yet."""
    row = _outbox_row(context, payload["outbox"], ("held", "waiting", "failed"))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(body=payload["body"]))
    return {"outbox": payload["outbox"], "body": row["body"]}


def _retry(context: _Context, payload: Mapping[str, Any]) -> Undo:
    row = _outbox_row(context, payload["outbox"], ("failed",))
    context.connection.execute(
        outbox.update().where(outbox.c.id == payload["outbox"]).values(state="waiting", attempts=0, not_before=context.now)
    )
    return {"outbox": payload["outbox"], "state": row["state"]}


def _posted(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """The host has posted this by hand; the bot must not."""
    row = _outbox_row(context, payload["outbox"], ("waiting", "failed", "held", "shadow"))
    context.connection.execute(
        outbox.update()
        .where(outbox.c.id == payload["outbox"])
        .values(state="sent", sent_at=context.now, result={"by_hand": context.who})
    )
    return {"outbox": payload["outbox"], "state": row["state"]}


# Taking back --------------------------------------------------------------------------------------------------------------


def _undo(context: _Context, payload: Mapping[str, Any]) -> Undo:
    """Take an act back; refused once a turn that rests on it has been resolved."""
    connection = context.connection
    act = connection.execute(
        sa.select(acts).where(acts.c.id == payload["act"], acts.c.game_id == context.row.id)
    ).mappings().first()
    if act is None or act["done_at"] is None or act["error"] is not None or act["kind"] == "undo":
        raise Refused("такого действия нет, или отменять нечего")
    if connection.execute(sa.select(acts.c.id).where(acts.c.undoes == act["id"], acts.c.error.is_(None))).first():
        raise Refused("это действие уже отменено")
    _unpublished(context, act["done_at"])
    done = act["result"] or {}
    for seq in done.get("inputs", []):
        connection.execute(
            inputs.update().where(inputs.c.game_id == context.row.id, inputs.c.seq == seq).values(struck=context.mark)
        )
    if "struck" in done:
        connection.execute(
            inputs.update().where(inputs.c.game_id == context.row.id, inputs.c.struck == done["struck"]).values(struck=None)
        )
    if "verdict" in done:
        connection.execute(
            verdicts.update().where(verdicts.c.id == done["verdict"]).values(outcome=done["outcome"], decided_by=None)
        )
    if "since" in done:
        _unreplace(context, done)
    if "alias" in done:
        connection.execute(aliases.delete().where(aliases.c.game_id == context.row.id, aliases.c.alias == done["alias"]))
    if "address" in done:
        seating.bind_address(connection, context.row.id, done["seat"], done["address"])
    if "shifted" in done:
        _shift(context, timedelta(seconds=-done["shifted"]))
    if act["kind"] == "pause":
        connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=None))
    if "paused_at" in done:
        moment = datetime.fromisoformat(done["paused_at"])
        connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=moment))
    if "deadline" in done:
        moment = datetime.fromisoformat(done["due_at"])
        connection.execute(deadlines.update().where(deadlines.c.id == done["deadline"]).values(due_at=moment))
    if "outbox" in done:
        _outbox_row(context, done["outbox"], ("held", "waiting", "failed", "shadow"))
        values = {key: done[key] for key in ("state", "body") if key in done}
        connection.execute(outbox.update().where(outbox.c.id == done["outbox"]).values(values))
    connection.execute(acts.update().where(acts.c.id == context.act_id).values(undoes=act["id"]))
    return {}


_DO: Mapping[str, Callable[[_Context, Mapping[str, Any]], Undo]] = {
    "accept": _accept,
    "reject": _reject,
    "strike": _strike,
    "order": _order,
    "force": _force,
    "replace": _replace,
    "alias": _alias,
    "bind": _bind,
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "resolve": _resolve_now,
    "release": _release,
    "keep": _keep,
    "edit": _edit,
    "retry": _retry,
    "posted": _posted,
    "undo": _undo,
}

KINDS = tuple(_DO)


def _enter(
    context: _Context,
    seat: str,
    action: str,
    targets: list[str],
    args: Mapping[str, Any],
    at: datetime,
    turn: int,
    verdict: sa.RowMapping | None,
) -> float:
    """One order of the host's making in the log, at its place in time; the rules test it like any other."""
    if turn != context.row.turn:
        raise Refused("этот ход уже подведён: исправьте его командой «исправить ход»")
    order = Order(seat, action, tuple(targets), frozen(args), at, ref=f"{context.mark}")
    place = record.place_for(context.connection, context.row.id, turn, at)
    given = record.add_input(
        context.connection,
        context.row.id,
        "order",
        turn,
        at,
        order_data(order),
        verdict_id=verdict["id"] if verdict is not None else None,
        seq=place,
    )
    return given.seq


def _verdict(context: _Context, verdict_id: int) -> sa.RowMapping:
    found = (
        context.connection.execute(
            sa.select(verdicts).where(verdicts.c.id == verdict_id, verdicts.c.game_id == context.row.id)
        )
        .mappings()
        .first()
    )
    if found is None:
        raise Refused(f"записи {verdict_id} нет в журнале этой игры")
    return found


def _decide(context: _Context, verdict_id: int, outcome: str) -> None:
    context.connection.execute(
        verdicts.update().where(verdicts.c.id == verdict_id).values(outcome=outcome, decided_by=context.mark)
    )


def _seat(context: _Context, nick: str) -> str:
    """The seat of a nick that the host wrote; his spelling must be exact, he has the list before him."""
    seats = seating.load(context.connection, context.row.id)
    for seat, nicks in seats.nicks().items():
        if nick == seat or nick in nicks:
            return seat
    raise Refused(f"игрока «{nick}» нет; есть: {', '.join(seats.names().values())}")


def _outbox_row(context: _Context, row_id: int, states: tuple[str, ...]) -> sa.RowMapping:
    found = (
        context.connection.execute(sa.select(outbox).where(outbox.c.id == row_id, outbox.c.game_id == context.row.id))
        .mappings()
        .first()
    )
    if found is None:
        raise Refused("такой строки нет в исходящих этой игры")
    if found["state"] not in states:
        raise Refused("это уже отправлено или отправляется")
    return found


def _shift(context: _Context, by: timedelta) -> None:
    rows = context.connection.execute(
        sa.select(deadlines.c.id, deadlines.c.due_at).where(
            deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None)
        )
    ).all()
    for row_id, due_at in rows:
        context.connection.execute(deadlines.update().where(deadlines.c.id == row_id).values(due_at=due_at + by))


def _unpublished(context: _Context, since: datetime) -> None:
    resolved = context.connection.execute(
        sa.select(deadlines.c.name).where(
            deadlines.c.game_id == context.row.id,
            deadlines.c.done_at > since,
            deadlines.c.call.in_(("mark", "close", "signup")),
        )
    ).first()
    if resolved is not None:
        raise Refused("с тех пор уже подведён итог: отменить нельзя, исправьте ход")


def _unreplace(context: _Context, done: Undo) -> None:
    since = datetime.fromisoformat(done["since"])
    mine = holders.c.game_id == context.row.id, holders.c.seat == done["seat"]
    context.connection.execute(holders.update().where(*mine, holders.c.since == since).values(until=context.now))
    context.connection.execute(holders.update().where(*mine, holders.c.until == since).values(until=None))
