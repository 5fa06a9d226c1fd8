"""Our own letter in an answer to it, whatever the writer's program has made of it: lines that we sent are no new words.

Most programs mark what they quote, or announce it in a way that ``wordings`` knows. For the others there are two signs of our
own: a line that nobody sees stands above each of our texts, and whoever reads the answer is told what we have sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from adapters.mail import wordings as say
from adapters.mail.replies import Line

MARK = "\u2063\u2062\u2063"
"""The line above each letter of ours; programs keep it in what they quote, and nobody sees it."""
_LONG = 4
"""Words of a line that alone tell it for ours; shorter ones may be the writer's, unless they stand beside such a line."""
_ANNOUNCES = re.compile(rf"{say.DATE}.{{0,40}}?{say.TIME}|{say.ADDRESS}|{say.VERB}|^[-_=*—–]{{2,}}", re.IGNORECASE)
_LONGEST = 300


def marked(lines: Sequence[Line], sent: Iterable[str] = ()) -> list[Line]:
    """The lines with ours marked as a quotation, and with the announcement above them as one."""
    told = list(lines)
    ours = _below_mark(told) | _as_sent(told, sent)
    for at in ours:
        if not told[at].mark:
            told[at] = replace(told[at], mark="quote")
    for at in sorted(ours):
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


def _as_sent(lines: Sequence[Line], sent: Iterable[str]) -> set[int]:
    """Lines whose words are those of a line that we sent, be it broken anew."""
    known: dict[str, set[tuple[str, ...]]] = {}
    for text in sent:
        for line in text.splitlines():
            if words := _words(line):
                known.setdefault(words[0], set()).add(words)
    if not known:
        return set()
    found: set[int] = set()
    short: set[int] = set()
    words_of = [_words(line.text) for line in lines]
    for at, words in enumerate(words_of):
        for wanted in known.get(words[0], ()) if words else ():
            end = _covers(words_of, at, wanted)
            if end:
                (found if len(wanted) >= _LONG else short).update(range(at, end))
    return _with_neighbours(found, short, words_of)


def _covers(words_of: Sequence[tuple[str, ...]], at: int, wanted: tuple[str, ...]) -> int:
    """Where the lines end that together say just these words; 0 where they do not."""
    said: tuple[str, ...] = ()
    while at < len(words_of) and len(said) < len(wanted):
        said += words_of[at]
        at += 1
    return at if said == wanted else 0


def _with_neighbours(found: set[int], short: set[int], words_of: Sequence[tuple[str, ...]]) -> set[int]:
    """The long lines, and the short ones that stand beside them with at most blank lines between."""
    for step in (1, -1):
        for start in sorted(found, reverse=step < 0):
            at = start + step
            while 0 <= at < len(words_of) and (at in short or at in found or not words_of[at]):
                if at in short:
                    found.add(at)
                at += step
    return found


def _words(line: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", line.casefold()))
