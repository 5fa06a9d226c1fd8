"""One turn being resolved: the moves, who is where (``Presence``), and what the phases note for the morning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.chance import Chance
from engine.model import Event, Notice, Order, Seat, Step
from engine.rulesets.clans import roles
from engine.rulesets.clans.presence import Presence
from engine.rulesets.clans.state import Checked, Game, Player
from engine.rulesets.clans.tables import Tables


@dataclass(slots=True, eq=False)
class Move:
    """An order of the night on its way to ``done`` or ``failed``."""

    order: Order
    index: int
    reason: str | None = None
    rule: str = ""
    settled: bool = False

    @property
    def actor(self) -> Seat:
        return self.order.player

    @property
    def action(self) -> str:
        return self.order.action

    @property
    def targets(self) -> tuple[Seat, ...]:
        return self.order.targets

    @property
    def target(self) -> Seat:
        return self.order.targets[0]

    @property
    def refs(self) -> tuple[str, ...]:
        return (self.order.ref,) if self.order.ref else ()

    @property
    def succeeded(self) -> bool:
        return self.settled and self.reason is None

    def done(self, rule: str) -> None:
        self.settled, self.reason, self.rule = True, None, rule

    def fail(self, reason: str, rule: str) -> None:
        self.settled, self.reason, self.rule = True, reason, rule

    def before(self, other: Move) -> bool:
        """Whether this letter came earlier; by the servers' times where both are known (R28)."""
        if self.order.at is not None and other.order.at is not None and self.order.at != other.order.at:
            return self.order.at < other.order.at
        return self.index < other.index


@dataclass(frozen=True, slots=True)
class Attack:
    """Somebody fired at somebody, gave him poison, or blew up the house next door (R80). Mine, exhaustion, crowd and motel are no
    killer whom anybody could see (D58)."""

    by: Seat
    target: Seat


@dataclass(slots=True)
class Cause:
    """The rule by which a player died or was saved, and the orders it rests on: for the event and its explanation."""

    rule: str
    refs: tuple[str, ...]


class Night:
    """The resolution of one turn. Phases change it in their order; ``dawn`` reads it."""

    def __init__(self, game: Game, chance: Chance) -> None:
        self.game = game
        self.tables: Tables = game.tables
        self.players: Mapping[Seat, Player] = game.players
        self.chance = chance
        self.presence = Presence(game.players)
        self.measures: tuple[Order, ...] = tuple(e.order for e in game.book if e.slot == "host")
        self.ballots: dict[Seat, Seat] = {e.order.player: e.order.targets[0] for e in game.book if e.slot == "vote"}
        self.ballot_refs: dict[Seat, str] = {e.order.player: e.order.ref for e in game.book if e.slot == "vote" and e.order.ref}
        self.moves: list[Move] = [Move(e.order, e.index) for e in game.book if e.slot in roles.NIGHT_SLOTS]
        self.events: list[Event] = []
        self.notices: list[Notice] = []
        """Notices that phases give themselves; those that follow from outcomes are written at dawn."""
        self.death_notes: dict[Seat, Cause] = {}
        self.rescued: dict[Seat, Cause] = {}
        """Whom something kept from dying (R99, ``saved``)."""
        self.attacks: list[Attack] = []
        self.secret: list[Seat] = []
        """The chosen's secret votes that count (R17)."""
        self.votes: dict[Seat, int] = {}
        self.lynched: Seat | None = None
        self.stopped = False
        """The host ended the game: the night is not played (R96)."""
        self.hanging: tuple[Seat, ...] = ()
        """Exhausted players for whom a heal order waits (R23)."""
        self.cured: Seat | None = None
        self.pierced: set[Seat] = set()
        self.reasons: dict[tuple[str, Seat], tuple[str, ...]] = {}
        """Notice kind and player -> the orders that made him a guest, beaten, or pierced his vest."""
        self.shots: dict[Seat, int] = {}
        """Bullets spent (R61)."""
        self.fired: dict[str, Seat] = {}
        """Clan -> who fired for it (R60)."""
        self.house_down = False
        self.tortured: list[Checked] = []
        self.points: dict[Seat, int] = {}
        self.violations: dict[Seat, int] = {}
        self.side_violations: dict[str, int] = dict(game.side_violations)
        self.checks: dict[str, Checked] = {}
        """Clan -> tonight's successful check of its don."""
        self.mines: dict[Seat, Seat] = {}
        """Mined player -> miner, of tonight."""

    def step(self, phase: str, text_id: str, rule: str, refs: Iterable[str] = (), **data: Any) -> None:
        """A note for the host's explanation of the turn."""
        self.events.append(Step(phase, text_id, data, rule=rule, refs=tuple(refs)))

    def tell(self, to: Seat, kind: str, rule: str, refs: Iterable[str] = (), **data: Any) -> None:
        self.notices.append(Notice(to, kind, data, rule=rule, refs=tuple(refs)))

    def kill(self, seat: Seat, cause: str, by: Seat | None, rule: str, refs: Iterable[str] = ()) -> bool:
        """The player dies, if he is not dead already."""
        if not self.presence.die(seat, cause, by):
            return False
        self.death_notes[seat] = Cause(rule, tuple(refs))
        return True

    def rescue(self, seat: Seat, rule: str, refs: Iterable[str] = ()) -> None:
        """Something kept the player from dying."""
        self.rescued.setdefault(seat, Cause(rule, tuple(refs)))

    def because(self, kind: str, seat: Seat, refs: Iterable[str]) -> None:
        """The orders for which the player will be told at dawn that he is a guest, was beaten, lost his vest."""
        before = self.reasons.get((kind, seat), ())
        self.reasons[kind, seat] = tuple(dict.fromkeys((*before, *refs)))

    def ballots_for(self, seat: Seat) -> tuple[str, ...]:
        """The letters with ballots against the player; secret votes are in no explanation of the lynch (R19)."""
        return tuple(ref for voter, ref in self.ballot_refs.items() if self.ballots[voter] == seat)

    def standing(self, action: str) -> list[Move]:
        """Moves of this kind that nothing has settled yet, in order of arrival."""
        return [move for move in self.moves if move.action == action and not move.settled]

    def side(self, faction: str) -> list[Player]:
        """The living members of a clan, or the living civilians."""
        return [p for p in self.players.values() if p.faction == faction and self.presence.alive(p.nick)]

    def holder(self, role: str) -> Player | None:
        """Who was dealt this role, alive or dead; of the clans' roles the first in the roster."""
        return next((player for player in self.players.values() if player.role == role), None)

    def vest_whole(self, seat: Seat) -> bool:
        """The vest holds any number of shots in the night in which it is pierced (R82)."""
        return self.players[seat].vest
