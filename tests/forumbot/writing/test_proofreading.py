"""The reader of proofs finds what a person would mark, and nothing in a clean text."""

import pytest

from tests.forumbot.writing.proofreading import faults

NICKS = {"Марго": "f", "Lana": "f", "Боцман": "m"}


@pytest.mark.parametrize(
    "text",
    [
        "Причина: no_item.",
        "Дежурный: {'mafia': 1}",
        "Ночью погиб Марго — маф.",
        "Его убил Lana.",
        "Вернулась к жизни: Боцман.\nПогибла: Боцман",
        "Приём до вторник, 1 декабря.",
        "Приём по среда, 2 декабря.",
        "У вас 21 монет.",
        "Осталось 2 место.",
        "Вы  здесь.",
        "Победа : мафия",
        "Клан «Красные.",
        "Отказ (): нет.",
        "None",
    ],
)
def test_d02_a_fault_is_found(text: str) -> None:
    assert faults(text, NICKS)


@pytest.mark.parametrize(
    "text",
    [
        "Ночью погибла Lana — маф; причина: мафия.",
        "[b]В игре (2):[/b] Lana, Боцман",
        "Пишите на host@forumbot.test код AB2C-9XYZ.",
        "Вы написали: «kill  Lana»\nПринято: 21 монета, 2 монеты, 5 монет, 11 монет.",
        "Командой: forumbot review list --game demo",
        "до вторника, 1 декабря, 21:00, время UTC+3",
    ],
)
def test_d02_a_clean_text_is_let_pass(text: str) -> None:
    assert faults(text, NICKS) == []
