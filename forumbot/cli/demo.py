"""``forumbot demo``: a whole game on an embedded forum and mailbox, on a virtual clock, in about a minute."""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from pathlib import Path

import click

from forumbot.demo.forum.embedded import USUAL as USUAL_FORUM
from forumbot.demo.forum.embedded import shown
from forumbot.demo.games import USUAL, played

_ENDED = 128 + signal.SIGTERM
_EXTRA = ("pymap", "aiosmtpd")


@click.command(
    "demo",
    epilog="Примеры: forumbot demo | forumbot demo --ruleset clans --forum phpbb --seed 7 | forumbot demo --desk",
)
@click.option(
    "--ruleset",
    type=click.Choice(played()),
    default=USUAL,
    show_default=True,
    help="Правила партии.",
)
@click.option("--forum", type=click.Choice(shown()), default=USUAL_FORUM, show_default=True, help="Чей форум изображать.")
@click.option("--seed", type=int, default=1, show_default=True, help="Зерно: меняет игроков, их замыслы, жребии и победителя.")
@click.option(
    "--desk", is_flag=True, help="Остановиться посреди партии и открыть пульт: газета ждёт вас, есть что проверить, есть вопрос."
)
@click.option("--keep", is_flag=True, help="Не закрывать форум после игры, пока вы не нажмёте Ctrl+C.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Папка сайта (пустая); без неё создаётся временная.",
)
@click.option("--port", type=int, default=0, help="Порт форума; 0 - любой свободный.")
def command(ruleset: str, forum: str, seed: int, desk: bool, keep: bool, folder: Path | None, port: int) -> None:
    """Сыграть целую партию: встроенный форум, встроенная почта, бот отдельным процессом и игроки, которые пишут как люди.

    В конце игра сверяется с тем, что игроки имели в виду, и переигрывается по журналу. Код выхода 1, если что-то не сошлось.
    """
    try:
        from forumbot.demo.rehearsal import Rehearsal, folder_is_used
    except ModuleNotFoundError as missing:
        # Only the extra «demo» may be left out; whatever else is missing is a broken installation.
        if (missing.name or "").partition(".")[0] not in _EXTRA:
            raise
        click.echo("Ошибка: для показа нужна встроенная почта: pip install 'forumbot[demo]' (или make demo)", err=True)
        sys.exit(2)

    where = folder or Path(tempfile.mkdtemp(prefix="forumbot-demo-"))
    if folder_is_used(where):
        click.echo(f"Ошибка: папка {where} не пуста: для показа нужна пустая папка (--folder другая)", err=True)
        sys.exit(2)
    # Asked to end, the demo leaves its blocks, and its daemon ends with it.
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(_ENDED))
    with Rehearsal(ruleset, forum, seed, where, port, click.echo, stops=desk) as rehearsal:
        good = rehearsal.play()
        if desk and good:
            rehearsal.at_the_desk(_until_stopped)
        rehearsal.to_real_time()
        if keep and not desk:
            click.echo("Форум открыт. Ctrl+C закроет его.")
            _until_stopped()
    sys.exit(0 if good else 1)


def _until_stopped() -> None:
    """Wait for Ctrl+C."""
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        click.echo("")
