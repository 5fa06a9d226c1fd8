"""Why a message was read so, in words for the host: ``config/reading/explained.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from forumbot import resources


def reason_text(reason: str | None) -> str:
    """A reason of the reading in Russian; a reason of the rules keeps its id."""
    return _table()["reasons"].get(reason or "", f"по правилам: {reason}" if reason else "")


def class_text(by: str) -> str:
    """The class of a word that was understood (``Explained.by``) in Russian, without what it names."""
    return _table()["classes"].get(by.partition(":")[0], "служебное слово")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    return resources.toml("reading/explained.toml")
