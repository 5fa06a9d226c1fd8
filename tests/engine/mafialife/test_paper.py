"""The newspaper: literal lines, their order, and what it must not tell (R170-R174)."""

from __future__ import annotations

from engine.model import Line
from tests.engine.mafialife.board import once

BASE = "Кира commissioner\nМарк mafioso\nНина necromancer\nБорис citizen\nВера citizen"


def lines_of(report: str) -> list[str]:
    return [line for line in report.splitlines() if line]


def test_a_whole_turn_in_the_order_of_the_rules() -> None:
    cast = f"""{BASE}
Харри hacker
Хакан hacker
Мила maniac
Лия girl level=3
Рая girl level=2
Жанна mafia_journalist points=10
Дина doctor items=licence_kill,pistol
Ада vampire
Мёртв citizen dead
Прах citizen dead
Олег assistant items=bribe
Ира citizen items=pistol aids_due=2"""
    result = once(
        cast,
        "Лия sleep_role role=doctor", "Рая birth Мёртв", "Жанна study role=mafioso", "Дина licence_kill Борис",
        "Хакан canard Вера", "Харри theft Кира", "Мила bite Вера", "Марк revolver Харри", "Нина raise_ghost Прах",
        "Ада vampire_bite Нина",
        "Ира pistol Кира", "Кира kill Марк",
        votes="Вера>Олег Кира>Олег", first=2, chance={"child_role": ["mafioso"], "canard_role": ["girl"]},
        win_points={"girl": 99},
    )  # fmt: skip
    assert lines_of(result.report) == [
        "Голоса: Кира → Олег, Вера → Олег",
        "Повешение не состоялось: Олег — подкуп палача",
        "Хакер — взлом — Кира — выполнено — комиссар",
        "Хакер — взлом — Вера — выполнено — девочка",
        "Маньяк — укусить — Вера — выполнено",
        "Девочка — переспать с ролью — доктор — выполнено",
        "Девочка — родить ребенка — Мёртв — выполнено",
        "Мирный житель — пистолет — Кира — выполнено",
        "Комиссар — убийство — Марк — выполнено",
        "Мафия — наган — Харри — выполнено",
        "Некромант — призрак — Прах — выполнено",
        "Вампир — укус — Нина — не выполнено — Неизвестно",
        "Лицензия — убийство — Борис — выполнено",
        "Погиб: Кира (комиссар) — пистолет",
        "Погиб: Марк (мафиози) — убийство",
        "Погиб: Борис (мирный житель) — убийство",
        "Погиб: Вера (мирный житель) — укусить",
        "Погиб: Харри (хакер) — наган",
        "Девочка — Ира — смерть от СПИДа — мирный житель",
        "Прах — теперь нежить",
        "Журналист мафии выучился на мафиози.",
    ]


def test_neither_arrival_nor_phase_can_be_read_off_the_paper() -> None:
    cast = f"{BASE}\nЛия girl\nРая girl\nХарри hacker\nХакан hacker"
    orders = ["Лия sleep Харри", "Харри divert Рая Кира", "Рая sleep Вера", "Хакан hack Борис"]
    forward = once(cast, *orders).report
    assert forward == once(cast, *reversed(orders)).report
    assert lines_of(forward) == [
        "Хакер — взлом — Борис — выполнено — мирный житель",
        "Хакер — сбить ход — Рая — не выполнено — девочка",
        "Девочка — переспать — Вера — выполнено",
        "Девочка — переспать — Харри — выполнено",
    ]


def test_the_paper_does_not_count_the_mafiosi() -> None:
    cast = f"{BASE}\nЯн mafioso\nЛия girl\nРая girl"
    one = once(cast, "Марк revolver Кира", "Ян revolver Вера", "Лия sleep Ян").report
    assert one.count("Мафия") == 1
    assert "Мафия — наган — Кира — выполнено" in one
    none = once(cast, "Марк revolver Кира", "Ян revolver Вера", "Лия sleep Ян", "Рая sleep Марк").report
    assert [line for line in lines_of(none) if line.startswith("Мафия")] == ["Мафия — наган — Кира — не выполнено — девочка"]


def test_a_diverted_move_is_printed_where_it_went() -> None:
    report = once(f"{BASE}\nЛев killer\nХарри hacker", "Лев kill Кира", "Харри divert Лев Борис").report
    assert "Киллер — убить — Борис — выполнено" in report
    assert "Хакер — сбить ход — Лев — выполнено" in report
    assert "Кира" not in report


def test_several_targets_each_once_and_an_impossible_move() -> None:
    cast = BASE.replace("Марк mafioso", "Марк mafioso level=3") + "\nЛия girl level=3"
    report = once(cast, "Марк triple_kill Вера Борис", "Лия sleep_role role=psycho").report
    assert "Мафия — тройное убийство — Вера, Борис — выполнено" in report
    assert "Девочка — переспать с ролью — псих — не выполнено — не выполнимо" in report


def test_refused_chosen_out_and_hanged_moves_leave_no_line() -> None:
    cast = f"{BASE}\nЯн mafioso\nЛев killer"
    report = once(
        cast, "Марк revolver Кира", "Ян revolver Вера", "Борис bite Вера", "Лев kill Кира", votes="Кира>Борис", first=2
    ).report
    assert report.count("Мафия — ") == 1
    assert "укусить" not in report


def test_causes_have_their_own_words() -> None:
    cast = BASE.replace("Марк mafioso", "Марк mafioso level=1") + "\nОлег assistant\nЛия girl\nМила maniac level=1\nХарри hacker"
    report = once(
        cast, "Олег guard_commissioner Кира", "Лия sleep Кира", "Мила lair", "Харри hack Мила", "Нина necro_poison Борис"
    ).report
    assert "Погиб: Лия (девочка) — помощник комиссара" in report
    assert "Погиб: Харри (хакер) — берлога" in report
    assert "Погиб: Борис (мирный житель) — яд" in report


def test_recruitment_is_not_published_with_the_dead() -> None:
    report = once(f"{BASE}\nЛев killer faction=den level=2", "Кира kill Лев").report
    assert "Погиб: Лев (киллер) — убийство" in report
    assert "логово" not in report


def test_end_of_the_game() -> None:
    assert once("Кира commissioner\nМарк mafioso\nБорис citizen", "Марк revolver Кира").report.endswith("Победа: логово")
    assert once("Кира commissioner\nМарк mafioso", "Марк revolver Кира", "Кира kill Марк").report.endswith("Ничья")


def test_public_lines_never_name_the_mover() -> None:
    cast = f"{BASE}\nМила maniac\nЛия girl\nДина doctor items=licence_kill"
    result = once(cast, "Мила bite Борис", "Лия sleep Вера", "Дина licence_kill Кира", "Марк revolver Вера", first=2)
    movers = {"Мила", "Лия", "Дина", "Марк"}
    lines = [event for event in result.events if isinstance(event, Line)]
    assert lines
    assert not [line for line in lines if movers & set(str(line.data).replace("'", " ").replace(",", " ").split())]


def test_every_line_death_and_outcome_names_its_rule() -> None:
    cast = f"{BASE}\nМила maniac\nЛия girl"
    result = once(cast, "Мила bite Борис", "Лия sleep Вера", votes="Кира>Вера", first=2)
    assert all(event.rule for event in result.events)
