"""Names that words beside the order explain, names that are only left out, and the words that belong to a nick."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import COVERING, Message, Parsed, lay
from forumbot.reading.phrases import Hit


def set_apart(message: Message, parsed: Parsed, covered: list[str]) -> None:
    """Set aside the names that words beside the order explain, and those that are only left out."""
    clause = parsed.clause
    ends = {hit.end: hit for hit in clause.marks("beside")}
    drops = {hit.end: hit for hit in clause.marks("drop_next")}
    before = clause.marks("drop_before")
    for name in list(parsed.names):
        at = phrase_before(message, clause, name)
        if _of_time(clause, at, name):
            parsed.names.remove(name)
            continue
        lead = ends.get(at) or ends.get(name.start)
        out = drops.get(at) or drops.get(name.start)
        if out is not None and any(h.start <= out.start < h.end for h in parsed.heads):
            out = None
        if (
            name.seats == {message.sender.seat}
            and name.kind == "nick"
            and message.found[name.start - 1].folded == "от"
            and name.start
        ):
            parsed.names.remove(name)
            lay(clause, covered, name.start - 1, name.end, "self")
            continue
        behind = next((hit for hit in before if hit.start >= name.end and _close_by(message, name.end, hit.start)), None)
        if behind is not None and parsed.heads and message.found[behind.start].folded in grammar().lists["greets"]:
            behind = None
        if lead is not None and _tells_of_a_move(message, clause, lead):
            lead = None
        more = lead is None and out is None and _alike(message, parsed, [*parsed.aside, *parsed.dropped], name)
        if more or (lead is not None and not any(h.start <= lead.start < h.end for h in parsed.heads)):
            parsed.names.remove(name)
            parsed.aside.append(name)
            lay(clause, covered, lead.start if lead is not None else name.start - 1, name.end, "aside")
        elif out is not None and _takes_instead(message, parsed, out):
            continue
        elif out is not None or behind is not None:
            first, last = (out.start, name.end) if out is not None else (name.start, behind.end if behind else name.end)
            parsed.names.remove(name)
            parsed.dropped.append(name)
            lay(clause, covered, first, last, "dropped")


def _alike(message: Message, parsed: Parsed, taken: Sequence[Mention], name: Mention) -> bool:
    """«Привет Жуку и Белке»: one more of the nicks that words beside the order explain."""
    last = next((old for old in reversed(taken) if old.end <= name.start), None)
    if last is None or any(last.end <= head.start < name.start for head in parsed.heads):
        return False
    between = [message.found[i].folded for i in range(last.end, name.start)]
    shared = {case for c in last.candidates for case in c.cases} & {case for c in name.candidates for case in c.cases}
    return between in (["и"], ["да"], ["с"], ["со"], ["и", "с"]) and (bool(shared) or len(between) > 1)


def _takes_instead(message: Message, parsed: Parsed, out: Hit) -> bool:
    """«подставить Жука вместо Гнома»: a move that names whom it spares."""
    word = f"{message.found[out.end - 1].folded} gent"
    return any(word in message.words.actions[a].govern for head in parsed.heads for a in head.actions)


def _tells_of_a_move(message: Message, clause: Clause, lead: Hit) -> bool:
    """«горячий привет Шпале»: the words beside a nick are those of the writer's own move."""
    longer = [h for h in clause.kinds("hint") if h.start <= lead.start and h.end >= lead.end and h.end - h.start > 1]
    return any(set(h.meaning.id) & message.sender.owned for h in longer)


def phrase_before(message: Message, clause: Clause, name: Mention) -> int:
    """Where the words before a nick begin that belong to it: its preposition and epithets."""
    at = name.start
    while at > clause.start and message.found[at - 1].kind == "w" and belongs_to_nick(message, clause, at - 1):
        at -= 1
    if at > clause.start and message.found[at - 1].folded in grammar().prepositions:
        at -= 1
    return at


def preposition_before(message: Message, clause: Clause, name: Mention) -> tuple[str, int]:
    """The preposition before a nick ("" for none), and where the words that belong to the nick begin."""
    at = phrase_before(message, clause, name)
    word = message.found[at].folded
    return (word, at) if at < name.start and word in grammar().prepositions else ("", at)


def opens_head(parsed: Parsed, at: int) -> bool:
    """«Ночная прогулка …»: an adjective before a move word that is a noun."""
    return any(head.start == at and head.form == "noun" for head in parsed.heads)


def belongs_to_nick(message: Message, clause: Clause, at: int) -> bool:
    """Whether the word at a token only describes the nick behind it."""
    known = facts(message.found[at].folded)
    epithet = any(h.start <= at < h.end and h.meaning.id == "epithet" for h in clause.kinds("cover"))
    if epithet and known.main != "adverb":
        return True
    marked = any(hit.start <= at < hit.end for hit in clause.kinds("mark") if hit.meaning.id not in COVERING)
    acts = any(hit.start <= at < hit.end for hit in clause.kinds("action"))
    other = any(hit.start <= at < hit.end for hit in clause.hits if hit.meaning.kind not in ("cover", "mark", "hint"))
    other = other or any(h.start <= at < h.end for h in clause.hits if h.meaning.kind in ("cover", "hint"))
    if known.main == "noun" and not other and not marked and not acts and at > clause.start:
        name = next((n for n in clause.names if n.start == at + 1), None)
        relation = bool(known.lemmas & grammar().lists["relations"])
        told = name is not None and any(c.cases & known.cases - {"nomn"} for c in name.candidates)
        return told and not relation and not message.found[at].capital  # «эту вредину Петровну»
    return known.main == "adjective" and not marked and not acts


def _close_by(message: Message, left: int, right: int) -> bool:
    return all(token.kind != "w" or token.folded in ("пока", "все") for token in message.found[left:right])


def _of_time(clause: Clause, at: int, name: Mention) -> bool:
    """«В пятницу проголосую», with a player of that name: a day."""
    times = [hit for hit in clause.kinds("cover") if hit.meaning.id == "time_of_this_turn"]
    return at < name.start and any(hit.start == at and hit.end == name.end for hit in times)
