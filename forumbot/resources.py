"""Where tables, words, templates and themes live: a host's own files first, then those that came with the program, then those
that a ruleset or forum engine of another distribution brings in the folder ``config`` of its package."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from adapters import engines
from forumbot import tomlfiles

_IN_WHEEL = Path(__file__).parent / "config"
_IN_CHECKOUT = Path(__file__).parent.parent / "config"
PACKAGED = _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT


def find(relative: str, own: Path | None = None) -> Path:
    """The file ``relative`` ("rulesets/clans.toml") in the host's own folder, else the packaged one.

    Raises FileNotFoundError when none has it.
    """
    for root in (own, PACKAGED):
        if root is not None and (root / relative).is_file():
            return root / relative
    for root in _brought():
        if (root / relative).is_file():
            return root / relative
    raise FileNotFoundError(relative)


def folder(ruleset: str) -> Path:
    """The folder laid out like ``config/`` that came with this ruleset. Raises KeyError for an unknown one."""
    from engine import rulesets  # what reads a page has no need of the rules

    return PACKAGED if ruleset in rulesets.NAMES else _config(rulesets.package(ruleset))


def _brought() -> Iterator[Path]:
    """The folders of what other distributions have added."""
    from engine import rulesets

    for room in (rulesets, engines):
        yield from (_config(room.package(name)) for name in room.names() if name not in room.NAMES)


@cache
def _config(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(package)
    return Path(spec.submodule_search_locations[0]) / "config"


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
