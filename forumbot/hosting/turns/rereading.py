"""Messages of the running turn are read again once the host has taught a word of theirs, or has taken one back.

A doubtful message that the word settles counts from its own arrival; one that was clear through the word alone is doubtful again.
Which messages are meant is written down with the act, and they are read in the next sitting of their game, with its reader.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import sqlalchemy as sa

from engine.messages import Reader, Verdict
from engine.model import Rejected
from forumbot.hosting.core import choosing, isolation, record
from forumbot.hosting.core.acting import Context, Voice
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.core.wire import read_order_data, read_orders
from forumbot.hosting.inbox import arrivals
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.hosting.inbox.judge import Judge, fold_in, hear, refold, written
from forumbot.hosting.turns import interventions
from forumbot.reading.text import fold
from forumbot.store.prepared import Prepared
from forumbot.store.tables import games, inputs, verdicts

UNEXPLAINED = "unexplained"
"""The reason of a review that has words which nothing explains."""
_SETTLED = ("accepted", "rejected")
_NOBODY = frozenset(("unknown_nick", "bad_target"))
"""What an order for nobody's nick is refused for (``[reasons]`` of the word tables)."""


def ask(connection: sa.Connection, game_id: str, word: str, act_id: int, *, forgotten: bool = False) -> None:
    """The doubtful messages of the running turn that hold this word are to be read again, those too that were refused because
    nobody bears a nick of theirs, and where it is ``forgotten`` those that were clear."""
    turn = sa.select(games.c.turn).where(games.c.id == game_id).scalar_subquery()
    mine = verdicts.c.game_id == game_id, verdicts.c.turn == turn, verdicts.c.decided_by.is_(None), verdicts.c.seat.is_not(None)
    rows = connection.execute(sa.select(verdicts).where(*mine, verdicts.c.outcome.in_(("review", *_SETTLED)))).mappings()
    never = choosing.NOT_FOR_PLAYER | set(choosing.REASONS)
    wanted = fold(word)
    open_rows = [row for row in rows if forgotten or _is_open(row)]
    found = [row["id"] for row in open_rows if wanted in fold(row["text"]) and row["reason"] not in never]
    connection.execute(verdicts.update().where(verdicts.c.id.in_(found)).values(reread=act_id))


_ASKED = Prepared(
    sa.select(verdicts.c.id).where(verdicts.c.game_id == sa.bindparam("game"), verdicts.c.reread.is_not(None)).limit(1)
)


def _is_open(row: sa.RowMapping) -> bool:
    """Whether a word may settle it: a review, or a refusal of the reader's own for want of a player of that nick."""
    nobody = row["outcome"] == "rejected" and any(order["reason"] in _NOBODY and not order["targets"] for order in row["orders"])
    return row["outcome"] == "review" or nobody


def is_asked(connection: sa.Connection, game_id: str) -> bool:
    """Whether any message of this game is to be read again."""
    return _ASKED.value(connection, game=game_id) is not None


def run(sitting: Sitting, match: Match, reader: Reader, hosts: frozenset[str], voice: Voice) -> None:
    """Read again what is to be read again, and tell everybody whose orders count now, or no longer do."""
    connection, game_id = sitting.connection, sitting.row.id
    asked = verdicts.c.game_id == game_id, verdicts.c.reread.is_not(None)
    rows = connection.execute(sa.select(verdicts).where(*asked).order_by(verdicts.c.at, verdicts.c.id)).mappings().all()
    judge = Judge(reader, hosts, sitting.now)
    for act_id in dict.fromkeys(row["reread"] for row in rows):
        context = Context(connection, sitting.row, sitting.now, act_id, "", voice)
        with interventions.answering(context):
            for row in (row for row in rows if row["reread"] == act_id and row["turn"] == match.turn):
                if not isolation.alone(connection, row["source"], partial(_read, sitting, match, judge, row, context.mark)):
                    refold(connection, sitting.row, match)
    connection.execute(verdicts.update().where(*asked).values(reread=None))


def _read(sitting: Sitting, match: Match, judge: Judge, row: sa.RowMapping, mark: str) -> None:
    connection, game = sitting.connection, sitting.row
    message = arrivals.stored(connection, game.id, sitting.seats, row["source"])
    if message is None or message.holder is None or message.holder.seat != row["seat"]:
        return
    # Read as on its arrival: its own orders must not stand in its way.
    own = sa.select(inputs.c.id).where(inputs.c.verdict_id == row["id"], inputs.c.struck.is_(None))
    struck = connection.execute(own).scalars().all()
    if struck:
        record.strike(connection, game.id, [row["id"]], mark)
        refold(connection, game, match)
    found = judge.again(connection, game, match, message)
    if _is_open(row):
        _doubtful(sitting, match, message, row, found)
    elif [read_order_data(order) for order in found.orders] == row["orders"]:
        connection.execute(inputs.update().where(inputs.c.id.in_(struck)).values(struck=None))
        refold(connection, game, match)
    else:
        if row["outcome"] == "accepted" and found.outcome in ("ignored", "rejected"):
            found = _as_it_was(row)
        _write(sitting, row, found)
        if not fold_in(connection, game, match, message, found, row["id"]).handed:
            hear(connection, game, match, message)


def _doubtful(sitting: Sitting, match: Match, message: Pending, row: sa.RowMapping, found: Verdict) -> None:
    """A review that the word settles is settled. What is refused only because a mark has been resolved since stays with the host,
    and so does what would be no order at all: a tap on a word has not said that."""
    if found.outcome == "review":
        _write(sitting, row, found)
    if found.outcome not in _SETTLED:
        return
    with sitting.connection.begin_nested() as attempt:
        _write(sitting, row, found)
        fold_in(sitting.connection, sitting.row, match, message, found, row["id"])
        too_late = _marked(sitting.connection, sitting.row.id, match.turn, message) and _refused(match, found, row["id"])
        if too_late:
            attempt.rollback()
    if too_late:
        refold(sitting.connection, sitting.row, match)


def _refused(match: Match, found: Verdict, verdict_id: int) -> bool:
    """Whether the rules have refused any order of this message, or the reader had."""
    own = {f"{verdict_id}.{number}" for number in range(len(found.orders))}
    answers = (event.order for event in match.turn_events if isinstance(event, Rejected))
    return found.outcome == "rejected" or any(order is not None and order.ref in own for order in answers)


def _write(sitting: Sitting, row: sa.RowMapping, found: Verdict) -> None:
    sitting.connection.execute(verdicts.update().where(verdicts.c.id == row["id"]).values(written(found, sitting.now)))


def _as_it_was(row: sa.RowMapping) -> Verdict:
    """What stood and would be no order without the word is for the host, with what it was taken for."""
    orders = tuple(replace(order, status="review", reason=UNEXPLAINED) for order in read_orders(row["orders"]))
    return Verdict("review", UNEXPLAINED, orders, row["text"], row["rule"])


def _marked(connection: sa.Connection, game_id: str, turn: int, message: Pending) -> bool:
    """Whether a mark of the turn was resolved after this message had come."""
    mine = inputs.c.game_id == game_id, inputs.c.turn == turn, inputs.c.kind == "mark", inputs.c.struck.is_(None)
    return connection.execute(sa.select(inputs.c.id).where(*mine, inputs.c.at > message.at)).first() is not None
