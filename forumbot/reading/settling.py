"""All claims of a message together: repetitions joined, corrections carried out, contradictions marked, talk left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from forumbot.reading.arguments import finish
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses import LABEL_SIGNS
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.harmless import without_harmless
from forumbot.reading.hedges import Scene, hedge, outside_covers
from forumbot.reading.parsing import Parsed
from forumbot.reading.phrases import Hit
from forumbot.reading.slots import target_of

Slot = tuple[str, str | None]

_BOOK = frozenset(("pass", "cancel"))


def settle(claims: list[Claim], scene: Scene) -> list[Claim]:
    """The claims that remain, each with its doubts."""
    sender = scene.sender
    claims = _without_bare(_introduced(_joined(claims, sender), sender), scene)
    _share_arguments(claims, scene)
    hedge(scene, claims)
    _no_move(claims, scene)
    _taken_back(claims, scene)
    claims = [claim if _moved_on(claim, claims) else _cancelled(claim, scene) for claim in claims]
    claims = _absorbed(_led(_with_their_verbs(claims, scene), sender), sender)
    _under_a_heading(claims, sender)
    claims = _without_headings(claims)
    for claim in claims:
        _double(claim, scene)
        finish(sender.words.actions, claim)
        _missing(claim, scene)
    _settled(claims, scene)
    claims = _without_hunches(_without_weak(_one_vote(_without_talk(claims), scene), sender), scene)
    claims = _slots(_without_idle(claims, scene), sender)
    _explained(claims, scene)
    _pass_beside(claims)
    _beside_no_move(claims, sender)
    return claims


def _without_bare(claims: list[Claim], scene: Scene) -> list[Claim]:
    """Nicks alone give way to the orders of the letter, but for one that stands by itself right behind an order, or that the
    body names against the subject."""
    hard = [c for c in claims if c.form != "nick" and (c.targets or c.refusal) and not c.talk]
    if not hard or not scene.sender.letter:
        return claims
    body = any(not c.subject for c in hard)
    return [c for c in claims if c.form != "nick" or (not body and not c.subject) or _right_behind(c, hard, scene)]


def _introduced(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Здравствуйте, доктор Сима. Лечение …»: the writer with their role, before the order."""

    def introduces(claim: Claim) -> bool:
        mine = len(claim.targets) == 1 and claim.targets[0].seats == (sender.seat,) and claim.targets[0].kind == "nick"
        return claim.form == "role" and not claim.label and mine

    orders = any(claim.targets and not introduces(claim) for claim in claims)
    return [claim for claim in claims if not (orders and introduces(claim))]


def _right_behind(claim: Claim, hard: Sequence[Claim], scene: Scene) -> bool:
    whole = len(scene.of(claim.sentence)) == 1 and not claim.unexplained
    return whole and any(c.sentence == claim.sentence - 1 and c.actions == claim.actions for c in hard)


def _explained(claims: Sequence[Claim], scene: Scene) -> None:
    for claim in claims:
        if claim.either and len(claim.targets) > 1:  # the «или» between its nicks is told as what it is: two targets
            choice = {hit.start for hit in scene.own(claim).clause.marks("either")}
            claim.unexplained = [i for i in claim.unexplained if i not in choice]
        claim.unexplained = without_harmless(claim, scene)
        if claim.unexplained:
            claim.doubt("unexplained")


def _joined(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Тайный голос Барсу и тайный голос Серому»: one order with two targets (clans 21)."""
    kept: list[Claim] = []
    for claim in claims:
        last = kept[-1] if kept else None
        spec = sender.spec(claim)
        repeated = last is not None and spec.repeat and last.actions == claim.actions and claim.sentence == last.sentence
        if last is not None and repeated and claim.targets and not claim.turned:
            last.targets = [*last.targets, *claim.targets]
            last.unexplained += claim.unexplained
            continue
        kept.append(claim)
    return kept


def _share_arguments(claims: Sequence[Claim], scene: Scene) -> None:
    """An argument said once holds for all goods of the letter («За МБ: 1. антинежить 2. эликсир-ультра»)."""
    for kind in scene.sender.words.settings.get("shared_arguments", ()):
        said = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds(kind)}
        if len(said) != 1:
            continue
        for claim in claims:
            if kind in scene.sender.spec(claim).args and claim.args.get(kind) is None:
                claim.args[kind] = next(iter(said))


def _no_move(claims: list[Claim], scene: Scene) -> None:
    """«никого не лечу», «сегодня не стреляю»: the writer's own move denied without a nick is no move this turn."""
    if not scene.sender.letter:
        return
    able = _own_moves(scene.sender)
    for claim in list(claims):
        own = scene.own(claim)
        hinted = claim.form == "hint" and own.clause.has("nobody")
        hinted = hinted or (claim.form == "third" and claim.role in scene.sender.known.roles)  # «Буратино не стреляет»
        if "denied" not in claim.talk or not (hinted or claim.form in ("first", "infinitive")) or not set(claim.actions) & able:
            continue
        if own.clause.has("nobody") and any(text_of(scene, hit) == "кроме" for hit in own.clause.marks("drop_next")):
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


def text_of(scene: Scene, hit: Hit) -> str:
    """The last word of a phrase."""
    return scene.text.found[hit.end - 1].folded


def _only(p: Parsed, scene: Scene) -> bool:
    """Whether only the words of denial are left unexplained («никого», «не»)."""
    nobody = {i for hit in p.clause.marks("nobody", "somebody") for i in range(hit.start, hit.end)}
    return all(i in nobody or scene.text.found[i].folded in ("не", "ни") for i in p.unexplained)


def _own_moves(sender: Sender) -> set[str]:
    roles = sender.words.roles
    return {action for role in sender.known.roles if role in roles for action in roles[role].actions}


def _taken_back(claims: Sequence[Claim], scene: Scene) -> None:
    """«Лечу Анну. Отмена.»: what stands above is taken back, where nothing is put in its place."""
    for p in scene.parsed:
        hits = outside_covers(p, p.clause.marks("withdraw"))
        if p.clause.quoted or not ((hits and _withdraws(p, hits, scene)) or _bare_no(p, scene)):
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
        if any(c.turned for c in after) or (before and any(_rival(before[-1], c) for c in after)):
            continue
        for claim in before:
            if claim.actions[0] == "pass" and claim.clause == p.index:
                continue
            if not (p.clause.sentence == claim.sentence and p.index < claim.clause):
                claim.doubt("taken_back")


def _moved_on(claim: Claim, claims: Sequence[Claim]) -> bool:
    """«Отменяю проверку Анны, проверьте Бориса»: the move has a new target."""
    return any(c is not claim and c.targets and not c.talk and set(c.actions) & set(claim.actions) for c in claims)


def _cancelled(claim: Claim, scene: Scene) -> Claim:
    """«Отмените моё приглашение Анне», «Забираю своё нападение на Анну»: the writer's move taken back by its name."""
    own = scene.own(claim)
    mine = claim.form == "noun" and bool(set(claim.actions) & _own_moves(scene.sender)) and scene.sender.letter
    before = [(i, facts(scene.text.found[i].folded)) for i in range(own.clause.start, claim.start)]
    verbs = [i for i, known in before if known.lemmas & grammar().lists["taking_back"] and {"first", "imperative"} & known.forms]
    if not own.clause.has("mine") and all(facts(scene.text.found[i].folded).lemmas & grammar().lists["taking"] for i in verbs):
        return claim  # «заберу к себе на ночь Анну»
    if not mine or not verbs or claim.label or {"conditional", "question", "unsure"} & set(claim.doubts):
        return claim
    made = Claim(("cancel",), verbs[0], claim.end, claim.clause, claim.sentence, "first")
    made.unexplained = [i for i in claim.unexplained if i not in verbs]
    return made


def _withdraws(p: Parsed, hits: Sequence[Hit], scene: Scene) -> bool:
    first = hits[0]
    rest = [i for i in range(p.clause.start, p.clause.end) if not any(h.start <= i < h.end for h in hits)]
    weak = all(scene.text.words(h.start, h.end).lower() in grammar().lists["weak_withdrawals"] for h in hits)
    marks = {i for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
    ordinal = any(grammar().ordinal(scene.text.found[i].folded) for i in rest)
    if weak and (ordinal or any(i in rest and i not in marks for i in p.unexplained)):
        return False  # «Мне чужого не надо», «Второй пока не надо»
    if any("infinitive" in facts(scene.text.found[i].folded).forms for i in rest):
        return False  # «вступать не буду», «и не надо спорить»
    before = [i for i in range(p.clause.start, first.start) if scene.text.found[i].kind == "w"]
    behind = scene.text.found[first.end].folded if first.end < p.clause.end else ""
    if behind in grammar().lists["others"] or any(name.start == first.end for name in p.names):
        return False  # «Ошибся он вчера»
    acts = any(head.start <= first.start < head.end for head in p.heads)
    if p.clause.has("past") or any(name.kind == "nick" for name in p.names):
        return False  # «Вчера ошибся, бывает», «А Фоксу не верьте»
    if weak and any(h.end <= first.start for h in p.clause.marks("pronoun")):
        return False  # «его не надо уже»
    return len(before) < 3 and not acts and not any(scene.text.found[i].folded in ("если", "не") for i in before)


def _bare_no(p: Parsed, scene: Scene) -> bool:
    """«Хотя нет.», «Впрочем, нет»: a sentence of nothing but denial."""
    if not p.clause.last:
        return False
    words = {word for q in scene.of(p.clause.sentence) for word in scene.words(q)}
    return words <= grammar().lists["bare_no"] and bool({"нет", "неа"} & words)


def _rival(old: Claim, new: Claim) -> bool:
    return bool(set(old.actions) & set(new.actions))


def _missing(claim: Claim, scene: Scene) -> None:
    """A doubt for a nick that must be named and was not."""
    spec = scene.sender.spec(claim)
    own = scene.own(claim)
    lacks = any(claim.args.get(name) is None for name in spec.needs)
    if spec.ahead and claim.args.get("role") in scene.sender.known.roles and not claim.label and "меня" in scene.words(own):
        claim.talk.append("told")  # «роль у меня Буратино»
    if claim.form == "imperative" and any(t.kind == "self" for t in claim.targets):
        claim.doubt("unclear")  # «охраняй меня, ведущий»
    if claim.refusal is None and not spec.least and not claim.label and _idle(claim, own, scene, lacks=lacks):
        claim.talk.append("foreign")
    if spec.least == spec.most == 2 and len(claim.targets) == 2 and len({t.seats for t in claim.targets}) == 1:
        claim.doubt("bad_targets")  # «сбить ход Ильи на Илью»
    if len(claim.targets) >= spec.least or claim.refusal is not None:
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


def _settled(claims: Sequence[Claim], scene: Scene) -> None:
    """Doubts that the vocabulary puts on words («unpaid»), and those that other words of the message settle."""
    settled = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds("settled")}
    for claim in claims:
        for hit in [hit for p in scene.sentence(claim) for hit in p.clause.kinds("doubt")]:
            claim.doubt(hit.meaning.id)
        claim.doubts = [doubt for doubt in claim.doubts if doubt not in settled]


def _absorbed(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Покупаю смену голоса. Виновен Лис»: one wish in two sentences, the words behind it before those in front."""
    actions = sender.words.actions
    gone: set[int] = set()
    for claim in claims:
        takes = actions[claim.actions[0]].absorbs
        if not takes:
            continue
        claim.turned = False
        if not claim.targets:
            able = [c for c in claims if c.actions[0] in takes and c.targets and id(c) not in gone and not c.talk]
            source = min(able, key=lambda c: (c.start < claim.start, abs(c.start - claim.start)), default=None)
            if source is not None:
                claim.targets, claim.refusal = source.targets, None
                claim.doubts = [*claim.doubts, *source.doubts]
                claim.unexplained += source.unexplained
                gone.add(id(source))
        gone.update(id(c) for c in claims if c.actions[0] in takes and _same_seats(c, claim))
    for claim in claims:
        held = actions[claim.actions[0]].holds
        gone.update(id(c) for c in claims if c.actions[0] in held and c.sentence == claim.sentence and _same_seats(c, claim))
    return [claim for claim in claims if id(claim) not in gone]


def _with_their_verbs(claims: list[Claim], scene: Scene) -> list[Claim]:
    """«Защита от маньяка, пожалуйста. Покупаю.»: a good and, in its sentence or the next, the verb that names none are one wish,
    with what is doubtful of either."""
    gone: set[int] = set()
    for goods, claim in pairwise(claims):
        of_goods = goods.form == "goods" and goods.actions == claim.actions and goods.args.get("item") is not None
        bare = claim.form != "goods" and not claim.targets and claim.args.get("item") is None
        if not of_goods or not bare or goods.talk or claim.sentence - goods.sentence > 1:
            continue
        meant = {i for hit in scene.own(claim).clause.marks("pronoun") for i in range(hit.start, hit.end)}
        goods.unexplained += [i for i in claim.unexplained if i not in meant]
        goods.args = {**{name: value for name, value in claim.args.items() if value is not None}, **goods.args}
        for doubt in (*claim.doubts, *(("contradiction",) if claim.talk else ())):
            goods.doubt(doubt)
        gone.add(id(claim))
    return [claim for claim in claims if id(claim) not in gone]


def _led(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«По лицензии … стреляю в …», «Ход пленника (Девочка): родить …»: a move that takes over, or holds, the one behind it."""
    actions = sender.words.actions
    kept: list[Claim] = []
    for claim in claims:
        last = kept[-1] if kept else None
        spec = actions[last.actions[0]] if last is not None else None
        near = last is not None and claim.sentence == last.sentence
        if last is None or spec is None or not near or not (spec.leads or spec.wraps) or (spec.leads and last.targets):
            kept.append(claim)
            continue
        last.targets = claim.targets
        last.refusal = last.refusal or claim.refusal
        last.unexplained += claim.unexplained
        last.doubts = [d for d in (*last.doubts, *claim.doubts) if d != "no_target"]
        if spec.wraps:
            last.args = {**claim.args, **last.args, "action": claim.actions[0]}
    return kept


def _double(claim: Claim, scene: Scene) -> None:
    """«двойным голосом», «оба голоса на Тура»: the same target twice."""
    spec = scene.sender.spec(claim)
    if spec.repeat != "double" or len(claim.targets) != 1:
        return
    own = scene.own(claim)
    twos = [hit for hit in own.clause.kinds("number") if hit.meaning.id == 2]
    found = scene.text.found
    inside = any(grammar().numbers.get(found[i].folded) == 2 for i in range(claim.start, claim.end))
    if twos or inside:
        held = {i for hit in twos for i in range(hit.start, hit.end)}
        claim.unexplained = [i for i in claim.unexplained if i not in held]
        claim.targets = claim.targets * 2


def _same_seats(a: Claim, b: Claim) -> bool:
    return [t.seats for t in a.targets] == [t.seats for t in b.targets]


def _under_a_heading(claims: Sequence[Claim], sender: Sender) -> None:
    """A subject «Рассказ-повешение» and a letter that begins «Вешаем Зубра.»: no vote, which no letter can hold."""
    heading = next((c for c in claims if c.subject and not c.targets and sender.spec(c).story), None)
    for claim in claims:
        spec = sender.spec(claim)
        if heading is not None and claim.targets and not claim.subject and spec.talk and spec.channel == "post":
            claim.actions = heading.actions


def _without_headings(claims: list[Claim]) -> list[Claim]:
    """A subject that only names the matter («покупка», «линч») says nothing beside a body with orders."""
    body = any(not claim.subject for claim in claims)
    return [c for c in claims if not (c.subject and body and not c.targets and c.refusal is None)]


_WEAK = frozenset(("reported", "third_person", "subordinate", "judged", "subjunctive"))
"""Doubts whose order is most likely nobody's: it gives way to one of the same slot that is the writer's own."""


def _without_weak(claims: list[Claim], sender: Sender) -> list[Claim]:
    strong = [c for c in claims if not _WEAK & set(c.doubts) and (c.targets or c.refusal)]
    slots = {slot(c, sender) for c in strong}
    return [c for c in claims if not _WEAK & set(c.doubts) or slot(c, sender) not in slots]


def _clean(claim: Claim, sender: Sender) -> bool:
    """Whether nothing is open about an order of the writer's own."""
    whole = len(claim.targets) >= sender.spec(claim).least and not claim.doubts and not claim.unexplained
    return whole and claim.refusal is None and bool(set(claim.actions) & sender.owned)


def _without_hunches(claims: list[Claim], scene: Scene) -> list[Claim]:
    """Beside a clear order a verb that is no move is one only where it takes its object as a move does."""
    if not any(_clean(c, scene.sender) for c in claims if c.form != "hunch"):
        return claims
    return [c for c in claims if c.form != "hunch" or facts(scene.text.found[c.start].folded).transitive]


def _without_idle(claims: list[Claim], scene: Scene) -> list[Claim]:
    """«Опять мне досталась эта роль» beside a clear order: the name of a move among other words, with nothing of a move."""
    clear = [c for c in claims if _clean(c, scene.sender)]
    slots = {slot(c, scene.sender) for c in clear}
    return [c for c in claims if c in clear or c.label or not (clear and _only_a_word(c, slots, scene.sender))]


def _only_a_word(claim: Claim, clear: set[Slot], sender: Sender) -> bool:
    if claim.targets:  # «К Жуку претензий нет» beside «Иду к Стасу»
        return claim.form == "hint" and bool(claim.unexplained) and slot(claim, sender) in clear
    spec = sender.spec(claim)
    lacks = not spec.least and any(claim.args.get(name) is None for name in spec.needs)
    return claim.form in ("noun", "goods", "role", "hint") and (
        lacks if claim.form == "hint" else bool(claim.unexplained) or lacks
    )


def _one_vote(claims: list[Claim], scene: Scene) -> list[Claim]:
    """A vote and a vote taken back are one decision: the new vote stands, unless the very vote is taken back behind it
    («Линч: Анна», «Снимаю голос» in a line of its own)."""
    votes = [c for c in claims if c.actions[0] == "vote" and c.targets]
    if not votes:
        return [_voted_behind(claim, scene) if claim.actions[0] == "unvote" else claim for claim in claims]
    for claim in claims:
        if claim.actions[0] == "vote" and not claim.targets and claim.start > votes[-1].start:
            own = scene.own(claim)
            if own.clause.has("turn") and any(set(votes[-1].seats()) & set(name.seats) for name in own.aside):
                votes[-1].doubt("taken_back")  # «Голос: Анна. Голос с Анны снимаю»
    kept: list[Claim] = []
    for claim in claims:
        if claim.actions[0] != "unvote":
            kept.append(claim)
            continue
        own = scene.own(claim)
        words = [scene.text.found[i].folded for i in range(own.clause.start, own.clause.end)]
        older = own.aside or own.clause.has("same") or any(facts(w).lemmas & grammar().lists["of_before"] for w in words)
        if older or claim.start < votes[-1].start:
            continue
        if claim.sentence > votes[-1].sentence and not (claim.doubts or claim.talk or claim.targets or claim.unexplained):
            kept = [c for c in kept if c not in votes] + [claim]
        else:
            votes[-1].doubt("taken_back")
    return kept


def _voted_behind(claim: Claim, scene: Scene) -> Claim:
    """«Снимаю голос с Анны, ставлю на Бориса», «Голос снимаю, голос: Вера»: the nick behind a vote that is taken back, in a
    clause without a verb of its own, is the new vote."""
    if claim.doubts or claim.refusal or "already_voted" in scene.sender.words.settings.get("asks", ()):
        return claim
    rest = [p for p in scene.parsed[claim.clause + 1 :] if p.clause.sentence == claim.sentence]
    behind = [p for p in rest if p.free]
    names = [name for p in behind for name in p.free if name.kind == "nick"]
    if not names:
        if any(p.heads and p.aside for p in rest):
            claim.doubt("unclear")
        return claim
    if any(p.verbs or p.heads or p.unexplained for p in behind):
        return claim  # «Голос снимаю, Анна меня переубедила»
    bare = behind[0].clause.opener != ":" and behind[0].clause.end - behind[0].clause.start == names[0].end - names[0].start
    if len(names) > 1 or bare:
        claim.doubt("unclear")
        return claim
    made = Claim(("vote",), claim.start, names[0].end, behind[0].index, claim.sentence, claim.form)
    made.targets = [target_of(names[0], None, scene.sender, scene.sender.spec(made))]
    return made


def _without_talk(claims: list[Claim]) -> list[Claim]:
    """Talk gives way; what only an idle word names gives way to an order."""
    return [claim for claim in claims if not claim.talk]


def _slots(claims: list[Claim], sender: Sender) -> list[Claim]:
    """One order a slot: the same again is joined, a correction replaces, anything else contradicts."""
    kept: list[Claim] = []
    for claim in claims:
        spec = sender.spec(claim)
        rivals = [old for old in kept if slot(old, sender) == slot(claim, sender)]
        if _gives_way(claim, rivals):
            continue
        same = next((old for old in rivals if _same(old, claim)), None)
        if same is not None and not spec.several:
            _join(same, claim)
            continue
        for old in rivals:
            if _replaced(old, claim) or (_last_wins(claim, sender) and claim.sentence > old.sentence and not old.subject):
                kept.remove(old)
            elif not spec.several or old.subject != claim.subject:
                _contradict(old, claim, shots=spec.shots)
        kept.append(claim)
    return kept


def _join(same: Claim, claim: Claim) -> None:
    same.subject = same.subject and claim.subject
    same.args = {**claim.args, **same.args}
    if len(claim.unexplained) < len(same.unexplained) and not claim.doubts:
        same.unexplained, same.doubts = claim.unexplained, [d for d in same.doubts if d == "two_targets"]


def _replaced(old: Claim, new: Claim) -> bool:
    if "taken_back" in old.doubts and "taken_back" not in new.doubts:
        return True
    if new.turned and not new.subject and not old.subject:
        return True
    lacks = not old.targets and any(doubt.startswith("no_") for doubt in old.doubts)
    if lacks and old.actions == new.actions and not any(doubt.startswith("no_") for doubt in new.doubts):
        return True
    waits = not old.targets and bool({"no_target", "somebody", "pronoun"} & set(old.doubts)) and bool(new.targets)
    return waits or (old.subject and (bool(old.refusal) or _unsure(old)) and not _unsure(new) and not new.refusal)


def _last_wins(claim: Claim, sender: Sender) -> bool:
    """Where a vote changes freely the last clear one stands (goldenkey, mafialife)."""
    free = sender.words.settings.get("last_wins", ())
    return claim.actions[0] in free and bool(claim.targets) and not _unsure(claim) and not claim.doubts and not claim.unexplained


def _unsure(claim: Claim) -> bool:
    return any(len(target.seats) != 1 or not target.sure for target in claim.targets)


def _gives_way(claim: Claim, rivals: Sequence[Claim]) -> bool:
    """A move word without a nick says nothing new where its move stands already."""
    if claim.targets or claim.refusal or claim.doubts[:1] == [] or {"conditional", "taken_back"} & set(claim.doubts):
        return False
    if "somebody" in claim.doubts and claim.actions[0] != "vote":
        return False
    if "pronoun" in claim.doubts:
        for old in rivals:
            old.doubt("two_targets")
    standing = [old for old in rivals if (old.targets or "role" in old.args) and _rival(old, claim)]
    if standing and claim.turned:
        for old in standing:
            old.doubt("taken_back")
    return bool(standing)


def _pass_beside(claims: Sequence[Claim]) -> None:
    """«Мирная охота - пропускаю»: a move that lacks its nick, and "no move" in one sentence."""
    for claim in claims:
        if claim.actions[0] == "pass" and any(
            c.label and c.sentence == claim.sentence and "no_target" in c.doubts for c in claims
        ):
            claim.doubt("contradiction")


def _contradict(old: Claim, new: Claim, *, shots: bool) -> None:
    if shots and old.targets and new.targets and not old.subject and not new.subject:
        return  # one more shot: whether he has it the rules will say
    old.doubt("two_targets")
    new.doubt("two_targets")


def slot(claim: Claim, sender: Sender) -> Slot:
    """What can be ordered once: a move, of a team's letter the move of one role."""
    spec = sender.spec(claim)
    name = spec.slot or spec.id
    if "acting_role" not in spec.args:
        return (name, None)
    own = (role for role in sender.known.roles if role in sender.words.roles and spec.id in sender.words.roles[role].actions)
    return (name, claim.role or next(own, None))


def _same(a: Claim, b: Claim) -> bool:
    if set(a.actions).isdisjoint(b.actions):
        return False
    return _same_seats(a, b) and a.args.get("item") == b.args.get("item") and a.args.get("role") == b.args.get("role")


def _beside_no_move(claims: list[Claim], sender: Sender) -> None:
    """«Пропускаю ход» in one letter with a move: one of them is not meant."""
    if any(_clean(c, sender) for c in claims if c.actions[0] != "pass"):  # «Извините за вчерашний пропуск»
        claims[:] = [c for c in claims if c.actions[0] != "pass" or "past" not in c.doubts]
    passes = [claim for claim in claims if claim.actions[0] == "pass"]
    if passes:  # «Завтра вылечу Артура, сегодня пропускаю»
        claims[:] = [c for c in claims if c.actions[0] == "pass" or not {"another_time", "taken_back"} & set(c.doubts)]
    if passes:  # «Лечу в Сочи, хода сегодня не будет»
        claims[:] = [c for c in claims if c.targets or c.label or "no_target" not in c.doubts]
    cancels = [claim for claim in claims if claim.actions[0] == "cancel" and "what" not in claim.args]
    moves = [c for c in claims if c.targets and c.actions[0] not in ("vote", "unvote", "hunt") and not c.subject]
    if passes:
        stays = [c for c in claims if c.actions[0] in _own_moves(sender) and not sender.spec(c).least and not c.doubts]
        if any(sender.spec(c).slot != "work" for c in stays):
            claims[:] = [claim for claim in claims if claim not in passes]
            return
    for claim in [*(passes if moves else []), *(moves if passes else [])]:
        claim.doubt("contradiction")
    for cancel in cancels:
        for move in [m for m in moves if m.start < cancel.start]:
            cancel.doubt("contradiction")
            move.doubt("contradiction")
