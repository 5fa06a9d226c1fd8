"""Questions to a host: an answer that will not do is asked again with one sentence, and «да» is a yes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

import click

T = TypeVar("T")
_YES, _NO = ("да", "д", "y", "yes"), ("нет", "н", "n", "no")


def ask(question: str, judge: Callable[[str], T], *, default: str | None = None) -> T:
    """The answer as ``judge`` gives it; its ValueError is told, and the question comes again. Click's own Abort at Ctrl+C."""
    while True:
        said = click.prompt(question, default=default, show_default=bool(default))
        try:
            return judge(str(said).strip())
        except ValueError as error:
            click.echo(f"Так не подойдёт: {error}.")


def agreed(question: str, *, default: bool) -> bool:
    """Yes or no, in Russian or as click has it."""

    def judge(said: str) -> bool:
        if said.lower() in _YES:
            return True
        if said.lower() in _NO:
            return False
        raise ValueError("ответьте «да» или «нет»")

    return ask(f"{question} (да/нет)", judge, default="да" if default else "нет")


def chosen(question: str, known: Sequence[str], *, default: str | None = None) -> str:
    """One of the known words."""

    def judge(said: str) -> str:
        if said.lower() not in known:
            raise ValueError(f"можно: {', '.join(known)}")
        return said.lower()

    return ask(f"{question} ({', '.join(known)})", judge, default=default)


def secret(question: str) -> str:
    """A password; nothing of it is shown."""
    said: str = click.prompt(question, hide_input=True)
    return said


def moment(value: str) -> datetime:
    """A day and an hour as people write them, or by ISO. Raises ValueError with one Russian sentence."""
    try:
        return datetime.strptime(value, "%d.%m.%Y %H:%M")
    except ValueError:
        pass
    try:
        if ":" in value:  # a day alone would mean its first minute
            return datetime.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError('нужны день и час, например "04.12.2026 20:00" или 2026-12-04T20:00')


def iso(_context: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """For an argument that is a moment: the command gets it in ISO."""
    try:
        return moment(value.strip()).isoformat() if value is not None else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
