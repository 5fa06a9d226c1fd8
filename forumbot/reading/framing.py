"""Words that stand about an order as a frame and turn it into something else: somebody's report, a draft, a thing of another
day, irony, a word in parentheses that takes all back."""

from __future__ import annotations

from forumbot.reading import russian
from forumbot.reading.decline import is_first_person
from forumbot.reading.grammar import Reading
from forumbot.reading.moves import Group
from forumbot.reading.sentences import Sentence, Text

_HEAD = 3
"""A draft, or another day, is named by one of the first words."""


def framed(reading: Reading, start: int) -> str | None:
    """The doubt that a frame casts on an order whose words begin at ``start``, or None."""
    if _reported(reading, start) or _told_that(reading, start):
        return "reported"
    if _draft(reading, start):
        return "unclear"
    return "taken_back" if _cancelled(reading, start) or closed_by_no(reading) else None


def jests(text: Text, sentence: Sentence) -> bool:
    """«Ага, лечу Кекса, три раза», and the plain words of joking."""
    if sentence.has("joke"):
        return True
    words = [t.folded for t in text.found[sentence.start : sentence.end] if t.kind == "w"]
    return bool(words) and words[0] in ("ага", "угу", "конечно") and words[-2:] == ["три", "раза"]


def _reported(reading: Reading, start: int) -> bool:
    """«Сосед просил: лечи меня», «В газете написали: …»: the words behind the colon are somebody's, or of another time."""
    found = reading.found
    for hit in reading.sentence.places("speech"):
        colon = next((i for i in range(hit.end, start) if found[i].folded == ":"), None)
        verb = found[hit.start].folded
        if colon is not None and verb != "говорит" and not is_first_person(verb):  # «Бубен говорит: проклятие на …» is no report
            return True
    return False


def _told_that(reading: Reading, start: int) -> bool:
    """«Врут, что лечу Кекса»: the order stands in a part that depends on words which are no saying or deciding of the writer."""
    found, first = reading.found, reading.sentence.start
    at = next((i for i in range(first + 2, start) if found[i].folded in _THAT and found[i - 1].folded == ","), None)
    if at is None:
        return False
    between = found[at:start]
    if any(t.folded in (":", "-", "–", "—", ";", "но", "а", "поэтому") for t in between):
        return False
    comma = next((i for i in range(at, start) if found[i].folded == ","), start)
    if comma < start and not any(at < hit.start < comma for hit in reading.sentence.kinds("action")):
        return False  # «Пишут, что Ёлка опасна, лечу Кекса»
    head = [t.folded for t in found[first : at - 1] if t.kind == "w"]
    return not any(is_first_person(word) or word.startswith(russian.DECIDED) for word in head) or "не" in head


_THAT = ("что", "будто", "якобы")


def _draft(reading: Reading, start: int) -> bool:
    """«Черновик: лечу Кекса», «Пример хода: …»."""
    first = reading.sentence.start
    return any(hit.start - first < _HEAD and hit.end <= start for hit in reading.sentence.places("draft"))


def _cancelled(reading: Reading, start: int) -> bool:
    """«Отмените: лечу Кекса», «Снимаю лечение Кекса»."""
    found, first = reading.found, reading.sentence.start
    if reading.refused_ahead(start):
        return True
    if first + 1 < start and found[first].folded in russian.TAKING_BACK and found[first + 1].folded == ":":
        return True
    return start > first and found[start - 1].folded in russian.TAKING_BACK


def closed_by_no(reading: Reading) -> bool:
    """«Лечу Кекса (нет)», «… - это была ошибка»: the last words of the sentence take all of it back."""
    sentence, found = reading.sentence, reading.found
    if not reading.aside and not sentence.has("mistaken"):
        return False
    last = max((i for i in range(sentence.start, sentence.end) if found[i].kind == "w"), default=sentence.start)
    inside = [found[i].folded for i in sorted(reading.aside) if found[i].kind == "w"]
    if last in reading.aside and inside and set(inside) <= russian.BARE_NO and {"нет", "неа"} & set(inside):
        return True
    return any(hit.end > last for hit in sentence.places("mistaken"))


def another_day(reading: Reading, start: int, end: int) -> bool:
    """«Завтра лечу Кекса», «лечу завтра Кекса»: said of another day, before all or in one part with the move word."""
    found, sentence = reading.found, reading.sentence
    for i in [hit.start for hit in sentence.places("day")]:
        if start <= i < end:
            continue
        till = i > sentence.start and found[i - 1].folded in ("до", "на", "к", "про", "с")
        between = found[min(i, start) : max(i, end)]
        apart = any(t.folded in (",", "(", ":", "-", "–", "—", "а", "и") for t in between)
        if not till and (not apart or (reading.opens_with(i) and not sentence.has("now"))):
            return True
    return False


def of_the_past(reading: Reading, group: Group) -> str | None:
    """The doubt that the past of a sentence casts on a move word: none where what was is told in a part of its own and the
    move follows in the first person («Вчера не вышло, лечу Кекса»); behind a colon it may be what was («Вчера так: …»)."""
    found, sentence = reading.found, reading.sentence
    told = max(hit.end for hit in sentence.places("past"))
    border = next((i for i in range(group.start - 1, told - 1, -1) if found[i].folded in (",", ";", "-", "–", "—", ":")), None)
    if border is None or sentence.has("speech") or not is_first_person(found[group.start].folded):
        return "past"
    if any(t.folded in russian.RELATIVES or t.folded in russian.SUBORDINATORS for t in found[border : group.start]):
        return "past"
    return "unclear" if any(t.folded == ":" for t in found[told : group.start]) else None
