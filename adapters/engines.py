"""The forum engines by their id. Each module of one is imported only when asked for.

An engine is a package: a folder here with ``client``, or one that an installed distribution names by an entry point of the
group ``forumbot.forums`` (name: the engine's id, value: the package). Its modules are

- ``client``: ``connect``, which gives an account at work (``adapters.forum.Forum``);
- ``pages``: ``read_thread``; ``site``: ``page_of_pages``, ``is_logged_in``; ``letters``: ``lines_of``, ``message_of``;
- ``layout``: ``Layout``, what an owner may have changed; ``places``: ``PLACES``, where its pages are and what marks them;
- ``facts``: ``FACTS`` and ``RIGHTS``, what is looked up on captured pages;
- ``guesses``, if there are any: what of the engine nobody could see from outside.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from adapters.places import Places

GROUP = "forumbot.forums"
NAMES = tuple(sorted(client.parent.name for client in Path(__file__).parent.glob("*/client.py")))
"""Those that came with the program."""


def names() -> tuple[str, ...]:
    """Every engine there is: those of the program, then those of other distributions."""
    return (*NAMES, *sorted({point.name for point in entry_points(group=GROUP)} - set(NAMES)))


@cache
def package(name: str) -> str:
    """The package of the engine of this id. Raises KeyError for an unknown one."""
    if name in NAMES:
        return f"adapters.{name}"
    for point in entry_points(group=GROUP, name=name):
        return point.module
    raise KeyError(name)


def part(name: str, module: str) -> ModuleType:
    """A module of an engine. Raises KeyError for an unknown engine."""
    return import_module(f"{package(name)}.{module}")


def has(name: str, module: str) -> bool:
    """Whether an engine has this module. Raises KeyError for an unknown engine."""
    return find_spec(f"{package(name)}.{module}") is not None


def places(name: str) -> Places:
    """Where the engine's pages are. Raises KeyError for an unknown engine."""
    found: Places = part(name, "places").PLACES
    return found


def of(account: object) -> str:
    """The id of the engine of an account that its ``connect`` gave. Raises LookupError for another object."""
    home = type(account).__module__
    return next(name for name in names() if home.startswith(f"{package(name)}."))
