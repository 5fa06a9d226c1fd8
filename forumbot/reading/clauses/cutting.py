"""Where a clause begins and ends: signs, conjunctions and the edges of colours."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Sentence
from forumbot.reading.text import Token

_BORDERS = frozenset(",;()→")
_REMARK = 3
"""Shortest distance of square brackets that hold a remark, and no part of a nick («[TT]Rex»)."""
_DASHES = frozenset("-–—")
OPENING = {"«": "»", "“": "”", "„": "“", '"': '"'}


def cut_clauses(
    found: Sequence[Token], sentences: Sequence[Sentence], hits: Sequence[Hit], names: Sequence[Mention], quoted: frozenset[int]
) -> list[Clause]:
    whole = {i for name in names for i in range(name.start + 1, name.end)}
    kinds = ("mark", "cover", "hint")
    whole |= {i for hit in hits if hit.meaning.kind not in kinds for i in range(hit.start + 1, hit.end)}
    whole |= {i for hit in hits if hit.meaning == ("cover", "no_other") for i in range(hit.start + 1, hit.end)}
    ends = {hit.end for hit in hits if hit.meaning.kind in ("action", "role", "item")}
    verbs = _verbs(found, hits)
    clauses: list[Clause] = []
    for index, sentence in enumerate(sentences):
        made: list[Clause] = []
        opened = Clause(sentence.start, sentence.start, index, subject=sentence.subject, stop=sentence.stop)
        depth = 0
        for i in range(sentence.start, sentence.end):
            border = "" if i in whole else _border(found, i, opened, sentence, ends, verbs, quoted)
            if not border:
                continue
            sign = found[i].kind == "s" and border == found[i].folded
            _shut(made, opened, i, border, found)
            depth += (border in "([") - (border in ")]")
            start = i + 1 if sign else i
            opened = Clause(start, start, index, border, subject=sentence.subject, stop=sentence.stop, bracketed=depth > 0)
        _shut(made, opened, sentence.end, sentence.stop, found)
        if made:
            made[-1].last = True
        clauses.extend(made)
    for clause in clauses:
        first = next(i for i in range(clause.start, clause.end) if found[i].kind in "wn" or found[i].folded == "+")
        clause.color = found[first].color
        clause.quoted = first in quoted
    _distribute(clauses, hits, names)
    return clauses


def _shut(made: list[Clause], opened: Clause, end: int, closer: str, found: Sequence[Token]) -> None:
    opened.end, opened.closer = end, closer
    if any(token.kind in "wn" or token.folded == "+" for token in found[opened.start : end]):
        made.append(opened)
    elif made and opened.opener not in ("", ")"):
        made[-1].closer = made[-1].closer or closer


def _border(
    found: Sequence[Token],
    i: int,
    opened: Clause,
    sentence: Sentence,
    ends: set[int],
    verbs: frozenset[int],
    quoted: frozenset[int],
) -> str:
    """The sign or conjunction by which a new clause opens at a token, or nothing."""
    token = found[i]
    if (i in quoted) != (i - 1 in quoted) and i > sentence.start:
        return "«"
    if token.kind == "s":
        return _sign_border(found, i, sentence, ends)
    if token.kind == "w" and i > opened.start:
        before = next((found[j] for j in range(i - 1, opened.start - 1, -1) if found[j].kind in "wn"), None)
        if before is not None and before.color != token.color and _whole_colors(before, token):
            return "color"
        return _word_border(found, i, opened, sentence, verbs)
    return ""


def _whole_colors(before: Token, token: Token) -> bool:
    return before.color is not None or token.color is not None


def _sign_border(found: Sequence[Token], i: int, sentence: Sentence, ends: set[int]) -> str:
    sign = found[i].folded
    if sign in _BORDERS:
        return sign
    if sign in "[]" and _remark(found, i, sentence):
        return sign
    if sign == ":":
        glued = found[i].glued and i + 1 < sentence.end and found[i + 1].glued
        return "" if glued and found[i - 1].kind == "n" and found[i + 1].kind == "n" else sign
    if sign in _DASHES:
        after = found[i + 1] if i + 1 < sentence.end else None
        glued = found[i].glued and after is not None and after.glued
        particle = after is not None and glued and after.folded in ("ка", "то", "таки")
        return "" if (glued and i not in ends) or particle else sign
    return sign if sign in "=>/" and sign != "/" else ""


def _remark(found: Sequence[Token], i: int, sentence: Sentence) -> bool:
    """Whether a square bracket opens or closes a remark («[пишу из поезда]»)."""
    if found[i].folded == "[":
        other = next((j for j in range(i + 1, sentence.end) if found[j].folded == "]"), i)
    else:
        other = next((j for j in range(i - 1, sentence.start - 1, -1) if found[j].folded == "["), i)
    return abs(other - i) > _REMARK


def _word_border(found: Sequence[Token], i: int, opened: Clause, sentence: Sentence, verbs: frozenset[int]) -> str:
    word = found[i].folded
    lists = grammar().lists
    if word in ("пусть", "пускай") and found[i - 1].capital and not facts(found[i - 1].folded).finite:
        return ""  # «а Тихоня пусть спит»: who is let stands before the word
    if found[i - 1].folded in OPENING:
        return ""
    if word == "если" and found[i - 1].folded == "даже":
        return ""  # «…, даже если Белка против»
    if found[i - 1].folded in grammar().prepositions and found[i].capital:
        return ""  # «без А на конце», «против Коли»
    if word in lists["splitting"] or word == "а":
        return word
    if word == "потому" and i + 1 < sentence.end and found[i + 1].folded == "что":
        return word
    opens = found[opened.start].folded in lists["if"]
    if word == "то" and opens and found[i - 1].folded != "-" and _acts_on(found, i, sentence):
        return word  # «если Симу не вылечили то лечу её»
    if word == "нет" and i + 1 < sentence.end and found[i + 1].folded in ("лучше", "давай", "давайте", "пусть"):
        return "нет"
    if word in ("и", "да") and any(j in verbs for j in range(opened.start, i)):
        limit = next((j for j in range(i + 1, sentence.end) if found[j].folded in _BORDERS), sentence.end)
        if any(j in verbs for j in range(i + 1, limit)):
            return "и"
    return ""


def _acts_on(found: Sequence[Token], i: int, sentence: Sentence) -> bool:
    """Whether a verb stands on both sides of a word of the sentence."""
    before, behind = found[sentence.start : i], found[i + 1 : sentence.end]
    return all(any(token.kind == "w" and facts(token.folded).finite for token in side) for side in (before, behind))


def _verbs(found: Sequence[Token], hits: Sequence[Hit]) -> frozenset[int]:
    """Tokens by which a part of a sentence can be a clause of its own: move words, and verbs in a personal form."""
    heads = {hit.start for hit in hits if hit.meaning.kind == "action"}
    finite = {i for i, token in enumerate(found) if token.kind == "w" and facts(token.folded).finite}
    return frozenset(heads | finite)


def _distribute(clauses: Sequence[Clause], hits: Sequence[Hit], names: Sequence[Mention]) -> None:
    home: dict[int, Clause] = {}
    for clause in clauses:
        for i in range(clause.start, clause.end):
            home[i] = clause
    for hit in hits:
        place = home.get(hit.start)
        if place is not None and not (place.quoted and hit.meaning.kind != "mark"):
            place.hits.append(hit)
    for name in names:
        place = home.get(name.start)
        if place is not None and not place.quoted:
            place.names.append(name)
