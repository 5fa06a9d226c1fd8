"""How the roles meet in the night: foils, diversions, returns, delayed deaths, captives, births (R50-R163)."""

from __future__ import annotations

import pytest

from engine.model import Death, Notice
from tests.engine.mafialife.board import Board, once

# Enough sides alive that no game ends while a test looks on.
BASE = "Кира commissioner\nМарк mafioso\nНина necromancer\nБорис citizen\nВера citizen"


def turns(more: str, first: int = 1) -> Board:
    return Board(f"{BASE}\n{more}", first)


# --- Foils and diversions ---


def test_befog_comes_before_the_girl_and_the_hacker() -> None:
    result = once(f"{BASE}\nПсой psycho\nЛия girl\nХарри hacker\nДина doctor",
                  "Псой befog Лия", "Лия sleep Дина", "Дина heal Борис", "Харри divert Дина Вера")  # fmt: skip
    assert result.outcomes["Лия:sleep"] == "befogged"
    assert result.outcomes["Харри:divert"] == ""


def test_two_befogs_do_not_touch_each_other() -> None:
    result = once(f"{BASE}\nПсой psycho\nПров psycho", "Псой befog Пров", "Пров befog Псой")
    assert (result.outcomes["Псой:befog"], result.outcomes["Пров:befog"]) == ("", "")


def test_a_girl_who_went_first_cannot_be_diverted() -> None:
    result = once(
        f"{BASE}\nЛия girl\nХарри hacker\nХакан hacker", "Харри divert Лия Борис", "Лия sleep Харри", "Хакан divert Лия Вера"
    )
    assert result.outcomes["Харри:divert"] == "slept"
    assert result.outcomes["Хакан:divert"] == "nothing_to_divert"


def test_the_second_of_two_diverts_finds_nothing() -> None:
    result = once(
        f"{BASE}\nЛев killer\nХарри hacker\nХакан hacker", "Лев kill Борис", "Харри divert Лев Вера", "Хакан divert Лев Кира"
    )
    assert (result.outcomes["Харри:divert"], result.outcomes["Хакан:divert"]) == ("", "nothing_to_divert")
    assert result.dead == {"Вера": "kill"}


@pytest.mark.parametrize(
    ("more", "text", "reason"),
    [
        ("Егор mafia_agent", "Егор recruit Лев", "not_recruitable"),
        ("Егор mafia_agent", "Егор guard Марк", ""),
        ("Олег assistant", "Олег guard_commissioner Кира", "bad_target"),
        ("Ада apostate", "Ада guard_necromancer Нина", "bad_target"),
        ("Жанна mafia_journalist", "Жанна swap_documents Марк", "bad_target"),
        ("Лия girl level=2", "Лия birth Мёртв", "bad_target"),
        ("Неля necromancer level=1", "Неля give_staff Марк", "bad_target"),
        ("Неля necromancer", "Неля raise_ghost Мёртв", "bad_target"),
        ("Сева citizen staff=1", "Сева use_staff Марк", "bad_target"),
        ("Жанна mafia_journalist level=1", "Жанна learn_role role=mafioso", ""),
    ],
)
def test_a_diverted_move_on_an_unfit_player(more: str, text: str, reason: str) -> None:
    lines = f"{BASE}\nХарри hacker\nЛев killer\nМёртв citizen dead\n{more}"
    name, action = text.split()[:2]
    result = once(lines, text, f"Харри divert {name} Борис")
    assert result.outcomes["Харри:divert"] == ""
    assert result.outcomes[f"{name}:{action}"] == reason
    if action == "use_staff":
        assert result.state("Сева")["staff"] == 1
    if action == "learn_role":
        assert result.notices(name, "learn_result") == [{"kind": "learn_result", "role": "citizen", "target": "Борис"}]


def test_a_move_turned_on_its_mover() -> None:
    lines = f"{BASE}\nХарри hacker\nЛев killer\nДина doctor"
    assert once(lines, "Лев kill Борис", "Харри divert Лев Лев").outcomes["Лев:kill"] == "bad_target"
    assert once(lines, "Дина heal Борис", "Харри divert Дина Дина").outcomes["Дина:heal"] == ""


def test_a_guard_turned_away_stands_elsewhere_and_pays_the_hacker() -> None:
    lines = f"{BASE}\nХарри hacker\nЕгор mafia_agent\nЛев killer"
    result = once(lines, "Егор guard Марк", "Харри divert Егор Борис", "Лев kill Борис")
    assert result.outcomes["Лев:kill"] == "agent_guard"
    assert result.state("Харри")["points"] == 2
    assert result.state("Егор")["points"] == 0


def test_divert_of_a_hanged_player_and_onto_one() -> None:
    lines = f"{BASE}\nХарри hacker\nЛев killer"
    board = Board(lines, 2)
    result = board.turn("Лев kill Кира", "Харри divert Лев Борис", votes="Вера>Борис")
    assert (result.outcomes["Харри:divert"], result.outcomes["Лев:kill"]) == ("", "bad_target")
    gone = Board(lines, 2).turn("Борис buy item=anti_girl pay=move", "Харри divert Борис Вера", votes="Вера>Борис")
    assert gone.outcomes["Харри:divert"] == "bad_target"


def test_two_guarding_commissioners_cover_each_other_from_diverts() -> None:
    lines = f"{BASE}\nКсан commissioner\nХарри hacker"
    result = once(lines, "Кира guard_office", "Ксан guard_office", "Харри divert Кира Борис")
    assert result.outcomes["Харри:divert"] == "office_guard"
    assert result.state("Ксан")["points"] == 1
    assert result.state("Кира")["points"] == 0


def test_the_only_mafioso_left_by_a_girl_is_diverted() -> None:
    lines = f"{BASE}\nЯн mafioso\nЛия girl\nХарри hacker"
    result = once(lines, "Марк revolver Кира", "Ян revolver Кира", "Лия sleep Ян", "Харри divert Марк Борис")
    assert result.outcomes["Харри:divert"] == ""
    assert result.dead == {"Борис": "revolver"}


def test_a_diverted_explosion_does_not_happen() -> None:
    lines = BASE.replace("Марк mafioso", "Марк mafioso level=4") + "\nХарри hacker"
    result = once(lines, "Марк blow_up_office", "Харри divert Марк Борис")
    assert result.outcomes["Марк:blow_up_office"] == "diverted"
    assert result.dead == {}
    assert result.state("Марк")["used"] == {}
    assert "Мафия — взорвать офис — не выполнено — хакер" in result.report


# --- Girls ---


def test_aids_at_an_auto_lair_only_foils() -> None:
    result = once(f"{BASE}\nЛия girl level=1\nМила maniac", "Лия aids Мила", "Мила bite Борис")
    assert result.outcomes["Лия:aids"] == "auto_lair"
    assert result.outcomes["Мила:bite"] == "slept"
    assert result.state("Мила")["aids_due"] == 0
    assert result.state("Лия")["points"] == 3


def test_a_condom_stops_what_is_left_of_aids_at_an_auto_lair() -> None:
    result = once(f"{BASE}\nЛия girl level=1\nМила maniac items=condom", "Лия aids Мила", "Мила bite Борис")
    assert result.outcomes["Лия:aids"] == "condom"
    assert result.dead == {"Борис": "bite"}


def test_sleep_role_with_aids_at_an_auto_lair_is_done_without_infection() -> None:
    result = once(f"{BASE}\nЛия girl level=3\nМила maniac", "Лия sleep_role role=maniac aids", "Мила bite Борис")
    assert result.outcomes["Лия:sleep_role"] == ""
    assert result.state("Мила")["aids_due"] == 0
    assert result.state("Лия")["points"] == 11
    assert result.state("Лия")["used"] == {"sleep_role": 1, "aids": 1}


def test_a_plain_visit_infects_nobody_whatever_its_arguments_say() -> None:
    result = once(f"{BASE}\nЛия girl", "Лия sleep Борис aids")
    assert result.outcomes["Лия:sleep"] == ""
    assert result.state("Борис")["aids_due"] == 0


def test_girls_of_two_phases_meet_the_condom_one_after_the_other() -> None:
    lines = f"{BASE}\nЛия girl\nРая girl\nСоня girl\nХарри hacker items=condom"
    result = once(lines, "Харри divert Рая Борис", "Рая sleep Вера", "Лия sleep Харри")
    assert (result.outcomes["Лия:sleep"], result.outcomes["Харри:divert"]) == ("condom", "")
    assert result.state("Харри")["items"] == []


def test_aids_kept_off_is_a_stop_for_the_doctor() -> None:
    result = once(f"{BASE}\nЛия girl level=1\nДина doctor level=1", "Лия aids Борис", "Дина super_heal Борис")
    assert result.state("Дина")["points"] == 4


def test_a_second_infection_changes_nothing() -> None:
    board = turns("Лия girl level=2\nРая girl level=2")
    board.turn("Лия aids Борис")
    second = board.turn("Рая aids Борис")
    assert second.dead == {"Борис": "aids"}
    assert second.killers == {"Борис": "Лия"}


def test_condom_and_antigirl_are_added_up() -> None:
    lines = f"{BASE}\nЛия girl\nРая girl\nДина doctor items=anti_girl,condom"
    result = once(lines, "Лия sleep Дина", "Рая sleep Дина", "Дина heal Борис")
    assert (result.outcomes["Лия:sleep"], result.outcomes["Рая:sleep"]) == ("condom", "anti_girl")
    assert result.outcomes["Дина:heal"] == ""


def test_a_girl_may_give_aids_to_whom_she_slept_with_and_sleep_again_a_turn_later() -> None:
    board = turns("Лия girl level=1")
    board.turn("Лия sleep Борис")
    assert board.turn("Лия aids Борис").rejected == []


# --- Returns ---


def test_of_several_returns_the_lair_comes_first() -> None:
    lines = BASE.replace("Марк mafioso", "Марк mafioso level=1") + "\nМила maniac level=1\nМайя maniac\nХарри hacker items=armour"
    result = once(lines, "Мила lair", "Марк mine Мила", "Харри hack Мила")
    assert result.dead["Харри"] == "lair"
    assert result.state("Харри")["items"] == ["armour"]


def test_who_dies_of_a_direct_hit_keeps_his_armour_on_the_mine() -> None:
    lines = BASE.replace("Марк mafioso", "Марк mafioso level=1") + "\nМила maniac\nХарри hacker items=armour"
    result = once(lines, "Марк mine Борис", "Харри hack Борис", "Мила bite Харри")
    assert result.dead == {"Харри": "bite"}
    assert result.state("Харри")["items"] == ["armour"]


def test_the_executor_survives_his_own_mine_and_others_of_the_den_do_not() -> None:
    lines = BASE.replace("Марк mafioso", "Марк mafioso level=1 items=licence_kill") + "\nЕгор mafia_agent\nЛия girl"
    result = once(lines, "Марк mine Лия", "Марк licence_kill Лия", "Егор recruit Лия")
    assert result.dead == {"Лия": "licence_kill", "Егор": "mine"}


def test_an_agent_dies_when_the_attacker_he_drove_off_carries_the_poison() -> None:
    lines = f"{BASE}\nЕгор mafia_agent\nМила maniac\nЛев killer level=2\nЛиза killer"
    result = once(lines, "Егор kill_attacker Марк", "Лев kill Марк", "Мила poison Лев")
    assert result.dead["Егор"] == "poison_spread"
    own = once(lines, "Егор guard Лиза", "Лев watch Лиза", "Мила poison Лиза")
    assert own.dead == {}


def test_spread_does_not_reach_the_commissioner_who_keeps_the_guard() -> None:
    lines = BASE.replace("Кира commissioner", "Кира commissioner items=licence_kill") + "\nМила maniac\nДина doctor\nПсой psycho"
    result = once(lines, "Кира guard_office", "Кира licence_kill Дина", "Псой watch Дина", "Мила poison Дина")
    assert result.dead == {"Псой": "poison_spread"}
    assert result.outcomes["Мила:poison"] == ""


def test_poison_of_turn_two_kills_though_the_poisoner_is_foiled_or_dead_in_turn_three() -> None:
    """T62: what a night did is done; a later block or the poisoner's death undoes nothing."""
    board = turns("Лия girl level=1\nМила maniac\nДина doctor", 2)
    second = board.turn("Лия aids Борис", "Мила poison Вера")
    assert second.dead == {"Вера": "poison"}
    third = board.turn("Марк revolver Лия", "Мила sleep Борис", "Дина heal Борис")
    assert third.dead == {"Лия": "revolver", "Борис": "aids"}
    assert third.killers["Борис"] == "Лия"


def test_a_block_lasts_its_turn_only() -> None:
    """T62."""
    board = turns("Псой psycho\nЛев killer")
    board.turn("Псой befog Лев", "Нина paralyse Псой", "Лев kill Вера")
    second = board.turn("Лев kill Вера", "Псой watch Лев")
    assert second.rejected == ["Псой:watch:paralysed"]
    assert second.dead == {"Вера": "kill"}
    assert board.turn("Псой watch Лев").rejected == []


# --- Elixirs and shots ---


def test_a_supershot_and_another_hit_need_two_ultras() -> None:
    lines = BASE.replace("Вера citizen", "Вера citizen items=licence_supershot")
    one = once(f"{lines}\nДина doctor items=elixir,elixir_ultra", "Вера licence_supershot Дина", "Марк revolver Дина")
    assert one.dead == {"Дина": "licence_supershot"}
    assert one.state("Дина")["items"] == ["elixir_ultra"]
    two = once(
        f"{lines}\nДина doctor items=elixir,elixir_ultra,elixir_ultra", "Вера licence_supershot Дина", "Марк revolver Дина"
    )
    assert two.dead == {}
    assert two.state("Дина")["items"] == []
    assert two.outcomes["Марк:revolver"] == "elixir_ultra"


def test_elixirs_are_not_wasted_on_a_certain_death() -> None:
    lines = f"{BASE}\nДина doctor items=elixir"
    result = once(lines, "Нина necro_poison Дина", "Марк revolver Дина")
    assert result.dead == {"Дина": "revolver"}
    assert result.state("Дина")["items"] == ["elixir"]
    assert (result.outcomes["Нина:necro_poison"], result.outcomes["Марк:revolver"]) == ("", "")


def test_antielixir_leaves_the_other_hit_its_own_elixir() -> None:
    lines = f"{BASE}\nЛев killer level=3\nДина doctor items=elixir,elixir,elixir"
    result = once(lines, "Лев kill Дина", "Марк revolver Дина", win_points={"killer": 99})
    assert result.dead == {}
    assert result.state("Дина")["items"] == ["elixir"]
    assert result.state("Лев")["used"] == {"kill": 1, "antielixir": 1}


def test_autoprotection_pays_for_each_attack() -> None:
    result = once(f"{BASE}\nЛев killer\nМила maniac level=1", "Мила frenzy Лев", "Марк revolver Лев")
    assert result.state("Лев")["points"] == 3
    assert result.saved == {"Лев"}


def test_a_killed_attacker_still_fires_his_licence() -> None:
    lines = f"{BASE}\nМила maniac level=1\nХарри hacker items=licence_kill"
    result = once(lines, "Мила lair", "Харри hack Мила", "Харри licence_kill Борис")
    assert result.dead == {"Харри": "lair", "Борис": "licence_kill"}


# --- The mafia ---


def test_a_tie_among_mafiosi_goes_to_the_earliest_order() -> None:
    lines = f"{BASE}\nЯн mafioso"
    assert once(lines, "Ян revolver Вера", "Марк revolver Борис").dead == {"Вера": "revolver"}


def test_only_the_executor_walks_into_returns() -> None:
    lines = f"{BASE}\nЯн mafioso\nОлег assistant"
    result = once(lines, "Марк revolver Кира", "Ян revolver Кира", "Олег guard_commissioner Кира")
    assert result.dead == {"Марк": "assistant_guard"}
    assert (result.outcomes["Марк:revolver"], result.outcomes["Ян:revolver"]) == ("assistant_guard", "assistant_guard")
    assert "used" in result.state("Ян")
    assert result.state("Ян")["used"] == {}


def test_an_explosion_without_an_office_to_blow_up() -> None:
    lines = "Марк mafioso level=4\nНина necromancer\nБорис citizen items=pistol"
    assert once(lines, "Марк blow_up_office").outcomes["Марк:blow_up_office"] == "no_team"


# --- Captives ---


def captured() -> Board:
    board = turns("Мила maniac level=1\nХарри hacker\nДина doctor items=armour", 2)
    result = board.turn("Мила capture Харри")
    assert result.notices("Мила", "captive_moves")[0]["moves"] == [
        "hack:unlimited", "canard:1", "theft:1", "divert:1", "infiltrate:1",
    ]  # fmt: skip
    return board


def test_what_a_captives_move_tells_goes_to_the_captor_and_what_it_brings_to_the_captive() -> None:
    result = captured().turn("Мила captive_move Дина action=theft", "Мила bite Борис")
    assert result.outcomes["Харри:theft"] == ""
    assert [n["target"] for n in result.notices("Мила", "theft_result")] == ["Дина"]
    assert result.notices("Харри", "theft_result") == []
    assert [n["action"] for n in result.notices("Мила", "move_result")] == ["theft", "bite"]
    assert result.notices("Харри", "move_result") == []
    assert result.state("Харри")["items"] == ["armour"]
    assert result.state("Харри")["points"] == 2


def test_the_last_accepted_captive_move_counts_and_a_refused_one_is_the_captors() -> None:
    result = captured().turn(
        "Мила captive_move Дина action=hack", "Мила captive_move Харри action=hack", "Мила captive_move Кира action=hack"
    )
    assert result.rejected == ["Мила:captive_move:self_target"]
    assert [n["target"] for n in result.notices("Мила", "hack_result")] == ["Кира"]


def test_the_captives_move_lapses_with_a_hanged_captor() -> None:
    votes = " ".join(f"{nick}>Мила" for nick in ("Кира", "Марк", "Нина", "Борис", "Вера", "Харри", "Дина"))
    result = captured().turn("Мила captive_move Дина action=hack", votes=votes)
    assert result.dead == {"Мила": "hanged"}
    assert result.outcomes["Харри:hack"] == "dead"


def test_a_dead_captor_has_no_captive() -> None:
    board = turns("Мила maniac level=1\nХарри hacker")
    board.turn("Мила capture Харри", "Марк revolver Мила")
    assert board.turn("Харри hack Борис").outcomes["Харри:hack"] == ""


def test_a_captor_may_turn_a_recruited_captive_against_his_team() -> None:
    board = turns("Мила maniac level=1\nХарри hacker faction=den captive_of=Мила")
    result = board.turn("Мила captive_move Марк action=hack")
    assert result.outcomes["Харри:hack"] == ""


def test_a_captive_mafiosos_order_is_one_of_the_teams_and_its_result_goes_to_the_captor() -> None:
    board = turns("Ян mafioso captive_of=Мила\nМила maniac level=1\nРома mafioso")
    result = board.turn(
        "Марк revolver Борис", "Мила captive_move Вера action=revolver", "Рома revolver Вера", "Мила bite Кира", "Мила pass"
    )
    assert result.dead == {"Вера": "revolver"}
    assert result.killers == {"Вера": "Ян"}
    assert (result.outcomes["Ян:revolver"], result.outcomes["Марк:revolver"]) == ("", "not_chosen")
    assert [n["action"] for n in result.notices("Мила", "move_result")] == ["revolver"]
    assert result.notices("Ян", "move_result") == []
    second = turns("Ян mafioso captive_of=Мила\nМила maniac level=1")
    shared = second.turn("Марк revolver Вера", "Мила captive_move Вера action=revolver")
    assert shared.killers == {"Вера": "Марк"}
    assert [n["outcome"] for n in shared.notices("Мила", "move_result")] == ["done"]
    assert len(shared.notices("Марк", "move_result")) == 1


def test_a_captive_works_with_his_own_items_untouched() -> None:
    board = turns("Мила maniac level=1\nПсой psycho captive_of=Мила paralysed")
    assert board.turn("Мила captive_move Борис action=befog").rejected == ["Мила:captive_move:paralysed"]
    assert turns("Мила maniac").turn("Мила captive_move Борис action=hack").rejected == ["Мила:captive_move:no_captive"]


# --- Recruiting, infiltration, passwords ---


def test_passwords_are_two_and_stay() -> None:
    board = turns("Харри hacker\nХакан hacker")
    first = board.turn("Харри infiltrate team=den", "Хакан infiltrate team=office join")
    den = first.notices("Харри", "team_password")[0]["password"]
    office = first.notices("Хакан", "team_password")
    assert [n["team"] for n in office] == ["office"]
    assert office[0]["password"] != den
    second = board.turn("Марк revolver Харри")
    assert second.told("team_password") == {"Хакан"}
    assert second.notices("Хакан", "team_password")[0]["password"] == office[0]["password"]


def test_a_citizen_of_level_two_gets_the_password_at_the_turns_end() -> None:
    board = turns("Ира citizen mafbucks=200")
    first = board.turn("Ира buy item=level_2 pay=mafbucks")
    assert [n["team"] for n in first.notices("Ира", "team_password")] == ["office"]
    assert board.turn().told("team_password") == set()


def test_infiltration_of_a_team_without_living_members() -> None:
    lines = "Марк mafioso\nНина necromancer\nБорис citizen items=pistol\nХарри hacker"
    assert once(lines, "Харри infiltrate team=office").outcomes["Харри:infiltrate"] == "no_team"


def test_who_was_recruited_tonight_was_no_member_tonight() -> None:
    lines = f"{BASE}\nОлег assistant\nЛия girl\nЛев killer"
    result = once(lines, "Кира guard_office", "Олег recruit Лия", "Лев kill Лия")
    assert result.dead == {"Лия": "kill"}


def test_a_theft_of_one_phase_counts_with_the_hacks_for_the_antihacker() -> None:
    lines = f"{BASE}\nХарри hacker\nХакан hacker\nДина doctor items=anti_hacker"
    result = once(lines, "Харри hack Дина", "Хакан theft Дина")
    assert (result.outcomes["Харри:hack"], result.outcomes["Хакан:theft"]) == ("", "")
    assert result.state("Дина")["items"] == []


# --- Back from the dead ---


def test_two_girls_and_one_child() -> None:
    lines = f"{BASE}\nЛия girl level=2\nРая girl level=2\nМёртв citizen dead"
    result = once(lines, "Рая birth Мёртв", "Лия birth Мёртв", chance={"child_role": ["doctor"]}, birth_pool="all")
    assert (result.outcomes["Рая:birth"], result.outcomes["Лия:birth"]) == ("", "bad_target")
    assert result.state("Мёртв")["mother"] == "Рая"
    assert [n["team"] for n in result.notices("Мёртв", "team_password")] == ["office"]


def test_two_raisings_are_both_done_and_the_earlier_decides() -> None:
    lines = f"{BASE}\nНеля necromancer level=1\nМёртв citizen dead items=armour"
    result = once(lines, "Неля raise_vampire Мёртв", "Нина raise_ghost Мёртв")
    assert (result.outcomes["Неля:raise_vampire"], result.outcomes["Нина:raise_ghost"]) == ("", "")
    assert result.state("Мёртв")["role"] == "vampire"
    assert result.state("Мёртв")["items"] == ["armour"]


def test_the_child_cannot_kill_its_mother() -> None:
    result = once(f"{BASE}\nЛия girl\nЛев killer mother=Лия", "Лев kill Лия")
    assert result.outcomes["Лев:kill"] == "mother"
    assert result.saved == {"Лия"}
    assert "Киллер — убить — Лия — не выполнено — Неизвестно" in result.report


def test_a_fallen_vampire_is_raised_but_not_born() -> None:
    lines = f"{BASE}\nЛия girl level=2\nГлеб vampire dead"
    both = once(lines, "Лия birth Глеб", "Нина raise_ghost Глеб")
    assert (both.outcomes["Лия:birth"], both.outcomes["Нина:raise_ghost"]) == ("undead", "")


def test_who_turns_begins_anew_with_this_turns_points() -> None:
    result = once(f"{BASE}\nДина doctor bite_due=1 points=5", "Дина heal Борис", "Марк revolver Борис")
    assert result.state("Дина")["role"] == "vampire"
    assert result.state("Дина")["points"] == 0
    assert result.state("Дина")["used"] == {}


def test_study_of_a_bought_level_makes_an_office_girl_of_the_points_level() -> None:
    lines = f"{BASE}\nИра citizen points=5 level=2"
    result = once(lines, "Ира study role=girl")
    assert result.state("Ира")["faction"] == "office"
    assert result.state("Ира")["recruited_by"] == ["office"]
    assert result.state("Ира")["level"] == 1


# --- Watching ---


def test_watch_sees_a_mafiosos_own_order_and_nothing_of_the_foiled() -> None:
    lines = f"{BASE}\nЯн mafioso\nПсой psycho\nПров psycho\nЛия girl\nДина doctor"
    result = once(
        lines, "Ян revolver Вера", "Марк revolver Борис", "Псой watch Марк", "Пров watch Дина", "Дина heal Вера", "Лия sleep Дина"
    )
    assert result.outcomes["Марк:revolver"] == "not_chosen"
    assert result.notices("Псой", "watch_result") == [
        {"kind": "watch_result", "target": "Марк", "action": "revolver", "targets": ["Борис"]}
    ]
    assert result.notices("Пров", "watch_result")[0]["action"] == "none"


def test_super_watch_leaves_the_watcher_out_and_names_the_stopped_visitor() -> None:
    lines = f"{BASE}\nПсой psycho level=1\nЛия girl\nДина doctor items=condom"
    result = once(lines, "Псой super_watch Дина", "Лия sleep Дина", "Дина heal Борис", "Марк revolver Дина")
    found = result.notices("Псой", "super_watch_result")[0]
    assert found["visitors"] == ["Марк", "Лия"]
    assert (found["action"], found["targets"]) == ("heal", ["Борис"])


# --- Why? ---


def test_a_death_names_the_orders_it_rests_on_also_a_turn_later() -> None:
    board = turns("Лия girl level=1\nАда vampire\nДина doctor items=armour", 2)
    board.turn("Лия aids Борис", "Ада vampire_bite Вера")
    result = board.turn("Марк revolver Дина", "Кира kill Дина", "Нина host_remove")
    refs = {event.player: event.refs for event in result.events if isinstance(event, Death)}
    assert refs == {"Борис": ("0:Лия aids Борис",), "Дина": ("1:Кира kill Дина",), "Нина": ("2:Нина host_remove",)}
    told = {(n.to, n.kind): n.refs for n in result.events if isinstance(n, Notice)}
    assert told["Вера", "turned"] == ("1:Ада vampire_bite Вера",)
    assert told["Дина", "item_used"] == ("0:Марк revolver Дина",)
