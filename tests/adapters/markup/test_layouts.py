"""The owner's files name every setting of a layout with its usual value."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from typing import Any

import pytest

from adapters.phpbb.layout import Layout as PhpbbLayout
from adapters.ucoz.layout import Layout as UcozLayout
from forumbot.resources import find, toml


@pytest.mark.parametrize(("name", "layout"), [("ucoz", UcozLayout), ("phpbb", PhpbbLayout)])
def test_file_shows_every_default_and_changes_none(name: str, layout: Any) -> None:
    lines = find(f"forums/{name}.toml").read_text(encoding="utf-8").splitlines()
    shown = tomllib.loads("\n".join(line[2:] for line in lines if line.startswith("# ") and ' = "' in line))
    assert shown == asdict(layout())
    assert toml(f"forums/{name}.toml") == {}
