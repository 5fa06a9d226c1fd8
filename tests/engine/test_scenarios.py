"""Every agreed scenario, as a table: what the rules' text means is pinned by these files."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import rulesets, scenario
from forumbot import reading, resources
from forumbot.writing import report

CASES = Path(__file__).parent.parent / "cases"
FILES = sorted(CASES.rglob("*.toml"))


def load(file: Path) -> scenario.Scenario:
    with file.open("rb") as text:
        document = tomllib.load(text)
    return scenario.parse(document)


def play(checked: scenario.Scenario) -> scenario.Played:
    reader = reading.reader() if checked.has_messages else None
    return scenario.run(checked, resources.tables(checked.ruleset), report.plain, reader)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_scenario_holds(file: Path) -> None:
    assert play(load(file)).differences() == []


def test_there_are_scenarios_of_every_ruleset() -> None:
    assert {file.parent.name for file in FILES} == set(rulesets.NAMES)


GOLDENKEY = sorted((CASES / "goldenkey").glob("*.toml"))
AT_DAWN = "role_"
"""Chance points of the deal, which comes after all else of a turn."""


def chance_has_no_part(played: scenario.Played) -> bool:
    """No draw was left to the seed, but for the deal of the last dawn, of which the file expects nothing."""
    turns = played.result["turns"]
    open_draws = [(i, draw["point"]) for i, turn in enumerate(turns) for draw in turn["chance"] if not draw["forced"]]
    if not all(i == len(turns) - 1 and point.startswith(AT_DAWN) for i, point in open_draws):
        return False
    last = played.expects[-1]
    dealt = {key for table in last.get("state", {}).values() for key in table} & {"role", "roles", "received"}
    told = [n for key in ("notices", "no_notices") for n in last.get(key, []) if n.get("kind") == "role_assigned"]
    return not open_draws or not (dealt or told)


@pytest.mark.parametrize("by", [1, -1, 3])
@pytest.mark.parametrize("file", GOLDENKEY, ids=lambda file: file.stem)
def test_goldenkey_neither_the_order_of_seats_nor_the_seed_decides(file: Path, by: int) -> None:
    checked = load(file)
    if checked.has_messages or not chance_has_no_part(play(checked)):
        return
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    document["players"] = document["players"][by:] + document["players"][:by]
    document["seed"] = 4711 + by
    assert play(scenario.parse(document)).differences() == []


def test_goldenkey_most_scenarios_leave_nothing_to_chance() -> None:
    """So that the test above tests something."""
    free = [file for file in GOLDENKEY if not (checked := load(file)).has_messages and chance_has_no_part(play(checked))]
    assert len(free) > 80
