"""The working state of one resolution: acts, hits, returns. It lives only inside ``close`` and is never kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engine.chance import Chance
from engine.model import Data, Event, Notice, Outcome, Seat, Step
from engine.rulesets.mafialife import docket
from engine.rulesets.mafialife.moves import Move
from engine.rulesets.mafialife.roles import TEAMS
from engine.rulesets.mafialife.state import Booking, Game, Player, official
from engine.rulesets.mafialife.tables import Tables

DONE = ""
FOILED = frozenset({"befogged", "slept", "diverted"})
NOT_CARRIED_OUT = FOILED | {"dead", "not_chosen"}
"""Reasons after which a move is not used up (R5): what was made counts, successful or not, and a foiled one was not made (D5)."""


@dataclass(slots=True, eq=False)
class Act:
    """One move or extra action of the night, as it changes on its way. ``number`` is the order of arrival."""

    number: int
    owner: Seat
    move: Move
    role: str
    """The role that makes it (points, newspaper)."""
    targets: tuple[Seat, ...]
    args: Data
    ref: str
    captor: Seat = ""
    """The maniac who gave the order for his captive (R87)."""
    authors: tuple[Seat, ...] = ()
    """Of the mafia's team move: all whose order it is (R130)."""
    captors: dict[Seat, Seat] = field(default_factory=dict)
    """Of the team move: authors whose captor gave the order -> the captor (R87)."""
    result: str | None = None
    """None while open, "" when done, else the reason of the failure."""
    executed: bool = False
    """Its phase has come: nothing foils or diverts it any more (R51)."""
    diverter: Seat | None = None
    """The hacker who turned it to another player (R75)."""
    unfit: bool = False
    """Turned to whom it can't be made; it fails when it would be made, and till then it can be foiled (R74)."""
    found: Seat | None = None
    """Whom ``learn_role`` or ``sleep_role`` found by the role, or were diverted to."""
    stopped: bool = False
    """A guard, heal or lair that stopped something (D4)."""
    hits: list[Hit] = field(default_factory=list)
    kills: dict[Seat, None] = field(default_factory=dict)
    """Whom it killed, as points are counted (section 20)."""
    pierced: bool = False
    """A killer's shot that went through a protection (R95)."""
    infected: bool = False
    """A visit that gave AIDS."""
    stripped: bool = False
    """A killer's shot that took an elixir (R94)."""
    shown_role: str = ""
    """The role that the newspaper prints for a hack (R70, R71)."""

    @property
    def action(self) -> str:
        return self.move.action

    @property
    def extra(self) -> bool:
        return self.move.kind == "extra"

    @property
    def open(self) -> bool:
        """It is still on its way or has stood: nothing has made it fail."""
        return self.result in (None, DONE)

    @property
    def foiled(self) -> bool:
        """It did not happen at all: no interaction, no guard (R51)."""
        return self.result in NOT_CARRIED_OUT

    @property
    def aims(self) -> tuple[Seat, ...]:
        """At whom it is made in the end."""
        return (self.found,) if self.found is not None else self.targets

    @property
    def refs(self) -> tuple[str, ...]:
        return (self.ref,) if self.ref else ()


@dataclass(slots=True, eq=False)
class Hit:
    """One attack of an act on one player, as the layers meet it (R31, R32)."""

    act: Act
    target: Seat
    row: str
    stop: str | None = None
    """The reason when a protection stopped it."""
    softened: bool = False
    """AIDS that lost its infection at an auto-lair: what is left is a visit (R101, R102)."""

    @property
    def attacker(self) -> Seat:
        return self.act.owner


@dataclass(frozen=True, slots=True)
class Return:
    """Harm that comes back at somebody (R30); of several the lowest rank counts (R57)."""

    seat: Seat
    rank: int
    cause: str
    by: Seat
    source: Act | None
    rule: str
    met: int = 0
    """The number of the order that ran into it: of several guards and lairs the first met counts (R57)."""


GUARD_RANK, MINE_RANK, POISON_RANK = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Fate:
    """A death of this turn."""

    cause: str
    by: Seat | None
    rule: str
    refs: tuple[str, ...] = ()
    role: str = ""
    """Of a move that killed: the role that made it; he who made it may have turned since (R163)."""


class Night:
    """Everything one resolution works on. ``game`` is replaced as it goes; the rest is thrown away at the end."""

    def __init__(self, game: Game, chance: Chance) -> None:
        self._players = dict(game.players)
        self.game = replace(game, players=MappingProxyType(self._players))
        """Its players are the night's own until the resolution ends."""
        self.chance = chance
        self.events: list[Event] = []
        self.votes = docket.votes(game)
        """Voter -> his vote, sold ones too."""
        self.acts: list[Act] = []
        """In order of arrival; put in by ``set_out``."""
        self._by_action: dict[str, list[Act]] = {}
        self._by_owner: dict[Seat, list[Act]] = {}
        self.day_acts: list[Act] = []
        """The lawyers' moves, which were made at the gallows (R15)."""
        self.members: dict[str, frozenset[Seat]] = {}
        self.returns: list[Return] = []
        self.driven_off: list[tuple[Act, Seat]] = []
        """(agent's guard or kill_attacker, the attacker it drove off), for D26."""
        self.direct: dict[Seat, Fate] = {}
        """Who dies of a direct hit (R57)."""
        self.fates: dict[Seat, Fate] = {}
        """Who has died in this turn, hanged ones and struck ones included."""
        self.hanged: list[Seat] = []
        self.hanging: list[tuple[Seat, str]] = []
        """Whom the hanging hit, and what saved him ("" when he hangs)."""
        self.reached: dict[Seat, None] = {}
        """Hit by the hanging, or aimed at by a deadly action that a protection stopped (R59)."""
        self.earned: dict[Seat, int] = {}
        self.infected: dict[Seat, None] = {}
        self.team_orders: list[Act] = []
        """What the mafiosi ordered and nobody foiled, chosen or not (R130, R155)."""
        self.recruits: list[tuple[Act, Seat, str]] = []
        self.joins: list[tuple[Act, str]] = []
        self.captures: list[tuple[Seat, Seat]] = []
        self.paralysed: dict[Seat, None] = {}
        self.bitten: dict[Seat, str] = {}
        """Seat -> the input that bit him."""
        self.cured: dict[Seat, tuple[str, ...]] = {}
        """Whose bite of the night before was healed -> by which input."""
        self.risen: dict[Seat, str] = {}
        """Raised or turned in this turn: seat -> kind of line."""
        self.turned: dict[Seat, None] = {}
        self.studied: list[Act] = []

    @property
    def tables(self) -> Tables:
        return self.game.tables

    @property
    def turn(self) -> int:
        return self.game.turn

    def player(self, seat: Seat) -> Player:
        return self.game.players[seat]

    def put(self, player: Player) -> None:
        """Set a player's new state."""
        self._players[player.seat] = player

    def book(self, seat: Seat, amount: int, reason: str, item: str = "") -> None:
        """Book MafBucks on a player's account."""
        player = self.player(seat)
        self.put(replace(player, mafbucks=player.mafbucks + amount))
        booking = Booking(self.turn, seat, amount, reason, item)
        self.game = replace(self.game, ledger=(*self.game.ledger, booking))

    def change(self, seat: Seat, **values: Any) -> None:
        """Change a player's state, if anything in it differs."""
        player = self.player(seat)
        if any(getattr(player, key) != value for key, value in values.items()):
            self.put(replace(player, **values))

    def read_membership(self) -> None:
        """R3: read once, after the market, and good for the whole night."""
        players = self.game.players.values()
        self.members = {
            team: frozenset(p.seat for p in players if p.alive and p.faction == team and official(self.game, p)) for team in TEAMS
        }

    def living_members(self, team: str) -> tuple[Seat, ...]:
        """Official members of a team who have not been hanged, in the order of the roster."""
        return tuple(seat for seat, p in self.game.players.items() if p.alive and seat in self.members[team])

    def set_out(self, acts: Iterable[Act]) -> None:
        """These are the acts of the night, in order of arrival."""
        self.acts = list(acts)
        self._by_action, self._by_owner = {}, {}
        for act in self.acts:
            self._by_action.setdefault(act.action, []).append(act)
            self._by_owner.setdefault(act.owner, []).append(act)

    def open_acts(self, *actions: str) -> Iterator[Act]:
        """Acts of these actions that nothing has made fail, in order of arrival."""
        found = [act for action in actions for act in self._by_action.get(action, ())]
        if len(actions) > 1:
            found.sort(key=lambda act: act.number)
        return (act for act in found if act.open)

    def move_of(self, seat: Seat) -> Act | None:
        """The night move of a player that is still on its way, None if he makes none."""
        own = self._by_owner.get(seat, ())
        return next((act for act in own if not act.extra and act.open and not act.executed), None)

    def stands(self, act: Act) -> bool:
        """Whether a guard or heal has somebody to stand over (R8, R74, D52)."""
        if act.unfit:
            return False
        targets = [self.player(seat) for seat in act.targets]
        wanted = (None,) if act.move.wants not in ("commissioner", "necromancer") else (act.move.wants,)
        return all(target.alive and wanted[0] in (None, target.role) for target in targets)

    def interacting(self, target: Seat) -> Iterator[Act]:
        """R52: acts by which somebody else interacts with this player, stopped or not."""
        for act in self.acts:
            if act.foiled or not act.move.directed or act.owner == target:
                continue
            aims = act.aims[:1] if act.action == "divert" else act.aims
            if target in aims:
                yield act

    def note(self, phase: str, text_id: str, rule: str, refs: tuple[str, ...] = (), **data: Any) -> None:
        """A Step for the host's explanation."""
        self.events.append(Step(phase, text_id, data, rule=rule, refs=refs))

    def notice(self, to: Seat, kind: str, rule: str, refs: tuple[str, ...] = (), **data: Any) -> None:
        self.events.append(Notice(to, kind, data, rule=rule, refs=refs))

    def tell(self, act: Act, kind: str, **data: Any) -> None:
        """What a move tells goes to its mover, of a captive's move to the captor (D47)."""
        self.notice(act.captor or act.owner, kind, act.move.rule, act.refs, **data)

    def use_up(self, seat: Seat, items: Iterable[str], rule: str, refs: tuple[str, ...] = ()) -> None:
        """R39: units of a player's protections are gone, and he is told of each."""
        for item in items:
            self.put(self.player(seat).without([item]))
            self.notice(seat, "item_used", rule, refs, item=item)

    def earn(self, seat: Seat, points: int) -> None:
        self.earned[seat] = self.earned.get(seat, 0) + points

    def outcome(self, act: Act, result: str, rule: str = "") -> None:
        """How an act ended; said once for everybody whose act it is."""
        act.result = result
        rule = rule or act.move.rule
        said = {"action": act.action, "outcome": "failed" if result else "done", "reason": result}
        for seat in act.authors or (act.owner,):
            self.events.append(Outcome(seat, act.action, act.targets, act.args, result or None, rule=rule, refs=act.refs))
            captor = act.captor if seat == act.owner else act.captors.get(seat)
            self.notice(captor or seat, "move_result", rule, act.refs, **said)
