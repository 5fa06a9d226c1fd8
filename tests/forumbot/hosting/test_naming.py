"""Hosts read words and never the ids of deadlines and draws (P19)."""

from datetime import timedelta
from pathlib import Path

import pytest

from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core.outcomes import named
from tests.forumbot.hosting.hosts import refused, upcoming
from tests.forumbot.hosting.test_host_actions import RULESETS, running


@pytest.mark.parametrize("ruleset", RULESETS)
def test_p19_a_held_deadline_is_named_in_words(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    due = upcoming(world)
    world.forum.incomplete = True
    world.until(due["due_at"] + timedelta(minutes=30), step=timedelta(minutes=10))
    world.forum.incomplete = False
    world.settle()
    told = [text for _, text in world.mail.letters_to("owner@example.org") if "срок" in text]
    assert told
    ids = {due["name"], *find_ruleset(ruleset).spec.marks, "close", "newspaper", "deadline"}
    assert not [text for text in told for name in ids if name in text.replace("forumbot deadline", "")]
    assert "«" in refused(world, "resolve")


@pytest.mark.parametrize("kind", ["post", "edit"])
def test_p19_what_has_no_subject_is_named_by_its_first_words(kind: str) -> None:
    row = {"kind": kind, "target": {"thread_id": 3}, "subject": "", "key": "demo/t3/newspaper"}
    told = named({**row, "body": "\n\n[b]Утренняя [color=red]газета[/color].[/b] День 3\n[quote]…[/quote]"})
    assert "«Утренняя газета. День 3»" in told and "newspaper" not in told
    assert len(named({**row, "body": "слово " * 99})) < 120
    assert "demo" not in named({**row, "body": ""})
