"""Who is named in a clause: nicks, the writer, places in the list."""

from __future__ import annotations

from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention
from forumbot.reading.names.spelling import DOUBTFUL, EXACT, Candidate
from forumbot.reading.parsing.parsed import Message
from forumbot.reading.phrases import Hit

_SELF_CASES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (grammar().lists[f"self_{case}"], frozenset(cases))
    for case, cases in (("gent", ("gent", "accs", "nomn")), ("datv", ("datv", "loct")), ("ablt", ("ablt",)))
)


def names_of(message: Message, clause: Clause) -> list[Mention]:
    names = list(clause.names)
    taken = {i for name in names for i in range(name.start, name.end)}
    taken |= {i for kind in ("action", "hint") for hit in clause.kinds(kind) for i in range(hit.start, hit.end)}
    covers = [(hit.start, hit.end) for hit in clause.kinds("cover") if hit.end - hit.start > 1 and hit.meaning.id != "myself"]
    for hit in clause.marks("self"):
        if any(start < hit.start and hit.end <= end for start, end in covers):
            continue  # «роль так себе»
        if taken.isdisjoint(range(hit.start, hit.end)) and not _from_me(message, clause, hit):
            names.append(_myself(message, hit.start, hit.end))
            taken.update(range(hit.start, hit.end))
    short = {hit.end for hit in clause.kinds("action") if facts(message.found[hit.start].folded).main == "short"}
    for hit in clause.marks("self_predicate"):
        if hit.start in short and not names:
            names.append(_myself(message, hit.start, hit.end))
    words = [i for i in range(clause.start, clause.end) if message.found[i].kind == "w"]
    if len(words) == 1 and clause.marks("self_predicate") and clause.opener in LABEL_SIGNS and not names:
        names.append(_myself(message, words[0], words[0] + 1))
    named = {at for name in names for at in range(name.start, name.end)}
    for at in range(clause.start, clause.end):
        place = _list_place(message, clause, at) if at not in named else None
        if place is not None:
            names.append(place)
            named.update(range(place.start, place.end))
    return sorted(names, key=lambda name: name.start)


def _myself(message: Message, start: int, end: int) -> Mention:
    """The writer, in the case of the word that means him."""
    word = message.found[end - 1].folded
    cases = next((c for words, c in _SELF_CASES if word in words), frozenset())
    return Mention(start, end, (Candidate(message.sender.seat, EXACT, cases),), "self")


def _from_me(message: Message, clause: Clause, hit: Hit) -> bool:
    """«ход от меня»: the writer, not a target."""
    before = message.found[hit.start - 1].folded if hit.start > clause.start else ""
    return message.found[hit.start].folded == "меня" and before in grammar().lists["from_me"]


def _list_place(message: Message, clause: Clause, at: int) -> Mention | None:
    """A place in the roster named at this token («№6», «номер 6», «номер шесть», «шестой номер»)."""
    found, end = message.found, clause.end
    token = found[at]
    after = found[at + 1] if at + 1 < end else found[at]
    value: int | None = None
    if at + 1 >= end:
        value = None
    elif token.folded in grammar().lists["number_words"] or token.folded in ("no", "№", "n"):
        value = _int(after.folded) if after.kind == "n" else grammar().numbers.get(after.folded)
    elif token.kind == "w" and after.folded in grammar().lists["number_words"]:
        value = grammar().ordinal(token.folded)
    elif token.kind == "n" and (size := _before_word(message, at, end)):
        return _place(message, clause, at, at + size, _int(token.folded))
    size = 2
    if value is None:
        numbers_a_label = at + 1 == clause.end and clause.closer == ":"  # «Жертва 2: Глеб»
        value, size = None if numbers_a_label else _bare_place(message, clause, at), 1
    if value is None or not _counts_players(message, clause, at):
        return None
    return _place(message, clause, at, at + size, value)


def _before_word(message: Message, at: int, end: int) -> int:
    """«14 номера», «5-й номер»: how many tokens the place takes."""
    behind = [token.folded for token in message.found[at + 1 : min(at + 4, end)]]
    words = grammar().lists["number_words"]
    return 2 if behind[:1] and behind[0] in words else 4 if len(behind) == 3 and behind[0] == "-" and behind[2] in words else 0


def _place(message: Message, clause: Clause, start: int, end: int, value: int | None) -> Mention | None:
    seats = message.sender.roster.seats
    if value is None or not 0 < value <= len(seats) or not _counts_players(message, clause, start):
        return None
    return Mention(start, end, (Candidate(seats[value - 1], DOUBTFUL, frozenset()),), "list")


def _bare_place(message: Message, clause: Clause, at: int) -> int | None:
    """«линч 3», «линчую третьего», «Линч 14-го»: a number right behind a move word that needs a nick, with none there."""
    acts = [hit for hit in clause.kinds("action") if hit.end <= at]
    if clause.subject and any(other.names for other in message.text.clauses):
        return None  # the subject «Линч 3» of the third day
    if clause.names or not acts or not all(message.words.actions[a].least for hit in acts for a in hit.meaning.id):
        return None
    token = message.found[at]
    if any(message.found[i].kind == "w" and len(message.found[i].folded) > 2 for i in range(at + 1, clause.end)):
        return None
    behind = [i for i in range(acts[-1].end, at) if message.found[i].kind == "w"]
    if any(message.found[i].folded not in grammar().prepositions for i in behind):
        return None
    counted = any(h.start <= at < h.end for h in clause.hits if h.meaning.kind == "cover" and h.end - h.start > 1)
    if counted or any(
        message.words.actions[a].args for hit in acts for a in hit.meaning.id if "coins" in message.words.actions[a].args
    ):
        return None
    return _int(token.folded) if token.kind == "n" else grammar().ordinal(token.folded) if token.kind == "w" else None


def _counts_players(message: Message, clause: Clause, at: int) -> bool:
    """Whether a number means a place in the roster: behind a move word, or alone; «Ход №3» counts others."""
    before = [i for i in range(clause.start, at) if message.found[i].kind == "w"]
    acts = [hit for hit in clause.kinds("action") if hit.end <= at]
    clause_only = not any(hit.meaning.id == "address" for hit in clause.kinds("cover"))
    takes = clause_only and all("number" not in message.words.actions[a].args for hit in acts for a in hit.meaning.id)
    return takes and (bool(acts) or (not before and not clause.subject))


def _int(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 3 else None
