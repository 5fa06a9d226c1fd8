"""Who still owes something before a deadline: moves, the ballot, and words in the day's thread where the rules count them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.model import Seat
from forumbot.hosting.core.match import Match


@dataclass(frozen=True, slots=True)
class Owing:
    """What the reminder of one player says."""

    actions: tuple[str, ...]
    """What he could still send."""
    activity: Mapping[str, Any] | None
    """How he stands with the day's duties; None where the rules have none."""


def due(match: Match, names: Mapping[Seat, str]) -> dict[Seat, Owing]:
    """Everybody whom a reminder may save a move or a penalty point, in the order of the roster."""
    owed = match.ruleset.owing(match.game)
    found: dict[Seat, Owing] = {}
    for seat in match.ruleset.alive(match.game):
        actions, activity = tuple(owed.get(seat, ())), of(match, seat, names)
        if actions or (activity is not None and activity["words"] < activity["words_required"]):
            found[seat] = Owing(actions, activity)
    return found


def of(match: Match, seat: Seat, names: Mapping[Seat, str]) -> Mapping[str, Any] | None:
    """A player's words of the day, his ballot and his penalty points so far (clans R92); None where nobody counts words."""
    more = match.ruleset.known(match.game, seat).more
    if not more.get("words_required"):
        return None
    ballot = match.ruleset.ballots(match.game).get(seat)
    key = match.ruleset.spec.penalty_key
    return {
        "words": int(more.get("words", 0)),
        "words_required": int(more["words_required"]),
        "ballot": None if ballot is None else names.get(ballot, ballot),
        "points": match.ruleset.state(match.game)[seat].get(key, 0) if key else 0,
    }
