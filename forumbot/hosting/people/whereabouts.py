"""Where somebody plays: of an account, an address or a code at once, however many games there are.

The same people as ``seating.load`` of every live game would give: seats that are in, and those who hold them now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import sqlalchemy as sa

from forumbot.hosting.core.seating import Holder, address_key
from forumbot.store.atwork import LIVE_GAME
from forumbot.store.prepared import Prepared
from forumbot.store.tables import games, holders, seats

_AT_ONCE = 500
"""So many codes are looked up by one statement."""
_LIVING = (
    sa.select(
        holders.c.game_id, holders.c.seat, holders.c.nick, holders.c.uid, holders.c.address, holders.c.proof_code,
        holders.c.code_until, holders.c.gender,
    )
    .join(games, games.c.id == holders.c.game_id)
    .join(seats, sa.and_(seats.c.game_id == holders.c.game_id, seats.c.seat == holders.c.seat))
    .where(holders.c.until.is_(None), seats.c.state == "in", LIVE_GAME)
    .order_by(holders.c.game_id, seats.c.place)
)  # fmt: skip
_BY_UID = Prepared(_LIVING.where(holders.c.uid == sa.bindparam("uid")))
_BY_ADDRESS = Prepared(_LIVING.where(sa.func.lower(holders.c.address) == sa.bindparam("address")))
_BY_CODE = _LIVING.where(holders.c.proof_code.in_(sa.bindparam("codes", expanding=True)))


def of_uid(connection: sa.Connection, uid: int | None) -> dict[str, Holder]:
    """The live games in which this forum account plays, with the place it has there, by the games' ids."""
    found: dict[str, Holder] = {}
    for game_id, *held in _BY_UID.lists(connection, uid=uid) if uid is not None else ():
        found.setdefault(game_id, Holder(*held))
    return found


def of_address(connection: sa.Connection, address: str) -> dict[str, list[Holder]]:
    """Everybody who has this address, by the live games' ids; the database folds letters as ``address_key`` does."""
    found: dict[str, list[Holder]] = {}
    for game_id, *held in _BY_ADDRESS.lists(connection, address=address_key(address)) if address else ():
        found.setdefault(game_id, []).append(Holder(*held))
    return found


def alone(found: Mapping[str, list[Holder]]) -> dict[str, Holder | None]:
    """Whom an address names in each game: one that several have names nobody."""
    return {game_id: mine[0] if len(mine) == 1 else None for game_id, mine in found.items()}


def of_codes(connection: sa.Connection, codes: Collection[str]) -> Iterator[tuple[str, Holder]]:
    """Whose codes these are, with their games."""
    every = sorted(codes)
    for some in (every[start : start + _AT_ONCE] for start in range(0, len(every), _AT_ONCE)):
        for game_id, *held in connection.execute(_BY_CODE, {"codes": some}):
            yield game_id, Holder(*held)
