"""Nothing that is printed or logged holds a password, cookie, session, token, address or role (T68)."""

from __future__ import annotations

import json
import re
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest

from forumbot.cli.main import main
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.hosting.core import logs
from forumbot.hosting.daemon.wiring import clock

FORUM_PASSWORD, MAIL_PASSWORD = "kedr-forum-4711", "sosna-mail-4712"
ADDRESS = "igra@private.example"
_SESSION = re.compile(r"\b[0-9a-f]{16,}\b|sid=|Set-Cookie|form_token|ssid", re.I)


class _Refusing(socketserver.StreamRequestHandler):
    """An IMAP server that says no, and says aloud what it was told."""

    def handle(self) -> None:
        self.wfile.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        for line in self.rfile:
            tag, _, rest = line.strip().partition(b" ")
            if rest.upper().startswith(b"CAPABILITY"):
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
            else:
                self.wfile.write(tag + b" NO [AUTHENTICATIONFAILED] refused: " + rest + b"\r\n")


@contextmanager
def refusing_mailbox() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Refusing) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield int(server.server_address[1])
        server.shutdown()


@contextmanager
def site(folder: Path, options: UcozOptions | PhpbbOptions, password: str) -> Iterator[Path]:
    """A site of files whose forum takes ``password`` and whose mailbox refuses."""
    board = Board(clock())
    section = board.add_section("Игры")
    bot = board.register("Тайновед", password)
    topic = board.open_topic(section, bot, "Запись", "Пишите")
    engine = "ucoz" if isinstance(options, UcozOptions) else "phpbb"
    with serve(board, options) as server, refusing_mailbox() as port:
        config = folder / "forumbot.toml"
        config.write_text(
            f'[site]\ndata = "data"\n[forum]\nengine = "{engine}"\nurl = "{server.url}"\nuser = "Тайновед"\n'
            "min_interval = 0\nform_delay = 1.1\n"
            f'[mail]\naddress = "{ADDRESS}"\nimap_host = "127.0.0.1"\nimap_port = {port}\nimap_security = "none"\n'
            'smtp_host = "127.0.0.1"\nsmtp_port = 1\nsmtp_security = "none"\n'
        )
        (folder / "secrets").mkdir()
        (folder / "secrets" / "forum_password").write_text(FORUM_PASSWORD)
        (folder / "secrets" / "mail_password").write_text(MAIL_PASSWORD)
        (folder / "games").mkdir()
        (folder / "games" / "gk1.toml").write_text(
            f'id = "gk1"\ntitle = "Партия"\nruleset = "goldenkey"\nsection = "{section}"\nmode = "shadow"\n'
            f'[signup]\ncloses = 2030-01-01T20:00:00\ntopic = "{f"{section}-{topic}" if engine == "ucoz" else topic}"\n'
        )
        yield config


def said(*arguments: str) -> str:
    ran = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, timeout=120)
    return ran.stdout + ran.stderr


@pytest.mark.parametrize("options", [UcozOptions(), PhpbbOptions()], ids=["ucoz", "phpbb"])
@pytest.mark.parametrize("password", [FORUM_PASSWORD, "another"], ids=["let in", "refused"])
def test_failed_logins_at_the_loudest_tell_no_secret(tmp_path: Path, options: UcozOptions | PhpbbOptions, password: str) -> None:
    with site(tmp_path, options, password) as config:
        told = said("forumbot.cli.main", "run", "--once", "--debug", "--config", str(config))
    assert '"reason": "mail_login_failed"' in told
    assert '"logger": "adapters.http"' in told
    assert all(json.loads(line) for line in told.splitlines())
    assert ('"reason": "login_failed"' in told) is (password == "another")
    for secret in (FORUM_PASSWORD, MAIL_PASSWORD, ADDRESS, "another"):
        assert secret not in told
    assert not _SESSION.search(told)


def test_a_whole_game_and_its_crash_report_tell_no_secret(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.forumbot.operation.loud_game", str(tmp_path)], capture_output=True, text=True, check=True
    )
    secrets = json.loads(ran.stdout)
    assert "IntegrityError" in ran.stderr
    assert '"event": "game_failed"' in ran.stderr
    assert len(secrets["codes"]) == 15
    assert "buratino" in secrets["roles"]
    open_codes = [code for code in secrets["codes"] if code]  # a code that was used is gone
    assert len(open_codes) > 10
    for secret in (*open_codes, *secrets["roles"], "private.example", "karabas", "12345", "owner@example.org"):
        assert not re.search(rf"\b{re.escape(secret)}\b", ran.stderr), secret


def every_command(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from every_command(found, click.Context(found, info_name=name, parent=context))


def test_no_help_shows_or_asks_for_a_secret_on_the_command_line() -> None:
    helps = [(command, command.get_help(context)) for command, context in every_command(main, click.Context(main))]
    assert len(helps) > 40
    for command, text in helps:
        assert not re.search(r"парол\w*\s*[=:]\s*\S|password\s*[=:]\s*\S|token\s*=|sid=", text, re.I), command.name
        options = {option for parameter in command.params for option in parameter.opts}
        assert not {one for one in options if re.search(r"passw|token|secret|cookie", one)}, command.name


def test_named_secrets_are_masked() -> None:
    event: dict[str, Any] = {
        "event": "x",
        "password": "p1",
        "cookie": "c1",
        "sid": "s1",
        "token": "t1",
        "address": "a1",
        "role": "r1",
        "game": "gk1",
    }
    made = logs._without_secrets(None, "", event)
    assert {key for key, value in made.items() if value == "***"} == {"password", "cookie", "sid", "token", "address", "role"}
    assert made["game"] == "gk1"


def test_an_error_in_a_host_command_shows_no_values(tmp_path: Path) -> None:
    """Tracebacks go to standard error, without the values of variables: those hold roles and addresses."""
    script = (
        "from forumbot.hosting.core import logs\nimport structlog\nlogs.configure(quiet=True)\nlog = structlog.get_logger('x')\n"
        "def act(secret):\n    raise RuntimeError('it broke')\n"
        "try:\n    act('karabas' + '-barabas')\nexcept RuntimeError:\n    log.exception('act_failed')\nlog.info('nobody asked')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == ""
    assert "it broke" in ran.stderr
    assert "karabas-barabas" not in ran.stderr
    assert "nobody asked" not in ran.stderr
