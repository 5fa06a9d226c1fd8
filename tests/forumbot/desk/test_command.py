"""``forumbot desk``: rights and passwords from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from forumbot.cli.main import main
from forumbot.desk import accounts
from forumbot.store.database import Store

SITE = """
[site]
data = "data"
[forum]
engine = "ucoz"
url = "http://forum.invalid"
user = "Ведущий"
"""
GAME = 'id = "gk1"\ntitle = "Партия"\nruleset = "league"\nsection = "1"\n[signup]\ncloses = 2030-01-01T20:00:00\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "forumbot.toml"
    file.write_text(SITE, encoding="utf-8")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "gk1.toml").write_text(GAME, encoding="utf-8")
    return file


def run(config: Path, *words: str, said: str = "") -> Result:
    group, name, *rest = words
    return CliRunner().invoke(main, [group, name, "--config", str(config), *rest], input=said)


def who(config: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(config, "desk", "who", "--json").stdout)
    return found


def test_rights_are_given_and_taken(config: Path) -> None:
    assert run(config, "desk", "host", "Анна", "--address", "anna@example.org").exit_code == 0
    assert run(config, "desk", "host", "Анна", "--game", "gk1", "--role", "observer").exit_code == 0
    assert who(config) == [
        {
            "name": "Анна",
            "address": "anna@example.org",
            "nick": None,
            "password": False,
            "roles": {"*": "host", "gk1": "observer"},
        }
    ]
    table = run(config, "desk", "who").stdout
    assert "наблюдатель" in table
    assert run(config, "desk", "host", "Анна", "--remove").exit_code == 0
    assert who(config)[0]["roles"] == {"gk1": "observer"}


def test_rights_for_a_game_that_is_nowhere_are_refused(config: Path) -> None:
    ran = run(config, "desk", "host", "Анна", "--game", "gk11")
    assert ran.exit_code == 2
    assert "игры «gk11» нет" in ran.stderr
    assert "есть: gk1" in ran.stderr
    assert who(config) == []


def test_a_password_is_asked_twice_and_never_shown(config: Path) -> None:
    run(config, "desk", "host", "Анна")
    secret = "совсем-секретно"
    answer = run(config, "desk", "password", "Анна", said=f"{secret}\n{secret}\n")
    assert answer.exit_code == 0
    assert secret not in answer.output
    assert secret not in run(config, "desk", "who", "--json").stdout
    store = Store(config.parent / "data" / "forumbot.db")
    with store.read() as connection:
        account = accounts.find(connection, "Анна")
    store.close()
    assert account is not None
    assert accounts.password_fits(account["password"], secret)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("password", "Никто"), "на пульте нет имени"),
        (("host", "Никто", "--remove"), "на пульте нет имени"),
        (("host", "Анна", "--nick", "Анна"), "нужны вместе"),
    ],
)
def test_mistakes_are_one_sentence(config: Path, words: tuple[str, ...], sentence: str) -> None:
    answer = run(config, "desk", *words)
    assert answer.exit_code == 2
    assert sentence in answer.stderr
    assert "Traceback" not in answer.output


def test_a_short_password_is_refused(config: Path) -> None:
    run(config, "desk", "host", "Анна")
    answer = run(config, "desk", "password", "Анна", said="мало\nмало\n")
    assert answer.exit_code == 2
    assert who(config)[0]["password"] is False


def test_help_is_russian_and_names_no_secret(config: Path) -> None:
    for words in (("desk", "--help"), ("desk", "serve", "--help"), ("desk", "host", "--help"), ("desk", "password", "--help")):
        answer = CliRunner().invoke(main, list(words))
        assert answer.exit_code == 0
        assert "Пример" in answer.output
