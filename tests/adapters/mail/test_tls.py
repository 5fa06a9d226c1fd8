"""IMAP and SMTP over TLS and STARTTLS: a password goes to nobody but the server that is meant."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from adapters.clock import ManualClock
from adapters.errors import NotSecure
from adapters.mail.imap import ImapMailbox
from adapters.mail.smtp import SmtpOutgoing
from adapters.mailbox import MailPlace, MailSettings
from tests.adapters.mail import dovecot as dovecot_server
from tests.adapters.mail.dovecot import PASSWORD, Dovecot

dovecot = dovecot_server.dovecot
CLOCK = ManualClock(datetime(2026, 12, 1, 18, 0, tzinfo=UTC))
SECRET = "Geheim-4711"
CA = trustme.CA()
"""Whom the machine trusts, besides those whom it trusts anyway."""


class Server:
    """An IMAP or SMTP server with one certificate; ``heard`` has every line that was said to it, in the clear or not."""

    def __init__(self, protocol: str, *, certificate: ssl.SSLContext, tls: bool, starttls: bool) -> None:
        self.heard: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._certificate = certificate
        self._tls = tls
        self._starttls = starttls
        serve = self._imap if protocol == "imap" else self._smtp
        self._thread = threading.Thread(target=self._serve, args=(serve,), daemon=True)
        self._thread.start()

    def _serve(self, serve: Callable[[socket.socket], None]) -> None:
        with contextlib.suppress(OSError):
            line, _ = self._listener.accept()
            with line:
                if self._tls:
                    line = self._secure(line)
                serve(line)

    def _secure(self, line: socket.socket) -> socket.socket:
        return self._certificate.wrap_socket(line, server_side=True)

    def _imap(self, line: socket.socket) -> None:
        line.sendall(b"* OK ready\r\n")
        offers, reader = self._starttls, line.makefile("rb")
        while row := reader.readline():
            self.heard.append(row)
            tag, _, command = row.strip().partition(b" ")
            if command == b"CAPABILITY":
                line.sendall(b"* CAPABILITY IMAP4rev1" + (b" STARTTLS" if offers else b"") + b"\r\n")
            elif command.startswith(b"EXAMINE"):
                line.sendall(b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n")
            elif command.startswith(b"UID SEARCH"):
                line.sendall(b"* SEARCH\r\n")
            line.sendall(tag + b" OK done\r\n")
            if command == b"STARTTLS":
                line, offers = self._secure(line), False
                reader = line.makefile("rb")

    def _smtp(self, line: socket.socket) -> None:
        line.sendall(b"220 ready\r\n")
        offers, reader = self._starttls, line.makefile("rb")
        while row := reader.readline():
            self.heard.append(row)
            command = row.split()[0].upper()
            if command == b"EHLO":
                line.sendall(b"250-x\r\n" + (b"250-STARTTLS\r\n" if offers else b"") + b"250 AUTH PLAIN\r\n")
            else:
                line.sendall({b"STARTTLS": b"220 go on\r\n", b"AUTH": b"235 OK\r\n"}.get(command, b"250 OK\r\n"))
            if command == b"STARTTLS":
                line, offers = self._secure(line), False
                reader = line.makefile("rb")

    def close(self) -> None:
        self._listener.close()
        self._thread.join(10)


def certificate(case: str) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if case == "self-signed":
        lonely = trustme.CA()
        with lonely.cert_pem.tempfile() as cert, lonely.private_key_pem.tempfile() as key:
            made.load_cert_chain(cert, key)
        return made
    authority = trustme.CA() if case == "unknown authority" else CA
    name = "mail.example.org" if case == "another name" else "127.0.0.1"
    long_ago = datetime.now(UTC) - timedelta(days=3650)
    until = long_ago + timedelta(days=30) if case == "expired" else None
    authority.issue_cert(name, not_before=long_ago, not_after=until).configure_cert(made)
    return made


@pytest.fixture(autouse=True)
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of authorities that the machine trusts."""
    file = tmp_path / "authorities.pem"
    CA.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


def log_in(
    protocol: str, security: str, port: int, *, host: str = "127.0.0.1", user: str = "user", password: str = SECRET
) -> None:
    settings = MailSettings(
        "m@example.org", user, password, imap_host=host, imap_port=port, imap_security=security, smtp_host=host, smtp_port=port,
        smtp_security=security,
    )  # fmt: skip
    if protocol == "imap":
        box = ImapMailbox(settings, CLOCK, read_seconds=5.0)
        try:
            box.fetch(MailPlace())
        finally:
            box.close()
    else:
        SmtpOutgoing(settings, CLOCK, seconds=5.0).log_in()


@contextlib.contextmanager
def served(protocol: str, case: str, security: str) -> Iterator[Server]:
    """The server of a case, for a client that wants this security."""
    offered = "" if case in ("no TLS", "no STARTTLS") else security
    server = Server(protocol, certificate=certificate(case), tls=offered == "tls", starttls=offered == "starttls")
    yield server
    server.close()


ways = pytest.mark.parametrize(
    ("protocol", "security"), [(protocol, security) for protocol in ("imap", "smtp") for security in ("tls", "starttls")]
)


@ways
def test_a_server_that_is_believed_gets_the_password_after_the_handshake(protocol: str, security: str) -> None:
    with served(protocol, "good", security) as server:
        log_in(protocol, security, server.port)
    login = next(n for n, row in enumerate(server.heard) if b"LOGIN" in row or b"AUTH" in row)
    handshakes = [n for n, row in enumerate(server.heard) if b"STARTTLS" in row]
    assert len(handshakes) == (security == "starttls")
    assert all(n < login for n in handshakes)


REASONS = {
    "another name": "other_name",
    "unknown authority": "unknown_signer",
    "self-signed": "unknown_signer",
    "expired": "wrong_time",
}


@ways
@pytest.mark.parametrize("case", REASONS)
def test_a_certificate_that_is_not_believed_gets_no_password(protocol: str, security: str, case: str) -> None:
    with served(protocol, case, security) as server, pytest.raises(NotSecure) as refused:
        log_in(protocol, security, server.port)
    assert refused.value.reason == REASONS[case]
    assert not any(b"LOGIN" in row or b"AUTH" in row for row in server.heard)
    assert SECRET not in str(refused.value)


@ways
def test_a_server_without_tls_gets_no_password_in_the_clear(protocol: str, security: str) -> None:
    """Nor one between us and it, who takes its offer of STARTTLS away."""
    case = "no TLS" if security == "tls" else "no STARTTLS"
    with served(protocol, case, security) as server, pytest.raises(NotSecure) as refused:
        log_in(protocol, security, server.port)
    assert refused.value.reason == {"tls": "no_tls", "starttls": "no_starttls"}[security]
    assert not any(b"LOGIN" in row or b"AUTH" in row for row in server.heard)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_dovecot_is_believed_under_its_name_only(dovecot: Dovecot, trusted: Path, security: str) -> None:
    dovecot.authority.cert_pem.write_to_path(str(trusted))
    user, port = dovecot.box().user, dovecot.tls_port if security == "tls" else dovecot.port
    log_in("imap", security, port, host="localhost", user=user, password=PASSWORD)
    with pytest.raises(NotSecure) as refused:
        log_in("imap", security, port, user=user, password=PASSWORD)
    assert refused.value.reason == "other_name"
