"""Pages of accounts: rows or pairs of a name and a value, whatever the engine and its template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser

from adapters.forum import Profile

_NICK = re.compile(r"^(?:имя пользователя|пользователь|логин|никнейм|ник|username|user|login)\b", re.IGNORECASE)
_GENDER = re.compile(r"^(?:пол|gender|sex)$", re.IGNORECASE)
_GENDERS = {
    "m": re.compile(r"^(?:муж|male\b|парень)", re.IGNORECASE),
    "f": re.compile(r"^(?:жен|female\b|девушка)", re.IGNORECASE),
}
_MOST = 6
"""Lines that are shown."""
_LONGEST = 80


def read(tree: LexborHTMLParser, uid: int, nick: str) -> Profile | None:
    """The account of a page whose number is known. ``nick``: what was asked for, where the page does not tell it; None when
    neither does."""
    pairs = [(name, value) for name, value in _pairs(tree) if name and value]
    named = next((value for name, value in pairs if _NICK.match(name)), nick)
    rest = tuple((name, value) for name, value in pairs if not _NICK.match(name))
    return Profile(named, uid, rest[:_MOST], _gender(rest)) if named else None


def _gender(pairs: Iterable[tuple[str, str]]) -> str:
    said = next((value for name, value in pairs if _GENDER.match(name)), "")
    return next((gender for gender, words in _GENDERS.items() if words.match(said)), "")


def _pairs(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for row in tree.css("tr"):
        cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
        if len(cells) == 2:
            yield _words(cells[0].text()), _words(cells[1].text())
    for term in tree.css("dl.details dt"):
        value = term.next
        while value is not None and value.tag != "dd":
            value = value.next
        if value is not None:
            yield _words(term.text()), _words(value.text())


def _words(text: str) -> str:
    """One line, without the links in brackets that staff is shown."""
    return " ".join(text.split()).partition(" [ ")[0].rstrip(" :")[:_LONGEST]
