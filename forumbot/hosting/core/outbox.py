"""Rows of the outbox: everything that goes out is one, made in the transaction that decided it, and never made twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Literal

import sqlalchemy as sa

from forumbot.store.atwork import between, beyond, under
from forumbot.store.prepared import Prepared, Row, insertion
from forumbot.store.tables import letters, outbox

Kind = Literal["topic", "post", "edit", "pm", "letter"]
"""``edit``: a text in the place of one of our own posts; it may be sent twice, and is not sent where the forum forbids it."""

URGENT, RESULTS, NOTICES, RECEIPTS = 10, 20, 30, 50
"""Priorities: newspaper and day thread go before results, those before notices of the game, receipts come last."""


_COLUMNS = "game_id", "key", "kind", "priority", "target", "subject", "body", "after", "state"
_PUT = insertion(outbox, *_COLUMNS, "not_before", "created_at", "result", unique="key", attempts=0)
_THERE = Prepared(sa.select(outbox.c.id).where(outbox.c.key == sa.bindparam("key")))
_JOINABLE = Prepared(
    sa.select(outbox.c.id, outbox.c.body)
    .where(
        between(outbox.c.key, sa.bindparam("start"), sa.bindparam("end")),
        outbox.c.state == "waiting",
        outbox.c.attempts == 0,
        outbox.c.after.is_not_distinct_from(sa.bindparam("after")),
    )
    .order_by(outbox.c.id.desc())
)
_JOIN = Prepared(outbox.update().where(outbox.c.id == sa.bindparam("row")).values(body=sa.bindparam("body")))


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
    """Put something in unless a row with this key is there already. What is said anew under the name of something that was
    retired knows it (``again`` of its target), so that it is never taken for that."""
    times = _retired(connection, key)
    if times:
        target = {**target, "again": times}
    _PUT.run(
        connection,
        game_id=game_id,
        key=key,
        kind=kind,
        priority=priority,
        target=target,
        subject=subject,
        body=body,
        after=after,
        state=state,
        not_before=not_before or now,
        created_at=now,
        result=result,
    )


def retired(connection: sa.Connection, key: str) -> str:
    """The name under which a row that was sent is kept when its key is wanted for a new one."""
    return f"~{_retired(connection, key) + 1}/{key}"


def _retired(connection: sa.Connection, key: str) -> int:
    """How many rows have had this key before."""
    return next(number for number in count() if not is_there(connection, f"~{number + 1}/{key}"))


def is_there(connection: sa.Connection, key: str) -> bool:
    """Whether a row with this key was ever put in."""
    return _THERE.value(connection, key=key) is not None


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
    waiting = _JOINABLE.first(connection, start=bundle, end=beyond(bundle), after=after)
    if waiting is None or state != "waiting":
        more: dict[str, Any] = {"priority": RECEIPTS, "now": now, "state": state, "after": after}
        put(connection, key, kind, target, subject, body, game_id=game_id, **more)
    else:
        joined = f"{waiting['body']}\n\n{body}"
        _JOIN.run(connection, row=waiting["id"], body=joined)


def split_row(connection: sa.Connection, row: Row, parts: Sequence[str], now: datetime) -> None:
    """A text that is longer than the forum takes keeps its first part, and the others become rows of their own, each behind
    the one before; what waited for the text waits for the last of them. A topic, and an edit of its first post, goes on in posts.
    """
    first, *rest = parts
    if not rest:
        return
    named = sa.select(outbox.c.key).where(under(outbox.c.key, f"{row['key']}/"))
    taken = set(connection.execute(named).scalars())
    free = (key for number in count(2) if (key := f"{row['key']}/{number}") not in taken)
    in_thread = row["kind"] in ("topic", "edit")
    kind: Kind = "post" if in_thread else row["kind"]
    target = {"thread_id": row["target"]["thread_id"]} if in_thread else row["target"]
    followers = connection.execute(sa.select(outbox.c.id).where(outbox.c.after == row["key"])).scalars().all()
    last = row["key"]
    for part in rest:
        key = next(free)
        subject = row["subject"] if kind == "pm" else ""
        more: dict[str, Any] = {"game_id": row["game_id"], "priority": row["priority"], "now": now, "after": last}
        put(connection, key, kind, target, subject, part, **more)
        last = key
    connection.execute(outbox.update().where(outbox.c.id.in_(followers)).values(after=last))
    connection.execute(outbox.update().where(outbox.c.id == row["id"]).values(body=first))


def hasten(connection: sa.Connection, game_id: str, now: datetime) -> None:
    """What this game has waiting for a later hour goes out now: the game is over."""
    later = outbox.c.game_id == game_id, outbox.c.state == "waiting", outbox.c.not_before > now
    connection.execute(outbox.update().where(*later).values(not_before=now))

def below(connection: sa.Connection, kind: Kind, target: Mapping[str, Any], answers: str | None) -> Mapping[str, Any]:
    """The target of a letter with the Message-ID of the one that it answers, so that programs show the two together."""
    channel, _, number = (answers or "").partition(":")
    if kind != "letter" or channel != "letter":
        return target
    found = connection.execute(sa.select(letters.c.message_id).where(letters.c.id == int(number))).scalar()
    return {**target, "reply_to": found} if found else target
