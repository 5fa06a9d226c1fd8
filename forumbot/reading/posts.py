"""Posts of the day's thread: only what stands in the ruleset's colour counts, and only what belongs into public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.messages import ReadOrder, Result
from forumbot.reading import russian
from forumbot.reading.aftermath import doubt_around, doubt_behind
from forumbot.reading.arguments import fill
from forumbot.reading.claiming import to_claims
from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.decline import is_common_word, is_word
from forumbot.reading.discourse import letter_claims
from forumbot.reading.doubts import risky
from forumbot.reading.framing import closed_by_no, jests
from forumbot.reading.grammar import Reading
from forumbot.reading.hunches import votes_otherwise
from forumbot.reading.judge import Judge, spans_of
from forumbot.reading.names import FORM, lexical
from forumbot.reading.own import Own
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Sentence, Text
from forumbot.reading.settling import finish, idle
from forumbot.reading.text import other_layout, tokens
from forumbot.reading.wordless import name_only


def post_orders(text: Text, sender: Sender, own: Own, judge: Judge) -> list[ReadOrder]:
    """The orders of a post."""
    settings = sender.words.settings
    allowed = frozenset(settings.get("posts", ()))
    if not allowed:
        return []
    color = _color(sender)
    claims = _coloured(text, sender, color) if color else letter_claims(text, sender)
    private = [claim for claim in claims if claim.actions[0] not in allowed]
    claims = [claim for claim in claims if claim.actions[0] in allowed]
    if claims:
        if own.edited and (refused := _edited(sender)):
            return _not_counted(text, [claim for claim in claims if not idle(claim, sender)], *refused, judge)
        orders = judge.orders(text, [claim for claim in claims if not idle(claim, sender)])
        return orders + _misplaced(text, private, sender)
    if private:
        return _misplaced(text, private, sender)
    return [] if color is None else _pale(text, sender, color, allowed, judge)


def _color(sender: Sender) -> str | None:
    table = sender.words.settings.get("colour_table")
    return sender.known.more.get(table, sender.words.settings.get("colour")) if table else sender.words.settings.get("colour")


def _edited(sender: Sender) -> tuple[Result, str] | None:
    """What becomes of an order in an edited post: (status, reason), or None when it counts like any other."""
    policy = sender.known.more.get("edited_posts", sender.words.settings.get("edited", "rejected"))
    outcomes: dict[str, Result] = {"reject": "rejected", "rejected": "rejected", "review": "review"}
    named = outcomes.get(str(policy))
    return None if named is None else (named, sender.words.reasons.get("edited", "edited"))


def fragments(text: Text, sentence: Sentence, color: str) -> list[Sentence]:
    """The stretches of a sentence that stand in a colour, each as a sentence of its own."""
    found = text.found
    parts: list[Sentence] = []
    at = sentence.start
    while at < sentence.end:
        if found[at].color != color:
            at += 1
            continue
        end = at
        while end < sentence.end and found[end].color == color:
            end += 1
        closed = end == sentence.end and end < len(found) and found[end].color == color
        parts.append(part_of(sentence, at, end, sentence.stop if closed else ""))
        at = end
    return [part for part in parts if any(found[i].kind in "wn" or found[i].folded == "+" for i in range(part.start, part.end))]


def part_of(sentence: Sentence, start: int, end: int, stop: str) -> Sentence:
    """A stretch of a sentence with what was found in it."""
    return Sentence(
        start,
        end,
        stop,
        sentence.subject,
        [hit for hit in sentence.hits if start <= hit.start and hit.end <= end],
        [hit for hit in sentence.marks if start <= hit.start and hit.end <= end],
        [replace(name, weak=name.weak) for name in sentence.names if start <= name.start and name.end <= end],
    )


def _coloured(text: Text, sender: Sender, color: str) -> list[Claim]:
    """Claims of the coloured stretches of a post."""
    claims: list[Claim] = []
    joking = any(jests(text, sentence) for sentence in text.sentences)
    for index, sentence in enumerate(text.sentences):
        parts = fragments(text, sentence, color)
        if not parts and claims and (doubt := doubt_behind(Reading(text, sentence, sender, index))) is not None:
            for claim in claims:
                claim.doubts.append(doubt)
        for part in parts:
            reading = Reading(text, part, sender, index)
            found, lead = to_claims(reading)
            for claim in found:
                fill(reading, claim, lead)
                if (
                    claim.needs_target
                    and not claim.targets
                    and claim.refusal is None
                    and claim.doubts[:1] in (["no_target"], ["thing"])
                ):
                    _look_outside(text, sentence, part, sender, claim, index)
            if not found:
                found = _alone(text, reading, sentence, sender, bool(claims))
                behind = None if found or reading.names else doubt_behind(reading)
                if behind is not None:
                    for claim in claims:
                        claim.doubts.append(behind)
            else:
                outside = _turn_before(text, sentence, part, index)
                for claim in found:
                    claim.revision = claim.revision or outside
            around = doubt_around(Reading(text, sentence, sender, index), part.start, part.end) if found else None
            if around is not None:
                for claim in found:
                    claim.doubts.append(around)
            for claim in found:
                if reading.dropped and claim.revision:
                    claims = [old for old in claims if not set(old.seats()) <= reading.dropped or not old.targets]
            claims.extend(found)
    return finish(claims, text, sender, joking=joking)


def _turn_before(text: Text, sentence: Sentence, part: Sentence, index: int) -> bool:
    """Whether uncoloured words of the same sentence, or the sentence before, take back what was said («Нет, передумал.»)."""
    before = text.sentences[index - 1] if index else None
    own = any(hit.meaning.id == "revision" and hit.end <= part.start for hit in sentence.marks)
    return own or (before is not None and before.has("revision") and text.found[before.start].color is None)


def _look_outside(text: Text, sentence: Sentence, part: Sentence, sender: Sender, claim: Claim, index: int) -> None:
    """Only the word of the vote is coloured, the nick is not: a question for the host."""
    whole, _ = to_claims(Reading(text, sentence, sender, index))
    if not any(other.targets for other in whole) and (longer := _with_the_next(text, sentence, part, index)) is not None:
        whole, _ = to_claims(Reading(text, longer, sender, index))
    for other in whole:
        if other.targets and set(other.actions) & set(claim.actions):
            claim.targets = [Target(t.seats, t.start, t.end, sure=False) for t in other.targets]
            claim.doubts = ["partial_colour"]
            claim.needs_target = False
            return


def _with_the_next(text: Text, sentence: Sentence, part: Sentence, index: int) -> Sentence | None:
    """«[red]Виновен![/red] Кузя»: the sentence together with a nick that stands alone and plain behind it on its line."""
    following = text.sentences[index + 1] if index + 1 < len(text.sentences) else None
    if following is None or any(t.kind == "l" for t in text.found[sentence.end : following.start]):
        return None
    named = {i for name in following.names for i in range(name.start, name.end)}
    others = [i for i in range(following.start, following.end) if text.found[i].kind == "w" and i not in named]
    if not named or others or text.found[following.start].color == text.found[part.start].color:
        return None
    hits, marks, names = (a + b for a, b in zip(_found_in(sentence), _found_in(following), strict=True))
    return Sentence(sentence.start, following.end, following.stop, sentence.subject, hits, marks, names)


def _found_in(sentence: Sentence) -> tuple[list[Any], list[Any], list[Any]]:
    return sentence.hits, sentence.marks, sentence.names


def _alone(text: Text, reading: Reading, sentence: Sentence, sender: Sender, voted: bool) -> list[Claim]:
    """A coloured nick without a move word is a vote, where the words around it do not deny it."""
    part = reading.sentence
    plus = part.places("plus_one")
    if not reading.names and plus and all(_covered(text, i, plus) for i in range(part.start, part.end)):
        claim = Claim(("vote",), part.start, part.end, doubts=["as_others"], needs_target=True)
        seats = _quoted_players(text, sender)
        if seats:
            claim.targets = [Target(seats, part.start, part.end, sure=False)]
        return [claim]
    if not sender.words.settings.get("nick_alone"):
        return []
    if not reading.names:
        return _stranger_alone(text, reading)
    hinted = any("vote" in hit.meaning.id for hit in part.kinds("hint")) and not part.kinds("action") and not risky(reading)
    choice = len(reading.names) > 1 and not any(_says_more(text, reading, i) for i in range(part.start, part.end))
    agreed = not name_only(reading) and bool(plus) and name_only(reading, and_marks=("plus_one",))
    unsure = not name_only(reading) and part.has("unsure") and name_only(reading, and_marks=("unsure",))
    if (other := votes_otherwise(reading, reading.names)) is not None:
        claim = Claim(("vote",), other.start, other.end, doubts=["unclear"])  # «Все за Гнома, а я за Ксюху»
        claim.targets = [reading.resolve(other, None)]
        return [claim]
    if not name_only(reading) and not choice and not agreed and not unsure and not (hinted and len(reading.names) == 1):
        return []
    claim = Claim(("vote",), reading.names[0].start, reading.names[-1].end)
    claim.targets = [reading.resolve(name, None) for name in reading.names]
    claim.revision = part.has("revision") or _turn_before(text, sentence, part, reading.index) or bool(reading.dropped)
    if len({target.seats for target in claim.targets}) == 1:
        del claim.targets[1:]
    if len(claim.targets) > 1:
        claim.doubts.append("two_targets")
    if unsure:
        claim.doubts.append("unsure")
    if closed_by_no(reading):
        claim.doubts.append("taken_back")
    if part.has("draft"):
        claim.doubts.append("unclear")
    if agreed:
        claim.doubts.append("as_others")  # «Поддерживаю, Сирень»: whom, or what she said
    before = [text.found[i].folded for i in range(sentence.start, part.start)]
    denied = "не" in before or any(h.end <= part.start and h.meaning.id in _BEFORE for h in sentence.marks)
    asked = sentence.stop == "?" and not any(t.folded == "," for t in text.found[part.end : sentence.end])
    for hit, doubt in ((denied, "unclear"), (asked, "question")):
        if hit:
            claim.doubts.append(doubt)
    return [claim]


_BEFORE = frozenset(["condition", "unsure", "subjunctive", "beside", "draft", "hearsay"])
"""Marks of plain words before a coloured nick that make it a question."""


def _says_more(text: Text, reading: Reading, at: int) -> bool:
    """Whether a word of a coloured stretch is neither a nick nor an «или» or a filler."""
    token = text.found[at]
    named = any(name.start <= at < name.end for name in reading.names)
    return token.kind == "w" and not named and token.folded not in russian.FILLERS and token.folded not in ("или", "либо")


def _quoted_players(text: Text, sender: Sender) -> tuple[str, ...]:
    """Whom the quotation above names: candidates for the host, no more."""
    found = tokens(text.own.quoted)
    words = lexical(found)
    seats: dict[str, None] = {}
    at = 0
    while at < len(words) and len(seats) < 8:
        size, candidates = sender.roster.find(found, words, at)
        if candidates and candidates[0].rank <= FORM:
            seats[candidates[0].seat] = None
        at += max(1, size)
    return tuple(seats)


def _covered(text: Text, at: int, hits: Sequence[Hit]) -> bool:
    return text.found[at].kind != "w" or any(hit.start <= at < hit.end for hit in hits)


def _stranger_alone(text: Text, reading: Reading) -> list[Claim]:
    """A single coloured word that could be a nick nobody has."""
    part = reading.sentence
    words = [i for i in range(part.start, part.end) if text.found[i].kind == "w"]
    if len(words) != 1 or part.hits or part.marks or not text.found[words[0]].capital:
        return []
    folded = text.found[words[0]].folded
    if is_common_word(folded) or is_word(other_layout(folded)):
        return []
    return [Claim(("vote",), words[0], words[0] + 1, refusal="unknown_nick", needs_target=True)]


def _misplaced(text: Text, claims: list[Claim], sender: Sender) -> list[ReadOrder]:
    """Private moves written in the thread: refused where the rules say so, else no order at all (contract.md)."""
    if sender.words.settings.get("moves_in_posts") != "rejected":
        return []
    reason = sender.words.reasons.get("private_move", "private_only")
    return [
        ReadOrder(c.actions[0], c.seats(), c.args, "rejected", reason, spans_of(text, c))
        for c in claims
        if not c.doubts and not c.soft and not (c.needs_target and not c.targets) and not _abstains(text, c)
    ]


def _abstains(text: Text, claim: Claim) -> bool:
    """«Сегодня пас» of the thread: no vote today, and no move that would have to be refused."""
    words = [token.folded for token in text.found[claim.start : claim.end]]
    return claim.actions[0] == "pass" and not any(word.startswith(("ход", "ноч")) for word in words)


def _pale(text: Text, sender: Sender, color: str, allowed: frozenset[str], judge: Judge) -> list[ReadOrder]:
    """A clear order in another colour or in none: refused, so that the player is told."""
    reason = sender.words.reasons.get("not_coloured", "not_highlighted")
    claims: list[Claim] = []
    for index, sentence in enumerate(text.sentences):
        if any(text.found[i].color == color for i in range(sentence.start, sentence.end)):
            continue
        reading = Reading(text, sentence, sender, index)
        found, lead = to_claims(reading)
        for claim in found:
            fill(reading, claim, lead)
        claims.extend(claim for claim in found if _clear(claim, reading))
        if not found:
            for other in ("red", "blue", "other"):
                for part in fragments(text, sentence, other):
                    inner = Reading(text, part, sender, index)
                    if inner.names and name_only(inner):
                        claims.extend(_alone(text, inner, sentence, sender, False))
    claims = [claim for claim in claims if claim.actions[0] in allowed and not claim.doubts]
    return _not_counted(text, claims, "rejected", reason, judge)


def _not_counted(text: Text, claims: Sequence[Claim], status: Result, reason: str, judge: Judge) -> list[ReadOrder]:
    """Orders that do not count as their post stands; outside their hours that is the reason given (goldenkey 1.4)."""
    found: list[ReadOrder] = []
    for claim in claims:
        hour = judge.hour(claim.actions[0])
        said: tuple[Result, str] = (status, reason) if hour is None else ("rejected", hour)
        found.append(ReadOrder(claim.actions[0], claim.seats(), claim.args, *said, spans_of(text, claim)))
    return found


def _clear(claim: Claim, reading: Reading) -> bool:
    """Whether plain words are a formula and no talk."""
    spec = reading.words.actions[claim.actions[0]]
    if claim.doubts or claim.refusal:
        return False
    if not reading.opens_with(claim.start):
        return False
    if not spec.least:
        return True
    return bool(claim.targets) and claim.targets[0].start >= claim.end and len(claim.targets) == 1
