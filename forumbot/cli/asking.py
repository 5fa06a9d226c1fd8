"""Questions to a host: an answer that will not do is asked again with one sentence, and «да» is a yes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
