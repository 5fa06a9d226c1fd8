"""A text cut into sentences, each with the names, words and marks that were found in it. What they mean together is
decided in ``grammar``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from forumbot.reading.decline import is_common_word, is_word
from forumbot.reading.names import DOUBTFUL, NEAR, TYPO, Candidate, Roster, joined, lexical
from forumbot.reading.own import Own
from forumbot.reading.phrases import Hit
from forumbot.reading.russian import ABBREVIATIONS
from forumbot.reading.text import Token, is_cyrillic, is_latin, tokens
from forumbot.reading.vocabulary import Vocabulary

_NOISE = re.compile(r"(?:https?://|www\.)\S+|:[A-Za-z0-9_+-]{2,30}:|[:;=]-?[)(DРPpр](?:(?<=[)(])[)(]*|(?![\w]))")
"""Addresses and smilies: no words."""
_STOPS = frozenset(".!?…;")
_OPENING = {"«": "»", "“": "”", "„": "“", '"': '"'}
_LONGEST_QUOTE = 60
_TYPO_FROM = 5
_MOST_NAMES = 60
_MOST_WORDS = 400
"""A sentence with more names or known words than this is no order of anybody."""


@dataclass(slots=True)
class Mention:
    """A stretch of tokens that may mean players. ``kind``: "nick", "self" (the writer), "list" (a place in the roster)."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    kind: str = "nick"
    weak: bool = False
    """An ordinary word in small letters, or at the beginning of a sentence: a nick only where a nick must stand."""


@dataclass(slots=True)
class Sentence:
    """A sentence: tokens ``start`` to ``end`` (exclusive) of the text, closed by ``stop``."""

    start: int
    end: int
    stop: str
    subject: bool = False
    hits: list[Hit] = field(default_factory=list)
    marks: list[Hit] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    _marked: dict[str, list[Hit]] | None = field(default=None, repr=False, compare=False)
    """The marks by their ids: set when first asked for, when all of them have been found."""

    def has(self, mark: str) -> bool:
        return mark in (self._by_mark() if self._marked is None else self._marked)

    def places(self, mark: str) -> Sequence[Hit]:
        return (self._by_mark() if self._marked is None else self._marked).get(mark, ())

    def _by_mark(self) -> dict[str, list[Hit]]:
        marked: dict[str, list[Hit]] = {}
        for hit in self.marks:
            marked.setdefault(hit.meaning.id, []).append(hit)
        self._marked = marked
        return marked

    def kinds(self, kind: str) -> list[Hit]:
        return [hit for hit in self.hits if hit.meaning.kind == kind]


@dataclass(slots=True)
class Text:
    """A message's own words, taken apart."""

    own: Own
    found: list[Token]
    sentences: list[Sentence]

    def words(self, start: int, end: int) -> str:
        """The text between two token indices, as written."""
        if start >= end or start >= len(self.found):
            return ""
        return self.own.text[self.found[start].start : self.found[min(end, len(self.found)) - 1].end]


def take_apart(own: Own, words: Vocabulary, roster: Roster) -> Text:
    """Tokens, sentences, names, words and marks of a message's own words. Linear in their length."""
    clean = _NOISE.sub(lambda match: " " * (match.end() - match.start()), own.text)
    found = tokens(clean)
    _paint(found, own.colors)
    names = _names(found, words, roster)
    hits = _outermost(words.table.hits(found), found)
    hits = _without_typos_in_names(hits, names)
    sentences = _cut(found, own.subject_end, names)
    quoted = _quoted(found, hits, names)
    _distribute(found, sentences, [h for h in hits if h.start not in quoted], [n for n in names if n.start not in quoted])
    return Text(own, found, sentences)


def _paint(found: Sequence[Token], colors: Sequence[tuple[int, int, str]]) -> None:
    """Give each token the colour in which all of its letters stand."""
    if not colors:
        return
    place = 0
    for token in found:
        while place < len(colors) and colors[place][1] <= token.start:
            place += 1
        if place == len(colors):
            return
        start, end, color = colors[place]
        if start > token.start:
            continue
        at = place
        while end < token.end and at + 1 < len(colors) and colors[at + 1][0] == end and colors[at + 1][2] == color:
            at += 1
            end = colors[at][1]
        token.color = color if end >= token.end else None


def _names(found: Sequence[Token], words: Vocabulary, roster: Roster) -> list[Mention]:
    lexicals = lexical(found)
    names: list[Mention] = []
    at = 0
    while at < len(lexicals):
        size, candidates = roster.find(found, lexicals, at)
        index = lexicals[at]
        token = found[index]
        if not candidates:
            if (
                token.kind == "w"
                and len(token.folded) >= _TYPO_FROM
                and _unknown(token.folded)
                and not words.table.knows(token.folded)
            ):
                candidates = tuple(c for c in roster.near(token.folded) if c.rank <= TYPO)
            size = 1
        if (slip := _slip(found, lexicals, at, size, candidates, roster)) is not None:
            size, candidates = slip
        if candidates:
            end = lexicals[at + size - 1] + 1
            weak = size == 1 and token.kind == "w" and is_common_word(token.folded) and not token.capital
            if size == 1 and token.kind == "n":
                weak = True
            made = Mention(index, end, candidates, weak=weak)
            last = names[-1] if names else None
            if last is not None and last.end == made.start and (joined := _both(last, made)):
                names[-1] = joined
            else:
                names.append(made)
        at += size
    return names


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


_COVERED = frozenset(("action", "hint", "role", "number"))
"""Kinds of words that say nothing inside a longer phrase; goods, payments and the like still do."""


def _outermost(hits: list[Hit], found: Sequence[Token]) -> list[Hit]:
    """Without the words that stand inside a longer phrase (the "move" in "divert the move"); marks stay."""
    kept: list[Hit] = []
    start = end = 0
    cover = ""
    for hit in hits:
        kind = hit.meaning.kind
        inside = start <= hit.start and hit.end <= end and hit.end - hit.start < end - start
        if inside and (kind in _COVERED or kind == cover):
            continue
        if kind != "mark" and hit.end > end:
            start, end, cover = hit.start, hit.end, kind
        kept.append(hit)
    return kept


def _without_typos_in_names(hits: list[Hit], names: Sequence[Mention]) -> list[Hit]:
    taken = {i for name in names for i in range(name.start, name.end)}
    return [hit for hit in hits if not (hit.typo and hit.start in taken)]


def _cut(found: Sequence[Token], subject_end: int, names: Sequence[Mention]) -> list[Sentence]:
    initials = {name.end: True for name in names}
    sentences: list[Sentence] = []
    start = 0
    for i, token in enumerate(found):
        if token.kind == "l":
            _close(sentences, found, start, i, "\n", subject_end)
            start = i + 1
            continue
        if token.kind != "s" or token.folded not in _STOPS:
            continue
        if token.folded == "." and _no_stop(found, i, i in initials):
            continue
        _close(sentences, found, start, i, token.folded, subject_end)
        start = i + 1
    _close(sentences, found, start, len(found), "", subject_end)
    return sentences


def _no_stop(found: Sequence[Token], i: int, after_name: bool) -> bool:
    """Whether this full stop ends no sentence: an abbreviation, an initial, a date, an address."""
    if i == 0:
        return True
    before = found[i - 1]
    after = found[i + 1] if i + 1 < len(found) else None
    if after is None or after.kind == "l":
        return False
    if after.folded == ",":
        return True  # «слежу за Осой., если доживу»
    if before.kind == "w" and before.folded in ABBREVIATIONS:
        return True
    if before.kind == "w" and len(before.folded) == 1 and (after.glued or after_name or not after.capital):
        return True
    if _initial(before) and _initial(after) and i + 2 < len(found) and found[i + 2].folded == ".":
        return True  # «А. С.»
    if before.kind == "w" and len(before.folded) == 1 and i > 1 and found[i - 2].folded == "." and before.glued:
        return True  # «М.О. Валет»
    return after.glued and after.kind in "wn" and not (after.kind == "w" and after.capital)


def _initial(token: Token) -> bool:
    return token.kind == "w" and len(token.folded) == 1 and token.capital


def _close(
    sentences: list[Sentence],
    found: Sequence[Token],
    start: int,
    end: int,
    stop: str,
    subject_end: int,
) -> None:
    if start < end and any(token.kind in "wn" or token.folded == "+" for token in found[start:end]):
        subject = subject_end > 0 and found[start].start < subject_end
        sentences.append(Sentence(start, end, stop, subject))
    elif sentences and stop and start == end and stop in "!?" and sentences[-1].stop != "\n":
        sentences[-1].stop = stop  # «...?» and «!?»


def _quoted(found: Sequence[Token], hits: Sequence[Hit], names: Sequence[Mention]) -> set[int]:
    """Tokens inside quotation marks that hold somebody's words: a move word and more than it alone."""
    inside: set[int] = set()
    named = {i for name in names for i in range(name.start, name.end)}
    actions = sorted(
        hit.start for hit in hits if hit.meaning.kind == "action" or (hit.meaning.kind == "hint" and hit.start not in named)
    )
    said = {hit.end - 1 for hit in hits if hit.meaning == ("mark", "speech")}
    if not actions and not said:
        return inside
    i = 0
    while i < len(found):
        closing = _OPENING.get(found[i].folded) if found[i].kind == "s" else None
        if closing is None:
            i += 1
            continue
        end = next((j for j in range(i + 1, min(i + _LONGEST_QUOTE, len(found))) if found[j].folded == closing), 0)
        if not end:
            i += 1
            continue
        if not any(found[j].kind in "wn" for j in (*range(i), *range(end, len(found)))):
            break  # a message that is one quotation: not left out, but asked about (``own.Own.doubtful``)
        words = [j for j in range(i + 1, end) if found[j].kind in "wn"]
        acts = any(i < start < end for start in actions) and (len(words) > 2 or any(j in named for j in words))
        if acts or any(j in said for j in range(max(0, i - 4), i)):
            inside.update(range(i, end + 1))
        i = end + 1
    return inside


def _distribute(found: Sequence[Token], sentences: list[Sentence], hits: Sequence[Hit], names: Sequence[Mention]) -> None:
    home: dict[int, Sentence] = {}
    for sentence in sentences:
        for i in range(sentence.start, sentence.end):
            home[i] = sentence
    for hit in hits:
        if found[hit.start].folded == "б" and _item_letter(found, hit):
            continue
        if hit.start in home:
            sentence = home[hit.start]
            (sentence.marks if hit.meaning.kind == "mark" else sentence.hits).append(hit)
    for name in names:
        if name.start not in home:
            continue
        sentence = home[name.start]
        if not name.weak and name.end - name.start == 1:
            first = next((i for i in range(sentence.start, sentence.end) if found[i].kind in "wn"), -1)
            name.weak = name.start == first and is_common_word(found[first].folded) and not found[first].folded.isupper()
        sentence.names.append(name)
    for sentence in sentences:
        if len(sentence.names) > _MOST_NAMES or len(sentence.hits) + len(sentence.marks) > _MOST_WORDS:
            sentence.names, sentence.hits, sentence.marks = [], [], []


def _item_letter(found: Sequence[Token], hit: Hit) -> bool:
    """The «б)» of a list."""
    at = hit.start
    opens = at == 0 or found[at - 1].kind == "l" or found[at - 1].folded in (".", ";", ",")
    return opens and at + 1 < len(found) and found[at + 1].folded in (")", ".")


def doubtful_name(folded: str, roster: Roster, *, cut: bool) -> tuple[Candidate, ...]:
    """Whom a word may mean that stands where a nick must stand."""
    return tuple(c for c in roster.near(folded, cut=cut) if c.rank <= DOUBTFUL)
