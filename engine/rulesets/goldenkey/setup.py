"""How a game begins: from a scenario's cast (1.9), or dealt from the closed sign-up (S1-S5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.badinput import check_keys, unknown, want
from engine.chance import Chance
from engine.model import Data, EngineError, Event, Notice, Seat
from engine.rulesets.goldenkey.book import Play, assign
from engine.rulesets.goldenkey.dealing import deal_roles
from engine.rulesets.goldenkey.roles import (
    COUNTED_ROLES,
    MANIAC_ROLES,
    MANIACS,
    PLAIN,
    ROLES,
    TOWN_ROLES,
    TOWNSFOLK,
    VILLAIN_ROLES,
    VILLAINS,
    in_order,
)
from engine.rulesets.goldenkey.state import EMPTY_BOOK, Game, Player, look
from engine.rulesets.goldenkey.tables import Tables

_BORN: Mapping[str, str] = MappingProxyType(
    {role.id: role.faction for role in ROLES.values()} | {plain: faction for faction, plain in PLAIN.items()}
)
_PLAIN_ROLES = frozenset(PLAIN.values())


def start(cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
    """A scenario's game, before its first turn. Raises EngineError for a cast that cannot be."""
    first = tables.first_turn if first_turn is None else first_turn
    if first < tables.first_turn:
        raise EngineError("first_turn", f"игра начинается с хода {tables.first_turn}")
    players = {str(data["nick"]): _player(f"players[{i}]", data, tables) for i, data in enumerate(cast)}
    held: dict[str, Seat] = {}
    for i, player in enumerate(players.values()):
        for role in player.roles if player.alive else ():
            if role in held:
                raise EngineError(f"players[{i}].role", f"роль «{role}» уже есть у игрока «{held[role]}»")
            held[role] = player.seat
    role_lives = {**tables.role_lives, **_state_role_lives(state)}
    frozen, opened = look(MappingProxyType(players), tables)
    return Game(tables, "between", first - 1, frozen, MappingProxyType(role_lives), opened)


def _state_role_lives(state: Data) -> dict[str, int]:
    check_keys("state", state, ("role_lives",))
    given = want("state.role_lives", state.get("role_lives", {}), Mapping, "таблица: роль = число жизней")
    check_keys("state.role_lives", given, COUNTED_ROLES)
    return {role: _not_negative(f"state.role_lives.{role}", number) for role, number in given.items()}


def _not_negative(place: str, value: Any) -> int:
    number = int(want(place, value, int, "целое число"))
    if number < 0:
        raise EngineError(place, "здесь должно стоять целое число не меньше 0")
    return number


def _player(place: str, data: Data, tables: Tables) -> Player:
    role = data["role"]
    if role not in _BORN or role == "killer":
        raise unknown(f"{place}.role", "роли нет среди ролей игроков:", role, [r for r in _BORN if r != "killer"])
    roles = _roles(place, data, role)
    born = MANIACS if any(r in MANIAC_ROLES for r in roles) else _BORN[role]
    faction = data.get("faction", born)
    if faction != born and not (born == MANIACS and faction in (VILLAINS, TOWNSFOLK)):
        raise EngineError(f"{place}.faction", f"роль «{role}» не может быть в команде «{faction}»")
    for held in roles:
        if _BORN[held] != born and not (_BORN[held] == TOWNSFOLK and faction == TOWNSFOLK):
            raise EngineError(f"{place}.roles", f"роли «{role}» и «{held}» не бывают у одного игрока")
    alive = data.get("alive", True)
    lives = _not_negative(f"{place}.lives", data.get("lives", tables.player_lives if alive else 0))
    if alive != (lives > 0):
        raise EngineError(f"{place}.lives", "у живого должна быть хотя бы одна жизнь" if alive else "у мёртвого не бывает жизней")
    return Player(str(data["nick"]), born, faction, roles, lives, alive, False, _received(place, data, roles))


def _roles(place: str, data: Data, role: str) -> tuple[str, ...]:
    plain = (role,) if role in _PLAIN_ROLES else ()
    listed = want(f"{place}.roles", data.get("roles", [role]), list, "список ролей")
    for i, one in enumerate(listed):
        want(f"{place}.roles[{i}]", one, str, "название роли")
        if one not in ROLES or one == "killer":
            if one not in plain:
                raise unknown(f"{place}.roles[{i}]", "неизвестная роль", one, [r for r in ROLES if r != "killer"])
        elif one in listed[:i]:
            raise EngineError(f"{place}.roles[{i}]", f"роль «{one}» стоит в списке дважды")
    if role not in listed and not (plain and not listed):
        raise EngineError(f"{place}.roles", f"в списке должна быть и роль «{role}» из role")
    roles = in_order([one for one in listed if one in ROLES])
    if plain and roles:
        raise EngineError(f"{place}.roles", f"«{role}» - это игрок без роли")
    return roles


def _received(place: str, data: Data, roles: tuple[str, ...]) -> Mapping[str, int]:
    here = f"{place}.received"
    given = want(here, data.get("received", {r: 1 for r in roles if r in TOWN_ROLES}), Mapping, "таблица: роль = сколько раз")
    check_keys(here, given, TOWN_ROLES)
    return MappingProxyType({role: _not_negative(f"{here}.{role}", number) for role, number in given.items()})


def deal(seats: Sequence[Seat], tables: Tables, chance: Chance) -> Play:
    """S2, S3: clans drawn and told; the game is in set-up. Raises EngineError for too few or too many players (S1)."""
    if not tables.min_players <= len(seats) <= tables.max_players:
        limits = f"{tables.min_players}-{tables.max_players}"
        raise EngineError("players", f"записалось игроков: {len(seats)}, а для игры нужно {limits}")
    villains = number_of_villains(len(seats), tables)
    if villains + len(tables.maniac_roles) >= len(seats):
        raise EngineError("players", f"игроков ({len(seats)}) слишком мало: горожан не остаётся")
    chance.begin(tables.first_turn - 1)
    left = list(seats)

    def draw(point: str) -> Seat:
        seat = chance.draw(point, left)
        left.remove(seat)
        return seat

    dealt: dict[Seat, tuple[str, tuple[str, ...]]] = {draw("setup_villain"): (VILLAINS, ()) for _ in range(villains)}
    for role in tables.maniac_roles:
        dealt[draw(f"setup_{role}")] = (MANIACS, (role,))
    players = {}
    for seat in seats:
        clan, roles = dealt.get(seat, (TOWNSFOLK, ()))
        players[seat] = Player(seat, clan, clan, roles, tables.player_lives)
    frozen, opened = look(MappingProxyType(players), tables)
    game = Game(tables, "setup", tables.first_turn - 1, frozen, tables.role_lives, opened)
    return game, tuple(_first_notices(players))


def number_of_villains(players: int, tables: Tables) -> int:
    """S2: the last row that is not above the number of players; below the first row a quarter, at least one (D51)."""
    rows = [villains for least, villains in tables.villains_by_players if least <= players]
    return rows[-1] if rows else max(1, players // 4)


def _first_notices(players: Mapping[Seat, Player]) -> list[Event]:
    members = tuple(p.seat for p in players.values() if p.is_born_villain)
    events: list[Event] = []
    for p in players.values():
        events.append(Notice(p.seat, "clan_told", {"faction": p.born}, rule="S3"))
        if p.is_born_villain:
            events.append(Notice(p.seat, "clan_list", {"members": members}, rule="S3"))
        if p.is_maniac:
            events.append(Notice(p.seat, "maniac_role", {"role": p.role}, rule="S3"))
    return events


def finish(game: Game, chance: Chance) -> Play:
    """S4, S5, S11: set-up closes: the villains' roles are drawn if no list stands, and the first night's roles dealt."""
    events: list[Event] = []
    if "list" not in game.book.standing:
        game, drawn = _draw_villain_roles(game, chance)
        events += drawn
    bids = {a.order.player: a.role for a in game.book.standing.values() if a.order.action == "bid_role" and a.role is not None}
    game, dealt = deal_roles(game, bids, 1, chance)
    return replace(game, stage="between", book=EMPTY_BOOK), (*events, *dealt)


def _draw_villain_roles(game: Game, chance: Chance) -> Play:
    """S4: each of the four roles to one of those with the fewest roles so far. They are dealt once and die with their holders
    (D12)."""
    given: dict[Seat, list[str]] = {p.seat: [] for p in game.players.values() if p.is_born_villain and p.alive}
    if not given:
        return game, ()
    for role in VILLAIN_ROLES:
        fewest = min(len(roles) for roles in given.values())
        seat = chance.draw(f"villain_role_{role}", [s for s, roles in given.items() if len(roles) == fewest])
        given[seat].append(role)
    pairs = [(seat, role) for seat, roles in given.items() for role in roles]
    game = assign(game, [seat for seat, _ in pairs], [role for _, role in pairs])
    return game, tuple(Notice(seat, "villain_role", {"role": role}, rule="S4") for seat, role in pairs)
