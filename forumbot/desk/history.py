"""Acts of hosts as the desk shows them, whatever their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from forumbot.desk import forms, outnames
from forumbot.hosting.inbox import routing
from forumbot.store.tables import acts, outbox

UNDONE_NEVER = ("undo", "access")
"""Kinds without an undo button: an undo is not undone, access is changed back on its own page."""


def act(connection: sa.Connection, game_id: str, number: int) -> dict[str, Any] | None:
    """One act of this game; None where it has no such act."""
    row = connection.execute(sa.select(acts).where(acts.c.id == number, acts.c.game_id == game_id)).mappings().first()
    return None if row is None else _shown(connection, row)


def latest(connection: sa.Connection, game_id: str, start: int, most: int) -> list[dict[str, Any]]:
    """Acts of a game, the last first."""
    rows = connection.execute(
        sa.select(acts).where(acts.c.game_id == game_id).order_by(acts.c.id.desc()).offset(start).limit(most)
    ).mappings()
    return [_shown(connection, row) for row in rows.all()]


def _shown(connection: sa.Connection, row: sa.RowMapping) -> dict[str, Any]:
    undone = connection.execute(sa.select(acts.c.id).where(acts.c.undoes == row["id"], acts.c.error.is_(None))).scalar()
    done = row["done_at"] is not None
    return {
        "id": row["id"],
        "who": row["who"],
        "title": forms.title(row["kind"]),
        "lines": _named(connection, row["game_id"], lines(row["payload"])),
        "asked_at": row["asked_at"],
        "done_at": row["done_at"],
        "error": row["error"],
        "undone": undone,
        "undoes": row["undoes"],
        "profile": (row["result"] or {}).get("profile"),
        "waits": not done,
        "may_undo": done and row["error"] is None and undone is None and row["kind"] not in UNDONE_NEVER,
    }


def _named(connection: sa.Connection, game_id: str, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Numbers of rows that a host has never seen, by what the rows are called."""
    return [(label, _row_name(connection, game_id, value) if label == _OUTGOING else value) for label, value in found]


def _row_name(connection: sa.Connection, game_id: str, number: str) -> str:
    mine = outbox.c.id == int(number), outbox.c.game_id == game_id
    row = connection.execute(sa.select(outbox.c.key, outbox.c.subject, outbox.c.body).where(*mine)).mappings().first()
    return number if row is None else routing.without_codes(outnames.name(row))


_OUTGOING = "исходящее"
_FIELDS = {
    "verdict": "запись журнала",
    "choice": "прочтение",
    "question": "вопрос №",
    "word": "слово",
    "taught": "слово №",
    "way": "как",
    "value": "чего",
    "everywhere": "для всех игр",
    "player": "игрок",
    "action": "действие",
    "targets": "цель",
    "args": "подробности",
    "point": "жеребьёвка",
    "values": "исход",
    "nick": "ник",
    "uid": "номер учётной записи",
    "alias": "написание",
    "address": "адрес",
    "gender": "он или она",
    "hours": "часов",
    "deadline": "срок №",
    "at": "когда",
    "outbox": _OUTGOING,
    "body": "текст",
    "text": "текст",
    "turn": "ход",
    "act": "действие №",
    "account": "кто",
    "role": "права",
    "another": "сцена",
    "wish": "по своей просьбе",
    "kind": "что",
    "until": "до какого дня",
    "bar": "запрет №",
}
_UNSAID = ("seen", "again", "version", "due_at")
"""How an act was asked, not what."""
_HOW: Mapping[str, Callable[[Any], str]] = {
    "kind": lambda value: forms.title(str(value)),
    # People count the readings from one.
    "choice": lambda value: str(value + 1) if isinstance(value, int) else str(value),
}
_MOST = 300
"""Signs of one value; the rest of a long text is on its own page."""


def lines(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A payload of any kind of act in plain lines: (what, value)."""
    found: list[tuple[str, str]] = []
    for name, value in payload.items():
        if name == "changes":
            for change in value:
                found += lines(change)
        elif name == "settings":
            found += [(key, _said(given)) for key, given in value.items()]
        elif name in _UNSAID:
            continue
        elif value not in (None, "", [], {}):
            said = _HOW[name](value) if name in _HOW else _said(value)
            found.append((_FIELDS.get(name, name), said if len(said) <= _MOST else said[: _MOST - 1] + "…"))
    return found


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "да" if value else "нет"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_said(item)}" for key, item in value.items())
    return ", ".join(map(_said, value)) if isinstance(value, list) else str(value)
