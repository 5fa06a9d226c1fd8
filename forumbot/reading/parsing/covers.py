"""What words are explained by, and which are left over."""

from __future__ import annotations

from collections.abc import Sequence

from engine.messages import Explained
from forumbot.reading.circumstances import circumstances
from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.asides import belongs_to_nick, opens_head
from forumbot.reading.parsing.parsed import COVERING, Message, Parsed, lay
from forumbot.reading.phrases import Hit

_SAYING = frozenset(("mark", "hint", "hedge", "doubt", "settled", "what", "action"))
"""Kinds of phrases that are no arguments."""


def cover(message: Message, parsed: Parsed) -> list[str]:
    """For each token of the clause the class that explains it, or nothing."""
    clause = parsed.clause
    covered = [""] * (clause.end - clause.start)

    def lay(start: int, end: int, by: str) -> None:
        for i in range(max(start, clause.start), min(end, clause.end)):
            covered[i - clause.start] = covered[i - clause.start] or by

    for hit in clause.hits:
        kind = hit.meaning.kind
        if (kind == "cover" and not hit.typo and (hit.meaning.id != "epithet" or _describes(message, parsed, hit))) or (
            kind == "mark" and hit.meaning.id in COVERING
        ):
            lay(hit.start, hit.end, hit.meaning.id)
        elif kind in ("settled", "free_condition"):
            lay(hit.start, hit.end, kind)
    for hit in parsed.roles:
        lay(hit.start, hit.end, f"role:{hit.meaning.id}")
    return covered


def _describes(message: Message, parsed: Parsed, hit: Hit) -> bool:
    """Whether a nick stands behind an epithet, with nothing but epithets between."""
    at = hit.end
    if facts(message.found[hit.start].folded).main == "adverb":
        return False  # «он полезнее Анны»
    starts = {name.start for name in parsed.names}
    while at < parsed.clause.end and at not in starts:
        if message.found[at].kind == "w" and not belongs_to_nick(message, parsed.clause, at):
            return False
        at += 1
    return at in starts


def cover_hints(clause: Clause, covered: list[str], claim: Claim) -> None:
    """Words that tell of the very move («таблетку», «в мотель»), and what its arguments say."""
    wanted = set(claim.actions)
    for hit in clause.hits:
        kind = hit.meaning.kind
        if kind in ("hint", "action") and wanted & set(hit.meaning.id):
            lay(clause, covered, hit.start, hit.end, f"hint:{claim.actions[0]}")


def leave_over(message: Message, parsed: Parsed, covered: list[str]) -> None:
    """Find the words that nothing explains, and the verbs among them."""
    clause = parsed.clause
    named = {i for name in (*parsed.free, *parsed.aside, *parsed.dropped) for i in range(name.start, name.end)}
    if parsed.subject is not None:
        named |= set(range(parsed.subject.start, parsed.subject.end))
    for i in range(clause.start, clause.end):
        token = message.found[i]
        by = covered[i - clause.start]
        if by:
            parsed.explained.append(Explained(token.start, token.end, by))
        joins = i == clause.start and (token.folded == clause.opener or token.folded in grammar().lists["content"])
        if (
            by
            or joins
            or i in named
            or token.kind not in "wn"
            or _bound(message, parsed, covered, i)
            or _sets_out(message, parsed, i)
        ):
            continue
        parsed.unexplained.append(i)
        if token.kind == "w" and facts(token.folded).finite:
            parsed.verbs.append(i)
    _circumstances(message, parsed)
    weak = [name for name in parsed.names if idle_weak(name)]
    if weak and not parsed.claims and not parsed.free:
        held = {i for name in weak for i in range(name.start, name.end)}
        choice = {h.start for h in clause.marks("either")}
        if set(parsed.unexplained) - choice <= held:  # a clause of nothing but a nick that is an ordinary word, too
            parsed.free, parsed.unexplained, parsed.verbs = weak, [i for i in parsed.unexplained if i in choice], []


def _sets_out(message: Message, parsed: Parsed, at: int) -> bool:
    """«Пошла лечить Анну»: a past that is said of now, before a move in the infinitive."""
    goes = message.found[at].folded in grammar().lists["setting_out"]
    return goes and any(claim.form == "infinitive" and claim.start > at for claim in parsed.claims)


def _circumstances(message: Message, parsed: Parsed) -> None:
    """Take the words for explained that only tell where, how and what for a whole order is carried out."""
    claim = parsed.claims[-1] if parsed.claims else None
    if not parsed.unexplained or claim is None or parsed.free or "denied" in claim.talk:
        return
    spec = message.sender.spec(claim)
    whole = claim.targets and len(claim.targets) >= spec.least and claim.form in ("first", "infinitive", "third", "noun")
    if not whole or parsed.unexplained[0] < claim.start:
        return
    named = frozenset(i for name in parsed.names for i in range(name.start, name.end))
    told = circumstances(message.found, parsed.clause, parsed.unexplained, named, max(t.end for t in claim.targets))
    parsed.unexplained = [i for i in parsed.unexplained if i not in told]
    parsed.verbs = [i for i in parsed.verbs if i not in told]


def _bound(message: Message, parsed: Parsed, covered: Sequence[str], at: int) -> bool:
    """Prepositions before something explained, epithets of nicks, numbers of a list."""
    clause = parsed.clause
    token = message.found[at]
    nxt = next((i for i in range(at + 1, clause.end) if message.found[i].kind in "wn"), None)
    if nxt is not None and token.folded in grammar().prepositions and message.found[nxt].folded in grammar().lists["belongings"]:
        return any(name.start == nxt + 1 for name in parsed.names)  # «Возле дома Иглы»
    named = {name.start for name in (*parsed.free, *parsed.names)}
    if token.folded in grammar().prepositions and nxt is not None and token.folded not in grammar().lists["excluding"]:
        argument = any(h.start <= nxt < h.end for h in clause.hits if h.meaning.kind not in _SAYING)
        return bool(covered[nxt - clause.start]) or nxt in named or argument
    if clause.subject and token.kind == "n":
        return True
    if token.kind == "w" and nxt is not None and facts(token.folded).main == "adjective" and opens_head(parsed, nxt):
        return not any(h.start <= at < h.end for h in clause.kinds("mark"))
    if token.kind == "w" and nxt == at + 1 and covered[nxt - clause.start] and facts(token.folded).main == "adjective":
        told = facts(message.found[nxt].folded)
        return told.main == "noun" and bool(facts(token.folded).cases & told.cases)
    if token.kind == "n" and at == clause.start and clause.end - clause.start == 1:
        return clause.closer in (")", ".") or (len(token.folded) <= 2 and clause.opener == "")
    if token.kind == "n" and at == clause.start and at + 1 < clause.end and message.found[at + 1].folded in (".", ")"):
        return True
    if token.kind == "w" and len(token.folded) == 1 and at == clause.start and clause.closer == ")" and clause.end == at + 1:
        return True
    if nxt is not None and token.folded in grammar().lists["this"] and belongs_to_nick(message, clause, nxt):
        return any(name.start == nxt + 1 for name in parsed.names)  # «эту вредину Петровну»
    return nxt is not None and nxt in named and belongs_to_nick(message, clause, at)


def idle_weak(name: Mention) -> bool:
    return name.weak and name.kind == "nick"
