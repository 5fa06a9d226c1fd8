"""What a player wrote and what was understood: the types between the reader of texts and the engine.

The reader itself lives in ``forumbot.reading``; it is handed to the scenario runner and to the daemon alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from engine.model import NOTHING, Data, Seat

BOOK_ACTIONS = ("signup", "unsignup")
"""Actions of the reading that concern the host's book only; the engine never sees them."""
READING_ACTIONS = (*BOOK_ACTIONS, "pass", "cancel")
READING_REFUSALS = (
    "unknown_nick", "public_only", "private_only", "not_highlighted", "edited", "conditional", "not_playing", "late",
)  # fmt: skip
"""Reasons for which the reader of texts refuses orders by itself, besides those that a ruleset lists."""

Kind = Literal["post", "letter", "pm"]
Result = Literal["accepted", "review", "ignored", "rejected"]


@dataclass(frozen=True, slots=True)
class Message:
    """A forum post, a letter or a private message as it came, with what the channel knows about it."""

    kind: Kind
    author: str
    """The seat where the author plays, else the account's nick."""
    text: str
    subject: str | None = None
    format: Literal["bbcode", "html", "plain"] = "bbcode"
    at: datetime | None = None
    """The forum's or mail server's time."""
    edited: bool = False
    signup: bool = False
    """The post stands in the sign-up thread."""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Words a verdict rests on: offsets into the message's own plain text (``Verdict.text``)."""

    start: int
    end: int
    what: str
    """"action", "target", "arg" or "doubt"."""


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """One order as read. ``status``: accepted, review or rejected; ``reason`` an id of the rules or of the reading."""

    action: str
    targets: tuple[Seat, ...] = ()
    args: Data = field(default_factory=lambda: NOTHING)
    status: Result = "accepted"
    reason: str | None = None
    spans: tuple[Span, ...] = ()
    rule: str = ""
    by_rules: bool = False
    """Refused by the engine's own tests: whoever carries the message out hands it to ``receive`` all the same, so that
    what the rules say of a refusal (a notice, a warning) follows."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A word of a message and the class that explains it: offsets into ``Verdict.text``."""

    start: int
    end: int
    by: str
    """"action:<id>", "nick:<seat>", "role:<id>", an argument's kind, the id of a class of everyday words, "taught" or "aside"."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one message. For ``review`` the orders are the candidate readings; none may be carried out yet."""

    outcome: Result
    reason: str | None = None
    orders: tuple[ReadOrder, ...] = ()
    text: str = ""
    """The author's own words that were read (quotes, signatures out), which the spans point into."""
    rule: str = ""
    words: int | None = None
    """How many words of his own the author of a post wrote (clans R92); None where nobody counted."""
    for_host: bool = False
    """The message, or a part of it, is for a person: a question, a complaint, a wish to leave, a report."""
    readings: tuple[tuple[ReadOrder, ...], ...] = ()
    """Of what is open (``review``) the complete readings that could be meant, the likeliest first: each is the orders that
    would stand, as ``accepted``. Orders of a mixed letter that stand already are not among them."""
    unexplained: tuple[Span, ...] = ()
    """Words in the clause of an order that no class explains (``what`` is "unknown"): what a host may teach."""
    explained: tuple[Explained, ...] = ()
    """Every word that was understood, and by what."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the reader may know of the sender from the game; everything has a "nothing known" value."""

    player: Seat
    alive: bool = True
    roles: tuple[str, ...] = ()
    """Roles he holds or acts in now; the first is his own."""
    faction: str | None = None
    clan: tuple[Seat, ...] = ()
    """Team mates he may name or write for, himself included."""
    dead: frozenset[Seat] = frozenset()
    night: int | None = None
    more: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    """Whatever a ruleset's vocabulary needs besides (prior_vote, captive, maniacs_left, ...)."""


class Reader(Protocol):
    """Reads one message in the light of a game; never raises on any text."""

    def read(self, ruleset: Any, game: Any, message: Message) -> Verdict: ...
