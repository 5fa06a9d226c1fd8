"""Coins from game to game: brought in, paid out once, corrected by reversals, imported, shown (H6; T64)."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from forumbot.cli.main import main
from forumbot.hosting.people import csvfiles, people
from forumbot.settings import Game
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.tables import bookings, games, outbox
from tests.forumbot.hosting.hosts import does, refused
from tests.forumbot.hosting.league.table import (
    CLOSES,
    DAY_ENDS,
    DAY_OPENS,
    MINUTE,
    NEXT_OPENS,
    coins,
    league,
    match,
    public,
    red,
    to,
    told,
    who,
)
from tests.forumbot.hosting.world import MONDAY, NICKS, World, count, roles

SHORT: dict[str, Any] = {"tables": {"setup": {"roles": {"mafioso": 1, "yakuza": 1, "commissioner": 1}}}}


def accounts(world: World, nick: str) -> dict[str, float]:
    with world.store.read() as connection:
        found = people.find(connection, nick)
    assert found is not None
    return dict(found.accounts)


@pytest.fixture
def over(tmp_path: Path) -> World:
    """A game of eight that the civilians win on day 1: the yakuza is hanged, the mafioso checked and shot."""
    world = league(tmp_path, players=8, **SHORT)
    to(world, DAY_OPENS + MINUTE)
    topic = world.forum.find("День №1")
    for nick in NICKS[:4]:
        if roles(world)[nick] != "yakuza":
            world.says(nick, red(f"Виновен {who(world, 'yakuza')}"), topic)
    world.pm(who(world, "citizen"), "покупаю защиту от маньяка")
    world.says(who(world, "mafioso"), red("покупаю 30 дополнительных голосов"), topic)
    world.pm(who(world, "commissioner"), f"Проверка: {who(world, 'mafioso')}\nРассказ:\nДело закрыто.")
    to(world, NEXT_OPENS + 2 * MINUTE)
    return world


def test_coins_are_in_the_game_while_it_runs(night: World) -> None:
    assert coins(night, "Анна") == 100
    assert accounts(night, "Анна") == {"coins": 0}


def test_a_newcomer_brings_nothing(tmp_path: Path) -> None:
    world = league(tmp_path, coins=0)
    to(world, CLOSES + MINUTE)
    assert coins(world, "Анна") == 0
    assert count(world, bookings) == 0


def test_the_end_pays_everybody_out_once(over: World) -> None:
    assert over.value(sa.select(games.c.winner)) == "civilians"
    assert "Победа: мирные жители." in public(over)
    commissioner, citizen = who(over, "commissioner"), who(over, "citizen")
    bonus = match(over).ruleset.balances(match(over).game)["bonus"]
    assert accounts(over, commissioner) == {"coins": 100 + bonus[commissioner], "games": 1, "won": 1}
    assert bonus[commissioner] >= 2 + 4 + 3
    assert accounts(over, citizen) == {"coins": 85 + bonus[citizen], "games": 1, "won": 1}
    caught = who(over, "mafioso")
    assert accounts(over, caught) == {"coins": 100 + bonus[caught], "games": 1, "penalties": 1}
    assert "Предупреждений: 1" in told(over, caught)
    booked = over.rows(sa.select(bookings))
    over.restart()
    for _ in range(3):
        over.clock.sleep(3600)
        over.tick()
    with over.store.write() as connection:
        people.settle(connection, over.game, over.clock.now())
    assert over.rows(sa.select(bookings)) == booked


def test_a_grade_after_the_end_is_booked_back_and_anew(over: World) -> None:
    author = who(over, "commissioner")
    before = accounts(over, author)["coins"]
    does(over, "host", action="grade", player=author, args={"action": "check", "grade": 5, "turn": 1})
    assert accounts(over, author)["coins"] == before + 3
    mine = over.rows(sa.select(bookings).where(bookings.c.reason.like("исправление%")))
    assert [row["amount"] for row in mine] == [-before]


def test_the_next_game_begins_with_what_the_last_one_left(over: World) -> None:
    citizen = who(over, "citizen")
    left = accounts(over, citizen)["coins"]
    now = over.clock.now()
    settings: dict[str, Any] = {"id": "lg2", "title": "Партия 8", "ruleset": "league", "section": "12", "seed": 6, **SHORT}
    over.daemon.adopt((Game.model_validate({**settings, "signup": {"closes": now + timedelta(hours=1)}}),))
    over.settle()
    for nick in NICKS[:8]:
        over.forum.says(over.forum.find("Партия 8. Запись"), over.uid(nick), nick, red("Играю"))
    to(over, now + timedelta(hours=1, minutes=5))
    over.game = "lg2"
    assert coins(over, citizen) == left
    assert accounts(over, citizen)["coins"] == 0


def test_a_game_called_off_gives_everything_back_once(day: World) -> None:
    """T64: the refund is a booking of its own, and a second press of the button does nothing."""
    citizen = who(day, "citizen")
    day.pm(citizen, "покупаю защиту от мафии")
    day.settle()
    assert coins(day, citizen) == 85
    does(day, "host", action="abort", player=citizen)
    to(day, DAY_ENDS + 2 * MINUTE)
    assert day.value(sa.select(games.c.stage)) == "cancelled"
    assert "Ведущий прекратил игру" in public(day, "День №1")
    assert accounts(day, citizen) == {"coins": 100}
    refused(day, "host", action="abort", player=citizen)
    assert accounts(day, citizen) == {"coins": 100}


def test_a_replaced_player_gets_back_what_he_brought(tmp_path: Path) -> None:
    world = league(tmp_path, players=8, **SHORT)
    to(world, CLOSES + MINUTE)
    gone = who(world, "citizen")
    does(world, "replace", player=gone, nick="Юлиан", uid=70)
    does(world, "host", action="abort", player="Юлиан")
    world.tick()
    assert accounts(world, gone) == {"coins": 100}
    assert accounts(world, "Юлиан") == {}


# Files and commands -------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "forumbot.db")
    upgrade(made)
    return made


def test_a_file_is_taken_once_whoever_it_names(store: Store) -> None:
    text = "nick,uid,coins,debt\nАнна,10,40,0\nБорис,,15,7\n"
    with store.write() as connection:
        assert csvfiles.take(connection, "a.csv", text, MONDAY) == csvfiles.Imported(2, 3)
        assert csvfiles.take(connection, "b.csv", text, MONDAY).bookings == 0
        assert csvfiles.take(connection, "c.csv", "uid;монеты\n10;-5\n", MONDAY).bookings == 1
        # Борис signs up with his account: he is the Борис of the list.
        people.person_of(connection, "Борис", 11, MONDAY)
        given = csvfiles.give(people.listed(connection))
    assert given == "nick,uid,coins,debt\nАнна,10,35,0\nБорис,11,15,7\n"


@pytest.mark.parametrize("nick", ["=AFK=", "-=X=-", "+1", "@all", '=HYPERLINK("http://x";"y")', "'Хара", "'=1", "Анна"])
def test_x05_no_nick_is_a_formula_in_a_spreadsheet_and_every_one_comes_back(store: Store, nick: str) -> None:
    with store.write() as connection:
        people.person_of(connection, nick, 10, MONDAY)
        given = csvfiles.give(people.listed(connection))
        cell = given.splitlines()[1].removeprefix('"')
        assert cell[0] not in "=+-@"
        assert csvfiles.take(connection, "a.csv", given, MONDAY).people == 1
        assert [one.nick for one in people.listed(connection)] == [nick]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "в файле нет ни одной строки"),
        ("монеты\n5\n", "строка 1: нет столбца nick или uid"),
        ("nick,coins\nАнна,много\n", "строка 2: coins «много» не число"),
        ("nick,coins\nАнна\n", "строка 2: значений 1, а столбцов 2"),
        ("uid,coins\n99,5\n", "строка 2: участника с uid 99 бот ещё не знает, допишите его ник"),
        ("nick,coins,монеты\nАнна,1,2\n", "строка 1: столбец coins назван дважды"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(store: Store, text: str, why: str) -> None:
    with pytest.raises(csvfiles.BadFile) as wrong, store.write() as connection:
        csvfiles.take(connection, "x.csv", text, MONDAY)
    assert str(wrong.value) == why
    with store.read() as connection:
        assert people.listed(connection) == ()


def site_file(world: World, folder: Path) -> str:
    file = folder / "site.toml"
    file.write_text(
        f'[site]\ndata = "{world.site.site.data}"\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n',
        encoding="utf-8",
    )
    return str(file)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_commands_show_book_and_export(over: World, tmp_path: Path) -> None:
    config = site_file(over, tmp_path)
    listed = json.loads(run("players", "list", "--json", "--config", config))
    assert {one["nick"] for one in listed} == set(NICKS[:8])
    before = accounts(over, "Анна")["coins"]
    for _ in range(2):
        run("players", "book", "Анна", "coins", "-5", "потеряла", "--key", "k1", "--config", config)
    shown = json.loads(run("players", "show", "Анна", "--json", "--config", config))
    assert shown["accounts"]["coins"] == before - 5
    assert shown["bookings"][-1]["reason"] == "потеряла"
    assert f"Анна,10,1,{int('won' in shown['accounts'])},0,{before - 5:g}" in run("players", "export", "--config", config)
    assert "перенос" in run("players", "show", "Анна", "--config", config)


def test_the_season_counts_its_games_and_goes_to_the_forum(over: World, tmp_path: Path) -> None:
    config = site_file(over, tmp_path)
    season = json.loads(run("season", "--ruleset", "league", "--json", "--config", config))
    bonus = match(over).ruleset.balances(match(over).game)["bonus"]
    spent = who(over, "citizen")
    assert {one["nick"]: one["coins"] for one in season if one.get("coins")} == {
        seat: earned - (15 if seat == spent else 0) for seat, earned in bonus.items() if earned != (15 if seat == spent else 0)
    }
    assert [one.get("won", 0) for one in season] == sorted((one.get("won", 0) for one in season), reverse=True)
    assert json.loads(run("season", "--ruleset", "clans", "--json", "--config", config)) == []
    assert json.loads(run("season", "--since", "2030-01-01", "--json", "--config", config)) == []
    run("season", "--title", "Сезон 2026", "--post", "lg1/77", "--config", config)
    over.settle()
    assert over.forum.topics[over.forum.find("Сезон 2026")].section == "77"
    assert f"1. {season[0]['nick']} — сыграно партий: 1 — побед: 1" in public(over, "Сезон 2026")
    assert over.value(sa.select(sa.func.count()).where(outbox.c.state == "failed")) == 0
    assert "Таблица" not in told(over, "Анна")
