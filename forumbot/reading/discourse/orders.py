"""A clause with a move word: the claims that it makes, and what it takes of the clauses about it."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.arguments import Arguments
from forumbot.reading.claims import Claim, Target
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.discourse.address import addressed, spoken_of
from forumbot.reading.discourse.course import REACH, Course, add_claim, alternatives, arguments_of, mark_turn, reaches, wants
from forumbot.reading.discourse.strangers import name_strange, point_back, same_place
from forumbot.reading.everyday import grammar
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of


def read_orders(course: Course, p: Parsed) -> None:
    if _hint_answers(course, p):
        return
    _answer_first(course, p)
    _role_first(course, p)
    arguments = arguments_of(course, p)
    before = _payment_before(course, p)
    made: list[Claim] = []
    for claim in p.claims:
        if claim.form == "hint" and p.clause.opener in grammar().lists["conceding"]:
            continue  # «…, даже если Белка против»
        points = claim.targets or claim.label or p.free or p.clause.has("same_place")
        if claim.form == "hint" and not points and _loose_before(course, p) is None:
            continue
        if _only_names_the_actor(course, p, claim):
            course.actor = (claim.role or "", p.index)
            continue
        _prepare(course, p, claim, arguments)
        if before is not None and claim.form == "goods":
            before.fill(claim)
        if claim.form == "role" and p.verbs and not (claim.targets or claim.label):
            claim.talk.append("third_person")  # «Кот спит на клавиатуре»
        made.append(claim)
    if not made:
        mark_turn(course, p)
        return
    for claim in made:
        claim.unexplained = [i for i in p.unexplained if i not in arguments.used]
        if p.free:
            _free_beside(course, p, claim)
    _share(course, made)
    for claim in made:
        if _beside_a_pair(course, p, claim):
            claim.doubt("unclear")
        name_strange(course, p, claim)
        same_place(course, p, claim)
        point_back(course, p, claim)
        add_claim(course, claim)
    _take_from_before(course, p, made)
    _look_ahead(course, p, made[-1])


def _beside_a_pair(course: Course, p: Parsed, claim: Claim) -> bool:
    """«Подстава: Анна уходит, вместо неё в петлю Борис»: another move where one that takes two nicks has only one."""
    waits = course.open
    if waits is None or waits.sentence != p.clause.sentence or set(waits.actions) & set(claim.actions):
        return False
    return course.sender.spec(waits).least == 2 and len(waits.targets) == 1


def _payment_before(course: Course, p: Parsed) -> Arguments | None:
    """«…, а за голос - презерватив»: what is said before the dash belongs to the good behind it."""
    before = course.parsed[p.index - 1] if p.index and p.clause.opener in LABEL_SIGNS else None
    if before is None or before.clause.sentence != p.clause.sentence or before.claims or before.free:
        return None
    return arguments_of(course, before)


def _role_first(course: Course, p: Parsed) -> None:
    """«переспать с ролью - комиссар и заразить …»: the role behind a sign answers the move before it, and so do the flags beside
    it."""
    claim = course.open or course.last
    if claim is None or p.clause.opener not in LABEL_SIGNS or p.index != claim.clause + 1 or claim.args.get("role") is not None:
        return
    first = next((i for i in range(p.clause.start, p.clause.end) if course.found[i].kind in "wn"), -1)
    if "role" in course.sender.spec(claim).needs and any(hit.start == first for hit in p.roles) and p.claims[0].start > first:
        arguments_of(course, p).fill(claim)


def _hint_answers(course: Course, p: Parsed) -> bool:
    """«Голос мой - против Анны»: words that hint at the very move behind its label."""
    claim = course.open
    if claim is None or p.clause.opener not in LABEL_SIGNS or not reaches(course, p) or claim.targets or claim.talk:
        return False
    same = all(c.form == "hint" and set(c.actions) & set(claim.actions) and c.targets and not c.talk for c in p.claims)
    if not same or p.free or len(p.claims) != 1:
        return False
    claim.targets = p.claims[0].targets
    claim.unexplained += p.unexplained
    course.open, course.last, course.last_at = None, claim, p.index
    return True


def _answer_first(course: Course, p: Parsed) -> None:
    """«Ход: переспать - Змей и ещё купить …»: the nick behind a label's sign answers it, before the clause's own move."""
    first = next((i for i in range(p.clause.start, p.clause.end) if course.found[i].kind in "wn"), -1)
    answers = [n for n in p.free if n.start == first and n.kind == "nick" and n.end <= p.claims[0].start]
    if not answers or course.open is None or p.clause.opener not in LABEL_SIGNS or not reaches(course, p):
        return
    claim = course.open
    spec = course.sender.spec(claim)
    if spec.most == 1 and not claim.targets:
        claim.targets.append(target_of(answers[0], None, course.sender, spec, nominative=True))
        p.free.remove(answers[0])
        course.open, course.last, course.last_at = None, claim, p.index


def _only_names_the_actor(course: Course, p: Parsed, claim: Claim) -> bool:
    """«Свидетель, наблюдаю: Громов», «самурай: прикрываю …»: a role before the move that it makes."""
    if claim.form != "role" or claim.targets:
        return False
    follow = next((q for q in course.parsed[p.index + 1 :] if course.counts(q.clause)), None)
    if follow is None:
        return not claim.label
    if not follow.claims and follow.free and follow.clause.sentence == p.clause.sentence:
        return False  # «киллер (Олег): Кира»
    acts = any(set(c.actions) & set(course.words.roles[claim.role or ""].actions) for c in follow.claims)
    if p.verbs and follow.clause.sentence != p.clause.sentence:
        return False  # «Кот спит на клавиатуре. Слежу за …»
    return acts or not claim.label


def _prepare(course: Course, p: Parsed, claim: Claim, arguments: Arguments) -> None:
    if course.actor is not None and claim.role is None:
        role, at = course.actor
        fitting = tuple(a for a in claim.actions if a in course.words.roles[role].actions)
        if fitting and p.index - at <= REACH:
            claim.role, claim.actions = role, fitting
    if claim.form == "third" and claim.role is None and p.subject is None and p.clause.opener in ("и", "а", ",", "но"):
        _same_subject(course, p, claim)
    if claim.form == "third" and claim.role is None and course.turned and course.claims and course.claims[-1].role is not None:
        role = course.claims[-1].role
        if set(claim.actions) & set(course.words.roles[role].actions):
            claim.role = role  # «Артемон кусает... то есть избивает Яшку»
    claim.turned = course.turned or any(hit.end <= claim.start for hit in p.clause.marks("turn"))
    foreign = not set(claim.actions) & course.sender.owned or (claim.form in ("third", "past", "second") and claim.role is None)
    course.turned = course.turned and foreign
    _merge_places(claim)
    claim.either = alternatives(course, p, claim)
    arguments.fill(claim)


def _same_subject(course: Course, p: Parsed, claim: Claim) -> None:
    """«Тортилла выползла из пруда и нападает на Кекса»: the role that opens the sentence acts on."""
    before = course.parsed[p.index - 1] if p.index else None
    if before is None or before.clause.sentence != p.clause.sentence:
        return
    mine = [n for n in before.names if n.start == before.clause.start and n.seats == {course.sender.seat}]
    if mine and not before.roles and (before.verbs or before.claims):
        p.subject = mine[0]  # «Винни хочет мёда и шпионит за Кузей»
        return
    if len(before.roles) != 1:
        return
    if any(name.seats != {course.sender.seat} for name in before.names):
        return
    hit = before.roles[0]
    opens = all(course.found[i].kind != "w" for i in range(before.clause.start, hit.start))
    told = before.verbs or any(c.form in ("hint", "third", "past") for c in before.claims)
    if opens and told and set(course.words.roles[hit.meaning.id].actions) & set(claim.actions):
        claim.role = hit.meaning.id


def _merge_places(claim: Claim) -> None:
    """«Виновен №11 Леший»: a place in the list and the nick of that place are one."""
    places = [t for t in claim.targets if t.kind == "list"]
    nicks = {t.seats for t in claim.targets if t.kind != "list"}
    claim.targets = [t for t in claim.targets if t not in places or t.seats not in nicks]


def _free_beside(course: Course, p: Parsed, claim: Claim) -> None:
    """A nick in the order's clause that no slot takes: perhaps the target, perhaps not."""
    if claim.actions[0] == "cancel":
        return  # «Отменяю ход против Лося»
    claim.doubt("unclear_target")
    if not claim.targets and course.sender.spec(claim).most:
        for name in p.free:
            target = target_of(name, None, course.sender, course.sender.spec(claim))
            claim.targets.append(Target(target.seats, target.start, target.end, sure=False))


def _share(course: Course, made: Sequence[Claim]) -> None:
    """«Линч и проверка Захару»: two moves of one clause, one nick."""
    given = [claim for claim in made if claim.targets]
    for claim in made:
        spec = course.sender.spec(claim)
        if spec.leads or spec.wraps:
            continue
        if not claim.targets and wants(course, claim) and len(given) == 1 and claim.form in ("noun", "infinitive"):
            claim.targets = list(given[0].targets)


def _look_ahead(course: Course, p: Parsed, claim: Claim) -> None:
    """A label waits for what stands behind its sign; any other move word only while it lacks a nick."""
    if not wants(course, claim) and claim.label and course.sender.spec(claim).most > len(claim.targets) and not claim.targets:
        course.open = claim


def _take_from_before(course: Course, p: Parsed, made: Sequence[Claim]) -> None:
    """«Всё-таки Жук. Голос.», «Сегодня прощаемся с Енотом. Это линч»: a short sentence names the move of the nick before."""
    before = _loose_before(course, p)
    if before is None:
        return
    arguments = arguments_of(course, before)
    behind = course.parsed[p.index + 1 : p.index + 2]
    answered = any(q.free and q.clause.sentence == p.clause.sentence and q.clause.opener in LABEL_SIGNS for q in behind)
    for claim in made:
        spec = course.sender.spec(claim)
        if (
            (claim.label and answered)
            or claim.targets
            or not (wants(course, claim) or claim.label)
            or len(before.free) > spec.most
            or claim.unexplained
            or claim.talk
        ):
            continue
        claim.targets = [target_of(name, None, course.sender, spec, nominative=spec.predicate) for name in before.free]
        arguments.fill(claim)
        left = [i for i in before.unexplained if not _hinted(before, i, claim)]
        claim.unexplained = [i for i in left if i not in arguments.used]
        course.claims = [old for old in course.claims if not (old.form == "nick" and old.clause == before.index)]
        course.last, course.last_at, course.open = claim, claim.clause, None


def _hinted(p: Parsed, at: int, claim: Claim) -> bool:
    return any(h.start <= at < h.end and set(h.meaning.id) & set(claim.actions) for h in p.clause.kinds("hint"))


def _loose_before(course: Course, p: Parsed) -> Parsed | None:
    at = p.index - 1
    if at < 0 or p.clause.bracketed:
        return None
    before = course.parsed[at]
    if addressed(course, before) or any(spoken_of(course, name) for name in before.free):
        return None
    ok = before.free and not before.claims and not before.verbs and course.counts(before.clause) and not before.clause.quoted
    taken = before.index == course.last_at and course.last is not None and course.last.form != "nick"
    if not ok or before.clause.stop == "?" or taken:
        return None
    return before
