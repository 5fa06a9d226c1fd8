"""``forumbot check``: one line for each thing that must be right, and what to do where it is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapters.clock import VirtualClock
from forumbot.cli.main import main
from forumbot.demo.forum.board import Board, Group
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.mailbox import serve_mailbox
from forumbot.hosting.wiring import CLOCK_VARIABLE, clock

PASSWORD = "rehearsal"
ADDRESS = "igra@forumbot.test"


@contextmanager
def site(
    folder: Path, options: UcozOptions | PhpbbOptions, *, group: Group = "users", password: str = PASSWORD, mail: bool = False
) -> Iterator[Path]:
    """A site of files before an embedded forum (and mailbox)."""
    board = Board(clock())
    section = board.add_section("Игры")
    board.register("Бот", PASSWORD, group=group)
    board.open_topic(section, board.register("Анна", "x"), "Старая тема", "привет")
    engine = "ucoz" if isinstance(options, UcozOptions) else "phpbb"
    with ExitStack() as stack:
        server = stack.enter_context(serve(board, options))
        text = f'[site]\ndata = "data"\n[forum]\nengine = "{engine}"\nurl = "{server.url}"\nuser = "Бот"\nmin_interval = 0\n'
        text += "form_delay = 1.1\n"
        if mail:
            box = stack.enter_context(serve_mailbox(clock(), {ADDRESS: PASSWORD}))
            text += (
                f'[mail]\naddress = "{ADDRESS}"\nimap_host = "127.0.0.1"\nimap_port = {box.imap_port}\nimap_security = "none"\n'
            )
            text += f'smtp_host = "127.0.0.1"\nsmtp_port = {box.smtp_port}\nsmtp_security = "none"\n'
        (folder / "forumbot.toml").write_text(text)
        (folder / "secrets").mkdir()
        (folder / "secrets" / "forum_password").write_text(password)
        (folder / "secrets" / "mail_password").write_text(PASSWORD)
        (folder / "games").mkdir()
        game = f'id = "gk1"\ntitle = "Партия"\nruleset = "goldenkey"\nsection = "{section}"\n'
        game += "[signup]\ncloses = 2030-01-01T20:00:00\n"
        (folder / "games" / "gk1.toml").write_text(game)
        yield folder / "forumbot.toml"


def checked(config: Path, *more: str) -> tuple[int, dict[str, str]]:
    """The exit code, and for each line what to do (nothing: fine)."""
    ran = CliRunner().invoke(main, ["check", "--config", str(config), "--json", *more])
    assert ran.exit_code in (0, 1), ran.output
    return ran.exit_code, {line["what"]: line["advice"] for line in json.loads(ran.stdout)}


@pytest.mark.parametrize("options", [UcozOptions(), PhpbbOptions()], ids=["ucoz", "phpbb"])
def test_a_site_that_is_ready_has_nothing_to_mend(tmp_path: Path, options: UcozOptions | PhpbbOptions) -> None:
    with site(tmp_path, options) as config:
        code, lines = checked(config)
    assert code == 0, lines
    assert set(lines.values()) == {""}
    told = " | ".join(lines)
    for what in (
        "вход на форум: Бот",
        "часы: как у форума",
        "личные сообщения",
        "форма новой темы",
        "код с картинки",
        "место на диске",
    ):
        assert what in told


def test_a_wrong_password_is_told_and_nothing_else_is_tried(tmp_path: Path) -> None:
    with site(tmp_path, PhpbbOptions(), password="wrong") as config:
        code, lines = checked(config)
    assert code == 1
    assert "логин или пароль не приняты" in lines["вход на форум"]
    assert not any("форма новой темы" in line for line in lines)


def test_a_captcha_in_the_forms_is_told(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions(post_captcha=True)) as config:
        code, lines = checked(config)
    assert code == 1
    (advice,) = [advice for what, advice in lines.items() if "код с картинки" in what]
    assert "попросите владельца" in advice


def test_a_newcomer_on_phpbb_is_told(tmp_path: Path) -> None:
    with site(tmp_path, PhpbbOptions(), group="newcomers") as config:
        code, lines = checked(config)
    assert code == 1
    assert any("группе новичков" in advice for advice in lines.values())


def test_a_clock_that_goes_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(tmp_path, UcozOptions()) as config:
        VirtualClock.create(tmp_path / "clock", datetime.now(UTC) + timedelta(hours=3), 1)
        monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
        code, lines = checked(config)
    assert code == 1
    assert "расходятся с часами форума на 3 ч" in lines["часы"]


def test_mailbox_and_sending_are_tried(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions(), mail=True) as config:
        code, lines = checked(config)
        (tmp_path / "secrets" / "mail_password").write_text("wrong")
        worse, told = checked(config)
    assert (code, worse) == (0, 1)
    assert {"почтовый ящик: писем 0", "отправка почты"} <= set(lines)
    assert "логин или пароль не приняты" in told["почтовый ящик"]


@pytest.mark.parametrize(("wanted", "words"), [("tls", "на этом порту не шифрует"), ("starttls", "не предлагает STARTTLS")])
def test_mail_servers_that_are_not_secure_are_told(tmp_path: Path, wanted: str, words: str) -> None:
    with site(tmp_path, UcozOptions(), mail=True) as config:
        config.write_text(config.read_text().replace('_security = "none"', f'_security = "{wanted}"'))
        code, lines = checked(config)
    assert code == 1
    for what in ("почтовый ящик", "отправка почты"):
        assert words in lines[what] and "пароль не послан" in lines[what]


def test_offline_asks_nobody(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions()) as config:
        pass
    code, lines = checked(config, "--offline")
    assert code == 0
    assert not any("форум" in line for line in lines)


@pytest.mark.parametrize("command", [["check", "--offline"], ["check"], ["run", "--once"]])
def test_a_wrong_string_of_the_forum_stops_check_and_start_with_one_sentence(tmp_path: Path, command: list[str]) -> None:
    with site(tmp_path, UcozOptions()) as config:
        config.write_text(config.read_text().replace("[site]\n", '[site]\nown = "own"\n'))
        strings = tmp_path / "own" / "forums" / "ucoz.toml"
        strings.parent.mkdir(parents=True)
        strings.write_text('\npm_body = "td["\n')
        ran = CliRunner().invoke(main, [*command, "--config", str(config)])
    assert ran.exit_code == 2
    assert ran.stderr == f"Ошибка: {strings}: строка 2: pm_body: «td[» не селектор CSS\n"
