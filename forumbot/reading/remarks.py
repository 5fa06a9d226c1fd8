"""Remarks that tell two players apart: «Валентин (мужчина)», «Марина (которая без К.)», «Мышь (не лорд)», «та что 23»."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.clauses.clause import Text
from forumbot.reading.names.spelling import pieces
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import government

_REACH = 2
"""Clauses behind the nick in which a remark may stand."""


def tell_apart(claims: Sequence[Claim], text: Text, parsed: Sequence[Parsed], sender: Sender) -> None:
    """Narrow the targets that could be several players by what is said of them."""
    for claim in claims:
        for place, target in enumerate(claim.targets):
            if len(target.seats) < 2:
                continue
            for p in _about(target, claim, text, parsed):
                left = _left(target, claim, p, text, sender)
                if len(left) == 1:
                    claim.targets[place] = Target(left, target.start, target.end, kind=target.kind)
                    claim.unexplained = [i for i in claim.unexplained if not p.clause.start <= i < p.clause.end or p.claims]
                    claim.doubts = [doubt for doubt in claim.doubts if doubt != "ambiguous_nick"]
                    break


def _about(target: Target, claim: Claim, text: Text, parsed: Sequence[Parsed]) -> list[Parsed]:
    own = next(p for p in parsed if p.clause.start <= target.start < p.clause.end)
    behind = [p for p in parsed[own.index + 1 : own.index + 1 + _REACH] if not p.claims]
    return [own, *behind]


def _left(target: Target, claim: Claim, p: Parsed, text: Text, sender: Sender) -> tuple[str, ...]:
    cases = government(sender.spec(claim).govern, claim.govern).slots.get("", frozenset())
    left_out = [c for name in p.dropped for c in name.candidates]
    named = {c.seat for c in left_out if not c.cases or c.cases & cases} or {c.seat for c in left_out}
    kept = tuple(seat for seat in target.seats if seat not in named)
    if named and len(kept) == 1:
        return kept  # «Проверяю Лиса, не Лису»
    genders = {name[-1] for name in ("gender_m", "gender_f") if p.clause.has(name)}
    gender = sender.roster.genders
    if len(genders) == 1:
        kept = tuple(seat for seat in target.seats if gender.get(seat) in genders)
        if kept and not p.clause.marks("without"):
            return kept
    return _by_spelling(target, p, text)


def _by_spelling(target: Target, p: Parsed, text: Text) -> tuple[str, ...]:
    """By a letter, a number or a word that the nick has or lacks."""
    behind = [i for i in range(p.clause.start, p.clause.end) if i >= target.end and text.found[i].kind in "wn"]
    without = [hit for hit in p.clause.marks("without") if hit.start >= target.end]
    if without:
        words = [text.found[i].folded for i in behind if i >= without[0].end]
        return tuple(seat for seat in target.seats if not _has(seat, words))
    if behind and text.found[behind[0]].folded == "не":
        words = [text.found[i].folded for i in behind[1:]]
        return tuple(seat for seat in target.seats if not _has(seat, words))
    told = [hit for hit in p.clause.marks("with") if hit.start >= target.end]
    if told:
        words = [text.found[i].folded for i in behind if i >= told[0].end]
        return tuple(seat for seat in target.seats if _has(seat, words))
    return target.seats


def _has(seat: str, words: Sequence[str]) -> bool:
    parts = pieces(seat)
    return any(word in parts or (len(word) == 1 and any(part.endswith(word) for part in parts)) for word in words)
