"""Whose letters are whose: a code by PM proves an address, at the start and in mid-game; nothing else does (T45)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.reading.requests import asks_code
from forumbot.store.tables import holders, letters, verdicts
from tests.forumbot.hosting.hosts import day_one, does
from tests.forumbot.hosting.world import MONDAY, World, make_world

HOME, WORK = "anna@home.example", "anna@work.example"
NICK = "Анна"


@pytest.fixture
def day(tmp_path: Path) -> World:
    """A sign-up with four players: codes are the same business before the game and in it."""
    return make_world(tmp_path, players=4, signup={"closes": MONDAY + timedelta(days=5)})


def code(world: World) -> str:
    return str(world.value(sa.select(holders.c.proof_code).where(holders.c.seat == NICK, holders.c.until.is_(None))))


def address(world: World) -> str | None:
    found = world.value(sa.select(holders.c.address).where(holders.c.seat == NICK, holders.c.until.is_(None)))
    return None if found is None else str(found)


def codes_sent(world: World) -> int:
    return sum("код для почты" in subject for subject, _ in world.forum.pms_to(NICK))


def route(world: World) -> str:
    return str(world.value(sa.select(letters.c.routed).where(letters.c.kind == "letter").order_by(letters.c.id.desc())))


def proves(world: World, sender: str) -> None:
    world.mail.arrives(sender, "код", f"вот он: {code(world)}")
    world.settle()


def read_letters(world: World, channel: str = "letter") -> int:
    return int(world.value(sa.select(sa.func.count()).select_from(verdicts).where(verdicts.c.channel == channel)))


def test_the_code_by_mail_makes_the_address_the_players(day: World) -> None:
    proves(day, HOME)
    assert address(day) == HOME
    assert any("адрес принят" in subject for subject, _ in day.mail.letters_to(HOME))


def test_a_new_address_in_mid_game_comes_by_the_same_way(tmp_path: Path) -> None:
    day = day_one(tmp_path)
    proves(day, HOME)
    day.pm(NICK, "У меня новый адрес почты")
    day.settle()
    (told,) = [text for subject, text in day.forum.pms_to(NICK) if "код для почты" in subject]
    assert code(day) in told
    assert "a***@home.example" in told
    assert HOME not in told
    proves(day, WORK)
    assert address(day) == WORK
    (warned,) = [text for subject, text in day.forum.pms_to(NICK) if "адрес для писем сменён" in subject]
    assert "a***@work.example" in warned
    day.mail.arrives(HOME, "ход", "голосую")
    day.settle()
    assert route(day) == "unknown_sender"


def test_a_second_address_without_a_code_has_no_rights_until_the_host_binds_it(day: World) -> None:
    """T45: not taken silently, not lost silently: the host sees the letter and may bind the address."""
    proves(day, HOME)
    before = read_letters(day)
    day.mail.arrives(WORK, "ход", "Буратино: Борис")
    day.settle()
    assert route(day) == "unknown_sender"
    assert read_letters(day) == before
    assert any("непривязанного адреса" in text for _, text in day.mail.letters_to("owner@example.org"))
    (answer,) = [text for _, text in day.mail.letters_to(WORK)]
    assert "одно слово: код" in answer
    does(day, "bind", player=NICK, address=WORK)
    day.settle()
    assert address(day) == WORK
    assert route(day) == "address"


def test_codes_are_not_given_without_end(day: World) -> None:
    for _ in range(30):
        day.pm(NICK, "код")
        day.clock.sleep(120)
        day.tick()
    day.settle()
    assert codes_sent(day) == 1
    day.until(day.clock.now() + timedelta(hours=9), step=timedelta(minutes=61))
    for _ in range(9):
        day.pm(NICK, "код")
        day.clock.sleep(3700)
        day.tick()
    day.settle()
    assert codes_sent(day) == 4


def test_a_request_is_no_move_and_gets_no_receipt(day: World) -> None:
    before = len(day.forum.pms_to(NICK))
    day.pm(NICK, "Здравствуйте! Пришлите, пожалуйста, код ещё раз.")
    day.settle()
    assert route(day) == "code"
    assert len(day.forum.pms_to(NICK)) == before + 1


def test_a_move_beside_a_request_is_read(day: World) -> None:
    before = read_letters(day, "pm")
    day.pm(NICK, "Пришлите код.\nБуратино: Борис")
    day.settle()
    assert codes_sent(day) == 1
    assert route(day) == "uid"
    assert read_letters(day, "pm") == before + 1


def test_a_stranger_gets_no_code(day: World) -> None:
    day.forum.writes_pm(999, "Анна", "код", "пришлите код")
    day.settle()
    assert day.forum.sent == [one for one in day.forum.sent if one[0] != 999]
    assert route(day) == "unknown_sender"


@pytest.mark.parametrize(("before", "letters_out"), [(timedelta(days=2), 0), (timedelta(), 1)], ids=["before us", "to us"])
def test_nobody_is_answered_who_wrote_before_there_was_a_game(day: World, before: timedelta, letters_out: int) -> None:
    """The mailbox may be somebody's who has lived: his old correspondents are none of the bot's business."""
    day.mail.arrives("friend@elsewhere.example", "привет", "Как дела?", at=day.clock.now() - before)
    day.settle()
    assert route(day) == "unknown_sender"
    assert len(day.mail.letters_to("friend@elsewhere.example")) == letters_out
    assert sum("непривязанного адреса" in text for _, text in day.mail.letters_to("owner@example.org")) == letters_out


@pytest.mark.parametrize(
    "text",
    ["код", "Код!", "новый адрес", "Новый адрес: anna@new.example", "у меня сменилась почта", "хочу привязать другой ящик",
     "пришлите код ещё раз", "Я потеряла код", "какой адрес бота?", "сменить e-mail",
     "Привет. Старая почта больше не работает. Дай код"],
)  # fmt: skip
def test_what_asks_for_a_code(text: str) -> None:
    assert asks_code("", text) == (True, True)
    assert asks_code(text, "") == (True, True)


@pytest.mark.parametrize(
    "text",
    ["лечу Анну", "голосую против Бориса", "мой код чести не велит", "по какому адресу живёт убийца", "", "новый ход",
     "Буратино: Код", "проверяю Веру, пришлю код доступа к сейфу вечером вместе с отчётом обо всём"],
)  # fmt: skip
def test_what_asks_for_none(text: str) -> None:
    assert asks_code("ход", text)[0] is False
