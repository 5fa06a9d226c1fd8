"""What counts as a question to the bot and as a wish to leave, and how both are answered in other rulesets than league."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from engine.messages import ReadOrder, Verdict
from forumbot.hosting import inquiries
from forumbot.hosting.judge import Pending
from forumbot.store.tables import verdicts
from tests.forumbot.hosting.hosts import does, sent_to
from tests.forumbot.hosting.world import World


def letter(text: str, subject: str = "ход", channel: str = "letter") -> Pending:
    when = datetime(2026, 12, 1, tzinfo=UTC)
    return Pending("letter:1", channel, when, "Анна", None, subject, text, "plain", False, "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "баланс",
        "Какой у меня баланс?",
        "Пришлите мой баланс, пожалуйста",
        "Сколько у меня монет?",
        "сколько слов я написал",
        "мои ходы",
        "Что за мной стоит?",
        "Добрый вечер!\nЧто у меня есть?\nСпасибо",
        "Лечение: Борис\nстатус",
    ],
)
def test_questions(text: str) -> None:
    assert inquiries.asks(letter(text))
    assert not inquiries.asks(letter(text, channel="post"))


@pytest.mark.parametrize(
    "text",
    [
        "Лечение: Статус",
        "Жертва: Борис\nРассказ:\nстатус",
        "мои ходы никому не интересны, и баланс сил нарушен",
        "у Бориса странный баланс",
        "",
    ],
)
def test_no_questions(text: str) -> None:
    assert not inquiries.asks(letter(text))


def test_the_subject_alone_may_ask() -> None:
    assert inquiries.asks(letter("", subject="Баланс"))


ORDER = ReadOrder("heal", ("Борис",))


@pytest.mark.parametrize(
    ("text", "read", "outcome"),
    [
        ("выхожу из игры", Verdict("ignored"), "review"),
        ("К сожалению, вынужден покинуть игру", Verdict("ignored"), "review"),
        ("прошу снять меня с игры", Verdict("ignored"), "review"),
        ("я не выхожу из игры", Verdict("ignored"), "ignored"),
        ("если меня убьют, выхожу из игры", Verdict("ignored"), "ignored"),
        ("Борис выходит из игры", Verdict("ignored"), "ignored"),
        ("лечу Бориса\nвыхожу из игры", Verdict("accepted", None, (ORDER,)), "accepted"),
    ],
)
def test_leaving_is_for_the_host(text: str, read: Verdict, outcome: str) -> None:
    verdict = inquiries.leaving(letter(text), read, ("host_fine", "host_remove"))
    assert verdict.outcome == outcome
    asked = (ReadOrder("host_remove", status="review", reason="leave"),)
    assert verdict.orders == (asked if outcome == "review" else read.orders)


def test_other_rulesets_let_a_player_go_and_say_so(day: World) -> None:
    """goldenkey: the thread hears who is out, and nothing of his role."""
    day.pm("Анна", "Снимаюсь с игры")
    day.settle()
    assert sent_to(day, "Анна", "Решает ведущий")
    does(day, "accept", verdict=day.value(sa.select(verdicts.c.id).where(verdicts.c.reason == "leave")))
    day.settle()
    assert "Анна" in day.forum.texts(day.forum.find("День 1"))[-1]


def test_what_stands_is_told_on_request(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    day.pm("Анна", "статус")
    day.settle()
    (answer,) = sent_to(day, "Анна", "Сейчас за вами стоит")
    assert "голос: Борис" in answer
    assert "Хода в письме нет" not in answer
