"""The ruleset's tables (1.10): typed, checked entry by entry, frozen. A wrong one is refused with path and sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime, time, timedelta, timezone
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from engine.badinput import check_keys, check_year, unknown
from engine.model import EngineError
from engine.rulesets.league.composition import Rows, composition, rows
from engine.rulesets.league.roles import ITEMS, NIGHT_STEPS, ROLES

Check = Callable[[str, Any], Any]
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _whole(least: int | None = None) -> Check:
    def check(place: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise EngineError(place, "здесь должно стоять целое число")
        if least is not None and value < least:
            raise EngineError(place, f"здесь должно стоять целое число не меньше {least}")
        return value

    return check


def _number(least: float, above: bool = False, most: float | None = None) -> Check:
    def check(place: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise EngineError(place, "здесь должно стоять число")
        if value < least or (above and value == least):
            raise EngineError(place, f"здесь должно стоять число {'больше' if above else 'не меньше'} {least:g}")
        if most is not None and value > most:
            raise EngineError(place, f"здесь должно стоять число не больше {most:g}")
        return value

    return check


def _yes_no(place: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise EngineError(place, "здесь должно стоять true или false")
    return value


def _one_of(*words: str) -> Check:
    def check(place: str, value: Any) -> str:
        if value not in words:
            raise unknown(place, f"здесь должно стоять одно из: {', '.join(words)}; а не", value, words)
        return str(value)

    return check


def _list_of(words: tuple[str, ...], what: str) -> Check:
    def check(place: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            raise EngineError(place, f"здесь должен стоять список: {what}")
        for i, word in enumerate(value):
            if word not in words:
                raise unknown(f"{place}[{i}]", f"{what}: неизвестное слово", word, words)
            if word in value[:i]:
                raise EngineError(f"{place}[{i}]", f"«{word}» стоит в списке дважды")
        return tuple(value)

    return check


def _cycle(place: str, value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, (list, tuple)) or not value:
        raise EngineError(place, "здесь должен стоять список хотя бы из одного порядка ночи")
    row = _list_of(NIGHT_STEPS, "шаги ночи")
    return tuple(row(f"{place}[{i}]", entry) for i, entry in enumerate(value))


def _weekdays(place: str, value: Any) -> frozenset[int]:
    days = _list_of(WEEKDAYS, "дни недели")(place, value)
    if len(days) == len(WEEKDAYS):
        raise EngineError(place, "пропущены все дни недели: игра никогда не кончится")
    return frozenset(WEEKDAYS.index(day) for day in days)


def _offset(place: str, value: Any) -> timezone:
    try:
        moment = datetime.strptime(str(value), "%z")
    except ValueError:
        raise EngineError(place, f"«{value}» не сдвиг от UTC; он пишется так: +03:00") from None
    zone = moment.tzinfo
    return zone if isinstance(zone, timezone) else timezone(timedelta(0))


def _moment(place: str, value: Any) -> datetime | None:
    if value == "":
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        raise EngineError(place, f"«{value}» не время; оно пишется так: 2026-12-01T21:00:00+03:00") from None
    check_year(place, moment)
    return moment


def _hour(place: str, value: Any) -> time | None:
    if value == "":
        return None
    try:
        return datetime.strptime(str(value), "%H:%M").time()
    except ValueError:
        raise EngineError(place, f"«{value}» не время суток; оно пишется так: 21:00") from None


_PRICE = _whole(0)

# each entry's type carries the check that a host's value must pass


@dataclass(frozen=True, slots=True)
class CalendarTable:
    day_hours: Annotated[float, _number(0, above=True)]
    half_hours: Annotated[float, _number(0)]
    opening_hours: Annotated[float, _number(0, above=True)]
    gap_hours: Annotated[float, _number(0)]
    utc_offset: Annotated[timezone, _offset]
    skip_weekdays: Annotated[frozenset[int], _weekdays]
    start: Annotated[datetime | None, _moment]
    deadline: Annotated[time | None, _hour] = None
    """The hour of the wall at which every day ends; None: whenever the hours are over. Games of before have no such entry."""


@dataclass(frozen=True, slots=True)
class Voting:
    missed_limit: Annotated[int, _whole(0)]
    dead_weight: Annotated[float, _number(0)]
    edited_posts: Annotated[str, _one_of("reject", "review", "accept")]


@dataclass(frozen=True, slots=True)
class Limits:
    pardons: Annotated[int, _whole(0)]
    defences: Annotated[int, _whole(0)]
    net_days: Annotated[int, _whole(1)]


@dataclass(frozen=True, slots=True)
class Auction:
    min_price: Annotated[int, _whole(0)]
    late_orders: Annotated[str, _one_of("reject", "accept")]


@dataclass(frozen=True, slots=True)
class Stories:
    kill_default: Annotated[int, _whole(0)]
    kill_min: Annotated[int, _whole(0)]
    kill_max: Annotated[int, _whole(0)]
    hang_default: Annotated[int, _whole(0)]
    hang_min: Annotated[int, _whole(0)]
    hang_max: Annotated[int, _whole(0)]
    publish_blocked: Annotated[bool, _yes_no]


@dataclass(frozen=True, slots=True)
class CoinsTable:
    played: Annotated[int, _whole(0)]
    win_alive: Annotated[int, _whole(0)]
    win_dead: Annotated[int, _whole(0)]
    expose: Annotated[int, _whole(0)]
    vote_rival: Annotated[int, _whole(0)]
    vote_own: Annotated[int, _whole()]
    vote_when: Annotated[str, _one_of("hanged", "all")]
    true_sight: Annotated[int, _whole(0)]
    attempt: Annotated[int, _whole(0)]
    kill: Annotated[int, _whole(0)]
    kill_own: Annotated[int, _whole()]
    order_rival: Annotated[int, _whole(0)]
    order_own_role: Annotated[int, _whole()]
    order_own_citizen: Annotated[int, _whole()]
    girl: Annotated[int, _whole(0)]
    doctor: Annotated[int, _whole(0)]
    witness: Annotated[int, _whole(0)]
    shaman: Annotated[int, _whole(0)]
    invisible_check: Annotated[int, _whole(0)]


@dataclass(frozen=True, slots=True)
class Fines:
    after: Annotated[int, _whole(1)]
    share: Annotated[float, _number(0, most=1)]


@dataclass(frozen=True, slots=True)
class Shop:
    necro_may_buy_shield: Annotated[bool, _yes_no]
    loop_forbidden_roles: Annotated[tuple[str, ...], _list_of(tuple(ROLES), "роли")]


@dataclass(frozen=True, slots=True)
class GhostTable:
    enabled: Annotated[bool, _yes_no]
    last_turn: Annotated[int, _whole(0)]


@dataclass(frozen=True, slots=True)
class Win:
    after_lynch: Annotated[bool, _yes_no]
    max_turns: Annotated[int, _whole(0)]


@dataclass(frozen=True, slots=True)
class NightTable:
    """The opening night is turn 0; from night 2 on three rows go round (D1)."""
    first: Annotated[tuple[str, ...], _list_of(NIGHT_STEPS, "шаги ночи")]
    cycle: Annotated[tuple[tuple[str, ...], ...], _cycle]


@dataclass(frozen=True, slots=True)
class Signup:
    close_at: Annotated[datetime | None, _moment]
    max_players: Annotated[int, _whole(0)]
    min_players: Annotated[int, _whole(1)]


@dataclass(frozen=True, slots=True)
class Setup:
    rows: Annotated[Rows, rows]
    roles: Annotated[Mapping[str, int], composition]


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a game; ``prices`` is by item id and paid action."""

    calendar: CalendarTable
    voting: Voting
    limits: Limits
    auction: Auction
    stories: Stories
    coins: CoinsTable
    fines: Fines
    shop: Shop
    ghost: GhostTable
    win: Win
    night: NightTable
    signup: Signup
    setup: Setup
    prices: Mapping[str, int]


SECTIONS: Mapping[str, type] = {
    "calendar": CalendarTable,
    "voting": Voting,
    "limits": Limits,
    "auction": Auction,
    "stories": Stories,
    "coins": CoinsTable,
    "fines": Fines,
    "shop": Shop,
    "ghost": GhostTable,
    "win": Win,
    "night": NightTable,
    "signup": Signup,
    "setup": Setup,
}
PRICES = (*ITEMS, "extra_shot_pool", "change_vote", "extra_vote", "true_sight")


def build(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
    """The tables of a game: ``defaults`` (the packaged or the host's file) with ``overrides`` on top.

    Raises EngineError with the path of the wrong entry ("tables.prices.net") and one sentence.
    """
    for given in (defaults, overrides):
        check_keys("tables", given, (*SECTIONS, "prices"))
    built = {name: _section(name, kind, defaults, overrides) for name, kind in SECTIONS.items()}
    tables = Tables(**built, prices=_prices(defaults, overrides))
    _agree(tables)
    return tables


def _merged(name: str, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for given in (defaults.get(name, {}), overrides.get(name, {})):
        if not isinstance(given, Mapping):
            raise EngineError(f"tables.{name}", "здесь должна стоять таблица")
        merged |= given
    return merged


@cache
def _checks(kind: type) -> Mapping[str, Check]:
    """The check of every entry of a section, as its fields are annotated. Kept, since a game is sketched for every message."""
    return {key: hint.__metadata__[0] for key, hint in get_type_hints(kind, include_extras=True).items()}


def _section(name: str, kind: type, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Any:
    merged = _merged(name, defaults, overrides)
    checks = _checks(kind)
    check_keys(f"tables.{name}", merged, checks)
    newer = {one.name for one in fields(kind) if one.default is not MISSING}
    for key in checks:
        if key not in merged and key not in newer:
            raise EngineError(f"tables.{name}.{key}", "этой записи в таблицах нет")
    return kind(**{key: check(f"tables.{name}.{key}", merged[key]) for key, check in checks.items() if key in merged})


def _prices(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Mapping[str, int]:
    merged = _merged("prices", defaults, overrides)
    check_keys("tables.prices", merged, PRICES)
    for key in PRICES:
        if key not in merged:
            raise EngineError(f"tables.prices.{key}", "этой цены в таблицах нет")
    return MappingProxyType({key: _PRICE(f"tables.prices.{key}", merged[key]) for key in PRICES})


def _agree(tables: Tables) -> None:
    """Entries that must fit each other."""
    if tables.calendar.half_hours > tables.calendar.day_hours:
        raise EngineError("tables.calendar.half_hours", "вторая половина дня длиннее самого дня (day_hours)")
    if tables.calendar.gap_hours >= tables.calendar.day_hours:
        raise EngineError("tables.calendar.gap_hours", "перерыв между днями не короче самого дня (day_hours)")
    stories = tables.stories
    for kind, least, most in (("kill", stories.kill_min, stories.kill_max), ("hang", stories.hang_min, stories.hang_max)):
        if least > most:
            raise EngineError(f"tables.stories.{kind}_min", f"наименьшая оценка больше наибольшей ({kind}_max)")
    if tables.signup.max_players and tables.signup.max_players < tables.signup.min_players:
        raise EngineError("tables.signup.max_players", "игроков разрешено меньше, чем нужно (min_players)")
