"""How votes and the living changed in time: the game folded once more, with a look after every input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.model import Seat
from forumbot.hosting.core import record
from forumbot.hosting.core.match import SETUP_TURN, Input, Match
from forumbot.hosting.core.record import GameRow


@dataclass(frozen=True, slots=True)
class VotesAt:
    """The count from this moment on: seat -> weight."""

    at: datetime
    votes: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Living:
    """Who lives after a turn: faction -> how many; ``turn`` is ``SETUP_TURN`` for the deal."""

    turn: int
    factions: Mapping[str, int]


def votes_of_turn(connection: sa.Connection, row: GameRow, turn: int) -> list[VotesAt]:
    """Every change of the count in a turn, beginning with its opening, till the count is used up or the turn is closed.

    The last one is what ``counting.count`` gives: a mark at which the rules do something else ends nothing (league R81).
    Moments only go forward: a letter that arrived late stands where it was written, as ``counting.at`` has it.
    """
    match = Match.begin(row.ruleset, row.tables, row.seed)
    own: list[Input] = []
    for given in record.inputs_of(connection, row.id):
        if given.turn > turn or (own and given.kind == "close"):
            break
        if given.turn == turn and (own or given.kind == "open"):
            own.append(given)
        else:
            match.apply(given)
    orders = [given.at for given in own if given.kind == "order"]
    return _changes(match, own) if orders == sorted(orders) else _changes_by_moment(match, own)


def _changes(match: Match, own: Sequence[Input]) -> list[VotesAt]:
    """The count after every input of a turn that came in the order in which they were written."""
    found: list[VotesAt] = []
    for given in own:
        match.apply(given)
        votes = _count(match)
        if given.kind == "mark" and not votes:
            break
        if not found or found[-1].votes != votes:
            found.append(VotesAt(max(given.at, found[-1].at) if found else given.at, votes))
    return found


def _changes_by_moment(match: Match, own: Sequence[Input]) -> list[VotesAt]:
    """The count at every moment at which something was written: what was written later is left out, whenever it was read."""
    opened = own[0].at
    found: list[VotesAt] = []
    for moment in sorted({max(given.at, opened) for given in own if given.kind != "mark"}):
        # The game is a value; only the draws go on in place.
        then = replace(match, chance=deepcopy(match.chance), turn_events=[])
        for given in own:
            if given.kind == "mark" and given.at > moment:
                break
            if given.kind != "order" or given.at <= moment:
                then.apply(given)
        votes = _count(then)
        if not found or found[-1].votes != votes:
            found.append(VotesAt(moment, votes))
    return found


def _count(match: Match) -> dict[str, float]:
    return {seat: weight for seat, weight in match.ruleset.votes(match.game).items() if weight}


def course(connection: sa.Connection, row: GameRow) -> list[Living]:
    """The living by faction after the deal and after every closed turn."""
    match = Match.begin(row.ruleset, row.tables, row.seed)
    found: list[Living] = []
    for given in record.inputs_of(connection, row.id):
        if given.kind == "open" and not found:
            found.append(Living(SETUP_TURN, _living(match)))
        match.apply(given)
        if given.kind == "close":
            found.append(Living(given.turn, _living(match)))
    return found


def states(connection: sa.Connection, row: GameRow) -> dict[int, Mapping[Seat, Mapping[str, Any]]]:
    """Turn -> the players as they stood when it was about to be closed."""
    match = Match.begin(row.ruleset, row.tables, row.seed)
    found: dict[int, Mapping[Seat, Mapping[str, Any]]] = {}
    for given in record.inputs_of(connection, row.id):
        if given.kind == "close":
            found[given.turn] = match.ruleset.state(match.game)
        match.apply(given)
    return found


def _living(match: Match) -> dict[str, int]:
    states = match.ruleset.state(match.game)
    counted: dict[str, int] = {}
    for seat in match.ruleset.alive(match.game):
        faction = str(states[seat].get("faction") or "")
        counted[faction] = counted.get(faction, 0) + 1
    return counted
