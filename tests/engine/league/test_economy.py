"""The ledger: bookings with reasons, each once; pots; fines; what the next game gets."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import EngineError, Order
from engine.rulesets.league import RULESET
from engine.rulesets.league.economy import Bookkeeper, Ledger, Pot
from tests.engine.league.board import opened, play, send, start, verdict

CAST: dict[str, Any] = {
    "А": "mafioso",
    "Б": "yakuza",
    "К": "commissioner",
    "Щ": "necromancer",
    "В": {"role": "citizen", "coins": 60},
    "Г": {"role": "citizen", "coins": 60},
    "Д": {"role": "citizen", "coins": 60},
}


def pool(seat: str, item: str, coins: int, *target: str) -> Order:
    return Order(seat, "pool", target, {"item": item, "coins": coins})


def agree(seat: str, source: str, to: str, *target: str, from_target: str = "") -> Order:
    return Order(seat, "pool_agree", target, {"from": source, "to": to} | ({"from_target": from_target} if from_target else {}))


def test_a_balance_is_the_sum_of_its_bookings() -> None:
    turn = play(start(CAST), Order("В", "buy", (), {"item": "net"}), "Г true_sight А", pool("Д", "necro_shield", 20), "Д vote А")
    game = turn.game
    for account, table in RULESET.balances(game).items():
        for seat, balance in table.items():
            mine = [b for b in RULESET.ledger(game) if b.seat == seat]
            assert balance == sum(b.amount for b in mine if b.sink == account) - sum(
                b.amount for b in mine if b.source == account
            )


def test_every_booking_says_why_and_where_from() -> None:
    game = opened(start(CAST), Order("В", "true_sight", ("А",), {}, ref="post 17"))
    made = [b for b in RULESET.ledger(game) if b.seat == "В" and b.ref == "post 17"]
    assert [(b.source, b.sink, b.amount, b.reason, b.about) for b in made] == [
        ("coins", "shop", 10, "R96 true_sight", ""),
        ("bank", "bonus", 3, "R96 true_sight", "А"),
    ]
    assert [b.number for b in RULESET.ledger(game)] == list(range(1, len(RULESET.ledger(game)) + 1))


def test_the_same_fact_is_never_booked_twice() -> None:
    books = Bookkeeper(Ledger())
    books.book(1, "В", 5, "bank", "coins", "test", "once")
    with pytest.raises(EngineError):
        books.book(1, "В", 5, "bank", "coins", "test", "once")
    again = Bookkeeper(books.done())
    with pytest.raises(EngineError):
        again.book(2, "Г", 1, "bank", "coins", "test", "once")
    assert again.done().balance("В", "coins") == 5


def test_a_negative_amount_goes_the_other_way() -> None:
    books = Bookkeeper(Ledger())
    books.book(1, "В", -3, "bank", "bonus", "test", "a")
    (booking,) = books.done().bookings
    assert (booking.source, booking.sink, booking.amount) == ("bonus", "bank", 3)


def test_an_old_game_is_not_touched_by_what_follows() -> None:
    game = opened(start(CAST))
    before = RULESET.balances(game)
    send(game, Order("В", "buy", (), {"item": "net"}))
    assert RULESET.balances(game) == before


# pots


def test_a_pot_takes_the_price_from_the_earliest_shares() -> None:
    pot = Pot("extra_check").with_share("В", 20).with_share("Г", 25).with_share("В", 3).with_share("Д", 10)
    assert pot.shares == (("В", 23), ("Г", 25), ("Д", 10))
    left, paid = pot.paid(50)
    assert paid == (("В", 23), ("Г", 25), ("Д", 2))
    assert left.shares == (("Д", 8),)


def test_a_full_pot_buys_at_once_and_cuts_the_last_share() -> None:
    turn = play(start(CAST), pool("В", "extra_check", 30), pool("Г", "extra_check", 60), pool("Д", "extra_check", 5))
    assert (turn.coins("В"), turn.coins("Г"), turn.coins("Д")) == (30, 40, 55)
    assert turn.coins("Д", "pooled") == 5
    assert turn.report.count("Куплено: дополнительный ход комиссару.") == 1
    assert turn.game.extra_checks == 1


def test_a_pot_for_every_dead_player() -> None:
    game = start({**CAST, "1": {"role": "citizen", "alive": False}, "2": {"role": "mafioso", "alive": False}})
    turn = play(game, pool("В", "resurrect", 30, "1"), pool("Г", "resurrect", 50, "2"), pool("Д", "resurrect", 20, "1"))
    assert {seat: turn.of(seat)["alive"] for seat in "12"} == {"1": True, "2": True}
    assert turn.of("2")["number"] == 2
    assert turn.coins("Д", "pooled") == 0
    assert "Куплено: воскрешение (1)." in turn.report


def test_both_gangs_have_their_own_pot() -> None:
    rich = {**CAST, "А": {"role": "mafioso", "coins": 40}, "Б": {"role": "yakuza", "coins": 40}}
    turn = play(start(rich), pool("А", "extra_shot", 20), pool("Б", "extra_shot", 30))
    assert turn.told("extra_shot_ready") == ["Б"]
    assert (turn.coins("А", "pooled"), turn.coins("Б", "pooled")) == (20, 0)
    assert "Куплено" not in turn.report


def test_a_pot_of_shots_stays_for_the_next_turn() -> None:
    rich = {**CAST, "А": {"role": "mafioso", "coins": 40}}
    turn = play(start(rich), pool("А", "extra_shot", 20))
    turn = play(turn.game, pool("А", "extra_shot", 20))
    assert turn.notices("extra_shot_ready") == [{"shots": 1}]
    assert turn.coins("А") == 10


def test_the_money_moves_when_the_last_living_contributor_agrees_to_the_same_purchase() -> None:
    game = play(start(CAST), pool("В", "necro_shield", 20), pool("Г", "necro_shield", 10), "А kill Щ").game
    game = opened(game)
    game, _ = send(game, agree("В", "necro_shield", "extra_check"))
    assert game.pots[0].item == "necro_shield"
    game, _ = send(game, agree("В", "necro_shield", "extra_check"))
    game, _ = send(game, agree("Г", "necro_shield", "extra_check"))
    assert [(p.item, p.shares) for p in game.pots] == [("extra_check", (("В", 20), ("Г", 10)))]
    assert RULESET.balances(game)["pooled"]["В"] == 20


def test_without_a_necromancer_the_money_cannot_move_to_a_shield() -> None:
    game = play(start(CAST), pool("В", "necro_shield", 20), "А kill Щ").game
    for to in ("necro_shield", "resurrect"):
        assert verdict(send(opened(game), agree("В", "necro_shield", to, "Щ"))[1]) == "no_necromancer"


def test_a_pot_for_a_resurrection_may_move_too() -> None:
    game = start({**CAST, "1": {"role": "citizen", "alive": False}})
    game = play(game, pool("В", "resurrect", 49, "1"), "А kill Щ").game
    game, events = send(opened(game), agree("В", "resurrect", "extra_check", from_target="1"))
    assert verdict(events) == "accepted"
    assert [p.item for p in game.pots] == ["extra_check"]


def test_pots_of_a_scenario_have_gangs_and_targets() -> None:
    pools = [
        {"item": "extra_shot", "player": "А", "coins": 25, "faction": "mafia"},
        {"item": "resurrect", "player": "В", "coins": 30, "target": "1"},
        {"item": "resurrect", "player": "Г", "coins": 10, "target": "1"},
    ]
    cast = {**CAST, "А": {"role": "mafioso", "coins": 5}, "1": {"role": "citizen", "alive": False}}
    turn = play(start(cast, state={"pools": pools}), pool("А", "extra_shot", 5), pool("Д", "resurrect", 10, "1"))
    assert turn.told("extra_shot_ready") == ["А"]
    assert turn.of("1")["alive"] is True


# contracts and fines


def test_a_lock_returns_once_and_is_empty_between_turns() -> None:
    turn = play(start({**CAST, "Н": "mercenary"}), Order("В", "contract_kill", ("А",), {"coins": 30}))
    assert (turn.coins("В"), turn.coins("В", "held")) == (60, 0)
    assert [b.reason for b in RULESET.ledger(turn.game) if b.seat == "В"][1:] == ["R80 held", "R84 returned"]


def test_several_contracts_are_locked_each_for_itself() -> None:
    game = opened(
        start({**CAST, "Н": "mercenary"}),
        Order("В", "contract_kill", ("А",), {"coins": 30}),
        Order("В", "contract_kill", ("Б",), {"coins": 30}),
    )
    assert (RULESET.balances(game)["coins"]["В"], RULESET.balances(game)["held"]["В"]) == (0, 60)
    assert verdict(send(game, Order("В", "contract_kill", ("Б",), {"coins": 10}))[1]) == "not_enough_coins"


def test_a_fine_is_taken_from_coins_first_and_the_rest_is_carried_as_a_debt() -> None:
    cast = {"А": "mafioso", "В": {"role": "citizen", "coins": 4, "warnings": 1, "unpaid": 30}, "Г": "citizen"}
    turn = play(start(cast), Order("В", "buy", (), {"item": "armour_mafia"}), "Г vote А", "В vote А")
    assert turn.winner == "civilians"
    assert (turn.coins("В"), turn.bonus("В"), turn.coins("В", "fine")) == (0, 0, 45 - 4 - 7)
    assert RULESET.payout(turn.game)["В"] == (0, 34)


def test_a_negative_bonus_is_carried_on() -> None:
    cast = {"А": "mafioso", "Б": "mafioso", "В": {"role": "citizen", "coins": 10}, "М": {"role": "mafioso", "alive": False}}
    game = start(cast, coins={"played": 0, "win_alive": 0, "win_dead": 0}, state={"duty": {"mafia": 1}})
    turn = play(game, "А kill В", "А vote Б")
    assert turn.winner == "mafia"
    assert RULESET.payout(turn.game) == {"А": (-1, 0), "Б": (0, 0), "В": (10, 0), "М": (0, 0)}


def test_a_payout_is_for_a_game_that_is_over() -> None:
    with pytest.raises(EngineError):
        RULESET.payout(start(CAST))


def test_a_players_purse_hides_his_earnings_until_the_end() -> None:
    game = opened(start(CAST), "В true_sight А")
    assert RULESET.purse(game, "В") == {"coins": 50, "held": 0, "pooled": 0, "fine": 0}
    over = play(start({"А": "mafioso", "В": "citizen"}), "В vote А").game
    assert RULESET.purse(over, "В")["bonus"] == 1 + 2 + 4


def test_belongings_are_told_to_their_owner() -> None:
    game = opened(start(CAST), Order("В", "buy", (), {"item": "net"}), Order("В", "buy", (), {"item": "armour_mafia"}))
    assert RULESET.belongings(game, "В") == ("armour_mafia", "net")


def test_a_pot_that_pays_for_very_many_buys_them_at_once() -> None:
    """R100: a rich pot moved to a cheap purchase; bookings and time do not grow with the number of goods."""
    cast = {
        "М": {"role": "mafioso"},
        "К": {"role": "commissioner"},
        "Н": {"role": "necromancer"},
        "Б": {"role": "citizen", "coins": 400_000},
        "У": {"role": "citizen", "alive": False},
    }
    game = start(cast, prices={"resurrect": 500_000, "extra_check": 100})
    pooled = Order("Б", "pool", ("У",), {"item": "resurrect", "coins": 400_000})
    turn = play(game, pooled, "М vote Н", "Б vote Н")
    moved = play(turn.game, Order("Б", "pool_agree", (), {"from": "resurrect", "from_target": "У", "to": "extra_check"}))
    assert moved.game.extra_checks == 4000
    assert moved.coins("Б", "pooled") == 0
    assert len([b for b in moved.game.ledger.bookings if b.reason == "R99 paid extra_check"]) == 1
