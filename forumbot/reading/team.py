"""Letters of a team: who of it carries a move out, whose role a line is about, and the list of its roles (goldenkey)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.clauses.clause import LABEL_SIGNS, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.parsing.parsed import Parsed

_BETWEEN = LABEL_SIGNS | {")", "("}


def team_moves(claims: list[Claim], text: Text, parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """The claims with their performers; lists of roles put together."""
    table = sender.words.settings.get("performer")
    if table is None:
        return [claim for claim in claims if not claim.behind]
    mine = bool(set(sender.known.roles) & set(table["roles"])) or sender.known.faction == table["faction"]
    if mine:
        for claim in claims:
            _named_holder(claim, text, sender, table)
        claims = _with_performers(claims, text, parsed, sender, table)
        _own_line(claims, sender, table)
        for claim in claims:
            if claim.actions[0] == table["action"]:
                _perform(claim, text, parsed[claim.clause], sender, table)
    return _role_list(claims, parsed, sender)


def _own_line(claims: Sequence[Claim], sender: Sender, table: Mapping[str, Any]) -> None:
    """«…, а я стерегу Анну» in a letter with the lines of other roles: the writer's role is told, too."""
    if not any(claim.role in table["roles"] and claim.role not in sender.known.roles for claim in claims):
        return
    for claim in claims:
        own = [r for r in sender.known.roles if r in sender.words.roles and claim.actions[0] in sender.words.roles[r].actions]
        if claim.role is None and own and "acting_role" in sender.spec(claim).args and claim.actions[0] != table["action"]:
            claim.role = claim.args["role"] = own[0]


def _named_holder(claim: Claim, text: Text, sender: Sender, table: Mapping[str, Any]) -> None:
    """ROLE HOLDER: TARGET, KILLER (HOLDER): TARGET (goldenkey D60): the nick before the sign holds the role."""
    if len(claim.targets) != 2 or not (claim.by_role or claim.actions[0] == table["action"]):
        return
    first, second = claim.targets
    between = text.found[first.end : second.start]
    holder = single(first)
    if not any(token.folded in _BETWEEN for token in between) or any(token.kind == "w" for token in between):
        return
    if holder not in sender.known.clan or not _may_hold(holder, claim, sender, table):
        return
    claim.targets = [second]
    claim.doubts = [doubt for doubt in claim.doubts if doubt != "two_targets"]
    if claim.actions[0] == table["action"]:
        claim.performer = first


def _may_hold(holder: str | None, claim: Claim, sender: Sender, table: Mapping[str, Any]) -> bool:
    """Whether the game knows nobody else as the role's holder."""
    if claim.role == table["role"] or claim.role is None:
        return True
    holders = sender.known.more.get("holders") or {}
    return claim.role in table["roles"] and holders.get(claim.role, holder) == holder


def _with_performers(
    claims: list[Claim], text: Text, parsed: Sequence[Parsed], sender: Sender, table: Mapping[str, Any]
) -> list[Claim]:
    """«Киллером сегодня Дрозд, убивает Игната»: the performer's line and the move behind it are one order."""
    kept: list[Claim] = []
    for claim in claims:
        last = kept[-1] if kept else None
        names = last is not None and last.by_role and last.role == table["role"] and len(last.targets) == 1
        names = names or (last is not None and _acts_alone(last, claim, table))
        kills = claim.actions[0] == table["action"] and bool(claim.targets)
        if last is not None and names and kills and _goes_on(last, claim):
            claim.performer, claim.role = last.targets[0], last.role
            kept.pop()
        elif last is not None and kills and _says_i_go(last, claim, text, parsed, table):
            claim.performer = Target((sender.seat,), last.start, last.end, kind="self")
            kept.pop()
        kept.append(claim)
    return kept


def _goes_on(last: Claim, claim: Claim) -> bool:
    """In one sentence; «Киллер - я» may stand in one before the target's, too."""
    return claim.sentence == last.sentence or (last.targets[0].kind == "self" and claim.sentence == last.sentence + 1)


def _says_i_go(last: Claim, claim: Claim, text: Text, parsed: Sequence[Parsed], table: Mapping[str, Any]) -> bool:
    """«на убийство иду я, убить Лютика»: the move's name with who goes, and behind it whom."""
    bare = last.actions[0] == table["action"] and not last.targets and not last.talk and last.sentence == claim.sentence
    return bare and _goes_himself(text, parsed[last.clause])


def _acts_alone(last: Claim, claim: Claim, table: Mapping[str, Any]) -> bool:
    """«Убивает Rex, жертва Семён»: who kills, and behind it whom."""
    kills = last.actions[0] == table["action"] and last.form == "third" and last.role in (None, table["role"])
    return kills and len(last.targets) == 1 and claim.form in ("noun", "hint") and claim.clause == last.clause + 1


def _perform(claim: Claim, text: Text, p: Parsed, sender: Sender, table: Mapping[str, Any]) -> None:
    """Who carries out the move that a team gives to one of its members (goldenkey R17): named by his nick, by his role, or
    the writer himself where he speaks of himself."""
    if claim.role == table.get("crew"):
        claim.role = None  # «Злодеи убивают Зубра»
    if claim.role in table["roles"]:
        claim.performer_role, claim.role = claim.role, None  # «Карабас убивает Киру»
    if claim.role not in (None, table["role"]):
        return
    claim.role = claim.args["role"] = table["role"]
    performer = claim.performer or _subject(claim, p, text)
    holder = (sender.known.more.get("holders") or {}).get(claim.performer_role)
    if performer is not None and single(performer) is not None:
        claim.args[table["arg"]] = single(performer)
        claim.performer = performer
    elif holder is not None:
        claim.args[table["arg"]] = holder
        claim.performer = Target((holder,), claim.start, claim.end)
    elif performer is None and claim.performer_role is None and (claim.form == "first" or _goes_himself(text, p)):
        claim.args[table["arg"]] = sender.seat
    else:
        claim.doubt("no_performer")


def _subject(claim: Claim, p: Parsed, text: Text) -> Target | None:
    if p.subject is not None:
        return Target(tuple(p.subject.seats), p.subject.start, p.subject.end, len(p.subject.seats) == 1)
    if len(claim.targets) != 2 or claim.form != "third":
        return None
    first, second = claim.targets
    names = {name.start: name for name in p.names}
    acts = first.start in names and all("nomn" in c.cases for c in names[first.start].candidates)
    hit = second.start in names and all("nomn" not in c.cases for c in names[second.start].candidates)
    if acts and hit:
        claim.targets = [second]
        return first
    return None


def _goes_himself(text: Text, p: Parsed) -> bool:
    """«на убийство иду я», «киллер - я»."""
    words = [text.found[i].folded for i in range(p.clause.start, p.clause.end)]
    goes = bool(set(words) & grammar().lists["i_go"])
    return "не" not in words and (goes or "я" in words)


def _role_list(claims: list[Claim], parsed: Sequence[Parsed], sender: Sender) -> list[Claim]:
    """Role names beside the writer's team mates only: a list of who plays what, and no moves (goldenkey R19).

    A whole list may stand in one letter with moves (D56). One that names somebody of another team is a question: a list
    with a slip of the pen, or moves. So is part of a list, but only while roles are shared out: after the first night
    some roles beside team mates are moves.
    """
    table = sender.words.settings.get("role_list")
    if table is None:
        return claims

    def lists(claim: Claim) -> bool:
        return claim.by_role and claim.role in table["roles"] and len(claim.targets) == 1

    heading = any(claim.actions[0] == table["action"] for claim in claims)
    moves = any(claim.targets and not lists(claim) for claim in claims)
    if (sender.known.night or 1) > 1 and moves and not heading:
        return [claim for claim in claims if not claim.behind]  # beside a move they are moves: the roles are shared out
    if moves and not heading and set(sender.known.clan) >= set(sender.roster.seats):
        return [claim for claim in claims if not claim.behind]  # of a team that nobody knows, beside a killer's move
    size = len(table["roles"])
    for at in range(len(claims) - size + 1):
        part = claims[at : at + size]
        if not all(map(lists, part)) or len({claim.role for claim in part}) < size:
            continue
        strangers = sum(single(claim.targets[0]) not in sender.known.clan for claim in part)
        if not strangers:
            rest = [c for c in (*claims[:at], *claims[at + size :]) if c.actions[0] != table["action"] or c.targets]
            return [*rest, _listing(part, table)]
        if strangers == 1:
            for claim in part:
                claim.doubt("ambiguous_action")
            return claims
    return _part_of_a_list(claims, table, sender, lists)


def _part_of_a_list(claims: list[Claim], table: Mapping[str, Any], sender: Sender, lists: Any) -> list[Claim]:
    named = [claim for claim in claims if lists(claim)]
    headings = [claim for claim in claims if claim.actions[0] == table["action"]]
    if headings and named:
        for claim in (*headings, *named):
            claim.doubt("incomplete")
        return claims
    mates = all(single(claim.targets[0]) in sender.known.clan for claim in named)
    fixed = (sender.known.night or 1) > 1 and not any(claim.behind for claim in named)
    if len(named) < 2 or not mates or fixed or any(claim.targets and claim not in named for claim in claims):
        return [claim for claim in claims if not claim.behind]
    made = _listing(named, table)
    made.doubt("incomplete")
    return [made]


def _listing(named: Sequence[Claim], table: Mapping[str, Any]) -> Claim:
    """One claim for a list of roles."""
    first = named[0]
    made = Claim((table["action"],), first.start, first.end, first.clause, first.sentence, subject=first.subject)
    made.targets = [claim.targets[0] for claim in named]
    made.args[table["arg"]] = [claim.role for claim in named]
    made.unexplained = [i for claim in named for i in claim.unexplained]
    return made


def single(target: Target) -> str | None:
    """The one seat that a target surely means, or None."""
    return target.seats[0] if len(target.seats) == 1 and target.sure else None
