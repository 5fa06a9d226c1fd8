"""A deadline that is there while not everything has been read: it is held, and the host hears of it and of its end."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.hosting.core import naming, troubles
from forumbot.settings import SitePart
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import deadlines, games
from forumbot.writing.writer import shared

GIVEN_UP, BY_HOST = "given_up", "host"
"""Why a deadline that was not resolved in time is tried no more; why it is resolved without a complete reading."""
_LATE = timedelta(minutes=15)
"""The host is told of a deadline that was resolved later than that."""


_HELD = Prepared(deadlines.update().where(deadlines.c.id == sa.bindparam("due")).values(held_since=sa.bindparam("held_since")))


def hold(connection: sa.Connection, site: SitePart, due: Row, now: datetime, *, tried: bool) -> datetime | None:
    """The deadline is here, but not everything was read. Gives the moment since which a complete reading is wanted; None
    when it has been waited for long enough and the host must decide. He is told when the waiting begins and ends.

    ``tried``: a reading for it has just failed. The bot gives up on that alone: while it was down, nobody tried."""
    if due["held_since"] is None:
        _HELD.run(connection, due=due["id"], held_since=now)
        return due["due_at"]  # type: ignore[no-any-return]
    if due["held_reason"] == GIVEN_UP:
        return None
    game_id = due["game_id"]
    held = now - due["held_since"]
    what = f"Игра «{game_id}»: срок {_named(connection, due)} наступил, но форум или почту не удаётся прочитать целиком"
    if held >= timedelta(hours=site.hold_hours) and tried:
        connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(held_reason=GIVEN_UP))
        text = (
            f"{what} уже {troubles.span(held)}; бот больше не пробует и ждёт вас: подведите итог по тому, что прочитано, "
            f"действием «подвести сейчас» (forumbot deadline resolve {due['id']} --game {game_id}) или перенесите срок."
        )
        troubles.clear_trouble(connection, key(due))
        troubles.raise_trouble(connection, site, f"{key(due)}/{GIVEN_UP}", text, now, game_id=game_id)
        return None
    if held > timedelta(seconds=max(120.0, 2 * site.poll_seconds)):
        text = f"{what}; бот ждёт и подведёт итог сам, когда всё прочитает, а голоса и ходы после срока не считаются."
        troubles.raise_trouble(connection, site, key(due), text, now, game_id=game_id)
    return due["due_at"]  # type: ignore[no-any-return]


def over(connection: sa.Connection, site: SitePart, due: Row, now: datetime) -> None:
    """The deadline has been resolved; where that was late, the host hears by how much."""
    troubles.clear_trouble(connection, key(due))
    troubles.clear_trouble(connection, f"{key(due)}/{GIVEN_UP}")
    late = now - due["due_at"]
    if late < _LATE or due["call"] == "announce":
        return
    game_id = due["game_id"]
    text = (
        f"Игра «{game_id}»: срок {_named(connection, due)} подведён с опозданием на {troubles.span(late)}, "
        "засчитано только то, что пришло до срока."
    )
    troubles.tell_host(connection, site, f"late/{key(due)}", "Срок подведён с опозданием", text, now, game_id=game_id)


def key(due: Row) -> str:
    """The trouble of a deadline that waits for a complete reading."""
    return f"hold/{due['game_id']}/{due['turn']}/{due['name']}"


def _named(connection: sa.Connection, due: Row) -> str:
    templates = connection.execute(sa.select(games.c.templates).where(games.c.id == due["game_id"])).scalar_one()
    return naming.deadline(shared(templates, "UTC"), due)
