"""What words behind an order do to it: taken back, tied to a condition, left open, ascribed to somebody else.

The sentences looked at here name no move themselves («Хотя нет.», «Если доживу.», «Запасной вариант Зубр»).
"""

from __future__ import annotations

from forumbot.reading import russian
from forumbot.reading.decline import is_finite_verb
from forumbot.reading.grammar import Reading
from forumbot.reading.phrases import Hit

_OPENING = 3
"""A sentence takes an order back, or lays a condition on it, with one of its first words."""
_ASIDE = 4
"""Words of a second thought («А может Зубра?»)."""
_FRAGMENT = 9
"""Words of a sentence that can hang on the one before."""


def doubt_behind(reading: Reading) -> str | None:
    """The doubt that a sentence without a move word casts on the orders before it, or None."""
    words = _words(reading)
    if len(words) > _FRAGMENT:
        return None
    if not reading.names and takes_back(reading, reading.sentence.start):
        return "taken_back"
    if words and (words[0] in ("или", "либо") or (words[0] == "хотя" and reading.names)):
        return "unsure"
    if reading.names and reading.sentence.has("unsure") and len(words) <= _ASIDE:
        return "unsure"
    if reading.names and reading.sentence.has("backup"):
        return "unsure"
    return "conditional" if _hangs_on(reading) else None


def takes_back(reading: Reading, start: int) -> bool:
    """Whether the words from ``start`` on only take back what was said («хотя нет», «отмена», «стоп, не надо»)."""
    words = [t.folded for t in reading.found[start : reading.sentence.end] if t.kind == "w"]
    if words and set(words) <= russian.BARE_NO and {"нет", "неа"} & set(words):
        return True
    return any(_opens(reading, start, hit) for hit in reading.sentence.places("withdraw"))


def denied_again(reading: Reading, start: int) -> frozenset[str]:
    """«Лечу Кекса. Не лечу»: the actions denied from ``start`` on where nobody is named."""
    hits = [hit for hit in reading.sentence.kinds("action") if hit.start >= start and reading.is_denied(hit)]
    if not hits or any(name.start >= start for name in reading.sentence.names) or len(_words(reading)) > _FRAGMENT:
        return frozenset()
    return frozenset(action for hit in hits for action in hit.meaning.id)


def conditional_tail(reading: Reading, behind: int) -> bool:
    """«…, когда посадят Зубра», «…, как только он проснётся»: a time that may never come, behind the target."""
    found = reading.found
    for i in range(max(behind, reading.sentence.start + 1), reading.sentence.end):
        if found[i].folded == "когда" and found[i - 1].folded == ",":
            return any(_to_come(found[j].folded) for j in range(i + 1, reading.sentence.end) if found[j].kind == "w")
    return False


def conditional_head(reading: Reading, start: int) -> bool:
    """«Когда Ёлку убьют, лечу Кекса»: a time that may never come, before the move."""
    found, first = reading.found, reading.sentence.start
    comma = next((i for i in range(start - 1, first, -1) if found[i].folded == ","), None)
    if comma is None or found[first].folded != "когда":
        return False
    return any(_to_come(found[i].folded) for i in range(first, comma) if found[i].kind == "w")


def doubt_around(reading: Reading, start: int, end: int) -> str | None:
    """The doubt that the plain words of a sentence cast on a coloured order that stands from ``start`` to ``end``."""
    sentence, found = reading.sentence, reading.found
    tail = [i for i in range(end, sentence.end) if found[i].kind == "w"]
    said = [hit for hit in sentence.places("speech") if hit.end <= start and found[start - 1].folded in (":", "-", "–", "—", "«")]
    if any(name.kind == "nick" and name.end <= hit.start for hit in said for name in sentence.names):
        return "reported"
    if takes_back(reading, end) and not any(name.start >= end for name in sentence.names):
        return "taken_back"
    if any(hit.end <= start or hit.start in tail[:2] for hit in sentence.places("condition")):
        return "conditional"
    if tail and found[tail[0]].folded in ("или", "либо"):
        return "unsure"
    if any(hit.start in tail[:_ASIDE] for hit in sentence.places("undecided")):
        return "unsure"
    return "reported" if ascribed(reading, end) else None


def ascribed(reading: Reading, start: int) -> bool:
    """«… — вот что написал Олег»: the words before ``start`` were somebody else's."""
    for hit in reading.sentence.places("ascribed"):
        others = [name.start for name in reading.sentence.names if name.start >= hit.start]
        if hit.start >= start and others and not any(t.folded == "я" for t in reading.found[start : others[0]]):
            return True
    return False


def _to_come(word: str) -> bool:
    return is_finite_verb(word) and not word.endswith(russian.PAST)


def _opens(reading: Reading, start: int, hit: Hit) -> bool:
    if hit.start < start:
        return False
    before = [t.folded for t in reading.found[start : hit.start] if t.kind == "w"]
    following = reading.found[hit.end].folded if hit.end < reading.sentence.end else ""
    if reading.found[hit.end - 1].folded == "надо" and following.endswith(("ть", "ться", "чь")):
        return False  # «и не надо спорить»
    denied = hit.start > start and reading.found[hit.start - 1].folded == "не"
    return len(before) < _OPENING and not denied and not {"если", "когда", "пока"} & set(before)


def _led_in(reading: Reading, hit: Hit) -> bool:
    """«Но если …», «Ну только если …»."""
    before = [t.folded for t in reading.found[reading.sentence.start : hit.start] if t.kind == "w"]
    before = [word for word in before if word not in russian.POSTSCRIPT]
    return len(before) < _OPENING and all(word in russian.FILLERS or word in ("но", "правда", "разве", "что") for word in before)


def _words(reading: Reading) -> list[str]:
    return [t.folded for t in reading.found[reading.sentence.start : reading.sentence.end] if t.kind == "w"]


def _hangs_on(reading: Reading) -> bool:
    """A condition without a main clause of its own, or one whose main clause is another nick."""
    sentence, found = reading.sentence, reading.found
    opening = [hit for hit in sentence.places("condition") if reading.opens_with(hit.start) or _led_in(reading, hit)]
    if not opening or sentence.stop == "?":
        return False
    if found[opening[0].start].folded == "при":
        return True  # «При условии, что …» has no main clause behind it
    at = next((i for i in range(opening[0].end, sentence.end) if found[i].folded in (",", "то", "-", "–", "—", ":")), None)
    if at is None:
        return not any(t.folded.endswith(("йте", "ите")) for t in found[opening[0].end : sentence.end])
    rest = [i for i in range(at, sentence.end) if found[i].kind == "w" and found[i].folded not in russian.FILLERS]
    covered = {i for name in reading.names for i in range(name.start, name.end)}
    return any(i in covered for i in rest) and not any(is_finite_verb(found[i].folded) for i in rest if i not in covered)
