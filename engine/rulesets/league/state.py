"""The immutable state of a league game, and the desk on which one call of the fold works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engine.chance import Chance
from engine.model import NOTHING, Accepted, Data, EngineError, Event, Line, Notice, Order, Seat, Step
from engine.rulesets.league.economy import BANK, BONUS, COINS, SHOP, Bookkeeper, Ledger, Pot
from engine.rulesets.league.roles import CIVILIANS, GANGS, MAFIA, NEUTRALS
from engine.rulesets.league.tables import Tables


@dataclass(frozen=True, slots=True)
class Player:
    """One seat; the keys of 1.9."""

    seat: Seat
    role: str
    faction: str
    alive: bool = True
    number: int = 0
    items: tuple[str, ...] = ()
    net_until: int = 0
    missed: int = 0
    warnings: int = 0
    unpaid: int = 0
    checked: tuple[Seat, ...] = ()
    curse: Seat = ""
    last_visit: Seat = ""
    pardons: int = 0
    defended: Mapping[Seat, int] = field(default_factory=lambda: NOTHING)
    ghost: bool = False
    killer: Seat = ""
    cause: str = ""
    left: bool = False
    hero: bool = False
    tame: bool = False
    """A werewolf that died before it turned and was brought back: it never turns (R56)."""

    @property
    def role_player(self) -> bool:
        """R4. Plain citizens alone are none (D13)."""
        return self.role != "citizen"

    @property
    def turned(self) -> bool:
        """A turned werewolf is seen as what he is now, and keeps his role's id (D12)."""
        return self.role == "werewolf" and self.faction == MAFIA

    @property
    def seen(self) -> str:
        """What the commissioner's check and true sight show (R5) (R57)."""
        if self.role == "werewolf":
            return "mafioso" if self.turned else "citizen"
        return "citizen" if self.role == "ninja" else self.role

    @property
    def label(self) -> str:
        """The role id whose label the public is shown when he dies (R56)."""
        if self.role == "werewolf":
            return "mafioso" if self.turned else "citizen"
        return self.role

    @property
    def roster_label(self) -> str:
        """The label in the list of the dead (R56, R133)."""
        if self.role == "werewolf":
            return "werewolf_mafia" if self.turned else "werewolf_civilian"
        return self.role


def rivals(one: Player, other: Player) -> bool:
    """R4: factions differ; a neutral is everybody's rival, other neutrals' too. Neutrals, too, are rivals of each other, and no
    side pays for its own (D14)."""
    return one.faction != other.faction or one.faction == NEUTRALS


def own_side(one: Player, other: Player) -> bool:
    return one.faction == other.faction and one.faction != NEUTRALS


@dataclass(frozen=True, slots=True)
class Standing:
    """An order that was taken. ``slot`` is what a later one of the same kind replaces; ``verdict`` is ``done`` or a
    reason where the outcome is known on arrival, empty while it waits for the resolution."""

    seq: int
    order: Order
    slot: tuple[str, ...]
    verdict: str = ""

    @property
    def story(self) -> str:
        return str(self.order.args.get("story") or "")

    @property
    def shot(self) -> int:
        shot = self.order.args.get("shot", 1)
        return shot if isinstance(shot, int) else 1

    @property
    def target(self) -> Seat:
        return self.order.targets[0] if self.order.targets else ""


@dataclass(frozen=True, slots=True)
class Contract:
    """A price locked for a killing or a guard (R80); ``target`` is the victim or the ward."""

    seq: int
    action: str
    customer: Seat
    target: Seat
    price: int
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    target: Seat
    seq: int


@dataclass(frozen=True, slots=True)
class Day:
    """What lives for one turn only; the first five are fixed when the day opens (R30, R50, R84)."""

    duty: Mapping[str, Seat] = field(default_factory=lambda: NOTHING)
    numbers: Mapping[int, Seat] = field(default_factory=lambda: MappingProxyType({}))
    """The mafia's duty list as it was when the day opened."""
    mercenary: Seat = ""
    bodyguard: Seat = ""
    post: Seat = ""
    book: tuple[Standing, ...] = ()
    ballots: Mapping[Seat, Ballot] = field(default_factory=lambda: NOTHING)
    extras: Mapping[Seat, tuple[int, int]] = field(default_factory=lambda: NOTHING)
    """Voter -> extra votes bought, and when the last of them."""
    excused: frozenset[Seat] = frozenset()
    """Their vote became void because its target was taken out of the game by day."""
    contracts: tuple[Contract, ...] = ()
    half: bool = False
    ended: bool = False
    answer: str = ""
    asked: bool = False
    wards_told: tuple[Seat, ...] = ()
    shots: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    revive: tuple[Seat, ...] = ()
    bought: tuple[tuple[str, Seat], ...] = ()
    departed: tuple[Seat, ...] = ()
    passed: frozenset[Seat] = frozenset()
    choices: Mapping[Seat, Seat] = field(default_factory=lambda: NOTHING)
    """Condemned -> the author whose hanging story the host prefers (R33, H5)."""
    spares: Mapping[Seat, Spare] = field(default_factory=lambda: NOTHING)
    """Condemned -> the left-over story that the host takes for this day (H5)."""
    host_stories: Mapping[Seat, str] = field(default_factory=lambda: NOTHING)
    """Condemned -> the story that the host has written himself, for the case that nobody else does (R33)."""


@dataclass(frozen=True, slots=True)
class Spare:
    """A hanging story of an earlier day that was not printed then (H5)."""

    turn: int
    author: Seat
    target: Seat
    text: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """A story that was printed, so that the host can grade it after the day has opened (H5)."""

    turn: int
    author: Seat
    action: str
    target: Seat
    shot: int
    paid: int


@dataclass(frozen=True, slots=True)
class Game:
    """A league game between two calls of the fold."""

    tables: Tables
    players: Mapping[Seat, Player]
    first: int
    turn: int
    stage: str = "between"
    ledger: Ledger = field(default_factory=Ledger)
    duty: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    extra_checks: int = 0
    pots: tuple[Pot, ...] = ()
    exposed: frozenset[Seat] = frozenset()
    day: Day = field(default_factory=Day)
    seq: int = 0
    told: bool = False
    """The ``role`` notices have gone out."""
    dealt: bool = False
    """A live game: its marks come by the clock alone, never before an order (R81)."""
    printed: tuple[Printed, ...] = ()
    spares: tuple[Spare, ...] = ()
    winner: str | None = None
    facts: Data | None = None
    """Only in a sketch: what is known; a test that needs anything else is left out."""

    def knows(self, fact: str) -> bool:
        return self.facts is None or fact in self.facts

    def living(self) -> list[Player]:
        return [p for p in self.players.values() if p.alive]


def holder(players: Iterable[Player], role: str) -> Seat:
    """The first living player with this role, or ""."""
    return next((p.seat for p in players if p.alive and p.role == role), "")


def post(players: Mapping[Seat, Player]) -> Seat:
    """Who holds the commissioner's post (R64): the living commissioner, else the living sergeant, else "". A commissioner who
    has come back has it again, with his list (D42)."""
    return holder(players.values(), "commissioner") or holder(players.values(), "sergeant")


def gang(players: Mapping[Seat, Player], side: str) -> list[Player]:
    """The living numbered members of a gang, by number."""
    return sorted((p for p in players.values() if p.alive and p.faction == side and p.number), key=lambda p: p.number)


def necromancer_lives(game: Game) -> bool:
    """Half votes and resurrections hang on it (R66); in a sketch by what is known, and unknown means yes."""
    unknown = game.facts is not None and bool(game.facts.get("necromancer", True))
    return bool(holder(game.players.values(), "necromancer")) or unknown


def may_vote_dead(game: Game, player: Player) -> bool:
    """R26: every dead civilian who did not leave, while a necromancer lives. The hanged, too; but the dead buy no votes (D24)."""
    return not player.alive and not player.left and player.faction == CIVILIANS and necromancer_lives(game)


class Desk:
    """One call of the fold at work: it starts from a game, collects events and gives the next game."""

    def __init__(self, game: Game, chance: Chance | None = None) -> None:
        self.game = game
        self.tables = game.tables
        self.turn = game.turn
        self.day = game.day
        self.players: Mapping[Seat, Player] = game.players
        self.books = Bookkeeper(game.ledger)
        self.events: list[Event] = []
        self.pots = list(game.pots)
        self.extra_checks = game.extra_checks
        self.exposed = game.exposed
        self.printed = list(game.printed)
        self.spares = list(game.spares)
        self.seq = game.seq
        self._chance = chance
        self._own: dict[Seat, Player] | None = None
        """A copy of the players as soon as one of them changes."""

    @property
    def chance(self) -> Chance:
        if self._chance is None:
            raise EngineError("chance", "здесь жребия нет")
        self._chance.begin(max(self.turn, 0))
        return self._chance

    def done(self, **changes: Any) -> tuple[Game, tuple[Event, ...]]:
        game = replace(
            self.game,
            players=self.players if self._own is None else MappingProxyType(self._own),
            ledger=self.books.done(),
            pots=tuple(self.pots),
            extra_checks=self.extra_checks,
            exposed=self.exposed,
            printed=tuple(self.printed),
            spares=tuple(self.spares),
            day=self.day,
            seq=self.seq,
            **changes,
        )
        return game, tuple(self.events)

    # players

    def change(self, seat: Seat, **changes: Any) -> Player:
        player = replace(self.players[seat], **changes)
        if self._own is None:
            self.players = self._own = dict(self.players)
        self._own[seat] = player
        return player

    def living(self) -> list[Player]:
        return [p for p in self.players.values() if p.alive]

    def lose_item(self, seat: Seat, item: str, left: str = "") -> None:
        items = list(self.players[seat].items)
        place = items.index(item)
        items[place : place + 1] = [left] if left else []
        self.change(seat, items=tuple(items))

    # events

    def notice(self, to: Seat, kind: str, rule: str, refs: tuple[str, ...] = (), **data: Any) -> None:
        self.events.append(Notice(to, kind, data, rule=rule, refs=refs))

    def line(self, section: str, kind: str, rule: str, refs: tuple[str, ...] = (), **data: Any) -> None:
        self.events.append(Line(section, kind, data, rule=rule, refs=refs))

    def step(self, phase: str, text_id: str, rule: str, refs: tuple[str, ...] = (), **data: Any) -> None:
        self.events.append(Step(phase, text_id, data, rule=rule, refs=refs))

    def accepted(self, order: Order, rule: str) -> None:
        self.events.append(Accepted(order, rule=rule, refs=refs(order)))

    # coins

    def earn(self, seat: Seat, amount: int, reason: str, rule: str, once: str, about: str = "", ref: str = "") -> None:
        """Book coins earned, or lost when negative, to ``bonus`` (R110)."""
        self.books.book(self.turn, seat, amount, BANK, BONUS, f"{rule} {reason}", f"{self.turn}/{reason}/{once}", about, ref)

    def spend(self, seat: Seat, amount: int, reason: str, seq: int, about: str = "", ref: str = "") -> None:
        self.books.book(self.turn, seat, amount, COINS, SHOP, reason, f"{self.turn}/{reason}/{seq}", about, ref)


def refs(order: Order) -> tuple[str, ...]:
    return (order.ref,) if order.ref else ()


def numbers_of(players: Mapping[Seat, Player], side: str) -> dict[Seat, int]:
    return {p.seat: p.number for p in gang(players, side)}


def deal_numbers(players: dict[Seat, Player]) -> None:
    """Give the free duty numbers to living numbered members that have none, in cast order (R3)."""
    for side in GANGS:
        members = [p for p in players.values() if p.alive and _numbered(p, side)]
        taken = {p.number for p in members if p.number}
        free = iter(n for n in range(1, len(members) + 1) if n not in taken)
        for member in members:
            if not member.number:
                players[member.seat] = replace(member, number=next(free))


def _numbered(player: Player, side: str) -> bool:
    if player.faction != side:
        return False
    return player.role in (("mafioso", "werewolf") if side == MAFIA else ("yakuza", "ninja"))
