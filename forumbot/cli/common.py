"""What several commands share: the settings option, clear errors, tables for people and JSON for scripts."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from zoneinfo import ZoneInfo

import click

from forumbot.mendable import Mendable

F = TypeVar("F", bound=Callable[..., Any])

EXIT_BAD_INPUT = 2


def site_option(function: F) -> F:
    """``--config``: the site's file."""
    return click.option(
        "--config",
        "config",
        type=click.Path(path_type=Path),
        default=Path("forumbot.toml"),
        show_default=True,
        envvar="FORUMBOT_CONFIG",
        help="Файл настроек сайта.",
    )(function)


def json_option(function: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Вывести JSON для программ.")(function)


@contextmanager
def mendable() -> Iterator[None]:
    """Errors that a host can mend end with one sentence and exit code 2, never with a stack trace."""
    try:
        yield
    except Mendable as error:
        fail(str(error))
    except OSError as error:
        if error.filename is None or error.errno not in _FILES:
            raise
        fail(f"{error.filename}: {_FILES[error.errno]}")


_FILES: Mapping[int | None, str] = {
    errno.EACCES: "нет прав: проверьте, чей это файл или папка и кем запущена команда",
    errno.EPERM: "нет прав: проверьте, чей это файл или папка и кем запущена команда",
    errno.ENOENT: "такого файла или папки нет, и создать нельзя: проверьте путь",
    errno.EEXIST: "на этом месте стоит файл, а нужна папка: проверьте путь",
    errno.ENOTDIR: "на этом месте стоит файл, а нужна папка: проверьте путь",
    errno.EISDIR: "это папка, а нужен файл: проверьте путь",
    errno.EROFS: "сюда нельзя писать: возьмите другую папку (data в [site])",
    errno.ENOSPC: "на диске нет места: освободите место",
    errno.ENAMETOOLONG: "имя слишком длинное",
}
"""What of the files' own troubles a host can mend."""


def fail(sentence: str, code: int = EXIT_BAD_INPUT) -> NoReturn:
    """End with one sentence."""
    click.echo(f"Ошибка: {sentence}", err=True)
    sys.exit(code)


def show_json(value: Any) -> None:
    from forumbot.store.types import dump

    click.echo(dump(value))


def show_table(headers: Sequence[str], rows: Sequence[Sequence[Any]], *, title: str | None = None) -> None:
    """A table for people; what comes from outside is shown as it is, never as mark-up of the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, show_lines=False)
    for header in headers:
        table.add_column(header, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_printable("" if value is None else str(value))) for value in row))
    Console(highlight=False).print(table)


def local(moment: datetime | None, zone: str) -> str:
    """A moment on the host's wall clock."""
    return "" if moment is None else moment.astimezone(ZoneInfo(zone)).strftime("%d.%m.%Y %H:%M:%S")


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text)
