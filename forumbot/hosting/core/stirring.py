"""Which games a tick has to look at: those on which something has fallen since, and a few of the rest.

What stirs a game: a deadline that is due, a message that was stored or routed, an act of its host, and whatever was left
unfinished when it was last settled. A new process knows of nothing and begins with all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.store.atwork import OPEN_DEADLINE, of_live_game
from forumbot.store.prepared import Prepared
from forumbot.store.tables import deadlines, posts

ROUND = timedelta(minutes=1)
"""Every game is looked at as often as that where there are few: what time alone brings about (a turn that opens too late, a
count by the hour) falls due by no row."""
LONGEST_ROUND = timedelta(minutes=10)
"""Where there are many, so that no tick has to look at all of them."""
LEAST = 4
"""So many are looked at in a tick in any case."""
_DUE = Prepared(
    sa.select(deadlines.c.game_id).where(
        OPEN_DEADLINE, deadlines.c.due_at <= sa.bindparam("now"), of_live_game(deadlines.c.game_id)
    )
)
_NEWEST = Prepared(sa.select(sa.func.max(posts.c.id)))
_NEW = Prepared(sa.select(posts.c.game_id).where(posts.c.id > sa.bindparam("seen"), of_live_game(posts.c.game_id)))


class Stirring:
    """Kept by the daemon for as long as it lives; what is due and what is new the database tells."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._seen = 0
        """The newest row of a post at the last look."""
        self._round_at: datetime | None = None
        """When the last round began in which all games are looked at; None: before the first look, which is at all at once."""
        self._looked_at: datetime | None = None
        self._left: list[str] = []
        """Games to which this round has not come yet."""
        self._size = 0
        """How many games this round has."""

    def stir(self, game_ids: Iterable[str]) -> None:
        """These games are to be settled at the next look."""
        self._told.update(game_ids)

    def look(self, connection: sa.Connection, now: datetime) -> list[str]:
        """The games to settle now, by their ids; from now on they count as looked at."""
        seen, self._seen = self._seen, _NEWEST.value(connection) or 0
        told, self._told = self._told, set()
        if self.is_round(now):
            first = self._round_at is None
            self._left, self._round_at = list(record.live_games(connection)), now
            self._size = len(self._left)
            if first:
                self._looked_at, self._left = now, []
                return list(record.live_games(connection))
        found = set(_DUE.values(connection, now=now))
        if self._seen > seen:
            found.update(_NEW.values(connection, seen=seen))
        if told:
            found.update(told.intersection(record.live_games(connection)))
        found.update(self._some(now))
        return sorted(found)

    def _some(self, now: datetime) -> list[str]:
        """The next games of this round: more where ticks are rare, so that it ends in time."""
        since, self._looked_at = self._looked_at, now
        passed = now - since if since is not None and since <= now else LONGEST_ROUND
        number = max(LEAST, math.ceil(self._size * (passed / LONGEST_ROUND)))
        chosen, self._left = self._left[:number], self._left[number:]
        return chosen

    def is_round(self, now: datetime) -> bool:
        """Whether a round begins now; a clock that was put back says nothing of the last one."""
        if self._round_at is None or now < self._round_at:
            return True
        return not self._left and now - self._round_at >= ROUND
