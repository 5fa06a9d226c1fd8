"""The tables of a game (rules 1.10): checked once, then frozen; how many lives players begin with (R1) is one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import time
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.badinput import check_keys, clock, unknown, want
from engine.model import EngineError
from engine.rulesets.goldenkey.roles import COMMANDS, COUNTED_ROLES, MANIAC_ROLES, TOWN_ROLES


@dataclass(frozen=True, slots=True)
class Tables:
    """All numbers and options of a game; the names are those of 1.10."""

    timezone: ZoneInfo
    day_open: time
    day_close: time
    night_close: time
    report_by: time
    polar_night: bool
    opening_night: bool
    early_moves: str
    vote_colour: str
    self_vote: bool
    lynched_plays_night: bool
    lynch_published: str
    player_lives: int
    role_lives: Mapping[str, int]
    elder_above: int
    artemon_kill_from: int
    self_targets: frozenset[str]
    killer_keeps_own_move: bool
    recruited_as_killer: bool
    recruited_may_bid: bool
    elder_hurt_as_guest: bool
    spy_needs_command: bool
    town_roles: tuple[str, ...]
    """In canonical order."""
    report_target_nicks: bool
    report_blocks: bool
    notify_lynch: bool
    private_results: bool
    reveal_at_end: bool
    joined_counts_as_villain: bool
    quiet_turns: int
    min_players: int
    max_players: int
    villains_by_players: tuple[tuple[int, int], ...]
    maniac_roles: tuple[str, ...]

    @property
    def first_turn(self) -> int:
        """D3: the opening night is turn 0, else the game begins with day 1."""
        return 0 if self.opening_night else 1


Check = Callable[[str, Any], Any]


def _flag(place: str, value: Any) -> bool:
    return bool(want(place, value, bool, "true или false"))


def _whole(least: int) -> Check:
    def check(place: str, value: Any) -> int:
        number = int(want(place, value, int, "целое число"))
        if number < least:
            raise EngineError(place, f"здесь должно стоять целое число не меньше {least}")
        return number

    return check


def _choice(*words: str) -> Check:
    def check(place: str, value: Any) -> str:
        if value not in words:
            raise unknown(place, f"здесь должно стоять одно из слов {', '.join(words)}, а не", value, words)
        return str(value)

    return check


def _words(known: tuple[str, ...]) -> Check:
    """A list of different words out of ``known``, given back in the order of ``known``."""

    def check(place: str, value: Any) -> tuple[str, ...]:
        want(place, value, (list, tuple), "список")
        for i, word in enumerate(value):
            if word not in known:
                raise unknown(f"{place}[{i}]", "неизвестное слово", word, known)
            if word in value[:i]:
                raise EngineError(f"{place}[{i}]", f"«{word}» стоит в списке дважды")
        return tuple(word for word in known if word in value)

    return check


def _zone(place: str, value: Any) -> ZoneInfo:
    name = want(place, value, str, 'часовой пояс, например "Europe/Moscow"')
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise EngineError(place, f'часовой пояс «{name}» неизвестен; пишите, например, "Europe/Moscow"') from None


def _role_lives(place: str, value: Any) -> Mapping[str, int]:
    want(place, value, Mapping, "таблица: роль = число жизней")
    check_keys(place, value, COUNTED_ROLES)
    for role in COUNTED_ROLES:
        if role not in value:
            raise EngineError(f"{place}.{role}", "не указано число жизней роли")
    return MappingProxyType({role: _whole(0)(f"{place}.{role}", value[role]) for role in COUNTED_ROLES})


def _split(place: str, value: Any) -> tuple[tuple[int, int], ...]:
    rows: list[tuple[int, int]] = []
    for i, row in enumerate(want(place, value, (list, tuple), "список пар [игроков, злодеев]")):
        here = f"{place}[{i}]"
        want(here, row, (list, tuple), "пара [игроков, злодеев]")
        if len(row) != 2:
            raise EngineError(here, "здесь должна стоять пара [игроков, злодеев]")
        players, villains = _whole(1)(f"{here}[0]", row[0]), _whole(1)(f"{here}[1]", row[1])
        if rows and players <= rows[-1][0]:
            raise EngineError(here, "строки должны идти по возрастанию числа игроков")
        if villains >= players:
            raise EngineError(here, "злодеев должно быть меньше, чем игроков")
        rows.append((players, villains))
    return tuple(rows)


def _self_targets(place: str, value: Any) -> frozenset[str]:
    return frozenset(_words(tuple(sorted(COMMANDS)))(place, value))


_CHECKS: Mapping[str, Check] = {
    "timezone": _zone,
    "day_open": clock,
    "day_close": clock,
    "night_close": clock,
    "report_by": clock,
    "polar_night": _flag,
    "opening_night": _flag,
    "early_moves": _choice("reject", "hold"),
    "vote_colour": _choice("blue", "red"),
    "self_vote": _flag,
    "lynched_plays_night": _flag,
    "lynch_published": _choice("report", "evening"),
    "player_lives": _whole(1),
    "role_lives": _role_lives,
    "elder_above": _whole(0),
    "artemon_kill_from": _whole(1),
    "self_targets": _self_targets,
    "killer_keeps_own_move": _flag,
    "recruited_as_killer": _flag,
    "recruited_may_bid": _flag,
    "elder_hurt_as_guest": _flag,
    "spy_needs_command": _flag,
    "town_roles": _words(TOWN_ROLES),
    "report_target_nicks": _flag,
    "report_blocks": _flag,
    "notify_lynch": _flag,
    "private_results": _flag,
    "reveal_at_end": _flag,
    "joined_counts_as_villain": _flag,
    "quiet_turns": _whole(0),
    "min_players": _whole(1),
    "max_players": _whole(1),
    "villains_by_players": _split,
    "maniac_roles": _words(MANIAC_ROLES),
}
NAMES = tuple(field.name for field in fields(Tables))


def check(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
    """The packaged tables with a game's own entries over them; a partial ``role_lives`` keeps the other roles' lives.

    Raises EngineError with the path of the first wrong entry ("tables.quiet_turns").
    """
    check_keys("tables", overrides, NAMES)
    merged = {**defaults, **overrides}
    if isinstance(overrides.get("role_lives"), Mapping):
        merged["role_lives"] = {**defaults.get("role_lives", {}), **overrides["role_lives"]}
    check_keys("tables", merged, NAMES)
    for name in NAMES:
        if name not in merged:
            raise EngineError(f"tables.{name}", "не указано")
    tables = Tables(**{name: _CHECKS[name](f"tables.{name}", merged[name]) for name in NAMES})
    if not tables.night_close < tables.day_open < tables.day_close:
        raise EngineError("tables.day_open", "часы должны идти так: конец ночи, начало дня, конец дня")
    if not tables.night_close < tables.report_by <= tables.day_open:
        raise EngineError("tables.report_by", "газета должна выйти после конца ночи и не позже начала дня")
    if tables.min_players > tables.max_players:
        raise EngineError("tables.max_players", "наибольшее число игроков меньше наименьшего")
    return tables
