"""A ruleset of another distribution (``ruleset/``: one package and its entry point) is played like those of the program, and
nothing else is touched for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine import rulesets
from forumbot.hosting.acts import acts
from forumbot.hosting.core import record
from tests.forumbot.demo_game.by_hand import played
from tests.forumbot.desk.test_pages import PAGES, text_of
from tests.forumbot.desk.test_rulesets import play

HERE = Path(__file__).parent / "ruleset"
ROOT = Path(__file__).parents[2]
SCENARIO = """
ruleset = "snow"
title = "Йети замораживает лыжника"
[[players]]
nick = "Анна"
role = "yeti"
[[players]]
nick = "Борис"
role = "skier"
[[players]]
nick = "Вера"
role = "skier"
[[players]]
nick = "Глеб"
role = "skier"
[[turns]]
[[turns.messages]]
kind = "post"
author = "Вера"
text = "Голос: Глеб"
[[turns.messages]]
kind = "letter"
author = "Анна"
text = "Замораживаю Бориса"
[turns.expect]
dead = ["Борис", "Глеб"]
causes = {"Борис" = "frozen"}
winner = "cave"
report_has = ["Борис больше не катается: замёрз", "Победа: Пещера"]
"""


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution is installed: its folder is on the path, for child processes, too."""
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(HERE), os.environ.get("PYTHONPATH", ""))))


def command(*args: str, given: str = "") -> str:
    """What a command prints, run as a program: what is installed is found when it starts."""
    program = [sys.executable, "-m", "forumbot.cli.main", *args]
    done = subprocess.run(program, input=given, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_small() -> None:
    lines = [line for file in HERE.rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 150


def test_it_is_found_beside_those_of_the_program() -> None:
    assert rulesets.names() == (*rulesets.NAMES, "snow")


def test_a_scenario_of_it_is_simulated(tmp_path: Path) -> None:
    file = tmp_path / "snow.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    command("simulate", "--check", str(file))
    told = json.loads(command("simulate", "--json", str(file)))["turns"][0]
    assert told["deaths"] == [
        {"player": "Глеб", "cause": "voted", "by": None},
        {"player": "Борис", "cause": "frozen", "by": "Анна"},
    ]


def test_its_messages_are_parsed() -> None:
    line = {
        "id": "1", "ruleset": "snow", "kind": "letter", "roster": ["Анна", "Борис"], "author": "Анна", "author_role": "yeti",
        "text": "замораживаю Бориса", "channel": "letter", "format": "plain", "ctx": {},
    }  # fmt: skip
    answer = json.loads(command("parse", "--json", given=json.dumps(line)))
    assert (answer["outcome"], answer["orders"][0]["action"], answer["orders"][0]["targets"]) == ("accepted", "freeze", ["Борис"])


def test_its_rules_are_printed() -> None:
    assert "Роли: Йети (yeti), Лыжник (skier)" in command("rules", "snow")


def test_the_desk_shows_a_hosted_game_in_its_words(tmp_path: Path) -> None:
    scene = play(tmp_path, "snow", players=8)
    for path in PAGES:
        answer = scene.get(f"/g/gk1{path}")
        assert answer.status_code == 200, path
    assert "Лыжник" in text_of(scene.get("/g/gk1/players").text)


def test_its_own_removal_takes_a_player_out(tmp_path: Path) -> None:
    world = play(tmp_path, "snow", players=8).world
    with world.store.read() as connection:
        chosen = (match := record.fold(connection, record.load(connection, "gk1"))).ruleset.alive(match.game)[0]
    with world.store.write() as connection:
        acts.ask(connection, "gk1", "ведущий", "remove", {"player": chosen}, world.clock.now())
    world.settle()
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, "gk1"))
    assert chosen not in match.ruleset.alive(match.game)


def test_nothing_but_a_rulesets_own_places_names_it() -> None:
    """The list of rulesets stands nowhere: whoever lists them asks ``rulesets.names()``."""
    named = re.compile(rf"""["']({"|".join(rulesets.NAMES)})["']""")
    own = ("engine/rulesets/", "forumbot/demo/games/")
    files = [file for room in ("engine", "adapters", "forumbot") for file in (ROOT / room).rglob("*.py")]
    found = [str(file.relative_to(ROOT)) for file in files if named.search(file.read_text(encoding="utf-8"))]
    assert [file for file in found if not file.startswith(own)] == []


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_the_daemon_plays_the_demos_game(engine: str, tmp_path: Path) -> None:
    with played("snow", engine, 1, tmp_path) as game:
        assert game.comparison.differences == []
        assert game.comparison.replayed
        assert game.winner in ("cave", "slope")


def test_the_command_plays_it_with_a_daemon_of_its_own(tmp_path: Path) -> None:
    command("demo", "--ruleset", "snow", "--folder", str(tmp_path / "site"))
    config = ("--config", str(tmp_path / "site" / "forumbot.toml"))
    assert "Снежки" in command("status", *config)
    log = json.loads(command("log", "demo", "--json", *config))
    assert {"vote", "freeze"} <= {order["action"] for entry in log for order in entry["orders"]}
    command("replay", "demo", *config)
