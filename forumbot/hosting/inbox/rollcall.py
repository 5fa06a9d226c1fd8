"""Who has signed up, kept up to date in the first post of the sign-up topic."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from forumbot.hosting.core import seating
from forumbot.hosting.core.acting import UNSENT
from forumbot.hosting.core.record import SIGNUP
from forumbot.hosting.core.sitting import Sitting
from forumbot.store.tables import deadlines, outbox, threads


def refresh(sitting: Sitting) -> None:
    """Put the list as it is now in the place of the first post, when it has changed. A list that waits to be sent is written
    anew instead; a topic of another hand is left alone."""
    connection, row, publisher = sitting.connection, sitting.row, sitting.publisher
    opened = connection.execute(sa.select(outbox).where(outbox.c.key == f"{row.id}/{SIGNUP}")).mappings().first()
    closes = connection.execute(
        sa.select(deadlines.c.due_at).where(
            deadlines.c.game_id == row.id, deadlines.c.call == SIGNUP, deadlines.c.done_at.is_(None)
        )
    ).scalar()
    if opened is None or opened["state"] != "sent" or closes is None:
        return
    players = tuple(seating.load(connection, row.id).names().values())
    text = publisher.public_text("signup_topic.j2", replace(publisher.facts(None), living=players), closes=closes)
    text = publisher.first_part(text)
    prefix = f"{row.id}/{SIGNUP}/list/"
    lists = sa.select(outbox.c.id, outbox.c.state, outbox.c.body).where(outbox.c.key.startswith(prefix, autoescape=True))
    told = connection.execute(lists.order_by(outbox.c.id)).all()
    if told and told[-1].state == "failed":
        return  # a forum that lets nothing be edited is not asked again and again
    if not text or text == (told[-1].body if told else opened["body"]):
        return
    if told and told[-1].state in UNSENT:
        connection.execute(outbox.update().where(outbox.c.id == told[-1].id).values(body=text))
        return
    mine = threads.c.game_id == row.id, threads.c.kind == SIGNUP
    thread_id = int(connection.execute(sa.select(threads.c.id).where(*mine)).scalar_one())
    publisher.edit(connection, f"{SIGNUP}/list/{len(told) + 1}", thread_id, opened["key"], text)
