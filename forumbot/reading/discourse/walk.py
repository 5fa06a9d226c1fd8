"""From clauses to the claims of a message: a clause may hold an order; go on with the one before (a label's nick, one
more nick, a sum); correct it; or speak of something else. ``settling`` looks at all claims together.
"""

from __future__ import annotations

from forumbot.reading.claims import Claim
from forumbot.reading.discourse.course import Course, cases_before, mark_turn
from forumbot.reading.discourse.nicks import read_nicks
from forumbot.reading.discourse.orders import read_orders
from forumbot.reading.discourse.plain import read_plain
from forumbot.reading.parsing.parsed import Parsed


def walk(course: Course, until: int) -> list[Claim]:
    """The claims of the clauses before the sentence ``until`` (where a story begins)."""
    for p in course.parsed:
        if p.clause.sentence >= until:
            break
        if p.clause.quoted:
            continue
        if course.counts(p.clause) and _one_more_if(course, p):
            continue
        if not course.counts(p.clause):
            mark_turn(course, p)
        elif p.claims and not _answers_argument(course, p):
            read_orders(course, p)
        elif p.free:
            read_nicks(course, p)
        else:
            read_plain(course, p)
    return course.claims


def _one_more_if(course: Course, p: Parsed) -> bool:
    """«Слежу за Гошей, если можно, то и за Никой»: one more nick under a condition."""
    last = course.last
    if last is None or not p.clause.has("no_condition") or not p.free or p.unexplained:
        return False
    if course.found[p.clause.start].folded != "если" or p.clause.sentence != course.parsed[course.last_at].clause.sentence:
        return False
    more = [name for name in p.free if name.start and not set(last.seats()) & name.seats and cases_before(course, name)]
    if more:
        last.doubt("two_targets")
    return bool(more)


def _answers_argument(course: Course, p: Parsed) -> bool:
    """«Заявка на роль: Пьеро», «Подарить: броня - Мурзик»: a role's or a good's name alone behind an order about one."""
    claim = course.open or course.last
    if claim is None or p.clause.sentence - claim.sentence > int(claim.subject):
        return False
    goods = {hit.start for hit in p.clause.kinds("item")} if p.clause.opener == ":" else set()
    if (
        all(c.form == "goods" or (c.start in goods and not c.targets) for c in p.claims)
        and "item" in course.sender.spec(claim).args
        and not claim.args.get("item")
    ):
        read_plain(course, p)
        return True
    if not all(_names_a_role(p, c) and not c.targets for c in p.claims):
        return False
    if "role" not in course.sender.spec(claim).args or claim.args.get("role") is not None:
        return False
    read_plain(course, p)
    return True


def _names_a_role(p: Parsed, claim: Claim) -> bool:
    """Whether a claim rests on the name of a role alone, also where that word hints at the role's move («телохранитель»)."""
    inside = any(hit.start <= claim.start and claim.end <= hit.end for hit in p.roles)
    return claim.by_role or (claim.form == "hint" and inside)
