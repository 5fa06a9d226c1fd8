"""The rules as one game's tables have them: the remarks of ``config/rulesets/<ruleset>.toml`` with this game's values.

The tables' file explains every line in Russian; the same words tell the players which numbers their game is played with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forumbot import resources

_ENTRY = re.compile(r"^(?P<key>[\w-]+)\s*=\s*(?P<value>.*)$")
_PART = re.compile(r"^\[(?P<path>[\w.\"-]+)\]")
_HEADING = re.compile(r"^#[\s-]*(?P<title>[^#]*?)[\s-]*$")
_RULE_NUMBERS = re.compile(r"\s*\((?:[RDH]\d+(?:[,–-]\s?[RDH]?\d+)*)\)|\s*\(вместо \w+\)")
_CHOICE = re.compile(r'"(?P<id>[a-z_]+)"\s*(?:[-—]\s*)?\(?(?P<said>[^,;"()]+)\)?')
_EMPTY = re.compile(r"; пусто: (?P<said>[^;]+)$")
_SAMPLE = re.compile(r", например [^;]*")
_IN_QUOTES = re.compile(r"\"[^\"]*\"|'[^']*'")


@dataclass(frozen=True, slots=True)
class Entry:
    """One number or word of the tables: what it means, its value in this game, and whether the host has changed it."""

    remark: str
    value: str
    changed: bool


def entries(
    ruleset: str, tables: Mapping[str, Any], word: Callable[[str], str], own: Path | None = None
) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """Parts of the rules in the order of the file: (heading, entries). An entry without a remark is left out.

    ``tables`` are the game's own; ``word`` gives the Russian word for an id that stands as a value.
    """
    file = resources.find(f"rulesets/{ruleset}.toml", own)
    packaged = resources.toml(f"rulesets/{ruleset}.toml", own)
    parts: list[tuple[str, list[Entry]]] = [("", [])]
    path: tuple[str, ...] = ()
    about_the_file = True
    for line in file.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        about_the_file = about_the_file and bool(text)
        if part := _PART.match(text):
            path = tuple(part["path"].replace('"', "").split("."))
            parts.append((_remark(text), []))
        elif entry := _ENTRY.match(text):
            remark = _remark(entry["value"])
            if remark:
                here, before = _at(tables, (*path, entry["key"])), _at(packaged, (*path, entry["key"]))
                asked, choices = _for_players(remark)
                value = choices[here] if isinstance(here, str) and here in choices else shown(here, word)
                parts[-1][1].append(Entry(asked, value, here != before))
        elif (heading := _HEADING.match(text)) and heading["title"] and not about_the_file:
            parts.append((heading["title"].strip(), []))
    return tuple((_RULE_NUMBERS.sub("", title), tuple(found)) for title, found in parts if found)


def _for_players(remark: str) -> tuple[str, dict[str, str]]:
    """The remark without what is for the host alone (numbers of rules, how a value is written), and what its values are called:
    «X: "reject" - отклонить, "hold" - сохранить; пусто: нет» says so of three."""
    text = _RULE_NUMBERS.sub("", remark).strip()
    choices = {found["id"]: found["said"].strip() for found in _CHOICE.finditer(text)}
    if choices:
        text = text[: text.index('"')].rstrip(" :,")
    empty = _EMPTY.search(text)
    if empty is not None:
        choices[""] = empty["said"].strip()
        text = text[: empty.start()]
    return _SAMPLE.sub("", text).removeprefix("true: ").strip(), choices


def shown(value: Any, word: Callable[[str], str]) -> str:
    """A value for people: да, нет, numbers, words in place of ids, lists with commas."""
    if isinstance(value, bool):
        return "да" if value else "нет"
    if isinstance(value, Mapping):
        return ", ".join(f"{word(str(key))}: {shown(item, word)}" for key, item in value.items()) or "ничего"
    if isinstance(value, (list, tuple)):
        inner = [f"({shown(item, word)})" if isinstance(item, (list, tuple)) else shown(item, word) for item in value]
        return ", ".join(inner) or "ничего"
    text = word(str(value))
    return text or "пусто"


def _remark(text: str) -> str:
    """What stands behind ``#`` outside of quotes."""
    blind = _IN_QUOTES.sub(lambda found: "_" * len(found[0]), text)
    place = blind.find("#")
    return text[place + 1 :].strip() if place >= 0 else ""


def _at(tables: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    found: Any = tables
    for key in path:
        if not isinstance(found, Mapping):
            return None
        found = found.get(key)
    return found
