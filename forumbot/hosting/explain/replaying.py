"""A game played again from its inputs alone: the same inputs give the same bytes."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from engine.model import Line
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.wire import draw_data, events_data
from forumbot.store.database import Store
from forumbot.store.tables import games, turns
from forumbot.store.types import dump
from forumbot.writing.writer import PublicFacts, Writer


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One closed turn: its newspaper, the digest of everything that followed, and whether both equal the stored ones."""

    turn: int
    report: str
    digest: str
    same: bool

    def data(self) -> dict[str, Any]:
        return asdict(self)


def replay_game(store: Store, game_id: str, zone: str) -> tuple[ReplayedTurn, ...]:
    """Every closed turn, played again. Raises KeyError for an unknown game."""
    with store.read() as connection:
        if connection.execute(sa.select(games.c.id).where(games.c.id == game_id)).first() is None:
            raise KeyError(game_id)
        row = record.load(connection, game_id)
        inputs = record.inputs_of(connection, game_id)
        stored = {
            turn["turn"]: turn
            for turn in connection.execute(sa.select(turns).where(turns.c.game_id == game_id)).mappings()
        }
    writer = Writer(row.templates, zone)
    match = Match.begin(row.ruleset, row.tables, row.seed)
    found: list[ReplayedTurn] = []
    for given in inputs:
        match.apply(given)
        if given.kind != "close":
            continue
        events = events_data(match.turn_events)
        draws = [draw_data(draw) for draw in match.chance.record[match.opened_draws :]]
        lines = [event for event in match.turn_events if isinstance(event, Line)]
        kept = stored[given.turn]
        facts = PublicFacts(row.title, given.turn, tables=row.tables)
        report = writer.report(facts, lines, kept["names"])
        found.append(
            ReplayedTurn(
                given.turn,
                report,
                hashlib.sha256(dump([events, draws, report]).encode()).hexdigest(),
                same=dump([events, draws, report]) == dump([kept["events"], kept["draws"], kept["report"]]),
            )
        )
    return tuple(found)
