"""What only the host gives: removals, grades, the choice of a story, coins carried in, a game called off."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Death, EngineError, Line, Notice, Order, Withdrawn
from engine.rulesets.league import RULESET
from tests.engine.league.board import opened, order, play, send, start, tables, verdict

CAST: dict[str, Any] = {
    "А": "mafioso",
    "Ы": "mafioso",
    "Б": "yakuza",
    "Ш": {"role": "shaman", "curse": "В"},
    "Н": "necromancer",
    "В": {"role": "citizen", "coins": 60},
    "Г": "citizen",
    "Д": "citizen",
}


def host(action: str, seat: str, /, *targets: str, **args: Any) -> Order:
    return Order(seat, action, targets, args, ref=f"host {action} {seat}")


@pytest.mark.parametrize("action", ["remove", "leave"])
def test_a_removed_player_counts_as_departed_at_once(action: str) -> None:
    game, events = send(opened(start(CAST)), host(action, "А"))
    assert verdict(events) == "accepted"
    assert [(e.player, e.cause, e.by) for e in events if isinstance(e, Death)] == [("А", "left_town", None)]
    assert (RULESET.state(game)["А"]["left"], RULESET.state(game)["Ы"]["number"]) == (True, 1)
    assert [e.kind for e in events if isinstance(e, Line) and e.section == "thread"] == ["left"]


def test_the_report_of_the_turn_tells_of_the_removal() -> None:
    turn = play(start(CAST), host("remove", "Г"))
    assert "Из города уезжает Г — мирный житель." in turn.report
    assert "Г [мирный житель][отъезд]" in turn.report
    assert turn.dead == ["Г"]


def test_a_removed_shaman_releases_nothing() -> None:
    assert play(start(CAST), host("remove", "Ш")).dead == ["Ш"]


def test_a_removed_citizen_has_no_half_vote_and_cannot_return() -> None:
    game = play(start(CAST), host("remove", "Г")).game
    turn = play(game, "Г vote А", Order("В", "buy", ("Г",), {"item": "resurrect"}))
    assert turn.rejected == ["Г:vote:dead", "В:buy:left_target"]


def test_a_removed_players_moves_fail_and_his_vote_is_void() -> None:
    turn = play(start(CAST), "Ы kill В", "Ы vote В", host("remove", "Ы"))
    assert turn.outcomes == {"Ы:kill": "left_town"}
    assert turn.votes == {}
    assert turn.withdrawn == ["Ы vote В"]


def test_votes_for_a_removed_player_are_void_and_their_senders_have_not_kept_silent() -> None:
    game = start(CAST, voting={"missed_limit": 1})
    votes = [f"{seat} vote Г" for seat in "АЫБШНВ"]
    turn = play(game, *votes, host("remove", "Г"), "В vote А", "Д vote А")
    assert set(turn.withdrawn) == set(votes)
    assert turn.votes == {"А": 2}
    assert turn.of("Б")["missed"] == 0
    assert set(turn.dead) == {"Г", "А"}


def test_a_vote_made_void_tells_the_voter() -> None:
    game = opened(start(CAST), "В vote Г")
    _, events = send(game, host("remove", "Г"))
    assert [e.order.player for e in events if isinstance(e, Withdrawn)] == ["В"]


def test_a_removal_wakes_the_werewolf() -> None:
    game = opened(start({**CAST, "Ё": "werewolf"}))
    game, events = send(game, host("remove", "А"))
    assert RULESET.state(game)["Ё"]["faction"] == "mafia"
    assert [e.to for e in events if getattr(e, "kind", "") == "turned"] == ["Ё"]  # type: ignore[attr-defined]


def test_a_removal_may_end_the_game() -> None:
    turn = play(start({"А": "mafioso", "В": "citizen"}), host("remove", "А"))
    assert turn.winner == "civilians"
    assert (turn.bonus("А"), turn.bonus("В")) == (2, 6)


def test_the_dead_cannot_be_removed_and_strangers_neither() -> None:
    game = opened(start({**CAST, "1": {"role": "citizen", "alive": False}}))
    assert verdict(send(game, host("remove", "1"))[1]) == "dead"
    assert verdict(send(game, host("remove", "Гость"))[1]) == "bad_target"


def test_a_removal_between_two_turns_is_told_in_the_next_report() -> None:
    game = play(start(CAST)).game
    game, _ = send(game, host("remove", "Г"))
    assert "Из города уезжает Г" in play(game).report


# stories


def test_a_grade_by_the_host_counts() -> None:
    turn = play(start(CAST), "Ы kill В", host("grade", "Ы", action="kill", grade=4))
    assert turn.bonus("Ы") == 4


def test_a_grade_survives_a_change_of_the_victim() -> None:
    turn = play(start(CAST), "Ы kill В", host("grade", "Ы", action="kill", grade=5), Order("Ы", "kill", ("Г",)))
    assert (turn.dead, turn.bonus("Ы")) == (["Г"], 5)


def test_a_story_graded_after_the_day_has_opened_is_corrected_by_a_booking() -> None:
    turn = play(start(CAST, stories={"kill_default": 2}), "Ы kill В")
    assert turn.bonus("Ы") == 2
    game, events = send(turn.game, host("grade", "Ы", action="kill", grade=5, turn=1))
    assert verdict(events) == "accepted"
    assert RULESET.balances(game)["bonus"]["Ы"] == 5
    game, _ = send(game, host("grade", "Ы", action="kill", grade=1, turn=1))
    assert RULESET.balances(game)["bonus"]["Ы"] == 1
    assert [b.amount for b in RULESET.ledger(game) if b.seat == "Ы" and "grade" in b.reason] == [3, 4]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (host("grade", "Ы", action="kill", grade=3), "no_story"),
        (host("grade", "В", action="hang_story", grade=3, turn=0), "no_story"),
        (host("grade", "В", action="hang_story"), "bad_value"),
        (host("grade", "В", action="рассказ", grade=3), "bad_value"),
        (host("choose_story", "В", "А"), "no_story"),
        (host("grant", "В", debt=-1), "bad_value"),
        (host("grant", "В", coins=-1), "bad_value"),
    ],
)
def test_a_hosts_order_that_cannot_be(sent: Order, reason: str) -> None:
    assert verdict(send(opened(start(CAST)), sent)[1]) == reason


def test_the_hosts_choice_comes_before_the_earliest_but_after_the_hanged_mans_own() -> None:
    told = [order("В hang_story А", story="Первый."), order("Г hang_story А", story="Второй.")]
    assert "Рассказ: Первый." in play(start(CAST), *told, "Д vote А").report
    choice = host("choose_story", "Г", "А")
    assert "Рассказ: Второй." in play(start(CAST), *told, choice, "Д vote А").report
    own = order("А hang_story А", story="Последний.")
    assert "Рассказ: Последний." in play(start(CAST), *told, choice, own, "Д vote А").report


def test_evening_the_host_writes_the_hanging_story_where_nobody_did() -> None:
    own = host("write_story", "А", story="Верёвка скрипела.")
    turn = play(start(CAST), own, "Д vote А")
    assert "Рассказ: Верёвка скрипела." in turn.report
    assert {seat: turn.bonus(seat) for seat in "АБВ"} == {"А": 0, "Б": 0, "В": 0}
    assert "Верёвка" not in play(start(CAST), own, "Г hang_story А", "Д vote А").report
    assert "Верёвка" not in play(start(CAST), own, "Д vote Б").report


def test_evening_a_story_left_over_is_printed_and_paid_on_another_day() -> None:
    first = play(start(CAST), order("Г hang_story Д", story="Про Д."), order("В hang_story А", story="Про А."), "Д vote А")
    assert [(one.turn, one.author, one.about) for one in RULESET.left_over(first.game)] == [(1, "Г", "Д")]
    second = play(first.game, host("choose_story", "Г", "Б", turn=1), "В vote Б")
    assert "Рассказ: Про Д." in second.report
    assert second.bonus("Г") == 2
    assert RULESET.left_over(second.game) == ()
    assert verdict(send(opened(second.game), host("choose_story", "Г", "Н", turn=1))[1]) == "no_story"


def test_evening_whoever_would_hang_without_a_story_is_known_before_the_gap_ends() -> None:
    voted = opened(start(CAST), "Г hang_story Д", "Д vote А")
    assert RULESET.untold(voted) is None
    game, _ = RULESET.mark(voted, "deadline", Chance(0))
    assert RULESET.untold(game) == "А"
    for told in (host("write_story", "А", story="Так."), order("В hang_story А")):
        assert RULESET.untold(send(game, told)[0]) is None


def test_evening_the_host_takes_one_late_contract() -> None:
    game = opened(start({**CAST, "Х": "mercenary"}), "half")
    late = Order("В", "contract_kill", ("Б",), {"coins": 20})
    assert verdict(send(game, late)[1]) == "late_order"
    taken, events = send(game, host("late_contract", "В", "Б", coins=20))
    assert verdict(events) == "accepted"
    assert [e.to for e in events if isinstance(e, Notice) and e.kind == "work_question"] == ["Х"]
    assert RULESET.balances(taken)["held"]["В"] == 20
    assert verdict(send(taken, late)[1]) == "late_order"
    answered, _ = send(taken, "Х accept_work")
    assert verdict(send(answered, host("late_contract", "В", "А", coins=20))[1]) == "late_order"
    assert verdict(send(game, host("late_contract", "Г", "Б", coins=20))[1]) == "not_enough_coins"


def test_evening_a_warning_of_the_hosts_own_counts_and_he_may_be_lenient() -> None:
    game, events = send(opened(start(CAST)), host("charge", "В", cost=15))
    assert [dict(e.data) for e in events if isinstance(e, Notice)] == [{"count": 1, "cost": 15}]
    game, _ = send(game, host("charge", "В", cost=20))
    assert RULESET.balances(game)["fine"]["В"] == 35
    game, _ = send(game, host("leniency", "В", cost=5))
    assert RULESET.balances(game)["fine"]["В"] == 5
    game, _ = send(game, host("charge", "В", cost=10))
    assert RULESET.balances(game)["fine"]["В"] == 15
    assert verdict(send(game, host("leniency", "В", cost=99))[1]) == "bad_value"


def test_evening_a_pot_whose_beneficiary_is_dead_is_stranded() -> None:
    game = start(CAST)
    game = play(game, Order("В", "pool", (), {"item": "necro_shield", "coins": 10})).game
    assert RULESET.stranded(game) == ()
    game = play(game, "Д vote Н", Order("В", "pool", (), {"item": "necro_shield", "coins": 5})).game
    (pot,) = RULESET.stranded(game)
    assert (pot.item, dict(pot.shares), pot.goals) == ("necro_shield", {"В": 15}, ())


# money


def test_coins_and_debts_of_earlier_games_are_carried_in() -> None:
    seats = [f"И{i}" for i in range(8)]
    game, _ = RULESET.deal(seats, tables(), Chance(3))
    game, _ = send(game, host("grant", "И0", coins=40, debt=7))
    assert (RULESET.balances(game)["coins"]["И0"], RULESET.balances(game)["fine"]["И0"]) == (40, 7)


def test_a_game_called_off_gives_everything_back_once() -> None:
    game = play(start({**CAST, "Х": "mercenary"}), Order("В", "buy", (), {"item": "net"}), "Ы kill Г", "В vote А").game
    game = opened(
        game, Order("В", "pool", (), {"item": "extra_check", "coins": 10}), Order("В", "contract_kill", ("Б",), {"coins": 20})
    )
    game, _ = send(game, host("abort", "В"))
    assert {account: table["В"] for account, table in RULESET.balances(game).items()} == {
        "coins": 60,
        "held": 0,
        "pooled": 0,
        "bonus": 0,
        "fine": 0,
    }
    assert RULESET.stage(game) == "over"
    assert RULESET.payout(game)["В"] == (60, 0)
    before = RULESET.ledger(game)
    game, events = send(game, host("abort", "В"))
    assert verdict(events) == "not_allowed"
    assert RULESET.ledger(game) == before


def test_after_the_end_only_grades_are_taken() -> None:
    turn = play(start({"А": "mafioso", "В": "citizen", "Г": "citizen"}), "А kill В", "Г vote А", "Г hang_story А")
    over = turn.game
    assert RULESET.stage(over) == "over"
    assert verdict(send(over, host("remove", "Г"))[1]) == "not_allowed"
    with pytest.raises(EngineError):
        send(over, "Г vote В")
    graded, events = send(over, host("grade", "Г", action="hang_story", grade=3, turn=1))
    assert verdict(events) == "accepted"
    assert RULESET.balances(graded)["bonus"]["Г"] == turn.bonus("Г") + 1
