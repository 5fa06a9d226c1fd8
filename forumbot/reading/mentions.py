"""Stretches of a text that may mean players: exact nicks first, longest first, then every spelling the roster knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from forumbot.reading.decline import is_common_word, is_word
from forumbot.reading.names.roster import HEARD_FROM, Roster
from forumbot.reading.names.spelling import DOUBTFUL, NEAR, TYPO, Candidate, joined, lexical
from forumbot.reading.text import Token, is_cyrillic, is_latin


@dataclass(slots=True)
class Mention:
    """A stretch of tokens that may mean players. ``kind``: "nick", "self" (the writer), "list" (a place in the roster)."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    kind: str = "nick"
    weak: bool = False
    """An ordinary word in small letters, or at the beginning of a sentence: a nick only where a nick must stand."""

    @property
    def seats(self) -> frozenset[str]:
        """Everybody whom it may mean."""
        return frozenset(candidate.seat for candidate in self.candidates)


def mentions(found: Sequence[Token], roster: Roster, knows: Callable[[str], bool]) -> list[Mention]:
    """All mentions of players in order. ``knows`` tells a word of the vocabulary, in which no typing error of a nick is looked
    for."""
    exact = roster.exact(found)
    lexicals = lexical(found)
    names: list[Mention] = []
    at = 0
    while at < len(lexicals):
        index = lexicals[at]
        if (made := exact.get(index)) is not None:
            names.append(made_exact := Mention(index, made[0], made[1]))
            while at < len(lexicals) and lexicals[at] < made_exact.end:
                at += 1
            continue
        size, candidates = _found(found, lexicals, at, roster, knows)
        if candidates:
            _add(names, found, lexicals, at, size, candidates)
        at += size
    names.extend(Mention(start, end, who) for start, (end, who) in exact.items() if not any(n.start == start for n in names))
    return sorted(names, key=lambda name: name.start)


def _found(
    found: Sequence[Token], lexicals: Sequence[int], at: int, roster: Roster, knows: Callable[[str], bool]
) -> tuple[int, tuple[Candidate, ...]]:
    """How many words from ``at`` on are a mention, and of whom; (1, ()) for none."""
    size, candidates = roster.find(found, lexicals, at)
    token = found[lexicals[at]]
    if not candidates:
        size = 1
        word = token.folded
        if token.kind == "w" and len(word) >= HEARD_FROM and _unknown(word) and not knows(word):
            candidates = tuple(c for c in roster.near(word) if c.rank <= TYPO)
    slip = _slip(found, lexicals, at, size, candidates, roster)
    return slip if slip is not None else (size, candidates)


def _add(
    names: list[Mention], found: Sequence[Token], lexicals: Sequence[int], at: int, size: int, candidates: tuple[Candidate, ...]
) -> None:
    index = lexicals[at]
    token = found[index]
    weak = size == 1 and token.kind == "w" and is_common_word(token.folded) and not token.capital
    weak = weak or (size == 1 and token.kind == "n")
    made = Mention(index, lexicals[at + size - 1] + 1, candidates, weak=weak)
    last = names[-1] if names else None
    if last is not None and last.end == made.start and (both := _both(last, made)):
        names[-1] = both
    else:
        names.append(made)


def _slip(
    found: Sequence[Token], lexicals: Sequence[int], at: int, size: int, candidates: Sequence[Candidate], roster: Roster
) -> tuple[int, tuple[Candidate, ...]] | None:
    """A nick of several words of which a part was found and the word beside it holds a typing error («Серый Вокл»): how
    many words it takes, and whom it means."""
    if not candidates or candidates[0].rank < NEAR or at + size >= len(lexicals):
        return None
    left, right = lexicals[at + size - 1], lexicals[at + size]
    word = found[right]
    if word.kind != "w" or not joined(found, left, right) or not _unknown(word.folded):
        return None
    spelling = " ".join(found[i].folded for i in lexicals[at : at + size + 1])
    whole = tuple(c for c in roster.near(spelling) if c.rank <= TYPO)
    seats = {c.seat for c in candidates}
    return (size + 1, whole) if len(whole) == 1 and whole[0].seat in seats else None


def _both(first: Mention, second: Mention) -> Mention | None:
    """Two mentions side by side that agree in one player are one («мадам Жоржетт»)."""
    if first.candidates[0].rank < NEAR or second.candidates[0].rank < NEAR:
        return None
    ranks = {c.seat: c for c in first.candidates}
    shared = tuple(c for c in second.candidates if c.seat in ranks)
    if len(shared) != 1:
        return None
    rank = min(shared[0].rank, ranks[shared[0].seat].rank)
    return Mention(first.start, second.end, (Candidate(shared[0].seat, rank, shared[0].cases),))


def _unknown(folded: str) -> bool:
    return (is_latin(folded) and is_cyrillic(folded)) or not is_word(folded)


def doubtful(folded: str, roster: Roster, *, cut: bool) -> tuple[Candidate, ...]:
    """Whom a word may mean that stands where a nick must stand."""
    return tuple(c for c in roster.near(folded, cut=cut) if c.rank <= DOUBTFUL)
