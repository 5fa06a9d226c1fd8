"""Which nick fills the slot of a move word: the preposition and the case decide before any likeness does.

A case is a filter over all readings of a nick; only then the surest spelling is looked for. What two living players could be
is never decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from forumbot.reading.claims import Sender, Target
from forumbot.reading.everyday import grammar
from forumbot.reading.mentions import Mention
from forumbot.reading.names.spelling import DOUBTFUL, EXACT, FORM, LOOKALIKE, NEAR, PET, TITLE, TYPO, Candidate
from forumbot.reading.vocabulary import Action


class Government(NamedTuple):
    """``slots``: preposition ("" for none) -> cases of the target; ``beside``: prepositions of what is no target."""

    slots: dict[str, frozenset[str]]
    beside: frozenset[str]


_LEVELS = {EXACT: 0, LOOKALIKE: 0, FORM: 0, NEAR: 1, PET: 2, TYPO: 3, TITLE: 4, DOUBTFUL: 5}
LABELS = frozenset(("noun", "role", "goods", "hint", "nick", "short", "thing", "intent"))
"""Forms of a move word that do not govern as a verb does."""


_SPELLED_TOO = {"о": ("об",), "в": ("во",), "к": ("ко",), "с": ("со",)}
"""How a preposition is spelled before some words («об Анне»)."""


@cache
def government(govern: tuple[str, ...], form: str) -> Government:
    """What a move word in this form governs."""
    slots: dict[str, set[str]] = {}
    beside: set[str] = set()
    rows = (*govern, *sorted(grammar().lists["noun_governs"])) if form in LABELS else govern
    for row in rows:
        words = row.removeprefix("-").split()
        if row.startswith("-"):
            beside.add(words[0])
            continue
        preposition, case = ("", words[0]) if len(words) == 1 else (words[0], words[1])
        for word in (preposition, *_SPELLED_TOO.get(preposition, ())):
            slots.setdefault(word, set()).add(case)
    if form == "transitive" and "" in slots:
        slots[""].discard("datv")
    if form == "thing" and "" in slots:
        slots[""] -= {"gent", "accs"}
    return Government({word: frozenset(cases) for word, cases in slots.items()}, frozenset(beside))


def target_of(name: Mention, cases: frozenset[str] | None, sender: Sender, spec: Action, *, nominative: bool = False) -> Target:
    """Whom a mention means in a slot of these cases. ``nominative``: the formula «Виновен НИК», where an exact nick wins."""
    if name.kind == "self":
        return Target((sender.seat,), name.start, name.end, kind="self")
    fit = _fitting(name.candidates, cases)
    if nominative and (exact := [c for c in fit if c.rank == EXACT]):
        fit = exact
    chosen = surest(fit, sender, spec, label=cases is None or "nomn" in cases)
    seats = tuple(dict.fromkeys(c.seat for c in chosen))
    sure = len(seats) == 1 and chosen[0].rank < DOUBTFUL and name.kind != "list"
    sure = sure and not (chosen[0].rank == TITLE and name.weak)
    return Target(seats, name.start, name.end, sure, name.kind)


def _fitting(candidates: Sequence[Candidate], cases: frozenset[str] | None) -> list[Candidate]:
    """The readings that a slot leaves; a whole nick as the roster spells it may stand anywhere («лечу Вера»)."""
    if cases is None:
        return list(candidates)
    fit = [c for c in candidates if not c.cases or c.cases & cases or (c.rank <= LOOKALIKE and "nomn" in c.cases)]
    return fit or list(candidates)


def fits(name: Mention, cases: frozenset[str]) -> bool:
    """Whether some reading of a mention can stand in one of these cases."""
    if name.kind == "self":
        return any(not c.cases or c.cases & cases for c in name.candidates)
    return name.kind == "list" or any(not c.cases or c.cases & cases or c.rank <= LOOKALIKE for c in name.candidates)


def surest(candidates: Sequence[Candidate], sender: Sender, spec: Action, *, label: bool = False) -> list[Candidate]:
    """The candidates of the surest kind, the living before the dead. A ``label`` leaves the nominative open."""
    if not candidates:
        return []
    best = min(_LEVELS[c.rank] for c in candidates)
    group = [c for c in candidates if _LEVELS[c.rank] == best]
    parts = [c for c in candidates if c.rank == NEAR and "nomn" in c.cases]
    if label and best == 0 and parts and all(not {"nomn", "datv"} & c.cases for c in group):
        group += parts  # «Голос: Ворона» with Ворон and Белая Ворона
    if spec.dead_targets:
        return group
    living = [c for c in group if c.seat not in sender.known.dead]
    return living or group
