"""From the move words of a sentence to claims: targets, what is missing, and what casts doubt on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from forumbot.reading import russian
from forumbot.reading.aftermath import ascribed, conditional_tail, denied_again, takes_back
from forumbot.reading.claims import Claim, Target
from forumbot.reading.decline import is_finite_verb, is_first_person, is_word
from forumbot.reading.grammar import Reading
from forumbot.reading.moves import LABEL_SIGNS, Group
from forumbot.reading.names import DOUBTFUL
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Mention, doubtful_name
from forumbot.reading.text import Token

_BEGINNING = 4
"""Shortest unknown word that may be the beginning of a nick, without a full stop behind it."""


def doubtful_target(reading: Reading, at: int) -> Target | None:
    """A target read with doubt from an ordinary or shortened word in a nick's place."""
    token = reading.found[at]
    after = reading.found[at + 1] if at + 1 < len(reading.found) else None
    cut = after is not None and after.folded == "." and after.glued
    candidates = doubtful_name(token.folded, reading.sender.roster, cut=cut)
    if not candidates and token.capital and len(token.folded) >= _BEGINNING and not is_word(token.folded):
        beginning = doubtful_name(token.folded, reading.sender.roster, cut=True)
        seats = tuple(dict.fromkeys(c.seat for c in beginning))
        return Target(seats, at, at + 1, sure=False) if seats else None  # «Прон»: perhaps Пронин
    if not candidates:
        return None
    seats = tuple(dict.fromkeys(c.seat for c in candidates if c.seat not in reading.sender.known.dead)) or (candidates[0].seat,)
    return Target(seats, at, at + 1, sure=len(seats) == 1 and candidates[0].rank < DOUBTFUL)


def to_claims(reading: Reading) -> tuple[list[Claim], list[Mention]]:
    """The claims of a sentence, and its names that belong to no move word."""
    groups = reading.groups()
    if not groups:
        return [], list(reading.names)
    lead = reading.assign(groups)
    if lead and groups[0].third_person and all(_only_self(reading, name) for name in lead):
        groups[0].third_person = False  # «Щепка стреляет в Сирень», written by Щепка
    if len(lead) == 1 and _acts_behind(lead[0], groups[0]):
        lead, groups[0].targets = groups[0].targets, lead  # «Щепку убивает Матрос»
    torn = bool(lead) and (reading.torn(lead, groups[0]) or _only_himself_behind(lead, groups[0]))
    groups = reading.share(reading.wrap(reading.lead(reading.join(groups))))
    claims = [claim for group in groups if (claim := claim_of(reading, group)) is not None]
    if torn and claims:
        _doubt(claims[0], "unclear_target")
    return claims, lead


def _acts_behind(before: Mention, group: Group) -> bool:
    """Whether the nick behind a verb of the third person acts, and the one before it is whom it hits."""
    nominative = [any("nomn" in candidate.cases for candidate in name.candidates) for name in (before, *group.targets)]
    return group.third_person and nominative == [False, True]


def _only_himself_behind(lead: Sequence[Mention], group: Group) -> bool:
    """«Шурика линчевать - себя не уважать»: a nick before the move word, and only the writer behind it."""
    named = any(name.kind == "nick" and not name.weak for name in lead)
    return named and bool(group.targets) and all(n.kind == "self" for n in group.targets)


def _only_self(reading: Reading, name: Mention) -> bool:
    return all(candidate.seat == reading.sender.seat for candidate in name.candidates)


def claim_of(reading: Reading, group: Group) -> Claim | None:
    """The claim of one move word with its targets and doubts; None for words that claim nothing."""
    sentence = reading.sentence
    actions = reading.wanted(group)
    if not actions:
        return None
    spec = reading.words.actions[actions[0]]
    claim = Claim(
        actions, group.start, group.end, role=group.role, subject=sentence.subject, sentence=reading.index, label=group.label
    )
    claim.by_role = group.by_role or group.open
    if group.inner:
        spec = replace(spec, least=reading.words.actions[group.inner[0]].least, most=reading.words.actions[group.inner[0]].most)
        claim.args["action"] = group.inner[0]
    claim.doubts.extend(hit.meaning.id for hit in sentence.kinds("doubt"))
    claim.revision = sentence.has("revision") or bool(reading.dropped)
    names = group.targets if spec.most else []
    if spec.nick_refused and any(name.kind == "nick" for name in group.targets):
        claim.refusal = spec.nick_refused
    if spec.self_target == "none":
        names = [name for name in names if name.kind != "self"]
    names = _relevant(reading, group, names, claim, spec.most)
    for name in names:
        if not any(name.start == target.start for target in claim.targets):
            claim.targets.append(reading.resolve(name, group))
    claim.behind = group.by_role and not group.label and bool(claim.targets) and all(t.end <= group.start for t in claim.targets)
    _same_targets_once(claim, keep=spec.most > 1)
    if spec.repeat == "double" and len(claim.targets) == 1 and _doubled(reading, group):
        claim.targets = claim.targets * 2
    last = max([group.end, *(target.end for target in claim.targets)])
    first = min([group.start, *(target.start for target in claim.targets)])
    if reading.asks(first, last):
        chosen = reading.sender.letter and _says_i(reading, group) and (sentence.has("either") or sentence.has("revision"))
        return _doubt(claim, "question") if chosen or (reading.sender.letter and group.label) else None
    if len(claim.targets) < spec.least:
        if group.by_role and not group.label and not claim.targets:
            return None  # a role spoken of
        _missing(reading, group, claim)
    if spec.most and len(claim.targets) > 1 and (spec.most == 1 or reading.sentence.has("either")):
        claim.either = reading.alternatives(names)
    _sentence_doubts(reading, group, claim)
    return claim


def _says_i(reading: Reading, group: Group) -> bool:
    """«слежу за Совой или лучше Лев?»: an order with a question behind it, and no question alone."""
    verb = reading.found[group.start].folded
    if verb.endswith(("ть", "ться", "чь", "ти")):
        return False
    return (verb.endswith(("ю", "у")) and is_finite_verb(verb)) or reading.opens_with(group.start)


def _after_the_past(reading: Reading, group: Group) -> bool:
    """«Вчера не вышло, лечу Кекса»: what was is told in a part of its own, the move follows in the first person."""
    found, sentence = reading.found, reading.sentence
    verb = found[group.start].folded
    told = max(hit.end for hit in sentence.places("past"))
    border = next((i for i in range(group.start - 1, told - 1, -1) if found[i].folded in (",", ";", "-", "–", "—", ":")), None)
    if border is None or sentence.has("speech") or not is_first_person(verb):
        return False
    return not any(t.folded in russian.RELATIVES or t.folded in russian.SUBORDINATORS for t in found[border : group.start])


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


def _put_off(reading: Reading, group: Group, *, talk: bool) -> bool:
    """«Лечу завтра Кекса», «голосовать буду за Соню ближе к вечеру»: said of another time, in one part with the move word."""
    found, sentence = reading.found, reading.sentence
    if talk and sentence.has("later") and group.end < sentence.end and found[group.end].folded in ("буду", "будем"):
        return True
    for i in range(sentence.start, sentence.end):
        if found[i].folded not in ("завтра", "послезавтра") or group.start <= i < group.end:
            continue
        between = found[min(i, group.start) : max(i, group.end)]
        till = i > sentence.start and found[i - 1].folded in ("до", "на", "к", "про", "с")
        if not till and not any(t.folded in (",", "(", ":", "-", "–", "—", "а", "и") for t in between):
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


RISKY = ("condition", "subjunctive", "past", "unsure", "same", "undecided", "joke", "speech", "hearsay", "either")
"""Marks that could turn a sentence into something else than a plain wish."""


def risky(reading: Reading) -> bool:
    """Whether words of the sentence could turn it into something else than a plain wish."""
    sentence = reading.sentence
    taken = {i for mark in ("revision", "drop_before") for hit in sentence.places(mark) for i in range(hit.start, hit.end)}
    denials = sum(
        i not in taken and reading.found[i].folded in ("не", "нет", "ни", "никого") for i in range(sentence.start, sentence.end)
    )
    return denials > bool(reading.dropped) or any(sentence.has(mark) for mark in RISKY)


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


def _doubled(reading: Reading, group: Group) -> bool:
    """«двойным голосом», «оба голоса на Тура»: the same target twice."""
    first = max(reading.sentence.start, group.start - 2)
    return any(russian.NUMBERS.get(reading.found[i].folded) == 2 for i in range(first, min(group.end + 1, reading.sentence.end)))


def _doubt(claim: Claim, reason: str) -> Claim:
    if reason not in claim.doubts:
        claim.doubts.append(reason)
    return claim


def _relevant(reading: Reading, group: Group, names: list[Mention], claim: Claim, most: int) -> list[Mention]:
    """Of the names that fell to a move word those that are its targets."""
    strong = _with_equals(reading, [name for name in names if not name.weak or reading.near(group, name)], names, most, group)
    if not strong:
        return []
    strong = _without_the_actor(reading, group, strong, claim)
    selves = [name for name in strong if name.kind == "self"]
    if selves and len(strong) > len(selves) and most == 1:
        strong = [name for name in strong if name.kind != "self"]
    if len(strong) == 1:
        apart = reading.stranger_between(group, strong[0]) or reading.object_between(group, strong[0])
        if apart and claim.performer is None:
            _doubt(claim, "unclear_target")
        return strong
    behind = [name for name in strong if name.start >= group.end]
    ordered = behind or strong
    first = ordered[0]
    chain = [first]
    for name in ordered[1:]:
        if reading.coordinated(chain[-1], name):
            chain.append(name)
    rest = [
        name for name in ordered if name not in chain and name.candidates[0].seat not in {n.candidates[0].seat for n in chain}
    ]
    if most > 1 and len(chain) < most and rest:
        chain = ordered[:most]
        rest = ordered[most:]
    turn = [
        hit for mark in ("revision", "oops", "no") for hit in reading.sentence.places(mark) if _turns(reading, hit, chain[-1].end)
    ]
    later = [name for name in rest if turn and name.start >= turn[0].end]
    if later and most == 1:
        # «Ветер, ой, то есть Хмурый»: the later one, where nothing stands between him and the turn
        words = [t.folded for t in reading.between(chain[-1].end, later[0].start) if t.kind == "w"]
        left_open = {"или", "либо", "может"} & set(words) or ("хотя" in words and "нет" not in words)
        if len(later) == len(rest) == 1 and not left_open and _follows(reading, turn, later[0]):
            claim.revision = True
            reading.dropped.update(c.seat for name in chain for c in name.candidates)
            return later
        _doubt(claim, "two_targets")
        return [*chain, *rest]
    if rest and not reading.near(group, first):
        _doubt(claim, "unclear_target")
        return strong
    if (
        rest
        and any(reading.found[i].folded != "," for i in (chain[-1].end,))
        and not _clause_ends(reading, chain[-1].end, rest[0].start)
    ):
        _doubt(claim, "unclear_target")
    return chain


def _with_equals(reading: Reading, strong: list[Mention], names: Sequence[Mention], most: int, group: Group) -> list[Mention]:
    """Also the ordinary words that stand as equals beside a nick: «Мурзик, чародей» where two are asked for, «Сова, лев, Тур»
    where three are, and «Сова или лев», a choice, anywhere."""
    kept = list(strong)
    for place, (left, right) in enumerate(pairwise(names), 1):
        if right in kept or left not in kept or not reading.coordinated(left, right):
            continue
        choice = any(t.folded in ("или", "либо", "/") for t in reading.between(left.end, right.start))
        if choice or ((len(kept) < most or group.label) and _ends_the_row(reading, names[place:])):
            kept.append(right)
    return sorted(kept, key=lambda name: name.start)


def _ends_the_row(reading: Reading, names: Sequence[Mention]) -> bool:
    """Whether nothing but equals stands behind the first of these names till the end of the sentence."""
    joined = all(reading.coordinated(left, right) for left, right in pairwise(names))
    return joined and all(t.kind != "w" for t in reading.between(names[-1].end, reading.sentence.end))


def _turns(reading: Reading, hit: Hit, behind: int) -> bool:
    """Whether a mark behind the target begins a correction; of the words of denial only «нет» does."""
    return hit.start >= behind and (hit.meaning.id != "no" or reading.found[hit.start].folded in ("нет", "неа"))


def _follows(reading: Reading, turn: Sequence[Hit], name: Mention) -> bool:
    """Whether the name stands right behind words of a correction, with nothing behind it."""
    direct = any(hit.end <= name.start and all(_empty(t) for t in reading.between(hit.end, name.start)) for hit in turn)
    return direct and all(t.kind != "w" for t in reading.between(name.end, reading.sentence.end))


def _empty(token: Token) -> bool:
    return token.kind != "w" or token.folded in russian.FILLERS or token.folded in russian.PREPOSITION_CASES


def _clause_ends(reading: Reading, left: int, right: int) -> bool:
    return any(t.folded in (",", "-", "–", "—", "(", ":") for t in reading.found[left:right])


def _without_the_actor(reading: Reading, group: Group, names: list[Mention], claim: Claim) -> list[Mention]:
    """Set aside the player who is said to act: «Мурка зовёт Luna», «идёт Филин», «Киллер Егор: Жанна»."""
    kept: list[Mention] = []
    if len(names) == 2 and "by" in reading.words.actions[claim.actions[0]].args:
        between = reading.found[names[0].end : names[1].start]
        signed = any(token.folded in LABEL_SIGNS for token in between) and all(token.kind != "w" for token in between)
        if signed or _told_apart(reading, group, names[0], names[1]):
            claim.performer = reading.resolve(names[0], None)
            return names[1:]
    for name in names:
        before = reading.found[name.start - 1].folded if name.start > reading.sentence.start else ""
        performs = before in (
            "идет",
            "пойдет",
            "исполняет",
            "исполнит",
            "исполнитель",
            "исполнителем",
            "делает",
            "стреляет",
            "убивает",
        ) and (len(names) > 1 and "by" in reading.words.actions[claim.actions[0]].args)
        if performs and claim.performer is None and name is not names[0]:
            claim.performer = reading.resolve(name, None)
            continue
        kept.append(name)
    return kept


def _told_apart(reading: Reading, group: Group, first: Mention, second: Mention) -> bool:
    """«Киллер Егор, цель Жанна», «Убивает Егор Жанну»: who acts and whom it hits, told apart by a word or by their cases."""
    between = {i for i in range(first.end, second.start) if reading.found[i].kind == "w"}
    hints = [hit for hit in reading.sentence.kinds("hint") if set(hit.meaning.id) & set(group.actions)]
    if between and (group.by_role or group.third_person) and between <= {i for hit in hints for i in range(hit.start, hit.end)}:
        return True
    acts = all("nomn" in candidate.cases for candidate in first.candidates)
    hit = all("nomn" not in candidate.cases for candidate in second.candidates)
    return group.third_person and group.end == first.start and first.end == second.start and acts and hit


def _same_targets_once(claim: Claim, *, keep: bool) -> None:
    if keep:
        return
    seen: set[tuple[str, ...]] = set()
    kept: list[Target] = []
    for target in claim.targets:
        if target.seats not in seen:
            seen.add(target.seats)
            kept.append(target)
    claim.targets = kept


def _missing(reading: Reading, group: Group, claim: Claim) -> None:
    """No target was found: a nick nobody has, a word that may be a nick, a thing, or nothing."""
    claim.needs_target = True
    if claim.targets:
        return
    kind, at = reading.unknown_after(group)
    if kind:
        guess = doubtful_target(reading, at)
        if guess is not None:
            claim.targets.append(guess)
            claim.needs_target = False
            return
    if reading.sentence.has("abstain"):
        claim.doubts.append("abstains")
    elif reading.followed:
        claim.doubts.append("as_others")
    elif kind != "nick" and reading.sentence.has("past") and not spec_talk(reading, claim):
        claim.doubts.append("as_before")
    elif kind != "nick" and (reading.sentence.has("pronoun") or reading.sentence.has("same")):
        claim.doubts.append("pronoun")
    elif kind == "nick":
        claim.refusal = "unknown_nick"
    elif kind == "thing":
        claim.doubts.append("thing")
    else:
        claim.doubts.append("no_target")


def spec_talk(reading: Reading, claim: Claim) -> bool:
    """Whether the claim's words are spoken of all day (votes)."""
    return reading.words.actions[claim.actions[0]].talk


def _sentence_doubts(reading: Reading, group: Group, claim: Claim) -> None:
    sentence = reading.sentence
    spec = reading.words.actions[claim.actions[0]]
    if sentence.has("condition"):
        free = {hit.start for hit in sentence.kinds("free_condition") if hit.meaning.id in claim.actions}
        if any(hit.start not in free for hit in sentence.places("condition")):
            announced = any(t.folded in russian.FUTURE for t in reading.found[sentence.start : sentence.end])
            claim.condition = True
            _doubt(claim, "announced" if announced else "conditional")
    elif (
        spec.talk
        and sentence.has("later")
        and any(t.folded in russian.FUTURE for t in reading.found[sentence.start : sentence.end])
    ):
        _doubt(claim, "announced")
    elif _put_off(reading, group, talk=spec.talk):
        _doubt(claim, "unsure")
    if sentence.has("subjunctive") and not sentence.has("condition"):
        _doubt(claim, "subjunctive")
    if sentence.has("unsure"):
        _doubt(claim, "unsure")
    behind = max([group.end, *(target.end for target in claim.targets)])
    if any(hit.start >= behind and _leaves_open(reading, hit) for hit in sentence.places("either")) and not claim.either:
        _doubt(claim, "unsure")
    if not claim.either and any(_after_or(reading, target) for target in claim.targets):
        _doubt(claim, "unsure")
    if sentence.has("undecided") and not spec.talk:
        _doubt(claim, "unsure")
    if reading.found[group.start - 1].folded == "думаю" and group.start > sentence.start:
        _doubt(claim, "unsure")
    if spec.id in russian.BOOK_MOVES and any(t.folded == "кроме" for t in reading.found[group.end : sentence.end]):
        _doubt(claim, "unclear")
    if spec.id in russian.BOOK_MOVES and _goes_on(reading, behind):
        _doubt(claim, "unclear")
    if any(hit.start >= behind for hit in sentence.places("backup")):
        _doubt(claim, "unsure")
    if takes_back(reading, behind) and not any(name.start >= behind for name in reading.names):
        _doubt(claim, "taken_back")
    if denied_again(reading, behind) & set(claim.actions):
        _doubt(claim, "taken_back")
    if reading.disputed & set(claim.seats()):
        _doubt(claim, "contradiction")
    if conditional_tail(reading, behind) or _else_another(reading, behind):
        _doubt(claim, "conditional")
    if ascribed(reading, behind):
        _doubt(claim, "reported")
    if group.start > sentence.start and reading.found[group.start - 1].folded in russian.TAKING_BACK:
        _doubt(claim, "taken_back")
    if spec.talk and not spec.most and len(reading.names) > 1:
        _doubt(claim, "unclear_target")
    if sentence.has("hearsay") or _spoken_of(reading, group, claim):
        _doubt(claim, "reported")
    if group.by_role and not group.label and (risky(reading) or _told_in_the_past(reading)):
        _doubt(claim, "unclear")
    if group.third_person and group.role is None:
        _doubt(claim, "third_person")
    if any(
        hit.start < group.start and any(name.end <= hit.start and name.kind == "nick" for name in sentence.names)
        for hit in sentence.places("speech")
    ):
        _doubt(claim, "reported")
    if _judged(reading, claim, behind):
        _doubt(claim, "unclear")
    if any(hit.end <= group.start <= hit.end + 2 for hit in sentence.places("thanks")):
        _doubt(claim, "reported")
    if sentence.has("same"):
        _doubt(claim, "as_before")
    # «воскрешаю вчера убитого Лопуха» is no past, «скинул 10 на щит вчера» is one
    spared = spec.dead_targets and (is_first_person(reading.found[group.start].folded) or not _told_in_the_past(reading))
    past = sentence.has("past") and not sentence.has("now") and not claim.revision and not spared
    if past and not _after_the_past(reading, group):
        _doubt(claim, "past")
