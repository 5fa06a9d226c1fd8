"""Words that belong to a forum's engine: all other words of a captured page are somebody's and are replaced."""

from __future__ import annotations

import re
from dataclasses import fields

from adapters import engines

_CALENDAR = """
понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
янв фев мар апр июн июл авг сен сент окт ноя нояб дек сегодня вчера позавчера назад минут минуту минуты менее
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep oct nov dec today yesterday ago minute minutes less than am pm utc gmt
"""
_BUTTONS = "ok html bb bbcode url img b i u s quote list hr size font spoiler hide красный синий red blue"


def engine_words() -> frozenset[str]:
    """Small-letter words that pages of the engines print themselves, with the phrases by which walls are known."""
    layouts = [engines.part(name, "layout").Layout for name in engines.names()]
    phrases = [str(one.default) for kind in layouts for one in fields(kind) if one.name.endswith("words")]
    own = (engines.places(name).words for name in engines.names())
    text = " ".join((_CALENDAR, *own, _BUTTONS, *phrases)).lower()
    return frozenset(re.findall(r"[^\W\d_]+", text))
