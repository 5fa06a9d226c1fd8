"""Commands of letters: in the set form «Ход: …», by licence, under the team's plan, about a role."""

from __future__ import annotations

import pytest

from engine.messages import Verdict
from tests.forumbot.reading.test_trouble import FOUR, say, taken


def letter(text: str, role: str, ruleset: str = "mafialife", **ctx: object) -> Verdict:
    return say(text, ruleset, "Глеб", FOUR, role, channel="letter", ctx=ctx)


@pytest.mark.parametrize("command", ["гипноз — Вера", "гипноз: Вера", "танцевать - Вера", "брындование – Вера", "гипноз"])
@pytest.mark.parametrize("rest", ["", "\nХод: лечить - Анна"])
def test_a_move_of_nobody_in_the_set_form_is_refused_beside_any_other(command, rest):
    verdict = letter(f"Ход: {command}{rest}", "doctor")
    refused = [order for order in verdict.orders if order.reason == "not_your_action"]
    assert len(refused) == 1
    assert taken(verdict) == ([("heal", ("Анна",))] if rest else [])


@pytest.mark.parametrize(
    "command", ["гипнотизирую Веру", "гипнотизирую — Вера", "угостить чаем Веру", "чай для Веры", "спеть Вере песню"]
)
@pytest.mark.parametrize(("ruleset", "role"), [("mafialife", "doctor"), ("clans", "doctor"), ("league", "doctor")])
def test_a_move_in_freer_words_is_asked_about_and_never_passed_over(command, ruleset, role):
    verdict = letter(f"Ход: {command}", role, ruleset)
    assert verdict.outcome == "review"
    assert [order.targets for order in verdict.orders] == [("Вера",)]


@pytest.mark.parametrize("said", ["Ход: чай для Веры?", "Ходом Вера вчера не довольна", "Ход: вчера угостила чаем Веру"])
def test_a_question_or_a_tale_behind_the_word_is_no_move(said):
    assert not taken(letter(said, "doctor"))


@pytest.mark.parametrize(
    "said",
    [
        "стреляю в Анну по лицензии",
        "по лицензии стреляю в Анну",
        "убиваю Анну по лицензии на убийство",
        "Выстрел в Анну по лицензии",
    ],
)
def test_a_shot_by_licence_is_no_pistol(said):
    actions = {order.action for order in letter(said, "citizen").orders}
    assert actions == {"licence_kill"}


def test_a_licence_denied_shoots_nobody():
    assert "licence_kill" not in [action for action, _ in taken(letter("стреляю в Анну не по лицензии", "citizen"))]


@pytest.mark.parametrize(
    ("said", "plan"), [(". По плану команды.", True), (". По плану команды?", None), (". Это по плану?", None)]
)
def test_what_is_asked_behind_a_move_adds_nothing_to_it(said, plan):
    (order,) = [order for order in letter("Ход: лечить - Анна" + said, "doctor").orders if order.action == "heal"]
    assert order.args.get("plan") is plan


@pytest.mark.parametrize("role", ["телохранитель", "Громила", "Доктор", "ЖЛП"])
def test_the_name_of_a_role_behind_a_move_about_roles_is_its_argument(role):
    (order,) = letter(f"артист на роль: {role}", "don", "clans").orders
    assert order.action == "replace_role"
    assert order.reason != "no_role"
    assert order.args["role"]


def test_a_refused_move_of_the_own_role_is_not_done_as_everybodys():
    verdict = letter("Ход: посох смерти – Анна", "necromancer", level=0, staff=1)
    assert [(order.action, order.status) for order in verdict.orders] == [("give_staff", "rejected")]
