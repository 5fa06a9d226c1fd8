"""Minimal pairs by machine: each plain order of the word tables is taken, and never with one of the hedges on it."""

from __future__ import annotations

from typing import Any

import pytest

from forumbot.reading.vocabulary import vocabulary
from tests.forumbot.reading.corpus import answer
from tests.forumbot.reading.test_hedged import BEFORE, BEHIND

ROSTER = ["Анна", "Борис", "Вера", "Глеб", "Дина"]
COLOURS = {"league": "red", "goldenkey": "blue"}
CONTEXT: dict[str, dict[str, Any]] = {
    "league": {"coins": 100, "dead": ["Дина"]},
    "clans": {"vacant": "thug", "dead": ["Дина"]},
    "goldenkey": {"night": 2, "dead": ["Дина"]},
    "mafialife": {"day": 3, "level": 4, "coins": 1000, "pistol": 1, "dead": ["Дина"], "clan": []},
}
PERFORMERS = {"artist": "don", "killer": "buratino", "villain": "buratino"}
MORE_BEFORE = (
    "Вряд ли", "При условии согласия клана", "Рано пока:", "Надо было вчера:", "Хотелось бы, конечно, но", "Если доживу,",
    "Когда-нибудь", "Я бы сказал так:", "Говорила мне мама:", "Сосед просит:", "Был план:", "Думаю написать:", "Кто-то пишет:",
    "Прошлый ход:", "Что будет, если",
)  # fmt: skip
MORE_BEHIND = (
    ", если можно будет", "? Нет, рано", ", при условии что жив", ". Нет, стоп, не надо", ", хотя вряд ли", ", или не стоит",
    ". Это не ход, а пример", ", сказал бы я", ", как говорил Борис вчера", ", но только если скажете", ", шучу конечно",
    ". Хотя лучше потом", ", впрочем решать вам", ". Или Веру",
)  # fmt: skip
STORY = ". Рассказ: ночь была тёмной, и шаги стихли у самой двери, а утром нашли перчатку."


def _line(ruleset: str, action: str, text: str) -> dict[str, Any]:
    words = vocabulary(ruleset)
    spec = words.actions[action]
    owners = [role for role, entry in words.roles.items() if action in entry.actions]
    everybody = action in words.settings.get("everyone", ())
    role = "citizen" if everybody or not owners else owners[0]
    role = PERFORMERS.get(role, role) if ruleset != "mafialife" else role
    context = dict(CONTEXT[ruleset])
    if action in ("change_vote", "unvote"):
        context["prior_vote"] = "Вера"
    if action == "haunt":
        role, context = "citizen", context | {"ghost": True, "dead": ["Дина", "Глеб"]}
    if action == "refuse_points_win":
        role = "maniac"
    if action == "join_graveyard":
        context["dead"] = ["Дина", "Глеб"]
    if action == "kill_checked":
        context["checked"] = ["Анна", "Борис"]
    if action == "assign_roles":
        role, context = "karabas", {"night": 1, "dead": [], "clan": ["Глеб", "Анна", "Борис", "Вера"]}
    if action == "captive_move":
        context["captive"] = "Вера"
    post = ruleset in COLOURS and action in words.settings.get("posts", ())
    if post:
        text = f"[color={COLOURS[ruleset]}]{text}[/color]"
    elif ruleset == "league" and (spec.story or action in ("kill", "contract_hit", "check")):
        text += STORY
    return {
        "ruleset": ruleset,
        "kind": "letter",
        "roster": ROSTER,
        "author": "Глеб",
        "author_role": role,
        "subject": None,
        "text": text,
        "channel": "post" if post else "letter",
        "format": "bbcode" if post else "plain",
        "ctx": context,
    }


PLAIN = [
    (name, action.id, example) for name in CONTEXT for action in vocabulary(name).actions.values() for example in action.examples
]
HEDGES = {
    **{words: (lambda text, words=words: f"{words} {_lower(text)}") for words in (*BEFORE, *MORE_BEFORE)},
    **{words: (lambda text, words=words: text + words) for words in (*BEHIND, *MORE_BEHIND)},
}


def _lower(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def test_tables_give_an_example_of_nearly_every_action():
    total = sum(len(vocabulary(name).actions) for name in CONTEXT)
    assert len({(name, action) for name, action, _ in PLAIN}) >= total - 10
    assert len(HEDGES) >= 30


@pytest.mark.parametrize(("ruleset", "action", "example"), PLAIN)
def test_plain_order_of_the_tables_is_taken(ruleset, action, example):
    verdict = answer(_line(ruleset, action, example))
    assert verdict.outcome == "accepted"
    assert [order.action for order in verdict.orders if order.status == "accepted"] == [action]


@pytest.mark.parametrize("hedge", HEDGES)
def test_hedged_order_of_the_tables_is_never_taken(hedge):
    taken = [
        (ruleset, action, example)
        for ruleset, action, example in PLAIN
        if answer(_line(ruleset, action, HEDGES[hedge](example))).outcome == "accepted"
        and (ruleset, action, hedge) not in ALLOWED
    ]
    assert taken == []


ALLOWED = {("goldenkey", "bid_role", "Завтра")}
"""A bid is for the night that comes."""
