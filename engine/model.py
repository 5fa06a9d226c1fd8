"""What every ruleset speaks in: seats, orders, and the events that a rule returns.

A player is a *seat*: an opaque string that never changes inside a game (the nick the player began with). The
application maps seats to the nicks of the day. All types are immutable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Seat = str
Data = Mapping[str, Any]
"""Plain data as JSON knows it (str, int, float, bool, None, lists or tuples, mappings with string keys)."""

WinnerKind = Literal["player", "faction"]
"""What the name of a winner is: a seat, or a faction id. A draw has no kind; a seat may be spelled like either."""

NOTHING: Data = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Order:
    """One structured wish of a player (contract.md). ``ref`` names the input it came from, for "why?"."""

    player: Seat
    action: str
    targets: tuple[Seat, ...] = ()
    args: Data = field(default_factory=lambda: NOTHING)
    at: datetime | None = None
    """When the forum or mail server took the message; None in a scenario without times."""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that followed from an input. ``rule`` is the rule's number ("R47"), ``refs`` the orders it rests on."""

    rule: str = field(default="", kw_only=True)
    refs: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """The order was taken and stands (until a later one replaces it). Told to the sender in his receipt."""

    order: Order


@dataclass(frozen=True, slots=True)
class Rejected(Event):
    """The order was refused; ``player`` is the sender."""

    player: Seat
    action: str
    reason: str
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Withdrawn(Event):
    """A standing order was taken back by its sender (``cancel``, ``pass``) or replaced by a later one."""

    order: Order


@dataclass(frozen=True, slots=True)
class Outcome(Event):
    """How an action that counted ended: ``done``, or ``failed`` with a reason id. Host's knowledge, never public."""

    player: Seat
    action: str
    targets: tuple[Seat, ...]
    args: Data
    reason: str | None = None
    """None when done."""

    @property
    def outcome(self) -> str:
        return "done" if self.reason is None else "failed"


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """The counted vote of the turn: target -> weight, targets with 0 left out. Host's knowledge unless a Line says it."""

    votes: Mapping[Seat, float]


@dataclass(frozen=True, slots=True)
class Lynched(Event):
    """The vote hit this player (also when he was saved)."""

    player: Seat


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """A lynch or an attack hit this player, and he lived."""

    player: Seat


@dataclass(frozen=True, slots=True)
class Death(Event):
    """A player died in this turn. ``by`` is who is credited, None for nobody. Host's knowledge."""

    player: Seat
    cause: str
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """Private information for one player."""

    to: Seat
    kind: str
    data: Data = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Line(Event):
    """One line of the public newspaper: the only thing of a turn that the writer of public texts ever sees.

    ``section`` and ``kind`` select the template's words, ``data`` fills them; it must hold nothing that the rules hide.
    ``data.hide`` (a list of seats) names who was blotted out of ``data.text``, for an application that has renamed him.
    Where moves may bring a story (``args.story``), that of a killing is printed in section ``stories`` by kind ``murder``.
    """

    section: str
    kind: str
    data: Data = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over: faction id, seat of a sole winner, or ``draw``; ``kind`` tells the three apart."""

    winner: str
    kind: WinnerKind | None = None


@dataclass(frozen=True, slots=True)
class Step(Event):
    """A note for the host's explanation of the turn: what a phase read and did ("blocked", "guarded by ...")."""

    phase: str
    text_id: str
    data: Data = field(default_factory=lambda: NOTHING)


class Victory(NamedTuple):
    """Who has won: faction id, seat of a sole winner or ``draw``, and what the name is."""

    winner: str
    kind: WinnerKind | None


class EngineError(Exception):
    """Bad input to the engine: ``place`` is the path in the input ("players[2].role"), ``problem`` what is wrong."""

    def __init__(self, place: str, problem: str, *, meant: str | None = None) -> None:
        self.place = place
        self.problem = problem
        self.meant = meant
        super().__init__(f"{place}: {problem}" + (f" (did you mean {meant!r}?)" if meant else ""))
