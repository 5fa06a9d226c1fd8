"""Sections of the forum that a host names by number: the forum is asked what it calls them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from adapters.board import Board
from adapters.errors import OutsideError
from adapters.forum import Forum
from forumbot.capture import collect
from forumbot.hosting.core.acting import Refused

Titles = Callable[[str], str]


def titles(forum: Forum) -> Titles | None:
    """What asks this forum for the title of a section; None where nothing is to be asked."""
    return partial(_title, forum) if isinstance(forum, Board) else None


def _title(board: Board, section: str) -> str:
    """Raises Refused for a section that the forum does not know or show, or while it does not answer."""
    try:
        known = collect.has_section(board, section)
        found = collect.section_title(board, section) if known else ""
    except OutsideError as error:
        why = error.text or "нет связи"
        raise Refused(f"форум сейчас не отвечает, и раздел не проверить ({why}): попробуйте позже") from error
    if not known:
        raise Refused(f"раздела {section} форум боту не показывает: проверьте номер")
    return found
