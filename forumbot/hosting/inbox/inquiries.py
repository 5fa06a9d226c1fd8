"""Players may ask again: what a player has been told, has, may do and must know is answered at once, from his own game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adapters.markup import html_runs, own_text
from engine.messages import Message, Reader
from engine.model import Seat
from engine.turn import Pockets, Ranked
from forumbot.hosting.core import activity, counting, record
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.hosting.people import memory
from forumbot.reading.requests import Requests, requests
from forumbot.store.tables import deadlines
from forumbot.writing.howto import EVERYONE, Example
from forumbot.writing.writer import Writer

TRIED = 6
"""So many players an example is tried on, until the rules take it."""
_STATUS = ("lives", "money", "things", "activity", "moves", "deadline")
"""What the one word «статус» asks for."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One player's question, with all that an answer needs."""

    connection: sa.Connection
    row: GameRow
    match: Match
    """The match in whose light it is answered."""
    eve: bool
    """Whether that match is the one before a deadline whose newspaper nobody has seen."""
    seat: Seat
    names: Mapping[Seat, str]
    reader: Reader
    writer: Writer
    at: datetime
    """When it was asked."""


def asked(message: Pending, nicks: Sequence[str] = ()) -> Requests:
    """What a letter or PM asks besides moves; a post asks the bot nothing."""
    if message.channel == "post":
        return Requests()
    return requests(own(message), message.subject or "", nicks)


def own(message: Pending) -> str:
    """The author's own words."""
    return own_text(html_runs(message.text)) if message.markup == "html" else message.text


def answer(asking: Asking, kinds: Sequence[str]) -> Mapping[str, Any]:
    """The facts that are asked for; what is not asked, or is none of his, is empty."""
    wanted = {*kinds, *(_STATUS if "status" in kinds else ())}
    found = nothing(sorted(wanted))
    found["dues"] = dues(asking.connection, asking.row.id) if "deadline" in wanted else {}
    match, seat = asking.match, asking.seat
    if match.game is None or seat not in match.ruleset.seats(match.game):
        return found
    found["alive"] = seat in match.ruleset.alive(match.game)
    if wanted & {"role", "team", "password"}:
        found |= _told(asking, wanted)
    if "lives" in wanted:
        found["lives"] = match.ruleset.state(match.game)[seat].get("lives")
    if wanted & {"money", "things"} and isinstance(match.ruleset, Pockets):
        found["purse"] = dict(match.ruleset.purse(match.game, seat)) if "money" in wanted else {}
        found["belongings"] = tuple(match.ruleset.belongings(match.game, seat))
        found["has_pockets"] = True
    if "activity" in wanted:
        found["activity"] = activity.of(match, seat, asking.names)
    if "moves" in wanted and found["alive"]:
        found["open"] = [_shown(asking, one) for one in open_moves(asking)]
    if "votes" in wanted:
        found["public_votes"] = "vote" in match.ruleset.spec.public_actions
        found["votes"] = list(counting.count(match, asking.names)) if found["public_votes"] else []
    return found


def dues(connection: sa.Connection, game_id: str) -> dict[str, datetime]:
    """The moments that the game waits for, the next one first: name -> when."""
    mine = deadlines.c.game_id == game_id, deadlines.c.done_at.is_(None), deadlines.c.call.not_in(record.REMINDERS)
    rows = connection.execute(sa.select(deadlines.c.name, deadlines.c.due_at).where(*mine).order_by(deadlines.c.due_at)).all()
    found: dict[str, datetime] = {}
    for name, at in rows:
        found.setdefault(str(name), at)
    return found


def open_moves(asking: Asking) -> list[Example]:
    """The moves that the rules would take from this player in the running turn, each as a letter that gives it: the reader
    and the rules have been asked about every one."""
    match, seat = asking.match, asking.seat
    if match.turn == SETUP_TURN:
        return []
    known = match.ruleset.known(match.game, seat)
    owners = dict.fromkeys((*known.roles, *((known.faction,) if known.faction else ()), EVERYONE))
    found: dict[str, Example] = {}
    for owner in owners:
        for example in _tried(asking, owner, known.clan):
            found.setdefault(example.action, example)
    return list(found.values())


def _tried(asking: Asking, owner: str, mates: Sequence[Seat]) -> list[Example]:
    match, names = asking.match, asking.names
    me = names.get(asking.seat, asking.seat)
    living = [seat for seat in match.ruleset.alive(match.game) if seat != asking.seat]
    others = [seat for seat in living if seat not in mates]
    named = [names.get(seat, seat) for seat in (*others[:TRIED], *(seat for seat in living if seat in mates))]
    found: dict[str, Example] = {}
    for start in range(min(len(named), TRIED + len(mates))):
        turned = [*named[start:], *named[:start]]
        for example in asking.writer.examples(owner, me, turned):
            if example.action not in found and _is_taken(asking, example):
                found[example.action] = example
    return list(found.values())


def _is_taken(asking: Asking, example: Example) -> bool:
    """Whether the rules would take it in this turn, at whatever hour."""
    return _read(asking, example, None) == ""


def _read(asking: Asking, example: Example, at: datetime | None) -> str | None:
    """Empty where the example would be taken as sent at this moment, else the reason against it; None: not this turn."""
    match = asking.match
    message = Message("pm", asking.seat, example.letter, format="plain", at=at, ref="example")
    mine = [one for one in asking.reader.read(match.ruleset, match.game, message).orders if one.action == example.action]
    if any(order.status == "accepted" for order in mine):
        return ""
    return mine[0].reason if mine else None


def _told(asking: Asking, wanted: set[str]) -> dict[str, Any]:
    facts = memory.told(asking.connection, asking.row, asking.seat, eve=asking.eve)
    alive = set(asking.match.ruleset.alive(asking.match.game))
    rules = asking.match.ruleset
    number = rules.ranks(asking.match.game, asking.seat).get(asking.seat, 0) if isinstance(rules, Ranked) else facts.number
    found: dict[str, Any] = {"faction": facts.faction, "number": number}
    if "role" in wanted:
        found |= {"role": facts.role, "night_role": facts.night_role, "night": facts.night}
    if "team" in wanted:
        found["mates"] = [{"nick": asking.names.get(mate, mate), "alive": mate in alive} for mate in facts.mates]
    if "password" in wanted:
        found["passwords"] = facts.passwords
    return found


def _shown(asking: Asking, example: Example) -> dict[str, str]:
    return {"action": example.action, "letter": example.shown, "not_now": _read(asking, example, asking.at) or ""}


def nothing(asked: Sequence[str]) -> dict[str, Any]:
    """An answer that holds nothing yet."""
    return {
        "asked": list(asked),
        "alive": True, "role": "", "night_role": "", "night": 0, "faction": "", "number": 0, "mates": [], "passwords": {},
        "lives": None, "purse": {}, "belongings": (), "has_pockets": False, "activity": None, "open": [], "votes": [],
        "public_votes": False, "dues": {},
    }  # fmt: skip
