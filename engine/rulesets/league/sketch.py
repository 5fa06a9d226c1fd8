"""A game made of what little is known of one message, so that the tests on arrival can judge an order (``forumbot parse``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.model import Data, Seat
from engine.rulesets.league.economy import COINS, Ledger
from engine.rulesets.league.ranks import on_duty
from engine.rulesets.league.roles import MAFIA, ROLES, SHOOTERS
from engine.rulesets.league.state import Ballot, Day, Game, Player, gang, holder, post
from engine.rulesets.league.tables import Tables

PLENTY = 10**6
"""Coins of a writer whose balance is not known: no purchase may fail for it."""


def sketch(roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
    """An open turn in which ``author`` has ``role`` and all of ``ctx`` holds. ``facts`` lists what is known."""
    dead = set(ctx.get("dead") or ())
    own = role if role in ROLES else None
    players = {}
    for seat in roster:
        given = own if seat == author and own else "citizen"
        players[seat] = Player(seat, given, ROLES[given].faction, alive=seat not in dead)
    facts: dict[str, Any] = {"turn": True, "clan": tuple(ctx.get("clan") or ())}
    if own:
        facts["role"] = own
    if author in players:
        _sketch_author(players, author, ctx, facts)
    if "necromancer_alive" in ctx:
        facts["necromancer"] = bool(ctx["necromancer_alive"])
    coins = ctx.get("coins")
    held = coins if isinstance(coins, int) else PLENTY
    if "coins" in ctx:
        facts["coins"] = held
    ledger = Ledger(sums=MappingProxyType({(author, COINS): held}))
    turn = ctx.get("day")
    number = turn if isinstance(turn, int) and turn > 0 else 1
    game = Game(tables, MappingProxyType(players), number, number, stage="turn", ledger=ledger, facts=MappingProxyType(facts))
    return replace(game, day=_sketch_day(game, author, ctx), told=True)


def _sketch_author(players: dict[Seat, Player], author: Seat, ctx: Data, facts: dict[str, Any]) -> None:
    me = players[author]
    changes: dict[str, Any] = {"ghost": bool(ctx.get("ghost")) and not me.alive}
    if me.role in SHOOTERS and me.role != "werewolf":
        changes["number"] = 1
    if ctx.get("last_target") and me.role == "girl":
        changes["last_visit"] = ctx["last_target"]
        facts["last_target"] = ctx["last_target"]
    if "checked" in ctx:
        changes["checked"] = tuple(ctx["checked"] or ())
        facts["checked"] = True
    if "prior_vote" in ctx:
        facts["vote"] = True
    players[author] = replace(me, **changes)


def _sketch_day(game: Game, author: Seat, ctx: Data) -> Day:
    prior = ctx.get("prior_vote")
    ballots = {author: Ballot(str(prior), 0)} if prior in game.players and author in game.players else {}
    players = game.players
    return Day(
        duty=on_duty(players, {side: p.number for p in players.values() for side in (p.faction,) if p.number}),
        numbers={p.number: p.seat for p in gang(players, MAFIA)},
        mercenary=holder(players.values(), "mercenary"),
        bodyguard=holder(players.values(), "bodyguard"),
        post=post(players),
        ballots=ballots,
    )
