"""A real Postfix (Debian's package) for tests, where it is installed: instances on loopback, apart from the system's own."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socketserver
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.adapters.mail.dovecot import Dovecot, free_port, wait_for

PROVIDER, FAR = "forumbot.test", "players.test"
"""Domain of the bot's own mail server, and of the one where players have their boxes."""
BOT, OWNER, FULL = f"host@{PROVIDER}", f"owner@{PROVIDER}", f"full@{FAR}"
"""The bot's box and its host's; an address whose letters are taken and come back later, for its box is full."""
PLAYERS = tuple(f"player{number}@{FAR}" for number in range(6))
_POSTCONF = shutil.which("postconf", path="/usr/sbin:/usr/bin")
_NOBODY = 65534
_QUEUES = ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace")
_MAIN = """
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
maillog_file = {base}/log
maillog_file_prefixes = {base}
myhostname = mx.{domain}
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtpd_peername_lookup = no
smtpd_error_sleep_time = 0
in_flow_delay = 0
smtputf8_enable = yes
relayhost = [127.0.0.1]:{next_port}
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {boxes}
virtual_mailbox_maps = texthash:{base}/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:{nobody}
virtual_gid_maps = static:{nobody}
transport_maps = texthash:{base}/transport
smtpd_relay_restrictions =
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:{policy}, permit_mynetworks, reject
smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:{policy}
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
delay_warning_time = 1s
smtp_destination_concurrency_failed_cohort_limit = 0
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 1 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
proxymap  unix - - n - - proxymap
anvil     unix - - n - 1 anvil
flush     unix n - n 1000? 0 flush
smtp      unix - - n - - smtp
relay     unix - - n - - smtp
full      unix - n n - - pipe user=nobody argv=/bin/sh -c {{echo "5.2.2 mailbox is full"; exit 69}}
error     unix - - n - - error
retry     unix - - n - - error
virtual   unix - n n - - virtual
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
"""


class Policy(socketserver.ThreadingTCPServer):
    """What a Postfix asks before it takes a recipient (``RCPT``) or a whole letter (``END-OF-MESSAGE``): answers "yes", or what
    it was told to say, as often as it was told to."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Question)
        self.port = int(self.server_address[1])
        self._answers: dict[tuple[str, str], list[str]] = {}
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def say(self, state: str, answer: str, *, times: int = 1, recipient: str = "") -> None:
        """``recipient``: of whom alone; "" means anybody."""
        self._answers[state, recipient] = [answer] * times

    def answer(self, asked: dict[str, str]) -> str:
        state = asked.get("protocol_state", "")
        waiting = self._answers.get((state, asked.get("recipient", "").lower())) or self._answers.get((state, ""))
        return waiting.pop() if waiting else "DUNNO"

    def forget(self) -> None:
        self._answers.clear()


class _Question(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        asked: dict[str, str] = {}
        assert isinstance(self.server, Policy)
        for line in self.rfile:
            name, sign, value = line.decode("utf-8", "replace").rstrip("\n").partition("=")
            if sign:
                asked[name] = value
                continue
            self.wfile.write(f"action={self.server.answer(asked)}\n\n".encode())
            asked = {}


class Postfix:
    """One running mail server of one domain. Letters to ``users`` go into their maildirs under ``boxes``, those to other
    domains to ``next_port``."""

    def __init__(self, domain: str, port: int, next_port: int, users: Sequence[str], boxes: Path) -> None:
        self.port = port
        self.policy = Policy()
        self._base = Path(tempfile.mkdtemp(prefix="postfix-"))
        self._base.chmod(0o755)
        names = {"base": self._base, "domain": domain, "port": port, "next_port": next_port, "boxes": boxes}
        (self._base / "main.cf").write_text(_MAIN.format(**names, policy=self.policy.port, nobody=_NOBODY))
        (self._base / "master.cf").write_text(_MASTER.format(**names))
        # Read once by processes that live on: nobody can be added later.
        (self._base / "boxes").write_text("".join(f"{user} {user}/\n" for user in users))
        (self._base / "transport").write_text(f"{FULL} full:\n")
        self._folders()
        self._process = subprocess.Popen(
            [f"{_asked('daemon_directory')}/master", "-c", str(self._base), "-d"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        self.policy.shutdown()
        self.policy.server_close()
        shutil.rmtree(self._base)

    def _folders(self) -> None:
        owner, drop = pwd.getpwnam("postfix").pw_uid, grp.getgrnam("postdrop").gr_gid
        queue = self._base / "queue"
        queue.mkdir()
        (queue / "pid").mkdir()
        (self._base / "data").mkdir()
        os.chown(self._base / "data", owner, -1)
        for name in _QUEUES:
            (queue / name).mkdir(0o700)
            os.chown(queue / name, owner, 0)
        for name, mode in (("public", 0o710), ("maildrop", 0o730)):
            (queue / name).mkdir()
            (queue / name).chmod(mode)
            os.chown(queue / name, owner, drop)


@dataclass
class Route:
    """The bot's provider with its Dovecot, and the far server where players have theirs; each hands the other's letters on."""

    provider: Postfix
    far: Postfix
    dovecot: Dovecot

    def empty(self) -> None:
        """Forget what was to be refused."""
        for server in (self.provider, self.far):
            server.policy.forget()

    def stop(self) -> None:
        self.provider.stop()
        self.far.stop()


def _asked(setting: str) -> str:
    assert _POSTCONF is not None
    return subprocess.run([_POSTCONF, "-dh", setting], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def mailroute(dovecot: Dovecot) -> Iterator[Route]:
    if _POSTCONF is None or os.geteuid() != 0:
        pytest.skip("needs Postfix (apt-get install postfix) and root")
    ports = free_port(), free_port()
    provider = Postfix(PROVIDER, ports[0], ports[1], (BOT, OWNER), dovecot.boxes)
    far = Postfix(FAR, ports[1], ports[0], (*PLAYERS, FULL), dovecot.boxes)
    route = Route(provider, far, dovecot)
    for port in ports:
        wait_for(port)
    yield route
    route.stop()
