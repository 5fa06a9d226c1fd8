"""What a row of the outbox is called by people: its subject, a newspaper by its turn, others by their first words."""

from __future__ import annotations

import re

from forumbot.desk.markup import plain
from forumbot.store.prepared import Row

NEWSPAPER = re.compile(r"/t(\d+)/newspaper(?:/(\d+))?$")
_MOST = 80


def name(row: Row) -> str:
    """``row`` has the columns key, subject and body."""
    if row["subject"]:
        return str(row["subject"])
    turn = NEWSPAPER.search(row["key"])
    if turn:
        return f"Газета, ход {turn.group(1)}" + (f", часть {turn.group(2)}" if turn.group(2) else "")
    line = next((line for line in plain(row["body"]).splitlines() if line.strip()), "")
    return line if len(line) <= _MOST else line[: _MOST - 1] + "…"
