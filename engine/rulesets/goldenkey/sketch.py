"""A game made from what little is known, so that the tests on arrival can judge one order (contract.md, ``parse``).

What is not known forbids nothing: roles of the clan that nobody is known to hold are held by somebody unseen, and
where the night is not known both the clan's list and Artemon's kill are in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from engine.model import Data, Order, Seat
from engine.rulesets.goldenkey.roles import (
    KILLER,
    MANIAC_ROLES,
    MANIACS,
    PLAIN,
    ROLES,
    TOWNSFOLK,
    VILLAIN_ROLES,
    VILLAINS,
)
from engine.rulesets.goldenkey.state import EMPTY_BOOK, Arrival, Book, Game, Player, look
from engine.rulesets.goldenkey.tables import Tables


def sketch(roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
    """An open turn in which ``author`` has ``role``. Of ``ctx`` these count: dead, clan, night, day, maniacs_left, prior_vote."""
    if "night" in ctx:
        turn = int(ctx["night"]) + tables.first_turn - 1
    elif "day" in ctx:
        turn = int(ctx["day"])
    else:
        tables, turn = replace(tables, artemon_kill_from=1, opening_night=False), 1
    role = None if role == KILLER else role
    faction = ROLES[role].faction if role is not None and role in ROLES else VILLAINS if role == PLAIN[VILLAINS] else TOWNSFOLK
    clan = frozenset(ctx.get("clan", roster if faction == VILLAINS else ()))
    joined = role in MANIAC_ROLES and author in clan
    dead = frozenset(ctx.get("dead", ()))
    players = {
        seat: _player(seat, role if seat == author else None, VILLAINS if seat in clan else TOWNSFOLK, seat not in dead, tables)
        for seat in roster
    }
    if author in players and role in MANIAC_ROLES:
        players[author] = replace(players[author], born=MANIACS, faction=VILLAINS if joined else MANIACS)
    frozen, opened = look(MappingProxyType(players), tables)
    unseen = frozenset(r for r in VILLAIN_ROLES if r not in opened.holders)
    opened = replace(opened, unseen=unseen, free_maniacs=ctx.get("maniacs_left", len(MANIAC_ROLES)))
    return Game(tables, "turn", turn, frozen, tables.role_lives, opened, _book(author, ctx))


def _player(seat: Seat, role: str | None, faction: str, alive: bool, tables: Tables) -> Player:
    roles = (role,) if role in ROLES and role is not None else ()
    return Player(seat, faction, faction, roles, tables.player_lives if alive else 0, alive)


def _book(author: str, ctx: Data) -> Book:
    prior = ctx.get("prior_vote")
    if not prior:
        return EMPTY_BOOK
    vote = Arrival(Order(author, "vote", (prior,)), None, f"vote:{author}")
    return Book((vote,), MappingProxyType({vote.slot: vote}))
