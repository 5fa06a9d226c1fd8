"""What a purchase gives, and the common pots that pay for one (R90-R101)."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Seat
from engine.rulesets.league.economy import COINS, POOLED, SHOP, Pot
from engine.rulesets.league.refusals import Case, find_pot, moved_from, pot_for, pot_price, price
from engine.rulesets.league.roles import ANNOUNCED, ARMOUR
from engine.rulesets.league.state import Desk, holder

REPEATABLE = ("extra_check",)
"""Purchases that one turn may see several times from one pot."""


def deliver(
    desk: Desk, item: str, buyer: Seat, target: Seat, about: tuple[str, ...] = (), *, gang: str = "", times: int = 1
) -> None:
    """Hand over what was paid for, and announce what is announced: never the buyer (R134). ``times``: of ``REPEATABLE`` goods.
    An extra shot serves the coming night, for the member on duty (D68)."""
    if item in ARMOUR:
        kept = tuple(i for i in desk.players[buyer].items if i not in ARMOUR)
        desk.change(buyer, items=(*kept, item))
    elif item == "loop_protection":
        desk.change(buyer, items=(*desk.players[buyer].items, item))
    elif item == "net":
        desk.change(buyer, net_until=desk.turn + desk.tables.limits.net_days - 1)
    elif item == "necro_shield":
        seat = holder(desk.players.values(), "necromancer")
        if seat:
            desk.change(seat, items=(*desk.players[seat].items, item))
    elif item == "extra_check":
        desk.extra_checks += times
    elif item == "resurrect":
        desk.day = replace(desk.day, revive=(*desk.day.revive, target))
    elif item == "extra_shot":
        gang = gang or desk.players[buyer].faction
        desk.day = replace(desk.day, shots={**desk.day.shots, gang: desk.day.shots.get(gang, 0) + 1})
    if item in ANNOUNCED:
        named = target if item == "resurrect" else ""
        desk.day = replace(desk.day, bought=(*desk.day.bought, *[(item, named)] * times))
        for _ in range(times):
            desk.line("thread", "bought", "R134", about, item=item, player=named)


def contribute(desk: Desk, case: Case) -> None:
    """R99: cut to what is missing; a full pot buys at once (D66)."""
    seat, pot = case.me.seat, pot_for(case)
    coins = price(case)
    desk.books.book(
        desk.turn, seat, coins, COINS, POOLED, f"R99 pool {pot.item}", f"{desk.turn}/pool/{desk.seq}", pot.target, case.order.ref
    )
    if coins:
        pot = pot.with_share(seat, coins)
    put(desk, pot)
    fill(desk, pot, (case.order.ref,) if case.order.ref else ())


def put(desk: Desk, pot: Pot) -> None:
    """Keep a pot in its place; an empty one is no pot."""
    places = [i for i, old in enumerate(desk.pots) if old.key == pot.key]
    if places and pot.shares:
        desk.pots[places[0]] = pot
    elif places:
        del desk.pots[places[0]]
    elif pot.shares:
        desk.pots.append(pot)


def fill(desk: Desk, pot: Pot, about: tuple[str, ...] = ()) -> None:
    """Buy what the pot can pay for: the earliest shares first, the surplus stays with the latest (R100)."""
    cost = pot_price(desk.game, pot.item)
    times = pot.total // cost if pot.item in REPEATABLE else min(1, pot.total // cost)
    if times:
        agreed = pot.agreed
        pot, paid = pot.paid(cost * times)
        pot = replace(pot, agreed=agreed)
        for i, (seat, coins) in enumerate(paid):
            once = f"{desk.turn}/pot/{desk.seq}/{i}"
            desk.books.book(desk.turn, seat, coins, POOLED, SHOP, f"R99 paid {pot.item}", once, pot.target)
        deliver(desk, pot.item, paid[0][0], pot.target, about, gang=pot.gang, times=times)
        if pot.item == "extra_shot":
            _tell_duty(desk, pot.gang, about)
    put(desk, pot)


def _tell_duty(desk: Desk, gang: str, about: tuple[str, ...]) -> None:
    """R54: the member on duty learns how many extra shots his gang has paid for."""
    seat = desk.day.duty.get(gang, "")
    if seat and desk.players[seat].alive:
        desk.notice(seat, "extra_shot_ready", "R54", about, shots=desk.day.shots[gang])


def agree(desk: Desk, case: Case, item: str) -> None:
    """R100: when the last living contributor agrees to the same purchase, the money moves there. Their word is what the host
    would ask for (D67)."""
    seat, source = case.me.seat, moved_from(case)
    target = case.order.targets[0] if item == "resurrect" else ""
    wish = (seat, item, target)
    source = replace(source, agreed=(*(a for a in source.agreed if a[0] != seat), wish))
    put(desk, source)
    asked = [who for who in source.contributors() if desk.players[who].alive]
    if any((who, item, target) not in source.agreed for who in asked):
        return
    goal = find_pot(desk.game, item, target)
    if goal.key == source.key:
        return
    desk.step("pots", "moved", "R100", pot=source.item, to=item, coins=source.total)
    put(desk, replace(source, shares=()))
    goal = replace(goal, shares=(*goal.shares, *source.shares))
    put(desk, goal)
    fill(desk, goal)
