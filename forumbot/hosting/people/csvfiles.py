"""Accounts of people as CSV: balances of earlier games come in once, and everything can be taken out."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.people import people
from forumbot.hosting.people.people import Person

_NICK, _UID = ("nick", "ник"), ("uid", "номер")
_WORDS: Mapping[str, str] = {
    "монеты": "coins",
    "долг": "debt",
    "мафбаксы": "mafbucks",
    "партии": "games",
    "игры": "games",
    "победы": "won",
    "штрафы": "penalties",
}


class BadFile(Exception):
    """The file cannot be taken; the text is one Russian sentence: which line, what is wrong."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many people the file named, and how many bookings it led to (0: it was taken before)."""

    people: int
    bookings: int


def take(connection: sa.Connection, name: str, text: str, now: datetime) -> Imported:
    """Book the balances of a file. The same file is booked once. Columns: ``nick``, ``uid`` (one of them is enough), then
    one a currency (``coins``, ``debt``, ``mafbucks``, ``games``, ``won``, ``penalties``, in Russian, too).

    Raises BadFile; then nothing may be kept of it.
    """
    columns, rows = _read(text)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    made = 0
    for number, row in rows:
        nick, uid = _as_nick(row.get("nick", "")), _uid(number, row.get("uid", ""))
        person = _person(connection, number, nick, uid, now)
        for currency in columns:
            amount = _amount(number, currency, row[currency])
            if amount:
                key = f"import/{digest}/{person}/{currency}"
                made += people.book(connection, person, currency, amount, f"перенос из {name}", key, now)
    return Imported(len(rows), made)


def give(rows: Sequence[Person]) -> str:
    """Everybody's accounts, in the form that ``take`` reads."""
    names = people.currencies(rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("nick", "uid", *names))
    for one in rows:
        amounts = [f"{one.accounts.get(name, 0):g}" for name in names]
        writer.writerow((_as_text(one.nick), one.uid or "", *amounts))
    return out.getvalue()


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With one of these a cell begins that a spreadsheet takes for a formula and may carry out."""


def _as_text(nick: str) -> str:
    """A nick that no spreadsheet takes for a formula: an apostrophe before it says that it is text."""
    return f"'{nick}" if nick.startswith((*_FORMULA, "'")) else nick


def _as_nick(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*_FORMULA, "'")) else cell


def _read(text: str) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    lines = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=_delimiter(text)))
    if not lines:
        raise BadFile("в файле нет ни одной строки")
    head = [_column(cell) for cell in lines[0]]
    if not {"nick", "uid"} & set(head):
        raise BadFile("строка 1: нет столбца nick или uid")
    twice = next((name for name in head if head.count(name) > 1), None)
    if twice is not None:
        raise BadFile(f"строка 1: столбец {twice} назван дважды")
    rows = []
    for number, cells in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(head):
            raise BadFile(f"строка {number}: значений {len(cells)}, а столбцов {len(head)}")
        rows.append((number, dict(zip(head, (cell.strip() for cell in cells), strict=True))))
    return [name for name in head if name not in ("nick", "uid")], rows


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _column(cell: str) -> str:
    name = cell.strip().casefold()
    if name in _NICK:
        return "nick"
    if name in _UID:
        return "uid"
    found = _WORDS.get(name, name)
    if not found.isidentifier():
        raise BadFile(f"строка 1: столбец «{cell}» не назван; бывают nick, uid и валюты ({', '.join(_WORDS.values())})")
    return found


def _uid(number: int, cell: str) -> int | None:
    if not cell:
        return None
    if not cell.isdecimal():
        raise BadFile(f"строка {number}: uid «{cell}» не число")
    return int(cell)


def _person(connection: sa.Connection, number: int, nick: str, uid: int | None, now: datetime) -> int:
    if nick and uid is not None:
        return people.person_of(connection, nick, uid, now)
    known = people.find(connection, nick) if nick else people.find_uid(connection, uid)
    if known is not None:
        return known.id
    if not nick:
        raise BadFile(f"строка {number}: участника с uid {uid} бот ещё не знает, допишите его ник")
    return people.person_of(connection, nick, None, now)


def _amount(number: int, currency: str, cell: str) -> float:
    if not cell:
        return 0
    try:
        amount = float(cell.replace(",", ".").replace("\N{NO-BREAK SPACE}", "").replace("\N{MINUS SIGN}", "-"))
    except ValueError as error:
        raise BadFile(f"строка {number}: {currency} «{cell}» не число") from error
    if amount != amount or abs(amount) > 1e9:
        raise BadFile(f"строка {number}: {currency} «{cell}» не годится")
    return amount
