"""The embedded mailbox, asked by the standard library's own IMAP and SMTP clients."""

from __future__ import annotations

import imaplib
import smtplib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest

from adapters.clock import ManualClock
from forumbot.demo.mailbox import AUTHSERV, RunningMailbox, serve_mailbox

START = datetime(2026, 3, 4, 16, 59, 58, tzinfo=UTC)
HOST, ANNA = "host@forumbot.test", "anna@forumbot.test"


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def mail(clock: ManualClock) -> Iterator[RunningMailbox]:
    with serve_mailbox(clock, {HOST: "secret", ANNA: "anna"}) as running:
        yield running


def letter(sender: str = ANNA, text: str = "лечу Бориса") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"], message["Message-ID"] = sender, HOST, "Ход", "<1@x>"
    message.set_content(text)
    return message


def inbox(mail: RunningMailbox) -> imaplib.IMAP4:
    client = imaplib.IMAP4(mail.host, mail.imap_port, timeout=5)
    client.login(HOST, "secret")
    client.select("INBOX")
    return client


def smtp(mail: RunningMailbox) -> smtplib.SMTP:
    return smtplib.SMTP(mail.host, mail.smtp_port, timeout=5)


def test_a_dropped_letter_is_fetched_byte_for_byte_with_its_time(mail: RunningMailbox, clock: ManualClock) -> None:
    raw = b"From: anna@forumbot.test\r\nSubject: \xcf\xf0\xe8\xe2\xe5\xf2\r\n\r\n\xeb\xe5\xf7\xf3\r\n.\r\nbare\nline \x80\xff\r\n"
    uid = mail.drop(HOST, raw, received=START - timedelta(hours=2), marked=False)
    client = inbox(mail)
    _, found = client.uid("FETCH", str(uid), "(INTERNALDATE BODY.PEEK[] FLAGS)")
    assert isinstance(found[0], tuple) and found[0][1] == raw
    assert b'INTERNALDATE "04-Mar-2026 14:59:58 +0000"' in found[0][0] and b"\\Seen" not in b"".join(
        part if isinstance(part, bytes) else part[0] for part in found)
    assert mail.letters(HOST)[0].raw == raw and not mail.letters(HOST)[0].seen
    client.logout()


def test_a_wrong_password_is_refused_by_both(mail: RunningMailbox) -> None:
    with pytest.raises(imaplib.IMAP4.error):
        imaplib.IMAP4(mail.host, mail.imap_port, timeout=5).login(HOST, "falsch")
    with smtp(mail) as client, pytest.raises(smtplib.SMTPAuthenticationError):
        client.login(HOST, "falsch")


def test_smtp_delivers_to_users_at_the_clocks_time_and_keeps_the_rest(mail: RunningMailbox, clock: ManualClock) -> None:
    with smtp(mail) as client:
        client.login(HOST, "secret")
        client.send_message(letter(HOST), HOST, [ANNA, "far@example.org"])
    assert [kept.received for kept in mail.letters(ANNA)] == [clock.now()]
    assert len(mail.sent_to("far@example.org")) == 1 and mail.sent[0].login == HOST
    assert "лечу".encode() in mail.sent[0].raw or b"Content-Transfer-Encoding" in mail.sent[0].raw


@pytest.mark.parametrize(("sender", "envelope", "login", "result"), [
    (ANNA, ANNA, None, "pass"), (ANNA, "villain@example.org", None, "fail"),
    ("villain@example.org", "villain@example.org", None, "fail"),
    (ANNA, ANNA, (ANNA, "anna"), "pass"), (ANNA, ANNA, (HOST, "secret"), "fail"),
])
def test_authentication_results_tell_genuine_letters_from_forged(
        mail: RunningMailbox, sender: str, envelope: str, login: tuple[str, str] | None, result: str) -> None:
    message = letter(sender)
    message["Authentication-Results"] = f"{AUTHSERV}; dmarc=pass header.from=forumbot.test"
    message["Authentication-Results"] = "other.example; dmarc=pass"
    with smtp(mail) as client:
        if login:
            client.login(*login)
        client.send_message(message, envelope, [HOST])
    raw = mail.letters(HOST)[0].raw
    assert raw.startswith(f"Authentication-Results: {AUTHSERV};".encode()) and f"dmarc={result}".encode() in raw
    assert raw.count(AUTHSERV.encode() + b";") == 1  # the forged line in its name is gone
    assert b"other.example" in raw


def test_a_known_address_without_a_box_is_genuine(mail: RunningMailbox) -> None:
    mail.know("far@example.org")
    mail.drop(HOST, bytes(letter("far@example.org")))
    mail.drop(HOST, bytes(letter("near@example.org")))
    assert [b"dmarc=pass" in kept.raw for kept in mail.letters(HOST)] == [True, False]


def test_recipients_are_refused_or_put_off(mail: RunningMailbox) -> None:
    mail.troubles.refused.add("gone@example.org")
    mail.troubles.greylisted = 1
    with smtp(mail) as client:
        for address, code in (("gone@example.org", 550), ("slow@example.org", 451)):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                client.send_message(letter(HOST), HOST, [address])
            assert refused.value.recipients[address][0] == code
        client.send_message(letter(HOST), HOST, ["slow@example.org"])
    assert len(mail.sent_to("slow@example.org")) == 1


@pytest.mark.parametrize("stored", [True, False])
def test_connection_closed_after_the_text(mail: RunningMailbox, stored: bool) -> None:
    mail.troubles.close_in_data, mail.troubles.stored_when_closed = 1, stored
    client = smtp(mail)
    with pytest.raises(smtplib.SMTPServerDisconnected):
        client.send_message(letter(HOST), HOST, [ANNA])
    assert len(mail.letters(ANNA)) == stored
    with smtp(mail) as again:
        again.send_message(letter(HOST), HOST, [ANNA])
    assert len(mail.letters(ANNA)) == stored + 1


def test_any_answer_after_the_text(mail: RunningMailbox) -> None:
    mail.troubles.answer_to_data = "452 4.2.2 Mailbox full"
    with smtp(mail) as client, pytest.raises(smtplib.SMTPDataError):
        client.send_message(letter(HOST), HOST, [ANNA])
    assert not mail.sent


def test_uidvalidity_change_numbers_the_same_letters_anew(mail: RunningMailbox) -> None:
    uids = [mail.drop(HOST, bytes(letter()), seen=n == 0) for n in range(2)]
    client = inbox(mail)
    before = client.response("UIDVALIDITY")[1][0]
    raws = [kept.raw for kept in mail.letters(HOST)]
    after = mail.change_uidvalidity(HOST)
    client = inbox(mail)
    assert client.response("UIDVALIDITY")[1][0] == str(after).encode() != before
    kept = mail.letters(HOST)
    assert [one.uid for one in kept] == [1, 2] != uids
    assert [one.raw for one in kept] == raws and [one.seen for one in kept] == [True, False]
    client.logout()


def test_somebody_elses_program_marks_letters(mail: RunningMailbox) -> None:
    mail.drop(HOST, bytes(letter()))
    mail.mark_seen(HOST)
    client = inbox(mail)
    assert client.search(None, "UNSEEN")[1] == [b""]
    mail.mark_seen(HOST, False)
    client.logout()
    assert [kept.seen for kept in mail.letters(HOST)] == [False]


def test_imap_falls_silent_or_hangs_up(mail: RunningMailbox) -> None:
    client = inbox(mail)
    mail.troubles.silent = True
    assert client.sock is not None
    client.sock.settimeout(0.1)
    with pytest.raises(OSError):
        client.noop()
    mail.troubles.silent, mail.troubles.hang_up = False, True
    with pytest.raises((imaplib.IMAP4.abort, OSError)):
        imaplib.IMAP4(mail.host, mail.imap_port, timeout=5)
    with pytest.raises((smtplib.SMTPServerDisconnected, OSError)):
        smtp(mail)
    mail.troubles.hang_up = False
    inbox(mail).logout()


def test_idle_tells_of_a_new_letter(mail: RunningMailbox) -> None:
    client = inbox(mail)
    client.send(b"A1 IDLE\r\n")
    assert client.readline().startswith(b"+")
    mail.drop(HOST, bytes(letter()))
    assert b"EXISTS" in client.readline()
    client.send(b"DONE\r\n")
    client.shutdown()


def test_many_and_large_letters(mail: RunningMailbox) -> None:
    for _ in range(300):
        mail.drop(HOST, bytes(letter()))
    mail.drop(HOST, bytes(letter(text="а" * 2_000_000)))
    client = inbox(mail)
    assert len(client.uid("SEARCH", "ALL")[1][0].split()) == 301
    size = client.fetch("301", "(RFC822.SIZE)")[1][0]
    assert isinstance(size, bytes) and int(size.split()[-1].rstrip(b")")) == len(mail.letters(HOST)[-1].raw)
    client.logout()


def test_it_stops_with_connections_open(clock: ManualClock) -> None:
    with serve_mailbox(clock, {HOST: "secret"}) as mail:
        client, sender = inbox(mail), smtp(mail)
        client.send(b"A1 IDLE\r\n")
        client.readline()
    with pytest.raises(OSError):
        imaplib.IMAP4(mail.host, mail.imap_port, timeout=1)
    client.shutdown()
    sender.close()
