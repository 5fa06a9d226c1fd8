"""Whole games from the deal to the victory, played by players who always move."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, Ended, Line, Notice, Order
from engine.rulesets.league import RULESET
from forumbot.writing import report
from tests.engine.league.board import tables

MARKET = ("armour_mafia", "armour_both", "net", "loop_protection", "necro_shield", "extra_check", "extra_shot")


def moves(game: Any, luck: random.Random) -> list[Order]:
    """What the players of one turn send: everything they may, some purchases, pots and contracts."""
    living = list(RULESET.alive(game))
    sent = []
    for seat in living:
        purse = RULESET.purse(game, seat)["coins"]
        others = [other for other in living if other != seat]
        if not others:
            continue
        item = luck.choice(MARKET)
        sent.append(Order(seat, luck.choice(["buy", "pool"]), (), {"item": item, "coins": luck.randint(1, 20)}))
        if purse >= 12 and luck.random() < 0.4:
            kind = luck.choice(["contract_kill", "contract_guard"])
            sent.append(
                Order(seat, kind, (luck.choice(others),) if kind == "contract_kill" else (), {"coins": luck.randint(10, 12)})
            )
        if purse >= 10 and luck.random() < 0.2:
            sent.append(Order(seat, "true_sight", (luck.choice(others),)))
    return sent


def answers(game: Any, luck: random.Random) -> list[Order]:
    """Everybody who still owes a move makes one."""
    living = list(RULESET.alive(game))
    sent = []
    for seat, actions in RULESET.owing(game).items():
        for action in actions:
            targets = [other for other in living if other != seat] or living
            wards = RULESET.known(game, seat).more["offers"] if action in ("guard_choose", "contract_hit") else ()
            target = luck.choice(list(wards) or targets)
            args = {"story": f"Рассказ: {seat} и {target}.", "number": 1}
            sent.append(Order(seat, action, () if action == "accept_work" else (target,), args))
    return sent


def play(players: int, seed: int) -> tuple[Any, list[Any], list[str]]:
    luck, chance = random.Random(seed), Chance(seed)
    game, events = RULESET.deal([f"Игрок{i}" for i in range(1, players + 1)], tables({"win": {"max_turns": 40}}), chance)
    record: list[Any] = list(events)
    papers = []
    for seat in RULESET.seats(game):
        game, _ = RULESET.receive(game, Order(seat, "grant", (), {"coins": luck.randint(0, 80)}), chance)
    while RULESET.stage(game) == "between":
        told: list[Any] = []
        game, events = RULESET.open(game, chance)
        told += events
        for batch in (moves, answers):
            for order in batch(game, luck):
                game, events = RULESET.receive(game, order, chance)
                told += events
            game, events = RULESET.mark(game, "half", chance)
            told += events
        for order in answers(game, luck):
            game, events = RULESET.receive(game, order, chance)
            told += events
        game, events = RULESET.close(game, chance)
        told += events
        papers.append(report.plain("league", RULESET.turn(game), [e for e in told if isinstance(e, Line)]))
        record += told
    return game, record, papers


@pytest.mark.parametrize(("players", "seed"), [(8, 1), (14, 2), (18, 3), (22, 4), (26, 5), (30, 6), (30, 7)])
def test_a_game_comes_to_its_end(players: int, seed: int) -> None:
    game, record, papers = play(players, seed)
    ends = [e.winner for e in record if isinstance(e, Ended)]
    assert ends == [RULESET.winner(game)]
    assert papers[-1].count("Победа") + papers[-1].count("Ничья") == 1
    balances = RULESET.balances(game)
    assert set(balances["held"].values()) == set(balances["pooled"].values()) == {0}
    assert len({b.once for b in RULESET.ledger(game)}) == len(RULESET.ledger(game))
    assert RULESET.payout(game) == {
        seat: (balances["coins"][seat] + balances["bonus"][seat], balances["fine"][seat]) for seat in RULESET.seats(game)
    }
    assert play(players, seed)[1:] == (record, papers)


def test_the_players_of_these_games_use_what_the_rules_offer() -> None:
    """So that the test above tests something."""
    seen: set[str] = set()
    told: set[str] = set()
    for players, seed in [(26, 5), (30, 6), (30, 7)]:
        _, record, _ = play(players, seed)
        seen |= {e.order.action for e in record if isinstance(e, Accepted)}
        told |= {e.kind for e in record if isinstance(e, Notice)}
    assert {"vote", "kill", "check", "visit", "heal", "cover", "watch", "curse", "pardon", "defend", "accept_work"} <= seen
    assert {"contract_kill", "contract_guard", "contract_hit", "buy", "pool", "true_sight"} <= seen
    assert {"role", "work_question", "work_targets", "guard_targets", "check_result", "visit_result", "attempt_survived"} <= told
