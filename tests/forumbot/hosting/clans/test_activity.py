"""Activity in clans: words and ballots, the reminder before the deadline, points as warnings, removal at three."""

from __future__ import annotations

from datetime import timedelta

from tests.forumbot.hosting.clans.table import DEADLINE, NEWSPAPER, WORDS, Table


def reminders(table: Table, nick: str) -> list[str]:
    return [letter for letter in table.told(nick) if "скоро срок" in letter]


def points(table: Table, nick: str) -> list[str]:
    return [letter for letter in table.told(nick) if "вам штрафной балл" in letter or "вам 2 штрафных балла" in letter]


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
    (both,) = points(table, silent)  # one letter a day
    assert "вам 2 штрафных балла: мало слов в теме дня, нет бюллетеня на суде Линча. Всего баллов: 2." in both
    assert "Это предупреждение: при 3 баллах игрок выбывает." in both
    assert points(table, table.who("don", "red")) == []
    a_day(table, 2, hanged=table.who("thug", "black"), silent=silent)
    assert f"{silent}: автокилл" in table.newspapers()[1]
    assert silent not in table.alive()
    assert "Вы выбываете из игры (автокилл)." in points(table, silent)[-1]
    assert "балл" not in table.public()
    assert table.replays_the_same()


def test_e09_the_host_hears_of_the_dead_and_of_strangers_in_the_day(table: Table) -> None:
    dead = table.who("citizen")
    a_day(table, 1, hanged=dead, silent=table.who("don", "red"))
    forum, topic = table.world.forum, table.thread()
    for _ in range(2):
        table.world.says(dead, "А я знаю, кто меня убил.", topic)
        forum.says(topic, 99, "Прохожий", "Что у вас тут?")
        table.world.settle()
    forum.says(topic, 98, "Ведущий", "Без подсказок, пожалуйста.")
    table.world.says(table.alive()[0], WORDS, topic)
    table.world.settle()
    told = [text for _, text in table.world.mail.letters_to("owner@example.org") if "пишет" in text and "теме дня 2" in text]
    assert len(told) == 2
    assert any(f"пишет выбывший игрок {dead}." in text for text in told)
    assert any("пишет посторонний Прохожий." in text for text in told)


def test_evening_whoever_wants_no_reminders_gets_none_until_he_wants_them_again(table: Table) -> None:
    quiet, undecided = "Борис", "Глеб"
    table.writes(quiet, "Без напоминаний, пожалуйста")
    table.writes(undecided, "Не напоминайте мне")
    table.world.settle()
    assert any("Напоминаний перед сроками больше не будет." in letter for letter in table.told(quiet))
    table.writes(undecided, "Напоминайте")
    table.world.until(DEADLINE - timedelta(minutes=30), step=timedelta(hours=1))
    table.world.settle()
    assert reminders(table, quiet) == []
    assert len(reminders(table, undecided)) == 1
