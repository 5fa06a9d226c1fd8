"""Days of clans through the daemon: proven addresses, letters until 21:00, the newspaper at 23:00, the joint weekend."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.store.tables import deadlines, letters
from tests.forumbot.hosting.clans.table import DEADLINE, NEWSPAPER, Table, seat_players
from tests.forumbot.hosting.world import NICKS

MOSCOW_NINE = timedelta(hours=18)
"""21:00 in Moscow, as hours after midnight UTC."""


def to_newspaper(table: Table) -> None:
    table.world.until(DEADLINE + timedelta(minutes=5), step=timedelta(hours=1))
    table.world.until(NEWSPAPER + timedelta(minutes=1), step=timedelta(minutes=20))
    table.world.settle()


# Who writes -------------------------------------------------------------------------------------------------------------


def test_the_code_of_the_welcome_proves_an_address_and_roles_come_there(table: Table) -> None:
    assert "адрес принят" in table.told("Анна")[0]
    assert any("ваша роль: громила" in letter for letter in table.told("Анна"))
    subject = table.world.forum.pms_to("Анна")[0][0]
    assert re.fullmatch(r"\[g1\] Партия: вы записаны \([А-Я]{6}\)", subject)


def test_another_players_address_and_a_strangers_move_nothing(table: Table) -> None:
    don, thug = table.who("don", "red"), table.who("thug", "red")
    table.world.mail.arrives("stranger@example.org", f"ход {don}", f"Проверяю: {thug}\nУбийство: Анна")
    table.world.settle()
    match = table.match()
    assert match.ruleset.standing(match.game, don) == ()
    assert [s for s, _ in table.world.mail.letters_to("stranger@example.org")] == ["Адрес не привязан"]


def test_each_member_sends_his_own_order_and_the_don_cannot_send_the_thugs(table: Table) -> None:
    don, thug, victim = table.who("don", "red"), table.who("thug", "red"), table.who("doctor")
    table.writes(don, f"Проверяю: {victim}\nгромила бьёт {victim}")
    table.world.settle()
    match = table.match()
    assert [order.action for order in match.ruleset.standing(match.game, don)] == ["check"]
    assert match.ruleset.standing(match.game, thug) == ()
    receipt = table.told(don)[-1]
    assert f"Принято: проверка: {victim}." in receipt
    assert f"Не принято: избиение: {victim}. Причина: у вас нет такого хода; каждый присылает только свой." in receipt


def test_a_private_message_is_read_like_a_letter_and_a_post_is_no_move(table: Table) -> None:
    doctor, other = table.who("doctor"), table.who("witness")
    table.world.pm(doctor, f"лечу {other}")
    table.world.says(other, f"Линч: {doctor}", table.thread())
    table.world.settle()
    match = table.match()
    assert [order.targets for order in match.ruleset.standing(match.game, doctor)] == [(other,)]
    assert dict(match.ruleset.ballots(match.game)) == {}


# The hours --------------------------------------------------------------------------------------------------------------


def test_the_newspaper_and_every_result_leave_together_at_eleven(table: Table) -> None:
    don, doctor, victim = table.who("don", "red"), table.who("doctor"), table.who("commissioner")
    table.writes(don, f"Убийство: {victim}\nПроверяю: {doctor}")
    table.writes(doctor, f"лечу {victim}")
    table.all_talk()
    table.all_vote(table.who("don", "black"))
    table.world.settle()
    table.world.until(DEADLINE + timedelta(hours=1, minutes=59))
    assert table.newspapers() == []
    results = ("итог", "удался", "штрафной", "в гостях", "избили")
    assert not [letter for nick in NICKS[:14] for letter in table.told(nick) if any(word in letter for word in results)]
    assert len(table.world.forum.topics) == 2
    table.world.until(NEWSPAPER)
    assert len(table.newspapers()) == 1
    assert any("Партия: итог проверки" in letter for letter in table.told(don))
    assert any("ход удался" in letter for letter in table.told(doctor))
    assert "День 2" in table.world.forum.topics[table.thread()].subject
    assert table.replays_the_same()


def test_results_leave_in_the_order_of_the_roster(table: Table) -> None:
    doctor, commissioner, journalist = table.who("doctor"), table.who("commissioner"), table.who("journalist")
    table.writes(journalist, f"интервью: {doctor}, {commissioner}")
    table.writes(commissioner, f"проверяю {doctor}")
    table.writes(doctor, f"лечу {commissioner}")
    table.all_talk()
    table.all_vote(table.who("don", "black"))
    table.world.settle()
    before = len(table.world.mail.out)
    to_newspaper(table)
    sent = [to for to, subject, _, _ in table.world.mail.out[before:] if "итог" in subject or "удался" in subject]
    by_roster = [table.address(nick) for nick in NICKS[:14] if nick in (doctor, commissioner, journalist)]
    assert sent == by_roster


def test_a_letter_of_the_dead_hours_is_late_and_its_answer_tells_nothing_of_the_night(table: Table) -> None:
    don, doctor, victim = table.who("don", "red"), table.who("doctor"), table.who("witness")
    table.writes(don, f"Убийство: {victim}")
    table.all_talk()
    table.all_vote(table.who("don", "black"))
    table.world.until(DEADLINE + timedelta(minutes=30))
    assert victim not in table.alive()
    table.writes(victim, f"слежу {doctor}")
    table.writes(doctor, f"лечу {victim}")
    table.world.settle()
    late = "Причина: срок прошёл: ходы и бюллетени этого дня уже не принимаются, на следующий их не откладывают."
    assert f"Не принято: слежка: {doctor}. {late}" in table.told(victim)[-1]
    assert f"Не принято: лечение: {victim}. {late}" in table.told(doctor)[-1]
    assert "Сейчас за вами стоит" not in table.told(doctor)[-1]
    assert sum("Не принято" in letter or "не принят" in letter for letter in table.told(doctor)) == 1


def test_posts_between_nine_and_eleven_count_for_no_day(table: Table) -> None:
    speaker = table.who("citizen")
    table.world.until(DEADLINE - timedelta(minutes=10), step=timedelta(hours=2))
    table.world.says(speaker, "одно два три", table.thread())
    table.world.forum.says(table.thread(), table.world.uid(speaker), speaker, "слово " * 60, at=DEADLINE + timedelta(seconds=1))
    table.all_vote(table.who("don", "black"))
    to_newspaper(table)
    match = table.match()
    assert match.ruleset.turn(match.game) == 2
    assert match.ruleset.known(match.game, speaker).more["words"] == 0
    assert table.state()[speaker]["points"] == 1


def test_saturday_and_sunday_are_one_day(tmp_path: Path) -> None:
    friday = datetime(2026, 12, 4, tzinfo=UTC)
    table = seat_players(tmp_path, "clans", players=8, tables={"activity_penalties": False}, first_day="2026-12-03")
    world = table.world
    world.until(friday + MOSCOW_NINE + timedelta(minutes=1), step=timedelta(hours=1))
    rows = world.rows(sa.select(deadlines).where(deadlines.c.turn == 1, deadlines.c.call == "close"))
    assert [row["due_at"] for row in rows] == [friday + MOSCOW_NINE]
    world.until(friday + timedelta(days=1, hours=22), step=timedelta(hours=1))  # Sunday, 01:00 in Moscow
    world.settle()
    assert len(table.newspapers()) == 1
    assert table.match().turn == 2
    doctor = table.who("doctor")
    patient = next(nick for nick in table.alive() if nick != doctor)
    table.writes(doctor, f"лечу {patient}", friday + timedelta(days=1, hours=18, minutes=30))
    world.settle()
    assert "Принято: лечение" in table.told(doctor)[-1]
    world.until(friday + timedelta(days=2) + MOSCOW_NINE + timedelta(minutes=1), step=timedelta(hours=1))
    assert table.match().turn == 3
    world.until(friday + timedelta(days=2, hours=20, minutes=1))
    world.settle()
    assert len(table.newspapers()) == 2
    assert table.replays_the_same()


# What is public ---------------------------------------------------------------------------------------------------------


def test_nothing_of_moves_ballots_and_roles_stands_in_public(table: Table) -> None:
    don, victim, doctor = table.who("don", "red"), table.who("citizen"), table.who("doctor")
    hanged = table.who("don", "black")
    table.writes(don, f"Убийство: {victim}\nПроверяю: {doctor}")
    table.writes(doctor, f"лечу {don}")
    table.all_talk()
    table.all_vote(hanged, but=(don, doctor))
    table.writes(don, f"Линч: {doctor}")
    table.writes(doctor, f"Линч: {don}")
    table.world.settle()
    to_newspaper(table)
    paper = table.newspapers()[0]
    assert f"Суд Линча: {hanged}" in paper
    assert f"{victim}: убийство от клана" in paper
    secrets = ("дон", "доктор", "громила", "Красные", "Чёрные", "лечен", "провер", "бюллетень от", "голосов")
    assert not [word for word in secrets if word in table.public()]
    assert table.world.value(sa.select(sa.func.count()).select_from(letters).where(letters.c.routed == "address")) > 14
