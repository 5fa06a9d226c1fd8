"""Sentences without a move word: an item of a list, a correction, a nick with hints of the writer's move, a role alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forumbot.reading import russian
from forumbot.reading.arguments import fill
from forumbot.reading.claims import Claim
from forumbot.reading.decline import is_finite_verb, is_first_person, is_thing
from forumbot.reading.doubts import RISKY, risky
from forumbot.reading.framing import another_day, framed
from forumbot.reading.grammar import Reading
from forumbot.reading.hunches import as_yesterday, seems_a_move, told_about, votes_otherwise
from forumbot.reading.moves import LABEL_SIGNS
from forumbot.reading.sentences import Mention

_CORRECTION = 9
"""Words of a sentence that corrects the one before without naming the move again."""

_SHORT_AS_BEFORE = 3
"""Words of a sentence that says no more than that all shall be as before."""


def without_move_word(reading: Reading, before: list[Claim], turned: bool) -> list[Claim]:
    """Claims of a sentence without a move word: an item of a list, a correction, a nick with hints of the writer's move."""
    sentence, sender = reading.sentence, reading.sender
    alone = _roles_alone(reading) or _role_without_moves(reading)
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
    if sentence.has("same") and not names and words_of(reading) <= 8 and sentence.stop != "?":
        repeated = sender.defaults or _vote_again(reading)
        if repeated:
            return [Claim(repeated, sentence.start, sentence.end, doubts=["as_before"], sentence=reading.index)]
    if last is not None and _completes(reading, last):
        return []
    if any(reading.is_denied(hit) for hit in sentence.kinds("action")):
        return _refusal(reading, before)
    turns = turned or sentence.has("revision") or opens_with_no(reading) or _drops_the_last(reading, last)
    corrects = turns and not sentence.has("condition") and (name_only(reading) or words_of(reading) <= _CORRECTION)
    if corrects and reading.dropped and not names:
        forget_dropped(before, reading)
        return []
    if not names and "unknown_move" in sender.words.reasons and (_names_nobody(reading) or _no_known_move(reading)):
        return _of_nobody(reading, names)
    if names and asks_on(reading):
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
        forget_dropped(before, reading)
        return [made]
    return _with_hint(reading, names)


def _vote_again(reading: Reading) -> tuple[str, ...]:
    """«Всё как вчера» of somebody who has no move but his vote, in a letter that can carry it."""
    able = reading.sender.letter and reading.words.actions["vote"].channel != "post"
    return ("vote",) if able and words_of(reading) <= _SHORT_AS_BEFORE else ()


def _refusal(reading: Reading, before: Sequence[Claim]) -> list[Claim]:
    """«Сегодня не стреляю», «лечить никого не буду»: no move this turn. Denied without more it is a question."""
    sentence, sender = reading.sentence, reading.sender
    everyone = {*sender.words.settings.get("everyone", ()), *russian.BOOK_MOVES}
    own = [hit for hit in sentence.kinds("action") if reading.is_denied(hit) and set(hit.meaning.id) & sender.owned - everyone]
    words = [t.folded for t in reading.found[sentence.start : sentence.end] if t.kind == "w"]
    told = any(word in russian.REFUSALS for word in words) or any(is_first_person(reading.found[h.start].folded) for h in own)
    if own and told and not before and "кроме" in words and len(sentence.names) == 1 and sender.letter:
        claim = Claim(own[0].meaning.id, own[0].start, own[0].end, sentence=reading.index, doubts=["unclear"])
        claim.targets = [reading.resolve(sentence.names[0], None)]
        return [claim]  # «Никого, кроме Кнопки, не охраняю»
    if before or not own or not told or sentence.names or sentence.stop == "?" or len(words) > _CORRECTION:
        return []
    if any(sentence.has(mark) for mark in (*RISKY, "later", "draft")) or not sender.letter:
        return []
    claim = Claim(("pass",), own[0].start, own[0].end, sentence=reading.index, subject=sentence.subject, denial=True)
    if not sentence.has("now") and not sentence.has("intent") and not {"никого", "никому", "ни"} & set(words):
        claim.doubts.append("unclear")
    return [claim]


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
    if any(reading.sentence.has(mark) for mark in ("condition", "unsure", "somebody", "draft")):
        claim.doubts.append("unsure")
    fill(reading, claim, [])
    return [claim]


def _role_without_moves(reading: Reading) -> list[Claim]:
    """«Папа Карло: Анна»: a role that has no move, named like one that has (goldenkey R21)."""
    action, sentence = reading.words.settings.get("role_alone"), reading.sentence
    roles = [hit for hit in reading.roles if hit.end < sentence.end and reading.found[hit.end].folded in LABEL_SIGNS]
    idle = [hit for hit in roles if not reading.words.roles[hit.meaning.id].actions and reading.opens_with(hit.start)]
    named = [name for name in reading.names if idle and name.start == idle[0].end + 1]
    if action is None or not named or sentence.stop == "?" or not reading.sender.letter:
        return []
    claim = Claim((action,), idle[0].start, idle[0].end, sentence=reading.index, subject=sentence.subject, doubts=["unclear"])
    claim.args["role"] = idle[0].meaning.id
    return [claim]


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
    return _adds_a_flag(reading, last)


def _adds_a_flag(reading: Reading, last: Claim) -> bool:
    """«Ход: взлом — Кира. По плану команды.»: nothing but a flag of the order before (mafialife R186)."""
    found, sentence = reading.found, reading.sentence
    if sentence.stop == "?":
        return False
    for name in reading.words.actions[last.actions[0]].args:
        hits = [hit for hit in sentence.kinds(name) if hit.meaning.id is True]
        covered = {i for hit in hits for i in range(hit.start, hit.end)}
        if hits and all(found[i].kind != "w" or i in covered for i in range(sentence.start, sentence.end)):
            last.args[name] = True
            return True
    return False


def _drops_the_last(reading: Reading, last: Claim | None) -> bool:
    """«Зубра, а не Кекса» behind an order about Кекс."""
    return last is not None and bool(last.targets) and set(last.seats()) <= reading.dropped


def name_only(reading: Reading, *, hints: bool = False, and_marks: tuple[str, ...] = ()) -> bool:
    """Whether the sentence holds nothing but nicks, numbers of a list and words that say nothing; with ``hints`` also
    words that only hint at a move, with ``and_marks`` those of further marks."""
    sentence = reading.sentence
    covered = {i for name in reading.names for i in range(name.start, name.end)}
    covered |= {
        i for name in sentence.names if {c.seat for c in name.candidates} <= reading.dropped for i in range(name.start, name.end)
    }
    covered |= {
        i
        for hit in sentence.marks
        if hit.meaning.id in ("intent", "now", "revision", "no", "gender_m", "gender_f", *and_marks)
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


def _mine_against_theirs(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """«Все голосуют за Гнома, а я за Ксюху»: perhaps a vote, in a letter that can carry one."""
    at = votes_otherwise(reading, names)
    able = reading.sender.letter and "vote" in reading.sender.owned and reading.words.actions["vote"].channel != "post"
    if at is None or not able:
        return []
    claim = Claim(("vote",), at.start, at.end, sentence=reading.index, subject=reading.sentence.subject, doubts=["unclear"])
    claim.targets = [reading.resolve(at, None)]
    return [claim]


def _with_hint(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """A nick with words that tell of the writer's own move, or alone in a letter that can hold no other."""
    sentence, sender = reading.sentence, reading.sender
    if not names or (sentence.has("past") and not sentence.has("now")):
        return []
    named = {i for name in sentence.names for i in range(name.start, name.end)}
    hints = [hit for hit in sentence.kinds("hint") if hit.start not in named]  # «Нос у меня длинный»: here a nick, no hint
    hinted = [action for hit in hints for action in hit.meaning.id if action in sender.owned]
    own = [action for action in hinted if action in sender.defaults] or hinted
    if (not own or sender.words.actions[own[0]].talk) and (mine := _mine_against_theirs(reading, names)):
        return mine
    if own and sender.words.actions[own[0]].talk and not name_only(reading, hints=True):
        return []
    actions: tuple[str, ...] = tuple(dict.fromkeys(own))
    bare = name_only(reading) or _named_last(reading, names)
    strange = not actions and _strange_move(reading, names)
    if strange and "unknown_move" in sender.words.reasons and _in_set_form(reading, names):
        return _of_nobody(reading, names)
    if not actions and ((bare and not sender.defaults) or strange or (not bare and _may_be(reading, names))):
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


def _may_be(reading: Reading, names: Sequence[Mention]) -> bool:
    return seems_a_move(reading, names) or as_yesterday(reading, names)


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
    signs = LABEL_SIGNS if found[sentence.start].folded == "ход" else ":"
    if colon >= names[0].start or found[colon].folded not in signs:
        return False
    words = [t for t in found[colon + 1 : names[0].start] if t.kind == "w"]
    return 0 < len(words) <= 3 and all(t.kind != "w" for t in found[names[-1].end : sentence.end])


def _in_set_form(reading: Reading, names: Sequence[Mention]) -> bool:
    """«Ход: гипноз — Вера» and no more: one word that is no verb in the first person, a sign, and nicks (mafialife R185)."""
    sentence, found = reading.sentence, reading.found
    words = [t for t in found[sentence.start + 2 : names[0].start] if t.kind == "w"]
    signed = found[names[0].start - 1].folded in LABEL_SIGNS
    plain = len(words) == 1 and not is_finite_verb(words[0].folded) and not risky(reading)
    return found[sentence.start].folded == "ход" and signed and plain and sentence.stop != "?"


def _names_nobody(reading: Reading) -> bool:
    """«Ход: гипноз — Зюзя»: neither the move nor the nick is known (mafialife R185)."""
    sentence = reading.sentence
    found = reading.found[sentence.start : sentence.end]
    signs = [place for place, token in enumerate(found) if token.folded in LABEL_SIGNS]
    if len(signs) != 2 or signs[0] != 1 or found[0].folded != "ход" or sentence.stop == "?" or risky(reading):
        return False
    move = [t for t in found[2 : signs[1]] if t.kind == "w"]
    nick = [t for t in found[signs[1] :] if t.kind == "w"]
    known = any(hit.start > sentence.start for hit in sentence.hits)
    return not known and len(move) == 1 and not is_finite_verb(move[0].folded) and 0 < len(nick) <= 2 and nick[0].capital


def _no_known_move(reading: Reading) -> bool:
    """«Ход: гипноз» and no more: one noun that is no move, and no nick (mafialife R185)."""
    sentence, found = reading.sentence, reading.found
    words = [i for i in range(sentence.start, sentence.end) if found[i].kind == "w"]
    if len(words) != 2 or found[sentence.start].folded != "ход" or words[1] != sentence.start + 2:
        return False
    signed = found[sentence.start + 1].folded in LABEL_SIGNS
    known = any(hit.start > sentence.start for hit in (*sentence.hits, *sentence.marks))
    return signed and not known and sentence.stop != "?" and is_thing(found[words[1]].folded) and not sentence.subject


def _of_nobody(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """A command in the set form whose move is nobody's: refused, and told of as a move of the writer's, never as a vote."""
    sender = reading.sender
    own = sender.owned - set(sender.words.settings.get("everyone", ())) - russian.BOOK_MOVES.keys()
    actions = tuple(action for action in reading.words.actions if action in own)
    if not actions:
        return []
    sentence = reading.sentence
    claim = Claim(actions, sentence.start, sentence.end, soft=True, subject=sentence.subject, sentence=reading.index)
    claim.targets = [reading.resolve(name, None) for name in names]
    claim.refusal = "unknown_move"
    return [claim]


def _unsaid(reading: Reading, names: Sequence[Mention]) -> list[Claim]:
    """A nick without a word of what shall be done with him, by somebody who has several moves: a question."""
    sender = reading.sender
    everyone = set(sender.words.settings.get("everyone", ()))
    if sender.words.actions["vote"].channel != "post":
        everyone.discard("vote")
    able = [a for a in sender.words.actions if a in sender.owned - everyone and sender.words.actions[a].least == len(names)]
    if not able:
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
    hints = [hit.start for hit in sentence.kinds("hint")]
    if not claim.doubts and (frame := framed(reading, min([names[0].start, *hints]))) is not None:
        claim.doubts.append(frame)
    if not claim.doubts and (risky(reading) or another_day(reading, names[0].start, names[-1].end)):
        claim.doubts.append("unclear")
    if told_about(reading, names):
        claim.doubts.append("unclear")
    if sentence.stop == "?":
        claim.doubts.append("question")
    fill(reading, claim, [])
    return claim


def asks_on(reading: Reading) -> bool:
    """«Сколько голосов у Хана? А против Лешего?»: a question that goes on with the one before."""
    sentence, before = reading.sentence, reading.text.sentences[reading.index - 1] if reading.index else None
    follows = before is not None and before.stop == "?" and sentence.stop == "?"
    return follows and reading.found[sentence.start].folded in ("а", "и")


def opens_with_no(reading: Reading) -> bool:
    sentence = reading.sentence
    return any(hit.start - sentence.start <= 2 for hit in sentence.places("no")) or any(
        hit.start == sentence.start for hit in sentence.places("oops")
    )


def words_of(reading: Reading) -> int:
    return sum(1 for i in range(reading.sentence.start, reading.sentence.end) if reading.found[i].kind == "w")


def forget_dropped(claims: list[Claim], reading: Reading) -> None:
    """Take names that this sentence takes back out of what was claimed before."""
    if not reading.dropped:
        return
    for claim in list(claims):
        if claim.targets and all(set(target.seats) <= reading.dropped for target in claim.targets):
            claims.remove(claim)
