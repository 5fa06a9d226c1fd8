"""Lists of private messages, alike on every forum engine: links to messages, each in a row that names the other side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list; ``nick`` is the other side (the first one named)."""

    id: int
    subject: str
    nick: str
    uid: int | None


def lines(
    links: Iterable[tuple[int, LexborNode, LexborNode | None]], other: Callable[[LexborNode | None], tuple[str, int | None]]
) -> list[Line]:
    """One line a message from its links, each with the message's id and its row; ``other`` reads (nick, uid) of a row.

    A subject may be empty, and a picture may lead to the message before its subject does.
    """
    found: dict[int, Line] = {}
    for number, link, row in links:
        subject = " ".join(link.text().split())
        if number in found:
            found[number] = replace(found[number], subject=found[number].subject or subject)
        else:
            found[number] = Line(number, subject, *other(row))
    return list(found.values())
