"""The daemon as a process: it starts the desk beside it, and both end when it is told to."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from adapters.clock import SystemClock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions

PATIENCE = 60.0
"""Seconds of the wall that a process on a busy machine may need to start or end."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A site on an embedded forum, and a free port for its desk."""
    board = Board(SystemClock())
    board.add_section("Игры")
    board.register("Ведущий", "password")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "forum_password").write_text("password", encoding="utf-8")
    with serve(board, UcozOptions()) as server:
        text = (
            f'[site]\ndata = "data"\n[forum]\nengine = "ucoz"\nurl = "{server.url}"\nuser = "Ведущий"\n'
            f'min_interval = 0\n[desk]\nport = {port}\n'
        )
        (tmp_path / "forumbot.toml").write_text(text, encoding="utf-8")
        yield tmp_path / "forumbot.toml", port


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/", timeout=2).status_code < 500
    except httpx.TransportError:
        return False


def waited(port: int, wanted: bool) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if answers(port) is wanted:
            return True
        time.sleep(0.1)
    return False


def test_the_desk_starts_and_ends_with_the_daemon(site: tuple[Path, int]) -> None:
    config, port = site
    command = [sys.executable, "-m", "forumbot.cli.main", "run", "--desk", "--config", str(config)]
    daemon = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        assert waited(port, True)
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(timeout=PATIENCE) == 0
        assert waited(port, False)
    finally:
        daemon.kill()
        daemon.wait()
