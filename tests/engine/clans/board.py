"""A small board to play `clans` on: a cast in short lines, orders as "player action target ..." and the turn's result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import Chance
from engine.model import Event, Line, Notice, Order, Outcome, Rejected
from engine.rulesets.clans import RULESET, roles
from engine.rulesets.clans.state import Game
from forumbot import resources
from forumbot.writing import report
from tests.engine import shorthand

QUIET = {"activity_penalties": False}


def tables(**overrides: Any) -> Any:
    """The packaged tables with overrides."""
    return RULESET.tables(resources.tables("clans"), overrides)


def cast(lines: str) -> list[dict[str, Any]]:
    """ "Борис don red" or "Анна doctor exhausted points=2" a line."""
    return shorthand.cast(lines, factions=roles.CLANS)


@dataclass(frozen=True)
class Result(shorthand.Brought):
    """What a turn brought."""

    game: Game

    @property
    def dead(self) -> set[str]:
        return set(self.causes)

    @property
    def outcomes(self) -> dict[str, str]:
        """ "nick:action" -> "done" or the reason of failure."""
        return {f"{event.player}:{event.action}": event.reason or "done" for event in self.of(Outcome)}

    @property
    def notices(self) -> list[Notice]:
        return self.of(Notice)

    def told(self, to: str) -> list[tuple[str, dict[str, Any]]]:
        return [(notice.kind, dict(notice.data)) for notice in self.notices if notice.to == to]

    @property
    def lines(self) -> list[Line]:
        return self.of(Line)

    @property
    def newspaper(self) -> list[str]:
        return report.plain("clans", self.game.turn, self.lines).splitlines()

    @property
    def winner(self) -> str | None:
        return RULESET.winner(self.game)


class Board:
    """A game between ``start`` and its end; ``turn`` plays one turn."""

    def __init__(
        self,
        players: str | Sequence[Mapping[str, Any]],
        state: Mapping[str, Any] | None = None,
        first_turn: int | None = None,
        seed: int = 1,
        **overrides: Any,
    ) -> None:
        entries = cast(players) if isinstance(players, str) else list(players)
        self.chance = Chance(seed)
        self.game = RULESET.start(entries, state or {}, tables(**{**QUIET, **overrides}), first_turn)
        self.refused: list[str] = []
        self.answers: list[Event] = []
        self._count = 0

    def open(self) -> tuple[Event, ...]:
        self.game, events = RULESET.open(self.game, self.chance)
        self.refused = []
        self.answers = []
        return events

    def send(self, line: str, **more: Any) -> tuple[Event, ...]:
        """ "Анна heal Вера"; args by ``args=``, time by ``at=``."""
        player, action, *targets = line.split()
        self._count += 1
        order = Order(player, action, tuple(targets), more.get("args", {}), more.get("at"), more.get("ref", f"o{self._count}"))
        self.game, events = RULESET.receive(self.game, order, self.chance)
        self.refused += [f"{e.player}:{e.action}:{e.reason}" for e in events if isinstance(e, Rejected)]
        self.answers += events
        return events

    def close(self) -> Result:
        self.game, events = RULESET.close(self.game, self.chance)
        return Result(events, self.game)

    def turn(self, *orders: str, force: Mapping[str, Sequence[str]] | None = None) -> Result:
        """Open, send, close."""
        for point, values in (force or {}).items():
            self.chance.force(point, values)
        self.open()
        for order in orders:
            self.send(order)
        return self.close()

    def state(self, nick: str) -> Mapping[str, Any]:
        return RULESET.state(self.game)[nick]
