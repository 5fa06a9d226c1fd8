"""Every id that a player or the public may meet has its Russian words in the packaged templates."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import pytest

from engine.rulesets.clans import RULESET, roles
from forumbot import resources
from forumbot.writing.writer import PublicFacts, Writer, gather
from tests.engine.clans.board import Board

WITHOUT_DUTIES = resources.tables("clans") | {"words_required": 0, "vote_required": False}
FACTS = PublicFacts("Кланы", 2, living=("Анна", "Борис"), dead=("Вера",), tables=resources.tables("clans"))

TOLD: dict[str, list[dict[str, Any]]] = {
    "order_rejected": [{"action": "heal", "reason": "repeat_target"}],
    "move_done": [{"action": "guard"}],
    "move_failed": [{"action": "check"}],
    "check_result": [{"target": "Анна", "status": "mafia"}, {"target": "Анна", "status": "civilian"}],
    "interview_result": [{"targets": ["Анна", "Борис"], "result": "same"}, {"targets": ["Анна", "Борис"], "result": "different"}],
    "walk_result": [{"target": "Анна", "civilians": 2, "mafia": 0}],
    "ride_result": [{"passenger": "Анна", "targets": []}, {"passenger": "Анна", "targets": ["Борис", "Вера"]}],
    "watch_result": [{"target": "Анна", "attackers": ["Борис"]}],
    "guest": [{"host": "seductress"}, {"host": "maniac"}],
    "beaten": [{}],
    "vest_pierced": [{}],
    "torture": [{"player": "Анна", "status": "civilian"}],
    "appointed": [{"artist": "Анна", "role": "thug"}],
    "penalty_point": [{"reason": "words", "total": 1}, {"reason": "vote", "total": 2}],
    "penalty": [
        {"measure": "warning"},
        {"measure": "move_lost"},
        {"measure": "disqualified"},
        {"measure": "clan_moves", "count": 2},
    ],
    "role_assigned": [
        {"role": "don", "faction": "red", "clanmates": ["Борис"]},
        {"role": "don", "faction": "black", "clanmates": []},
        {"role": "citizen", "faction": "civilians", "clanmates": []},
    ],
}


@pytest.fixture(scope="module")
def writer() -> Writer:
    return Writer(gather("clans"), "Europe/Moscow")


def test_every_notice_has_a_subject_and_a_text_of_its_own(writer: Writer) -> None:
    assert set(TOLD) == set(roles.NOTICES)
    seen = set()
    for kind, examples in TOLD.items():
        for data in examples:
            subject, text = writer.private("notices.j2", str, facts=FACTS, nick="Глеб", kind=kind, data=data)
            assert subject.startswith("Кланы: ") and text.startswith("Глеб, ")
            seen.add(text)
    assert len(seen) == sum(map(len, TOLD.values()))


def test_no_failure_tells_why(writer: Writer) -> None:
    board = Board("Вера commissioner\nЛола seductress red\nБорис don red\nДина don black\nАнна citizen")
    night = board.turn("Вера check Борис", "Лола seduce Вера")
    (told,) = [notice for notice in night.notices if notice.to == "Вера" and notice.kind == "move_failed"]
    _, text = writer.private("notices.j2", str, facts=FACTS, nick="Вера", kind=told.kind, data=dict(told.data))
    assert text == "Вера, ваш ход «проверка» не удался."


def test_no_text_names_an_hour_that_a_table_may_change(writer: Writer) -> None:
    for reason in roles.REJECTIONS:
        data = {"action": "vote", "reason": reason}
        _, text = writer.private("notices.j2", str, facts=FACTS, nick="Вера", kind="order_rejected", data=data)
        assert FACTS.tables["deadline"] not in text


@pytest.mark.parametrize(
    ("group", "ids"),
    [
        ("roles", roles.ROLES),
        ("factions", (*roles.FACTIONS, roles.DRAW)),
        ("actions", (*RULESET.spec.actions, *roles.TAKING_BACK)),
        ("reasons", (*roles.REJECTIONS, *roles.FAILURES)),
        ("causes", roles.CAUSES),
        ("marks", ("deadline", "newspaper")),
    ],
)
def test_every_id_has_a_name(group: str, ids: tuple[str, ...]) -> None:
    names = tomllib.loads(gather("clans")["names.toml"])[group]
    assert [id_ for id_ in ids if id_ not in names] == []


def test_the_days_topic_tells_the_duties_and_the_table(writer: Writer) -> None:
    text = writer.public("day.j2", FACTS, str)
    assert "своих слов: 55 и прислать бюллетень" in text
    assert "1. Анна\n2. Борис" in text and "Выбыли (1):[/b] Вера" in text
    assert "За день нужно" not in writer.public("day.j2", replace(FACTS, tables=WITHOUT_DUTIES), str)
