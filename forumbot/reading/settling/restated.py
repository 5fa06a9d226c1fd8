"""A move said twice, once without its nick: «Зову в наши ряды Бороду, вербую то есть»."""

from __future__ import annotations

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of

_SAID = frozenset(("first", "infinitive", "imperative"))
"""Forms of a verb in which the writer tells a deed of their own."""
_TALK = (
    "past", "ask", "later", "another_time", "condition", "thanks", "subjunctive", "complaint", "judged", "draft", "reported",
    "joke", "irony", "withdraw", "unsure", "either", "not_mine", "nobody", "somebody",
)  # fmt: skip
"""Marks of a clause whose nick is nobody's target."""


def restated(claims: list[Claim], scene: Scene) -> list[Claim]:
    """The claims, with the nick of the clause before it for a move of the writer's own that names none. The letter must name
    nobody else, and that clause must tell a deed of the writer's own, in no words of doubt."""
    everybody = {seat for p in scene.parsed for name in _named(p, scene) for seat in name.seats}
    if len(everybody) != 1:
        return claims
    for claim in [c for c in claims if c.doubts == ["no_target"] and not c.talk and c.form in _SAID and not c.unexplained]:
        spec = scene.sender.spec(claim)
        if scene.own(claim).clause.opener == "и":
            continue  # «переспать с Жанной и заразить»: a move beside the other
        if not (spec.least == spec.most == 1 and set(claim.actions) & scene.sender.owned):
            continue
        told = next((p for p in reversed(scene.before(claim)) if _named(p, scene)), None)
        if told is None or not _of_the_writer(told, scene):
            continue
        name = _named(told, scene)[0]
        claim.targets = [target_of(name, None, scene.sender, spec)]
        claim.doubts = []
        claims = [c for c in claims if c is claim or c.clause != told.index]
    return claims


def _named(p: Parsed, scene: Scene) -> list[Mention]:
    """The players whom a clause names, the writer left out."""
    return [name for name in p.names if name.kind == "nick" and not name.weak and name.seats != {scene.sender.seat}]


def _of_the_writer(p: Parsed, scene: Scene) -> bool:
    verbs = [facts(scene.text.found[i].folded) for i in p.verbs]
    mine = all(known.main in _SAID for known in verbs) and all(head.form in _SAID and not head.denied for head in p.heads)
    said = bool(verbs or p.heads or p.claims)
    plain = not (p.clause.quoted or p.dropped or p.subject or p.clause.stop == "?" or p.clause.has(*_TALK))
    return said and mine and plain and not grammar().lists["denying"] & set(scene.words(p))
