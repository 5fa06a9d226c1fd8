"""Letters out over SMTP: one plain text to one recipient, and an exact word on what became of it."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
from email import policy
from email.headerregistry import Address, HeaderRegistry, UniqueUnstructuredHeader
from email.message import EmailMessage
from email.utils import format_datetime

from adapters.clock import Clock
from adapters.errors import AddressRefused, MailError, MailLoginFailed, NotSecure, SendLater, UnknownOutcome, Unreachable
from adapters.mail import tls
from adapters.mail.echoes import MARK
from adapters.mailbox import MailSettings

_SECONDS = 40.0
_DEFAULT_PORTS = {"tls": 465, "starttls": 587, "none": 25}
_REGISTRY = HeaderRegistry()
_REGISTRY.map_to_type("message-id", UniqueUnstructuredHeader)  # type: ignore[arg-type]
# (The standard's own reader of ids raises on odd ones; the stub of map_to_type asks for more than the code does.)
_POLICY = policy.SMTP.clone(max_line_length=200, header_factory=_REGISTRY)


class SmtpOutgoing:
    """``adapters.mailbox.Outgoing`` over SMTP: a connection for each letter, no retrying."""

    def __init__(self, settings: MailSettings, clock: Clock, *, seconds: float = _SECONDS) -> None:
        self._settings = settings
        self._clock = clock
        self._seconds = seconds

    def send(
        self, to: str, subject: str, text: str, *, message_id: str, in_reply_to: str | None = None, bcc: str | None = None
    ) -> None:
        """Send one letter; ``bcc`` gets the same one in the same transaction, if the server will have it.

        AddressRefused: the server refuses the address, or the letter to it, for good; SendLater: "try again later";
        Unreachable: nothing was handed over; UnknownOutcome: the line broke after the letter was handed over;
        MailLoginFailed: the server refused our name or password.
        """
        letter = compose(self._settings.address, to, subject, text, self._clock, message_id=message_id, in_reply_to=in_reply_to)
        line = self._open()
        try:
            self._login(line)
            self._envelope(line, to)
            if bcc is not None:
                self._copy(line, bcc)
            self._data(line, letter)
        finally:
            with contextlib.suppress(Exception):  # the letter's fate is known; how the line ends is of no interest
                line.quit()
            line.close()

    def log_in(self) -> None:
        """Try connection, name and password, and send nothing. Raises MailLoginFailed, SendLater or Unreachable."""
        line = self._open()
        try:
            self._login(line)
        finally:
            with contextlib.suppress(Exception):
                line.quit()
            line.close()

    def _open(self) -> smtplib.SMTP:
        settings = self._settings
        security = settings.smtp_security
        port = settings.smtp_port or _DEFAULT_PORTS[security]
        line = None
        try:
            if security == "tls":
                return smtplib.SMTP_SSL(settings.smtp_host, port, timeout=self._seconds, context=tls.context())
            line = smtplib.SMTP(settings.smtp_host, port, timeout=self._seconds)
            if security == "starttls":
                line.starttls(context=tls.context())
            return line
        except (OSError, smtplib.SMTPException) as trouble:
            if line is not None:
                line.close()
            if isinstance(trouble, smtplib.SMTPNotSupportedError):
                raise NotSecure("no_starttls", _words(trouble)) from trouble
            raise tls.trouble(trouble, _words(trouble)) from trouble

    def _login(self, line: smtplib.SMTP) -> None:
        try:
            line.ehlo_or_helo_if_needed()
            if self._settings.password and line.has_extn("auth"):
                line.login(self._settings.user, self._settings.password)
        except smtplib.SMTPAuthenticationError as refused:
            if 400 <= refused.smtp_code < 500:
                raise SendLater("the mail server refuses log-ins at present") from refused
            raise MailLoginFailed("the mail server refused name or password") from refused
        except UnicodeEncodeError as foreign:
            raise MailLoginFailed("mail takes no such letters in name or password") from foreign
        except (OSError, smtplib.SMTPException) as trouble:
            raise Unreachable(_words(trouble)) from trouble

    def _envelope(self, line: smtplib.SMTP, to: str) -> None:
        try:
            options = ["SMTPUTF8"] if not to.isascii() and line.has_extn("smtputf8") else []
            code, words = line.mail(self._settings.address, options)
            if code != 250:
                raise SendLater(_said(code, words)) if code < 500 else Unreachable(_said(code, words))
            code, words = line.rcpt(to)
        except UnicodeEncodeError as foreign:
            raise AddressRefused("the mail server takes no such address") from foreign
        except (OSError, smtplib.SMTPException) as trouble:
            raise Unreachable(_words(trouble)) from trouble
        if code not in (250, 251):
            raise _refusal(code, words)

    def _copy(self, line: smtplib.SMTP, bcc: str) -> None:
        """One more recipient of the same transaction; that it is refused never stops the letter itself."""
        try:
            line.rcpt(bcc)
        except UnicodeEncodeError:
            return
        except (OSError, smtplib.SMTPException) as trouble:
            raise Unreachable(_words(trouble)) from trouble

    def _data(self, line: smtplib.SMTP, letter: bytes) -> None:
        try:
            code, words = line.docmd("DATA")
        except (OSError, smtplib.SMTPException) as trouble:
            raise Unreachable(_words(trouble)) from trouble
        if code != 354:
            raise _refusal(code, words)
        body = re.sub(rb"(?m)^\.", b"..", letter)
        try:
            line.send(body + (b"" if body.endswith(b"\r\n") else b"\r\n") + b".\r\n")
            code, words = line.getreply()
        except (OSError, smtplib.SMTPException) as trouble:
            raise UnknownOutcome(_words(trouble)) from trouble
        if code == -1:
            raise UnknownOutcome("the line broke after the letter was handed over")
        if code != 250:
            raise _refusal(code, words)


def connect(settings: MailSettings, clock: Clock) -> SmtpOutgoing:
    """The way out of these settings. No line is opened before a letter is sent."""
    return SmtpOutgoing(settings, clock)


def compose(
    sender: str, to: str, subject: str, text: str, clock: Clock, *, message_id: str, in_reply_to: str | None = None
) -> bytes:
    """The letter's bytes. Nothing that is handed in can add a field: line ends in addresses raise AddressRefused, elsewhere
    they become blanks."""
    letter = EmailMessage(policy=_POLICY)
    letter["From"] = _address(sender)
    letter["To"] = _address(to)
    letter["Subject"] = _one_line(subject)
    letter["Date"] = format_datetime(clock.now())
    letter["Message-ID"] = _id(message_id)
    if in_reply_to:
        letter["In-Reply-To"] = _id(in_reply_to)
        letter["References"] = _id(in_reply_to)
    letter["Auto-Submitted"] = "auto-replied" if in_reply_to else "auto-generated"
    letter["X-Auto-Response-Suppress"] = "All"
    text = f"{MARK}\n" + text.replace("\r\n", "\n").replace("\r", "\n")
    letter.set_content(text, charset="utf-8", cte="base64" if _needs_base64(text) else "8bit")
    return letter.as_bytes()


def _needs_base64(text: str) -> bool:
    """Lines of more than 998 octets are forbidden, and servers without 8BITMIME may spoil eight-bit text: only ASCII is bare."""
    return not text.isascii() or any(len(line) > 900 for line in text.splitlines())


def _address(address: str) -> Address:
    if re.search(r"[\s<>,;\x00-\x1f\x7f]", address) or address.count("@") != 1:
        raise AddressRefused("this is no address")
    name, _, domain = address.rpartition("@")
    if not name or not domain:
        raise AddressRefused("this is no address")
    return Address(username=name, domain=domain)


def _one_line(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text).split())


def _id(message_id: str) -> str:
    return re.sub(r"[^\x21-\x7e]", "", message_id)


def _refusal(code: int, words: bytes) -> MailError | Unreachable:
    if code == -1:
        return Unreachable("the line broke before the letter was handed over")
    if code == 421 or 400 <= code < 500:
        return SendLater(_said(code, words))
    return AddressRefused(_said(code, words))


def _said(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {_one_line(text)}"[:200]


def _words(trouble: BaseException) -> str:
    if isinstance(trouble, socket.timeout):
        return "time-out"
    return f"{type(trouble).__name__}: {trouble}"[:200]
