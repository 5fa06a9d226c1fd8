"""Every agreed scenario that gives orders rather than texts, with the roster turned round and another seed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine import scenario
from forumbot import resources
from forumbot.writing import report

CASES = sorted((Path(__file__).parents[2] / "cases" / "mafialife").glob("*.toml"))


def _load(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _play(data: dict[str, Any]) -> scenario.Played:
    return scenario.run(scenario.parse(data), resources.tables("mafialife"), report.plain)


ORDERS_ONLY = [path for path in CASES if not any(turn.get("messages") for turn in _load(path)["turns"])]


def test_most_scenarios_give_orders() -> None:
    assert len(ORDERS_ONLY) > 200


@pytest.mark.parametrize("path", ORDERS_ONLY, ids=lambda path: path.stem)
def test_nothing_forced_is_left_over_and_a_reseated_roster_changes_nothing(path: Path) -> None:
    data = _load(path)
    assert _play(data).warnings == ()
    data["players"] = data["players"][3:] + data["players"][:3]
    data["seed"] = 4711
    assert _play(data).differences() == []
