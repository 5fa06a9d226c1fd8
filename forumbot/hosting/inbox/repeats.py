"""A paid order that repeats an equal one of the same turn: money is not taken twice for what may be one wish written twice."""

from __future__ import annotations

from dataclasses import replace

from engine.messages import ReadOrder, Verdict
from engine.model import Accepted, Event, Order, Seat, Withdrawn
from forumbot.hosting.core.match import Match
from forumbot.reading.requests import says_again
from forumbot.store.types import dump

AGAIN = "again"
"""The reason of a review that asks «ещё раз?»."""


def asked(match: Match, seat: Seat, verdict: Verdict) -> Verdict:
    """The verdict with every paid order in doubt that repeats an equal standing one (or one of the same message), unless more of
    it can be had and the words want more."""
    paid = match.ruleset.spec.paid
    if not paid or not any(order.status == "accepted" and order.action in paid for order in verdict.orders):
        return verdict
    standing = {_key(order) for order in _standing(match.turn_events, seat)}
    orders: list[ReadOrder] = []
    for order in verdict.orders:
        key = _key(order)
        if order.status == "accepted" and order.action in paid:
            if key in standing and not (_is_countable(paid[order.action], order) and says_again(verdict.text)):
                order = replace(order, status="review", reason=AGAIN)
            standing.add(key)
        orders.append(order)
    if tuple(orders) == verdict.orders:
        return verdict
    kept = next((status for status in ("accepted", "review") if any(one.status == status for one in orders)), "review")
    reason = verdict.reason if kept == "accepted" else AGAIN
    return replace(verdict, outcome=kept, reason=reason, orders=tuple(orders))  # type: ignore[arg-type]


def _standing(events: list[Event], seat: Seat) -> list[Order]:
    found: dict[str, Order] = {}
    for event in events:
        if isinstance(event, Accepted) and event.order.player == seat:
            found[event.order.ref] = event.order
        elif isinstance(event, Withdrawn):
            found.pop(event.order.ref, None)
    return list(found.values())


def _is_countable(items: frozenset[str], order: ReadOrder) -> bool:
    return "*" in items or order.args.get("item") in items


def _key(order: Order | ReadOrder) -> str:
    args = {name: value for name, value in order.args.items() if name not in ("story", "late")}
    return dump([order.action, list(order.targets), args])
