"""A backlog of letters in the outbox, for whoever measures or counts what a sent row costs."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.store.tables import outbox
from tests.forumbot.hosting.world import World


def pile_up(world: World, size: int) -> None:
    """So many letters wait, each behind the one before it in a chain of five."""
    now = world.clock.now()
    with world.store.write() as connection:
        connection.execute(sa.delete(outbox).where(outbox.c.key.like("pile/%")))
        connection.execute(
            sa.insert(outbox),
            [
                {"game_id": world.game, "key": f"pile/{size}/{row}", "kind": "letter", "priority": 50, "subject": "Копия",
                 "target": {"address": f"p{row}@players.test"}, "body": f"Письмо {row}", "state": "waiting", "attempts": 0,
                 "after": f"pile/{size}/{row - 1}" if row % 5 else None, "not_before": now, "created_at": now}
                for row in range(size)
            ],
        )  # fmt: skip
