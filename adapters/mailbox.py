"""The Mailbox and Outgoing protocols: reading letters and sending them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from adapters.model import Envelope


@dataclass(frozen=True, slots=True)
class MailSettings:
    """How to reach the mailbox. Ports of 0 mean the protocol's own; ``security`` is "tls", "starttls" or "none"."""

    address: str
    user: str
    password: str = field(repr=False)
    imap_host: str = ""
    imap_port: int = 993
    imap_security: str = "tls"
    smtp_host: str = ""
    smtp_port: int = 465
    smtp_security: str = "tls"
    folder: str = "INBOX"
    authserv: str = ""
    """Server id of our own provider's Authentication-Results; empty: nothing is believed."""
    max_bytes: int = 2_000_000
    """Larger letters are not fetched."""


@dataclass(frozen=True, slots=True)
class MailPlace:
    """How far the mailbox has been read."""

    uidvalidity: int = 0
    last_uid: int = 0


class Mailbox(Protocol):
    """An IMAP folder. Nothing is marked, moved or deleted by reading."""

    def fetch(self, since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        """The first letters after the place, by UID, and the place that they reach; when none come there are no more. Of a
        mailbox that has not been read yet, or whose UIDVALIDITY has changed, everything recent is given (the caller knows
        letters by Message-ID and bytes), and nothing older ever. Raises MailLoginFailed, Unreachable."""

    def count(self) -> int:
        """How many letters there are. Raises as ``fetch``."""

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Listen for so many seconds of the clock (IDLE): True as soon as a letter may have come, also one that came between
        two listenings. A hint, never the only way to learn of news. ``stop`` is asked every second and ends it early.
        Raises MailLoginFailed and Unreachable when it cannot listen."""

    def close(self) -> None: ...


class Outgoing(Protocol):
    """SMTP."""

    def send(
        self, to: str, subject: str, text: str, *, message_id: str, in_reply_to: str | None = None, bcc: str | None = None
    ) -> None:
        """One letter to one recipient, plain text. Raises AddressRefused, SendLater, Unreachable, UnknownOutcome.

        ``bcc`` gets the same letter in the same transaction (our own mailbox, so that a look can tell whether it went
        out); that it is refused never stops the letter itself.
        """
