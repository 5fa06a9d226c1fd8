"""Questions, conditions and choices: an order that is asked about or hangs on something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import HEAD, Hedge, Scene, Test, marked
from forumbot.reading.parsing.parsed import Parsed

_IF_ANYTHING = ["если", "что"]


def _asked(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """The sentence ends as a question, and the claim stands in what is asked: its last clause, or all of it where a word of
    asking opens it."""
    own = scene.own(claim)
    if own.clause.stop != "?":
        return False
    clauses = scene.sentence(claim)
    if clauses[-1].index > claim.clause and _tag(scene, clauses[-1]):
        return False
    if any(p.clause.opener == "но" and p.clause.has("ask", "asks_host") for p in clauses if p.index > claim.clause):
        return True  # «…, но сначала скажи, жив ли он?»
    spec = scene.sender.spec(claim)
    if not claim.targets and (spec.least or any(claim.args.get(name) is None for name in spec.needs)):
        claim.talk.append(row.reason)
    asking = [p for p in clauses if p.index <= claim.clause and p.clause.marks("ask")]
    if any(_really_asks(scene, p, claim) for p in asking):
        if not claim.either and not any(
            hit.meaning.id == "ask" and scene.text.found[hit.start].folded == "можно"
            for p in asking
            for hit in p.clause.marks("ask")[:1]
        ):
            claim.talk.append(row.reason)
        return True
    if claim.form in ("third", "second", "past", "goods"):
        claim.talk.append(row.reason)
    behind = [p for p in clauses if p.index > claim.clause]
    return not any(p.verbs or p.claims or p.clause.marks("ask") or p.unexplained or p.dropped for p in behind)


def _tag(scene: Scene, p: Parsed) -> bool:
    """«…, ок?», «…, хорошо?»: no question about the order."""
    polite = any(hit.meaning.id == "politeness" for hit in p.clause.kinds("cover"))
    word = scene.words(p)[0] if len(scene.words(p)) == 1 else ""
    if word in grammar().lists["tags"] and not (p.claims or p.free):
        return True
    return p.silent and (polite or (len(scene.words(p)) == 1 and scene.words(p)[0] in grammar().lists["tags"]))


def _really_asks(scene: Scene, p: Parsed, claim: Claim) -> bool:
    acts = {i for c in p.claims for i in range(c.start, c.end)}
    targets = {i for c in p.claims for t in c.targets for i in range(t.start, t.end)}
    anywhere = grammar().lists["asking_anywhere"]
    found = scene.text.found
    return any(
        hit.start not in acts | targets and (hit.start < claim.start or found[hit.start].folded in anywhere)
        for hit in p.clause.marks("ask")
    )


def _announced(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Если Анна не ответит, отдам голос ей»: of what is talked of all day what is only announced."""
    spec = scene.sender.spec(claim)
    own = scene.own(claim)
    words = [facts(word) for word in scene.words(own)]
    verbs = [known for known in words if "future" in known.forms and not known.lemmas & grammar().lists["both_aspects"]]
    told = [p for p in scene.sentence(claim) if p.index <= claim.clause or not p.verbs]  # «…, вечером загляну ещё»
    return spec.talk and bool(verbs) and any(marked(p, row) for p in told)


def _conditional(scene: Scene, claim: Claim, row: Hedge) -> bool:
    free = {h.start for p in scene.sentence(claim) for h in p.clause.kinds("free_condition") if h.meaning.id in claim.actions}
    if len([p for p in scene.sentence(claim) if marked(p, row)]) > 1:
        free = set()  # a condition of the move's own, and one more
    for p in scene.before(claim):
        if claim.turned and p.clause.has("no_condition"):
            return True  # «(если не поздно поменять - Кузя)»
    if _if_anything(scene, claim) or _two_branches(scene, claim):
        return True
    if any(_more_than_polite(scene, p) for p in scene.sentence(claim)):
        return True
    for p in scene.sentence(claim):
        if _concluded(scene, p, claim):
            continue
        for hit in marked(p, row):
            if any(start <= hit.start < start + 2 for start in free) or (free and p is not scene.own(claim)):
                continue
            word = scene.text.found[hit.start].folded
            if word == "иначе" and p.index > claim.clause and not (p.names or p.claims):
                continue
            return True
    fallback = else_another(scene, scene.behind(claim)) and claim.actions[0] not in ("cancel", "unvote")
    return fallback or _when_to_come(scene, claim) or _inverted_condition(scene, claim)


def _if_anything(scene: Scene, claim: Claim) -> bool:
    """«Если что, лечу Анну»: at the head of the order's sentence it conditions it; elsewhere it only excuses («это линч, если
    что»)."""
    first = scene.words(scene.sentence(claim)[0])
    return first[:2] == _IF_ANYTHING and (first == _IF_ANYTHING or not scene.before(claim))


def _two_branches(scene: Scene, claim: Claim) -> bool:
    """«Увижу, что Анна против, тогда убью её, а не увижу, убью Бориса»: the same verb, and then denied, a move in between;
    «Любит, не любит, голос: …» has none."""
    said: set[str] = set()
    acted = False
    for p in scene.sentence(claim):
        words = [word for word in scene.words(p) if word != "а"]
        known = facts(words[-1]) if words else None
        if acted and known is not None and words[0] == "не" and len(words) == 2 and known.lemmas & said and known.finite:
            return True
        said |= {lemma for word in words for lemma in facts(word).lemmas if facts(word).finite}
        acted = acted or bool(p.claims or p.free)
    return False


def _concluded(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«Если Борис в берлоге, то лезть туда дураков нет, поэтому кража у Анны»: a condition with its own main clause, and the
    decision drawn from both."""
    if scene.words(scene.own(claim))[:1] not in (["поэтому"], ["потому"]) or p.index >= claim.clause:
        return False
    between = scene.parsed[p.index + 1 : claim.clause]
    return any(scene.words(q)[:1] in (["то"], ["тогда"]) and not (q.claims or q.free) for q in between)


def _more_than_polite(scene: Scene, p: Parsed) -> bool:
    """«…, если можно будет», «…, если можно, то и за Никой»: words of politeness that go on as a condition."""
    polite = [hit for hit in p.clause.marks("no_condition") if scene.text.found[hit.start].folded == "если"]
    if not polite:
        return False
    held = {i for hit in polite for i in range(hit.start, hit.end)}
    left = [facts(scene.text.found[i].folded) for i in range(polite[0].end, p.clause.end) if i not in held]
    return any("future" in known.forms and known.main == "third" for known in left)


def _inverted_condition(scene: Scene, claim: Claim) -> bool:
    """«Промолчит Гром до девяти - виновен Гром», «не придут - себя»: a condition without «если», by its order of words."""
    before = scene.before(claim)
    for p in before:
        words = [word for word in scene.words(p) if word != "не"]
        dashed = p.clause.closer in ("-", "–", "—") or (
            p is before[-1] and scene.words(scene.own(claim))[:1] in (["тогда"], ["то"])
        )
        if words and dashed and facts(words[0]).main == "third" and "future" in facts(words[0]).forms:
            return True
    return False


def _when_to_come(scene: Scene, claim: Claim) -> bool:
    """«…, когда посадят Зубра», «Когда Ёлку убьют, …»: a time that may never come."""
    for p in scene.sentence(claim):
        first = scene.words(p)[:1]
        if p is scene.own(claim) or first not in (["когда"], ["пока"], ["едва"]):
            continue
        verbs = [i for i in range(p.clause.start, p.clause.end) if facts(scene.text.found[i].folded).finite]
        if any("past" not in facts(scene.text.found[i].folded).forms for i in verbs) and first != ["пока"]:
            return True
    return False


def else_another(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Опоздает - Алёну»: a condition by its order of words, with another nick."""
    for p, behind in pairwise(sentence):
        opens = [facts(word) for word in scene.words(p)[:HEAD]]
        ahead = any(known.main == "third" and "future" in known.forms for known in opens)
        dashed = p.clause.closer in ("-", "–", "—") or scene.words(behind)[:1] in (["то"], ["тогда"])
        if ahead and dashed and (behind.free or behind.claims):
            return True
    return False


def _left_open(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """An «или» in the order's clause that stands between no two nicks of it, or that opens the clause behind it."""
    own = scene.own(claim)
    for hit in marked(own, row):
        if not (claim.either and any(t.start > hit.start for t in claim.targets)):
            return True
    for p in scene.behind(claim):
        somebody = {hit.start for hit in p.clause.marks("somebody")}
        if any(hit.end in somebody for hit in p.clause.marks("either")):
            return True  # «…, полежу в канаве или кто-нибудь другой»
    told = False
    for p in scene.behind(claim):
        told = told or bool(p.verbs)  # «…, он устал, или заболел»
        opens = p.clause.marks("either") and p.clause.marks("either")[0].start <= p.clause.start + 1
        if opens and not (told and not (p.free or p.claims) and p.index > claim.clause + 1):
            return True
    return False


TESTS: Mapping[str, Test] = {
    "asked": _asked,
    "announced": _announced,
    "conditional": _conditional,
    "left_open": _left_open,
}
