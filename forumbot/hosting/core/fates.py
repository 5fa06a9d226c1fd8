"""What became of the players' orders in the running turn: the rules may strike or cure them later (mafialife R9)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.model import Accepted, Event, Notice, Order, Rejected, Withdrawn
from forumbot.store.types import dump, plain

TOLD_BY_RECEIPT = frozenset({"order_rejected"})
"""Notices that say no more than the receipt of the letter does."""
_FROM_MESSAGE = re.compile(r"\d+\.\d+")
"""The form of ``Order.ref`` for an order that was read: the verdict's number and the order's place in it."""


@dataclass(frozen=True, slots=True)
class Fate:
    """How an order stands now. ``withdrawn``: a later one took its place, or its sender took it back."""

    order: Order
    status: Literal["accepted", "rejected", "withdrawn"]
    reason: str | None = None


def fates(events: Iterable[Event]) -> dict[str, Fate]:
    """The last word of the rules on every order that came from a message, by its ``ref``."""
    found: dict[str, Fate] = {}
    note(found, events)
    return found


def note(found: dict[str, Fate], events: Iterable[Event]) -> None:
    """What these further events make of the orders."""
    for event in events:
        if not isinstance(event, (Accepted, Rejected, Withdrawn)) or event.order is None:
            continue
        order = event.order
        if not _FROM_MESSAGE.fullmatch(order.ref):
            continue
        if isinstance(event, Rejected):
            found[order.ref] = Fate(order, "rejected", event.reason)
        else:
            found[order.ref] = Fate(order, "accepted" if isinstance(event, Accepted) else "withdrawn")


def turned(before: Mapping[str, Fate], after: Mapping[str, Fate]) -> dict[str, list[Fate]]:
    """Player -> his earlier orders that stand now and did not, or stood and are refused now.

    One that merely gave way to a later order of its sender is not mentioned: he knows. One that had given way and stands
    again, since the later one was refused after all, is (mafialife D54).
    """
    found: dict[str, list[Fate]] = {}
    for ref, was in before.items():
        now = after.get(ref)
        if now is None or now.status in (was.status, "withdrawn") or (was.status, now.status) == ("withdrawn", "rejected"):
            continue
        found.setdefault(now.order.player, []).append(now)
    return found


def fresh_notices(before: Sequence[Event], after: Sequence[Event]) -> tuple[Notice, ...]:
    """Notices that the rules give now and did not give before, when a turn was folded anew."""
    known = Counter(_key(event) for event in before if isinstance(event, Notice))
    found = []
    for event in after:
        if isinstance(event, Notice):
            key = _key(event)
            if known[key]:
                known[key] -= 1
            else:
                found.append(event)
    return tuple(found)


def _key(notice: Notice) -> str:
    return dump([notice.to, notice.kind, plain(notice.data)])
