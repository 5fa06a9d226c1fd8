"""Several claims that are one wish: joined, shared, absorbed or led by another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.everyday import grammar
from forumbot.reading.hedges.scene import Scene


def joined(claims: list[Claim], sender: Sender) -> list[Claim]:
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


def without_both(claims: list[Claim], scene: Scene) -> list[Claim]:
    """«Статья о Климе и Яне, интервью беру у обоих»: the same move, with a word for the two that it names."""
    kept: list[Claim] = []
    for claim in claims:
        words = grammar().lists["both"].intersection(scene.words(scene.own(claim)))
        two = [old for old in kept if set(old.actions) & set(claim.actions) and len(old.targets) == 2]
        if not (words and two and not claim.targets and not claim.talk):
            kept.append(claim)
    return kept


def share_arguments(claims: Sequence[Claim], scene: Scene) -> None:
    """An argument said once holds for all goods of the letter («За МБ: 1. антинежить 2. эликсир-ультра»)."""
    for kind in scene.sender.words.settings.get("shared_arguments", ()):
        said = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds(kind)}
        if len(said) != 1:
            continue
        for claim in claims:
            if kind in scene.sender.spec(claim).args and claim.args.get(kind) is None:
                claim.args[kind] = next(iter(said))


def absorbed(claims: list[Claim], sender: Sender) -> list[Claim]:
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
        gone.update(id(c) for c in claims if c.actions[0] in takes and same_seats(c, claim))
    for claim in claims:
        held = actions[claim.actions[0]].holds
        gone.update(id(c) for c in claims if c.actions[0] in held and c.sentence == claim.sentence and same_seats(c, claim))
    return [claim for claim in claims if id(claim) not in gone]


def with_their_verbs(claims: list[Claim], scene: Scene) -> list[Claim]:
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


_OF_WHOSE_WISH = frozenset(("reported", "unclear_target"))


def agreed(claims: list[Claim], scene: Scene) -> list[Claim]:
    """«Дракон просит затуманить Анну, туманю», «За Анной проследить сил хватит, слежу»: the writer's own verb by itself at the
    end of the sentence makes the move before it, whoever asked for it, an order."""
    gone: set[int] = set()
    for asked, claim in pairwise(claims):
        alone = scene.own(claim)
        bare = claim.form == "first" and not (claim.targets or claim.doubts or claim.talk or claim.unexplained or claim.refusal)
        whole = (
            bare
            and alone.clause.last
            and alone.clause.stop != "?"
            and len(scene.words(alone)) <= 2
            and alone.clause.opener == ","
        )
        same = asked.sentence == claim.sentence and asked.actions[0] in claim.actions and asked.form == "infinitive"
        sure = len(asked.targets) == 1 and not asked.refusal and set(asked.doubts) <= _OF_WHOSE_WISH and not asked.talk
        sure = sure and all(any("nomn" in c.cases for c in name.candidates) for name in scene.own(asked).free)
        if not (whole and same and sure) or not grammar().lists["denying"].isdisjoint(scene.words(scene.own(asked))):
            continue
        claim.targets = asked.targets
        gone.add(id(asked))
    return [claim for claim in claims if id(claim) not in gone]


def led(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«По лицензии … стреляю в …», «Ход пленника (Девочка): родить …»: a move that takes over, or holds, the one behind it; a
    licence also the shot before it in its clause («стреляю в Льва по лицензии»)."""
    actions = sender.words.actions
    kept: list[Claim] = []
    for claim in claims:
        last = kept[-1] if kept else None
        spec = actions[last.actions[0]] if last is not None else None
        near = last is not None and claim.sentence == last.sentence
        if last is not None and _shot_by(last, claim, sender):
            last.actions, last.start, last.end = claim.actions, claim.start, claim.end
            last.doubts = list(dict.fromkeys((*last.doubts, *claim.doubts)))
            continue
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


def _shot_by(shot: Claim, licence: Claim, sender: Sender) -> bool:
    """Whether a licence behind a shot in one clause says by what is shot; denied it says nothing («не по лицензии»)."""
    bare = sender.spec(licence).leads and not licence.targets and not licence.talk
    return bare and bool(shot.targets) and licence.clause == shot.clause


def double(claim: Claim, scene: Scene) -> None:
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


def same_seats(a: Claim, b: Claim) -> bool:
    return [t.seats for t in a.targets] == [t.seats for t in b.targets]


def under_a_heading(claims: Sequence[Claim], sender: Sender) -> None:
    """A subject «Рассказ-повешение» and a letter that begins «Вешаем Зубра.»: no vote, which no letter can hold."""
    heading = next((c for c in claims if c.subject and not c.targets and sender.spec(c).story), None)
    for claim in claims:
        spec = sender.spec(claim)
        if heading is not None and claim.targets and not claim.subject and spec.talk and spec.channel == "post":
            claim.actions = heading.actions
