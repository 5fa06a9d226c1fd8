"""The game's tables (1.10): checked, frozen, and with what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import time
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.badinput import clock, unknown, want
from engine.model import EngineError
from engine.rulesets.clans import roles


@dataclass(frozen=True, slots=True)
class Tables:
    """One game's tables; the comments of ``config/rulesets/clans.toml`` say what each is for."""

    deadline: time
    newspaper: time
    timezone: ZoneInfo
    weekend_one_day: bool
    activity_penalties: bool
    words_required: int
    vote_required: bool
    penalty_limit: int
    chosen_double_days: int
    chosen_votes_early: int
    chosen_votes_late: int
    mine_votes: int
    mine_counts_secret: bool
    shooter_bullets: int
    vest: bool
    artist_roles: tuple[str, ...]
    artist_reappoint: bool
    self_vote: bool
    hunt_miss_kills: Literal["hunter", "victim"]
    clan_shooter: Literal["sender", "eldest"]
    clan_kill_outlives_sender: bool
    showdown_heal_saves: bool
    vest_in_motel: bool
    blast_reaches_mirror: bool
    shahid_explodes_on: tuple[str, ...]
    maniac_chain: Literal["by_time", "maniac_loses", "both"]
    tell_guests: bool
    reveal_dead: Literal["none", "status", "role"]
    publish_votes: Literal["none", "totals"]
    report_saves: Literal["none", "count"]
    torture_public: bool
    clan_names: Mapping[str, str]
    seating: Literal["roster", "random"]
    clan_wins_at: Literal["parity", "last"]
    maniac_wins_at: int
    min_players: int
    clan_size_divisor: int
    clan_size_max: int
    maniac_from: int
    citizens_divisor: int
    civilian_roles: tuple[str, ...]
    violations: Mapping[str, str]

    def secret_votes(self, turn: int) -> int:
        """How many secret votes the chosen has in this turn (R17, R18)."""
        return self.chosen_votes_early if turn <= self.chosen_double_days else self.chosen_votes_late


Check = Callable[[str, Any], Any]


def _flag(place: str, value: Any) -> bool:
    return bool(want(place, value, bool, "true или false"))


def _number(least: int) -> Check:
    def check(place: str, value: Any) -> int:
        number: int = want(place, value, int, "целое число")
        if number < least:
            raise EngineError(place, f"число {number} меньше наименьшего, {least}")
        return number

    return check


def _word(*known: str) -> Check:
    def check(place: str, value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise unknown(place, f"здесь может стоять {' | '.join(known)}, а не", value, known)
        return value

    return check


def _words(*known: str) -> Check:
    one = _word(*known)

    def check(place: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            raise EngineError(place, "здесь должен стоять список")
        words = tuple(one(f"{place}[{i}]", word) for i, word in enumerate(value))
        if len(set(words)) != len(words):
            raise EngineError(place, "одно и то же названо дважды")
        return words

    return check


def _zone(place: str, value: Any) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (TypeError, ValueError, OSError, ZoneInfoNotFoundError):
        raise EngineError(place, f"неизвестный часовой пояс «{value}»") from None


def _names(place: str, value: Any) -> Mapping[str, str]:
    names = {clan: want(f"{place}.{clan}", name, str, "имя клана").strip() for clan, name in value.items()}
    for clan in roles.CLANS:
        if not names.get(clan):
            raise EngineError(f"{place}.{clan}", "у клана нет имени")
    if names[roles.RED] == names[roles.BLACK]:
        raise EngineError(place, "имена кланов совпадают")
    return names


def _measures(place: str, value: Any) -> Mapping[str, str]:
    check = _word(*roles.MEASURES)
    measures = {kind: check(f"{place}.{kind}", measure) for kind, measure in value.items()}
    for kind in roles.VIOLATIONS:
        if kind not in measures:
            raise EngineError(f"{place}.{kind}", "не сказано, что следует за этим нарушением")
    return measures


_CHECKS: Mapping[str, Check] = {
    "deadline": clock,
    "newspaper": clock,
    "timezone": _zone,
    "weekend_one_day": _flag,
    "activity_penalties": _flag,
    "words_required": _number(0),
    "vote_required": _flag,
    "penalty_limit": _number(1),
    "chosen_double_days": _number(0),
    "chosen_votes_early": _number(0),
    "chosen_votes_late": _number(0),
    "mine_votes": _number(1),
    "mine_counts_secret": _flag,
    "shooter_bullets": _number(0),
    "vest": _flag,
    "artist_roles": _words("don", "thug", "bodyguard", "seductress"),
    "artist_reappoint": _flag,
    "self_vote": _flag,
    "hunt_miss_kills": _word("hunter", "victim"),
    "clan_shooter": _word("sender", "eldest"),
    "clan_kill_outlives_sender": _flag,
    "showdown_heal_saves": _flag,
    "vest_in_motel": _flag,
    "blast_reaches_mirror": _flag,
    "shahid_explodes_on": _words("clan_kill", "shot", "exhaustion"),
    "maniac_chain": _word("by_time", "maniac_loses", "both"),
    "tell_guests": _flag,
    "reveal_dead": _word("none", "status", "role"),
    "publish_votes": _word("none", "totals"),
    "report_saves": _word("none", "count"),
    "torture_public": _flag,
    "clan_names": _names,
    "seating": _word("roster", "random"),
    "clan_wins_at": _word("parity", "last"),
    "maniac_wins_at": _number(1),
    "min_players": _number(3),
    "clan_size_divisor": _number(1),
    "clan_size_max": _number(1),
    "maniac_from": _number(0),
    "citizens_divisor": _number(1),
    "civilian_roles": _words(*roles.CIVILIAN_ROLES),
    "violations": _measures,
}

_MERGED: Mapping[str, tuple[str, ...]] = {"clan_names": roles.CLANS, "violations": roles.VIOLATIONS}
"""Tables of which an override changes only the keys it names (1.10), with the keys they may have."""


def build(defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tables:
    """The game's tables: ``overrides`` laid over ``defaults``.

    Raises EngineError with the path of an unknown, missing or wrong entry ("tables.penalty_limit").
    """
    merged: dict[str, Any] = {}
    for given in (defaults, overrides):
        for name, value in given.items():
            place = f"tables.{name}"
            if name not in _CHECKS:
                raise unknown(place, "неизвестная таблица", name, _CHECKS)
            merged[name] = _merge(place, name, merged.get(name, {}), value) if name in _MERGED else value
    for name in _CHECKS:
        if name not in merged:
            raise EngineError(f"tables.{name}", "таблица не указана")
    checked = {name: check(f"tables.{name}", merged[name]) for name, check in _CHECKS.items()}
    tables = Tables(**{field.name: checked[field.name] for field in fields(Tables)})
    if tables.newspaper <= tables.deadline:
        raise EngineError("tables.newspaper", "газета должна выходить позже срока ходов того же дня")
    return tables


def _merge(place: str, name: str, below: Mapping[str, Any], above: Any) -> dict[str, Any]:
    want(place, above, (dict, Mapping), "таблица")
    for key in above:
        if key not in _MERGED[name]:
            raise unknown(f"{place}.{key}", "неизвестный ключ", key, _MERGED[name])
    return {**below, **above}
