"""Every table option changes what it says, and a wrong entry is named with its place."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from engine.model import EngineError
from engine.rulesets.clans import RULESET
from engine.rulesets.clans.tables import Tables
from forumbot import resources
from tests.engine.clans.board import Board, tables

TOWN = """
Анна doctor
Вера commissioner
Глеб shooter
Егор citizen
Жанна citizen
Захар mirror
Борис don red
Лола seductress red
Тимур thug red
Дина don black
Лев thug black
Макс maniac
"""


def board(cast: str = TOWN, **options: Any) -> Board:
    return Board(cast, **options)


def test_every_table_of_the_rules_has_its_default() -> None:
    assert set(resources.tables("clans")) == {field.name for field in fields(Tables)}


def test_defaults_are_those_of_the_rules() -> None:
    made = tables()
    assert (made.words_required, made.penalty_limit, made.mine_votes, made.shooter_bullets) == (55, 3, 3, 3)
    assert made.shahid_explodes_on == ("clan_kill", "shot", "exhaustion")
    assert made.clan_names == {"red": "Красные", "black": "Чёрные"}
    assert made.violations["coalition"] == "end_game" and made.violations["horn"] == "disqualify"


def test_an_override_of_a_named_table_leaves_its_other_keys() -> None:
    made = tables(clan_names={"red": "Вязы"}, violations={"horn": "ladder"})
    assert made.clan_names == {"red": "Вязы", "black": "Чёрные"}
    assert made.violations["horn"] == "ladder" and made.violations["account_sharing"] == "disqualify"


@pytest.mark.parametrize(
    ("overrides", "place"),
    [
        ({"penalty_limt": 3}, "tables.penalty_limt"),
        ({"penalty_limit": 0}, "tables.penalty_limit"),
        ({"penalty_limit": "три"}, "tables.penalty_limit"),
        ({"penalty_limit": True}, "tables.penalty_limit"),
        ({"words_required": -1}, "tables.words_required"),
        ({"vest": 1}, "tables.vest"),
        ({"hunt_miss_kills": "nobody"}, "tables.hunt_miss_kills"),
        ({"artist_roles": "don"}, "tables.artist_roles"),
        ({"artist_roles": ["don", "killer"]}, "tables.artist_roles[1]"),
        ({"artist_roles": ["don", "don"]}, "tables.artist_roles"),
        ({"shahid_explodes_on": ["lynch"]}, "tables.shahid_explodes_on[0]"),
        ({"clan_names": {"red": ""}}, "tables.clan_names.red"),
        ({"clan_names": {"red": "Чёрные"}}, "tables.clan_names"),
        ({"clan_names": {"green": "Зелёные"}}, "tables.clan_names.green"),
        ({"clan_names": "Красные"}, "tables.clan_names"),
        ({"violations": {"horn": "ban"}}, "tables.violations.horn"),
        ({"violations": {"horns": "ladder"}}, "tables.violations.horns"),
        ({"deadline": "21 час"}, "tables.deadline"),
        ({"deadline": 21}, "tables.deadline"),
        ({"newspaper": "20:00"}, "tables.newspaper"),
        ({"timezone": "Europe/Moskva"}, "tables.timezone"),
        ({"civilian_roles": ["doctor", "don"]}, "tables.civilian_roles[1]"),
    ],
)
def test_a_wrong_table_is_named(overrides: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        tables(**overrides)
    assert caught.value.place == place
    assert caught.value.problem


def test_a_misspelt_table_is_guessed_and_a_missing_one_named() -> None:
    with pytest.raises(EngineError) as caught:
        tables(penalty_limt=3)
    assert caught.value.meant == "penalty_limit"
    defaults = {key: value for key, value in resources.tables("clans").items() if key != "seating"}
    with pytest.raises(EngineError) as caught:
        RULESET.tables(defaults, {})
    assert caught.value.place == "tables.seating"


def test_mine_counts_secret() -> None:
    cast = "Соня chosen\nМиша miner\nВера citizen mined_by=Миша\nБорис don red\nДина don black\nЕгор citizen"
    orders = ("Борис vote Вера", "Соня extra_votes Вера Вера")
    assert board(cast).turn(*orders).causes == {"Вера": "mine"}
    assert board(cast, mine_counts_secret=False).turn(*orders).causes == {"Вера": "lynch"}


def test_penalty_limit() -> None:
    played = board(activity_penalties=True, words_required=0, penalty_limit=1).turn("Анна vote Егор", "Егор vote Егор")
    assert {nick for nick, cause in played.causes.items() if cause == "autokill"} == {
        "Вера", "Глеб", "Жанна", "Захар", "Борис", "Лола", "Тимур", "Дина", "Лев", "Макс",
    }  # fmt: skip


def test_vote_required_and_words_required() -> None:
    game = board(activity_penalties=True, words_required=2)
    game.open()
    game.send("Анна vote Егор")
    game.send("Анна words", args={"count": 2})
    game.send("Вера words", args={"count": 1})
    game.close()
    assert [game.state(nick)["points"] for nick in ("Анна", "Вера")] == [0, 2]
    assert board(activity_penalties=True, words_required=0, vote_required=False).turn().told("Анна") == []


def test_self_vote() -> None:
    cast = TOWN.replace("Егор citizen", "Егор chosen")
    game = board(cast, self_vote=False)
    game.turn("Анна vote Анна", "Егор extra_votes Вера Егор")
    assert game.refused == ["Анна:vote:self_target", "Егор:extra_votes:self_target"]


def test_hunt_that_misses_may_strike_the_civilian_like_a_shot() -> None:
    """D15: healed, vest and mirror count; the shahid does not explode."""
    def hunted(target: str, *more: str, cast: str = TOWN) -> Any:
        return board(cast, hunt_miss_kills="victim").turn(f"Жанна hunt {target}", *more)

    assert hunted("Егор").killers == {"Егор": "Жанна"}
    assert hunted("Егор", "Анна heal Егор").saved == {"Егор"}
    assert hunted("Вера").saved == {"Вера"}
    assert hunted("Захар").causes == {"Жанна": "reflected"}
    assert hunted("Егор", cast=TOWN.replace("Егор citizen", "Егор shahid")).causes == {"Егор": "failed_hunt"}
    assert hunted("Егор").outcomes["Жанна:hunt"] == "civilian_target"


def test_clan_shooter_eldest() -> None:
    orders = ("Тимур kill Егор",)
    assert board().turn(*orders).killers == {"Егор": "Тимур"}
    assert board(clan_shooter="eldest").turn(*orders).killers == {"Егор": "Борис"}
    assert board(clan_shooter="eldest").turn("Тимур kill Захар").causes == {"Борис": "reflected"}


def test_clan_kill_outlives_sender() -> None:
    orders = ("Вера vote Борис", "Борис kill Егор", "Тимур kill Жанна")
    assert board().turn(*orders).dead == {"Борис", "Егор"}
    night = board(clan_kill_outlives_sender=False).turn(*orders)
    assert night.dead == {"Борис"}
    assert night.outcomes["Борис:kill"] == "actor_dead" and night.outcomes["Тимур:kill"] == "outranked"


def test_showdown_heal_saves_only_by_a_doctor_who_is_at_home() -> None:
    orders = ("Анна heal Лола", "Лола seduce Лев")
    assert board().turn(*orders).causes == {"Лола": "showdown"}
    saved = board(showdown_heal_saves=True).turn(*orders)
    assert saved.dead == set() and saved.saved == {"Лола"}
    assert saved.outcomes["Анна:heal"] == "done"


def test_vest_in_motel_is_no_matter_of_the_maniacs_room() -> None:
    assert board(vest_in_motel=False).turn("Макс invite Вера", "Глеб shoot Макс").saved == {"Вера"}
    assert board(vest_in_motel=False).turn("Лола seduce Вера", "Глеб shoot Лола").dead == {"Лола", "Вера"}


def test_blast_reaches_mirror() -> None:
    cast = "Захар mirror\nШура shahid\nАнна citizen\nБорис don red\nДина don black\nВера citizen"
    assert board(cast).turn("Борис kill Шура").saved == {"Захар"}
    assert board(cast, blast_reaches_mirror=True).turn("Борис kill Шура").causes["Захар"] == "house_blast"


@pytest.mark.parametrize(("causes", "explodes"), [(["clan_kill"], True), (["shot", "exhaustion"], False), ([], False)])
def test_shahid_explodes_on(causes: list[str], explodes: bool) -> None:
    cast = "Егор citizen\nШура shahid\nАнна citizen\nБорис don red\nДина don black\nВера citizen"
    assert (len(board(cast, shahid_explodes_on=causes).turn("Борис kill Шура").dead) == 3) == explodes


@pytest.mark.parametrize(
    ("chain", "his_first", "comes_along"),
    [
        ("by_time", True, True),
        ("by_time", False, False),
        ("maniac_loses", True, False),
        ("both", False, True),
        ("both", True, True),
    ],
)
def test_maniac_chain(chain: str, his_first: bool, comes_along: bool) -> None:
    orders = ["Макс invite Егор", "Лола seduce Макс"]
    night = board(maniac_chain=chain).turn(*(orders if his_first else orders[::-1]))
    assert (night.told("Егор") == [("guest", {"host": "seductress"})]) == comes_along
    assert night.outcomes["Макс:invite"] == ("done" if comes_along else "actor_at_seductress")


def test_tell_guests() -> None:
    orders = ("Лола seduce Егор",)
    assert board().turn(*orders).told("Егор") == [("guest", {"host": "seductress"})]
    assert board(tell_guests=False).turn(*orders).told("Егор") == []


def test_reveal_dead() -> None:
    orders = ("Вера vote Борис", "Дина kill Макс", "Глеб shoot Егор")
    hidden = board().turn(*orders).newspaper
    assert "Борис: суд Линча" in hidden and "Макс: убийство от клана" in hidden
    status = board(reveal_dead="status").turn(*orders).newspaper
    assert {"Борис: суд Линча (мафия)", "Макс: убийство от клана (маньяк)", "Егор: меткий выстрел (мирный)"} <= set(status)
    role = board(reveal_dead="role").turn(*orders).newspaper
    assert {"Борис: суд Линча (дон)", "Макс: убийство от клана (сексуальный маньяк)"} <= set(role)


def test_report_saves() -> None:
    orders = ("Анна heal Егор", "Борис kill Егор", "Глеб shoot Вера")
    assert "Покушений без жертв: 2" in board(report_saves="count").turn(*orders).newspaper
    assert not any("Покушений" in line for line in board().turn(*orders).newspaper)
    assert not any("Покушений" in line for line in board(report_saves="count").turn().newspaper)


def test_torture_public() -> None:
    state = {"last_checked": {"red": "Егор"}}
    line = "Под пытками названо имя: Егор"
    assert line in board(state=state, torture_public=True).turn("Лола seduce Лев").newspaper
    assert line not in board(state=state).turn("Лола seduce Лев").newspaper
    assert not any("Под пытками" in told for told in board(torture_public=True).turn("Лола seduce Лев").newspaper)


def test_artist_roles_may_hold_the_seductress() -> None:
    cast = "Борис don red\nЛола seductress red dead\nАртём artist red\nДина don black\nВера citizen\nЕгор citizen\nАнна citizen"
    game = board(cast, artist_roles=["seductress"])
    game.open()
    game.send("Борис replace_role", args={"role": "don"})
    game.send("Борис replace_role", args={"role": "seductress"})
    game.send("Артём seduce Дина")
    night = game.close()
    assert game.refused == ["Борис:replace_role:bad_role"]
    assert night.causes == {"Артём": "showdown"}


def test_artist_reappoint_drops_the_order_for_the_former_role() -> None:
    cast = "Борис don red dead\nТимур thug red dead\nАртём artist red\nДина don black\nВера citizen\nЕгор citizen\nАнна citizen"
    for allowed in (True, False):
        game = board(cast, artist_reappoint=allowed)
        game.open()
        game.send("Артём replace_role", args={"role": "thug"})
        game.send("Артём beat Вера")
        game.send("Артём replace_role", args={"role": "don"})
        night = game.close()
        assert game.state("Артём")["acts_as"] == ("don" if allowed else "thug")
        assert ("Артём:beat" in night.outcomes) != allowed


def test_maniac_wins_at() -> None:
    cast = "Макс maniac\nАнна citizen\nВера citizen"
    assert board(cast).turn("Анна vote Вера").winner is None
    assert board(cast, maniac_wins_at=2).turn("Анна vote Вера").winner == "Макс"


def test_a_chosen_with_more_late_votes_than_early_ones() -> None:
    cast = TOWN.replace("Егор citizen", "Егор chosen")
    game = board(cast, chosen_double_days=1, chosen_votes_early=0, chosen_votes_late=2)
    game.turn("Егор extra_votes Вера")
    assert game.refused == ["Егор:extra_votes:too_many_votes"]
    assert game.turn("Егор extra_votes Вера Анна", force={"lynch_tie": ["Анна"]}).votes == {"Вера": 1, "Анна": 1}
