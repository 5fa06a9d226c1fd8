"""Letters that programs have spoiled, and what of them reaches the game, the host and the writer."""

import base64
from datetime import timedelta
from email import message_from_bytes

import pytest
import sqlalchemy as sa

from adapters.model import Envelope
from forumbot.store.tables import letters, verdicts
from tests.forumbot.hosting.test_mail_trouble import moves
from tests.torture.fixtures import OpenSite
from tests.torture.live import LYNCH, OWNER, Inside, address_of

ANNA = address_of("Анна")


@pytest.fixture
def night(open_site: OpenSite) -> Inside:
    """Half an hour into the first night: Анна is Мальвина and writes letters."""
    site = open_site("ucoz")
    site.until(LYNCH + timedelta(minutes=30), timedelta(hours=9))
    site.settle()
    return site


def told(site: Inside, words: str) -> int:
    """How many letters with these words went to the host."""
    return sum(words in text for text in site.outside.letters_to(OWNER))


def last_verdict(site: Inside) -> tuple[str, str | None]:
    row = site.rows(sa.select(verdicts).order_by(verdicts.c.id.desc()).limit(1))[0]
    return row["outcome"], row["reason"]


def test_a02_a_receipt_that_comes_back_unmarked_moves_nothing(night: Inside) -> None:
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    receipt = night.outside.letters_to(ANNA)[-1].strip("\u2063\u2062\r\n ")
    night.outside.letter(ANNA, "Мальвина: Глеб")
    night.settle()
    for announcement in ("Ведущий молвил так", "---- On Tue, 01 Dec 2026 14:02:50 +0300 Ведущий <m@example.org> wrote ----"):
        night.outside.letter(ANNA, f"Спасибо!\r\n\r\n{announcement}\r\n\r\n{receipt}")
        night.settle()
    assert [row["text"] for row in night.rows(sa.select(letters).where(letters.c.sender == ANNA))][-1] == "Спасибо!"
    assert moves(night, "Анна")[-1] == ["Глеб"]


def test_a03_a_players_letter_that_looks_like_a_robots_is_asked_about_and_answered_by_nobody(night: Inside) -> None:
    before = len(night.outside.letters_to(ANNA))
    night.outside.letter(ANNA, "Мальвина: Вера", subject="Автоматический ответ: ход")
    night.settle()
    assert last_verdict(night) == ("review", "robot_doubtful")
    assert moves(night, "Анна") == [] and len(night.outside.letters_to(ANNA)) == before


def test_a03_a_players_letter_in_the_words_of_a_report_is_asked_about(night: Inside) -> None:
    night.outside.letter(ANNA, "Мальвина: Вера", subject="Не доставлено письмо ведущему, шлю снова", extra="Return-Path: <>\r\n")
    night.settle()
    assert last_verdict(night) == ("review", "robot_doubtful") and moves(night, "Анна") == []


@pytest.mark.parametrize("extra", ["List-Unsubscribe: <mailto:u@example.org>\r\n", ""])
def test_a03_one_weak_sign_hides_no_move(night: Inside, extra: str) -> None:
    night.outside.letter(ANNA, "Мальвина: Вера", subject="Прочитано - мой ход", extra=extra)
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]


def test_a03_what_is_dropped_as_a_robots_is_told_once(night: Inside) -> None:
    for number in range(3):
        night.outside.letter(
            ANNA, "Я в отпуске, лечу в Анапу", subject=f"Отпуск {number}", extra="Auto-Submitted: auto-replied\r\n"
        )
        night.settle()
    assert moves(night, "Анна") == [] and told(night, "пришёл автоответ") == 1
    stored = night.rows(sa.select(letters.c.routed).where(letters.c.sender == ANNA))
    assert [row["routed"] for row in stored].count("robot") == 3
    night.outside.letter("stranger@elsewhere.test", "лечу в Анапу", extra="Auto-Submitted: auto-replied\r\n")
    night.settle()
    assert told(night, "пришёл автоответ") == 1


def test_a08_a_receipt_stands_in_the_thread_of_what_it_answers_and_says_what_it_is(night: Inside) -> None:
    number = night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    asked = night.rows(sa.select(letters.c.message_id).where(letters.c.sender == ANNA).order_by(letters.c.id.desc()).limit(1))
    receipt = message_from_bytes(night.outside.mailbox.sent_to(ANNA)[-1].raw)
    assert number is not None
    assert receipt["In-Reply-To"] == receipt["References"] == asked[0]["message_id"]
    assert receipt["Auto-Submitted"] == "auto-replied"
    notice = message_from_bytes(night.outside.mailbox.sent_to(ANNA)[0].raw)
    assert notice["Auto-Submitted"] == "auto-replied" or notice["In-Reply-To"] is None


PHOTO = base64.encodebytes(b"\x89" * 2_400_000).decode()


def with_photo(text: str, *, first: bool) -> str:
    words = f"--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    photo = (
        "--b\r\nContent-Type: image/jpeg; name=foto.jpg\r\nContent-Disposition: attachment; filename=foto.jpg\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{PHOTO}\r\n"
    )
    return (words + photo if first else photo + words) + "--b--\r\n"


@pytest.mark.parametrize("first", [True, False])
def test_h17_words_beside_a_heavy_photo_are_read(night: Inside, first: bool) -> None:
    raw = (
        f"From: {ANNA}\r\nSubject: hod\r\nMessage-ID: <photo@x>\r\nMIME-Version: 1.0\r\n"
        f'Content-Type: multipart/mixed; boundary="b"\r\n\r\n{with_photo("Мальвина: Вера", first=first)}'
    )
    night.outside.mailbox.drop(night.site.mail.address, raw.encode())  # type: ignore[union-attr]
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]
    assert len(night.rows(sa.select(letters.c.raw).where(letters.c.message_id == "<photo@x>"))[0]["raw"]) < 10_000


def test_h17_who_writes_too_much_hears_why(night: Inside) -> None:
    night.outside.letter(ANNA, "Мальвина: Глеб\r\n" + "я" * 2_000_000)
    night.settle()
    assert last_verdict(night) == ("review", "too_large")
    assert "слишком большое письмо" in night.outside.letters_to(ANNA)[-1]


def test_a04_a_letter_that_the_server_does_not_give_out_is_told_once(night: Inside) -> None:
    box = night.daemon._intake._mailbox
    assert box is not None
    fetch = box.fetch
    night.outside.letter(ANNA, "Мальвина: Вера")

    def refusing(since: object) -> object:
        found, place = fetch(since)  # type: ignore[arg-type]
        bad = Envelope("INBOX", place.uidvalidity, 99_999, night.clock.now(), 10, None, b"", refused=True)
        return ((*found, bad) if found else found), place

    box.fetch = refusing  # type: ignore[method-assign, assignment]
    night.settle()
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]
    assert told(night, "не отдаёт боту одно письмо") == 1


BOUNCES = (
    f"Hi. This is the qmail-send program.\r\nI wasn't able to deliver your message.\r\n\r\n<{ANNA}>:\r\nuser unknown",
    f"Не удалось доставить письмо.\r\nПолучатель: {ANNA}\r\nПричина: ящик переполнен",
)


@pytest.mark.parametrize("text", BOUNCES)
def test_h18_a_bounce_in_words_alone_is_told(night: Inside, text: str) -> None:
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    extra = "Return-Path: <>\r\n"
    night.outside.letter("mailer-daemon@elsewhere.test", text, subject="failure notice", extra=extra)
    night.settle()
    assert told(night, "не доставлено, почта вернула его") == 1


def test_h18_a_notice_of_delay_in_words_is_no_bounce(night: Inside) -> None:
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    text = f"Your message to {ANNA} has been delayed. No action is required, delivery attempts will continue."
    night.outside.letter("mailer-daemon@elsewhere.test", text, subject="Warning: message delayed", extra="Return-Path: <>\r\n")
    night.settle()
    assert told(night, "не доставлено, почта вернула его") == 0


def test_h18_the_host_hears_when_a_player_gets_no_more_receipts(night: Inside) -> None:
    for number in range(24):
        night.outside.letter(ANNA, f"Мальвина: {('Вера', 'Глеб')[number % 2]}", subject=f"ход {number}")
        night.settle()
    assert told(night, "уже не отвечает на них") == 1
