"""The host's measures in clans: violations, disqualification, a coalition that ends the game, and taking all of it back."""

from __future__ import annotations

from datetime import timedelta

from tests.forumbot.hosting.clans.table import DEADLINE, NEWSPAPER, Table


def violation(table: Table, player: str, kind: str, *, proof: bool = True) -> str | None:
    return table.asks("host", action="host_violation", player=player, args={"kind": kind, "proof": proof})


def penalties(table: Table, nick: str) -> list[str]:
    return [letter for letter in table.told(nick) if "Партия: наказание" in letter]


def to_newspaper(table: Table, day: int = 1) -> None:
    table.all_talk()
    table.all_vote(table.who("maniac"))
    table.world.until(DEADLINE + timedelta(days=day - 1, minutes=1), step=timedelta(hours=3))
    table.world.until(NEWSPAPER + timedelta(days=day - 1, minutes=1), step=timedelta(hours=1))
    table.world.settle()


def test_a_first_violation_costs_the_move_and_the_letter_comes_with_the_newspaper(table: Table) -> None:
    doctor = table.who("doctor")
    table.writes(doctor, "лечу Анну")
    assert violation(table, doctor, "role_reveal") is None
    assert penalties(table, doctor) == []
    to_newspaper(table)
    (letter,) = penalties(table, doctor)
    assert "за нарушение правил вы лишены хода этой ночи. Бюллетень считается." in letter
    assert any("ваш ход «лечение» не удался" in one for one in table.told(doctor))
    assert "лишен" not in table.public()
    assert table.replays_the_same()


def test_a_second_one_and_a_disqualification_end_the_players_game(table: Table) -> None:
    doctor, witness = table.who("doctor"), table.who("witness")
    assert violation(table, doctor, "leak") is None
    assert violation(table, doctor, "other") is None
    assert table.asks("remove", player=witness) is None
    assert {doctor, witness} <= set(table.alive())
    to_newspaper(table)
    assert f"{doctor}: дисквалификация" in table.newspapers()[0]
    assert f"{witness}: дисквалификация" in table.newspapers()[0]
    assert "вы выведены из игры" in penalties(table, doctor)[-1]
    assert "вы выведены из игры" in penalties(table, witness)[-1]


def test_without_proof_there_is_only_a_warning(table: Table) -> None:
    doctor = table.who("doctor")
    assert violation(table, doctor, "asking_roles", proof=False) is None
    to_newspaper(table)
    assert ["предупреждает вас" in letter for letter in penalties(table, doctor)] == [True]
    assert table.state()[doctor]["violations"] == 0


def test_a_dead_violators_side_pays_and_each_living_member_is_told(table: Table) -> None:
    don, thug = table.who("don", "red"), table.who("thug", "red")
    assert table.asks("remove", player=thug) is None
    to_newspaper(table)
    table.writes(don, f"Проверяю: {table.who('doctor')}")
    table.world.settle()
    assert violation(table, thug, "dead_influence") is None
    to_newspaper(table, day=2)
    assert "за нарушение правил выбывшим игроком ваша сторона теряет этой ночью 1 ход" in penalties(table, don)[-1]
    assert any("ваш ход «проверка» не удался" in letter for letter in table.told(don))


def test_a_measure_may_come_between_deadline_and_newspaper_for_the_next_night(table: Table) -> None:
    doctor = table.who("doctor")
    table.all_talk()
    table.all_vote(table.who("maniac"))
    table.world.until(DEADLINE + timedelta(minutes=30), step=timedelta(hours=1))
    assert violation(table, doctor, "role_reveal") is None
    table.world.until(NEWSPAPER + timedelta(minutes=1))
    table.world.settle()
    assert penalties(table, doctor) == []
    to_newspaper(table, day=2)
    assert len(penalties(table, doctor)) == 1


def test_a_measure_taken_back_before_the_deadline_was_never_given(table: Table) -> None:
    doctor = table.who("doctor")
    table.writes(doctor, "лечу Анну")
    assert violation(table, doctor, "horn") is None
    assert table.asks("undo", act=table.last_act()) is None
    assert violation(table, doctor, "role_reveal") is None
    assert table.asks("host", action="host_undo", player=doctor) is None
    to_newspaper(table)
    assert doctor in table.alive()
    assert penalties(table, doctor) == []
    assert any("ваш ход «лечение» удался" in letter for letter in table.told(doctor))


def test_a_violation_of_an_earlier_day_is_struck_by_a_correction_or_with_a_letter(table: Table) -> None:
    doctor = table.who("doctor")
    assert violation(table, doctor, "role_reveal") is None
    given = table.last_act()
    to_newspaper(table)
    assert table.asks("undo", act=given) is None
    assert table.state()[doctor]["violations"] == 0
    assert violation(table, doctor, "role_reveal") is None
    to_newspaper(table, day=2)
    assert table.asks("host", action="host_undo", player=doctor) is None
    assert "ведущий снял с вас нарушение" in table.told(doctor)[-1]
    assert table.state()[doctor]["violations"] == 0
    assert "это уже сделано" in str(table.asks("host", action="host_undo", player=doctor))
    assert table.replays_the_same()


def test_an_unknown_kind_is_refused_with_one_sentence(table: Table) -> None:
    assert "неизвестный вид нарушения" in str(violation(table, table.who("doctor"), "rudeness"))


def test_a_coalition_ends_the_game_at_once(table: Table) -> None:
    table.writes(table.who("don", "red"), "Убийство: Анна")
    table.all_vote("Анна")
    table.world.settle()
    assert violation(table, table.who("maniac"), "coalition") is None
    assert table.world.clock.now() < DEADLINE
    (paper,) = table.newspapers()
    assert "Игра прекращена ведущим" in paper and "Ничья" in paper
    assert "Анна:" not in paper
    assert table.match().ruleset.winner(table.match().game) == "draw"
    table.world.until(NEWSPAPER + timedelta(days=1), step=timedelta(hours=4))
    assert len(table.newspapers()) == 1
    assert table.replays_the_same()


def test_a_coalition_before_the_newspaper_brings_both_newspapers_out(table: Table) -> None:
    table.all_talk()
    table.all_vote(table.who("maniac"))
    table.world.until(DEADLINE + timedelta(minutes=20), step=timedelta(hours=1))
    assert table.newspapers() == []
    assert violation(table, table.who("doctor"), "coalition") is None
    assert table.world.clock.now() < NEWSPAPER
    assert ["Игра прекращена" in paper for paper in table.newspapers()] == [False, True]


def test_a_coalition_without_proof_ends_nothing(table: Table) -> None:
    assert violation(table, table.who("doctor"), "coalition", proof=False) is None
    assert table.match().stage == "turn"
