"""What the players of the demo do: a message, and what its author meant by it. The meaning is decided first, the words after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Channel = Literal["post", "pm", "letter"]
Means = Literal["order", "void", "doubt", "nothing"]
"""``order``: the wishes hold, the engine decides whether they are allowed; ``void``: wishes whose form the rules refuse
(no colour, edited, nobody of that name); ``doubt``: a careful host has to ask; ``nothing``: no wish at all."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One structured order as its author means it."""

    action: str
    targets: tuple[str, ...] = ()
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Saying:
    """A message that an actor will send at ``at`` or soon after; times are the virtual clock's.

    ``edit``: a text that replaces the post's later, at ``edit_at``. Once sent, ``sent`` is the moment that the forum or the
    mail server gave it, ``source`` what it is called there.
    """

    author: str
    at: datetime
    channel: Channel
    text: str
    means: Means = "nothing"
    wishes: tuple[Wish, ...] = ()
    subject: str = "ход"
    topic: Literal["day", "signup"] = "day"
    quote_of: str | None = None
    """Quotes the latest post of this player in front of the text."""
    edit: str | None = None
    edit_at: datetime | None = None
    robot: bool = False
    """Written by the author's mail program."""
    outsider: bool = False
    """By somebody who does not play (a forum account or an address nobody knows)."""
    sent: datetime | None = None
    edited: datetime | None = None
    source: str = ""
    turn: int = -1
