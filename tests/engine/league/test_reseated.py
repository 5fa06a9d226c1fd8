"""Every agreed scenario that gives orders rather than texts, with the roster turned round (duty numbers kept)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.rulesets.league.roles import ROLES
from tests.engine.playing import gives_orders_only, load, play
from tests.unmet import unmet

CASES = sorted((Path(__file__).parents[2] / "cases" / "league").glob("*.toml"))
ORDERS_ONLY = [
    path for path in CASES if f"league/{path.stem}" not in unmet()["cases"] and gives_orders_only(load(path))
]
FREE_OF_CHANCE = [path for path in ORDERS_ONLY if not any("chance" in turn for turn in load(path)["turns"])]


def _number(players: list[dict[str, Any]]) -> None:
    """Write the numbers down that follow from the order of the cast, so that the order no longer decides them."""
    for side in ("mafia", "yakuza"):
        members = [
            p
            for p in players
            if p.get("alive", True)
            and p.get("faction", ROLES[p["role"]].faction) == side
            and p["role"] not in ("lawyer", "kamikaze")
        ]
        taken = {p["number"] for p in members if "number" in p}
        free = iter(n for n in range(1, 99) if n not in taken)
        for member in members:
            member.setdefault("number", 0)
            member["number"] = member["number"] or next(free)


@pytest.mark.parametrize("by", [1, 3])
@pytest.mark.parametrize("path", FREE_OF_CHANCE, ids=lambda path: path.stem)
def test_a_reseated_roster_and_another_seed_change_nothing(path: Path, by: int) -> None:
    data = load(path)
    _number(data["players"])
    data["players"] = data["players"][by:] + data["players"][:by]
    data["seed"] = 4711 + by
    for turn in data["turns"]:
        expect = turn.get("expect", {})
        expect["report_has"] = [text for text in expect.get("report_has", []) if not text.startswith("Живые")]
    assert play(data).differences() == []


def test_the_same_file_gives_the_same_bytes() -> None:
    for path in ORDERS_ONLY[::20]:
        assert repr(play(load(path)).result) == repr(play(load(path)).result)
