"""How many whole turns of the league a core plays in a second of its own time: 30 players, a vote and a move of everybody."""

from __future__ import annotations

import time
from typing import Any

from engine.chance import Chance
from engine.model import Order
from engine.rulesets.league import RULESET
from forumbot import resources

PLAYERS = 30
SECONDS = 1.0
MOVES = {
    "commissioner": "check",
    "maniac": "kill",
    "girl": "visit",
    "doctor": "heal",
    "samurai": "cover",
    "witness": "watch",
    "shaman": "curse",
    "judge": "pardon",
    "kamikaze": "kill",
}


def first_day() -> Any:
    """A dealt game of 30 after its opening night, everybody with coins for a contract."""
    tables = RULESET.tables(resources.tables("league"), {})
    chance = Chance(1)
    game, _ = RULESET.deal([f"Игрок {i}" for i in range(1, PLAYERS + 1)], tables, chance)
    for seat in RULESET.seats(game):
        game, _ = RULESET.receive(game, Order(seat, "grant", (), {"coins": 60}), chance)
    game, _ = RULESET.open(game, chance)
    return RULESET.close(game, chance)[0]


def orders(game: Any) -> list[Order]:
    """Votes, moves with stories, four contracts and the mercenary's answer, some purchases."""
    seats = list(game.players)
    sent = [Order(seat, "vote", (seats[(i * 7 + 1) % len(seats)],)) for i, seat in enumerate(seats)]
    story = {"story": "Тихой ночью скрипнула дверь."}
    roles = {seat: player.role for seat, player in game.players.items()}
    for i, seat in enumerate(seats):
        action = MOVES.get(roles[seat]) or ("kill" if game.players[seat].number else "")
        if action:
            sent.append(Order(seat, action, (seats[(i * 11 + 5) % len(seats)],), story))
    citizens = [seat for seat in seats if roles[seat] == "citizen"]
    for i, seat in enumerate(citizens[:4]):
        bid = {"coins": 10 + i % 2}
        sent.append(Order(seat, "contract_guard", (), bid) if i % 2 else Order(seat, "contract_kill", (seats[i],), bid))
    sent += [Order(seat, "buy", (), {"item": "armour_mafia"}) for seat in citizens[4:6]]
    mercenary = next(seat for seat, role in roles.items() if role == "mercenary")
    sent += [Order(mercenary, "accept_work"), Order(mercenary, "contract_hit", (), story)]
    return sent


def turn(game: Any, sent: list[Order]) -> int:
    """One whole turn; gives the number of its events."""
    chance = Chance(1)
    game, events = RULESET.open(game, chance)
    made = len(events)
    for order in sent:
        for mark in RULESET.marks_before(game, order):
            game, events = RULESET.mark(game, mark, chance)
            made += len(events)
        game, events = RULESET.receive(game, order, chance)
        made += len(events)
    game, events = RULESET.close(game, chance)
    return made + len(events)


def run() -> dict[str, float]:
    """Turns a second, and orders in such a turn."""
    morning = first_day()
    sent = orders(morning)
    turn(morning, sent)
    played, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        turn(morning, sent)
        played += 1
    return {"league turns a second": played / (time.process_time() - began), "league orders a turn": len(sent)}


if __name__ == "__main__":
    print(run())
