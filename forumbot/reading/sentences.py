"""A text cut into sentences: at stops and line ends, but not inside a nick, a date or an abbreviation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forumbot.reading.everyday import grammar
from forumbot.reading.text import Token

_STOPS = frozenset(".!?…;")


@dataclass(slots=True)
class Sentence:
    """Tokens ``start`` to ``end`` (exclusive) of the text, closed by ``stop``."""

    start: int
    end: int
    stop: str
    subject: bool = False
    opens_line: bool = False
    """Nothing stands before it on its line."""


def cut(found: Sequence[Token], subject_end: int, inside: frozenset[int]) -> list[Sentence]:
    """The sentences of a text. No stop at a token of ``inside`` (the signs of a nick) ends one."""
    sentences: list[Sentence] = []
    start = 0
    fresh = True
    for i, token in enumerate(found):
        stop = "\n" if token.kind == "l" else token.folded if token.kind == "s" and token.folded in _STOPS else ""
        if not stop or i in inside or (stop == "." and _no_stop(found, i, i - 1 in inside)):
            continue
        made = _close(sentences, found, start, i, stop, subject_end)
        if made is not None:
            made.opens_line = fresh
        fresh = stop == "\n" or (fresh and made is None)
        start = i + 1
    made = _close(sentences, found, start, len(found), "", subject_end)
    if made is not None:
        made.opens_line = fresh
    return sentences


def _close(
    sentences: list[Sentence], found: Sequence[Token], start: int, end: int, stop: str, subject_end: int
) -> Sentence | None:
    if start < end and any(token.kind in "wn" or token.folded == "+" for token in found[start:end]):
        sentences.append(Sentence(start, end, stop, subject_end > 0 and found[start].start < subject_end))
        return sentences[-1]
    if sentences and stop in ("!", "?") and sentences[-1].stop != "\n" and sentences[-1].end >= start - 2:
        sentences[-1].stop = "?" if "?" in (stop, sentences[-1].stop) else stop  # «...?» and «!?»
    return None


def _no_stop(found: Sequence[Token], i: int, after_name: bool) -> bool:
    """Whether this full stop ends no sentence: an abbreviation, an initial, a date, an address."""
    if i == 0:
        return True
    before = found[i - 1]
    after = found[i + 1] if i + 1 < len(found) else None
    if after is None or after.kind == "l":
        return False
    if after.folded == "," or (before.kind == "w" and before.folded in grammar().lists["abbreviations"]):
        return True
    if before.kind == "w" and before.folded == "я" and not before.capital:
        return False  # «передумала я. вместо неё …»
    if before.kind == "w" and len(before.folded) == 1 and _initial_follows(found, i, after_name, after):
        return True
    return after.glued and after.kind in "wn" and not (after.kind == "w" and after.capital)


def _initial_follows(found: Sequence[Token], i: int, after_name: bool, after: Token) -> bool:
    """Whether a letter with a full stop goes on as an abbreviation («А. С.», «М.О. Валет», «т. е.»)."""
    if after.glued or after_name or not after.capital:
        return True
    if _initial(found[i - 1]) and _initial(after) and i + 2 < len(found) and found[i + 2].folded == ".":
        return True
    return i > 1 and found[i - 2].folded == "." and found[i - 1].glued


def _initial(token: Token) -> bool:
    return token.kind == "w" and len(token.folded) == 1 and token.capital
