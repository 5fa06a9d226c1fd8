"""docs/security.md: every test and every module that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TESTS = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("row", sorted(set(re.findall(r"`test_(x\d\d)_…`", DOCUMENT))))
def test_a_row_that_is_named_has_its_tests(row: str) -> None:
    assert re.search(rf"^def test_{row}_\w+\(", TESTS, re.MULTILINE)


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`((?:tests/)?[a-z_]+/[a-z_/]+(?:\.py)?)`", DOCUMENT))))
def test_a_file_that_is_named_is_there(named: str) -> None:
    places = [ROOT / start / (named + end) for start in ("", "tests", "tests/forumbot", "forumbot") for end in ("", ".py")]
    assert any(place.exists() for place in places), named


def test_every_row_of_the_attack_has_a_test() -> None:
    rows = {f"x{number:02}" for number in range(1, 17)}
    assert rows <= set(re.findall(r"^def test_(x\d\d)_", TESTS, re.MULTILINE))
