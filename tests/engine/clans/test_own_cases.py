"""Own scenarios for the corners between the agreed ones: combinations of phases, table options, several turns, letters.

Each expectation was written from the rule text before the scenario was first run.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import scenario
from forumbot import reading, resources
from forumbot.writing import report

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
READER = reading.reader()


def test_there_are_own_cases() -> None:
    assert CASES


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_scenario_holds(path: Path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    played = scenario.run(scenario.parse(data), resources.tables("clans"), report.plain, READER)
    assert played.differences() == []
    assert played.warnings == ()
