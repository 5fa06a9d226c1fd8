"""The letters of the demo are read back as their authors wrote them, in whatever program they were written."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from adapters.mail.letters import read_letter
from forumbot.demo.letters import Sheet, automatic, compose

SHEET = Sheet(
    name="Тётя Зина",
    sender="zina@players.test",
    to="host@forumbot.test",
    subject="Re: [demo] ваш клан",
    text="шпионю за Лешим\nЗаявка на роль: Пьеро",
    at=datetime(2026, 12, 1, 19, 5, tzinfo=UTC),
    number=7,
    answered="Тётя Зина, ваш клан: Злодеи.\nубить Марго",
)


@pytest.mark.parametrize("draw", range(24))
def test_own_words_come_back_without_the_quotation(draw: int) -> None:
    letter = read_letter(compose(SHEET, Random(draw)), authserv="", own="host@forumbot.test")
    assert letter.text == SHEET.text
    assert (letter.from_name, letter.from_address, letter.subject) == (SHEET.name, SHEET.sender, SHEET.subject)
    assert letter.kind == "letter"


def test_every_draw_is_not_the_same_program() -> None:
    assert len({compose(SHEET, Random(draw)).split(b"\r\n\r\n", 1)[1] for draw in range(24)}) >= 6


def test_a_holiday_notice_is_a_programs_letter() -> None:
    assert read_letter(automatic(SHEET), authserv="", own="host@forumbot.test").kind == "auto_reply"


def test_signs_that_a_charset_lacks_survive() -> None:
    sheet = Sheet("Lana", "lana@players.test", SHEET.to, "ход – ночь", "Ход: взлом – Ёжик 🎲", SHEET.at, 8)
    for draw in range(24):
        letter = read_letter(compose(sheet, Random(draw)), authserv="", own=SHEET.to)
        assert (letter.subject, letter.text) == (sheet.subject, sheet.text)
