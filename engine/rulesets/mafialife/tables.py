"""The game tables (rules, chapter 20): merged over the packaged ones, checked whole, frozen.

``config/rulesets/mafialife.toml`` has every key with its default and a comment; a game's own tables name what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from types import MappingProxyType
from typing import Any

from engine.badinput import check_keys, clock, unknown, want
from engine.model import EngineError
from engine.overrides import merged
from engine.rulesets.mafialife.moves import ACTIONS, TABLE
from engine.rulesets.mafialife.roles import GOODS, ITEMS, NEUTRALS, PAYMENTS, ROLES

LEVELS = 5
MIN_PASSWORDS = 10
NEVER = -1
"""As the last level of a property: no level has it."""
_CHOICES = {
    "tie": ("none", "random", "all"),
    "canard_pool": ("cast", "all"),
    "birth_pool": ("cast", "all"),
    "shooting_citizens": ("armed", "all"),
    "antielixir_many": ("strip_one", "kill"),
    "auto_lair_vs_journalist": ("none", "repel"),
    "recruit_vote_own_team": ("reject", "allow"),
}
_COUNTS = (
    "start_mafbucks", "mafbucks_per_point", "opportunities_per_game", "goods_per_day", "goods_per_game",
    "password_level_citizen", "password_level_unfaithful", "missed_turns_limit", "max_days",
)  # fmt: skip
_FLAGS = ("weekend_pause", "carry_mafbucks")
_STUDIES = ("citizen_girl", "unfaithful_journalist", "journalist_mafioso")
_KILLER = (
    "antigirl_from", "lynch_from", "autoprotect_to", "pierce_from", "antiundead_from", "antielixir", "antihanging_from",
)  # fmt: skip
_LISTS = ("pistol_roles", "passwords", "setup", "newspaper_hide")
_TABLES = ("levels", "win_points", "study", "killer", "opportunities", "goods", "allowance", "points", "level_gifts", "words")
_WORDS = ("movers", "roles", "moves", "reasons", "causes", "hanging", "teams", "items", "outcomes")
_EXTRA_POINTS = {"any": ("vote_hanged",), "killer": ("pierce", "antielixir", "autoprotect"), "girl": ("sleep_role_aids",)}


@dataclass(frozen=True, slots=True)
class Good:
    """What can be bought for MafBucks; ``price`` None: cannot be bought, ``sell`` None: the town hall does not take it."""

    price: int | None
    level: int
    sell: int


@dataclass(frozen=True, slots=True)
class Killer:
    """The killer's properties by level (R92)."""

    antigirl_from: int
    lynch_from: int
    autoprotect_to: int
    pierce_from: int
    antiundead_from: int
    antielixir: tuple[int, ...]
    antihanging_from: int


@dataclass(frozen=True, slots=True)
class Tables:
    """All numbers and options of one game, checked."""

    deadline: time
    weekend_pause: bool
    max_days: int
    tie: str
    recruit_vote_own_team: str
    start_mafbucks: int
    carry_mafbucks: bool
    mafbucks_per_point: int
    opportunities_per_game: int
    goods_per_day: int
    goods_per_game: int
    pistol_roles: tuple[str, ...]
    password_level_citizen: int
    password_level_unfaithful: int
    passwords: tuple[str, ...]
    canard_pool: str
    birth_pool: str
    shooting_citizens: str
    antielixir_many: str
    auto_lair_vs_journalist: str
    missed_turns_limit: int
    newspaper_hide: frozenset[str]
    setup: tuple[str, ...]
    levels: Mapping[str, tuple[int, ...]]
    win_points: Mapping[str, int]
    study: Mapping[str, int]
    killer: Killer
    opportunities: Mapping[str, str]
    goods: Mapping[str, Good]
    allowance: Mapping[str, Mapping[str, tuple[int, ...]]]
    points: Mapping[str, Mapping[str, int]]
    level_gifts: Mapping[str, tuple[tuple[str, ...], ...]]
    words: Mapping[str, Mapping[str, str]]

    def level_of(self, role: str, points: int) -> int:
        """The level that these points give to a player of this role (R4)."""
        thresholds = self.levels.get(role, self.levels["all"])
        return max(level for level, needed in enumerate(thresholds) if points >= needed or level == 0)

    def threshold(self, role: str, level: int) -> int:
        """The points that a level needs (R4)."""
        return self.levels.get(role, self.levels["all"])[level]

    def allowed(self, role: str, action: str, level: int) -> int:
        """How many times a game the move may be made at this level; -1 without limit (R5)."""
        row = self.allowance.get(role, {}).get(action)
        return -1 if row is None else row[level]

    def pay(self, role: str, key: str) -> int:
        """Points of a success (section 20); 0 for what is not listed."""
        return self.points.get(role, {}).get(key, 0)

    def gifts(self, role: str, above: int, upto: int) -> tuple[str, ...]:
        """Items given for the levels ``above + 1 .. upto`` (R28)."""
        lists = self.level_gifts.get(role, ())
        return tuple(item for gifts in lists[above:upto] for item in gifts)

    def sell_price(self, item: str) -> int:
        """What the town hall pays for an item (R26, R27)."""
        return self.goods[item].sell if item in self.goods else 0


def build(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
    """The checked tables of a game. Raises EngineError with the path of the first wrong entry."""
    raw = merged(defaults, overrides)
    known = (*_CHOICES, *_COUNTS, *_FLAGS, *_LISTS, *_TABLES, "deadline")
    check_keys("tables", raw, known)
    _complete("tables", raw, known)
    values: dict[str, Any] = {"deadline": clock("tables.deadline", raw["deadline"])}
    for key, words in _CHOICES.items():
        values[key] = _one_of(f"tables.{key}", raw[key], words)
    for key in _COUNTS:
        values[key] = _whole(f"tables.{key}", raw[key])
    for key in _FLAGS:
        values[key] = want(f"tables.{key}", raw[key], bool, "true или false")
    values["pistol_roles"] = _words("tables.pistol_roles", raw["pistol_roles"], ROLES)
    values["passwords"] = _passwords("tables.passwords", raw["passwords"])
    values["setup"] = _words("tables.setup", raw["setup"], ROLES)
    values["newspaper_hide"] = frozenset(_words("tables.newspaper_hide", raw["newspaper_hide"], ACTIONS))
    _complete("tables.levels", want("tables.levels", raw["levels"], Mapping, "таблица"), ("all",))
    _complete("tables.study", want("tables.study", raw["study"], Mapping, "таблица"), _STUDIES)
    _complete("tables.win_points", want("tables.win_points", raw["win_points"], Mapping, "таблица"), sorted(NEUTRALS))
    values["levels"] = _by_key("tables.levels", raw["levels"], ("all", *ROLES), _levels)
    values["win_points"] = _by_key("tables.win_points", raw["win_points"], NEUTRALS, _whole)
    values["study"] = _by_key("tables.study", raw["study"], _STUDIES, _whole)
    values["killer"] = _killer("tables.killer", raw["killer"])
    values["opportunities"] = _by_key(
        "tables.opportunities", raw["opportunities"], ITEMS, lambda place, value: _one_of(place, value, PAYMENTS[:3])
    )
    values["goods"] = _by_key("tables.goods", raw["goods"], GOODS, _good)
    values["allowance"] = _by_role("tables.allowance", raw["allowance"], _role_actions(), _five)
    values["points"] = _by_role("tables.points", raw["points"], _paid_actions(), _whole)
    values["level_gifts"] = _by_key("tables.level_gifts", raw["level_gifts"], ROLES, _gifts)
    values["words"] = _by_key("tables.words", raw["words"], _WORDS, _word_list)
    return Tables(**values)


def _complete(place: str, table: Mapping[str, Any], needed: Sequence[str]) -> None:
    """Raises EngineError for the first key that a host's own file has lost."""
    for key in needed:
        if key not in table:
            raise EngineError(f"{place}.{key}", "в таблицах нет этого ключа")


def _role_actions() -> dict[str, tuple[str, ...]]:
    return {role: tuple(move.action for move in TABLE if role in move.roles) for role in ROLES}


def _paid_actions() -> dict[str, tuple[str, ...]]:
    paid = {role: (*actions, *_EXTRA_POINTS.get(role, ())) for role, actions in _role_actions().items()}
    return {**paid, "any": _EXTRA_POINTS["any"]}


Check = Callable[[str, Any], Any]


def _by_key(place: str, table: Any, known: Any, check: Check) -> Mapping[str, Any]:
    want(place, table, Mapping, "таблица")
    check_keys(place, table, known)
    return MappingProxyType({key: check(f"{place}.{key}", value) for key, value in table.items()})


def _by_role(place: str, table: Any, known: Mapping[str, Sequence[str]], check: Check) -> Mapping[str, Any]:
    want(place, table, Mapping, "таблица")
    check_keys(place, table, known)
    return MappingProxyType({role: _by_key(f"{place}.{role}", row, known[role], check) for role, row in table.items()})


def _one_of(place: str, value: Any, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise unknown(place, "неизвестное значение", value, words)
    return value


def _words(place: str, value: Any, known: Any) -> tuple[str, ...]:
    want(place, value, list, "список слов в кавычках")
    return tuple(_one_of(f"{place}[{i}]", word, tuple(known)) for i, word in enumerate(value))


def _whole(place: str, value: Any) -> int:
    number: int = want(place, value, int, "целое число")
    if number < 0:
        raise EngineError(place, "здесь должно стоять число не меньше нуля")
    return number


def _passwords(place: str, value: Any) -> tuple[str, ...]:
    want(place, value, list, "список слов в кавычках")
    words = tuple(want(f"{place}[{i}]", word, str, "слово в кавычках") for i, word in enumerate(value))
    if len(set(words)) < MIN_PASSWORDS:
        raise EngineError(place, f"нужно не меньше {MIN_PASSWORDS} разных слов")
    return words


def _numbers(place: str, value: Any, least: int) -> tuple[int, ...]:
    want(place, value, list, f"список из {LEVELS} чисел для уровней 0–4")
    if len(value) != LEVELS:
        raise EngineError(place, f"нужно {LEVELS} чисел, для уровней 0–4, а здесь {len(value)}")
    numbers = tuple(want(f"{place}[{i}]", number, int, "целое число") for i, number in enumerate(value))
    for i, number in enumerate(numbers):
        if number < least:
            raise EngineError(f"{place}[{i}]", f"здесь должно стоять число не меньше {least}")
    return numbers


def _five(place: str, value: Any) -> tuple[int, ...]:
    return _numbers(place, value, -1)


def _levels(place: str, value: Any) -> tuple[int, ...]:
    numbers = _numbers(place, value, 0)
    if numbers[0] != 0 or list(numbers) != sorted(numbers):
        raise EngineError(place, "очки уровней начинаются с 0 и не убывают")
    return numbers


def _killer(place: str, value: Any) -> Killer:
    want(place, value, Mapping, "таблица")
    check_keys(place, value, _KILLER)
    _complete(place, value, _KILLER)
    read: dict[str, Any] = {}
    for key in _KILLER:
        if key == "antielixir":
            read[key] = _numbers(f"{place}.{key}", value[key], 0)
        else:
            level: int = want(f"{place}.{key}", value[key], int, "уровень")
            if level < (NEVER if key == "autoprotect_to" else 0):
                raise EngineError(f"{place}.{key}", "уровней ниже 0 не бывает")
            read[key] = level
    return Killer(**read)


def _good(place: str, value: Any) -> Good:
    want(place, value, Mapping, "таблица { price, level, sell }")
    check_keys(place, value, ("price", "level", "sell"))
    price = None if "price" not in value else _whole(f"{place}.price", value["price"])
    level = _whole(f"{place}.level", value.get("level", 0))
    if level >= LEVELS:
        raise EngineError(f"{place}.level", f"уровень бывает от 0 до {LEVELS - 1}")
    return Good(price, level, _whole(f"{place}.sell", value.get("sell", 0)))


def _gifts(place: str, value: Any) -> tuple[tuple[str, ...], ...]:
    want(place, value, list, "список из четырёх списков: подарки за уровни 1–4")
    if len(value) != LEVELS - 1:
        raise EngineError(place, f"нужно {LEVELS - 1} списка, для уровней 1–4, а здесь {len(value)}")
    return tuple(_words(f"{place}[{i}]", items, ITEMS) for i, items in enumerate(value))


def _word_list(place: str, value: Any) -> Mapping[str, str]:
    want(place, value, Mapping, "таблица слов")
    return MappingProxyType({key: want(f"{place}.{key}", word, str, "слово в кавычках") for key, word in value.items()})
