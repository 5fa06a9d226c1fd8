"""Letters to the host: what is for a person reaches him, and the writer hears so; nothing of it ends as «Хода в письме нет»."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.store.tables import questions
from tests.forumbot.hosting.hosts import does, refused, sent_to, undoes
from tests.forumbot.hosting.world import World


def noted(world: World) -> list[tuple[str, str]]:
    return [(row["author"], row["kind"]) for row in world.rows(sa.select(questions).order_by(questions.c.id))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ведущий, можно вопрос? А если меня убьют, мой голос считается?", "question"),
        ("больше не могу играть, замените меня, пожалуйста", "leave"),
        ("У меня пропала броня, проверьте", "complaint"),
        ("Борис выспрашивает роли в личке, это нарушение правил", "report"),
        ("Я вчера написал глупость в теме, не сердитесь", "other"),
    ],
)
def test_h10_what_is_for_a_person_reaches_the_host(day: World, text: str, kind: str) -> None:
    day.pm("Анна", text, "письмо")
    day.settle()
    assert noted(day) == [("Анна", kind)]
    assert not sent_to(day, "Анна", "Хода в письме нет")
    assert sent_to(day, "Анна", "передано" if kind == "leave" else "Передано ведущему")


def test_e01_thanks_are_no_question(day: World) -> None:
    day.pm("Анна", "Спасибо, понял!")
    day.settle()
    assert noted(day) == []


def test_h10_the_host_answers_and_may_take_it_back(day: World) -> None:
    day.pm("Анна", "Скажите, а можно ли голосовать за себя?")
    day.settle()
    number = day.value(sa.select(questions.c.id))
    done = does(day, "answer", question=number, text="Можно")
    day.settle()
    (told,) = sent_to(day, "Анна", "Ведущий отвечает")
    assert "Можно" in told
    assert "голосовать за себя" in told
    assert day.value(sa.select(questions.c.answer)) == "Можно"
    undoes(day, done)
    assert day.value(sa.select(questions.c.closed_at)) is None


def test_e01_an_answer_to_the_hosts_letter_goes_to_the_host(day: World) -> None:
    does(day, "write", player="Анна", text="Вы ещё с нами?")
    day.settle()
    day.pm("Анна", "да")
    day.settle()
    assert noted(day) == [("Анна", "reply")]


@pytest.mark.parametrize("act", ["remove", "replace"])
def test_h10_a_wish_to_leave_is_granted_from_its_question(day: World, act: str) -> None:
    day.pm("Анна", "Не смогу больше играть, снимите меня с игры")
    day.settle()
    assert any("просит отпустить" in subject for subject, _ in day.mail.letters_to("owner@example.org"))
    number = day.value(sa.select(questions.c.id))
    newcomer = {"nick": "Яна", "uid": 900} if act == "replace" else {"wish": True}
    done = does(day, act, player="Анна", question=number, **newcomer)
    assert day.value(sa.select(questions.c.closed_by)) == f"act:{done}"
    undoes(day, done)
    assert day.value(sa.select(questions.c.closed_at)) is None


def test_e09_a_stranger_and_a_dead_player_in_the_days_thread_are_told_to_the_host(day: World) -> None:
    does(day, "remove", player="Борис")
    day.settle()
    thread = day.forum.find("День")
    day.forum.says(thread, 900, "Прохожий", "А Анна-то мафия!")
    day.says("Борис", "Вешайте Анну, она меня и убила")
    day.says("Борис", "Красивая сегодня луна")
    day.settle()
    assert noted(day) == [("Прохожий", "outsider"), ("Борис", "dead")]
    assert day.forum.pms_to("Прохожий") == []


def test_e01_a_question_to_the_host_in_the_thread_is_passed_on(day: World) -> None:
    day.says("Анна", "Ведущий, подскажите, до скольки сегодня голосуем?")
    day.says("Вера", "Ведущий сегодня строг")
    day.settle()
    assert noted(day) == [("Анна", "question")]
    assert sent_to(day, "Анна", "передано ведущему")


def test_h10_questions_are_told_to_the_host_once_a_day(day: World) -> None:
    day.pm("Анна", "Ведущий, можно вопрос? Голосовать за себя можно?")
    day.settle()
    day.until(day.clock.now() + timedelta(hours=20), step=timedelta(minutes=45))
    (told,) = [text for subject, text in day.mail.letters_to("owner@example.org") if "за день" in subject]
    assert "Анна спрашивает" in told
    does(day, "heard", question=day.value(sa.select(questions.c.id)))
    day.until(day.clock.now() + timedelta(hours=24), step=timedelta(minutes=45))
    assert len([subject for subject, _ in day.mail.letters_to("owner@example.org") if "за день" in subject]) == 1


def test_h10_a_question_is_settled_once(day: World) -> None:
    day.pm("Анна", "Можно ли голосовать за себя?")
    day.settle()
    number = day.value(sa.select(questions.c.id))
    does(day, "heard", question=number)
    assert "уже решён" in refused(day, "answer", question=number, text="Можно")


def test_h10_a_move_beside_a_wish_to_leave_counts_and_the_wish_is_passed_on(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.pm("Анна", "отменяю ход\nБольше не могу играть, найдите мне замену")
    day.settle()
    assert noted(day) == [("Анна", "leave")]


def test_d07_the_subject_stands_apart_from_the_words_of_a_letter(day: World) -> None:
    day.pm("Анна", "хочу быть Мальвиной", "заявка")
    day.settle()
    assert sent_to(day, "Анна", "Вы написали: «заявка» / «хочу быть Мальвиной»")
