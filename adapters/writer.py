"""Putting runs together, piece by piece."""

from __future__ import annotations

from adapters.model import Color, Run, Voice

Look = tuple[Color | None, str | None, bool, Voice, bool]
"""The fields of a run without its text."""
PLAIN: Look = (None, None, False, "own", False)


class Writer:
    """Collects text with its look; neighbours of one look become one run."""

    __slots__ = ("_look", "_parts", "_runs")

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._parts: list[str] = []
        self._look = PLAIN

    def add(self, text: str, look: Look) -> None:
        if look != self._look:
            self._flush()
            self._look = look
        self._parts.append(text)

    def runs(self) -> tuple[Run, ...]:
        self._flush()
        return tuple(self._runs)

    def _flush(self) -> None:
        if self._parts:
            self._runs.append(Run("".join(self._parts), *self._look))
            self._parts.clear()


def plain_runs(text: str) -> tuple[Run, ...]:
    """Text without mark-up; line ends become ``\\n``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return (Run(text),) if text else ()


def trimmed(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """The runs of a message; none where they are but the blanks that a template leaves around it."""
    return runs if any(run.text.strip() for run in runs) else ()


def words(text: str) -> frozenset[str]:
    """A set written as words with blanks between."""
    return frozenset(text.split())
