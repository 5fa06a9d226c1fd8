"""A demo game without forum, mailbox or daemon: intentions, engine and, when asked for, the reading of each message."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.calendar import Due
from engine.chance import Chance
from engine.messages import Message
from engine.model import Order, Rejected
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Accounts
from forumbot import reading, resources
from forumbot.demo import signing_up
from forumbot.demo.driver import BREATH
from forumbot.demo.games import players_of
from forumbot.demo.games.model import View
from forumbot.demo.players import MOSCOW
from forumbot.demo.purses import purses
from forumbot.demo.rehearsal import company_of
from forumbot.demo.saying import Saying
from forumbot.hosting.turns.entering import merged

Sums = Counter[tuple[str, tuple[str, ...]]]
MOST_TURNS = 40


@dataclass
class Paper:
    """What came of it. ``wrong``: messages from which the reading took an order that the author did not mean, by the last
    order of each action; ``asked``: messages that were asked about, or of which a part was not taken, though they were meant."""

    winner: str | None = None
    turns: int = 0
    said: list[Saying] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


class PaperGame:
    """One game of a ruleset's players."""

    def __init__(self, ruleset: str, seed: int, *, read: bool) -> None:
        self._players = players_of(ruleset, seed)
        self._company = company_of(self._players, seed)
        for actor in self._company.actors.values():
            actor.proven = actor.mailing
        frame = self._players.frame
        self._rules = find_ruleset(ruleset)
        tables = self._rules.tables(merged(resources.toml(f"rulesets/{ruleset}.toml"), frame.tables), {})
        self._calendar = self._rules.calendar(tables)
        self._chance = Chance(seed)
        self._chance.begin(-1)
        signed = signing_up.sign_ups(self._company, frame, "Прохожий")
        for one in signed:
            one.sent = one.at
        seats = signing_up.seats(signed)
        self._game, _ = self._rules.deal(seats, tables, self._chance)
        if isinstance(self._rules, Accounts):
            brought = purses(self._company, frame)
            for seat in seats:
                for order in self._rules.bring(self._game, seat, brought.get(seat, {})):
                    self._game, _ = self._rules.receive(self._game, order, self._chance)
        self._reader = reading.reader(aliases={}, nicks={seat: (seat,) for seat in seats}) if read else None
        self._closed = frame.signup_closes.replace(tzinfo=MOSCOW)
        self._opens = self._calendar.first_open(self._closed, frame.first_day)
        self.paper = Paper()

    def play(self) -> Paper:
        rules, now = self._rules, self._closed + BREATH
        if rules.stage(self._game) == "setup":
            for due in self._calendar.setup(self._closed, self._opens):
                self._phase(-1, due, now)
                self._game, _ = rules.mark(self._game, due.name, self._chance)
                now = due.at + BREATH
        while rules.winner(self._game) is None and self.paper.turns < MOST_TURNS:
            self.paper.turns += 1
            self._game, _ = rules.open(self._game, self._chance)
            number, opens = rules.turn(self._game), self._opens
            for due in self._calendar.turn(number, opens):
                if due.call == "announce":
                    continue
                self._phase(number, due, now)
                if due.call == "mark":
                    self._game, _ = rules.mark(self._game, due.name, self._chance)
                else:
                    self._game, _ = rules.close(self._game, self._chance)
                    self._opens = self._calendar.next_open(number, due.at)
                now = due.at + BREATH
        self.paper.winner = rules.winner(self._game)
        return self.paper

    def _phase(self, turn: int, due: Due, start: datetime) -> None:
        view = View(self._rules, self._game, turn)
        planned = self._players.phase(self._company, view, due.name, start, due.at)
        for one in sorted(planned, key=lambda one: one.at):
            self.paper.said.append(one)
            if one.robot or one.outsider or (one.edit is not None and one.means == "void"):
                continue
            found = self._read(one)
            meant = self._receive(one)
            if found is None:
                continue
            orders = found
            if orders - meant:
                self.paper.wrong.append(f"{one.author}: {one.text!r} ({one.means}) -> {dict(orders)}, meant {dict(meant)}")
            elif meant - orders:
                self.paper.asked.append(f"{one.author}: {one.text!r}")

    def _read(self, one: Saying) -> Sums | None:
        """The orders that the reading takes; None without a reader."""
        if self._reader is None:
            return None
        message = Message(
            kind=one.channel,
            author=one.author,
            text=one.text,
            subject=None if one.channel == "post" else one.subject,
            format="plain" if one.channel == "letter" else "bbcode",
            at=one.at,
            ref="x",
        )
        verdict = self._reader.read(self._rules, self._game, message)
        if verdict.outcome != "accepted":
            return Counter()
        accepted = [order for order in verdict.orders if order.status == "accepted"]
        return _last(accepted)

    def _receive(self, one: Saying) -> Sums:
        taken: list[Any] = []
        for wish in one.wishes if one.means == "order" else ():
            if self._calendar.refuse(self._game, wish.action, one.at, public=one.channel == "post") is not None:
                continue
            order = Order(one.author, wish.action, wish.targets, wish.args, one.at)
            self._game, events = self._rules.receive(self._game, order, self._chance)
            if not isinstance(events[0], Rejected):
                taken.append(wish)
        return _last(taken)


def _last(orders: list[Any]) -> Sums:
    """The last order of each action and role: a revision inside a letter replaces what stood before it."""
    slots = {(order.action, order.args.get("item")): order for order in orders}
    several = {order.args.get("role") for order in orders if order.action == "kill"} - {None}
    if len(several) > 1:
        slots |= {(order.action, order.args.get("role")): order for order in orders}
    return Counter((order.action, tuple(order.targets)) for order in slots.values())
