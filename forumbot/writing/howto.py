"""How moves are written: an example for each move of a role, with nicks of the very game, that the reader understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

EVERYONE = "everyone"
"""The owner of moves that are bound to no role."""


@dataclass(frozen=True, slots=True)
class Example:
    """A move and a letter that gives it; the letter's lines are one below the other."""

    action: str
    lines: tuple[str, ...]

    @property
    def letter(self) -> str:
        return "\n".join(self.lines)

    @property
    def shown(self) -> str:
        """The letter inside a sentence."""
        return "», ниже «".join(self.lines)


def examples(moves: Mapping[str, Any], owner: str, me: str, nicks: Sequence[str]) -> list[Example]:
    """Examples of the owner's moves (a role, a faction or "everyone") by ``moves.toml``. ``nicks``: players who may be named;
    ``me`` is none of them."""
    others = [nick for nick in nicks if nick != me]
    if not others:
        return []
    first, second, third = islice(cycle(others), 3)
    own, common = moves.get("moves", {}).get(owner, {}), moves.get("moves", {})
    found = []
    for action in moves.get("roles", {}).get(owner, ()):
        lines = own.get(action) or common[action]
        said = (line.format(a=first, b=second, c=third, me=me) for line in lines)
        found.append(Example(action, tuple(said)))
    return found
