"""Answers to a question that the letter quotes: what the quoted words ask is never an order, and what answers it never lost."""

from __future__ import annotations

import pytest

from tests.forumbot.reading.test_trouble import FOUR, say, taken


def letter(text, role="malvina", ruleset="goldenkey"):
    return say(text, ruleset, "Глеб", FOUR, role, channel="letter")


@pytest.mark.parametrize("text", ["> Кого приглашаете?\nАнну", "> Здравствуйте!\n> Кого пригласить?\n\nАнну"])
def test_a_nick_below_a_question_about_one_move_is_that_move(text):
    assert taken(letter(text)) == [("invite", ("Анна",))]


@pytest.mark.parametrize("text", ["> Кто вам не нравится?\nАнну", "> Кого приглашаете?\nАнну?", "> Приглашаю Бориса\nАнну"])
def test_a_nick_below_other_words_stays_a_question(text):
    assert not taken(letter(text))


@pytest.mark.parametrize("yes", ["Да.", "Да, подтверждаю.", "Верно", "Именно так!"])
def test_yes_to_a_quoted_question_about_a_move_is_asked_about(yes):
    verdict = letter(f"{yes}\n\n> Вы хотите лечить Анну?", "doctor", "league")
    assert [(order.action, order.targets, order.status) for order in verdict.orders] == [("heal", ("Анна",), "review")]


@pytest.mark.parametrize(
    "text", ["Да.\n\n> Ход принят: лечить Анну.", "Спасибо, да!\n\n> Всем хорошей ночи?", "Нет.\n\n> Вы лечите Анну?"]
)
def test_yes_to_no_question_about_a_move_is_talk(text):
    assert letter(text, "doctor", "league").outcome == "ignored"
