"""What stands in a nick's place and is none: pronouns, and words that are nobody's nick."""

from __future__ import annotations

from forumbot.reading.claims import Claim, Target
from forumbot.reading.decline import is_common_word, is_word
from forumbot.reading.discourse.course import Course, wants
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention, doubtful
from forumbot.reading.names.spelling import DOUBTFUL
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit
from forumbot.reading.slots import target_of

_BEGINNING = 4
"""Shortest unknown word that may be the beginning of a nick, without a full stop behind it."""


def same_place(course: Course, p: Parsed, claim: Claim) -> None:
    """«МО на Клоуна, туда же и линч»: the move without a nick goes where the other one went."""
    if claim.targets or not wants(course, claim) or not p.clause.has("same_place"):
        return
    if course.last is not None and len(course.last.targets) == 1:
        claim.targets = list(course.last.targets)
    else:
        claim.doubt("pronoun")


def point_back(course: Course, p: Parsed, claim: Claim) -> None:
    """A pronoun in the nick's place means the one nick of the sentence before it, else nobody surely."""
    if claim.targets or not wants(course, claim):
        return
    hits = [hit for hit in p.clause.marks("pronoun") if not _explained_pronoun(p, hit.start) and _stands(course, p, hit)]
    left_out = [hit for hit in hits if hit.start and course.found[hit.start - 1].folded in grammar().lists["denying"]]
    if left_out and claim.start < left_out[0].start:  # «лечить буду не его, а Степана»
        held = {i for hit in left_out for i in range(hit.start - 1, hit.end)}
        claim.unexplained = [i for i in claim.unexplained if i not in held]
        hits = [hit for hit in hits if hit not in left_out]
    if not hits:
        return
    named: dict[frozenset[str], Mention] = {}
    for q in course.parsed:
        if q.clause.sentence == p.clause.sentence:
            for name in (*q.names, *q.aside):
                idle = name.weak and q.claims == [] and not course.found[name.start].capital
                if name.start < hits[0].start and name.kind == "nick" and not idle:
                    named[name.seats] = name
    if not named and hits[0].start >= claim.end and claim.form in ("first", "infinitive", "imperative"):
        named = _named_before(course, p, course.found[hits[0].start].folded)
    if len(named) == 1:
        name = next(iter(named.values()))
        claim.targets = [target_of(name, None, course.sender, course.sender.spec(claim))]
        claim.unexplained = [i for i in claim.unexplained if not any(h.start <= i < h.end for h in hits)]
    else:
        claim.doubt("pronoun")


def _named_before(course: Course, p: Parsed, pronoun: str) -> dict[frozenset[str], Mention]:
    """The nicks that a pronoun can mean in the sentence before, by their gender."""
    before = [q for q in course.parsed if q.clause.sentence == p.clause.sentence - 1 and not q.clause.quoted]
    if any(q.clause.stop == "?" for q in before):
        return {}
    names = {n.seats: n for q in before for n in (*q.names, *q.aside) if n.kind == "nick" and not n.weak and len(n.seats) == 1}
    gender = "f" if pronoun in grammar().lists["pronouns_f"] else "m"
    known = course.sender.roster.genders
    return {seats: n for seats, n in names.items() if known.get(next(iter(seats)), gender) in (gender, "")}


def _stands(course: Course, p: Parsed, hit: Hit) -> bool:
    """Whether a pronoun stands for somebody («эту» does, «этим утром» does not)."""
    word, after = course.found[hit.start].folded, course.found[hit.end].folded if hit.end < p.clause.end else ""
    personal = facts(word).main == "pronoun" or word in ("его", "ее", "их")
    return personal or not after or not facts(after).forms & {"noun", "adjective"}


def _explained_pronoun(p: Parsed, at: int) -> bool:
    return any(hit.start <= at < hit.end for hit in p.clause.marks("same_place", "same", "somebody", "as_others"))


def name_strange(course: Course, p: Parsed, claim: Claim) -> None:
    """A word in the nick's place that is nobody's nick: perhaps misspelt or shortened, else unknown."""
    spec = course.sender.spec(claim)
    if claim.targets or not spec.most or claim.talk or p.free:
        return
    place = _strange_place(course, p, claim)
    if place is None:
        return
    name_stranger(course, claim, place)


def name_stranger(course: Course, claim: Claim, at: int) -> None:
    token = course.found[at]
    spec = course.sender.spec(claim)
    target = _doubtful_target(course, at)
    if target is not None:
        claim.targets.append(target)
        claim.unexplained = [i for i in claim.unexplained if not target.start <= i < target.end]
        if not target.sure:
            claim.doubt("ambiguous_nick")
        return
    if token.capital and at > 0 and _inside(course, at) and (spec.least or claim.label):
        claim.refusal = "unknown_nick"
        claim.unexplained = [i for i in claim.unexplained if i != at and not course.found[i].capital]


def _inside(course: Course, at: int) -> bool:
    """Whether a capital is the writer's will, and not the beginning of a sentence; a name is one all the same."""
    word = course.found[at].folded
    opens = any(course.text.sentences[p.clause.sentence].start == at for p in course.parsed if p.clause.start == at)
    return not opens or not is_word(word) or not is_common_word(word)


def _strange_place(course: Course, p: Parsed, claim: Claim) -> int | None:
    """The unexplained word that stands where the nick must stand: behind the move word, else alone before it."""
    behind = [i for i in claim.unexplained if i >= claim.end and course.found[i].kind == "w"]
    if behind:
        return behind[0]
    lead = [i for i in claim.unexplained if i < claim.start and course.found[i].kind == "w" and course.found[i].capital]
    return lead[-1] if lead and lead[-1] == claim.start - 1 and lead[-1] > p.clause.start else None


def _doubtful_target(course: Course, at: int) -> Target | None:
    """A target walk with doubt from an ordinary, misspelt or shortened word in a nick's place."""
    token = course.found[at]
    after = course.found[at + 1] if at + 1 < len(course.found) else None
    cut = after is not None and after.folded == "." and after.glued
    roster = course.sender.roster
    candidates = doubtful(token.folded, roster, cut=cut)
    if not candidates and token.capital and len(token.folded) >= _BEGINNING and not is_word(token.folded):
        beginning = doubtful(token.folded, roster, cut=True)
        seats = tuple(dict.fromkeys(c.seat for c in beginning))
        return Target(seats, at, at + 1, sure=False) if seats else None  # «Прон»: perhaps Пронин
    if not candidates:
        return None
    dead = course.sender.known.dead
    seats = tuple(dict.fromkeys(c.seat for c in candidates if c.seat not in dead)) or (candidates[0].seat,)
    return Target(seats, at, at + 1, sure=len(seats) == 1 and candidates[0].rank < DOUBTFUL)
