"""One order a slot: the same again is joined, a correction replaces, anything else contradicts."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.settling.merging import same_seats
from forumbot.reading.slots import target_of

Slot = tuple[str, str | None]


def slot(claim: Claim, sender: Sender) -> Slot:
    """What can be ordered once: a move, of a team's letter the move of one role."""
    spec = sender.spec(claim)
    name = spec.slot or spec.id
    if "acting_role" not in spec.args:
        return (name, None)
    own = (role for role in sender.known.roles if role in sender.words.roles and spec.id in sender.words.roles[role].actions)
    return (name, claim.role or next(own, None))


def one_a_slot(claims: list[Claim], sender: Sender) -> list[Claim]:
    """One order a slot: the same again is joined, a correction replaces, anything else contradicts."""
    kept: list[Claim] = []
    for claim in claims:
        spec = sender.spec(claim)
        rivals = [old for old in kept if slot(old, sender) == slot(claim, sender)]
        if _gives_way(claim, rivals):
            continue
        other = next((old for old in rivals if _another_move(old, claim, sender)), None)
        if other is not None and claim.form == "hint":
            other.targets, other.doubts = claim.targets, list(claim.doubts)  # «Будет докторская ошибка. Пациент - Анна»
            other.unexplained += claim.unexplained
            continue
        if other is not None:
            claim.doubt("contradiction")  # «Убийство нападающего, охраняю Анну»
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


def _another_move(old: Claim, new: Claim, sender: Sender) -> bool:
    """A move of the writer's named without its nick, and right behind it another of theirs that has one."""
    named = old.form == "noun" and old.doubts == ["no_target"] and not old.unexplained and not old.subject
    near = new.sentence - old.sentence <= 1 and bool(new.targets) and not new.turned
    return named and near and not rival(old, new) and {*old.actions, *new.actions} <= set(sender.moves)


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
    standing = [old for old in rivals if (old.targets or "role" in old.args) and rival(old, claim)]
    if standing and claim.turned:
        for old in standing:
            old.doubt("taken_back")
    return bool(standing)


def rival(old: Claim, new: Claim) -> bool:
    return bool(set(old.actions) & set(new.actions))


def _contradict(old: Claim, new: Claim, *, shots: bool) -> None:
    if shots and old.targets and new.targets and not old.subject and not new.subject:
        return  # one more shot: whether he has it the rules will say
    old.doubt("two_targets")
    new.doubt("two_targets")


def _same(a: Claim, b: Claim) -> bool:
    if set(a.actions).isdisjoint(b.actions):
        return False
    return same_seats(a, b) and a.args.get("item") == b.args.get("item") and a.args.get("role") == b.args.get("role")


def one_vote(claims: list[Claim], scene: Scene) -> list[Claim]:
    """A vote and a vote taken back are one decision: the new vote stands, unless the very vote is taken back behind it
    («Линч: Анна», «Снимаю голос» in a line of its own)."""
    votes = [c for c in claims if c.actions[0] == "vote" and c.targets]
    if not votes:
        claims = [_voted_behind(claim, scene) if claim.actions[0] == "unvote" else claim for claim in claims]
        taken = {claim.clause for claim in claims if claim.actions[0] == "vote"}
        return [c for c in claims if not (c.clause in taken and _bets(scene.own(c), scene.sender) and c.actions[0] != "vote")]
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
        if claim.start > votes[-1].start and any(set(votes[-1].seats()) & set(name.seats) for name in own.aside):
            votes[-1].doubt("taken_back")
            continue
        older = own.aside or own.clause.has("same") or any(facts(w).lemmas & grammar().lists["of_before"] for w in words)
        if older or claim.start < votes[-1].start:
            continue
        if claim.sentence > votes[-1].sentence and not (claim.doubts or claim.talk or claim.targets or claim.unexplained):
            kept = [c for c in kept if c not in votes] + [claim]
        else:
            votes[-1].doubt("taken_back")
    return kept


def _bets(p: Parsed, sender: Sender) -> bool:
    """«…, ставлю на Бориса»: behind a vote taken back no bid for a role, where none is named."""
    lacks = [c for c in p.claims if "role" in sender.spec(c).needs and c.args.get("role") is None and not c.talk]
    return bool(lacks) and len(lacks) == len(p.claims) and not p.roles


def _voted_behind(claim: Claim, scene: Scene) -> Claim:
    """«Снимаю голос с Анны, ставлю на Бориса», «Голос снимаю, голос: Вера»: the nick behind a vote that is taken back, in a
    clause without a verb of its own, is the new vote."""
    if claim.doubts or claim.refusal or "already_voted" in scene.sender.words.settings.get("asks", ()):
        return claim
    rest = [p for p in scene.parsed[claim.clause + 1 :] if p.clause.sentence == claim.sentence]
    rest = [p for p in rest if p.clause.color == scene.own(claim).clause.color]
    behind = [p for p in rest if p.free or _bets(p, scene.sender)]
    names = [name for p in behind for name in (*p.free, *(p.aside if _bets(p, scene.sender) else ())) if name.kind == "nick"]
    if not names:
        if any(p.heads and p.aside for p in rest):
            claim.doubt("unclear")
        return claim
    if any(p.verbs or (p.heads and not _bets(p, scene.sender)) or p.unexplained for p in behind):
        return claim  # «Голос снимаю, Анна меня переубедила»
    if any(p.clause.has("withdraw") for p in behind):
        return claim  # «Снимаю голос, погорячился я с Анной»
    bare = behind[0].clause.opener != ":" and behind[0].clause.end - behind[0].clause.start == names[0].end - names[0].start
    if len(names) > 1 or bare:
        claim.doubt("unclear")
        return claim
    made = Claim(("vote",), claim.start, names[0].end, behind[0].index, claim.sentence, claim.form)
    made.targets = [target_of(names[0], None, scene.sender, scene.sender.spec(made))]
    return made
