"""The claims of a clause's move words, each with the names that it governs."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim, Target
from forumbot.reading.clauses.clause import LABEL_SIGNS
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.heads import Head
from forumbot.reading.parsing.covers import cover_hints, idle_weak
from forumbot.reading.parsing.movewords import hint_head, hinted_heads, role_heads
from forumbot.reading.parsing.parsed import Message, Parsed, lay
from forumbot.reading.parsing.roles import acting_role
from forumbot.reading.parsing.taking import take_behind, take_lead
from forumbot.reading.slots import LABELS


def make_claims(message: Message, parsed: Parsed, covered: list[str]) -> None:
    """Make the claims of the clause's move words; each takes the names that it governs."""
    clause = parsed.clause
    groups = hinted_heads(message, parsed) or hint_head(message, parsed) or role_heads(message, parsed)
    used: set[int] = set()
    for at, head in enumerate(groups):
        region = groups[at + 1].start if at + 1 < len(groups) else clause.end
        claim = _make(message, parsed, head)
        spec = message.sender.spec(claim)
        behind = [n for n in parsed.names if head.start <= n.start < region and id(n) not in used]
        lead = [n for n in parsed.names if n.start < head.start and id(n) not in used] if at == 0 else []
        if head.form == "hint":
            strong = [n for n in parsed.names if n.kind != "nick" or not n.weak]
            behind, lead = strong or list(parsed.names), []
            if head.end - head.start == 1 and message.found[head.start].folded in grammar().prepositions:
                behind = [n for n in behind if n.start >= head.end]  # «Белка против» is no vote
        claim.govern = _governs(message, claim, head)
        if message.found[head.start].folded in grammar().lists["upon_myself"] and spec.most:
            claim.targets.append(Target((message.sender.seat,), head.start, head.end, kind="self"))
        take_behind(message, parsed, claim, spec, behind, covered, used)
        if lead:
            take_lead(message, parsed, claim, spec, lead, covered, used)
            claim.behind = claim.by_role and not claim.label and bool(claim.targets)
        lay(clause, covered, head.start, head.end, f"action:{claim.actions[0]}")
        cover_hints(clause, covered, claim)
        parsed.claims.append(claim)
    _label_last(message, parsed, covered)
    parsed.free = [n for n in parsed.names if id(n) not in used and not idle_weak(n) and n is not parsed.subject]


def _label_last(message: Message, parsed: Parsed, covered: Sequence[str]) -> None:
    """«Проверка на сегодня: Анна»: a label, too, where only words that say nothing stand before its sign."""
    clause = parsed.clause
    if parsed.claims and clause.closer in LABEL_SIGNS:
        last = parsed.claims[-1]
        behind = [i for i in range(last.end, clause.end) if message.found[i].kind in "wn"]
        bare = all(covered[i - clause.start] or message.found[i].folded in grammar().prepositions for i in behind)
        last.label = last.label or (bare and not last.targets)


def _governs(message: Message, claim: Claim, head: Head) -> str:
    """How the move word governs: as a noun, as a thing («укол» whom to), as a verb with or without a dative."""
    word = message.found[head.start].folded
    known = facts(word)
    if head.form == "hint":
        noun = known.main == "noun" and head.end - head.start == 1
        placed = head.start > 0 and message.found[head.start - 1].folded in grammar().prepositions
        return "thing" if noun and not placed and _named_at(message, head.end, claim) else "hint"
    if known.main == "adjective" and head.end - head.start == 1:
        return "transitive"  # «виновным считаю …»
    if _tool(message, head) and claim.form not in LABELS:
        return "noun"
    if head.noun or claim.form in LABELS:
        return claim.form if claim.form in LABELS else "noun"
    if known.transitive and not word.startswith(tuple(grammar().lists["dative_verbs"])) and not _tool(message, head):
        return "transitive"
    return claim.form


def _named_at(message: Message, at: int, claim: Claim) -> bool:
    return any(name.start == at for name in message.text.clauses[claim.clause].names)


def _tool(message: Message, head: Head) -> bool:
    """«ставлю укол», «дежурю у постели»: the phrase ends with a noun, which has a government of its own."""
    return any(hit.end - hit.start > 1 and facts(message.found[hit.end - 1].folded).main == "noun" for hit in head.hits)


def _make(message: Message, parsed: Parsed, head: Head) -> Claim:
    clause = parsed.clause
    role = head.role
    actions = head.actions
    if role is None:
        acting = acting_role(message, parsed, head)
        if acting is not None:
            role = acting.meaning.id
            of_role = tuple(a for a in actions if a in message.words.roles[role].actions)
            actions = of_role or actions
    claim = Claim(actions, head.start, head.end, parsed.index, clause.sentence, head.form, subject=clause.subject)
    claim.role, claim.label, claim.open = role, head.label, head.open
    claim.performer_role = head.performer_role
    if head.denied:
        claim.talk.append("denied")
    return claim
