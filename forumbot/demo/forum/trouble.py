"""What goes wrong on purpose: faults that strike chosen requests, and switches that hold until they are turned back."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

FaultKind = Literal["status", "cut", "half", "drop", "challenge", "maintenance", "session_lost", "token_expired", "slow"]


@dataclass(slots=True)
class Fault:
    """Something that strikes requests which fit ``method`` (empty: any) and ``path`` (a regular expression, searched in
    the address with its query).

    - ``status``: answer with ``status``; with ``stored`` the request is carried out first; ``retry_after`` seconds go into
      that header.
    - ``cut``: the connection breaks off in the middle of the answer; ``half``: the page ends in its middle and nothing in
      the answer's head tells it; ``drop``: carried out (with ``stored``), then no answer at all.
    - ``challenge``, ``maintenance``: such a page with status 200 in place of the answer, nothing is carried out.
    - ``session_lost``: the visitor's session and remember-me key are forgotten before the request is looked at.
    - ``token_expired``: the form's token counts as stale.
    - ``slow``: the answer waits ``seconds`` of the wall.

    The first ``after`` fitting requests pass; then it strikes ``times`` times (-1: always).
    """

    kind: FaultKind
    method: str = ""
    path: str = ""
    after: int = 0
    times: int = 1
    status: int = 502
    stored: bool = True
    retry_after: int | None = None
    seconds: float = 0.0
    struck: int = 0

    def strikes(self, method: str, target: str) -> bool:
        """Whether this request is hit; counts it."""
        if (self.method and self.method != method) or not re.search(self.path, target):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.times == 0:
            return False
        self.times -= self.times > 0
        self.struck += 1
        return True


@dataclass
class Troubles:
    """The faults of one server and its standing switches."""

    layout_changed: bool = False
    """The owner has rewritten the templates: nothing of the engine's own marks is left on thread pages."""
    reworded: Mapping[str, str] = field(default_factory=dict)
    """Strings that the owner has replaced on all pages: the usual one -> his own."""
    ignore_page: bool = False
    """Whatever page of a thread is asked for, the first one comes; the page switch tells the truth."""
    premoderation: bool = False
    """Posts of ordinary members wait for approval."""
    pm_closed: bool = False
    """Private messages are switched off for ordinary members."""
    pm_box_full: bool = False
    """No recipient has room left."""
    flood_interval: float | None = None
    """Seconds between two writings of one account, in place of the engine's own setting."""
    switched_off: str = ""
    """The board is closed with these words; staff still gets in."""
    censored: Mapping[str, str] = field(default_factory=dict)
    """Words that pages show as others, whoever wrote them (phpBB)."""
    merging: bool = False
    """A pre-ticked box of the form appends a second post in a row to the first one (phpBB)."""
    max_post: int | None = None
    """Characters that a post may have, in place of the engine's own setting (phpBB)."""
    faults: list[Fault] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, fault: Fault) -> Fault:
        """Arm a fault; gives it back, so that ``struck`` can be looked at and it can be removed."""
        with self._lock:
            self.faults.append(fault)
        return fault

    def remove(self, fault: Fault) -> None:
        with self._lock:
            self.faults.remove(fault)

    def clear(self) -> None:
        """All is well again: no faults, no switches."""
        with self._lock:
            self.faults.clear()
        self.layout_changed = self.ignore_page = self.premoderation = self.pm_closed = self.pm_box_full = False
        self.flood_interval, self.switched_off, self.reworded = None, "", {}
        self.censored, self.merging, self.max_post = {}, False, None

    def strike(self, method: str, target: str) -> list[Fault]:
        """The faults that hit this request."""
        with self._lock:
            return [fault for fault in self.faults if fault.strikes(method, target)]
