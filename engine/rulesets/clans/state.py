"""The immutable state of a game: players, the book of standing orders, and the game itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Literal

from engine.calendar import Hours
from engine.model import NOTHING, Order, Seat, Victory
from engine.rulesets.clans import roles
from engine.rulesets.clans.tables import Tables

Stage = Literal["between", "turn", "over"]


@dataclass(frozen=True, slots=True)
class Player:
    """One seat and everything that is remembered about it between turns (1.9)."""

    nick: Seat
    role: str
    """The role dealt; what he acts as is ``acting``."""
    faction: str
    seat: int
    alive: bool = True
    vest: bool = False
    bullets: int = 0
    points: int = 0
    violations: int = 0
    acts_as: str | None = None
    exhausted: bool = False
    mined_by: Seat | None = None
    poison_used: bool = False
    last: Mapping[str, Seat] = field(default_factory=lambda: NOTHING)
    """Action -> target of his done move of this kind in the turn before (R8)."""
    past: Mapping[str, frozenset[Seat]] = field(default_factory=lambda: NOTHING)
    """Action -> all targets of his done moves of this kind (R9)."""

    @property
    def acting(self) -> str:
        """The role he plays now: an appointed artist's new one (R90)."""
        return self.acts_as or self.role

    @property
    def mafioso(self) -> bool:
        return self.faction in roles.CLANS

    @property
    def civilian(self) -> bool:
        return self.faction == roles.CIVILIANS

    @property
    def status(self) -> str:
        """What a check shows: the maniac looks civilian (R50)."""
        return "mafia" if self.mafioso else "civilian"


@dataclass(frozen=True, slots=True)
class Entry:
    """An order in the book; ``index`` counts arrivals inside the turn."""

    order: Order
    index: int
    slot: str
    """A slot of R5, "host" for a measure, "appointment" for a ``replace_role`` that has worked."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The last successful check of a clan's don (R35)."""

    player: Seat
    status: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a sketched turn knows (contract.md, ``parse``); None: unknown, and the unknown forbids nothing."""

    vacant: str | None
    """The vacant role, "none" for no vacancy."""
    don_dead: bool | None
    clock: time | None
    """The time of day at which the message came."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game of `clans`. ``players`` stand in the order of the roster (by seat)."""

    tables: Tables
    players: Mapping[Seat, Player]
    turn: int
    """The open turn, or the last one; one before the first turn at the start."""
    stage: Stage = "between"
    book: tuple[Entry, ...] = ()
    """Standing orders in order of arrival."""
    arrivals: int = 0
    passed: frozenset[Seat] = frozenset()
    """Who has said that he makes no move this turn."""
    words: Mapping[Seat, Mapping[str, int]] = field(default_factory=lambda: NOTHING)
    """Words of the day: player -> post -> count (R92)."""
    ring: tuple[Seat, ...] = ()
    """The day's seating table (S6)."""
    deadline: datetime | None = None
    """End of the open (or coming) turn where a scenario gave one; a live game goes by the clock."""
    live: bool = False
    hours: Hours | None = None
    """The moments of the open turn in a live game; None: the tables' hours of every day."""
    last_checked: Mapping[str, Checked] = field(default_factory=lambda: NOTHING)
    side_violations: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    victory: Victory | None = None
    sketch: Sketch | None = None

    def living(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, player in self.players.items() if player.alive)

    def clan(self, faction: str) -> tuple[Player, ...]:
        """All members of a clan, the dead too, in the order of the roster."""
        return tuple(player for player in self.players.values() if player.faction == faction)

    def by_seniority(self, faction: str) -> tuple[Player, ...]:
        """The living members of a clan, the most senior first; an appointed artist ranks as what he acts as."""
        living = (player for player in self.clan(faction) if player.alive)
        return tuple(sorted(living, key=lambda player: roles.SENIORITY.index(player.acting)))

    def standing(self, player: Seat, slot: str) -> Entry | None:
        """The player's order that stands in a slot."""
        return next((entry for entry in self.book if entry.slot == slot and entry.order.player == player), None)

    def day_words(self, player: Seat) -> int:
        """How many words of the player count for the open day so far."""
        return sum(self.words.get(player, {}).values())
