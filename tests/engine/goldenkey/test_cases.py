"""Scenarios of our own, where two or three rules meet; each file's ``rule`` names them. The agreed ones are in tests/cases."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import scenario
from forumbot import reading, resources
from forumbot.writing import report

FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario_holds(file: Path) -> None:
    checked = scenario.parse(tomllib.loads(file.read_text(encoding="utf-8")))
    reader = reading.reader() if checked.has_messages else None
    played = scenario.run(checked, resources.tables("goldenkey"), report.plain, reader)
    assert played.differences() == []
    assert played.warnings == ()
