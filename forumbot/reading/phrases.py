"""Finding the words and phrases of a vocabulary among tokens: a table of patterns, matched in linear time.

A pattern is written as people write: words parted by blanks. ``слово`` matches that form, ``слов*`` every word that
begins so, ``~слово`` every form of the word, ``a|b`` either, ``..`` up to three words between, ``word?`` may be missing,
``#`` a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from forumbot.reading.decline import is_word
from forumbot.reading.facts import lemmas
from forumbot.reading.text import Token, fold, is_cyrillic, is_latin, key, to_cyrillic

_GAP = 3
_TYPO_FROM = 5
_CACHED = 50_000
_RANKS = {"mark": 1, "doubt": 2, "settled": 3, "free_condition": 4, "what": 5, "cover": 6, "hint": 7, "hedge": 8}
"""Kinds of meanings that do not compete with each other for a place, nor with the rest (rank 0)."""
_PAST = ("л", "ла", "ло", "ли", "лся", "лась", "лось", "лись", "вший", "вшая", "вшего", "вшую")


@dataclass(frozen=True, slots=True)
class _Word:
    """One word of a pattern. ``exact`` forms, ``starts`` beginnings, ``lemmas`` of any form, ``number`` for ``#``."""

    exact: frozenset[str]
    starts: tuple[str, ...]
    lemmas: frozenset[str] = frozenset()
    optional: bool = False
    gap: bool = False
    number: bool = False

    def matches(self, token: Token) -> bool:
        if self.number:
            return token.kind == "n"
        folded = token.folded
        if folded in self.exact or (self.starts and folded.startswith(self.starts)):
            return True
        return bool(self.lemmas) and token.kind == "w" and not self.lemmas.isdisjoint(lemmas(folded))


class Pattern(NamedTuple):
    """A pattern and what it stands for."""

    words: tuple[_Word, ...]
    meaning: Any
    second: frozenset[str] | None = None
    """The only spellings of its second word, where nothing else can stand there."""


class Hit(NamedTuple):
    """A pattern found: token indices ``start`` to ``end`` (exclusive). ``past`` tells that its verb is in the past."""

    start: int
    end: int
    meaning: Any
    past: bool
    typo: bool


class _First(NamedTuple):
    """What may begin with a word: by rank the meanings of the word alone, and longer patterns; ``past`` of each beside it."""

    alone: dict[int, tuple[tuple[Any, bool], ...]]
    longer: tuple[tuple[Pattern, bool], ...]
    typo: bool
    nothing: bool


def compile_pattern(text: str) -> tuple[_Word, ...]:
    """Raises ValueError for an empty pattern or one that begins with a gap."""
    words: list[_Word] = []
    for piece in text.split():
        if piece == "..":
            words.append(_Word(frozenset(), (), gap=True))
            continue
        if piece == "#":
            words.append(_Word(frozenset(), (), number=True))
            continue
        optional = piece.endswith("?") and len(piece) > 1
        forms = piece.removesuffix("?").split("|") if piece != "|" else [piece]
        exact = frozenset(fold(form) for form in forms if not form.endswith("*") and not form.startswith("~"))
        starts = tuple(fold(form[:-1]) for form in forms if form.endswith("*"))
        spelled = frozenset(fold(form[1:]) for form in forms if form.startswith("~"))
        words.append(_Word(exact, starts, spelled, optional=optional))
    if not words or words[0].gap or words[0].optional:
        raise ValueError(f"a pattern cannot begin so: {text!r}")
    return tuple(words)


def _second(words: tuple[_Word, ...]) -> frozenset[str] | None:
    if len(words) < 2:
        return None
    second = words[1]
    open_ended = second.gap or second.optional or second.number or second.starts or second.lemmas
    return None if open_ended else second.exact


class PhraseTable:
    """Patterns with their meanings, found together in one pass. Of those of one rank that begin at one place the
    longest wins, equals are all given."""

    def __init__(self, entries: Iterable[tuple[str, Any]], *, typos: bool = True) -> None:
        self._by_word: dict[str, list[Pattern]] = {}
        self._by_start: dict[str, list[Pattern]] = {}
        self._by_lemma: dict[str, list[Pattern]] = {}
        self._numbers: list[tuple[Pattern, bool]] = []
        self._first: dict[str, _First] = {}
        self._typos = typos
        for text, meaning in entries:
            words = compile_pattern(text)
            pattern = Pattern(words, meaning, _second(words))
            first = pattern.words[0]
            for word in first.exact:
                self._by_word.setdefault(word, []).append(pattern)
            for start in first.starts:
                self._by_start.setdefault(start, []).append(pattern)
            for lemma in first.lemmas:
                self._by_lemma.setdefault(lemma, []).append(pattern)
            if first.number:
                self._numbers.append((pattern, False))
        self._pool = tuple(word for word in self._by_word if len(word) >= _TYPO_FROM)
        self._lengths = sorted({len(start) for start in self._by_start})

    def _candidates(self, folded: str) -> _First:
        """What may begin with this word, and whether only by forgiving a typing error."""
        cached = self._first.get(folded)
        if cached is None:
            if len(self._first) > _CACHED:
                self._first.clear()
            cached = self._first[folded] = self._sorted_out(folded)
        return cached

    def _sorted_out(self, folded: str) -> _First:
        patterns, typo = self._find_first(folded)
        alone: dict[int, tuple[tuple[Any, bool], ...]] = {}
        longer: list[tuple[Pattern, bool]] = []
        for pattern in patterns:
            past = folded not in pattern.words[0].exact and folded.endswith(_PAST)
            if len(pattern.words) > 1:
                longer.append((pattern, past))
            else:
                rank = _RANKS.get(pattern.meaning[0], 0)
                alone[rank] = (*alone.get(rank, ()), (pattern.meaning, past))
        return _First(alone, tuple(longer), typo, not patterns)

    def _find_first(self, folded: str) -> tuple[tuple[Pattern, ...], bool]:
        found = self._plain_first(folded)
        if found:
            return found, False
        if is_latin(folded) and len(folded) > 3:
            found = self._plain_first(_in_cyrillic(folded))
            if found:
                return found, False
        if self._typos and len(folded) >= _TYPO_FROM and is_cyrillic(folded) and self._pool and not is_word(folded):
            near = process.extract(folded, self._pool, scorer=OSA.distance, score_cutoff=1, limit=None)
            merged = [pattern for word, _, _ in near for pattern in self._by_word[word]]
            return tuple(dict.fromkeys(merged)), True
        return (), False

    def _plain_first(self, folded: str) -> tuple[Pattern, ...]:
        found = list(self._by_word.get(folded, ()))
        for length in self._lengths:
            if length > len(folded):
                break
            found.extend(self._by_start.get(folded[:length], ()))
        if self._by_lemma and folded[:1].isalpha():
            for lemma in lemmas(folded):
                found.extend(self._by_lemma.get(lemma, ()))
        return tuple(dict.fromkeys(found))

    def knows(self, folded: str) -> bool:
        """Whether a pattern begins with this very word."""
        first = self._candidates(folded)
        return not first.nothing and not first.typo

    def hits(self, found: Sequence[Token]) -> list[Hit]:
        """All phrases, in order of their place."""
        result: list[Hit] = []
        for i, token in enumerate(found):
            if token.kind == "l":
                continue
            first = self._first.get(token.folded) or self._candidates(token.folded)
            if first.nothing and not (token.kind == "n" and self._numbers):
                continue
            best = dict(first.alone)
            size = dict.fromkeys(best, 1)
            longer = first.longer if token.kind != "n" else (*first.longer, *self._numbers)
            after = found[i + 1] if longer and i + 1 < len(found) else None
            word = after.folded if after is not None and after.kind == "w" and not is_latin(after.folded) else None
            for pattern, past in longer:
                if word is not None and pattern.second is not None and word not in pattern.second:
                    continue
                end = _match_rest(pattern.words, found, i + 1)
                if not end:
                    continue
                rank = _RANKS.get(pattern.meaning[0], 0)
                if end - i > size.get(rank, 0):
                    best[rank], size[rank] = (), end - i
                if end - i == size[rank]:
                    best[rank] = (*best[rank], (pattern.meaning, past))
            for rank in sorted(best):
                result.extend(Hit(i, i + size[rank], meaning, past, first.typo) for meaning, past in best[rank])
        return result


_SKIPPED = frozenset("\"'«»„“”()[]*_:-–—+")
"""Signs that may stand inside a phrase ..."""
_SKIPPED_IN_GAP = _SKIPPED | {","}
"""... and where words are left out."""


def _match_rest(words: tuple[_Word, ...], found: Sequence[Token], at: int) -> int:
    """The end of a phrase whose first word has matched just before ``at``, or 0."""
    gap = 0
    place = 1
    while place < len(words):
        word = words[place]
        if word.gap:
            gap = _GAP
            place += 1
            continue
        while (
            at < len(found)
            and found[at].kind == "s"
            and (_light(found[at]) or _hyphen(found, at) or (gap and found[at].folded in _SKIPPED_IN_GAP))
        ):
            at += 1
        if at < len(found) and found[at].kind in "wn" and _fits(word, found[at]):
            at += 1
            place += 1
            gap = 0
        elif word.optional:
            place += 1
        elif gap and at < len(found) and found[at].kind in "wn":
            gap -= 1
            at += 1
        else:
            # signs such as "+" can be words of a pattern, too
            if at < len(found) and found[at].kind == "s" and word.matches(found[at]):
                at += 1
                place += 1
                continue
            return 0
    return at


def _light(token: Token) -> bool:
    return token.folded in _SKIPPED and token.folded not in "–—"


def _hyphen(found: Sequence[Token], at: int) -> bool:
    """«эликсир–ультра», «супер–лечение»: a dash without blanks, as many editors make of a hyphen."""
    return found[at].folded in "–—" and found[at].glued and at + 1 < len(found) and found[at + 1].glued


def _fits(word: _Word, token: Token) -> bool:
    if word.matches(token):
        return True
    return is_latin(token.folded) and word.matches(Token(_in_cyrillic(token.folded), "w", token.start, token.end))


def _in_cyrillic(folded: str) -> str:
    """A word with Latin letters as a Russian one: transliterated, or of both alphabets by what its letters look like."""
    return key(folded) if is_cyrillic(folded) else to_cyrillic(folded)
