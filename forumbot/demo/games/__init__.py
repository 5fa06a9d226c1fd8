"""What the players of each ruleset want and say. The demo plays every ruleset that has such players: a module here that is named
like it, or the module ``demo`` of the package that brings it; each has ``PLAYERS``, which makes them of a seed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from engine import rulesets
from forumbot.demo.games.model import Players

USUAL = "goldenkey"
"""What the demo plays when nobody names a ruleset."""


def played() -> tuple[str, ...]:
    """The rulesets that the demo can play."""
    return tuple(name for name in rulesets.names() if find_spec(_module(name)) is not None)


def players_of(ruleset: str, seed: int) -> Players:
    """The players of a ruleset, with the tempers that the seed gives them."""
    found: Players = import_module(_module(ruleset)).PLAYERS(seed)
    return found


def _module(ruleset: str) -> str:
    return f"{__name__}.{ruleset}" if ruleset in rulesets.NAMES else f"{rulesets.package(ruleset)}.demo"
