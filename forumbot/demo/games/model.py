"""What the driver asks of a ruleset's players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from engine.turn import Ruleset
from forumbot.demo.players import Company
from forumbot.demo.saying import Saying


@dataclass(frozen=True, slots=True)
class Frame:
    """How a demo game is set up. Times are Moscow time without a zone; ``tables`` go into the game's file."""

    ruleset: str
    title: str
    players: int
    mailing: float
    starts: datetime
    signup_closes: datetime
    first_day: date
    tables: Mapping[str, Any]
    phases: Mapping[str, str]
    """Name of a deadline -> what the time before it is called in Russian."""
    colour: str | None = None
    """The colour in which this ruleset's players sign up; None where any will do."""
    accounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Currency -> least and most that a player has left of earlier games."""


@dataclass(frozen=True, slots=True)
class View:
    """The game as the actors may ask it. Each looks only at what he was told: his role, his clan, who lives."""

    ruleset: Ruleset
    game: Any
    turn: int

    def alive(self) -> tuple[str, ...]:
        return self.ruleset.alive(self.game)

    def dead(self) -> tuple[str, ...]:
        alive = set(self.alive())
        return tuple(seat for seat in self.ruleset.seats(self.game) if seat not in alive)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        return self.ruleset.state(self.game)


class Players(Protocol):
    """The intentions of a ruleset's players. ``phase`` gives what they send between two deadlines; ``name`` is that of the
    one to come ("setup", "lynch", "night" ...)."""

    frame: Frame

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]: ...
