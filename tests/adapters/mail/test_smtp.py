"""Letters out: what stands in them, and what each answer of the server means."""

from __future__ import annotations

import contextlib
import email
import email.policy
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from adapters.clock import ManualClock
from adapters.errors import AddressRefused, SendLater, UnknownOutcome, Unreachable
from adapters.mail.echoes import MARK
from adapters.mail.smtp import SmtpOutgoing, compose
from adapters.mailbox import MailSettings

CLOCK = ManualClock(datetime(2026, 12, 1, 18, 0, tzinfo=UTC))


class Handler:
    """Answers by the recipient's name and keeps what it took."""

    def __init__(self) -> None:
        self.taken: list[tuple[list[str], bytes]] = []
        self.greylisted: set[str] = set()

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        if address.startswith("dead"):
            return "550 5.1.1 no such user"
        if address.startswith("grey") and address not in self.greylisted:
            self.greylisted.add(address)
            return "451 4.7.1 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if envelope.rcpt_tos[0].startswith("spam"):
            return "554 5.7.1 refused"
        if envelope.rcpt_tos[0].startswith("full"):
            return "452 4.2.2 mailbox full"
        content = envelope.content
        self.taken.append((envelope.rcpt_tos, content if isinstance(content, bytes) else (content or "").encode()))
        return "250 OK"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Handler, int]]:
    handler = Handler()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    yield handler, port
    controller.stop()


def outgoing(port: int, seconds: float = 5.0) -> SmtpOutgoing:
    settings = MailSettings("mafia@example.org", "user", "", smtp_host="127.0.0.1", smtp_port=port, smtp_security="none")
    return SmtpOutgoing(settings, CLOCK, seconds=seconds)


def send(port: int, to: str, *, seconds: float = 5.0, bcc: str | None = None) -> None:
    outgoing(port, seconds).send(
        to, "Ход принят", "лечу Анну\n.точка в начале\n", message_id="<n3.1@example.org>", in_reply_to="<a@b>", bcc=bcc
    )


def test_a_letter_says_who_wrote_it_and_that_a_program_did(server: tuple[Handler, int]) -> None:
    handler, port = server
    send(port, "anna@example.com")
    to, raw = handler.taken[-1]
    letter = email.message_from_bytes(raw, policy=email.policy.default)
    assert to == ["anna@example.com"]
    assert letter["Subject"] == "Ход принят"
    assert letter["Message-ID"] == "<n3.1@example.org>"
    assert letter["In-Reply-To"] == letter["References"] == "<a@b>"
    assert letter["Auto-Submitted"] == "auto-replied"
    assert letter["X-Auto-Response-Suppress"] == "All"
    assert letter["Date"] == "Tue, 01 Dec 2026 18:00:00 +0000"
    assert letter.get_content_type() == "text/plain"
    assert letter.get_content().splitlines()[:3] == [MARK, "лечу Анну", ".точка в начале"]


@pytest.mark.parametrize(
    ("to", "error"), [("dead@example.com", AddressRefused), ("spam@example.com", AddressRefused), ("full@example.com", SendLater)]
)
def test_a_refusal_is_told_by_its_kind(server: tuple[Handler, int], to: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        send(server[1], to)


def test_one_bad_address_hinders_no_other_and_nobody_gets_a_letter_twice(server: tuple[Handler, int]) -> None:
    """T52."""
    handler, port = server
    before = len(handler.taken)
    refused = []
    for name in ("one", "dead", "two", "three", "four"):
        try:
            send(port, f"{name}@example.com")
        except AddressRefused:
            refused.append(name)
    assert refused == ["dead"]
    assert [to[0].split("@")[0] for to, _ in handler.taken[before:]] == ["one", "two", "three", "four"]


@pytest.mark.parametrize(
    ("copy", "taken"), [("host@example.com", 2), ("dead@example.com", 1), ("grey@example.org", 1), ("почта@пример.рф", 1)]
)
def test_a_copy_goes_in_the_same_transaction_and_its_refusal_stops_nothing(
    server: tuple[Handler, int], copy: str, taken: int
) -> None:
    handler, port = server
    send(port, "anna@example.com", bcc=copy)
    recipients, raw = handler.taken[-1]
    assert len(recipients) == taken and recipients[0] == "anna@example.com"
    assert copy.encode() not in raw


def test_greylisting_lets_the_second_try_through(server: tuple[Handler, int]) -> None:
    with pytest.raises(SendLater):
        send(server[1], "grey@example.com")
    send(server[1], "grey@example.com")


@pytest.mark.parametrize("to", ["", "anna", "a@b@c", "a@b\nBcc: x@example.com", "a@b, c@d", "a b@example.com", "<a@b>"])
def test_what_is_no_address_is_refused_before_any_line_is_opened(to: str) -> None:
    with pytest.raises(AddressRefused):
        send(1, to)


def break_at(stage: bytes, answer: bytes = b"") -> tuple[int, socket.socket]:
    """A server that answers well until a line that starts with ``stage``; then it gives ``answer`` and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            line, _ = listener.accept()
            with line:
                line.sendall(b"220 ready\r\n")
                for row in line.makefile("rb"):
                    if row.upper().startswith(stage):
                        line.sendall(answer)
                        return
                    if row.strip() == b"DATA":
                        line.sendall(b"354 go on\r\n")
                    elif row[:4].upper().rstrip() in (b"EHLO", b"MAIL", b"RCPT", b"QUIT") or row == b".\r\n":
                        line.sendall(b"250 OK\r\n")

    threading.Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1]), listener


BREAKS: dict[str, tuple[bytes, bytes, type[Exception]]] = {
    "at_the_greeting": (b"EHLO", b"", Unreachable),
    "at_the_sender": (b"MAIL", b"", Unreachable),
    "sender_refused_for_the_moment": (b"MAIL", b"421 later\r\n", SendLater),
    "at_the_recipient": (b"RCPT", b"", Unreachable),
    "before_the_text": (b"DATA", b"", Unreachable),
    "text_refused": (b"DATA", b"554 no\r\n", AddressRefused),
    "after_the_text": (b".\r\n", b"", UnknownOutcome),
    "garbage_after_the_text": (b".\r\n", b"\x00\xff\r\n", UnknownOutcome),
}


@pytest.mark.parametrize(("stage", "answer", "error"), BREAKS.values(), ids=BREAKS.keys())
def test_where_the_line_breaks_decides_whether_to_send_again(stage: bytes, answer: bytes, error: type[Exception]) -> None:
    port, listener = break_at(stage, answer)
    with pytest.raises(error):
        send(port, "anna@example.com", seconds=2.0)
    listener.close()


def test_silence_after_the_text_is_an_unknown_outcome() -> None:
    port, listener = mute_after_text()
    with pytest.raises(UnknownOutcome):
        send(port, "anna@example.com", seconds=0.3)
    listener.close()


def mute_after_text() -> tuple[int, socket.socket]:
    """A server that takes the letter and says nothing more."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            line, _ = listener.accept()
            with line:
                line.sendall(b"220 ready\r\n")
                for row in line.makefile("rb"):
                    if row.strip() == b"DATA":
                        line.sendall(b"354 go on\r\n")
                    elif row[:4].upper().rstrip() in (b"EHLO", b"MAIL", b"RCPT"):
                        line.sendall(b"250 OK\r\n")

    threading.Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1]), listener


def test_nobody_there_is_unreachable() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with pytest.raises(Unreachable):
        send(port, "anna@example.com")


FIELDS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
]
FIELDS += ["Content-Type", "Content-Transfer-Encoding", "MIME-Version"]


@examples(max_examples=100, deadline=None, database=None)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40))
def test_nothing_handed_in_adds_a_field(subject: str, text: str, message_id: str) -> None:
    clean = text.encode("utf-8", "ignore").decode()
    subject = subject.encode("utf-8", "ignore").decode()
    raw = compose(
        "m@example.org",
        "a@example.com",
        subject + "\r\nBcc: x@y",
        clean,
        CLOCK,
        message_id=f"<{message_id}\nX: y>",
        in_reply_to="<a\nb>",
    )
    letter = email.message_from_bytes(raw)
    assert sorted(letter.keys()) == sorted(FIELDS)
