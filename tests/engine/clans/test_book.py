"""Orders on their way into the book: slots, refusals in their order, taking back, appointments, views."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.model import Accepted, EngineError, Notice, Withdrawn
from engine.rulesets.clans import RULESET, roles
from engine.rulesets.clans.refusals import REFUSALS
from tests.engine.clans.board import Board

CAST = """
Анна doctor
Вера commissioner
Глеб shooter bullets=0
Егор citizen dead
Соня chosen
Жанна citizen
Борис don red
Лола seductress red
Гоша bodyguard red
Артём artist red
Тимур thug red dead
Дина don black
Макс maniac
"""


@pytest.fixture
def game() -> Board:
    board = Board(CAST)
    board.open()
    return board


def test_refusals_stand_in_the_order_of_the_rules() -> None:
    given = [reason for reason, _, _ in REFUSALS]
    assert given == [reason for reason in roles.REJECTIONS if reason != "unknown_nick"]


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("Егор check Егор", "dead_player"),
        ("Жанна check Егор", "not_your_action"),
        ("Макс hunt Анна", "not_your_action"),
        ("Борис hunt Дина", "not_your_action"),
        ("Жанна kill Дина", "not_your_action"),
        ("Артём check Анна", "not_your_action"),
        ("Анна heal", "bad_targets"),
        ("Анна heal Вера Глеб", "bad_targets"),
        ("Анна unvote Вера", "bad_targets"),
        ("Соня extra_votes", "bad_targets"),
        ("Анна vote Егор", "dead_target"),
        ("Лола seduce Лола", "self_target"),
        ("Лола seduce Борис", "own_clan"),
        ("Гоша guard Дина", "not_own_clan"),
        ("Глеб shoot Егор", "dead_target"),
        ("Глеб shoot Глеб", "self_target"),
        ("Глеб shoot Борис", "no_bullets"),
        ("Соня extra_votes Анна Анна Анна", "too_many_votes"),
        ("Дина replace_role", "bad_role"),
        ("Макс cancel Анна", "bad_targets"),
    ],
)
def test_the_first_reason_that_applies_is_given(game: Board, order: str, reason: str) -> None:
    events = game.send(order)
    player, action = order.split()[:2]
    assert game.refused == [f"{player}:{action}:{reason}"]
    notice = events[-1]
    assert isinstance(notice, Notice) and notice.kind == "order_rejected" and notice.data["reason"] == reason
    assert game.game.book == ()


@pytest.mark.parametrize("order", ["Гоша guard Гоша", "Анна heal Анна", "Соня vote Соня", "Соня extra_votes Соня Соня"])
def test_some_may_name_themselves(game: Board, order: str) -> None:
    game.send(order)
    assert game.refused == []


def test_an_unknown_action_or_target_is_bad_input_and_an_unknown_sender_is_refused(game: Board) -> None:
    with pytest.raises(EngineError) as caught:
        game.send("Анна heel Вера")
    assert caught.value.meant == "heal"
    with pytest.raises(EngineError) as caught:
        game.send("Анна heal Вира")
    assert (caught.value.place, caught.value.meant) == ("targets[0]", "Вера")
    game.send("Прохожий vote Анна")
    assert game.refused == ["Прохожий:vote:not_your_action"]


def test_a_later_order_replaces_the_earlier_one_of_its_slot_only(game: Board) -> None:
    game.send("Борис check Анна")
    game.send("Борис kill Анна")
    game.send("Борис vote Анна")
    events = game.send("Борис check Вера")
    assert isinstance(events[0], Accepted)
    assert [event.order.targets for event in events if isinstance(event, Withdrawn)] == [("Анна",)]
    assert [(o.action, o.targets) for o in RULESET.standing(game.game, "Борис")] == [
        ("kill", ("Анна",)),
        ("vote", ("Анна",)),
        ("check", ("Вера",)),
    ]


def test_a_refused_order_replaces_nothing(game: Board) -> None:
    game.send("Анна heal Вера")
    game.send("Анна heal Егор")
    assert [order.targets for order in RULESET.standing(game.game, "Анна")] == [("Вера",)]


@pytest.mark.parametrize("word", ["cancel", "pass"])
def test_taking_back_empties_the_night_and_leaves_the_ballot(game: Board, word: str) -> None:
    for order in ("Анна heal Вера", "Анна hunt Борис", "Анна vote Борис"):
        game.send(order)
    events = game.send(f"Анна {word}")
    assert sum(isinstance(event, Withdrawn) for event in events) == 2
    assert [order.action for order in RULESET.standing(game.game, "Анна")] == ["vote"]
    game.send("Анна unvote")
    assert RULESET.standing(game.game, "Анна") == ()


def test_no_move_keeps_reminders_away_until_a_move_is_sent(game: Board) -> None:
    owing: Callable[[], object] = lambda: RULESET.owing(game.game).get("Анна")  # noqa: E731
    assert owing() == ("vote", "heal")
    game.send("Анна pass")
    assert owing() == ("vote",)
    game.send("Анна heal Вера")
    game.send("Анна cancel")
    assert owing() == ("vote", "heal")


def test_who_owes_what(game: Board) -> None:
    owed = RULESET.owing(game.game)
    assert owed["Борис"] == ("vote", "check", "kill")
    assert owed["Гоша"] == ("vote", "guard")
    assert owed["Глеб"] == ("vote",)
    assert owed["Соня"] == ("vote", "extra_votes")
    assert "Егор" not in owed
    game.send("Гоша kill Анна")
    game.send("Соня hunt Борис")
    game.send("Соня vote Борис")
    owed = RULESET.owing(game.game)
    assert owed["Борис"] == ("vote", "check") and "Соня" not in owed
    game.close()
    assert RULESET.owing(game.game) == {}


def test_the_host_sees_the_running_count_with_secret_votes_and_the_ballots_without(game: Board) -> None:
    game.send("Анна vote Борис")
    game.send("Соня extra_votes Борис Вера")
    assert RULESET.votes(game.game) == {"Вера": 1.0, "Борис": 2.0}
    assert RULESET.ballots(game.game) == {"Анна": "Борис"}


def test_an_appointment_works_at_once(game: Board) -> None:
    game.send("Борис replace_role", args={"role": "thug"})
    game.send("Артём beat Анна")
    assert game.refused == []
    assert [n.to for n in game.answers if isinstance(n, Notice)] == ["Борис", "Артём"]
    assert game.state("Артём")["acts_as"] == "thug"
    night = game.close()
    assert night.outcomes == {"Борис:replace_role": "done", "Артём:beat": "done"}


@pytest.mark.parametrize(
    ("sender", "role", "reason"),
    [
        ("Артём", "thug", "not_your_action"),
        ("Гоша", "thug", "not_your_action"),
        ("Борис", "artist", "bad_role"),
        ("Борис", "bodyguard", "role_not_vacant"),
        ("Дина", "thug", "no_artist"),
    ],
)
def test_whom_and_to_what_an_artist_is_appointed(game: Board, sender: str, role: str, reason: str) -> None:
    game.send(f"{sender} replace_role", args={"role": role})
    assert game.refused == [f"{sender}:replace_role:{reason}"]


def test_an_artist_who_acts_as_don_may_write_but_has_been_appointed(game: Board) -> None:
    game.send("Анна vote Борис")
    game.close()
    game.open()
    game.send("Артём replace_role", args={"role": "don"})
    game.send("Артём replace_role", args={"role": "thug"})
    assert game.refused == ["Артём:replace_role:already_appointed"]


def test_a_role_whose_holder_dies_tonight_is_vacant_from_the_next_turn() -> None:
    board = Board(CAST.replace("Тимур thug red dead", "Тимур thug red"))
    board.open()
    board.send("Анна vote Тимур")
    board.send("Борис replace_role", args={"role": "thug"})
    assert board.refused == ["Борис:replace_role:role_not_vacant"]
    board.close()
    board.open()
    board.send("Борис replace_role", args={"role": "thug"})
    assert board.refused == []


def test_the_memory_of_repeats_belongs_to_the_player() -> None:
    """R9: the artist starts afresh where the dead don has checked already."""
    board = Board(CAST)
    board.turn("Борис check Вера", "Анна vote Глеб")
    board.turn("Анна vote Борис")
    board.open()
    board.send("Артём replace_role", args={"role": "don"})
    board.send("Артём check Вера")
    assert board.refused == []


def test_a_turn_cannot_be_opened_twice_nor_closed_unopened() -> None:
    board = Board(CAST)
    with pytest.raises(EngineError):
        board.close()
    board.open()
    with pytest.raises(EngineError):
        board.open()
    with pytest.raises(EngineError):
        RULESET.mark(board.game, "lynch", board.chance)
