"""Auctions for the mercenary and the bodyguard: bids, the half-day, who is offered what (R80-R89)."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Order, Seat
from engine.rulesets.league.economy import COINS, HELD
from engine.rulesets.league.state import Contract, Day, Desk, Game, Standing, rivals

KILL, GUARD = "contract_kill", "contract_guard"
ACCEPTED, REFUSED = "accept", "refuse"


def bids(day: Day, action: str) -> tuple[Contract, ...]:
    """The contracts on offer, in order of arrival; one whose victim is the mercenary is set aside (R82). Refusing that one
    would betray him (D55)."""
    return tuple(c for c in day.contracts if c.action == action and not (action == KILL and c.target == day.mercenary))


def top(day: Day, action: str) -> tuple[Contract, ...]:
    """The bids at the highest price, in order of arrival (R83). Equal bids on one victim are allowed, and the earlier one wins
    (D50)."""
    offered = bids(day, action)
    best = max((c.price for c in offered), default=0)
    return tuple(c for c in offered if c.price == best)


def offered(game: Game, day: Day, action: str) -> tuple[Seat, ...]:
    """The victims, or wards, of the highest bid, in cast order."""
    targets = {c.target for c in top(day, action)}
    return tuple(seat for seat in game.players if seat in targets)


def standing(day: Day, action: str) -> Standing | None:
    """The order of this kind that stands; for actions of which a player has one at a time."""
    return next((s for s in reversed(day.book) if s.order.action == action), None)


def place(desk: Desk, order: Order, cost: int) -> None:
    """R80: take a contract; its price is locked until the turn is over."""
    target = order.targets[0] if order.action == KILL else order.player
    once = f"{desk.turn}/held/{desk.seq}"
    desk.books.book(desk.turn, order.player, cost, COINS, HELD, "R80 held", once, target, order.ref)
    contract = Contract(desk.seq, order.action, order.player, target, cost, order.ref)
    desk.day = replace(
        desk.day,
        book=(*desk.day.book, Standing(desk.seq, order, ())),
        passed=desk.day.passed - {order.player},
        contracts=(*desk.day.contracts, contract),
    )
    if desk.day.half:
        tell(desk)


def close_half(desk: Desk) -> None:
    """The half-day has come: the mercenary is asked, the bodyguard told (R81, R82, R87). Not in turn 0 (D4)."""
    if desk.day.half or desk.turn == 0:
        return
    desk.day = replace(desk.day, half=True)
    desk.step("half_day", "auctions_closed", "R81", contracts=len(desk.day.contracts))
    tell(desk)


def tell(desk: Desk) -> None:
    """Ask the mercenary and tell the bodyguard what they have not been told yet."""
    day = desk.day
    if bids(day, KILL) and not day.asked and _lives(desk, day.mercenary):
        desk.notice(day.mercenary, "work_question", "R82")
        desk.day = day = replace(day, asked=True)
    wards = offered(desk.game, day, GUARD)
    if wards and wards != day.wards_told and _lives(desk, day.bodyguard):
        desk.notice(day.bodyguard, "guard_targets", "R87", targets=list(wards))
        desk.day = replace(day, wards_told=wards)


def _lives(desk: Desk, seat: Seat) -> bool:
    return bool(seat) and desk.players[seat].alive


def answered(day: Day, action: str) -> bool:
    """Whether the mercenary has answered, or the bodyguard has chosen, so that no bid can join any more (R81)."""
    return day.answer != "" if action == KILL else standing(day, "guard_choose") is not None


def closed_for(game: Game, action: str) -> bool:
    """Whether a contract that comes in the second half is refused (R81, ``auction.late_orders``)."""
    return game.tables.auction.late_orders == "reject" or answered(game.day, action)


def order_coins(desk: Desk, contract: Contract) -> int:
    """What an order on this victim is worth to its customer, by the sides of this moment: a werewolf is a civilian until
    the night is settled (R55, R114); the loss for a role-player of one's own is taken alone (D56)."""
    coins = desk.tables.coins
    me, victim = desk.players[contract.customer], desk.players[contract.target]
    if rivals(me, victim):
        return coins.order_rival if victim.role_player else 0
    return coins.order_own_role if victim.role_player else coins.order_own_citizen
