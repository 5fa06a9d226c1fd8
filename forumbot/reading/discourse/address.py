"""Nicks that are only spoken to, or spoken of."""

from __future__ import annotations

from forumbot.reading.claims import Claim
from forumbot.reading.discourse.course import Course
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.names.spelling import NEAR
from forumbot.reading.parsing.parsed import Parsed

_ADDRESSING = frozenset(("second", "imperative"))


def addressed(course: Course, p: Parsed) -> bool:
    """A nick that is only spoken to: «Прости, Мурзик, погорячилась», «Гена, прости друг», «Жук, не скучай»."""
    if any("nomn" not in c.cases and c.cases for n in p.free for c in n.candidates if c.rank <= NEAR) and not all(
        any("nomn" in c.cases or not c.cases for c in n.candidates) for n in p.free
    ):
        return False
    for q in course.parsed[max(0, p.index - 1) : p.index + 2]:
        spoken = any(n.kind != "self" for n in q.free) or any(c.targets or c.form != "hint" for c in q.claims)
        if q is p or q.clause.sentence != p.clause.sentence or spoken or q.clause.color != p.clause.color:
            continue
        if _speaks_to(course, q):
            return True
    return _speaks_to(course, p, own=True)


def _speaks_to(course: Course, q: Parsed, *, own: bool = False) -> bool:
    for i in range(q.clause.start, q.clause.end):
        word = course.found[i].folded
        if course.found[i].kind != "w":
            continue
        marked = any(hit.start <= i < hit.end for hit in q.clause.kinds("mark"))
        spoken = i in q.unexplained and not marked and facts(word).known and facts(word).main in _ADDRESSING
        if word in grammar().lists["addressing"] or spoken:
            return True
    return False


def describes(course: Course, p: Parsed) -> bool:
    """A reason without a verb: «уж больно Барон тихий», «чтобы Жука оставить в покое»."""
    first = next((course.found[i].folded for i in range(p.clause.start, p.clause.end) if course.found[i].kind == "w"), "")
    known = [facts(course.found[i].folded) for i in p.unexplained]
    if first in grammar().lists["content"] and any("infinitive" in k.forms for k in known):
        return True
    nominative = all(any("nomn" in c.cases or not c.cases for c in n.candidates) for n in p.free)
    told = any(k.main == "adjective" and "nomn" in k.cases for k in known)
    return nominative and told and p.clause.opener in (",", "а", "но", "и", "-", "–", "—") and course.open is None


def regrets(course: Course, p: Parsed) -> bool:
    """«Филина жалко»: a feeling about somebody, and nothing else."""
    words = [course.found[i].folded for i in range(p.clause.start, p.clause.end) if course.found[i].kind == "w"]
    return not p.unexplained and bool(grammar().lists["regret"] & set(words)) and course.open is None


def spoken_of(course: Course, name: Mention) -> bool:
    """«насчёт Жука», «про Жука»: only what is told of."""
    return name.start > 0 and course.found[name.start - 1].folded in grammar().lists["told_of"]


def of_others(course: Course, claim: Claim) -> bool:
    """Whether a claim says what others do («Борис голосует за …», «Все за …»)."""
    first = [course.found[i].folded for i in range(course.parsed[claim.clause].clause.start, claim.end)]
    everybody = bool(grammar().lists["everybody"] & set(first))
    return claim.form == "third" or (everybody and claim.form in ("hint", "nick", "noun"))
