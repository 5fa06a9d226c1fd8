"""What happens while a turn is open: moves are taken down, votes stand, the market works at once (R2, R20-R29, phase 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.model import Accepted, Event, Notice, Order, Outcome, Rejected, Seat, Step, Withdrawn
from engine.rulesets.mafialife import refusals
from engine.rulesets.mafialife.refusals import Ask, first_reason
from engine.rulesets.mafialife.roles import EXTRA_GOODS, GRAVEYARD, HOST_ACTIONS, HOST_CARRY, LEVEL_GOODS
from engine.rulesets.mafialife.state import Candidate, Game, Player, Vote

Play = tuple[Game, tuple[Event, ...]]


def receive(game: Game, order: Order) -> Play:
    """Test and take one order of an open turn; the first event says whether it was taken."""
    if order.action == HOST_CARRY and order.player in game.players:
        return _host_carry(game, order)
    if game.stage != "turn":
        return game, (_rejected(order, "too_late", "R2"),)
    if order.player not in game.players:
        return game, (_rejected(order, "not_your_action", "R9"),)
    heard = game.heard if order.action in HOST_ACTIONS else game.heard | {order.player}
    game = replace(game, heard=heard, sent=game.sent + 1)
    handler = _HANDLERS.get(order.action)
    return handler(game, order) if handler is not None else _move(game, order)


def _rejected(order: Order, reason: str, rule: str) -> Rejected:
    return Rejected(order.player, order.action, reason, order, rule=rule, refs=_refs(order))


def _refs(order: Order) -> tuple[str, ...]:
    return (order.ref,) if order.ref else ()


def _accepted(order: Order, rule: str) -> Accepted:
    return Accepted(order, rule=rule, refs=_refs(order))


def _tested(game: Game, order: Order, table: refusals.Table) -> str | None:
    return first_reason(Ask(game, game.players[order.player], order), table)


def _carried_out(order: Order, rule: str) -> Outcome:
    return Outcome(order.player, order.action, order.targets, order.args, rule=rule, refs=_refs(order))


# --- Moves and extra actions -------------------------------------------------------------------------------------------


def fired_before(game: Game, seat: Seat, number: int) -> tuple[str, ...]:
    """Items that the player's standing extra actions sent before this one take (R9, R22)."""
    items = []
    for candidate in game.candidates:
        if candidate.order.player == seat and candidate.number < number and candidate.extra and candidate.reason is None:
            move = refusals.own_move(game, game.players[seat], candidate.order.action)
            if move is not None and move.item is not None:
                items.append(move.item)
    return tuple(items)


def _is_extra(game: Game, order: Order) -> bool:
    move = refusals.own_move(game, game.players[order.player], order.action)
    return order.action != "captive_move" and move is not None and move.kind == "extra"


def _move(game: Game, order: Order) -> Play:
    """A move, an extra action or a captive's move (R2). One that a purchase may still cure waits for it (R9)."""
    number = game.sent
    reason = refusals.refuse_move(game, order, fired_before(game, order.player, number))
    waits = reason in refusals.CURABLE and game.sketch is None
    if reason is not None and not waits:
        return game, (_rejected(order, reason, "R9"),)
    captive = refusals.captive_of(game, order.player) if order.action == "captive_move" else None
    extra = _is_extra(game, order)
    candidate = Candidate(number, order, reason, extra, captive.seat if captive is not None else "")
    if reason is not None:
        return replace(game, candidates=(*game.candidates, candidate)), (_rejected(order, reason, "R9"),)
    game, replaced = (game, ()) if extra else _superseded(game, candidate)
    game = replace(game, candidates=(*game.candidates, candidate), passed=game.passed - {order.player})
    return game, (_accepted(order, "R2"), *replaced)


def _same_slot(one: Candidate, other: Candidate) -> bool:
    """Whether the two would replace each other: one move a player, one captive's move a captor (R2, R87)."""
    kinds = (one.order.action == "captive_move") == (other.order.action == "captive_move")
    return one.order.player == other.order.player and kinds and not one.extra and not other.extra


def _superseded(game: Game, new: Candidate) -> tuple[Game, tuple[Event, ...]]:
    """Earlier moves that the new one replaces without a trace (D2); only one that stood is told to its sender."""
    old = [c for c in game.candidates if _same_slot(c, new) and c.number < new.number]
    if not old:
        return game, ()
    kept = tuple(c for c in game.candidates if c not in old)
    told = tuple(Withdrawn(c.order, rule="R2", refs=_refs(c.order)) for c in old if c.reason is None)
    return replace(game, candidates=kept), told


def rejudged(game: Game, seats: frozenset[Seat]) -> Play:
    """Judge again what these players have sent: after a purchase, a gift or a sale some of it stands or falls (R9)."""
    events: list[Event] = []
    for number in [c.number for c in game.candidates]:
        current = next((c for c in game.candidates if c.number == number), None)
        if current is None or not {current.order.player, current.captive} & seats:
            continue
        reason = refusals.refuse_move(game, current.order, fired_before(game, current.order.player, number))
        if reason == current.reason:
            continue
        judged = replace(current, reason=reason, extra=_is_extra(game, current.order))
        keep = tuple(judged if c.number == number else c for c in game.candidates)
        game = replace(game, candidates=keep)
        if reason is None:
            game, replaced = (game, ()) if judged.extra else _superseded(game, judged)
            events += [_accepted(judged.order, "R9"), *replaced]
        elif current.reason is None:
            events.append(_rejected(judged.order, reason, "R9"))
    return game, tuple(events)


# --- Votes -------------------------------------------------------------------------------------------------------------


def _vote(game: Game, order: Order) -> Play:
    """R10, R11: the last vote counts; a sold one is taken like any other."""
    reason = _tested(game, order, refusals.VOTE)
    if reason is not None:
        return game, (_rejected(order, reason, "R10"),)
    votes = dict(game.votes)
    old = votes.pop(order.player, None)
    votes[order.player] = Vote(order, order.targets[0])
    withdrawn = () if old is None else (Withdrawn(old.order, rule="R2", refs=_refs(old.order)),)
    return replace(game, votes=MappingProxyType(votes)), (_accepted(order, "R10"), *withdrawn)


def _unvote(game: Game, order: Order) -> Play:
    reason = _tested(game, order, refusals.UNVOTE)
    if reason is not None:
        return game, (_rejected(order, reason, "R2"),)
    votes = dict(game.votes)
    old = votes.pop(order.player, None)
    withdrawn = () if old is None else (Withdrawn(old.order, rule="R2", refs=_refs(old.order)),)
    return replace(game, votes=MappingProxyType(votes)), (_accepted(order, "R2"), *withdrawn)


# --- The market --------------------------------------------------------------------------------------------------------


def _buy(game: Game, order: Order) -> Play:
    """R20-R25, R29."""
    reason = _tested(game, order, refusals.buying_table(order))
    if reason is not None:
        return game, (_rejected(order, reason, "R9"),)
    paid = order.args["pay"]
    game, notices = _buy_good(game, order) if paid == "mafbucks" else (_buy_opportunity(game, order), ())
    # A level may make its buyer an official member, against whom his team's neutrals may not move (R63).
    concerned = frozenset(game.players) if order.args["item"] in LEVEL_GOODS else frozenset({order.player})
    game, judged = rejudged(game, concerned)
    return game, (_accepted(order, "R20"), _carried_out(order, "R20"), *notices, *judged)


def _buy_opportunity(game: Game, order: Order) -> Game:
    """R20-R22: paid with the day's vote, move or both; serves at once."""
    player = game.players[order.player]
    item, paid = order.args["item"], str(order.args["pay"]).split("_")
    player = replace(
        player,
        items=(*player.items, item),
        opportunities=player.opportunities + 1,
        vote_spent=player.vote_spent or "vote" in paid,
        move_spent=player.move_spent or "move" in paid,
    )
    return replace(game.with_player(player), pistol_taken=game.pistol_taken or item == "pistol")


def _buy_good(game: Game, order: Order) -> Play:
    """R22-R25: paid with MafBucks."""
    item = order.args["item"]
    game = game.book(order.player, -(game.tables.goods[item].price or 0), "buy", item)
    player = game.players[order.player]
    player = replace(
        player,
        goods=player.goods + refusals.counts_for_the_game(item),
        goods_today=player.goods_today + refusals.counts_for_the_day(item),
        extra_packs=player.extra_packs + (item == "extra_pack"),
        extra_daily=player.extra_daily + (item == "extra_daily"),
    )
    if item in LEVEL_GOODS:
        player, notice = raised_to(game, replace(player, bought_level=LEVEL_GOODS[item]), LEVEL_GOODS[item], _refs(order))
        return game.with_player(player), (notice,)
    if item not in EXTRA_GOODS:
        player = replace(player, items=(*player.items, item))
    return game.with_player(player), ()


def raised_to(game: Game, player: Player, level: int, refs: tuple[str, ...] = ()) -> tuple[Player, Notice]:
    """A player who reaches a higher level in play, with the gifts of each level newly reached (R4, R25, R28)."""
    gifts = game.tables.gifts(player.role, player.level, level)
    notice = Notice(player.seat, "level_up", {"level": level, "items": gifts}, rule="R28", refs=refs)
    return replace(player, level=level, items=(*player.items, *gifts)), notice


def _handed_over(game: Game, seat: Seat, item: str) -> Game:
    """The player no longer holds the item. Of a sketch, which does not know what he holds, nothing is taken."""
    player = game.players[seat]
    return game if game.sketch is not None and not player.owns(item) else game.with_player(player.without([item]))


def _gift(game: Game, order: Order) -> Play:
    """R26."""
    reason = _tested(game, order, refusals.GIFT)
    if reason is not None:
        return game, (_rejected(order, reason, "R26"),)
    item, target = order.args["item"], order.targets[0]
    game = _handed_over(game, order.player, item)
    receiver = game.players[target]
    game = game.with_player(replace(receiver, items=(*receiver.items, item)))
    game, judged = rejudged(game, frozenset({order.player, target}))
    notice = Notice(target, "item_received", {"item": item}, rule="R26", refs=_refs(order))
    return game, (_accepted(order, "R26"), _carried_out(order, "R26"), notice, *judged)


def _sell(game: Game, order: Order) -> Play:
    """R26."""
    reason = _tested(game, order, refusals.SELL)
    if reason is not None:
        return game, (_rejected(order, reason, "R26"),)
    item = order.args["item"]
    game = _handed_over(game, order.player, item)
    game = game.book(order.player, game.tables.sell_price(item), "sell", item)
    game, judged = rejudged(game, frozenset({order.player}))
    return game, (_accepted(order, "R26"), _carried_out(order, "R26"), *judged)


# --- Declarations, the host, the sender's own book ---------------------------------------------------------------------


def _refuse_points_win(game: Game, order: Order) -> Play:
    """R65."""
    reason = _tested(game, order, refusals.REFUSE_POINTS_WIN)
    if reason is not None:
        return game, (_rejected(order, reason, "R65"),)
    game = game.with_player(replace(game.players[order.player], refused=True))
    return game, (_accepted(order, "R65"), _carried_out(order, "R65"))


def _join_graveyard(game: Game, order: Order) -> Play:
    """R147: the dead player becomes a zombie at once."""
    reason = _tested(game, order, refusals.JOIN_GRAVEYARD)
    if reason is not None:
        return game, (_rejected(order, reason, "R147"),)
    game = game.with_player(replace(game.players[order.player], role="zombie", faction=GRAVEYARD))
    return game, (_accepted(order, "R147"), _carried_out(order, "R147"))


def _host_remove(game: Game, order: Order) -> Play:
    """R63: struck at the next resolution; what he sends from now on is refused."""
    if not game.players[order.player].alive:
        return game, (_rejected(order, "dead", "R63"),)
    game = replace(game, removals=MappingProxyType({**game.removals, order.player: order.ref}))
    return game, (_accepted(order, "R63"), _carried_out(order, "R63"))


def _host_fine(game: Game, order: Order) -> Play:
    """R63: points and MafBucks are taken, as many as there are."""
    player = game.players[order.player]
    fines = [order.args.get(key, 0) for key in ("points", "mafbucks")]
    if not all(isinstance(fine, int) and not isinstance(fine, bool) and fine >= 0 for fine in fines):
        return game, (_rejected(order, "bad_args", "R63"),)
    points, money = fines
    game = game.with_player(replace(player, points=max(0, player.points - points)))
    taken = min(money, player.mafbucks)
    game = game.book(order.player, -taken, "fine") if taken else game
    return game, (_accepted(order, "R63"), _carried_out(order, "R63"))


def _host_carry(game: Game, order: Order) -> Play:
    """R27, D49: the balance of earlier games with the same hosts opens this one, before its first day."""
    amount = order.args.get("mafbucks")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        return game, (_rejected(order, "bad_args", "R27"),)
    if game.stage != "between" or game.turn > 0:
        return game, (_rejected(order, "too_late", "R27"),)
    change = amount - game.players[order.player].mafbucks
    game = game.book(order.player, change, "carried") if change else game
    return game, (_accepted(order, "R27"),)


def _cancel(game: Game, order: Order) -> Play:
    """Take moves and extra actions back; ``action`` in the args names one kind. Votes, purchases and gifts stay (R2)."""
    action = order.args.get("action")
    return _take_back(game, order, lambda c: action is None or c.order.action == action)


def _pass(game: Game, order: Order) -> Play:
    """No move this turn: the move is taken back, extra actions and a captive's move stay (R2)."""
    game, events = _take_back(game, order, lambda c: not c.extra and c.order.action != "captive_move")
    return replace(game, passed=game.passed | {order.player}), events


def _take_back(game: Game, order: Order, which: Callable[[Candidate], bool]) -> Play:
    if not game.players[order.player].alive:
        return game, (_rejected(order, "dead", "R9"),)
    gone = [c for c in game.candidates if c.order.player == order.player and which(c)]
    game = replace(game, candidates=tuple(c for c in game.candidates if c not in gone))
    told = tuple(Withdrawn(c.order, rule="R2", refs=_refs(c.order)) for c in gone if c.reason is None)
    game, judged = rejudged(game, frozenset({order.player}))
    return game, (_accepted(order, "R2"), *told, *judged)


_HANDLERS: dict[str, Callable[[Game, Order], Play]] = {
    "vote": _vote,
    "unvote": _unvote,
    "buy": _buy,
    "gift": _gift,
    "sell": _sell,
    "refuse_points_win": _refuse_points_win,
    "join_graveyard": _join_graveyard,
    "host_remove": _host_remove,
    "host_fine": _host_fine,
    "cancel": _cancel,
    "pass": _pass,
}


def struck(game: Game) -> tuple[Game, Mapping[Seat, str], tuple[Event, ...]]:
    """R63, before phase 1: who leaves the game at this resolution (and by which input), the refusals of what he sent."""
    limit = game.tables.missed_turns_limit
    silent = []
    for player in game.players.values():
        turns = 0 if player.seat in game.heard else player.silent_turns + 1
        if turns != player.silent_turns:
            game = game.with_player(replace(player, silent_turns=turns))
        if limit and turns >= limit and player.alive and player.seat not in game.removals:
            silent.append(player.seat)
    gone = {**dict.fromkeys(silent, ""), **game.removals}
    game = replace(game, removals=MappingProxyType(gone))
    game, events = rejudged(game, frozenset(gone))
    refused: list[Event] = list(events)
    votes = dict(game.votes)
    for seat in gone:
        if seat in votes:
            refused.append(_rejected(votes.pop(seat).order, "dead", "R63"))
    refused += [Step("removal", "struck", {"player": seat}, rule="R63") for seat in gone]
    return replace(game, votes=MappingProxyType(votes)), gone, tuple(refused)


def counted(game: Game) -> dict[Seat, int]:
    """The weights as they count now: sold votes weigh nothing (R11). Keys in the order of the roster."""
    weights: dict[Seat, int] = {}
    for voter, vote in game.votes.items():
        if not game.players[voter].vote_spent:
            weights[vote.target] = weights.get(vote.target, 0) + 1
    return {seat: weights[seat] for seat in game.players if weights.get(seat)}
