"""What the reader of texts asks of the game: who the sender is, and a sketched turn in which an order can be judged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time
from typing import Any

from engine.messages import Known
from engine.model import Data, Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.state import Game, Player, Sketch
from engine.rulesets.clans.tables import Tables


def known(game: Game, player: str) -> Known:
    """What the reader may use about the sender, who need not be a player."""
    dead = frozenset(seat for seat, other in game.players.items() if not other.alive)
    found = game.players.get(player)
    if found is None:
        return Known(player, alive=False, dead=dead, night=game.turn)
    held = (found.role,) if found.acts_as is None else (found.role, found.acts_as)
    ballot = game.standing(player, "vote")
    more: dict[str, Any] = {
        "day": game.turn,
        "secret_votes": game.tables.secret_votes(game.turn),
        "words": game.day_words(player),
        "words_required": game.tables.words_required if game.tables.activity_penalties else 0,
        "prior_vote": ballot.order.targets[0] if ballot is not None else None,
        # D57: two actions that one letter may not hold together.
        "never_together": ("extra_votes", "hunt") if found.role == "chosen" else (),
    }
    return Known(
        player=player,
        alive=found.alive,
        roles=held if found.role != roles.UNKNOWN else (),
        faction=found.faction or None,
        clan=tuple(mate.nick for mate in game.clan(found.faction)) if found.mafioso else (),
        dead=dead,
        night=game.turn,
        more=more,
    )


def sketch(roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Tables) -> Game:
    """An open turn in which ``author`` has ``role`` and all of ``ctx`` holds.

    Keys of ``ctx`` that matter here: ``dead``, ``clan``, ``last_target`` with ``last_success``, ``checked``, ``vacant``,
    ``don_dead``, ``day`` (or ``night``), ``time`` (clock time of the message). What is not given forbids nothing.
    """
    day = ctx.get("day", ctx.get("night"))
    clan = _listed(ctx.get("clan"))
    side = _side(role)
    players = {}
    for number, seat in enumerate(roster, start=1):
        if seat == author:
            player = _author(seat, number, role or roles.UNKNOWN, side, ctx, tables)
        else:
            faction = roles.UNKNOWN
            if side in roles.CLANS and clan:
                faction = side if seat in clan else roles.CIVILIANS
            player = Player(seat, roles.UNKNOWN, faction, number, alive=seat not in _listed(ctx.get("dead")))
        players[seat] = player
    return Game(
        tables=tables,
        players=players,
        turn=day if isinstance(day, int) else _most_votes_day(tables),
        stage="turn",
        ring=tuple(players),
        sketch=Sketch(ctx.get("vacant"), ctx.get("don_dead"), _clock(ctx.get("time"))),
    )


def _author(seat: Seat, number: int, role: str, side: str, ctx: Data, tables: Tables) -> Player:
    last = _listed(ctx.get("last_target")) if ctx.get("last_success", True) else ()
    actions = roles.ROLE_ACTIONS.get(role, ())
    checked = _listed(ctx.get("checked"))
    return Player(
        nick=seat,
        role=role,
        faction=side,
        seat=number,
        alive=seat not in _listed(ctx.get("dead")),
        bullets=max(1, tables.shooter_bullets),
        last={action: last[0] for action in actions if action in roles.NOT_IN_A_ROW and last},
        past={action: frozenset((*last, *checked)) for action in actions if action in roles.ONCE_A_GAME},
    )


def _side(role: str | None) -> str:
    """The side of a role; which of the clans a mafioso belongs to makes no difference here."""
    if role is None:
        return roles.UNKNOWN
    if role in roles.SENIORITY:
        return roles.RED
    return roles.MANIAC if role == roles.MANIAC else roles.CIVILIANS


def _listed(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _most_votes_day(tables: Tables) -> int:
    """A day on which the chosen has most votes: an unknown day forbids nothing."""
    return 1 if tables.secret_votes(1) >= tables.chosen_votes_late else tables.chosen_double_days + 1


def _clock(value: Any) -> time | None:
    if not isinstance(value, str):
        return None
    try:
        return time.fromisoformat(value.strip().zfill(5))
    except ValueError:
        return None
