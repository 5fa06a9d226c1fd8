"""The host's word to the rules and to single players: removals, penalties, warnings, letters; and who is told what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from engine.model import Accepted, Notice, Order, Rejected, Withdrawn
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import outbox, record, seating
from forumbot.hosting.core.acting import Context, Refused, Undo, enter, no_twin, seat_of
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.seating import Holder
from forumbot.hosting.core.wire import order_data
from forumbot.hosting.explain import words
from forumbot.hosting.publish import newspapers
from forumbot.hosting.turns import barring, measures
from forumbot.store.tables import seats
from forumbot.store.types import dump, plain
from forumbot.writing.writer import ReceiptLine

COUNTED, STRUCK, VOID = "counted", "struck", "void"


# Acts -------------------------------------------------------------------------------------------------------------------


def host_actions(ruleset: str) -> tuple[str, ...]:
    """What a host may do by these rules; the counting of words is the program's own."""
    return tuple(action for action in find_ruleset(ruleset).spec.host_actions if action != words.ACTION)


def host_order(context: Context, payload: Mapping[str, Any]) -> Undo:
    """An action that the rules keep for the host: ``{action, player, targets, args}``."""
    allowed = host_actions(context.row.ruleset)
    if payload["action"] not in allowed:
        raise Refused(f"ведущему эти правила дают: {', '.join(allowed)}; «{payload['action']}» среди них нет")
    seat = seat_of(context, payload["player"])
    targets = [seat_of(context, nick) for nick in payload.get("targets", [])]
    turn = payload.get("turn", context.row.turn)
    alive = None if context.correcting else _alive(context, seat)
    given = enter(context, seat, payload["action"], targets, payload.get("args", {}), at=None, turn=turn)
    out = bool(alive) and not _alive(context, seat)
    if out:
        _announce(context, seat)
    spec = find_ruleset(context.row.ruleset).spec
    told = spec.told_measures.get(payload["action"])
    if told is not None:
        _tell(context, seat, told, args=payload.get("args", {}))
    if payload["action"] in (spec.leaving, spec.removal):
        wish = payload["action"] == spec.leaving
        _tell(context, seat, "removed_notice.j2", out=out or context.correcting, wish=wish, day=turn)
    return {"entered": [given], **measures.follow(context)}


def remove(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A player leaves the game, by the removal that his rules know; ``wish``: he asked for it himself."""
    spec = find_ruleset(context.row.ruleset).spec
    action = (spec.leaving if payload.get("wish") else "") or spec.removal
    if not action:
        raise Refused("эти правила не знают снятия с игры: посадите на место другого игрока")
    return host_order(context, {**payload, "action": action})


def warn(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A warning by letter, for what the rules have no penalty for."""
    seat = seat_of(context, payload["player"])
    _tell(context, seat, "warned.j2", text=payload.get("text", ""))
    return {}


def write(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host asks or answers a player through the bot."""
    if not str(payload["text"]).strip():
        raise Refused("писать нечего: текст пуст")
    _tell(context, seat_of(context, payload["player"]), "host_letter.j2", text=payload["text"])
    return {}


def introduce(context: Context, seat: str, former: str) -> None:
    """A replacement hears what his seat knows, and everybody hears who plays now (T23)."""
    here = seating.load(context.connection, context.row.id)
    holder = here.holders[seat]
    match = record.fold(context.connection, context.row)
    publisher = context.publisher(here)
    facts = publisher.facts(match)
    known = [event for event in _notices(context) if event.to == seat]
    publisher.private(
        context.connection,
        f"{context.key}/replacement",
        holder,
        "replacement.j2",
        facts,
        priority=outbox.RESULTS,
        by_pm=True,
        former=former,
        code=holder.proof_code,
        address=context.voice.mail_address,
        known=[publisher.notice_text(event, holder, facts) for event in known],
    )
    _say(context, "replaced.j2", former=former, nick=holder.nick)


def seat(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host signs a player up himself (one who cannot write in the thread)."""
    _only_signup(context)
    here = seating.load(context.connection, context.row.id)
    if payload.get("uid") is None or not payload.get("nick"):
        raise Refused("назовите ник или номер учётной записи")
    if here.by_uid(payload["uid"]) is not None or payload["nick"] in here.holders:
        raise Refused("этот участник уже записан")
    no_twin(here, payload["nick"])
    barring.refuse_barred(context, payload["nick"], payload["uid"])
    holder = seating.sit_down(context.connection, context.row.id, payload["nick"], payload["uid"], context.now)
    publisher = context.publisher()
    publisher.private(
        context.connection,
        f"{context.key}/welcome",
        holder,
        "welcome.j2",
        publisher.facts(None),
        priority=outbox.NOTICES,
        by_pm=True,
        address=context.voice.mail_address,
        code=holder.proof_code,
    )
    return {"seat": holder.seat, "signed": "out"}


def unseat(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host refuses a sign-up (goldenkey S10)."""
    _only_signup(context)
    chosen = seat_of(context, payload["player"])
    mine = seats.c.game_id == context.row.id, seats.c.seat == chosen
    before = str(context.connection.execute(sa.select(seats.c.state).where(*mine)).scalar_one())
    _tell(context, chosen, "signup_refused.j2", by_pm=True, why=payload.get("text") or "так решил ведущий")
    seating.sign(context.connection, context.row.id, chosen, "refused")
    return {"seat": chosen, "signed": before}


def _only_signup(context: Context) -> None:
    if context.row.stage != "signup":
        raise Refused("запись уже закрыта: теперь возможна только замена игрока")


# Taking back what was said -----------------------------------------------------------------------------------------------


def unsay(context: Context, act: sa.RowMapping, *, unseen: bool, published: bool = False) -> None:
    """What an act had told people is taken back in words, unless nobody has seen it (``unseen``). ``published``: a newspaper
    has told of it, too."""
    for change in act["payload"]["changes"] if act["kind"] == "correct" else ():
        if change["kind"] in ("remove", "host"):
            _plays_on(context, act["id"], seat_of(context, change["player"]))
    if act["kind"] in ("remove", "host"):
        _stays(context, act["id"], act["payload"], published=published)
    take_back = _UNSAY.get(act["kind"])
    if take_back is not None:
        take_back(context, act["id"], act["payload"], unseen)


def _warning_off(context: Context, _act_id: int, payload: Mapping[str, Any], unseen: bool) -> None:
    if not unseen:
        _tell(context, seat_of(context, payload["player"]), "warning_off.j2")


def _back_again(context: Context, act_id: int, payload: Mapping[str, Any], _unseen: bool) -> None:
    """A replacement that was announced is over."""
    if outbox.is_there(context.connection, f"{context.row.id}/act{act_id}/replaced"):
        here = seating.load(context.connection, context.row.id)
        nick = here.names()[seat_of(context, payload["player"])]
        _say(context, "replaced.j2", former=payload["nick"], nick=nick)


def _off_again(context: Context, act_id: int, payload: Mapping[str, Any], unseen: bool) -> None:
    """Somebody whom the host had signed up, and who was welcomed, is not on the list after all."""
    if not unseen:
        _tell_of_signup(context, payload["nick"], payload["uid"], "signup_off.j2")


def _on_again(context: Context, act_id: int, payload: Mapping[str, Any], unseen: bool) -> None:
    """Somebody whose sign-up was refused is on the list again."""
    here = seating.load(context.connection, context.row.id)
    holder = here.holders.get(seat_of(context, payload["player"]))
    if not unseen and holder is not None:
        _tell_of_signup(context, holder.nick, holder.uid, "signup_on.j2")


def _tell_of_signup(context: Context, nick: str, uid: int | None, template: str) -> None:
    publisher = context.publisher()
    somebody = Holder(nick, nick, uid, None, "")
    facts = publisher.facts(None)
    publisher.private(context.connection, f"{context.key}/signup", somebody, template, facts, priority=outbox.NOTICES, by_pm=True)


def _plays_on(context: Context, act_id: int, chosen: str) -> None:
    """Who has read that he is removed reads that he is not."""
    if outbox.is_there(context.connection, f"{context.row.id}/act{act_id}/{chosen}"):
        _tell(context, chosen, "stays_notice.j2")


def _stays(context: Context, act_id: int, payload: Mapping[str, Any], *, published: bool) -> None:
    """Somebody whose removal the thread has heard of plays on. Lines that the rules say at once are said anew if they hold."""
    chosen = seat_of(context, payload["player"])
    _plays_on(context, act_id, chosen)
    if not _alive(context, chosen):
        return
    own_words = bool(find_ruleset(context.row.ruleset).spec.immediate_sections)
    heard = own_words and not newspapers.withdraw(context.connection, context.row.id, f"t{context.row.turn}/now/")
    if heard or published or outbox.is_there(context.connection, f"{context.row.id}/act{act_id}/removed"):
        nick = seating.load(context.connection, context.row.id).names()[chosen]
        _say(context, "stays.j2", nick=nick)


_UNSAY: Mapping[str, Callable[[Context, int, Mapping[str, Any], bool], None]] = {
    "warn": _warning_off,
    "replace": _back_again,
    "seat": _off_again,
    "unseat": _on_again,
}


# Who is told what ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Said:
    """What the players of the running turn have been told by the rules, and which of their orders count."""

    notices: list[Notice]
    orders: dict[tuple[str, str], tuple[Order, bool]]


@contextmanager
def answering(context: Context) -> Iterator[None]:
    """Whatever the act inside changes in the running turn, those whom it concerns are told: new answers of the rules
    (T32: a vote for somebody removed is void), and orders that now count or no longer do."""
    before = _said(context)
    yield
    if context.reopened is not None and context.reopened.closed:
        # Another turn runs now: what it has told is known, and what the other lost is said by the reopening.
        return
    after = _said(context)
    here = seating.load(context.connection, context.row.id)
    publisher = context.publisher(here)
    known = Counter(_key(notice) for notice in before.notices)
    fresh: list[Notice] = []
    for notice in after.notices:
        if known[_key(notice)] > 0:
            known[_key(notice)] -= 1
        else:
            fresh.append(notice)
    match = record.fold(context.connection, context.row)
    facts = publisher.facts(match)
    publisher.notices(context.connection, f"{context.key}/n", fresh, facts)
    refused = {(notice.to, notice.data.get("action")) for notice in fresh}
    names = here.names()
    for player, changes in _changes(before, after).items():
        told = [(what, order) for what, order in changes if (player, order.action) not in refused]
        holder = here.holders.get(player)
        if holder is None or not told:
            continue
        publisher.private(
            context.connection,
            f"{context.key}/told/{player}",
            holder,
            "decided.j2",
            facts,
            priority=outbox.RECEIPTS,
            lines=[{"what": what, "order": _line(order, names)} for what, order in told],
        )


def _said(context: Context) -> _Said:
    match = record.fold(context.connection, record.load(context.connection, context.row.id))
    own = host_actions(context.row.ruleset)
    orders: dict[tuple[str, str], tuple[Order, bool]] = {}
    for event in match.turn_events:
        if isinstance(event, (Accepted, Withdrawn, Rejected)) and event.order is not None:
            order = event.order
            if order.action not in own and order.action != words.ACTION:
                orders[order.player, dump(order_data(order))] = order, isinstance(event, Accepted)
    return _Said([event for event in match.turn_events if isinstance(event, Notice)], orders)


def _changes(before: _Said, after: _Said) -> dict[str, list[tuple[str, Order]]]:
    """Player -> what became of his orders. An order that gave way to one of his that counts now is not mentioned."""
    found: dict[str, list[tuple[str, Order]]] = {}
    for key, (order, _) in (before.orders | after.orders).items():
        _, counted = before.orders.get(key, (order, False))
        _, counts = after.orders.get(key, (order, False))
        if counted == counts:
            continue
        what = COUNTED if counts else VOID if key in after.orders else STRUCK
        found.setdefault(order.player, []).append((what, order))
    for changes in found.values():
        taken = {order.action for what, order in changes if what == COUNTED}
        changes[:] = [(what, order) for what, order in changes if what == COUNTED or order.action not in taken]
    return found


def _key(notice: Notice) -> str:
    return dump([notice.to, notice.kind, plain(notice.data)])


def _line(order: Order, names: Mapping[str, str]) -> ReceiptLine:
    args = {key: names.get(value, value) if isinstance(value, str) else value for key, value in order.args.items()}
    return ReceiptLine(order.action, tuple(names.get(target, target) for target in order.targets), args, "accepted", None)


def _notices(context: Context) -> Iterator[Notice]:
    """Everything the rules have told players since the deal."""
    match = Match.begin(context.row.ruleset, context.row.tables, context.row.seed)
    for given in record.inputs_of(context.connection, context.row.id):
        yield from (event for event in match.apply(given) if isinstance(event, Notice))


def _alive(context: Context, chosen: str) -> bool:
    match = record.fold(context.connection, context.row)
    return match.game is not None and chosen in match.ruleset.alive(match.game)


def _announce(context: Context, chosen: str) -> None:
    """The day's thread hears that somebody is out; what he was only the newspaper may say. Rules with words of their own
    for it say them themselves."""
    if not find_ruleset(context.row.ruleset).spec.immediate_sections:
        _say(context, "removed.j2", nick=seating.load(context.connection, context.row.id).names().get(chosen, chosen))


def _say(context: Context, template: str, **more: Any) -> None:
    """A post in the running day's thread, once an act; nothing before there is one."""
    if context.row.turn == SETUP_TURN:
        return
    publisher = context.publisher()
    facts = publisher.facts(record.fold(context.connection, context.row))
    thread = newspapers.thread_of(context.connection, context.row.id, context.row.turn)
    key = f"{context.key}/{template.removesuffix('.j2')}"
    publisher.public(context.connection, key, thread, template, facts, **more)


def _tell(context: Context, chosen: str, template: str, *, by_pm: bool = False, **more: Any) -> None:
    """One letter to a player, from the host's own mouth: it waits for no newspaper."""
    here = seating.load(context.connection, context.row.id)
    holder: Holder = here.holders[chosen]
    publisher = context.publisher(here)
    facts = publisher.facts(record.fold(context.connection, context.row))
    publisher.private(
        context.connection,
        f"{context.key}/{chosen}",
        holder,
        template,
        facts,
        priority=outbox.NOTICES,
        by_pm=by_pm,
        at_once=True,
        **more,
    )
