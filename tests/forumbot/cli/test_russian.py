"""The command line speaks Russian by itself too: help and complaints of every command, on a server of any language."""

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from forumbot.cli.main import COMMANDS, main

ENGLISH = (
    "Usage", "Options", "Commands", "COMMAND", "ARGS", "Show", "default", "TEXT", "INTEGER", "FLOAT", "PATH", "FILE", "DIRECTORY",
    "FOLDER", "Error", "Try", "Missing", "No such", "Invalid", "unexpected", "Abort", "valid", "range",
    "required", "%Y",
)  # fmt: skip
FORMATS = {"JSON", "CSV", "ISO"}
"""What is written in Latin capitals in Russian, too."""


def paths() -> Iterator[tuple[str, ...]]:
    yield ()
    for name in COMMANDS:
        yield (name,)
        made = main.get_command(click.Context(main), name)
        if isinstance(made, click.Group):
            yield from ((name, below) for below in made.commands)


def said(*args: str, given: str = "") -> tuple[int, str]:
    ran = CliRunner().invoke(main, args, input=given, env={"LANG": "C.UTF-8"})
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, ran.output


@pytest.mark.parametrize("path", list(paths()), ids=" ".join)
def test_help_is_russian(path: tuple[str, ...]) -> None:
    code, told = said(*path, "--help")
    assert code == 0
    assert not [word for word in ENGLISH if word in told]
    assert set(re.findall(r"\b[A-Z]{2,}\b", told)) <= FORMATS, "the name of something taken"
    assert "..." not in told.partition("Команды:")[2].partition("Пример")[0], "the first sentence is cut"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nope"], "нет такой команды: nope"),
        (["log", "--trun", "1"], "нет такого ключа: --trun"),
        (["log", "--turn"], "после ключа --turn нужно значение"),
        (["status", "лишнее"], "лишнее слово: лишнее"),
        (["backup"], "не хватает 'КУДА'"),
        (["deadline", "extend", "завтра"], "«завтра» не число"),
        (["demo", "--forum", "ukoz"], "нет такого: «ukoz»"),
        (["desk", "serve", "--port", "0"], "0 не подходит"),
        (["simulate", "--json"], "не хватает"),
    ],
)
def test_complaints_are_russian_and_end_with_2(args: list[str], words: str) -> None:
    code, told = said(*args)
    assert code == 2
    assert words in told
    assert not [word for word in ENGLISH if word in told]
