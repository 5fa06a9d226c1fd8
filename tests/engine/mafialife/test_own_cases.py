"""Own scenarios in the corners that the agreed ones leave open: each one's expectation was written from the rules' text."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import scenario
from forumbot import reading, resources
from forumbot.writing import report

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
READER = reading.reader()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_scenario_holds(path: Path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    played = scenario.run(scenario.parse(data), resources.tables("mafialife"), report.plain, READER)
    assert played.differences() == []
    assert played.warnings == ()
