"""Players may ask again: role, side, mates, lives, money, password, moves, votes, deadlines, each only his own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.rulesets import NAMES
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import record
from forumbot.store.tables import outbox, questions
from tests.forumbot.hosting.hosts import does
from tests.forumbot.hosting.league.table import CAST, DAY_OPENS, MINUTE, league, to
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world

SIDES = {"villains": "Злодеи", "townsfolk": "Горожане", "maniacs": "Маньяки"}


def play(folder: Path, ruleset: str) -> World:
    """Day 1 of a game of these rules."""
    if ruleset == "league":
        world = league(folder, tables={"setup": {"roles": CAST}})
        to(world, DAY_OPENS + MINUTE)
        return world
    world = make_world(folder, ruleset=ruleset, players=15)
    world.until(MONDAY + timedelta(hours=16), step=timedelta(hours=2))
    world.settle()
    if ruleset == "goldenkey":
        world.until(DAY_ONE, step=timedelta(hours=6))
        world.settle()
    return world


@pytest.fixture(scope="module", params=NAMES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    return play(tmp_path_factory.mktemp(request.param), request.param)


def asks(world: World, nick: str, text: str) -> str:
    """The answer to a PM."""
    before = len(world.forum.pms_to(nick))
    world.pm(nick, text, "вопрос")
    world.settle()
    return "\n".join(body for _, body in world.forum.pms_to(nick)[before:])


def states(world: World) -> dict[str, dict[str, object]]:
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return {seat: dict(state) for seat, state in match.ruleset.state(match.game).items()}


def word(world: World, group: str, id_: str) -> str:
    from forumbot.writing.writer import Writer

    with world.store.read() as connection:
        return Writer(record.load(connection, world.game).templates, "Europe/Moscow").word(group, id_)


def ruleset(world: World) -> str:
    with world.store.read() as connection:
        return record.load(connection, world.game).ruleset


def test_everybody_hears_his_own_role_again_and_nobody_elses(game: World) -> None:
    told = states(game)
    for seat in list(told)[:6]:
        answer = asks(game, seat, "Напомните, пожалуйста, какая у меня роль?")
        role = str(told[seat]["role"])
        if ruleset(game) == "goldenkey" and role in ("citizen", "villain"):
            assert SIDES[str(told[seat]["faction"])] in answer
        else:
            assert f": {word(game, 'roles', role)}." in answer
        assert "Хода в письме нет" not in answer
        assert not [other for other in told if other != seat and other in answer]


def test_mates_are_named_to_those_who_were_told_of_them(game: World) -> None:
    told = states(game)
    gangs = {"league": ("mafia", "yakuza"), "clans": ("red", "black"), "goldenkey": ("villains",), "mafialife": ()}
    for seat, state in told.items():
        if state["faction"] not in gangs[ruleset(game)]:
            continue
        answer = asks(game, seat, "кто со мной?")
        mates = [other for other in told if other != seat and told[other]["faction"] == state["faction"]]
        assert all(mate in answer for mate in mates), (seat, mates, answer)
        assert not [other for other in told if other not in (seat, *mates) and other in answer]


def test_open_moves_come_with_examples_that_count(game: World) -> None:
    """Whatever the answer shows is sent as it stands, and is taken."""
    for seat in list(states(game))[:8]:
        answer = asks(game, seat, "Какие ходы мне открыты?")
        for line in [line for line in answer.splitlines() if line.startswith("— ") and "не сейчас" not in line][:2]:
            letter = line.partition(": «")[2].removesuffix("»").replace("», ниже «", "\n")
            got = asks(game, seat, letter)
            assert "Принято" in got, (seat, letter, got)
            asks(game, seat, "отменяю ход")


def test_deadlines_and_votes(game: World) -> None:
    answer = asks(game, "Анна", "Какой срок и какой счёт голосов?")
    assert "декабря" in answer
    public = "vote" in find_ruleset(ruleset(game)).spec.public_actions
    assert ("Пока никто не проголосовал" in answer or "Голоса:" in answer) if public else "тайные" in answer


def test_what_the_rules_do_not_know_is_said_to_be_none(game: World) -> None:
    answer = asks(game, "Анна", "Сколько у меня жизней и какой пароль?")
    assert ("Ваших жизней" in answer) is (ruleset(game) == "goldenkey")
    assert "ароль" in answer


def test_money_and_things(game: World) -> None:
    answer = asks(game, "Анна", "Сколько у меня денег?")
    assert ("У вас:" in answer) is (ruleset(game) in ("league", "mafialife"))


def test_a_password_is_told_to_its_own_team_alone(tmp_path: Path) -> None:
    world = play(tmp_path, "mafialife")
    told = {nick: "пароль команды" in " ".join(s + t for s, t in world.forum.pms_to(nick)) for nick in states(world)}
    assert any(told.values())
    for nick in list(told)[:8]:
        assert ("Пароль команды «" in asks(world, nick, "Напомните пароль")) is told[nick]


def test_the_dead_hear_their_role_but_no_moves(day: World) -> None:
    does(day, "remove", player="Борис")
    day.settle()
    answer = asks(day, "Борис", "Моя роль и мои ходы?")
    assert "Вы выбыли из игры" in answer
    assert "—" not in answer


def test_one_who_was_replaced_hears_nothing(day: World) -> None:
    does(day, "replace", player="Анна", nick="Яна", uid=900)
    day.settle()
    before = day.value(sa.select(sa.func.count()).select_from(outbox))
    day.pm("Анна", "Какая у меня роль?")
    day.settle()
    rows = day.rows(sa.select(outbox).order_by(outbox.c.id))[before:]
    assert not [row for row in rows if "Ваша" in row["body"]]


def test_other_rulesets_let_a_player_go_and_say_so(day: World) -> None:
    """goldenkey: the thread hears who is out, and nothing of his role."""
    answer = asks(day, "Анна", "Снимаюсь с игры")
    assert "Решает ведущий" in answer
    does(day, "remove", player="Анна", wish=True, question=day.value(sa.select(questions.c.id)))
    day.settle()
    assert "Анна" in day.forum.texts(day.forum.find("День 1"))[-1]


def test_what_stands_is_told_on_request(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    answer = asks(day, "Анна", "статус")
    assert "Сейчас за вами стоит: голос: Борис" in answer
    assert "Хода в письме нет" not in answer
