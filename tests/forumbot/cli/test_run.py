"""The daemon as a process: it starts the desk beside it and listens to the mailbox; all end when it is told to."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from adapters.clock import SystemClock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.mailbox import RunningMailbox, serve_mailbox

PATIENCE = 60.0
"""Seconds of the wall that a process on a busy machine may need to start or end."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, int, RunningMailbox]]:
    """A site on an embedded forum and mailbox, and a free port for its desk."""
    board = Board(SystemClock())
    board.add_section("Игры")
    board.register("Ведущий", "password")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "forum_password").write_text("password", encoding="utf-8")
    (tmp_path / "secrets" / "mail_password").write_text("password", encoding="utf-8")
    with serve(board, UcozOptions()) as server, serve_mailbox(SystemClock(), {"bot@forumbot.test": "password"}) as mailbox:
        text = (
            f'[site]\ndata = "data"\n[forum]\nengine = "ucoz"\nurl = "{server.url}"\nuser = "Ведущий"\n'
            f'min_interval = 0\n[desk]\nport = {port}\n[mail]\naddress = "bot@forumbot.test"\n'
            f'imap_host = "127.0.0.1"\nimap_port = {mailbox.imap_port}\nimap_security = "none"\n'
            f'smtp_host = "127.0.0.1"\nsmtp_port = {mailbox.smtp_port}\nsmtp_security = "none"\n'
        )
        (tmp_path / "forumbot.toml").write_text(text, encoding="utf-8")
        yield tmp_path / "forumbot.toml", port, mailbox


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/", timeout=2).status_code < 500
    except httpx.TransportError:
        return False


def waited(done: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if done():
            return True
        time.sleep(0.1)
    return False


def test_desk_and_listening_start_and_end_with_the_daemon(site: tuple[Path, int, RunningMailbox]) -> None:
    config, port, mailbox = site
    command = [sys.executable, "-m", "forumbot.cli.main", "run", "--desk", "--config", str(config)]
    daemon = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        assert waited(lambda: answers(port))
        assert waited(lambda: bool(mailbox._writers))  # no game runs, so nobody polls: this is the one who listens
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(timeout=PATIENCE) == 0
        assert waited(lambda: not answers(port))
        assert waited(lambda: not mailbox._writers)
    finally:
        daemon.kill()
        daemon.wait()
