"""Every agreed scenario that gives orders rather than texts, with the roster turned round and another seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.playing import gives_orders_only, load, play
from tests.unmet import unmet

CASES = sorted((Path(__file__).parents[2] / "cases" / "mafialife").glob("*.toml"))
ORDERS_ONLY = [
    path for path in CASES if f"mafialife/{path.stem}" not in unmet()["cases"] and gives_orders_only(load(path))
]


def test_most_scenarios_give_orders() -> None:
    assert len(ORDERS_ONLY) > 200


@pytest.mark.parametrize("path", ORDERS_ONLY, ids=lambda path: path.stem)
def test_a_reseated_roster_and_another_seed_change_nothing(path: Path) -> None:
    data = load(path)
    data["players"] = data["players"][3:] + data["players"][:3]
    data["seed"] = 4711
    assert play(data).differences() == []
