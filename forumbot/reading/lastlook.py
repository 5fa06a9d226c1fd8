"""The last look before anything is ignored: what could be an order all the same is asked about, and never lost.

What could be one: the writer's own move in a clause of now, with or without a nick; a living nick in a clause of what shall be,
or behind a label that no order takes; a run in the colour of votes. Talk that is positively none stays none: questions, the past,
thanks, somebody's words, what is put off.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.messages import ReadOrder
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import LABEL_SIGNS, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import Facts, facts
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.slots import target_of

_TALK = (
    "past", "speech", "ask", "later", "another_time", "condition", "thanks", "subjunctive", "complaint", "judged", "draft",
    "reported", "joke", "irony", "withdraw", "leaving", "asks_host",
)  # fmt: skip
_NOT_NOW = frozenset(("denied", "past", "question", "complaint", "told", "joke"))


def at_letter(claims: Sequence[Claim], text: Text, parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """What to ask about of a letter, beside the claims that were found in it."""
    if not claims:
        return _lost(text, parsed, sender)
    return _labelled(claims, parsed, sender) or _chosen(claims, parsed, sender)


def at_post(text: Text, parsed: Sequence[Parsed], color: str) -> list[ReadOrder]:
    """What to ask about, or to refuse, of a post in whose coloured runs no order was found."""
    return _partly(text) or _unread(text, parsed, color)


def _lost(text: Text, parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """One claim to ask about, or none."""
    first = _wished(text, parsed, sender) or _announced(parsed, sender)
    if first is not None:
        return [first]
    for p in parsed:
        if p.clause.quoted or p.clause.stop == "?" or p.clause.has(*_TALK):
            continue
        made = _own_move(p, sender) or _shall_happen(text, p, sender) or _role_named(text, p, sender)
        if made is not None:
            return [made]
    return []


def _labelled(claims: Sequence[Claim], parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """«Бью Анну», and «на закуску: Борис» in a line of its own: a nick behind a label that no order takes is asked about."""
    moves = sender.somehow()[:1]
    for label, p in pairwise(parsed) if claims and moves else ():
        name = p.free[0] if len(p.free) == 1 and p.free[0].kind == "nick" else None
        whole = name is not None and p.clause.end - p.clause.start == name.end - name.start
        takes = any(c.clause in (label.index, p.index) for c in claims)
        if name is None or not whole or takes or p.clause.opener != ":" or p.clause.stop == "?" or p.clause.quoted:
            continue
        if label.free or label.verbs or label.heads or label.clause.sentence != p.clause.sentence or name.seats == {sender.seat}:
            continue
        if any(set(c.seats()) & set(name.seats) for c in claims):
            continue
        return [_whom_for_what(p, name, moves, sender)]
    return []


def _chosen(claims: Sequence[Claim], parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """«Лечу Анну. Борис - мой выбор»: beside an order a sentence of nothing but a nick and words that announce one."""
    moves = sender.somehow()[:1]
    for first, second in pairwise(parsed) if moves else ():
        if first.clause.sentence != second.clause.sentence or second.clause.opener not in LABEL_SIGNS or first.clause.subject:
            continue
        named, said = (first, second) if first.free else (second, first)
        whole = [p for p in parsed if p.clause.sentence == first.clause.sentence] == [first, second]
        announces = said.silent and {hit.meaning.id for hit in said.clause.kinds("cover")} & {"intent", "wish"}
        if not (whole and announces and _only_a_nick(named)) or any(c.sentence == first.clause.sentence for c in claims):
            continue
        name = named.free[0]
        if first.clause.stop == "?" or first.clause.quoted or any(set(c.seats()) & set(name.seats) for c in claims):
            continue
        return [_whom_for_what(named, name, moves, sender)]
    return []


def _whom_for_what(p: Parsed, name: Mention, moves: tuple[str, ...], sender: Sender) -> Claim:
    """The question what shall be done with a player whom a clause names."""
    made = Claim(moves, name.start, name.start, p.index, p.clause.sentence, "nick")
    made.targets = [target_of(name, None, sender, sender.spec(made))]
    made.doubt("no_action")
    return made


def _only_a_nick(p: Parsed) -> bool:
    """One nick, and else nothing that is not explained."""
    return len(p.free) == 1 and p.free[0].kind == "nick" and not (p.unexplained or p.heads or p.dropped or p.clause.has(*_TALK))


def _partly(text: Text) -> list[ReadOrder]:
    """A nick of which only some letters are coloured: a question."""
    edges = {edge for start, end, _ in text.own.colors for edge in (start, end)}
    for clause in text.clauses:
        for name in clause.names:
            first, last = text.found[name.start], text.found[name.end - 1]
            if any(first.start < edge < last.end for edge in edges) and first.color is None:
                return [ReadOrder("vote", tuple(name.seats)[:1], status="review", reason="partial_colour")]
    return []


def _unread(text: Text, parsed: Sequence[Parsed], color: str) -> list[ReadOrder]:
    """«[red]брындую Глеба[/red]»: a run in the colour of votes that nobody understands is asked about; one that is a nick nobody
    bears («[red]Ктулху[/red]») is refused as such.

    Not so what a known verb says of somebody, and what the common marks of talk, a question or «не» make none.
    """
    for p in parsed:
        if p.clause.color != color or p.clause.quoted or p.clause.stop == "?" or p.clause.has(*_TALK) or p.dropped:
            continue
        words = [text.found[i].folded for i in range(p.clause.start, p.clause.end)]
        whole = len([c for c in text.of(p.clause.sentence) if c.color == color]) == len(words) == 1
        if whole and text.found[p.clause.start].capital and not p.names and _somebody(words[0]):
            return [ReadOrder("vote", (), status="rejected", reason="unknown_nick")]
        strange = [word for word in words if word.isalpha() and not facts(word).known]
        names = [name for name in p.names if name.kind == "nick"]
        if not strange or "не" in words or any(facts(text.found[i].folded).known for i in p.verbs):
            continue
        if names:
            return [ReadOrder("vote", tuple(names[0].seats)[:1], status="review", reason="unexplained")]
        if len(strange) == len(words) <= 2 and not any(word.isascii() for word in words):
            return [ReadOrder("vote", (), status="review", reason="unknown_nick")]
    return []


def _somebody(word: str) -> bool:
    """A Russian word that nobody bears and somebody could: of no dictionary, or a living being."""
    known = facts(word)
    if not known.known:
        return not word.isascii()
    return known.main == "noun" and not known.thing and not known.plural


def _became(text: Text, p: Parsed) -> bool:
    """A clause without a verb, or one that says only what has become («…, стал за Лешего»)."""
    return all(facts(text.found[i].folded).lemmas & grammar().lists["becoming"] for i in p.verbs)


def _wished(text: Text, parsed: Sequence[Parsed], sender: Sender) -> Claim | None:
    """«Сначала хотела за Анной следить, потом за Борисом», «Голос был за Анну, стал за Бориса»: a wish or a vote of the past, and
    another nick behind it."""
    for p in parsed:
        old = next((c for c in p.claims if c.form in ("infinitive", "noun") and c.targets and c.talk in (["past"], [])), None)
        if old is None or not set(old.actions) & sender.owned or p.clause.quoted:
            continue
        more = [q for q in parsed[p.index + 1 :] if q.free and _became(text, q) and q.clause.sentence - p.clause.sentence <= 1]
        if more:
            made = Claim(old.actions, old.start, old.end, p.index, p.clause.sentence, old.form, targets=list(old.targets))
            made.targets += [target_of(name, None, sender, sender.spec(made)) for name in more[0].free[:1]]
            made.doubt("unsure")
            return made
    return None


def _announced(parsed: Sequence[Parsed], sender: Sender) -> Claim | None:
    """«Ход: угостить чаем Бориса»: a nick behind words that say that a move follows, in no known words."""
    moves = sender.somehow()[:1]
    for label in parsed if moves else ():
        says = any(hit.meaning.id == "intent" for hit in label.clause.kinds("cover")) and label.clause.closer in LABEL_SIGNS
        if not says or label.clause.quoted or label.clause.has(*_TALK):
            continue
        behind = [p for p in parsed[label.index + 1 :] if p.clause.sentence == label.clause.sentence and not p.clause.has(*_TALK)]
        names = [(p, name) for p in behind for name in p.free if name.kind == "nick" and name.seats != {sender.seat}]
        if not names or names[0][0].clause.stop == "?":
            continue
        p, name = names[0]
        return _whom_for_what(p, name, moves, sender)
    return None


def _own_move(p: Parsed, sender: Sender) -> Claim | None:
    """«Схожу-ка к пятому номеру», «ЖЛП сегодня занята Лерой»: words of the writer's own move that were taken for talk."""
    for old in p.claims:
        if not set(old.actions) & set(sender.moves) or set(old.talk) & _NOT_NOW or old.form in ("past", "second"):
            continue
        points = p.free or p.clause.has("pronoun", "same_place", "list_number")
        if old.form == "hint" and not (points or old.targets):
            continue  # «патроны есть»
        if p.subject is not None or (p.verbs and not (p.free and p.roles)):
            continue
        made = Claim(old.actions, old.start, old.end, p.index, p.clause.sentence, old.form)
        spec = sender.spec(made)
        made.targets = old.targets or [target_of(name, None, sender, spec) for name in p.free[:1] if spec.most]
        made.doubt("unclear_target" if made.targets else "no_target")
        return made
    return None


def _shall_happen(text: Text, p: Parsed, sender: Sender) -> Claim | None:
    """«Кира сегодня умрёт», «Глаз не спущу с Киры», «Отправляюсь к Кире», «Теперь очередь Киры»: a nick in a clause of what shall
    be, of what the writer does, or of now without a verb."""
    alone = len(text.clauses) == 1  # «огонь по коню!»: an ordinary word is a nick where nothing else is said
    names = [name for name in (p.names if alone else p.free) if name.kind == "nick" and name.seats != {sender.seat}]
    moves = sender.somehow()[:1]
    if not names or not moves or any(c.targets for c in p.claims):
        return None
    verbs = [facts(text.found[i].folded) for i in p.verbs]
    if not (_whom(text, p, names[0]) if not verbs else all(_ahead(known) for known in verbs)):
        return None
    return _whom_for_what(p, names[0], moves, sender)


def _role_named(text: Text, p: Parsed, sender: Sender) -> Claim | None:
    """«роль: доктор» of an artist: a role named by one whose move asks for one, in no clause about others."""
    moves = [a for a in sender.moves if "role" in sender.words.actions[a].needs]
    roles = [hit for hit in p.roles if hit.meaning.id not in sender.known.roles]
    verbs = [facts(text.found[i].folded) for i in p.verbs]
    if not moves or len(roles) != 1 or p.names or not all(_ahead(known) for known in verbs):
        return None
    made = Claim((moves[0],), roles[0].start, roles[0].end, p.index, p.clause.sentence, "role")
    made.args["role"] = roles[0].meaning.id
    made.doubt("no_action")
    return made


def _whom(text: Text, p: Parsed, name: Mention) -> bool:
    """A clause without a verb that says who is meant now: «петля сегодня Стрелку», «огонь по Коню», «Кавалер: Кузьмич»."""
    if p.clause.has("now") and p.clause.start < name.start:
        return True
    words = [text.found[i].folded for i in range(p.clause.start, name.start) if text.found[i].kind == "w"]
    if " ".join(words[:2]) in grammar().lists["let_it_be"]:
        return True  # «Против Евы хотела, но она меня переубедила. Пусть будет Лорд»
    if name.start > p.clause.start and text.found[name.start - 1].folded in grammar().lists["towards"]:
        return True
    whole = p.clause.end - p.clause.start == name.end - name.start
    return whole and p.clause.opener in LABEL_SIGNS


def _ahead(known: Facts) -> bool:
    """A verb of the writer's own deed, or of what shall be."""
    return bool(known.forms & {"first", "future"}) and not known.lemmas & grammar().lists["thinking"]
