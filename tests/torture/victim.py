"""The daemon that is killed: ``forumbot run`` in a process of its own, on a clock that moves in steps.

Started as ``python -m tests.torture.victim`` it loads everything once and then reads orders, one JSON object a line; for
each it forks a child that is the daemon. Every commit, HTTP request, SMTP and IMAP command is a point, passed twice:
before it goes out and when its answer is there (of a commit: before and after). At the chosen point the child kills
itself with SIGKILL, so that nothing of it runs on: no ``finally``, no flush, no goodbye to the other side.
"""

from __future__ import annotations

import contextlib
import imaplib
import json
import os
import random
import signal
import smtplib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters import http
from adapters.mail import imap, smtp
from adapters.phpbb import client as phpbb
from adapters.ucoz import client as ucoz
from forumbot.cli import main as cli
from forumbot.cli import run as run_command
from forumbot.hosting.daemon import wiring
from forumbot.hosting.daemon.running import Runner
from forumbot.reading import textreader
from forumbot.store.database import Store
from tests.torture.clock import StepClock
from tests.torture.live import waiting

STEP = 61.0
_LOADED = (imap, smtp, phpbb, ucoz, run_command, textreader)
"""Imported before the fork, so that no child has to."""


@dataclass
class Points:
    """Counts what is passed; dies at the ``kill``-th passing (0: never)."""

    kill: int
    passed: list[str] = field(default_factory=list)

    def reached(self, name: str) -> None:
        self.passed.append(name)
        if len(self.passed) == self.kill:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: type[Any], name: str, before: str, after: str, said: Callable[..., str]) -> None:
        """Make a method of a class a point; ``said`` gives the words for it from the method's arguments."""
        method = getattr(owner, name)

        def passing(this: Any, *args: Any, **kwargs: Any) -> Any:
            words = said(*args)
            if before:
                self.reached(f"{before} {words}")
            result = method(this, *args, **kwargs)
            if after:
                self.reached(f"{after} {words}")
            return result

        setattr(owner, name, passing)

    def watch(self) -> None:
        """Put the points into the process."""
        write = Store.write

        @contextlib.contextmanager
        def writing(store: Store) -> Iterator[sa.Connection]:
            with write(store) as connection:
                yield connection
                self.reached("before commit")
            self.reached("after commit")

        Store.write = writing  # type: ignore[method-assign]
        self.around(http.Session, "_send", "before", "after", lambda method, url, *_: f"{method} {url.partition('?')[2] or url}")
        self.around(smtplib.SMTP, "send", "before smtp", "", _first_word)
        self.around(smtplib.SMTP, "getreply", "", "after smtp", lambda *_: "")
        self.around(imaplib.IMAP4, "send", "before imap", "", _first_word)
        self.around(imaplib.IMAP4, "_command_complete", "", "after imap", lambda name, *_: str(name))


def _first_word(data: bytes | str) -> str:
    words = (data.decode("latin-1") if isinstance(data, bytes) else data).split()
    return " ".join(words[:2])[:12]


def _live(order: dict[str, Any]) -> None:
    """Be the daemon until nothing is left to do; says in the end which points were passed."""
    points = Points(int(order["kill"]))
    random.seed(order["seed"])
    clock_file = Path(order["clock"])

    def in_steps(runner: Runner, **_: object) -> None:
        for number in range(1, int(order["most"]) + 1):
            runner.once()
            if number >= int(order["least"]) and not waiting(runner._store, runner._clock.now()):
                break
            runner._clock.sleep(STEP)

    Runner.run = in_steps  # type: ignore[method-assign]
    wiring.clock = lambda: StepClock(clock_file)
    points.watch()
    try:
        cli.main(["run", "--config", order["config"]], standalone_mode=False)
    finally:
        Path(order["trace"]).write_text(json.dumps(points.passed), encoding="utf-8")


def _child(order: dict[str, Any]) -> int:
    """The child's life; gives its exit code."""
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        _live(order)
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 70
    return 0


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            code = _child(order)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


if __name__ == "__main__":
    main()
