"""Scenarios played: a checked file in, result JSON out (contract.md).

``parse`` checks a file's content (``scenario_file``), ``run`` plays it, and ``Played.differences`` holds the result against
``[turns.expect]``. The reader of texts and the writer of the newspaper are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import rulesets
from engine.badinput import check_keys, check_year
from engine.chance import Chance
from engine.expectations import compare
from engine.messages import BOOK_ACTIONS, Message, Reader, ReadOrder
from engine.model import (
    Accepted,
    Counted,
    Data,
    Death,
    EngineError,
    Event,
    Line,
    Lynched,
    Notice,
    Order,
    Outcome,
    Rejected,
    Saved,
)
from engine.scenario_file import Scenario, Turn, parse
from engine.turn import Dated, Hearing, Ruleset

__all__ = ["Played", "Scenario", "Writer", "parse", "run"]

Writer = Callable[[str, int, Sequence[Line]], str]
"""Makes the newspaper as plain text: (ruleset id, turn, public lines) -> text."""


@dataclass(frozen=True, slots=True)
class Played:
    """The JSON object of ``simulate --json``, and what the host should hear besides (forced draws never used, ...)."""

    result: dict[str, Any]
    warnings: tuple[str, ...]
    expects: tuple[Data, ...]
    """``[turns.expect]`` of every turn of the file, also of turns that came after the end of the game."""

    def differences(self) -> list[str]:
        """What differs from the expectations, "turn #1: ..." each, as ``check_cases.py`` would say it."""
        found = []
        turns = self.result["turns"]
        for i, expect in enumerate(self.expects):
            if i < len(turns):
                found += [f"turn #{i + 1}: {text}" for text in compare(expect, turns[i])]
            elif expect:
                found.append(f"turn #{i + 1}: no result")
        return found


def run(scenario: Scenario, defaults: Mapping[str, Any], writer: Writer, reader: Reader | None = None) -> Played:
    """Play a scenario. ``defaults`` are the ruleset's packaged tables (``forumbot.resources.tables``).

    Raises EngineError for what only the ruleset can see to be wrong, for a forced draw whose value is no option, and
    for messages when no reader is given. Turns after the end of the game are not played and told in the warnings.
    """
    ruleset = rulesets.ruleset(scenario.ruleset)
    tables = ruleset.tables(defaults, scenario.tables)
    game = ruleset.start(scenario.cast, scenario.state, tables, scenario.first_turn)
    chance = Chance(scenario.seed)
    turns: list[dict[str, Any]] = []
    warnings: list[str] = []
    for turn in scenario.turns:
        if ruleset.winner(game) is not None:
            warnings.append(f"{turn.place}: игра уже окончена, ход не сыгран")
            continue
        table = _Table(ruleset, game, chance, turn, reader)
        try:
            table.play()
        except EngineError as err:
            raise EngineError(f"{turn.place}.{err.place}", err.problem, meant=err.meant) from err
        game = table.game
        turns.append(table.result(writer))
        _check_shown(f"{turn.place}.expect", turn.expect, turns[-1])
        for point, values in chance.unused().items():
            warnings.append(f"{turn.place}.chance.{point}: не понадобилось: {', '.join(values)}")
        chance.clear_forced()
    result = {"ruleset": scenario.ruleset, "seed": scenario.seed, "turns": turns}
    return Played(result, tuple(warnings), tuple(turn.expect for turn in scenario.turns))


class _Table:
    """One turn being played: the calls are made in order and their events collected."""

    def __init__(self, ruleset: Ruleset, game: Any, chance: Chance, turn: Turn, reader: Reader | None) -> None:
        self.game = game
        self._ruleset = ruleset
        self._chance = chance
        self._turn = turn
        self._reader = reader
        self._events: list[Event] = []
        self._marked: set[str] = set()
        self._messages: list[dict[str, Any]] = []
        self._drawn_before = len(chance.record)

    def play(self) -> None:
        for point, values in self._turn.forced.items():
            self._chance.force(point, values)
        self._take(self._ruleset.open(self.game, self._chance))
        self._check_date()
        for message in self._turn.messages:
            self._read(message)
        for order in self._turn.orders:
            self._receive_listed(order)
        for mark in self._ruleset.spec.marks:
            self._mark(mark)
        self._take(self._ruleset.close(self.game, self._chance))

    def _check_date(self) -> None:
        """The calendar of a scenario must not leave the years (contract.md)."""
        ends = self._ruleset.deadline(self.game) if isinstance(self._ruleset, Dated) else None
        if ends is not None:
            check_year("calendar", ends)

    def _take(self, play: tuple[Any, tuple[Event, ...]]) -> tuple[Event, ...]:
        self.game, events = play
        self._events += events
        return events

    def _mark(self, name: str) -> None:
        if name not in self._marked:
            self._marked.add(name)
            self._take(self._ruleset.mark(self.game, name, self._chance))

    def _receive_listed(self, order: Order) -> None:
        """An order of the file: what only the ruleset sees to be wrong in it is told with its place in the list."""
        try:
            self._receive(order)
        except EngineError as err:
            if err.place.startswith("chance."):
                raise
            listed = order.ref.removeprefix(f"{self._turn.place}.")
            raise EngineError(f"{listed}.{err.place}", err.problem, meant=err.meant) from err

    def _receive(self, order: Order) -> Rejected | None:
        for mark in self._ruleset.marks_before(self.game, order):
            self._mark(mark)
        events = self._take(self._ruleset.receive(self.game, order, self._chance))
        first = events[0] if events else None
        return first if isinstance(first, Rejected) else None

    def _read(self, message: Message) -> None:
        if self._reader is None:
            raise EngineError("messages", "сообщения здесь читать некому")
        verdict = self._reader.read(self._ruleset, self.game, message)
        outcome, reason = verdict.outcome, verdict.reason
        if message.kind == "post" and verdict.words is not None and "words" in self._ruleset.spec.host_actions:
            counted = {"count": verdict.words, "post": message.ref}
            self._receive(Order(message.author, "words", (), counted, message.at, message.ref))
        if verdict.outcome != "ignored" and isinstance(self._ruleset, Hearing):
            self.game = self._ruleset.hear(self.game, message.author)
        refusals: list[str | None] = []
        stands = False
        for i, read in enumerate(verdict.orders):
            refused = self._carry_out(message, read, i) if verdict.outcome in ("accepted", "rejected") else None
            if refused is not None:
                refusals.append(refused)
            elif read.status == "accepted":
                stands = True
        if outcome == "accepted" and refusals and not stands:
            doubtful = any(read.status == "review" for read in verdict.orders)
            outcome, reason = ("review", reason) if doubtful else ("rejected", refusals[0])
        self._messages.append(
            {
                "author": message.author,
                "outcome": outcome,
                "reason": reason,
                "orders": [
                    {"action": read.action, "targets": list(read.targets), "args": plain(read.args)} for read in verdict.orders
                ],
            }
        )

    def _carry_out(self, message: Message, read: ReadOrder, index: int) -> str | None:
        """Hand one read order to the engine if it was accepted; the reason when it was refused, by whomever."""
        ref = f"{message.ref}.orders[{index}]"
        order = Order(message.author, read.action, read.targets, read.args, message.at, ref)
        if read.status == "rejected" and read.by_rules:
            judged = self._receive(order)
            return judged.reason if judged is not None else None
        if read.status == "rejected":
            reason = read.reason or ""
            self._events.append(Rejected(message.author, read.action, reason, order, rule=read.rule, refs=(ref,)))
            if "order_rejected" in self._ruleset.spec.notices:
                told = {"action": read.action, "reason": reason}
                self._events.append(Notice(message.author, "order_rejected", told, rule=read.rule, refs=(ref,)))
            return reason
        if read.status != "accepted" or read.action in BOOK_ACTIONS:
            return None
        refused = self._receive(order)
        return None if refused is None else refused.reason

    def result(self, writer: Writer) -> dict[str, Any]:
        """The turn's JSON object; keys in the order of the contract, players in the order of the roster."""
        ruleset, game, events = self._ruleset, self.game, self._events
        seats = ruleset.seats(game)
        deaths = [e for e in events if isinstance(e, Death)]
        dead = {e.player for e in deaths}
        saved = {e.player for e in events if isinstance(e, Saved)}
        counted: Mapping[str, float] = {}
        for event in events:
            if isinstance(event, Counted):
                counted = event.votes
        outcomes = [e for e in events if isinstance(e, Outcome)]
        number = ruleset.turn(game)
        return {
            "turn": number,
            "dead": [seat for seat in seats if seat in dead],
            "deaths": [{"player": e.player, "cause": e.cause, "by": e.by} for e in deaths],
            "alive": list(ruleset.alive(game)),
            "votes": {seat: plain(counted[seat]) for seat in seats if counted.get(seat)},
            "lynched": [e.player for e in events if isinstance(e, Lynched)],
            "saved": [seat for seat in seats if seat in saved],
            "actions": [
                {
                    "player": e.player,
                    "action": e.action,
                    "targets": list(e.targets),
                    "args": plain(e.args),
                    "outcome": e.outcome,
                    "reason": e.reason,
                }
                for e in outcomes
            ],
            "rejected": [{"player": e.player, "action": e.action, "reason": e.reason} for e in _refused(events)],
            "notices": [{"to": e.to, "kind": e.kind, **plain(e.data)} for e in _told(events)],
            "balances": plain(ruleset.balances(game)),
            "state": plain(ruleset.state(game)),
            "winner": ruleset.winner(game),
            "winner_kind": ruleset.winner_kind(game),
            "report": writer(ruleset.id, number, [e for e in events if isinstance(e, Line)]),
            "messages": self._messages,
            "chance": [
                {"point": d.point, "options": list(d.options), "picked": d.picked, "forced": d.forced}
                for d in self._chance.record[self._drawn_before :]
            ],
        }


def _refused(events: Sequence[Event]) -> list[Rejected]:
    """The refusals that stand at the end: a later Accepted of the same order (by ``ref``) takes one back."""
    found: dict[tuple[str, int], Rejected] = {}
    for i, event in enumerate(events):
        if isinstance(event, Rejected):
            ref = event.order.ref if event.order is not None else ""
            found[(ref, 0) if ref else ("", i)] = event
        elif isinstance(event, Accepted):
            found.pop((event.order.ref, 0), None)
    return list(found.values())


def _told(events: Sequence[Event]) -> list[Notice]:
    """The notices that hold in the end: a later verdict on the same order (by ``ref``) takes back an earlier refusal,
    and a refusal also what the order brought about while it stood."""
    found: list[Notice] = []
    for event in events:
        if isinstance(event, Notice):
            found.append(event)
        elif isinstance(event, Rejected) and event.order is not None and event.order.ref:
            found = [n for n in found if event.order.ref not in n.refs]
        elif isinstance(event, Accepted) and event.order.ref:
            found = [n for n in found if n.kind != "order_rejected" or event.order.ref not in n.refs]
    return found


def plain(value: Any) -> Any:
    """The same data in dicts and lists, with whole floats as integers, ready for ``json.dumps``."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(inner) for inner in value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _check_shown(place: str, expect: Data, result: Data) -> None:
    """Keys of the expected ``state`` and owners of ``balances``: what no result ever has is misspelt, not different."""
    for table in ("state", "balances"):
        for name, inner in expect.get(table, {}).items():
            check_keys(f"{place}.{table}.{name}", inner, result[table].get(name, ()))
