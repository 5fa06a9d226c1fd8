"""What in its own sentence casts doubt on a claim: conditions, denials, the past, somebody's words, words that judge it."""

from __future__ import annotations

from forumbot.reading import russian
from forumbot.reading.aftermath import ascribed, conditional_head, conditional_tail, denied_again, takes_back
from forumbot.reading.claims import Claim, Target
from forumbot.reading.decline import is_finite_verb, is_first_person, is_infinitive, is_third_person
from forumbot.reading.framing import another_day, framed, of_the_past
from forumbot.reading.grammar import Reading
from forumbot.reading.moves import Group
from forumbot.reading.phrases import Hit

RISKY = ("condition", "subjunctive", "past", "unsure", "same", "undecided", "joke", "speech", "hearsay", "either")
"""Marks that could turn a sentence into something else than a plain wish."""


def sentence_doubts(reading: Reading, group: Group, claim: Claim) -> None:
    sentence = reading.sentence
    spec = reading.words.actions[claim.actions[0]]
    if sentence.has("condition"):
        free = {hit.start for hit in sentence.kinds("free_condition") if hit.meaning.id in claim.actions}
        if any(hit.start not in free for hit in sentence.places("condition")):
            announced = any(t.folded in russian.FUTURE for t in reading.found[sentence.start : sentence.end])
            announced = announced or (spec.talk and _will_go(reading, group))
            claim.condition = True
            doubt(claim, "announced" if announced else "conditional")
    elif (
        spec.talk
        and sentence.has("later")
        and any(t.folded in russian.FUTURE for t in reading.found[sentence.start : sentence.end])
    ):
        doubt(claim, "announced")
    elif spec.talk and sentence.has("later") and reading.found[min(group.end, sentence.end - 1)].folded in ("буду", "будем"):
        doubt(claim, "unsure")  # «голосовать буду за Соню ближе к вечеру»
    elif "role" not in spec.needs and another_day(reading, group.start, group.end):
        doubt(claim, "unsure")
    if (frame := framed(reading, group.start)) is not None:
        doubt(claim, frame)
    if sentence.has("subjunctive") and not claim.condition:
        doubt(claim, "subjunctive")
    if sentence.has("unsure"):
        doubt(claim, "unsure")
    behind = max([group.end, *(target.end for target in claim.targets)])
    if any(hit.start >= behind and _leaves_open(reading, hit) for hit in sentence.places("either")) and not claim.either:
        doubt(claim, "unsure")
    if not claim.either and any(_after_or(reading, target) for target in claim.targets):
        doubt(claim, "unsure")
    if sentence.has("undecided") and not spec.talk and spec.id != "cancel":  # «Отменяю ход, подумаю ещё»: that is why
        doubt(claim, "unsure")
    if reading.found[group.start - 1].folded == "думаю" and group.start > sentence.start:
        doubt(claim, "unsure")
    if any(reading.denied_twice(hit) for hit in group.hits):
        doubt(claim, "unclear")
    if _somebody_does(reading, group):
        doubt(claim, "reported")
    if spec.id in russian.BOOK_MOVES and any(t.folded == "кроме" for t in reading.found[group.end : sentence.end]):
        doubt(claim, "unclear")
    if spec.id in russian.BOOK_MOVES and _goes_on(reading, behind):
        doubt(claim, "unclear")
    if any(hit.start >= behind for hit in sentence.places("backup")):
        doubt(claim, "unsure")
    if takes_back(reading, behind) and not any(name.start >= behind for name in reading.names):
        doubt(claim, "taken_back")
    if denied_again(reading, behind) & set(claim.actions):
        doubt(claim, "taken_back")
    if reading.disputed & set(claim.seats()):
        doubt(claim, "contradiction")
    if conditional_tail(reading, behind) or conditional_head(reading, group.start) or _else_another(reading, behind):
        doubt(claim, "conditional")
    if ascribed(reading, behind):
        doubt(claim, "reported")
    if spec.talk and not spec.most and len(reading.names) > 1:
        doubt(claim, "unclear_target")
    if sentence.has("hearsay") or _spoken_of(reading, group, claim):
        doubt(claim, "reported")
    if group.by_role and not group.label and (risky(reading) or _told_in_the_past(reading)):
        doubt(claim, "unclear")
    if group.third_person and group.role is None and not _with_my_tool(reading, group):
        doubt(claim, "third_person")
    if any(
        hit.start < group.start and any(name.end <= hit.start and name.kind == "nick" for name in sentence.names)
        for hit in sentence.places("speech")
    ):
        doubt(claim, "reported")
    if _judged(reading, claim, behind):
        doubt(claim, "unclear")
    if any(hit.end <= group.start <= hit.end + 2 for hit in sentence.places("thanks")):
        doubt(claim, "reported")
    if sentence.has("same"):
        doubt(claim, "as_before")
    # «воскрешаю вчера убитого Лопуха» is no past, «скинул 10 на щит вчера» is one
    spared = spec.dead_targets and (is_first_person(reading.found[group.start].folded) or not _told_in_the_past(reading))
    past = sentence.has("past") and not sentence.has("now") and not claim.revision and not spared
    if past and (told := of_the_past(reading, group)) is not None:
        doubt(claim, told)


def risky(reading: Reading) -> bool:
    """Whether words of the sentence could turn it into something else than a plain wish."""
    sentence = reading.sentence
    taken = {i for mark in ("revision", "drop_before") for hit in sentence.places(mark) for i in range(hit.start, hit.end)}
    denials = sum(
        i not in taken and reading.found[i].folded in ("не", "нет", "ни", "никого") for i in range(sentence.start, sentence.end)
    )
    return denials > bool(reading.dropped) or any(sentence.has(mark) for mark in RISKY)


def spec_talk(reading: Reading, claim: Claim) -> bool:
    """Whether the claim's words are spoken of all day (votes)."""
    return reading.words.actions[claim.actions[0]].talk


def doubt(claim: Claim, reason: str) -> Claim:
    if reason not in claim.doubts:
        claim.doubts.append(reason)
    return claim


def _with_my_tool(reading: Reading, group: Group) -> bool:
    """«Мой меч прикрывает Ольгу»: what acts is the writer's own."""
    for hit in reading.sentence.kinds("hint"):
        beside = reading.found[max(reading.sentence.start, hit.start - 1) : min(hit.end + 1, group.start)]
        mine = any(token.folded in ("мой", "моя", "мое", "мои") for token in beside)
        if hit.end <= group.start and set(hit.meaning.id) & set(group.actions) & reading.sender.owned and mine:
            return True
    return False


def _will_go(reading: Reading, group: Group) -> bool:
    """«…, голос уйдёт ему»: the vote is only told of as one to come."""
    following = [t.folded for t in reading.found[group.end : min(group.end + 3, reading.sentence.end)]]
    return any(word in ("уйдет", "достанется", "отойдет", "полетит", "перейдет") for word in following)


def _somebody_does(reading: Reading, group: Group) -> bool:
    """«Анна любит убивать Павла», «люблю убивать Павла»: the infinitive hangs on what somebody else does, or on a liking."""
    if group.role is not None or group.start == reading.sentence.start or not is_infinitive(reading.found[group.start].folded):
        return False
    before = reading.found[group.start - 1].folded
    return before in russian.FEELINGS or (is_third_person(before) and before not in russian.IMPERSONAL)


def _goes_on(reading: Reading, behind: int) -> bool:
    """«Отменяю ход, пуля Сирени», «Снимаю заявку на Пьеро, хочу Мальвину»: behind a move of the host's book stands, in a
    part of its own, a hint of another one with a nick or a role."""
    if any(hit.start >= behind for hit in reading.sentence.kinds("action")):
        return False
    comma = next((i for i in range(behind, reading.sentence.end) if reading.found[i].folded in ",-–—:"), reading.sentence.end)
    hinted = any(hit.start > comma and set(hit.meaning.id) & reading.sender.owned for hit in reading.sentence.kinds("hint"))
    return hinted and any(start > comma for start in [one.start for one in reading.names] + [one.start for one in reading.roles])


def _judged(reading: Reading, claim: Claim, behind: int) -> bool:
    """«Голосовать за Гнома глупо», «линч Гнома никому не нужен»: words behind the target, in one part with it, that speak of
    the wish or deny it."""
    if not claim.targets or reading.dropped or claim.targets[-1].start < claim.start:
        return False
    told = {i for mark in ("revision", "withdraw", "no_condition") for hit in reading.sentence.places(mark)
            for i in range(hit.start, hit.end)}  # fmt: skip
    for i in range(behind, reading.sentence.end):
        token = reading.found[i]
        if token.kind == "s" and token.folded in ",(:-–—":
            return False
        if i not in told and (token.folded == "не" or token.folded in russian.JUDGEMENTS):
            return True
    return False


def _spoken_of(reading: Reading, group: Group, claim: Claim) -> bool:
    """«Мой голос Клим уже знает», «твой голос против Вихря»: words about a vote."""
    before = reading.found[group.start - 1].folded if group.start > reading.sentence.start else ""
    if before in russian.NOT_MINE or _vote_of(reading, group, claim):
        return True
    if not claim.targets or group.label or not spec_talk(reading, claim) or claim.targets[0].start < group.end:
        return False
    first, last = claim.targets[0], claim.targets[-1]
    if any(t.kind == "s" or t.folded in russian.PREPOSITION_CASES for t in reading.found[group.end : first.start]):
        return False
    for token in reading.found[last.end : min(last.end + 2, reading.sentence.end)]:
        if token.kind != "w":
            return False
        if is_finite_verb(token.folded):
            return True
    return False


def _vote_of(reading: Reading, group: Group, claim: Claim) -> bool:
    """«Голос Тимофея против меня - ошибка»: the nick right behind the word is the voter, and whom he votes for follows."""
    if not spec_talk(reading, claim) or group.label or not claim.targets or claim.targets[0].start != group.end:
        return False
    behind = claim.targets[0].end
    following = reading.found[behind : min(behind + 2, reading.sentence.end)]
    aimed = [name for name in reading.sentence.names if name.start == behind + 1]
    pronoun = len(following) > 1 and (following[1].folded == "меня" or any(h.start == behind + 1 for h in reading.sentence.marks))
    return bool(following) and following[0].folded in ("за", "против") and (bool(aimed) or pronoun)


def _told_in_the_past(reading: Reading) -> bool:
    """Whether the sentence tells what was, and nothing of today."""
    words = [t.folded for t in reading.found[reading.sentence.start : reading.sentence.end] if t.kind == "w"]
    if reading.sentence.has("now") or reading.sentence.has("intent"):
        return False
    return any(word.endswith(("л", "ла", "ли", "лся", "лась", "лись")) and is_finite_verb(word) for word in words)


def _leaves_open(reading: Reading, either: Hit) -> bool:
    """Whether an «или» leaves a choice; in parentheses only before a nick («(или Зубра)», not «(или как там его)»)."""
    if either.start not in reading.aside:
        return True
    return any(either.end <= name.start <= either.end + 1 for name in reading.sentence.names)


def _else_another(reading: Reading, behind: int) -> bool:
    """«Лечу Сову, если что - Льва»: behind a phrase that is no condition by itself stands another nick."""
    return any(
        hit.start >= behind and any(hit.end <= name.start <= hit.end + 3 for name in reading.sentence.names)
        for hit in reading.sentence.places("no_condition")
    )


def _after_or(reading: Reading, target: Target) -> bool:
    """«зову Сову в гости или всё-таки Лев»: the second of a choice whose first stands by another word."""
    before = reading.found[max(reading.sentence.start, target.start - 5) : target.start]
    return any(t.folded in ("или", "либо") for t in before)
