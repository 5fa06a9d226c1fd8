"""What holds for any text: the reading never raises, never names a stranger, never takes what the rules forbid."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.messages import Message
from engine.rulesets import NAMES, ruleset
from forumbot import resources
from forumbot.reading import reader
from tests.forumbot.reading.corpus import lines

READER = reader()
ROSTER = ("Анна", "Борис Бритва", "Vik70r", "Никто", "Кот", "Тётя Мотя", "777", "🍩🍩")
ROLES = {"league": "doctor", "clans": "doctor", "goldenkey": "buratino", "mafialife": "hacker"}
GAMES = {
    name: ruleset(name).sketch(ROSTER, "Анна", ROLES[name], {}, ruleset(name).tables(resources.tables(name), {}))
    for name in NAMES
}
PIECES = sorted({word for line in lines() for word in line["text"].split()})
BRACKETS = [
    "[color=red]",
    "[/color]",
    "[quote]",
    "[/quote]",
    "[s]",
    "[/s]",
    "\n",
    "\n\n",
    ". ",
    "? ",
    "! ",
    ", ",
    " ",
    "«",
    "»",
    "(",
    ")",
    "<b>",
    "</b>",
    ">",
    ": ",
    " - ",
]

texts = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from([*PIECES, *BRACKETS, *ROSTER, *ROSTER]), max_size=40).map("".join),
    st.lists(st.sampled_from([*PIECES, *ROSTER]), max_size=40).map(" ".join),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(
    name=st.sampled_from(NAMES),
    kind=st.sampled_from(["post", "letter", "pm"]),
    form=st.sampled_from(["bbcode", "html", "plain"]),
    text=texts,
    subject=st.one_of(st.none(), texts),
    signup=st.booleans(),
)
def test_any_text_gives_a_verdict_within_the_rules(name, kind, form, text, subject, signup):
    rules, game = ruleset(name), GAMES[name]
    verdict = READER.read(rules, game, Message(kind, "Анна", text, subject, form, signup=signup and kind == "post"))
    for order in verdict.orders:
        assert set(order.targets) <= set(ROSTER)
        assert all(0 <= span.start <= span.end <= len(verdict.text) for span in order.spans)
        if order.status == "accepted":
            assert order.action in {*rules.spec.actions, "pass", "cancel", "signup", "unsignup"}
            assert order.action not in rules.spec.host_actions
            assert not signup or kind != "post" or order.action in ("signup", "unsignup")
    accepted = [order for order in verdict.orders if order.status == "accepted"]
    assert (verdict.outcome == "accepted") == bool(accepted)
    assert (verdict.outcome == "ignored") == (not verdict.orders) or verdict.reason == "too_long"


HUGE = {
    "words": "лечу Анну и Кота, " * 120_000,
    "nested quotes": "[quote=А]" * 10_000 + "[color=red]Виновен Кот[/color]" + "[/quote]" * 10_000,
    "unclosed quotes": "[quote=А][color=red]" * 10_000 + "Виновен Кот",
    "nested html": "<div>" * 10_000 + "лечу Кота" + "</div>" * 10_000,
    "signs": "!?." * 130_000,
    "one word": "а" * 390_000,
    "quotation marks": "«" * 50_000 + "лечу Кота",
    "brackets": "(" * 50_000 + "лечу Кота",
    "lines": "лечу\n" * 20_000,
    "names": "Тётя Мотя " * 6_000,
    "sentences": "лечу Кота. Лечу Никто! " * 2_500,
    "conditions": "если " * 12_000 + "лечу Кота",
    "quoted lines": "> лечу Кота\n" * 30_000,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", HUGE)
def test_huge_message_is_handled_quickly_or_refused(name, what):
    started = time.process_time()  # of the processor: a busy machine does not count
    for kind, form in (("post", "bbcode"), ("letter", "plain"), ("letter", "html")):
        READER.read(ruleset(name), GAMES[name], Message(kind, "Анна", HUGE[what], "ход", form))
    assert time.process_time() - started < 6


@pytest.mark.parametrize("word", ["\U00017000", "лечу \U00017000", "\ud7cb", "a\U0001e900"])
def test_a_letter_without_a_name_raises_nothing(word):
    rules, game = ruleset("league"), GAMES["league"]
    assert READER.read(rules, game, Message("letter", "Анна", word, word, "plain")).outcome in ("ignored", "review")


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        ("брындую Кота", "review"),
        ("Кот брындуется", "review"),
        ("Пимпочка", "rejected"),
        ("пимпочка", "review"),
        ("Кот врёт", "ignored"),
        ("Кот не виновен", "ignored"),
        ("Зачем Кот брындуется?", "ignored"),
        ("привет", "ignored"),
    ],
)
@pytest.mark.parametrize("name", ["league", "goldenkey"])
def test_a_coloured_run_that_nobody_understands_is_asked_about(name, run, outcome):
    color = {"league": "red", "goldenkey": "blue"}[name]
    post = Message("post", "Анна", f"[color={color}]{run}[/color]", None, "bbcode")
    assert READER.read(ruleset(name), GAMES[name], post).outcome == outcome


@pytest.mark.parametrize(
    ("text", "action", "outcome"),
    [
        ("Снимаю голос с Тёти Моти, ставлю на Кота", "vote", "accepted"),
        ("Голос снимаю, голос: Кот", "vote", "accepted"),
        ("Голос: Кот. Прежний голос снимаю", "vote", "accepted"),
        ("Голос: Кот. Снимаю голос", "unvote", "accepted"),
        ("Голос: Кот. Голос с Кота снимаю", "vote", "review"),
        ("снимаю голос, Кот", "unvote", "review"),
        ("Снимаю голос, Кот меня убедил", "unvote", "accepted"),
    ],
)
@pytest.mark.parametrize("name", ["clans", "mafialife"])
def test_a_vote_and_one_taken_back_are_one_decision(name, text, action, outcome):
    verdict = READER.read(ruleset(name), GAMES[name], Message("letter", "Анна", text, None, "plain"))
    assert (verdict.outcome, verdict.orders[0].action) == (outcome, action)


def test_a_nick_behind_an_unknown_label_is_no_lost_order():
    verdict = READER.read(
        ruleset("clans"), GAMES["clans"], Message("letter", "Анна", "Лечу Кота.\nна закуску: Тётя Мотя", None, "plain")
    )
    assert [(order.targets, order.status) for order in verdict.orders] == [(("Кот",), "accepted"), (("Тётя Мотя",), "review")]


@pytest.mark.parametrize(("name", "action"), [("clans", "heal"), ("mafialife", "hack")])
def test_the_vote_in_a_line_of_its_own_stands_beside_the_move(name, action):
    word = {"heal": "Лечу", "hack": "Взламываю"}[action]
    verdict = READER.read(ruleset(name), GAMES[name], Message("letter", "Анна", f"{word} Кота.\nна линче: Никто", None, "plain"))
    assert [(o.action, o.targets, o.status) for o in verdict.orders] == [
        (action, ("Кот",), "accepted"),
        ("vote", ("Никто",), "accepted"),
    ]


@pytest.mark.parametrize(("short", "sure"), [("Алекса", False), ("Влада", False), ("Лёшу", True)])
def test_a_short_name_that_two_may_bear_is_asked_about(short, sure):
    roster = ("Анна", "Александр", "Алексей", "Владимир", "Владислав")
    rules = ruleset("clans")
    game = rules.sketch(roster, "Анна", "doctor", {}, rules.tables(resources.tables("clans"), {}))
    verdict = READER.read(rules, game, Message("letter", "Анна", f"лечу {short}", None, "plain"))
    assert verdict.outcome == ("accepted" if sure else "review")
