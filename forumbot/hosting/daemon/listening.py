"""IDLE as a hint: a thread that listens for letters on a line of its own, so that nothing which befalls it delays a tick."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

from adapters.errors import MailLoginFailed, OutsideError
from adapters.mailbox import Mailbox

log = structlog.get_logger("forumbot.listening")

LISTEN = 300.0
"""Seconds of the clock that one listening lasts: providers end longer ones, and a line that died in silence is found out."""
REST = 2.0
"""Seconds of the wall between two listenings, so that a heap of letters is one piece of news."""
PATIENCE = 60.0
"""Seconds of the wall after which one who could not listen tries again. Meanwhile letters are found by polling, as always."""
REFUSED = 1800.0
"""The same after a refused password, which nobody should try too often."""
FAREWELL = 1.0
"""Seconds of the wall that the line may take to log out."""


class Listener:
    """Calls ``heard`` when a letter may have come, until the block is left; then no call is at work and none will be made."""

    def __init__(self, ear: Mailbox, turn: threading.Lock, heard: Callable[[], None]) -> None:
        """``ear`` is nobody else's; ``heard`` is called while ``turn`` is held."""
        self._ear = ear
        self._turn = turn
        self._heard = heard
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        with self._turn:
            pass  # a call that was at work has ended, and the next one would see the flag
        self._thread.join(FAREWELL)

    def once(self) -> float:
        """Listen once; gives the seconds to rest before the next time."""
        try:
            if self._ear.wait(LISTEN, self._stop.is_set):
                with self._turn:
                    if not self._stop.is_set():
                        self._heard()
        except MailLoginFailed:
            return REFUSED  # the host hears of it from the next poll
        except OutsideError as error:
            log.info("not_listening", kind=type(error).__name__, text=error.text)
            return PATIENCE
        except Exception:  # a fault in what hears must not end the listening: the regular tick meets it too and is watched
            log.exception("early_tick_failed")
            return PATIENCE
        return REST

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(self.once())
        self._ear.close()
