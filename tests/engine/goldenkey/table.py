"""A small table to play goldenkey on: a cast in one line, orders in one line, the events of the turn sorted out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chance import Chance
from engine.model import Death, Event, Line, Notice, Order, Outcome, Rejected, Saved
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.state import Game
from forumbot import resources
from forumbot.writing import report


def tables(**overrides: Any) -> Any:
    return RULESET.tables(resources.tables("goldenkey"), overrides)


def start(cast: Mapping[str, Any], *, first_turn: int | None = None, state: Any = None, **overrides: Any) -> Game:
    """``cast``: seat -> role id, or a table of [[players]] keys."""
    rows = [{"nick": seat, **({"role": row} if isinstance(row, str) else row)} for seat, row in cast.items()]
    return RULESET.start(rows, state or {}, tables(**overrides), first_turn)


def order(text: str, **args: Any) -> Order:
    """ "seat action target ..."; the same words make the order's ref."""
    player, action, *targets = text.split()
    return Order(player, action, tuple(targets), args, ref=text)


def vote(voter: str, target: str) -> Order:
    return order(f"{voter} vote {target}")


@dataclass
class Turn:
    """A turn as it was played."""

    game: Game
    events: list[Event] = field(default_factory=list)

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def lives(self) -> dict[str, int]:
        return {seat: p.lives for seat, p in self.game.players.items()}

    @property
    def outcomes(self) -> dict[str, str | None]:
        """Role -> None for done, else the reason."""
        return {o.args["role"]: o.reason for o in self.all(Outcome)}

    @property
    def rejected(self) -> list[tuple[str, str, str]]:
        return [(r.player, r.action, r.reason) for r in self.all(Rejected)]

    @property
    def saved(self) -> set[str]:
        return {s.player for s in self.all(Saved)}

    @property
    def deaths(self) -> dict[str, tuple[str, str | None]]:
        return {d.player: (d.cause, d.by) for d in self.all(Death)}

    def notices(self, kind: str) -> list[Notice]:
        return [n for n in self.all(Notice) if n.kind == kind]

    @property
    def report(self) -> str:
        return report.plain("goldenkey", self.game.turn, self.all(Line))

    @property
    def report_lines(self) -> list[str]:
        return self.report.splitlines()


def play(game: Game, orders: Sequence[Order], chance: Chance | None = None) -> Turn:
    """Open a turn, send the orders, settle the lynch, close."""
    chance = chance or Chance(0)
    turn = Turn(game)

    def take(step: tuple[Game, tuple[Event, ...]]) -> None:
        turn.game, events = step
        turn.events += events

    take(RULESET.open(turn.game, chance))
    for one in orders:
        take(RULESET.receive(turn.game, one, chance))
    take(RULESET.mark(turn.game, "lynch", chance))
    take(RULESET.close(turn.game, chance))
    return turn


def night(cast: Mapping[str, Any], *orders: Order, **overrides: Any) -> Turn:
    """One turn in night 4 (Artemon may kill), without votes."""
    return play(start(cast, first_turn=4, **overrides), orders)
