"""Lists of private messages, alike on every forum engine: links to messages, each in a row that names the other side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode

from adapters.alike import folded

_MARK = re.compile(r"\((\w{6,})\)$")
"""What ends a subject and stands in no other."""


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


def is_ours(line: Line, to_nick: str, subject: str) -> bool:
    """Whether a line of the sent messages is that of this subject to this member. A mark at the subject's end is enough: a
    censor may change the words before it, an owner the member's nick."""
    shown, sent = _MARK.search(folded(line.subject)), _MARK.search(folded(subject))
    if shown is not None and sent is not None:
        return shown[1] == sent[1]
    return (folded(line.subject), folded(line.nick)) == (folded(subject), folded(to_nick))
