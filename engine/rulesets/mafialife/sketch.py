"""A game made of what little is known of one message, so that the tests on arrival can judge an order (``forumbot parse``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from engine.model import Data, Order, Seat
from engine.rulesets.mafialife import docket
from engine.rulesets.mafialife.refusals import UNKNOWN_ROLE
from engine.rulesets.mafialife.roles import DEN, NEUTRAL, ROLES
from engine.rulesets.mafialife.state import Candidate, Game, Player, Sketch
from engine.rulesets.mafialife.tables import LEVELS, Tables

_BLIND = frozenset(
    {
        "no_item", "level_too_low", "no_uses_left", "no_captive", "not_enough_points", "cannot_afford", "daily_limit",
        "game_limit", "pistol_taken", "not_recruited", "too_late", "level_limit", "already_member",
    }
)  # fmt: skip
"""What cannot be judged while nothing is known of it."""
PLENTY = 10**6


def sketch(roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
    """An open turn in which all of ``ctx`` holds (corpus, "ctx keys"); nothing unknown forbids an order."""
    dead = frozenset(ctx.get("dead", ()))
    clan = frozenset(ctx.get("clan", ()))
    faction = ROLES.get(role or "", NEUTRAL)
    team = DEN if clan and faction == NEUTRAL else faction
    players = {}
    for seat in dict.fromkeys(roster):
        mine = seat == author
        side = team if mine or seat in clan else UNKNOWN_ROLE
        players[seat] = Player(seat, (role or UNKNOWN_ROLE) if mine else UNKNOWN_ROLE, side, alive=seat not in dead)
    turn = ctx.get("day", 2)
    game = Game(
        tables=tables,
        players=MappingProxyType(players),
        cast=tuple(sorted(ROLES)),
        turn=turn if isinstance(turn, int) else 2,
        first_turn=1,
        stage="turn",
        sketch=Sketch(blind=_blind(ctx), sure=_sure(ctx), clan=clan),
    )
    return _with_author(game, author, ctx) if author in players else game


def _blind(ctx: Data) -> frozenset[str]:
    known = set()
    if "level" in ctx:
        known |= {"level_too_low", "level_limit"}
    if "captive" in ctx:
        known.add("no_captive")
    return _BLIND - known


def _sure(ctx: Data) -> frozenset[tuple[str, str]]:
    return frozenset({("pistol", "no_item")}) if "pistol" in ctx else frozenset()


def _with_author(game: Game, author: Seat, ctx: Data) -> Game:
    player = replace(
        game.players[author],
        level=int(ctx.get("level", LEVELS - 1)),
        mafbucks=PLENTY,
        items=("pistol",) * int(ctx.get("pistol", 0)),
        vote_spent=bool(ctx.get("vote_spent", False)),
        move_spent=bool(ctx.get("move_spent", False)),
    )
    game = game.with_player(player)
    last, prior, captive = (str(ctx.get(key) or "") for key in ("last_target", "prior_vote", "captive"))
    if last:
        both = MappingProxyType(dict.fromkeys(("sleep", "aids"), last))
        game = replace(game, last_targets=MappingProxyType({author: both}))
    if prior in game.players:
        vote = Candidate(0, Order(author, "vote", (prior,)), docket.VOTE, None, None)
        game = replace(game, sent=MappingProxyType({author: (vote,)}))
    if captive in game.players:
        game = game.with_player(replace(game.players[captive], captive_of=author))
    return game
