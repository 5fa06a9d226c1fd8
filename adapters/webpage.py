"""What pages of every forum engine have in common: bytes to text, the end of a page, printed numbers and times, forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters import taming
from adapters.errors import NoThread
from adapters.writer import words

# --- bytes to text ------------------------------------------------------------------------------------------------------

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META_CHARSET = re.compile(rb"<meta\b[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_ALIASES = {"win-1251": "cp1251", "win1251": "cp1251", "cp-1251": "cp1251", "uft-8": "utf-8", "utf": "utf-8"}


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a page: by the header's charset, the page's own ``<meta>``, as UTF-8, as windows-1251, the first that
    fits; bytes that fit nowhere are replaced."""
    if body.startswith(b"\xef\xbb\xbf"):
        return body[3:].decode("utf-8", "replace")
    told = [found[1] for found in [_CHARSET.search(content_type)] if found]
    told += [found[1].decode("ascii", "replace") for found in [_META_CHARSET.search(body[:4096])] if found]
    for name in (*told, "utf-8"):
        try:
            return body.decode(_ALIASES.get(name.lower(), name))
        except (LookupError, UnicodeDecodeError):
            continue
    utf8 = body.decode("utf-8", "replace")
    # A few broken signs (a name cut by the engine, a page cut in mid-letter) are no other encoding.
    return utf8 if utf8.count("\ufffd") * 20 < sum(byte > 127 for byte in body) else body.decode("cp1251", "replace")


_END = re.compile(r"</(?:html|body)\s*>", re.I)


def is_whole(html: str) -> bool:
    """Whether the page has an end: a connection that broke leaves none."""
    return _END.search(html, max(0, len(html) - 20_000)) is not None


def tree_of(html: str) -> LexborHTMLParser:
    """The tree of a thread's page. Raises NoThread for one of which a part could not be read: posts must not be missed."""
    tame = taming.tame(html)
    if tame.cut:
        raise NoThread("truncated", "страница слишком велика, чтобы прочесть её целиком")
    return LexborHTMLParser(tame.html)


_MOST_POSTS = 500
"""Far more than any engine puts on a page."""
_TIMES_OVER = 5
"""So often a page's text may be gone through: its posts are taken out one by one, and stand beside each other."""


class Room:
    """How much may be taken out of a page: posts that stand within each other would be read as often as they are deep."""

    def __init__(self, html: str, posts: int) -> None:
        self._left = _TIMES_OVER * len(html) + 100_000
        if posts > _MOST_POSTS:
            raise NoThread("truncated", "на странице слишком много сообщений, чтобы прочесть её целиком")

    def take(self, text: str) -> str:
        """The text, as long as there is room for it. Raises NoThread when there is none."""
        self._left -= len(text)
        if self._left < 0:
            raise NoThread("truncated", "разметка страницы нарушена: сообщения стоят одно в другом")
        return text


# --- text of serialised HTML --------------------------------------------------------------------------------------------

_TAGS = re.compile(r"<[^>]*>")
_BREAKS = re.compile(r"<(?:br|/?p|/?div|/?td|/?tr|/?li|/?dd|/?dt)\b[^>]*>")


def text_of(canonical: str) -> str:
    """The text of a piece of serialised HTML in one line, tags out, entities decoded."""
    return " ".join(unescape(_TAGS.sub("", _BREAKS.sub(" ", canonical))).replace("\xa0", " ").split())


def name_of(canonical: str) -> str:
    """A nick as written: tags out, entities decoded, inner spaces kept."""
    return unescape(_TAGS.sub("", canonical)).strip()


def close_of(canonical: str, name: str, start: int) -> int:
    """Where the element ``name`` that opens at ``start`` ends (just after its end tag); the text's end when it does not."""
    depth = 0
    for found in re.compile(rf"<(/?){name}\b").finditer(canonical, start):
        depth += -1 if found[1] else 1
        if not depth:
            end = canonical.find(">", found.end())
            return len(canonical) if end < 0 else end + 1
    return len(canonical)


@lru_cache(64)
def class_pattern(classes: str, tags: str = r"\w+") -> re.Pattern[str]:
    """Finds a start tag of serialised HTML that has one of these classes (``|`` between); group 1 is the element's name.
    Finds nothing where there are no classes."""
    names = "|".join(re.escape(one) for one in classes.split("|") if one) or "(?!)"
    return re.compile(rf"<({tags})\b[^>]*\bclass=\"(?:[^\"]*\s)?(?:{names})(?:\s[^\"]*)?\"[^>]*>", re.I)


# --- numbers and times --------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(?<!\d)(?:\d{1,3}(?:[ \xa0\u2009\u202f,.'’]\d{3}){1,5}(?!\d)|\d{1,18}(?!\d))")
"""A number that the database can keep; a longer one is none."""


def number_of(text: str) -> int | None:
    """The first whole number in a text; thousands may be set apart by a space, comma, dot or apostrophe."""
    found = _NUMBER.search(text)
    return int(re.sub(r"\D", "", found[0])) if found else None


_MONTHS = (
    "янв|jan|січ", "фев|feb|лют", "мар|mar|бер", "апр|apr|кві", "май|мая|мае|may|тра", "июн|jun|чер", "июл|jul|лип",
    "авг|aug|сер", "сен|sep|вер", "окт|oct|жов", "ноя|nov|лис", "дек|dec|гру",
)  # fmt: skip
_MONTH = {start: number for number, starts in enumerate(_MONTHS, 1) for start in starts.split("|")}
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:\s*(?P<half>[apAP])\.?[mM]\b\.?)?"
_GAP = r"[\s,»|в]{0,6}(?:at\s+|о\s+)?"
_PRINTED = tuple(
    re.compile(pattern + _GAP + _CLOCK, re.I)
    for pattern in (
        r"(?P<word>сегодня|вчера|позавчера|today|yesterday|сьогодні|вчора)",
        r"(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})",
        r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.?\s+(?P<name>[a-zа-яёіїє]{3,10})\.?,?\s+(?P<year>\d{4})(?:\s*г\.?)?",
        r"(?P<name>[a-zа-яёіїє]{3,10})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})",
    )
)
_AGO = re.compile(r"(?P<under>менее минуты|less than a minute)|(?P<minutes>\d{1,2})\s+(?:минут\w*|minutes?)", re.I)
_DAYS_BACK = {"сегодня": 0, "today": 0, "сьогодні": 0, "вчера": 1, "yesterday": 1, "вчора": 1, "позавчера": 2}


def printed_time(text: str, fetched: datetime, zone: tzinfo) -> datetime | None:
    """The first printed moment in a text, in ``zone``; None where there is none.

    Knows ``25.11.2010, 21:56``, ``2007-01-12, 5:29 PM``, ``07 Май 2017, 12:33``, ``Вс ноя 29, 2026 11:35 pm`` and the like with
    or without seconds, Сегодня / Вчера and "N минут назад", which count from ``fetched``, the moment of the fetch.
    """
    best: re.Match[str] | None = None
    for pattern in _PRINTED:
        found = pattern.search(text)
        if found and (best is None or found.start() < best.start()) and _valid(found):
            best = found
    if best is None:
        ago = _AGO.search(text)
        if ago is None or not re.match(r"\s*(?:назад|ago|тому)", text[ago.end() :], re.I):
            return None
        moment = fetched.astimezone(zone) - timedelta(minutes=int(ago["minutes"] or 0))
        return moment.replace(second=0, microsecond=0)
    parts = best.groupdict()
    hour = int(parts["hour"])
    if parts["half"]:
        hour = hour % 12 + (12 if parts["half"] in "pP" else 0)
    clock = {"hour": hour, "minute": int(parts["minute"]), "second": int(parts["second"] or 0)}
    try:
        if parts.get("word"):
            day = fetched.astimezone(zone).date() - timedelta(days=_DAYS_BACK[parts["word"].lower()])
            return datetime(day.year, day.month, day.day, **clock, tzinfo=zone)
        month = _MONTH[parts["name"][:3].lower()] if parts.get("name") else int(parts["month"])
        if not 1970 <= int(parts["year"]) <= 2100:
            return None
        return datetime(int(parts["year"]), month, int(parts["day"]), **clock, tzinfo=zone)
    except ValueError:
        return None


def _valid(found: re.Match[str]) -> bool:
    name = found.groupdict().get("name")
    return name is None or name[:3].lower() in _MONTH


def offset_zone(minutes: int) -> timezone:
    """A zone of a fixed distance to UTC."""
    return timezone(timedelta(minutes=minutes))


# --- forms --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Form:
    """A form as a browser would send it: fields in order, with hidden ones, checked boxes and chosen options only."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    offered: frozenset[str] = frozenset()
    """Names of all inputs, also of boxes that are not ticked, and of buttons."""
    buttons: tuple[tuple[str, str], ...] = ()
    """Names and labels of the submit buttons, which are sent only when pressed."""

    def with_(self, values: Mapping[str, str]) -> list[tuple[str, str]]:
        """The fields with these values put in, each at the place of its (last) namesake or at the end."""
        rest = dict(values)
        sent = []
        for name, value in self.fields:
            sent.append((name, values.get(name, value)))
            rest.pop(name, None)
        return sent + list(rest.items())

    def get(self, name: str) -> str | None:
        """The value of a field (the last of its name, which is the one that counts)."""
        return dict(self.fields).get(name)


_BUTTONS = words("submit button image reset file")


def read_form(node: LexborNode) -> Form:
    """A ``<form>`` element as ``Form``."""
    fields: list[tuple[str, str]] = []
    offered: set[str] = set()
    buttons: list[tuple[str, str]] = []
    for item in node.css("input, textarea, select, button"):
        attributes = item.attributes
        name = attributes.get("name")
        if not name or "disabled" in attributes:
            continue
        offered.add(name)
        kind = (attributes.get("type") or "text").lower()
        if item.tag == "button" or (item.tag == "input" and kind in _BUTTONS):
            if kind == "submit" or item.tag == "button":
                buttons.append((name, attributes.get("value") or ""))
        elif item.tag == "textarea":
            fields.append((name, item.text()))
        elif item.tag == "select":
            fields.extend((name, value) for value in _chosen(item))
        elif kind not in ("checkbox", "radio") or "checked" in attributes:
            missing = "on" if kind in ("checkbox", "radio") else ""
            value = attributes.get("value", missing)
            fields.append((name, value or (missing if "value" not in attributes else "")))
    own = node.attributes
    return Form(own.get("action") or "", (own.get("method") or "get").lower(), fields, frozenset(offered), tuple(buttons))


def _chosen(select: LexborNode) -> Iterable[str]:
    """Values of the chosen options; a single list without a choice shows its first."""
    options = select.css("option")
    chosen = [option for option in options if "selected" in option.attributes]
    if not chosen and options and "multiple" not in select.attributes:
        chosen = options[:1]
    for option in chosen:
        yield option.attributes.get("value") or ("" if "value" in option.attributes else option.text().strip())


def find_form(tree: LexborHTMLParser, selector: str) -> Form | None:
    """The first form that the selector finds."""
    node = tree.css_first(selector)
    return None if node is None else read_form(node)
