"""The ruleset ``league`` as a ``Ruleset`` of ``engine.turn``; the rules themselves begin in ``phases`` and ``orders``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine.badinput import unknown
from engine.chance import Chance
from engine.messages import Known
from engine.model import NOTHING, Accepted, Data, EngineError, Order, Seat, WinnerKind
from engine.rulesets.league import contracts, orders, phases, ranks, setup, tables, verdict, views
from engine.rulesets.league.calendar import DEADLINE, HALF, LeagueCalendar
from engine.rulesets.league.economy import BONUS, COINS, CURRENCIES, DEBT, Booking
from engine.rulesets.league.refusals import first_tests_pass
from engine.rulesets.league.roles import (
    ACTIONS,
    CAUSES,
    CHANCE_POINTS,
    DRAW,
    FACTIONS,
    HOST_ACTIONS,
    ITEMS,
    NOTICES,
    REASONS,
    ROLES,
    YAKUZA,
)
from engine.rulesets.league.sketch import sketch
from engine.rulesets.league.state import Desk, Game, numbers_of
from engine.rulesets.league.tables import Tables
from engine.turn import LeftOver, Play, Spec, Stranded

_HALF_CLOSERS = ("accept_work", "refuse_work", "contract_hit", "guard_choose")
_CONTRACTS = (contracts.KILL, contracts.GUARD)
_HOST_ARGS = {
    "grade": {"action": "action", "grade": "int", "shot": "int", "turn": "int", "target": "nick"},
    "choose_story": {"turn": "int", "about": "nick"},
    "write_story": {"story": "text"},
    "late_contract": {"coins": "int"},
    "charge": {"cost": "int"},
    "leniency": {"cost": "int"},
    "grant": {"coins": "int", "debt": "int"},
}

SPEC = Spec(
    roles=tuple(ROLES),
    factions=FACTIONS,
    actions=(*ACTIONS, *HOST_ACTIONS),
    host_actions=HOST_ACTIONS,
    public_actions=tuple(name for name, action in ACTIONS.items() if action.public),
    reasons=REASONS,
    causes=CAUSES,
    notices=NOTICES,
    paid={
        "buy": frozenset({"loop_protection", "extra_check", "extra_shot", "resurrect"}),
        "pool": frozenset({"*"}),
        "extra_votes": frozenset({"*"}),
        "true_sight": frozenset(),
        "contract_kill": frozenset(),
        "contract_guard": frozenset(),
    },
    told={
        "role": {"role": "role", "number": "number", "mates": "partners"},
        "turned": {"role": "=mafioso", "number": "number", "mates": "partners"},
        "new_partner": {"mate": "nick"},
    },
    chance_points=CHANCE_POINTS,
    player_keys=setup.PLAYER_KEYS,
    state_keys=setup.STATE_KEYS,
    shown_keys=(*views.SHOWN, "post"),
    marks=(HALF, DEADLINE),
    items=tuple(ITEMS),
    currencies=CURRENCIES,
    args={**{name: action.args or NOTHING for name, action in ACTIONS.items()}, **_HOST_ARGS},
    immediate_sections=("thread",),
    reminded=(DEADLINE,),
    closes_when_full=True,
    told_measures={"leniency": "leniency.j2"},
    penalty_key="warnings",
    removal="remove",
    leaving="leave",
    bookkeeping=("change_vote", "grant"),
)


class League:
    """The rules of ``rules/league.md``. Games are ``state.Game``; every call returns the next one."""

    id = "league"
    spec = SPEC

    def tables(self, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
        return tables.build(defaults, overrides)

    def start(self, cast: Sequence[Data], state: Data, tables: Any, first_turn: int | None) -> Game:
        return setup.from_cast(cast, state, tables, first_turn)

    def deal(self, seats: Sequence[Seat], tables: Any, chance: Chance) -> Play:
        """Roles dealt by chance (H2) and told at once (R2). Coins of earlier games come as host's orders ``grant``."""
        desk = Desk(setup.dealt(seats, tables, chance), chance)
        phases.tell_roles(desk)
        return desk.done(told=True, dealt=True)

    # the fold

    def open(self, game: Game, chance: Chance) -> Play:
        _expect(game, "between")
        desk = Desk(replace(game, turn=game.turn + 1), chance)
        phases.open_turn(desk)
        return desk.done(stage="turn", told=True)

    def receive(self, game: Game, order: Order, chance: Chance) -> Play:
        host = order.action in SPEC.host_actions
        if not host:
            _expect(game, "turn")
        desk = Desk(game, chance)
        orders.receive(desk, order)
        called_off = order.action == "abort" and any(isinstance(e, Accepted) for e in desk.events)
        return desk.done(stage="over") if called_off else desk.done()

    def mark(self, game: Game, name: str, chance: Chance) -> Play:
        if name not in SPEC.marks:
            raise unknown("mark", "неизвестная отметка дня", name, SPEC.marks)
        _expect(game, "turn")
        desk = Desk(game, chance)
        if name == HALF:
            contracts.close_half(desk)
        else:
            phases.end_day(desk)
        return desk.done()

    def close(self, game: Game, chance: Chance) -> Play:
        _expect(game, "turn")
        desk = Desk(game, chance)
        winner = phases.close_turn(desk)
        duty = ranks.next_duty(desk.players, game.duty)
        return desk.done(stage="between" if winner is None else "over", winner=winner, duty=duty)

    def marks_before(self, game: Game, order: Order) -> tuple[str, ...]:
        """R81: in a scenario the half-day closes before the first answer, choice or late contract, or by the stamp where the
        calendar has a start. Orders refused by the first five tests close nothing. A scenario without a clock has no other
        half-day (D51)."""
        if game.dealt or game.stage != "turn" or order.player not in game.players:
            return ()
        half = LeagueCalendar(game.tables.calendar).half(game)
        if order.at is not None and half is not None and order.at >= half:
            return (HALF,)
        closes = order.action in _HALF_CLOSERS or (order.action in _CONTRACTS and order.args.get("late") is True)
        return (HALF,) if closes and game.turn > 0 and first_tests_pass(game, order) else ()

    def calendar(self, tables: Any) -> LeagueCalendar:
        return LeagueCalendar(tables.calendar)

    # the reader

    def known(self, game: Game, player: str) -> Known:
        return views.known(game, player)

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Any) -> Game:
        return sketch(roster, author, role, ctx, tables)

    # views

    def seats(self, game: Game) -> tuple[Seat, ...]:
        return tuple(game.players)

    def alive(self, game: Game) -> tuple[Seat, ...]:
        return tuple(p.seat for p in game.living())

    def turn(self, game: Game) -> int:
        return game.turn

    def stage(self, game: Game) -> str:
        return game.stage

    def deadline(self, game: Game) -> datetime | None:
        """By ``calendar.start``."""
        return LeagueCalendar(game.tables.calendar).deadline(game)

    def winner(self, game: Game) -> str | None:
        return game.winner

    def winner_kind(self, game: Game) -> WinnerKind | None:
        return None if game.winner in (None, DRAW) else "faction"

    def votes(self, game: Game) -> Mapping[Seat, float]:
        return verdict.count(game, game.day, game.players)

    def ballots(self, game: Game) -> Mapping[Seat, Seat]:
        return {seat: game.day.ballots[seat].target for seat in game.players if seat in game.day.ballots}

    def state(self, game: Game) -> Mapping[Seat, Mapping[str, Any]]:
        return views.state(game)

    def balances(self, game: Game) -> Mapping[str, Mapping[str, float]]:
        return views.balances(game)

    def owing(self, game: Game) -> Mapping[Seat, tuple[str, ...]]:
        return views.owing(game)

    def standing(self, game: Game, player: Seat) -> tuple[Order, ...]:
        return tuple(s.order for s in game.day.book if s.order.player == player) if game.stage == "turn" else ()

    # gangs, pots and stories

    def ranks(self, game: Game, player: Seat) -> Mapping[Seat, int]:
        """R2: the numbers are known to the whole gang; the kamikaze knows them too."""
        me = game.players[player]
        return numbers_of(game.players, me.faction) if me.alive and (me.number or me.faction == YAKUZA) else {}

    def on_duty(self, game: Game) -> tuple[Seat, ...]:
        return tuple(seat for seat in game.players if seat in game.day.duty.values())

    def stranded(self, game: Game) -> tuple[Stranded, ...]:
        return views.stranded(game)

    def untold(self, game: Game) -> Seat | None:
        """R33; in the gap behind the deadline, of the votes as they stand, before lawyer, judge and loop protection."""
        if not game.day.ended or game.stage != "turn":
            return None
        who = verdict.condemned(game.day, verdict.count(game, game.day, game.players))
        told = any(s.order.action == "hang_story" and s.target == who for s in game.day.book)
        return who if who and not told and who not in (*game.day.host_stories, *game.day.spares) else None

    def left_over(self, game: Game) -> tuple[LeftOver, ...]:
        return tuple(LeftOver(one.turn, one.author, one.target, one.text) for one in game.spares)

    # what this ruleset alone has

    def ledger(self, game: Game) -> tuple[Booking, ...]:
        """All bookings of the game so far, in order; each fact once (``Booking.once``)."""
        return game.ledger.bookings

    carried = (COINS, DEBT)

    def bring(self, game: Game, player: Seat, sums: Mapping[str, int]) -> tuple[Order, ...]:
        """H6: coins of earlier games can be spent, a fine that was never collected is still owed."""
        args = {"coins": sums.get(COINS, 0), "debt": sums.get(DEBT, 0)}
        return (Order(player, "grant", args=args),) if any(args.values()) else ()

    def takes_home(self, game: Game) -> Mapping[Seat, Mapping[str, int]]:
        return {seat: {COINS: coins, DEBT: debt} for seat, (coins, debt) in self.payout(game).items()}

    def payout(self, game: Game) -> Mapping[Seat, tuple[int, int]]:
        """Seat -> (coins that go back into the ledger of all games, fine that stays a debt), once the game is over (H6)."""
        _expect(game, "over")
        return views.carry(game.ledger, tuple(game.players))

    def earned(self, game: Game, player: Seat) -> Mapping[str, float]:
        """R110: what went to and from ``bonus``; a fine that was collected with it."""
        found: dict[str, float] = {}
        for one in game.ledger.bookings:
            if one.seat == player and BONUS in (one.source, one.sink):
                found[one.reason] = found.get(one.reason, 0) + (one.amount if one.sink == BONUS else -one.amount)
        return found

    def purse(self, game: Game, player: Seat) -> Mapping[str, int]:
        """What a player may see of his own money at any time (R118); never his ``bonus`` before the game is over."""
        shown = CURRENCIES if game.stage == "over" else tuple(c for c in CURRENCIES if c != "bonus")
        return {account: game.ledger.balance(player, account) for account in shown}

    def belongings(self, game: Game, player: Seat) -> tuple[str, ...]:
        """The items a player holds, to be told to himself."""
        me = game.players[player]
        return (*me.items, *(("net",) if me.net_until else ()))


def _expect(game: Game, stage: str) -> None:
    if game.stage != stage:
        raise EngineError("game", f"сейчас стадия «{game.stage}», а нужна «{stage}»")


RULESET = League()
