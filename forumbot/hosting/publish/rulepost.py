"""The act ``rules``: a post in the sign-up thread with the rules as this game's tables have them, made from the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.core.acting import Context
from forumbot.store.tables import threads
from forumbot.writing import rulebook
from forumbot.writing.writer import Writer

_GROUPS = ("roles", "factions", "actions", "items", "causes", "choices")


def parts(ruleset: str, tables: Mapping[str, Any], writer: Writer) -> list[dict[str, Any]]:
    """The rules of a game as plain data: parts with a title and entries (remark, value, changed)."""

    def word(id_: str) -> str:
        return next((found for group in _GROUPS if (found := writer.word(group, id_)) != id_), id_)

    return [
        {"title": title, "entries": [{"remark": e.remark, "value": e.value, "changed": e.changed} for e in entries]}
        for title, entries in rulebook.entries(ruleset, tables, word)
    ]


def post(context: Context, _payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Put the rules into the sign-up thread."""
    row, connection = context.row, context.connection
    thread = connection.execute(
        sa.select(threads.c.id).where(threads.c.game_id == row.id, threads.c.kind == "signup")
    ).scalar_one()
    publisher = context.publisher()
    made = parts(row.ruleset, row.tables, context.writer())
    publisher.public(connection, f"{context.key}/rules", int(thread), "rulebook.j2", publisher.facts(None), parts=made)
    return {}
