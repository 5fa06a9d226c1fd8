"""What each kind of evidence proves of who wrote, and what it may do: one table, asked by everything that acts on a message.

A shown name proves nothing anywhere. The game's secrets go to proven places alone; what is only likely waits for the host or
for the player's word by another way.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from forumbot.store.prepared import Row


class Evidence(StrEnum):
    """How it is known who wrote."""

    POST = "uid_post"
    """A forum account, as the forum shows it beside a post."""
    PM = "uid"
    """A forum account, as the forum shows it beside a private message."""
    MAIL_PROVEN = "address"
    """A letter from a proven address, for whose origin our mail server vouches (aligned DMARC or its like)."""
    MAIL_UNPROVEN = "unproven"
    """A letter that names a proven address as its sender; nobody vouches for it and nobody denies it."""
    MAIL_DENIED = "denied"
    """The same, and our mail server says that it does not come from there."""
    CODE = "proof"
    """A letter with the code that was sent to the account by PM, once, within its time."""
    SHARED = "shared"
    """A letter from an address that several players have: it names none of them."""
    HOST = "host"
    """The host's word, an act at the desk or by command."""
    NOTHING = "unknown_sender"
    """A sender whom no game knows."""


class Deed(StrEnum):
    """What somebody may do to a game by writing."""

    MOVE = "move"
    """Vote, act and buy; where each counts (thread or letter) the rules say."""
    ASK = "ask"
    """Be told again what he was told; the answer goes to the account or the proven address, never to where a letter says."""
    TELL = "tell"
    """Reach the host with a question, a complaint, a wish to leave."""
    BIND = "bind"
    """Make an address a player's."""
    REPLY = "reply"
    """Get an answer of the program at all; none goes where it could strike somebody whose name was forged."""


class May(StrEnum):
    """``REVIEW``: it waits for the host, or for the player's word by another way."""

    YES = "yes"
    REVIEW = "review"
    NO = "no"


_Y, _R, _N = May.YES, May.REVIEW, May.NO
TABLE: Mapping[Evidence, Mapping[Deed, May]] = {
    evidence: dict(zip(Deed, row, strict=True))
    for evidence, row in {
        #                      move ask tell bind reply
        Evidence.POST:          (_Y, _N, _Y, _N, _Y),
        Evidence.PM:            (_Y, _Y, _Y, _N, _Y),
        Evidence.MAIL_PROVEN:   (_Y, _Y, _Y, _N, _Y),
        Evidence.MAIL_UNPROVEN: (_R, _Y, _Y, _N, _Y),
        Evidence.MAIL_DENIED:   (_R, _N, _Y, _N, _N),
        Evidence.CODE:          (_Y, _Y, _Y, _Y, _Y),
        Evidence.SHARED:        (_N, _N, _Y, _N, _Y),
        Evidence.HOST:          (_Y, _N, _Y, _Y, _N),
        Evidence.NOTHING:       (_N, _N, _Y, _N, _Y),
    }.items()
}  # fmt: skip
"""Evidence -> deed -> whether it may."""


def may(evidence: Evidence, deed: Deed, *, accept_unproven: bool = False) -> May:
    """Whether this evidence is enough. ``accept_unproven``: the host has taken the risk (setting ``unproven``) that whoever
    can write a sender's line moves for that player, so that a letter nobody vouches for counts like a proven one."""
    if evidence is Evidence.MAIL_UNPROVEN and accept_unproven:
        evidence = Evidence.MAIL_PROVEN
    return TABLE[evidence][deed]


def of_letter(row: Row) -> Evidence:
    """What a stored letter or PM brings for itself, before anybody looks whose address it is."""
    if row["channel"] == "pm":
        return Evidence.PM
    return {"pass": Evidence.MAIL_PROVEN, "fail": Evidence.MAIL_DENIED}.get(row["auth"], Evidence.MAIL_UNPROVEN)
