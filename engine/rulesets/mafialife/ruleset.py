"""The calls and views of ``engine.turn.Ruleset`` for mafialife."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.chance import Chance
from engine.messages import Known
from engine.model import Data, EngineError, Event, Order, Seat, WinnerKind
from engine.rulesets.mafialife import day, docket, matrix, moves, phases, refusals, roles, setup, tables
from engine.rulesets.mafialife.calendar import Days
from engine.rulesets.mafialife.sketch import sketch
from engine.rulesets.mafialife.state import Booking, Game, Player, living, official, plain
from engine.rulesets.mafialife.tables import Tables
from engine.turn import Spec

Play = tuple[Game, tuple[Event, ...]]

SPEC = Spec(
    roles=tuple(roles.ROLES),
    factions=roles.FACTIONS,
    actions=(*roles.DAY_ACTIONS, *moves.ACTIONS, "captive_move", *roles.HOST_ACTIONS),
    host_actions=roles.HOST_ACTIONS,
    removal="host_remove",
    public_actions=(),
    reasons=tuple(dict.fromkeys((*roles.REASONS_FAILED, *roles.REASONS_REJECTED))),
    causes=roles.CAUSES,
    notices=roles.NOTICES,
    paid={"buy": frozenset({"*"})},
    told={
        "role_assigned": {"role": "role", "faction": "faction"},
        "team_password": {"team": "team", "password": "password"},
        "recruited": {"faction": "team"},
        "reborn": {"role": "role"},
        "raised": {"role": "role", "faction": "=graveyard"},
        "turned": {"role": "=vampire", "faction": "=graveyard"},
        "role_learned": {"role": "role"},
    },
    chance_points=roles.CHANCE_POINTS,
    player_keys=roles.PLAYER_KEYS,
    state_keys=roles.STATE_KEYS,
    shown_keys=(*roles.PLAYER_KEYS, "official"),
    items=roles.GOODS,
    currencies=("mafbucks",),
    args={
        **{action: {"plan": "bool"} for action in moves.ACTIONS},
        **{action: {} for action in ("unvote", "refuse_points_win", "join_graveyard", "host_remove")},
        "vote": {"plan": "bool"},
        "buy": {"item": "item", "pay": "text"},
        "gift": {"item": "item"},
        "sell": {"item": "item"},
        "sleep_role": {"role": "role", "aids": "bool", "plan": "bool"},
        "learn_role": {"role": "role", "plan": "bool"},
        "study": {"role": "role", "plan": "bool"},
        "infiltrate": {"team": "faction", "join": "bool", "plan": "bool"},
        "open_team": {"team": "faction", "plan": "bool"},
        "captive_move": {
            "action": "action",
            "role": "role",
            "aids": "bool",
            "team": "faction",
            "join": "bool",
            "plan": "bool",
            # He cannot buy for his captive (R87): such an order is refused, not misspelt.
            "item": "item",
            "pay": "text",
        },
        "host_fine": {"points": "int", "mafbucks": "int"},
        roles.HOST_CARRY: {"mafbucks": "int"},
    },
)


class MafiaLife:
    """The ruleset; all of its state is in the ``Game`` that is passed in and out."""

    id = "mafialife"
    spec = SPEC

    def tables(self, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
        """Raises EngineError with the path of a wrong entry (chapter 20)."""
        return tables.build(defaults, overrides)

    def start(self, cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
        """A scenario's game. Raises EngineError ("players[2].level", ...)."""
        return setup.start(cast, state, tables, first_turn)

    def deal(self, seats: Sequence[Seat], tables: Tables, chance: Chance) -> Play:
        """R180. Raises EngineError for too few or too many players."""
        chance.begin(0)
        return setup.deal(seats, tables, chance)

    def most_players(self, tables: Tables) -> int:
        """R180: as many as the set-up list has roles."""
        return len(tables.setup)

    def open(self, game: Game, chance: Chance) -> Play:
        """Open the next day (R1)."""
        if game.stage != "between":
            raise EngineError("turn", "день уже открыт или партия окончена")
        chance.begin(game.turn + 1)
        return replace(game, turn=game.turn + 1, stage="turn", received=0, heard=frozenset(), passed=frozenset()), ()

    def receive(self, game: Game, order: Order, chance: Chance) -> Play:
        return day.receive(game, order)

    def hear(self, game: Game, player: Seat) -> Game:
        """D59: anything sent is no silence."""
        return day.hear(game, player)

    def mark(self, game: Game, name: str, chance: Chance) -> Play:
        """The ruleset has no marks."""
        raise EngineError("mark", f"в этих правилах нет момента «{name}»")

    def close(self, game: Game, chance: Chance) -> Play:
        """Resolve the turn (R50)."""
        if game.stage != "turn":
            raise EngineError("turn", "день не открыт")
        chance.begin(game.turn)
        return phases.close(game, chance)

    def marks_before(self, game: Game, order: Order) -> tuple[str, ...]:
        return ()

    def calendar(self, tables: Tables) -> Days:
        return Days(tables.deadline, tables.weekend_pause)

    def known(self, game: Game, player: str) -> Known:
        """What the reader may use about the sender; team mates only if he is an official member himself."""
        dead = frozenset(seat for seat, p in game.players.items() if not p.alive)
        found = game.players.get(player)
        if found is None:
            return Known(player, dead=dead, night=game.turn)
        acts_as = (found.role,) if found.role else ()
        more = MappingProxyType(_more(game, found))
        return Known(player, found.alive, acts_as, found.faction, _mates(game, found), dead, game.turn, more)

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
        return sketch(roster, author, role, ctx, tables)

    # --- Money from game to game (R27, D49) ---

    def ledger(self, game: Game) -> tuple[Booking, ...]:
        """Every booking of the game with its reason; a player's balance is the sum of his."""
        return game.ledger

    def chart(self) -> str:
        """The interaction matrix of chapter 15."""
        return matrix.printed()

    carried = ("mafbucks",)

    def bring(self, game: Game, player: Seat, sums: Mapping[str, int]) -> tuple[Order, ...]:
        """The balance of earlier games in place of a newcomer's; nothing where ``carry_mafbucks`` is off."""
        if not game.tables.carry_mafbucks or "mafbucks" not in sums:
            return ()
        return (Order(player, roles.HOST_CARRY, args={"mafbucks": sums["mafbucks"]}),)

    def takes_home(self, game: Game) -> Mapping[Seat, Mapping[str, int]]:
        """What each player takes to his next game; final once the game is over."""
        if not game.tables.carry_mafbucks:
            return {}
        return {seat: {"mafbucks": player.mafbucks} for seat, player in game.players.items()}

    def earned(self, game: Game, player: Seat) -> Mapping[str, float]:
        """Every booking of the game but what was brought in."""
        found: dict[str, float] = {}
        for one in game.ledger:
            if one.player == player and one.reason not in ("opening", "carried"):
                found[one.reason] = found.get(one.reason, 0) + one.amount
        return found

    def purse(self, game: Game, player: Seat) -> Mapping[str, float]:
        me = game.players[player]
        return {"mafbucks": me.mafbucks, "points": me.points, "level": me.level}

    def belongings(self, game: Game, player: Seat) -> tuple[str, ...]:
        return game.players[player].items

    # --- Views ---

    def seats(self, game: Game) -> tuple[Seat, ...]:
        return tuple(game.players)

    def alive(self, game: Game) -> tuple[Seat, ...]:
        return living(game)

    def turn(self, game: Game) -> int:
        return game.turn

    def stage(self, game: Game) -> str:
        return game.stage

    def winner(self, game: Game) -> str | None:
        return game.victory.winner if game.victory is not None else None

    def winner_kind(self, game: Game) -> WinnerKind | None:
        return game.victory.kind if game.victory is not None else None

    def votes(self, game: Game) -> Mapping[Seat, float]:
        return dict(docket.counted(game))

    def ballots(self, game: Game) -> Mapping[Seat, Seat]:
        """Who stands for whom, sold votes too (R11)."""
        votes = docket.votes(game)
        return {seat: votes[seat].targets[0] for seat in game.players if seat in votes}

    def state(self, game: Game) -> Mapping[Seat, Mapping[str, Any]]:
        return {seat: plain(player, game) for seat, player in game.players.items()}

    def balances(self, game: Game) -> Mapping[str, Mapping[str, float]]:
        return {"mafbucks": {seat: player.mafbucks for seat, player in game.players.items()}}

    def owing(self, game: Game) -> Mapping[Seat, tuple[str, ...]]:
        """Living players without a move or a vote in an open day, with what they could still send."""
        if game.stage != "turn":
            return {}
        owing = {player.seat: _could_send(game, player) for player in game.players.values() if player.alive}
        return {seat: actions for seat, actions in owing.items() if actions}

    def standing(self, game: Game, player: Seat) -> tuple[Order, ...]:
        """His vote, move and extra actions that count as things are, in order of arrival."""
        return tuple(candidate.order for candidate in docket.standing(game, player))


def _mates(game: Game, player: Player) -> tuple[Seat, ...]:
    if player.faction not in roles.TEAMS or not official(game, player):
        return ()
    return tuple(p.seat for p in game.players.values() if p.alive and p.faction == player.faction and official(game, p))


def _more(game: Game, player: Player) -> dict[str, Any]:
    captive = refusals.captive_of(game, player.seat)
    vote = next((c.order for c in docket.standing(game, player.seat) if c.slot == docket.VOTE), None)
    return {
        "level": player.level,
        "points": player.points,
        "items": player.items,
        "staff": player.staff,
        "captive": captive.seat if captive is not None else "none",
        "captive_role": captive.role if captive is not None else "",
        "prior_vote": vote.targets[0] if vote is not None else None,
        "vote_spent": player.vote_spent,
        "move_spent": player.move_spent,
    }


def _could_send(game: Game, player: Player) -> tuple[str, ...]:
    """Moves of his role that are not used up, a vote, a captive's move; nothing where one of the kind stands."""
    actions: list[str] = []
    sent = {candidate.slot for candidate in docket.standing(game, player.seat)}
    held = player.paralysed or player.captive_of or player.move_spent
    if docket.MOVE not in sent and not held and player.seat not in game.passed:
        for move in moves.of_role(player.role):
            allowed = game.tables.allowed(player.role, move.action, player.level)
            left = allowed < 0 or player.used.get(move.action, 0) < allowed
            if left and not refusals.may_not_study(game, player, move):
                actions.append(move.action)
    captive = refusals.captive_of(game, player.seat) if player.role == "maniac" else None
    if captive is not None and docket.CAPTIVE_MOVE not in sent:
        actions.append("captive_move")
    if game.turn > 1 and docket.VOTE not in sent and not player.paralysed and not player.vote_spent:
        actions.append("vote")
    return tuple(actions)


RULESET = MafiaLife()
