"""What an engine brings for the demo: a site of its own that shows a board over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Protocol

from adapters import engines
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.web import Site

DAY = 86400
USUAL = "ucoz"
"""What the demo shows when nobody names an engine."""


class Options(Protocol):
    """How the owner has set the site up; whose options they are tells the engine."""

    engine: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Embedded:
    """An engine's site. The options that it is given are its own."""

    site: Callable[[Board, Any, Troubles], Site]
    usual: Callable[[], Options]
    """Options for the demo: forms and sessions live for days, for on its clock an hour is a blink of the machine."""
    quotation: Callable[[Board, int, Any], str]
    """What the quote button gives for a post. BoardError: no such post."""
    topic: Callable[[Board, int, Any], str]
    """Where a person finds a topic, to be put behind the server's ``url``."""


def shown() -> tuple[str, ...]:
    """The engines that the demo can show: those with such a site in a module here that is named like them, or in the module
    ``demo`` of the package that brings them; each has ``EMBEDDED``."""
    return tuple(name for name in engines.names() if find_spec(_module(name)) is not None)


def embedded(engine: str) -> Embedded:
    """The site of an engine. Raises KeyError for an unknown engine."""
    found: Embedded = import_module(_module(engine)).EMBEDDED
    return found


def _module(engine: str) -> str:
    here = __name__.rpartition(".")[0]
    return f"{here}.{engine}" if engine in engines.NAMES else f"{engines.package(engine)}.demo"
