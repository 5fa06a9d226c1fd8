"""What was sent today and how it stands: told on arrival, judged for good when the market has closed (R2, R9, D54, D60).

Everything a player sent and the rules took stays in his docket until the turn is resolved, also what a later order has
replaced: should that one be refused after the market, the one before it stands. Votes are judged like moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.model import Accepted, Event, Order, Rejected, Seat, Withdrawn
from engine.rulesets.mafialife import refusals
from engine.rulesets.mafialife.state import REPLACED, Candidate, Game

Play = tuple[Game, tuple[Event, ...]]
MOVE, VOTE, CAPTIVE_MOVE, EXTRA = "move", "vote", "captive_move", ""
"""Slots: of the orders of one slot only the last one stands (D2); extra actions stand beside each other (R2, R87)."""


def refs(order: Order) -> tuple[str, ...]:
    return (order.ref,) if order.ref else ()


def rejected(order: Order, reason: str, rule: str) -> Rejected:
    return Rejected(order.player, order.action, reason, order, rule=rule, refs=refs(order))


def accepted(order: Order, rule: str) -> Accepted:
    return Accepted(order, rule=rule, refs=refs(order))


def take(game: Game, order: Order) -> Play:
    """Judge an order on arrival. One that a purchase may still cure is refused now and kept (R9)."""
    own = game.sent.get(order.player, ())
    reason = refusals.refuse(game, order, _fired(game, own))
    rule = "R10" if order.action == "vote" else "R9"
    if reason is not None and (reason not in refusals.CURABLE or game.sketch is not None):
        return game, (rejected(order, reason, rule),)
    captive = refusals.captive_of(game, order.player) if order.action == "captive_move" else None
    new = Candidate(game.received, order, _slot(game, order), reason, reason, captive.seat if captive is not None else "")
    if reason is not None:
        return _with(game, order.player, (*own, new)), (rejected(order, reason, rule),)
    kept, told = _superseded(own, new)
    game = _with(game, order.player, (*kept, new))
    return game, (accepted(order, "R10" if new.slot == VOTE else "R2"), *told)


def _slot(game: Game, order: Order) -> str:
    if order.action in (VOTE, CAPTIVE_MOVE):
        return order.action
    move = refusals.own_move(game, game.players[order.player], order.action)
    return EXTRA if move is not None and move.kind == "extra" else MOVE


def _with(game: Game, seat: Seat, candidates: tuple[Candidate, ...]) -> Game:
    return replace(game, sent=MappingProxyType({**game.sent, seat: candidates}))


def _superseded(own: Iterable[Candidate], new: Candidate) -> tuple[list[Candidate], list[Event]]:
    """The docket beside a new order that stands. Its equal that came before says nothing more and is dropped."""
    kept: list[Candidate] = []
    told: list[Event] = []
    for old in own:
        if not new.slot or old.slot != new.slot:
            kept.append(old)
            continue
        if old.reason is None:
            told.append(Withdrawn(old.order, rule="R2", refs=refs(old.order)))
        if _same(old.order, new.order):
            continue
        kept.append(old if old.reason is not None and old.heard is not None else replace(old, reason=REPLACED))
    return kept, told


def _same(one: Order, other: Order) -> bool:
    return (one.action, one.targets, one.args) == (other.action, other.targets, other.args)


def _fired(game: Game, standing: Iterable[Candidate]) -> tuple[str, ...]:
    """The items that these extra actions take as far as they stand (R9, R22)."""
    return tuple(item for candidate in standing if candidate.reason is None and (item := _ammunition(game, candidate)))


def _ammunition(game: Game, candidate: Candidate) -> str:
    if candidate.slot != EXTRA:
        return ""
    move = refusals.own_move(game, game.players[candidate.order.player], candidate.order.action)
    return (move.item or "") if move is not None else ""


# --- Judged again ------------------------------------------------------------------------------------------------------


def settle(game: Game, seats: Iterable[Seat]) -> Play:
    """Judge again what these players have sent, and tell what stands or falls now. At the close: everybody (R9)."""
    events: list[Event] = []
    for seat in seats:
        before = game.sent.get(seat, ())
        if not before:
            continue
        after = _judged(game, before)
        if after != before:
            game = _with(game, seat, after)
        for was, now in zip(before, after, strict=True):
            events += _turned(was, now)
    return game, tuple(events)


def _judged(game: Game, own: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """One player's docket in the light of the present moment."""
    found: list[str | None] = []
    fired: list[str] = []
    for candidate in own:
        reason = refusals.refuse(game, candidate.order, tuple(fired))
        if reason is None and (item := _ammunition(game, candidate)):
            fired.append(item)
        found.append(reason)
    standing, newest = _heads(own, found)
    return tuple(
        replace(candidate, reason=_verdict(candidate, reason, standing, newest))
        for candidate, reason in zip(own, found, strict=True)
    )


def _heads(own: tuple[Candidate, ...], found: list[str | None]) -> tuple[dict[str, int], dict[str, int]]:
    """By slot: the last order that fits, and the last that was accepted when it came."""
    standing: dict[str, int] = {}
    newest: dict[str, int] = {}
    for candidate, reason in zip(own, found, strict=True):
        if reason is None:
            standing[candidate.slot] = candidate.number
        if candidate.heard is None:
            newest[candidate.slot] = candidate.number
    return standing, newest


def _verdict(candidate: Candidate, reason: str | None, standing: Mapping[str, int], newest: Mapping[str, int]) -> str | None:
    """D54, D60: the last that fits stands, of those that fall only the last is told, a reason that was heard stays."""
    stands = reason is None if candidate.slot == EXTRA else standing.get(candidate.slot) == candidate.number
    if stands:
        return None
    if candidate.heard is not None:
        return REPLACED if reason is None and candidate.reason != candidate.heard else candidate.heard
    if candidate.slot == EXTRA:
        return reason
    fell_last = newest[candidate.slot] == candidate.number > standing.get(candidate.slot, -1)
    return reason if fell_last else REPLACED


def _turned(was: Candidate, now: Candidate) -> list[Event]:
    """What the sender is told of one order; one that fell before it was replaced is told no more."""
    if was.reason == now.reason:
        return []
    if now.reason is None:
        return [accepted(now.order, "R9")]
    if now.reason != REPLACED:
        return [rejected(now.order, now.reason, "R9")]
    return [Withdrawn(now.order, rule="R2", refs=refs(now.order))] if was.reason is None else []


def dropped(game: Game, seat: Seat, which: Callable[[Candidate], bool]) -> Play:
    """The sender takes back what fits: with each order goes what it had replaced."""
    own = game.sent.get(seat, ())
    upto: dict[str, int] = {}
    for candidate in own:
        if which(candidate) and candidate.slot and candidate.heard is None:
            upto[candidate.slot] = candidate.number
    gone = {c.number for c in own if which(c) or c.number <= upto.get(c.slot, -1)}
    told = [Withdrawn(c.order, rule="R2", refs=refs(c.order)) for c in own if c.number in gone and c.reason is None]
    game, judged = settle(_with(game, seat, tuple(c for c in own if c.number not in gone)), [seat])
    return game, (*told, *judged)


# --- What stands -------------------------------------------------------------------------------------------------------


def holds(game: Game, seat: Seat, action: str) -> bool:
    """Whether the player has sent such an order, or such a move of his captive's."""
    return any(action in (c.order.action, c.order.args.get("action")) for c in game.sent.get(seat, ()))


def standing(game: Game, seat: Seat) -> tuple[Candidate, ...]:
    """What one player has sent and stands now, in order of arrival."""
    return tuple(candidate for candidate in game.sent.get(seat, ()) if candidate.reason is None)


def all_standing(game: Game) -> list[Candidate]:
    """Everybody's orders that stand, in order of arrival."""
    return sorted((c for own in game.sent.values() for c in own if c.reason is None), key=lambda c: c.number)


def votes(game: Game) -> dict[Seat, Order]:
    """Voter -> the vote that stands, sold ones too, in the order in which they were given (R10, R11)."""
    return {c.order.player: c.order for c in all_standing(game) if c.slot == VOTE}


def counted(game: Game) -> dict[Seat, int]:
    """The weights as they count now: sold votes weigh nothing (R11). Keys in the order of the roster."""
    weights: dict[Seat, int] = {}
    for voter, vote in votes(game).items():
        if not game.players[voter].vote_spent:
            weights[vote.targets[0]] = weights.get(vote.targets[0], 0) + 1
    return {seat: weights[seat] for seat in game.players if weights.get(seat)}
