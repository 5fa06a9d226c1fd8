"""Scenes above the newspaper: chosen from what everybody may know, by a hash, so that no wording can betray a secret.

A theme is a file ``config/themes/<name>.toml`` with ``title`` and ``[[scenes]]``: ``text``, and when it fits (``dead``:
[least, most] deaths of the turn, ``nobody``: whether the court spared all, ``weekday``: days, Monday is 0, ``final``:
whether the game has ended; what is left out fits always). Neither the chance of the game nor its report knows of it.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forumbot import resources

_NAME = re.compile(r"[\w-]+")
FILE = "theme.toml"
"""The name under which a game keeps its theme among its frozen templates."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Public facts of one newspaper: all that the choice of a scene may rest on."""

    game: str
    turn: int
    dead: int
    nobody: bool
    """Whether the newspaper says that the court spared everybody."""
    weekday: int
    """Of the day on which the turn ended; Monday is 0."""
    final: bool


def names(own: Path | None = None) -> tuple[str, ...]:
    """The themes there are: packaged ones and the host's own."""
    roots = [root / "themes" for root in (resources.PACKAGED, own) if root is not None]
    return tuple(sorted({file.stem for root in roots for file in root.glob("*.toml")}))


def gather(theme: str, own: Path | None = None) -> dict[str, str]:
    """The text of a theme, for a game's frozen templates; nothing for "". Raises FileNotFoundError for an unknown one."""
    if theme and not _NAME.fullmatch(theme):
        raise FileNotFoundError(theme)  # a name, and no way to another file
    if not theme:
        return {}
    return {FILE: resources.find(f"themes/{theme}.toml", own).read_text(encoding="utf-8")}


def scene(theme: str, moment: Moment, another: int = 0, *, seen: Collection[str] = ()) -> str:
    """The scene for this newspaper, ``another`` counts how often a different one was asked for; "" without a theme.

    Newspapers of one game walk through the fitting scenes in an order of their own, so that days alike in their facts do
    not get the same scene in a row; one of those ``seen`` comes again only when no other fits.
    """
    scenes: Sequence[Mapping[str, Any]] = tomllib.loads(theme).get("scenes", ())
    fitting = [str(one["text"]).strip() for one in scenes if _fits(one, moment)]
    if not fitting:
        return ""
    shuffled = sorted(fitting, key=lambda text: _hash(moment.game, text))
    left = [text for text in shuffled if text not in seen] or shuffled
    return left[(moment.turn + another) % len(left)]


def _fits(one: Mapping[str, Any], moment: Moment) -> bool:
    if bool(one.get("final", False)) != moment.final:
        return False
    least, most = one.get("dead", (0, 1_000))
    if not least <= moment.dead <= most:
        return False
    if "nobody" in one and bool(one["nobody"]) != moment.nobody:
        return False
    return moment.weekday in one.get("weekday", range(7))


def _hash(game: str, text: str) -> str:
    return hashlib.sha256(f"{game}\n{text}".encode()).hexdigest()
