"""A doubtful message is put to its player first; his number settles it, and the host sees only what stays open."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.hosting.explain.replaying import replay_game
from forumbot.hosting.inbox import digest
from forumbot.store.tables import inputs, verdicts
from tests.forumbot.hosting.hosts import does
from tests.forumbot.hosting.league.conftest import day as league_day
from tests.forumbot.hosting.league.conftest import night
from tests.forumbot.hosting.league.table import coins, match, red, told, who
from tests.forumbot.hosting.world import DAY_ONE, World, roles, votes

__all__ = ["league_day", "night"]


def open_reviews(world: World) -> int:
    with world.store.read() as connection:
        return len(digest.open_reviews(connection, world.game, 1))


def doubtful(world: World) -> str:
    """A vote for two; gives what its author is asked by PM."""
    world.says("Анна", "[color=blue]Вера, Павел[/color]")
    world.settle()
    return last(world)


def last(world: World, nick: str = "Анна") -> str:
    return world.forum.pms_to(nick)[-1][1]


def answers(world: World, text: str, nick: str = "Анна") -> str:
    world.pm(nick, text, "Re: вопрос")
    world.settle()
    return last(world, nick)


@pytest.mark.parametrize("answer", ["1", "первое", "Вариант 1, пожалуйста", "№1"])
def test_a_number_settles_a_doubtful_vote(day: World, answer: str) -> None:
    asked = doubtful(day)
    assert "1 — голос: Вера" in asked
    assert "2 — голос: Павел" in asked
    assert "0 — это не ход" in asked
    assert open_reviews(day) == 1
    assert votes(day) == {}
    assert "Принято: голос: Вера" in answers(day, answer)
    assert votes(day) == {"Вера": 1}
    assert open_reviews(day) == 0


def test_the_player_may_change_his_mind(day: World) -> None:
    doubtful(day)
    answers(day, "1")
    answers(day, "2")
    assert votes(day) == {"Павел": 1}
    assert "не ход" in answers(day, "0")
    assert votes(day) == {}
    assert answers(day, "1")
    assert votes(day) == {"Вера": 1}


def test_yes_to_several_is_asked_again_and_settles_nothing(day: World) -> None:
    doubtful(day)
    assert "1 — голос: Вера" in answers(day, "да")
    assert votes(day) == {}
    assert open_reviews(day) == 1


def test_a_number_that_was_not_offered_settles_nothing(day: World) -> None:
    doubtful(day)
    assert "1 — голос: Вера" in answers(day, "7")
    assert votes(day) == {}


def test_numbers_of_two_open_questions_are_different(day: World) -> None:
    doubtful(day)
    day.says("Анна", "[color=blue]Глеб, Дина[/color]")
    day.settle()
    assert "3 — голос: Глеб" in last(day)
    answers(day, "4")
    assert votes(day) == {"Дина": 1}
    assert open_reviews(day) == 1


def test_a_clear_vote_settles_what_was_asked_before(day: World) -> None:
    doubtful(day)
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1}
    assert open_reviews(day) == 0


def test_nobody_settles_anothers_doubt(day: World) -> None:
    doubtful(day)
    day.pm("Борис", "1")
    day.settle()
    assert votes(day) == {}
    assert open_reviews(day) == 1


def test_an_answer_after_the_deadline_is_late(day: World) -> None:
    doubtful(day)
    day.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=1))
    day.settle()
    assert "Не принято" in answers(day, "1")
    late = sa.select(verdicts.c.outcome).where(verdicts.c.reason == "late")
    assert day.value(late) == "rejected"


def test_an_answered_game_replays_to_the_same_bytes(day: World) -> None:
    doubtful(day)
    answers(day, "1")
    answers(day, "2")
    day.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=1))
    with day.store.read() as connection:
        assert connection.execute(sa.select(inputs.c.struck).where(inputs.c.struck.is_not(None))).first()
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))


# Letters ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", ["", "01.12.2026, 14:02, Ведущий написал(а):"])
@pytest.mark.parametrize("mark", ["", "> ", "| "])
def test_our_own_question_that_comes_back_with_the_answer_is_nobodys_choice(day: World, above: str, mark: str) -> None:
    artemon, address = next(seat for seat, role in roles(day).items() if role == "artemon"), "artemon@example.net"
    does(day, "bind", player=artemon, address=address)
    day.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=2))
    day.mail.arrives(address, "ход", "Бью Анну или Марка")
    day.settle()
    question = day.mail.letters_to(address)[-1][1]
    assert "2 — " in question
    quoted = "\r\n".join(mark + line for line in question.splitlines())
    day.mail.arrives(address, "Re: вопрос", f"2\r\n\r\n{above}\r\n{quoted}")
    day.settle()
    with day.store.read() as connection:
        match = record.fold(connection, record.load(connection, day.game))
    assert [(order.action, order.targets) for order in match.ruleset.standing(match.game, artemon)] == [("beat", ("Марк",))]


# A paid order twice -------------------------------------------------------------------------------------------------------


def buys(world: World, nick: str, text: str) -> str:
    world.pm(nick, text)
    world.settle()
    return last(world, nick)


@pytest.mark.parametrize(
    "text",
    [
        "Покупаю броню от мафии",
        "Покупаю дополнительный голос",
        "Истинное зрение: {other}",
        "Заказ на убийство: {other}, 15 монет",
        "скидываю 5 монет на щит некроманту",
    ],
)
def test_h04_a_paid_order_that_comes_twice_is_paid_once(league_day: World, text: str) -> None:
    me, other = who(league_day, "citizen"), who(league_day, "citizen", 1)
    assert "Принято" in buys(league_day, me, text.format(other=other))
    once = coins(league_day, me)
    assert once < 100
    assert "Это ещё раз?" in buys(league_day, me, text.format(other=other))
    assert coins(league_day, me) == once
    assert "Принято" in buys(league_day, me, "да")
    assert coins(league_day, me) < once


def test_h04_two_equal_red_posts_of_a_purchase_are_one(league_day: World) -> None:
    me = who(league_day, "citizen")
    for _ in range(2):
        league_day.says(me, red("покупаю броню от мафии"), league_day.forum.find("День №1"))
        league_day.clock.sleep(60)
    league_day.settle()
    assert spent_on_armour(league_day, me) == 1
    assert "Это ещё раз?" in told(league_day, me)


def test_h04_what_is_wanted_once_more_in_words_is_bought_again(league_day: World) -> None:
    me = who(league_day, "citizen")
    buys(league_day, me, "Покупаю дополнительный голос")
    once = coins(league_day, me)
    assert "Принято" in buys(league_day, me, "Покупаю ещё один дополнительный голос")
    assert coins(league_day, me) < once


def spent_on_armour(world: World, nick: str) -> float:
    """How many times the price of an armour has gone."""
    price = match(world).tables.prices["armour_mafia"]
    return (100 - coins(world, nick)) / price
