"""Given names and the short forms Russians use for them (``config/reading/given_names.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from forumbot import resources


@cache
def groups_of() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Name (full or short) -> the groups that hold it; each group is all spellings of one name."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in resources.toml("reading/given_names.toml")["groups"]:
        names = tuple(line.split())
        for name in names:
            found.setdefault(name, []).append(names)
    return {name: tuple(groups) for name, groups in found.items()}
