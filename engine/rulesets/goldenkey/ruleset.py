"""The ruleset as the rest of the house sees it: the calls of ``engine.turn.Ruleset`` and the ids of chapter 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.calendar import Hours
from engine.chance import Chance
from engine.messages import Known
from engine.model import Accepted, Data, Death, EngineError, Order, Seat, WinnerKind
from engine.rulesets.goldenkey import book, resolution, setup, tables
from engine.rulesets.goldenkey.calendar import GoldenKeyCalendar
from engine.rulesets.goldenkey.refusals import RULE
from engine.rulesets.goldenkey.roles import (
    ARTEMON,
    CANONICAL,
    COMMANDS,
    COUNTED_ROLES,
    DRAW,
    KILLER,
    MANIAC_ROLES,
    MANIACS,
    PLAIN,
    ROLES,
    TOWN_ROLES,
    TOWNSFOLK,
    VILLAIN_ROLES,
    VILLAINS,
)
from engine.rulesets.goldenkey.sketch import sketch
from engine.rulesets.goldenkey.state import EMPTY_BOOK, Game, Player, look
from engine.rulesets.goldenkey.tables import Tables
from engine.turn import Ruleset, Spec

Play = book.Play

NOTICES: Mapping[str, Mapping[str, str]] = {
    "life_lost": {"cause": "cause", "amount": "number", "lives": "number"},
    "role_assigned": {"role": "role", "night": "number"},
    "villain_role": {"role": "role"},
    "spy_result": {"target": "nick", "result": "success|fail", "faction": "faction", "roles": "role"},
    "recruit_result": {"target": "nick", "result": "success|fail", "role": "role", "faction": "faction"},
    "joined_clan": {"faction": "faction", "members": "nick"},
    "clan_joined": {"player": "nick"},
    "order_rejected": {"action": "action", "reason": "reason"},
    "clan_told": {"faction": "faction"},
    "clan_list": {"members": "nick"},
    "maniac_role": {"role": "role"},
}
"""The kinds of private notices with their further keys, and what stands in them (``Spec.notices``)."""

SPEC = Spec(
    roles=(*(role.id for role in CANONICAL), *PLAIN.values()),
    factions=(VILLAINS, TOWNSFOLK, MANIACS),
    actions=("vote", "unvote", *sorted(COMMANDS), "bid_role", "assign_roles", "host_remove"),
    host_actions=("host_remove",),
    removal="host_remove",
    bookkeeping=("bid_role", "assign_roles"),
    public_actions=("vote", "unvote"),
    reasons=(
        *dict.fromkeys(RULE),
        "not_blue",
        "edited",
        "unknown_nick",
        "blocked",
        "beaten",
        "target_guest",
        "target_guarded",
        "elder",
        "other_maniac",
        "ineffective",
    ),
    causes=("lynch", "killer_attack", "bad_target", "removed"),
    notices=NOTICES,
    told={
        "clan_told": {"faction": "faction"},
        "clan_list": {"mates": "members"},
        "clan_joined": {"mate": "player"},
        "joined_clan": {"faction": "faction", "mates": "members"},
        "villain_role": {"role": "role"},
        "maniac_role": {"role": "role"},
        "role_assigned": {"night_role": "role", "night": "night"},
    },
    chance_points=(
        *(f"role_{role}" for role in TOWN_ROLES),
        "setup_villain",
        *(f"setup_{role}" for role in MANIAC_ROLES),
        *(f"villain_role_{role}" for role in VILLAIN_ROLES),
    ),
    player_keys=("role", "roles", "faction", "alive", "lives", "received"),
    state_keys=("role_lives",),
    shown_keys=("role", "roles", "faction", "alive", "lives", "received"),
    marks=("lynch",),
    currencies=("role_lives",),
    args=MappingProxyType(
        {
            "vote": {},
            "unvote": {},
            "kill": {"role": "role", "by": "nick"},
            **{action: {"role": "role"} for action in (*sorted(COMMANDS - {"kill"}), "bid_role")},
            "assign_roles": {"roles": "role"},
            "host_remove": {},
        }
    ),
)


class GoldenKey:
    """Ruleset ``goldenkey`` (docs/rules/goldenkey.md). Holds no state of its own."""

    id = "goldenkey"
    spec = SPEC

    def tables(self, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
        return tables.check(defaults, overrides)

    def start(self, cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
        return setup.start(cast, state, tables, first_turn)

    def deal(self, seats: Sequence[Seat], tables: Tables, chance: Chance) -> Play:
        return setup.deal(seats, tables, chance)

    def open(self, game: Game, chance: Chance) -> Play:
        """R8, R18, R34: what the night needs of the opening is looked up now."""
        if game.stage != "between":
            raise EngineError("open", f"a turn cannot be opened in stage {game.stage!r}")
        players, opened = look(game.players, game.tables)
        chance.begin(game.turn + 1)
        turn = game.turn + 1
        game = replace(game, stage="turn", turn=turn, players=players, opened=opened, book=EMPTY_BOOK, lynch=None, hours=None)
        return game, ()

    def receive(self, game: Game, order: Order, chance: Chance) -> Play:
        if order.at is not None:
            late = self.calendar(game.tables).refuse(game, order.action, order.at, public=order.action in SPEC.public_actions)
            if late is not None:
                return game, book.refuse(order, late)
        game, events = book.receive(game, order)
        if order.action == "host_remove" and isinstance(events[0], Accepted):
            events += (Death(order.player, "removed", rule="R71", refs=(order.ref,)),)
        return game, events

    def mark(self, game: Game, name: str, chance: Chance) -> Play:
        if name == "setup" and game.stage == "setup":
            return setup.finish(game, chance)
        if name == "lynch" and game.stage == "turn":
            return resolution.lynch(game) if game.has_day and game.lynch is None else (game, ())
        raise EngineError("mark", f"no mark {name!r} in stage {game.stage!r}")

    def close(self, game: Game, chance: Chance) -> Play:
        if game.stage != "turn":
            raise EngineError("close", f"no turn is open in stage {game.stage!r}")
        return resolution.close(game, chance)

    def marks_before(self, game: Game, order: Order) -> tuple[str, ...]:
        """None: in a scenario the lynch is settled when all has been sent."""
        return ()

    def calendar(self, tables: Tables) -> GoldenKeyCalendar:
        return GoldenKeyCalendar(tables)

    def with_hours(self, game: Game, hours: Hours) -> Game:
        return replace(game, hours=hours)

    def known(self, game: Game, player: str) -> Known:
        """``more``: ``clan_roles`` (roles of his clan that he may move), ``holders`` (who holds which role), ``maniacs_left``,
        ``prior_vote``, ``vote_colour``."""
        dead = frozenset(seat for seat, p in game.players.items() if not p.here)
        me = game.players.get(player)
        if me is None:
            return Known(player, dead=dead, night=game.night, more={"vote_colour": game.tables.vote_colour})
        mine = me.faction == VILLAINS
        return Known(
            player,
            alive=me.here,
            roles=me.roles or (me.role,),
            faction=me.faction,
            clan=tuple(p.seat for p in game.players.values() if p.faction == VILLAINS) if mine else (),
            dead=dead,
            night=game.night,
            more={
                "clan_roles": tuple(sorted(game.opened.clan_roles)) if mine else (),
                "holders": dict(game.opened.holders) if mine else {},
                "maniacs_left": game.opened.free_maniacs,
                "prior_vote": book.ballots(game).get(player),
                "vote_colour": game.tables.vote_colour,
            },
        )

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
        return sketch(roster, author, role, ctx, tables)

    def seats(self, game: Game) -> tuple[Seat, ...]:
        return tuple(game.players)

    def alive(self, game: Game) -> tuple[Seat, ...]:
        return tuple(seat for seat, p in game.players.items() if p.alive)

    def turn(self, game: Game) -> int:
        return game.turn

    def stage(self, game: Game) -> str:
        return game.stage

    def winner(self, game: Game) -> str | None:
        return game.winner

    def winner_kind(self, game: Game) -> WinnerKind | None:
        return None if game.winner in (None, DRAW) else "faction"

    def votes(self, game: Game) -> Mapping[Seat, float]:
        return book.count(game)

    def ballots(self, game: Game) -> Mapping[Seat, Seat]:
        return book.ballots(game)

    def state(self, game: Game) -> Mapping[Seat, Mapping[str, Any]]:
        return {
            seat: {
                "role": p.role,
                "roles": p.roles,
                "faction": p.faction,
                "alive": p.alive,
                "lives": p.lives,
                "received": p.received,
            }
            for seat, p in game.players.items()
        }

    def balances(self, game: Game) -> Mapping[str, Mapping[str, float]]:
        return {"role_lives": {role: game.role_lives[role] for role in COUNTED_ROLES}}

    def owing(self, game: Game) -> Mapping[Seat, tuple[str, ...]]:
        """By day the vote; from the lynch on the commands of one's own roles and the clan's kill. Bids are nobody's duty."""
        owed = {seat: self._owed(game, p) for seat, p in game.players.items() if p.here and seat not in game.book.passed}
        return {seat: actions for seat, actions in owed.items() if actions}

    def _owed(self, game: Game, player: Player) -> tuple[str, ...]:
        standing = game.book.standing
        if game.stage == "setup":
            return ("assign_roles",) if player.is_born_villain and "list" not in standing else ()
        if game.stage != "turn":
            return ()
        if game.has_day and game.lynch is None:
            return () if f"vote:{player.seat}" in standing else ("vote",)
        actions = [
            action
            for role in player.roles
            if role not in standing
            for action in ROLES[role].actions
            if not (role == ARTEMON and action == "kill" and game.night < game.tables.artemon_kill_from)
            and not (action == "recruit" and game.opened.free_maniacs == 0)
        ]
        if player.is_born_villain and KILLER not in standing and game.role_lives[KILLER] > 0:
            actions.append("kill")
        return tuple(dict.fromkeys(actions))

    def standing(self, game: Game, player: Seat) -> tuple[Order, ...]:
        stands = {id(a) for a in game.book.standing.values()}
        return tuple(a.order for a in game.book.arrived if a.order.player == player and id(a) in stands)


RULESET: Ruleset = GoldenKey()
