"""What the boards of several rulesets share: a cast in short lines, and the events of a turn sorted out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine.model import Counted, Death, Event, Lynched, Saved


def value(word: str) -> Any:
    """A word as TOML would have it: true, a whole number, or the word itself."""
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.lstrip("-").isdigit() else word


def cast(lines: str, factions: Collection[str] = (), lists: Collection[str] = ()) -> list[dict[str, Any]]:
    """ "Борис don red", "Анна doctor exhausted points=2", "Егор citizen dead items=armour,elixir" a line.

    A bare word is a flag, but "dead" and one of ``factions``; the values of the keys in ``lists`` are lists.
    """
    players = []
    for line in lines.strip().splitlines():
        nick, role, *more = line.split()
        player: dict[str, Any] = {"nick": nick, "role": role}
        for word in more:
            key, equals, given = word.partition("=")
            if key in factions:
                player["faction"] = key
            elif key == "dead":
                player["alive"] = False
            elif key in lists:
                player[key] = given.split(",")
            else:
                player[key] = value(given) if equals else True
        players.append(player)
    return players


@dataclass(frozen=True)
class Brought:
    """What a turn brought."""

    events: tuple[Event, ...]

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def causes(self) -> dict[str, str]:
        """Player -> cause of death."""
        return {death.player: death.cause for death in self.of(Death)}

    @property
    def killers(self) -> dict[str, str | None]:
        return {death.player: death.by for death in self.of(Death)}

    @property
    def saved(self) -> set[str]:
        return {event.player for event in self.of(Saved)}

    @property
    def lynched(self) -> list[str]:
        return [event.player for event in self.of(Lynched)]

    @property
    def votes(self) -> dict[str, float]:
        (counted,) = self.of(Counted)
        return dict(counted.votes)
