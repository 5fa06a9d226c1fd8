"""A nick that fills, goes on with or corrects the order before it."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.discourse.course import Course, add_claim, alternatives, arguments_of, cases_before, wants
from forumbot.reading.everyday import grammar
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of

_JOINING = frozenset((",", "/", "и", "или", "(", "→", ""))
"""Openers of a clause that may go on with a list of nicks."""


def fill_open(course: Course, p: Parsed, names: Sequence[Mention]) -> None:
    claim = course.open
    assert claim is not None
    if p.clause.stop == "?" and p.clause.sentence != claim.sentence:
        claim.doubt("question")  # «Завербовать... Анну? Бориса?»
    if p.clause.sentence != claim.sentence and _conditioned(course, p):
        claim.doubt("conditional")  # the subject «Проверь», the body «Анну, если …»
    spec = course.sender.spec(claim)
    for name in names:
        formula = spec.predicate and claim.form == "short"
        labelled = claim.label and p.clause.opener in LABEL_SIGNS
        target = target_of(name, None, course.sender, spec, nominative=formula or labelled or spec.most > 1)
        if spec.most and (spec.most > 1 or target.seats not in [old.seats for old in claim.targets]):
            claim.targets.append(target)
    arguments = arguments_of(course, p)
    arguments.fill(claim)
    claim.unexplained += [i for i in p.unexplained if i not in arguments.used]
    claim.unexplained = [i for i in claim.unexplained if not _pronoun_at(course, i)]
    claim.either = claim.either or alternatives(course, p, claim)
    claim.turned = claim.turned or course.turned
    claim.doubts = [doubt for doubt in claim.doubts if doubt != "pronoun"]
    if p.clause.has("somebody"):
        claim.doubt("somebody")
    course.turned = False
    course.last, course.last_at = claim, p.index
    for other in course.claims:
        beside = other.sentence == claim.sentence and claim.clause - other.clause == 1
        if beside and wants(course, other) and not other.targets and course.parsed[claim.clause].clause.opener == "и":
            other.targets = list(claim.targets)
    if not wants(course, claim):
        course.open = None


def _conditioned(course: Course, p: Parsed) -> bool:
    same = [q.clause for q in course.parsed if q.clause.sentence == p.clause.sentence]
    return any(clause.has("condition") and not clause.has("no_condition") for clause in same)


def _pronoun_at(course: Course, at: int) -> bool:
    """«Виновен он, Леший»: the pronoun that the nick explains."""
    return course.found[at].folded in grammar().lists["others"]


def goes_on(course: Course, p: Parsed) -> bool:
    """Whether the clause stands right behind the nicks of the last order, as one more of its list."""
    if course.last is None or not course.last.targets or p.clause.sentence != course.parsed[course.last_at].clause.sentence:
        return False
    return p.index - course.last_at == 1 and (p.clause.opener in _JOINING or p.clause.opener in LABEL_SIGNS)


def go_on_with(course: Course, p: Parsed, names: Sequence[Mention]) -> None:
    claim = course.last
    assert claim is not None
    spec = course.sender.spec(claim)
    known = set(claim.seats())
    before = len(claim.targets)
    for name in names:
        target = target_of(name, None, course.sender, spec, nominative=spec.most > 1)
        if (target.kind == "list" and set(target.seats) <= known) or (name.weak and _says_more(course, p, names)):
            continue
        if claim.targets[-1].kind == "list" and claim.targets[-1].seats == target.seats:
            claim.targets[-1] = target
        elif target.seats and set(target.seats) <= known and spec.most == 1:
            claim.targets = [t for t in claim.targets if not set(target.seats) <= set(t.seats)] + [target]
        else:
            claim.targets.append(target)
    claim.unexplained += p.unexplained
    claim.either = claim.either or alternatives(course, p, claim)
    if p.clause.opener in LABEL_SIGNS and spec.most == 1 and len(claim.targets) > before:
        claim.doubt("two_targets")
    course.last_at = p.index
    if course.open is claim and not wants(course, claim):
        course.open = None


def _says_more(course: Course, p: Parsed, names: Sequence[Mention]) -> bool:
    """Whether a clause has words beside its nicks and what joins them."""
    held = {i for name in names for i in range(name.start - 1, name.end)}
    words = [i for i in range(p.clause.start, p.clause.end) if course.found[i].kind == "w" and i not in held]
    return any(course.found[i].folded not in grammar().lists["joining"] for i in words)


def replace_last(course: Course, p: Parsed, names: Sequence[Mention]) -> None:
    """«…, точнее Ирину», «Нет, Зубра!»: the same move at somebody else."""
    assert course.last is not None
    old = _standing(course, course.last)
    claim = Claim(old.actions, old.start, old.end, p.index, p.clause.sentence, old.form, args=dict(old.args))
    spec = course.sender.spec(claim)
    if not spec.most:
        course.turned = False
        return
    claim.role, claim.performer, claim.turned, claim.label = old.role, old.performer, True, old.label
    claim.targets = [target_of(name, None, course.sender, spec) for name in names]
    claim.either = alternatives(course, p, claim)
    claim.unexplained = list(p.unexplained)
    words = [course.found[i].folded for i in range(p.clause.start, p.clause.end) if course.found[i].kind == "w"]
    same = p.clause.sentence == course.parsed[course.last_at].clause.sentence
    if same and words[:1] == ["хотя"] and "нет" not in words and not any(word.startswith("давай") for word in words):
        claim.doubt("unsure")  # «…, хотя лучше Нику»
    course.turned = False
    add_claim(course, claim)


def _standing(course: Course, last: Claim) -> Claim:
    """The order that a correction replaces: not what is told of the past on the way to it («Стоп. Анну я лечил вчера. Тогда
    Борис.»)."""
    if last.form != "past":
        return last
    return next((c for c in reversed(course.claims) if c.form != "past" and set(c.actions) & set(last.actions)), last)


def only_the_old(course: Course, names: Sequence[Mention]) -> bool:
    """«Поторопилась с Ритой, …»: a correction that names whom it drops."""
    seats = set(course.last.seats()) if course.last is not None else set()
    return bool(seats) and all(name.seats & seats for name in names)


def drops_the_last(course: Course, p: Parsed) -> bool:
    """«Зубра, а не Кекса», «вместо Кекса пусть будет Зубр»: whom the order named is left out."""
    if course.last is None or not course.last.targets:
        return False
    near = [q for q in course.parsed[max(0, p.index - 1) : p.index + 2] if q.clause.sentence == p.clause.sentence]
    dropped = {seat for q in near for name in q.dropped for seat in name.seats}
    return bool(dropped) and set(course.last.seats()) <= dropped


def told_of_the_past(course: Course, p: Parsed) -> Claim | None:
    """«Вчера голосовал за А, сегодня за Б»: the move of the past that the clause goes on with."""
    if not p.clause.has("now") or p.unexplained:
        return None
    before = [q for q in course.parsed[: p.index] if q.clause.sentence == p.clause.sentence]
    return next((c for q in reversed(before) for c in q.claims if c.form == "past"), None)


def say_now(course: Course, p: Parsed, names: Sequence[Mention], past: Claim) -> None:
    claim = Claim(past.actions, past.start, past.end, p.index, p.clause.sentence, "first")
    spec = course.sender.spec(claim)
    claim.targets = [target_of(name, cases_before(course, name), course.sender, spec) for name in names] if spec.most else []
    claim.turned = True
    add_claim(course, claim)
