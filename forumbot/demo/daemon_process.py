"""The daemon of the demo as its own process, on the shared virtual clock."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from forumbot.hosting.daemon.wiring import CLOCK_VARIABLE

_PDEATHSIG = 1
"""``PR_SET_PDEATHSIG`` of prctl(2)."""
TICK = 5.0
"""Seconds of the virtual clock between two looks of the daemon."""


class DaemonGone(Exception):
    """The daemon ended before the game did; the text is the end of its log."""


@contextlib.contextmanager
def running(config: Path, clock_file: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``forumbot run`` until the block is left."""
    environment = {**os.environ, CLOCK_VARIABLE: str(clock_file)}
    command = [sys.executable, "-m", "forumbot.cli.main", "run", "--config", str(config), "--tick", str(TICK)]
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment, preexec_fn=_end_with_parent)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _end_with_parent() -> None:
    """In the child: the system ends it when the demo is gone, also by a signal that nobody can catch. Linux knows how."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM)


def check(process: subprocess.Popen[bytes], log: Path) -> None:
    """Raises DaemonGone when the process has ended."""
    if process.poll() is not None:
        raise DaemonGone("\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]))
