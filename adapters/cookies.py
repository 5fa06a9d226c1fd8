"""Cookies that outlive the process: kept whole, in a file for the owner alone, written aside and moved into place."""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)
_KEPT = (
    "version", "name", "value", "port", "port_specified", "domain", "domain_specified", "domain_initial_dot", "path",
    "path_specified", "secure", "expires", "discard",
)  # fmt: skip
_USUAL = {
    "version": 0, "port": None, "port_specified": False, "domain_specified": False, "domain_initial_dot": False,
    "path_specified": True, "secure": False, "expires": None, "discard": True,
}  # fmt: skip
"""What files of before did not tell."""
_REST = ("HttpOnly", "SameSite")


class Jar:
    """A cookie jar and its file; None keeps the cookies in memory."""

    def __init__(self, jar: CookieJar, file: Path | None) -> None:
        self._jar = jar
        self._file = file
        self._kept = ""
        """What the file holds since our last writing."""

    def load(self) -> None:
        """Put the kept cookies in. A broken file costs one login."""
        if self._file is None or not self._file.exists():
            return
        with suppress(ValueError, KeyError, TypeError, OSError):
            for one in json.loads(self._file.read_text(encoding="utf-8")):
                told: dict[str, Any] = {name: one[name] if name in one else _USUAL[name] for name in _KEPT}
                self._jar.set_cookie(Cookie(**told, comment=None, comment_url=None, rest=dict(one.get("rest", {}))))

    def save(self) -> None:
        """Keep the cookies when they have changed. Where the disk is full they stay in memory: that costs a login after the
        next start, no more."""
        if self._file is None:
            return
        try:
            self._write(self._file)
        except OSError as error:
            _log.warning("cookies not kept: %s", error.strerror)

    def _write(self, file: Path) -> None:
        kept = json.dumps([_whole(one) for one in self._jar])
        if kept == self._kept:
            return
        aside = file.with_name(f"{file.name}.{os.getpid()}.new")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(kept)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
        self._kept = kept


def _whole(one: Cookie) -> dict[str, Any]:
    """A cookie as data."""
    rest = {name: one.get_nonstandard_attr(name) or "" for name in _REST if one.has_nonstandard_attr(name)}
    return {**{name: getattr(one, name) for name in _KEPT}, "rest": rest}
