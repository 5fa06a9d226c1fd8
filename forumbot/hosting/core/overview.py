"""The whole site in a few numbers, for systemd's status line and for metrics. No nick, no role, no address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.core import troubles
from forumbot.store.atwork import LIVE_GAME, ON_ITS_WAY, OPEN_REVIEW, SETTLED
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, games, outbox, places, verdicts
from forumbot.store.tables import troubles as trouble_rows


@dataclass(frozen=True, slots=True)
class Overview:
    """What stands now. ``games``: stage -> number; ``outbox``: state -> rows; ``read_at``: channel -> last complete reading."""

    games: Mapping[str, int]
    outbox: Mapping[str, int]
    troubles: int
    held: int
    reviews: int
    next_due: datetime | None
    read_at: Mapping[str, datetime]

    @property
    def live(self) -> int:
        return sum(count for stage, count in self.games.items() if stage not in ("over", "cancelled"))


def look(store: Store) -> Overview:
    """Read it from the database. Raises StoreError."""
    open_ = deadlines.c.done_at.is_(None)
    mine = deadlines.join(games, games.c.id == deadlines.c.game_id)
    with store.read() as connection:
        by_stage = connection.execute(sa.select(games.c.stage, sa.func.count()).group_by(games.c.stage)).all()
        by_state = [
            row
            for some in (ON_ITS_WAY, SETTLED)
            for row in connection.execute(sa.select(outbox.c.state, sa.func.count()).where(some).group_by(outbox.c.state))
        ]
        expected = open_, LIVE_GAME, deadlines.c.held_since.is_(None)
        due = sa.select(sa.func.min(deadlines.c.due_at)).select_from(mine).where(*expected)
        held = sa.select(sa.func.count()).select_from(mine).where(open_, LIVE_GAME, deadlines.c.held_since.is_not(None))
        doubtful = (
            sa.select(sa.func.count())
            .select_from(verdicts.join(games, games.c.id == verdicts.c.game_id))
            .where(OPEN_REVIEW, verdicts.c.turn == games.c.turn, LIVE_GAME)
        )
        read = connection.execute(sa.select(places.c.name, places.c.complete_at)).all()
        return Overview(
            {str(stage): int(count) for stage, count in by_stage},
            {str(state): int(count) for state, count in by_state},
            int(connection.execute(sa.select(sa.func.count()).select_from(trouble_rows)).scalar_one()),
            int(connection.execute(held).scalar_one()),
            int(connection.execute(doubtful).scalar_one()),
            connection.execute(due).scalar(),
            {str(name): at for name, at in read if at is not None},
        )


def sentence(view: Overview, now: datetime) -> str:
    """The overview in one line for ``systemctl status``."""
    parts = [f"игр: {view.live}"]
    if view.next_due is not None:
        parts.append(f"до срока {troubles.span(max(view.next_due - now, now - now))}")
    for count, words in ((view.held, "задержано сроков"), (view.reviews, "на проверке"), (view.troubles, "неполадок")):
        if count:
            parts.append(f"{words}: {count}")
    waiting = sum(view.outbox.get(state, 0) for state in ("waiting", "sending", "held"))
    return "; ".join([*parts, f"ждёт отправки: {waiting}"])
