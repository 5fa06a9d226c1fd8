"""What a careful reader would mark in a text of the bot: ids and reprs of the program, loose blanks and quotes, wrong forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from forumbot.writing.report import plural

_TAGS = re.compile(r"\[/?(?:b|i|u|s|color|quote|size|url)(?:=[^\]\n]*)?\]")
_PLAYERS_WORDS = re.compile(r"^Вы написали:.*$|\[quote\].*?\[/quote\]|^.*вы писали: «.*$", re.MULTILINE | re.DOTALL)
_NAMES_OF_THINGS = re.compile(
    r"\S+@\s?\S+|https?://\S+|\b[A-Z2-9]{4}-[A-Z2-9]{4}\b|UTC[+-]\d+|\bforumbot(?: [a-z-]+)*(?: --[a-z-]+(?: \S+)?)*|timedatectl"
    r"|\[demo\]|«demo»|\.toml\b"
)
_NOUNS: tuple[tuple[str, str, str], ...] = (
    ("монета", "монеты", "монет"),
    ("жизнь", "жизни", "жизней"),
    ("игрок", "игрока", "игроков"),
    ("сообщение", "сообщения", "сообщений"),
    ("голос", "голоса", "голосов"),
    ("ход", "хода", "ходов"),
    ("день", "дня", "дней"),
    ("ночь", "ночи", "ночей"),
    ("место", "места", "мест"),
    ("очко", "очка", "очков"),
    ("балл", "балла", "баллов"),
)
_NUMBERED = re.compile(r"(?<![.,:\d№])\b(?P<number>\d+) (?P<word>[а-яё]+)\b")
_MARKS: Mapping[str, re.Pattern[str]] = {
    "Latin letters": re.compile(r"[A-Za-z]{2,}"),
    "a repr": re.compile(r"\{'|\['|\bNone\b|\bTrue\b|\bFalse\b|\\n|\{\{|\}\}"),
    "blanks": re.compile(r"(?<=\S)  +|(?<=\w) [,.;:!?](?=\s|$)|\( | \)"),
    "a case": re.compile(
        r"\b(?:до|с) (?:понедельник|вторник|среда|четверг|пятница|суббота|воскресенье)\b|\bпо (?:среда|пятница|суббота)\b"
    ),
    "a gap": re.compile(r"\(\)|«»|: *[.;]|, *[.;]|\(None\)"),
}


def faults(text: str, nicks: Mapping[str, str], *, words: Iterable[str] = ()) -> list[str]:
    """What is wrong in a text, a line each. ``nicks``: nick -> "m" or "f"; ``words`` may be Latin."""
    left = _PLAYERS_WORDS.sub("", text)
    found = [f"a gender: {one}" for one in _genders(left, nicks)]
    left = _NAMES_OF_THINGS.sub("Слово", left)
    for nick in sorted((*nicks, *words), key=len, reverse=True):
        left = left.replace(nick, "Ник")
    left = _TAGS.sub("", left)
    if left.count("«") != left.count("»"):
        found.append("quotes")
    for line in left.splitlines():
        found += [f"{name}: {line.strip()}" for name, mark in _MARKS.items() if mark.search(line)]
        found += [f"a number: {line.strip()}" for said in _NUMBERED.finditer(line) if not _agrees(said)]
    return found


def _agrees(said: re.Match[str]) -> bool:
    forms = next((forms for forms in _NOUNS if said["word"] in forms), None)
    return forms is None or said["word"] == plural(int(said["number"]), *forms)


def _genders(text: str, nicks: Mapping[str, str]) -> list[str]:
    wrong = {"m": "(?:погибла|убила|повешена|вернулась)", "f": "(?:погиб|убил|повешен|вернулся)"}
    marks = (rf"\b{wrong[gender]}\b[^\n.]{{0,3}}{re.escape(nick)}" for nick, gender in nicks.items())
    return [found[0] for mark in marks for found in re.finditer(mark, text, re.IGNORECASE)]
