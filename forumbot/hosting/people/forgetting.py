"""Addresses of players are kept for the game and some days after it, no longer: they are nobody's business then."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.store.tables import deadlines, games, holders, letters, outbox

GONE = "удалено"
"""What stands in a letter's sender and an outbox target once the address is forgotten."""


def forget_due(connection: sa.Connection, days: float, now: datetime) -> int:
    """Forget the addresses of every game that ended ``days`` days ago or earlier, and of strangers who wrote before that;
    gives how many games lost some.

    Proof codes go with them, and the raw bytes of letters (their heads hold addresses); the words that were read, the
    verdicts and the orders stay, so a game can be explained and replayed for ever. 0 days: nothing is forgotten.
    """
    if not days:
        return 0
    before = now - timedelta(days=days)
    stray = letters.c.game_id.is_(None), letters.c.channel == "mail", letters.c.stored_at <= before
    connection.execute(letters.update().where(*stray, letters.c.sender != GONE).values(sender=GONE, raw=b""))
    ended = (
        sa.select(deadlines.c.game_id)
        .join(games, games.c.id == deadlines.c.game_id)
        .where(games.c.stage.in_(("over", "cancelled")))
        .group_by(deadlines.c.game_id)
        .having(sa.func.max(deadlines.c.done_at) <= sa.bindparam("before", before, type_=deadlines.c.done_at.type))
    )
    forgotten = 0
    for game_id in connection.execute(ended).scalars().all():
        known = connection.execute(
            holders.update()
            .where(holders.c.game_id == game_id, sa.or_(holders.c.address.is_not(None), holders.c.proof_code != ""))
            .values(address=None, proof_code="")
        ).rowcount
        sent = connection.execute(
            letters.update()
            .where(letters.c.game_id == game_id, letters.c.channel == "mail", letters.c.sender != GONE)
            .values(sender=GONE, raw=b"")
        ).rowcount
        written = outbox.c.game_id == game_id, outbox.c.kind == "letter", outbox.c.state.in_(("sent", "failed", "shadow"))
        got = 0
        for row_id, target in connection.execute(sa.select(outbox.c.id, outbox.c.target).where(*written)).all():
            if target.get("address") != GONE:
                connection.execute(outbox.update().where(outbox.c.id == row_id).values(target={**target, "address": GONE}))
                got += 1
        forgotten += bool(known or sent or got)
    return forgotten
