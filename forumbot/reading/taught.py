"""Words that a host has explained: each is a filler, a form of a move or a spelling of a nick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Taught:
    """One word, or a few side by side, as the player wrote them. ``value`` is the action's id of a "form", the seat of a
    "nick", and empty for a "filler". An entry that names no action of the ruleset, or no seat of the game, says nothing."""

    text: str
    kind: Literal["filler", "form", "nick"]
    value: str = ""
