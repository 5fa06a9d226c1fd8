"""A real Dovecot (Debian's package) for tests, where it is installed: one process a session, a fresh mailbox for each test."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest
import trustme

PASSWORD = "rehearsal"
"""Every user's."""
_PROGRAM = shutil.which("dovecot", path="/usr/sbin:/usr/bin")
_NOBODY = 65534
_CONFIG = """
protocols = imap
base_dir = {base}/run
log_path = {base}/log
ssl = yes
ssl_cert = <{base}/server.pem
ssl_key = <{base}/server.pem
disable_plaintext_auth = no
mail_location = maildir:{base}/mail/%u
first_valid_uid = 0
mail_max_userip_connections = 50
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={nobody} gid={nobody} home={base}/home
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {tls_port}
    ssl = yes
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(400):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        threading.Event().wait(0.02)
    raise RuntimeError("the server did not start")


@dataclass
class Box:
    """One user's INBOX, a maildir of the test's own."""

    user: str
    port: int
    _folder: Path
    password: str = PASSWORD
    _count: int = field(default=0, init=False)

    def deliver(self, raw: bytes, at: datetime | None = None) -> None:
        """Lay a letter into the maildir as a mail server would, raw bytes and all; ``at``: when it came (default: now)."""
        self._count += 1
        waiting = self._folder / "tmp" / f"{self._count:06}.x"
        waiting.write_bytes(raw)
        os.chown(waiting, _NOBODY, _NOBODY)
        if at is not None:
            os.utime(waiting, (at.timestamp(), at.timestamp()))
        waiting.rename(self._folder / "new" / waiting.name)

    def letters(self, wanted: Callable[[bytes], bool] = bool) -> list[bytes]:
        """All wanted letters, opened or not, as they lie there."""
        files = [path for name in ("new", "cur") for path in (self._folder / name).iterdir()]
        return [raw for raw in (path.read_bytes() for path in sorted(files, key=lambda path: path.name)) if wanted(raw)]

    def arrived(
        self, count: int, wanted: Callable[[bytes], bool] = bool, at: datetime | None = None, *, seconds: float = 10.0
    ) -> list[bytes]:
        """Wait until a mail server has brought ``count`` wanted letters, and say of all that nobody has opened yet when they came
        (``at``), for no mail server knows the test's time. Gives the wanted ones."""
        for _ in range(int(seconds / 0.02)):
            if len(self.letters(wanted)) >= count:
                break
            threading.Event().wait(0.02)
        if at is not None:
            for path in (self._folder / "new").iterdir():
                os.utime(path, (at.timestamp(), at.timestamp()))
        return self.letters(wanted)

    def renumber(self) -> None:
        """A new UIDVALIDITY and new UIDs, as after a restore on the server."""
        (old,) = self._folder.glob("dovecot-uidlist")
        words = old.read_text().split(maxsplit=2)
        validity = int(words[1].removeprefix("V"))
        for path in self._folder.glob("dovecot*"):
            path.unlink()
        old.write_text(f"3 V{validity + 1} N1\n")
        os.chown(old, _NOBODY, _NOBODY)


class Dovecot:
    """The running server."""

    def __init__(self) -> None:
        self.port, self.tls_port = free_port(), free_port()
        self.authority = trustme.CA()
        """Signs its certificate, which is for the name "localhost" and no other."""
        self._base = Path(tempfile.mkdtemp(prefix="dovecot-"))
        self._base.chmod(0o755)
        for name in ("mail", "home"):
            self._folder(self._base / name)
        self.authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(self._base / "server.pem"))
        config = self._base / "dovecot.conf"
        ports = {"port": self.port, "tls_port": self.tls_port}
        config.write_text(_CONFIG.format(base=self._base, nobody=_NOBODY, password=PASSWORD, **ports))
        self._process = subprocess.Popen(
            [str(_PROGRAM), "-F", "-c", str(config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._boxes = 0
        wait_for(self.port)

    def box(self, user: str = "") -> Box:
        """An empty INBOX, a new user's or this one's."""
        self._boxes += 1
        user = user or f"user{self._boxes}"
        folder = self.boxes / user
        if folder.exists():
            shutil.rmtree(folder)
        for name in ("", "new", "cur", "tmp"):
            self._folder(folder / name)
        return Box(user, self.port, folder)

    @property
    def boxes(self) -> Path:
        """Where the users' maildirs are."""
        return self._base / "mail"

    def silence(self, on: bool) -> None:
        """Every process of the server stands still: the system takes connections and commands, nobody answers."""
        os.killpg(self._process.pid, signal.SIGSTOP if on else signal.SIGCONT)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        shutil.rmtree(self._base)

    def _folder(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        os.chown(folder, _NOBODY, _NOBODY)


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    if _PROGRAM is None or os.geteuid() != 0:
        pytest.skip("needs Dovecot (apt-get install dovecot-imapd) and root")
    told = subprocess.run([_PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    if not told.startswith("2.3"):
        pytest.skip(f"the settings written here are those of Dovecot 2.3, not of {told.strip()}")
    server = Dovecot()
    yield server
    server.stop()
