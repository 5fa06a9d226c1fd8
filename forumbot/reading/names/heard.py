"""How Russian words are heard and written down by ear."""

from __future__ import annotations

import re
from collections.abc import Callable

_AS_HEARD = re.compile("э|(?<=[жчшщц])[оеыи]")
_WRITTEN = {"э": "е", "о": "е", "е": "о", "ы": "и", "и": "ы"}
"""Vowels that are heard alike in these places and mistaken for each other («снэйк», «волчек», «шышка»)."""
_VOICELESS = {"б": "п", "в": "ф", "г": "к", "д": "т", "ж": "ш", "з": "с"}
_HEARD: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile("ться|тся|цца|тца"), "ца"),
    (re.compile("[ьъ]"), ""),
    (re.compile("сч|зч|жч|щ"), "ш"),
    (re.compile("ого$|ова$|ево$|его$"), "ава"),
    (re.compile("[бвгджз](?=[пфктшсцчщ]|$)"), lambda match: _VOICELESS[match[0]]),
    (re.compile("о"), "а"),
    (re.compile("[еэяы]"), "и"),
    (re.compile("ю"), "у"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def heard(folded: str) -> str:
    """How a Russian word is heard, unstressed vowels and last consonants alike: equal for «Пончик» and «Пончег»."""
    for pattern, said in _HEARD:
        folded = pattern.sub(said, folded)
    return folded


def _usual_letter(match: re.Match[str]) -> str:
    return _WRITTEN[match[0]]


def as_written(folded: str) -> str:
    """A word that was written as it is heard («снэйк», «волчек») in its usual letters."""
    return _AS_HEARD.sub(_usual_letter, folded)
