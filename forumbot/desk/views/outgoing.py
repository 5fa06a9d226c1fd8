"""The outbox: what was sent, what waits, what failed, what waits for the host; every text can be copied and posted by hand."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import outnames, wording
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.markup import shown
from forumbot.hosting.acts import objects
from forumbot.hosting.inbox import digest
from forumbot.hosting.inbox.routing import without_codes
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import outbox, threads
from forumbot.writing import themes

PAGE = 60
OPEN = ("held", "failed", "sending", "waiting", "shadow")
"""States of rows that are not sent, in the order in which the host should look at them."""


def rows(asked: Asked) -> Response:
    wanted = asked.query("state")
    chosen = (wanted,) if wanted in wording.STATES else (*OPEN, "sent")
    open_rows: list[dict[str, Any]] = []
    for state in OPEN:
        if state in chosen and len(open_rows) <= PAGE:
            open_rows += _newest(asked, state)
    sent = _newest(asked, "sent") if "sent" in chosen else []
    return asked.page(
        "outbox.html", tab="outbox", open=open_rows[:PAGE], more=len(open_rows) > PAGE, sent=sent[:PAGE], wanted=wanted
    )


_NEWEST = Prepared(
    sa.select(outbox)
    .where(outbox.c.game_id == sa.bindparam("game"), outbox.c.state == sa.bindparam("state"))
    .order_by(outbox.c.id.desc())
    .limit(sa.bindparam("most"))
)


def _newest(asked: Asked, state: str) -> list[dict[str, Any]]:
    """The newest rows of a state, one more than a page shows where there are more."""
    return [_shown(row) for row in _NEWEST.rows(asked.connection, game=asked.row.id, state=state, most=PAGE + 1)]


def row(asked: Asked) -> Response:
    """One row in full: the newspaper as it will look, the text to copy, and what may be done with it."""
    found = (
        asked.connection.execute(sa.select(outbox).where(outbox.c.id == asked.path_number(), outbox.c.game_id == asked.row.id))
        .mappings()
        .first()
    )
    if found is None:
        raise Refusal(404, "Такой строки нет.")
    thread = found["target"].get("thread_id")
    topic = asked.connection.execute(sa.select(threads.c.topic).where(threads.c.id == thread)).scalar() if thread else None
    named = outnames.NEWSPAPER.search(found["key"])
    newspaper = named is not None and not named.group(2)
    turn = named.group(1) if named else ""
    return asked.page(
        "out.html",
        tab="outbox",
        out=_shown(found),
        body=without_codes(found["body"]),
        preview=None if found["kind"] == "letter" or found["target"].get("plain") else shown(without_codes(found["body"])),
        topic=topic,
        newspaper=newspaper and found["state"] in ("held", "waiting"),
        turn=turn,
        # The newspaper's turn is over: what was doubtful in it was closed without the host.
        undecided=len(digest.open_reviews(asked.connection, asked.row.id, int(turn))) if newspaper else 0,
        themed=bool(asked.row.templates.get(themes.FILE)),
        lines=found["body"].count("\n") + 2,
    )


def _shown(row: Row) -> dict[str, Any]:
    target = row["target"]
    to = target.get("address") or target.get("nick") or ""
    return {
        "id": row["id"],
        "version": objects.version(row),
        "kind": wording.OUT_KINDS.get(row["kind"], row["kind"]),
        "to": to,
        "subject": row["subject"],
        "what": outnames.name(row),
        "state": row["state"],
        "state_word": wording.STATES.get(row["state"], row["state"]),
        "created_at": row["created_at"],
        "not_before": row["not_before"],
        "sent_at": row["sent_at"],
        "attempts": row["attempts"],
        "error": row["error"],
        "by_hand": (row["result"] or {}).get("by_hand"),
        "url": (row["result"] or {}).get("url") or "",
        "until": (row["result"] or {}).get("until"),
        "key": row["key"],
    }
