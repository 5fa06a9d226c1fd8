"""Long posts in parts: cut where it hurts least, every tag whole, every part well-formed by itself, always to an end."""

from __future__ import annotations

import re

LEAST = 200
"""Signs that a part must be allowed to have: room for the tags that go on from the part before, and for words."""

_NAMES = "b|i|u|s|color|size|quote|spoiler|list|code"
_TAG = re.compile(rf"\[(?P<end>/?)(?P<name>{_NAMES})(?P<value>=[^\[\]\n]{{0,60}})?\]", re.IGNORECASE)
"""What is a tag of ours. A bracket that was made harmless (``adapters.inert``) is none: a blank follows it."""


def split(text: str, limit: int) -> tuple[str, ...]:
    """A long text in parts of at most ``limit`` signs, cut between paragraphs, else between lines, else between words.

    A tag that is open at a cut is closed there and opened again in the next part, the outermost first, as far as a
    quarter of a part holds them. No word is lost, the order is kept, and each part takes something of the text: whatever
    the text, it ends. Raises ValueError for a limit below ``LEAST``.
    """
    if limit < LEAST:
        raise ValueError(f"a part needs at least {LEAST} signs")
    parts: list[str] = []
    place, end = 0, len(text.rstrip())
    opened: list[str] = []
    while place < end:
        head = _fitting(opened, limit // 4)
        stop = _reach(text, place, end, head, limit)
        cut = end if stop >= end else _cut(text, place, stop)
        piece = text[place:cut]
        opened = _open_after(head, piece)
        if piece.strip():
            parts.append("".join(head) + piece.strip("\n") + _closing(opened))
        place = cut
        while place < end and text[place] in "\n ":
            place += 1
    return tuple(parts)


def _fitting(opened: list[str], room: int) -> list[str]:
    """The outermost of these tags, as many as there is room for."""
    kept: list[str] = []
    for tag in opened:
        room -= len(tag)
        if room < 0:
            break
        kept.append(tag)
    return kept


def _reach(text: str, place: int, end: int, head: list[str], limit: int) -> int:
    """How far a part that begins here may go, its closing tags counted; at least one sign, and never into a tag."""
    opened = list(head)
    closing = len(_closing(opened))
    room = limit - sum(map(len, head))
    for tag in _TAG.finditer(text, place, end):
        if tag.start() - place + closing > room:
            break
        changed = _apply(opened, tag)
        if tag.end() - place + closing + changed > room:
            return max(tag.start(), place + 1)
        closing += changed
    return min(end, place + max(1, room - closing))


def _cut(text: str, place: int, stop: int) -> int:
    """Where to cut at or before ``stop``: not in the first half of the part, and not inside a tag."""
    middle = place + (stop - place) // 2
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, middle, stop)
        if found > place:
            return _before_tag(text, place, found)
    return _before_tag(text, place, stop)


def _before_tag(text: str, place: int, cut: int) -> int:
    """The cut, moved in front of the tag that it would fall into."""
    start = text.rfind("[", place, cut)
    tag = _TAG.match(text, start) if start > place else None
    return start if tag is not None and tag.end() > cut else cut


def _open_after(opened: list[str], text: str) -> list[str]:
    """The tags that are open behind this text, when these were open before it."""
    now = list(opened)
    for tag in _TAG.finditer(text):
        _apply(now, tag)
    return now


def _apply(opened: list[str], tag: re.Match[str]) -> int:
    """Open or close a tag; gives by how much the closing tags of all that is open get longer."""
    if not tag["end"]:
        opened.append(tag[0])
        return len(tag["name"]) + 3
    name = tag["name"].lower()
    for index in range(len(opened) - 1, -1, -1):
        if _name(opened[index]) == name:
            del opened[index]
            return -len(name) - 3
    return 0


def _closing(opened: list[str]) -> str:
    return "".join(f"[/{_name(tag)}]" for tag in reversed(opened))


def _name(tag: str) -> str:
    return tag[1:-1].partition("=")[0].lower()
