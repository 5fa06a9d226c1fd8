"""Which move words of a clause count, and what stands for one: goods, hints, the name of a role."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.heads import Head, denied, heads
from forumbot.reading.parsing.parsed import Message, Parsed
from forumbot.reading.phrases import Hit

_OWN_VERBS = frozenset(("first", "infinitive"))


def move_words(message: Message, parsed: Parsed) -> list[Head]:
    clause = parsed.clause
    found = heads(message.text, clause, message.sender)
    found = _without_helpers(message, found, parsed)
    found = _without_tools(message, found, clause)
    return _with_goods(message, found, clause)


def _without_helpers(message: Message, found: list[Head], parsed: Parsed) -> list[Head]:
    """«Бить буду Нео»: a word that could name a move about a role, where no role is named, beside another move word."""
    if len(found) < 2 or parsed.roles:
        return found
    kept = [head for head in found if not all("role" in message.words.actions[a].needs for a in head.actions)]
    return kept or found


def _without_tools(message: Message, found: list[Head], clause: Clause) -> list[Head]:
    """«Зову к себе в номер Анну»: words that also name somebody else's move tell of the writer's own beside them."""
    mine = {a for head in found for a in head.actions} & message.sender.owned
    hints = [hit for hit in clause.kinds("hint") if set(hit.meaning.id) & mine]
    acting = [h for h in found if set(h.actions) & message.sender.owned and h.form in ("first", "infinitive", "imperative")]
    kept = [
        head
        for head in found
        if set(head.actions) & message.sender.owned
        or not (
            any(h.start <= head.start and head.end <= h.end for h in hints)
            or _object(message, head, acting, clause)
            or _performs(message, head, found)
        )
    ]
    return kept or found


def _performs(message: Message, head: Head, found: Sequence[Head]) -> bool:
    """«Вампир кусает Анну» of the vampire: the name of somebody else's move before the writer's own verb is who acts."""
    verb = next((own for own in found if own.start == head.end and own.form == "third"), None)
    return head.form == "noun" and verb is not None and bool(set(verb.actions) & message.sender.owned)


def _object(message: Message, head: Head, acting: Sequence[Head], clause: Clause) -> bool:
    """«Зову к себе …»: a noun right behind the writer's own verb."""
    verb = next((own for own in reversed(acting) if own.end <= head.start), None)
    if verb is None or head.form != "noun" or any(verb.end <= name.start < head.start for name in clause.names):
        return False
    return all(message.found[i].folded not in ("и", "да", "плюс", "+") for i in range(verb.end, head.start))


def _with_goods(message: Message, found: list[Head], clause: Clause) -> list[Head]:
    """Goods named without a word for buying («броню от мафии за 40») are bought; each is a purchase of its own."""
    for kind, action in message.words.settings.get("bare_arguments", {}).items():
        never = message.words.settings.get("never_bare", ())
        hits = [hit for hit in clause.kinds(kind) if hit.meaning.id not in never]
        hits = list({hit.start: hit for hit in reversed(hits)}.values())[::-1]
        takers = [head for head in found if any(kind in message.words.actions[a].args for a in head.actions)]
        if not hits:
            found = [head for head in found if head not in takers] or found  # «покупаю два голоса»
            continue
        paid = bool(clause.kinds("pay"))
        found = [h for h in found if h in takers or not any(h.start == hit.start for hit in hits) or not paid]
        free = hits[len(takers) :]
        inside = [(h.start, h.end) for h in found if h not in takers and h.end - h.start > 1]
        for hit in free:
            if any(start <= hit.start < end for start, end in inside) and not paid:
                continue
            if any(h.start <= hit.start < h.end for h in found):
                continue
            made = Head(hit.start, hit.end, (action,), "goods", [hit])
            made.denied = denied(message.text, clause, hit.start, hit.end)
            found.append(made)
    return sorted(found, key=lambda head: head.start)


def hinted_heads(message: Message, parsed: Parsed) -> list[Head]:
    """The move words; one that is somebody else's move means the writer's own that it also hints at («навестим» of the
    mafia)."""
    for head in parsed.heads:
        if not set(head.actions) & message.sender.owned:
            hints = [h for h in parsed.clause.kinds("hint") if h.start == head.start or h.end == head.end]
            mine = tuple(dict.fromkeys(a for h in hints for a in h.meaning.id if a in message.sender.owned))
            if mine:
                head.actions = mine
                head.open = len(mine) > 1
    return parsed.heads


def hint_head(message: Message, parsed: Parsed) -> list[Head]:
    """Without a move word: words that tell of one of the writer's own moves («таблетку Никите»)."""
    hits = [hit for hit in parsed.clause.kinds("hint") if not _hangs(message, parsed, hit)]
    alone = len(message.text.clauses) == 1 and all(message.words.actions[a].talk for hit in hits for a in hit.meaning.id[:1])
    if not hits or not (message.sender.letter or (alone and parsed.names)):
        return []
    acting = {a for hit in parsed.roles for a in message.words.roles[hit.meaning.id].actions}
    able = acting or message.sender.owned
    mine = set(message.sender.moves)
    if not acting and any(set(hit.meaning.id) & mine for hit in hits):
        able = mine  # what the role does before what everybody may
    told: list[tuple[Hit, tuple[str, ...]]] = []
    for hit in hits:
        possible = tuple(a for a in hit.meaning.id if a in able)
        if possible:
            told.append((hit, possible))
    if not told:
        return []
    shared = [a for a in told[0][1] if all(a in mine for _, mine in told)] or list(told[0][1])
    head = Head(told[0][0].start, told[0][0].end, tuple(shared), "hint", [hit for hit, _ in told])
    denials = [i for i in range(parsed.clause.start, parsed.clause.end) if message.found[i].folded in grammar().lists["denying"]]
    behind = [i for i in denials if i + 1 < parsed.clause.end and facts(message.found[i + 1].folded).main in _OWN_VERBS]
    head.denied = any(i < head.start for i in denials) or bool(behind)  # «К Коту не пойду»
    head.label = parsed.clause.closer in LABEL_SIGNS
    return [head]


def _hangs(message: Message, parsed: Parsed, hit: Hit) -> bool:
    """«Белка против»: a preposition that hints at a vote, with no nick behind it."""
    preposition = hit.end - hit.start == 1 and message.found[hit.start].folded in grammar().prepositions
    return preposition and bool(parsed.names) and all(name.start < hit.end for name in parsed.names)


def role_heads(message: Message, parsed: Parsed) -> list[Head]:
    """A role's name alone stands for its move («Доктор - Никита»)."""
    hits = [hit for hit in parsed.roles if message.words.roles[hit.meaning.id].default]
    if not hits:
        return []
    table = message.words.settings.get("performer")
    found: list[Head] = []
    for hit in hits:
        role = message.words.roles[hit.meaning.id]
        label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
        placed = hit.start > parsed.clause.start and message.found[hit.start - 1].folded in grammar().lists["placed"]
        if placed and not label:
            continue  # «Ставлю на мафию Жука»
        last = found[-1] if found else None
        if last is not None and table is not None and last.role == table["role"] and last.end == hit.start:
            last.end, last.performer_role = hit.end, role.id  # «Киллер Дуремар: …»
            last.label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
            continue
        head = Head(hit.start, hit.end, role.default, "role", [hit], role=role.id)
        head.label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
        head.denied = denied(message.text, parsed.clause, hit.start, hit.end)
        found.append(head)
    return found
