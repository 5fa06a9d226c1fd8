"""Rows of docs/trouble.md that are the league engine's (T28, T29, T33, T58, T63, T64, T65, T66)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from engine.model import Order
from engine.rulesets.league import RULESET
from tests.engine.league.board import opened, play, send, start, verdict

SIX: dict[str, Any] = dict.fromkeys(("Анна", "Вера", "Глеб", "Борис"), "citizen") | {"Дима": "mafioso", "Егор": "yakuza"}


def test_t28_bought_weight_counts() -> None:
    game = start({**SIX, "Анна": {"role": "citizen", "coins": 10}})
    turn = play(game, "Анна vote Борис", Order("Анна", "extra_votes", (), {"count": 2}), "Глеб vote Вера", "Дима vote Вера")
    assert turn.votes == {"Вера": 2, "Борис": 3}
    assert turn.lynched == ["Борис"]


@pytest.mark.parametrize("bought_first", [True, False])
def test_t65_weight_bought_before_or_behind_the_vote_counts_alike(bought_first: bool) -> None:
    bought, vote = Order("Анна", "extra_votes", (), {"count": 1}), "Анна vote Борис"
    game = start({**SIX, "Анна": {"role": "citizen", "coins": 10}})
    turn = play(game, *([bought, vote] if bought_first else [vote, bought]), "Глеб vote Вера")
    assert turn.votes == {"Вера": 1, "Борис": 2}


def test_t29_first_by_the_votes_that_stand_in_the_end() -> None:
    game = start({**SIX, "Дима": {"role": "mafioso", "coins": 4}})
    turn = play(
        game,
        "Анна vote Борис",
        "Вера vote Глеб",
        "Дима vote Глеб",
        "Егор vote Борис",
        "Дима change_vote Борис",
        "Дима change_vote Глеб",
    )
    assert turn.votes == {"Глеб": 2, "Борис": 2}
    assert turn.lynched == ["Борис"]


def test_t33_the_first_purchase_in_time_holds() -> None:
    game = opened(start({**SIX, "Анна": {"role": "citizen", "coins": 15}}))
    evening = datetime.fromisoformat("2026-12-01T19:00:00+03:00")
    game, events = send(game, Order("Анна", "buy", (), {"item": "armour_mafia"}, at=evening))
    assert verdict(events) == "accepted"
    _, events = send(game, Order("Анна", "extra_votes", (), {}, at=evening.replace(hour=20)))
    assert verdict(events) == "not_enough_coins"


def test_t58_an_idle_player_leaves_once() -> None:
    turn = play(
        start(SIX, voting={"missed_limit": 2}),
        "Вера vote Глеб",
        "Глеб vote Вера",
        "Борис vote Глеб",
        "Дима vote Вера",
        "Егор vote Глеб",
    )
    assert turn.dead == ["Глеб"]
    turn = play(turn.game, "Вера vote Борис", "Дима vote Вера", "Егор vote Вера")
    assert turn.deaths == {"Вера": ("lynch", None), "Анна": ("left_town", None)}
    assert turn.report.count("Из города уезжает") == 1
    assert turn.of("Борис")["missed"] == 1
    assert play(turn.game, "Борис vote Дима").dead == ["Дима"]


@pytest.mark.parametrize(("doctor", "winner"), [(True, "neutrals"), (False, "draw")])
def test_t63_nobody_but_a_neutral_and_nobody_at_all(doctor: bool, winner: str) -> None:
    cast: dict[str, Any] = {"Анна": "mafioso", "Борис": "yakuza", "Вера": "citizen", "Маша": "bodyguard"}
    if doctor:
        cast["Даша"] = "doctor"
    # the citizen is hanged, the last mafioso shoots the bodyguard, the last yakuza leaves town
    game = start({**cast, "Борис": {"role": "yakuza", "missed": 1}}, voting={"missed_limit": 2})
    turn = play(game, "Анна vote Вера", "Маша vote Вера", "Анна kill Маша")
    assert set(turn.dead) == {"Борис", "Анна", "Маша", "Вера"}
    assert turn.winner == winner


def test_t64_points_go_by_the_faction_at_the_end() -> None:
    cast = {"Анна": "mafioso", "Ёжик": "werewolf", "Вера": "citizen", "Глеб": "citizen"}
    turn = play(start(cast), "Вера vote Анна", "Глеб vote Анна")
    assert turn.of("Ёжик")["faction"] == "mafia"
    turn = play(turn.game, "Вера vote Ёжик")
    assert turn.winner == "civilians"
    assert turn.bonus("Ёжик") == 2
    assert turn.bonus("Вера") == 1 + 1 + 2 + 4


def test_t64_an_unpaid_purchase_changes_nothing() -> None:
    game = opened(start({**SIX, "Анна": {"role": "citizen", "coins": 14}}))
    game, events = send(game, Order("Анна", "buy", (), {"item": "armour_mafia"}))
    assert verdict(events) == "not_enough_coins"
    assert (RULESET.balances(game)["coins"]["Анна"], RULESET.state(game)["Анна"]["items"]) == (14, [])


def test_t66_role_news_reaches_the_right_heads_only() -> None:
    cast: dict[str, Any] = {
        "Анна": "mafioso",
        "Борис": "mafioso",
        "Ёжик": "werewolf",
        "Лев": "lawyer",
        "Мёртвый": {"role": "mafioso", "alive": False},
        "Вера": "citizen",
        "Юра": "yakuza",
    }
    turn = play(start(cast, first_turn=2), "Вера vote Анна")
    assert turn.told("turned") == ["Ёжик"]
    assert turn.told("new_partner") == ["Борис"]
    assert turn.notices("new_partner") == [{"nick": "Ёжик", "number": 1}]
