"""The sign-up thread: who wants in, who wants out, and who only talks."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from forumbot import resources
from forumbot.reading.clauses.clause import Text
from forumbot.reading.phrases import PhraseTable
from forumbot.reading.sentences import Sentence
from forumbot.reading.vocabulary import Vocabulary

_OPENING = 2
"""A sentence takes the wish back with one of its first words («Хотя нет, не успею»)."""


class Wish(NamedTuple):
    """A wish of the sign-up thread: action, and the doubt that keeps it from being taken."""

    action: str
    doubt: str | None
    start: int
    end: int


@cache
def _table() -> PhraseTable:
    return PhraseTable((text, (kind, kind)) for kind in _KINDS for text in _words(kind))


_KINDS = ("join", "leave", "others", "not", "proviso", "free")


@cache
def _words(kind: str) -> tuple[str, ...]:
    return tuple(resources.toml("reading/signups.toml")[kind]["words"])


def wish(text: Text, *, color: str | None = None, only_sure: bool = False) -> Wish | None:
    """The wish of a sign-up post, or None for talk. With ``color`` only words in that colour count; ``only_sure`` leaves
    out single words that mean something else outside the thread."""
    found: Wish | None = None
    for index, sentence in enumerate(text.sentences):
        made = _in_sentence(text, sentence, color)
        back = [hit for clause in text.of(index) for hit in clause.marks("withdraw", "joke")]
        if found is not None and any(hit.start - sentence.start < _OPENING for hit in back):
            return Wish(found.action, "contradiction", found.start, found.end)
        if made is None:
            continue
        if only_sure and made.end - made.start < 2 and text.found[made.start].folded in _words("thin"):
            continue
        if found is not None and found.action != made.action:
            return Wish(made.action, "contradiction", made.start, made.end)
        if found is None or made.doubt is not None:
            found = made
    return found


def _in_sentence(text: Text, sentence: Sentence, color: str | None) -> Wish | None:
    part = text.found[sentence.start : sentence.end]
    hits = [hit for hit in _table().hits(part) if color is None or all(part[i].color == color for i in range(hit.start, hit.end))]
    by_kind: dict[str, list[Any]] = {}
    for hit in hits:
        if hit.typo and hit.meaning[1] == "others":
            continue  # «играюю» is the writer's own
        by_kind.setdefault(hit.meaning[1], []).append(hit)
    free = [(hit.start, hit.end) for hit in by_kind.get("free", ())]

    def counts(hit: Any) -> bool:
        return not any(start <= hit.start < end for start, end in free)

    leave = by_kind.get("leave", [])
    join = [hit for hit in by_kind.get("join", []) if not any(out.start <= hit.start < out.end for out in leave)]
    if not join and not leave:
        return None
    if sentence.stop == "?" and not any(t.folded == "," for t in part[(join or leave)[0].end :]):
        return None
    hit = (leave or join)[0]
    action = "unsignup" if leave else "signup"
    denied = [no for no in by_kind.get("not", ()) if counts(no)]
    if action == "signup" and any(_denies(no, hit, part) for no in denied):
        return None
    doubt = None
    if any(counts(proviso) for proviso in by_kind.get("proviso", ())):
        doubt = "conditional"
    elif by_kind.get("others") or _names_another(part, hit):
        doubt = "for_others"
    return Wish(action, doubt, sentence.start + hit.start, sentence.start + hit.end)


def _names_another(part: Any, hit: Any) -> bool:
    """«Запишите Ястреба», «запишите меня и Ястреба»: a name behind a word that asks the host."""
    if not part[hit.start].folded.startswith(_words("asks_for")):
        return False
    for before, after in pairwise(part[hit.start :]):
        if after.kind == "w" and after.capital and before.kind == "w" and (before.folded == "и" or before is part[hit.end - 1]):
            return after.folded not in ("меня", "нас", "я")
    return False


def _denies(no: Any, hit: Any, part: Any) -> bool:
    """«не играю», «пас»; a «не» elsewhere in the sentence denies something else."""
    if part[no.start].folded != "не":
        return True
    return bool(no.start < hit.start and hit.start - no.end <= 1)


def colors_of(words: Vocabulary) -> str | None:
    """The colour that a sign-up must have, or None."""
    return words.signup.get("colour") or None
