"""Settings of a running game: an edited file is told everywhere, and what may change is changed by a recorded act (H09)."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from forumbot.cli.main import main
from forumbot.hosting.acts import gamesettings
from forumbot.hosting.core import record
from forumbot.settings import Game
from forumbot.store.tables import acts, deadlines, games, troubles
from tests.forumbot.hosting.hosts import asks, does, refused, undoes, upcoming
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.world import MONDAY, World, count, make_world


def config(world: World) -> Game:
    with world.store.read() as connection:
        return record.load(connection, world.game).config


def edited(world: World, **changes: Any) -> Game:
    """The game's file after the host has edited it."""
    return Game.model_validate(config(world).model_dump(mode="json") | changes)


def told(world: World) -> list[str]:
    return [row["text"] for row in world.rows(sa.select(troubles).where(troubles.c.key == "settings/gk1"))]


def test_h09_an_edited_file_is_told_at_the_start_with_what_may_change(day: World) -> None:
    day.daemon.adopt((edited(day, mode="host", section="13", tables={"elder_above": 3}),))
    (text,) = told(day)
    assert "mode: в файле host, в игре auto; применить: «forumbot game set --from-file»" in text
    assert "section: в файле 13, в игре 12" in text
    assert "tables: " in text
    assert "не изменится: это правила, по которым игроки записались" in text
    day.settle()
    assert any("её файл с тех пор изменён" in words for _, words in day.mail.letters_to("owner@example.org"))
    does(day, "set", settings={"mode": "host", "section": "13"})
    day.daemon.adopt((edited(day),))
    assert told(day) == []


def test_h09_what_may_change_is_changed_by_an_act_and_taken_back(day: World) -> None:
    act = does(day, "set", settings={"mode": "host", "section": "13", "approve_until": "never", "hosts": "Анна, Борис"})
    assert (config(day).mode, config(day).section, config(day).hosts) == ("host", "13", ["Анна", "Борис"])
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    undoes(day, act)
    assert (config(day).mode, config(day).section, config(day).hosts) == ("auto", "12", [])
    assert count(day, acts, acts.c.kind == "set", acts.c.error.is_(None)) == 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ruleset": "league"}, "ruleset не меняется: по этим правилам игроки записались"),
        ({"tables": {}}, "tables не меняется"),
        ({"seed": 7}, "seed не меняется: от него зависят все жребии"),
        ({"title": "Иначе"}, "title не меняется"),
        ({"signup.topic": "12-1"}, "signup.topic не меняется"),
        ({"signup.closes": "2026-12-09T20:00"}, "signup.closes не меняется: эта дата уже прошла"),
        ({"first_day": "2026-12-09"}, "first_day не меняется: эта дата уже прошла"),
        ({"modus": "host"}, "настройки «modus» у игры нет"),
        ({"mode": "hots"}, "mode: такого значения нет; вероятно, имелось в виду «host»"),
        ({"remind_hours": "-1"}, "remind_hours: "),
        ({"theme": "missing"}, "темы «missing» нет"),
        ({"mode": "auto"}, "так и стоит"),
        ({}, "не сказано"),
        ({"mode": "host", "seed": 1}, "seed не меняется"),
    ],
)
def test_h09_what_may_not_change_says_why_and_nothing_changes(day: World, settings: dict[str, Any], words: str) -> None:
    before = config(day)
    assert words in refused(day, "set", settings=settings)
    assert config(day) == before


def test_dates_change_while_they_are_to_come(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=3)
    assert "уже прошёл" in refused(world, "set", settings={"signup.closes": "2026-11-30T08:00"})
    assert "уже прошёл" in refused(world, "set", settings={"first_day": "2026-11-01"})
    does(world, "set", settings={"signup.closes": "2026-12-01T20:00", "first_day": "2026-12-07"})
    assert upcoming(world)["due_at"] == MONDAY + timedelta(days=1, hours=8)
    world.settle()
    assert "Сроки изменены" in world.forum.texts(world.forum.find("Запись"))[-1]


def test_reminders_of_the_running_turn_stand_at_their_new_hours(day: World) -> None:
    act = does(day, "set", settings={"remind_hours": "5"})
    at = sa.select(deadlines.c.due_at).where(deadlines.c.name == "remind/lynch", deadlines.c.turn == 1)
    assert day.value(at) == LYNCH - timedelta(hours=5)
    undoes(day, act)
    assert day.value(at) == LYNCH - timedelta(hours=3)


def test_a_theme_is_frozen_anew_from_its_file(day: World) -> None:
    from forumbot.writing import themes

    name = themes.names()[0]
    does(day, "set", settings={"theme": name})
    assert day.value(sa.select(games.c.templates))[themes.FILE] == themes.gather(name)[themes.FILE]


def test_a_setting_that_was_changed_again_is_taken_back_the_last_first(day: World) -> None:
    first = does(day, "set", settings={"mode": "host"})
    second = does(day, "set", settings={"mode": "shadow"})
    assert "менялась ещё раз" in refused(day, "undo", act=first)
    undoes(day, second)
    undoes(day, first)
    assert config(day).mode == "auto"


def test_every_setting_is_either_changeable_or_says_why(day: World) -> None:
    with day.store.read() as connection:
        row = record.load(connection, day.game)
    for key in gamesettings.flat(row.config):
        assert key in gamesettings.FREE or gamesettings.refusal(row, key), key


def test_the_commands_show_and_set(day: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through ``forumbot game``, from the file, and told by ``status`` until then."""
    site = day.site.site
    (site.data / "games").mkdir()
    (site.data / "forumbot.toml").write_text(
        '[site]\ndata = "."\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n', encoding="utf-8"
    )
    (site.data / "games" / "gk1.toml").write_text(
        'id = "gk1"\ntitle = "Партия 1"\nruleset = "goldenkey"\nsection = "12"\nmode = "host"\nseed = 6\n'
        f"[signup]\ncloses = {(MONDAY + timedelta(hours=8)).isoformat()}\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("FORUMBOT_CONFIG", str(site.data / "forumbot.toml"))

    def runs(*words: str, code: int = 0) -> str:
        ran = CliRunner().invoke(main, list(words))
        assert ran.exit_code == code, ran.output
        return " ".join(ran.output.split())

    assert "mode: в файле host, в игре auto" in runs("status")
    assert "от него зависят" in runs("game", "show")
    runs("game", "set", "--from-file")
    assert config(day).mode == "host"
    assert "mode: в файле" not in runs("status")
    assert "seed: в файле 6, в игре 5; не изменится" in runs("status")
    assert "назовите настройки" in runs("game", "set", code=2)
    assert "нужно имя=значение" in runs("game", "set", "mode", code=2)
    assert asks(day, "undo", act=day.value(sa.select(sa.func.max(acts.c.id))))["error"] is None
