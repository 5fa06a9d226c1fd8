"""How deadlines and moments are called when a host is written to or answered."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.core.record import REMINDERS
from forumbot.store.prepared import Row
from forumbot.writing.writer import Writer


def moment(writer: Writer, name: str) -> str:
    """A deadline's name in words: "голосование"; a reminder is called after what it reminds of."""
    call, _, of = name.partition("/")
    return f"напоминание ({moment(writer, of)})" if call in REMINDERS and of else writer.word("moments", name)


def deadline(writer: Writer, due: Row) -> str:
    """A row of ``deadlines`` in words: "«голосование» хода 3"."""
    return f"«{moment(writer, due['name'])}»" + (f" хода {due['turn']}" if due["turn"] != SETUP_TURN else "")


def wall(at: datetime, now: datetime, zone: str) -> str:
    """A moment on the host's wall clock: "в 21:00", on another day than ``now`` with its date."""
    here, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    return f"в {here:%H:%M}" if here.date() == today else f"{here:%d.%m} в {here:%H:%M}"


def chance(writer: Writer, point: str) -> str:
    """A chance point in words; those that draw a holder of a role are named by it."""
    for start in ("villain_role_", "setup_", "role_"):
        role = point.removeprefix(start)
        if role != point and writer.word("roles", role) != role:
            return f"кому роль: {writer.word('roles', role)}"
    return writer.word("chance", point)
