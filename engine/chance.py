"""Named random draws: seeded, forced, recorded.

The value of a draw follows from (seed, turn, point, how many draws of this point came before in the turn) alone, so
nothing has to be remembered between processes and the same inputs give the same draws on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.model import EngineError


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw as it was made; ``point`` is the chance point's id (rules, chapter "Chance points")."""

    turn: int
    point: str
    options: tuple[str, ...]
    picked: str
    forced: bool


class Chance:
    """The chance of one game. Rules draw through it; a scenario or the host may force draws before they are made."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.turn = 0
        self.record: list[Draw] = []
        self._made: dict[tuple[int, str], int] = {}
        self._forced: dict[str, list[str]] = {}

    def begin(self, turn: int) -> None:
        """From now on draws belong to this turn."""
        self.turn = turn

    def force(self, point: str, values: Sequence[str]) -> None:
        """Queue values for the next draws of a point; used up draw by draw."""
        self._forced.setdefault(point, []).extend(values)

    def unused(self) -> Mapping[str, tuple[str, ...]]:
        """Forced values that no draw has asked for yet."""
        return {point: tuple(values) for point, values in self._forced.items() if values}

    def clear_forced(self) -> None:
        """Forget forced values that were not used (the end of a scenario's turn)."""
        self._forced.clear()

    def draw(self, point: str, options: Sequence[str], *, single_is_draw: bool = False) -> str:
        """Pick one option. With a single option nothing is drawn or recorded, unless ``single_is_draw``.

        Raises EngineError when a forced value is no option.
        """
        if not options:
            raise EngineError(f"chance.{point}", "жребий тянуть не из чего")
        queue = self._forced.get(point)
        if len(options) == 1 and not single_is_draw:
            if queue and queue[0] == options[0]:
                queue.pop(0)
            return options[0]
        if queue:
            picked = queue.pop(0)
            if picked not in options:
                raise EngineError(f"chance.{point}", f"«{picked}» нет среди вариантов этого жребия ({', '.join(options)})")
            forced = True
        else:
            picked = options[self._index(point, len(options))]
            forced = False
        key = (self.turn, point)
        self._made[key] = self._made.get(key, 0) + 1
        self.record.append(Draw(self.turn, point, tuple(options), picked, forced))
        return picked

    def shuffle(self, point: str, options: Sequence[str]) -> tuple[str, ...]:
        """A whole order, drawn one by one under the same point; the last one is no draw."""
        left = list(options)
        order: list[str] = []
        while left:
            picked = self.draw(point, left)
            left.remove(picked)
            order.append(picked)
        return tuple(order)

    def _index(self, point: str, size: int) -> int:
        made = self._made.get((self.turn, point), 0)
        digest = hashlib.sha256(f"{self.seed}|{self.turn}|{point}|{made}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % size
