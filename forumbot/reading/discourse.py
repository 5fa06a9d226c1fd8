"""From sentences to the wishes of a whole message: what one sentence does to those before it, and the story behind them.

``wordless`` reads the sentences that name no move, ``settling`` looks at all wishes together.
"""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.aftermath import denied_again, doubt_behind
from forumbot.reading.arguments import fill
from forumbot.reading.claiming import to_claims
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.framing import jests
from forumbot.reading.grammar import Reading
from forumbot.reading.sentences import Text
from forumbot.reading.settling import finish, role_list
from forumbot.reading.story import rest, story_mark, story_of
from forumbot.reading.wordless import forget_dropped, name_only, opens_with_no, without_move_word, words_of

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
        _under_a_heading(found, claims, sender)
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
        after_turn, turned = turned, not found and not reading.names and (sentence.has("revision") or opens_with_no(reading))
        if not found:
            made = without_move_word(reading, claims, after_turn)
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
        forget_dropped(claims, reading)
        claims.extend(found)
        ordered = ordered or (told and any(sender.words.actions[c.actions[0]].story and c.targets for c in found))
        loose = None
    alone = sender.words.settings.get("story_alone")
    taken = any(sender.words.actions[claim.actions[0]].story for claim in claims)
    if mark is not None and story and alone in sender.owned and not taken:
        first = text.sentences[mark].start
        claims.append(Claim((alone,), first, first + 1, sentence=mark))  # whom it is about the rules may know (league R85)
    for claim in pending:
        claim.doubts.append("taken_back")
    claims = role_list(claims, sender)
    _give_story(claims, story or _last_story(text, claims, sender), sender)
    return finish(claims, text, sender, joking=any(jests(text, sentence) for sentence in text.sentences))


def _begins_story(reading: Reading) -> bool:
    """Whether a story begins on this line, below an order that can have one: the line is no order itself."""
    sentence = reading.sentence
    if sentence.start and reading.found[sentence.start - 1].kind != "l":
        return False
    if sentence.has("revision") or opens_with_no(reading) or name_only(reading):
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


def _under_a_heading(found: Sequence[Claim], before: Sequence[Claim], sender: Sender) -> None:
    """A subject «Рассказ-повешение» and a letter that begins «Вешаем Зубра.»: no vote, which no letter can hold."""
    actions = sender.words.actions
    heading = next((c for c in before if c.subject and not c.targets and actions[c.actions[0]].story), None)
    for claim in found:
        spec = actions[claim.actions[0]]
        if heading is not None and claim.targets and not claim.subject and spec.talk and spec.channel == "post":
            claim.actions = heading.actions


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


def _confirms(claim: Claim, before: Sequence[Claim], reading: Reading) -> bool:
    """«Пусть ход Лиса полетит в Осу. Сбиваю.»: a short sentence that names the move hinted at just before."""
    if not claim.needs_target or claim.targets or words_of(reading) > _SHORT or reading.sentence.has("later"):
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
    if words_of(reading) > _SHORT + 2 or reading.sentence.has("later") or reading.sentence.has("unsure"):
        return
    told = loose.sentence.has("intent") or any(set(hit.meaning.id) & set(claim.actions) for hit in loose.sentence.kinds("hint"))
    names = [name for name in loose.names if name.kind != "list"]
    if not told or not 0 < len(names) <= spec.most or loose.sentence.stop == "?":
        return
    claim.targets = [loose.resolve(name, None) for name in names]
    claim.needs_target = len(claim.targets) < spec.least
    claim.doubts = [doubt for doubt in claim.doubts if doubt not in ("no_target", "thing")]
    claim.refusal = None
