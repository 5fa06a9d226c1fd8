"""Phase 0: points, measures of the host, what they void, and taking them back (R92-R96)."""

from __future__ import annotations

import pytest

from engine import scenario
from engine.model import EngineError, Withdrawn
from engine.rulesets.clans import RULESET
from forumbot import resources
from forumbot.writing import report
from tests.engine.clans.board import Board, Result, cast

CAST = """
Анна doctor
Вера commissioner
Соня chosen
Миша miner
Егор citizen
Жанна citizen
Захар citizen dead
Борис don red
Тимур thug red
Гоша bodyguard red dead
Дина don black
Макс maniac dead
"""


def violation(board: Board, player: str, kind: str = "role_reveal", **args: object) -> None:
    board.send(f"{player} host_violation", args={"kind": kind, **args})


def resolved(board: Board, *orders: str) -> Result:
    for order in orders:
        board.send(order)
    return board.close()


def opened(cast: str = CAST, **options: object) -> Board:
    board = Board(cast, **options)  # type: ignore[arg-type]
    board.open()
    return board


def test_words_of_all_posts_of_the_day_count_together_and_an_edit_replaces_its_post() -> None:
    board = opened(activity_penalties=True, words_required=10)
    for post, count in (("p1", 6), ("p2", 3), ("p1", 7)):
        board.send("Анна words", args={"count": count, "post": post})
    assert board.game.day_words("Анна") == 10
    assert RULESET.known(board.game, "Анна").more["words"] == 10
    board.send("Анна words", args={"count": 0, "post": "p1"})
    assert board.game.day_words("Анна") == 3
    board.close()
    board.open()
    assert board.game.day_words("Анна") == 0


def test_posts_of_the_dead_and_of_strangers_are_not_counted_and_refuse_nothing() -> None:
    board = opened()
    board.send("Захар words", args={"count": 9})
    board.send("Прохожий words", args={"count": 9})
    assert board.game.day_words("Захар") == 0 and board.refused == []


@pytest.mark.parametrize("count", [-1, "9", None, True])
def test_a_wrong_number_of_words_is_bad_input(count: object) -> None:
    with pytest.raises(EngineError):
        opened().send("Анна words", args={"count": count})


def test_both_points_are_told_with_their_running_totals_to_those_who_die_of_them_too() -> None:
    cast = CAST.replace("Анна doctor", "Анна doctor points=1")
    night = resolved(opened(cast, activity_penalties=True), "Анна heal Вера")
    assert night.causes["Анна"] == "autokill"
    assert night.told("Анна") == [
        ("penalty_point", {"reason": "words", "total": 2}),
        ("penalty_point", {"reason": "vote", "total": 3}),
    ]
    assert night.outcomes["Анна:heal"] == "actor_dead"


def test_a_ballot_taken_back_is_a_missing_ballot() -> None:
    board = opened(activity_penalties=True, words_required=0)
    night = resolved(board, "Анна vote Егор", "Анна unvote", "Вера vote Егор")
    assert ("penalty_point", {"reason": "vote", "total": 1}) in night.told("Анна")
    assert night.told("Вера") == []


def test_the_ballot_of_the_autokilled_stays_and_his_secret_votes_do_not() -> None:
    cast = CAST.replace("Соня chosen", "Соня chosen points=2")
    board = opened(cast, activity_penalties=True, penalty_limit=3)
    night = resolved(board, "Соня vote Егор", "Соня extra_votes Егор Егор")
    assert night.votes == {"Егор": 1}
    assert night.outcomes["Соня:extra_votes"] == "actor_dead"


def test_a_disqualified_player_gets_no_points() -> None:
    board = opened(activity_penalties=True)
    board.send("Егор host_disqualify")
    night = board.close()
    assert night.told("Егор") == [("penalty", {"measure": "disqualified"})]
    assert night.causes == {"Егор": "disqualified"} and board.state("Егор")["points"] == 0


def test_the_first_violation_takes_all_night_moves_whenever_they_came_and_leaves_the_ballot() -> None:
    board = opened()
    board.send("Соня extra_votes Егор")
    violation(board, "Соня")
    violation(board, "Миша")
    night = resolved(board, "Соня vote Жанна", "Миша mine Егор")
    assert night.votes == {"Жанна": 1}
    assert night.outcomes["Соня:extra_votes"] == night.outcomes["Миша:mine"] == "penalty"
    assert "mined_by" not in board.state("Егор")


def test_two_violations_of_one_day_lose_the_move_and_then_the_game() -> None:
    board = opened()
    board.send("Вера check Борис")
    violation(board, "Вера")
    violation(board, "Вера", "leak")
    violation(board, "Вера", "horn")
    board.send("Анна heal Егор")
    night = board.close()
    assert night.causes == {"Вера": "disqualified"}
    assert night.outcomes["Вера:check"] == "penalty"
    assert board.state("Вера")["violations"] == 2
    # The third was the violation of a disqualified player: her side pays, and has one order left.
    assert night.outcomes["Анна:heal"] == "penalty"
    assert ("penalty", {"measure": "clan_moves", "count": 1}) in night.told("Анна")


def test_the_clan_pays_for_its_dead_and_a_taken_kill_is_not_replaced() -> None:
    board = opened()
    violation(board, "Гоша", "dead_influence")
    board.chance.force("penalty_move", ["Борис:kill"])
    night = resolved(board, "Борис kill Егор", "Тимур kill Жанна", "Борис check Анна", "Дина kill Анна")
    assert night.outcomes["Борис:kill"] == "penalty" and night.outcomes["Тимур:kill"] == "outranked"
    assert night.dead == {"Анна"}
    (draw,) = board.chance.record
    assert draw.options == ("Борис:kill", "Борис:check")


def test_each_further_violation_of_a_side_takes_one_move_more() -> None:
    board = opened(state={"clan_violations": {"red": 1}})
    violation(board, "Гоша")
    board.chance.force("penalty_move", ["Тимур:beat", "Борис:check"])
    night = resolved(board, "Борис kill Егор", "Борис check Анна", "Тимур beat Анна")
    assert night.dead == {"Егор"}
    assert [draw.picked for draw in board.chance.record] == ["Тимур:beat", "Борис:check"]
    assert ("penalty", {"measure": "clan_moves", "count": 2}) in night.told("Тимур")


def test_the_civilians_are_a_side_too_and_the_dead_maniac_has_none() -> None:
    board = opened()
    violation(board, "Захар", "dead_influence")
    violation(board, "Макс", "dead_influence")
    night = resolved(board, "Егор hunt Борис")
    assert night.outcomes["Егор:hunt"] == "penalty" and night.dead == set()
    assert night.told("Дина") == [] and night.told("Борис") == []


def test_a_hunt_taken_away_is_not_in_the_draw() -> None:
    board = opened()
    violation(board, "Егор")
    night = resolved(board, "Егор hunt Борис", "Жанна hunt Дина")
    assert night.causes == {"Дина": "hunt"} and board.chance.record == []


def test_a_warning_counts_for_nothing_and_reaches_the_dead() -> None:
    board = opened()
    for player in ("Анна", "Захар"):
        violation(board, player, "coalition", proof=False)
    night = resolved(board, "Анна heal Вера")
    assert night.outcomes["Анна:heal"] == "done" and night.winner is None
    assert night.told("Захар") == [("penalty", {"measure": "warning"})]
    assert board.state("Анна")["violations"] == 0


def test_a_coalition_ends_the_game_with_what_came_before_it_in_force() -> None:
    board = opened(activity_penalties=True)
    board.send("Жанна host_disqualify")
    violation(board, "Захар", "coalition")
    violation(board, "Анна", "horn")
    night = resolved(board, "Вера vote Егор", "Дина kill Егор")
    assert night.causes == {"Жанна": "disqualified"}
    assert night.winner == "draw" and night.votes == {} and night.lynched == []
    assert set(night.outcomes) == {"Жанна:host_disqualify", "Захар:host_violation", "Анна:host_violation"}
    assert night.told("Анна") == [] and night.told("Жанна") == [("penalty", {"measure": "disqualified"})]
    assert night.newspaper == [
        "Газета. День 1",
        "Игра прекращена ведущим",
        "Жанна: дисквалификация",
        "Ничья",
        "В живых: Анна, Вера, Соня, Миша, Егор, Борис, Тимур, Дина",
    ]
    assert RULESET.stage(board.game) == "over"


def test_the_table_of_violations_says_what_follows() -> None:
    board = opened(violations={"horn": "ladder", "coalition": "disqualify", "leak": "end_game"})
    violation(board, "Егор", "horn")
    violation(board, "Жанна", "coalition")
    assert board.close().causes == {"Жанна": "disqualified"}
    board.open()
    violation(board, "Анна", "leak")
    assert board.close().winner == "draw"


@pytest.mark.parametrize("args", [{}, {"kind": "rudeness"}, {"kind": "horn", "proof": "да"}])
def test_a_measure_with_wrong_args_is_bad_input(args: dict[str, object]) -> None:
    with pytest.raises(EngineError) as caught:
        opened().send("Анна host_violation", args=args)
    assert caught.value.place.startswith("args.")


@pytest.mark.parametrize(
    ("order", "place"),
    [
        ({"action": "host_violation"}, "args.kind"),
        ({"action": "host_violation", "args": {"kind": "rudeness"}}, "args.kind"),
        ({"action": "host_disqualify", "targets": ["Борис"]}, "targets"),
    ],
)
def test_a_wrong_measure_in_a_scenario_is_told_with_its_place_in_the_list(order: dict[str, object], place: str) -> None:
    votes = [{"player": "Анна", "target": "Борис"}]
    right = {"player": "Анна", "action": "host_violation", "args": {"kind": "horn"}}
    turn = {"votes": votes, "orders": [right, {"player": "Анна", **order}]}
    data = {"ruleset": "clans", "players": cast(CAST), "turns": [turn]}
    with pytest.raises(EngineError) as caught:
        scenario.run(scenario.parse(data), resources.tables("clans"), report.plain)
    assert caught.value.place == f"turns[0].orders[1].{place}"


def test_a_measure_given_between_two_days_counts_for_the_next() -> None:
    board = Board(CAST)
    board.turn()
    board.send("Егор host_disqualify")
    assert board.turn().causes == {"Егор": "disqualified"}


def test_a_measure_of_today_is_taken_back_as_if_never_given() -> None:
    board = opened()
    violation(board, "Вера")
    events = board.send("Вера host_undo")
    assert any(isinstance(event, Withdrawn) for event in events)
    night = resolved(board, "Вера check Борис")
    assert night.outcomes == {"Вера:check": "done"}
    assert board.state("Вера")["violations"] == 0


def test_a_violation_of_former_days_is_struck_from_the_record() -> None:
    board = opened()
    violation(board, "Вера")
    violation(board, "Гоша")
    board.close()
    board.open()
    board.send("Вера host_undo")
    board.send("Гоша host_undo")
    assert board.state("Вера")["violations"] == 0
    violation(board, "Вера")
    violation(board, "Гоша")
    night = board.close()
    assert night.dead == set()
    assert ("penalty", {"measure": "clan_moves", "count": 1}) in night.told("Борис")


def test_nothing_to_take_back_is_told_to_the_host() -> None:
    with pytest.raises(EngineError, match="Анна"):
        opened().send("Анна host_undo")
