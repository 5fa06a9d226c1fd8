"""The agreed scenarios that give orders rather than texts, with the roster turned round; refusals of letters."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.engine.playing import gives_orders_only, load, play
from tests.unmet import unmet

CASES = sorted((Path(__file__).parents[2] / "cases" / "clans").glob("*.toml"))
ORDERS_ONLY = [
    path for path in CASES if f"clans/{path.stem}" not in unmet()["cases"] and gives_orders_only(load(path))
]


def _seat_matters(data: dict[str, Any]) -> bool:
    """Seats matter to the shahid's neighbours and to every draw; nowhere else but in the newspaper's order."""
    return any(player["role"] == "shahid" for player in data["players"]) or any("chance" in turn for turn in data["turns"])


@pytest.mark.parametrize(
    "path", [path for path in ORDERS_ONLY if not _seat_matters(load(path))], ids=lambda path: path.stem
)
def test_a_reseated_roster_changes_nothing(path: Path) -> None:
    data = load(path)
    data["players"].reverse()
    for turn in data["turns"]:
        turn.get("expect", {}).pop("report_has", None)
    played = play(data)
    assert played.differences() == []
    assert all(turn["chance"] == [] for turn in played.result["turns"])


@pytest.mark.parametrize("path", ORDERS_ONLY[::7], ids=lambda path: path.stem)
def test_given_seats_make_the_roster(path: Path) -> None:
    """The same players in another order of the file but with their old seats: the same bytes, neighbours too."""
    data = load(path)
    before = play(load(path)).result
    for place, player in enumerate(data["players"], start=1):
        player["seat"] = place
    data["players"] = data["players"][1:] + data["players"][:1]
    assert play(data).result == before


def test_refusals_of_letters_are_told_to_their_senders_by_whomever_they_were_refused() -> None:
    data = load(next(path for path in CASES if path.stem == "r3_letters_without_a_move"))
    data["state"] = {"deadline": datetime(2026, 12, 1, 21, tzinfo=ZoneInfo("Europe/Moscow"))}
    late = {"kind": "letter", "author": "Дина", "text": "Убийство: Вера", "at": data["state"]["deadline"]}
    data["turns"][0]["messages"].append(late)
    (turn,) = play(data).result["turns"]
    told = [notice for notice in turn["notices"] if notice["kind"] == "order_rejected"]
    assert told == [
        {"to": "Анна", "kind": "order_rejected", "action": "heal", "reason": "unknown_nick"},
        {"to": "Дина", "kind": "order_rejected", "action": "kill", "reason": "late"},
    ]
