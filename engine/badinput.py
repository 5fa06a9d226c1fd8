"""Wrong input named: what is wrong, where, and what was likely meant. Shared by the scenario runner and the rulesets.

The sentences are Russian, since the host who wrote the file reads them.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any

from engine.model import EngineError

LONGEST_SHOWN = 80
"""Signs of a wrong word that an error repeats."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to this one, None when nothing is near."""
    by_fold = {k.casefold(): k for k in known}
    near = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[near[0]] if near else None


def unknown(place: str, what: str, word: Any, known: Iterable[str]) -> EngineError:
    """The error for a word that is none of the known ones; ``what`` says its kind ("неизвестная роль")."""
    known, said = tuple(known), str(word)
    short = said if len(said) <= LONGEST_SHOWN else f"{said[:LONGEST_SHOWN]}…"
    return EngineError(place, f"{what} «{short}»", meant=meant(said, known))


def check_keys(place: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raises EngineError for the first key of a table that is not known."""
    known = tuple(known)
    for key in table:
        if key not in known:
            raise unknown(f"{place}.{key}" if place else key, "неизвестный ключ", key, known)


def want(place: str, value: Any, kind: type | tuple[type, ...], russian: str) -> Any:
    """The value itself if it is of this kind; True and False are no numbers. Raises EngineError otherwise."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise EngineError(place, f"здесь должно стоять: {russian}")
    return value


def known_id(place: str, word: Any, known: Sequence[str], what: str) -> str:
    """The word itself if it is one of these ids; ``what`` names it in the error ("неизвестная роль")."""
    if not isinstance(word, str) or word not in known:
        raise unknown(place, what, word, known)
    return word


def known_nick(place: str, nick: Any, nicks: Sequence[str]) -> str:
    """The nick itself if somebody of the cast bears it."""
    if nick is None:
        raise EngineError(place, "не указан ник")
    return known_id(place, nick, nicks, "неизвестный ник")


def clock(place: str, value: Any) -> time:
    """An hour of the wall: "21:00", or TOML's own 21:00:00. Raises EngineError, for one with a zone of its own too."""
    try:
        found = value if isinstance(value, time) else time.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is not None:
        raise EngineError(place, f"здесь должно стоять время вида 21:00, а не «{value}»")
    return found


LARGEST_SEED = 2**63
LARGEST = 1_000_000
"""No number of a scenario is larger in size, the seed apart."""
YEARS = range(2000, 2101)
_UNSEEN = ("Cc", "Cf", "Zl", "Zp")
_BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
"""Letters and marks by category that show nothing all the same: joiners and fillers."""


def check_nick(place: str, nick: str) -> None:
    """Raises EngineError for a nick that is empty or holds a character that cannot be seen."""
    if not nick.strip():
        raise EngineError(place, "пустой ник")
    for sign in nick:
        if unicodedata.category(sign) in _UNSEEN or sign in _BLANK_LETTERS:
            raise EngineError(place, f"в нике стоит невидимый знак (U+{ord(sign):04X})")


def check_year(place: str, moment: date) -> None:
    """Raises EngineError for a moment outside the years that a game can be in."""
    if moment.year not in YEARS:
        raise beyond_years(place)


def beyond_years(place: str) -> EngineError:
    """The error for a moment, or a calendar, outside ``YEARS``."""
    return EngineError(place, f"годы игры бывают только от {YEARS[0]} до {YEARS[-1]}")


def check_sane(place: str, value: Any) -> None:
    """Every number in this finite and not above ``LARGEST`` in size, every moment in ``YEARS``. Raises EngineError."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise EngineError(place, "здесь должно стоять число, а не nan или inf")
        if abs(value) > LARGEST:
            raise EngineError(place, f"число слишком велико: больше {LARGEST} ничего не бывает")
    elif isinstance(value, datetime | date):
        check_year(place, value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            check_sane(f"{place}.{key}" if place else str(key), inner)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            check_sane(f"{place}[{i}]", inner)
