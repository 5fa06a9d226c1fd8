"""``forumbot run``: the daemon."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from forumbot.cli.common import fail, mendable, site_option

if TYPE_CHECKING:
    from adapters.forum import Forum
    from forumbot.hosting.daemon.metrics import Metrics


@click.command("run", epilog="Пример: forumbot run --config /etc/forumbot/forumbot.toml")
@site_option
@click.option("--tick", default=5.0, show_default=True, help="Как часто бот смотрит на часы, в секундах.")
@click.option("--desk", "with_desk", is_flag=True, help="Открыть и пульт ведущего («forumbot desk serve»).")
@click.option("--once", is_flag=True, help="Сделать всё, что нужно сейчас, и выйти.")
@click.option("--debug", is_flag=True, help="Подробный журнал (паролей и ролей в нём тоже нет).")
def command(config: Path, tick: float, with_desk: bool, once: bool, debug: bool) -> None:
    """Вести игры: читать форум и почту, подводить итоги в срок, публиковать."""
    from forumbot.hosting.core import logs
    from forumbot.hosting.core.notify import notify
    from forumbot.hosting.daemon import daemon as hosting
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.daemon.metrics import MetricsError
    from forumbot.hosting.daemon.running import Runner
    from forumbot.settings import load_games, load_site

    logs.configure(debug=debug)
    stop = False

    def ask_to_stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stop
        stop = True

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, ask_to_stop)
    with mendable():
        site = load_site(config)
        games = load_games(site)
        clock = wiring.clock()
        store = wiring.open_store(site)
        try:
            with hosting.Lock(site.database):
                forum = wiring.forum(site, clock)
                mailbox, outgoing = wiring.mail(site, clock)
                daemon = hosting.Daemon(site, store, clock, forum, mailbox, outgoing, wiring.reader)
                daemon.adopt(games)
                metrics = _metrics(site.site.metrics_port)
                notify("READY=1")
                if sys.stdout.isatty() and not once:
                    # A person watches; a service has its journal.
                    click.echo(
                        f"Бот работает, игр: {len(games)}. Остановить: Ctrl+C. Что происходит: «forumbot status».", err=True
                    )
                if once:
                    daemon.tick()
                else:
                    ear, _ = wiring.mail(site, clock)
                    runner = Runner(daemon, store, clock, metrics, _traffic(forum), ear=ear)
                    with _desk(config) if with_desk else nullcontext():
                        runner.run(tick_seconds=tick, stopping=lambda: stop)
                notify("STOPPING=1")
                if metrics is not None:
                    metrics.close()
                forum.close()
                if mailbox is not None:
                    mailbox.close()
        except (hosting.Locked, MetricsError) as error:
            fail(str(error))
        finally:
            store.close()
    sys.exit(0)


@contextmanager
def _desk(config: Path) -> Iterator[None]:
    """The desk beside the daemon, in a process of its own: neither can stop or slow the other. It ends with the daemon."""
    process = subprocess.Popen([sys.executable, "-m", "forumbot.cli.main", "desk", "serve", "--config", str(config)])
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def _metrics(port: int) -> Metrics | None:
    """Figures on this port; none where the host has not asked for them."""
    from forumbot.hosting.daemon.metrics import Metrics

    if not port:
        return None
    metrics = Metrics()
    metrics.serve(port)
    return metrics


def _traffic(forum: Forum) -> Callable[[], tuple[int, int]]:
    """What the forum's session has asked and received."""
    from adapters.board import Board

    if isinstance(forum, Board):
        session = forum.session
        return lambda: (session.requests, session.received)
    return lambda: (0, 0)
