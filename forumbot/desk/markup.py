"""Our own BBCode as the forum will show it: a few tags become elements, every other word is escaped."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_TAG = re.compile(r"\[(/?)(b|i|u|s|color|size|quote|spoiler|code)(?:=([^\]\n]{0,60}))?\]", re.IGNORECASE)
_ELEMENTS = {"b": "b", "i": "i", "u": "u", "s": "s", "color": "span", "size": "span", "quote": "blockquote",
             "spoiler": "div", "code": "code"}  # fmt: skip
_COLORS = ("red", "blue", "green")
"""Colours that have a class of ours; others are shown in the page's own colour."""


def shown(text: str) -> Markup:
    """HTML of a text in BBCode. Unknown tags stay as they were typed; open ones are closed at the end."""
    parts: list[Markup] = []
    opened: list[str] = []
    place = 0
    for tag in _TAG.finditer(text):
        parts.append(escape(text[place : tag.start()]))
        place = tag.end()
        closing, name, value = tag.group(1), tag.group(2).lower(), (tag.group(3) or "").strip("\"'").lower()
        if not closing:
            opened.append(name)
            parts.append(_open(name, value))
        elif name in opened:
            while opened:
                last = opened.pop()
                parts.append(Markup(f"</{_ELEMENTS[last]}>"))
                if last == name:
                    break
        else:
            parts.append(escape(tag.group(0)))
    parts.append(escape(text[place:]))
    parts.extend(Markup(f"</{_ELEMENTS[name]}>") for name in reversed(opened))
    return Markup("").join(parts)


def plain(text: str) -> str:
    """The words of a text without its tags."""
    return _TAG.sub("", text)


def _open(name: str, value: str) -> Markup:
    look = f' class="color-{value}"' if name == "color" and value in _COLORS else ""
    if name == "spoiler":
        look = ' class="spoiler"'
    return Markup(f"<{_ELEMENTS[name]}{look}>")
