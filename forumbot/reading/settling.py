"""All claims of a message together: repetitions joined, corrections carried out, contradictions marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.sentences import Text


def finish(claims: list[Claim], text: Text, sender: Sender, *, joking: bool = False) -> list[Claim]:
    """What looks at all claims of a message together."""
    claims = _absorb(_without_headings([claim for claim in claims if not claim.behind]), sender)
    _share_arguments(claims, text, sender)
    _settle_doubts(claims, text)
    return settle([claim for claim in claims if not idle(claim, sender)], sender, joking=joking)


def idle(claim: Claim, sender: Sender) -> bool:
    """Words of a vote that vote for nobody."""
    if "abstains" in claim.doubts:
        return True
    if {"conditional", "as_before", "pronoun"} & set(claim.doubts):
        return False
    if not sender.words.actions[claim.actions[0]].talk:
        return "past" in claim.doubts
    supposed = bool({"subjunctive", "past", "announced"} & set(claim.doubts))
    return supposed or (not claim.targets and bool({"thing", "no_target"} & set(claim.doubts)) and not claim.label)


def settle(claims: list[Claim], sender: Sender, *, joking: bool = False) -> list[Claim]:
    """Join repetitions, carry out corrections, and mark what contradicts."""
    claims = _without_soft(claims)
    kept: list[Claim] = []
    for claim in claims:
        spec = sender.words.actions[claim.actions[0]]
        rivals = [old for old in kept if _slot(old, sender) == _slot(claim, sender)]
        if _gives_way(claim, rivals, kept):
            continue
        same = next((old for old in rivals if _same(old, claim)), None)
        if same is not None and not spec.several:
            same.subject = same.subject and claim.subject
            same.args = {**claim.args, **same.args}
            continue
        for old in rivals:
            if (
                ("taken_back" in old.doubts and "taken_back" not in claim.doubts)
                or (claim.revision and not claim.subject and not old.subject)
                or (old.needs_target and not old.targets and claim.targets)
            ):
                kept.remove(old)
            elif not spec.several or old.subject != claim.subject:
                if _unsure(old) and old.subject and not _unsure(claim):
                    kept.remove(old)
                    continue
                _contradict(old, claim, spec.shots)
        kept.append(claim)
    _no_move_beside_a_move(kept, sender)
    if joking:
        for claim in kept:
            claim.doubts.append("joke")
    return kept


def role_list(claims: list[Claim], sender: Sender) -> list[Claim]:
    """Role names beside the writer's team mates only: a list of who plays what, and no moves (goldenkey R19).

    A whole list may stand in one letter with moves (D56). One that names somebody of another team is a question: a list
    with a slip of the pen, or moves. So is part of a list, but only while roles are shared out: after the first night
    some roles beside team mates are moves.
    """
    table = sender.words.settings.get("role_list")
    if table is None:
        return claims

    def lists(claim: Claim) -> bool:
        return claim.by_role and claim.role in table["roles"] and len(claim.targets) == 1

    size = len(table["roles"])
    for at in range(len(claims) - size + 1):
        part = claims[at : at + size]
        if not all(map(lists, part)) or len({claim.role for claim in part}) < size:
            continue
        strangers = sum(single(claim.targets[0]) not in sender.known.clan for claim in part)
        if not strangers:
            return [*claims[:at], _listing(part, table), *claims[at + size :]]
        if strangers == 1:
            for claim in part:
                claim.doubts.append("ambiguous_action")
            return claims
    named = [claim for claim in claims if lists(claim)]
    headings = [claim for claim in claims if claim.actions[0] == table["action"]]
    if headings and named:
        for claim in (*headings, *named):
            claim.doubts.append("incomplete")
        return claims
    mates = all(single(claim.targets[0]) in sender.known.clan for claim in named)
    fixed = (sender.known.night or 1) > 1 and not any(claim.behind for claim in named)
    if len(named) < 2 or not mates or fixed or any(claim.targets and claim not in named for claim in claims):
        return claims
    made = _listing(named, table)
    made.doubts.append("incomplete")
    return [made]


def _listing(named: Sequence[Claim], table: Mapping[str, Any]) -> Claim:
    """One claim for a list of roles."""
    first = named[0]
    made = Claim((table["action"],), first.start, first.end, sentence=first.sentence, subject=first.subject)
    made.targets = [claim.targets[0] for claim in named]
    made.args[table["arg"]] = [claim.role for claim in named]
    return made


def _without_headings(claims: list[Claim]) -> list[Claim]:
    """A subject that only names the matter («покупка», «линч») says nothing beside a body with orders."""
    body = any(not claim.subject for claim in claims)
    return [
        claim
        for claim in claims
        if not (claim.subject and body and any(d.startswith("no_") or d == "thing" for d in claim.doubts))
    ]


def _absorb(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Покупаю смену голоса. Виновен Лис»: one wish in two sentences, the words behind it before those in front."""
    actions = sender.words.actions
    takers = [claim for claim in claims if actions[claim.actions[0]].absorbs]
    gone: set[int] = set()
    for claim in takers:
        takes = actions[claim.actions[0]].absorbs
        claim.revision = False  # it changes what was sent before, not what stands beside it in this message
        if not claim.targets or claim.needs_target:
            able = [c for c in claims if c.actions[0] in takes and c.targets and id(c) not in gone]
            source = min(able, key=lambda c: (c.start < claim.start, abs(c.start - claim.start)), default=None)
            if source is not None:
                claim.targets, claim.needs_target, claim.refusal = source.targets, False, None
                claim.doubts = [d for d in (*claim.doubts, *source.doubts) if d not in ("no_target", "thing")]
                gone.add(id(source))
        gone.update(id(c) for c in claims if c.actions[0] in takes and _same_seats(c, claim))
    return [claim for claim in claims if id(claim) not in gone]


def _same_seats(a: Claim, b: Claim) -> bool:
    return [t.seats for t in a.targets] == [t.seats for t in b.targets]


def _share_arguments(claims: Sequence[Claim], text: Text, sender: Sender) -> None:
    """An argument said once holds for all goods of the letter («За МБ: 1. антинежить 2. эликсир-ультра»)."""
    for kind in sender.words.settings.get("shared_arguments", ()):
        said = {hit.meaning.id for sentence in text.sentences for hit in sentence.kinds(kind)}
        if len(said) != 1:
            continue
        for claim in claims:
            if kind in sender.words.actions[claim.actions[0]].args and claim.args.get(kind) is None:
                claim.args[kind] = next(iter(said))
                claim.doubts = [doubt for doubt in claim.doubts if doubt != f"no_{kind}"]


def _settle_doubts(claims: Sequence[Claim], text: Text) -> None:
    """Take back doubts that other words of the message settle (a change of vote that is paid for)."""
    settled = {hit.meaning.id for sentence in text.sentences for hit in sentence.kinds("settled")}
    if settled:
        for claim in claims:
            claim.doubts = [doubt for doubt in claim.doubts if doubt not in settled]


def _no_move_beside_a_move(claims: list[Claim], sender: Sender) -> None:
    """«Пропускаю ход» in one letter with a move: one of them is not meant."""
    if any(claim.targets and claim.actions[0] != "vote" for claim in claims):
        claims[:] = [claim for claim in claims if not claim.denial]  # «Не стреляем. Проверка: Месяц»
    passes = [claim for claim in claims if claim.actions[0] == "pass"]
    for claim in passes:
        if any(other is not claim and other.sentence == claim.sentence and other.needs_target for other in claims):
            claim.doubts.append("contradiction")
    able = {a for role in sender.known.roles if role in sender.words.roles for a in sender.words.roles[role].actions}
    specs = sender.words.actions
    stays = [c for c in claims if c.actions[0] in able and not specs[c.actions[0]].least and not c.doubts]
    stays = [c for c in stays if specs[c.actions[0]].slot != "work"]  # to refuse work is to make no move, too
    if stays:
        # «Сижу в берлоге, никого не кусаю»: the "no move" says nothing more, and would take the lair back
        claims[:] = [claim for claim in claims if claim not in passes or claim.doubts]
        passes = [claim for claim in passes if claim in claims]
    # a move taken back behind the very move («Лечу Кекса. Ход отменяю.»)
    for cancel in [claim for claim in claims if claim.actions[0] == "cancel"]:
        for move in [c for c in claims if c.targets and c.start < cancel.start and not c.subject and c.actions[0] != "vote"]:
            for claim in (cancel, move):
                claim.doubts.append("contradiction")
    moves = [claim for claim in claims if not {"pass", "cancel", "vote", "unvote"} & set(claim.actions[:1])]
    if passes and any(claim.targets for claim in moves):
        for claim in (*passes, *moves):
            claim.doubts.append("contradiction")


def _contradict(old: Claim, new: Claim, shots: bool) -> None:
    if shots and old.targets and new.targets and not old.subject and not new.subject:
        return  # one more shot: whether he has it the rules will say
    for claim in (old, new):
        if "two_targets" not in claim.doubts:
            claim.doubts.append("two_targets")


def _unsure(claim: Claim) -> bool:
    return any(len(target.seats) != 1 or not target.sure for target in claim.targets) or bool(claim.refusal)


def _without_soft(claims: list[Claim]) -> list[Claim]:
    """Hints count only where no move word names an action of a target."""
    hard = [claim for claim in claims if not claim.soft and (claim.targets or claim.refusal)]
    if not hard:
        return claims
    bare = [claim for claim in claims if claim.soft and not claim.subject and "no_action" in claim.doubts and not claim.by_role]
    for claim in hard:
        _settled_by_the_body(claim, claims)
        others = [other for other in bare if set(other.actions) & set(claim.actions) and not _same(other, claim)]
        if claim.subject and others:  # the subject names one, the body another
            claim.targets += [target for other in others for target in other.targets]
            claim.doubts.append("two_targets")
    return [claim for claim in claims if not claim.soft]


def _settled_by_the_body(claim: Claim, claims: Sequence[Claim]) -> None:
    """A subject whose nick may be two players, and a body that tells which («якудза: Демена», «Наша цель Дёмина»)."""
    if not (claim.subject and _unsure(claim) and len(claim.targets) == 1):
        return
    told = [other for other in claims if other.soft and not other.subject and set(other.actions) & set(claim.actions)]
    if len(told) == 1 and not told[0].doubts and not _unsure(told[0]) and told[0].seats() in [(seat,) for seat in claim.seats()]:
        claim.targets, claim.subject = list(told[0].targets), False


def _gives_way(claim: Claim, rivals: Sequence[Claim], kept: Sequence[Claim]) -> bool:
    """A move word without a target says nothing new where its move stands already."""
    if not claim.needs_target or claim.targets or claim.refusal:
        return False
    if any(old.targets or (not old.needs_target and "role" in old.args) for old in rivals):
        if claim.revision:  # something else was meant to stand here: what stands is not sure any more
            for old in rivals:
                old.doubts.append("taken_back")
        return True
    return bool(kept) and not claim.label and "thing" in claim.doubts


def _slot(claim: Claim, sender: Sender) -> Any:
    spec = sender.words.actions[claim.actions[0]]
    if "acting_role" not in spec.args:
        return (spec.slot or spec.id, None)
    own = (role for role in sender.known.roles if role in sender.words.roles and spec.id in sender.words.roles[role].actions)
    return (spec.slot or spec.id, claim.role or next(own, None))


def _same(a: Claim, b: Claim) -> bool:
    if set(a.actions).isdisjoint(b.actions):
        return False
    mine, theirs = [t.seats for t in a.targets], [t.seats for t in b.targets]
    return mine == theirs and a.args.get("item") == b.args.get("item") and a.args.get("role") == b.args.get("role")


def single(target: Target) -> str | None:
    """The one seat that a target surely means, or None."""
    return target.seats[0] if len(target.seats) == 1 and target.sure else None
