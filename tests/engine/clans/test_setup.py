"""The deal of a live game, and a scenario's cast (S1-S4, 1.9)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import EngineError, Notice
from engine.rulesets.clans import RULESET
from engine.rulesets.clans.setup import parts
from tests.engine.clans.board import Board, cast, tables


@pytest.mark.parametrize(
    ("players", "clan", "maniac", "with_role", "citizens"),
    [
        (8, 1, 0, 5, 1),
        (10, 1, 0, 6, 2),
        (12, 1, 1, 7, 2),
        (14, 2, 1, 7, 2),
        (18, 2, 1, 10, 3),
        (21, 3, 1, 10, 4),
        (28, 4, 1, 11, 8),
        (35, 5, 1, 11, 13),
        (60, 5, 1, 11, 38),
    ],
)
def test_parts_by_number_of_players(players: int, clan: int, maniac: int, with_role: int, citizens: int) -> None:
    dealt = parts(players, tables())
    sides = Counter(side for _, side in dealt)
    assert len(dealt) == players
    assert (sides["red"], sides["black"], sides["maniac"]) == (clan, clan, maniac)
    named = [role for role, side in dealt if side == "civilians" and role != "citizen"]
    assert len(named) == with_role and len(set(named)) == with_role
    assert sum(role == "citizen" for role, _ in dealt) == citizens


def test_a_clan_of_three_has_no_seductress_and_no_artist() -> None:
    assert [role for role, side in parts(21, tables()) if side == "red"] == ["don", "thug", "bodyguard"]


def test_set_up_tables_change_the_cast() -> None:
    made = parts(10, tables(clan_size_divisor=5, maniac_from=10, citizens_divisor=10, civilian_roles=["miner", "doctor"]))
    assert [role for role, side in made if side == "black"] == ["don", "thug"]
    assert ("maniac", "maniac") in made
    assert [role for role, side in made if side == "civilians"] == ["miner", "doctor", "citizen", "citizen", "citizen"]
    assert len(parts(60, tables(clan_size_max=2))) == 60
    assert Counter(side for _, side in parts(60, tables(clan_size_max=2)))["red"] == 2


def test_too_few_players_or_too_many_mafiosi_stop_the_deal() -> None:
    with pytest.raises(EngineError) as caught:
        parts(7, tables())
    assert caught.value.place == "players"
    assert len(parts(4, tables(min_players=4))) == 4
    with pytest.raises(EngineError) as caught:
        parts(8, tables(clan_size_divisor=2))
    assert caught.value.place == "tables.clan_size_divisor"


def _dealt(seed: int) -> tuple[Any, list[Notice], Chance]:
    chance = Chance(seed)
    game, events = RULESET.deal([f"Игрок{i}" for i in range(1, 29)], tables(), chance)
    return game, [event for event in events if isinstance(event, Notice)], chance


def test_everybody_is_told_his_role_and_only_mafiosi_their_mates() -> None:
    game, notices, _ = _dealt(1)
    assert [notice.to for notice in notices] == list(RULESET.seats(game))
    for notice in notices:
        state = RULESET.state(game)[notice.to]
        assert notice.kind == "role_assigned"
        assert (notice.data["role"], notice.data["faction"]) == (state["role"], state["faction"])
        same = {seat for seat, other in RULESET.state(game).items() if other["faction"] == state["faction"]}
        mates = same - {notice.to}
        assert set(notice.data["clanmates"]) == (mates if state["faction"] in ("red", "black") else set())


def test_the_deal_is_drawn_and_repeats_with_the_seed() -> None:
    one, _, chance = _dealt(1)
    again, _, _ = _dealt(1)
    other, _, _ = _dealt(2)
    assert RULESET.state(one) == RULESET.state(again) != RULESET.state(other)
    assert {draw.point for draw in chance.record} == {"role_deal"}


def test_a_dealt_game_plays_its_first_day() -> None:
    game, _, chance = _dealt(3)
    assert RULESET.stage(game) == "between"
    game, _ = RULESET.open(game, chance)
    assert (RULESET.turn(game), RULESET.stage(game)) == (1, "turn")
    assert {player: state["vest"] for player, state in RULESET.state(game).items() if "vest" in state}.popitem()[1] is True


CAST = "Борис don red\nДина don black\nАнна doctor\nВера commissioner\nГена artist red\nЕгор shooter"


@pytest.mark.parametrize(
    ("index", "entry", "place"),
    [
        (0, {"role": "boss"}, "players[0].role"),
        (0, {"faction": None}, "players[0].faction"),
        (2, {"faction": "red"}, "players[2].faction"),
        (1, {"faction": "red"}, "players[1].role"),
        (2, {"bullets": 2}, "players[2].bullets"),
        (2, {"vest": True}, "players[2].vest"),
        (5, {"bullets": -1}, "players[5].bullets"),
        (5, {"bullets": "две"}, "players[5].bullets"),
        (4, {"acts_as": "seductress"}, "players[4].acts_as"),
        (0, {"acts_as": "thug"}, "players[0].acts_as"),
        (3, {"mined_by": "Робинзон"}, "players[3].mined_by"),
        (3, {"checked": "Анна"}, "players[3].checked"),
        (3, {"checked": ["Анна", "Ана"]}, "players[3].checked[1]"),
        (2, {"last_heal": "Ана"}, "players[2].last_heal"),
        (2, {"exhausted": 1}, "players[2].exhausted"),
        (2, {"lives": 2}, "players[2].lives"),
    ],
)
def test_a_wrong_player_is_named(index: int, entry: dict[str, Any], place: str) -> None:
    players = cast(CAST)
    players[index] |= entry
    with pytest.raises(EngineError) as caught:
        Board([{key: value for key, value in player.items() if value is not None} for player in players])
    assert caught.value.place == place


def test_two_players_cannot_have_one_seat_or_one_nick() -> None:
    players = cast(CAST)
    players[0]["seat"] = players[1]["seat"] = 3
    with pytest.raises(EngineError, match="seat"):
        Board(players)
    with pytest.raises(EngineError):
        Board(cast(CAST + "\nАнна citizen"))


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"last_checked": {"red": "Ана"}}, "state.last_checked.red"),
        ({"last_checked": {"green": "Анна"}}, "state.last_checked.green"),
        ({"clan_violations": {"red": -1}}, "state.clan_violations.red"),
        ({"clan_violations": {"maniac": 1}}, "state.clan_violations.maniac"),
        ({"deadline": "21:00"}, "state.deadline"),
        ({"day": 3}, "state.day"),
    ],
)
def test_a_wrong_state_is_named(state: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        Board(CAST, state=state)
    assert caught.value.place == place


def test_memory_from_before_the_first_turn_forbids_what_it_would_have_forbidden() -> None:
    players = cast(CAST + "\nЮра journalist\nЛуна sleepwalker\nТаня taxi_driver")
    for nick, memory in {
        "Анна": {"last_heal": "Егор", "poison_used": True},
        "Вера": {"checked": ["Борис"]},
        "Юра": {"interviewed": ["Борис", "Дина"]},
        "Луна": {"walked": ["Анна"]},
        "Таня": {"last_ride": "Анна"},
    }.items():
        next(player for player in players if player["nick"] == nick).update(memory)
    game = Board(players, first_turn=3)
    game.open()
    assert game.game.turn == 3
    for order in (
        "Анна heal Егор",
        "Анна poison_mistake Егор",
        "Вера check Борис",
        "Юра interview Анна Дина",
        "Луна walk Анна",
        "Таня ride Анна",
    ):
        game.send(order)
    assert game.refused == [
        "Анна:heal:repeat_target",
        "Анна:poison_mistake:poison_used",
        "Вера:check:repeat_target",
        "Юра:interview:repeat_target",
        "Луна:walk:repeat_target",
        "Таня:ride:repeat_target",
    ]


def test_torture_of_the_last_checked_from_before_the_game_shows_what_the_don_was_told() -> None:
    for checked, status in (("Захар", "mafia"), ("Анна", "civilian"), ("Лев", "mafia"), ("Макс", "civilian")):
        people = CAST + "\nЛола seductress red\nЛев thug black\nЗахар mirror\nМакс maniac"
        night = Board(people, state={"last_checked": {"red": checked}}).turn("Лола seduce Лев")
        expected = ("torture", {"player": checked, "status": status})
        assert expected in night.told("Лев") and expected in night.told("Дина")


def test_seats_make_the_roster() -> None:
    players = cast("Анна citizen seat=3\nБорис don red seat=1\nДина don black seat=2")
    game = Board(players)
    assert RULESET.seats(game.game) == ("Борис", "Дина", "Анна")
    assert game.state("Анна")["seat"] == 3
