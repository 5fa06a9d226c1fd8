"""The deal of a live game (S1-S4)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Chance
from engine.model import EngineError, Event, Notice, Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.state import Game, Player
from engine.rulesets.clans.tables import Tables

Part = tuple[str, str]
"""Role and faction."""


def parts(count: int, tables: Tables) -> tuple[Part, ...]:
    """The roles of a game of ``count`` players (S1-S3): both clans by seniority, the maniac, civilian roles, citizens.

    Raises EngineError when there are fewer than ``min_players``, or too few for the clans of the tables.
    """
    if count < tables.min_players:
        raise EngineError("players", f"записалось {count}, а для игры нужно не меньше {tables.min_players}")
    size = min(max(count // tables.clan_size_divisor, 1), tables.clan_size_max, len(roles.SENIORITY))
    clans = [(role, clan) for clan in roles.CLANS for role in roles.SENIORITY[:size]]
    outlaws = [(roles.MANIAC, roles.MANIAC)] if count >= tables.maniac_from else []
    others = count - len(clans) - len(outlaws)
    if others < 1:
        raise EngineError("tables.clan_size_divisor", f"на {count} игроков приходится {len(clans)} мафиози, мирных не остаётся")
    with_role = min(len(tables.civilian_roles), max(others - count // tables.citizens_divisor, 0))
    civilians = [(role, roles.CIVILIANS) for role in tables.civilian_roles[:with_role]]
    citizens = [(roles.CITIZEN, roles.CIVILIANS)] * (others - with_role)
    return (*clans, *outlaws, *civilians, *citizens)


def deal(seats: Sequence[Seat], tables: Tables, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
    """S4: every part is drawn a player; clan members learn each other, the others nobody."""
    dealt = dict(zip(chance.shuffle("role_deal", seats), parts(len(seats), tables), strict=True))
    players = {}
    for number, seat in enumerate(seats, start=1):
        role, faction = dealt[seat]
        players[seat] = Player(
            nick=seat,
            role=role,
            faction=faction,
            seat=number,
            vest=tables.vest and role == "commissioner",
            bullets=tables.shooter_bullets if role == "shooter" else 0,
        )
    game = Game(tables=tables, players=players, turn=0, live=True)
    return game, tuple(_told(game, player) for player in players.values())


def _told(game: Game, player: Player) -> Notice:
    mates = tuple(mate.nick for mate in game.clan(player.faction) if mate != player) if player.mafioso else ()
    data = {"role": player.role, "faction": player.faction, "clanmates": mates}
    return Notice(player.nick, "role_assigned", data, rule="S4")
