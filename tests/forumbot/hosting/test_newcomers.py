"""Whoever is seated by the host is looked up on the forum first: by nick or number, and refused when unknown or seated (H08)."""

import sqlalchemy as sa

from adapters.errors import Unreachable
from forumbot.store.tables import acts, holders
from tests.forumbot.hosting.hosts import asks, does, refused
from tests.forumbot.hosting.world import World, count, make_world


def present(world: World, seat: str) -> tuple[str, int]:
    row = world.rows(sa.select(holders).where(holders.c.seat == seat, holders.c.until.is_(None)))[0]
    return row["nick"], row["uid"]


def test_h08_an_account_that_is_not_there_is_refused(day: World) -> None:
    day.forum.missing = {61, "Никто"}
    assert "учётной записи № 61 на форуме нет" in refused(day, "replace", player="Борис", nick="Семён", uid=61)
    assert "участника «Никто» на форуме нет" in refused(day, "replace", player="Борис", nick="Никто")
    assert present(day, "Борис") == ("Борис", day.uid("Борис"))


def test_h08_a_nick_that_is_another_accounts_is_refused(day: World) -> None:
    day.forum.accounts = {61: "Пётр"}
    assert "ник «Пётр», а не «Семён»" in refused(day, "replace", player="Борис", nick="Семён", uid=61)


def test_h08_who_plays_is_refused_whatever_number_is_named(day: World) -> None:
    day.forum.accounts = {day.uid("Олег"): "Олег", 61: "ОЛЕГ"}
    assert "уже играет" in refused(day, "replace", player="Анна", nick="Олег")
    assert "не отличить от ника игрока Олег" in refused(day, "replace", player="Анна", uid=61)
    assert count(day, holders, holders.c.until.is_not(None)) == 0


def test_h08_one_of_nick_and_number_is_enough_and_the_profile_is_shown(day: World) -> None:
    day.forum.accounts = {61: "Семён", 62: "Тамара"}
    act = does(day, "replace", player="Борис", nick="Семён")
    assert present(day, "Борис") == ("Семён", 61)
    does(day, "replace", player="Анна", uid=62)
    assert present(day, "Анна") == ("Тамара", 62)
    result = day.value(sa.select(acts.c.result).where(acts.c.id == act))
    assert result["profile"] == {"nick": "Семён", "uid": 61, "lines": [["Дата регистрации", "01.02.2020"]]}


def test_h08_while_the_forum_does_not_answer_nobody_is_seated(day: World) -> None:
    day.forum.failing = [Unreachable("502")] * 3
    done = asks(day, "replace", player="Борис", nick="Семён", uid=61)
    assert "попробуйте позже" in done["error"]
    assert present(day, "Борис") == ("Борис", day.uid("Борис"))


def test_h08_the_sign_up_by_the_host_looks_up_too(tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = make_world(tmp_path, players=3)
    world.forum.missing = {77}
    world.forum.accounts = {61: "Раиса", 62: "АННА"}
    assert "на форуме нет" in refused(world, "seat", nick="Новый", uid=77)
    assert "не отличить от ника игрока Анна" in refused(world, "seat", uid=62)
    assert "назовите ник или номер" in refused(world, "seat")
    does(world, "seat", nick="Раиса")
    assert present(world, "Раиса") == ("Раиса", 61)
