"""What a message claims: candidates of orders as the reading sees them, before the rules are asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.messages import Known
from forumbot.reading.names.roster import Roster
from forumbot.reading.vocabulary import Action, Vocabulary


@dataclass(slots=True)
class Target:
    """Whom a word means: one seat when the reading is sure, several when it is not, none for a nick nobody has."""

    seats: tuple[str, ...]
    start: int
    end: int
    sure: bool = True
    kind: str = "nick"


@dataclass(slots=True)
class Claim:
    """One wish as written. ``doubts`` are reasons to ask, ``refusal`` a reason of the reading to refuse."""

    actions: tuple[str, ...]
    """Actions that the words may mean, the likeliest first."""
    start: int
    end: int
    """The tokens of its move word."""
    clause: int
    sentence: int
    form: str = "noun"
    """How the move word stands: a form of ``facts``, "role", "goods", "hint" or "nick" (nothing but a nick)."""
    targets: list[Target] = field(default_factory=list)
    args: dict[str, Any] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    """Reasons why it is positively no order (of the past, somebody else's, denied ...): it gives way to any order."""
    refusal: str | None = None
    role: str | None = None
    """The role named as the one who acts."""
    performer: Target | None = None
    performer_role: str | None = None
    """The role by which the one who carries it out is named («Киллер Дуремар: …»)."""
    behind: bool = False
    """The role stands behind the nick («Дрозд у нас Дуремар»): no move, but perhaps part of a list."""
    either: bool = False
    """Its targets are alternatives."""
    subject: bool = False
    turned: bool = False
    """Words of a correction stand before it: it replaces what was said."""
    unexplained: list[int] = field(default_factory=list)
    """Words of its clause that no class explains."""
    govern: str = "noun"
    """How the move word governs (``slots.government``)."""
    label: bool = False
    """The move word stands as a label («Линч:»)."""
    open: bool = False
    """Its word hints at several of the writer's own moves."""
    order: int = 0
    """Its place among the claims of the message."""

    def seats(self) -> tuple[str, ...]:
        """Everybody whom it may be about, in the order of the words."""
        return tuple(seat for target in self.targets for seat in target.seats)

    @property
    def by_role(self) -> bool:
        """Only a role is named: which of ``actions`` is meant the rules must leave open to one."""
        return self.form == "role" or self.open

    def doubt(self, reason: str) -> None:
        """Add a reason to ask."""
        if reason not in self.doubts:
            self.doubts.append(reason)


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
    moves: tuple[str, ...]
    """All actions of their roles."""
    letter: bool

    def spec(self, claim: Claim) -> Action:
        """The vocabulary's entry of a claim's likeliest action."""
        return self.words.actions[claim.actions[0]]

    def somehow(self) -> tuple[str, ...]:
        """What a letter most likely asks for that names no move: the writer's own, else a vote where letters vote."""
        spec = self.words.actions.get("vote")
        return self.defaults[:1] or self.moves or (("vote",) if spec is not None and spec.channel != "post" else ())
