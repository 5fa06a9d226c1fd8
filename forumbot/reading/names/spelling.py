"""How far a spelling of a nick is to be trusted, and which tokens can be one.

Order of trust: the nick itself, its look-alike key, its case forms; then a unique part, an
abbreviation, a pet form, another alphabet; then one typing error. What fits two players is never decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forumbot.reading.text import Token, tokens

EXACT, LOOKALIKE, FORM, NEAR, PET, TYPO, TITLE, DOUBTFUL = range(8)
"""How a spelling came to be read as a nick; lower is surer. TITLE is a part that says little by itself («Королева»), enough
only with a capital; DOUBTFUL is worth a question, never an order."""
JOINERS = frozenset([*"-–—_.'\"«»`’*~", "no"])
"""Signs that may stand inside a nick; "no" is the folded «№»."""
ENDING = frozenset(",;:.!?…()")
"""Signs that could end a clause."""
GLUED_JOINERS = frozenset("@$&+!=|/")
"""Signs that join only where no space stands about them."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player that a spelling may mean, and in which cases it then stands."""

    seat: str
    rank: int
    cases: frozenset[str]


@dataclass(slots=True)
class Entry:
    rank: int
    cases: set[str] | frozenset[str] = field(default_factory=set)


Index = dict[str, dict[str, Entry]]


class Sharing:
    """Makes one of equal things: the spellings of a roster have few ranks, cases and players among them, and each would else
    stand in memory for itself. What it gives is for reading alone."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._entries: dict[tuple[int, frozenset[str]], Entry] = {}
        self._players: dict[tuple[tuple[str, int], ...], dict[str, Entry]] = {}

    def index(self, index: Index) -> Index:
        """The same index of shared parts."""
        return {self._texts.setdefault(spelling, spelling): self._of(players) for spelling, players in index.items()}

    def _of(self, players: Mapping[str, Entry]) -> dict[str, Entry]:
        shared = {seat: self._entry(entry) for seat, entry in players.items()}
        return self._players.setdefault(tuple((seat, id(entry)) for seat, entry in shared.items()), shared)

    def _entry(self, entry: Entry) -> Entry:
        cases = frozenset(entry.cases)
        return self._entries.setdefault((entry.rank, cases), Entry(entry.rank, cases))


def lexical(found: Sequence[Token]) -> list[int]:
    """Indices of the tokens that carry names: words and numbers, without an N that only says "number"."""
    return [
        i
        for i, token in enumerate(found)
        if token.kind in "wn" and not (token.folded == "n" and i + 1 < len(found) and found[i + 1].kind == "n")
    ]


def pieces(nick: str) -> tuple[str, ...]:
    """A nick's words and numbers, folded; of a nick of signs only, its signs."""
    found = tokens(nick)
    words = tuple(found[i].folded for i in lexical(found))
    return words or tuple(token.folded for token in found if token.kind == "s")


def joined(found: Sequence[Token], left: int, right: int) -> bool:
    """Whether two lexical tokens stand so near that they can be one nick."""
    between = found[left + 1 : right]
    if len(between) > 2:
        return False
    for token in between:
        if token.kind == "w":
            continue
        if token.folded in GLUED_JOINERS and token.glued and found[right].glued:
            continue
        if token.folded not in JOINERS:
            return False
        if token.folded in "-–—" and not (token.glued or found[right].glued):
            return False
    return True


def merge(into: dict[str, Entry], entries: Mapping[str, Entry] | None) -> None:
    for seat, entry in (entries or {}).items():
        kept = into.setdefault(seat, Entry(entry.rank))
        if entry.rank < kept.rank:
            kept.rank, kept.cases = entry.rank, set()
        if entry.rank == kept.rank:
            kept.cases |= entry.cases


def ranked(entries: Mapping[str, Entry]) -> tuple[Candidate, ...]:
    found = (Candidate(seat, entry.rank, frozenset(entry.cases)) for seat, entry in entries.items())
    return tuple(sorted(found, key=lambda candidate: candidate.rank))
