"""A letter without an order in words of its own: what it asks for all the same («тот же ход», a role's name, a nick alone)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import LABEL_SIGNS, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.settling.order import settle
from forumbot.reading.slots import target_of

_SHORT = 4
"""Words of a sentence that can mean a move by pointing at an earlier one."""
_SET_FORM = "ход"


def wordless(text: Text, parsed: list[Parsed], sender: Sender, story: str) -> list[Claim]:
    """The claim of such a letter, or none; the first way of reading it that fits."""
    return (
        _as_before(parsed, sender)
        or role_alone(text, parsed, sender)
        or _under_a_story(parsed, sender, story)
        or _somebody_named(parsed, sender)
    )


def _as_before(parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """«Мой ход как вчера», «тот же ход»: a move that the letter does not name."""
    for p in parsed:
        same = p.clause.marks("same")
        if (
            not same
            or p.clause.has("thanks")
            or p.verbs
            or p.clause.stop == "?"
            or p.clause.quoted
            or len(p.unexplained) > _SHORT
        ):
            continue
        moves = sender.somehow()
        if not moves:
            continue
        claim = Claim(moves, same[0].start, same[0].end, p.index, p.clause.sentence, "hint")
        claim.doubt("as_before")
        return [claim]
    return []


def role_alone(text: Text, parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """«Буратино», «папой Карло хочу»: a role's name without a nick asks for the role, where the ruleset says so."""
    action = sender.words.settings.get("role_alone")
    if action is not None and (labelled := _idle_role(parsed, sender)) is not None:
        return [labelled]
    if action is None or any(p.names for p in parsed):
        return []
    wished = [(p, hinted) for p in parsed if (hinted := _role_wished(text, p, sender, action)) is not None]
    if any(hinted for _, hinted in wished):
        wished = [(p, hinted) for p, hinted in wished if hinted]
    if not wished:
        return []
    p, hinted = wished[0]
    claim = Claim((action,), p.roles[0].start, p.roles[-1].end, p.index, p.clause.sentence, "role", subject=p.clause.subject)
    roles = list(dict.fromkeys(hit.meaning.id for p, _ in wished if hinted or p is wished[0][0] for hit in p.roles))
    claim.args["role"] = roles if len(roles) > 1 else roles[0]
    if len(roles) > 1:
        claim.doubt("two_targets")
    if hinted and _unheld(p):
        claim.doubt("unexplained")
    return settle([claim], Scene(text, sender, parsed))


def _role_wished(text: Text, p: Parsed, sender: Sender, action: str) -> bool | None:
    """Whether a clause with a role asks for it by a word («хочу Пьеро»): None where it cannot ask at all («передумал насчёт
    Буратино»)."""
    denied = any(text.found[i].folded in grammar().lists["denying"] for i in p.unexplained)
    if not p.roles or p.clause.stop == "?" or p.clause.quoted or denied:
        return None
    mine = {h.meaning.id for h in p.roles} & set(sender.known.roles)
    if mine or p.clause.has("concede", "judged", "unsure", "past", "withdraw"):
        return None
    if any(claim.actions[0] == "cancel" for claim in p.claims):
        return None
    hinted = any(action in hit.meaning.id for hit in p.clause.kinds("hint"))
    return hinted if hinted or not _unheld(p) else None


def _unheld(p: Parsed) -> list[int]:
    """The words of a clause that nothing explains, its hints, numbers and «или» left out."""
    held = {i for kind in ("hint", "number") for h in p.clause.kinds(kind) for i in range(h.start, h.end)}
    held |= {h.start for h in p.clause.marks("either")}
    return [i for i in p.unexplained if i not in held]


def _idle_role(parsed: list[Parsed], sender: Sender) -> Claim | None:
    """«Папа Карло: Анна»: a role that has no move, named like one that has (goldenkey R21)."""
    for p, behind in pairwise(parsed):
        idle = [hit for hit in p.roles if not sender.words.roles[hit.meaning.id].actions and hit.start == p.clause.start]
        if idle and p.clause.closer in LABEL_SIGNS and behind.free and not behind.verbs:
            claim = Claim((sender.words.settings["role_alone"],), idle[0].start, idle[0].end, p.index, p.clause.sentence, "role")
            claim.args["role"] = idle[0].meaning.id
            claim.doubt("unclear")
            return claim
    return None


def without_unknown_moves(claims: list[Claim], text: Text, parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """«Ход: гипноз — Вера»: each command in the set form whose move is nobody's is refused (mafialife R185); its nick is no
    order of its own. In freer words («Ход: гипнотизирую Веру») it is a question."""
    if "unknown_move" not in sender.words.reasons or not sender.moves:
        return claims
    for label, named in pairwise(parsed):
        if not _in_set_form(text, label, named):
            continue
        rest = parsed[named.index + 1 : named.index + 2]
        behind = [p for p in rest if p.clause.sentence == named.clause.sentence and p.clause.opener in LABEL_SIGNS]
        if any(p.claims or len(p.free) > 1 or (p.unexplained and p.free) for p in behind):
            continue
        places = [named.index, *(p.index for p in behind)]
        made = Claim(sender.moves, label.clause.start, named.clause.end, label.index, label.clause.sentence, "hint")
        made.targets = [target_of(name, None, sender, sender.spec(made)) for p in behind for name in p.free]
        made.refusal = "unknown_move"
        claims = [*(claim for claim in claims if claim.clause not in places), made]
    return claims


def _in_set_form(text: Text, label: Parsed, named: Parsed) -> bool:
    """«Ход: …» with one word behind it that names no move, as a move is named: a noun, an infinitive, or no known word."""
    words = [text.found[i].folded for i in range(label.clause.start, label.clause.end) if text.found[i].kind == "w"]
    if words != [_SET_FORM] or label.clause.closer not in LABEL_SIGNS or label.clause.subject:
        return False
    if named.clause.sentence != label.clause.sentence or named.claims or named.free or named.clause.stop == "?":
        return False
    if len(named.unexplained) != 1 or named.clause.kinds("mark"):
        return False
    known = facts(text.found[named.unexplained[0]].folded)
    return not known.forms & {"first", "second", "third", "past"}


def _under_a_story(parsed: list[Parsed], sender: Sender, story: str) -> list[Claim]:
    """«Сегодня я пришла за Фомой» above a story: a nick, and a move in no known words."""
    moves = [action for action in sender.defaults if sender.words.actions[action].story] if story else []
    for p in parsed if moves else ():
        names = [name for name in p.free if name.kind == "nick" and name.seats != {sender.seat}]
        if names and p.clause.stop != "?" and not p.clause.quoted:
            claim = Claim((moves[0],), names[0].start, names[0].start, p.index, p.clause.sentence, "nick")
            claim.targets = [target_of(names[0], None, sender, sender.spec(claim))]
            claim.args["story"] = story
            claim.doubt("no_action")
            return [claim]
    return []


def _somebody_named(parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """A letter of nothing but a nick, from one who has several moves or none: what shall be done?"""
    said = [p for p in parsed if not p.silent]
    if len(said) != 1 or not said[0].free or said[0].verbs or said[0].clause.stop == "?" or len(said[0].unexplained) > 1:
        return []
    p = said[0]
    moves = sender.moves or sender.somehow()
    if not moves or all(name.seats == {sender.seat} for name in p.free):
        return []
    claim = Claim(moves[:1], p.free[0].start, p.free[0].end, p.index, p.clause.sentence, "nick")
    claim.targets = [target_of(name, None, sender, sender.spec(claim)) for name in p.free[:1]]
    claim.doubt("no_action")
    return [claim]
