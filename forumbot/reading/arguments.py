"""Arguments of an order from the words of its clause: roles, goods, payment, teams, numbers, sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Clause, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.heads import denied
from forumbot.reading.phrases import Hit
from forumbot.reading.vocabulary import Action

SUM = "sum"
"""A sum that was named with a thing bought: no argument of the order, but held against its price (``judge``)."""


class Arguments:
    """What the words of one clause, or of one beside it, say of a claim."""

    def __init__(self, text: Text, sender: Sender, clause: Clause, roles: Sequence[Hit], taken: frozenset[int]) -> None:
        """``taken`` are the tokens of nicks, whose digits are no numbers."""
        self.text = text
        self.found = text.found
        self.sender = sender
        self.words = sender.words
        self.clause = clause
        self.roles = roles
        self.taken = taken
        self.used: set[int] = set()
        """Tokens that became an argument."""

    def fill(self, claim: Claim) -> None:
        """Set those arguments of the claim that it has not yet."""
        spec = told(self.words.actions, claim)
        for name in spec.args:
            key = _KEYS.get(name, name)
            if claim.args.get(key) is not None:
                continue
            reader = _READERS.get(name)
            value = reader(self, claim) if reader is not None else self._value(claim, name)
            if value is not None:
                claim.args[key] = value
        if "item" in spec.args and "coins" not in spec.args and SUM not in claim.args:
            self._price(claim)

    def _price(self, claim: Claim) -> None:
        """A sum named beside a good, or several of it («Две брони за МБ»)."""
        goods = {hit.start for hit in self.clause.kinds("item")}
        counted = next((at for at in goods if at > self.clause.start and 1 < (self.number_at(at - 1) or 0) < 10), None)
        if counted is not None and self.found[counted - 1].kind in "wn" and not self._ordinal(counted - 1):
            claim.doubt("two_targets")
            self.used.add(counted - 1)
        elif (named := self._sum()) is not None:
            claim.args[SUM] = named

    def use(self, hit: Hit) -> None:
        """Note that a phrase became an argument."""
        self.used.update(range(hit.start, hit.end))

    # --- kinds of words ---------------------------------------------------------------------------------------------------

    def _value(self, claim: Claim, kind: str) -> Any:
        hits = list(self.clause.kinds(kind))
        kept = [hit for hit in hits if hit.meaning.id is not True or not denied(self.text, self.clause, hit.start, hit.end)]
        for hit in hits:
            self.use(hit)
        if hits and not kept and not _without(self.text, hits[0]):
            return False
        without = [hit for hit in kept if hit.meaning.id is True and _without(self.text, hit)]
        self.used.update(hit.start - 1 for hit in without)
        kept = [hit for hit in kept if hit not in without]
        mine = self._behind(claim, kept)
        found = list(dict.fromkeys(hit.meaning.id for hit in mine))
        shared = self.words.settings.get("bare_arguments", {})
        if len(found) > 1 and kind in shared and shared[kind] not in claim.actions:
            return found  # «скидываю 10 на щит и 5 на воскрешение»: which of them, this one order cannot say
        if len(found) > 1 and self.clause.has("either"):
            claim.doubt("two_targets")  # «за голос или за ход»
        return found[0] if found else (False if hits and not kept else None)

    def _behind(self, claim: Claim, hits: Sequence[Hit]) -> list[Hit]:
        """Those behind the claim's word, else those before it; of another clause all."""
        if not self.clause.start <= claim.start < self.clause.end:
            return list(hits)
        after = [hit for hit in hits if claim.start <= hit.start]
        return after or [hit for hit in hits if hit.start < claim.start]

    # --- roles ------------------------------------------------------------------------------------------------------------

    def acting_role(self, claim: Claim) -> str | None:
        return claim.role

    def role(self, claim: Claim) -> str | list[str] | None:
        """The role that the order is about; a list when the words leave a choice."""
        hits = [hit for hit in self.roles if hit.start >= self._label_end(claim)]
        if not hits and not self.words.actions[claim.actions[0]].most:
            hits = [hit for hit in self.clause.kinds("role") if hit.start >= claim.end or hit.end <= claim.start]
        mine = self._behind(claim, hits)
        others = [hit for hit in mine if claim.actions[0] not in self.words.roles[hit.meaning.id].actions]
        if others and len(others) < len(mine):
            self.used.update(i for hit in mine for i in range(hit.start, hit.end))
            mine = others  # «назначаю артиста телохранителем»: who is appointed, and to what
        for hit in mine:
            self.use(hit)
            if any(name.start <= hit.start and hit.end < name.end for name in self.clause.names):
                claim.doubt("ambiguous_nick")  # «на роль: Дон Корлеоне», and a player is called so
        found = list(dict.fromkeys(hit.meaning.id for hit in mine))
        return found if len(found) > 1 else found[0] if found else None

    def _label_end(self, claim: Claim) -> int:
        """Where the move's own words begin: behind the role that names the captive («Ход пленника (Девочка): ...»)."""
        return claim.end if self.words.actions[claim.actions[0]].wraps else 0

    # --- money that is moved ------------------------------------------------------------------------------------------------

    def moved_from(self, claim: Claim) -> str | None:
        """The purchase from which money is moved («со щита»); unsaid, the one pot of the sender's that can be moved."""
        said = [hit for hit in self.clause.kinds("item") if self._behind_word(hit, _FROM)]
        mine = [item for item, _ in self.sender.known.more.get("stranded", ())]
        found = [hit.meaning.id for hit in said] or (mine if len(mine) == 1 else [])
        for hit in said:
            self.use(hit)
        return found[0] if len(found) == 1 else None

    def moved_to(self, claim: Claim) -> str | list[str] | None:
        """The purchase to which money is moved («на воскрешение»)."""
        hits = [hit for hit in self.clause.kinds("item") if not self._behind_word(hit, _FROM)]
        for hit in hits:
            self.use(hit)
        found = list(dict.fromkeys(hit.meaning.id for hit in hits))
        return found if len(found) > 1 else found[0] if found else None

    def from_target(self, claim: Claim) -> str | None:
        """Of whom the money was to be spent; only the sender's own pot can say it."""
        mine = [target for item, target in self.sender.known.more.get("stranded", ()) if item == claim.args.get("from")]
        return mine[0] if len(mine) == 1 and mine[0] else None

    def _behind_word(self, hit: Hit, words: frozenset[str]) -> bool:
        return hit.start > self.clause.start and self.found[hit.start - 1].folded in words

    # --- numbers ----------------------------------------------------------------------------------------------------------

    def number_at(self, at: int) -> int | None:
        """The number that stands at a token, in digits or as a word."""
        token = self.found[at]
        if token.kind == "n":
            return int(token.folded) if token.folded.isdecimal() and len(token.folded) <= 6 else None
        return grammar().numbers.get(token.folded)

    def coins(self, claim: Claim) -> int | None:
        """A number beside «монет», else the only number of the clause."""
        return self._sum()

    def _sum(self) -> int | None:
        money = tuple(sorted(grammar().lists["money"]))
        start, end = self.clause.start, self.clause.end
        for at in range(start, end):
            if not self.found[at].folded.startswith(money):
                continue
            for near in (at - 1, at + 1, at - 2):
                if start <= near < end and near not in self.taken and (value := self.number_at(near)) is not None:
                    self.used.update(range(min(at, near), max(at, near) + 1))
                    return value
            self.used.add(at)
        numbers = [i for i in range(start, end) if i not in self.taken and self.number_at(i) is not None and not self._ordinal(i)]
        if len(numbers) != 1:
            return None
        self.used.add(numbers[0])
        return self.number_at(numbers[0])

    def _ordinal(self, at: int) -> bool:
        """A number that says a place and no sum: of a list, of goods («уровень 1»)."""
        behind = self.found[at + 1].folded if at + 1 < len(self.found) else ""
        opens = at == self.clause.start and behind in (")", ".")
        return opens or any(hit.start <= at < hit.end for hit in self.clause.hits if hit.meaning.kind in ("item", "cover"))

    def count(self, claim: Claim) -> int | None:
        for at in [*range(claim.start, claim.end), claim.start - 1, claim.end]:
            if self.clause.start <= at < self.clause.end and (value := self.number_at(at)) is not None:
                self.used.add(at)
                return value
        return None

    def number(self, claim: Claim) -> int | None:
        """A place in a list («№2», «второго»); two of them are a question."""
        first: int | None = None
        for at in range(self.clause.start, self.clause.end):
            token = self.found[at]
            value: int | None = None
            if token.kind == "n" and len(token.folded) <= 3 and at not in self.taken:
                value = int(token.folded)
            elif token.kind == "w":
                value = grammar().ordinal(token.folded)
                if value is None and at >= claim.end:
                    value = grammar().numbers.get(token.folded)
            if value is None:
                continue
            self.used.add(at)
            if first is not None and value != first:
                claim.doubt("two_targets")
            first = value if first is None else first
        return first

    def shot(self, claim: Claim) -> int | None:
        """«Жертва 2: НИК»."""
        if claim.end < self.clause.end and self.found[claim.end].kind == "n" and claim.end + 1 >= self.clause.end:
            value = int(self.found[claim.end].folded)
            self.used.add(claim.end)
            return value if 1 < value < 10 else None
        return None

    def what(self, claim: Claim) -> Any:
        """What is taken back, said by the words of the move itself («снимаю заявку»)."""
        inside = [hit.meaning.id for hit in self.clause.kinds("what") if claim.start <= hit.start < claim.end]
        return inside[0] if inside else None


_FROM = frozenset(("с", "со", "из", "от"))
_KEYS = {"acting_role": "role", "moved_from": "from", "moved_to": "to"}
_READERS: Mapping[str, Callable[[Arguments, Claim], Any]] = {
    "acting_role": Arguments.acting_role,
    "role": Arguments.role,
    "coins": Arguments.coins,
    "count": Arguments.count,
    "number": Arguments.number,
    "shot": Arguments.shot,
    "what": Arguments.what,
    "moved_from": Arguments.moved_from,
    "moved_to": Arguments.moved_to,
    "from_target": Arguments.from_target,
    "by": lambda _self, _claim: None,
}


def told(actions: Mapping[str, Action], claim: Claim) -> Action:
    """The move whose targets and arguments the words give: of a captive's move the move itself (mafialife R87)."""
    spec = actions[claim.actions[0]]
    inner = actions.get(str(claim.args.get("action", ""))) if spec.wraps else None
    return inner or spec


def finish(actions: Mapping[str, Action], claim: Claim) -> None:
    """What stands fast whatever was said, and a doubt for what must be said and was not."""
    spec = told(actions, claim)
    claim.args.update(spec.fixed)
    for name, value in spec.defaults.items():
        claim.args.setdefault(name, value)
    for name in spec.needs:
        value = claim.args.get(name)
        if value is None or isinstance(value, list):
            claim.doubt(f"no_{name}" if value is None else "two_targets")


def _without(text: Text, hit: Hit) -> bool:
    """«без вступления»: the words of a flag, denied."""
    return hit.start > 0 and text.found[hit.start - 1].folded in ("без", "не")
