"""Rows of the outbox: everything that goes out is one, made in the transaction that decided it, and never made twice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from forumbot.store.tables import outbox

Kind = Literal["topic", "post", "pm", "letter"]

URGENT, RESULTS, NOTICES, RECEIPTS = 10, 20, 30, 50
"""Priorities: newspaper and day thread go before results, those before notices of the game, receipts come last."""


def put(
    connection: sa.Connection,
    key: str,
    kind: Kind,
    target: Mapping[str, Any],
    subject: str,
    body: str,
    *,
    game_id: str | None,
    priority: int,
    now: datetime,
    state: str = "waiting",
    after: str | None = None,
    not_before: datetime | None = None,
    result: Mapping[str, Any] | None = None,
) -> None:
    """Put something in unless a row with this key is there already."""
    connection.execute(
        insert(outbox)
        .values(
            game_id=game_id,
            key=key,
            kind=kind,
            priority=priority,
            target=target,
            subject=subject,
            body=body,
            after=after,
            state=state,
            attempts=0,
            not_before=not_before or now,
            created_at=now,
            result=result,
        )
        .on_conflict_do_nothing(index_elements=["key"])
    )


def is_there(connection: sa.Connection, key: str) -> bool:
    """Whether a row with this key was ever put in."""
    return connection.execute(sa.select(outbox.c.id).where(outbox.c.key == key)).first() is not None


def append_or_put(
    connection: sa.Connection,
    bundle: str,
    key: str,
    kind: Kind,
    target: Mapping[str, Any],
    subject: str,
    body: str,
    *,
    game_id: str | None,
    now: datetime,
    state: str,
    after: str | None,
) -> None:
    """A receipt: joined to one of the same person that still waits, and for nothing else than this one (``bundle`` is the
    common start of their keys)."""
    mine = outbox.c.key.startswith(bundle, autoescape=True), outbox.c.state == "waiting", outbox.c.attempts == 0
    waiting = (
        connection.execute(
            sa.select(outbox.c.id, outbox.c.body)
            .where(*mine, outbox.c.after.is_not_distinct_from(after))
            .order_by(outbox.c.id.desc())
        )
        .mappings()
        .first()
    )
    if waiting is None or state != "waiting":
        more: dict[str, Any] = {"priority": RECEIPTS, "now": now, "state": state, "after": after}
        put(connection, key, kind, target, subject, body, game_id=game_id, **more)
    else:
        joined = f"{waiting['body']}\n\n{body}"
        connection.execute(outbox.update().where(outbox.c.id == waiting["id"]).values(body=joined))


def hasten(connection: sa.Connection, game_id: str, now: datetime) -> None:
    """What this game has waiting for a later hour goes out now: the game is over."""
    later = outbox.c.game_id == game_id, outbox.c.state == "waiting", outbox.c.not_before > now
    connection.execute(outbox.update().where(*later).values(not_before=now))
