"""How deadlines and moments are called when a host is written to or answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from forumbot.hosting.match import SETUP_TURN
from forumbot.hosting.record import REMINDERS
from forumbot.writing.writer import Writer


def moment(writer: Writer, name: str) -> str:
    """A deadline's name in words: "голосование"; a reminder is called after what it reminds of."""
    call, _, of = name.partition("/")
    return f"напоминание ({moment(writer, of)})" if call in REMINDERS and of else writer.word("moments", name)


def deadline(writer: Writer, due: sa.RowMapping) -> str:
    """A row of ``deadlines`` in words: "«голосование» хода 3"."""
    return f"«{moment(writer, due['name'])}»" + (f" хода {due['turn']}" if due["turn"] != SETUP_TURN else "")


def wall(at: datetime, now: datetime, zone: str) -> str:
    """A moment on the host's wall clock: "в 21:00", on another day than ``now`` with its date."""
    here, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    return f"в {here:%H:%M}" if here.date() == today else f"{here:%d.%m} в {here:%H:%M}"


_CHANCE: Mapping[str, str] = {
    "deal": "раздача ролей",
    "role_deal": "раздача ролей",
    "seating": "порядок мест",
    "lynch_tie": "ничья на голосовании",
    "hang_tie": "ничья на голосовании",
    "points_win_tie": "ничья по очкам",
    "hunt_draw": "на кого падёт охота",
    "seductress_draw": "кого увела соблазнительница",
    "penalty_move": "чей ход пропадёт",
    "ghost": "призрак",
    "werewolf_turn": "обращение оборотня",
    "mercenary_revenge": "месть наёмника",
    "contract_choice": "выбор заказа",
    "guard_choice": "выбор охраны",
    "canard_role": "утка",
    "child_role": "роль ребёнка",
    "learn_role_pick": "чья роль узнана",
    "password_office": "пароль офиса",
    "password_den": "пароль логова",
}


def chance(writer: Writer, point: str) -> str:
    """A chance point in words; those that draw a holder of a role are named by it."""
    for start in ("villain_role_", "setup_", "role_"):
        role = point.removeprefix(start)
        if role != point and writer.word("roles", role) != role:
            return f"кому роль: {writer.word('roles', role)}"
    return _CHANCE.get(point, point)
