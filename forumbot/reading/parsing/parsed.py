"""A clause with what was made of its words.

What no class explains stays in ``unexplained``; a nick that no slot and no aside takes stays in ``free``. Nobody is asked
here: what follows from either is decided by the whole message (``discourse``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.messages import Explained
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Clause, Text
from forumbot.reading.heads import Head
from forumbot.reading.mentions import Mention
from forumbot.reading.phrases import Hit
from forumbot.reading.text import Token
from forumbot.reading.vocabulary import Vocabulary

COVERING = frozenset(
    (
        "now", "turn", "no_condition", "no_joke", "no_subjunctive", "same_place", "thanks", "concede", "mine", "plus_one",
        "gender_m", "gender_f", "list_number",
    )
)  # fmt: skip
"""Marks whose words are explained by themselves; the others are only when a rule asks for them."""


@dataclass(slots=True)
class Parsed:
    """A clause with what was made of its words."""

    clause: Clause
    index: int
    heads: list[Head] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    """All that can be players, the writer and places in the list included."""
    free: list[Mention] = field(default_factory=list)
    """Nicks that no slot and no aside takes."""
    aside: list[Mention] = field(default_factory=list)
    """Nicks that words beside the order explain («вслед за Феей»)."""
    dropped: list[Mention] = field(default_factory=list)
    """Nicks that are named only to be left out («не Бориса»)."""
    subject: Mention | None = None
    """Who acts, said before a verb of the third person."""
    unexplained: list[int] = field(default_factory=list)
    verbs: list[int] = field(default_factory=list)
    """Finite verbs that no class explains."""
    roles: list[Hit] = field(default_factory=list)
    """Role names that are no nicks."""
    explained: list[Explained] = field(default_factory=list)

    @property
    def verbs_of_its_own(self) -> bool:
        """It has a predicate of its own, so that it is no mere word set off by commas."""
        return bool(self.verbs or self.heads)

    @property
    def silent(self) -> bool:
        """Nothing but words that say nothing of their own."""
        return not (self.claims or self.free or self.unexplained)


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its writer, as its clauses are parsed."""

    text: Text
    found: list[Token]
    sender: Sender
    words: Vocabulary


def lay(clause: Clause, covered: list[str], start: int, end: int, by: str) -> None:
    for i in range(max(start, clause.start), min(end, clause.end)):
        covered[i - clause.start] = covered[i - clause.start] or by
