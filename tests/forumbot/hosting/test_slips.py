"""Slips of a host's hand, found by playing one: each is answered with a Russian sentence, and nothing is changed by it."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.hosting.acts.previewing import preview
from forumbot.hosting.core.acting import Refused
from forumbot.store.tables import acts, aliases, deadlines, games, holders, outbox
from tests.forumbot.hosting.hosts import asks, does, refused, sent_to, undoes, upcoming
from tests.forumbot.hosting.test_deadlines import LYNCH
from tests.forumbot.hosting.test_undoing import VOICE
from tests.forumbot.hosting.world import MONDAY, World, count, make_world


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("extend", {"hours": "два"}),
        ("extend", {"hours": None}),
        ("extend", {"hours": 1e9}),
        ("extend", {"hours": 5000}),
        ("extend", {}),
        ("move", {"at": "вчера"}),
        ("move", {"at": "2026-12-30T25:00"}),
        ("move", {"at": "2027-12-03T21:00"}),
        ("order", {"player": "Анна", "action": "vote", "targets": ["Борис"], "at": "утром"}),
        ("order", {"player": "Анна"}),
        ("edit", {"outbox": 10**30, "body": "x"}),
        ("bar", {"nick": "Яна", "until": "весной"}),
        ("bar", {"nick": " "}),
        ("alias", {"player": "Анна", "alias": " "}),
        ("alias", {"player": "Анна", "alias": "?!"}),
        ("alias", {"player": "Анна", "alias": "Борис"}),
        ("alias", {"player": "Анна", "alias": "б о р и с"}),
        ("alias", {"player": "Анна", "alias": "бью"}),
        ("alias", {"player": "Анна", "alias": "ГОЛОС"}),
        ("alias", {"player": "Анна", "alias": "никто"}),
        ("alias", {"player": "Анна", "alias": "Буратино"}),
        ("teach", {"word": "бью", "way": "nick", "value": "Анна"}),
        ("teach", {"word": "я", "way": "nick", "value": "Анна"}),
        ("bind", {"player": "Анна", "address": "host@example.org"}),
        ("bind", {"player": "Анна", "address": None}),
        ("write", {"player": "Анна", "text": "  "}),
        ("replace", {"player": "Анна", "uid": -5}),
        ("replace", {"player": "Анна", "uid": 0}),
        ("replace", {"player": "Анна", "uid": "шесть"}),
        ("prologue", {"turn": 77, "text": "Темно."}),
        ("undo", {"act": "первое"}),
        ("undo", {}),
    ],
)
def test_a_slip_is_refused_in_russian_and_changes_nothing(day: World, kind: str, payload: dict[str, Any]) -> None:
    if kind == "move":
        payload = {**payload, "deadline": upcoming(day)["id"]}
    tables = (outbox, aliases, holders)
    before = [count(day, table) for table in tables], day.rows(sa.select(deadlines))
    said = refused(day, kind, **payload)
    assert not re.search(r"[A-Za-z]{4,} [a-z]{2,}", said), said
    assert re.search("[а-я]", said)
    assert ([count(day, table) for table in tables], day.rows(sa.select(deadlines))) == before


def test_the_same_address_twice_is_no_change_of_address(day: World) -> None:
    does(day, "bind", player="Анна", address="anna@x.example")
    assert "и так привязан" in refused(day, "bind", player="Анна", address="anna@x.example")


def test_the_undoing_of_a_pause_that_a_deadline_fell_into_is_shown_to_resolve_it_at_once(day: World) -> None:
    """Whoever has relied on the pause would hear that the vote is over: that is asked before."""
    act = does(day, "pause")
    shown = preview(day.store, day.game, "Хозяин", "undo", {"act": act}, day.clock.now(), VOICE)
    assert not shown.at_once
    day.until(LYNCH + timedelta(hours=3), step=timedelta(hours=6))
    shown = preview(day.store, day.game, "Хозяин", "undo", {"act": act}, day.clock.now(), VOICE)
    assert shown.at_once
    assert any("голосование" in line and "итог будет подведён сразу" in line for line in shown.lines)


def test_who_hears_that_the_game_goes_on_hears_its_deadlines(day: World) -> None:
    act = does(day, "pause")
    undoes(day, act)
    (told,) = sent_to(day, "Анна", "игра продолжается")
    assert "голосование" in told


def test_h09_a_section_is_changed_only_to_one_that_the_forum_knows(day: World) -> None:
    def title(section: str) -> str:
        if section != "13":
            raise Refused(f"раздела {section} форум боту не показывает: проверьте номер")
        return "Мафия"

    known = day.daemon._voice
    day.daemon._voice = lambda: replace(known(), section=title)  # type: ignore[method-assign]
    assert "не показывает" in asks(day, "set", settings={"section": "99"})["error"]
    assert day.value(sa.select(games.c.config))["section"] == "12"
    act = does(day, "set", settings={"section": "13"})
    assert day.value(sa.select(acts.c.result).where(acts.c.id == act))["section_title"] == "Мафия"
    assert day.value(sa.select(games.c.config))["section"] == "13"


def test_what_needs_roles_is_refused_while_players_sign_up(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=3, signup={"closes": MONDAY + timedelta(days=6)})
    for kind, payload in (
        ("remove", {"player": "Анна"}),
        ("host", {"player": "Анна", "action": "host_remove"}),
        ("order", {"player": "Анна", "action": "vote", "targets": ["Борис"]}),
        ("strike", {"verdict": 1}),
    ):
        assert "роли ещё не розданы" in refused(world, kind, **payload)


def test_a_deadline_that_was_put_on_an_hour_is_not_shifted_back_from_there(day: World) -> None:
    extended = does(day, "extend", hours=2)
    moved = does(day, "move", deadline=upcoming(day)["id"], at="2026-12-02T23:30:00")
    assert f"(действие {moved}, Хозяин): отмените сначала то действие" in refused(day, "undo", act=extended)
    undoes(day, moved)
    undoes(day, extended)
    assert upcoming(day)["due_at"] == LYNCH


def test_a_sign_up_that_was_given_a_new_end_is_not_shifted_back_from_there(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=3, signup={"closes": MONDAY + timedelta(days=6)})
    extended = does(world, "extend", hours=5)
    wanted = MONDAY + timedelta(days=9)
    does(world, "set", settings={"signup.closes": wanted.isoformat()})
    assert "назначен заново" in refused(world, "undo", act=extended)
    assert upcoming(world)["due_at"] == wanted


def test_what_was_never_done_and_what_is_an_undoing_are_told_apart(day: World) -> None:
    act = does(day, "extend", hours=2)
    undone = does(day, "undo", act=act)
    assert "сделайте само действие ещё раз" in refused(day, "undo", act=undone)
    failed = asks(day, "extend", hours=0)
    assert "и не было сделано" in refused(day, "undo", act=failed["id"])
