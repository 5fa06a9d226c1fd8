"""Where tables, words, templates and themes live: a host's own files first, then those that came with the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from forumbot import tomlfiles

_IN_WHEEL = Path(__file__).parent / "config"
_IN_CHECKOUT = Path(__file__).parent.parent / "config"
PACKAGED = _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT


def find(relative: str, own: Path | None = None) -> Path:
    """The file ``relative`` ("rulesets/clans.toml") in the host's own folder, else the packaged one.

    Raises FileNotFoundError when neither has it.
    """
    for root in (own, PACKAGED):
        if root is not None and (root / relative).is_file():
            return root / relative
    raise FileNotFoundError(relative)


@cache
def toml(relative: str, own: Path | None = None) -> dict[str, Any]:
    """A TOML file found by ``find``, read once per process. Callers must not change what they get.

    Raises NotToml, with the file's name, where the host's own file is none.
    """
    file = find(relative, own)
    try:
        return tomlfiles.read(file)
    except tomlfiles.NotToml as error:
        raise tomlfiles.NotToml(f"{file}: {error}") from error


def tables(ruleset: str) -> dict[str, Any]:
    """The packaged game tables of a ruleset: ``config/rulesets/<ruleset>.toml``."""
    return toml(f"rulesets/{ruleset}.toml")
