"""The order of a table's keys carries no meaning, in the deal and in play: a store may sort them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import rulesets, scenario
from engine.chance import Chance
from forumbot import resources
from forumbot.store.types import dump, load
from forumbot.writing import report
from tests.engine import playing

CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.toml"))
SEATS = [f"Игрок {number}" for number in range(1, 21)]


def turned(value: Any) -> Any:
    """The same data with the keys of every table in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(inner) for key, inner in reversed(value.items())}
    return [turned(one) for one in value] if isinstance(value, list) else value


def stored(value: Any) -> Any:
    """The same data after a stay in the store, which sorts keys."""
    return load(dump(value))


def result(document: dict[str, Any], tables: Any) -> str:
    played = scenario.run(scenario.parse(document), tables, report.plain, playing.READER)
    assert played.differences() == [] or not document["turns"]
    return json.dumps(played.result, ensure_ascii=False, sort_keys=True)


@pytest.mark.parametrize("way", [turned, stored], ids=["turned", "stored"])
@pytest.mark.parametrize("name", rulesets.NAMES)
def test_p25_a_deal_does_not_hang_on_the_order_of_keys(name: str, way: Any) -> None:
    rules = rulesets.ruleset(name)
    plain = resources.tables(name)
    for seed in range(5):
        given = rules.deal(SEATS, rules.tables(plain, {}), Chance(seed))
        again = rules.deal(SEATS, rules.tables(way(plain), {}), Chance(seed))
        assert rules.state(again[0]) == rules.state(given[0])
        assert again[1] == given[1]


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_p25_no_scenario_hangs_on_the_order_of_keys(name: str) -> None:
    files = [file for file in CASES if file.parent.name == name]
    for file in files[:: max(1, len(files) // 80)]:
        document = playing.load(file)
        if not playing.gives_orders_only(document):
            continue
        assert result(turned(document), turned(resources.tables(name))) == result(document, resources.tables(name)), file.stem
