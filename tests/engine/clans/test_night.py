"""How the phases meet: who reaches whom when several things happen in one night."""

from __future__ import annotations

import pytest

from tests.engine.clans.board import Board

TOWN = """
Анна doctor
Вера commissioner
Глеб shooter
Егор citizen
Жанна citizen
Захар citizen
Борис don red
Лола seductress red
Тимур thug red
Гоша bodyguard red
Дина don black
Мила seductress black
Лев thug black
Макс maniac
"""


def board(cast: str = TOWN, **options: object) -> Board:
    return Board(cast, **options)  # type: ignore[arg-type]


def test_mine_laid_under_somebody_whom_an_old_mine_kills_tonight_is_done() -> None:
    game = board("Миша miner\nАнна citizen mined_by=Миша\nБорис don red\nДина don black\nВера citizen", mine_votes=1)
    night = game.turn("Вера vote Анна", "Миша mine Анна")
    assert night.outcomes["Миша:mine"] == "done"
    assert night.causes == {"Анна": "mine"}


def test_mine_under_a_player_disqualified_today_finds_nobody() -> None:
    game = board("Миша miner\nАнна citizen\nБорис don red\nДина don black\nВера citizen")
    game.open()
    game.send("Миша mine Анна")
    game.send("Анна host_disqualify")
    assert game.close().outcomes["Миша:mine"] == "target_dead"


def test_mined_doctor_keeps_no_exhausted_player_hanging() -> None:
    """R23: "living" is asked at the start of phase 3."""
    cast = "Анна doctor mined_by=Миша\nМиша miner\nМакс maniac\nВера commissioner exhausted\nБорис don red\nДина don black"
    night = board(cast, mine_votes=1).turn("Борис vote Анна", "Анна heal Вера", "Вера check Борис")
    assert night.causes == {"Анна": "mine", "Вера": "exhaustion"}
    assert night.outcomes["Вера:check"] == "actor_dead"


def test_exhausted_seductress_acts_while_her_treatment_waits_and_dies_when_it_fails() -> None:
    cast = TOWN.replace("Лола seductress red", "Лола seductress red exhausted")
    night = board(cast).turn("Анна heal Лола", "Лола seduce Анна")
    assert night.outcomes == {"Анна:heal": "actor_at_seductress", "Лола:seduce": "done"}
    assert night.causes == {"Лола": "exhaustion"}


def test_exhausted_patient_in_a_motel_cannot_be_cured_and_is_not_blown_up_later() -> None:
    cast = TOWN.replace("Егор citizen", "Егор citizen exhausted")
    night = board(cast).turn("Лола seduce Егор", "Анна heal Егор", "Глеб shoot Лола")
    assert night.causes == {"Егор": "exhaustion", "Лола": "shot"}
    assert night.outcomes["Анна:heal"] == "target_at_seductress"


def test_lynched_patient_is_not_cured() -> None:
    cast = TOWN.replace("Егор citizen", "Егор citizen exhausted")
    night = board(cast).turn("Анна heal Егор", "Борис vote Егор")
    assert night.causes == {"Егор": "lynch"}
    assert night.outcomes["Анна:heal"] == "target_dead"


def test_cured_patient_taken_by_the_maniac_stays_healed_all_night() -> None:
    """R38: the healing has done its work; he is exhausted anew, and the blast of the room does not kill him."""
    cast = TOWN.replace("Егор citizen", "Егор citizen exhausted")
    game = board(cast)
    night = game.turn("Анна heal Егор", "Макс invite Егор", "Глеб shoot Макс")
    assert night.outcomes["Анна:heal"] == "done"
    assert night.dead == {"Макс"} and "Егор" in night.saved
    assert game.state("Егор")["exhausted"] is True


def test_healed_player_taken_by_the_maniac_is_not_healed_any_more() -> None:
    """His own bullet comes back from the mirror: the doctor did not find him (R38, D9)."""
    night = board(TOWN.replace("Захар citizen", "Захар mirror")).turn("Анна heal Борис", "Макс invite Борис", "Борис kill Захар")
    assert night.outcomes["Анна:heal"] == "target_at_maniac"
    assert night.causes == {"Борис": "reflected"}


def test_doctor_heals_himself_and_goes_to_the_maniac_whose_room_explodes() -> None:
    night = board().turn("Анна heal Анна", "Макс invite Анна", "Глеб shoot Макс")
    assert night.outcomes["Анна:heal"] == "done"
    assert night.dead == {"Макс"} and night.saved == {"Анна"}


def test_heal_order_keeps_only_its_patient_from_the_blast_of_three() -> None:
    night = board().turn("Лола seduce Егор", "Макс invite Лола", "Анна heal Лола", "Глеб shoot Макс")
    assert night.causes == {"Макс": "shot", "Егор": "room_blast"}
    assert night.outcomes["Анна:heal"] == "done" and night.saved == {"Лола"}


def test_doctor_in_the_motel_shields_nobody() -> None:
    night = board().turn("Лола seduce Анна", "Анна heal Анна", "Глеб shoot Лола")
    assert night.causes == {"Лола": "shot", "Анна": "room_blast"}
    assert night.outcomes["Анна:heal"] == "actor_at_seductress"


def test_heal_order_comes_before_the_vest_in_an_explosion() -> None:
    game = board()
    night = game.turn("Лола seduce Вера", "Анна heal Вера", "Глеб shoot Лола")
    assert night.saved == {"Вера"} and game.state("Вера")["vest"] is True


def test_healed_hostess_lives_and_her_guest_does_not() -> None:
    night = board().turn("Лола seduce Егор", "Анна heal Лола", "Глеб shoot Лола")
    assert night.causes == {"Егор": "room_blast"}
    assert night.outcomes["Глеб:shoot"] == "target_healed" and night.saved == {"Лола"}


def test_hunt_at_a_guarded_hostess_is_done_without_killing_her_and_blows_up_the_room() -> None:
    night = board().turn("Лола seduce Егор", "Гоша guard Лола", "Захар hunt Лола")
    assert night.outcomes["Захар:hunt"] == "done"
    assert night.causes == {"Егор": "room_blast"} and night.saved == {"Лола"}
    assert night.killers == {"Егор": "Захар"}


def test_poisoned_maniac_keeps_his_guest_exhausted_and_the_room_whole() -> None:
    """The cyanide comes before the invitation: there is no room at all."""
    game = board()
    night = game.turn("Анна poison_mistake Макс", "Макс invite Егор")
    assert night.causes == {"Макс": "poison"} and night.outcomes["Макс:invite"] == "actor_dead"
    assert game.state("Егор")["exhausted"] is False


def test_maniac_killed_after_his_invitation_exhausts_all_the_same() -> None:
    """D28: and his room was blown up in the same night, which the vest held."""
    game = board()
    night = game.turn("Макс invite Вера", "Дина kill Макс")
    assert night.dead == {"Макс"} and game.state("Вера")["exhausted"] is True
    assert game.turn().causes == {"Вера": "exhaustion"}


def test_both_clans_blow_up_one_room_and_red_is_credited() -> None:
    night = board().turn("Макс invite Егор", "Дина kill Макс", "Борис kill Макс")
    assert night.killers == {"Макс": "Борис", "Егор": "Борис"}
    assert night.outcomes["Дина:kill"] == night.outcomes["Борис:kill"] == "done"


def test_both_clans_fire_at_the_mirror_and_both_bullets_come_back() -> None:
    night = board(TOWN.replace("Захар citizen", "Захар mirror")).turn("Борис kill Захар", "Дина kill Захар")
    assert night.causes == {"Борис": "reflected", "Дина": "reflected"} and night.saved == {"Захар"}


def test_don_at_the_maniac_whose_room_his_own_bullet_blows_up() -> None:
    night = board().turn("Макс invite Борис", "Борис kill Макс")
    assert night.causes == {"Макс": "clan_kill", "Борис": "room_blast"}
    assert night.killers["Борис"] == "Борис"


def test_showdown_starts_with_the_companion_of_the_maniac_too() -> None:
    """R29, R33: he brings a mafioso of the other clan along."""
    night = board().turn("Макс invite Лев", "Лола seduce Макс", "Дина kill Егор", "Лев beat Егор")
    assert night.causes == {"Лола": "showdown"}
    assert night.outcomes["Дина:kill"] == "clan_at_seductress"
    assert night.outcomes["Лев:beat"] == "actor_at_seductress"
    assert night.outcomes["Макс:invite"] == "done"


def test_maniac_never_brings_the_other_seductress_along() -> None:
    night = board().turn("Макс invite Мила", "Лола seduce Макс", "Глеб shoot Лола")
    assert night.outcomes["Макс:invite"] == "actor_at_seductress"
    assert night.causes == {"Лола": "shot", "Макс": "room_blast"}


def test_lost_contest_is_not_revived_when_the_maniac_is_beaten() -> None:
    """D20."""
    night = board().turn("Макс invite Вера", "Лола seduce Вера", "Лев beat Макс", "Вера check Борис")
    assert night.outcomes["Лола:seduce"] == "target_at_maniac"
    assert night.outcomes["Макс:invite"] == "actor_beaten"
    assert night.outcomes["Вера:check"] == "done"


def test_maniac_in_the_other_motel_contests_nothing() -> None:
    night = board().turn("Макс invite Вера", "Мила seduce Макс", "Лола seduce Егор")
    assert night.outcomes["Мила:seduce"] == "done"
    assert night.told("Вера") == [("guest", {"host": "seductress"})]


def test_own_guest_dies_though_beaten_and_a_beating_of_him_is_done() -> None:
    night = board().turn("Лола seduce Вера", "Лев beat Вера", "Борис kill Вера")
    assert night.causes == {"Вера": "clan_kill"} and night.outcomes["Лев:beat"] == "done"


def test_maniac_as_own_guest_is_shot_without_blowing_up_anything() -> None:
    """R59; his companion is the ЖЛП's guest, no guest in a room of his own."""
    night = board().turn("Макс invite Егор", "Лола seduce Макс", "Борис kill Макс")
    assert night.causes == {"Макс": "clan_kill"}


def test_guest_of_a_dead_hostess_stays_out_of_reach() -> None:
    night = board().turn("Лола seduce Вера", "Анна poison_mistake Лола", "Дина kill Вера", "Вера check Дина")
    assert night.causes == {"Лола": "poison"}
    assert night.outcomes["Дина:kill"] == "target_at_seductress"
    assert night.outcomes["Вера:check"] == "actor_at_seductress"


def test_the_most_senior_survivor_fires_for_a_lynched_sender() -> None:
    night = board(TOWN.replace("Захар citizen", "Захар mirror")).turn("Вера vote Борис", "Борис kill Захар")
    assert night.causes == {"Борис": "lynch", "Тимур": "reflected"}


def test_bodyguard_hit_by_the_reflected_bullet_still_guards() -> None:
    """R52: phase 10 is after phase 9."""
    night = board(TOWN.replace("Захар citizen", "Захар mirror")).turn("Гоша kill Захар", "Гоша guard Борис", "Глеб shoot Борис")
    assert night.causes == {"Гоша": "reflected"} and night.saved == {"Борис", "Захар"}
    assert night.outcomes["Глеб:shoot"] == "guarded"


def test_shooter_killed_by_the_house_next_door_does_not_fire() -> None:
    cast = "Анна citizen\nГлеб shooter\nШура shahid\nБорис don red\nДина don black\nВера citizen"
    night = board(cast).turn("Дина kill Шура", "Глеб shoot Дина")
    assert night.causes == {"Шура": "clan_kill", "Глеб": "house_blast", "Борис": "house_blast"}
    assert night.outcomes["Глеб:shoot"] == "actor_dead"


def test_shot_shahid_explodes_after_the_shot_and_his_shooter_may_be_the_neighbour() -> None:
    cast = "Глеб shooter\nШура shahid\nАнна citizen\nБорис don red\nДина don black\nВера citizen"
    night = board(cast).turn("Глеб shoot Шура")
    assert night.causes == {"Шура": "shot", "Глеб": "house_blast", "Анна": "house_blast"}


def test_shahid_as_own_guest_dies_quietly() -> None:
    cast = "Анна citizen\nШура shahid\nВера citizen\nЛола seductress red\nБорис don red\nДина don black"
    assert board(cast).turn("Лола seduce Шура", "Борис kill Шура").causes == {"Шура": "clan_kill"}


def test_with_two_players_left_the_shahid_has_one_neighbour() -> None:
    night = board("Шура shahid\nБорис don red\nДина don black dead\nАнна citizen dead").turn("Борис kill Шура")
    assert night.causes == {"Шура": "clan_kill", "Борис": "house_blast"}
    assert night.winner == "draw"


@pytest.mark.parametrize(
    ("rescue", "lives"),
    [("Анна heal Сосед", True), ("Лев beat Сосед", True), ("Мила seduce Сосед", True), ("Макс invite Сосед", False)],
)
def test_what_keeps_a_neighbour_from_the_house(rescue: str, lives: bool) -> None:
    cast = TOWN + "Шура shahid\nСосед citizen\n"
    night = board(cast).turn("Борис kill Шура", rescue)
    assert ("Сосед" in night.saved) == lives and ("Сосед" in night.dead) != lives


def test_information_moves_learn_nothing_when_the_actor_dies_after_them() -> None:
    cast = TOWN + "Света witness\nТаня taxi_driver\n"
    night = board(cast).turn("Света watch Егор", "Таня ride Егор", "Борис kill Егор", "Глеб shoot Света")
    assert night.outcomes["Света:watch"] == "actor_dead"
    assert night.outcomes["Таня:ride"] == "target_dead"
    assert night.told("Света") == []


def test_witness_sees_both_clans_the_shooter_and_the_hunter_but_not_a_stopped_killer() -> None:
    cast = TOWN + "Света witness\n"
    game = board(cast)
    night = game.turn("Света watch Макс", "Дина kill Макс", "Лола seduce Лев", "Борис kill Макс", "Глеб shoot Макс")
    assert night.outcomes["Дина:kill"] == "clan_at_seductress"
    assert ("watch_result", {"target": "Макс", "attackers": ("Борис",)}) in night.told("Света")
    assert night.outcomes["Глеб:shoot"] == "target_dead"


def test_witness_learns_the_second_killer_only_when_the_first_clan_is_stopped() -> None:
    """Trouble T61: the first clan's killer is at the ЖЛП's of the other."""
    cast = TOWN + "Света witness\n"
    night = board(cast).turn("Мила seduce Борис", "Борис kill Егор", "Дина kill Егор", "Света watch Егор")
    assert night.outcomes["Борис:kill"] == "clan_at_seductress"
    assert ("watch_result", {"target": "Егор", "attackers": ("Дина",)}) in night.told("Света")


def test_witness_sees_the_poisoner_and_no_lynch() -> None:
    cast = TOWN + "Света witness\n"
    night = board(cast).turn("Света watch Егор", "Анна poison_mistake Егор")
    assert ("watch_result", {"target": "Егор", "attackers": ("Анна",)}) in night.told("Света")


def test_walker_counts_everybody_whose_move_was_done_once() -> None:
    cast = TOWN + "Света witness\nЛуна sleepwalker\nМиша miner\nТаня taxi_driver\nЮра journalist\n"
    night = board(cast).turn(
        "Луна walk Вера",
        "Анна heal Вера",
        "Миша mine Вера",
        "Таня ride Вера",
        "Юра interview Вера Егор",
        "Борис check Вера",
        "Дина kill Вера",
        "Глеб shoot Вера",
        "Света watch Вера",
    )
    expected = {"target": "Вера", "civilians": 5, "mafia": 1}
    assert ("walk_result", expected) in night.told("Луна")
    assert night.outcomes["Дина:kill"] == night.outcomes["Глеб:shoot"] == "target_healed"


def test_civilians_checks_are_not_stopped_by_a_guest_of_their_own_side() -> None:
    """ "A clanmate there" is no matter of civilians (20.1)."""
    night = board().turn("Мила seduce Егор", "Вера check Борис")
    assert night.outcomes["Вера:check"] == "done"


def test_player_dies_once_and_the_first_death_gives_the_cause() -> None:
    cast = TOWN.replace("Егор citizen", "Егор citizen exhausted")
    night = board(cast).turn("Вера vote Егор", "Борис kill Егор")
    assert night.causes == {"Егор": "exhaustion"} and night.lynched == ["Егор"]
    assert night.outcomes["Борис:kill"] == "target_dead"


def test_showdown_needs_no_draw_when_one_seductress_is_dead() -> None:
    game = board()
    night = game.turn("Вера vote Мила", "Лола seduce Дина", "Мила seduce Борис")
    assert night.outcomes == {"Лола:seduce": "done", "Мила:seduce": "actor_dead"}
    assert game.chance.record == []


def test_lot_is_drawn_even_when_another_rule_stops_one_of_them() -> None:
    """D19: the invited of one of the two was lynched."""
    game = board()
    night = game.turn("Вера vote Дина", "Лола seduce Дина", "Мила seduce Борис", force={"seductress_draw": ["Лола"]})
    assert [draw.point for draw in game.chance.record] == ["seductress_draw"]
    assert night.outcomes["Лола:seduce"] == "target_dead" and night.outcomes["Мила:seduce"] == "done"


def test_healed_reflected_shooter_and_failed_hunter_are_saved_by_one_healing() -> None:
    cast = TOWN.replace("Захар citizen", "Захар mirror")
    night = board(cast).turn("Анна heal Борис", "Борис kill Захар", "Глеб shoot Борис", "Егор hunt Борис")
    assert night.dead == set() and night.saved == {"Борис", "Захар"}
    assert night.outcomes["Егор:hunt"] == "done"
