"""The clause, unit of the reading: sentences parted at their signs and conjunctions, each part with what was found in it.

A clause says one thing: an order, a reason, a condition, a correction. What it says is decided by those who ask it
(``heads``, ``parsing``, ``hedges``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from forumbot.reading.mentions import Mention
from forumbot.reading.own import Own
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Sentence
from forumbot.reading.text import Token

LABEL_SIGNS = frozenset((":", "-", "–", "—", "=", ">", "→"))
"""Signs between a label and what it names."""


@dataclass(slots=True)
class Clause:
    """Tokens ``start`` to ``end`` (exclusive). ``opener`` is the sign or conjunction before them, ``closer`` the one behind."""

    start: int
    end: int
    sentence: int
    opener: str = ""
    closer: str = ""
    stop: str = ""
    """How its sentence ends."""
    subject: bool = False
    color: str | None = None
    quoted: bool = False
    """Words between quotation marks that are somebody's."""
    last: bool = False
    """The last of its sentence."""
    bracketed: bool = False
    hits: list[Hit] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    _by_kind: dict[str, list[Hit]] | None = field(default=None, repr=False, compare=False)
    _by_mark: dict[str, list[Hit]] | None = field(default=None, repr=False, compare=False)

    def kinds(self, kind: str) -> Sequence[Hit]:
        """What was found of one kind ("action", "role", "item" ...)."""
        if self._by_kind is None:
            by_kind: dict[str, list[Hit]] = {}
            for hit in self.hits:
                by_kind.setdefault(hit.meaning.kind, []).append(hit)
            self._by_kind = by_kind
        return self._by_kind.get(kind, ())

    def marks(self, *names: str) -> list[Hit]:
        """The marks of everyday words with one of these ids."""
        found = self._marks()
        if len(names) == 1:
            return found.get(names[0], [])
        return [hit for hit in self.kinds("mark") if hit.meaning.id in names] if found else []

    def has(self, *names: str) -> bool:
        """Whether one of these marks stands in it."""
        return not self._marks().keys().isdisjoint(names)

    def _marks(self) -> dict[str, list[Hit]]:
        """The marks by their ids: they are asked for a hundred times a message."""
        if self._by_mark is None:
            by_mark: dict[str, list[Hit]] = {}
            for hit in self.kinds("mark"):
                by_mark.setdefault(hit.meaning.id, []).append(hit)
            self._by_mark = by_mark
        return self._by_mark


@dataclass(slots=True)
class Text:
    """A message's own words, taken apart."""

    own: Own
    found: list[Token]
    sentences: list[Sentence]
    clauses: list[Clause]

    def words(self, start: int, end: int) -> str:
        """The text between two token indices, as written."""
        if start >= end or start >= len(self.found):
            return ""
        return self.own.text[self.found[start].start : self.found[min(end, len(self.found)) - 1].end]

    def of(self, sentence: int) -> list[Clause]:
        """The clauses of a sentence."""
        return [clause for clause in self.clauses if clause.sentence == sentence]
