"""What is for a person: questions, complaints, wishes to leave and reports carry ``for_host`` in the answers of ``parse``."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from engine.rulesets import NAMES
from forumbot.cli.parse import command

ROLES = {"league": "doctor", "clans": "doctor", "goldenkey": "artemon", "mafialife": "doctor"}
FOR_A_PERSON = (
    "Подскажите, когда конец хода?",
    "Ведущий, а мой ход принят?",
    "А можно ходить на себя?",
    "У меня пропала броня за голос",
    "Верните мои 20 монет",
    "Не вижу результата проверки",
    "Больше не могу играть, замените меня",
    "Прошу снять меня с игры",
    "Я выхожу из игры",
    "Жалоба на Бориса: он подсказывает в теме",
    "Анна пишет с двух аккаунтов",
    "Борис показал всем свою роль, это нарушение",
)
FOR_NOBODY = ("Добрый вечер!", "Спасибо за игру", "Всем удачи, отличная партия")


def parse(text: str, ruleset: str, **more: Any) -> dict[str, Any]:
    line = {"id": "1", "ruleset": ruleset, "kind": "letter", "roster": ["Анна", "Борис", "Вера"], "author": "Вера",
            "author_role": ROLES[ruleset], "text": text, "channel": "letter", "format": "plain"}  # fmt: skip
    done = CliRunner().invoke(command, ["--json", "--words"], input=json.dumps(line | more, ensure_ascii=False))
    answer: dict[str, Any] = json.loads(done.output)
    return answer


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("text", FOR_A_PERSON)
def test_what_only_a_person_can_answer_is_for_the_host_and_no_order(text: str, ruleset: str) -> None:
    answer = parse(text, ruleset)
    assert answer.get("for_host") is True
    assert answer["outcome"] != "accepted"


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("text", FOR_NOBODY)
def test_chatter_is_for_nobody(text: str, ruleset: str) -> None:
    answer = parse(text, ruleset)
    assert answer["outcome"] == "ignored"
    assert "for_host" not in answer


@pytest.mark.parametrize("ruleset", ["league", "clans", "mafialife"])
def test_a_question_beside_an_order_is_passed_on_and_the_order_stands(ruleset: str) -> None:
    answer = parse("Лечу Анну. А когда конец хода?", ruleset)
    assert answer["outcome"] == "accepted"
    assert answer["for_host"] is True
    assert "for_host" not in parse("Лечу Анну.", ruleset)


@pytest.mark.parametrize("ruleset", NAMES)
def test_in_a_thread_only_what_speaks_to_the_host_or_of_leaving_is_for_him(ruleset: str) -> None:
    post = {"channel": "post", "format": "bbcode", "kind": "vote"}
    assert parse("Ведущий, можно вопрос?", ruleset, **post)["for_host"] is True
    assert "for_host" not in parse("А где вы были вчера?", ruleset, **post)


def test_each_word_is_told_with_what_explains_it() -> None:
    answer = parse("пожалуйста, чпокаю Анну", "clans")
    assert answer["outcome"] == "review"
    assert answer["unexplained"] == ["чпокаю"]
    answer = parse("пожалуйста, лечу Анну", "clans")
    assert answer["explained"] == [["пожалуйста", "politeness"], ["лечу", "action:heal"], ["Анну", "nick:Анна"]]
    assert answer["unexplained"] == []


# P07 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("body", ["см. тему", "смотрите тему", "Добрый вечер!", "всем привет, ход в теме"])
@pytest.mark.parametrize("subject", ["лечу", "Лечение", "броня", "ход", "охраняю"])
def test_p07_a_subject_over_a_body_without_an_order_is_no_act_on_oneself(subject: str, body: str, ruleset: str) -> None:
    answer = parse(body, ruleset, subject=subject)
    assert answer["outcome"] != "accepted"
    assert not [order for order in answer["orders"] if order["status"] == "accepted"]


# Very long letters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("text", ["лечу Анну " * 200_000, "а" * 2_000_000, "> лечу Бориса\n" * 150_000 + "лечу Анну"])
def test_a_letter_of_two_megabytes_is_left_to_the_host_at_once(text: str, ruleset: str) -> None:
    answer = parse(text, ruleset)
    assert (answer["outcome"], answer["reason"], answer["orders"]) == ("review", "too_long", [])
