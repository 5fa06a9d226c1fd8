"""The wishes of a letter: its clauses read, its story set aside, all settled."""

from __future__ import annotations

from itertools import pairwise

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import LABEL_SIGNS, Text
from forumbot.reading.discourse.course import Course
from forumbot.reading.discourse.walk import walk
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.lost import lost
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.remarks import tell_apart
from forumbot.reading.settling.order import settle
from forumbot.reading.slots import target_of
from forumbot.reading.story import give, where_it_begins
from forumbot.reading.team import team_moves

_SHORT = 4
"""Words of a sentence that can mean a move by pointing at an earlier one."""


def letter_claims(text: Text, parsed: list[Parsed], sender: Sender, *, plain_post: bool = False) -> list[Claim]:
    """The wishes of a letter, or of a thread that asks for no colour; corrections carried out."""
    told = sender.words.settings.get("stories", False)
    begin, story = where_it_begins(text, parsed, sender) if told else (len(text.sentences), "")
    alone = _alone(sender) if not plain_post else ""
    claims = walk(Course(text, sender, parsed, lambda _clause: True, alone), begin)
    tell_apart(claims, text, parsed, sender)
    claims = team_moves(claims, text, parsed, sender)
    inside = [p for p in parsed if p.clause.sentence < begin]
    claims = settle(claims, Scene(text, sender, inside, plain_post=plain_post))
    give(claims, story, sender)
    claims += _story_alone(claims, parsed, sender, begin, story)
    if not plain_post:
        _bare(claims, sender)
        claims = claims or _as_before(inside, sender) or _role_alone(text, inside, sender) or _unknown_move(text, inside, sender)
        claims = claims or _under_a_story(inside, sender, story) or _somebody_named(inside, sender) or lost(text, inside, sender)
        claims += _labelled(claims, inside, sender)
    return claims


def _labelled(claims: list[Claim], parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """«Бью Анну», and «на закуску: Борис» in a line of its own: a nick behind a label that no order takes is asked about."""
    moves = sender.defaults[:1] or _own_moves(sender)[:1] or _vote(sender)
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
        claim = Claim(moves, name.start, name.start, p.index, p.clause.sentence, "nick")
        claim.targets = [target_of(name, None, sender, sender.spec(claim))]
        claim.doubt("no_action")
        return [claim]
    return []


def _story_alone(claims: list[Claim], parsed: list[Parsed], sender: Sender, begin: int, story: str) -> list[Claim]:
    """A story that no order of the letter takes, of a role whose deed is told in a letter of its own (league R83: the mercenary
    tells the contract's story behind the word that the work is taken, or alone)."""
    deed = sender.words.settings.get("story_alone")
    taken = any("story" in claim.args for claim in claims)
    if not story or taken or deed not in sender.owned or any(claim.actions[0] != "accept_work" for claim in claims):
        return []
    p = next((p for p in parsed if p.clause.sentence >= begin), parsed[-1])
    return [Claim((deed,), p.clause.start, p.clause.end, p.index, p.clause.sentence, "noun", args={"story": story})]


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
        moves = sender.defaults[:1] or _own_moves(sender) or _vote(sender)
        if not moves:
            continue
        claim = Claim(moves, same[0].start, same[0].end, p.index, p.clause.sentence, "hint")
        claim.doubt("as_before")
        return [claim]
    return []


def _role_alone(text: Text, parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """«Буратино», «папой Карло хочу»: a role's name without a nick asks for the role, where the ruleset says so."""
    action = sender.words.settings.get("role_alone")
    if action is not None and (labelled := _idle_role(parsed, sender)) is not None:
        return [labelled]
    if action is None or any(p.names for p in parsed):
        return []
    for p in parsed:
        hinted = any(action in hit.meaning.id for hit in p.clause.kinds("hint"))
        if any(text.found[i].folded in ("не", "ни") for i in p.unexplained):
            continue
        if (
            p.clause.has("concede", "judged", "unsure", "past")
            or not p.roles
            or p.clause.stop == "?"
            or p.clause.quoted
            or {h.meaning.id for h in p.roles} & set(sender.known.roles)
        ):
            continue
        held = {i for kind in ("hint", "number") for h in p.clause.kinds(kind) for i in range(h.start, h.end)}
        held |= {h.start for h in p.clause.marks("either")}
        if [i for i in p.unexplained if i not in held and not hinted]:
            continue
        claim = Claim((action,), p.roles[0].start, p.roles[-1].end, p.index, p.clause.sentence, "role", subject=p.clause.subject)
        roles = list(dict.fromkeys(hit.meaning.id for hit in p.roles))
        claim.args["role"] = roles if len(roles) > 1 else roles[0]
        if len(roles) > 1:
            claim.doubt("two_targets")
        if hinted and [i for i in p.unexplained if i not in held]:
            claim.doubt("unexplained")
        return settle([claim], Scene(text, sender, parsed))
    return []


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


def _unknown_move(text: Text, parsed: list[Parsed], sender: Sender) -> list[Claim]:
    """«Ход: гипноз - Вера»: a command in the set form whose move is nobody's (mafialife R185)."""
    if "unknown_move" not in sender.words.reasons:
        return []
    moves = _own_moves(sender)
    for p, behind in pairwise(parsed):
        label = [text.found[i].folded for i in range(p.clause.start, p.clause.end) if text.found[i].kind == "w"]
        known = behind.clause.sentence == p.clause.sentence and not behind.claims and not behind.free
        if label != [_SET_FORM] or p.clause.closer not in LABEL_SIGNS or p.clause.subject or not known or not moves:
            continue
        if behind.clause.stop == "?" or len(behind.unexplained) != 1 or behind.clause.kinds("mark"):
            continue
        claim = Claim(moves, p.clause.start, behind.clause.end, p.index, p.clause.sentence, "hint")
        claim.refusal = "unknown_move"
        return [claim]
    return []


_SET_FORM = "ход"


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
    moves = _own_moves(sender) or _vote(sender)
    if not moves or all(name.seats == {sender.seat} for name in p.free):
        return []
    claim = Claim(moves[:1], p.free[0].start, p.free[0].end, p.index, p.clause.sentence, "nick")
    claim.targets = [target_of(name, None, sender, sender.spec(claim)) for name in p.free[:1]]
    claim.doubt("no_action")
    return [claim]


def _vote(sender: Sender) -> tuple[str, ...]:
    spec = sender.words.actions.get("vote")
    return ("vote",) if spec is not None and spec.channel != "post" else ()


def _own_moves(sender: Sender) -> tuple[str, ...]:
    roles = [sender.words.roles[role] for role in sender.known.roles if role in sender.words.roles]
    return tuple(dict.fromkeys(action for role in roles for action in role.actions))


def _alone(sender: Sender) -> str:
    """The action that a nick alone means in a letter: the sender's one move."""
    return sender.defaults[0] if sender.defaults else ""


def _bare(claims: list[Claim], sender: Sender) -> None:
    """Nicks alone give way to any order of the letter; by themselves they are a question where the ruleset says so."""
    for claim in claims:
        if claim.form == "intent" and len(claim.actions) > 1:
            claim.doubt("no_action")
    hard = [claim for claim in claims if claim.form != "nick" and (claim.targets or claim.refusal)]
    if hard:
        claims[:] = [claim for claim in claims if claim.form != "nick"]
    elif sender.words.settings.get("bare_nick_in_letters") != "accepted":
        for claim in claims:
            if claim.form == "nick":
                claim.doubt("no_action")
