"""A settings file as it is read, before what it says is checked; and the forum's strings, which need nothing more.

Apart from ``settings``, whose checks take longer to load than a saved page takes to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters import engines
from adapters.layout import LayoutError
from forumbot import tomlfiles
from forumbot.mendable import Mendable


class SettingsError(Mendable):
    """A settings file is wrong; the text is one Russian sentence: which file, which place, what, what was likely meant."""


def read(file: Path) -> dict[str, Any]:
    """What the file says. Raises SettingsError."""
    try:
        return tomlfiles.read(file)
    except FileNotFoundError as error:
        advice = "перейдите в папку настроек, назовите файл ключом --config или создайте его командой «forumbot init»"
        raise SettingsError(f"{file}: файла нет; {advice}") from error
    except OSError as error:
        raise SettingsError(f"{file}: файл не читается: проверьте, что это файл и что вам можно его читать") from error
    except tomlfiles.NotToml as error:
        raise SettingsError(f"{file}: {error}") from error


def load_forum_strings(file: Path, engine: str) -> dict[str, Any]:
    """An engine's file of ``config/forums``: what the forum's owner has changed. Raises SettingsError."""
    said = read(file)
    check_strings(file, engine, said, "")
    return said


def check_strings(file: Path, engine: str, said: Mapping[str, object], section: str) -> None:
    """Raises SettingsError for what no forum of this engine could have changed so."""
    layout = engines.part(engine, "layout").Layout
    try:
        layout.of(said)
    except LayoutError as error:
        raise SettingsError(f"{file}: {_line_of(file, error.key)}{section}{error.key}: {error.problem}") from error


def _line_of(file: Path, key: str) -> str:
    """ "строка 7: " for the line that sets a key; empty where none is found."""
    named = re.compile(rf"^[^#]*?(?<![\w-])[\"']?{re.escape(key)}[\"']?\s*[=\]]")
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    return next((f"строка {number}: " for number, line in lines if named.match(line)), "")
