"""Letters to the host: what players wrote that is for a person, with one-tap answers."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from forumbot.desk import wording
from forumbot.desk.core import Asked
from forumbot.desk.views.journal import source_path
from forumbot.hosting.inbox import questions, waitlist
from forumbot.store.prepared import Row

READY = ("Да.", "Нет.", "Отвечу в теме игры.", "Посмотрю и напишу позже.")
"""Answers of one tap."""
_SETTLED = 30


def page(asked: Asked) -> Response:
    """Everything that waits for the host's word, the oldest first, and what was settled lately."""
    return asked.page(
        "questions.html",
        tab="questions",
        waiting=[_shown(asked, row) for row in questions.waiting(asked.connection, asked.row.id)],
        settled=[_shown(asked, row) for row in questions.settled(asked.connection, asked.row.id, _SETTLED)],
        ready=READY,
        reserve=waitlist.waiting(asked.connection, asked.row.id),
    )


def _shown(asked: Asked, row: Row) -> dict[str, Any]:
    plays = row["seat"] in asked.seats.holders
    return {
        "id": row["id"],
        "author": asked.name(row["seat"]) or row["author"],
        "player": asked.name(row["seat"]) if plays else "",
        "kind": row["kind"],
        "says": questions.KINDS.get(row["kind"], questions.KINDS[questions.OTHER]),
        "channel": wording.CHANNELS.get(row["channel"], row["channel"]),
        "source": source_path(row["source"].removeprefix("gone/")),
        "text": row["text"],
        "at": row["at"],
        "closed_at": row["closed_at"],
        "closed_by": row["closed_by"],
        "answer": row["answer"],
        "can_answer": plays or row["uid"] is not None,
    }
