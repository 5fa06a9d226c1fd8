"""Many games out of one: the rows of a played-in game are copied under other names, with topics and players of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from adapters.model import Post
from forumbot.hosting.inbox.postsin import digest_of_post
from forumbot.store.database import Store
from forumbot.store.tables import metadata, posts, threads
from tests.forumbot.hosting.fakes import BOT, FakeForum, Topic

_STRIDE = 1_000_000
"""Row numbers of a copy begin at its number times this."""
_UIDS = 1000
_NUMBERED = {"thread_id", "verdict_id", "person_id"}
_SOURCES = ("post:", "letter:")


def clone(store: Store, forum: FakeForum, game: str, names: Mapping[int, str]) -> None:
    """Copy everything of ``game`` for each number and name; the copies' players have uids of their own."""
    with store.read() as connection:
        mine = connection.execute(sa.select(threads.c.topic).where(threads.c.game_id == game, threads.c.topic.is_not(None)))
        kept = list(mine.scalars())
    originals = [forum.topics[topic] for topic in kept]
    for number, name in names.items():
        topics = {old: f"{old}-{number}" for old in kept}
        for new, made in zip(topics.values(), originals, strict=True):
            forum.topics[new] = Topic(made.section, f"{made.subject} {name}", [_copied(post, number) for post in made.posts])
        with store.write() as connection:
            for table in metadata.sorted_tables:
                _copy(connection, table, game, name, number, topics)
            _digest(connection, forum, name)


def _digest(connection: sa.Connection, forum: FakeForum, name: str) -> None:
    """The copies' posts are known as what stands in their topics, so that none of them is an edit."""
    mine = sa.select(posts.c.id, posts.c.post_id, threads.c.topic).join(threads, threads.c.id == posts.c.thread_id)
    for row_id, post_id, topic in connection.execute(mine.where(posts.c.game_id == name)).all():
        post = next(one for one in forum.topics[topic].posts if one.id == post_id)
        connection.execute(posts.update().where(posts.c.id == row_id).values(digest=digest_of_post(post)))


def _copied(post: Post, number: int) -> Post:
    return post if post.author_uid == BOT.uid else replace(post, author_uid=_uid(post.author_uid, number))


def _uid(uid: int | None, number: int) -> int:
    return (uid or 0) + number * _UIDS


def _copy(
    connection: sa.Connection, table: sa.Table, game: str, name: str, number: int, topics: Mapping[str, str]
) -> None:
    if "game_id" not in table.c and table.name != "games":
        return
    mine = table.c.game_id == game if "game_id" in table.c else table.c.id == game
    rows = [dict(row) for row in connection.execute(sa.select(table).where(mine)).mappings()]
    if rows:
        change = _changes(game, name, number, topics)
        connection.execute(sa.insert(table), [{column: change(column, value) for column, value in row.items()} for row in rows])


def _changes(game: str, name: str, number: int, topics: Mapping[str, str]) -> Callable[[str, Any], Any]:
    def change(column: str, value: Any) -> Any:
        if value is None:
            return None
        if column == "game_id" or (column == "id" and isinstance(value, str)):
            return name
        if (column == "id" or column in _NUMBERED) and isinstance(value, int):
            return value + number * _STRIDE
        if column == "uid" or column.endswith("_uid"):
            return value if value == BOT.uid else _uid(value, number)
        if column == "topic":
            return topics.get(value, value)
        if column == "source":
            kind = next((one for one in _SOURCES if value.startswith(one)), None)
            return f"{kind}{int(value.removeprefix(kind)) + number * _STRIDE}" if kind else f"{value}/{number}"
        if column in ("key", "after"):
            return f"{name}{value.removeprefix(game)}" if value.startswith(game) else f"{value}/{number}"
        if column == "config":
            return {**value, "id": name, "title": f"{value['title']} {name}"}
        if column in ("payload", "target"):
            return json.loads(json.dumps(value).replace(f'"{game}', f'"{name}'))
        return value

    return change


def numbered(numbers: Iterable[int]) -> dict[int, str]:
    """Numbers of copies and their games' names."""
    return {number: f"g{number}" for number in numbers}
