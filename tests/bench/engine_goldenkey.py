"""How many whole turns of goldenkey the engine plays in a second: 30 players, about 60 orders a turn, one core."""

from __future__ import annotations

import time
from typing import Any

from engine.chance import Chance
from engine.model import Order
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.roles import ROLES, TOWN_ROLES
from forumbot import resources

PLAYERS = 30
SECONDS = 1.0


def first_morning() -> Any:
    """A dealt game of 30 before its first turn."""
    tables = RULESET.tables(resources.tables("goldenkey"), {})
    chance = Chance(1)
    game, _ = RULESET.deal([f"Игрок {i}" for i in range(1, PLAYERS + 1)], tables, chance)
    return RULESET.mark(game, "setup", chance)[0]


def orders(game: Any) -> list[Order]:
    """A vote of everybody, a command for every role, the villains' kill, and a bid of every townsman."""
    seats = list(game.players)
    sent = [Order(seat, "vote", (seats[i * 7 % len(seats)],)) for i, seat in enumerate(seats)]
    for i, seat in enumerate(seats):
        player = game.players[seat]
        target = seats[(i * 11 + 5) % len(seats)]
        for role in player.roles:
            sent += [Order(seat, action, (target,), {"role": role}) for action in ROLES[role].actions[:1]]
        if player.faction == "townsfolk":
            sent.append(Order(seat, "bid_role", (), {"role": TOWN_ROLES[i % len(TOWN_ROLES)]}))
    killer = next(seat for seat, player in game.players.items() if player.is_born_villain)
    sent.append(Order(killer, "kill", (seats[-1] if killer != seats[-1] else seats[0],)))
    return sent


def turn(game: Any, sent: list[Order]) -> int:
    """One whole turn; gives the number of its events."""
    chance = Chance(1)
    game, events = RULESET.open(game, chance)
    made = len(events)
    for order in sent:
        game, events = RULESET.receive(game, order, chance)
        made += len(events)
    game, events = RULESET.mark(game, "lynch", chance)
    made += len(events)
    game, events = RULESET.close(game, chance)
    return made + len(events)


def run() -> dict[str, float]:
    """Turns a second of one core's own time (whatever else the machine does), and orders in such a turn."""
    morning = first_morning()
    sent = orders(morning)
    turn(morning, sent)
    played, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        turn(morning, sent)
        played += 1
    return {
        "goldenkey turns a second (goal 1000)": played / (time.process_time() - began),
        "goldenkey orders a turn": len(sent),
    }


if __name__ == "__main__":
    print(run())
