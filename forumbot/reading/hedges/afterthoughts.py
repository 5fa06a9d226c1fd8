"""What comes behind the order and takes it back or leaves it open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.asking import else_another
from forumbot.reading.hedges.scene import HEAD, Hedge, Scene, Test, marked, numbered
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit

_FRAGMENT = 9
"""Words of a sentence that can hang on the one before."""


def _denied_again(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Лечу Кекса. Не лечу»: the same move is denied behind it and nobody else is named."""
    for p in scene.parsed[claim.clause + 1 :]:
        for head in p.heads:
            if (
                head.denied
                and head.form in ("first", "infinitive", "imperative", "noun")
                and set(head.actions) & set(claim.actions)
                and not (p.free or p.dropped or p.verbs)
            ):
                targets = {s for c in p.claims for s in c.seats()}
                if not targets or targets & set(claim.seats()):
                    return True
    return False


def _second_thought(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """A short sentence behind the order's that leaves it open: «Если доживу.», «Или нет.», «А может Бориса?»."""
    following = _next_sentence(scene, claim)
    if not following or claim.actions[0] == "cancel" or sum(len(scene.words(p)) for p in following) > _FRAGMENT + HEAD:
        return False
    first = next((p for p in following if set(scene.words(p)) - grammar().lists["postscript"]), following[0])
    words = [word for word in scene.words(first) if word not in grammar().lists["postscript"]]
    if words[:1] and (words[0] in ("или", "либо") or else_another(scene, following)):
        return True
    if words[:1] and words[0] in grammar().lists["later_on"] and not any(p.free for p in following):
        return False  # «Дальше по ситуации»
    thinks = not grammar().lists["thinking_on"].isdisjoint(words)
    if claim.actions[0] == "unvote" and thinks and words[0] not in grammar().lists["taking_back_words"]:
        return False  # «Снимаю голос. Подумаю ещё»
    if any(c.turned and c.targets and not c.talk for p in following for c in p.claims):
        return False
    if any(p.free and not p.verbs and not p.clause.has("turn") and scene.words(p)[:1] in (["то"], ["тогда"]) for p in following):
        return True  # «Если не поздно, то себя»
    named = any(p.free or any(c.form in ("nick", "hint") for c in p.claims) for p in following)
    acting = [i for p in following for i in p.verbs if facts(scene.text.found[i].folded).main != "adverb"]
    if words[:1] == ["хотя"] and named and (not acting or _meant_before(scene, following)):
        return True
    if not named and words[:1] and words[0] in grammar().lists["taking_back_words"] and _puts_off(scene, following):
        return True
    hits = [
        h for p in following for h in marked(p, row) if _leads_in(scene, first, h) and (p is first or h.meaning.id != "condition")
    ]
    if not hits:
        return False
    if hits[0].meaning.id == "condition":
        return not _main_clause(scene, following)
    if all(hit.meaning.id == "unsure" for hit in hits) and _of_another(scene, following, claim):
        return False
    held = {i for p in following for hit in marked(p, row) for i in range(hit.start, hit.end)}
    rest = {w for p in following for i, w in numbered(scene, p) if i not in held}
    if rest and rest <= grammar().lists["closing"]:
        return False  # «Кажется, всё»
    return named or all(i in held for p in following for i in p.verbs)


def _meant_before(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Бью Зою. Нет, Нину. Хотя Зоя тоже хороша»: back to one who was a target already."""
    meant = {seat for p in scene.parsed if p.index < sentence[0].index for c in p.claims for seat in c.seats()}
    return any(name.seats & meant for p in sentence for name in p.free)


def _of_another(scene: Scene, sentence: Sequence[Parsed], claim: Claim) -> bool:
    """«Монеты вроде есть», «А Рыжий, кажется, мирный»: what is not sure has a subject and a predicate of its own, and says of
    no choice between players."""
    if any(
        p.clause.has("either", "may_change", "subjunctive", "turn")
        or any(c.form != "nick" and (c.form != "hint" or c.targets) for c in p.claims)
        for p in sentence
    ):
        return False
    if any(word in grammar().lists["taking_back_words"] and word != "но" for word in scene.words(sentence[0])[:1]):
        return False
    held = {i for p in sentence for kind in ("mark", "cover") for h in p.clause.kinds(kind) for i in range(h.start, h.end)}
    rest = [(i, facts(word)) for p in sentence for i, word in numbered(scene, p) if i not in held]
    names = [name for p in sentence for name in p.names if name.kind == "nick"]
    inside = {i for name in names for i in range(name.start, name.end)}
    doubted = {i for p in sentence for h in p.clause.marks("unsure") for i in range(h.start, h.end)}
    if names:
        theirs = all(any("nomn" in c.cases for c in name.candidates) and name.seats.isdisjoint(claim.seats()) for name in names)
        told = [k for i, k in rest if i not in inside] + [
            facts(scene.text.found[i].folded) for p in sentence for i in p.unexplained if i in held and i not in inside | doubted
        ]
        compared = any(
            scene.text.found[i].folded in grammar().lists["better"] for p in sentence for i in range(p.clause.start, p.clause.end)
        )
        said = any(k.main in ("adjective", "short", "noun", "third", "past") and (k.finite or "nomn" in k.cases) for k in told)
        return theirs and said and not compared and len(names) == 1
    subject = [i for i, k in rest if k.main == "noun" and "nomn" in k.cases]
    said = any(k.main in ("third", "past", "short") and k.finite for i, k in rest if i not in subject)
    there = any(scene.text.found[i].folded in grammar().lists["being_there"] for i, _ in rest)
    return bool(subject) and (said or there)


def _puts_off(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Хотя лучше потом», «Нет, рано»: a sentence of nothing but another time, or a judgement."""
    if not any(p.clause.has("later", "another_time", "judged") for p in sentence):
        return False
    marked_words = {i for p in sentence for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
    return all(i in marked_words for p in sentence for i in p.unexplained) and not any(p.heads for p in sentence)


def _next_sentence(scene: Scene, claim: Claim) -> list[Parsed]:
    """The sentence behind the claim's that says something."""
    for sentence in range(claim.sentence + 1, claim.sentence + 3):
        following = scene.of(sentence)
        acting = ("first", "noun", "short", "imperative", "infinitive", "role")
        if any(c.form in acting and c.targets and not c.talk for p in following for c in p.claims):
            return []
        if following and any(scene.words(p) not in ([], ["p", "s"], ["ps"], ["пс"], ["зы"]) for p in following):
            return following
    return []


def _leads_in(scene: Scene, p: Parsed, hit: Hit) -> bool:
    """Whether only words that say nothing stand before a mark («Но если …», «Ну только если …»)."""
    before = [i for i in range(p.clause.start, hit.start) if scene.text.found[i].kind == "w"]
    return len(before) < HEAD and not any(i in p.verbs for i in before)


def _main_clause(scene: Scene, following: Sequence[Parsed]) -> bool:
    """Whether a condition has a main clause of its own behind it: «Если он мирный, я съем шляпу»."""
    rest = [p for p in following[1:] if scene.words(p)[:1] not in (["что"], ["то"]) or p.verbs]
    spoken = any(facts(word).main == "imperative" for p in following[1:] for word in scene.words(p))
    if any(p.free and not p.verbs and not (spoken and all(name.kind == "self" for name in p.free)) for p in following[1:]):
        return False  # «Если замёрзну, пеняйте на себя» says nothing of the order
    if scene.words(following[0])[:1] == ["при"]:
        return False
    following = [p for p in following if set(scene.words(p)) - grammar().lists["postscript"]]
    rest = [p for p in following[1:] if scene.words(p)[:1] not in (["что"], ["то"]) or p.verbs]
    told = [p for p in rest if scene.words(p)[:1] != ["что"]]
    acts = any(facts(w).forms & {"imperative", "second"} for p in told for w in scene.words(p))
    if any(len(scene.words(p)) > 1 and not (p.names or p.claims or p.clause.has("condition")) for p in told):
        return True  # «Если рванёт, с меня торт»
    return acts or any(p.verbs for p in told) or any(h.meaning.id == "politeness" for p in told for h in p.clause.kinds("cover"))


def _left_to_others(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Вербую Анну... А впрочем, кого-нибудь из них», «…, имя пришлю потом»: wherever it stands, whom is left open."""
    if claim.actions[0] in ("pass", "cancel", "unvote"):
        return False
    for p in scene.parsed:
        asked = p.clause.stop == "?" and p.index != claim.clause
        said = [] if p.clause.quoted or asked else marked(p, row)
        if said and not any(c.turned and c.targets for q in scene.parsed[p.index + 1 :] for c in q.claims):
            return True
    return False


TESTS: Mapping[str, Test] = {
    "denied_again": _denied_again,
    "left_to_others": _left_to_others,
    "second_thought": _second_thought,
}
