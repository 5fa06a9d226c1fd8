"""What the rules have told a player of himself so far: his role, side, mates and passwords, as his notices said them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from engine.model import Notice, Seat
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.store.tables import inputs


@dataclass(slots=True)
class Told:
    """What one player was told, the last word of each kind."""

    role: str = ""
    night_role: str = ""
    night: int = 0
    faction: str = ""
    number: int = 0
    mates: list[Seat] = field(default_factory=list)
    passwords: dict[str, str] = field(default_factory=dict)
    """Team -> its password."""


def told(connection: sa.Connection, row: GameRow, seat: Seat, *, eve: bool = False) -> Told:
    """What the seat's notices have said since the deal. ``eve``: without what the last deadline brought, whose newspaper
    nobody has seen yet."""
    closed = connection.execute(
        sa.select(sa.func.max(inputs.c.seq)).where(inputs.c.game_id == row.id, inputs.c.kind == "close")
    ).scalar()
    match = Match.begin(row.ruleset, row.tables, row.seed)
    found: list[Notice] = []
    for given in record.inputs_of(connection, row.id):
        if eve and closed is not None and given.seq >= closed:
            break
        found += [event for event in match.apply(given) if isinstance(event, Notice) and event.to == seat]
    return gathered(found, match.ruleset.spec.told)


def gathered(notices: Iterable[Notice], kinds: Mapping[str, Mapping[str, str]]) -> Told:
    """The facts in these notices of one player, in their order."""
    made = Told()
    for notice in notices:
        facts = {fact: _value(notice.data, key) for fact, key in kinds.get(notice.kind, {}).items()}
        _take(made, {fact: value for fact, value in facts.items() if value is not None}, notice.to)
    return made


def _value(data: Mapping[str, Any], key: str) -> Any:
    return key[1:] if key.startswith("=") else data.get(key)


def _take(made: Told, facts: Mapping[str, Any], me: Seat) -> None:
    for fact, value in facts.items():
        match fact:
            case "mates":
                made.mates = [mate for mate in value if mate != me]
            case "mate":
                made.mates += [value] if value not in (me, *made.mates) else []
            case "password":
                made.passwords[facts.get("team", "")] = value
            case "team":
                pass
            case _:
                setattr(made, fact, value)
