"""How many whole turns of mafialife the engine plays in a second: 40 players, about 80 orders a turn, one core."""

from __future__ import annotations

import time
from typing import Any

from engine.chance import Chance
from engine.model import Order
from engine.rulesets.mafialife import RULESET, moves
from forumbot import resources

PLAYERS = 40
SECONDS = 1.0


def first_morning() -> Any:
    """A game of 40 before day 2: the set-up list, and the rest of it once more."""
    tables = RULESET.tables(resources.tables("mafialife"), {})
    cast = [{"nick": f"Игрок {i}", "role": tables.setup[i % len(tables.setup)], "level": 2} for i in range(PLAYERS)]
    return RULESET.start(cast, {}, tables, 2)


def orders(game: Any) -> list[Order]:
    """A vote of everybody, a purchase of every fourth, and a move of everybody who has one."""
    seats = list(game.players)
    sent = [Order(seat, "vote", (seats[(i * 7 + 1) % len(seats)],)) for i, seat in enumerate(seats)]
    sent += [Order(seat, "buy", (), {"item": "armour", "pay": "mafbucks"}) for seat in seats[::4]]
    for i, seat in enumerate(seats):
        own = moves.of_role(game.players[seat].role)
        if own:
            move = own[i % len(own)]
            targets = tuple(seats[(i + 3 + 5 * n) % len(seats)] for n in range(move.count[0]))
            args = {} if move.arg is None else {move.arg: (move.option or ("doctor",))[0]}
            sent.append(Order(seat, move.action, targets, args))
    return sent


def turn(game: Any, sent: list[Order]) -> int:
    """One whole turn; gives the number of its events."""
    chance = Chance(1)
    game, events = RULESET.open(game, chance)
    made = len(events)
    for order in sent:
        game, events = RULESET.receive(game, order, chance)
        made += len(events)
    game, events = RULESET.close(game, chance)
    return made + len(events)


def run() -> dict[str, float]:
    """Turns a second, and orders in such a turn."""
    morning = first_morning()
    sent = orders(morning)
    turn(morning, sent)
    played, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        turn(morning, sent)
        played += 1
    return {
        "mafialife turns a second": played / (time.process_time() - began),
        "mafialife orders a turn": float(len(sent)),
    }


if __name__ == "__main__":
    print(run())
