"""The tests on arrival, as ordered tables (1.4): the first failing one gives the reason of the rejection.

A test that rests on something which a sketch (``sketch``) need not know names it in ``needs``; what is unknown
forbids nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.model import Order, Seat
from engine.rulesets.league import contracts
from engine.rulesets.league.calendar import LeagueCalendar
from engine.rulesets.league.economy import COINS, Pot
from engine.rulesets.league.roles import (
    ACTIONS,
    ARMOUR,
    COMMISSION,
    ITEMS,
    LATE_STARTERS,
    NEUTRALS,
    NOT_IN_OPENING,
    ROLES,
    SHOOTERS,
    VOTING,
    WITHDRAW,
)
from engine.rulesets.league.state import Game, Player, holder, may_vote_dead, necromancer_lives, post


@dataclass(frozen=True, slots=True)
class Case:
    """One order before the tests."""

    game: Game
    order: Order

    @property
    def me(self) -> Player:
        return self.game.players[self.order.player]

    @property
    def action(self) -> str:
        return self.order.action

    @property
    def target(self) -> Player | None:
        """The one target, None unless there is exactly one and he plays."""
        targets = self.order.targets
        return self.game.players.get(targets[0]) if len(targets) == 1 else None

    @property
    def item(self) -> str:
        return str(self.order.args.get("item") or "")

    def arg(self, name: str, default: Any = None) -> Any:
        return self.order.args.get(name, default)

    def whole(self, name: str, default: int | None = None) -> int | None:
        value = self.arg(name, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @property
    def coins(self) -> int:
        return self.game.ledger.balance(self.order.player, COINS)


Fails = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Test:
    """``fails`` true: the order is refused for ``reason``."""

    reason: str
    fails: Fails
    needs: str = ""
    rule: str = ""


def refusal(game: Game, order: Order) -> Test | None:
    """The first failing test, None when the order may stand."""
    return first_failing(Case(game, order))


def first_failing(case: Case, but: str = "") -> Test | None:
    """The same of a case; ``but``: a reason that the host overrules."""
    for test in (*FIRST, *_own(case)):
        if test.reason != but and (not test.needs or case.game.knows(test.needs)) and test.fails(case):
            return test
    return None


def first_tests_pass(game: Game, order: Order) -> bool:
    """Tests 1 to 5 of 1.4: an order refused by them closes no half-day (R81)."""
    case = Case(game, order)
    return not any((not t.needs or game.knows(t.needs)) and t.fails(case) for t in FIRST)


def _own(case: Case) -> tuple[Test, ...]:
    action = case.action
    if action in ("buy", "pool"):
        item = ITEMS.get(case.item)
        if item is None:
            return (Test("bad_value", lambda c: True),)
        if action == "pool":
            return POOL_TESTS if not poolable(case.game, case.item) else (*PURCHASE[case.item](case, True), *POOL_TESTS)
        return (*PURCHASE[case.item](case, False), Test("not_enough_coins", lambda c: c.coins < price(c), rule="R16"))
    if action == "pool_agree":
        return _agree_tests(case)
    return TESTS.get(action, ())


# what an order costs


def price(case: Case) -> int:
    """Coins that the order takes from ``coins``; for ``pool`` cut to what is missing (R17, R99)."""
    prices = case.game.tables.prices
    match case.action:
        case "change_vote" | "true_sight":
            return prices[case.action]
        case "extra_votes":
            return prices["extra_vote"] * (case.whole("count", 1) or 0)
        case "contract_kill" | "contract_guard":
            return case.whole("coins") or 0
        case "buy":
            return prices[case.item]
        case "pool":
            pot = pot_for(case)
            missing = pot_price(case.game, pot.item) - pot.total
            return max(0, min(case.whole("coins") or 0, missing))
    return 0


def pot_price(game: Game, item: str) -> int:
    return game.tables.prices["extra_shot_pool" if item == "extra_shot" else item]


def poolable(game: Game, item: str) -> bool:
    """R99: one of the goods that a pot can pay for; what costs nothing has no pot (D90)."""
    return item in ITEMS and ITEMS[item].pooled and pot_price(game, item) > 0


def pot_for(case: Case) -> Pot:
    """The pot that a ``pool`` pays into, empty if there is none yet (R99)."""
    item = case.item
    target = case.order.targets[0] if item == "resurrect" and case.order.targets else ""
    return find_pot(case.game, item, target, case.me.faction if item == "extra_shot" else "")


def find_pot(game: Game, item: str, target: Seat = "", gang: str = "") -> Pot:
    wanted = Pot(item, target, gang)
    return next((pot for pot in game.pots if pot.key == wanted.key), wanted)


# tests 1 to 5


def _late(case: Case) -> bool:
    """R12: by the stamps where the calendar has a start (an order without a stamp is in time), else by the marks."""
    at, item = case.order.at, case.item if case.action == "buy" else None
    if case.game.tables.calendar.start is not None:
        return at is not None and LeagueCalendar(case.game.tables.calendar).late(case.game, case.action, at, item)
    known = ACTIONS.get(case.action)
    open_still = known is not None and known.gap and item in (None, "loop_protection")
    return case.game.day.ended and not open_still


def _silent_dead(case: Case) -> bool:
    """R14 with its exceptions."""
    me = case.me
    if me.alive:
        return False
    if me.left:
        return True
    if case.action in ("hang_story", "expose"):
        return False
    if case.action == "vote":
        return not may_vote_dead(case.game, me)
    return not (me.ghost and case.action in ("haunt", *WITHDRAW))


def _foreign(case: Case) -> bool:
    """The action belongs to other roles altogether."""
    known = ACTIONS.get(case.action)
    if case.action == "haunt":
        return not case.me.ghost
    return known is not None and bool(known.roles) and case.me.role not in known.roles


def _not_now(case: Case) -> bool:
    """The action belongs to the role, but not at present: no number yet (R55), not the holder of the post (R64)."""
    me = case.me
    if case.action == "kill":
        return me.role not in LATE_STARTERS and not me.number
    return case.action in COMMISSION and post(case.game.players) != me.seat


def _opening(case: Case) -> bool:
    if case.game.turn != 0:
        return False
    if case.action == "kill":
        return case.me.role in LATE_STARTERS
    if case.action in ("buy", "pool"):
        item = ITEMS.get(case.item)
        return item is not None and item.first_turn > 0
    return case.action in NOT_IN_OPENING


def _off_duty(case: Case) -> bool:
    me = case.me
    return case.action == "kill" and bool(me.number) and case.game.day.duty.get(me.faction) != me.seat


FIRST = (
    Test("late", _late, rule="R12"),
    Test("not_allowed", lambda c: c.action == "unvote", rule="R20"),
    Test("dead", _silent_dead, rule="R14"),
    Test("not_your_role", _foreign, "role"),
    Test("not_your_role", _not_now, "post"),
    Test("no_voting", lambda c: c.game.turn == 0 and c.action in VOTING, rule="R11"),
    Test("first_night", _opening, rule="R11"),
    Test("not_on_duty", _off_duty, "duty", rule="R50"),
)

# test 6: target tests and the tests of each action

ONE_TARGET = Test("bad_target", lambda c: c.target is None)
LIVING = Test("dead_target", lambda c: c.target is not None and not c.target.alive)
NOT_SELF = Test("self_target", lambda c: c.target is not None and c.target.seat == c.me.seat)
"""D49: only where to name oneself would be pointless."""
TARGET = (ONE_TARGET, LIVING, NOT_SELF)
COINS_LEFT = Test("not_enough_coins", lambda c: c.coins < price(c), rule="R16")


def _ballot(case: Case) -> Seat:
    ballot = case.game.day.ballots.get(case.me.seat)
    return ballot.target if ballot else ""


def _shot(case: Case) -> int:
    """The shot's number; 0 for what is none."""
    shot = case.whole("shot", 1)
    return shot if shot is not None and shot > 0 else 0


def _no_extra_shot(case: Case) -> bool:
    me = case.me
    paid = case.game.day.shots.get(me.faction, 0) if me.number else 0
    return not 1 <= _shot(case) <= 1 + paid


def _no_story(case: Case) -> bool:
    """R15; an order without a story keeps that of the order it replaces (R13). Asked of gangs, commissioner and maniac (D69)."""
    if str(case.arg("story") or "").strip():
        return False
    wanted = slot(case.order)
    return not any(s.slot == wanted and s.story.strip() for s in case.game.day.book)


def slot(order: Order) -> tuple[str, ...]:
    """What a later order of the same kind replaces (R13); shots, and hanging stories by their target, apart."""
    action = order.action
    known = ACTIONS.get(action)
    if known is None or known.stands == "final":
        return ()
    kind = "commission" if action in COMMISSION else action
    detail = ""
    if action == "hang_story":
        detail = order.targets[0] if order.targets else ""
    elif known.args and "shot" in known.args:
        detail = str(order.args.get("shot", 1))
    return (order.player, kind, detail)


def _checked(case: Case) -> bool:
    """R63: the lists of commissioner and sergeant count together. Another night, and no longer the night of the check itself,
    counts; whoever holds the post knows both (D40)."""
    target = case.target
    return target is not None and any(target.seat in p.checked for p in case.game.players.values())


def _defence_spent(case: Case) -> bool:
    seat = case.game.day.numbers.get(case.whole("number") or 0, "")
    return case.me.defended.get(seat, 0) >= case.game.tables.limits.defences


def _contract_late(case: Case) -> bool:
    """R81: a contract of the second half of the day."""
    if case.game.turn == 0:
        return False
    late = case.game.day.half or case.arg("late") is True
    at = case.order.at
    half = LeagueCalendar(case.game.tables.calendar).half(case.game)
    if at is not None and half is not None:
        late = at >= half or contracts.answered(case.game.day, case.action)
    return late and contracts.closed_for(case.game, case.action)


def _hit_unnamed(case: Case) -> bool:
    if case.order.targets or len(contracts.offered(case.game, case.game.day, contracts.KILL)) < 2:
        return False
    before = contracts.standing(case.game.day, "contract_hit")
    return before is None or not before.target


def _not_offered(action: str) -> Fails:
    def fails(case: Case) -> bool:
        choice = contracts.offered(case.game, case.game.day, action)
        if not case.order.targets:
            return action == contracts.GUARD
        return len(case.order.targets) != 1 or case.order.targets[0] not in choice

    return fails


def _nothing_offered(action: str) -> Fails:
    """R81, R82: before the half-day nothing is on offer yet, whatever has been bid."""
    return lambda case: not case.game.day.half or not contracts.bids(case.game.day, action)


def _for_another(case: Case) -> bool:
    return any(target != case.me.seat for target in case.order.targets)


def _exposed_today(case: Case) -> bool:
    return any(s.order.player == case.me.seat and s.order.action == "expose" for s in case.game.day.book)


def _number_unknown(case: Case) -> bool:
    return (case.whole("number") or 0) not in case.game.day.numbers


NO_STORY = Test("no_story", _no_story, rule="R15")
PRICE_LOW = Test("price_too_low", lambda c: (c.whole("coins") or 0) < c.game.tables.auction.min_price, rule="R80")
LATE_ORDER = Test("late_order", _contract_late, rule="R81")
EXTRA_MOVE = Test("no_extra_move", lambda c: not 1 <= _shot(c) <= 1 + c.game.extra_checks, "extra_checks", rule="R67")
NO_CONTRACTS = Test("no_contracts", _nothing_offered(contracts.KILL), "contracts", rule="R82")
"""D58: the mercenary is barred from both auctions, the bodyguard from that for guards."""
ANSWERED = Test("already_answered", lambda c: c.game.day.answer != "", rule="R82")

TESTS: Mapping[str, tuple[Test, ...]] = {
    "vote": (*TARGET, Test("already_voted", lambda c: c.me.seat in c.game.day.ballots, rule="R20")),
    "change_vote": (
        *TARGET,
        Test("no_vote", lambda c: not _ballot(c), "vote", rule="R22"),
        Test("same_target", lambda c: c.target is not None and _ballot(c) == c.target.seat, rule="R22"),
        COINS_LEFT,
    ),
    "extra_votes": (Test("bad_value", lambda c: (c.whole("count", 1) or 0) < 1, rule="R23"), COINS_LEFT),
    "kill": (*TARGET, Test("no_extra_shot", _no_extra_shot, "shots", rule="R54"), NO_STORY),
    "check": (*TARGET, EXTRA_MOVE, NO_STORY),
    "kill_checked": (*TARGET, Test("not_checked", lambda c: not _checked(c), "checked", rule="R63"), EXTRA_MOVE, NO_STORY),
    "defend": (
        Test("no_such_number", lambda c: (c.whole("number") or 0) < 1, rule="R30"),
        Test("no_such_number", _number_unknown, "numbers", rule="R30"),
        Test("limit_reached", _defence_spent, rule="R30"),
    ),
    "pardon": (*TARGET, Test("limit_reached", lambda c: c.me.pardons >= c.game.tables.limits.pardons, rule="R31")),
    "visit": (
        *TARGET,
        Test("same_target_twice", lambda c: c.target is not None and c.me.last_visit == c.target.seat, rule="R71"),
    ),
    "cover": TARGET,
    "curse": TARGET,
    "haunt": TARGET,
    "heal": (ONE_TARGET, LIVING),
    "watch": (ONE_TARGET, LIVING),
    "contract_kill": (
        Test("role_may_not_order", lambda c: c.me.role == "mercenary", rule="R80"),
        *TARGET,
        PRICE_LOW,
        LATE_ORDER,
        COINS_LEFT,
    ),
    "contract_guard": (
        Test("role_may_not_order", lambda c: c.me.role in ("mercenary", "bodyguard"), rule="R80"),
        Test("not_for_others", _for_another, rule="R80"),
        PRICE_LOW,
        LATE_ORDER,
        COINS_LEFT,
    ),
    "accept_work": (NO_CONTRACTS, ANSWERED),
    "refuse_work": (NO_CONTRACTS, ANSWERED),
    "contract_hit": (
        Test("not_accepted", lambda c: c.game.day.answer != contracts.ACCEPTED, "contracts", rule="R82"),
        Test("choose_target", _hit_unnamed, "contracts", rule="R83"),
        Test("not_offered", _not_offered(contracts.KILL), "contracts", rule="R83"),
    ),
    "guard_choose": (
        Test("no_contracts", _nothing_offered(contracts.GUARD), "contracts", rule="R87"),
        Test("not_offered", _not_offered(contracts.GUARD), "contracts", rule="R87"),
    ),
    "hang_story": (ONE_TARGET, LIVING, NO_STORY),
    "true_sight": (*TARGET, COINS_LEFT),
    "expose": (
        *TARGET,
        Test("bad_value", lambda c: c.arg("role") not in ROLES or c.arg("role") == "citizen", rule="R116"),
        Test("already_exposed", _exposed_today, rule="R116"),
    ),
}

# purchases

NOT_FOR_OTHERS = Test("not_for_others", _for_another, rule="R16")
NO_NECROMANCER = Test("no_necromancer", lambda c: not necromancer_lives(c.game), rule="R66")

Bought = Callable[[Case, bool], tuple[Test, ...]]


def _armour(case: Case, pooled: bool) -> tuple[Test, ...]:
    return (Test("role_may_not_buy", lambda c: not ROLES[c.me.role].armour, "role", rule="R91"), NOT_FOR_OTHERS)


def _loop(case: Case, pooled: bool) -> tuple[Test, ...]:
    """Sold to everybody, unless the table says otherwise (D59)."""
    return (
        Test("role_may_not_buy", lambda c: c.me.role in c.game.tables.shop.loop_forbidden_roles, "role", rule="D59"),
        NOT_FOR_OTHERS,
        Test("already_have", lambda c: "loop_protection" in c.me.items, rule="R32"),
    )


def _net(case: Case, pooled: bool) -> tuple[Test, ...]:
    return (NOT_FOR_OTHERS,)


def _shield(case: Case, pooled: bool) -> tuple[Test, ...]:
    """Not by the necromancer himself, unless the table says so (D61)."""
    def himself(c: Case) -> bool:
        return c.me.role == "necromancer" and not c.game.tables.shop.necro_may_buy_shield

    def shielded(c: Case) -> bool:
        seat = holder(c.game.players.values(), "necromancer")
        return bool(seat) and "necro_shield" in c.game.players[seat].items

    return (
        Test("role_may_not_buy", himself, "role", rule="R95"),
        NO_NECROMANCER,
        Test("already_have", shielded, rule="R95"),
    )


def _extra_check(case: Case, pooled: bool) -> tuple[Test, ...]:
    return (Test("no_commissioner", lambda c: not post(c.game.players), "post", rule="R67"),)


def _resurrect(case: Case, pooled: bool) -> tuple[Test, ...]:
    def is_target(wrong: Callable[[Player], bool]) -> Fails:
        return lambda c: c.target is not None and wrong(c.target)

    return (
        NO_NECROMANCER,
        ONE_TARGET,
        Test("target_alive", is_target(lambda t: t.alive), rule="R98"),
        Test("left_target", is_target(lambda t: t.left), rule="R98"),
        Test("neutral_target", is_target(lambda t: t.faction == NEUTRALS), rule="R98"),
        Test("already_have", lambda c: c.target is not None and c.target.seat in c.game.day.revive, rule="R98"),
    )


def _extra_shot(case: Case, pooled: bool) -> tuple[Test, ...]:
    outsiders = (
        Test("role_may_not_buy", lambda c: c.me.role not in SHOOTERS, "role", rule="R54"),
        Test("role_may_not_buy", lambda c: not c.me.number, "numbers", rule="R54"),
    )
    if pooled:
        return outsiders
    off_duty = Test("not_on_duty", lambda c: c.game.day.duty.get(c.me.faction) != c.me.seat, "duty", rule="R54")
    return (*outsiders, off_duty)


PURCHASE: Mapping[str, Bought] = {
    **dict.fromkeys(ARMOUR, _armour),
    "loop_protection": _loop,
    "net": _net,
    "necro_shield": _shield,
    "extra_check": _extra_check,
    "resurrect": _resurrect,
    "extra_shot": _extra_shot,
}
POOL_TESTS = (
    Test("not_poolable", lambda c: not poolable(c.game, c.item), rule="R99"),
    Test("bad_value", lambda c: (c.whole("coins") or 0) < 1, rule="R99"),
    COINS_LEFT,
)


def moved_from(case: Case) -> Pot:
    """The pot whose money ``pool_agree`` is about."""
    item = str(case.arg("from") or "")
    return find_pot(case.game, item, str(case.arg("from_target") or ""), case.me.faction if item == "extra_shot" else "")


def moved_to(case: Case) -> str:
    return str(case.arg("to") or "")


def _beneficiary_lives(case: Case) -> bool:
    if str(case.arg("from")) == "extra_check":
        return bool(post(case.game.players))
    return necromancer_lives(case.game)


def _agree_tests(case: Case) -> tuple[Test, ...]:
    """R100: money of his in a pot that can be moved, whose beneficiary is dead; then the tests of the new purchase."""
    goods = (str(case.arg("from") or ""), moved_to(case))
    own = (
        Test("no_pool", lambda c: not moved_from(c).share(c.me.seat), "pots", rule="R100"),
        Test("not_poolable", lambda c: not all(poolable(c.game, g) and g != "extra_shot" for g in goods)),
        Test("pool_open", _beneficiary_lives, "pots", rule="R100"),
    )
    if goods[1] not in ITEMS or not ITEMS[goods[1]].pooled:
        return own
    opening = Test("first_night", lambda c: c.game.turn == 0 and ITEMS[goods[1]].first_turn > 0, rule="R11")
    return (*own, opening, *PURCHASE[goods[1]](case, True))
