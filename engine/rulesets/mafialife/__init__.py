"""Ruleset ``mafialife`` (docs/rules/mafialife.md): ``RULESET`` offers the calls of ``engine.turn.Ruleset``."""

from __future__ import annotations

from engine.rulesets.mafialife.ruleset import RULESET

__all__ = ["RULESET"]
