"""Stored messages on their way to the reader: those that have no verdict yet, and one that is to be read again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.hosting.core.evidence import Deed, Evidence, May, may
from forumbot.hosting.core.seating import Holder, Seating
from forumbot.store import atwork
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import letters, posts, threads, verdicts

_SEATED = tuple(one.value for one in Evidence if may(one, Deed.MOVE) is not May.NO and one not in (Evidence.POST, Evidence.HOST))
"""Ways in which a letter names its seat."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A stored message that has no verdict yet."""

    source: str
    channel: Literal["post", "letter", "pm"]
    at: datetime
    author: str
    holder: Holder | None
    subject: str | None
    text: str
    markup: Literal["html", "plain"]
    edited: bool
    thread: str
    uid: int | None = None
    """The forum account that wrote a post."""
    thread_turn: int = 0
    """The turn whose thread it stands in; 0 for a letter."""
    post_id: int = 0
    version: int = 1
    proof: bool = False
    """A letter that proved an address; it may hold a move besides."""
    problems: tuple[str, ...] = ()
    evidence: Evidence = Evidence.POST
    """How it is known whose it is."""


_VERDICT_OF_POST, _VERDICT_OF_LETTER = (
    sa.select(verdicts.c.id).where(
        verdicts.c.game_id == table.c.game_id, verdicts.c.source == sa.literal(f"{kind}:") + sa.cast(table.c.id, sa.String)
    )
    for kind, table in (("post", posts), ("letter", letters))
)
_POST = (
    sa.select(posts, threads.c.kind.label("thread"), threads.c.turn.label("thread_turn"))
    .join(threads, threads.c.id == posts.c.thread_id)
    .where(posts.c.game_id == sa.bindparam("game"), atwork.one_of(threads.c.kind, "day", record.SIGNUP))
)
_POSTS = Prepared(
    _POST.where(atwork.UNJUDGED_POST, ~_VERDICT_OF_POST.exists())
    .order_by(posts.c.posted_at, posts.c.post_id, posts.c.version)
)
_LETTER = sa.select(letters).where(letters.c.game_id == sa.bindparam("game"), atwork.one_of(letters.c.routed, *_SEATED))
_LETTERS = Prepared(
    _LETTER.where(atwork.UNJUDGED_LETTER, ~_VERDICT_OF_LETTER.exists())
    .order_by(letters.c.received_at, letters.c.id)
)


def pending(connection: sa.Connection, game_id: str, seats: Seating, *, before: datetime | None) -> list[Pending]:
    """Messages of a game that wait for a verdict, oldest first; only those that the servers took before ``before``."""
    found = [_post(row, seats) for row in _POSTS.rows(connection, game=game_id)]
    found += [_letter(row, seats) for row in _LETTERS.rows(connection, game=game_id)]
    # Forums print minutes: within one, posts stand in the order of their numbers, which the query gave them.
    found.sort(key=lambda message: (message.at, message.channel == "post"))
    return [message for message in found if before is None or message.at < before]


def stored(connection: sa.Connection, game_id: str, seats: Seating, source: str) -> Pending | None:
    """One message as it stands now; None where nobody sits who could have written it, or it was edited or is gone since."""
    kind, _, number = source.partition(":")
    table, query, made = (posts, _POST, _post) if kind == "post" else (letters, _LETTER, _letter)
    row = connection.execute(query.where(table.c.id == int(number)), {"game": game_id}).mappings().first()
    message = None if row is None else made(row, seats)
    if message is None or message.holder is None or (kind == "post" and _is_past(connection, int(number))):
        return None
    return message


def _is_past(connection: sa.Connection, number: int) -> bool:
    """Whether a post is gone from its thread, or has a later version."""
    own, newer = posts.alias(), posts.alias()
    same = newer.c.thread_id == own.c.thread_id, newer.c.post_id == own.c.post_id
    later = sa.exists().where(*same, newer.c.version > own.c.version)
    query = sa.select(own.c.id).where(own.c.id == number, sa.or_(own.c.gone_at.is_not(None), later))
    return connection.execute(query).first() is not None


def _post(row: Row, seats: Seating) -> Pending:
    return Pending(
        source=f"post:{row['id']}",
        channel="post",
        at=row["posted_at"],
        author=row["author"],
        holder=seats.by_uid(row["author_uid"]),
        subject=None,
        text=row["html"],
        markup="html",
        edited=row["edited"],
        thread=row["thread"],
        uid=row["author_uid"],
        thread_turn=row["thread_turn"],
        post_id=row["post_id"],
        version=row["version"],
        problems=tuple(row["problems"]),
    )


def _letter(row: Row, seats: Seating) -> Pending:
    by_pm = row["channel"] == "pm"
    return Pending(
        source=f"letter:{row['id']}",
        channel="pm" if by_pm else "letter",
        at=row["received_at"],
        author=row["seat"],
        holder=seats.holders.get(row["seat"]),
        subject=row["subject"],
        text=row["raw"].decode() if by_pm else row["text"],
        markup="html" if by_pm else "plain",
        edited=False,
        thread="",
        problems=tuple(row["problems"]),
        proof=row["routed"] == Evidence.CODE,
        evidence=Evidence(row["routed"]),
    )
