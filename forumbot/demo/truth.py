"""What should have come of the players' intentions: the engine run by itself on what they meant, and the comparison with the game
that the daemon hosted. Nothing of the reading or the hosting is asked here; the engine, the tables and the seed are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from engine.chance import Chance
from engine.model import Accepted, Death, Event, Line, Order, Rejected
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Accounts
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
) -> Truth:
    """Play the game of these intentions from the closed sign-up to its end, or as far as the messages go.

    ``brought``: what players have of earlier games (nick -> currency -> sum).
    """
    rules = find_ruleset(ruleset_id)
    checked = rules.tables(tables, {})
    calendar = rules.calendar(checked)
    chance = Chance(seed)
    chance.begin(-1)
    game, _ = rules.deal(seats, checked, chance)
    if isinstance(rules, Accounts):
        for seat in seats:
            for order in rules.bring(game, seat, brought.get(seat, {})):
                game, _ = rules.receive(game, order, chance)
    waiting = sorted(
        (
            one
            for one in said
            if one.topic == "day" and one.means == "order" and one.sent and one.edited is None and not one.outsider
        ),
        key=lambda one: (one.sent, one.source),
    )
    last = max((one.sent for one in waiting if one.sent), default=closed)
    answers: dict[str, tuple[str, ...]] = {}

    def take(until: datetime, events: list[Event]) -> None:
        nonlocal game
        while waiting and waiting[0].sent is not None and waiting[0].sent < until:
            one = waiting.pop(0)
            told: list[str] = []
            for wish in one.wishes:
                order = Order(one.author, wish.action, wish.targets, wish.args, one.sent, ref=one.source)
                public = one.channel == "post"
                late = calendar.refuse(game, wish.action, one.sent, public=public) if one.sent else None
                if late is not None:
                    told.append(late)
                    continue
                game, followed = rules.receive(game, order, chance)
                events.extend(followed)
                told.extend(_answer(event) for event in followed[:1])
            answers[one.source] = tuple(told)

    opens = calendar.first_open(closed, first_day)
    if rules.stage(game) == "setup":
        for due in calendar.setup(closed, opens):
            take(due.at, [])
            game, _ = rules.mark(game, due.name, chance)
    turns: list[TrueTurn] = []
    while rules.winner(game) is None and opens <= last:
        game, opened = rules.open(game, chance)
        events = list(opened)
        number = rules.turn(game)
        for due in calendar.turn(number, opens):
            take(due.at, events)
            if due.call == "mark":
                game, followed = rules.mark(game, due.name, chance)
                events.extend(followed)
            elif due.call == "close":
                game, followed = rules.close(game, chance)
                events.extend(followed)
                opens = calendar.next_open(number, due.at)
        lines = tuple(event for event in events if isinstance(event, Line))
        dead = sorted((event.player, event.cause) for event in events if isinstance(event, Death))
        turns.append(TrueTurn(number, lines, tuple(dead)))
    return Truth(tuple(turns), rules.winner(game), answers)


def _answer(event: Event) -> str:
    if isinstance(event, Rejected):
        return event.reason
    return "accepted" if isinstance(event, Accepted) else type(event).__name__.lower()
