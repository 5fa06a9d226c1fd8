"""P22: what is not clear is asked about by its reason, and not by one sentence for all."""

from __future__ import annotations

import pytest

from forumbot.writing.writer import Writer, gather

RULESETS = ("clans", "goldenkey", "league", "mafialife")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_p22_each_reason_has_its_own_hint(ruleset: str) -> None:
    writer = Writer(gather(ruleset), "Europe/Moscow")
    hints = {reason: writer._hint(reason) for reason in ("conditional", "no_target", "no_story", "thing", "pronoun", "edited")}
    assert len(set(hints.values())) == len(hints)
    assert writer._hint("of some other kind") == writer._hint("other") != ""


def test_p22_hints_are_of_reasons_that_exist() -> None:
    known = {reason for ruleset in RULESETS for reason in Writer(gather(ruleset), "Europe/Moscow")._words["reasons"]}
    assert set(Writer(gather("league"), "Europe/Moscow")._words["hints"]) - {"other", "no_item"} <= known
