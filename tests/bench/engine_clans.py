"""How many whole turns of clans the engine plays in a second: 40 players, about 90 orders a turn, one core."""

from __future__ import annotations

import time

from engine.chance import Chance
from engine.model import Order
from engine.rulesets.clans import RULESET, roles
from engine.rulesets.clans.state import Game
from forumbot import resources

PLAYERS = 40
SECONDS = 1.0


def first_morning() -> tuple[Game, Chance]:
    """A dealt game of 40 with its first day open."""
    chance = Chance(1)
    tables = RULESET.tables(resources.tables("clans"), {"words_required": 1})
    game, _ = RULESET.deal([f"Игрок {i}" for i in range(1, PLAYERS + 1)], tables, chance)
    return RULESET.open(game, chance)[0], chance


def orders(game: Game) -> list[Order]:
    """A post and a ballot of everybody, every role's move, the clans' kills, hunts of some civilians."""
    seats = list(game.players)
    sent: list[Order] = []
    for i, (seat, player) in enumerate(game.players.items()):
        target, other = seats[(i * 11 + 5) % len(seats)], seats[(i * 13 + 3) % len(seats)]
        sent.append(Order(seat, "words", args={"count": 60}))
        sent.append(Order(seat, "vote", (seats[i * 7 % len(seats)],)))
        for action in roles.ROLE_ACTIONS.get(player.acting, ())[:1]:
            sent.append(Order(seat, action, (target, other) if action == "interview" else (target,)))
        if player.mafioso:
            sent.append(Order(seat, "kill", (target,)))
        elif player.role == roles.CITIZEN and i % 2:
            sent.append(Order(seat, "hunt", (target,)))
    return sent


def run() -> dict[str, float]:
    """Turns a second with 40 players, and how many orders a turn had."""
    game, chance = first_morning()
    sent = orders(game)
    turns = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        played = game
        for order in sent:
            played, _ = RULESET.receive(played, order, chance)
        RULESET.close(played, chance)
        chance.record.clear()
        turns += 1
    return {"turns_per_second": turns / spent, "orders_per_turn": float(len(sent))}


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value:.1f}")
