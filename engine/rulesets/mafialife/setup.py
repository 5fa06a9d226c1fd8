"""Where games come from: a scenario's cast, and a live deal (R180)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.badinput import check_keys, unknown, want
from engine.chance import Chance
from engine.model import Data, EngineError, Event, Notice, Seat
from engine.rulesets.mafialife.books import password
from engine.rulesets.mafialife.moves import ACTIONS
from engine.rulesets.mafialife.night import Night
from engine.rulesets.mafialife.roles import (
    DEN,
    ITEMS,
    NEUTRAL,
    OFFICE,
    PASSWORD_TEAMS,
    PLAYER_KEYS,
    ROLES,
    STATE_KEYS,
)
from engine.rulesets.mafialife.state import Booking, Game, Player, official
from engine.rulesets.mafialife.tables import LEVELS, Tables

MIN_PLAYERS = 8
_DOCUMENTS = ("own", "mafioso", "citizen")


# --- Scenarios ---------------------------------------------------------------------------------------------------------


def start(cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
    """A game before its first turn. Raises EngineError with the place of the first wrong value."""
    seats = [str(entry["nick"]) for entry in cast]
    players = {seats[i]: _player(f"players[{i}]", entry, tables, seats) for i, entry in enumerate(cast)}
    first = 1 if first_turn is None else first_turn
    if first < 1:
        raise EngineError("first_turn", "партия начинается с дня 1")
    check_keys("state", state, STATE_KEYS)
    played = state.get("days_played", first - 1)
    _whole("state.days_played", played)
    game = Game(
        tables=tables,
        players=MappingProxyType(players),
        cast=tuple(sorted({player.role for player in players.values()})),
        turn=first - 1,
        first_turn=first,
        days_before=played,
        ledger=tuple(Booking(first - 1, p.seat, p.mafbucks, "opening") for p in players.values()),
        last_targets=_last_targets(state.get("last_targets", {}), seats),
    )
    return _already_told(game)


def _already_told(game: Game) -> Game:
    """Who is official from the start knows his team's password."""
    for player in list(game.players.values()):
        if player.alive and player.faction in PASSWORD_TEAMS and official(game, player):
            game = game.with_player(replace(player, told_team=player.faction))
    return game


def _last_targets(table: Any, seats: Sequence[Seat]) -> Mapping[Seat, Mapping[str, Seat]]:
    want("state.last_targets", table, Mapping, "таблица: ник, действие, цель")
    read = {}
    for seat, actions in table.items():
        _seat(f"state.last_targets.{seat}", seat, seats)
        want(f"state.last_targets.{seat}", actions, Mapping, "таблица: действие, цель")
        check_keys(f"state.last_targets.{seat}", actions, ACTIONS)
        for action, target in actions.items():
            _seat(f"state.last_targets.{seat}.{action}", target, seats)
        read[seat] = MappingProxyType(dict(actions))
    return MappingProxyType(read)


def _seat(place: str, nick: Any, seats: Sequence[Seat]) -> Seat:
    if nick not in seats:
        raise unknown(place, "неизвестный ник", nick, seats)
    return str(nick)


def _whole(place: str, value: Any) -> int:
    number: int = want(place, value, int, "целое число")
    if number < 0:
        raise EngineError(place, "здесь должно стоять число не меньше нуля")
    return number


def _list_of(place: str, value: Any, known: Sequence[str], what: str) -> tuple[str, ...]:
    want(place, value, (list, tuple), "список")
    for i, word in enumerate(value):
        if word not in known:
            raise unknown(f"{place}[{i}]", what, word, known)
    return tuple(value)


def _teams(place: str, value: Any) -> tuple[str, ...]:
    return _list_of(place, value, PASSWORD_TEAMS, "неизвестная команда")


def _player(place: str, entry: Data, tables: Tables, seats: Sequence[Seat]) -> Player:
    check_keys(place, entry, ("nick", *PLAYER_KEYS))
    role = str(entry["role"])
    if role not in ROLES:
        raise unknown(f"{place}.role", "неизвестная роль", role, ROLES)
    faction = _faction(f"{place}.faction", role, entry.get("faction", ROLES[role]))
    level, bought, points = _level(place, role, entry, tables)
    recruited = (faction,) if ROLES[role] == NEUTRAL and faction != NEUTRAL else ()
    documents = entry.get("documents", "own")
    if documents not in _DOCUMENTS:
        raise unknown(f"{place}.documents", "неизвестные документы", documents, _DOCUMENTS)
    counts = want(f"{place}.used", entry.get("used", {}), Mapping, "таблица: ход, сколько раз сделан")
    check_keys(f"{place}.used", counts, (*ACTIONS, "antielixir"))
    used = {action: _whole(f"{place}.used.{action}", n) for action, n in counts.items()}
    return Player(
        seat=str(entry["nick"]),
        role=role,
        faction=faction,
        alive=_alive(place, role, entry),
        level=level,
        bought_level=bought,
        points=points,
        mafbucks=_whole(f"{place}.mafbucks", entry.get("mafbucks", tables.start_mafbucks)),
        items=_list_of(f"{place}.items", entry.get("items", ()), ITEMS, "неизвестная вещь"),
        staff=_whole(f"{place}.staff", entry.get("staff", 0)),
        paralysed=want(f"{place}.paralysed", entry.get("paralysed", False), bool, "true или false"),
        captive_of=_maybe_seat(f"{place}.captive_of", entry.get("captive_of", ""), seats),
        aids_due=_whole(f"{place}.aids_due", entry.get("aids_due", 0)),
        bite_due=_whole(f"{place}.bite_due", entry.get("bite_due", 0)),
        documents=str(documents),
        infiltrated=_teams(f"{place}.infiltrated", entry.get("infiltrated", ())),
        recruited_by=_teams(f"{place}.recruited_by", entry.get("recruited_by", recruited)),
        used=MappingProxyType(used),
        refused=want(f"{place}.refused", entry.get("refused", False), bool, "true или false"),
        mother=_maybe_seat(f"{place}.mother", entry.get("mother", ""), seats),
    )


def _alive(place: str, role: str, entry: Data) -> bool:
    alive: bool = want(f"{place}.alive", entry.get("alive", role != "zombie"), bool, "true или false")
    if role == "zombie" and alive:
        raise EngineError(f"{place}.alive", "зомби мёртв: нужно alive = false")
    return alive


def _maybe_seat(place: str, nick: Any, seats: Sequence[Seat]) -> Seat:
    return "" if nick == "" else _seat(place, nick, seats)


def _faction(place: str, role: str, faction: Any) -> str:
    """R60: only a neutral may belong to another faction than his role's."""
    allowed = (NEUTRAL, OFFICE, DEN) if ROLES[role] == NEUTRAL else (ROLES[role],)
    if faction not in allowed:
        raise unknown(place, f"роль {role} не бывает во фракции", faction, allowed)
    return str(faction)


def _level(place: str, role: str, entry: Data, tables: Tables) -> tuple[int, int, int]:
    """Level, bought level and points: each follows from the other where it is not given."""
    if "level" not in entry:
        points = _whole(f"{place}.points", entry.get("points", 0))
        return tables.level_of(role, points), 0, points
    level = _whole(f"{place}.level", entry["level"])
    if level >= LEVELS:
        raise EngineError(f"{place}.level", f"уровень бывает от 0 до {LEVELS - 1}")
    points = _whole(f"{place}.points", entry.get("points", tables.threshold(role, level)))
    of_points = tables.level_of(role, points)
    return max(level, of_points), level if level > of_points else 0, points


# --- Live games --------------------------------------------------------------------------------------------------------


def deal(seats: Sequence[Seat], tables: Tables, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
    """R180: the first n roles of the set-up list, dealt by chance; official members get their team's password."""
    most = len(tables.setup)
    if not MIN_PLAYERS <= len(seats) <= most:
        raise EngineError("players", f"игроков {len(seats)}, а нужно от {MIN_PLAYERS} до {most}")
    dealt = chance.shuffle("deal", sorted(tables.setup[: len(seats)]))
    players = {
        seat: Player(seat, role, ROLES[role], mafbucks=tables.start_mafbucks) for seat, role in zip(seats, dealt, strict=True)
    }
    game = Game(
        tables=tables,
        players=MappingProxyType(players),
        cast=tuple(sorted(set(dealt))),
        turn=0,
        first_turn=1,
        ledger=tuple(Booking(0, seat, tables.start_mafbucks, "opening") for seat in seats),
    )
    game = _already_told(game)
    night = Night(game, chance)
    for seat, player in game.players.items():
        told = {"role": player.role, "faction": player.faction}
        night.events.append(Notice(seat, "role_assigned", told, rule="R180"))
        if player.told_team:
            word = password(night, player.told_team)
            night.events.append(Notice(seat, "team_password", {"team": player.told_team, "password": word}, rule="R180"))
    return night.game, tuple(night.events)
