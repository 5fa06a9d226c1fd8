"""The count of votes: one function for the day's thread, the desk and the commands, so that it is the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.store.tables import inputs, posts, threads, verdicts

Votes = tuple[tuple[str, float, tuple[str, ...]], ...]
"""Nick, counted weight, nicks of the voters; the most voted first."""


@dataclass(frozen=True, slots=True)
class AsAt:
    """How far a count has read: the last post of the day's thread, and when the whole thread was last read."""

    post: int | None
    """The post's number in the thread, else its id; None while there is no post."""
    posted_at: datetime | None
    read_at: datetime | None


def count(match: Match, names: Mapping[str, str]) -> Votes:
    """The running count as the rules would count it now. Equal weights stand in the order of the rules' own count.

    Somebody who is voted for without a weight (the rules void the vote) is shown with 0.
    """
    if match.game is None:
        return ()
    weights = match.ruleset.votes(match.game)
    voters: dict[str, list[str]] = {}
    for voter, target in match.ruleset.ballots(match.game).items():
        voters.setdefault(target, []).append(names.get(voter, voter))
    order = [*weights, *(target for target in voters if target not in weights)]
    order.sort(key=lambda target: -weights.get(target, 0))
    return tuple((names.get(target, target), weights.get(target, 0), tuple(voters.get(target, ()))) for target in order)


def silent(match: Match, names: Mapping[str, str]) -> tuple[str, ...]:
    """The living who stand for nobody now, in the order of the roster."""
    if match.game is None:
        return ()
    voted = set(match.ruleset.ballots(match.game))
    return tuple(names.get(seat, seat) for seat in match.ruleset.alive(match.game) if seat not in voted)


def as_at(connection: sa.Connection, game_id: str, turn: int) -> AsAt:
    """How far the thread of this turn has been read."""
    thread = (
        connection.execute(
            sa.select(threads.c.id, threads.c.complete_at).where(
                threads.c.game_id == game_id, threads.c.kind == "day", threads.c.turn == turn
            )
        )
        .mappings()
        .first()
    )
    if thread is None:
        return AsAt(None, None, None)
    last = connection.execute(
        sa.select(posts.c.number, posts.c.post_id, posts.c.posted_at)
        .where(posts.c.thread_id == thread["id"])
        .order_by(posts.c.post_id.desc(), posts.c.version.desc())
    ).first()
    if last is None:
        return AsAt(None, None, thread["complete_at"])
    number, post_id, posted_at = last
    return AsAt(number or post_id, posted_at, thread["complete_at"])


def at(connection: sa.Connection, row: GameRow, turn: int, *, moment: datetime | None = None, post: int | None = None) -> Match:
    """The game as it stood in this turn at a moment, or behind the post of this number in the turn's thread; without either,
    as it stood when the turn was closed, or stands now. Raises LookupError for a turn or post that there was not."""
    beyond: set[int] = set()
    if post is not None:
        moment, beyond = _post(connection, row.id, turn, post)
    match = Match.begin(row.ruleset, row.tables, row.seed)
    opened = False
    for given in record.inputs_of(connection, row.id):
        if given.turn > turn or (given.turn == turn and given.kind == "close"):
            break
        opened = opened or (given.turn == turn and given.kind == "open")
        late = moment is not None and given.turn == turn and given.at > moment
        if late and given.kind == "mark":
            break
        if given.kind == "order" and (late or given.row in beyond):
            continue
        match.apply(given)
    if not opened:
        raise LookupError(f"хода {turn} в этой игре не было")
    return match


def _post(connection: sa.Connection, game_id: str, turn: int, number: int) -> tuple[datetime, set[int]]:
    """When the post was written, and the inputs that rest on later posts of its thread, be they of the same minute."""
    day = sa.select(threads.c.id).where(threads.c.game_id == game_id, threads.c.kind == "day", threads.c.turn == turn)
    mine = posts.c.thread_id.in_(day), sa.or_(posts.c.number == number, posts.c.post_id == number)
    found = connection.execute(sa.select(posts.c.post_id, posts.c.posted_at).where(*mine).order_by(posts.c.version)).first()
    if found is None:
        raise LookupError(f"сообщения № {number} в теме этого хода нет")
    later = (
        sa.select(inputs.c.id)
        .join(verdicts, verdicts.c.id == inputs.c.verdict_id)
        .join(posts, ("post:" + sa.cast(posts.c.id, sa.String)) == verdicts.c.source)
        .where(inputs.c.game_id == game_id, posts.c.thread_id.in_(day), posts.c.post_id > found[0])
    )
    return found[1], set(connection.execute(later).scalars())
