"""The state of a game between two calls: players, what stands today, money with its bookings. All of it immutable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engine.model import NOTHING, Order, Seat, Victory
from engine.rulesets.mafialife.roles import ALWAYS_OFFICIAL, NEUTRAL, NEUTRALS, ROLES
from engine.rulesets.mafialife.tables import Tables


def _empty() -> Mapping[str, Any]:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Player:
    """One seat (rules, "State keys of a player"), and the counters of his purchases."""

    seat: Seat
    role: str
    faction: str
    alive: bool = True
    level: int = 0
    bought_level: int = 0
    """A level bought, or given by a scenario above that of the points (R4)."""
    points: int = 0
    mafbucks: int = 0
    items: tuple[str, ...] = ()
    staff: int = 0
    paralysed: bool = False
    """In the turn that is open or opens next."""
    captive_of: Seat = ""
    """The maniac whose prisoner he is in the turn that is open or opens next."""
    aids_due: int = 0
    aids_by: Seat | None = None
    aids_ref: str = ""
    """The input that infected him, for "why?"."""
    bite_due: int = 0
    bite_ref: str = ""
    documents: str = "own"
    infiltrated: tuple[str, ...] = ()
    recruited_by: tuple[str, ...] = ()
    used: Mapping[str, int] = field(default_factory=_empty)
    refused: bool = False
    mother: Seat = ""
    told_team: str = ""
    """The team whose password he was sent last as its official member (R3)."""
    opportunities: int = 0
    goods: int = 0
    extra_packs: int = 0
    extra_daily: int = 0
    goods_today: int = 0
    vote_spent: bool = False
    move_spent: bool = False
    silent_turns: int = 0

    @property
    def neutral(self) -> bool:
        """He has a neutral role, recruited or not."""
        return self.role in NEUTRALS

    @property
    def recruited(self) -> bool:
        """A neutral who belongs to a team now (R60)."""
        return self.neutral and self.faction != NEUTRAL

    def owns(self, item: str) -> int:
        """How many units of an item he has."""
        return self.items.count(item)

    def without(self, items: Iterable[str]) -> Player:
        """The same player after losing these units (each the first of its kind)."""
        left = list(self.items)
        for item in items:
            left.remove(item)
        return replace(self, items=tuple(left))

    def carried_out(self, action: str, times: int = 1) -> Player:
        """The same player with a move counted as used (R5)."""
        counts = dict(self.used)
        counts[action] = counts.get(action, 0) + times
        return replace(self, used=MappingProxyType(counts))

    def reborn(self, role: str, *, mother: Seat = "") -> Player:
        """Born, raised or turned (R103, R146, R163): a new role, level 0; items and money stay."""
        return replace(
            self,
            role=role,
            faction=ROLES[role],
            alive=True,
            level=0,
            bought_level=0,
            points=0,
            used=NOTHING,
            documents="own",
            infiltrated=(),
            recruited_by=(),
            refused=False,
            mother=mother,
            told_team="",
            bite_due=0,
        )


@dataclass(frozen=True, slots=True)
class Booking:
    """One change of a MafBucks account: why, and in which turn. Balances are the sums of bookings."""

    turn: int
    player: Seat
    amount: int
    reason: str
    """opening, buy, sell, fine, conversion, points."""
    item: str = ""


REPLACED = "replaced"
"""What keeps an order from standing when a later one of its sender has taken its place. No reason of a refusal."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A vote, a move or an extra action sent today (``docket``)."""

    number: int
    """Its place in the order of arrival."""
    order: Order
    slot: str
    """Of the orders of one slot only one stands; "" is no slot."""
    heard: str | None
    """The curable reason for which it was refused when it came (R9, D60)."""
    reason: str | None
    """Why it does not stand as things are, ``REPLACED`` among the reasons; None when it stands."""
    captive: Seat = ""
    """For ``captive_move``: whose move it is."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Marks a game drawn from what is known of one message: reasons of refusal that cannot be judged are passed over."""

    blind: frozenset[str] = frozenset()
    sure: frozenset[tuple[str, str]] = frozenset()
    """(action, reason): judged after all, since the message's context says enough."""
    clan: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game of mafialife."""

    tables: Tables
    players: Mapping[Seat, Player]
    """In the order of the roster."""
    cast: tuple[str, ...]
    """The roles dealt at the start, sorted, each once (R71, R103)."""
    turn: int
    first_turn: int
    days_before: int = 0
    """Days played before the first turn of this game, for R175.7."""
    stage: str = "between"
    victory: Victory | None = None
    sent: Mapping[Seat, tuple[Candidate, ...]] = field(default_factory=_empty)
    """Votes, moves and extra actions of this turn, each player's in order of arrival."""
    received: int = 0
    """How many orders have come in this turn."""
    pistol_taken: bool = False
    removals: Mapping[Seat, str] = field(default_factory=_empty)
    """Who is struck at the next resolution -> the host's input (R63)."""
    heard: frozenset[Seat] = frozenset()
    """Who sent anything in this turn (R63)."""
    passed: frozenset[Seat] = frozenset()
    passwords: Mapping[str, str] = field(default_factory=_empty)
    ledger: tuple[Booking, ...] = ()
    last_targets: Mapping[Seat, Mapping[str, Seat]] = field(default_factory=_empty)
    sketch: Sketch | None = None

    def with_player(self, player: Player) -> Game:
        """The game with one player changed."""
        players = dict(self.players)
        players[player.seat] = player
        return replace(self, players=MappingProxyType(players))

    def book(self, seat: Seat, amount: int, reason: str, item: str = "") -> Game:
        """The game after a booking on a player's account."""
        player = self.players[seat]
        booking = Booking(self.turn, seat, amount, reason, item)
        game = self.with_player(replace(player, mafbucks=player.mafbucks + amount))
        return replace(game, ledger=(*game.ledger, booking))

    @property
    def days(self) -> int:
        """How many days have been played when this turn ends (R175.7)."""
        return self.days_before + self.turn - self.first_turn + 1


def official(game: Game, player: Player) -> bool:
    """Whether he is an official member of his faction's team (R3); the unfaithful becomes one as the citizen does (D3)."""
    if game.sketch is not None and player.seat in game.sketch.clan:
        return True
    if player.role == "citizen":
        return player.level >= game.tables.password_level_citizen
    if player.role == "unfaithful":
        return player.level >= game.tables.password_level_unfaithful
    return player.role in ALWAYS_OFFICIAL or player.recruited


def living(game: Game) -> tuple[Seat, ...]:
    """Living players in the order of the roster."""
    return tuple(seat for seat, player in game.players.items() if player.alive)


def plain(player: Player, game: Game) -> dict[str, Any]:
    """A player's state as the scenarios see it."""
    return {
        "role": player.role,
        "faction": player.faction,
        "alive": player.alive,
        "official": official(game, player),
        "level": player.level,
        "points": player.points,
        "mafbucks": player.mafbucks,
        "items": list(player.items),
        "staff": player.staff,
        "paralysed": player.paralysed,
        "captive_of": player.captive_of,
        "aids_due": player.aids_due,
        "bite_due": player.bite_due,
        "documents": player.documents,
        "infiltrated": list(player.infiltrated),
        "recruited_by": list(player.recruited_by),
        "used": dict(player.used),
        "refused": player.refused,
        "mother": player.mother,
    }
