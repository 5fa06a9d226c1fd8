"""Whose letter is it, and for which game: by forum account or proven address, never by a shown name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from forumbot.hosting.core import seating
from forumbot.hosting.core.evidence import Deed, Evidence, May, may, of_letter
from forumbot.hosting.core.seating import Holder
from forumbot.hosting.people import whereabouts
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import letters

_HALF = "[A-Z2-9]{4}"
_CODE = re.compile(rf"\b({_HALF})\s?[-‐-―]\s?({_HALF})\b", re.IGNORECASE)
_CODE_SHAPE = re.compile(r"\b[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}\b")
_TAG = re.compile(r"\[([a-z0-9][a-z0-9_-]{0,30})\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Route:
    """Where a letter belongs. ``how``: by which evidence, or code, unbind (asked by PM); or why nowhere: unknown_sender,
    which_game, shared, old_code, robot."""

    how: str
    game_id: str | None = None
    holder: Holder | None = None
    games: tuple[str, ...] = ()
    ended: tuple[str, Holder] | None = None
    """Game and player whose code the letter brings, too late."""


def route(connection: sa.Connection, row: Row, *, accept_unproven: bool) -> Route:
    """The route of one stored letter among the games that are not over. ``accept_unproven``: as for ``evidence.may``."""
    doubtful = row["kind"] in ("auto_reply", "bounce") and "robot_doubtful" in row["problems"]
    if row["kind"] not in ("letter", "empty") and not doubtful:
        return Route("robot")
    if row["channel"] == "pm":
        return _choose("uid", whereabouts.of_uid(connection, row["sender_uid"]), row["subject"])
    brought = of_letter(row)
    if doubtful:  # a player's words may stand in it, a stranger's are nobody's: and none of them is answered
        return _of_doubtful_robot(connection, row, brought, accept_unproven=accept_unproven)
    proof = _proof(connection, row)
    if proof is not None:
        # A code that came in a letter of somebody else's may be known to him: it proves nothing, and nothing again.
        return proof if brought is not Evidence.MAIL_DENIED else Route(Evidence.NOTHING, proof.game_id, proof.holder)
    having = whereabouts.of_address(connection, row["sender"])
    if any(len(holders) > 1 for holders in having.values()):
        return Route(Evidence.SHARED)
    if may(brought, Deed.MOVE, accept_unproven=accept_unproven) is May.YES:
        brought = Evidence.MAIL_PROVEN
    found = _choose(brought, whereabouts.alone(having), row["subject"])
    if found.how != Evidence.NOTHING or not _CODE_SHAPE.search(row["text"]):
        return found
    return Route("old_code", ended=_of_code(connection, row, ended=True))


def _of_doubtful_robot(connection: sa.Connection, row: Row, brought: Evidence, *, accept_unproven: bool) -> Route:
    """The route of a letter that looks like a robot's and may be a player's: by an address that is one player's alone."""
    having = whereabouts.of_address(connection, row["sender"])
    if any(len(holders) > 1 for holders in having.values()):
        return Route("robot")
    if may(brought, Deed.MOVE, accept_unproven=accept_unproven) is May.YES:
        brought = Evidence.MAIL_PROVEN
    found = _choose(brought, whereabouts.alone(having), row["subject"])
    return found if found.holder is not None else Route("robot")


def without_codes(text: str) -> str:
    """A text for eyes that no code is for: an observer of the desk must not become a player."""
    return _CODE_SHAPE.sub("••••-••••", text)


def code_places(text: str) -> list[tuple[int, int]]:
    """Where codes stand in a text, in every spelling: no half of one may be shown as a word of its own."""
    return [found.span() for found in _CODE.finditer(text)]


_ANYWHERE = re.compile(rf"(?=({_HALF})\s?[-‐-―]\s?({_HALF}))", re.IGNORECASE)


def without_live_codes(connection: sa.Connection, text: str) -> str:
    """The same for codes that prove something still, in every spelling in which ``route`` knows them, also inside a word."""
    found = [(place.start(1), place.end(2), f"{place[1]}-{place[2]}".casefold().upper()) for place in _ANYWHERE.finditer(text)]
    live = seating.living_codes(connection, {code for *_, code in found}) if found else ()
    pieces, at = [], 0
    for start, end, code in found:
        if code in live and start >= at:
            pieces += [text[at:start], "••••-••••"]
            at = end
    return "".join([*pieces, text[at:]])


_UNROUTED = Prepared(
    sa.select(letters.c.id).where(letters.c.routed.is_(None)).order_by(letters.c.received_at, letters.c.id)
)


def unrouted(connection: sa.Connection) -> Sequence[int]:
    """The rows of letters that have not been routed yet, in the order of their arrival at the server."""
    return _UNROUTED.values(connection)


def _choose(how: str, found: Mapping[str, Holder | None], subject: str) -> Route:
    mine = {game_id: holder for game_id, holder in found.items() if holder is not None}
    if not mine:
        return Route("unknown_sender")
    named = {tag.casefold() for tag in _TAG.findall(subject)} & set(mine)
    if len(named) == 1 or len(mine) == 1:
        game_id = next(iter(named or mine))
        return Route(how, game_id, mine[game_id])
    return Route("which_game", games=tuple(sorted(mine)))


def _proof(connection: sa.Connection, row: Row) -> Route | None:
    """A letter that holds somebody's code proves that its sender reads that forum account's private messages."""
    found = _of_code(connection, row, ended=False)
    return None if found is None else Route("proof", *found)


def _of_code(connection: sa.Connection, row: Row, *, ended: bool) -> tuple[str, Holder] | None:
    """Game and player whose code the letter holds; ``ended``: whether the code had lived its time when the letter came."""
    codes = {f"{a}-{b}".upper() for a, b in _CODE.findall(f"{row['subject']}\n{row['text']}")}
    for game_id, holder in whereabouts.of_codes(connection, codes):
        over = holder.code_until is not None and row["received_at"] > holder.code_until
        if over == ended:
            return game_id, holder
    return None
