"""The game tables: every option does what it says, a wrong one is refused with its place."""

from __future__ import annotations

import copy
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from engine.model import EngineError
from engine.rulesets.mafialife import RULESET
from forumbot import resources
from tests.engine.mafialife.board import Board, once, tables

MOSCOW = ZoneInfo("Europe/Moscow")
TOWN = "Кира commissioner\nМарк mafioso\nНина necromancer\nАнна citizen\nБорис citizen\nВера citizen"


@pytest.mark.parametrize(
    ("overrides", "place", "word"),
    [
        ({"levls": {}}, "tables.levls", "levels"),
        ({"tie": "nobody"}, "tables.tie", None),
        ({"start_mafbucks": -1}, "tables.start_mafbucks", None),
        ({"start_mafbucks": "сто"}, "tables.start_mafbucks", None),
        ({"max_days": True}, "tables.max_days", None),
        ({"weekend_pause": 1}, "tables.weekend_pause", None),
        ({"deadline": "25:00"}, "tables.deadline", None),
        ({"levels": {"all": [0, 3, 6]}}, "tables.levels.all", None),
        ({"levels": {"all": [0, 9, 6, 10, 15]}}, "tables.levels.all", None),
        ({"levels": {"girls": [0, 1, 2, 3, 4]}}, "tables.levels.girls", "girl"),
        ({"allowance": {"girl": {"bith": [0, 0, 1, 1, 1]}}}, "tables.allowance.girl.bith", "birth"),
        ({"allowance": {"girl": {"birth": [0, 0, 1, 1, -2]}}}, "tables.allowance.girl.birth[4]", None),
        ({"points": {"killer": {"kil": 2}}}, "tables.points.killer.kil", "kill"),
        ({"points": {"killer": {"kill": 1.5}}}, "tables.points.killer.kill", None),
        ({"goods": {"armor": {"price": 1}}}, "tables.goods.armor", "armour"),
        ({"goods": {"armour": {"cost": 1}}}, "tables.goods.armour.cost", None),
        ({"goods": {"armour": {"level": 5}}}, "tables.goods.armour.level", None),
        ({"goods": {"armour": 30}}, "tables.goods.armour", None),
        ({"opportunities": {"armour": "mafbucks"}}, "tables.opportunities.armour", None),
        ({"level_gifts": {"doctor": [["armour"]]}}, "tables.level_gifts.doctor", None),
        ({"level_gifts": {"doctor": [["armor"], [], [], []]}}, "tables.level_gifts.doctor[0][0]", "armour"),
        ({"killer": {"pierces_from": 1}}, "tables.killer.pierces_from", "pierce_from"),
        ({"killer": {"antielixir": [0, 0]}}, "tables.killer.antielixir", None),
        ({"passwords": ["раз", "два"]}, "tables.passwords", None),
        ({"setup": ["commissioner", "mafiosi"]}, "tables.setup[1]", "mafioso"),
        ({"pistol_roles": "citizen"}, "tables.pistol_roles", None),
        ({"newspaper_hide": ["heel"]}, "tables.newspaper_hide[0]", "heal"),
        ({"win_points": {"citizen": 3}}, "tables.win_points.citizen", None),
        ({"study": {"citizen_girl": None}}, "tables.study.citizen_girl", None),
        ({"words": {"roles": {"girl": 1}}}, "tables.words.roles.girl", None),
    ],
)
def test_a_wrong_table_is_named_by_its_place(overrides: dict[str, Any], place: str, word: str | None) -> None:
    with pytest.raises(EngineError) as caught:
        tables(**overrides)
    assert caught.value.place == place
    if word is not None:
        assert caught.value.meant == word


@pytest.mark.parametrize("path", ["goods", "tie", "killer.pierce_from", "levels.all", "study.citizen_girl", "win_points.girl"])
def test_a_hosts_own_file_that_lost_a_key_is_refused(path: str) -> None:
    defaults = copy.deepcopy(resources.tables("mafialife"))
    table: dict[str, Any] = defaults
    *outer, last = path.split(".")
    for key in outer:
        table = table[key]
    del table[last]
    with pytest.raises(EngineError) as caught:
        RULESET.tables(defaults, {})
    assert caught.value.place == f"tables.{path}"


def test_tie_all_hangs_every_leader() -> None:
    result = once(TOWN, votes="Анна>Борис Борис>Анна", first=2, tie="all")
    assert result.lynched == ["Анна", "Борис"]
    assert set(result.dead) == {"Анна", "Борис"}


def test_tie_random_is_drawn_by_the_seed_when_not_forced() -> None:
    result = once(TOWN, votes="Анна>Борис Борис>Анна", first=2, tie="random")
    assert len(result.lynched) == 1


def test_recruit_vote_own_team_allow() -> None:
    lines = f"{TOWN}\nХарри hacker faction=den"
    assert once(lines, votes="Харри>Марк", first=2).rejected == ["Харри:vote:own_team"]
    allowed = once(lines, votes="Харри>Марк", first=2, recruit_vote_own_team="allow")
    assert allowed.rejected == []
    assert allowed.votes == {"Марк": 1}


def test_money_options() -> None:
    goods = {"armour": {"price": 7, "sell": 3}}
    result = once(TOWN, "Анна buy item=armour pay=mafbucks", "Анна sell item=armour", start_mafbucks=20, goods=goods)
    assert result.money("Анна") == 16
    assert result.money("Вера") == 20


def test_limits_of_purchases() -> None:
    board = Board(TOWN, 2, opportunities_per_game=1, goods_per_day=1, goods_per_game=2, start_mafbucks=500)
    first = board.turn(
        "Анна buy item=armour pay=vote", "Анна buy item=anti_girl pay=move",
        "Анна buy item=condom pay=mafbucks", "Анна buy item=condom pay=mafbucks",
    )  # fmt: skip
    assert first.rejected == ["Анна:buy:game_limit", "Анна:buy:daily_limit"]
    second = board.turn("Анна buy item=condom pay=mafbucks", "Вера buy item=armour pay=vote")
    third = board.turn("Анна buy item=condom pay=mafbucks", "Анна buy item=pistol pay=mafbucks")
    assert second.rejected == []
    assert third.rejected == ["Анна:buy:game_limit"]
    assert third.state("Анна")["items"].count("pistol") == 1


def test_prices_in_votes_and_moves_are_a_table() -> None:
    result = once(TOWN, "Анна buy item=bribe pay=move", opportunities={"bribe": "move"})
    assert result.state("Анна")["items"] == ["bribe"]


def test_pistol_roles_decide_who_buys_and_fires() -> None:
    lines = TOWN.replace("Борис citizen", "Борис girl items=pistol")
    assert once(lines, "Борис pistol Вера").rejected == ["Борис:pistol:not_your_action"]
    armed = once(lines, "Борис pistol Вера", "Борис sleep Анна", pistol_roles=["girl"])
    assert armed.dead == {"Вера": "pistol"}
    assert armed.outcomes["Борис:sleep"] == ""
    assert once(TOWN, "Анна buy item=pistol pay=mafbucks", pistol_roles=["girl"]).rejected == ["Анна:buy:not_for_sale"]


@pytest.mark.parametrize(("level", "official"), [(1, False), (2, True)])
def test_password_levels(level: int, official: bool) -> None:
    lines = f"{TOWN}\nОлег unfaithful level={level}\nИра citizen level={level}"
    game = Board(lines).game
    assert RULESET.state(game)["Олег"]["official"] is official
    assert RULESET.state(game)["Ира"]["official"] is official
    later = Board(lines, password_level_citizen=level + 1, password_level_unfaithful=level + 1).game
    assert not RULESET.state(later)["Олег"]["official"]
    assert not RULESET.state(later)["Ира"]["official"]


def test_pools_of_canard_and_birth() -> None:
    lines = f"{TOWN}\nХарри hacker\nЛия girl level=2\nМёртв citizen dead"
    cast = once(lines, "Харри canard Кира", "Лия birth Мёртв", chance={"canard_role": ["girl"], "child_role": ["girl"]})
    assert cast.state("Мёртв")["role"] == "girl"
    wide = once(
        lines, "Харри canard Кира", "Лия birth Мёртв", canard_pool="all", birth_pool="all",
        chance={"canard_role": ["zombie"], "child_role": ["psycho"]},
    )  # fmt: skip
    assert wide.state("Мёртв")["role"] == "psycho"
    assert "зомби" in wide.report
    with pytest.raises(EngineError):
        once(lines, "Харри canard Кира", chance={"canard_role": ["zombie"]})
    with pytest.raises(EngineError):
        once(lines, "Лия birth Мёртв", birth_pool="all", chance={"child_role": ["ghost"]})


def test_shooting_citizens_all() -> None:
    lines = "Кира commissioner\nМарк mafioso\nАнна citizen\nБорис citizen"
    assert once(lines, "Марк revolver Кира").winner == "den"
    assert once(lines, "Марк revolver Кира", shooting_citizens="all").winner is None


def test_antielixir_many_kill() -> None:
    lines = f"{TOWN}\nЛев killer level=3\nДина doctor items=elixir,elixir"
    killed = once(lines, "Лев kill Дина", antielixir_many="kill")
    assert killed.dead == {"Дина": "kill"}
    assert killed.state("Дина")["items"] == ["elixir"]
    with_ultra = once(lines.replace("elixir,elixir", "elixir,elixir_ultra"), "Лев kill Дина", antielixir_many="kill")
    assert with_ultra.dead == {}
    assert with_ultra.state("Дина")["items"] == ["elixir_ultra"]


@pytest.mark.parametrize("action", ["check Мила", "steal_documents Мила", "learn_role role=maniac"])
def test_auto_lair_vs_journalist_repel(action: str) -> None:
    lines = f"{TOWN}\nЖанна mafia_journalist level=1\nМила maniac"
    name = action.split()[0]
    assert once(lines, f"Жанна {action}").outcomes[f"Жанна:{name}"] == ""
    repelled = once(lines, f"Жанна {action}", auto_lair_vs_journalist="repel")
    assert repelled.outcomes[f"Жанна:{name}"] == "auto_lair"
    assert repelled.dead == {}


def test_missed_turns_limit_removes_the_silent() -> None:
    board = Board(TOWN, 2, missed_turns_limit=2)
    said = [f"{nick} vote Борис" for nick in ("Кира", "Марк", "Нина")]
    first = board.turn(*said, "Анна buy item=bribe pay=move")
    assert set(first.dead) == {"Борис"}
    second = board.turn(*[f"{nick} unvote" for nick in ("Кира", "Марк", "Нина")])
    assert second.dead == {"Вера": "removed"}
    assert second.killers["Вера"] is None


def test_days() -> None:
    daily = RULESET.calendar(tables(deadline="20:30"))
    friday = datetime(2026, 12, 4, 20, 30, tzinfo=MOSCOW)
    assert daily.turn(1, friday)[0].at == datetime(2026, 12, 5, 20, 30, tzinfo=MOSCOW)
    paused = RULESET.calendar(tables(deadline="20:30", weekend_pause=True))
    assert paused.turn(1, friday)[0].at == datetime(2026, 12, 7, 20, 30, tzinfo=MOSCOW)
    assert [due.call for due in paused.turn(1, friday)] == ["close"]
    closed_signup = datetime(2026, 12, 1, 10, 0, tzinfo=MOSCOW)
    assert daily.first_open(closed_signup, None) == datetime(2026, 12, 1, 20, 30, tzinfo=MOSCOW)
    assert daily.first_open(closed_signup, date(2026, 12, 9)) == datetime(2026, 12, 8, 20, 30, tzinfo=MOSCOW)
    assert daily.next_open(1, friday) == friday
    assert daily.setup(closed_signup, friday) == ()


def test_max_days_counts_days_played_before() -> None:
    assert once(TOWN, max_days=1).winner == "draw"
    assert Board(TOWN, 1, {"days_played": 3}, max_days=4).turn().winner == "draw"
    assert Board(TOWN, 4, {"days_played": 0}, max_days=4).turn().winner is None


def test_newspaper_hide() -> None:
    lines = f"{TOWN}\nДина doctor"
    assert "лечение" not in once(lines, "Дина heal Анна").report
    assert "Доктор — лечение — Анна — выполнено" in once(lines, "Дина heal Анна", newspaper_hide=[]).report


def test_levels_win_points_and_study_thresholds() -> None:
    lines = f"{TOWN}\nЛия girl points=1\nИра citizen points=2\nОлег unfaithful points=2"
    result = once(lines, "Лия sleep Анна", "Ира study role=girl", "Олег study role=mafia_journalist",
                  levels={"girl": [0, 1, 2, 3, 4]}, win_points={"girl": 99},
                  study={"citizen_girl": 2, "unfaithful_journalist": 2})  # fmt: skip
    assert result.state("Лия")["level"] == 2
    assert result.state("Ира")["role"] == "girl"
    assert result.state("Олег")["role"] == "mafia_journalist"
    assert once(lines, "Лия sleep Анна", win_points={"girl": 2}).winner == "Лия"


def test_killer_properties_by_level() -> None:
    lines = f"{TOWN}\nЛев killer\nЛия girl\nГлеб ghost"
    never = {"antigirl_from": 5, "lynch_from": 5, "autoprotect_to": -1, "antiundead_from": 0, "antihanging_from": 5}
    board = Board(lines, 2, killer=never)
    result = board.turn("Лия sleep Лев", "Кира kill Лев", "Глеб ghost_attack Лев", votes="Кира>Лев")
    assert result.dead == {"Лев": "hanged"}
    quiet = once(lines, "Лия sleep Лев", "Глеб ghost_attack Лев", killer=never)
    assert quiet.outcomes["Лия:sleep"] == ""
    assert quiet.dead == {"Глеб": "antiundead"}
    assert once(lines, "Кира kill Лев", killer=never).dead == {"Лев": "kill"}
    assert once(lines, votes="Кира>Лев", first=2, killer={"antihanging_from": 0}).saved == {"Лев"}
    pierced = once(f"{lines}\nДина doctor", "Лев kill Анна", "Дина heal Анна", killer={"pierce_from": 0})
    assert pierced.dead == {"Анна": "kill"}
    assert pierced.state("Лев")["points"] == 3


def test_points_are_a_table() -> None:
    lines = f"{TOWN}\nЛия girl level=3"
    points = {"girl": {"sleep_role_aids": 7}, "any": {"vote_hanged": 4}}
    result = once(
        lines, "Лия sleep_role role=commissioner aids", votes="Лия>Борис", first=2, points=points, win_points={"girl": 99}
    )
    assert result.state("Лия")["points"] == 10 + 7 + 4


def test_level_gifts_come_on_reaching_a_level_only() -> None:
    gifts = {"girl": [["condom"], ["armour"], [], []]}
    lines = f"{TOWN}\nЛия girl level=1\nРая girl"
    assert Board(lines, level_gifts=gifts).game.players["Лия"].items == ()
    bought = once(lines, "Рая buy item=level_2 pay=mafbucks", level_gifts=gifts, start_mafbucks=500)
    assert bought.state("Рая")["items"] == ["condom", "armour"]
    assert bought.notices("Рая", "level_up") == [{"kind": "level_up", "level": 2, "items": ("condom", "armour")}]


def test_mafbucks_per_point_for_the_refused_victory() -> None:
    lines = "Кира commissioner\nМарк mafioso\nЛев killer faction=den points=20 refused"
    result = once(lines, "Марк revolver Кира", mafbucks_per_point=3)
    assert result.winner == "den"
    assert result.money("Лев") == 100 + 3 * 20
