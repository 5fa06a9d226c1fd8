"""A clause that names players and no move: whose nick it is, the order before or behind decides."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.discourse.address import addressed, describes, of_others, regrets
from forumbot.reading.discourse.alone import stand_alone
from forumbot.reading.discourse.continuing import (
    drops_the_last,
    fill_open,
    go_on_with,
    goes_on,
    only_the_old,
    replace_last,
    say_now,
    told_of_the_past,
)
from forumbot.reading.discourse.course import Course, add_claim, cases_before, mark_turn, reaches, wants
from forumbot.reading.discourse.hunches import tell
from forumbot.reading.discourse.plain import read_plain
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of


def read_nicks(course: Course, p: Parsed) -> None:
    """A clause that names players and no move."""
    waits = course.open or course.last
    if waits is not None and "number" in course.sender.spec(waits).args and waits.args.get("number") is None:
        places = [name for name in p.names if name.kind == "list"]
        p.unexplained += [i for name in places for i in range(name.start, name.end)]
        p.names = [name for name in p.names if name not in places]
        read_plain(course, p)
        return
    if _role_asked(course, p, waits):
        return
    mark_turn(course, p)
    if _carries_out(course, p, p.free):  # the writer may name themselves, too
        return
    names = [n for n in p.free if n.kind != "nick" or n.seats != {course.sender.seat} or course.open is not None]
    names = _with_small_ones(course, p, names)
    labelled = course.open is not None and p.clause.opener in LABEL_SIGNS
    if names and not labelled and addressed(course, p):
        _called(course, p, names)
        return
    if not names or regrets(course, p) or _and_i(course, p, names):
        return
    if _only_told(course, p, names):
        tell(course, p)
        return
    if p.verbs:
        p.unexplained = [i for i in p.unexplained if i not in _open_hints(course, p)]
    if course.open is not None and reaches(course, p):
        fill_open(course, p, names)
    elif course.turned and course.last is not None and only_the_old(course, names):
        return
    elif (course.turned or drops_the_last(course, p)) and course.last is not None:
        replace_last(course, p, names)
    elif (past := told_of_the_past(course, p)) is not None:
        say_now(course, p, names, past)
    elif _heads_the_next(course, p):
        course.loose = p
    elif goes_on(course, p):
        if not p.clause.has("another_time", "past"):
            go_on_with(course, p, names)
    else:
        stand_alone(course, p, names)


def _heads_the_next(course: Course, p: Parsed) -> bool:
    """«Кексу - таблетку, Ёлке - верёвку»: behind a move that has its nick, the nick before a dash is of the move behind it."""
    if course.last is None or wants(course, course.last) or p.clause.closer not in LABEL_SIGNS:
        return False
    behind = next((q for q in course.parsed[p.index + 1 : p.index + 2] if q.clause.sentence == p.clause.sentence), None)
    return behind is not None and bool(behind.claims) and not any(c.targets or c.talk for c in behind.claims) and not behind.free


def _only_told(course: Course, p: Parsed, names: Sequence[Mention]) -> bool:
    """Whether the clause speaks of its players in words of its own: a verb, a description, a remark in brackets."""
    if p.verbs and not _fills(course, p):
        return True
    remark = p.clause.bracketed and bool(p.unexplained) and p.clause.opener == "("
    return remark or describes(course, p) or (all(n.kind == "self" for n in names) and _asks_of_others(course, p))


def _asks_of_others(course: Course, p: Parsed) -> bool:
    """«…, и не надо меня уговаривать»: what others shall do or leave with the writer, in a verb that is no move."""
    return any("infinitive" in facts(course.found[i].folded).forms for i in p.unexplained)


def _called(course: Course, p: Parsed, names: Sequence[Mention]) -> None:
    """«Вася и Ёршик, приходите на чай»: who is called with the words of the writer's own move may be its target."""
    near = [q for q in course.parsed[max(0, p.index - 1) : p.index + 2] if q.clause.sentence == p.clause.sentence and q is not p]
    mine = set(course.sender.moves)
    hints = [c for q in near for c in q.claims if c.form == "hint" and set(c.actions) & mine and not c.talk]
    if not hints or not course.sender.letter or course.claims:
        return
    claim = Claim(hints[0].actions, names[0].start, names[0].start, p.index, p.clause.sentence, "hunch")
    claim.targets = [target_of(name, None, course.sender, course.sender.spec(claim)) for name in names]
    claim.doubt("unclear_target")
    add_claim(course, claim)


def _and_i(course: Course, p: Parsed, names: Sequence[Mention]) -> bool:
    """«Все голосуют за Грома, а я за Карамель»: the same verb, unsaid, of the writer."""
    words = [course.found[i].folded for i in range(p.clause.start, p.clause.end) if course.found[i].kind == "w"]
    last = course.claims[-1] if course.claims else None
    others = of_others(course, last) if last is not None else False
    if last is None or not others or words[:2] not in (["а", "я"], ["но", "я"], ["и", "я"]) or p.unexplained:
        return False
    if last.sentence != p.clause.sentence or last.clause != p.index - 1:
        return False
    claim = Claim(last.actions, last.start, last.end, p.index, p.clause.sentence, "first")
    claim.targets = [target_of(name, cases_before(course, name), course.sender, course.sender.spec(claim)) for name in names]
    claim.doubt("unclear")
    add_claim(course, claim)
    return True


def _with_small_ones(course: Course, p: Parsed, names: list[Mention]) -> list[Mention]:
    """«Интервью: белка и скорпи»: beside a nick of a list its ordinary words are nicks, too."""
    if course.open is None or course.sender.spec(course.open).most < 2 or p.clause.opener not in LABEL_SIGNS or not names:
        return names
    small = [n for n in p.names if n.weak and n not in names and set(range(n.start, n.end)) <= set(p.unexplained)]
    if len(names) + len(small) > course.sender.spec(course.open).most:
        return names
    held = {i for n in small for i in range(n.start, n.end)}
    p.unexplained = [i for i in p.unexplained if i not in held]
    return sorted([*names, *small], key=lambda n: n.start)


def _carries_out(course: Course, p: Parsed, names: Sequence[Mention]) -> bool:
    """«убийство - Седой, идёт Филин»: who carries the team's move out."""
    table = course.words.settings.get("performer")
    if table is None or course.last is None or course.last.actions[0] != table["action"] or len(names) != 1:
        return False
    words = {course.found[i].folded for i in range(p.clause.start, p.clause.end)}
    performs = grammar().lists["performs"]
    left = [i for i in p.unexplained if course.found[i].folded not in performs]
    if p.clause.sentence - course.last.sentence > 1 or not words & performs or left:
        return False
    spec = course.sender.spec(course.last)
    course.last.performer = target_of(names[0], None, course.sender, spec)
    p.free = []  # the nick is taken: no move behind it may have it, too
    return True


def _role_asked(course: Course, p: Parsed, claim: Claim | None) -> bool:
    """«Заявка: Мальвина» beside a player of that name: what is asked for is the role."""
    if claim is None or "role" not in course.sender.spec(claim).needs or claim.args.get("role") is not None:
        return False
    roles = [hit for hit in p.clause.kinds("role") if any(name.start == hit.start for name in p.free)]
    if not roles or p.clause.sentence - claim.sentence > 1:
        return False
    p.roles = roles
    p.free = []
    read_plain(course, p)
    return True


def _fills(course: Course, p: Parsed) -> bool:
    """Whether the only verbs of the clause tell of the move that waits for a nick («истинное зрение, смотрю на Осу»)."""
    return course.open is not None and set(p.verbs) <= _open_hints(course, p)


def _open_hints(course: Course, p: Parsed) -> set[int]:
    wanted = set(course.open.actions) if course.open is not None else set()
    hints = [hit for hit in p.clause.kinds("hint") if wanted & set(hit.meaning.id)]
    return {i for hit in hints for i in range(hit.start, hit.end)}
