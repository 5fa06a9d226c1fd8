"""How much time of the processor one message may take: whoever takes more is broken off, whatever it is busy with."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MESSAGE_SECONDS = 10.0
"""A message of usual length takes a few hundredths, the longest that is read at all less than one second, and the first one,
for which the nicks are declined, a few on a slow machine."""
SITTING_SECONDS = 20.0
"""So much is spent on the messages of one game in one tick; the rest is judged in the next one."""
_AGAIN = 0.5
"""A code that swallows the exception meets it again after so many seconds."""


class Overrun(Exception):
    """The budget is spent."""


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """Break what happens inside off with Overrun after so many seconds of the processor (those of a message without a number).

    Only for what touches nothing but its own values: it may end between any two steps. In the main thread, where the
    daemon ticks, a regular expression is broken off, too; in others only what runs in Python.
    """
    seconds = MESSAGE_SECONDS if seconds is None else seconds
    if threading.current_thread() is threading.main_thread():
        with _by_signal(seconds):
            yield
    else:
        with _by_watching(seconds):
            yield


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    running = True

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if running:
            raise Overrun

    before = signal.signal(signal.SIGVTALRM, ring)
    outer = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        try:
            yield
        finally:
            running = False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *outer)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def _by_watching(seconds: float) -> Iterator[None]:
    watched = threading.get_ident()
    clock = time.pthread_getcpuclockid(watched)
    ends = time.clock_gettime(clock) + seconds
    over = threading.Event()
    turn = threading.Lock()

    def watch() -> None:
        pause = seconds
        while not over.wait(pause):
            with turn:
                if over.is_set():
                    return
                left = ends - time.clock_gettime(clock)
                if left <= 0:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(watched), ctypes.py_object(Overrun))
            pause = max(left, _AGAIN)

    watcher = threading.Thread(target=watch, name="budget", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with turn:
            over.set()
            # What was asked for and has not come yet must not come later.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(watched), None)
