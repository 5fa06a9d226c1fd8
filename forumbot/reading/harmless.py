"""Words that nothing explains and that cannot change who does what to whom: they may stay beside one clear order.

A clear order has one move word in the mood of an order, its nicks, and no doubt. Beside it an adverb, an attribute, a
thing behind a preposition, what it is done with («бью хвостом»), a second verb of the writer's own or a word to the host
changes nothing. What could is never harmless: a denial, a number, a word that some table asks for, another move, role or
good, a verb of the past or of somebody else, a bare thing that the verb could govern instead of the nick.
"""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import Facts, facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.parsing.parsed import COVERING, Parsed

_MOODS = frozenset(("first", "infinitive", "noun", "short", "imperative", "role", "goods", "thing", "third", "transitive"))
_SAYING = frozenset(("action", "item", "pay", "role", "number", "what", "doubt", "settled", "free_condition", "team"))
"""Kinds of phrases that say something of a move."""
_IDLE_MARKS = COVERING | frozenset(
    ("self_predicate", "number_word", "with", "concede", "thanks", "beside", "promise", "plus_one", "story")
)


def without_harmless(claim: Claim, scene: Scene) -> list[int]:
    """The unexplained tokens of a claim, those left out that cannot change it."""
    if claim.form not in _MOODS or claim.doubts or claim.either or not _one(claim, scene):
        return claim.unexplained if claim.form != "hint" else _hinted(claim, scene)
    left = [i for i in claim.unexplained if not _harmless(i, claim, scene)]
    return [i for i in left if not _points_at(i, left, claim, scene)]


def _points_at(at: int, left: Sequence[int], claim: Claim, scene: Scene) -> bool:
    """«эту вредину Петровну»: a word that points at the nick behind a harmless one."""
    found = scene.text.found
    told = at + 1 in claim.unexplained and at + 1 not in left
    return told and found[at].folded in grammar().lists["this"] and any(t.start == at + 2 for t in claim.targets)


def _one(claim: Claim, scene: Scene) -> bool:
    """Whether the claim has its nicks for sure and shares its clause with no other move."""
    own = scene.own(claim)
    sure = all(len(t.seats) == 1 and t.sure and t.kind != "list" for t in claim.targets)
    alone = all(head.start == claim.start or set(head.actions) & set(claim.actions) for head in own.heads)
    inside = all(own.clause.start <= t.start < own.clause.end for t in claim.targets) or claim.label
    weak = {name.start for name in own.names if name.weak}
    sure = sure and inside and not any(t.start in weak for t in claim.targets)
    if claim.form == "imperative" and any(t.kind == "self" for t in claim.targets):
        return False  # «охраняйте себя сами»
    return sure and alone and not own.free and not own.dropped and len(claim.targets) >= scene.sender.spec(claim).least


def _hinted(claim: Claim, scene: Scene) -> list[int]:
    """«Пройдусь мимо дома Кеши, погуляю»: words that only hint at a move, with verbs of the writer's own."""
    if claim.doubts or claim.either or not claim.targets or not _one(claim, scene):
        return claim.unexplained
    left = [i for i in claim.unexplained if not _harmless(i, claim, scene)]
    own = [i for i in claim.unexplained if "first" in facts(scene.text.found[i].folded).forms]
    return left if own else claim.unexplained


def _harmless(at: int, claim: Claim, scene: Scene) -> bool:
    token = scene.text.found[at]
    p = next((q for q in scene.parsed if q.clause.start <= at < q.clause.end), None)
    if p is None or token.kind != "w" or token.folded in grammar().lists["turning"]:
        return False
    if scene.sender.spec(claim).ahead and token.folded.startswith(tuple(grammar().lists["coming"])):
        return True  # «хочу быть Арлекином завтра»: the only night that a bid can be for
    known = facts(token.folded)
    mine = any(hit.meaning.id in scene.sender.known.roles for hit in p.roles)
    if known.main == "third" and mine and known.lemmas & (grammar().lists["wishing"] | grammar().lists["performing"]):
        return True  # «шаман шлёт проклятье на Анну»
    if _said(at, p):
        return False
    if known.lemmas & grammar().lists["no_circumstances"] and token.folded not in grammar().lists["of_tonight"]:
        return False
    if not known.known:
        return _slang(at, scene)
    if known.main in ("adverb", "adjective", "particle", "preposition"):
        return _attribute(at, known, p, scene)
    if known.main == "noun":
        return _placed(at, p, scene, known)
    if known.main in ("first", "imperative", "infinitive"):
        if claim.form == "noun" and not known.lemmas & grammar().lists["performing"]:
            return False  # «голос пожалею»
        return not known.lemmas & (grammar().lists["thinking"] | grammar().lists["taking_back"] | grammar().lists["putting_off"])
    if known.main == "short" and claim.form == "noun":
        return bool(known.lemmas & grammar().lists["allotted"])
    if known.main == "third" and claim.form == "noun":
        return token.folded.endswith(("ется", "ится")) and "future" not in known.forms
    return known.main == "pronoun" and token.folded in grammar().lists["to_the_host"]


def _said(at: int, p: Parsed) -> bool:
    """Whether some table asks for the word."""
    found = [hit.meaning for hit in p.clause.hits if hit.start <= at < hit.end]
    return any(m.kind in _SAYING or (m.kind == "mark" and m.id not in _IDLE_MARKS) for m in found)


def _slang(at: int, scene: Scene) -> bool:
    """A word in small letters that no dictionary knows, and that is like nobody's nick."""
    token = scene.text.found[at]
    strange = token.capital or token.folded.startswith(("не", "ни")) or len(token.folded) < 3
    return not strange and not scene.sender.roster.near(token.folded, cut=True) and not scene.sender.roster.near(token.folded)


def _attribute(at: int, known: Facts, p: Parsed, scene: Scene) -> bool:
    token = scene.text.found[at]
    if known.main == "preposition":
        return token.folded not in grammar().lists["no_way"]
    if token.folded.startswith(("не", "ни")) or token.folded in grammar().lists["doubting_adverbs"]:
        return False
    return not (token.capital and at > p.clause.start)


def _placed(at: int, p: Parsed, scene: Scene, known: Facts) -> bool:
    """A noun behind a preposition, or one that belongs to the noun before it."""
    found = scene.text.found
    if found[at].capital:
        return False
    before = at - 1
    while before >= p.clause.start and facts(found[before].folded).main in ("adjective", "adverb"):
        before -= 1
    if before < p.clause.start:
        return False
    word = found[before].folded
    if word not in grammar().prepositions and "ablt" in known.cases and known.lemmas & grammar().lists["tools"]:
        return True  # «бью лисьим хвостом»
    if word in grammar().prepositions:
        return word not in grammar().lists["no_way"] and bool(known.cases & grammar().prepositions[word])
    belongs = facts(word).main == "noun" and not any(t.start <= before < t.end for c in p.claims for t in c.targets)
    return belongs and "gent" in known.cases and before in {i for q in p.claims for i in q.unexplained} | set(p.unexplained)
