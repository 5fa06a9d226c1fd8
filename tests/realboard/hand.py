"""The host's hand: does what the bot's letters ask for, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import sqlalchemy as sa

from forumbot.demo.house import GAME, HOST_ADDRESS, HOST_NICK
from forumbot.hosting.acts import acts
from forumbot.hosting.turns.holding import GIVEN_UP
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, outbox, troubles
from tests.realboard.house import RealHouse

_MOST = 8
"""So often the host sends the same thing again."""


@dataclass
class Hand:
    """One host. ``did`` counts the acts, ``wrong`` holds what failed without the host being told of it."""

    house: RealHouse
    did: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _tries: Counter[str] = field(default_factory=Counter)

    def act(self) -> bool:
        """Send again what failed, resolve what waits for the host, have approved what the bot waits for; whether there was
        anything."""
        done = list(self._acts())
        if "approve" in done:
            self.house.owner.approve_all(self.house.section)
        self.did.update(done)
        return bool(done)

    def _acts(self) -> Iterator[str]:
        if not self.house.database.exists():
            return
        now = self.house.clock.now()
        store = Store(self.house.database)
        try:
            with store.write() as connection:
                failed = connection.execute(sa.select(outbox).where(outbox.c.state == "failed", outbox.c.game_id == GAME))
                for row in failed.mappings().all():
                    self._tries[row["key"]] += 1
                    if self._tries[row["key"]] > _MOST:
                        continue
                    if not self._told(connection, row):
                        self.wrong.append(f"failed and not told: {row['key']}: {row['error']}")
                    acts.ask(connection, GAME, HOST_NICK, "retry", {"outbox": row["id"]}, now)
                    yield "retry"
                waits = sa.select(outbox.c.error).where(outbox.c.state == "sending", outbox.c.attempts > 0)
                if any("одобр" in (error or "") for error in connection.execute(waits).scalars()):
                    yield "approve"
                given_up = sa.select(deadlines.c.name).where(deadlines.c.held_reason == GIVEN_UP, deadlines.c.done_at.is_(None))
                for _ in connection.execute(given_up).scalars().all():
                    acts.ask(connection, GAME, HOST_NICK, "resolve", {}, now)
                    yield "resolve"
        finally:
            store.close()

    @staticmethod
    def _told(connection: sa.Connection, row: sa.RowMapping) -> bool:
        """Whether a trouble that the host was written of names the row, or what it waits for."""
        if row["kind"] == "letter" and row["target"].get("address") == HOST_ADDRESS:
            return True
        keys = connection.execute(sa.select(troubles.c.key).where(troubles.c.key.startswith("outbox/"))).scalars()
        whole = list(keys)
        return any(key == f"outbox/{row['id']}" or (row["error"] and str(row["error"]) in key) for key in whole)
