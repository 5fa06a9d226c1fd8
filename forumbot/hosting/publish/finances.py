"""Everybody's account between the games as a topic of the forum that is kept up to date (league: the topic «Финансы»).

It shows what each has outside of games: what somebody has taken into a running one stands there as it was at its beginning,
for nobody may learn what others spend.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.rulesets import ruleset as find_ruleset
from engine.turn import Accounts
from forumbot.hosting.core import modes, outbox, record, seating
from forumbot.hosting.core.acting import UNSENT
from forumbot.hosting.core.publish import Escape, Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.people import people
from forumbot.store.atwork import LIVE_GAME, under
from forumbot.store.tables import bookings, games, threads
from forumbot.store.tables import outbox as rows
from forumbot.writing.splitting import split
from forumbot.writing.writer import shared

KEY = KIND = "accounts"
"""Of the outbox rows and of the thread."""


def refresh(connection: sa.Connection, zone: str, escape: Escape, max_post: int, now: datetime) -> None:
    """Bring the topic of every section and ruleset whose latest game wants one up to date; a topic that is missing is opened."""
    wanted: dict[tuple[str, str], GameRow] = {}
    for game_id in connection.execute(sa.select(games.c.id).order_by(games.c.created_at, games.c.id)).scalars():
        row = record.load(connection, game_id)
        if row.config.accounts_topic and row.config.mode != modes.SHADOW and isinstance(find_ruleset(row.ruleset), Accounts):
            wanted[row.ruleset, row.config.section] = row
    for row in wanted.values():
        _bring(connection, row, zone, escape, max_post, now)


def _bring(connection: sa.Connection, row: GameRow, zone: str, escape: Escape, max_post: int, now: datetime) -> None:
    listed = _listed(connection, row)
    if not listed:
        return
    owner = _owner(connection, row)
    writer, seats = shared(row.templates, zone), seating.load(connection, row.id)
    publisher = Publisher(owner or row, writer, seats, escape, max_post, now)
    text = publisher.public_text("accounts.j2", publisher.facts(None), rows=listed, title=row.config.accounts_topic)
    parts = split(text, max_post) if text else ()
    if not parts:
        return
    if owner is None:
        made = connection.execute(threads.insert().values(game_id=row.id, kind=KIND, turn=row.turn, watched=False))
        (thread_id,) = made.inserted_primary_key or (0,)
        publisher.new_topic(connection, KEY, int(thread_id), row.config.accounts_topic, text)
        return
    mine = threads.c.game_id == owner.id, threads.c.kind == KIND
    thread_id = int(connection.execute(sa.select(threads.c.id).where(*mine)).scalar_one())
    standing = [KEY]
    while outbox.is_there(connection, f"{owner.id}/{KEY}/{len(standing) + 1}"):
        standing.append(f"{KEY}/{len(standing) + 1}")
    for number, key in enumerate(standing):
        _replace(connection, publisher, key, thread_id, parts[number] if number < len(parts) else "—")
    for number in range(len(standing), len(parts)):
        publisher.reply(connection, f"{KEY}/{number + 1}", thread_id, parts[number], after=f"{owner.id}/{standing[-1]}")


def _replace(connection: sa.Connection, publisher: Publisher, key: str, thread_id: int, text: str) -> None:
    """One post with the text of now; one that has not gone out yet is written anew instead, and a forum that has refused an
    edit is not asked again and again."""
    post = f"{publisher.game_id}/{key}"
    edits = f"{key}/edit/"
    said = sa.or_(rows.c.key == post, under(rows.c.key, f"{publisher.game_id}/{edits}"))
    told = connection.execute(sa.select(rows.c.id, rows.c.state, rows.c.body).where(said).order_by(rows.c.id)).all()
    last = told[-1]
    if text == last.body or (last.state == "failed" and len(told) > 1):
        return
    if last.state in UNSENT:
        connection.execute(rows.update().where(rows.c.id == last.id).values(body=text))
    else:
        publisher.edit(connection, f"{edits}{len(told)}", thread_id, post, text)


def _owner(connection: sa.Connection, row: GameRow) -> GameRow | None:
    """The game by which the topic of this section and ruleset was opened."""
    opened = sa.select(threads.c.game_id).join(games, games.c.id == threads.c.game_id).order_by(threads.c.id)
    found = connection.execute(opened.where(threads.c.kind == KIND, games.c.ruleset == row.ruleset)).scalars()
    owners = (record.load(connection, game_id) for game_id in found)
    return next((one for one in owners if one.config.section == row.config.section), None)


def _listed(connection: sa.Connection, row: GameRow) -> list[dict[str, Any]]:
    """Who has an account that these rules keep, the richest first."""
    rules = find_ruleset(row.ruleset)
    names = rules.carried if isinstance(rules, Accounts) else ()
    away = _away(connection)
    found = []
    for one in people.listed(connection):
        sums = {name: one.accounts.get(name, 0) + away.get((one.id, name), 0) for name in names if name in one.accounts}
        if sums:
            shown = {name: amount for name, amount in sums.items() if amount or name == names[0]}
            found.append({"nick": one.nick, "sums": shown})
    return sorted(found, key=lambda one: (-one["sums"].get(names[0], 0), str(one["nick"]).casefold()))


def _away(connection: sa.Connection) -> dict[tuple[int, str], float]:
    """(person, currency) -> what he has taken into games that are not over."""
    taken = sa.select(bookings.c.person_id, bookings.c.currency, sa.func.sum(bookings.c.amount))
    taken = taken.join(games, games.c.id == bookings.c.game_id).where(LIVE_GAME)
    grouped = connection.execute(taken.group_by(bookings.c.person_id, bookings.c.currency))
    return {(person, name): -amount for person, name, amount in grouped}
