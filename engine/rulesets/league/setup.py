"""How a game begins: from a scenario's cast (1.9), or dealt by chance among those who signed up (H2, chapter 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.badinput import check_keys, unknown, want
from engine.chance import Chance
from engine.model import Data, EngineError, Seat
from engine.rulesets.league.composition import roles_for
from engine.rulesets.league.economy import BONUS, CARRIED, COINS, POOLED, Pot
from engine.rulesets.league.fines import owe
from engine.rulesets.league.ranks import entry_duty
from engine.rulesets.league.roles import CAUSES, FACTIONS, GANGS, ITEMS, MAFIA, ROLES, WORN
from engine.rulesets.league.state import Desk, Game, Player, deal_numbers
from engine.rulesets.league.tables import Tables

PLAYER_KEYS = (
    "role",
    "faction",
    "alive",
    "number",
    "coins",
    "bonus",
    "items",
    "net_until",
    "missed",
    "warnings",
    "unpaid",
    "checked",
    "curse",
    "last_visit",
    "pardons",
    "defended",
    "ghost",
    "killer",
    "cause",
    "left",
    "hero",
)
STATE_KEYS = ("duty", "extra_checks", "pools", "exposed")
_POOL_KEYS = ("item", "player", "coins", "target", "faction")

Read = Callable[[str, Any, Sequence[Seat]], Any]


def _count(place: str, value: Any, seats: Sequence[Seat]) -> int:
    number: int = want(place, value, int, "целое число")
    if number < 0:
        raise EngineError(place, "здесь должно стоять целое число не меньше 0")
    return number


def _whole(place: str, value: Any, seats: Sequence[Seat]) -> int:
    number: int = want(place, value, int, "целое число")
    return number


def _flag(place: str, value: Any, seats: Sequence[Seat]) -> bool:
    flag: bool = want(place, value, bool, "true или false")
    return flag


def _nick(place: str, value: Any, seats: Sequence[Seat]) -> Seat:
    if value == "" or value in seats:
        return str(value)
    raise unknown(place, "неизвестный ник", value, seats)


def _nicks(place: str, value: Any, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    listed = want(place, value, (list, tuple), "список ников")
    return tuple(_nick(f"{place}[{i}]", nick, seats) for i, nick in enumerate(listed))


def _cause(place: str, value: Any, seats: Sequence[Seat]) -> str:
    if value != "" and value not in CAUSES:
        raise unknown(place, "неизвестная причина смерти", value, CAUSES)
    return str(value)


def _items(place: str, value: Any, seats: Sequence[Seat]) -> tuple[str, ...]:
    listed = want(place, value, (list, tuple), "список вещей")
    for i, item in enumerate(listed):
        if item not in WORN:
            raise unknown(f"{place}[{i}]", "неизвестная вещь", item, WORN)
    if sum(1 for item in listed if ITEMS[item].armour_against) > 1:
        raise EngineError(place, "на игроке может быть только одна защита")
    return tuple(listed)


def _defended(place: str, value: Any, seats: Sequence[Seat]) -> Mapping[Seat, int]:
    table = want(place, value, dict, "таблица: ник = сколько раз")
    return MappingProxyType({_nick(place, nick, seats): _count(f"{place}.{nick}", n, seats) for nick, n in table.items()})


READ: Mapping[str, Read] = {
    "alive": _flag,
    "number": _count,
    "items": _items,
    "net_until": _count,
    "missed": _count,
    "warnings": _count,
    "unpaid": _count,
    "checked": _nicks,
    "curse": _nick,
    "last_visit": _nick,
    "pardons": _count,
    "defended": _defended,
    "ghost": _flag,
    "killer": _nick,
    "cause": _cause,
    "left": _flag,
    "hero": _flag,
}


def from_cast(cast: Sequence[Data], state: Data, tables: Tables, first_turn: int | None) -> Game:
    """A game before its first turn. Raises EngineError ("players[2].items[0]", ...) for what the rules do not know."""
    first = 0 if first_turn is None else first_turn
    if first < 0:
        raise EngineError("first_turn", "первый ход не может быть меньше 0")
    seats = [str(entry["nick"]) for entry in cast]
    players = {seat: _player(f"players[{i}]", entry, seats) for i, (seat, entry) in enumerate(zip(seats, cast, strict=True))}
    _check_numbers(players, seats)
    deal_numbers(players)
    game = _game(players, tables, first)
    check_keys("state", state, STATE_KEYS)
    duty = {**game.duty, **_duty(state.get("duty", {}))}
    exposed = frozenset(_nicks("state.exposed", state.get("exposed", []), seats))
    extra = _count("state.extra_checks", state.get("extra_checks", 0), seats)
    desk = Desk(replace(game, duty=MappingProxyType(duty), exposed=exposed, extra_checks=extra))
    for i, (seat, entry) in enumerate(zip(seats, cast, strict=True)):
        for account in (COINS, BONUS):
            read = _count if account == COINS else _whole
            amount = read(f"players[{i}].{account}", entry.get(account, 0), seats)
            desk.books.book(first, seat, amount, CARRIED, account, "H6 carried", f"cast/{account}/{seat}")
        owe(desk, seat)
    _pools(desk, state.get("pools", []), seats)
    return desk.done()[0]


def _game(players: Mapping[Seat, Player], tables: Tables, first: int) -> Game:
    duty = MappingProxyType(entry_duty(players, first))
    return Game(tables, MappingProxyType(dict(players)), first, first - 1, duty=duty)


def _player(place: str, entry: Data, seats: Sequence[Seat]) -> Player:
    check_keys(place, entry, ("nick", *PLAYER_KEYS))
    role = str(entry.get("role"))
    if role not in ROLES:
        raise unknown(f"{place}.role", "неизвестная роль", role, ROLES)
    own = ROLES[role].faction
    faction = entry.get("faction", own)
    if faction not in FACTIONS:
        raise unknown(f"{place}.faction", "неизвестная команда", faction, FACTIONS)
    if faction != own and (role, faction) != ("werewolf", MAFIA):
        raise EngineError(f"{place}.faction", f"роль {role} не бывает на стороне {faction}")
    values = {key: read(f"{place}.{key}", entry[key], seats) for key, read in READ.items() if key in entry}
    player = Player(seat=str(entry["nick"]), role=role, faction=faction, **values)
    if player.alive and (player.left or player.ghost or player.killer or player.cause):
        raise EngineError(f"{place}.alive", "left, ghost, killer и cause бывают только у мёртвого (alive = false)")
    return player if player.alive else replace(player, number=0)


def _check_numbers(players: Mapping[Seat, Player], seats: Sequence[Seat]) -> None:
    for side in GANGS:
        taken: dict[int, Seat] = {}
        for player in players.values():
            if not player.number:
                continue
            place = f"players[{seats.index(player.seat)}].number"
            if player.faction not in GANGS or player.role in ("lawyer", "kamikaze"):
                raise EngineError(place, "номер бывает только у мафов и якудза, выходящих на дежурство")
            if player.faction == side and player.number in taken:
                raise EngineError(place, f"номер {player.number} уже у игрока {taken[player.number]}")
            if player.faction == side:
                taken[player.number] = player.seat


def _duty(table: Any) -> dict[str, int]:
    want("state.duty", table, dict, "таблица: mafia и yakuza")
    check_keys("state.duty", table, GANGS)
    for side, number in table.items():
        if _count(f"state.duty.{side}", number, ()) < 1:
            raise EngineError(f"state.duty.{side}", "номера дежурных начинаются с 1")
    return dict(table)


def _pools(desk: Desk, listed: Any, seats: Sequence[Seat]) -> None:
    want("state.pools", listed, list, "список копилок")
    pots: dict[tuple[str, Seat, str], Pot] = {}
    for i, entry in enumerate(listed):
        place = f"state.pools[{i}]"
        want(place, entry, dict, "таблица: item, player, coins")
        check_keys(place, entry, _POOL_KEYS)
        item = entry.get("item")
        if item not in ITEMS or not ITEMS[item].pooled:
            raise unknown(f"{place}.item", "на это не скидываются", item, [name for name, one in ITEMS.items() if one.pooled])
        seat = _nick(f"{place}.player", entry.get("player"), seats)
        coins = _count(f"{place}.coins", entry.get("coins"), seats)
        target = _nick(f"{place}.target", entry.get("target", ""), seats)
        if bool(target) != (item == "resurrect"):
            raise EngineError(f"{place}.target", "у копилки на воскрешение, и только у неё, указан мёртвый: target")
        gang = str(entry.get("faction", desk.players[seat].faction)) if item == "extra_shot" else ""
        if item == "extra_shot" and gang not in GANGS:
            raise unknown(f"{place}.faction", "неизвестная группировка", gang, GANGS)
        empty = Pot(item, target, gang)
        pots[empty.key] = pots.get(empty.key, empty).with_share(seat, coins)
        desk.books.book(desk.turn, seat, coins, CARRIED, POOLED, f"R99 pool {item}", f"cast/pool/{i}", target)
    desk.pots = [pot for pot in pots.values() if pot.shares]


def dealt(seats: Sequence[Seat], tables: Tables, chance: Chance) -> Game:
    """H2: roles dealt purely by chance (point ``deal``, one draw for each role). Raises EngineError for too few."""
    if len(seats) < tables.signup.min_players:
        raise EngineError("players", f"игроков {len(seats)}, а нужно не меньше {tables.signup.min_players}")
    if tables.signup.max_players and len(seats) > tables.signup.max_players:
        raise EngineError("players", f"игроков {len(seats)}, а можно не больше {tables.signup.max_players}")
    roles = roles_for(len(seats), tables.setup.rows, tables.setup.roles)
    chance.begin(0)
    given = dict(zip(chance.shuffle("deal", seats), roles, strict=True))
    players = {seat: Player(seat, given[seat], ROLES[given[seat]].faction) for seat in seats}
    deal_numbers(players)
    return _game(players, tables, 0)
