"""Letters and the day's topic: every notice has its words, and no id of the rules is left untranslated."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.rulesets.mafialife import RULESET, roles
from forumbot.writing.writer import PublicFacts, Writer, gather

WRITER = Writer(gather("mafialife"), "Europe/Moscow")
FACTS = PublicFacts("Партия 7", 2, ("Анна", "Борис"), ("Вера",), {"close": datetime(2026, 12, 1, 18, 0, tzinfo=UTC)})
DATA: dict[str, dict[str, Any]] = {
    "role_assigned": {"role": "mafia_journalist", "faction": "den"},
    "team_password": {"team": "office", "password": "маяк"},
    "recruited": {"team": "den"},
    "check_result": {"target": "Борис", "role": "mafioso"},
    "hack_result": {"target": "Борис", "role": "doctor"},
    "theft_result": {"target": "Борис", "role": "doctor", "items": ["armour", "anti_mafioso"]},
    "learn_result": {"role": "girl", "target": "Борис"},
    "team_opened": {"team": "graveyard", "members": ["Борис:necromancer", "Ве:ра:ghost"]},
    "watch_result": {"target": "Борис", "action": "heal", "targets": ["Анна"]},
    "super_watch_result": {"target": "Борис", "action": "none", "targets": [], "visitors": ["Анна"]},
    "captive_moves": {"captive": "Борис", "role": "girl", "level": 2, "moves": ["sleep:unlimited", "birth:2"]},
    "reborn": {"role": "maniac"},
    "raised": {"role": "ghost"},
    "level_up": {"level": 1, "items": ["elixir"]},
    "item_used": {"item": "condom"},
    "item_received": {"item": "licence_kill"},
    "role_learned": {"role": "mafioso"},
    "move_result": {"action": "bite", "outcome": "failed", "reason": "immune"},
}
SENT = [kind for kind in roles.NOTICES if kind != "items_stolen"]


def letter(kind: str, **data: Any) -> tuple[str, str]:
    return WRITER.private("notices.j2", str, facts=FACTS, nick="Анна", kind=kind, data=data or DATA.get(kind, {}))


@pytest.mark.parametrize("kind", SENT)
def test_every_notice_is_a_letter_in_russian(kind: str) -> None:
    subject, body = letter(kind)
    assert subject.startswith("Партия 7: ")
    assert body.startswith("Анна, ")
    assert not re.search(r"[a-z]", subject + body)


def test_members_and_moves_are_taken_apart() -> None:
    assert "Ве:ра — призрак" in letter("team_opened")[1]
    body = letter("captive_moves")[1]
    assert "переспать — сколько угодно" in body
    assert "родить ребенка — 2" in body
    assert "Ход пленника (девочка)" in body


def test_the_letter_does_not_say_what_the_paper_hides() -> None:
    assert letter("move_result")[1].endswith("не выполнен: неизвестно.")
    assert letter("move_result", action="hack", outcome="done", reason="")[1].endswith("ход «взлом» выполнен.")


@pytest.mark.parametrize(
    ("group", "ids"),
    [
        ("roles", RULESET.spec.roles),
        ("factions", (*RULESET.spec.factions, "draw")),
        ("actions", (*RULESET.spec.actions, "pass", "cancel", "signup", "unsignup")),
        ("reasons", RULESET.spec.reasons),
        ("causes", RULESET.spec.causes),
        ("items", RULESET.spec.items),
        ("marks", ("close",)),
    ],
)
def test_every_id_has_its_word(group: str, ids: tuple[str, ...]) -> None:
    assert [one for one in ids if WRITER.word(group, one) == one] == []


def test_the_topic_of_a_day_says_until_when_and_how() -> None:
    text = WRITER.public("day.j2", FACTS, str)
    assert "Конец дня:[/b] вторник, 1 декабря, 21:00" in text
    assert "Голос: ник" in text
    assert "1. Анна\n2. Борис" in text
    assert "Выбыли (1):[/b] Вера" in text
    assert "В первый день не голосуют" in WRITER.public("day.j2", PublicFacts("Партия 7", 1), str)
