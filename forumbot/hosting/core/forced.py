"""A draw that the host decided, but that cannot come out so when it is made: the game goes on by lot, and he is told."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from engine.model import EngineError
from forumbot.hosting.core import naming, record, troubles
from forumbot.settings import SitePart
from forumbot.store.database import Store
from forumbot.store.tables import inputs
from forumbot.writing.writer import shared

_PLACE = "chance."


def drop(store: Store, site: SitePart, game_id: str, error: EngineError, now: datetime) -> bool:
    """Strike what the host has forced at this draw in the running turn; gives whether the error came of that."""
    if not error.place.startswith(_PLACE):
        return False
    point = error.place.removeprefix(_PLACE)
    with store.write() as connection:
        row = record.load(connection, game_id)
        mine = inputs.c.game_id == game_id, inputs.c.turn == row.turn, inputs.c.kind == "force", inputs.c.struck.is_(None)
        rows = connection.execute(sa.select(inputs.c.id, inputs.c.payload).where(*mine)).all()
        ids = [row_id for row_id, payload in rows if payload["point"] == point]
        if not ids:
            return False
        connection.execute(inputs.update().where(inputs.c.id.in_(ids)).values(struck="такого варианта у жребия нет"))
        named = naming.chance(shared(row.templates, "UTC"), point)
        why = f"назначенный вами исход жребия «{named}» невозможен ({error.problem})"
        text = f"Игра «{game_id}»: {why}. Жребий брошен как обычно."
        key = f"forced/{game_id}/{','.join(map(str, ids))}"
        troubles.tell_host(connection, site, key, "Жребий брошен без вас", text, now, game_id=game_id)
    return True
