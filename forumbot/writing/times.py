"""Moments for people: the day of the week, the day and the hour, and which clock it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

_WEEKDAYS = (  # nominative, genitive, accusative
    ("понедельник", "понедельника", "понедельник"),
    ("вторник", "вторника", "вторник"),
    ("среда", "среды", "среду"),
    ("четверг", "четверга", "четверг"),
    ("пятница", "пятницы", "пятницу"),
    ("суббота", "субботы", "субботу"),
    ("воскресенье", "воскресенья", "воскресенье"),
)
_MONTHS = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
_ZONES: Mapping[str, str] = {
    "Europe/Kaliningrad": "калининградское",
    "Europe/Moscow": "московское",
    "Europe/Minsk": "минское",
    "Europe/Kyiv": "киевское",
    "Europe/Kiev": "киевское",
    "Europe/Samara": "самарское",
    "Asia/Yekaterinburg": "екатеринбургское",
    "Asia/Omsk": "омское",
    "Asia/Novosibirsk": "новосибирское",
    "Asia/Krasnoyarsk": "красноярское",
    "Asia/Irkutsk": "иркутское",
    "Asia/Yakutsk": "якутское",
    "Asia/Vladivostok": "владивостокское",
    "Asia/Magadan": "магаданское",
    "Asia/Kamchatka": "камчатское",
    "Asia/Almaty": "алматинское",
    "Asia/Tbilisi": "тбилисское",
    "Asia/Yerevan": "ереванское",
    "Asia/Tashkent": "ташкентское",
}


def moment(at: datetime, zone: ZoneInfo) -> str:
    """"вторник, 1 декабря, 21:00"."""
    return _said(at.astimezone(zone), 0)


def until(at: datetime, zone: ZoneInfo) -> str:
    """The same behind «до» or «с»: "вторника, 1 декабря, 21:00"."""
    return _said(at.astimezone(zone), 1)


def through(at: datetime, zone: ZoneInfo) -> str:
    """The same behind «по»: "среду, 2 декабря, 21:00"."""
    return _said(at.astimezone(zone), 2)


def clock(zone: ZoneInfo, at: datetime) -> str:
    """Which clock the hours of a text go by: "время московское"; of a zone without a word of its own, "время UTC+3" at ``at``."""
    word = _ZONES.get(zone.key)
    if word is not None:
        return f"время {word}"
    minutes = round((at.astimezone(zone).utcoffset() or timedelta()).total_seconds() / 60)
    sign, (hours, rest) = "+-"[minutes < 0], divmod(abs(minutes), 60)
    return f"время UTC{sign}{hours}" + (f":{rest:02d}" if rest else "")


def _said(local: datetime, case: int) -> str:
    return f"{_WEEKDAYS[local.weekday()][case]}, {local.day} {_MONTHS[local.month - 1]}, {local:%H:%M}"
