"""One game in memory: the fold of its inputs. The same inputs give the same game, on every machine and every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.calendar import Hours
from engine.chance import Chance
from engine.model import Event
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Hearing, Ruleset, Timed
from forumbot.hosting.core.fates import Fate, note
from forumbot.hosting.core.wire import frozen, order_from

SETUP_TURN = -1
"""The turn number under which draws and deadlines of set-up stand."""


@dataclass(frozen=True, slots=True)
class Input:
    """One entry of the replay log. ``payload``: deal ``seats``; open, hours ``hours`` (``opens``; ``marks``: name -> moment);
    order: the order; heard ``player``; mark ``name``; force ``point``, ``values``."""

    seq: float
    kind: str
    turn: int
    at: datetime
    payload: Mapping[str, Any]
    row: int = 0
    """Its row in the store, which stays its own when the log is numbered anew; 0 for an input that is in none."""


@dataclass(slots=True)
class Match:
    """The present state of one game. ``apply`` is the only way it changes."""

    ruleset: Ruleset
    tables: Any
    chance: Chance
    game: Any = None
    opened_draws: int = 0
    turn_events: list[Event] = field(default_factory=list)
    """Everything that followed since the present turn opened (or since the deal)."""
    fates: dict[str, Fate] = field(default_factory=dict)
    """What it has made of the orders of messages, by their ``ref``."""

    @classmethod
    def begin(cls, ruleset_id: str, tables: Mapping[str, Any], seed: int) -> Match:
        """A match before its deal; ``tables`` are the frozen ones of the game. Raises EngineError for a wrong table."""
        rules = find_ruleset(ruleset_id)
        return cls(rules, rules.tables(tables, {}), Chance(seed))

    def apply(self, given: Input) -> tuple[Event, ...]:
        """Fold one input in and return what followed. Raises EngineError for an input the rules cannot take."""
        rules, chance = self.ruleset, self.chance
        match given.kind:
            case "deal":
                chance.begin(SETUP_TURN)
                self.game, events = rules.deal(tuple(given.payload["seats"]), self.tables, chance)
            case "open":
                chance.begin(given.turn)
                self.turn_events.clear()
                self.fates.clear()
                self.opened_draws = len(chance.record)
                self.game, events = rules.open(self.game, chance)
                self._take_hours(given)
            case "hours":
                self._take_hours(given)
                events = ()
            case "order":
                self.game, events = rules.receive(self.game, order_from(given.payload), chance)
            case "mark":
                self.game, events = rules.mark(self.game, given.payload["name"], chance)
            case "close":
                self.game, events = rules.close(self.game, chance)
            case "force":
                chance.force(given.payload["point"], tuple(frozen(given.payload["values"])))
                events = ()
            case "heard":
                if isinstance(rules, Hearing):
                    self.game = rules.hear(self.game, given.payload["player"])
                events = ()
            case "teach":
                # What the reader of texts learns; the rules know nothing of it.
                events = ()
            case _:
                raise ValueError(f"unknown kind of input {given.kind!r}")
        self.turn_events.extend(events)
        note(self.fates, events)
        return events

    def _take_hours(self, given: Input) -> None:
        """The open turn has the moments that the host has given it; games of earlier versions have told none."""
        said = given.payload.get("hours")
        if said is not None and isinstance(self.ruleset, Timed):
            marks = {name: datetime.fromisoformat(at) for name, at in said["marks"].items()}
            self.game = self.ruleset.with_hours(self.game, Hours(datetime.fromisoformat(said["opens"]), marks))

    def become(self, other: Match) -> None:
        """Take over the state of a match that was folded anew, after something in the past was put in or struck out."""
        self.game, self.chance = other.game, other.chance
        self.turn_events, self.opened_draws, self.fates = other.turn_events, other.opened_draws, other.fates

    def next_turn(self) -> int:
        """The number that the next ``open`` will give."""
        peeked, _ = self.ruleset.open(self.game, Chance(0))
        return self.ruleset.turn(peeked)

    @property
    def turn(self) -> int:
        """The present turn; ``SETUP_TURN`` before the first one."""
        return SETUP_TURN if self.game is None or self.stage == "setup" else self.ruleset.turn(self.game)

    @property
    def stage(self) -> str:
        """"signup" before the deal, then the ruleset's own stage."""
        return "signup" if self.game is None else self.ruleset.stage(self.game)
