"""What an order asks for, corrected behind it: another good, role, team or number, which nobody but its player can settle."""

from __future__ import annotations

from itertools import pairwise

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.everyday import grammar
from forumbot.reading.parsing.parsed import Parsed

_NAMED = ("item", "role", "team")
"""Arguments that words name by a class of their own."""
_OPENING = 2
"""A word of correction is one of the first of its clause («скидок нет» corrects nothing)."""
_COUNTED = frozenset(("number", "coins", "count"))


def ask_what_is_corrected(claims: list[Claim], text: Text, parsed: list[Parsed], sender: Sender) -> None:
    """«Заявка: Мальвина. Нет, Арлекин», «защищаю номер 2, точнее 3»: a question where the correction is no order of its own."""
    taken = {claim.clause for claim in claims}
    for claim in claims:
        if claim.doubts or claim.refusal is not None:
            continue
        for before, p in pairwise(parsed[claim.clause :]):
            if p.clause.quoted or p.clause.stop == "?" or p.index in taken or not _put_instead(text, before, p):
                continue
            another = _another(claim, text, p, sender)
            if another or (another is None and _corrects(text, before, p) and _something(p)):
                claim.doubt("two_targets")


def _put_instead(text: Text, before: Parsed, p: Parsed) -> bool:
    """Whether a word of correction opens a clause, or stands before it in its sentence («Нет, Арлекин», «точнее Арлекин»)."""
    led = before.clause.sentence == p.clause.sentence and before.silent and before.clause.has("turn")
    opens = any(hit.start - p.clause.start < _OPENING for hit in p.clause.marks("turn"))
    return _first(text, p) in grammar().lists["instead_words"] or opens or led


def _another(claim: Claim, text: Text, p: Parsed, sender: Sender) -> bool | None:
    """Whether a clause names another argument of the order's kind; None where it names none."""
    wanted = set(sender.spec(claim).args)
    for kind in _NAMED:
        said = {hit.meaning.id for hit in (p.roles if kind == "role" else p.clause.kinds(kind))}
        told = claim.args.get(kind)
        if kind in wanted and isinstance(told, str) and said:
            return told not in said
    counts = {claim.args[name] for name in wanted & _COUNTED if isinstance(claim.args.get(name), int)}
    numbers = {int(token.folded) for token in text.found[p.clause.start : p.clause.end] if token.kind == "n"}
    return bool(numbers - counts) if counts and numbers else None


def _corrects(text: Text, before: Parsed, p: Parsed) -> bool:
    """«точнее …», «вернее …», «нет, …»: words that do nothing but correct."""
    led = before.clause.sentence == p.clause.sentence and before.clause.end - before.clause.start == 1
    return _first(text, p) in grammar().lists["correcting"] or (led and _first(text, before) in grammar().lists["denials"])


def _something(p: Parsed) -> bool:
    """Whether a clause without a verb or a nick says something that no class explains, or a role."""
    return bool(p.unexplained or p.roles) and not (p.verbs or p.names or any(c.targets for c in p.claims))


def _first(text: Text, p: Parsed) -> str:
    return next((text.found[i].folded for i in range(p.clause.start, p.clause.end) if text.found[i].kind == "w"), "")
