"""The host teaches: an unknown word becomes a filler, a form of a move or a nick, and is taken back like any act."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from forumbot.hosting import teaching
from forumbot.hosting.replaying import replay_game
from forumbot.store.tables import inputs, taught
from tests.forumbot.hosting.hosts import does, refused, undoes
from tests.forumbot.hosting.world import DAY_ONE, World, votes


def known(world: World) -> list[tuple[str, str, str]]:
    with world.store.read() as connection:
        return [(one.text, one.kind, one.value) for one in teaching.words(connection, world.game)]


def test_a_taught_nick_is_read_and_forgotten_again(day: World) -> None:
    done = does(day, "teach", word="Пимпочка", way="nick", value="Вера")
    assert known(day) == [("Пимпочка", "nick", "Вера")]
    day.says("Анна", "[color=blue]Пимпочка[/color]")
    day.settle()
    assert votes(day) == {"Вера": 1}
    undoes(day, done)
    assert known(day) == []
    day.says("Борис", "[color=blue]Пимпочка[/color]")
    day.settle()
    assert votes(day) == {"Вера": 1}


def test_a_word_for_all_games_is_kept_for_those_to_come(day: World) -> None:
    done = does(day, "teach", word="ёпрст", way="filler", everywhere=True)
    assert day.value(sa.select(taught.c.text)) == "ёпрст"
    with day.store.write() as connection:
        connection.execute(sa.delete(inputs).where(inputs.c.kind == "teach"))
        teaching.begin(connection, day.game, "goldenkey", day.clock.now())
    assert known(day) == [("ёпрст", "filler", "")]
    undoes(day, done)
    assert day.value(sa.select(taught.c.taken_back_at)) is not None


def test_what_is_no_word_or_no_move_is_refused(day: World) -> None:
    assert "не слово" in refused(day, "teach", word="...", way="filler")
    assert "формой какого хода" in refused(day, "teach", word="чпокаю", way="form", value="dance")
    assert "игрока «Никто» нет" in refused(day, "teach", word="ник", way="nick", value="Никто")
    assert "в своей игре" in refused(day, "teach", word="Пимпочка", way="nick", value="Вера", everywhere=True)


def test_a_game_with_taught_words_replays_to_the_same_bytes(day: World) -> None:
    does(day, "teach", word="Пимпочка", way="nick", value="Вера")
    day.says("Анна", "[color=blue]Пимпочка[/color]")
    day.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=2))
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))
