"""The newspaper: public lines of a turn in, text out, by the template ``config/templates/<ruleset>/newspaper.j2``.

A template sees ``Line`` events and nothing else, so no wording can give away what the rules hide. The same lines make
plain text (scenarios) and a forum's markup: whoever posts hands in how its texts are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.model import NOTHING, Line, Seat
from forumbot import resources
from forumbot.writing.voice import FREE_TEXT, Escape, piece

_MANY_EMPTY_LINES = re.compile(r"\n{3,}")


class PublicLine:
    """A line as a template sees it: ``line.section``, ``line.kind``, and its data as further attributes or items."""

    __slots__ = ("_data", "kind", "section")

    def __init__(self, line: Line, escape: Escape | None) -> None:
        self.section = line.section
        self.kind = line.kind
        self._data: Mapping[str, Any] = line.data if escape is None else _theirs(line.data, escape)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def get(self, key: str, default: Any = None) -> Any:
        """A value that a line of this kind need not have."""
        return self._data.get(key, default)


class Newspaper:
    """What a template is given as ``news``: the turn's number and its lines by section."""

    __slots__ = ("lines", "turn")

    def __init__(self, turn: int, lines: Iterable[Line], escape: Escape | None = None) -> None:
        self.turn = turn
        self.lines = [PublicLine(line, escape) for line in lines]

    def section(self, *names: str) -> list[PublicLine]:
        """The lines of one section (or several), in the order in which the rules gave them."""
        return [line for line in self.lines if line.section in names]


def render(
    ruleset: str,
    turn: int,
    lines: Sequence[Line],
    *,
    escape: Escape | None = None,
    nicks: Mapping[Seat, str] = NOTHING,
    own: Path | None = None,
) -> str:
    """The newspaper of one turn; paragraphs are parted by one empty line, and there is no empty line at either end.

    ``escape`` is applied to every text in the lines' data (nicks, stories) before the template sees it: None for plain
    text. ``nicks`` renames seats where the template says ``| nick``. ``own`` is a folder of the host's own files; its
    ``templates/<ruleset>/newspaper.j2`` is used in place of the packaged one. Raises FileNotFoundError without a
    template and jinja2.TemplateError for a faulty one.
    """
    template = _template(ruleset, own)
    shown = nicks
    if escape is not None:
        shown = {escape(seat): escape(nick) for seat, nick in nicks.items()}
    return tidy(template.render(news=Newspaper(turn, lines, escape), nicks=shown))


def tidy(text: str) -> str:
    """A rendered text without blanks at line ends, with single empty lines only, and none at either end."""
    text = "\n".join(line.rstrip() for line in text.splitlines())
    return _MANY_EMPTY_LINES.sub("\n\n", text).strip("\n")


def plain(ruleset: str, turn: int, lines: Sequence[Line]) -> str:
    """The newspaper as plain text with the packaged template: the writer that scenarios are given."""
    return render(ruleset, turn, lines)


def tally(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Votes as pairs of voter and target, by target: the most voted for first, then in the order of the votes."""
    found: dict[str, list[str]] = {}
    for voter, target in pairs:
        found.setdefault(target, []).append(voter)
    return sorted(found.items(), key=lambda one: -len(one[1]))


def plural(number: float, one: str, few: str, many: str) -> str:
    """The Russian form that goes with a number: 1 жизнь, 2 жизни, 5 жизней; a fraction takes the form of 2."""
    if number != int(number):
        return few
    last_two, last = abs(int(number)) % 100, abs(int(number)) % 10
    if last == 1 and last_two != 11:
        return one
    return few if last in (2, 3, 4) and last_two not in (12, 13, 14) else many


@cache
def _template(ruleset: str, own: Path | None) -> Template:
    file = resources.find(f"templates/{ruleset}/newspaper.j2", own)
    roots = [file.parent, resources.folder(ruleset) / "templates" / ruleset, resources.PACKAGED / "templates"]
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(roots),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["nick"] = _nick
    environment.filters["plural"] = plural
    return environment.get_template(file.name)


@pass_context
def _nick(context: Context, value: str) -> str:
    nicks: Mapping[str, str] = context["nicks"]
    return nicks.get(value, value)


def _theirs(data: Mapping[str, Any], escape: Escape) -> dict[str, Any]:
    """A line's data with everything in it made harmless, free words in their frame."""
    return {
        key: piece(escape, value) if key == FREE_TEXT and isinstance(value, str) else _escaped(value, escape)
        for key, value in data.items()
    }


def _escaped(value: Any, escape: Escape) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {key: _escaped(inner, escape) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(_escaped(inner, escape) for inner in value)
    return value
