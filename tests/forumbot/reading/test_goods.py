"""P20: a good and the verb that buys it, in neighbouring sentences or parts of one, are one wish and no question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from forumbot.cli.main import main
from tests.forumbot.reading.test_trouble import say


def read(text: str, ruleset: str = "league", **ctx: Any) -> tuple[str, list[tuple[str | None, str]]]:
    """The outcome, and (good, status) of each order."""
    line = {"id": "1", "ruleset": ruleset, "kind": "purchase", "roster": ["Анна", "Борис"], "author": "Анна", "author_role": None,
            "subject": None, "text": text, "channel": "letter", "format": "plain", "ctx": ctx or {"coins": 100}}  # fmt: skip
    answer = json.loads(CliRunner().invoke(main, ["parse", "--json"], input=json.dumps(line, ensure_ascii=False)).output)
    return answer["outcome"], [(order["args"].get("item"), order["status"]) for order in answer["orders"]]


@pytest.mark.parametrize(
    "text",
    [
        "Защита от маньяка, пожалуйста. Покупаю.",
        "Защита от маньяка. Покупаю.",
        "Защита от маньяка! Куплю",
        "Защита от маньяка, будьте добры. Оплачиваю.",
        "Защита от маньяка\nПокупаю",
        "Защита от маньяка — покупаю",
        "Защита от маньяка. Куплю её.",
        "Покупаю. Защита от маньяка, пожалуйста.",
    ],
)
def test_p20_a_good_and_its_verb_are_one_wish(text: str) -> None:
    assert read(text) == ("accepted", [("armour_maniac", "accepted")])


def test_p20_a_verb_holds_for_all_goods_before_it_and_says_how_they_are_paid() -> None:
    goods = [("armour_maniac", "accepted"), ("armour_mafia", "accepted")]
    assert read("Защита от маньяка. Защита от мафии. Покупаю.") == ("accepted", goods)
    assert read("Броню, пожалуйста. Покупаю за МБ.", "mafialife", mafbucks=100) == ("accepted", [("armour", "accepted")])


@pytest.mark.parametrize(
    "text",
    ["Защита от маньяка. Не покупаю.", "Защита от маньяка. Покупаю завтра.", "Защита от маньяка. Наверное, покупаю.",
     "Защита от маньяка. Если хватит денег, покупаю.", "Покупаю. Спасибо!"],
)  # fmt: skip
def test_p20_what_is_doubtful_of_the_verb_is_doubtful_of_the_good(text: str) -> None:
    assert "accepted" not in {read(text)[0], *(status for _, status in read(text)[1])}


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("Куплю броню за МБ, а за голос - презерватив", ["mafbucks", "vote"]),
        ("Куплю броню за голос, а за ход - презерватив", ["vote", "move"]),
        ("Купить: броня за МБ. За голос - презерватив", ["mafbucks", "vote"]),
    ],
)
def test_each_good_has_the_payment_that_is_said_with_it(text, pays):
    verdict = say(text, "mafialife", channel="letter")
    assert [(order.args["item"], order.args["pay"]) for order in verdict.orders] == [
        *zip(("armour", "condom"), pays, strict=True)
    ]


def test_a_second_good_without_payment_is_asked_about_and_not_lost():
    verdict = say("Куплю броню за МБ, а ещё - презерватив", "mafialife", channel="letter")
    assert {order.args.get("item") for order in verdict.orders} == {"armour", "condom"}
