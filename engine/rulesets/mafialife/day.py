"""What happens while a turn is open: orders are taken down (``docket``), the market works at once (R2, R20-R29, phase 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from engine.model import Event, Notice, Order, Outcome, Rejected, Seat, Step
from engine.rulesets.mafialife import docket, refusals
from engine.rulesets.mafialife.docket import accepted, refs, rejected
from engine.rulesets.mafialife.refusals import Ask, first_reason
from engine.rulesets.mafialife.roles import EXTRA_GOODS, GRAVEYARD, HOST_ACTIONS, HOST_CARRY, LEVEL_GOODS
from engine.rulesets.mafialife.state import Candidate, Game, Player, official

Play = tuple[Game, tuple[Event, ...]]


def receive(game: Game, order: Order) -> Play:
    """Test and take one order of an open turn; the first event says whether it was taken."""
    if order.action == HOST_CARRY and order.player in game.players:
        return _host_carry(game, order)
    if game.stage != "turn":
        return game, (rejected(order, "too_late", "R2"),)
    if order.player not in game.players:
        return game, (rejected(order, "not_your_action", "R9"),)
    heard = game.heard if order.action in HOST_ACTIONS else game.heard | {order.player}
    game = replace(game, heard=heard, received=game.received + 1)
    handler = _HANDLERS.get(order.action)
    return handler(game, order) if handler is not None else _move(game, order)


def hear(game: Game, player: Seat) -> Game:
    """Something came of this player, whatever it was (D59)."""
    return replace(game, heard=game.heard | {player}) if game.stage == "turn" and player in game.players else game


def _tested(game: Game, order: Order, table: refusals.Table) -> str | None:
    return first_reason(Ask(game, game.players[order.player], order), table)


def _carried_out(order: Order, rule: str) -> Outcome:
    return Outcome(order.player, order.action, order.targets, order.args, rule=rule, refs=refs(order))


def _unvote(game: Game, order: Order) -> Play:
    """R2."""
    reason = _tested(game, order, refusals.UNVOTE)
    if reason is not None:
        return game, (rejected(order, reason, "R2"),)
    game, withdrawn = docket.dropped(game, order.player, lambda c: c.slot == docket.VOTE)
    return game, (accepted(order, "R2"), *withdrawn)


def _move(game: Game, order: Order) -> Play:
    """A vote, a move, an extra action or a captive's move (R2, R10)."""
    game, events = docket.take(game, order)
    if not isinstance(events[0], Rejected) and order.action != "vote":
        game = replace(game, passed=game.passed - {order.player})
    return game, events


def _concerned(game: Game, *seats: Seat) -> tuple[Seat, ...]:
    """Players whose orders a change of these may touch: they, and who moves one of them as his captive (R87)."""
    captors = (game.players[seat].captive_of for seat in seats)
    return tuple(dict.fromkeys((*seats, *(captor for captor in captors if captor in game.players))))


# --- The market --------------------------------------------------------------------------------------------------------


def _buy(game: Game, order: Order) -> Play:
    """R20-R25, R29."""
    reason = _tested(game, order, refusals.buying_table(order))
    if reason is not None:
        return game, (rejected(order, reason, "R9"),)
    paid = order.args["pay"]
    game, notices = _buy_good(game, order) if paid == "mafbucks" else (_buy_opportunity(game, order), ())
    joined = order.args["item"] in LEVEL_GOODS and official(game, game.players[order.player])
    mates = _recruits(game, game.players[order.player].faction) if joined else ()
    game, judged = docket.settle(game, dict.fromkeys((*_concerned(game, order.player), *mates)))
    return game, (accepted(order, "R20"), _carried_out(order, "R20"), *notices, *judged)


def _recruits(game: Game, team: str) -> tuple[Seat, ...]:
    """Neutrals of a team: they may not move or vote against whom a level has made its official member (R63, R17)."""
    return tuple(player.seat for player in game.players.values() if player.recruited and player.faction == team)


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
        player, notice = raised_to(game, replace(player, bought_level=LEVEL_GOODS[item]), LEVEL_GOODS[item], refs(order))
        return game.with_player(player), (notice,)
    if item not in EXTRA_GOODS:
        player = replace(player, items=(*player.items, item))
    return game.with_player(player), ()


def raised_to(game: Game, player: Player, level: int, refs: tuple[str, ...] = ()) -> tuple[Player, Notice]:
    """A player who reaches a higher level in play, with the gifts of each level newly reached (R4, R25, R28). A
    bought level brings no points (D14)."""
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
        return game, (rejected(order, reason, "R26"),)
    item, target = order.args["item"], order.targets[0]
    game = _handed_over(game, order.player, item)
    receiver = game.players[target]
    game = game.with_player(replace(receiver, items=(*receiver.items, item)))
    game, judged = docket.settle(game, (order.player, target))
    notice = Notice(target, "item_received", {"item": item}, rule="R26", refs=refs(order))
    return game, (accepted(order, "R26"), _carried_out(order, "R26"), notice, *judged)


def _sell(game: Game, order: Order) -> Play:
    """R26."""
    reason = _tested(game, order, refusals.SELL)
    if reason is not None:
        return game, (rejected(order, reason, "R26"),)
    item = order.args["item"]
    game = _handed_over(game, order.player, item)
    game = game.book(order.player, game.tables.sell_price(item), "sell", item)
    game, judged = docket.settle(game, (order.player,))
    return game, (accepted(order, "R26"), _carried_out(order, "R26"), *judged)


# --- Declarations, the host, the sender's own book ---------------------------------------------------------------------


def _refuse_points_win(game: Game, order: Order) -> Play:
    """R65."""
    reason = _tested(game, order, refusals.REFUSE_POINTS_WIN)
    if reason is not None:
        return game, (rejected(order, reason, "R65"),)
    game = game.with_player(replace(game.players[order.player], refused=True))
    return game, (accepted(order, "R65"), _carried_out(order, "R65"))


def _join_graveyard(game: Game, order: Order) -> Play:
    """R147: the dead player becomes a zombie at once."""
    reason = _tested(game, order, refusals.JOIN_GRAVEYARD)
    if reason is not None:
        return game, (rejected(order, reason, "R147"),)
    game = game.with_player(replace(game.players[order.player], role="zombie", faction=GRAVEYARD))
    return game, (accepted(order, "R147"), _carried_out(order, "R147"))


def _host_remove(game: Game, order: Order) -> Play:
    """R63, D53: struck at the next resolution; his votes and moves and those at him are refused, and all that he sends now."""
    if not game.players[order.player].alive:
        return game, (rejected(order, "dead", "R63"),)
    known = order.player in game.removals
    game = replace(game, removals=MappingProxyType({**game.removals, order.player: order.ref}))
    game, judged = docket.settle(game, () if known else game.players)
    return game, (accepted(order, "R63"), _carried_out(order, "R63"), *judged)


def _host_fine(game: Game, order: Order) -> Play:
    """R63, D55: points and MafBucks are taken, as many as there are. The rules fine nobody by themselves (D43)."""
    player = game.players[order.player]
    fines = [order.args.get(key, 0) for key in ("points", "mafbucks")]
    if not all(isinstance(fine, int) and not isinstance(fine, bool) and fine >= 0 for fine in fines):
        return game, (rejected(order, "bad_args", "R63"),)
    points, money = fines
    game = game.with_player(replace(player, points=max(0, player.points - points)))
    taken = min(money, player.mafbucks)
    game = game.book(order.player, -taken, "fine") if taken else game
    # Of all orders a fine touches only those that ask for points.
    studying = [seat for seat in _concerned(game, order.player) if docket.holds(game, seat, "study")]
    game, judged = docket.settle(game, studying)
    return game, (accepted(order, "R63"), _carried_out(order, "R63"), *judged)


def _host_carry(game: Game, order: Order) -> Play:
    """R27, D49: the balance of earlier games with the same hosts opens this one, before its first day."""
    amount = order.args.get("mafbucks")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        return game, (rejected(order, "bad_args", "R27"),)
    if game.stage != "between" or game.turn > 0:
        return game, (rejected(order, "too_late", "R27"),)
    change = amount - game.players[order.player].mafbucks
    game = game.book(order.player, change, "carried") if change else game
    return game, (accepted(order, "R27"),)


def _cancel(game: Game, order: Order) -> Play:
    """Take moves and extra actions back; ``action`` in the args names one kind. Votes, purchases and gifts stay (R2)."""
    action = order.args.get("action")
    return _take_back(game, order, lambda c: c.slot != docket.VOTE and action in (None, c.order.action))


def _pass(game: Game, order: Order) -> Play:
    """No move this turn: the move is taken back, extra actions and a captive's move stay (R2)."""
    game, events = _take_back(game, order, lambda c: c.slot == docket.MOVE)
    return replace(game, passed=game.passed | {order.player}), events


def _take_back(game: Game, order: Order, which: Callable[[Candidate], bool]) -> Play:
    reason = _tested(game, order, refusals.TAKE_BACK)
    if reason is not None:
        return game, (rejected(order, reason, "R9"),)
    game, told = docket.dropped(game, order.player, which)
    return game, (accepted(order, "R2"), *told)


_HANDLERS: dict[str, Callable[[Game, Order], Play]] = {
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


def struck(game: Game) -> Play:
    """The market has closed: who leaves the game before phase 1 (R63), and how everybody's orders stand then (R9, D54).

    ``removals`` of the game names all who leave, with the input that says so ("" for too long a silence, D59).
    """
    limit = game.tables.missed_turns_limit
    silent = []
    for player in game.players.values():
        turns = player.silent_turns + 1 if player.alive and player.seat not in game.heard else 0
        if turns != player.silent_turns:
            game = game.with_player(replace(player, silent_turns=turns))
        if limit and turns >= limit and player.seat not in game.removals:
            silent.append(player.seat)
    gone = {**dict.fromkeys(silent, ""), **game.removals}
    game = replace(game, removals=MappingProxyType(gone))
    game, judged = docket.settle(game, game.players)
    return game, (*judged, *(Step("removal", "struck", {"player": seat}, rule="R63") for seat in gone))
