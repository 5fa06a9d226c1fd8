"""A barred account gets no place by any way: not by its own post, not from the waiting list, not by a host's hand; and a bar is
an act like others."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.acts import lookups
from forumbot.hosting.core import bars
from forumbot.hosting.inbox import waitlist
from forumbot.store.tables import holders, seats, verdicts
from forumbot.store.tables import lookups as lookup_rows
from tests.forumbot.hosting.hosts import does, refused, undoes
from tests.forumbot.hosting.test_evidence import host_heard
from tests.forumbot.hosting.world import MONDAY, World, make_world


@pytest.fixture
def signup(tmp_path: Path) -> World:
    return make_world(tmp_path, players=4, signup={"closes": MONDAY + timedelta(days=6)})


def barred(world: World, nick: str, uid: int) -> int:
    with world.store.write() as connection:
        return bars.bar(connection, nick, uid, MONDAY + timedelta(days=60), "подсказки", "Хозяин", world.clock.now())


def waits(world: World, nick: str) -> bool:
    with world.store.read() as connection:
        return nick in {one.nick for one in waitlist.waiting(connection, world.game)}


def test_the_host_seats_no_barred_account(signup: World) -> None:
    signup.forum.accounts = {800: "Яна"}
    number = barred(signup, "Яна", 800)
    said = refused(signup, "seat", nick="Яна", uid=800)
    assert f"people unbar {number}" in said
    assert "подсказки" in said
    does(signup, "unbar", bar=number)
    does(signup, "seat", nick="Яна", uid=800)


def test_no_barred_account_replaces_a_player_named_or_from_the_waiting_list(day: World) -> None:
    day.forum.accounts = {800: "Яна", 801: "Зоя"}
    barred(day, "Яна", 800)
    assert "не допускается" in refused(day, "replace", player="Борис", nick="Яна", uid=800)
    thread = day.forum.find("Запись")
    day.forum.says(thread, 801, "Зоя", "играю")
    day.until(day.clock.now() + timedelta(minutes=40))
    assert waits(day, "Зоя")
    barred(day, "Зоя", 801)
    assert "в запасе нет никого" in refused(day, "replace", player="Борис")
    assert day.value(sa.select(holders.c.nick).where(holders.c.seat == "Борис", holders.c.until.is_(None))) == "Борис"


@pytest.mark.parametrize("words", ["играю в запас", "играю"])
def test_no_barred_account_waits_for_a_place(signup: World, day: World, words: str) -> None:
    for world in (signup, day):
        barred(world, "Яна", 800)
        world.forum.says(world.forum.find("Запись"), 800, "Яна", words)
        world.until(world.clock.now() + timedelta(minutes=40))
        world.settle()
        assert not waits(world, "Яна")
        assert world.value(sa.select(seats.c.id).where(seats.c.seat == "Яна")) is None
        assert world.value(sa.select(verdicts.c.reason).where(verdicts.c.author == "Яна")) == "barred"
        assert any("подсказки" in text for _, text in world.forum.pms_to("Яна"))
        assert host_heard(world, "Яна не записан") == 1


def test_a_player_who_was_replaced_may_wait_for_a_place_again(day: World) -> None:
    does(day, "replace", player="Борис", nick="Семён", uid=day.uid("Семён"))
    day.forum.says(day.forum.find("Запись"), day.uid("Борис"), "Борис", "играю в запас")
    day.until(day.clock.now() + timedelta(minutes=40))
    assert waits(day, "Борис")


def test_a_bar_is_an_act_that_is_done_once_and_taken_back(signup: World) -> None:
    act = does(signup, "bar", nick="Яна", uid=800, until="2027-03-01", text="подсказки")
    assert "и так не допускается до 01.03.2027" in refused(signup, "bar", nick="Яна", uid=800, until="2027-04-01")
    assert "уже прошёл" in refused(signup, "bar", nick="Зоя", until="2020-01-01")
    undoes(signup, act)
    with signup.store.read() as connection:
        assert not bars.standing(connection, signup.clock.now())
    number = barred(signup, "Яна", 800)
    lifted = does(signup, "unbar", bar=number)
    assert "уже снят" in refused(signup, "unbar", bar=number)
    undoes(signup, lifted)
    with signup.store.read() as connection:
        assert [row["id"] for row in bars.standing(connection, signup.clock.now())] == [number]


def test_h08_an_account_is_looked_up_before_the_act_with_what_speaks_against_it(day: World) -> None:
    day.forum.accounts = {61: "Семён", 800: "Яна"}
    day.forum.missing = {99}
    barred(day, "Яна", 800)
    wanted = {"Семён": (None, "Семён"), "нет": (99, None), "играет": (day.uid("Борис"), None), "Яна": (800, None)}
    day.forum.accounts[day.uid("Борис")] = "Борис"
    with day.store.write() as connection:
        asked = {
            name: lookups.ask(connection, day.game, nick, uid, day.clock.now()) for name, (uid, nick) in wanted.items()
        }
    day.tick()
    rows = {row["id"]: row for row in day.rows(sa.select(lookup_rows))}
    assert rows[asked["Семён"]]["found"]["uid"] == 61
    assert rows[asked["Семён"]]["error"] is None
    assert "на форуме нет" in rows[asked["нет"]]["error"]
    assert "уже играет" in rows[asked["играет"]]["error"]
    assert "не допускается" in rows[asked["Яна"]]["error"]
    day.clock.sleep(2 * 86_400)
    day.tick()
    assert not day.rows(sa.select(lookup_rows))
