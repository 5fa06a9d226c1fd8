"""«Баланс», asked when no game runs: whoever has an account of earlier games is answered by PM, from his bookings."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from adapters.markup import html_runs, own_text
from forumbot.hosting.core import outbox
from forumbot.hosting.inbox.routing import Route
from forumbot.hosting.people import people, whereabouts
from forumbot.reading.requests import requests
from forumbot.settings import Site
from forumbot.store.atwork import under
from forumbot.store.prepared import Row
from forumbot.store.tables import outbox as outbox_rows
from forumbot.writing.writer import gather, shared

ROUTE = "account"
"""How a message is routed that asked for an account and nothing else."""
MOST_A_DAY = 6
"""So many answers an account gets in a day: programs must not talk to each other for ever."""
_ASKED = frozenset(("money", "status"))


def answer(connection: sa.Connection, site: Site, row: Row, now: datetime) -> Route | None:
    """Answer a PM of one who plays in no game now and asks for his money. None: it is something else, read on."""
    if row["channel"] != "pm" or row["sender_uid"] is None or whereabouts.of_uid(connection, row["sender_uid"]):
        return None
    wanted = requests(own_text(html_runs(row["raw"].decode())), row["subject"] or "")
    if not _ASKED.intersection(wanted.asks) or wanted.person or wanted.rest:
        return None
    person = people.find_uid(connection, row["sender_uid"])
    sums = {name: amount for name, amount in person.accounts.items() if name not in people.COUNTS} if person is not None else {}
    if person is None or not sums:
        return None
    start = f"account/{row['sender_uid']}/"
    recent = under(outbox_rows.c.key, start), outbox_rows.c.created_at > now - timedelta(days=1)
    if connection.execute(sa.select(sa.func.count()).select_from(outbox_rows).where(*recent)).scalar_one() < MOST_A_DAY:
        writer = shared(gather(None, site.site.own), site.forum.zone)
        subject, text = writer.private("account.j2", str, nick=person.nick, sums=sums)
        target = {"uid": row["sender_uid"], "nick": person.nick, "plain": True}
        key = f"{start}{row['id']}"
        outbox.put(connection, key, "pm", target, subject, text, game_id=None, priority=outbox.RECEIPTS, now=now)
    return Route(ROUTE)
