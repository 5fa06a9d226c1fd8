"""Marks of what goes out: by its mark exactly one message is found again, and whoever reads it learns nothing from it.

A number of the row would tell the players, who can compare theirs, how many messages went to somebody else between two of
their own: who holds a team's password, who got a notice in the night.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from forumbot.store.prepared import Row
from forumbot.store.tables import places

_PLACE = "marks"
_LETTERS = "БВГДЖЗКЛМНПРСТФХЦЧШ"
"""No vowels: no words come out; no figures: no number of a seat."""
_LENGTH = 6
_LONGEST = 100
"""Forums cut long subjects without a word, and the mark stands at the end."""


def provide(connection: sa.Connection) -> None:
    """Make what marks are made with, once in the life of a database; it comes back with a copy of it."""
    fresh = {"secret": secrets.token_hex(16)}
    connection.execute(insert(places).values(name=_PLACE, value=fresh).on_conflict_do_nothing(index_elements=["name"]))


def secret(connection: sa.Connection) -> bytes:
    """What marks are made with; it must have been provided."""
    kept = connection.execute(sa.select(places.c.value).where(places.c.name == _PLACE)).scalar_one()
    return bytes.fromhex(kept["secret"])


def of_message(key: bytes, row: Row) -> str:
    """The mark of a private message."""
    number = int.from_bytes(_digest(key, row)[:8], "big")
    letters = []
    for _ in range(_LENGTH):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)


def pm_subject(row: Row) -> str:
    """The subject under which this message goes out, or went: one that was sent before marks bore the number of its row."""
    mark = (row["result"] or {}).get("mark")
    return f"{row['subject'][:_LONGEST]} ({mark})" if mark else f"{row['subject']} №{row['id']}"


def message_id(key: bytes, row: Row, own_address: str) -> str:
    """The letter's Message-ID: the same however often it is tried."""
    return _named(_digest(key, row).hex()[:32], own_address)


def old_message_id(row: Row, own_address: str) -> str:
    """The Message-ID of a letter that was sent before marks: anybody could make it from the row's key."""
    return _named(hashlib.sha256(row["key"].encode()).hexdigest()[:32], own_address)


def _digest(key: bytes, row: Row) -> bytes:
    again = row["target"].get("again")
    return hmac.digest(key, (f"{row['key']}~{again}" if again else row["key"]).encode(), "sha256")


def _named(name: str, own_address: str) -> str:
    return f"<{name}@{own_address.partition('@')[2] or 'forumbot.invalid'}>"
