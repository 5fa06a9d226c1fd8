"""Every agreed scenario and every one of our own, as a table: what the rules' text means is pinned by these files.

The agreed ones are in ``tests/cases``. Our own lie beside the tests of their ruleset: corners where rules meet that the
agreed ones leave open, each written from the rules' text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import expected, rulesets, scenario
from tests.engine.playing import gives_orders_only, load, play
from tests.unmet import held

CASES = Path(__file__).parent.parent / "cases"
AGREED = sorted(CASES.rglob("*.toml"))
OWN = sorted(Path(__file__).parent.glob("*/cases/*.toml"))


def _named(file: Path) -> str:
    """ "league/r24_verdict" or, of our own, "league/cases/no_lynch"."""
    return file.relative_to(CASES if CASES in file.parents else Path(__file__).parent).with_suffix("").as_posix()


@pytest.mark.parametrize("file", [held("cases", _named(file), file) for file in [*AGREED, *OWN]])
def test_scenario_holds(file: Path) -> None:
    document = load(file)
    played = play(document)
    assert played.differences() == []
    assert played.warnings == ()
    spec, nicks = rulesets.ruleset(document["ruleset"]).spec, [player["nick"] for player in document["players"]]
    for turn in played.result["turns"]:
        expected.check("turn", all_that_may_be_expected(turn), spec, nicks)


def all_that_may_be_expected(turn: dict[str, Any]) -> dict[str, Any]:
    """The whole result of a turn as expectations: none of them may be refused as unknown."""
    reasons = [f"{a['player']}:{a['action']}:{a['reason']}" for a in turn["actions"] if a["reason"]]
    return {
        **{key: turn[key] for key in ("dead", "alive", "saved", "lynched", "votes", "notices", "balances", "state")},
        "no_notices": turn["notices"],
        "causes": {death["player"]: death["cause"] for death in turn["deaths"]},
        "killers": {death["player"]: death["by"] for death in turn["deaths"] if death["by"] is not None},
        "done": [f"{a['player']}:{a['action']}" for a in turn["actions"]],
        "failed": reasons,
        "rejected": [f"{r['player']}:{r['action']}:{r['reason']}" for r in turn["rejected"]],
        "winner": turn["winner"] or "none",
        "report_has": [turn["report"]],
        "messages": [message["outcome"] for message in turn["messages"]],
    }


def test_there_are_scenarios_of_every_ruleset() -> None:
    assert {file.parent.name for file in AGREED} == set(rulesets.NAMES)
    assert {file.parent.parent.name for file in OWN} == set(rulesets.NAMES)
    assert len([file for file in OWN if file.parent.parent.name == "league"]) >= 247


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
    document = load(file)
    if not gives_orders_only(document) or not chance_has_no_part(play(document)):
        return
    document["players"] = document["players"][by:] + document["players"][:by]
    document["seed"] = 4711 + by
    assert play(document).differences() == []


def test_goldenkey_most_scenarios_leave_nothing_to_chance() -> None:
    """So that the test above tests something."""
    free = [file for file in GOLDENKEY if gives_orders_only(made := load(file)) and chance_has_no_part(play(made))]
    assert len(free) > 80
