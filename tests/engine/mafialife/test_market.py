"""Purchases, gifts, sales and what they do to moves already sent (R2, R9, R20-R29, R65, R147)."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.model import Accepted, Rejected, Withdrawn
from engine.rulesets.mafialife import RULESET
from tests.engine.mafialife.board import Board, once, order

TOWN = "Кира commissioner\nМарк mafioso\nНина necromancer\nАнна citizen\nБорис citizen\nВера citizen\nЛия girl"


def test_a_move_sent_before_the_level_was_bought_counts() -> None:
    result = once(TOWN, "Лия sleep Анна", "Лия aids Борис", "Лия buy item=level_1 pay=mafbucks")
    assert result.rejected == []
    assert result.outcomes["Лия:aids"] == ""
    assert "Лия:sleep" not in result.outcomes


def test_a_refused_move_replaces_nothing() -> None:
    result = once(TOWN, "Лия sleep Анна", "Лия aids Борис")
    assert result.rejected == ["Лия:aids:level_too_low"]
    assert result.outcomes["Лия:sleep"] == ""


def test_a_pistol_ordered_before_it_was_bought_fires() -> None:
    result = once(TOWN, "Анна pistol Борис", "Анна buy item=pistol pay=mafbucks")
    assert result.dead == {"Борис": "pistol"}
    assert result.rejected == []


def test_a_pistol_given_away_is_not_fired_but_the_receiver_fires_it() -> None:
    lines = TOWN.replace("Анна citizen", "Анна citizen items=pistol")
    result = once(lines, "Анна pistol Борис", "Анна gift Вера item=pistol", "Вера pistol Кира")
    assert result.rejected == ["Анна:pistol:no_item"]
    assert result.dead == {"Кира": "pistol"}


def test_a_licence_may_be_ordered_as_often_as_it_is_owned() -> None:
    lines = TOWN.replace("Анна citizen", "Анна citizen items=licence_double,licence_double,licence_kill,licence_kill")
    result = once(
        lines, "Анна licence_double Борис", "Анна licence_double Вера", "Анна licence_double Кира",
        "Анна licence_kill Нина", "Анна licence_kill Кира",
    )  # fmt: skip
    assert result.rejected == ["Анна:licence_double:no_item", "Анна:licence_kill:one_per_night"]
    assert set(result.dead) == {"Борис", "Вера", "Нина"}
    assert result.state("Анна")["items"] == ["licence_kill"]


def test_the_receiver_of_a_refused_order_is_told_at_once_and_again_when_it_stands() -> None:
    game = RULESET.open(Board(TOWN).game, Chance(0))[0]
    game, first = RULESET.receive(game, order("Лия sleep Анна", "1"), Chance(0))
    game, second = RULESET.receive(game, order("Лия aids Борис", "2"), Chance(0))
    game, third = RULESET.receive(game, order("Лия buy item=level_1 pay=mafbucks", "3"), Chance(0))
    assert isinstance(first[0], Accepted)
    assert isinstance(second[0], Rejected)
    accepted = [e.order.ref for e in third if isinstance(e, Accepted)]
    assert accepted == ["3", "2"]
    assert [e.order.ref for e in third if isinstance(e, Withdrawn)] == ["1"]
    assert [o.ref for o in RULESET.standing(game, "Лия")] == ["2"]


def test_selling_the_move_strikes_the_one_sent_but_not_extra_actions() -> None:
    lines = TOWN.replace("Лия girl", "Лия girl items=licence_kill")
    result = once(lines, "Лия sleep Кира", "Лия licence_kill Анна", "Лия buy item=anti_maniac pay=move", "Лия sleep Борис")
    assert result.rejected == ["Лия:sleep:move_sold", "Лия:sleep:move_sold"]
    assert result.dead == {"Анна": "licence_kill"}


def test_a_captive_keeps_votes_money_and_extra_actions() -> None:
    lines = TOWN.replace("Анна citizen", "Анна citizen captive_of=Мила items=pistol") + "\nМила maniac"
    result = once(
        lines, "Анна buy item=anti_girl pay=move", "Анна buy item=elixir pay=vote_move", "Анна buy item=armour pay=vote",
        "Анна buy item=condom pay=mafbucks", "Анна pistol Борис", first=2,
    )  # fmt: skip
    assert result.rejected == ["Анна:buy:captive", "Анна:buy:captive"]
    assert result.state("Анна")["items"] == ["armour", "condom"]
    assert result.dead == {"Борис": "pistol"}


def test_an_extra_pack_widens_the_game_and_counts_for_nothing() -> None:
    lines = TOWN.replace("Анна citizen", "Анна citizen level=4")
    board = Board(lines, start_mafbucks=900, goods_per_day=2, goods_per_game=2)
    first = board.turn(
        "Анна buy item=extra_pack pay=mafbucks", "Анна buy item=armour pay=mafbucks", "Анна buy item=armour pay=mafbucks"
    )
    assert first.rejected == []
    results = [board.turn(*["Анна buy item=condom pay=mafbucks"] * 2).rejected for _ in range(3)]
    assert results == [[], [], ["Анна:buy:game_limit"]]


def test_extra_daily_lasts_for_the_game() -> None:
    board = Board(TOWN, start_mafbucks=900, goods_per_day=1)
    assert board.turn("Анна buy item=extra_daily pay=mafbucks", *["Анна buy item=condom pay=mafbucks"] * 2).rejected == []
    assert board.turn(*["Анна buy item=condom pay=mafbucks"] * 3).rejected == ["Анна:buy:daily_limit"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Анна buy item=level_1 pay=vote", "not_for_sale"),
        ("Анна buy item=elixir_ultra pay=vote_move", "not_for_sale"),
        ("Анна buy item=stake pay=mafbucks", "not_for_sale"),
        ("Лия buy item=pistol pay=mafbucks", "not_for_sale"),
        ("Анна buy item=hang_immunity pay=mafbucks", "level_too_low"),
        ("Анна gift item=armour", "wrong_target_count"),
        ("Анна sell item=condom", "no_item"),
        ("Анна refuse_points_win", "not_your_action"),
        ("Лия refuse_points_win", "not_recruited"),
        ("Анна join_graveyard", "not_your_action"),
        ("Анна captive_move Борис action=bite", "not_your_action"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    lines = TOWN.replace("Анна citizen", "Анна citizen items=armour")
    action = text.split()[1]
    assert once(lines, text, first=2).rejected == [f"{text.split()[0]}:{action}:{reason}"]


def test_too_late_to_refuse_a_victory_that_is_reached() -> None:
    lines = f"{TOWN}\nЛев killer faction=den points=30"
    assert once(lines, "Лев refuse_points_win", win_points={"killer": 25}).rejected == ["Лев:refuse_points_win:too_late"]


def test_cancel_and_pass_take_back_moves_but_no_purchases() -> None:
    lines = TOWN.replace("Лия girl", "Лия girl items=licence_kill")
    passed = once(lines, "Лия sleep Анна", "Лия licence_kill Борис", "Лия pass")
    assert "Лия:sleep" not in passed.outcomes
    assert passed.dead == {"Борис": "licence_kill"}
    cancelled = once(lines, "Лия sleep Анна", "Лия licence_kill Борис", "Лия buy item=condom pay=mafbucks", "Лия cancel")
    assert "Лия:licence_kill" not in cancelled.outcomes
    assert cancelled.state("Лия")["items"] == ["licence_kill", "condom"]
    only_one = once(lines, "Лия sleep Анна", "Лия licence_kill Борис", "Лия cancel action=licence_kill")
    assert only_one.outcomes["Лия:sleep"] == ""
    assert only_one.dead == {}


def test_the_hosts_hand() -> None:
    lines = TOWN.replace("Лия girl", "Лия girl points=4 items=licence_kill")
    board = Board(lines, 2)
    result = board.turn(
        "Лия sleep Кира", "Лия licence_kill Анна", "Лия host_remove", "Лия buy item=condom pay=mafbucks",
        "Вера host_fine mafbucks=30", "Вера host_fine points=5", votes="Лия>Борис Вера>Лия",
    )  # fmt: skip
    assert result.dead == {"Лия": "removed"}
    assert result.killers == {"Лия": None}
    assert sorted(result.rejected) == sorted(
        ["Лия:buy:dead", "Лия:sleep:dead", "Лия:licence_kill:dead", "Лия:vote:dead", "Вера:vote:bad_target"]
    )
    assert result.votes == {}
    assert result.money("Вера") == 70
    assert "Погиб: Лия (девочка)" in result.report


def test_every_balance_is_the_sum_of_its_bookings() -> None:
    board = Board(TOWN, 2)
    board.turn("Анна buy item=armour pay=mafbucks", "Анна sell item=armour", "Борис host_fine mafbucks=40")
    board.turn("Кира kill Марк", "Анна buy item=condom pay=mafbucks", "Лия host_remove", "Вера pistol Нина")
    for seat, player in board.game.players.items():
        assert sum(b.amount for b in RULESET.ledger(board.game) if b.player == seat) == player.mafbucks
    reasons = {b.reason for b in RULESET.ledger(board.game)}
    assert {"opening", "buy", "sell", "fine"} <= reasons
