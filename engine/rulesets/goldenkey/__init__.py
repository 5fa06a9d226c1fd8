"""Ruleset ``goldenkey``: the Golden Key (docs/rules/goldenkey.md)."""

from engine.rulesets.goldenkey.ruleset import RULESET

__all__ = ["RULESET"]
