"""Every step that the rules note in any agreed case has its Russian sentence."""

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from engine import model, scenario
from engine.model import Step
from engine.rulesets import NAMES
from forumbot import resources
from forumbot.hosting.explain import STEPS

CASES = Path(__file__).parents[2] / "cases"


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_step_of_the_agreed_cases_has_words(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: dict[str, set[str]] = defaultdict(set)
    make = Step.__init__

    def noting(self: Step, phase: str, text_id: str, data: Any = model.NOTHING, **more: Any) -> None:
        noted[text_id] |= data.keys()
        make(self, phase, text_id, data, **more)

    monkeypatch.setattr(Step, "__init__", noting)
    for file in sorted((CASES / ruleset).glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        for turn in data.get("turns", []):
            turn.pop("messages", None)
            turn.pop("expect", None)  # without its messages a turn ends otherwise
        case = scenario.parse(data)
        scenario.run(case, resources.tables(case.ruleset), lambda *_: "")
    assert noted
    names, words = resources.toml(f"templates/{ruleset}/names.toml"), resources.toml(f"templates/common/{STEPS}")["words"]
    own = names["steps"]
    known = {id_ for group in ("actions", "reasons", "roles", "causes", "factions") for id_ in names.get(group, {})}
    assert {text_id for text_id in noted if text_id not in own and text_id not in words and text_id not in known} == set()
