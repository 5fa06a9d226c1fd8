"""Arguments of an order from the words of its sentence: roles, goods, payment, teams, numbers, the one who performs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from forumbot.reading import russian
from forumbot.reading.claims import Claim
from forumbot.reading.grammar import Reading
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Mention
from forumbot.reading.vocabulary import Action


def fill(reading: Reading, claim: Claim, lead: Sequence[Mention]) -> None:
    """Set ``claim.args`` and add a doubt where an argument is missing that the host must know."""
    spec = _told(reading, claim)
    for name in spec.args:
        reader = _READERS.get(name)
        value = reader(reading, claim) if reader is not None else _value(reading, claim, name)
        if value is not None:
            claim.args[_KEYS.get(name, name)] = value
    claim.args.update(spec.fixed)
    for name, value in spec.defaults.items():
        claim.args.setdefault(name, value)
    if "item" in spec.args and _counted(reading, claim):
        claim.doubts.append("two_targets")
    for name in spec.needs:
        value = claim.args.get(name)
        if value is None or isinstance(value, list):
            claim.doubts.append(f"no_{name}" if value is None else "two_targets")
    _perform(reading, claim, lead)


def _counted(reading: Reading, claim: Claim) -> bool:
    """«Две брони за МБ»: several of one good in one wish."""
    item = next((hit for hit in reading.sentence.kinds("item") if hit.start >= claim.start), None)
    if item is None or item.start == reading.sentence.start:
        return False
    before = reading.found[item.start - 1]
    number = number_at(reading, item.start - 1)
    listed = item.start - 2 >= reading.sentence.start and reading.found[item.start - 2].folded in russian.PREPOSITION_CASES
    return number is not None and 1 < number < 10 and before.kind in "wn" and not listed


_KEYS = {"acting_role": "role"}


def _told(reading: Reading, claim: Claim) -> Action:
    """The move whose arguments the words give: of a captive's move the move itself (mafialife R87)."""
    actions = reading.words.actions
    spec = actions[claim.actions[0]]
    inner = actions.get(str(claim.args.get("action", ""))) if spec.wraps else None
    return inner or spec


def _label_end(reading: Reading, claim: Claim) -> int:
    """Where the move's own words begin: behind the role that names the captive («Ход пленника (Девочка): ...»)."""
    if not reading.words.actions[claim.actions[0]].wraps:
        return 0
    return next((at for at in range(claim.start, reading.sentence.end) if reading.found[at].folded in ":)"), claim.start)


def _behind(claim: Claim, hits: Sequence[Hit], end: int) -> list[Hit]:
    """The hits that belong to the claim: those behind its word, else those before it."""
    after = [hit for hit in hits if claim.start <= hit.start < end]
    return after or [hit for hit in hits if hit.start < claim.start]


def _flag_denied(reading: Reading, hit: Hit) -> bool:
    """«вступать не хочу», «без вступления»: the words of a flag, denied."""
    before = [t.folded for t in reading.found[max(reading.sentence.start, hit.start - 2) : hit.start]]
    behind = [t.folded for t in reading.found[hit.end : min(hit.end + 2, reading.sentence.end)]]
    return bool({"не", "без"} & set(before)) or (behind[:1] == ["не"] and behind[-1] in russian.REFUSALS)


def _value(reading: Reading, claim: Claim, kind: str) -> Any:
    hits = [hit for hit in reading.sentence.kinds(kind) if hit.meaning.id is not True or not _flag_denied(reading, hit)]
    if len({hit.meaning.id for hit in hits}) > 1:
        # «броню за МБ, а за голос - презерватив»: what is said in the claim's own part of the sentence goes before
        start, end = next((s, e) for s, e in reading.parts() if s <= claim.start < e)
        inside = [hit for hit in hits if start <= hit.start < end]
        hits = inside if len({hit.meaning.id for hit in inside}) == 1 else hits
    found = list(dict.fromkeys(hit.meaning.id for hit in _behind(claim, hits, reading.sentence.end)))
    shared = reading.words.settings.get("bare_arguments", {})
    if len(found) > 1 and kind in shared and shared[kind] not in claim.actions:
        return found  # «скидываю 10 на щит и 5 на воскрешение»: which of them, this one order cannot say
    return found[0] if found else None


def _acting_role(reading: Reading, claim: Claim) -> str | None:
    return claim.role


def _roles_taken_for_nicks(reading: Reading, claim: Claim) -> list[Hit]:
    """«Артист на роль: дон» beside a player «Дон Корлеоне», «хочу побыть Мальвиной» beside a player of that name: the move
    names no player; whom somebody appoints may be one («назначаю Дона»)."""
    if reading.words.actions[claim.actions[0]].most or reading.found[claim.start].folded.startswith("назнач"):
        return []
    spans = {(name.start, name.end) for name in reading.names}
    return [hit for hit in reading.sentence.kinds("role") if hit.start >= claim.end and (hit.start, hit.end) in spans]


def _role(reading: Reading, claim: Claim) -> str | list[str] | None:
    """The role that the order is about; a list when the words leave a choice."""
    told_from = _label_end(reading, claim)
    hits = [hit for hit in reading.sentence.kinds("role") if hit in reading.roles and hit.start >= told_from]
    if not hits:
        hits = _roles_taken_for_nicks(reading, claim)
    found = list(dict.fromkeys(hit.meaning.id for hit in _behind(claim, hits, reading.sentence.end)))
    if len(found) > 1:
        return found
    return found[0] if found else None


def number_at(reading: Reading, at: int) -> int | None:
    """The number that stands at a token, in digits or as a word."""
    token = reading.found[at]
    if token.kind == "n":
        return int(token.folded) if token.folded.isdecimal() and len(token.folded) <= 6 else None
    return russian.NUMBERS.get(token.folded)


def _coins(reading: Reading, claim: Claim) -> int | None:
    """A number beside «монет», else the only number of the sentence that is no place in a list."""
    sentence = reading.sentence
    money = [i for i in range(sentence.start, sentence.end) if reading.found[i].folded.startswith(("монет", "мон", "коин"))]
    for at in money:
        for near in (at - 1, at + 1, at - 2):
            if sentence.start <= near < sentence.end:
                value = number_at(reading, near)
                if value is not None:
                    return value
    named = {i for name in reading.names for i in range(name.start, name.end)}
    numbers = [v for i in range(sentence.start, sentence.end) if i not in named and (v := number_at(reading, i)) is not None]
    return numbers[0] if len(numbers) == 1 else None


def _count(reading: Reading, claim: Claim) -> int | None:
    for at in [*range(claim.start, claim.end), claim.start - 1, claim.end]:
        if reading.sentence.start <= at < reading.sentence.end:
            value = number_at(reading, at)
            if value is not None:
                return value
    return None


def _number(reading: Reading, claim: Claim) -> int | None:
    """A place in a list («№2», «второго»)."""
    for at in range(reading.sentence.start, reading.sentence.end):
        token = reading.found[at]
        if token.kind == "n" and len(token.folded) <= 3:
            return int(token.folded)
        if token.kind == "w" and (value := russian.ordinal(token.folded)) is not None:
            return value
    return next(
        (v for at in range(claim.end, reading.sentence.end) if (v := russian.NUMBERS.get(reading.found[at].folded))), None
    )


def _shot(reading: Reading, claim: Claim) -> int | None:
    """«Жертва 2: НИК»."""
    if claim.end < reading.sentence.end and reading.found[claim.end].kind == "n":
        after = claim.end + 1
        if after < reading.sentence.end and reading.found[after].folded in ":-–—":
            value = int(reading.found[claim.end].folded)
            return value if 1 < value < 10 else None
    return None


def _what(reading: Reading, claim: Claim) -> Any:
    """What is taken back, said by the words of the move itself («снимаю заявку»; not «отменяю ход, заявка остаётся»)."""
    inside = [hit.meaning.id for hit in reading.sentence.kinds("what") if claim.start <= hit.start < claim.end]
    return inside[0] if inside else None


_READERS: Mapping[str, Callable[[Reading, Claim], Any]] = {
    "acting_role": _acting_role,
    "role": _role,
    "coins": _coins,
    "count": _count,
    "number": _number,
    "shot": _shot,
    "what": _what,
}


def _goes_himself(reading: Reading) -> bool:
    """«на убийство иду я», «киллер - я»: the writer says that he carries it out."""
    words = [t.folded for t in reading.found[reading.sentence.start : reading.sentence.end] if t.kind == "w"]
    pairs = list(pairwise(["", *words, ""]))
    if ("не", "я") in pairs or reading.sentence.has("either"):
        return False
    goes = any(word in russian.I_GO and before != "не" for before, word in pairs)
    return goes or any({"я"} < {one, two} and {one, two} & russian.PERFORMERS for one, two in pairs)


def _perform(reading: Reading, claim: Claim, lead: Sequence[Mention]) -> None:
    """Who carries out a move that a team gives to one of its members (goldenkey R17): named, or the writer himself where
    he speaks of himself."""
    table = reading.words.settings.get("performer")
    if table is None or claim.actions[0] != table["action"]:
        return
    mine = bool(set(reading.sender.known.roles) & set(table["roles"])) or reading.sender.known.faction == table["faction"]
    if claim.role == table.get("crew") and mine:
        claim.role = None  # «Злодеи убивают Зубра»
    if claim.role not in (None, table["role"]) or (claim.role is None and not mine):
        return
    if not mine and claim.role is None:
        return
    claim.role = claim.args["role"] = table["role"]
    performer = claim.performer
    if performer is None and claim.role == table["role"] and not lead:
        hit = {target.start for target in claim.targets}
        acting = [name for name in reading.names if name.end == claim.start and name.kind == "nick" and name.start not in hit]
        performer = reading.resolve(acting[0], None) if acting else None  # «…, киллер Егор убивает Жанну»
    if performer is None and lead:
        performer = reading.resolve(lead[-1], None)
    elif performer is None and claim.role is not None and len(claim.targets) == 2:
        between = reading.found[claim.targets[0].end : claim.targets[1].start]
        if any(token.folded in ":-–—," for token in between):
            performer = claim.targets.pop(0)
            claim.either = False
    verb = reading.found[claim.start].folded
    if performer is not None and len(performer.seats) == 1 and performer.sure:
        claim.args[table["arg"]] = performer.seats[0]
        if performer.seats[0] in reading.sender.known.clan and "third_person" in claim.doubts:
            claim.doubts.remove("third_person")  # «Егор убивает Жанну», of one of the clan
    elif performer is None and mine and (verb.endswith(("ю", "у")) or _goes_himself(reading)):
        claim.args[table["arg"]] = reading.sender.seat
    else:
        claim.doubts.append("no_performer")
