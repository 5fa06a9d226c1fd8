"""From orders to the verdict on a message: its outcome, the readings that could be meant, and what explained its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from engine.messages import Explained, ReadOrder, Span, Verdict
from forumbot.reading.clauses.clause import Text
from forumbot.reading.judge import Judge
from forumbot.reading.own import Own
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.vocabulary import Vocabulary

_MOST_READINGS = 9
"""Readings that a question can number."""


def verdict(orders: Sequence[ReadOrder], own: Own) -> Verdict:
    """The outcome of a message from its orders: one that stands makes it accepted, else a doubt asks, else it is refused."""
    for status in ("accepted", "review", "rejected"):
        first = next((order for order in orders if order.status == status), None)
        if first is not None:
            return Verdict(first.status, first.reason, tuple(orders), own.text, first.rule)
    return Verdict("ignored", text=own.text)


def told(found: Verdict, judge: Judge, text: Text, parsed: Sequence[Parsed], words: Vocabulary) -> Verdict:
    """The verdict with its readings, and the words of the message with what explained them."""
    explained = tuple(sorted((one for p in parsed for one in p.explained), key=lambda one: one.start))
    open_orders = any(order.status == "review" for order in found.orders)
    unexplained = _unexplained(text, parsed) if open_orders else ()
    readings = _readings(judge.open, words) if open_orders else ()
    return replace(found, readings=readings, explained=_once(explained), unexplained=unexplained)


def _readings(open_orders: Sequence[tuple[Any, Sequence[ReadOrder]]], words: Vocabulary) -> tuple[tuple[ReadOrder, ...], ...]:
    """Every way to settle what is open, the likeliest first: of one slot one order, of different slots one each."""
    choices: dict[Any, list[ReadOrder]] = {}
    for slot, orders in open_orders:
        for order in orders:
            if _complete(order, words):
                made = replace(order, status="accepted", reason=None)
                known = choices.setdefault(str(slot), [])
                if all((made.action, made.targets, made.args) != (old.action, old.targets, old.args) for old in known):
                    known.append(made)
    if not choices:
        return ()
    return tuple(tuple(reading) for reading, _ in zip(product(*choices.values()), range(_MOST_READINGS), strict=False))


def _complete(order: ReadOrder, words: Vocabulary) -> bool:
    spec = words.actions.get(order.action)
    if spec is None:
        return False
    args: Mapping[str, Any] = order.args
    given = all(args.get(name) is not None and not isinstance(args.get(name), list) for name in spec.needs)
    return given and len(order.targets) >= spec.least and len(order.targets) <= max(spec.most, 1)


def _unexplained(text: Text, parsed: Sequence[Parsed]) -> tuple[Span, ...]:
    """The words of the clauses of orders that no class explains; where they are none, those of the whole message: one of them
    may be the move word."""
    open_words = {i for p in parsed for claim in p.claims for i in claim.unexplained}
    open_words = open_words or {i for p in parsed for i in p.unexplained}
    return tuple(Span(text.found[i].start, text.found[i].end, "unknown") for i in sorted(open_words))


def _once(explained: Sequence[Explained]) -> tuple[Explained, ...]:
    return tuple(dict.fromkeys(explained))
