"""The host's commands for stories and the waiting list."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapters.clock import VirtualClock
from forumbot.cli.main import main
from forumbot.hosting.daemon.wiring import CLOCK_VARIABLE
from tests.forumbot.hosting.league.table import match, red, told, who
from tests.forumbot.hosting.world import World


@pytest.fixture
def desk(day: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Day 1 with two stories, and the site's file beside the database."""
    condemned, author = who(day, "doctor"), who(day, "citizen")
    day.pm(author, f"Рассказ-повешение: {condemned}\nРассказ:\nВерёвка скрипела.")
    day.pm(who(day, "mafioso"), f"Жертва: {condemned}\nРассказ:\nВыстрел был один.")
    day.settle()
    site = '[site]\ndata = "."\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n'
    (tmp_path / "forumbot.toml").write_text(site, encoding="utf-8")
    VirtualClock.create(tmp_path / "clock", day.clock.now(), 1)
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    monkeypatch.setenv("FORUMBOT_CONFIG", str(tmp_path / "forumbot.toml"))
    return day


def runs(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def test_stories_are_shown_and_graded(desk: World) -> None:
    author, shooter = who(desk, "citizen"), who(desk, "mafioso")
    assert "Верёвка скрипела." in runs("stories", "list")
    runs("stories", "grade", shooter, "5")
    runs("stories", "choose", author, who(desk, "doctor"))
    graded = {one["author"]: one["grade"] for one in json.loads(runs("stories", "list", "--json"))}
    assert graded == {author: None, shooter: 5}
    assert "такого рассказа в этом ходу нет" in runs("stories", "grade", who(desk, "doctor"), "5", code=2)


def test_the_waiting_list_is_shown_and_used(desk: World) -> None:
    desk.forum.says(desk.forum.find("Запись"), 70, "Юлиан", red("Играю в запас"))
    desk.until(desk.clock.now().replace(hour=23))
    assert json.loads(runs("player", "reserve", "--json")) == [{"nick": "Юлиан", "uid": 70}]
    assert "Юлиан" in runs("player", "reserve")
    gone = who(desk, "necromancer")
    runs("player", "replace", gone)
    desk.settle()
    assert "ваша роль: некромант" in told(desk, "Юлиан")
    assert gone in match(desk).ruleset.seats(match(desk).game)
    assert "участника не проверить" in runs("player", "replace", gone, "Яна", code=1)
