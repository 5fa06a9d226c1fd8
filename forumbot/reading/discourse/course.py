"""What is known while the clauses of a message are gone through, and what every step asks of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from forumbot.reading.arguments import Arguments
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit

REACH = 2
"""Sentences over which a move word waits for its nick («Стреляю. В кого? Да в Глеба»)."""


class Course:
    """What is known while the clauses of one message are gone through."""

    def __init__(
        self, text: Text, sender: Sender, parsed: Sequence[Parsed], counts: Callable[[Clause], bool], alone: str
    ) -> None:
        """``counts`` tells the clauses whose words are orders (all of a letter, the coloured ones of a post); ``alone`` is the
        action that a nick alone means, empty for none."""
        self.text = text
        self.found = text.found
        self.sender = sender
        self.words = sender.words
        self.parsed = parsed
        self.counts = counts
        self.alone = alone
        self.claims: list[Claim] = []
        self.open: Claim | None = None
        self.last: Claim | None = None
        self.last_at = -1
        self.turned = False
        self.loose: Parsed | None = None
        """The clause before that named players and no move."""
        self.actor: tuple[str, int] | None = None


def wants(course: Course, claim: Claim) -> bool:
    return len(claim.targets) < course.sender.spec(claim).least


def arguments_of(course: Course, p: Parsed) -> Arguments:
    taken = {i for name in (*p.names, *p.aside, *p.dropped) for i in range(name.start, name.end)}
    return Arguments(course.text, course.sender, p.clause, p.roles, frozenset(taken))


def alternatives(course: Course, p: Parsed, claim: Claim) -> bool:
    """Whether the targets of a clause stand as a choice («Анну или Бориса», «Анна/Борис»)."""
    if len(claim.targets) < 2:
        return False
    first, last = claim.targets[0].start, claim.targets[-1].end
    return any(course.found[i].folded in ("или", "либо", "/", "то") for i in range(first, last))


def add_claim(course: Course, claim: Claim) -> None:
    claim.order = len(course.claims)
    last = course.claims[-1] if course.claims else None
    labelled = course.parsed[claim.clause].clause.opener in LABEL_SIGNS
    beside = last is not None and (claim.clause == last.clause or (labelled and claim.clause == last.clause + 1))
    given = beside and last is not None and "item" in course.sender.spec(last).args
    if given and claim.form == "noun" and "item" not in course.sender.spec(claim).args:
        claim.doubt("ambiguous_action")  # «Дарю пистолет Жанне»: the thing that is given has the name of a move
    if labelled and last is not None and last.doubts == ["as_others"] and not last.targets and claim.clause == last.clause + 1:
        course.claims.pop()  # «Поддерживаю Анну: виновен Вихрь»
    course.claims.append(claim)
    course.loose = None
    asks = course.parsed[claim.clause].clause
    weak = claim.form in ("third", "past", "second") and claim.role is None
    if (asks.stop == "?" and asks.marks("ask") and not claim.label) or weak or "denied" in claim.talk:
        course.open = None
    else:
        course.open = claim if wants(course, claim) and claim.refusal is None else None
    if claim.targets:
        course.last, course.last_at = claim, claim.clause
        _close_open(course, claim)
    elif not wants(course, claim) or claim.refusal is not None:
        course.last, course.last_at = claim, claim.clause


def _close_open(course: Course, claim: Claim) -> None:
    """«Линч и проверка - Захар»: a move word waits beside one that has its nick."""
    for other in course.claims[:-1]:
        near = other.sentence == claim.sentence and claim.clause - other.clause == 1
        if near and wants(course, other) and not other.targets and course.parsed[claim.clause].clause.opener == "и":
            other.targets = list(claim.targets)


def reaches(course: Course, p: Parsed) -> bool:
    claim = course.open
    if claim is None or p.clause.sentence - claim.sentence > REACH:
        return False
    return not claim.talk or p.clause.sentence == claim.sentence


def mark_turn(course: Course, p: Parsed) -> None:
    hits = [hit for hit in p.clause.marks("turn") if not _none_left(course, p, hit)]
    words = {course.found[i].folded for i in range(p.clause.start, p.clause.end)}
    if (hits or words == {"не"}) and course.claims:  # «…, не, Егора»
        course.turned = True


def cases_before(course: Course, name: Mention) -> frozenset[str] | None:
    before = course.found[name.start - 1].folded if name.start else ""
    return grammar().prepositions.get(before)


def _none_left(course: Course, p: Parsed, hit: Hit) -> bool:
    """«…, никому веры нет»: the word that ends a clause says that there is none, and turns nothing."""
    before = sum(course.found[i].kind == "w" for i in range(p.clause.start, hit.start))
    return before > 1 and hit.end == p.clause.end and course.found[hit.start].folded == "нет" == course.found[hit.end - 1].folded
