"""Which games a tick has to look at: those on which something has fallen since, and the rest once a minute.

What stirs a game: a deadline that is due, a message that was stored or routed, an act of its host, and whatever was left
unfinished when it was last settled. A new process knows of nothing and begins with all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.hosting import record
from forumbot.store.atwork import OPEN_DEADLINE, of_live_game
from forumbot.store.tables import deadlines, posts

ROUND = timedelta(minutes=1)
"""Every game is looked at as often as that: what time alone brings about (a turn that opens too late, a count by the hour)
falls due by no row."""
_DUE = sa.select(deadlines.c.game_id).where(
    OPEN_DEADLINE, deadlines.c.due_at <= sa.bindparam("now"), of_live_game(deadlines.c.game_id)
)
_NEWEST = sa.select(sa.func.max(posts.c.id))
_NEW = sa.select(posts.c.game_id).where(posts.c.id > sa.bindparam("seen"), of_live_game(posts.c.game_id))


class Stirring:
    """Kept by the daemon for as long as it lives; what is due and what is new the database tells."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._seen = 0
        """The newest row of a post at the last look."""
        self._round_at: datetime | None = None
        """When all games were last looked at."""

    def stir(self, game_ids: Iterable[str]) -> None:
        """These games are to be settled at the next look."""
        self._told.update(game_ids)

    def look(self, connection: sa.Connection, now: datetime) -> list[str]:
        """The games to settle now, by their ids; from now on they count as looked at."""
        seen, self._seen = self._seen, connection.execute(_NEWEST).scalar() or 0
        told, self._told = self._told, set()
        if self.is_round(now):
            self._round_at = now
            return list(record.live_games(connection))
        found = set(connection.execute(_DUE, {"now": now}).scalars())
        if self._seen > seen:
            found.update(connection.execute(_NEW, {"seen": seen}).scalars())
        if told:
            found.update(told.intersection(record.live_games(connection)))
        return sorted(found)

    def is_round(self, now: datetime) -> bool:
        """Whether all games are to be looked at; a clock that was put back says nothing of the last time."""
        return self._round_at is None or not timedelta() <= now - self._round_at < ROUND
