"""The rulesets by their id. Each is imported only when asked for, so that commands start fast.

A ruleset is a package with ``RULESET``: a folder here, or one that an installed distribution names by an entry point of the
group ``forumbot.rulesets`` (name: the ruleset's id, value: the package). What else such a package holds is said in
ARCHITECTURE.md ("To add").
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from engine.turn import Ruleset

GROUP = "forumbot.rulesets"
NAMES = tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))
"""Those that came with the program."""


def names() -> tuple[str, ...]:
    """Every ruleset there is: those of the program, then those of other distributions."""
    return (*NAMES, *sorted({point.name for point in entry_points(group=GROUP)} - set(NAMES)))


@cache
def package(name: str) -> str:
    """The package of the ruleset of this id. Raises KeyError for an unknown one."""
    if name in NAMES:
        return f"{__name__}.{name}"
    for point in entry_points(group=GROUP, name=name):
        return point.module
    raise KeyError(name)


@cache
def ruleset(name: str) -> Ruleset:
    """The ruleset of this id. Raises KeyError for an unknown one."""
    found: Ruleset = import_module(package(name)).RULESET
    return found
