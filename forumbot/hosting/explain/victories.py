"""Who has won a game that is over, told by what the rules said of it and never by the spelling of a nick."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from engine.model import Ended, Seat, Victory
from forumbot.hosting.core.match import Match
from forumbot.store.tables import turns
from forumbot.writing.writer import Writer


def of_game(connection: sa.Connection, game_id: str) -> Victory | None:
    """The victory in the last closed turn; None while the game goes on, and for a game that was called off."""
    query = sa.select(turns.c.events).where(turns.c.game_id == game_id, turns.c.closed_at.is_not(None))
    events = connection.execute(query.order_by(turns.c.turn.desc()).limit(1)).scalar()
    ended = next((event for event in events or () if event["type"] == Ended.__name__), None)
    return None if ended is None else Victory(ended["winner"], ended.get("kind"))


def of_match(match: Match) -> Victory | None:
    """The same of a game in memory."""
    winner = match.ruleset.winner(match.game) if match.game is not None else None
    return None if winner is None else Victory(winner, match.ruleset.winner_kind(match.game))


def named(victory: Victory, nicks: Mapping[Seat, str], writer: Writer) -> str:
    """The winner in words: a player's nick of the day, a team's name, or that nobody won."""
    if victory.kind == "player":
        return nicks.get(victory.winner, victory.winner)
    return writer.word("factions", victory.winner)
