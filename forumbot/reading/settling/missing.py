"""What a claim lacks: its nick, its argument, or anything that makes it an order."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.arguments import told
from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.parsing.parsed import Parsed


def missing(claim: Claim, scene: Scene) -> None:
    """A doubt for a nick that must be named and was not."""
    spec = scene.sender.spec(claim)
    own = scene.own(claim)
    lacks = any(claim.args.get(name) is None for name in spec.needs)
    if spec.ahead and claim.args.get("role") in scene.sender.known.roles and not claim.label and "меня" in scene.words(own):
        claim.talk.append("told")  # «роль у меня Буратино»
    if claim.form == "imperative" and any(t.kind == "self" for t in claim.targets):
        claim.doubt("unclear")  # «охраняй меня, ведущий»
        if not set(claim.actions) & scene.sender.owned:
            claim.talk.append("foreign")  # «Защити меня, ведущий» of a citizen
    if claim.refusal is None and not spec.least and not claim.label and _idle(claim, own, scene, lacks=lacks):
        claim.talk.append("foreign")
    if spec.least == spec.most == 2 and len(claim.targets) == 2 and len({t.seats for t in claim.targets}) == 1:
        claim.doubt("bad_targets")  # «сбить ход Ильи на Илью»
    if len(claim.targets) >= told(scene.sender.words.actions, claim).least or claim.refusal is not None:
        return
    if not set(claim.actions) & scene.sender.owned and not claim.label:
        claim.talk.append("foreign")
    elif spec.talk and any(p.free for p in scene.sentence(claim)) and own.clause.has("somebody", "abstain"):
        claim.doubt("somebody")  # «За Матроса, за Кузю, за всех голосую»
    elif own.clause.has("somebody", "nobody", "abstain") and spec.talk and _everybody(own, scene):
        claim.talk.append("somebody")
    elif own.clause.has("somebody"):
        claim.doubt("somebody")
    elif spec.talk and own.aside and not claim.unexplained:
        claim.doubt("as_others")
    elif own.clause.has("nobody", "abstain", "somebody") and spec.talk:
        claim.talk.append("somebody")
    elif spec.talk and _only_talked_of(claim, own, scene):
        claim.talk.append("thing")
    elif not claim.doubts or claim.doubts == ["unexplained"]:
        claim.doubt("no_target")


def _idle(claim: Claim, own: Parsed, scene: Scene, *, lacks: bool) -> bool:
    """A move without a nick whose word is only a word here: «буду рано», «согласна с Анной», «моя роль мне нравится»."""
    if not set(claim.actions) & scene.sender.owned:
        if claim.form == "third" and claim.role in scene.sender.known.roles:
            return True  # «Маньяк сегодня отдыхает»
        return lacks or bool(own.aside or own.free or claim.unexplained)
    verbs = [facts(scene.text.found[i].folded).main for i in own.verbs]
    return lacks and claim.form in ("noun", "hint") and any(main in ("third", "past", "predicative") for main in verbs)


def _answered(claim: Claim, scene: Scene) -> bool:
    """Whether something that could be a name stands behind a label («Линч: собака»), and no word of putting off."""
    behind = [p for p in scene.behind(claim) if p.clause.opener in LABEL_SIGNS]
    told = [p for p in behind if (p.unexplained or p.roles or p.dropped) and not p.verbs_of_its_own]
    told += [p for p in behind if p.clause.has("somebody", "pronoun")]
    return bool(told) and not any(p.clause.has("later", "promise", "abstain", "nobody", "ask") for p in behind)


def _everybody(p: Parsed, scene: Scene) -> bool:
    """«против всех», «за мир во всём мире», «ни за кого»: nobody in particular."""
    if p.clause.has("nobody", "abstain"):
        return True
    words = {scene.text.found[i].folded for i in range(p.clause.start, p.clause.end)}
    return bool(words & grammar().lists["all_of_them"]) and not scene.sender.letter


def _only_talked_of(claim: Claim, own: Parsed, scene: Scene) -> bool:
    """Words of a vote that vote for nobody: «линч потом», «Виновен ведущий», «голосую за обед»."""
    if {"pronoun", "ambiguous_nick", "as_before", "as_others"} & set(claim.doubts):
        return False
    if scene.sender.letter and _names_somebody(claim, scene):
        return False  # «Считаю, что Кира мафия, голосую», «Подарок ей - петля. Линч»
    if own.clause.has("as_others") and own.clause.has("label"):
        return False
    if claim.label and (claim.unexplained or claim.doubts or _answered(claim, scene)):
        return False
    if own.clause.color is not None and own.roles:
        return False  # «Голосую за Артемона» in colour, and nobody is called so
    if own.clause.color is not None and not claim.unexplained and not _address(own) and claim.form == "short":
        return False  # only the word of the vote is coloured
    return not (claim.label and own.clause.has("as_others"))


def _names_somebody(claim: Claim, scene: Scene) -> bool:
    """Whether a move word without a nick stands in a letter that names somebody who could be meant."""
    alone = scene.own(claim).silent or len(scene.words(scene.own(claim))) <= 2
    near = scene.parsed if alone and claim.form in ("noun", "first") else scene.sentence(claim)
    said = claim.form in ("first", "noun", "infinitive", "short")
    return said and any(n.kind == "nick" and not n.weak and n.seats != {scene.sender.seat} for p in near for n in p.names)


def _address(p: Parsed) -> bool:
    """«Виновен ведущий»: the host, who plays not."""
    return any(hit.meaning.id == "address" for hit in p.clause.kinds("cover"))


def settle_doubts(claims: Sequence[Claim], scene: Scene) -> None:
    """Doubts that the vocabulary puts on words («unpaid»), and those that other words of the message settle."""
    settled = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds("settled")}
    for claim in claims:
        for hit in [hit for p in scene.sentence(claim) for hit in p.clause.kinds("doubt")]:
            claim.doubt(hit.meaning.id)
        claim.doubts = [doubt for doubt in claim.doubts if doubt not in settled]
