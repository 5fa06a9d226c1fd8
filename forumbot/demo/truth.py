"""What should have come of the players' intentions: the engine run by itself on what they meant, and the comparison with the game
that the daemon hosted. Nothing of the reading or the hosting is asked here, but for what it asked about instead of taking it; the
engine, the tables and the seed are the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from engine.calendar import Calendar
from engine.chance import Chance
from engine.model import Accepted, Death, Event, Line, Order, Rejected
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Accounts, Ruleset
from forumbot.demo.saying import Saying


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """One turn as it should have gone."""

    turn: int
    lines: tuple[Line, ...]
    dead: tuple[tuple[str, str], ...]
    """(nick, cause), by nick."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A whole game as meant. ``answers``: what the rules said to each message that held wishes, by its source."""

    turns: tuple[TrueTurn, ...]
    winner: str | None
    answers: Mapping[str, tuple[str, ...]]


def fold(
    ruleset_id: str,
    tables: Mapping[str, Any],
    seed: int,
    seats: Sequence[str],
    closed: datetime,
    first_day: date,
    said: Iterable[Saying],
    brought: Mapping[str, Mapping[str, int]],
    asked: Mapping[str, Collection[str]],
) -> Truth:
    """Play the game of these intentions from the closed sign-up to its end, or as far as the messages go.

    ``brought``: what players have of earlier games (nick -> currency -> sum). ``asked``: the source of a message -> its actions
    about which the bot asked: nobody answers here, so they are answered for by the rules and not played.
    """
    rules = find_ruleset(ruleset_id)
    checked = rules.tables(tables, {})
    course = _Course(rules, rules.calendar(checked), Chance(seed), _orders(said), asked)
    course.deal(seats, checked, brought)
    turns = course.play(closed, first_day)
    return Truth(turns, rules.winner(course.game), course.answers)


def _orders(said: Iterable[Saying]) -> list[Saying]:
    """What was meant as orders by those who play, in the order of its sending."""
    meant = [
        one
        for one in said
        if one.topic == "day" and one.means == "order" and one.sent and one.edited is None and not one.outsider
    ]
    return sorted(meant, key=lambda one: (one.sent, one.source))


class _Course:
    """The game of the intentions while it is played."""

    def __init__(
        self, rules: Ruleset, calendar: Calendar, chance: Chance, waiting: list[Saying], asked: Mapping[str, Collection[str]]
    ) -> None:
        self.game: Any = None
        self.answers: dict[str, tuple[str, ...]] = {}
        self._rules = rules
        self._calendar = calendar
        self._chance = chance
        self._waiting = waiting
        self._asked = asked

    def deal(self, seats: Sequence[str], tables: Any, brought: Mapping[str, Mapping[str, int]]) -> None:
        rules, chance = self._rules, self._chance
        chance.begin(-1)
        self.game, _ = rules.deal(seats, tables, chance)
        if isinstance(rules, Accounts):
            for seat in seats:
                for order in rules.bring(self.game, seat, brought.get(seat, {})):
                    self.game, _ = rules.receive(self.game, order, chance)

    def play(self, closed: datetime, first_day: date) -> tuple[TrueTurn, ...]:
        """All turns from the closed sign-up to the end, or to the last message."""
        rules = self._rules
        last = max((one.sent for one in self._waiting if one.sent), default=closed)
        opens = self._calendar.first_open(closed, first_day)
        if rules.stage(self.game) == "setup":
            for due in self._calendar.setup(closed, opens):
                self._take(due.at)
                self.game, _ = rules.mark(self.game, due.name, self._chance)
        turns: list[TrueTurn] = []
        while rules.winner(self.game) is None and opens <= last:
            turn, opens = self._turn(opens)
            turns.append(turn)
        return tuple(turns)

    def _turn(self, opens: datetime) -> tuple[TrueTurn, datetime]:
        """The turn that opens then, and when the next one does."""
        rules, chance = self._rules, self._chance
        self.game, opened = rules.open(self.game, chance)
        events = list(opened)
        number = rules.turn(self.game)
        for due in self._calendar.turn(number, opens):
            events += self._take(due.at)
            if due.call == "mark":
                self.game, followed = rules.mark(self.game, due.name, chance)
                events += followed
            elif due.call == "close":
                self.game, followed = rules.close(self.game, chance)
                events += followed
                opens = self._calendar.next_open(number, due.at)
        lines = tuple(event for event in events if isinstance(event, Line))
        dead = sorted((event.player, event.cause) for event in events if isinstance(event, Death))
        return TrueTurn(number, lines, tuple(dead)), opens

    def _take(self, until: datetime) -> list[Event]:
        """Hand the rules what was sent before a moment."""
        events: list[Event] = []
        while self._waiting and self._waiting[0].sent is not None and self._waiting[0].sent < until:
            one = self._waiting.pop(0)
            told: list[str] = []
            for wish in one.wishes:
                order = Order(one.author, wish.action, wish.targets, wish.args, one.sent, ref=one.source)
                public = one.channel == "post"
                late = self._calendar.refuse(self.game, wish.action, one.sent, public=public) if one.sent else None
                if late is not None:
                    told.append(late)
                    continue
                if wish.action in self._asked.get(one.source, ()):
                    _, followed = self._rules.receive(self.game, order, deepcopy(self._chance))
                else:
                    self.game, followed = self._rules.receive(self.game, order, self._chance)
                    events += followed
                told += [_answer(event) for event in followed[:1]]
            self.answers[one.source] = tuple(told)
        return events


def _answer(event: Event) -> str:
    if isinstance(event, Rejected):
        return event.reason
    return "accepted" if isinstance(event, Accepted) else type(event).__name__.lower()
