"""Moves taken back, or denied: «Отмена», «никого не лечу», «Отмените моё приглашение Анне»."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import Facts, facts
from forumbot.reading.hedges.scene import Scene, outside_covers
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit
from forumbot.reading.settling.slots import rival


def no_move(claims: list[Claim], scene: Scene) -> None:
    """«никого не лечу», «сегодня не стреляю»: the writer's own move denied without a nick is no move this turn."""
    if not scene.sender.letter:
        return
    able = set(scene.sender.moves)
    for claim in list(claims):
        own = scene.own(claim)
        hinted = claim.form == "hint" and own.clause.has("nobody")
        hinted = hinted or (claim.form == "third" and claim.role in scene.sender.known.roles)  # «Буратино не стреляет»
        if "denied" not in claim.talk or not (hinted or claim.form in ("first", "infinitive")) or not set(claim.actions) & able:
            continue
        if own.clause.has("nobody") and any(_text_of(scene, hit) == "кроме" for hit in own.clause.marks("drop_next")):
            claim.talk.clear()
            claim.doubt("unclear")  # «Никого не лечу кроме себя»
            continue
        if claim.targets or own.free or own.dropped or len(claim.talk) > 1 or (claim.unexplained and not _only(own, scene)):
            continue
        if any(other.targets and not other.talk and other.actions[0] not in ("vote", "hunt") for other in claims):
            continue
        nobody = own.clause.has("nobody")
        if not nobody and len({a for a in able if scene.sender.words.actions[a].most}) > 1:
            continue  # of several moves only one is denied
        at = claims.index(claim)
        made = Claim(("pass",), claim.start, claim.end, claim.clause, claim.sentence, claim.form)
        made.doubts = claim.doubts
        claims[at] = made


def _text_of(scene: Scene, hit: Hit) -> str:
    """The last word of a phrase."""
    return scene.text.found[hit.end - 1].folded


def _only(p: Parsed, scene: Scene) -> bool:
    """Whether only the words of denial are left unexplained («никого», «не»)."""
    nobody = {i for hit in p.clause.marks("nobody", "somebody") for i in range(hit.start, hit.end)}
    return all(i in nobody or scene.text.found[i].folded in grammar().lists["denying"] for i in p.unexplained)


def taken_back(claims: Sequence[Claim], scene: Scene) -> None:
    """«Лечу Анну. Отмена.»: what stands above is taken back, where nothing is put in its place."""
    for p in scene.parsed:
        hits = outside_covers(p, p.clause.marks("withdraw"))
        if p.clause.quoted or not ((hits and _withdraws(p, hits, scene, claims)) or _bare_no(p, scene)):
            continue
        at = hits[0].start if hits else p.clause.start
        for claim in claims:
            if claim.clause <= p.index and claim.talk == ["past"] and claim.form == "infinitive":
                claim.talk.clear()  # «Хотел проверить Бориса, но передумал»
        before = [c for c in claims if (c.clause < p.index or (c.clause == p.index and c.start < at)) and not c.talk]
        after = [
            c
            for c in claims
            if c not in before and (c.clause > p.index or c.start > at) and not c.talk and (c.targets or c.actions[0] in _BOOK)
        ]
        if any(c.turned for c in after) or (before and any(rival(before[-1], c) for c in after)):
            continue
        for claim in before:
            if claim.actions[0] == "pass" and claim.clause == p.index:
                continue
            if claim.actions[0] in _BACK and hits and _says_why(hits, scene):
                continue
            if not (p.clause.sentence == claim.sentence and p.index < claim.clause):
                claim.doubt("taken_back")


def _says_why(hits: Sequence[Hit], scene: Scene) -> bool:
    """«Забираю голос, погорячились»: the words say why it is taken back."""
    why = grammar().lists["why_taken_back"]
    return all(hit.end - hit.start == 1 and facts(scene.text.found[hit.start].folded).lemmas & why for hit in hits)


def moved_on(claim: Claim, claims: Sequence[Claim]) -> bool:
    """«Отменяю проверку Анны, проверьте Бориса»: the move has a new target."""
    return any(c is not claim and c.targets and not c.talk and set(c.actions) & set(claim.actions) for c in claims)


def cancelled(claim: Claim, scene: Scene) -> Claim:
    """«Отмените моё приглашение Анне», «Забираю своё нападение на Анну»: the writer's move taken back by its name."""
    own = scene.own(claim)
    mine = claim.form == "noun" and bool(set(claim.actions) & set(scene.sender.moves)) and scene.sender.letter
    if not mine or claim.label:
        return claim
    words = [(i, facts(scene.text.found[i].folded)) for i in range(own.clause.start, own.clause.end)]
    back = [
        (i, known) for i, known in words if known.lemmas & grammar().lists["taking_back"] and not claim.start <= i < claim.end
    ]
    verbs = [i for i, known in back if _orders(known, last=i == words[-1][0])]
    taken = [hit.start for hit in own.clause.marks("withdraw") if hit.end <= claim.start and hit.end - hit.start > 1]
    if taken and not back:
        verbs = taken  # «беру назад выстрел в Анну»
    if len(back) > len(verbs):
        claim.doubt("unclear")  # «Борис отменяет лечение Анны»
        return claim
    taking = all(facts(scene.text.found[i].folded).lemmas & grammar().lists["taking"] for i in verbs)
    if taking and not taken and not own.clause.has("mine"):
        return claim  # «заберу к себе на ночь Анну»
    if not verbs or {"conditional", "question", "unsure", "another_time", "past"} & {*claim.doubts, *claim.talk}:
        return claim
    if any(scene.text.found[i].folded in grammar().lists["denying"] for i, _ in words):
        return claim  # «Лечение Анны отменять не буду»
    made = Claim(("cancel",), verbs[0], claim.end, claim.clause, claim.sentence, "first")
    made.unexplained = [i for i in claim.unexplained if i not in verbs]
    return made


def _withdraws(p: Parsed, hits: Sequence[Hit], scene: Scene, claims: Sequence[Claim]) -> bool:
    first = hits[0]
    theirs = {seat for claim in claims if claim.clause <= p.index for seat in claim.seats()}
    named = [name for name in (*p.names, *p.dropped) if name.kind == "nick"]
    if named and p.dropped and all(name.seats.isdisjoint(theirs) for name in named):
        return False  # «Ленку не надо, она храпит»: somebody else is left out
    if _fallible(p, first, scene):
        return False
    rest = [i for i in range(p.clause.start, p.clause.end) if not any(h.start <= i < h.end for h in hits)]
    weak = all(scene.text.words(h.start, h.end).lower() in grammar().lists["weak_withdrawals"] for h in hits)
    marks = {i for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
    ordinal = any(grammar().ordinal(scene.text.found[i].folded) for i in rest)
    if weak and (ordinal or any(i in rest and i not in marks for i in p.unexplained)):
        return False  # «Мне чужого не надо», «Второй пока не надо»
    if any("infinitive" in facts(scene.text.found[i].folded).forms for i in rest):
        return False  # «вступать не буду», «и не надо спорить»
    if weak and any(name.seats & theirs for name in p.dropped):
        return True  # «…, да и Анну не надо»
    before = [i for i in range(p.clause.start, first.start) if scene.text.found[i].kind == "w"]
    behind = scene.text.found[first.end].folded if first.end < p.clause.end else ""
    if weak and any(name.start == first.end and name.seats & theirs for name in p.names):
        return True  # «Не надо Анну»
    if behind in grammar().lists["others"] or any(name.start == first.end for name in p.names):
        return False  # «Ошибся он вчера»
    acts = any(head.start <= first.start < head.end for head in p.heads)
    if p.clause.has("past") or any(name.kind == "nick" for name in p.names):
        return False  # «Вчера ошибся, бывает», «А Фоксу не верьте»
    if weak and any(h.end <= first.start for h in p.clause.marks("pronoun")):
        return False  # «его не надо уже»
    return len(before) < 3 and not acts and not any(scene.text.found[i].folded in ("если", "не") for i in before)


def _orders(known: Facts, *, last: bool) -> bool:
    """Whether a verb takes back by itself; an infinitive does at the end of its clause («Лечение Анны отменить»)."""
    return bool({"first", "imperative"} & known.forms) or (last and known.main == "infinitive")


def _fallible(p: Parsed, hit: Hit, scene: Scene) -> bool:
    """«Может, ошибаюсь», «Возможно, ошибаюсь»: the writer may be wrong about somebody, and the order stands."""
    before = scene.parsed[p.index - 1] if p.index and hit.start == p.clause.start else p
    near = before is p or (before.clause.sentence == p.clause.sentence and before.silent)
    present = "first" in facts(scene.text.found[hit.start].folded).forms
    errs = bool(facts(scene.text.found[hit.start].folded).lemmas & grammar().lists["erring"])
    return near and present and errs and before.clause.has("unsure")


def _bare_no(p: Parsed, scene: Scene) -> bool:
    """«Хотя нет.», «Впрочем, нет»: a sentence of nothing but denial."""
    if not p.clause.last:
        return False
    words = {word for q in scene.of(p.clause.sentence) for word in scene.words(q)}
    return words <= grammar().lists["bare_no"] and bool({"нет", "неа"} & words)


_BACK = frozenset(("unvote", "cancel"))
_BOOK = frozenset(("pass", "cancel"))
