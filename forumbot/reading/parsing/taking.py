"""Which names a move word takes: those behind it in the case that its slot governs, else one before it."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim
from forumbot.reading.clauses.clause import Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.asides import phrase_before, preposition_before
from forumbot.reading.parsing.parsed import Message, Parsed, lay
from forumbot.reading.slots import LABELS, Government, fits, government, target_of
from forumbot.reading.vocabulary import Action


def take_behind(
    message: Message, parsed: Parsed, claim: Claim, spec: Action, names: Sequence[Mention], covered: list[str], used: set[int]
) -> None:
    """Give a claim the names behind its move word that it governs."""
    rule = government(spec.govern, claim.govern)
    for name in names:
        preposition, at = preposition_before(message, parsed.clause, name)
        cases = _with_the_list(message, claim, at, preposition, rule)
        belonging = _belonging(message, parsed.clause, at)
        listed = bool(claim.targets) and spec.most > 1
        if name.weak and cases is not None and not listed and not _adjoins(message, parsed.clause, claim, at):
            continue
        misses = cases is None or (name.kind == "nick" and not _possible(name, cases))
        if misses and not belonging and preposition in rule.beside:
            used.add(id(name))
            parsed.aside.append(name)
            lay(parsed.clause, covered, at, name.end, "aside")
            continue
        if belonging:
            cases, at = frozenset(("gent", "datv")), at - 1
        if name.kind == "self" and (cases is None or not fits(name, cases)):
            used.add(id(name))
            lay(parsed.clause, covered, at, name.end, "self")
            continue
        if cases is None or not (belonging or fits(name, cases)):
            continue
        if name.weak and not preposition and claim.form not in LABELS and _never_bare(message, name):
            continue
        if spec.self_target == "none" and name.kind == "self":
            used.add(id(name))
            lay(parsed.clause, covered, at, name.end, "self")
            continue
        if not spec.most:
            mine = name.seats <= {message.sender.seat, *message.sender.known.clan}
            if spec.nick_refused and name.kind == "nick":
                claim.refusal = spec.nick_refused
                claim.targets.append(target_of(name, cases, message.sender, spec))
            if mine or spec.nick_refused:
                used.add(id(name))
                lay(parsed.clause, covered, at, name.end, "self")
            continue
        _give(message, claim, name, cases, spec)
        used.add(id(name))
        lay(parsed.clause, covered, at, name.end, "nick:" + "|".join(sorted(name.seats)))


def _with_the_list(message: Message, claim: Claim, at: int, preposition: str, rule: Government) -> frozenset[str] | None:
    """The cases that a slot leaves a nick; one more behind «и» may stand in those of the nick before it («об Анне и Борисе»)."""
    cases = rule.slots.get(preposition)
    last = claim.targets[-1] if claim.targets else None
    if preposition or last is None or last.end != at - 1 or message.found[at - 1].folded not in ("и", "да"):
        return cases
    first = message.found[last.start - 1].folded if last.start else ""
    return (cases or frozenset()) | rule.slots.get(first, frozenset())


def take_lead(
    message: Message, parsed: Parsed, claim: Claim, spec: Action, lead: Sequence[Mention], covered: list[str], used: set[int]
) -> None:
    """Names before the move word: who acts («Мурка зовёт»), or its object set before it («Анну лечу»)."""
    last = lead[-1]
    acts = claim.targets and claim.form == "third" and not claim.role and _inverted(message, parsed, claim, last)
    if acts:
        used.add(id(last))
        lay(parsed.clause, covered, last.start, last.end, "nick:" + "|".join(sorted(last.seats)))
        return
    nominative = last.kind == "nick" and all(not c.cases or "nomn" in c.cases for c in last.candidates)
    if claim.form == "third" and nominative and (claim.role is None or _holds_role(message, parsed, last)):
        parsed.subject = last
        used.add(id(last))
        lay(parsed.clause, covered, last.start, last.end, "actor")
        return
    if claim.targets and spec.most <= len(claim.targets):
        return
    rule = government(spec.govern, claim.govern)
    if not spec.most and last.seats <= {message.sender.seat, *message.sender.known.clan}:
        used.add(id(last))
        lay(parsed.clause, covered, last.start, last.end, "self")
    for name in lead if not claim.targets else []:
        preposition, at = preposition_before(message, parsed.clause, name)
        cases = rule.slots.get(preposition)
        if cases is None and preposition in rule.beside:
            used.add(id(name))
            parsed.aside.append(name)
            lay(parsed.clause, covered, at, name.end, "aside")
        elif cases is not None and spec.most and fits(name, cases) and _leads(message, claim, name):
            _give(message, claim, name, cases, spec)
            used.add(id(name))
            lay(parsed.clause, covered, at, name.end, "nick:" + "|".join(sorted(name.seats)))


def _holds_role(message: Message, parsed: Parsed, name: Mention) -> bool:
    """«киллер Топаз убивает Лютика»: in a team's letter the nick right behind a role is who plays it."""
    return "performer" in message.words.settings and any(hit.end == name.start for hit in parsed.roles)


def _inverted(message: Message, parsed: Parsed, claim: Claim, lead: Mention) -> bool:
    """«Щепку убивает Матрос»: the nick behind a verb of the third person acts, and the one before it is whom it hits."""
    behind = [name for name in parsed.names if name.start >= claim.end]
    oblique = lead.kind == "nick" and all("nomn" not in c.cases for c in lead.candidates)
    if len(behind) != 1 or not oblique or not any("nomn" in c.cases for c in behind[0].candidates):
        return False
    parsed.subject = behind[0]
    claim.targets = [target_of(lead, None, message.sender, message.sender.spec(claim))]
    return True


def _never_bare(message: Message, name: Mention) -> bool:
    """An adverb or the like («завтра») is a nick only behind a label or a preposition."""
    return facts(message.found[name.start].folded).main not in ("noun", "adjective", "")


def _leads(message: Message, claim: Claim, name: Mention) -> bool:
    """An ordinary word before the move word is a nick only right before it («Пса лечу»)."""
    covers = {i for hit in message.text.clauses[claim.clause].kinds("cover") for i in range(hit.start, hit.end)}
    between = [i for i in range(name.end, claim.start) if message.found[i].kind == "w" and i not in covers]
    if name.weak and _never_bare(message, name):
        return False
    return not name.weak or not [i for i in between if message.found[i].folded not in grammar().prepositions]


def _give(message: Message, claim: Claim, name: Mention, cases: frozenset[str], spec: Action) -> None:
    target = target_of(name, cases, message.sender, spec, nominative=spec.predicate and claim.form == "short")
    if spec.self_target == "none" and target.kind == "self":
        return
    if phrase_before(message, message.text.clauses[claim.clause], name) < name.start and spec.most == spec.least == 2:
        word = message.found[phrase_before(message, message.text.clauses[claim.clause], name)].folded
        if f"{word} gent" in spec.govern and word in grammar().lists["instead"]:
            claim.targets.insert(0, target)
            return
    claim.targets = [old for old in claim.targets if old.kind != "list" or old.seats != target.seats]
    if target.seats not in [old.seats for old in claim.targets] or spec.most > 1:
        claim.targets.append(target)


def _belonging(message: Message, clause: Clause, at: int) -> bool:
    """«вокруг дома Анны», «охраняю покой Егора»: what belongs to the nick stands before it."""
    if at <= clause.start:
        return False
    word = message.found[at - 1].folded
    return word in grammar().lists["belongings"] or bool(facts(word).lemmas & grammar().lists["belongings"])


def _adjoins(message: Message, clause: Clause, claim: Claim, at: int) -> bool:
    """Whether nothing but explained words stands between the move word and a place behind it."""
    covers = {i for hit in clause.kinds("cover") for i in range(hit.start, hit.end)}
    return all(message.found[i].kind != "w" or i in covers for i in range(claim.end, at))


def _possible(name: Mention, cases: frozenset[str]) -> bool:
    return any(not c.cases or c.cases & cases for c in name.candidates)
