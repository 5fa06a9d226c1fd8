"""Moves in words that no vocabulary knows: «Укольчик поставлю Лёлику», «Загрызть Сирень». A hunch is worth a question to the
player, never an order; without it his move would be lost without a word."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading import russian
from forumbot.reading.decline import is_finite_verb, is_first_person, is_infinitive, is_thing
from forumbot.reading.doubts import RISKY
from forumbot.reading.grammar import Reading
from forumbot.reading.sentences import Mention

_LONGEST = 8
"""Words of a sentence that may be a move: more of them tell something."""
_PHRASE = 3
"""Words of a move without a verb («Кусь Ватсона»)."""
_NOT_DONE = (
    "дума", "счита", "полага", "подозрева", "зна", "вид", "виж", "помн", "надею", "жд", "прош", "жела", "благодар", "поздравля",
    "люб", "вер", "понима", "бою", "опаса", "хвал", "поддержива", "слыш", "чита", "смотр", "пиш", "напиш", "говор", "скаж",
    "спраш", "спрош", "отвеч", "жалу", "напомин", "напомн", "переда", "предлага", "обеща", "уважа", "скуча", "ухо", "сомнева",
    "извиня", "приветств", "обнима", "целу", "сочувств", "соболезн", "жале", "ненавиж", "руга", "шучу", "приш", "отправ", "буд",
    "мог", "хоч", "хот", "чувств", "доверя", "согла", "объясн", "расска", "поясн", "замет", "замеча", "удивля", "призна",
    "обижа", "прощ", "расстраива", "реш", "выбир", "голосу", "игра", "сиж", "жив", "учу", "слуша", "просматрив", "наде",
)  # fmt: skip
"""Beginnings of what people think, feel, say and wait for: no moves of a game."""


def seems_a_move(reading: Reading, names: Sequence[Mention]) -> bool:
    """Whether a sentence without a known move word may be its writer's move: short, about a player who stands in no
    nominative, with a verb of the writer's own deed, or with no verb at all."""
    sentence, found = reading.sentence, reading.found
    words = [i for i in range(sentence.start, sentence.end) if found[i].kind == "w"]
    if not reading.sender.letter or sentence.stop == "?" or len(words) > _LONGEST or not 0 < len(names) <= 2:
        return False
    if any(sentence.has(mark) for mark in (*RISKY, "later", "hello", "proposal")) or sentence.kinds("action"):
        return False
    if any(found[i].folded in ("не", "нет", "ни") for i in words) or not all(_in_place(reading, name) for name in names):
        return False
    named = {i for name in names for i in range(name.start, name.end)}
    rest = [found[i].folded for i in words if i not in named and found[i].folded not in russian.FILLERS]
    rest = [word for word in rest if word not in russian.PREPOSITION_CASES]
    if any(word.startswith(_NOT_DONE) for word in rest) or not rest:
        return False
    verbs = [word for word in rest if is_finite_verb(word)]
    if verbs:
        return all(is_first_person(word) for word in verbs)
    last = max(name.end for name in names)
    closed = all(found[i].kind != "w" for i in range(last, sentence.end))
    oblique = all("nomn" not in candidate.cases for name in names for candidate in name.candidates)
    return closed and (is_infinitive(rest[0]) or (oblique and len(rest) < _PHRASE))


def as_yesterday(reading: Reading, names: Sequence[Mention]) -> bool:
    """«Вчера лечил Кузю, сегодня Ванильку»: what was done is told, and behind «сегодня» stands nothing but a nick."""
    sentence, found = reading.sentence, reading.found
    now = max((hit.end for hit in sentence.places("now")), default=sentence.end)
    told = [i for i in range(sentence.start, now) if found[i].folded.endswith(russian.PAST) and is_finite_verb(found[i].folded)]
    named = {i for name in names for i in range(name.start, name.end)}
    rest = [found[i].folded for i in range(now, sentence.end) if found[i].kind == "w" and i not in named]
    quiet = all(word in russian.FILLERS or word in russian.PREPOSITION_CASES for word in rest)
    governed = all("nomn" not in candidate.cases for name in names for candidate in name.candidates)
    return bool(told and names) and quiet and governed and all(name.start >= now for name in names) and sentence.stop != "?"


def told_about(reading: Reading, names: Sequence[Mention]) -> bool:
    """Whether words that hint at a move only tell something of a nick: «духи молчат про Кузю», «рецепт от Кузи», «меч Кузи
    затупился», «бинокль одолжил у Кузи»."""
    found, sentence = reading.found, reading.sentence
    if any(found[name.start - 1].folded in _TOLD for name in names if name.start > sentence.start):
        return True
    hits = [hit for hit in (*sentence.hits, *sentence.marks) if hit.meaning.id != "past"]
    covered = {i for hit in hits for i in range(hit.start, hit.end)} | {i for name in names for i in range(name.start, name.end)}
    first, last = names[0].start, names[-1].end
    past = any(
        found[i].folded.endswith(russian.PAST)
        and is_finite_verb(found[i].folded)
        and not any(t.folded == "," for t in found[min(i, last) : max(i, first)])
        for i in range(sentence.start, sentence.end)
        if i not in covered
    )
    if past and not sentence.has("now"):
        return True
    hinted = {
        hit.end: found[hit.start].folded
        for hit in sentence.kinds("hint")
        if hit.end == hit.start + 1 and found[max(hit.start - 1, 0)].folded not in russian.PREPOSITION_CASES
    }
    return any(
        name.start in hinted and is_thing(hinted[name.start]) and all(c.cases and c.cases <= _OWNED for c in name.candidates)
        for name in names
    )


_TOLD = frozenset(["про", "о", "об", "обо", "от", "после"])
_OWNED = frozenset(["gent", "accs"])
"""Cases in which a nick behind a thing names its owner."""


def votes_otherwise(reading: Reading, names: Sequence[Mention]) -> Mention | None:
    """The nick of «…, а я за Ксюху», «…, я же против Ксюхи»: one whom the writer seems to vote for, unlike others."""
    found, sentence = reading.found, reading.sentence
    for name in names:
        head = [
            t.folded
            for t in found[max(sentence.start, name.start - 4) : name.start]
            if t.folded not in ("же", "лично", "-", "–", "—")
        ]
        apart = head[-3:-1] in (["а", "я"], ["но", "я"], [",", "я"]) and head[-1] in ("за", "против")
        last = all(found[i].kind != "w" for i in range(name.end, sentence.end))
        if apart and last and sentence.stop != "?" and not any(sentence.has(mark) for mark in ("condition", "subjunctive")):
            return name
    return None


def _in_place(reading: Reading, name: Mention) -> bool:
    """Whether the nick may depend on another word: it can stand in an oblique case, or behind a preposition."""
    before = reading.found[name.start - 1].folded if name.start > reading.sentence.start else ""
    if name.kind != "nick" or (name.weak and not reading.found[name.start].capital):
        return False
    return before in russian.PREPOSITION_CASES or any(candidate.cases - {"nomn"} for candidate in name.candidates)
