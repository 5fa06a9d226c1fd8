"""From sentences to the wishes of a whole message: lists, corrections, subject and body, stories, arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from forumbot.reading import russian
from forumbot.reading.aftermath import denied_again, doubt_behind
from forumbot.reading.arguments import fill
from forumbot.reading.claiming import risky, to_claims
from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.decline import is_finite_verb
from forumbot.reading.grammar import LABEL_SIGNS, Reading
from forumbot.reading.sentences import Mention, Text
from forumbot.reading.story import rest, story_mark, story_of

_CORRECTION = 9
"""Words of a sentence that corrects the one before without naming the move again."""
_SHORT = 3
"""Words of a sentence that only names the move of the sentence before («Это линч»)."""


def letter_claims(text: Text, sender: Sender) -> list[Claim]:
    """The wishes of a letter, corrections carried out."""
    claims: list[Claim] = []
    loose: Reading | None = None
    """The sentence before, when it named players and no move."""
    ordered = False
    """An order that can have a story stands above."""
    turned = False
    """The sentence before only took back what was said («Хотя нет.»)."""
    pending: list[Claim] = []
    """What was taken back without anything in its place so far."""
    told = sender.words.settings.get("stories", False)
    mark = story_mark(text) if told else None
    story = story_of(text, mark) if mark is not None else ""
    for index, sentence in enumerate(text.sentences):
        if mark is not None and index >= mark:
            break
        reading = Reading(text, sentence, sender, index)
        if ordered and mark is None and _begins_story(reading):
            story = rest(text, index - 1)
            if story:
                break
        found, lead = to_claims(reading)
        for claim in found:
            fill(reading, claim, lead)
        found = [claim for claim in found if not _empty(claim, sender)]
        _same_place(found, claims, reading)
        for claim in found:
            claim.revision = claim.revision or turned
        doubt = None if any(claim.targets or claim.label or claim.refusal for claim in found) else doubt_behind(reading)
        gone = denied_again(reading, sentence.start)
        denied = [claim for claim in claims if gone & set(claim.actions)] if gone else []
        if doubt == "taken_back" or denied:
            pending = denied or list(claims)
        elif doubt is not None:
            for claim in claims:
                claim.doubts.append(doubt)
        elif any(claim.revision and claim.targets for claim in found):
            pending = []
        after_turn, turned = turned, not found and not reading.names and (sentence.has("revision") or _opens_with_no(reading))
        if not found:
            made = _without_move_word(reading, claims, after_turn)
            claims.extend(made)
            if any(claim.revision for claim in made):
                pending = []
            ordered = ordered or (told and any(sender.words.actions[c.actions[0]].story and c.targets for c in made))
            loose = reading if reading.names and not made else None
            continue
        found = [claim for claim in found if not _confirms(claim, claims, reading)]
        for claim in found:
            if claim.needs_target and not claim.targets and loose is not None and claim.refusal is None:
                _take_from_before(claim, reading, loose)
        _forget_dropped(claims, reading)
        claims.extend(found)
        ordered = ordered or (told and any(sender.words.actions[c.actions[0]].story and c.targets for c in found))
        loose = None
    alone = sender.words.settings.get("story_alone")
    if not claims and mark is not None and story and alone in sender.owned:
        first = text.sentences[mark].start
        claims.append(Claim((alone,), first, first + 1, sentence=mark))  # whom it is about the rules may know (league R85)
    for claim in pending:
        claim.doubts.append("taken_back")
    claims = _role_list(claims, sender)
    _give_story(claims, story or _last_story(text, claims, sender), sender)
    return finish(claims, text, sender, joking=any(sentence.has("joke") for sentence in text.sentences))


def finish(claims: list[Claim], text: Text, sender: Sender, *, joking: bool = False) -> list[Claim]:
    """What looks at all claims of a message together."""
    claims = _absorb(_without_headings([claim for claim in claims if not claim.behind]), sender)
    _share_arguments(claims, text, sender)
    _settle_doubts(claims, text)
    return settle([claim for claim in claims if not idle(claim, sender)], sender, joking=joking)


def _without_headings(claims: list[Claim]) -> list[Claim]:
    """A subject that only names the matter («покупка», «линч») says nothing beside a body with orders."""
    body = any(not claim.subject for claim in claims)
    return [
        claim
        for claim in claims
        if not (claim.subject and body and any(d.startswith("no_") or d == "thing" for d in claim.doubts))
    ]


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


def _begins_story(reading: Reading) -> bool:
    """Whether a story begins on this line, below an order that can have one: the line is no order itself."""
    sentence = reading.sentence
    if sentence.start and reading.found[sentence.start - 1].kind != "l":
        return False
    if sentence.has("revision") or _opens_with_no(reading) or name_only(reading):
        return False
    groups = reading.groups()
    return not any(group.label or group.start - sentence.start <= 1 for group in groups)


def _last_story(text: Text, claims: Sequence[Claim], sender: Sender) -> str:
    """A story without a line of its own: the sentences behind the last order."""
    able = [claim for claim in claims if sender.words.actions[claim.actions[0]].story and claim.targets and not claim.subject]
    return rest(text, max(claim.sentence for claim in able)) if able else ""


def _give_story(claims: list[Claim], story: str, sender: Sender) -> None:
    if story:
        for claim in claims:
            if sender.words.actions[claim.actions[0]].story:
                claim.args.setdefault("story", story)


def _absorb(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Покупаю смену голоса. Виновен Лис»: one wish in two sentences."""
    actions = sender.words.actions
    takers = [claim for claim in claims if actions[claim.actions[0]].absorbs]
    gone: set[int] = set()
    for claim in takers:
        takes = actions[claim.actions[0]].absorbs
        if not claim.targets or claim.needs_target:
            source = next((c for c in claims if c.actions[0] in takes and c.targets and id(c) not in gone), None)
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


def _empty(claim: Claim, sender: Sender) -> bool:
    """A word of somebody else's move without what that move needs: talk."""
    spec = sender.words.actions[claim.actions[0]]
    foreign = not set(claim.actions) & sender.owned
    lacks = claim.needs_target and not claim.targets and claim.refusal is None
    return foreign and (lacks or any(f"no_{name}" in claim.doubts for name in spec.needs)) and not claim.label


def _same_place(found: list[Claim], before: Sequence[Claim], reading: Reading) -> None:
    """«МО на Клоуна, туда же и линч»: the move without a nick goes where the other one went."""
    if not reading.sentence.has("same_place"):
        return
    for claim in found:
        source = next((c for c in (*found, *reversed(before)) if c is not claim and len(c.targets) == 1), None)
        if not claim.targets and claim.needs_target and source is not None:
            claim.targets = list(source.targets)
            claim.needs_target = False
            claim.refusal = None
            claim.doubts = [doubt for doubt in claim.doubts if doubt not in ("no_target", "thing")]


def _role_list(claims: list[Claim], sender: Sender) -> list[Claim]:
    """Role names beside the writer's team mates only: a list of who plays what, and no moves (goldenkey R19)."""
    table = sender.words.settings.get("role_list")
    if table is None:
        return claims
    named = [claim for claim in claims if claim.by_role and claim.role in table["roles"] and len(claim.targets) == 1]
    seats = [single(claim.targets[0]) for claim in named]
    mates = all(seat in sender.known.clan for seat in seats)
    if len(named) < 2 or not mates or any(claim.targets and claim not in named for claim in claims):
        return claims
    made = Claim((table["action"],), named[0].start, named[0].end, sentence=named[0].sentence, subject=named[0].subject)
    made.targets = [claim.targets[0] for claim in named]
    made.args[table["arg"]] = [claim.role for claim in named]
    if sorted(made.args[table["arg"]]) != sorted(table["roles"]):
        made.doubts.append("incomplete")
    return [made]


def _roles_alone(reading: Reading) -> list[Claim]:
    """Role names without a nick, in a letter of somebody who may ask for a role: a bid."""
    action = reading.words.settings.get("role_alone")
    own = {hit.meaning.id for hit in reading.roles} & set(reading.sender.known.roles)
    named = any(sentence.names for sentence in reading.text.sentences)
    if action is None or not reading.roles or own or named or reading.sentence.stop == "?":
        return []
    hinted = any(action in hit.meaning.id for hit in reading.sentence.kinds("hint"))
    covered = {i for hit in reading.roles for i in range(hit.start, hit.end)}
    others = [
        t
        for i, t in enumerate(reading.found[reading.sentence.start : reading.sentence.end], reading.sentence.start)
        if t.kind == "w" and i not in covered and t.folded not in russian.FILLERS and t.folded not in ("или", "либо")
    ]
    if not hinted and others:
        return []
    claim = Claim(
        (action,), reading.roles[0].start, reading.roles[-1].end, sentence=reading.index, subject=reading.sentence.subject
    )
    if any(reading.sentence.has(mark) for mark in ("condition", "unsure", "somebody")):
        claim.doubts.append("unsure")
    fill(reading, claim, [])
    return [claim]


def _words_of(reading: Reading) -> int:
    return sum(1 for i in range(reading.sentence.start, reading.sentence.end) if reading.found[i].kind == "w")


def _confirms(claim: Claim, before: Sequence[Claim], reading: Reading) -> bool:
    """«Пусть ход Лиса полетит в Осу. Сбиваю.»: a short sentence that names the move hinted at just before."""
    if not claim.needs_target or claim.targets or _words_of(reading) > _SHORT or reading.sentence.has("later"):
        return False
    hinted = before[-1] if before else None
    if hinted is None or not hinted.soft or not set(hinted.actions) & set(claim.actions) or hinted.sentence != reading.index - 1:
        return False
    hinted.soft = False
    hinted.actions = tuple(action for action in claim.actions if action in hinted.actions)
    hinted.doubts = [doubt for doubt in hinted.doubts if doubt != "unclear"]
    return True


def _take_from_before(claim: Claim, reading: Reading, loose: Reading) -> None:
    """«Сегодня прощаемся с Енотом. Это линч»: the move of a short sentence is about the players of the one before."""
    spec = reading.words.actions[claim.actions[0]]
    if _words_of(reading) > _SHORT + 2 or reading.sentence.has("later") or reading.sentence.has("unsure"):
        return
    told = loose.sentence.has("intent") or any(set(hit.meaning.id) & set(claim.actions) for hit in loose.sentence.kinds("hint"))
    names = [name for name in loose.names if name.kind != "list"]
    if not told or not 0 < len(names) <= spec.most or loose.sentence.stop == "?":
        return
    claim.targets = [loose.resolve(name, None) for name in names]
    claim.needs_target = len(claim.targets) < spec.least
    claim.doubts = [doubt for doubt in claim.doubts if doubt not in ("no_target", "thing")]
    claim.refusal = None


def _without_move_word(reading: Reading, before: list[Claim], turned: bool) -> list[Claim]:
    """Claims of a sentence without a move word: an item of a list, a correction, a nick with hints of the writer's move."""
    sentence, sender = reading.sentence, reading.sender
    alone = _roles_alone(reading)
    if alone:
        return alone
    names = [n for n in reading.names if not n.weak or reading.found[n.start].capital or name_only(reading)]
    if any(name.kind == "nick" for name in names):
        names = [name for name in names if name.kind != "self"]
    last = next((c for c in reversed(before) if not c.subject or sentence.subject or (c.needs_target and not c.targets)), None)
    if last is not None and not names and sentence.has("undecided"):
        last.doubts.append("unsure")
        return []
    if last is not None and names and last.targets and reading.found[sentence.start].folded in ("или", "либо"):
        last.targets = [*last.targets, *(reading.resolve(name, None) for name in names)]
        last.either = True
        return []
    if sentence.has("same") and not names and sender.defaults and _words_of(reading) <= 8 and sentence.stop != "?":
        return [Claim(sender.defaults, sentence.start, sentence.end, doubts=["as_before"], sentence=reading.index)]
    if last is not None and _completes(reading, last):
        return []
    if any(reading.is_denied(hit) for hit in sentence.kinds("action")):
        return []
    turns = turned or sentence.has("revision") or _opens_with_no(reading) or _drops_the_last(reading, last)
    corrects = turns and not sentence.has("condition") and (name_only(reading) or _words_of(reading) <= _CORRECTION)
    if corrects and reading.dropped and not names:
        _forget_dropped(before, reading)
        return []
    if not names or (sentence.stop == "?" and not name_only(reading)):
        return _with_hint(reading, names) if names else []
    if last is not None and last.needs_target and not last.targets and last.refusal is None:
        hinted = any(set(hit.meaning.id) & set(last.actions) for hit in sentence.kinds("hint"))
        if hinted or name_only(reading) or corrects or sentence.has("now") or sentence.has("intent"):
            spec = reading.words.actions[last.actions[0]]
            last.targets = [reading.resolve(name, None) for name in names]
            last.end = max(last.end, last.end)
            last.needs_target = len(last.targets) < spec.least
            last.doubts = [doubt for doubt in last.doubts if doubt not in ("no_target", "thing")]
            return []
    if last is not None and corrects and last.targets:
        made = replace(
            last,
            targets=[reading.resolve(names[0], None)],
            args=dict(last.args),
            doubts=[],
            revision=True,
            subject=sentence.subject,
        )
        if len(names) > 1:
            made.targets = [reading.resolve(name, None) for name in names]
            made.either = True
        made.start, made.end, made.sentence = names[0].start, names[-1].end, reading.index
        made.doubts += [mark for mark in ("unsure", "subjunctive") if sentence.has(mark)]
        _forget_dropped(before, reading)
        return [made]
    return _with_hint(reading, names)


def _completes(reading: Reading, last: Claim) -> bool:
    """«Заказ наёмнику: Ольга. Плачу 14 монет.»: an argument in a sentence of its own."""
    missing = [
        doubt for doubt in last.doubts if doubt.startswith("no_") and doubt[3:] in reading.words.actions[last.actions[0]].needs
    ]
    for doubt in missing:
        found = Claim(last.actions, reading.sentence.start, reading.sentence.start)
        fill(reading, found, [])
        if (value := found.args.get(doubt[3:])) is not None and not isinstance(value, list):
            last.args[doubt[3:]] = value
            last.doubts.remove(doubt)
            return True
    return False


def _opens_with_no(reading: Reading) -> bool:
    sentence = reading.sentence
    return any(hit.start - sentence.start <= 2 for hit in sentence.places("no")) or any(
        hit.start == sentence.start for hit in sentence.places("oops")
    )


def _drops_the_last(reading: Reading, last: Claim | None) -> bool:
    """«Зубра, а не Кекса» behind an order about Кекс."""
    return last is not None and bool(last.targets) and set(last.seats()) <= reading.dropped


def name_only(reading: Reading, *, hints: bool = False) -> bool:
    """Whether the sentence holds nothing but nicks, numbers of a list and words that say nothing; with ``hints`` also
    words that only hint at a move."""
    sentence = reading.sentence
    covered = {i for name in reading.names for i in range(name.start, name.end)}
    covered |= {
        i
        for hit in sentence.marks
        if hit.meaning.id in ("intent", "now", "revision", "no", "gender_m", "gender_f")
        for i in range(hit.start, hit.end)
    }
    if hints:
        covered |= {i for hit in sentence.kinds("hint") for i in range(hit.start, hit.end)}
    return all(
        reading.found[i].kind in "snl"
        or i in covered
        or i in reading.aside
        or reading.found[i].folded in russian.FILLERS
        or reading.found[i].folded in russian.PREPOSITION_CASES
        for i in range(sentence.start, sentence.end)
    )


def _with_hint(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """A nick with words that tell of the writer's own move, or alone in a letter that can hold no other."""
    sentence, sender = reading.sentence, reading.sender
    if not names or (sentence.has("past") and not sentence.has("now")):
        return []
    hinted = [action for hit in sentence.kinds("hint") for action in hit.meaning.id if action in sender.owned]
    own = [action for action in hinted if action in sender.defaults] or hinted
    if own and sender.words.actions[own[0]].talk and not name_only(reading, hints=True):
        return []
    actions: tuple[str, ...] = tuple(dict.fromkeys(own))
    bare = name_only(reading) or _named_last(reading, names)
    if not actions and ((bare and not sender.defaults) or _strange_move(reading, names)):
        return _unsaid(reading, names)
    if not actions and sender.defaults and bare:
        if sender.words.settings.get("bare_nick_in_letters", "review") != "accepted" and not _headed(reading):
            actions = sender.defaults
            claim = _soft(reading, names, actions)
            claim.doubts.append("no_action")
            return [claim]
        actions = sender.defaults
    if not actions:
        return []
    return [_soft(reading, names, actions)]


def _headed(reading: Reading) -> bool:
    """Whether the sentence or the letter's subject says that a move follows («Буратино», «мой ход»)."""
    roles = set(reading.sender.known.roles)
    subjects = [sentence for sentence in reading.text.sentences if sentence.subject]
    return reading.sentence.has("intent") or any(hit.meaning.id in roles for s in subjects for hit in s.kinds("role"))


def _named_last(reading: Reading, names: Sequence[Mention]) -> bool:
    """«Мой пациент на сегодня - Ольга»: words of a choice, a sign, and the nick as the last word."""
    sentence = reading.sentence
    if len(names) != 1 or not (sentence.has("intent") or sentence.has("now")) or names[0].start <= sentence.start:
        return False
    words = [t.folded for t in reading.found[sentence.start : names[0].start] if t.kind == "w"]
    labelled = reading.found[names[0].start - 1].folded in LABEL_SIGNS
    last = all(t.kind != "w" for t in reading.found[names[0].end : sentence.end])
    return labelled and last and len(words) <= 8 and not any(is_finite_verb(word) for word in words)


def _strange_move(reading: Reading, names: Sequence[Mention]) -> bool:
    """«Ход: гипноз — Вера»: a command in the set form whose move nobody knows; it is not the writer's usual one."""
    sentence, found = reading.sentence, reading.found
    if not sentence.has("intent") or name_only(reading):
        return False
    colon = sentence.start + 1
    if colon >= names[0].start or found[colon].folded != ":":
        return False
    words = [t for t in found[colon + 1 : names[0].start] if t.kind == "w"]
    return 0 < len(words) <= 3 and all(t.kind != "w" for t in found[names[-1].end : sentence.end])


def _unsaid(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """A nick without a word of what shall be done with him, by somebody who has several moves: a question."""
    sender = reading.sender
    everyone = set(sender.words.settings.get("everyone", ())) - {"vote"}
    able = [a for a in sender.words.actions if a in sender.owned - everyone and sender.words.actions[a].least == len(names)]
    if not able or (able == ["vote"] and sender.words.actions["vote"].channel == "post"):
        return []
    claim = _soft(reading, names, tuple(able))
    claim.by_role = True
    claim.doubts.append("no_action")
    return [claim]


def _soft(reading: Reading, names: Sequence[Mention], actions: tuple[str, ...]) -> Claim:
    sentence = reading.sentence
    claim = Claim(actions, names[0].start, names[-1].end, soft=True, subject=sentence.subject, sentence=reading.index)
    spec = reading.words.actions[actions[0]]
    claim.targets = [reading.resolve(name, None) for name in names]
    if len(names) > max(1, spec.most):
        if reading.alternatives(names) or spec.shots:
            claim.either = not spec.shots
        else:
            claim.doubts.append("unclear_target")
    for mark, doubt in (
        ("condition", "conditional"),
        ("unsure", "unsure"),
        ("subjunctive", "subjunctive"),
        ("same", "as_before"),
    ):
        if sentence.has(mark):
            claim.doubts.append(doubt)
    if not claim.doubts and risky(reading):
        claim.doubts.append("unclear")
    if sentence.stop == "?":
        claim.doubts.append("question")
    fill(reading, claim, [])
    return claim


def _forget_dropped(claims: list[Claim], reading: Reading) -> None:
    """Take names that this sentence takes back out of what was claimed before."""
    if not reading.dropped:
        return
    for claim in list(claims):
        if claim.targets and all(set(target.seats) <= reading.dropped for target in claim.targets):
            claims.remove(claim)


# --- the whole message --------------------------------------------------------------------------------------------------


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


def _no_move_beside_a_move(claims: Sequence[Claim], sender: Sender) -> None:
    """«Пропускаю ход» in one letter with a move: one of them is not meant."""
    passes = [claim for claim in claims if claim.actions[0] == "pass"]
    for claim in passes:
        if any(other is not claim and other.sentence == claim.sentence and other.needs_target for other in claims):
            claim.doubts.append("contradiction")
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
        others = [other for other in bare if set(other.actions) & set(claim.actions) and not _same(other, claim)]
        if claim.subject and others:  # the subject names one, the body another
            claim.targets += [target for other in others for target in other.targets]
            claim.doubts.append("two_targets")
    return [claim for claim in claims if not claim.soft]


def _gives_way(claim: Claim, rivals: Sequence[Claim], kept: Sequence[Claim]) -> bool:
    """A move word without a target says nothing new where its move stands already."""
    if not claim.needs_target or claim.targets or claim.refusal:
        return False
    if any(old.targets for old in rivals):
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
