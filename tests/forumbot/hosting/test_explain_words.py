"""Every step that the rules note in any agreed case has its Russian sentence."""

import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from engine import model, scenario
from engine.model import Step
from engine.rulesets import NAMES
from forumbot import resources
from forumbot.hosting.explain import explain
from forumbot.hosting.explain.explain import STEPS, Explanation
from forumbot.writing.writer import Writer, gather

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


@pytest.mark.parametrize("ruleset", NAMES)
def test_d01_every_step_of_the_agreed_cases_is_told_without_ids_or_brackets(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """«Дежурный: {'mafia': …}», «встречено: hit»."""
    noted: list[Step] = []
    make = Step.__init__

    def noting(self: Step, phase: str, text_id: str, data: Any = model.NOTHING, **more: Any) -> None:
        make(self, phase, text_id, data, **more)
        noted.append(self)

    monkeypatch.setattr(Step, "__init__", noting)
    teller = object.__new__(Explanation)
    teller._writer = Writer(gather(ruleset), "Europe/Moscow")
    teller._words, teller._sentences = explain._steps(ruleset, {})
    wrong: dict[str, str] = {}
    for file in sorted((CASES / ruleset).glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        for turn in data.get("turns", []):
            turn.pop("messages", None)
            turn.pop("expect", None)
        case = scenario.parse(data)
        noted.clear()
        scenario.run(case, resources.tables(case.ruleset), lambda *_: "")
        teller._names = {player["nick"]: "Анна" for player in case.cast}
        for step in noted:
            told = teller._step(step)
            if re.search(r"[a-z]{2,}|[{}\[\]]|None|True|False", told):
                wrong.setdefault(f"{step.text_id} {dict(step.data)}", told)
    assert not wrong, "\n".join(sorted(set(wrong.values())))
