"""Whose deed it is: somebody else's, everybody's, of the past, or nobody's."""

from __future__ import annotations

from collections.abc import Mapping

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Hedge, Scene, Test, marked
from forumbot.reading.parsing.parsed import Parsed


def _past_form(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return claim.form in ("past", "gerund", "second") or any(
        head.form == "past" and set(head.actions) & set(claim.actions) for head in scene.own(claim).heads
    )


def _past(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """Said of what was: in one clause with the order, or in a frame that closes with a colon."""
    if scene.sender.spec(claim).dead_targets and claim.form == "first":
        return False
    now = any(p.clause.has("now") for p in scene.near(claim))
    for p in (scene.own(claim), *scene.before(claim)):
        own = p is scene.own(claim)
        frame = p.clause.closer == ":" or (scene.set_off(p) and not p.silent and not p.verbs)
        if (own or frame) and marked(p, row) and not (now and own):
            return not (now and not own and p.clause.closer != ":")
    return False


def _past_verb(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Хотел лечить Анну», «была проверка Анны»: the predicate of the order's own clause is of the past."""
    own = scene.own(claim)
    if own.clause.has("subjunctive"):
        return False
    return (
        claim.form in ("infinitive", "noun", "hint", "role")
        and not own.free
        and any(facts(scene.text.found[i].folded).main == "past" for i in own.verbs)
    )


def _others_wish(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Анна просит её полечить»: the infinitive hangs on what somebody else does."""
    own = scene.own(claim)
    if claim.form != "infinitive":
        return False
    strange = any(facts(scene.text.found[i].folded).main in ("third", "second", "past") for i in own.verbs)
    if strange and not _own_role_wants(scene, own):
        return True
    if _own_role_wants(scene, own):
        return False
    verbs = [head for head in own.heads if head.end <= claim.start and head.form in ("third", "second", "past")]
    return bool(verbs) and claim.role is None  # «Белка зовёт голосовать за Жука»


def _own_role_wants(scene: Scene, p: Parsed) -> bool:
    """«Арлекин сегодня хочет завербовать Анну»: the writer's own role wishes."""
    mine = any(hit.meaning.id in scene.sender.known.roles for hit in p.roles)
    verbs = [facts(scene.text.found[i].folded) for i in p.verbs]
    return mine and all(known.main == "third" and known.lemmas & grammar().lists["wishing"] for known in verbs)


def _told(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Верните мои 20 монет за щит»: a good's name alone with a verb that is no order's."""
    acts = ("first", "second", "third", "past", "imperative")
    verbs = [facts(scene.text.found[i].folded) for i in scene.own(claim).unexplained]
    back = any(known.lemmas & grammar().lists["taking_back"] for known in verbs)
    return claim.form == "goods" and not back and any(known.main in acts for known in verbs)


def _pronoun_nick(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Виновен всякий, кто молчит», «Виновны все»: a pronoun that happens to be somebody's nick, in small letters."""
    own = scene.own(claim)
    found = scene.text.found
    plural = facts(found[claim.start].folded).plural and claim.form == "short"
    for target in claim.targets:
        if target.start >= len(found) or found[target.start].capital or target.kind != "nick":
            continue
        pronoun = facts(found[target.start].folded).forms & {"pronoun", "adjective"}
        follows = scene.behind(claim)[:1]
        relative = [p for p in follows if scene.words(p)[:1] and scene.words(p)[0] in grammar().lists["relatives"]]
        if pronoun and (relative or plural) and target.end - target.start == 1 and own.clause.start <= target.start:
            return True
    return False


def _bare_among_others(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """A nick alone, or a mere hint of a vote, in a sentence that says more than that («Думаю, Стриж», «все за А, я против Б»)."""
    spec = scene.sender.spec(claim)
    if claim.form != "nick" and not (claim.form == "hint" and spec.talk):
        return False
    others = [p for p in scene.sentence(claim) if p.index != claim.clause and not p.clause.bracketed]
    color = scene.own(claim).clause.color
    follows = [p for p in others if p.index == claim.clause + 1 and p.clause.opener == "и" and p.clause.color == color]
    if follows and claim.form == "nick":
        return True  # «Мила и Ольга голосуют вместе»
    return any(
        (p.unexplained or p.free or p.heads) and p.clause.color == color and p.index < claim.clause for p in others
    ) or any(p.unexplained and not p.verbs and p.clause.opener in ("-", "–", "—", ":") for p in others if p.clause.color == color)


def _others_do(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Все против Деда Мазая»: a vote that the words give to others."""
    own = scene.own(claim)
    if claim.form not in ("hint", "noun", "nick"):
        return False
    before = [scene.text.found[i].folded for i in range(own.clause.start, claim.start)]
    return bool(set(before) & grammar().lists["everybody"])


def _agitation(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Голосуйте за Анну!»: votes are asked of others."""
    spec = scene.sender.spec(claim)
    return claim.form == "imperative" and spec.talk and spec.least > 0


def _third_person(scene: Scene, claim: Claim, row: Hedge) -> bool:
    own = scene.own(claim)
    if claim.form == "second":
        return True
    if claim.form != "third" or claim.role is not None or claim.performer is not None:
        return False
    if facts(scene.text.found[claim.start].folded).main != "third" and claim.end - claim.start > 1:
        return False  # «клан убивает»: the phrase has its own subject
    if own.subject is not None:
        return own.subject.seats != {scene.sender.seat}
    if not set(claim.actions) & scene.sender.owned and any(target.kind == "self" for target in claim.targets):
        claim.talk.append(row.reason)  # «Боюсь, что меня убьют»
    strange = bool(own.roles) and not any(hit.meaning.id in scene.sender.known.roles for hit in own.roles)
    if strange and "future" in facts(scene.text.found[claim.start].folded).forms and not set(claim.actions) & scene.sender.owned:
        claim.talk.append(row.reason)  # «Маньяк сегодня укусит Жанну»
    return not _own_tool(scene, claim)


def _own_tool(scene: Scene, claim: Claim) -> bool:
    """«Мой меч прикрывает Ольгу»: what acts is the writer's own."""
    own = scene.own(claim)
    tools = [h for h in own.clause.kinds("hint") if h.end <= claim.start and set(h.meaning.id) & set(claim.actions)]
    return bool(tools) and bool(set(claim.actions) & scene.sender.owned) and own.clause.has("mine")


_LET = ("пусть", "пускай")


def _let_it_be(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«пусть лечу Анну»: a wish put into somebody's mouth; «пусть будет Анна» is the writer's own."""
    own = scene.own(claim)
    heads = [own, *(p for p in scene.before(claim)[-1:] if p.clause.closer == ":")]
    opened = any(p.clause.opener in _LET or scene.words(p)[:1] in ([word] for word in _LET) for p in heads)
    if claim.form in ("nick", "imperative") or own.roles or not opened:
        return False  # «Пусть Буратино сходит к Анне»
    verbs = any(facts(word).main == "third" for word in scene.words(own))
    return claim.form in ("first", "third") or not verbs


TESTS: Mapping[str, Test] = {
    "past_form": _past_form,
    "past": _past,
    "past_verb": _past_verb,
    "others_wish": _others_wish,
    "told": _told,
    "pronoun_nick": _pronoun_nick,
    "bare_among_others": _bare_among_others,
    "others_do": _others_do,
    "agitation": _agitation,
    "third_person": _third_person,
    "let_it_be": _let_it_be,
}
