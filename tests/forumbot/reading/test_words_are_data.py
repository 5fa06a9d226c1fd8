"""Russian words of the reader are data: its logic holds no lists of them (``config/reading``, ``config/rulesets``)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from forumbot import resources
from forumbot.reading.names.roster import Roster
from forumbot.reading.text import tokens
from tests.forumbot.reading.corpus import AGREED

READING = AGREED.parents[1] / "forumbot" / "reading"
FILES = sorted(READING.rglob("*.py"))
ALPHABETS = {"text.py", "names/heard.py"}
"""What letters look and sound like is no vocabulary."""
MOST = 280
"""Russian literals of the logic: function words («не», «и», «если») that its rules are about, endings, single letters."""
LONGEST_LIST = 8
_RUSSIAN = re.compile("[а-яё]", re.IGNORECASE)


def _literals(node: ast.AST) -> Iterator[str]:
    """Russian strings below a node, docstrings left out."""
    notes = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)}
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in notes and _RUSSIAN.search(one.value):
            yield one.value


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _name(file: Path) -> str:
    return file.relative_to(READING).as_posix()


@pytest.mark.parametrize("file", [file for file in FILES if _name(file) not in ALPHABETS], ids=_name)
def test_no_module_holds_a_list_of_russian_words(file: Path) -> None:
    lists = [node for node in ast.walk(_tree(file)) if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)]
    words = [[word for word in _literals(node) if len(word) > 2] for node in lists]
    assert [found for found in words if len(found) > LONGEST_LIST] == []


def test_russian_literals_of_the_logic_become_no_more() -> None:
    counted = {_name(file): len(list(_literals(_tree(file)))) for file in FILES if _name(file) not in ALPHABETS}
    assert sum(counted.values()) <= MOST, {name: count for name, count in counted.items() if count > 10}


@pytest.mark.parametrize("table", ["titles", "letters"])
def test_a_part_of_a_nick_may_be_spoken_as_its_example_says(table: str) -> None:
    nick, written = resources.toml("reading/nicks.toml")[table]["example"]
    found = tokens(written)
    size, candidates = Roster([nick, "Анна"]).find(found, list(range(len(found))), 0)
    assert (size, candidates[0].seat) == (len(found), nick)


def test_a_title_says_too_little_alone() -> None:
    nick, title = resources.toml("reading/nicks.toml")["not_alone"]["example"]
    found = tokens(title)
    _, candidates = Roster([nick, "Анна"]).find(found, [0], 0)
    assert candidates[0].rank > 4
