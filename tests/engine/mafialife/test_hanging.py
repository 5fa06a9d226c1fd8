"""Votes and the gallows (R10-R17)."""

from __future__ import annotations

import pytest

from tests.engine.mafialife.board import Board, once

TOWN = "Кира commissioner\nМарк mafioso\nНина necromancer\nАнна doctor\nБорис citizen\nВера citizen\nЗоя mafia_lawyer level=1"


def with_items(**items: str) -> str:
    return "\n".join(f"{line} items={items[line.split()[0]]}" if line.split()[0] in items else line for line in TOWN.splitlines())


def test_bribe_goes_before_immunity_when_no_antibribe_is_in_force() -> None:
    result = once(with_items(Анна="hang_immunity,bribe"), votes="Борис>Анна", first=2)
    assert result.saved == {"Анна"}
    assert result.state("Анна")["items"] == ["hang_immunity"]
    assert "Повешение не состоялось: Анна — подкуп палача" in result.report


def test_the_first_antibribe_of_another_side_is_used() -> None:
    result = once(with_items(Анна="bribe", Марк="antibribe", Нина="antibribe", Борис="antibribe"), votes="Борис>Анна", first=2)
    assert result.dead == {"Анна": "hanged"}
    assert [result.state(nick)["items"] for nick in ("Анна", "Марк", "Нина", "Борис")] == [[], [], ["antibribe"], ["antibribe"]]


def test_an_unrecruited_neutral_has_no_allies_but_himself() -> None:
    lines = f"{with_items()}\nЛия girl items=bribe,antibribe\nРая girl"
    assert once(lines, votes="Борис>Лия", first=2).saved == {"Лия"}
    enemies = lines.replace("Рая girl", "Рая girl items=antibribe")
    assert once(enemies, votes="Борис>Лия", first=2).dead == {"Лия": "hanged"}


def test_a_bribe_saves_from_the_lynch_too() -> None:
    lines = "Кира commissioner\nМарк mafioso\nМила maniac items=bribe\nБорис citizen"
    result = once(lines, votes="Кира>Мила Марк>Мила Борис>Мила", first=2)
    assert result.saved == {"Мила"}
    assert result.state("Мила")["items"] == []


def test_a_spoilt_lynch_uses_no_bribe() -> None:
    lines = "Кира commissioner\nМарк mafioso\nМила maniac items=bribe\nБорис citizen"
    result = once(lines, votes="Кира>Мила Марк>Мила", first=2)
    assert result.state("Мила")["items"] == ["bribe"]


def test_a_framed_maniac_never_hangs_by_lynch() -> None:
    lines = f"{TOWN}\nМила maniac"
    votes = " ".join(f"{nick}>Марк" for nick in ("Кира", "Анна", "Борис", "Вера"))
    result = once(lines, "Зоя frame Марк Мила", votes=votes, first=2)
    assert result.lynched == ["Мила"]
    assert result.saved == {"Мила"}
    assert result.outcomes["Зоя:frame"] == ""


def test_the_framed_may_be_saved_by_a_second_lawyer() -> None:
    lines = f"{TOWN}\nИя mafia_lawyer"
    result = once(lines, "Зоя frame Марк Борис", "Ия save_from_gallows Борис", votes="Кира>Марк", first=2)
    assert result.lynched == ["Борис"]
    assert result.dead == {}
    assert (result.outcomes["Зоя:frame"], result.outcomes["Ия:save_from_gallows"]) == ("", "")


def test_a_lawyer_whom_nobody_needed_fails() -> None:
    result = once(TOWN, "Зоя save_from_gallows Марк", votes="Кира>Борис", first=2)
    assert result.outcomes["Зоя:save_from_gallows"] == "bad_target"
    assert result.state("Зоя")["used"] == {"save_from_gallows": 1}


def test_a_lawyer_saves_himself_and_frames_for_himself() -> None:
    assert once(TOWN, "Зоя save_from_gallows Зоя", votes="Кира>Зоя", first=2).saved == {"Зоя"}
    assert once(TOWN, "Зоя frame Зоя Кира", votes="Борис>Зоя", first=2).dead == {"Кира": "hanged"}


def test_the_lawyers_day_move_is_neither_befogged_nor_diverted() -> None:
    lines = f"{TOWN}\nПсой psycho\nХарри hacker"
    result = once(lines, "Зоя save_from_gallows Марк", "Псой befog Зоя", "Харри divert Зоя Кира", votes="Кира>Марк", first=2)
    assert result.saved == {"Марк"}
    assert result.outcomes["Харри:divert"] == "nothing_to_divert"


def test_a_hanged_owner_keeps_his_licence_and_a_robbed_one_fires_it() -> None:
    lines = with_items(Анна="licence_kill")
    result = once(lines, "Анна licence_kill Борис", votes="Кира>Анна", first=2)
    assert result.outcomes["Анна:licence_kill"] == "dead"
    assert result.state("Анна")["items"] == ["licence_kill"]


def test_the_votes_line_has_sold_votes_in_the_order_of_the_roster() -> None:
    result = once(TOWN, "Кира buy item=armour pay=vote", votes="Вера>Марк Кира>Марк", first=2)
    assert "Голоса: Кира → Марк, Вера → Марк" in result.report
    assert result.votes == {"Марк": 1}
    assert "Голоса: нет" in once(TOWN, first=2).report
    assert "Голоса" not in once(TOWN).report


def test_with_all_leaders_hanging_nobody_hangs_twice() -> None:
    result = once(TOWN, "Зоя frame Марк Борис", votes="Кира>Марк Вера>Борис", first=2, tie="all")
    assert result.lynched == ["Борис"]
    assert result.dead == {"Борис": "hanged"}


@pytest.mark.parametrize("paralysed", [True, False])
def test_a_paralysed_vote_is_missing_for_the_lynch(paralysed: bool) -> None:
    lines = f"Кира commissioner\nМарк mafioso paralysed={str(paralysed).lower()}\nМила maniac\nНина necromancer"
    result = once(lines, votes="Кира>Мила Марк>Мила Нина>Мила", first=2)
    assert (result.dead == {}) is paralysed


def test_votes_do_not_outlast_the_day() -> None:
    board = Board(TOWN, 2)
    board.turn("Борис unvote", votes="Кира>Вера Борис>Марк")
    assert board.turn().lynched == []


def test_d51_each_beaten_bribe_takes_another_antibribe_while_there_are_any() -> None:
    lines = """
    Анна mafioso items=bribe
    Борис necromancer items=bribe
    Вера commissioner items=antibribe
    Гриша doctor items=antibribe
    Дина ghost items=bribe
    """
    result = once(lines, votes="Вера>Анна Гриша>Борис Анна>Дина", first=2, tie="all")
    assert set(result.dead) == {"Анна", "Борис", "Дина"}
    assert [result.state(nick)["items"] for nick in ("Анна", "Борис", "Вера", "Гриша", "Дина")] == [[], [], [], [], []]


def test_d51_who_is_hit_by_votes_and_in_a_clients_place_is_judged_once_as_hit_by_votes() -> None:
    """A maniac whom everybody else voted for hangs, though a frame brings him to the gallows besides (R13, R15)."""
    lines = """
    Анна mafia_lawyer level=1
    Борис maniac
    Вера mafioso
    """
    result = once(lines, "Анна frame Вера Борис", votes="Анна>Борис Вера>Борис Борис>Вера", first=2, tie="all")
    assert result.dead == {"Борис": "hanged"}
    tied = once(lines, "Анна frame Вера Борис", votes="Вера>Борис Борис>Вера", first=2, tie="all")
    assert tied.dead == {}
    assert tied.lynched == ["Борис"]
    assert tied.outcomes["Анна:frame"] == ""
