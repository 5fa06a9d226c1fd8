"""The words of everyday Russian, whatever the game: ``config/reading/*.toml``, read once a process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from forumbot import resources


@dataclass(frozen=True, slots=True)
class Grammar:
    """Small closed tables (``config/reading/grammar.toml``)."""

    prepositions: Mapping[str, frozenset[str]]
    numbers: Mapping[str, int]
    ordinals: tuple[tuple[str, int], ...]
    lists: Mapping[str, frozenset[str]]
    ordinal_names: tuple[str, ...]

    def ordinal(self, folded: str) -> int | None:
        """The number that an ordinal names in any case (``шестой``, ``второго``), or None."""
        for start, value in self.ordinals:
            if folded.startswith(start) and folded[len(start) :] in self.lists["ordinal_endings"]:
                return value
        return None


@cache
def grammar() -> Grammar:
    """The tables of grammar."""
    data = resources.toml("reading/grammar.toml")
    return Grammar(
        {word: frozenset(cases) for word, cases in data["prepositions"].items()},
        data["numbers"],
        tuple(data["ordinals"].items()),
        {name: frozenset(words) for name, words in data["lists"].items()},
        tuple(data["lists"]["ordinal_names"]),
    )


@cache
def everyday() -> Mapping[str, Any]:
    """The classes of everyday words (``config/reading/everyday.toml``)."""
    return resources.toml("reading/everyday.toml")


def common(action: str) -> Sequence[str]:
    """The words of an action that several rulesets know, whatever the ruleset."""
    words: Sequence[str] = everyday()["common"].get(action, {}).get("words", ())
    return words


def patterns() -> Iterator[tuple[str, tuple[str, Any]]]:
    """Every pattern of the everyday classes with its meaning: ("cover" | "mark" | "number", id or value)."""
    data = everyday()
    for kind in ("cover", "mark"):
        for name, entry in data[kind].items():
            for pattern in entry["words"]:
                yield pattern, (kind, name)
    for word, value in grammar().numbers.items():
        yield word, ("number", value)
