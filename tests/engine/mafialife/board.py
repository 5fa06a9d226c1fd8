"""A small board to play `mafialife` on: a cast in short lines, orders as "player action target ... key=value"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import Chance
from engine.model import Accepted, Line, Notice, Order, Outcome, Rejected
from engine.rulesets.mafialife import RULESET
from engine.rulesets.mafialife.state import Game
from forumbot import resources
from forumbot.writing import report
from tests.engine import shorthand

LISTS = ("items", "infiltrated", "recruited_by")


def tables(**overrides: Any) -> Any:
    """The packaged tables with overrides."""
    return RULESET.tables(resources.tables("mafialife"), overrides)


def cast(lines: str) -> list[dict[str, Any]]:
    """ "Марк mafioso level=1", "Борис citizen dead items=armour,elixir" a line."""
    return shorthand.cast(lines, lists=LISTS)


def order(text: str, ref: str = "") -> Order:
    """ "Анна divert Борис Вера", "Анна buy item=armour pay=vote", "Лия sleep_role role=doctor aids"."""
    player, action, *more = text.split()
    targets = tuple(word for word in more if "=" not in word and word not in ("aids", "join", "plan"))
    args: dict[str, Any] = {word: True for word in more if word in ("aids", "join", "plan")}
    args |= {key: shorthand.value(word) for key, _, word in (word.partition("=") for word in more if "=" in word)}
    return Order(player, action, targets, args, ref=ref or text)


@dataclass(frozen=True)
class Result(shorthand.Brought):
    """What a turn brought."""

    game: Game

    @property
    def dead(self) -> dict[str, str]:
        """Player -> cause."""
        return self.causes

    @property
    def outcomes(self) -> dict[str, str]:
        """ "player:action" -> reason, "" when done."""
        return {f"{o.player}:{o.action}": o.reason or "" for o in self.of(Outcome)}

    @property
    def rejected(self) -> list[str]:
        """ "player:action:reason" of the refusals that stand at the end."""
        found = {}
        for event in self.events:
            if isinstance(event, Rejected):
                found[event.order.ref if event.order else ""] = f"{event.player}:{event.action}:{event.reason}"
            elif isinstance(event, Accepted):
                found.pop(event.order.ref, None)
        return list(found.values())

    def notices(self, to: str, kind: str | None = None) -> list[dict[str, Any]]:
        return [{"kind": n.kind, **n.data} for n in self.of(Notice) if n.to == to and kind in (None, n.kind)]

    def told(self, kind: str) -> set[str]:
        return {n.to for n in self.of(Notice) if n.kind == kind}

    @property
    def report(self) -> str:
        return report.plain("mafialife", self.game.turn, self.of(Line))

    def state(self, nick: str) -> Mapping[str, Any]:
        return RULESET.state(self.game)[nick]

    def money(self, nick: str) -> float:
        return RULESET.balances(self.game)["mafbucks"][nick]

    @property
    def winner(self) -> str | None:
        return RULESET.winner(self.game)


class Board:
    """A game in play."""

    def __init__(self, lines: str, first: int = 1, state: Mapping[str, Any] | None = None, seed: int = 0, **options: Any) -> None:
        self.game: Game = RULESET.start(cast(lines), state or {}, tables(**options), first)
        self.chance = Chance(seed)

    def turn(self, *texts: str, votes: str = "", chance: Mapping[str, Sequence[str]] | None = None) -> Result:
        """One turn: votes ("Анна>Борис Вера>Борис") first, then the orders."""
        for point, values in (chance or {}).items():
            self.chance.force(point, values)
        self.game, made = RULESET.open(self.game, self.chance)
        events = list(made)
        cast_votes = [Order(*(word.split(">")[0], "vote", (word.split(">")[1],)), ref=word) for word in votes.split()]
        sent = [*cast_votes, *(order(text, f"{i}:{text}") for i, text in enumerate(texts))]
        for one in sent:
            self.game, made = RULESET.receive(self.game, one, self.chance)
            events += made
        self.game, made = RULESET.close(self.game, self.chance)
        return Result((*events, *made), self.game)


def once(lines: str, *texts: str, votes: str = "", first: int = 1, chance: Mapping[str, Sequence[str]] | None = None,
         **options: Any) -> Result:  # fmt: skip
    """A game of a single turn."""
    return Board(lines, first, **options).turn(*texts, votes=votes, chance=chance)
