"""Sign-up, waiting list, replacements, leaving and removal (H1; T32)."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.clock import ManualClock
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game, Site
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.tables import games, questions, seats, troubles
from tests.forumbot.hosting.fakes import FakeForum
from tests.forumbot.hosting.hosts import does, refused
from tests.forumbot.hosting.league.table import CLOSES, MINUTE, NEXT_OPENS, league, match, public, red, state, to, told, who
from tests.forumbot.hosting.world import MONDAY, NICKS, World, count, votes


def test_only_red_signs_up_and_only_before_the_closing(tmp_path: Path) -> None:
    world = league(tmp_path, players=9)
    topic = world.forum.find("Запись")
    for nick, text in (("Клара", "Играю"), ("Лев", f"[quote]{red('Играю')}[/quote]"), ("Марк", red("Играю"))):
        world.forum.says(topic, world.uid(nick), nick, text)
    world.settle()
    assert world.rows(sa.select(seats.c.seat).where(seats.c.state == "in").order_by(seats.c.place))[9:] == [{"seat": "Марк"}]
    world.forum.says(topic, world.uid("Марк"), "Марк", red("Снимаюсь"))
    world.settle()
    assert count(world, seats, seats.c.state == "in") == 9


def test_the_sign_up_closes_when_its_last_place_is_taken(tmp_path: Path) -> None:
    """H1: and whoever comes later waits for a place."""
    world = league(tmp_path, players=9, coins=0, tables={"signup": {"max_players": 8}})
    to(world, world.clock.now() + 5 * MINUTE)
    assert world.clock.now() < CLOSES - timedelta(hours=1)
    assert world.value(sa.select(games.c.stage)) == "turn"
    assert len(match(world).ruleset.seats(match(world).game)) == 8
    assert "в списке запасных" in told(world, NICKS[8])
    assert "ваше место: 1" in told(world, NICKS[8])


def test_the_first_of_the_waiting_list_replaces_a_player(night: World) -> None:
    topic = night.forum.find("Запись")
    for uid, nick in ((70, "Юлиан"), (71, "Яна")):
        night.clock.sleep(60)
        night.forum.says(topic, uid, nick, red("Играю в запас"))
    night.until(night.clock.now() + timedelta(hours=1))
    night.settle()
    assert "ваше место: 2" in told(night, "Яна")
    citizen = who(night, "citizen")
    does(night, "replace", player=citizen)
    night.settle()
    assert "ваша роль: мирный житель" in told(night, "Юлиан")
    assert "ваше место: 1" not in told(night, "Яна")
    does(night, "replace", player=who(night, "citizen", 1))
    nobody = "в запасе нет никого, кого можно посадить: назовите, кто вступает в игру"
    assert refused(night, "replace", player=who(night, "citizen", 2)) == nobody


def test_a_post_in_the_sign_up_thread_of_a_running_game_is_no_move(day: World) -> None:
    day.forum.says(day.forum.find("Запись"), day.uid("Анна"), "Анна", red("Виновен Борис"))
    day.until(day.clock.now() + timedelta(hours=1))
    assert votes(day) == {}


@pytest.mark.parametrize("text", ["Выхожу из игры.", "Уважаемый ведущий, снимаюсь с игры"])
def test_who_wants_to_leave_waits_for_the_host(day: World, text: str) -> None:
    citizen = who(day, "citizen")
    day.pm(citizen, text)
    day.settle()
    assert state(day, citizen)["alive"]
    assert "Решает ведущий" in told(day, citizen)
    does(day, "remove", player=citizen, wish=True, question=day.value(sa.select(questions.c.id)))
    day.settle()
    assert state(day, citizen)["left"]
    assert public(day, "День №1").count(f"Из города уезжает {citizen} — мирный житель.") == 1


def test_a_vote_for_a_removed_player_is_void_and_its_voter_is_told(day: World) -> None:
    """T32: he may vote anew, and is not counted as one who kept silent."""
    gone, voter = who(day, "citizen"), who(day, "citizen", 1)
    day.says(voter, red(f"Виновен {gone}"), day.forum.find("День №1"))
    day.settle()
    does(day, "remove", player=gone)
    day.settle()
    assert votes(day) == {}
    assert f"больше не действует: голос: {gone}" in told(day, voter)
    assert f"Из города уезжает {gone} — мирный житель." in public(day, "День №1")
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert state(day, voter)["missed"] == 0
    assert re.search(rf"^\d+\. {gone} \[мирный житель\]\[уехал", public(day, "День №2"), re.MULTILINE)


def test_a_hanging_story_goes_by_first_hand_then_by_the_hosts_choice(day: World) -> None:
    """R33, H5: the condemned wrote none, the host prefers the later author, and grades him."""
    condemned, first, second = who(day, "doctor"), who(day, "citizen"), who(day, "citizen", 1)
    day.says(first, red(f"Виновен {condemned}"), day.forum.find("День №1"))
    for nick in (first, second):
        day.clock.sleep(60)
        day.pm(nick, f"Рассказ-повешение: {condemned}\nРассказ:\nПетлю сплёл {nick}.")
    day.settle()
    does(day, "host", action="choose_story", player=second, targets=[condemned])
    does(day, "host", action="grade", player=second, args={"action": "hang_story", "grade": 3, "target": condemned})
    to(day, NEXT_OPENS + 2 * MINUTE)
    paper = public(day, "День №1")
    assert f"Рассказ: <blockquote>Петлю сплёл {second}.</blockquote>" in paper
    assert f"Петлю сплёл {first}" not in paper
    assert match(day).ruleset.balances(match(day).game)["bonus"][second] == 3


def test_without_a_host_the_earliest_hanging_story_is_printed(day: World) -> None:
    condemned, first, second = who(day, "doctor"), who(day, "citizen"), who(day, "citizen", 1)
    day.says(first, red(f"Виновен {condemned}"), day.forum.find("День №1"))
    for nick in (second, first):
        day.clock.sleep(60)
        day.pm(nick, f"Рассказ-повешение: {condemned}\nРассказ:\nПетлю сплёл {nick}.")
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert f"Рассказ: <blockquote>Петлю сплёл {second}.</blockquote>" in public(day, "День №1")
    assert "Петлю сплёл" not in public(day, "День №2")


@pytest.mark.parametrize(
    ("tables", "place"),
    [
        ({"coins": {"kill": "три"}}, "tables.coins.kill"),
        ({"signup": {"max_players": 5}}, "tables.signup.max_players"),
        ({"setup": {"roles": {"mafiosi": 2}}}, "tables.setup.roles.mafiosi"),
    ],
)
def test_a_wrong_table_is_refused_with_one_sentence(tmp_path: Path, tables: dict[str, object], place: str) -> None:
    clock = ManualClock(MONDAY)
    site = Site.model_validate(
        {"site": {"data": tmp_path}, "forum": {"engine": "ucoz", "url": "http://forum.invalid", "user": "Ведущий"}}
    )
    store = Store(tmp_path / "forumbot.db")
    upgrade(store)
    daemon = Daemon(site, store, clock, FakeForum(clock), None, None, reader)
    game = {"id": "lg1", "title": "П", "ruleset": "league", "section": "1", "signup": {"closes": CLOSES}, "tables": tables}
    daemon.adopt((Game.model_validate(game),))
    with store.read() as connection:
        (said,) = connection.execute(sa.select(troubles.c.text)).scalars()
        assert connection.execute(sa.select(games.c.id)).first() is None
    assert said.startswith(f"Игра «lg1»: таблица {place}")
    assert "\n" not in said
