"""A clause with a verb of its own about some player: a reason or talk, but perhaps a move in unknown words."""

from __future__ import annotations

from forumbot.reading.claims import Claim
from forumbot.reading.discourse.course import Course
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of


def tell(course: Course, p: Parsed) -> None:
    """A clause with a verb of its own about some player: a reason or talk, but perhaps a move in unknown words."""
    course.loose = None
    _another(course, p)
    _hunch(course, p)


def _another(course: Course, p: Parsed) -> None:
    """«Лечу Гека, а впрочем и Чука бы неплохо»: another nick in the slot's case, with no verb that could govern it."""
    if course.last is None or p.clause.sentence != course.parsed[course.last_at].clause.sentence:
        return
    acting = ("first", "second", "third", "past", "imperative")
    words = [facts(course.found[i].folded) for i in p.unexplained]
    if any(known.main in acting or "infinitive" in known.forms for known in words) or p.clause.opener not in (
        ",",
        "а",
        "но",
        "и",
    ):
        return
    said = {"predicative", "short"}
    told = any(known.forms & said or known.finite for known in words)  # «…, он полезнее Анны»
    if p.clause.opener in (",", "и") and not p.clause.has("subjunctive", "turn") and told:
        return  # «…, за Филина обидно»
    if any(all("nomn" not in c.cases for c in name.candidates) for name in p.free):
        course.last.doubt("unclear_target")


def _hunch(course: Course, p: Parsed) -> None:
    """«Укокошу Сирень»: a verb of the writer's own deed that no vocabulary knows is worth a question."""
    if not course.sender.letter or p.clause.stop == "?" or p.clause.has("speech", "past", "ask", "later", "another_time"):
        return
    verbs = [facts(course.found[i].folded) for i in p.verbs]
    thinking = grammar().lists["thinking"]
    own = [v for v in verbs if "first" in v.forms and not v.lemmas & thinking]
    if len(own) != len(verbs) or not own or any(course.found[i].folded in grammar().lists["denying"] for i in p.unexplained):
        return
    oblique = [n for n in p.free if all("nomn" not in c.cases for c in n.candidates) or _after_preposition(course, n)]
    if oblique and course.sender.defaults:
        claim = Claim(course.sender.defaults, p.verbs[0], p.verbs[0] + 1, p.index, p.clause.sentence, "hunch")
        spec = course.sender.spec(claim)
        claim.targets = [target_of(n, None, course.sender, spec) for n in oblique] if spec.most else []
        claim.unexplained = list(p.unexplained)
        claim.doubt("unexplained")
        claim.order = len(course.claims)
        course.claims.append(claim)


def _after_preposition(course: Course, name: Mention) -> bool:
    return name.start > 0 and course.found[name.start - 1].folded in grammar().prepositions
