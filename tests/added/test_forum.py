"""A forum engine of another distribution (``forum/``: one package with its file of strings and an entry point) serves like those
of the program, and nothing else is touched for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters import engines
from adapters.clock import ManualClock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.embedded import embedded
from forumbot.demo.forum.serving import serve
from tests.forumbot.demo_game.by_hand import played

HERE = Path(__file__).parent / "forum"
ROOT = Path(__file__).parents[2]
PASSWORD = "очень-секретно"
START = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution is installed: its folder is on the path, for child processes, too."""
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(HERE), os.environ.get("PYTHONPATH", ""))))


def command(*args: str, given: str = "", code: int = 0) -> str:
    """What a command prints, run as a program: what is installed is found when it starts."""
    program = [sys.executable, "-m", "forumbot.cli.main", *args]
    done = subprocess.run(program, input=given, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A host's folder for an embedded board that has a section with a long thread; its settings are written by the wizard."""
    clock = ManualClock(START)
    board = Board(clock)
    section = board.add_section("Игровая площадь")
    bot, player = board.register("Ведущий", PASSWORD, group="moderators"), board.register("Зорро_77", "x")
    topic = board.open_topic(section, player, "Партия лисиц", "Начнём, [b]лисицы[/b]")
    for number in range(40):
        clock.sleep(60)
        board.post(topic, player if number % 2 else bot, f"[color=red]Виновен Зорро_77[/color] {number}")
    board.edit(1003, "исправлено мною")
    board.send_pm(player, bot, "вопрос", "можно ли?")
    board.messages[501].read = True
    with serve(board, embedded("chalk").usual()) as server:
        answers = ("chalk", f"{server.url}/shelf.php?f=1", "Ведущий", PASSWORD, "Europe/Moscow", "", "нет", "да", "g1", "Партия")
        more = ("goldenkey", f"{server.url}/shelf.php?f=1", "да", "31.12.2030 20:00", "")
        told = command("init", str(tmp_path / "site"), given="\n".join((*answers, *more)) + "\n")
        assert "shelf.php?f=3" in told
        yield tmp_path / "site" / "forumbot.toml"


def test_it_is_found_beside_those_of_the_program() -> None:
    assert engines.names() == (*engines.NAMES, "chalk")


def test_the_wizard_writes_and_the_check_tries_it(site: Path) -> None:
    told = site.read_text(encoding="utf-8")
    assert 'engine = "chalk"' in told
    game = site.parent / "games" / "g1.toml"
    game.write_text(game.read_text(encoding="utf-8").replace('mode = "shadow"', 'mode = "auto"'), encoding="utf-8")
    # The board's clock is not the machine's, which is told, too.
    checked = {one["what"]: one["advice"] for one in json.loads(command("check", "--config", str(site), "--json", code=1))}
    assert checked["раздел 1: «Игровая площадь»"] == checked["раздел 1, форма новой темы"] == ""
    assert checked["раздел 1, форма личного сообщения"] == ""
    assert not any("нет связи" in advice or "не приняты" in advice for advice in checked.values()), checked


def test_its_pages_are_captured_without_people_and_its_facts_hold(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    command("capture", str(folder), "--config", str(site))
    pages = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.html")}
    assert {"thread", "thread_2", "thread_3", "inbox", "message", "compose", "guest_login", "missing"} <= pages.keys()
    everything = "".join(pages.values())
    assert not re.search("Зорро|лисиц|Виновен|вопрос|секретно", everything)
    facts = {one["fact"]: one["state"] for one in json.loads(command("facts", str(folder), "--json"))}
    for fact in ("страница темы читается", "переключатель страниц понят", "цвет голоса виден", "строка о правке понята",
                 "гость отличается от вошедшего", "пропавшая тема узнаётся", "список входящих ЛС узнаётся",
                 "личное сообщение читается", "форма ответа под темой", "форма входа узнаётся"):  # fmt: skip
        assert facts[fact] == "holds", fact


def test_a_saved_page_is_read(site: Path, tmp_path: Path) -> None:
    import httpx

    url = re.search(r'url = "(.*?)"', site.read_text(encoding="utf-8"))
    assert url is not None
    file = tmp_path / "page.html"
    file.write_bytes(httpx.get(f"{url[1]}/topic.php?t=101&p=2").content)
    read = json.loads(command("read-page", "--forum", "chalk", "--json", str(file)))
    assert (read["page"], read["pages"], read["title"], len(read["posts"])) == (2, 3, "Партия лисиц", 15)
    first = read["posts"][0]
    assert (first["author"], first["datetime"]) == ("Ведущий", "2026-11-30T12:15:00+03:00")
    assert first["highlighted"] == [{"color": "red", "hex": None, "text": "Виновен Зорро_77"}]


def test_the_daemon_plays_a_whole_game_on_it(tmp_path: Path) -> None:
    with played("goldenkey", "chalk", 1, tmp_path) as game:
        assert game.comparison.differences == []
        assert game.comparison.replayed
        assert game.winner is not None


def test_the_command_plays_on_it_with_a_daemon_of_its_own(tmp_path: Path) -> None:
    command("demo", "--ruleset", "clans", "--forum", "chalk", "--seed", "36", "--folder", str(tmp_path / "site"))


def test_nothing_but_an_engines_own_places_names_it() -> None:
    """The list of engines stands nowhere: whoever lists them asks ``engines.names()``."""
    names = "|".join(engines.NAMES)
    named = re.compile(rf"""["']({names})["']|^\s*(?:from|import) adapters\.({names})\b""", re.MULTILINE)
    own = (*(f"adapters/{name}/" for name in engines.NAMES), "forumbot/demo/forum/")
    files = [file for room in ("engine", "adapters", "forumbot") for file in (ROOT / room).rglob("*.py")]
    found = [str(file.relative_to(ROOT)) for file in files if named.search(file.read_text(encoding="utf-8"))]
    assert [file for file in found if not file.startswith(own)] == []
