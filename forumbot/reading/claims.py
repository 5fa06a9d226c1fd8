"""What a message claims: candidates of orders as the grammar sees them, before the rules are asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.messages import Known
from forumbot.reading.names import Roster
from forumbot.reading.vocabulary import Vocabulary


@dataclass(slots=True)
class Target:
    """Whom a word means: one seat when the reading is sure, several when it is not, none for a nick nobody has."""

    seats: tuple[str, ...]
    start: int
    end: int
    sure: bool = True


@dataclass(slots=True)
class Claim:
    """One wish as written. ``doubts`` are reasons to ask the host, ``refusal`` a reason of the reading to refuse."""

    actions: tuple[str, ...]
    """Actions that the words may mean, the likeliest first."""
    start: int
    end: int
    targets: list[Target] = field(default_factory=list)
    args: dict[str, Any] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    refusal: str | None = None
    role: str | None = None
    """The role named as the one who acts."""
    performer: Target | None = None
    either: bool = False
    """Its targets are alternatives."""
    revision: bool = False
    subject: bool = False
    soft: bool = False
    """Made of hints only: gives way to any claim that names its action."""
    needs_target: bool = False
    sentence: int = 0
    label: bool = False
    """The action stands as a label («Линч:»)."""
    condition: bool = False
    behind: bool = False
    """The role stands behind the nick («Дрозд у нас Дуремар»): no move, but perhaps part of a list."""
    denial: bool = False
    """A "no move" that only a denied move word tells of («не стреляю»): gives way to any move."""
    by_role: bool = False
    """Only a role is named: which of ``actions`` is meant the rules must leave open to one."""

    def seats(self) -> tuple[str, ...]:
        return tuple(seat for target in self.targets for seat in target.seats)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who writes, what he may name and what the sentence may assume of him."""

    seat: str
    known: Known
    words: Vocabulary
    roster: Roster
    owned: frozenset[str]
    """Actions of his roles and those that everybody has."""
    defaults: tuple[str, ...]
    """Actions that the bare nick may mean."""
    letter: bool
