"""A game from a scenario's cast and state (1.9), checked entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engine.badinput import check_keys, unknown, want
from engine.model import Data, EngineError, Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.calendar import ClansCalendar
from engine.rulesets.clans.state import Checked, Game, Player
from engine.rulesets.clans.tables import Tables

_ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    "vest": ("commissioner",),
    "bullets": ("shooter",),
    "poison_used": ("doctor",),
    "acts_as": ("artist",),
}
"""Keys that only a player of this role has."""


def start(cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
    """The game before its first turn. Raises EngineError with the path of the first wrong entry."""
    if not cast:
        raise EngineError("players", "нет ни одного игрока")
    nicks = tuple(str(entry.get("nick", "")) for entry in cast)
    if len(set(nicks)) < len(nicks):
        raise EngineError("players", "один ник назван дважды")
    made = [_player(f"players[{i}]", i, entry, nicks, tables) for i, entry in enumerate(cast)]
    _check_seats(cast)
    _check_once_each(made)
    players = {player.nick: player for player in sorted(made, key=lambda player: player.seat)}
    first = 1 if first_turn is None else first_turn
    if first < 1:
        raise EngineError("first_turn", "дни считаются с первого")
    check_keys("state", state, roles.STATE_KEYS)
    return Game(
        tables=tables,
        players=players,
        turn=first - 1,
        deadline=_deadline(state, tables),
        last_checked=_last_checked(state, players),
        side_violations=_side_violations(state),
    )


def _player(place: str, index: int, entry: Data, nicks: Sequence[Seat], tables: Tables) -> Player:
    check_keys(place, entry, ("nick", *roles.PLAYER_KEYS))
    role = entry.get("role")
    if role not in roles.ROLES:
        raise unknown(f"{place}.role", "неизвестная роль", role, roles.ROLES)
    for key, holders in _ONLY_FOR.items():
        if key in entry and role not in holders:
            raise EngineError(f"{place}.{key}", f"это есть только у роли {' | '.join(holders)}, а не у {role}")

    def flag(key: str, default: bool) -> bool:
        return bool(want(f"{place}.{key}", entry.get(key, default), bool, "true или false"))

    def number(key: str, default: int) -> int:
        value: int = want(f"{place}.{key}", entry.get(key, default), int, "целое число")
        if value < 0:
            raise EngineError(f"{place}.{key}", "здесь не может стоять отрицательное число")
        return value

    acts_as = entry.get("acts_as")
    if acts_as is not None and acts_as not in tables.artist_roles:
        raise unknown(f"{place}.acts_as", "артист не может занять место роли", acts_as, tables.artist_roles)
    return Player(
        nick=entry["nick"],
        role=str(role),
        faction=_faction(place, str(role), entry.get("faction")),
        seat=number("seat", index + 1),
        alive=flag("alive", True),
        vest=flag("vest", tables.vest) if role == "commissioner" else False,
        bullets=number("bullets", tables.shooter_bullets) if role == "shooter" else 0,
        points=number("points", 0),
        violations=number("violations", 0),
        acts_as=acts_as,
        exhausted=flag("exhausted", False),
        mined_by=_nick(f"{place}.mined_by", entry["mined_by"], nicks) if "mined_by" in entry else None,
        poison_used=flag("poison_used", False),
        last={a: _nick(f"{place}.last_{a}", entry[f"last_{a}"], nicks) for a in roles.NOT_IN_A_ROW if f"last_{a}" in entry},
        past={
            action: frozenset(_nicks(f"{place}.{key}", entry[key], nicks))
            for key, action in roles.MEMORY_KEYS.items()
            if action in roles.ONCE_A_GAME and key in entry
        },
    )


def _faction(place: str, role: str, given: Any) -> str:
    if role in roles.SENIORITY:
        if given not in roles.CLANS:
            raise EngineError(f"{place}.faction", f"у роли {role} надо указать клан: {' | '.join(roles.CLANS)}")
        return str(given)
    settled = roles.MANIAC if role == roles.MANIAC else roles.CIVILIANS
    if given is not None and given != settled:
        raise EngineError(f"{place}.faction", f"роль {role} играет только за {settled}")
    return settled


def _nick(place: str, value: Any, nicks: Sequence[Seat]) -> Seat:
    if not isinstance(value, str) or value not in nicks:
        raise unknown(place, "неизвестный ник", value, nicks)
    return value


def _nicks(place: str, value: Any, nicks: Sequence[Seat]) -> tuple[Seat, ...]:
    if not isinstance(value, (list, tuple)):
        raise EngineError(place, "здесь должен стоять список ников")
    return tuple(_nick(f"{place}[{i}]", one, nicks) for i, one in enumerate(value))


def _check_seats(cast: Sequence[Data]) -> None:
    taken: dict[int, str] = {}
    for i, entry in enumerate(cast):
        if "seat" in entry:
            if entry["seat"] in taken:
                raise EngineError(f"players[{i}].seat", f"место {entry['seat']} уже занято игроком «{taken[entry['seat']]}»")
            taken[entry["seat"]] = entry["nick"]


def _check_once_each(players: Sequence[Player]) -> None:
    """1.2: one player of each civilian role (citizens apart), one maniac, one player of each role in a clan."""
    seen: set[tuple[str, str]] = set()
    for i, player in enumerate(players):
        held = (player.role, player.faction)
        if player.role != roles.CITIZEN and held in seen:
            raise EngineError(f"players[{i}].role", f"роль {player.role} уже есть у другого игрока")
        seen.add(held)


def _deadline(state: Data, tables: Tables) -> datetime | None:
    given = state.get("deadline")
    if given is None:
        return None
    if not isinstance(given, datetime):
        raise EngineError("state.deadline", "здесь должны стоять день и час, например 2026-12-01T21:00:00+03:00")
    return ClansCalendar(tables).aware(given)


def _last_checked(state: Data, players: Mapping[Seat, Player]) -> dict[str, Checked]:
    """The status that a check outside any room gives; a don reads ``mafia`` of the mirror (1.9, R83)."""
    given = want("state.last_checked", state.get("last_checked", {}), (dict, Mapping), "таблица")
    check_keys("state.last_checked", given, roles.CLANS)
    checked = {clan: players[_nick(f"state.last_checked.{clan}", nick, tuple(players))] for clan, nick in given.items()}
    return {clan: Checked(p.nick, "mafia" if p.role == "mirror" else p.status) for clan, p in checked.items()}


def _side_violations(state: Data) -> dict[str, int]:
    given = want("state.clan_violations", state.get("clan_violations", {}), (dict, Mapping), "таблица")
    check_keys("state.clan_violations", given, (*roles.CLANS, roles.CIVILIANS))
    for side, count in given.items():
        if want(f"state.clan_violations.{side}", count, int, "целое число") < 0:
            raise EngineError(f"state.clan_violations.{side}", "здесь не может стоять отрицательное число")
    return dict(given)
