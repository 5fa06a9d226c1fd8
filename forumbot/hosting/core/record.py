"""The record of one game: its row, its inputs (the replay log), turns and deadlines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

import sqlalchemy as sa

from engine.calendar import Due
from engine.model import Event
from forumbot.hosting.core.match import Input, Match
from forumbot.settings import Game
from forumbot.store.atwork import LIVE_GAME, OPEN_DEADLINE
from forumbot.store.prepared import Prepared, Row, insertion
from forumbot.store.tables import deadlines, games, inputs
from forumbot.store.types import load as from_json
from forumbot.writing.writer import GAZETTE, gather

SIGNUP = "signup"
"""The stage, the thread and the deadline before the deal."""
RESOLVING = ("signup", "mark", "close")
"""Calls of deadlines that change the game."""
_LEAST_GAP = 2.0**-20
REMINDERS = ("remind", "review")
"""Calls of deadlines that resolve nothing: players are reminded of their moves, the host of his reviews."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game as it stands in the database."""

    id: str
    ruleset: str
    title: str
    config: Game
    tables: Mapping[str, Any]
    templates: Mapping[str, str]
    seed: int
    stage: str
    turn: int
    winner: str | None
    paused_at: datetime | None


_WHOLE = Prepared(
    sa.select(
        games.c.id, games.c.ruleset, games.c.title,
        *(sa.type_coerce(games.c[name], sa.Text).label(name) for name in ("config", "tables", "templates")),
        games.c.seed, games.c.stage, games.c.turn, games.c.winner, games.c.paused_at,
    ).where(games.c.id == sa.bindparam("game"))
)  # fmt: skip
_KEPT = 2048
"""So many different settings, tables and sets of templates are kept read; games that began alike share theirs."""


def load(connection: sa.Connection, game_id: str) -> GameRow:
    """Raises sqlalchemy.exc.NoResultFound for an unknown game."""
    found = _WHOLE.lists(connection, game=game_id)
    if not found:
        raise sa.exc.NoResultFound
    id_, ruleset, title, config, tables, templates, *rest = found[0]
    return GameRow(id_, ruleset, title, _config(config), _tables(tables), _templates(ruleset, templates), *rest)


@lru_cache(_KEPT)
def _config(text: str) -> Game:
    return Game.model_validate(from_json(text))


@lru_cache(_KEPT)
def _tables(text: str) -> Mapping[str, Any]:
    tables: Mapping[str, Any] = from_json(text)
    return tables


@lru_cache(_KEPT)
def _templates(ruleset: str, text: str) -> Mapping[str, str]:
    # The look of its newspaper a game keeps, whatever it was when the game began.
    return {**_packaged(ruleset), GAZETTE: "", **from_json(text)}


@cache
def _packaged(ruleset: str) -> Mapping[str, str]:
    """Templates of this program: of them a game that began under an older one gets those that it has not frozen."""
    return gather(ruleset)


_LIVE = Prepared(sa.select(games.c.id).where(LIVE_GAME).order_by(games.c.id))


def live_games(connection: sa.Connection) -> Sequence[str]:
    """Ids of the games that are neither over nor cancelled."""
    return _LIVE.values(connection)


_INPUTS = Prepared(
    sa.select(inputs.c.seq, inputs.c.kind, inputs.c.turn, inputs.c.at, inputs.c.payload, inputs.c.id)
    .where(inputs.c.game_id == sa.bindparam("game"), inputs.c.struck.is_(None), inputs.c.seq <= sa.bindparam("until"))
    .order_by(inputs.c.seq)
)


def inputs_of(connection: sa.Connection, game_id: str, *, until: float | None = None) -> tuple[Input, ...]:
    """The inputs that count, in their order; ``until`` leaves out those with a higher number."""
    rows = _INPUTS.lists(connection, game=game_id, until=math.inf if until is None else until)
    return tuple(Input(*row) for row in rows)


def fold(connection: sa.Connection, row: GameRow) -> Match:
    """The game's present state, made anew from its inputs."""
    match = Match.begin(row.ruleset, row.tables, row.seed)
    for given in inputs_of(connection, row.id):
        match.apply(given)
    return match


def events_of(connection: sa.Connection, row: GameRow, wanted: Input) -> tuple[Event, ...]:
    """What follows from this input at its place in the log."""
    match = Match.begin(row.ruleset, row.tables, row.seed)
    for given in inputs_of(connection, row.id, until=wanted.seq):
        events = match.apply(given)
    return events


_LAST = Prepared(sa.select(sa.func.max(inputs.c.seq)).where(inputs.c.game_id == sa.bindparam("game")))
_PUT = insertion(inputs, "game_id", "seq", "turn", "kind", "at", "payload", "verdict_id")


def add_input(
    connection: sa.Connection,
    game_id: str,
    kind: str,
    turn: int,
    at: datetime,
    payload: Mapping[str, Any],
    *,
    verdict_id: int | None = None,
    seq: float | None = None,
) -> Input:
    """Write one input at the end of the log, or at ``seq`` between two."""
    if seq is None:
        seq = float(int(_LAST.value(connection, game=game_id) or 0) + 1)
    row = {"turn": turn, "kind": kind, "at": at, "payload": payload, "verdict_id": verdict_id}
    made = _PUT.run(connection, game_id=game_id, seq=seq, **row)
    return Input(seq, kind, turn, at, payload, made.lastrowid or 0)


_BACKWARDS = Prepared(
    sa.select(inputs.c.seq, inputs.c.kind, inputs.c.at, inputs.c.struck)
    .where(inputs.c.game_id == sa.bindparam("game"), inputs.c.turn == sa.bindparam("turn"))
    .order_by(inputs.c.seq.desc())
)


def place_for(
    connection: sa.Connection, game_id: str, turn: int, at: datetime, *, behind_marks: bool = False
) -> float | None:
    """Where an order of this moment belongs among the inputs of its turn; None means at the end.

    Forums and mailboxes are read at different times, but the server's time decides who was first. Marks are walls for what
    comes late by itself; the host's word reaches behind a mark that was resolved already (``behind_marks``).
    """
    walls = ("deal", "open", "hours") if behind_marks else ("deal", "open", "hours", "mark", "close", "force")
    later = False
    for seq, kind, moment, struck in _BACKWARDS.walk(connection, game=game_id, turn=turn):
        if kind != "order" and struck is not None:
            # A mark that was taken back has happened nowhere.
            continue
        if kind in walls or (kind in ("order", "mark") and moment <= at):
            return behind(connection, game_id, float(seq)) if later else None
        later = True
    return None


def behind(connection: sa.Connection, game_id: str, seq: float) -> float | None:
    """A number right behind an input; None where it is the last of the log."""
    mine = inputs.c.game_id == game_id, inputs.c.seq > seq
    following = connection.execute(sa.select(sa.func.min(inputs.c.seq)).where(*mine)).scalar()
    return None if following is None else between(connection, game_id, seq, float(following))


def between(connection: sa.Connection, game_id: str, before: float, after: float) -> float:
    """A number for an input between two neighbours. Halving runs out of digits after some fifty inputs at one place: where
    hardly any is left, the whole log is numbered anew in its order."""
    if after - before < _LEAST_GAP:
        mine = inputs.c.game_id == game_id
        ids = connection.execute(sa.select(inputs.c.id).where(mine).order_by(inputs.c.seq)).scalars().all()
        place = connection.execute(sa.select(sa.func.count()).where(mine, inputs.c.seq <= before)).scalar_one()
        rows = [{"row": row_id, "number": float(number)} for number, row_id in enumerate(ids, 1)]
        # By way of negative numbers, since no two inputs of a game may ever have the same one.
        connection.execute(inputs.update().where(inputs.c.id == sa.bindparam("row")).values(seq=-sa.bindparam("number")), rows)
        connection.execute(inputs.update().where(mine).values(seq=-inputs.c.seq))
        before, after = float(place), float(place + 1)
    return (before + after) / 2


def strike(connection: sa.Connection, game_id: str, verdict_ids: Sequence[int], why: str) -> int:
    """Inputs of these verdicts no longer count; gives how many there were."""
    return connection.execute(
        inputs.update()
        .where(inputs.c.game_id == game_id, inputs.c.verdict_id.in_(verdict_ids), inputs.c.struck.is_(None))
        .values(struck=why)
    ).rowcount


_ADD_DEADLINE = insertion(deadlines, "game_id", "turn", "name", "call", "due_at", unique="game_id, turn, name, call")


def add_deadlines(connection: sa.Connection, game_id: str, turn: int, dues: Sequence[Due]) -> None:
    for due in dues:
        add_deadline(connection, game_id, turn, due.name, due.call, due.at)


def add_deadline(connection: sa.Connection, game_id: str, turn: int, name: str, call: str, at: datetime) -> None:
    _ADD_DEADLINE.run(connection, game_id=game_id, turn=turn, name=name, call=call, due_at=at)


_NEXT = Prepared(
    sa.select(deadlines)
    .where(deadlines.c.game_id == sa.bindparam("game"), OPEN_DEADLINE)
    .order_by(deadlines.c.due_at, deadlines.c.id)
    .limit(1)
)


def next_deadline(connection: sa.Connection, game_id: str) -> Row | None:
    """The earliest deadline that has not been resolved."""
    return _NEXT.first(connection, game=game_id)


def move_deadline(connection: sa.Connection, game_id: str, turn: int, at: datetime) -> None:
    """What is still open of this turn falls due at ``at``."""
    mine = deadlines.c.game_id == game_id, deadlines.c.turn == turn, deadlines.c.done_at.is_(None)
    connection.execute(deadlines.update().where(*mine).values(due_at=at))
