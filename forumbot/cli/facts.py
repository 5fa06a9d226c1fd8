"""``forumbot facts``: what a capture tells about the forum."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, show_json, show_table


@click.command("facts", epilog="Примеры: forumbot facts snimok;  forumbot facts snimok --ask --url http://klub.ucoz.ru --own moe")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--ask", is_flag=True, help="Спросить по одному обо всём, чего по снимку не узнать (uCoz), и записать найденное.")
@click.option("--url", default="", metavar="АДРЕС", help="Адрес сайта, для вопросов.")
@click.option("--own", type=click.Path(path_type=Path, file_okay=False), help="Своя папка ([site] own).")
@json_option
def command(folder: Path, ask: bool, url: str, own: Path | None, as_json: bool) -> None:
    """Показать, что из известного о движке держится на форуме из папки снимка (forumbot capture), что нет и что делать.

    Код выхода 1, если что-то не так.
    """
    from adapters import engines
    from adapters.findings import WORDS
    from forumbot.capture import facts

    try:
        capture = facts.open_capture(folder)
        found = facts.findings(capture)
    except (OSError, ValueError, KeyError):
        fail(f"{folder}: это не снимок форума: нужна папка, которую сделала команда «forumbot capture»")
        return
    if ask:
        if not engines.has(capture.engine, "guesses"):
            fail(f"о движке {capture.engine} спрашивать нечего: всё видно по снимку")
        elif own is None or not url:
            fail("для вопросов нужны --url (адрес сайта) и --own (своя папка)")
        else:
            guesses = engines.part(capture.engine, "guesses")
            wrong = guesses.settle(url, own, _asked, click.echo)
            click.echo(f"Не так, как ожидалось: {wrong}." + (f" Записано в {own / guesses.FILE}." if wrong else ""))
        return
    if as_json:
        show_json([{"fact": one.fact, "state": one.state, "seen": one.seen, "advice": one.advice} for one in found])
    else:
        show_table(("что", "как здесь", "видно", "что делать"), [(o.fact, WORDS[o.state], o.seen, o.advice) for o in found])
    sys.exit(1 if any(one.state == "differs" for one in found) else 0)


def _asked(question: str) -> str:
    return str(click.prompt(question, default="", show_default=False))
