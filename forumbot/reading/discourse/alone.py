"""Nicks by themselves: the move of a role named just before, or the one that a nick alone means."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.discourse.course import Course, add_claim, alternatives, cases_before
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of

_BESIDE_A_NICK = frozenset(
    (
        "turn", "now", "self", "self_predicate", "either", "list_number", "gender_m", "gender_f", "without", "with", "mine",
        "plus_one", "no_joke", "no_condition", "same_place", "number_word", "promise", "drop_before", "drop_next", "withdraw",
        "story",
    )
)  # fmt: skip
"""Marks that leave a nick alone what it is: the target of the writer's move."""


def stand_alone(course: Course, p: Parsed, names: Sequence[Mention]) -> None:
    """Nicks by themselves."""
    course.loose = p
    action = course.alone
    before = course.parsed[p.index - 1] if p.index else None
    if before is not None and before.clause.sentence == p.clause.sentence and before.clause.has("past", "same") and before.silent:
        return  # «Вчерашний ход - Кролик - провалился»
    if all(n.kind == "self" for n in names) and course.sender.letter and not _whole(course, p):
        return  # «Меня, чую, сегодня вздёрнут»
    choice = {hit.start for hit in p.clause.marks("either")}
    strong = [name for name in names if not name.weak or set(p.unexplained) <= choice]
    if not strong or (p.clause.stop == "?" and course.sender.letter):
        return
    actions, role = _meant(course, p, action)
    if not actions:
        return
    claim = Claim(actions, strong[0].start, strong[0].start, p.index, p.clause.sentence, "nick", subject=p.clause.subject)
    spec = course.sender.spec(claim)
    claim.targets = [target_of(name, cases_before(course, name), course.sender, spec) for name in strong]
    if not spec.repeat:  # «Вася-Василёк» is one player
        claim.targets = list({t.seats: t for t in claim.targets}.values())
    claim.unexplained = list(p.unexplained)
    claim.either = alternatives(course, p, claim)
    claim.turned = course.turned
    claim.role = role
    if role is not None:
        claim.form = "role"
    elif _announced(course, p):
        claim.form = "intent"
    elif course.sender.letter and any(hit.meaning.id not in _BESIDE_A_NICK for hit in p.clause.kinds("mark")):
        claim.doubt("unclear")
    course.turned = False
    add_claim(course, claim)


def _whole(course: Course, p: Parsed) -> bool:
    """Whether the clause is its whole sentence, the words apart that say nothing."""
    return all(q is p or q.silent for q in course.parsed if q.clause.sentence == p.clause.sentence)


def _meant(course: Course, p: Parsed, action: str) -> tuple[tuple[str, ...], str | None]:
    """What a nick alone means: the move of a role named just before («Буратино» as the subject), else the writer's."""
    if course.actor is not None and p.clause.sentence - course.parsed[course.actor[1]].clause.sentence <= 1:
        role = course.words.roles[course.actor[0]]
        return role.default, role.id
    if not action and course.sender.letter and _announced(course, p):
        return tuple(action for action in course.sender.moves if course.words.actions[action].most), None
    return ((action,) if action else ()), None


def _announced(course: Course, p: Parsed) -> bool:
    """Whether the clause, or the one before it, says that a move follows («Ход - Анна», «Поправка к ходу:»)."""
    near = [q for q in course.parsed[max(0, p.index - 1) : p.index + 1] if q.clause.sentence >= p.clause.sentence - 1]
    return any(hit.meaning.id == "intent" for q in near for hit in q.clause.kinds("cover"))
