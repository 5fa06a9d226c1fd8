"""The daemon's letters over a real Postfix into a real Dovecot: nothing lost, nothing doubled, the host told."""

from __future__ import annotations

import smtplib
from datetime import timedelta

import imapclient
import pytest
import sqlalchemy as sa

from adapters.mail.letters import read_letter
from forumbot.demo.mailbox import AUTHSERV
from forumbot.store.tables import outbox
from tests.adapters.mail import dovecot as dovecot_server
from tests.adapters.mail import postfix as postfix_server
from tests.adapters.mail.dovecot import Box
from tests.adapters.mail.postfix import BOT, FULL, OWNER, Route
from tests.forumbot.hosting.test_mail_trouble import kept, moves, put, state
from tests.torture.fixtures import OpenSite
from tests.torture.live import LYNCH, Inside, address_of

dovecot, mailroute = dovecot_server.dovecot, postfix_server.mailroute
ANNA, BORIS = address_of("Анна"), address_of("Борис")
PROVEN = f"PREPEND Authentication-Results: {AUTHSERV}; dmarc=pass header.from=players.test"


class Night:
    """Half an hour into the first night, on real mail servers; and the boxes of both ends."""

    def __init__(self, open_site: OpenSite, route: Route) -> None:
        route.empty()
        self.route = route
        self.bot, self.owner, self.anna, self.boris = (route.dovecot.box(user) for user in (BOT, OWNER, ANNA, BORIS))
        ports = {"imap_port": route.dovecot.port, "smtp_port": route.provider.port}
        self.site: Inside = open_site("ucoz", settings={"mail": ports})
        self.site.until(LYNCH + timedelta(minutes=30), timedelta(hours=9))
        self.site.settle()

    def read(self, count: int, subject: bytes) -> None:
        """So many letters with this subject have come to the bot, and it has read them and all others."""
        assert len(self.bot.arrived(count, lambda raw: b"Subject: " + subject in raw, self.site.clock.now())) == count
        self.site.settle()

    def told(self, words: str) -> list[str]:
        return [text for text in self.site.told() if words in text]

    def answers(self) -> int:
        """How many letters there are that went out or shall."""
        return int(self.site.value(sa.select(sa.func.count()).select_from(outbox).where(outbox.c.kind == "letter")))


@pytest.fixture
def night(open_site: OpenSite, mailroute: Route) -> Night:
    return Night(open_site, mailroute)


def got(box: Box, text: str) -> int:
    """How many letters with this text a box has, once one is there."""
    return len(box.arrived(1, lambda raw: text in read_letter(raw).full_text))


@pytest.mark.parametrize(
    ("state_of_talk", "answer"),
    [
        ("RCPT", "DEFER_IF_PERMIT 4.7.1 greylisted"),
        ("RCPT", "452 4.2.2 mailbox full"),
        ("END-OF-MESSAGE", "451 4.3.0 the filter is not at work"),
    ],
    ids=["greylist", "full", "after-data"],
)
def test_what_a_real_server_refuses_for_now_goes_out_later_once(night: Night, state_of_talk: str, answer: str) -> None:
    site, policy = night.site, night.route.provider.policy
    policy.say(state_of_talk, answer, times=2)
    put(site, "x", ANNA)
    site.settle(1)
    assert (state(site, "x"), night.anna.letters()) == ("waiting", [])
    put(site, "y", BORIS)
    site.until(site.clock.now() + timedelta(minutes=20), timedelta(minutes=1))
    assert (state(site, "x"), state(site, "y")) == ("sent", "sent")
    assert (got(night.anna, "Письмо x"), got(night.boris, "Письмо y")) == (1, 1)
    assert site.told() == []


def test_a_box_that_is_full_for_good_is_told_and_stops_nobody(night: Night) -> None:
    site = night.site
    night.route.provider.policy.say("RCPT", "552 5.2.2 mailbox full", times=9, recipient=ANNA)
    put(site, "x", ANNA)
    put(site, "y", BORIS)
    site.settle()
    assert (state(site, "x"), state(site, "y")) == ("failed", "sent")
    assert got(night.boris, "Письмо y") == 1
    assert len(night.told("Не удалось отправить")) == 1
    assert got(night.owner, "Не удалось отправить") == 1
    assert night.anna.letters() == []


def test_real_reports_of_dead_addresses_are_told_once_and_read_as_no_move(night: Night) -> None:
    """The far server knows Анна no more; another address it takes and gives the letter back, for its box is full."""
    site = night.site
    night.route.far.policy.say("RCPT", "550 5.1.1 user unknown", times=2, recipient=ANNA)
    for key, address in (("x", ANNA), ("y", ANNA), ("z", FULL)):
        put(site, key, address)
    site.settle()
    sent = night.answers()
    night.read(3, b"Undelivered Mail")
    assert [state(site, key) for key in "xyz"] == ["sent"] * 3
    assert sorted(text.partition(" не доставлено")[0] for text in night.told("не доставлено")) == sorted(
        [f"Письмо для игрока Анна ({ANNA})", f"Письмо для «{FULL}»"]
    )
    assert night.answers() == sent + 2
    assert moves(site, "Анна") == []


def test_a_real_report_of_delay_is_no_alarm_and_the_letter_comes_once(night: Night) -> None:
    site = night.site
    night.route.far.policy.say("RCPT", "DEFER_IF_PERMIT 4.7.1 greylisted", times=2, recipient=ANNA)
    put(site, "x", ANNA)
    site.settle()
    assert got(night.anna, "Письмо x") == 1
    sent = night.answers()
    night.read(1, b"Delayed Mail")
    assert (site.told(), night.answers(), len(night.anna.letters())) == ([], sent, 1)


def test_a_move_comes_by_real_mail_is_answered_once_and_moves_with_the_mailbox(night: Night) -> None:
    """The letters are carried to another server, in another order and with the day of the move: nothing is read twice, and
    what comes there first counts."""
    site = night.site
    write(night, "Мальвина: Вера")
    night.read(1, b"hod")
    assert moves(site, "Анна") == [["Вера"]]
    assert len(night.anna.arrived(1)) == 1
    before, sent = kept(site), night.answers()
    moved = night.route.dovecot.box("moved")
    assert site.site.mail is not None
    site.site = site.site.model_copy(update={"mail": site.site.mail.model_copy(update={"user": moved.user})})
    with imapclient.IMAPClient("127.0.0.1", port=moved.port, ssl=False) as owner:
        owner.login(moved.user, moved.password)
        for raw in reversed(night.bot.letters()):
            owner.append("INBOX", raw, msg_time=site.clock.now())
    site.restart()
    site.settle()
    assert (kept(site), night.answers(), moves(site, "Анна")) == (before, sent, [["Вера"]])
    (first,) = night.bot.letters(lambda raw: b"hod" in raw)
    moved.deliver(first.replace("Вера".encode(), "Глеб".encode()).replace(b"<1@", b"<2@"), site.clock.now())
    site.settle()
    assert moves(site, "Анна") == [["Вера"], ["Глеб"]]
    assert len(night.anna.arrived(2)) == 2


def write(night: Night, text: str) -> None:
    """Анна's letter, which her server hands to the bot's, and that one vouches for her."""
    night.route.provider.policy.say("RCPT", PROVEN, recipient=BOT)
    raw = f"From: {ANNA}\r\nTo: {BOT}\r\nSubject: hod\r\nMessage-ID: <1@players.test>\r\nMIME-Version: 1.0\r\n"
    raw += f"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    with smtplib.SMTP("127.0.0.1", night.route.far.port) as line:
        line.sendmail(ANNA, BOT, raw.encode())
