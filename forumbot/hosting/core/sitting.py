"""What one transaction of one game works with: its row, its players, its way to speak, and the moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.settings import SitePart
from forumbot.writing.writer import Writer


@dataclass(slots=True)
class Sitting:
    """One look at one game, from the beginning of its transaction to the end."""

    connection: sa.Connection
    row: GameRow
    seats: Seating
    publisher: Publisher
    writer: Writer
    site: SitePart
    zone: str
    """The host's own zone, for moments that he names by the clock on his wall."""
    now: datetime
