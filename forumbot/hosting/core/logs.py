"""The daemon's log: JSON lines on stderr, English ids, no secrets."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from io import TextIOBase
from typing import Any, TextIO, cast

import structlog

_SECRET_KEYS = frozenset({"password", "cookie", "cookies", "token", "sid", "address", "role", "authorization"})


class _Stderr(TextIOBase):
    """Standard error as it is now: loggers are kept for the life of the process, the stream may be exchanged."""

    def write(self, text: str, /) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


class _Lines(logging.Formatter):
    """What is logged through the standard library, as the same JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "event": record.getMessage(),
            "logger": record.name,
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure(*, debug: bool = False, quiet: bool = False) -> None:
    """Set up logging for the process. ``quiet``: only what went wrong, for commands that a person types."""
    level = logging.DEBUG if debug else logging.WARNING if quiet else logging.INFO
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_secrets,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=cast(TextIO, _Stderr())),
        cache_logger_on_first_use=True,
    )
    # Libraries may say what they like on debug level, passwords and cookies included: they stay quiet. Our own adapters
    # name paths without their queries, and speak when asked to.
    handler = logging.StreamHandler(cast(TextIO, _Stderr()))
    handler.setFormatter(_Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("adapters").setLevel(logging.DEBUG if debug else logging.WARNING)
    # A tick that takes longer than the interval is nothing to tell: what is due is decided by the deadlines table.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


def _without_secrets(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in _SECRET_KEYS & event.keys():
        event[key] = "***"
    return event
