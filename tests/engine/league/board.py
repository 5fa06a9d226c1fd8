"""A small board to play the league on: a cast in one line, orders in one line, the events of the turn sorted out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chance import Chance
from engine.model import Counted, Death, Ended, Event, Line, Lynched, Notice, Order, Outcome, Rejected, Saved, Withdrawn
from engine.rulesets.league import RULESET
from engine.rulesets.league.state import Game
from forumbot import resources
from forumbot.writing import report

CALM: dict[str, dict[str, Any]] = {"voting": {"missed_limit": 0}, "ghost": {"enabled": False}, "stories": {"kill_default": 0}}
"""Nobody leaves for want of a vote, no ghosts, and stories pay nothing: what is left is what a test is about."""


def tables(overrides: Mapping[str, Any] | None = None) -> Any:
    return RULESET.tables(resources.tables("league"), overrides or {})


def start(
    cast: Mapping[str, Any],
    *,
    first_turn: int | None = 1,
    state: Mapping[str, Any] | None = None,
    calm: bool = True,
    **overrides: Any,
) -> Game:
    """``cast``: seat -> role id, or a table of [[players]] keys. ``overrides``: sections of the tables."""
    rows = [{"nick": seat, **({"role": row} if isinstance(row, str) else row)} for seat, row in cast.items()]
    mixed = {name: dict(section) for name, section in (CALM if calm else {}).items()}
    for name, section in overrides.items():
        mixed[name] = {**mixed.get(name, {}), **section}
    return RULESET.start(rows, state or {}, tables(mixed), first_turn)


def order(text: str, **args: Any) -> Order:
    """ "player action target ..."; the same words make the order's ref. Moves that need a story get one."""
    player, action, *targets = text.split()
    if action in ("kill", "check", "kill_checked", "hang_story", "contract_hit"):
        args.setdefault("story", f"Рассказ о том, как {text}.")
    return Order(player, action, tuple(targets), args, ref=text)


@dataclass
class Turn:
    """A turn as it was played."""

    game: Game
    events: list[Event] = field(default_factory=list)

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def deaths(self) -> dict[str, tuple[str, str | None]]:
        return {d.player: (d.cause, d.by) for d in self.all(Death)}

    @property
    def dead(self) -> list[str]:
        return [d.player for d in self.all(Death)]

    @property
    def outcomes(self) -> dict[str, str]:
        """ "player:action" -> "done" or the reason; the last one of a kind."""
        return {f"{o.player}:{o.action}": o.reason or "done" for o in self.all(Outcome)}

    @property
    def rejected(self) -> list[str]:
        return [f"{r.player}:{r.action}:{r.reason}" for r in self.all(Rejected)]

    @property
    def saved(self) -> set[str]:
        return {s.player for s in self.all(Saved)}

    @property
    def lynched(self) -> list[str]:
        return [e.player for e in self.all(Lynched)]

    @property
    def votes(self) -> dict[str, float]:
        return dict(self.all(Counted)[0].votes)

    @property
    def withdrawn(self) -> list[str]:
        return [w.order.ref for w in self.all(Withdrawn)]

    @property
    def winner(self) -> str | None:
        return next((e.winner for e in self.all(Ended)), None)

    def notices(self, kind: str, to: str | None = None) -> list[dict[str, Any]]:
        return [dict(n.data) for n in self.all(Notice) if n.kind == kind and to in (None, n.to)]

    def told(self, kind: str) -> list[str]:
        """Who got a notice of this kind."""
        return [n.to for n in self.all(Notice) if n.kind == kind]

    def coins(self, seat: str, account: str = "coins") -> float:
        return RULESET.balances(self.game)[account][seat]

    def bonus(self, seat: str) -> float:
        return self.coins(seat, "bonus")

    def of(self, seat: str) -> Mapping[str, Any]:
        return RULESET.state(self.game)[seat]

    @property
    def report(self) -> str:
        return report.plain("league", self.game.turn, self.all(Line))


def play(game: Game, *orders: Order | str, chance: Mapping[str, Sequence[str]] | None = None, seed: int = 0) -> Turn:
    """Open a turn, send the orders as a scenario does, close it. A string is an order, or a mark: "half", "deadline"."""
    luck = Chance(seed)
    for point, values in (chance or {}).items():
        luck.force(point, values)
    turn = Turn(game)

    def take(step: tuple[Game, tuple[Event, ...]]) -> None:
        turn.game, events = step
        turn.events += events

    take(RULESET.open(turn.game, luck))
    for one in orders:
        if one in RULESET.spec.marks:
            take(RULESET.mark(turn.game, str(one), luck))
            continue
        sent = order(one) if isinstance(one, str) else one
        for mark in RULESET.marks_before(turn.game, sent):
            take(RULESET.mark(turn.game, mark, luck))
        take(RULESET.receive(turn.game, sent, luck))
    take(RULESET.close(turn.game, luck))
    return turn


def opened(game: Game, *orders: Order | str) -> Game:
    """The game with an open turn in which these orders have been sent."""
    luck = Chance(0)
    game, _ = RULESET.open(game, luck)
    for one in orders:
        if one in RULESET.spec.marks:
            game, _ = RULESET.mark(game, str(one), luck)
        else:
            game, _ = RULESET.receive(game, order(one) if isinstance(one, str) else one, luck)
    return game


def send(game: Game, text: str | Order, **args: Any) -> tuple[Game, list[Event]]:
    game, events = RULESET.receive(game, order(text, **args) if isinstance(text, str) else text, Chance(0))
    return game, list(events)


def verdict(events: Sequence[Event]) -> str:
    """ "accepted" or the reason of the refusal."""
    first = events[0]
    return first.reason if isinstance(first, Rejected) else "accepted"
