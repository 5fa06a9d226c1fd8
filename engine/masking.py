"""Blotting a hidden player's nick out of a text (league R131, D86)."""

from __future__ import annotations

import re
from functools import lru_cache

BLOT = "***"
_SOFT_ENDS = "аеёиоуыэюяйь"
_ENDINGS = ("а", "я", "у", "ю", "ы", "и", "е", "о", "ой", "ей", "ою", "ею", "ом", "ем", "ам", "ям")
_SHORT = 3
_TAIL = 3


def mask(story: str, nick: str) -> str:
    """The story with every mention of ``nick`` replaced by ``***``.

    A mention is a word equal, in any letter case, to the nick, or to the nick without its final vowel, й or ь plus at
    most three letters; where fewer than three letters would be left, only the listed case endings count. A nick of
    several words is compared word by word, as a whole.
    """
    return _pattern(nick).sub(BLOT, story)


@lru_cache(maxsize=256)
def _pattern(nick: str) -> re.Pattern[str]:
    words = nick.split()
    body = r"\s+".join(_word(word) for word in words)
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)", re.IGNORECASE)


def _word(word: str) -> str:
    """The pattern of one word of a nick. ё and е are one letter, as everywhere in names."""
    exact = _letters(word)
    stem = word[:-1] if word[-1].lower() in _SOFT_ENDS else word
    if sum(1 for letter in stem if letter.isalpha()) < _SHORT:
        if not stem:
            return exact
        endings = "|".join(sorted(_ENDINGS, key=len, reverse=True))
        return rf"(?:{exact}|{_letters(stem)}(?:{endings})?)" if stem == word else rf"(?:{exact}|{_letters(stem)}(?:{endings}))"
    return rf"(?:{exact}|{_letters(stem)}[^\W\d_]{{0,{_TAIL}}})"


def _letters(text: str) -> str:
    return "".join("[её]" if letter in "её" else "[ЕЁ]" if letter in "ЕЁ" else re.escape(letter) for letter in text)
