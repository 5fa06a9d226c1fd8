"""What the owner of a forum may have changed: the keys that every engine has, and how a changed one is checked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from adapters.model import Meaning

_NAME = re.compile(r"[\w-]+")


class LayoutError(ValueError):
    """A changed key that cannot be used: which one, and in Russian what is wrong with it."""

    def __init__(self, key: str, problem: str) -> None:
        self.key = key
        self.problem = problem
        super().__init__(f"{key}: {problem}")


@dataclass(frozen=True)
class Layout:
    """Values are plain strings; several words, classes or beginnings stand with ``|`` between.

    The end of a key tells what it holds: ``_words`` phrases of a page, ``_class`` and ``_classes`` CSS classes, ``_ids``
    how the ids of elements begin, ``max_`` a number; every other holds a CSS selector.
    """

    red_classes: str = ""
    """Classes of the owner's own BBCode for red ("vote-red")."""
    blue_classes: str = ""
    spoiler_classes: str = ""
    """Classes of add-ons for the author's own words behind a button, for somebody else's, and for what nobody sees."""
    quote_classes: str = ""
    unseen_classes: str = ""
    max_post: str = "15000"
    """How many characters a post may have."""
    challenge_words: str = (
        "just a moment|checking your browser|один момент|проверка браузера|проверяем ваш браузер|вы не робот|ddos-guard|"
        "attention required|verify you are human|cf-browser-verification|challenge-platform|cf_chl"
    )

    @classmethod
    def of(cls, overrides: Mapping[str, object]) -> Self:
        """The layout with an owner's changes. Raises LayoutError."""
        known = {one.name for one in fields(cls)}
        checked = {}
        for key, value in overrides.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                likely = f"вероятно, имелось в виду «{near[0]}»" if near else f"есть {', '.join(sorted(known))}"
                raise LayoutError(key, f"такой настройки нет; {likely}")
            checked[key] = _checked(key, value)
        return cls(**checked)

    @cached_property
    def color_classes(self) -> dict[str, Meaning]:
        """CSS classes of the owner's style sheet that stand for a colour, or for whose words they hold."""
        found: dict[str, Meaning] = {}
        tables: tuple[tuple[str, Meaning], ...] = (
            (self.unseen_classes, "unseen"),
            (self.quote_classes, "quote"),
            (self.spoiler_classes, "spoiler"),
            (self.red_classes, "red"),
            (self.blue_classes, "blue"),
        )
        for classes, meaning in tables:
            found |= dict.fromkeys(parts(classes), meaning)
        return found


def parts(value: str) -> tuple[str, ...]:
    """The words, classes or beginnings of a value; none where it is empty."""
    return tuple([part for part in value.split("|") if part])


def has_one(phrases: str, text: str) -> bool:
    """Whether the text holds one of the phrases, whatever its case."""
    text = text.lower()
    return any(phrase in text for phrase in parts(phrases.lower()))


def _checked(key: str, value: object) -> str:
    if key.startswith("max_"):
        text = str(value)
        if isinstance(value, bool) or not text.isascii() or not text.isdigit() or int(text) < 1:
            raise LayoutError(key, "нужно целое число больше нуля")
        return text
    if not isinstance(value, str):
        raise LayoutError(key, "нужна строка в кавычках")
    if key.endswith("_words"):
        return "|".join(part.strip() for part in value.split("|") if part.strip())
    if key.endswith(("_class", "_classes", "_ids")):
        names = value.replace("|", " ").split()
        for name in names:
            if not _NAME.fullmatch(name):
                raise LayoutError(key, f"«{name}» не имя: нужны буквы, цифры, «-» и «_», без точки и решётки")
        if key.endswith("_ids") and not names:
            raise LayoutError(key, "не может быть пустой строкой")
        return "|".join(names)
    try:
        LexborHTMLParser("<p></p>").css(value)
    except SelectolaxError as error:
        raise LayoutError(key, f"«{value}» не селектор CSS") from error
    return value
