"""New roles for the next night (R49-R53): bids first, then who is without a role, then second roles. One bid a player, and a
second role only when nobody is without one (D43). Every night with a role counts as received, whichever way it came (D44); a
role that ended this night is not dealt (D45), Arlekin is, also when no maniac is free (D46)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from engine.chance import Chance
from engine.model import Event, Notice, Seat, Step
from engine.rulesets.goldenkey.refusals import may_bid
from engine.rulesets.goldenkey.roles import ELDER, TOWN_ROLES, TOWNSFOLK, in_order
from engine.rulesets.goldenkey.state import Game, Player


def deal_roles(game: Game, bids: Mapping[Seat, str], night: int, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
    """The game with the town's roles given for this night, and the notices to their new holders (R54).

    ``bids``: seat -> role of the bids that stand; those of the dead and for ended roles are void (R53).
    """
    living = sum(p.alive for p in game.players.values())
    roles = [
        role
        for role in game.tables.town_roles
        if (living > game.tables.elder_above if role == ELDER else game.role_lives[role] > 0)
    ]
    eligible = [p.seat for p in game.players.values() if p.alive and p.faction == TOWNSFOLK and not p.is_maniac]
    bidders = [p.seat for p in game.players.values() if p.alive and may_bid(game, p)]
    won: dict[Seat, list[str]] = {}
    events: list[Event] = []

    def give(role: str, candidates: Sequence[Seat], rule: str) -> bool:
        """R50-R52: one of those who have received the role least often."""
        if not candidates:
            return False
        received = {seat: game.players[seat].received.get(role, 0) for seat in candidates}
        least = min(received.values())
        seat = chance.draw(f"role_{role}", [s for s in candidates if received[s] == least])
        won.setdefault(seat, []).append(role)
        events.append(Step("deal", "role_given", {"role": role, "player": seat, "received": least}, rule=rule))
        return True

    left = [role for role in roles if not give(role, [s for s in bidders if bids.get(s) == role], "R50")]
    left = [role for role in left if not give(role, [s for s in eligible if s not in won], "R51")]
    for role in left:
        give(role, [s for s in eligible if len(won.get(s, ())) == 1], "R52")

    players = {seat: _with_new(p, won.get(seat, [])) for seat, p in game.players.items()}
    told = {role: seat for seat, new in won.items() for role in new}
    notices = [
        Notice(told[role], "role_assigned", {"role": role, "night": night}, rule="R54") for role in TOWN_ROLES if role in told
    ]
    return replace(game, players=MappingProxyType(players)), (*events, *notices)


def _with_new(p: Player, new: Sequence[str]) -> Player:
    """R53: a living townsman holds what he has won and nothing else; a maniac in the town keeps his own role."""
    if not p.alive or p.faction != TOWNSFOLK or not (new or p.roles):
        return p
    roles = in_order([*(role for role in p.roles if role not in TOWN_ROLES), *new])
    received = p.received
    if new:
        received = MappingProxyType({**received, **{role: received.get(role, 0) + 1 for role in new}})
    return Player(p.seat, p.born, p.faction, roles, p.lives, p.alive, p.out, received)
