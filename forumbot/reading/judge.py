"""Claims held against the rules: each is offered to the engine, in order, on the game as it stands; what it answers is
the status of the order. No rule is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

from engine.chance import Chance
from engine.messages import ReadOrder, Span
from engine.model import EngineError, Order, Rejected
from forumbot.reading.arguments import SUM
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.settling.slots import slot
from forumbot.reading.vocabulary import Action

_MOST_READINGS = 8
"""Candidate readings that are shown to the host."""


CANNOT_JUDGE = "cannot_judge"


class Answer(NamedTuple):
    """What the calendar or the engine says to an order: a reason id (None when it is allowed) and the rule."""

    reason: str | None
    rule: str
    by_rules: bool
    """The engine's own tests answered, not the calendar."""
    game: Any = None
    """The game with the order taken."""


class Judge:
    """The game of one message, orders already taken from it included."""

    def __init__(self, ruleset: Any, game: Any, sender: Sender, at: datetime | None, *, public: bool) -> None:
        self._ruleset = ruleset
        self._game = game
        self._sender = sender
        self._at = at
        self._public = public
        self._bought: list[Any] = []
        self.open: list[tuple[Any, list[ReadOrder]]] = []
        """What is left to be asked: the slot of a claim, and the orders that it could mean."""
        self._prices: Mapping[str, int] = getattr(getattr(game, "tables", None), "prices", None) or {}
        tables = getattr(game, "tables", None)
        self._calendar = ruleset.calendar(tables) if at is not None and tables is not None else None

    def hour(self, action: str) -> str | None:
        """What the calendar alone says to an order of this moment: a reason id, None within its hours."""
        if self._calendar is None or self._at is None:
            return None
        reason: str | None = self._calendar.refuse(self._game, action, self._at, public=self._public)
        return reason

    def refuse(self, action: str, targets: tuple[str, ...], args: Mapping[str, Any]) -> Answer:
        """The answer to an order; the game stays as it is."""
        reason = self.hour(action)
        if reason is not None:
            return Answer(reason, "", False)
        order = Order(self._sender.seat, action, targets, args, self._at)
        game = self._game
        try:
            for mark in self._ruleset.marks_before(game, order):
                game, _ = self._ruleset.mark(game, mark, Chance(0))
            game, events = self._ruleset.receive(game, order, Chance(0))
        except (EngineError, ArithmeticError, LookupError, TypeError, ValueError):
            # an order that the engine cannot even test is one for the host; the text that led to it must not stop the rest
            return Answer(CANNOT_JUDGE, "", False)
        first = events[0] if events else None
        if isinstance(first, Rejected):
            return Answer(first.reason, first.rule, True)
        return Answer(None, first.rule if first is not None else "", True, game)

    def orders(self, text: Text, claims: Sequence[Claim]) -> list[ReadOrder]:
        """The orders of a message's claims with their statuses; purchases first where the rules take them first."""
        actions = self._sender.words.actions
        ordered = sorted(claims, key=lambda claim: not actions[claim.actions[0]].first)
        found: list[ReadOrder] = []
        shots: dict[str, int] = {}
        self._bought = [claim.args.get("item") for claim in claims]
        for claim in ordered:
            self._pay(claim)
            made = self._order(text, claim, shots)
            asked = [order for order in made if order.status == "review"]
            if asked:
                self.open.append((slot(claim, self._sender), asked))
            found.extend(made)
        for action, count in shots.items():
            if count > 1 and not self._has_shots(action, count - 1):
                found = [replace(o, status="review", reason="two_targets") if o.action == action else o for o in found]
        return self._fall_together(found)

    def _pay(self, claim: Claim) -> None:
        """A sum that is named with a good is its price, or a share of it where the ruleset has pools; else a question."""
        named = claim.args.pop(SUM, None)
        price = self._prices.get(str(claim.args.get("item")))
        if named is None or price is None or named == price:
            return
        pool = self._sender.words.settings.get("shares")
        if pool is not None and claim.form == "goods" and named < price and claim.args.get("item") in pool["items"]:
            claim.actions = (pool["action"],)
            claim.args["coins"] = named
        else:
            claim.doubt("sum")

    def _fall_together(self, found: list[ReadOrder]) -> list[ReadOrder]:
        """Orders that one letter may not hold together are all refused when one of them is (clans R69)."""
        for actions, reason in self._sender.words.together:
            hit = any(order.status == "rejected" and order.reason == reason and order.action in actions for order in found)
            if hit and len({order.action for order in found if order.action in actions}) > 1:
                found = [
                    ReadOrder(o.action, o.targets, o.args, "rejected", reason, o.spans, o.rule) if o.action in actions else o
                    for o in found
                ]
        return found

    def _spec(self, claim: Claim) -> Action:
        """The vocabulary's entry of a claim. A captive's move names as many targets as the move itself (mafialife R87)."""
        actions = self._sender.words.actions
        spec = actions[claim.actions[0]]
        inner = actions.get(str(claim.args.get("action", ""))) if spec.wraps else None
        return spec if inner is None else replace(spec, most=inner.most)

    def _order(self, text: Text, claim: Claim, shots: dict[str, int]) -> list[ReadOrder]:
        spec = self._spec(claim)
        spans = spans_of(text, claim)
        if claim.refusal is not None:
            return self._refused(claim, spans)
        if "conditional" in claim.doubts and spec.condition == "rejected" and "question" not in claim.doubts:
            return [ReadOrder(spec.id, claim.seats(), claim.args, "rejected", "conditional", spans)]
        several = spec.most == 1 and len(claim.targets) > 1
        if self._in_part(text, claim):
            claim.doubts.append("taken_back")
        if claim.doubts or claim.either or any(len(t.seats) != 1 or not t.sure for t in claim.targets):
            return self._doubtful(claim, spans)
        if several and not (spec.shots or spec.several):
            claim.doubts.append("two_targets")
            return self._doubtful(claim, spans)
        wishes = [(target.seats[0],) for target in claim.targets] if several else [tuple(t.seats[0] for t in claim.targets)]
        found: list[ReadOrder] = []
        for targets in wishes:
            if self._repeats(spec.id, targets):
                continue
            args = dict(claim.args)
            if spec.shots and "shot" not in args:
                shots[spec.id] = shots.get(spec.id, 0) + 1
                if shots[spec.id] > 1:
                    args["shot"] = shots[spec.id]
            found.append(self._certain(claim, targets, args, spans))
        if several and any(
            o.status != "accepted" and o.reason in self._sender.words.settings.get("not_enough", ()) for o in found
        ):
            found = [ReadOrder(o.action, o.targets, o.args, "review", "two_targets", o.spans, o.rule) for o in found]
        return found

    def _in_part(self, text: Text, claim: Claim) -> bool:
        """Whether one role's move is taken back («отменяю охрану») of several that stand: a cancel takes all (goldenkey R14)."""
        roles = [hit for clause in text.of(claim.sentence) for hit in clause.kinds("role")]
        whole = any(token.folded.startswith("ход") for token in text.found[claim.start : claim.end])
        if claim.actions[0] != "cancel" or "what" in claim.args or not (roles or (claim.end > claim.start + 1 and not whole)):
            return False
        actions = self._sender.words.actions
        orders = self._ruleset.standing(self._game, self._sender.seat)
        return sum("acting_role" in actions[order.action].args for order in orders if order.action in actions) > 1

    def _has_shots(self, action: str, wanted: int) -> bool:
        """Whether the further shots were bought, in this message or before: two names alone are a question."""
        spec = self._sender.words.actions[action]
        return self._bought.count(spec.shot_item) + int(self._sender.known.more.get(spec.shot_known) or 0) >= wanted

    def _repeats(self, action: str, targets: tuple[str, ...]) -> bool:
        """Whether the order only says again what stands (the same post sent twice)."""
        standing = self._sender.words.settings.get("repetitions", {}).get(action)
        return standing is not None and targets == (self._sender.known.more.get(standing),)

    def _certain(self, claim: Claim, targets: tuple[str, ...], args: dict[str, Any], spans: tuple[Span, ...]) -> ReadOrder:
        """An order whose words are clear: the engine has the word."""
        answers: list[tuple[str, Answer]] = []
        for action in claim.actions:
            answers.append((action, self.refuse(action, targets, args)))
            if answers[-1][1].reason is None and not claim.by_role:
                break
        allowed = [action for action, answer in answers if answer.reason is None]
        if len(allowed) > 1:
            return ReadOrder(allowed[0], targets, args, "review", "ambiguous_action", spans)
        if allowed:
            taken = next(answer for action, answer in answers if action == allowed[0])
            self._game = taken.game
            return ReadOrder(allowed[0], targets, args, "accepted", None, spans, taken.rule)
        action, answer = answers[0]
        if answer.reason == CANNOT_JUDGE or answer.reason in self._sender.words.settings.get("asks", ()):
            return ReadOrder(action, targets, args, "review", answer.reason, spans, answer.rule)
        return ReadOrder(action, targets, args, "rejected", answer.reason, spans, answer.rule, answer.by_rules)

    def _refused(self, claim: Claim, spans: tuple[Span, ...]) -> list[ReadOrder]:
        """The reading's own refusal; what forbids the order whoever is meant comes before it (clans 1.4, goldenkey 1.4)."""
        hopeless = self._sender.words.settings.get("hopeless", ())
        answers = [self.refuse(action, claim.seats(), claim.args) for action in claim.actions]
        if all(answer.reason in hopeless for answer in answers):
            why, rule = answers[0][:2]
            return [ReadOrder(claim.actions[0], claim.seats(), claim.args, "rejected", why, spans, rule)]
        reason = claim.refusal or ""
        named = self._sender.words.reasons.get(reason, reason)
        return [ReadOrder(claim.actions[0], claim.seats(), claim.args, "rejected", named, spans)]

    def _doubtful(self, claim: Claim, spans: tuple[Span, ...]) -> list[ReadOrder]:
        """Candidate readings for the host. Refused outright when the rules allow none of them, whoever is meant."""
        spec = self._spec(claim)
        if spec.most > 1 and not claim.either:
            choices: list[tuple[str, ...]] = list(product(*(target.seats for target in claim.targets)))[:_MOST_READINGS]
        else:
            single: list[tuple[str, ...]] = [(seat,) for target in claim.targets for seat in target.seats]
            choices = single[:_MOST_READINGS] or [()]
        reason = claim.doubts[0] if claim.doubts else "ambiguous_nick"
        hopeless = self._sender.words.settings.get("hopeless", ())
        answers = [self.refuse(action, targets, claim.args) for targets in choices for action in claim.actions]
        if answers and all(answer.reason in hopeless for answer in answers) and "question" not in claim.doubts:
            why, rule = answers[0][:2]
            return [ReadOrder(claim.actions[0], targets, claim.args, "rejected", why, spans, rule) for targets in choices]
        return [
            ReadOrder(action, targets, claim.args, "review", reason, spans)
            for targets in choices
            for action in (claim.actions if claim.by_role else claim.actions[:1])
        ]


def spans_of(text: Text, claim: Claim) -> tuple[Span, ...]:
    """The words a claim rests on, as offsets into the own words."""
    found = text.found
    spans: list[Span] = []
    if claim.start < claim.end <= len(found):
        spans.append(Span(found[claim.start].start, found[claim.end - 1].end, "action"))
    for target in claim.targets:
        spans.append(Span(found[target.start].start, found[target.end - 1].end, "target" if target.sure else "doubt"))
    return tuple(spans)
