"""The rulesets by their id. Each is imported only when asked for, so that commands start fast."""

from __future__ import annotations

from importlib import import_module

from engine.turn import Ruleset

NAMES = ("league", "clans", "goldenkey", "mafialife")


def ruleset(name: str) -> Ruleset:
    """The ruleset of this id. Raises KeyError for an unknown one."""
    if name not in NAMES:
        raise KeyError(name)
    found: Ruleset = import_module(f"engine.rulesets.{name}").RULESET
    return found
