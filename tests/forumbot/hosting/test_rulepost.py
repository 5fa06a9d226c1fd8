"""The rules as a game's tables have them: every remark of the tables' file, this game's values, the host's changes marked."""

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.rulesets import NAMES
from forumbot import resources
from forumbot.hosting.acts import acts
from forumbot.hosting.publish.rulepost import parts
from forumbot.store.tables import acts as table
from forumbot.writing import rulebook
from forumbot.writing.writer import Writer, gather
from tests.forumbot.hosting.hosts import refused
from tests.forumbot.hosting.world import make_world


def test_the_rules_are_posted_with_what_the_host_changed(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=0, tables={"player_lives": 3, "role_lives": {"malvina": 1}})
    with world.store.write() as connection:
        acts.ask(connection, world.game, "ведущий", "rules", {}, world.clock.now())
    world.settle()
    text = "\n".join(world.forum.texts(world.forum.find("Запись")))
    assert "жизней у игрока в начале игры: [b]3[/b] (изменено ведущим)" in text
    assert "Мальвина: 1" in text
    assert "часовой пояс, по которому идут день и ночь: московский" in text
    assert "ход, присланный днём: отклонить" in text


def test_rules_that_nobody_has_seen_are_taken_back_and_others_say_why_not(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=0)
    with world.store.write() as connection:
        number = acts.ask(connection, world.game, "ведущий", "rules", {}, world.clock.now())
        acts.ask(connection, world.game, "ведущий", "undo", {"act": number}, world.clock.now())
        sent = acts.ask(connection, world.game, "ведущий", "rules", {}, world.clock.now())
    world.settle()
    assert world.rows(sa.select(table.c.error).where(table.c.error.is_not(None))) == []
    assert "удалите его на форуме сами" in refused(world, "undo", act=sent)
    assert sum("часовой пояс" in text for text in world.forum.texts(world.forum.find("Запись"))) == 1


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_remark_of_the_tables_is_told(ruleset: str) -> None:
    made = parts(ruleset, resources.tables(ruleset), Writer(gather(ruleset), "Europe/Moscow"))
    told = [entry["remark"] for part in made for entry in part["entries"]]
    file = resources.find(f"rulesets/{ruleset}.toml").read_text(encoding="utf-8")
    remarked = [line for line in file.splitlines() if "=" in line and " # " in line and not line.lstrip().startswith("#")]
    assert len(told) == len(remarked) > 20
    assert not any(entry["changed"] for part in made for entry in part["entries"])


def test_values_are_words_for_people() -> None:
    words = {"guard": "защита"}
    shown = [
        rulebook.shown(value, lambda id_: words.get(id_, id_))
        for value in (True, False, 5, ["guard"], [], {"guard": 2}, "", [[15, 4], [20, 5]])
    ]
    assert shown == ["да", "нет", "5", "защита", "ничего", "защита: 2", "пусто", "(15, 4), (20, 5)"]


@pytest.mark.parametrize("ruleset", NAMES)
def test_e08_the_published_tables_are_prose_for_players(ruleset: str) -> None:
    """No ids, quotes or numbers of rules: «level: 0, price: 30», «"reject"», «(R23)»."""
    made = parts(ruleset, resources.tables(ruleset), Writer(gather(ruleset), "Europe/Moscow"))
    said = [f"{entry['remark']}: {entry['value']}" for part in made for entry in part["entries"]]
    said += [part["title"] for part in made]
    assert [line for line in said if re.search(r"[A-Za-z_]{2,}|\([RDH]\d|\"|[{}]|::|  ", line)] == []
