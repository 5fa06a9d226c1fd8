"""The move words of a clause: what may be ordered by them, how they stand (in the first person, as a label, of somebody else),
and whether they are denied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from forumbot.reading.claims import Sender
from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.names.spelling import FORM
from forumbot.reading.phrases import Hit

_ORDER = ("first", "infinitive", "imperative", "third", "second", "past", "gerund", "short", "noun")
_PASSED_OVER = 3
"""Words that may stand between a «не» and the verb it denies («не буду я лечить»)."""


@dataclass(slots=True)
class Head:
    """A move word with what it may mean."""

    start: int
    end: int
    actions: tuple[str, ...]
    form: str
    hits: list[Hit] = field(default_factory=list)
    role: str | None = None
    performer_role: str | None = None
    denied: bool = False
    open: bool = False
    label: bool = False
    noun: bool = False
    """Its last word is a noun, which governs as a noun does («голосую за повешение …»)."""


def form_of(text: Text, hit: Hit) -> str:
    """How a move word stands. A past that the vocabulary lists as it is («взбесился») counts as the present."""
    if hit.typo and (slipped := _slipped_form(text.found[hit.start].folded)):
        return slipped
    for i in range(hit.start, hit.end):
        known = facts(text.found[i].folded)
        if known.main == "gerund" and "noun" not in known.forms:  # «петля» is no form of «петлять»
            return "gerund"
        if "first" in known.forms:
            return "first"
        if known.main in ("infinitive", "imperative", "third", "past"):
            return "first" if known.main == "past" and not hit.past and i == hit.start else known.main
    known = facts(text.found[hit.start].folded)
    return "short" if known.main == "short" else "noun"


_SLIPPED = (
    ("third", ("ут", "ют", "ат", "ят", "ет", "ит", "ется", "ится", "утся", "ются")),
    ("past", ("л", "ла", "ли", "лся", "лась")),
)


def _slipped_form(word: str) -> str:
    """The form of a misspelt move word by its ending alone («линчанут»)."""
    return next((form for form, endings in _SLIPPED if word.endswith(endings)), "")


def heads(text: Text, clause: Clause, sender: Sender) -> list[Head]:
    """The move words of a clause in order, each once."""
    found: list[Head] = []
    turns = clause.marks("turn")
    for hit in clause.kinds("action"):
        if not set(hit.meaning.id) & sender.owned and any(t.start <= hit.start < t.end for t in turns):
            continue  # «замените на Зубра»: a correction, and no move of an artist
        if _is_nick(text, clause, hit):
            continue
        actions = _wanted(hit.meaning.id, sender)
        last = found[-1] if found else None
        if last is not None and hit.start < last.end:
            _overlap(last, hit, actions, sender)
            continue
        head = Head(hit.start, hit.end, actions, form_of(text, hit), [hit])
        head.denied = denied(text, clause, hit.start, hit.end)
        head.label = hit.end >= clause.end and clause.closer in LABEL_SIGNS
        found.append(head)
    return _merged(found)


def _overlap(last: Head, hit: Hit, actions: tuple[str, ...], sender: Sender) -> None:
    """Two readings of one place: all actions of equal words, the longer phrase else."""
    if hit.start == last.start and hit.end == last.end:
        last.actions = _wanted(tuple(dict.fromkeys((*last.actions, *actions))), sender)
    elif hit.end > last.end and set(hit.meaning.id) & set(last.actions):
        last.end = hit.end
        last.noun = True


def _merged(found: list[Head]) -> list[Head]:
    """«ставлю голос … голосую», «Интервью беру … сравню»: words of one action in one clause are one head, unless a name of
    each stands between (that is asked of the names later)."""
    kept: list[Head] = []
    for head in found:
        last = kept[-1] if kept else None
        shared = tuple(a for a in last.actions if a in head.actions) if last is not None else ()
        if last is not None and shared and last.denied == head.denied and head.start - last.end <= 1:
            last.actions = shared
            last.hits += head.hits
            last.end = head.end
            last.noun = head.form in ("noun", "short") and last.form not in ("noun", "short")
            last.form = min(last.form, head.form, key=_ORDER.index)
            last.label = last.label or head.label
            continue
        kept.append(head)
    return kept


def _wanted(actions: Sequence[str], sender: Sender) -> tuple[str, ...]:
    """Of the actions that share a word those of the sender's roles, else those that everybody has: what the own move is refused
    for is never done by another («посох смерти» of a necromancer is given, and strikes nobody: mafialife R145)."""
    own = [action for action in actions if action in sender.moves]
    return tuple(own or [action for action in actions if action in sender.owned] or actions)


def _is_nick(text: Text, clause: Clause, hit: Hit) -> bool:
    """Whether a move word is also a nick, written like one, behind another move word («Виновен Голос»)."""
    before = clause.opener in LABEL_SIGNS or any(other.end <= hit.start for other in clause.kinds("action"))
    return (
        before
        and text.found[hit.start].capital
        and any(name.start == hit.start and name.end >= hit.end and name.candidates[0].rank <= FORM for name in clause.names)
    )


def denied(text: Text, clause: Clause, start: int, end: int) -> bool:
    """Whether the words from ``start`` to ``end`` are denied («не лечу», «не буду лечить», «лечить не буду»)."""
    found = text.found
    before = [i for i in range(clause.start, start) if found[i].kind == "w"]
    words = [found[i].folded for i in before]
    if words[-1:] in (["не"], ["ни"], ["незачем"], ["нельзя"]):
        return not _denied_twice(words)
    others = {i for hit in clause.kinds("cover") if hit.meaning.id == "no_other" for i in range(hit.start, hit.end)}
    near = words[-_PASSED_OVER:]
    if "не" in near and all(_helper(word) for word in near[near.index("не") + 1 :]):
        return True
    behind = [found[i].folded for i in range(end, clause.end) if found[i].kind == "w" and i not in others]
    return any(word == "не" and _helper(behind[at + 1]) and not _spares(behind[at + 1 :]) for at, word in enumerate(behind[:-1]))


def _spares(words: Sequence[str]) -> bool:
    """«Голосую не за Анну, а …»: a denial of the nick, and not of the move."""
    return words[0] in grammar().prepositions and len(words) > 1 and words[1] not in grammar().lists["turning"]


def _denied_twice(words: Sequence[str]) -> bool:
    """«Не могу не лечить», «нельзя не лечить»: two denials."""
    return "не" in words[-4:-1] or "нельзя" in words[-3:-1]


def _helper(word: str) -> bool:
    """Whether a denied word denies the verb beside it: a verb of wish or duty, a pronoun of the writer."""
    known = facts(word)
    return word in grammar().lists["beside_denial"] or bool(known.lemmas & grammar().lists["helpers"])
