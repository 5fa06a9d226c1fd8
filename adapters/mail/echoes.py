"""Our own letter in an answer to it, whatever the writer's program has made of it: what we sent are no new words.

Most programs mark what they quote, or announce it in a way that ``wordings`` knows. For the others there are two signs of our
own: a line that nobody sees stands above each of our texts, and whoever reads the answer is told what we have sent. A program
may break our lines anew, run them together or glue them to the writer's own: so our texts are looked for word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from adapters.mail import wordings as say
from adapters.mail.replies import Line

MARK = "\u2063\u2062\u2063"
"""The line above each letter of ours; programs keep it in what they quote, and nobody sees it."""
_LONG, _LABELLED = 4, 3
"""Words of a line that alone tell it for ours, and of one with a colon («Принято: …»); shorter ones may be the writer's, unless
our text goes on with them. So may numbered ones: who is asked may copy the answer."""
_MOST_WORDS = 20_000
"""So many words of a letter are looked at; a person's is far shorter."""
_ANNOUNCES = re.compile(
    rf"{say.DATE}.{{0,40}}?{say.TIME}|{say.ADDRESS}|{say.VERB}|^[-_=*—–]{{2,}}|{say.TIME}.{{0,80}}:$"
    rf"|^\W{{0,4}}(?:цитата|quote|{say.OLD})\b.{{0,60}}$|^.{{0,60}}\b(?:ответил|сказал)(?:[аи]|\(а\))?\s?:$",
    re.IGNORECASE,
)
_LONGEST = 300
_WORD = re.compile(r"(?P<link><?\b(?:https?://|www\.)[^\s<>]{1,400}>?)|[^\W_]+")
_LEFT, _RIGHT = " \t\xa0>|»«:;,.·•*_", " \t\xa0>|»«:·•*_-—–"
"""Signs that are left of our line at the beginning and at the end of a line that it shares with the writer's words."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the letter: in which line, and where there."""

    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of what we sent. ``tells``: found in a letter, it is known for ours."""

    words: tuple[str, ...]
    tells: bool

    @classmethod
    def of(cls, line: str) -> _Row:
        """The words of the line, and whether there are enough."""
        words = tuple(_spelled(one[0]) for one in _WORD.finditer(line) if not one["link"])
        return cls(words, len(words) >= (_LABELLED if ":" in line else _LONG) and not words[0].isdecimal())


def marked(lines: Sequence[Line], sent: Iterable[str] = ()) -> list[Line]:
    """The lines with ours marked as a quotation, and with the announcement above them as one."""
    told = list(lines)
    ours = _below_mark(told)
    for at in ours:
        if not told[at].mark:
            told[at] = replace(told[at], mark="quote")
    told, more = _as_sent(told, sent)
    for at in sorted(ours | more):
        above = at - 1
        while above >= 0 and told[above].blank and not told[above].mark:
            above -= 1
        if above >= 0 and not told[above].mark and len(told[above].text) <= _LONGEST and _ANNOUNCES.search(told[above].text):
            told[above] = replace(told[above], mark="attribution")
    return told


def _below_mark(lines: Sequence[Line]) -> set[int]:
    """The line that holds our mark; a program that marks nothing puts what is old below it, up to the letter's end."""
    at = next((at for at, line in enumerate(lines) if MARK in line.text), None)
    if at is None:
        return set()
    return {at} if lines[at].mark == "quote" else set(range(at, len(lines)))


def _as_sent(lines: list[Line], sent: Iterable[str]) -> tuple[list[Line], set[int]]:
    """The lines with what we sent marked, and which these are; a line that ours only begins or ends is parted in two."""
    texts = [[row for line in text.splitlines() if (row := _Row.of(line)).words] for text in dict.fromkeys(sent)]
    words = _words_of(lines) if any(texts) else []
    ours = _found(words, texts)
    if not ours:
        return lines, set()
    told: list[Line] = []
    marks: set[int] = set()
    by_line: dict[int, list[tuple[_Word, bool]]] = {}
    for number, word in enumerate(words):
        by_line.setdefault(word.line, []).append((word, number in ours))
    first, last = words[min(ours)].line, words[max(ours)].line
    for at, line in enumerate(lines):
        between = first < at < last and told[-1].mark == "quote"
        for piece in [line] if line.mark else _parted(line, by_line.get(at, ()), between=between):
            if piece.mark and not line.mark:
                marks.add(len(told))
            told.append(piece)
    return told, marks


def _parted(line: Line, words: Sequence[tuple[_Word, bool]], *, between: bool) -> list[Line]:
    """A line as it is, as ours, or as the writer's piece and ours. ``between``: lines of ours stand above and below, so that
    signs alone are what a program put before our empty line."""
    if not words:
        return [replace(line, mark="quote")] if between and not line.blank else [line]
    told = [ours for _, ours in words]
    if all(told):
        return [replace(line, mark="quote")]
    if told[0] == told[-1]:
        return [line]
    change = next(number for number, ours in enumerate(told) if ours is not told[0])
    if told[change:] != [told[-1]] * (len(told) - change):
        return [line]
    if told[0]:
        cut = words[change - 1][0].end
        return [Line(line.text[:cut], "quote"), Line(line.text[cut:].lstrip(_LEFT + "!?)\"'…"))]
    cut = words[change][0].start
    return [Line(line.text[:cut].rstrip(_RIGHT + "(\"'")), Line(line.text[cut:], "quote")]


def _found(words: Sequence[_Word], texts: Sequence[Sequence[_Row]]) -> set[int]:
    """The numbers of the words that are ours: telling lines of what we sent, and what stands beside them there and here."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    lengths: dict[tuple[str, ...], set[int]] = {}
    for number, text in enumerate(texts):
        for place, row in enumerate(text):
            if row.tells:
                places.setdefault(row.words, []).append((number, place))
                lengths.setdefault(row.words[:_LABELLED], set()).add(len(row.words))
    said = tuple(word.text for word in words)
    ours: set[int] = set()
    at = 0
    while at < len(said):
        longest = sorted(lengths.get(said[at : at + _LABELLED], ()), reverse=True)
        line = next((part for size in longest if (part := said[at : at + size]) in places), None)
        if line is None:
            at += 1
            continue
        ends = [_grown(said, at, texts[number], place) for number, place in places[line]]
        ours.update(range(min(start for start, _ in ends), max(end for _, end in ends)))
        at = max(end for _, end in ends)
    return ours


def _grown(said: tuple[str, ...], at: int, text: Sequence[_Row], place: int) -> tuple[int, int]:
    """From which word to which the letter says our text around the line at ``place``, which is said at ``at``."""
    start, end = at, at + len(text[place].words)
    for row in text[place + 1 :]:
        if said[end : end + len(row.words)] != row.words:
            break
        end += len(row.words)
    for row in reversed(text[:place]):
        if start < len(row.words) or said[start - len(row.words) : start] != row.words:
            break
        start -= len(row.words)
    return start, end


def _words_of(lines: Sequence[Line]) -> list[_Word]:
    found = ((at, one) for at, line in enumerate(lines) for one in _WORD.finditer(line.text) if not one["link"])
    return [_Word(at, one.start(), one.end(), _spelled(one[0])) for at, one in islice(found, _MOST_WORDS)]


def _spelled(word: str) -> str:
    return word.casefold().replace("ё", "е")
