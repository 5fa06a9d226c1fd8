"""The ruleset `clans` as the application knows it: the calls of ``engine.turn.Ruleset`` and the views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine.calendar import Hours
from engine.chance import Chance
from engine.messages import Known
from engine.model import Data, EngineError, Event, Order, Seat, WinnerKind
from engine.rulesets.clans import book, cast, dawn, newspaper, phases, roles, setup
from engine.rulesets.clans import sketch as sketching
from engine.rulesets.clans import tables as table_checks
from engine.rulesets.clans.calendar import ClansCalendar
from engine.rulesets.clans.night import Night
from engine.rulesets.clans.state import Game, Player
from engine.rulesets.clans.tables import Tables
from engine.turn import Spec

SPEC = Spec(
    roles=roles.ROLES,
    factions=roles.FACTIONS,
    actions=(*roles.ACTIONS, *roles.HOST_ACTIONS),
    host_actions=roles.HOST_ACTIONS,
    joined=frozenset(("penalty_point",)),
    day_of_players=True,
    penalty_key="points",
    removal="host_disqualify",
    struck_step=book.STRUCK,
    public_actions=(),
    reasons=(*roles.REJECTIONS, *roles.FAILURES),
    causes=roles.CAUSES,
    notices=roles.NOTICES,
    told={"role_assigned": {"role": "role", "faction": "faction", "mates": "clanmates"}},
    chance_points=roles.CHANCE_POINTS,
    player_keys=roles.PLAYER_KEYS,
    state_keys=roles.STATE_KEYS,
    shown_keys=roles.SHOWN_KEYS,
    args=roles.ARGS,
)


class Clans:
    """Two clans, letters, one lynch inside the night (docs/rules/clans.md)."""

    id = "clans"
    spec = SPEC

    def tables(self, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
        """The tables of 1.10. Raises EngineError with the path of a wrong entry."""
        return table_checks.build(defaults, overrides)

    def start(self, cast_: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
        """A game from a scenario's cast (1.9). Raises EngineError with the path of a wrong entry."""
        return cast.start(cast_, state, tables, first_turn)

    def deal(self, seats: Sequence[Seat], tables: Tables, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
        """S1-S4: roles drawn, everybody told. Raises EngineError when there are too few players."""
        return setup.deal(seats, tables, chance)

    def open(self, game: Game, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
        """S6: the next day opens with its seating table. Measures of the host given since the last close stand."""
        if game.stage != "between":
            raise EngineError("turn", "игра окончена" if game.stage == "over" else "прошлый день ещё не закрыт")
        number = game.turn + 1
        chance.begin(number)
        ring = game.living()
        if game.tables.seating == "random":
            ring = chance.shuffle("seating", ring)
        return replace(game, turn=number, stage="turn", ring=ring, hours=None), (newspaper.table(ring, number),)

    def receive(self, game: Game, order: Order, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
        """Take or refuse one order (1.4, R5). Draws nothing."""
        return book.receive(game, order)

    def mark(self, game: Game, name: str, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
        """This ruleset has no marks. Raises EngineError."""
        raise EngineError("mark", f"в этих правилах нет отметки «{name}»")

    def close(self, game: Game, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
        """The deadline: the seventeen phases, then the morning."""
        if game.stage != "turn":
            raise EngineError("turn", "день не открыт")
        chance.begin(game.turn)
        night = Night(game, chance)
        phases.play(night)
        return dawn.rise(night)

    def marks_before(self, game: Game, order: Order) -> tuple[str, ...]:
        return ()

    def calendar(self, tables: Tables) -> ClansCalendar:
        return ClansCalendar(tables)

    def with_hours(self, game: Game, hours: Hours) -> Game:
        return replace(game, hours=hours)

    def stops_at_once(self, game: Game) -> bool:
        """R96: a proven violation that ends the game waits for no deadline."""
        measures = (entry.order for entry in game.book if entry.order.action == "host_violation")
        return game.stage == "turn" and any(
            order.args.get("proof", True) and game.tables.violations[order.args["kind"]] == "end_game" for order in measures
        )

    def known(self, game: Game, player: str) -> Known:
        return sketching.known(game, player)

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
        return sketching.sketch(roster, author, role, ctx, tables)

    def seats(self, game: Game) -> tuple[Seat, ...]:
        return tuple(game.players)

    def alive(self, game: Game) -> tuple[Seat, ...]:
        return game.living()

    def turn(self, game: Game) -> int:
        return game.turn

    def stage(self, game: Game) -> str:
        return game.stage

    def deadline(self, game: Game) -> datetime | None:
        """Of a scenario with ``[state] deadline``."""
        return game.deadline

    def winner(self, game: Game) -> str | None:
        return game.victory.winner if game.victory is not None else None

    def winner_kind(self, game: Game) -> WinnerKind | None:
        return game.victory.kind if game.victory is not None else None

    def votes(self, game: Game) -> Mapping[Seat, float]:
        """Ballots and secret votes as they stand: the host's knowledge, never public (R19, R98)."""
        cast_votes = [t for e in game.book if e.order.action in ("vote", "extra_votes") for t in e.order.targets]
        return {seat: float(cast_votes.count(seat)) for seat in game.players if seat in cast_votes}

    def ballots(self, game: Game) -> Mapping[Seat, Seat]:
        """Who stands for whom; ballots are letters, so this is the host's knowledge too."""
        given = {entry.order.player: entry.order.targets[0] for entry in game.book if entry.slot == "vote"}
        return {seat: given[seat] for seat in game.players if seat in given}

    def state(self, game: Game) -> Mapping[Seat, Mapping[str, Any]]:
        """Every player's keys of 1.9."""
        return {seat: _state(player) for seat, player in game.players.items()}

    def balances(self, game: Game) -> Mapping[str, Mapping[str, float]]:
        return {}

    def owing(self, game: Game) -> Mapping[Seat, tuple[str, ...]]:
        """Living players and what they could still send: the ballot, their role's move, the clan's kill for its senior."""
        if game.stage != "turn":
            return {}
        owed = {seat: _owed(game, player) for seat, player in game.players.items() if player.alive}
        return {seat: actions for seat, actions in owed.items() if actions}

    def standing(self, game: Game, player: Seat) -> tuple[Order, ...]:
        """The player's own orders that stand; measures of the host are none of his."""
        slots = ("vote", *roles.NIGHT_SLOTS)
        return tuple(entry.order for entry in game.book if entry.order.player == player and entry.slot in slots)


def _state(player: Player) -> dict[str, Any]:
    state: dict[str, Any] = {
        "role": player.role,
        "faction": player.faction,
        "alive": player.alive,
        "seat": player.seat,
        "points": player.points,
        "violations": player.violations,
        "exhausted": player.exhausted,
    }
    own = {
        "vest": player.vest if player.role == "commissioner" else None,
        "bullets": player.bullets if player.role == "shooter" else None,
        "poison_used": player.poison_used if player.role == "doctor" else None,
        "acts_as": player.acts_as,
        "mined_by": player.mined_by,
    }
    return state | {key: value for key, value in own.items() if value is not None}


def _owed(game: Game, player: Player) -> tuple[str, ...]:
    owed = [] if game.standing(player.nick, "vote") is not None else ["vote"]
    if player.nick in game.passed:
        return tuple(owed)
    has_hunt = game.standing(player.nick, "hunt") is not None
    if game.standing(player.nick, "role") is None and not (player.role == "chosen" and has_hunt):
        owed += _role_moves(game, player)
    if player.mafioso and game.by_seniority(player.faction)[0] == player:
        members = [member.nick for member in game.clan(player.faction)]
        if all(game.standing(member, "kill") is None for member in members):
            owed.append("kill")
    return tuple(owed)


def _role_moves(game: Game, player: Player) -> tuple[str, ...]:
    """The first of the role's moves, where he still can make it: nobody is reminded of the doctor's mistake."""
    if player.acting == "shooter" and player.bullets < 1:
        return ()
    if player.acting == "chosen" and game.tables.secret_votes(game.turn) < 1:
        return ()
    return roles.ROLE_ACTIONS.get(player.acting, ())[:1]


RULESET = Clans()
