"""From the move words of a sentence to claims: targets, what is missing, and what casts doubt on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from forumbot.reading import russian
from forumbot.reading.claims import Claim, Target
from forumbot.reading.decline import is_finite_verb, is_word
from forumbot.reading.doubts import doubt, sentence_doubts, spec_talk
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
    claims = _votes_together(reading, [claim for group in groups if (claim := claim_of(reading, group)) is not None])
    if torn and claims:
        doubt(claims[0], "unclear_target")
    return claims, lead


def _votes_together(reading: Reading, claims: list[Claim]) -> list[Claim]:
    """«Тайный голос Барсу и тайный голос Серому»: one order with two targets (clans 21)."""
    kept: list[Claim] = []
    for claim in claims:
        last = kept[-1] if kept else None
        spec = reading.words.actions[claim.actions[0]]
        alike = last is not None and spec.repeat and last.actions == claim.actions and not (last.doubts or claim.doubts)
        if last is not None and alike and len(last.targets) == len(claim.targets) == 1:
            last.targets = [*last.targets, *claim.targets]
            continue
        kept.append(claim)
    return kept


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
    if claim.behind and any(set(hit.meaning.id) & set(actions) for hit in sentence.kinds("hint")):
        claim.behind = False  # «Ольгу навестит черепаха»
    _same_targets_once(claim, keep=spec.most > 1)
    if spec.repeat == "double" and len(claim.targets) == 1 and _doubled(reading, group):
        claim.targets = claim.targets * 2
    last = max([group.end, *(target.end for target in claim.targets)])
    first = min([group.start, *(target.start for target in claim.targets)])
    if reading.asks(first, last):
        chosen = reading.sender.letter and _says_i(reading, group) and (sentence.has("either") or sentence.has("revision"))
        return doubt(claim, "question") if chosen or (reading.sender.letter and group.label) else None
    if not claim.targets and group.start > sentence.start and reading.found[group.start - 1].folded in russian.TOLD_OF:
        return None  # «Про слежку помню, пришлю позже»
    if len(claim.targets) < spec.least:
        if group.by_role and not group.label and not claim.targets:
            return None  # a role spoken of
        _missing(reading, group, claim)
    if spec.most and len(claim.targets) > 1 and (spec.most == 1 or reading.sentence.has("either")):
        claim.either = reading.alternatives(names)
    sentence_doubts(reading, group, claim)
    return claim


def _says_i(reading: Reading, group: Group) -> bool:
    """«слежу за Совой или лучше Лев?»: an order with a question behind it, and no question alone."""
    verb = reading.found[group.start].folded
    if verb.endswith(("ть", "ться", "чь", "ти")):
        return False
    return (verb.endswith(("ю", "у")) and is_finite_verb(verb)) or reading.opens_with(group.start)


def _doubled(reading: Reading, group: Group) -> bool:
    """«двойным голосом», «оба голоса на Тура»: the same target twice."""
    first = max(reading.sentence.start, group.start - 2)
    return any(russian.NUMBERS.get(reading.found[i].folded) == 2 for i in range(first, min(group.end + 1, reading.sentence.end)))


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
            doubt(claim, "unclear_target")
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
        doubt(claim, "two_targets")
        return [*chain, *rest]
    if rest and not reading.near(group, first):
        doubt(claim, "unclear_target")
        return strong
    if (
        rest
        and any(reading.found[i].folded != "," for i in (chain[-1].end,))
        and not _clause_ends(reading, chain[-1].end, rest[0].start)
    ):
        doubt(claim, "unclear_target")
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


_COUNTED = frozenset(("number", "coins", "count", "shot", "item"))
"""Arguments that a number behind a move word may be."""


def _place_in_list(reading: Reading, group: Group) -> Target | None:
    """«линч 3», «лечу 12-го», «линчую третьего»: a bare number where the nick must stand is a place in the roster, for the
    host to ask about."""
    spec = reading.words.actions[reading.wanted(group)[0]]
    if _COUNTED & set(spec.args) or spec.least != 1 or reading.sentence.subject:
        return None
    found, end = reading.found, reading.sentence.end
    at = group.end
    while at < end and (
        found[at].folded in LABEL_SIGNS or found[at].folded in russian.FILLERS or found[at].folded in russian.PREPOSITION_CASES
    ):
        at += 1
    if at >= end or any(token.folded in russian.COUNTED for token in found[group.end : at]):
        return None
    number = int(found[at].folded) if found[at].kind == "n" and len(found[at].folded) < 4 else russian.ordinal(found[at].folded)
    last = at + 1
    if found[at].kind == "n" and last + 1 < end and found[last].folded == "-" and found[last + 1].folded in _ORDINAL_TAILS:
        last += 2
    seats = reading.sender.roster.seats
    closed = last >= end or (found[last].kind == "s" and found[last].folded not in "/:-" and not _number_behind(found, last, end))
    return Target((seats[number - 1],), at, last, sure=False) if closed and number and 0 < number <= len(seats) else None


_ORDINAL_TAILS = ("го", "й", "му", "м", "ого", "его", "ому", "ему", "ым", "им")


def _number_behind(found: Sequence[Token], at: int, end: int) -> bool:
    return at + 1 < end and found[at + 1].kind == "n"


def _missing(reading: Reading, group: Group, claim: Claim) -> None:
    """No target was found: a nick nobody has, a word that may be a nick, a thing, or nothing."""
    claim.needs_target = True
    if claim.targets:
        return
    if reading.found[group.start].folded in russian.UPON_MYSELF:
        claim.targets.append(Target((reading.sender.seat,), group.start, group.end))
        claim.needs_target = False
        return
    place = _place_in_list(reading, group)
    if place is not None:
        claim.targets.append(place)
        claim.needs_target = False
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
