"""The table of a season as a topic of the forum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.core import outbox
from forumbot.hosting.core.publish import Escape
from forumbot.hosting.people import people
from forumbot.hosting.people.people import Person
from forumbot.store.tables import threads
from forumbot.writing.splitting import split
from forumbot.writing.voice import OnForum, subject
from forumbot.writing.writer import PublicFacts, Writer

KIND = "season"


def amounts(one: Person, names: Sequence[str], words: Mapping[str, str]) -> dict[str, str]:
    """A person's sums of the season, under the words for people."""
    return {words.get(name, name): f"{one.accounts.get(name, 0):g}" for name in names}


def post(
    connection: sa.Connection,
    game_id: str,
    section: str,
    title: str,
    rows: Sequence[Person],
    writer: Writer,
    escape: Escape,
    max_post: int,
    now: datetime,
) -> str:
    """Put the table into the outbox as a topic of ``section``, among the outgoing of ``game_id``. Gives its key."""
    names = people.currencies(rows)
    words = {name: writer.word("currencies", name) for name in names}
    table = [{"nick": one.nick, "amounts": amounts(one, names, words)} for one in rows]
    text = writer.public("season.j2", PublicFacts(title, 0), OnForum(escape), title=title, rows=table)
    first, *rest = split(text, max_post)
    number = connection.execute(
        sa.select(sa.func.count()).select_from(threads).where(threads.c.game_id == game_id, threads.c.kind == KIND)
    ).scalar_one()
    made = connection.execute(threads.insert().values(game_id=game_id, kind=KIND, turn=int(number), watched=False))
    (thread_id,) = made.inserted_primary_key or (0,)
    key = f"{game_id}/season/{number}"
    last = key

    def put(key: str, kind: outbox.Kind, target: Mapping[str, object], subject: str, body: str, after: str | None) -> None:
        outbox.put(
            connection,
            key,
            kind,
            target,
            subject,
            body,
            game_id=game_id,
            priority=outbox.NOTICES,
            now=now,
            after=after,
        )

    put(key, "topic", {"section": section, "thread_id": thread_id}, subject(title), first, None)
    for part, body in enumerate(rest, 2):
        after, last = last, f"{key}/{part}"
        put(last, "post", {"thread_id": thread_id}, "", body, after)
    return key
