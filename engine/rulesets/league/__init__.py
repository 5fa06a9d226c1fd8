"""The ruleset ``league``: the rules of a uCoz forum's mafia league (docs/rules/league.md)."""

from engine.rulesets.league.ruleset import RULESET

__all__ = ["RULESET"]
