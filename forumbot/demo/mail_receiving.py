"""How the embedded mail server takes letters by SMTP: recipients, troubles, and its own Authentication-Results."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import format_datetime, parseaddr

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from adapters.clock import Clock

NO_SUCH_USER = "550 5.1.1 User unknown"
FULL = "452 4.2.2 Mailbox full"
TRY_LATER = "451 4.7.1 Greylisted, try again later"
TAKEN = "250 2.0.0 OK"


@dataclass
class MailTroubles:
    """What goes wrong on purpose. Counts of -1 mean: from now on."""

    refused: set[str] = field(default_factory=set)
    """Addresses that are refused for good (550)."""
    full: set[str] = field(default_factory=set)
    """Addresses whose boxes are over their quota (452)."""
    greylisted: int = 0
    """So many attempts to each recipient get 451 first."""
    close_in_data: int = 0
    """So many letters: the connection ends after the text, without an answer."""
    stored_when_closed: bool = True
    """Whether such a letter has arrived all the same."""
    answer_to_data: str = ""
    """Answered in place of 250 after the text ("452 4.2.2 Mailbox full"); nothing is stored."""
    silent: bool = False
    """IMAP takes commands and says nothing more; new connections get no greeting."""
    hang_up: bool = False
    """IMAP and SMTP close new connections at once."""


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter that the SMTP server took. ``raw`` is as it came, before any header was added."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    taken: datetime
    login: str | None


Deliver = Callable[[str, bytes], Awaitable[None]]


class Receiver:
    """The handler of the SMTP server. ``own`` are addresses whose mail from themselves is genuine."""

    def __init__(self, clock: Clock, authserv: str, users: dict[str, str], troubles: MailTroubles, deliver: Deliver) -> None:
        self._clock = clock
        self._authserv = authserv
        self._users = users
        self._troubles = troubles
        self._deliver = deliver
        self._attempts: dict[str, int] = {}
        self.own: set[str] = set(users)
        self.taken: list[SentLetter] = []

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, auth_data: object) -> AuthResult:
        """Logins are the users' own names and passwords."""
        if not isinstance(auth_data, LoginPassword):
            return AuthResult(success=False, handled=False)
        login = auth_data.login.decode("utf-8", "replace").lower()
        good = login in self._users and self._users[login] == auth_data.password.decode("utf-8", "replace")
        return AuthResult(success=good, auth_data=login if good else None, handled=False)

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        recipient = address.lower()
        if recipient in self._troubles.refused:
            return NO_SUCH_USER
        if recipient in self._troubles.full:
            return FULL
        tried = self._attempts.get(recipient, 0)
        if self._troubles.greylisted == -1 or tried < self._troubles.greylisted:
            self._attempts[recipient] = tried + 1
            return TRY_LATER
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self._troubles.answer_to_data:
            return self._troubles.answer_to_data
        closing = self._troubles.close_in_data != 0
        if not closing or self._troubles.stored_when_closed:
            await self._take(session, envelope)
        if closing:
            self._troubles.close_in_data -= self._troubles.close_in_data > 0
            if isinstance(server.transport, asyncio.Transport):
                server.transport.abort()
        return TAKEN

    async def _take(self, session: Session, envelope: Envelope) -> None:
        raw = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        sender = (envelope.mail_from or "").lower()
        login = session.auth_data if isinstance(session.auth_data, str) else None
        recipients = tuple(address.lower() for address in envelope.rcpt_tos)
        self.taken.append(SentLetter(sender, recipients, raw, self._clock.now(), login))
        marked = self.mark(raw, sender, login)
        for recipient in recipients:
            if recipient in self._users:
                await self._deliver(recipient, marked)

    def mark(self, raw: bytes, sender: str, login: str | None = None) -> bytes:
        """The letter with this server's trace on top; results that somebody wrote in this server's name are taken out.

        Genuine is what comes from a known address in its own name; who has logged in can write in his login's name only.
        """
        shown = header_address(raw)
        known = shown in self.own and sender == shown and login in (None, shown)
        result = "pass" if known else "fail"
        domain = shown.rpartition("@")[2] or "unknown"
        now = format_datetime(self._clock.now())
        trace = (f"Authentication-Results: {self._authserv};\r\n\tspf={result} smtp.mailfrom={sender or 'unknown'};\r\n"
                 f"\tdkim={result} header.d={domain};\r\n\tdmarc={result} header.from={domain}\r\n"
                 f"Received: from client ([127.0.0.1]) by {self._authserv} with ESMTP;\r\n\t{now}\r\n")
        return trace.encode() + without_results_of(raw, self._authserv)


def header_address(raw: bytes) -> str:
    """The address of the From line, in lower case; empty when there is none."""
    return parseaddr(str(BytesHeaderParser(policy=compat32).parsebytes(raw).get("From", "")))[1].lower()


def without_results_of(raw: bytes, authserv: str) -> bytes:
    """The letter without Authentication-Results lines that claim to be this server's (RFC 8601, section 5)."""
    head, gap, body = _parted(raw)
    name = re.escape(authserv.encode())
    pattern = rb"(?im)^Authentication-Results:[ \t]*(?:\r?\n[ \t]+)?" + name + rb"(?![\w.-])[^\n]*\n(?:[ \t][^\n]*\n)*"
    return re.sub(pattern, b"", head + b"\r\n").removesuffix(b"\r\n") + gap + body


def _parted(raw: bytes) -> tuple[bytes, bytes, bytes]:
    """Head, the empty line, body; for either kind of line end."""
    found = re.search(rb"\r?\n\r?\n", raw)
    return (raw, b"", b"") if found is None else (raw[: found.start()], found[0], raw[found.end() :])


def smtp(receiver: Receiver, loop: asyncio.AbstractEventLoop) -> SMTP:
    """A protocol for one connection: any size, any line length, login without TLS (it never leaves the loopback)."""
    protocol = SMTP(receiver, data_size_limit=None, hostname="localhost", ident="mail", auth_require_tls=False,
                    authenticator=receiver.authenticate, enable_SMTPUTF8=True, loop=loop)
    protocol.line_length_limit = 2**20
    return protocol
