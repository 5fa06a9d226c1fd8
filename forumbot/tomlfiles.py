"""TOML files as hosts write them: with a mark of byte order by Notepad, and with mistakes that are told in Russian."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forumbot.mendable import Mendable


class NotToml(Mendable):
    """The file is no TOML; the text is Russian: which line, what is wrong with it."""


def read(file: Path) -> dict[str, Any]:
    """What the file says. Raises NotToml, and OSError where it cannot be read."""
    try:
        text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise NotToml("файл не в кодировке UTF-8: сохраните его в редакторе как UTF-8") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(_told(str(error), text)) from error
    except ValueError as error:  # a number of thousands of digits
        raise NotToml("в файле стоит слишком длинное число") from error
    except RecursionError as error:
        raise NotToml("слишком глубокая вложенность") from error


_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_WORDS: Mapping[str, str] = {
    "Invalid value": "значение записано неверно: слова стоят в кавычках, дата выглядит так: 2026-12-01T20:00:00",
    "Invalid date": "такой даты нет",
    "Illegal character": "нет закрывающей кавычки или в строке стоит невидимый знак",
    "Unterminated string": "нет закрывающей кавычки",
    'Expected "\'"': "нет закрывающей кавычки",
    "Expected '=' after": "после имени настройки нужен знак «=»",
    "Expected newline": "за значением стоит лишнее: слова пишут в кавычках, по одной настройке на строке",
    "Expected ']": "нет закрывающей скобки «]»",
    "Unclosed array": "нет закрывающей скобки «]»",
    "Unclosed inline table": "нет закрывающей скобки «}»",
    "Cannot overwrite": "эта настройка стоит в файле дважды",
    "Duplicate inline table key": "эта настройка стоит в файле дважды",
    "Cannot declare": "этот раздел стоит в файле дважды",
    "Cannot mutate": "этот раздел стоит в файле дважды",
    "Cannot redefine": "этот раздел стоит в файле дважды",
    "Unescaped": "знак «\\» пишут дважды, или возьмите строку в одинарные кавычки",
    "Invalid statement": "здесь ждут имя настройки латиницей или [раздел]",
    "Invalid initial character": "здесь ждут имя настройки латиницей",
}


def _told(words: str, text: str) -> str:
    """The parser's words in Russian. It names the end of the document where the last line is the wrong one."""
    place = _WHERE.search(words)
    line = int(place[1]) if place and place[1] else max(len(text.rstrip("\n").split("\n")), 1)
    problem = next((told for start, told in _WORDS.items() if words.startswith(start)), "это не TOML")
    return f"строка {line}: {problem}"
