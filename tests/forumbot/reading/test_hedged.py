"""Minimal pairs: for every action that the agreed lines give plainly, the plain order is taken and the hedged one never."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from forumbot.reading.hedges.table import table
from tests.forumbot.reading.corpus import answer, score
from tests.forumbot.reading.test_corpus import DOUBTS, PLAIN, _lower, _said_so
from tests.forumbot.reading.test_trouble import say

BEFORE = (
    "Может быть,",
    "Наверное,",
    "Возможно,",
    "Если получится,",
    "Допустим,",
    "Например:",
    "Пример:",
    "Завтра",
    "Вчера",
    "Хочется думать, что",
    "Анонимка:",
    "Говорят,",
    "Мне снилось, что",
    "А что если",
    "Не факт, что",
    "Сомневаюсь, что",
    "Черновик:",
    "Не уверен, но",
    "Шутка:",
    "Предположим,",
    "Кажется,",
    "Как вариант:",
    "Если что,",
)
BEHIND = (
    "? Или нет?",
    ", если доживу",
    ", но это не точно",
    ", наверное",
    ", а может, и нет",
    "... шутка",
    ", но не сегодня",
    ", или лучше завтра?",
    ". Хотя ещё подумаю.",
    ", но могу передумать",
    ". Или нет",
    ", но это вчерашний ход",
)


def _before(words: str) -> Callable[[str], str]:
    return lambda text: f"{words} {_lower(text)}"


def _behind(words: str) -> Callable[[str], str]:
    return lambda text: text.rstrip(".! ") + words


HEDGES: dict[str, Callable[[str], str]] = DOUBTS | {w: _before(w) for w in BEFORE} | {w: _behind(w) for w in BEHIND}


def _one_of_each_action() -> list[dict[str, Any]]:
    chosen: dict[tuple[str, str, str], dict[str, Any]] = {}
    for line in PLAIN:
        orders = line["expect"]["orders"]
        if len(orders) == 1 and score(line, answer(line))[0]:
            chosen.setdefault((line["ruleset"], line["channel"], orders[0]["action"]), line)
    return list(chosen.values())


PAIRS = _one_of_each_action()


def _taken(line: Mapping[str, Any], change: Callable[[str], str]) -> bool:
    return answer(_said_so(line, change)).outcome == "accepted"


def test_pairs_are_of_many_actions_and_hedges():
    assert len(PAIRS) > 50
    assert len(HEDGES) >= 30


TAKEN = {
    ("bid_role", "Завтра"): "a bid is for the night that comes",
    ("refuse_work", "Завтра"): "«всем отказ» behind it refuses by itself",
    ("refuse_work", "Вчера"): "«всем отказ» behind it refuses by itself",
}
"""Orders that a hedge leaves what they are."""


@pytest.mark.parametrize("hedge", HEDGES)
def test_hedged_order_is_never_taken(hedge):
    pairs = [line for line in PAIRS if (line["expect"]["orders"][0]["action"], hedge) not in TAKEN]
    taken = [line for line in pairs if _taken(line, HEDGES[hedge])]
    assert not [f"{line['id']}: {_said_so(line, HEDGES[hedge])['text']!r}" for line in taken]


@pytest.mark.parametrize("row", table(), ids=lambda row: f"{row.reason}: {row.example}")
def test_example_of_a_hedge_is_not_taken(row):
    verdict = say(row.example, "clans", "Вера", ("Анна", "Борис", "Вера"), "doctor", channel="letter", format="plain")
    assert verdict.outcome != "accepted"
