"""Wrong input named: what is wrong, where, and what was likely meant. Shared by the scenario runner and the rulesets.

The sentences are Russian, since the host who wrote the file reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from engine.model import EngineError


def meant(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to this one, None when nothing is near."""
    by_fold = {k.casefold(): k for k in known}
    near = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[near[0]] if near else None


def unknown(place: str, what: str, word: Any, known: Iterable[str]) -> EngineError:
    """The error for a word that is none of the known ones; ``what`` says its kind ("неизвестная роль")."""
    known = tuple(known)
    return EngineError(place, f"{what} «{word}»", meant=meant(str(word), known))


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
