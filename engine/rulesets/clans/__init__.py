"""Ruleset `clans`: two mafia clans, moves and ballots by letter, one lynch inside the night (docs/rules/clans.md)."""

from engine.rulesets.clans.ruleset import RULESET

__all__ = ["RULESET"]
