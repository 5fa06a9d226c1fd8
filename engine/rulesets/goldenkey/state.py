"""The frozen state of a game. Mappings in it are never changed after they were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from engine.calendar import Hours
from engine.model import NOTHING, Order, Seat
from engine.rulesets.goldenkey.roles import ELDER, KILLER, MANIAC_ROLES, MANIACS, PLAIN, VILLAIN_ROLES, VILLAINS
from engine.rulesets.goldenkey.tables import Tables

ALWAYS_CLAN = frozenset((*VILLAIN_ROLES, KILLER))
"""What the villains move whoever lives (R18)."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. ``born`` is the clan he was dealt to, ``faction`` where he is now (R31)."""

    seat: Seat
    born: str
    faction: str
    roles: tuple[str, ...]
    """Roles of tonight in canonical order; empty for a plain villain or citizen."""
    lives: int
    alive: bool = True
    out: bool = False
    """Lynched in this turn on his last life, with ``lynched_plays_night = false`` (R4)."""
    received: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    """Town role -> how many nights he was given it (D44)."""

    @property
    def here(self) -> bool:
        """May act and be acted on. Who lost his last life at the lynch is here for this night yet, unless the table says
        otherwise (D1)."""
        return self.alive and not self.out

    @property
    def is_maniac(self) -> bool:
        """A maniac, recruited or not."""
        return self.born == MANIACS

    @property
    def is_born_villain(self) -> bool:
        return self.born == VILLAINS

    @property
    def maniac_role(self) -> str | None:
        return next((role for role in self.roles if role in MANIAC_ROLES), None)

    @property
    def role(self) -> str:
        """The first role in canonical order, or what somebody without one is called."""
        return self.roles[0] if self.roles else PLAIN[self.born]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An order as it was judged: refused for ``reason``, or standing in ``slot`` until a later one takes it.

    Slots: a role (commands), "vote:<seat>", "bid:<seat>", "list" (``assign_roles``).
    """

    order: Order
    reason: str | None
    slot: str
    role: str | None = None
    """Of a command: the acting role; of a bid: the role wanted."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What holds from the opening of a turn (or of set-up) on, recounted only when the host removes somebody (R71)."""

    holders: Mapping[str, Seat]
    """Role -> its holder among those who are here."""
    clan_roles: frozenset[str]
    """Roles that a member of the villains may move (R18)."""
    free_maniacs: int
    """R34."""
    elder: bool
    """R8: Papa Carlo exists."""
    villains_roles: Mapping[Seat, tuple[str, ...]]
    """Born villains' roles before this turn's ``assign_roles``."""
    unseen: frozenset[str] = frozenset()
    """Only in sketches: clan roles that somebody unknown holds."""


@dataclass(frozen=True, slots=True)
class Book:
    """The orders of the turn that is open."""

    arrived: tuple[Arrival, ...] = ()
    standing: MappingProxyType[str, Arrival] = field(default_factory=lambda: MappingProxyType({}))
    """Slot -> the last valid order (R9, R14, R19, R49)."""
    passed: frozenset[Seat] = frozenset()
    """Who said that he makes no move tonight."""


EMPTY_BOOK = Book()


@dataclass(frozen=True, slots=True)
class Lynch:
    """The settled vote. ``hit`` is who lost a life (None: nobody), ``lives`` what he had left right after it."""

    hit: Seat | None
    lives: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game. ``stage``: "setup", "between", "turn" or "over"."""

    tables: Tables
    stage: str
    turn: int
    """The turn that is open or was played last; ``tables.first_turn - 1`` before the first."""
    players: Mapping[Seat, Player]
    """In the order of the roster."""
    role_lives: Mapping[str, int]
    opened: Opened
    book: Book = EMPTY_BOOK
    lynch: Lynch | None = None
    """None until the vote of the open turn is settled."""
    removed: tuple[Seat, ...] = ()
    """Taken out by the host since the last newspaper."""
    quiet: int = 0
    """Turns in a row without a change (R72)."""
    winner: str | None = None
    hours: Hours | None = None
    """The moments of the open turn in a live game; None: the tables' hours of every day."""

    @property
    def night(self) -> int:
        """D4: the number of the night of ``turn``."""
        return self.turn - self.tables.first_turn + 1

    @property
    def has_day(self) -> bool:
        """D3: turn 0 has no lynch."""
        return self.turn > 0


def look(players: Mapping[Seat, Player], tables: Tables) -> tuple[Mapping[Seat, Player], Opened]:
    """What the opening of a turn sees (R8, R18, R34); where Papa Carlo has ceased to exist, his holder loses the role. More
    than five living count, of all clans (D47)."""
    living = sum(p.alive for p in players.values())
    elder = living > tables.elder_above
    if not elder and any(ELDER in p.roles and p.alive for p in players.values()):
        players = MappingProxyType({seat: without(p, ELDER) if p.alive else p for seat, p in players.items()})
    holders: dict[str, Seat] = {}
    clan: set[str] = set()
    free = 0
    for p in players.values():
        if not p.here:
            continue
        for role in p.roles:
            holders[role] = p.seat
        if p.faction == MANIACS:
            free += 1
        elif p.born == MANIACS and p.faction == VILLAINS:
            clan.update(role for role in p.roles if role in MANIAC_ROLES)
    roles = {p.seat: p.roles for p in players.values() if p.born == VILLAINS}
    return players, Opened(MappingProxyType(holders), ALWAYS_CLAN | clan, free, elder, MappingProxyType(roles))


def without(player: Player, role: str) -> Player:
    """The player with one role less."""
    return with_roles(player, tuple(r for r in player.roles if r != role))


def with_roles(p: Player, roles: tuple[str, ...]) -> Player:
    """The player with these roles (in canonical order)."""
    return Player(p.seat, p.born, p.faction, roles, p.lives, p.alive, p.out, p.received)
