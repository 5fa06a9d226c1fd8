"""The host teaches: an unknown word becomes a filler, a form of a move or a nick, and is taken back like any act."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.hosting.explain.replaying import replay_game
from forumbot.hosting.turns import teaching
from forumbot.store.tables import inputs, taught, verdicts
from tests.forumbot.hosting.hosts import does, refused, undoes
from tests.forumbot.hosting.world import DAY_ONE, World, roles, votes


def known(world: World) -> list[tuple[str, str, str]]:
    with world.store.read() as connection:
        return [(one.text, one.kind, one.value) for one in teaching.words(connection, world.game)]


def test_a_taught_nick_is_read_and_what_stood_by_it_is_doubtful_when_it_is_forgotten(day: World) -> None:
    done = does(day, "teach", word="Пимпочка", way="nick", value="Вера")
    assert known(day) == [("Пимпочка", "nick", "Вера")]
    day.says("Анна", "[color=blue]Пимпочка[/color]")
    day.settle()
    assert votes(day) == {"Вера": 1}
    undoes(day, done)
    assert known(day) == []
    assert votes(day) == {}
    assert read(day, "Анна") == ("review", "unexplained")
    day.says("Борис", "[color=blue]Пимпочка[/color]")
    day.settle()
    assert votes(day) == {}


def read(world: World, nick: str) -> tuple[str, str | None]:
    """The outcome of the player's last message and its reason."""
    query = sa.select(verdicts.c.outcome, verdicts.c.reason).where(verdicts.c.author == nick)
    with world.store.read() as connection:
        outcome, reason = connection.execute(query.order_by(verdicts.c.id.desc())).first() or ("", None)
    return outcome, reason


def test_a_word_for_all_games_is_kept_for_those_to_come(day: World) -> None:
    done = does(day, "teach", word="ёпрстую", way="filler", everywhere=True)
    assert day.value(sa.select(taught.c.text)) == "ёпрстую"
    with day.store.write() as connection:
        connection.execute(sa.delete(inputs).where(inputs.c.kind == "teach"))
        teaching.begin(connection, day.game, "goldenkey", day.clock.now())
    assert known(day) == [("ёпрстую", "filler", "")]
    undoes(day, done)
    assert day.value(sa.select(taught.c.taken_back_at)) is not None
    assert known(day) == []


def test_what_is_no_word_or_no_move_is_refused(day: World) -> None:
    assert "не слово" in refused(day, "teach", word="...", way="filler")
    assert "меняет смысл хода" in refused(day, "teach", word="хотел", way="filler")
    assert "формой какого хода" in refused(day, "teach", word="чпокаю", way="form", value="dance")
    assert "игрока «Никто» нет" in refused(day, "teach", word="ник", way="nick", value="Никто")
    assert "в своей игре" in refused(day, "teach", word="Пимпочка", way="nick", value="Вера", everywhere=True)


def test_a_game_with_taught_words_replays_to_the_same_bytes(day: World) -> None:
    does(day, "teach", word="Пимпочка", way="nick", value="Вера")
    day.says("Анна", "[color=blue]Пимпочка[/color]")
    day.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=2))
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))


# What waits is read again ---------------------------------------------------------------------------------------------------


def who(world: World, role: str) -> str:
    return next(seat for seat, held in roles(world).items() if held == role)


def moves(world: World, nick: str) -> list[tuple[str, tuple[str, ...]]]:
    """What stands for a player in the running turn."""
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return [(order.action, order.targets) for order in match.ruleset.standing(match.game, nick)]


def told(world: World, nick: str) -> str:
    world.settle()
    return world.forum.pms_to(nick)[-1][1]


def doubtful(world: World, nick: str = "Анна", target: str = "Вера") -> None:
    """A vote with a word that nothing explains."""
    world.says(nick, f"[color=blue]ёпрстую {target}[/color]")
    world.settle()
    assert read(world, nick) == ("review", "unexplained")


def test_a_review_that_the_word_settles_counts_from_its_own_arrival_and_its_player_is_told(day: World) -> None:
    doubtful(day)
    day.says("Борис", "[color=blue]Глеб[/color]")
    day.settle()
    does(day, "teach", word="ёпрстую", way="filler")
    assert votes(day) == {"Вера": 1, "Глеб": 1}
    assert read(day, "Анна") == ("accepted", None)
    assert "засчитано: голос: Вера" in told(day, "Анна")
    orders = day.rows(sa.select(inputs).where(inputs.c.kind == "order").order_by(inputs.c.seq))
    assert [row["payload"]["player"] for row in orders] == ["Анна", "Борис"]
    assert orders[0]["at"] < orders[1]["at"]


def test_a_word_taken_back_leaves_the_review_as_it_was_to_its_player_and_host(day: World) -> None:
    doubtful(day)
    done = does(day, "teach", word="ёпрстую", way="filler")
    told(day, "Анна")
    undoes(day, done)
    assert votes(day) == {}
    assert read(day, "Анна") == ("review", "unexplained")
    assert "не засчитано: голос: Вера" in told(day, "Анна")
    day.pm("Анна", "1", "Re: вопрос")
    day.settle()
    assert votes(day) == {"Вера": 1}


def test_a_form_of_a_move_settles_a_letter_once_however_often_the_button_is_pressed(day: World) -> None:
    artemon = who(day, "artemon")
    day.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=2))
    day.pm(artemon, "чпокаю Анну")
    day.settle()
    assert day.value(sa.select(verdicts.c.unexplained).where(verdicts.c.channel == "pm")) == ["чпокаю"]
    assert moves(day, artemon) == []
    for _ in range(2):
        does(day, "teach", word="чпокаю", way="form", value="beat")
    day.restart()
    day.settle()
    assert moves(day, artemon) == [("beat", ("Анна",))]
    rows = day.rows(sa.select(inputs).where(inputs.c.kind == "order", inputs.c.struck.is_(None)))
    assert len(rows) == 1
    words = dict(day.value(sa.select(verdicts.c.explained).where(verdicts.c.channel == "pm")))
    assert words == {"ход": "intent", "чпокаю": "action:beat", "Анну": "nick:Анна"}


def test_an_order_refused_for_a_nick_that_nobody_bears_counts_once_the_nick_is_taught(day: World) -> None:
    day.says("Анна", "[color=blue]Голосую за Ктулху[/color]")
    day.settle()
    assert read(day, "Анна") == ("rejected", "unknown_nick")
    does(day, "teach", word="ёпрстую", way="filler")
    assert votes(day) == {}
    done = does(day, "teach", word="Ктулху", way="nick", value="Вера")
    assert votes(day) == {"Вера": 1}
    assert read(day, "Анна") == ("accepted", None)
    assert "засчитано: голос: Вера" in told(day, "Анна")
    undoes(day, done)
    assert votes(day) == {}


def test_a_refusal_for_another_reason_is_not_read_again_for_a_word(day: World) -> None:
    day.says("Анна", "[color=red]Голосую за Веру[/color] Ктулху")
    day.settle()
    before = read(day, "Анна")
    assert before[0] == "rejected"
    does(day, "teach", word="Ктулху", way="nick", value="Борис")
    assert read(day, "Анна") == before


def test_only_messages_with_the_word_are_read_again(day: World) -> None:
    doubtful(day)
    day.says("Борис", "[color=blue]хрямс Глеб[/color]")
    day.settle()
    does(day, "teach", word="Ёпрстую", way="filler")
    assert votes(day) == {"Вера": 1}
    assert read(day, "Борис") == ("review", "unexplained")


def test_what_its_player_has_settled_is_not_read_again(day: World) -> None:
    doubtful(day)
    day.pm("Анна", "0", "Re: вопрос")
    day.settle()
    done = does(day, "teach", word="ёпрстую", way="filler")
    assert votes(day) == {}
    undoes(day, done)
    assert votes(day) == {}


def test_a_vote_that_a_mark_has_passed_is_left_to_the_host(day: World) -> None:
    doubtful(day)
    day.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=1))
    does(day, "teach", word="ёпрстую", way="filler")
    day.settle()
    assert read(day, "Анна") == ("review", "unexplained")


def test_a_post_that_was_changed_since_is_not_read_again(day: World) -> None:
    number = day.says("Анна", "[color=blue]ёпрстую Вера[/color]")
    day.settle()
    day.forum.edits(day.forum.find("День"), number, "[color=blue]ёпрстую Глеб[/color]")
    day.settle()
    does(day, "teach", word="ёпрстую", way="filler")
    assert votes(day) == {}
    assert day.value(sa.select(verdicts.c.outcome).where(verdicts.c.text == "ёпрстую Вера")) == "review"


def test_a_game_whose_word_was_taught_and_taken_back_replays_to_the_same_bytes(day: World) -> None:
    doubtful(day)
    doubtful(day, "Борис", "Глеб")
    undoes(day, does(day, "teach", word="ёпрстую", way="filler"))
    does(day, "teach", word="ёпрстую", way="filler")
    assert votes(day) == {"Вера": 1, "Глеб": 1}
    day.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=2))
    turns = replay_game(day.store, day.game, "Europe/Moscow")
    assert turns
    assert all(turn.same for turn in turns)


def test_a_word_may_be_forgotten_in_one_game_and_known_again(day: World) -> None:
    doubtful(day)
    does(day, "teach", word="ёпрстую", way="filler", everywhere=True)
    (row,) = day.rows(sa.select(inputs.c.id).where(inputs.c.kind == "teach"))
    done = does(day, "forget", taught=row["id"])
    assert known(day) == []
    assert votes(day) == {}
    assert day.value(sa.select(taught.c.taken_back_at)) is None
    assert "не помнит" in refused(day, "forget", taught=row["id"])
    undoes(day, done)
    assert known(day) == [("ёпрстую", "filler", "")]
    assert votes(day) == {"Вера": 1}


@pytest.mark.parametrize("code", ["ABCD-2E3F", "abcd-2e3f", "ABCD – 2E3F"])
def test_a_code_is_among_no_words_that_a_host_may_teach(day: World, code: str) -> None:
    artemon = who(day, "artemon")
    day.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=2))
    day.pm(artemon, f"чпокаю Анну, вот {code}")
    day.settle()
    (row,) = day.rows(sa.select(verdicts.c.unexplained, verdicts.c.explained).where(verdicts.c.channel == "pm"))
    said = " ".join([*row["unexplained"], *(word for word, _ in row["explained"])]).lower()
    assert "чпокаю" in said
    assert not {"abcd", "2e3f"} & set(said.split())
