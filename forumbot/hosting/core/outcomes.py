"""What a sending can come to, and how a row of the outbox is called in what the host reads about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forumbot.store.prepared import Row
from forumbot.writing.voice import cut


@dataclass(frozen=True, slots=True)
class Sent:
    """The row is done; ``result`` is what the other side gave (topic, post id)."""

    result: Mapping[str, Any]
    changed: bool = False
    """The forum shows it in other words than ours."""
    kept: str = ""
    """Why the forum keeps the old words of what was to be edited."""


@dataclass(frozen=True, slots=True)
class Later:
    """Try again after so many seconds; ``unsure`` when it may have arrived."""

    seconds: float
    why: str
    unsure: bool = False
    tell: str = ""
    """What the host must do meanwhile."""
    about: str = ""
    """What it concerns (``place``, ``whom``) when several rows wait for the same; empty: this row."""
    no_line: bool = False
    """Nothing can be said to the other side now, whatever it is about."""
    noted: Mapping[str, Any] = field(default_factory=dict)
    """What is to be remembered of the row."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It cannot be sent; the host is told."""

    why: str
    about: str = ""
    """What it concerns (``place``, ``whom``) when the fault is not the row's own: he is told in one letter of all such rows."""


Outcome = Sent | Later | Failed


_NAMES = {
    "topic": "тему",
    "post": "сообщение в тему",
    "edit": "правку первого сообщения темы",
    "pm": "личное сообщение",
    "letter": "письмо",
}
_TAG = re.compile(r"\[/?[a-z*]+(?:=[^\]]*)?\]", re.IGNORECASE)
_LONGEST_BEGINNING = 60


def named(row: Row) -> str:
    """What a row is, in the host's words."""
    what = _NAMES[row["kind"]]
    to = row["target"].get("nick") or row["target"].get("address") or ""
    words = row["subject"] or _beginning(row["body"])
    return f"{what}{f' «{words}»' if words else ''}{f' ({to})' if to else ''}"


def _beginning(text: str) -> str:
    """The first words of a text that has no subject, as a reader of the forum sees them."""
    plain = (" ".join(_TAG.sub("", line).split()) for line in text.splitlines())
    return cut(next((line for line in plain if line), ""), _LONGEST_BEGINNING)


def clause(words: str) -> str:
    """The other side's words as a part of one sentence."""
    return re.sub(r"[.!?]+\s+", "; ", words.strip()).rstrip(" .!?")


def place(row: Row) -> str:
    """Where it goes, for troubles that all rows for that place share."""
    kind, target = row["kind"], row["target"]
    return f"{kind}/{target['thread_id'] if kind in ('post', 'edit') else target['section'] if kind == 'topic' else 'all'}"


def whom(row: Row) -> str:
    """Whom it goes to, for troubles that all rows for him share; for posts and topics the row alone."""
    return f"to/{row['target'].get('uid') or row['target'].get('address') or row['id']}"


UNCLEAR = "unclear"
"""Where a row's ``result`` counts the sendings of unknown outcome."""


def times_unclear(row: Row) -> int:
    """How often it was sent and no clear answer came."""
    return int((row["result"] or {}).get(UNCLEAR, 0))
