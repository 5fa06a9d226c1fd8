"""A scenario file played with the packaged tables, the newspaper's writer and the reader of texts."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from engine import scenario
from forumbot import reading, resources
from forumbot.writing import report

READER = reading.reader()


def load(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def play(document: dict[str, Any]) -> scenario.Played:
    checked = scenario.parse(document)
    return scenario.run(checked, resources.tables(checked.ruleset), report.plain, READER)


def gives_orders_only(document: dict[str, Any]) -> bool:
    """Whether nothing of it depends on the reading of texts."""
    return not any(turn.get("messages") for turn in document["turns"])
