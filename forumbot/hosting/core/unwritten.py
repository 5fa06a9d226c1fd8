"""A text that its template cannot make stops that text alone: its row goes in empty, is not sent, and waits for a host."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from forumbot.writing.writer import Unwritten

log = structlog.get_logger("forumbot.texts")

WHY = "текст не получился из шаблона игры (подробности в журнале бота): впишите его сами («forumbot outbox edit»)"
"""What the host is told of the row."""


def written(make: Callable[[], str]) -> str:
    """The text that ``make`` gives, or nothing."""
    try:
        return make()
    except Unwritten as error:
        return nothing(error)


def letter(make: Callable[[], tuple[str, str]], subject: str) -> tuple[str, str]:
    """Subject and text of a letter, or this subject without a text."""
    try:
        return make()
    except Unwritten as error:
        return subject, nothing(error)


def nothing(error: Unwritten) -> str:
    log.error("text_unwritten", template=error.template, exc_info=error)
    return ""
