"""One skeleton for all rulesets: the same things stand in files of the same names, as ARCHITECTURE.md lists them."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from engine.rulesets import NAMES

ROOT = Path(__file__).parents[2]
FILES = (
    "calendar", "newspaper", "phases", "refusals", "roles", "ruleset", "setup", "sketch", "state", "tables", "victory",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_ruleset_has_the_files_of_the_skeleton(name: str) -> None:
    for file in FILES:
        assert (import_module(f"engine.rulesets.{name}.{file}").__doc__ or "").strip(), file


def test_the_map_lists_them() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    told = re.search(r"- `rulesets/<name>/`: (.*?)\n- ", text, re.DOTALL)
    assert told is not None
    assert set(FILES) <= set(re.findall(r"`(\w+)`", told[1]))
