"""Taking orders: slots (R5), taking back (D55), appointments (R89), words of posts (R92), the host's measures."""

from __future__ import annotations

from dataclasses import replace

from engine.badinput import unknown
from engine.model import Accepted, EngineError, Event, Notice, Order, Rejected, Step, Withdrawn
from engine.rulesets.clans import refusals, roles
from engine.rulesets.clans.state import Entry, Game

Taken = tuple[Game, tuple[Event, ...]]
STRUCK = "violation_struck"
"""``Step.text_id``: a violation of an earlier turn, for which somebody was punished, no longer counts (R94, R95)."""


def receive(game: Game, order: Order) -> Taken:
    """Take or refuse one order. Raises EngineError for an unknown action, player, target, or wrong args of a host action."""
    _check_words(game, order)
    if order.action == roles.WORDS:
        return _note_words(game, order)
    if order.player not in game.players:
        return game, _refused(order, "not_your_action", "S7")
    if order.action == roles.HOST_UNDO:
        return _undo(game, order)
    if order.action in roles.HOST_MEASURES:
        return _put(game, order, "host"), (Accepted(order, rule="R94", refs=_refs(order)),)
    refused = refusals.why_refused(game, order, order.player)
    if refused is not None:
        return game, _refused(order, *refused)
    if order.action in roles.TAKING_BACK:
        return _take_back(game, order, roles.NIGHT_SLOTS, passed=order.action == "pass")
    if order.action == "unvote":
        return _take_back(game, order, ("vote",), passed=order.player in game.passed)
    if order.action == "replace_role":
        return _appoint(game, order)
    return _stand(game, order)


def _check_words(game: Game, order: Order) -> None:
    """The words of the order itself; what only the rules forbid is refused and raises nothing."""
    known = (*roles.ACTIONS, *roles.TAKING_BACK, *roles.HOST_ACTIONS)
    if order.action not in known:
        raise unknown("action", "неизвестное действие", order.action, known)
    for i, target in enumerate(order.targets):
        if target not in game.players:
            raise unknown(f"targets[{i}]", "неизвестный ник", target, game.players)
    if order.action in roles.HOST_MEASURES and order.targets:
        raise EngineError("targets", "мера ведущего касается того, кто назван как player, целей у неё нет")
    if order.action == "host_violation":
        kind, proof = order.args.get("kind"), order.args.get("proof", True)
        if kind is None:
            raise EngineError("args.kind", "не сказано, какое это нарушение")
        if kind not in roles.VIOLATIONS:
            raise unknown("args.kind", "неизвестный вид нарушения", kind, roles.VIOLATIONS)
        if not isinstance(proof, bool):
            raise EngineError("args.proof", "здесь должно стоять: true или false")
    if order.action == roles.WORDS:
        count = order.args.get("count")
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise EngineError("args.count", "здесь должно стоять число слов")


def _refs(order: Order) -> tuple[str, ...]:
    return (order.ref,) if order.ref else ()


def _refused(order: Order, reason: str, rule: str) -> tuple[Event, ...]:
    refs = _refs(order)
    notice = Notice(order.player, "order_rejected", {"action": order.action, "reason": reason}, rule="R99", refs=refs)
    return Rejected(order.player, order.action, reason, order, rule=rule, refs=refs), notice


def _put(game: Game, order: Order, slot: str) -> Game:
    return replace(game, book=(*game.book, Entry(order, game.arrivals, slot)), arrivals=game.arrivals + 1)


def _stand(game: Game, order: Order) -> Taken:
    """R5: the order fills its slot, and the one that stood there leaves no trace (D3)."""
    slot = roles.ACTIONS[order.action].slot
    assert slot is not None
    events: list[Event] = [Accepted(order, rule="R5", refs=_refs(order))]
    before = game.standing(order.player, slot)
    book = game.book
    if before is not None:
        events.append(Withdrawn(before.order, rule="R5", refs=_refs(order)))
        book = tuple(entry for entry in book if entry is not before)
    taken = replace(
        game,
        book=(*book, Entry(order, game.arrivals, slot)),
        arrivals=game.arrivals + 1,
        passed=game.passed if slot == "vote" else game.passed - {order.player},
    )
    return taken, tuple(events)


def _without(game: Game, *entries: Entry) -> Game:
    return replace(game, book=tuple(entry for entry in game.book if entry not in entries))


def _take_back(game: Game, order: Order, slots: tuple[str, ...], *, passed: bool) -> Taken:
    """R5: the named slots of the sender are emptied; a ballot beside them stays (D63)."""
    left = tuple(entry for entry in game.book if entry.order.player == order.player and entry.slot in slots)
    events = (
        Accepted(order, rule="R5", refs=_refs(order)),
        *(Withdrawn(entry.order, rule="R5", refs=_refs(order)) for entry in left),
    )
    who = frozenset({order.player})
    return replace(_without(game, *left), passed=game.passed | who if passed else game.passed - who), events


def _appoint(game: Game, order: Order) -> Taken:
    """R89: at once, for orders that arrive after it; an order for the former role leaves (D44)."""
    role: str = order.args["role"]
    refs = _refs(order)
    sender = game.players[order.player]
    events: list[Event] = [Accepted(order, rule="R89", refs=refs)]
    artist = refusals.Case(game, order, sender).artist()
    if artist is None:  # a sketch does not know him, and only judges the order
        return game, tuple(events)
    former = game.standing(artist.nick, "role")
    if former is not None:
        events.append(Withdrawn(former.order, rule="R89", refs=refs))
        game = _without(game, former)
    players = {**game.players, artist.nick: replace(artist, acts_as=role)}
    told = dict.fromkeys((order.player, artist.nick))
    events += [Notice(seat, "appointed", {"artist": artist.nick, "role": role}, rule="R89", refs=refs) for seat in told]
    return _put(replace(game, players=players), order, "appointment"), tuple(events)


def _note_words(game: Game, order: Order) -> Taken:
    """R92: the words of one post; the same post told again (an edit, a deletion) replaces its former count.

    Posts of strangers and of the dead, and posts that belong to no day, are not counted (S7, R1).
    """
    player = game.players.get(order.player)
    refs = _refs(order)
    if player is None or not player.alive or refusals.is_late(game, order):
        return game, (Step("day", "post_not_counted", {"player": order.player}, rule="S7", refs=refs),)
    post = str(order.args.get("post") or f"#{game.arrivals}")
    words = {**game.words, order.player: {**game.words.get(order.player, {}), post: order.args["count"]}}
    return replace(game, words=words, arrivals=game.arrivals + 1), (Accepted(order, rule="R92", refs=refs),)


def _undo(game: Game, order: Order) -> Taken:
    """The host takes his last measure against the player back.

    A measure of the coming resolution is dropped as if it had never been given. Where there is none, one proven
    violation of former turns is struck from the player's record, or from his side's when he is dead (R95). Raises
    EngineError when there is nothing to take back.
    """
    refs = _refs(order)
    accepted = Accepted(order, rule="R94", refs=refs)
    measure = next((e for e in reversed(game.book) if e.slot == "host" and e.order.player == order.player), None)
    if measure is not None:
        return _without(game, measure), (accepted, Withdrawn(measure.order, rule="R94", refs=refs))
    player = game.players[order.player]
    struck = Step("host", STRUCK, {"player": order.player}, rule="R94", refs=refs)
    if player.alive and player.violations:
        players = {**game.players, player.nick: replace(player, violations=player.violations - 1)}
        return replace(game, players=players), (accepted, struck)
    count = game.side_violations.get(player.faction, 0)
    if not player.alive and count:
        return replace(game, side_violations={**game.side_violations, player.faction: count - 1}), (accepted, struck)
    raise EngineError("player", f"у игрока «{order.player}» нет мер, которые можно отменить")
