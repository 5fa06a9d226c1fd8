"""A clause without a nick: an argument, a stranger's name, a pronoun, a turn, or talk."""

from __future__ import annotations

from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.discourse.course import REACH, Course, add_claim, arguments_of, mark_turn
from forumbot.reading.discourse.strangers import name_stranger, point_back, same_place
from forumbot.reading.parsing.parsed import Parsed


def read_plain(course: Course, p: Parsed) -> None:
    """A clause without a nick: an argument, a stranger's name, a pronoun, a turn, or talk."""
    mark_turn(course, p)
    claim = course.open or course.last
    if _points(course, p):
        return
    if claim is None:
        return
    near = p.clause.sentence == course.parsed[max(course.last_at, claim.clause)].clause.sentence
    if p.clause.stop == "?" and p.clause.sentence != claim.sentence:
        return  # «Взлом - Анна. По плану команды?»: what is asked adds nothing
    arguments = arguments_of(course, p)
    if near or len(p.unexplained) <= REACH:
        arguments.fill(claim)
    p.unexplained = [i for i in p.unexplained if i not in arguments.used]
    if course.open is None or p.verbs:
        return
    if near:
        same_place(course, p, claim)
        point_back(course, p, claim)
    if near and claim.label and p.clause.opener in LABEL_SIGNS and not claim.targets:
        claim.unexplained += [i for i in p.unexplained if i not in claim.unexplained]
    if near and not claim.targets and p.unexplained and _strange_alone(course, p, claim):
        name_stranger(course, claim, p.unexplained[0])
        p.unexplained = []
    if claim.targets or claim.refusal:
        course.open, course.last, course.last_at = None, claim, p.index


def _points(course: Course, p: Parsed) -> bool:
    """A coloured «+1», «туда же»: a vote like somebody else's."""
    hits = p.clause.marks("plus_one", "same_place", "same")
    if p.clause.color is None or not course.alone or not hits or course.claims or course.open is not None:
        return False
    held = {i for hit in hits for i in range(hit.start, hit.end)}
    if [i for i in p.unexplained if i not in held] or p.clause.stop == "?":
        return False
    claim = Claim((course.alone,), hits[0].start, hits[0].end, p.index, p.clause.sentence, "nick")
    claim.doubt("as_others" if hits[0].meaning.id == "plus_one" else "pronoun")
    add_claim(course, claim)
    course.open = None
    return True


def _strange_alone(course: Course, p: Parsed, claim: Claim) -> bool:
    """Whether the clause behind a label holds nothing but a name that nobody bears."""
    first = course.found[p.unexplained[0]]
    label = claim.label or p.clause.opener in LABEL_SIGNS
    return label and first.kind == "w" and all(course.found[i].capital for i in p.unexplained)
