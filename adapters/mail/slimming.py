"""A letter too large to be fetched, without what makes it large: its head and its texts, put together as a letter again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_MOST_TEXT = 300_000
"""Bytes of one text part; a longer one is nobody's order."""
_MOST_PARTS, _MOST_DEPTH = 40, 12
_KEPT = re.compile(rb"(?im)^(?!content-|mime-version)[^\s:]+:.*(?:\r?\n[ \t].*)*\r?\n?")

Fetch = Callable[[str], bytes]
"""Gives a section of the letter («1.2», «1.2.MIME», «HEADER»)."""


@dataclass(slots=True)
class _Slimming:
    fetch: Fetch
    most: int
    parts: int = 0
    cut: bool = False
    texts: int = 0


def slim(structure: Any, fetch: Fetch, most: int) -> tuple[bytes | None, bool]:
    """(the letter with its texts alone or None where it has none, whether a text had to be left out) by what the server tells
    of its structure. ``most``: bytes of a text that may be fetched.

    Raises whatever the server's answers make ``fetch`` or the reading of the structure raise.
    """
    work = _Slimming(fetch, min(most, _MOST_TEXT))
    head = b"".join(found[0] for found in _KEPT.finditer(fetch("HEADER")))
    body = _part(structure, "", 0, work)
    return head.rstrip(b"\r\n") + b"\r\nMIME-Version: 1.0\r\n" + body if work.texts else None, work.cut


def _part(structure: Any, number: str, depth: int, work: _Slimming) -> bytes:
    """A part's head and body."""
    work.parts += 1
    if isinstance(structure[0], (list, tuple)) and not isinstance(structure[0], bytes):
        children = list(structure[0]) if isinstance(structure[0], list) else [one for one in structure if isinstance(one, tuple)]
        kind = next((one for one in structure[1:] if isinstance(one, bytes)), b"mixed")
        if depth >= _MOST_DEPTH or work.parts + len(children) > _MOST_PARTS:
            work.cut = True
            return b"Content-Type: application/octet-stream\r\n\r\n"
        mark = b"slim-" + (number or "0").replace(".", "-").encode()
        made = [_part(one, f"{number}.{at}".lstrip("."), depth + 1, work) for at, one in enumerate(children, 1)]
        subtype = re.sub(rb"[^a-z-]", b"", kind.lower()) or b"mixed"
        pieces = b"".join(b"--" + mark + b"\r\n" + one + b"\r\n" for one in made)
        return b"Content-Type: multipart/" + subtype + b'; boundary="' + mark + b'"\r\n\r\n' + pieces + b"--" + mark + b"--\r\n"
    return _leaf(structure, number or "1", work, alone=not number)


def _leaf(structure: Any, number: str, work: _Slimming, *, alone: bool) -> bytes:
    head = work.fetch("HEADER" if alone else f"{number}.MIME")
    if alone:
        fields = re.findall(rb"(?im)^content-[^\s:]+:.*(?:\r?\n[ \t].*)*\r?\n?", head)
        head = b"".join(one.rstrip(b"\r\n") + b"\r\n" for one in fields)
    head = head.rstrip(b"\r\n") + b"\r\n\r\n"
    kind = bytes(structure[0] or b"").lower() + b"/" + bytes(structure[1] or b"").lower()
    attached = re.search(rb"(?i)content-disposition:\s*attachment|name\*?\d?\*?=", head) is not None and not alone
    if kind not in (b"text/plain", b"text/html") or attached:
        return head
    size = structure[6] if len(structure) > 6 else None
    if not isinstance(size, int) or size > work.most:
        work.cut = True
        return head
    work.texts += 1
    return head + work.fetch(number)
