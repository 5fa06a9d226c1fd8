"""The grammatical gender of a nick, where its words leave no doubt: how a verb in the past agrees with it."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Any, Literal

from forumbot.reading.decline import is_word, parses_of

Gender = Literal["m", "f", ""]
"""Empty: not known."""

_KNOWN: dict[str, Gender] = {"masc": "m", "femn": "f"}
_COMMON = "ms-f"
"""The mark of a word that is of both genders («Саша», «судья»)."""


@lru_cache(maxsize=10_000)
def of_nick(nick: str) -> Gender:
    """ "m" or "f" where every word of the nick that the dictionary knows says the same and the first noun is among them;
    empty for Latin letters, words of both genders («Саша»), neuters and unknown words."""
    found: set[Gender] = set()
    for word in nick.replace("-", " ").split():
        of_word = _of_word(word.lower().replace("ё", "е"))
        if of_word is None:
            continue
        if len(of_word) != 1:
            return ""
        found |= of_word
    return found.pop() if len(found) == 1 else ""


def _of_word(word: str) -> Set[Gender] | None:
    """The genders that a word may have; None for one that no dictionary knows."""
    if not word or not all("а" <= sign <= "я" for sign in word) or not is_word(word):
        return None
    nominative = [parse.tag for parse in parses_of(word) if parse.is_known and "nomn" in parse.tag and "sing" in parse.tag]
    nouns = [tag for tag in nominative if tag.POS == "NOUN"]
    if not nouns:
        return {_gender(tag) for tag in nominative if tag.POS in ("ADJF", "PRTF")} or {""}
    people = [tag for tag in nouns if "anim" in tag]
    return {_gender(tag) for tag in people or nouns}


def _gender(tag: Any) -> Gender:
    return "" if _COMMON in tag else _KNOWN.get(str(tag.gender), "")
