"""Chalk's own mark-up and its dates: ``{ink red}так{/ink}`` is what others write as ``[color=red]так[/color]``."""

import re
from datetime import datetime, tzinfo

_NAMES = {"color": "ink", "quote": "cite", "spoiler": "fold"} | {name: name for name in ("b", "i", "u", "s", "size", "url")}
_BACK = {ours: theirs for theirs, ours in _NAMES.items()}
_BBCODE = re.compile(rf"\[(/?)({'|'.join(_NAMES)})(?:=([^\[\]\n]*))?\]", re.I)
_CHALK = re.compile(rf"\{{(/?)({'|'.join(_BACK)})(?: ([^{{}}\n]*))?\}}")
_WHEN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}) в (\d{1,2})ч(\d\d)")


def from_bbcode(text: str) -> str:
    return _BBCODE.sub(lambda m: "{" + m[1] + _NAMES[m[2].lower()] + (f" {m[3]}" if m[3] else "") + "}", text)


def to_bbcode(text: str) -> str:
    return _CHALK.sub(lambda m: f"[{m[1]}{_BACK[m[2]]}" + (f"={m[3]}" if m[3] else "") + "]", text)


def printed(moment: datetime) -> str:
    return f"{moment.day}.{moment.month}.{moment.year} в {moment.hour}ч{moment:%M}"


def read(text: str, zone: tzinfo) -> datetime | None:
    found = _WHEN.search(text)
    if found is None:
        return None
    day, month, year, hour, minute = map(int, found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=zone)
