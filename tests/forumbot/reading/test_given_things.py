"""A thing that is given away and has the name of a move is no move (mafialife: the pistol)."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from forumbot.cli.main import main


@pytest.mark.parametrize("text", ["Дарю пистолет Жанне", "Подарить: пистолет – Жанна", "Подарить Жанне пистолет"])
def test_nobody_is_shot_with_the_pistol_that_they_are_given(text: str) -> None:
    line = {"id": "1", "ruleset": "mafialife", "kind": "letter", "roster": ["Вера", "Жанна", "Хомяк"], "author": "Вера",
            "author_role": "citizen", "subject": None, "text": text, "channel": "letter", "format": "plain",
            "ctx": {"dead": [], "pistol": True}}  # fmt: skip
    answer = json.loads(CliRunner().invoke(main, ["parse", "--json"], input=json.dumps(line, ensure_ascii=False)).output)
    assert not [one for one in answer["orders"] if one["action"] == "pistol" and one["status"] == "accepted"]
