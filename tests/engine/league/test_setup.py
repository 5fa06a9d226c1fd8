"""How a game begins: casts and states that are refused, the deal, who is told what."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.model import EngineError, Notice, Order
from engine.rulesets.league import RULESET
from tests.engine.league.board import play, start, tables, verdict


@pytest.mark.parametrize(
    ("cast", "place"),
    [
        ({"А": "mafiosi"}, "players[0].role"),
        ({"А": {"role": "citizen", "faction": "mafia"}}, "players[0].faction"),
        ({"А": {"role": "werewolf", "faction": "yakuza"}}, "players[0].faction"),
        ({"А": "citizen", "Б": {"role": "citizen", "items": ["armor_mafia"]}}, "players[1].items[0]"),
        ({"А": {"role": "citizen", "items": ["armour_mafia", "armour_both"]}}, "players[0].items"),
        ({"А": {"role": "citizen", "curse": "Кто"}}, "players[0].curse"),
        ({"А": {"role": "commissioner", "checked": ["А", "Кто"]}}, "players[0].checked[1]"),
        ({"А": {"role": "citizen", "missed": -1}}, "players[0].missed"),
        ({"А": {"role": "citizen", "coins": "много"}}, "players[0].coins"),
        ({"А": {"role": "citizen", "ghost": True}}, "players[0].alive"),
        ({"А": {"role": "citizen", "alive": False, "cause": "старость"}}, "players[0].cause"),
        ({"А": {"role": "lawyer", "number": 1}}, "players[0].number"),
        ({"А": {"role": "mafioso", "number": 1}, "Б": {"role": "mafioso", "number": 1}}, "players[1].number"),
        ({"А": {"role": "citizen", "lives": 2}}, "players[0].lives"),
        ({"А": {"role": "lawyer", "defended": {"Кто": 1}}}, "players[0].defended"),
    ],
)
def test_a_wrong_cast_is_named(cast: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        start(cast)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"dutty": {}}, "state.dutty"),
        ({"duty": {"mafia": 0}}, "state.duty.mafia"),
        ({"duty": {"civilians": 1}}, "state.duty.civilians"),
        ({"exposed": ["Кто"]}, "state.exposed[0]"),
        ({"extra_checks": -1}, "state.extra_checks"),
        ({"pools": [{"item": "net", "player": "А", "coins": 1}]}, "state.pools[0].item"),
        ({"pools": [{"item": "necro_shield", "player": "А"}]}, "state.pools[0].coins"),
        ({"pools": [{"item": "resurrect", "player": "А", "coins": 1}]}, "state.pools[0].target"),
        ({"pools": [{"item": "extra_check", "player": "А", "coins": 1, "target": "В"}]}, "state.pools[0].target"),
        ({"pools": [{"item": "extra_shot", "player": "В", "coins": 1}]}, "state.pools[0].faction"),
    ],
)
def test_a_wrong_state_is_named(state: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        start({"А": "mafioso", "В": "citizen"}, state=state)
    assert caught.value.place == place


def test_numbers_fill_the_gaps_in_cast_order() -> None:
    game = start(
        {"А": "mafioso", "Б": {"role": "mafioso", "number": 1}, "В": {"role": "mafioso", "alive": False}, "Г": "mafioso"}
    )
    assert {seat: p.number for seat, p in game.players.items()} == {"А": 2, "Б": 1, "В": 0, "Г": 3}


@pytest.mark.parametrize(("turn", "duty"), [(0, 1), (1, 2), (2, 3), (3, 1), (7, 2)])
def test_the_duty_of_a_game_entered_late(turn: int, duty: int) -> None:
    game = start({"А": "mafioso", "Б": "mafioso", "В": "mafioso", "Г": "citizen"}, first_turn=turn)
    assert game.duty["mafia"] == duty


def test_a_partial_duty_of_the_state_leaves_the_other_gang_alone() -> None:
    game = start({"А": "mafioso", "Б": "mafioso", "Я": "yakuza"}, first_turn=1, state={"duty": {"mafia": 1}})
    assert dict(game.duty) == {"mafia": 1, "yakuza": 1}


def test_a_gang_without_members_has_nobody_on_duty() -> None:
    turn = play(start({"А": "mafioso", "В": "citizen", "Я": {"role": "yakuza", "alive": False}}))
    assert dict(turn.game.day.duty) == {"mafia": "А"}
    assert turn.game.duty["yakuza"] == 1


SEATS = [f"Игрок {i}" for i in range(1, 31)]


@pytest.mark.parametrize("count", [8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 26, 27, 28, 30])
def test_the_deal_follows_the_table(count: int) -> None:
    plain = tables()
    game, _ = RULESET.deal(SEATS[:count], plain, Chance(5))
    row = plain.setup.rows[max(least for least in plain.setup.rows if least <= count)]
    roles = [p.role for p in game.players.values()]
    assert {role: roles.count(role) for role in set(roles) if role != "citizen"} == dict(row)
    assert roles.count("citizen") == count - sum(row.values())
    assert list(game.players) == SEATS[:count]


def test_the_deal_is_a_named_chance_that_can_be_forced_and_repeated() -> None:
    chance = Chance(5)
    chance.force("deal", ["Игрок 3"])
    game, _ = RULESET.deal(SEATS[:8], tables(), chance)
    assert game.players["Игрок 3"].role == min(tables().setup.rows[8])
    assert {d.point for d in chance.record} == {"deal"}
    again, _ = RULESET.deal(SEATS[:8], tables(), Chance(5))
    other, _ = RULESET.deal(SEATS[:8], tables(), Chance(6))
    first, _ = RULESET.deal(SEATS[:8], tables(), Chance(5))
    assert again == first
    assert again != other


def test_roles_are_told_once_when_they_are_dealt() -> None:
    chance = Chance(1)
    game, events = RULESET.deal(SEATS[:12], tables(), chance)
    assert [e.to for e in events if isinstance(e, Notice)] == SEATS[:12]
    assert RULESET.stage(game) == "between"
    game, events = RULESET.open(game, chance)
    assert [e for e in events if isinstance(e, Notice)] == []
    assert (RULESET.turn(game), RULESET.stage(game)) == (0, "turn")


def test_in_a_live_game_the_half_day_comes_by_the_clock_alone() -> None:
    chance = Chance(1)
    game, _ = RULESET.deal(SEATS[:18], tables(), chance)
    mercenary = next(seat for seat, p in game.players.items() if p.role == "mercenary")
    customer, victim = [seat for seat, p in game.players.items() if p.role == "citizen"][:2]
    game, _ = RULESET.receive(game, Order(customer, "grant", (), {"coins": 20}), chance)
    game, _ = RULESET.open(game, chance)
    game, _ = RULESET.close(game, chance)
    game, _ = RULESET.open(game, chance)
    game, _ = RULESET.receive(game, Order(customer, "contract_kill", (victim,), {"coins": 12}), chance)
    answer = Order(mercenary, "accept_work")
    assert RULESET.marks_before(game, answer) == ()
    _, events = RULESET.receive(game, answer, chance)
    assert verdict(events) == "no_contracts"
    game, events = RULESET.mark(game, "half", chance)
    assert [e.kind for e in events if isinstance(e, Notice)] == ["work_question"]
    _, events = RULESET.receive(game, answer, chance)
    assert [dict(e.data) for e in events if isinstance(e, Notice)] == [{"targets": [victim]}]


def test_a_scenario_that_begins_at_the_start_tells_the_roles_at_its_opening() -> None:
    assert len(play(start({"А": "mafioso", "В": "citizen"}, first_turn=None)).notices("role")) == 2
    assert play(start({"А": "mafioso", "В": "citizen"}, first_turn=1)).notices("role") == []
