"""What of a message is for a person: a question, a complaint, a report, a wish to leave."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import Clause, Text

_OPENING = 4
"""A question that does not end as one is asked by one of its first words («Подскажите, …»)."""


def for_host(text: Text, *, letter: bool) -> bool:
    """Whether a message, or a part of it, is for the host. In a thread only what speaks to him, or of leaving."""
    spoken = letter or any(clause.has("to_host") for clause in text.clauses)
    if any(clause.has("leaving") for clause in text.clauses):
        return True
    return spoken and any(_asks(text, index) for index in range(len(text.sentences)))


def _asks(text: Text, index: int) -> bool:
    clauses = [clause for clause in text.of(index) if not clause.quoted]
    if any(clause.has("complaint") for clause in clauses):
        return True
    if text.sentences[index].stop == "?":
        return _worded(text, clauses)
    return any(hit.start - clause.start < _OPENING for clause in clauses[:1] for hit in clause.marks("asks_host"))


def _worded(text: Text, clauses: Sequence[Clause]) -> bool:
    """Whether a question has more than one word: «ок?» waits for no answer."""
    return sum(1 for c in clauses for i in range(c.start, c.end) if text.found[i].kind == "w") > 1
