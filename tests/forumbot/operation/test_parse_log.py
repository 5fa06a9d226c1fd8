"""The parse log answers "who voted when, in which words, by which rule" (T69)."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from forumbot.cli.main import main
from tests.forumbot.hosting.hosts import day_one
from tests.forumbot.hosting.world import World

SITE = '[site]\ndata = "."\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n'


@pytest.fixture
def day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    (tmp_path / "forumbot.toml").write_text(SITE, encoding="utf-8")
    monkeypatch.setenv("FORUMBOT_CONFIG", str(tmp_path / "forumbot.toml"))
    return day_one(tmp_path)


def log(*more: str) -> list[dict[str, Any]]:
    ran = CliRunner().invoke(main, ["log", "gk1", "--turn", "1", *more, "--json"])
    assert ran.exit_code == 0, ran.output
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def test_every_vote_and_change_stands_with_time_post_words_and_rule(day: World) -> None:
    first = day.says("Борис", "Думаю так: [color=blue]Анна[/color]")
    voted_at = day.clock.now()
    day.settle()
    second = day.says("Борис", "Передумал. [color=blue]Вера[/color]")
    day.settle()
    day.forum.edits(day.forum.find("День 1"), first, "Ничего я не говорил")
    day.settle()
    rows = log("--player", "Борис")
    assert [(row["post_id"], row["post_version"]) for row in rows] == [(first, 1), (second, 1), (first, 2)]
    assert datetime.fromisoformat(rows[0]["at"]) == voted_at
    assert [order["targets"] for row in rows[:2] for order in row["orders"]] == [["Анна"], ["Вера"]]
    assert "Думаю так" in rows[0]["text"]
    assert all(row["version"] for row in rows)
    assert all(order["rule"] for row in rows[:2] for order in row["orders"])


def test_the_table_names_the_post_and_the_words(day: World) -> None:
    post = day.says("Борис", "[color=blue]Анна[/color]")
    day.pm("Вера", "привет, как дела")
    day.settle()
    told = CliRunner().invoke(main, ["log", "--turn", "1"], env={"COLUMNS": "220"}).output
    assert f"id {post}" in told
    assert "голос → Анна" in told
    assert "ЛС" in told
    assert "принято" in told


def test_votes_of_others_and_other_actions_are_left_out(day: World) -> None:
    day.says("Борис", "[color=blue]Анна[/color]")
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.settle()
    assert {row["author"] for row in log("--player", "Борис")} == {"Борис"}
    assert {row["author"] for row in log("--action", "vote")} == {"Борис", "Вера"}
    assert log("--action", "голос") == log("--action", "vote")
    assert log("--outcome", "rejected") == []
