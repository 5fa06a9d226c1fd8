"""Texts of a hosted game: they follow the game's own tables (rules 1.10, S3, S5, D3) and name nobody where nobody is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from engine.model import Step
from forumbot import resources
from forumbot.writing.writer import PublicFacts, Writer, gather
from tests.engine.goldenkey.table import night, order

LYNCH = datetime(2026, 12, 1, 18, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def writer() -> Writer:
    return Writer(gather("goldenkey"), "Europe/Moscow")


def facts(turn: int = 1, **tables: Any) -> PublicFacts:
    return PublicFacts("Ключик", turn, ("Анна",), (), {"lynch": LYNCH}, {**resources.tables("goldenkey"), **tables})


def test_the_day_post_names_colour_and_hours_of_its_game(writer: Writer) -> None:
    usual = writer.public("day.j2", facts(), str)
    assert "Сроки (время московское):" in usual and "21:00 включительно" in usual
    assert "Голосуют [b]синим[/b] в этой теме: [color=blue]Линч: ник[/color]" in usual
    assert "письмом ведущему после 21:00." in usual
    omsk = Writer(gather("goldenkey"), "Asia/Omsk")
    other = omsk.public("day.j2", facts(vote_colour="red", day_close="20:00", early_moves="hold", timezone="Asia/Omsk"), str)
    assert "[b]красным[/b]" in other and "[color=red]снимаю голос[/color]" in other and "blue" not in other
    assert "можно и днём" in other and "21:00." not in other and "московское" not in other
    assert "письмом ведущему после 20:00." in writer.public("day.j2", facts(day_close="20:00"), str)


def test_the_opening_night_asks_for_no_votes(writer: Writer) -> None:
    night = writer.public("day.j2", facts(0, opening_night=True), str)
    assert "Ключик. Начальная ночь" not in night  # the forum shows the topic's title above the post
    assert "Сегодня не голосуют." in night and "Линч: ник" not in night
    assert writer.public("day_subject.j2", facts(0), str) == "Ключик. Начальная ночь"
    assert writer.public("day_subject.j2", facts(3), str) == "Ключик. День 3"


@pytest.mark.parametrize(("roles", "said"), [(["malvina", "pierro"], "Роли города: Мальвина, Пьеро."), ([], None)])
def test_townsfolk_hear_which_roles_are_dealt(writer: Writer, roles: list[str], said: str | None) -> None:
    told = facts(town_roles=roles)
    _, text = writer.private("notices.j2", str, facts=told, nick="Анна", kind="clan_told", data={"faction": "townsfolk"})
    assert text.startswith("Анна, ваш клан: Горожане.")
    assert (said in text) if said else ("Роли города" not in text)


def test_the_hosts_explanation_names_nobody_where_there_is_nobody() -> None:
    """Why a life was lost by one's own choice (R41, R48), and a day without votes (R13): no empty brackets."""
    sentences = resources.toml("templates/goldenkey/names.toml")["steps"]
    cast = {"V": "villain", "B": "buratino", "E": "papa_carlo", "G": "giuseppe", "C": "citizen", "D": "citizen"}
    steps = night(cast, order("B kill E"), order("V kill C")).all(Step)
    said = {
        step.text_id: sentences[step.text_id].format_map({"leaders": "", **step.data}) for step in steps if step.phase != "kill"
    }
    assert said["no_votes"] == "Голосов нет"
    assert said["life_wasted"] == "B теряет жизнь: bad_target"
    assert said["life_lost"] == "C теряет жизнь: killer_attack (от V)"
