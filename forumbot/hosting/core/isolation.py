"""One message at a time: a fault or an overrun in one marks that message for the host and stops nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
import structlog

from engine.messages import Message, Reader, Verdict
from engine.model import EngineError
from forumbot.hosting.core import budget, troubles
from forumbot.settings import SitePart
from forumbot.store.database import StoreError, apart

log = structlog.get_logger("forumbot.isolation")

TOO_COMPLICATED = "too_complicated"
"""The reason of a review of what could not be read, or not in time."""
UNREAD = Verdict("review", TOO_COMPLICATED)


@dataclass(frozen=True, slots=True)
class Careful:
    """A reader within a budget: what it cannot make out is for the host. It never raises on any message."""

    reader: Reader

    def read(self, ruleset: Any, game: Any, message: Message) -> Verdict:
        try:
            with budget.limited():
                return self.reader.read(ruleset, game, message)
        except Exception as error:
            log.exception("message_unread", source=message.ref, kind=type(error).__name__)
            return UNREAD


def alone(connection: sa.Connection, source: str, work: Callable[[], None]) -> bool:
    """Do something about one message, with all that it writes or with nothing of it; False where it failed.

    What the whole game or database suffers from is raised as it is: a draw that cannot come out as forced, an error of the
    database.
    """
    try:
        with apart(connection):
            work()
    except (StoreError, sa.exc.DBAPIError):
        raise
    except Exception as error:
        if isinstance(error, EngineError) and error.place.startswith("chance."):
            raise
        log.exception("message_failed", source=source, kind=type(error).__name__)
        return False
    return True


def tell(connection: sa.Connection, site: SitePart, game_id: str, turn: int, author: str, now: datetime) -> None:
    """The host hears of a message that the bot cannot make out, once for each author and turn."""
    text = (
        f"Игра «{game_id}»: сообщение игрока {author} слишком сложное для бота. Оно ждёт вас на проверке, остальные читаются как "
        "обычно."
    )
    key = f"complicated/{game_id}/{turn}/{author}"
    troubles.tell_host(connection, site, key, "Сообщение не прочитано", text, now, game_id=game_id)
