"""Parts A (votes), B and D of the trouble list: faults that such programs have had, each as its smallest input."""

from __future__ import annotations

from typing import Any

import pytest

from engine.messages import Verdict
from tests.forumbot.reading.corpus import answer

FOUR = ("Анна", "Борис", "Вера", "Глеб")


def say(
    text: str,
    ruleset: str = "league",
    author: str = "Глеб",
    roster: tuple[str, ...] = FOUR,
    role: str | None = "citizen",
    **more: Any,
) -> Verdict:
    post = ruleset in ("league", "goldenkey") and "channel" not in more
    line = {
        "id": "t",
        "ruleset": ruleset,
        "kind": "vote",
        "roster": list(roster),
        "author": author,
        "author_role": role,
        "subject": None,
        "text": text,
        "channel": "post" if post else "letter",
        "format": "bbcode" if post else "plain",
        "ctx": {},
        **more,
    }
    return answer(line)


def taken(verdict: Verdict) -> list[tuple[str, tuple[str, ...]]]:
    return [(order.action, order.targets) for order in verdict.orders if order.status == "accepted"]


def red(text: str) -> str:
    return f"[color=red]{text}[/color]"


@pytest.mark.parametrize(
    "text",
    [
        f"[quote=Борис][quote=Вера]да[/quote]{red('Виновен Анна')}[/quote] не согласен",  # T01
        f"[quote=Борис]{red('Виновен Анна')}[/quote]",  # T02
        f"[code]{red('Виновен Анна')}[/code]",
        red("Борис не виновен"),  # T26
    ],
)
def test_somebody_elses_words_and_denials_are_no_vote(text):
    verdict = say(text)
    assert verdict.outcome == "ignored"
    assert not verdict.orders


def test_struck_vote_gives_way_to_the_one_that_stands():  # T03
    verdict = say(f"[s]{red('Виновен Борис')}[/s] {red('Виновен Вера')}")
    assert taken(verdict) == [("vote", ("Вера",))]


@pytest.mark.parametrize(
    "text",
    [
        "[color=red]Вино[/color][color=red]вен [b]Бор[/b]ис[/color]",  # T04
        "[b][color=red][i]Виновен Борис[/i][/color][/b]",
        red("Борис — виновен!"),  # T16
        red("ВИНОВЕН:Борис."),
        red("Виновен @Борис"),  # T21
        red("Виновен [url=/user/2]Борис[/url]"),
        f"{red('Виновен Борис')}\n{red('Виновен Борис')}",  # T34
    ],
)
def test_vote_for_boris_is_found_whatever_its_signs(text):
    assert taken(say(text)) == [("vote", ("Борис",))]


def test_word_of_the_other_gender_is_a_vote_too():  # T16
    assert taken(say(red("Виновна Вера"))) == [("vote", ("Вера",))]


def test_edited_blue_vote_is_refused():  # T05
    verdict = say("[color=blue]Борис[/color]", "goldenkey", "Анна", ctx={"edited": True})
    assert (verdict.outcome, verdict.reason) == ("rejected", "edited")


def test_far_name_is_nobody():  # T14
    verdict = say(red("Виновен Олег"), author="Анна", roster=("Анна", "Борис", "Вера"))
    assert (verdict.outcome, verdict.reason) == ("rejected", "unknown_nick")
    assert not taken(verdict)


@pytest.mark.parametrize(
    ("text", "who"), [("Виновен Кот", "Кот"), ("Виновен Котика", "Котик"), ("Виновен Кот Базилио", "Кот Базилио")]
)
def test_short_name_is_not_found_in_a_longer_one(text, who):  # T15
    assert taken(say(red(text), author="Мышь", roster=("Кот", "Котик", "Кот Базилио", "Мышь"))) == [("vote", (who,))]


@pytest.mark.parametrize("text", ["виновен ЛЁША", "Виновен леша", "Виновен  Лёша "])
def test_one_player_under_every_spelling(text):  # T17
    assert taken(say(red(text), roster=("Лёша", "Глеб", "Анна"))) == [("vote", ("Лёша",))]


@pytest.mark.parametrize("text", ["Виновен Д’Артаньян", "Виновен «Д'Артаньян»"])
def test_apostrophes_of_all_kinds(text):  # T18
    assert taken(say(red(text), roster=("Д'Артаньян", "Глеб"))) == [("vote", ("Д'Артаньян",))]


@pytest.mark.parametrize(
    ("text", "who"), [("голосую против Веры", "Вера"), ("Виновен Крэйг", "Крейг"), ("Виновен Вербу", "Верба")]
)
def test_inflected_names_are_no_typos(text, who):  # T19
    assert taken(say(red(text), roster=("Вера", "Верба", "Крейг", "Глеб"))) == [("vote", (who,))]


def test_nick_that_is_a_keyword():  # T20
    roster = ("Доктор", "Судья", "Борис")
    assert taken(say("лечу доктора", "clans", "Борис", roster, "doctor")) == [("heal", ("Доктор",))]
    assert taken(say(red("Виновен Судья"), author="Борис", roster=roster)) == [("vote", ("Судья",))]


@pytest.mark.parametrize("text", ["Виновен", " ", "Виновен ?"])
def test_vote_without_a_target_is_a_question_at_most(text):  # T22
    assert say(red(text)).outcome in ("ignored", "review")


def test_no_lynch_is_not_a_nick():  # T25
    verdict = say(red("Виновных нет, воздерживаюсь"), roster=("Вина", "Глеб"))
    assert verdict.outcome in ("ignored", "review")
    assert not taken(verdict)


def test_condition_is_a_question():  # T26
    assert say(red("Если Борис смолчит, виновен Борис")).outcome == "review"


@pytest.mark.parametrize(
    "tail",
    [
        "\n\nПонедельник, 30 ноября 2026, 12:00 +03:00 от Ведущий <v@mail.ru>:\nбью Бориса",  # T35
        "\n\n30.11.2026 12:00, Ведущий написал(а):\n> бью Бориса",
        "\n\n-----Исходное сообщение-----\nбью Бориса",
        "\n-- \nВаш Борис, врач",  # T36
        "\nОтправлено с iPhone",
    ],
)
def test_old_letter_and_signature_are_no_orders(tail):
    verdict = say("лечу Анну" + tail, "clans", "Борис", FOUR, "doctor")
    assert taken(verdict) == [("heal", ("Анна",))]
    assert len(verdict.orders) == 1


def test_name_put_together_by_the_mail_reader():  # T39
    assert taken(say("лечу Анастасию", "clans", "Борис", ("Анастасия", "Борис"), "doctor")) == [("heal", ("Анастасия",))]


def test_line_ends_of_the_mail_do_not_stick_to_nicks():  # T40
    verdict = say("лечу Анну\r\nпроверяю Бориса\r\n", "clans", "Глеб", FOUR, "doctor")
    assert [(o.action, o.targets, o.status) for o in verdict.orders] == [
        ("heal", ("Анна",), "accepted"),
        ("check", ("Борис",), "rejected"),
    ]


def test_one_bad_order_leaves_the_good_one():  # T41
    verdict = say("проверяю Бориса\nлечу Анну", "clans", "Глеб", FOUR, "commissioner")
    assert verdict.outcome == "accepted"
    assert [(o.action, o.status, o.reason) for o in verdict.orders] == [
        ("check", "accepted", None),
        ("heal", "rejected", "not_your_action"),
    ]


def test_holiday_is_no_healing():  # T46
    assert not taken(say("Я в отпуске, лечу в Анапу", "clans", "Глеб", FOUR, "doctor"))


@pytest.mark.parametrize("why", [", погорячились", ", передумал", ". Погорячилась.", ", ошибся"])
def test_why_a_vote_is_taken_back_takes_nothing_back(why: str) -> None:
    back = f"[color=blue]Снимаю голос[/color]{why}"
    assert taken(say(back, "goldenkey", role=None, ctx={"prior_vote": "Борис"})) == [("unvote", ())]


@pytest.mark.parametrize("text", ["[color=blue]Снимаю голос[/color]. Отмена.", "[color=blue]Линч: Борис[/color], погорячился"])
def test_what_may_take_back_more_is_asked_about(text: str) -> None:
    assert say(text, "goldenkey", role=None, ctx={"prior_vote": "Борис"}).outcome == "review"
