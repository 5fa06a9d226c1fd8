"""Activity in clans: words and ballots, the reminder before the deadline, points as warnings, removal at three."""

from __future__ import annotations

from datetime import timedelta

from tests.forumbot.hosting.clans.table import DEADLINE, NEWSPAPER, WORDS, Table


def reminders(table: Table, nick: str) -> list[str]:
    return [letter for letter in table.told(nick) if "скоро срок" in letter]


def points(table: Table, nick: str) -> list[str]:
    return [letter for letter in table.told(nick) if "штрафной балл" in letter]


def a_day(table: Table, day: int, hanged: str, silent: str) -> None:
    """Day ``day`` is talked and voted through by all but one, up to its newspaper."""
    table.all_talk(but=(silent,))
    table.all_vote(hanged, but=(silent,))
    table.world.until(DEADLINE + timedelta(days=day - 1, minutes=1), step=timedelta(hours=3))
    table.world.until(NEWSPAPER + timedelta(days=day - 1, minutes=1), step=timedelta(hours=1))
    table.world.settle()


def test_the_reminder_shows_words_and_ballot_to_whoever_lacks_something(table: Table) -> None:
    silent, talker, done = "Борис", "Глеб", table.who("maniac")
    table.world.says(talker, WORDS * 2 + "[quote=Анна]чужие слова[/quote] :smile:", table.thread())
    table.writes(talker, f"Линч: {silent}")
    table.world.says(done, WORDS * 11, table.thread())
    table.writes(done, f"Линч: {silent}\nПриглашаю {talker}")
    table.world.until(DEADLINE - timedelta(minutes=30), step=timedelta(hours=1))
    table.world.settle()
    (to_silent,) = reminders(table, silent)
    assert "От вас ещё не пришло: линч." in to_silent
    assert "Ваших слов в теме дня: 0, нужно: 55.\nВашего бюллетеня нет." in to_silent
    (to_talker,) = reminders(table, talker)
    assert "От вас ещё не пришло" not in to_talker
    assert f"Ваших слов в теме дня: 10, нужно: 55.\nВаш бюллетень стоит: {silent}." in to_talker
    assert reminders(table, done) == []


def test_words_that_were_edited_out_or_deleted_do_not_count(table: Table) -> None:
    edits, deletes = "Борис", "Глеб"
    first = table.world.says(edits, WORDS * 11, table.thread())
    second = table.world.says(deletes, WORDS * 11, table.thread())
    table.world.settle()
    known = table.match().ruleset.known
    assert known(table.match().game, edits).more["words"] == 55
    table.world.forum.edits(table.thread(), first, WORDS)
    table.world.forum.deletes(table.thread(), second)
    table.all_vote(table.who("don", "black"))
    table.world.until(NEWSPAPER + timedelta(minutes=1), step=timedelta(minutes=30))
    table.world.settle()
    assert ["мало слов" in letter for letter in points(table, edits)] == [True]
    assert ["мало слов" in letter for letter in points(table, deletes)] == [True]
    assert table.replays_the_same()


def test_points_warn_and_the_third_removes(table: Table) -> None:
    silent = table.who("citizen")
    a_day(table, 1, hanged=table.who("don", "black"), silent=silent)
    first, second = points(table, silent)
    assert "мало слов в теме дня. Всего баллов: 1. Это предупреждение: при 3 баллах игрок выбывает." in first
    assert "нет бюллетеня на суде Линча. Всего баллов: 2." in second
    assert points(table, table.who("don", "red")) == []
    a_day(table, 2, hanged=table.who("thug", "black"), silent=silent)
    assert f"{silent}: автокилл" in table.newspapers()[1]
    assert silent not in table.alive()
    assert "Вы выбываете из игры (автокилл)." in points(table, silent)[-1]
    assert "балл" not in table.public()
    assert table.replays_the_same()
