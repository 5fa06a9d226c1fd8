"""Posts of a reading become rows, by the ids that stand on its pages: what a thread holds besides is not asked for."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

import sqlalchemy as sa

from adapters.forum import Account
from adapters.markup import own_text
from adapters.model import Post
from forumbot.store.prepared import Prepared, Row, insertion
from forumbot.store.tables import posts, threads

_COLUMNS = (
    "game_id", "thread_id", "post_id", "version", "number", "author", "author_uid", "posted_at", "exact", "edited", "edited_by",
    "html", "digest", "seen_at", "problems",
)  # fmt: skip
_PUT = insertion(posts, *_COLUMNS, judged=False)
_MINE = posts.c.thread_id == sa.bindparam("thread")
_STANDS = posts.c.gone_at.is_(None)
_THERE = Prepared(sa.select(posts.c.post_id).where(_MINE, _STANDS, posts.c.post_id >= sa.bindparam("since")).distinct())
_GONE = Prepared(
    posts.update().where(_MINE, _STANDS, posts.c.post_id == sa.bindparam("post")).values(gone_at=sa.bindparam("at"))
)
_ON_PAGES = sa.or_(
    posts.c.post_id == sa.bindparam("first"), posts.c.post_id.between(sa.bindparam("second"), sa.bindparam("last"))
)
_KNOWN = Prepared(
    sa.select(posts.c.post_id, posts.c.version, posts.c.digest, posts.c.edited, posts.c.gone_at)
    .where(_MINE, _ON_PAGES)
    .order_by(posts.c.version)
)
_NEWEST = sa.func.max(sa.func.coalesce(threads.c.own_id, 0), sa.bindparam("newest"))
_OWN = Prepared(threads.update().where(threads.c.id == sa.bindparam("thread")).values(own_id=_NEWEST))


def store(
    connection: sa.Connection,
    game_id: str,
    thread_id: int,
    read: Sequence[Post],
    own: Account,
    at: datetime,
    moment: Callable[[Post], datetime | None],
) -> None:
    """Store what is new or has changed among these posts, read at ``at``; ``moment``: when a post was written, as far as the
    forum tells. Our own are no rows, but the thread knows the newest of them."""
    known = _known(connection, thread_id, [post.id for post in read])
    back: list[int] = []
    own_ids: list[int] = []
    for post in read:
        # Some skins show no uid, of others or of ours; a nick belongs to one account on a forum.
        known_by_uid = post.author_uid is not None and own.uid
        if post.author_uid == own.uid if known_by_uid else post.author == own.nick:
            own_ids.append(post.id)
            continue
        before = known.get(post.id)
        if before is not None and before["gone_at"] is not None:
            back.append(post.id)
        digest = digest_of_post(post)
        if before is not None and before["digest"] == digest and bool(before["edited"]) >= post.edited:
            continue
        # A change without a notice is an edit all the same (phpBB shows none for the last post of a topic), and what was
        # once edited stays so.
        silent = before is not None and (bool(before["edited"]) or before["digest"] != digest)
        _PUT.run(
            connection,
            game_id=game_id,
            thread_id=thread_id,
            post_id=post.id,
            version=1 if before is None else before["version"] + 1,
            number=post.number,
            author=post.author,
            author_uid=post.author_uid,
            posted_at=moment(post) or at,
            exact=post.exact,
            edited=post.edited or silent,
            edited_by=post.edited_by,
            html=post.html,
            digest=digest,
            seen_at=at,
            problems=list(post.problems),
        )
    if back:
        # A moderator had hidden them, or the forum lost them for a while.
        again = posts.c.thread_id == thread_id, posts.c.post_id.in_(back)
        connection.execute(posts.update().where(*again).values(gone_at=None))
    if own_ids:
        _OWN.run(connection, thread=thread_id, newest=max(own_ids))


def mark_gone(connection: sa.Connection, thread_id: int, seen: Collection[int], at: datetime, *, whole: bool) -> None:
    """Posts that a complete reading no longer held. What came before the pages that were read is not known to be there or not;
    the first post of a thread may stand on each of its pages."""
    since = 0 if whole else min(sorted(seen)[1:] or [sys.maxsize])
    for post_id in sorted(set(_THERE.values(connection, thread=thread_id, since=since)).difference(seen)):
        _GONE.run(connection, thread=thread_id, post=post_id, at=at)


def digest_of_post(post: Post) -> str:
    """By it a post is known that has not changed: its author, words and colours."""
    return digest_of(f"{post.author_uid or post.author}\n{own_text(post.runs)}\n{_looks(post)}".encode())


def digest_of(data: bytes) -> str:
    """By it equal contents are known."""
    return hashlib.sha256(data).hexdigest()[:32]


def _known(connection: sa.Connection, thread_id: int, ids: Sequence[int]) -> dict[int, Row]:
    """The last version of each of these posts."""
    if not ids:
        return {}
    # The first post of a thread may stand on each of its pages.
    first, *others = sorted(ids)
    rest = {"second": others[0], "last": others[-1]} if others else {"second": first, "last": first}
    return {row["post_id"]: row for row in _KNOWN.rows(connection, thread=thread_id, first=first, **rest)}


def _looks(post: Post) -> str:
    """The coloured and struck words: a change of colour alone changes a vote."""
    return "\n".join(f"{run.color}|{run.struck}|{run.text}" for run in post.runs if run.color or run.struck)
