"""Corners of the rules that the agreed scenarios leave out, each written from the text of the rules (``cases``)."""

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
    played = scenario.run(scenario.parse(data), resources.tables("league"), report.plain, READER)
    assert played.differences() == []
    assert played.warnings == ()


def test_the_corners_are_there() -> None:
    assert len(CASES) >= 247
