"""Collective letters of the villains: whoever carries the murder out may be named in front of it in many ways (goldenkey R17)."""

from __future__ import annotations

import pytest

from tests.forumbot.reading.test_trouble import say

ROSTER = ("Анна", "Борис", "Вера", "Глеб", "Топаз", "Лютик")
CLAN = ["Глеб", "Топаз", "Вера"]


def kill(text):
    verdict = say(text, "goldenkey", "Глеб", ROSTER, "karabas", channel="letter", ctx={"clan": CLAN})
    return [
        (order.targets, order.args.get("by")) for order in verdict.orders if order.action == "kill" and order.status == "accepted"
    ]


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Киллер - я. Цель - Лютик", "Глеб"),
        ("На убийство иду я, убить Лютика", "Глеб"),
        ("киллер топаз убивает лютика", "Топаз"),
        ("Карабас вербует Анну, киллер Вера убивает Лютика", "Вера"),
        ("Убивает Топаз, жертва Лютик", "Топаз"),
        ("Убивает Топаз, жертва - Лютик", "Топаз"),
    ],
)
def test_who_kills_is_named_before_whom(text, by):
    assert kill(text) == [(("Лютик",), by)]


@pytest.mark.parametrize("text", ["Киллер Борис убивает Лютика", "Киллер Борис: Лютик", "На убийство не иду я, убить Лютика"])
def test_nobody_kills_who_is_not_of_the_clan_or_refuses(text):
    assert not kill(text)
