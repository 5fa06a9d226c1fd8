"""The running count of votes as posts of the day's thread, after so many new votes or hours, where votes are public."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.core import counting
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.publish import newspapers
from forumbot.settings import Game
from forumbot.store.atwork import under
from forumbot.store.tables import inputs, outbox, turns


def is_wanted(config: Game) -> bool:
    return bool(config.count_every_votes or config.count_every_hours)


def post(
    connection: sa.Connection, row: GameRow, publisher: Publisher, match: Match, seats: Seating, now: datetime
) -> bool:
    """Post the count when it is due and something has changed since the last one; gives whether it was put in.

    Nothing while votes are not taken or nobody has voted, and nothing ever where they are not public. Each count is
    posted once.
    """
    if match.stage != "turn" or "vote" not in match.ruleset.spec.public_actions:
        return False
    if match.ruleset.calendar(match.tables).refuse(match.game, "vote", now, public=True) is not None:
        return False
    if not match.ruleset.ballots(match.game):
        return False
    wanted = [key for key in _due(connection, row, match, now) if not _is_there(connection, f"{row.id}/{key}")]
    if not wanted:
        return False
    names = seats.names()
    text = publisher.public_text(
        "count.j2",
        publisher.facts(match, votes=counting.count(match, names)),
        silent=list(counting.silent(match, names)),
        as_at=counting.as_at(connection, row.id, match.turn).post,
    )
    if text == _last_said(connection, row.id, match.turn):
        return False
    publisher.reply(connection, wanted[0], newspapers.thread_of(connection, row.id, match.turn), text)
    return True


def _due(connection: sa.Connection, row: GameRow, match: Match, now: datetime) -> list[str]:
    """Keys of the counts that should stand: of the latest full number of votes, of the latest full period."""
    config, turn = row.config, match.turn
    found: list[str] = []
    if config.count_every_votes:
        reached = _cast(connection, row.id, match) // config.count_every_votes
        if reached:
            found.append(f"t{turn}/count/v{reached}")
    if config.count_every_hours:
        mine = turns.c.game_id == row.id, turns.c.turn == turn
        opened = connection.execute(sa.select(turns.c.opened_at).where(*mine)).scalar_one()
        period = int((now - opened).total_seconds() // (config.count_every_hours * 3600))
        if period > 0:
            found.append(f"t{turn}/count/h{period}")
    return found


def _cast(connection: sa.Connection, game_id: str, match: Match) -> int:
    """How many public orders of this turn have come so far, struck ones too: the number never goes down."""
    mine = inputs.c.game_id == game_id, inputs.c.turn == match.turn, inputs.c.kind == "order"
    public = match.ruleset.spec.public_actions
    return sum(payload["action"] in public for payload in connection.execute(sa.select(inputs.c.payload).where(*mine)).scalars())


def _is_there(connection: sa.Connection, key: str) -> bool:
    return connection.execute(sa.select(outbox.c.id).where(outbox.c.key == key)).first() is not None


def _last_said(connection: sa.Connection, game_id: str, turn: int) -> str | None:
    prefix = f"{game_id}/t{turn}/count/"
    query = sa.select(outbox.c.body).where(under(outbox.c.key, prefix)).order_by(outbox.c.id.desc())
    return connection.execute(query).scalar()
