"""What an order does when it arrives: it is tested, then paid, answered or written down (step 0 of chapter 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.model import Order, Rejected, Seat, Withdrawn
from engine.rulesets.league import contracts, hosting, purchases
from engine.rulesets.league.fines import warn
from engine.rulesets.league.refusals import Case, Test, moved_to, price, refusal, slot
from engine.rulesets.league.roles import ACTIONS as KNOWN
from engine.rulesets.league.roles import HOST_ACTIONS, LAST, WITHDRAW
from engine.rulesets.league.state import Ballot, Desk, Standing, refs

KEEPS_STORY = ("kill", "check", "kill_checked", "contract_hit", "haunt", "hang_story")
RULES: Mapping[str, str] = {
    "vote": "R20",
    "change_vote": "R22",
    "extra_votes": "R23",
    "defend": "R30",
    "pardon": "R31",
    "hang_story": "R33",
    "expose": "R116",
    "kill": "R52",
    "check": "R60",
    "kill_checked": "R63",
    "visit": "R71",
    "heal": "R73",
    "cover": "R75",
    "watch": "R76",
    "curse": "R77",
    "haunt": "R78",
    "contract_kill": "R80",
    "contract_guard": "R80",
    "accept_work": "R82",
    "refuse_work": "R82",
    "contract_hit": "R83",
    "guard_choose": "R87",
    "buy": "R16",
    "pool": "R99",
    "pool_agree": "R100",
    "true_sight": "R96",
    "cancel": "R13",
    "pass": "R13",
}


def receive(desk: Desk, order: Order) -> None:
    """Test and take one order; Accepted or Rejected comes first, then what follows at once."""
    if order.action in HOST_ACTIONS:
        hosting.carry_out(desk, order)
        return
    if order.player not in desk.players or (order.action not in KNOWN and order.action not in WITHDRAW):
        desk.events.append(Rejected(order.player, order.action, "not_allowed", order, refs=refs(order)))
        return
    test = refusal(desk.game, order)
    if test is not None:
        _refuse(desk, order, test)
        return
    desk.seq += 1
    desk.accepted(order, RULES[order.action])
    TAKE.get(order.action, _write_down)(desk, order)


def _refuse(desk: Desk, order: Order, test: Test) -> None:
    """R17: an order that cannot be paid draws a warning, and from the second one on a fine. Only an order without money behind
    it is fined, by its price (D73)."""
    desk.events.append(Rejected(order.player, order.action, test.reason, order, rule=test.rule or "1.4", refs=refs(order)))
    if test.reason == "not_enough_coins":
        warn(desk, order.player, price(Case(desk.game, order)), refs(order))


# orders that stand


def _stand(desk: Desk, order: Order, verdict: str = "", **day: Any) -> Standing:
    """Write an order down, with what else of the day it changes; an earlier one in its slot is replaced, and lends its
    story and target (R13)."""
    place = slot(order)
    book = desk.day.book
    old = next((s for s in book if place and s.slot == place), None)
    if old is not None:
        order = _inherit(order, old)
        book = tuple(s for s in book if s is not old)
        desk.events.append(Withdrawn(old.order, rule="R13", refs=refs(order)))
    standing = Standing(desk.seq, order, place, verdict)
    desk.day = replace(desk.day, book=(*book, standing), passed=desk.day.passed - {order.player}, **day)
    return standing


def _inherit(order: Order, old: Standing) -> Order:
    args = dict(order.args)
    if order.action in KEEPS_STORY and not str(args.get("story") or "").strip() and old.story:
        args["story"] = old.story
        if "grade" not in args and "grade" in old.order.args:
            args["grade"] = old.order.args["grade"]
    targets = order.targets
    if order.action == "contract_hit" and not targets:
        targets = old.order.targets
    return replace(order, targets=targets, args=args)


def _write_down(desk: Desk, order: Order) -> None:
    known = KNOWN[order.action]
    _stand(desk, order, "" if known.stands == LAST else "done")


def _withdraw(desk: Desk, order: Order) -> None:
    """``cancel`` and ``pass`` take back all moves that a later order could replace, but no hanging story (R13)."""
    me = order.player
    gone = [s for s in desk.day.book if s.slot and s.order.player == me and s.order.action != "hang_story"]
    for standing in gone:
        desk.events.append(Withdrawn(standing.order, rule="R13", refs=refs(order)))
    passed = desk.day.passed | {me} if order.action == "pass" else desk.day.passed
    desk.day = replace(desk.day, book=tuple(s for s in desk.day.book if s not in gone), passed=passed)


# the vote


def _vote(desk: Desk, order: Order) -> None:
    ballot = Ballot(order.targets[0], desk.seq)
    _stand(desk, order, "done", ballots={**desk.day.ballots, order.player: ballot})


def _change_vote(desk: Desk, order: Order) -> None:
    """R22: the change counts from its own moment. Its wording is ours (D20). A vote cannot be taken back for nothing (D22)."""
    desk.spend(order.player, price(Case(desk.game, order)), "R22 change_vote", desk.seq, ref=order.ref)
    _vote(desk, order)


def _extra_votes(desk: Desk, order: Order) -> None:
    """R23: purchases of a day add up."""
    case = Case(desk.game, order)
    desk.spend(order.player, price(case), "R23 extra_votes", desk.seq, ref=order.ref)
    had, _ = desk.day.extras.get(order.player, (0, 0))
    count = case.whole("count", 1) or 0
    _stand(desk, order, "done", extras={**desk.day.extras, order.player: (had + count, desk.seq)})


def _expose(desk: Desk, order: Order) -> None:
    """R116: the first to name a living player's true role is paid; nobody is told whether it was right. A statement a day is
    all that the game can notice by itself (D74)."""
    target, role = desk.players[order.targets[0]], order.args.get("role")
    right = role == target.role or (target.turned and role == "mafioso")
    verdict = "wrong_role" if not right else "already_exposed" if target.seat in desk.exposed else "done"
    standing = _stand(desk, order, verdict)
    if verdict == "done":
        desk.exposed |= {target.seat}
        desk.earn(order.player, desk.tables.coins.expose, "expose", "R116", str(standing.seq), about=target.seat, ref=order.ref)


# contracts


def _contract(desk: Desk, order: Order) -> None:
    contracts.place(desk, order, price(Case(desk.game, order)))


def _answer(desk: Desk, order: Order) -> None:
    """R82: the first answer is final; whoever accepts learns the victims of the highest bid, never the customer."""
    accepts = order.action == "accept_work"
    _stand(desk, order, "done", answer=contracts.ACCEPTED if accepts else contracts.REFUSED)
    if accepts:
        victims = contracts.offered(desk.game, desk.day, contracts.KILL)
        desk.notice(order.player, "work_targets", "R82", refs(order), targets=list(victims))


# paid looks and purchases


def _true_sight(desk: Desk, order: Order) -> None:
    """R96: answered at once, as things stand; a net and natural invisibility show a citizen. The three coins follow the truth,
    also under a net (D63)."""
    desk.spend(order.player, price(Case(desk.game, order)), "R96 true_sight", desk.seq, ref=order.ref)
    target = desk.players[order.targets[0]]
    seen = "citizen" if target.net_until >= max(desk.turn, 1) else target.seen
    _stand(desk, order, "done")
    desk.notice(order.player, "true_sight_result", "R96", refs(order), target=target.seat, seen=seen)
    if target.role_player:
        desk.earn(
            order.player, desk.tables.coins.true_sight, "true_sight", "R96", str(desk.seq), about=target.seat, ref=order.ref
        )
    me = desk.players[order.player]
    if me.role in ("commissioner", "sergeant") and target.seat not in me.checked:
        desk.change(me.seat, checked=(*me.checked, target.seat))


def _buy(desk: Desk, order: Order) -> None:
    case = Case(desk.game, order)
    item = case.item
    desk.spend(order.player, price(case), f"buy {item}", desk.seq, about=_beneficiary(order), ref=order.ref)
    _stand(desk, order, "done")
    purchases.deliver(desk, item, order.player, _beneficiary(order), refs(order))


def _pool(desk: Desk, order: Order) -> None:
    _stand(desk, order, "done")
    purchases.contribute(desk, Case(desk.game, order))


def _pool_agree(desk: Desk, order: Order) -> None:
    _stand(desk, order, "done")
    case = Case(desk.game, order)
    purchases.agree(desk, case, moved_to(case))


def _beneficiary(order: Order) -> Seat:
    return order.targets[0] if order.targets else ""


Take = Callable[[Desk, Order], None]
TAKE: Mapping[str, Take] = {
    "vote": _vote,
    "change_vote": _change_vote,
    "extra_votes": _extra_votes,
    "expose": _expose,
    "contract_kill": _contract,
    "contract_guard": _contract,
    "accept_work": _answer,
    "refuse_work": _answer,
    "true_sight": _true_sight,
    "buy": _buy,
    "pool": _pool,
    "pool_agree": _pool_agree,
    "cancel": _withdraw,
    "pass": _withdraw,
}
