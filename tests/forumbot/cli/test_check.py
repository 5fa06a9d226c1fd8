"""``forumbot check``: one line for each thing that must be right, and what to do where it is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import imapclient
import pytest
from click.testing import CliRunner

from adapters.clock import VirtualClock
from forumbot.cli.main import main
from forumbot.demo.forum.board import Board, Group
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.mailbox import serve_mailbox
from forumbot.hosting.daemon.wiring import CLOCK_VARIABLE, clock

PASSWORD = "rehearsal"
ADDRESS = "igra@forumbot.test"


@contextmanager
def site(
    folder: Path, options: UcozOptions | PhpbbOptions, *, group: Group = "users", password: str = PASSWORD, mail: bool = False,
    waits: bool = False,
) -> Iterator[Path]:  # fmt: skip
    """A site of files before an embedded forum (and mailbox); ``waits``: a moderator looks at what members write."""
    folder.mkdir(exist_ok=True)
    board = Board(clock())
    board.premoderation = waits
    section = board.add_section("Игры")
    board.register("Бот", PASSWORD, group=group)
    board.open_topic(section, board.register("Анна", "x"), "Старая тема", "привет")
    engine = "ucoz" if isinstance(options, UcozOptions) else "phpbb"
    with ExitStack() as stack:
        server = stack.enter_context(serve(board, options))
        text = '[site]\ndata = "data"\nhost_nick = "Хозяин"\nhost_uid = 5\n'
        text += f'[forum]\nengine = "{engine}"\nurl = "{server.url}"\nuser = "Бот"\nmin_interval = 0\n'
        text += "form_delay = 1.1\n"
        if mail:
            box = stack.enter_context(serve_mailbox(clock(), {ADDRESS: PASSWORD}))
            text += (
                f'[mail]\naddress = "{ADDRESS}"\nimap_host = "127.0.0.1"\nimap_port = {box.imap_port}\nimap_security = "none"\n'
                'authserv = "mx.test"\n'
            )
            text += f'smtp_host = "127.0.0.1"\nsmtp_port = {box.smtp_port}\nsmtp_security = "none"\n'
        (folder / "forumbot.toml").write_text(text)
        (folder / "secrets").mkdir()
        (folder / "secrets" / "forum_password").write_text(password)
        (folder / "secrets" / "mail_password").write_text(PASSWORD)
        for secret in (folder / "secrets").iterdir():
            secret.chmod(0o600)
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


def edited(config: Path, old: str, new: str) -> None:
    """Change the site's file or, where it stands there, the game's."""
    for file in (config, config.parent / "games" / "gk1.toml"):
        file.write_text(file.read_text().replace(old, new))


@pytest.mark.parametrize("options", [UcozOptions(), PhpbbOptions()], ids=["ucoz", "phpbb"])
def test_a_section_that_is_not_there_is_told_in_any_mode(tmp_path: Path, options: UcozOptions | PhpbbOptions) -> None:
    with site(tmp_path, options) as config:
        edited(config, 'section = "1"', 'section = "77"\nmode = "shadow"')
        code, lines = checked(config)
    assert code == 1
    assert "такого раздела нет" in lines["раздел 77"]


def test_a_forum_of_the_other_engine_is_told(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions()) as config:
        edited(config, '"ucoz"', '"phpbb"')
        code, lines = checked(config)
    assert code == 1
    assert "проверьте engine и url" in lines["вход на форум"]


def test_lines_that_do_not_come_about_are_told_in_russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    VirtualClock.create(tmp_path / "clock", datetime.now(UTC), 1000)
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    with site(tmp_path, UcozOptions(), mail=True) as config:
        text = config.read_text()
        text = re.sub(r'url = ".*"', 'url = "http://127.0.0.1:9"', text)
        text = re.sub("imap_port = .*", "imap_port = 9", text)
        config.write_text(re.sub("smtp_host = .*", 'smtp_host = "nobody.invalid"', text))
        code, lines = checked(config)
    assert code == 1
    assert "проверьте url" in lines["вход на форум"]
    assert "никто не отвечает" in lines["почтовый ящик"]
    assert "сервера с таким именем нет" in lines["отправка почты"]
    assert not re.search("[A-Z][a-z]+Error|refused|Errno", " ".join(lines.values()))


def test_a_password_in_letters_that_mail_does_not_take_is_a_refused_one(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions(), mail=True) as config:
        (tmp_path / "secrets" / "mail_password").write_text("пароль")
        _, lines = checked(config)
    for what in ("почтовый ящик", "отправка почты"):
        assert "логин или пароль не приняты" in lines[what]


@pytest.mark.parametrize(
    ("old", "new", "what", "advice"),
    [
        ("[forum]", 'own = "own"\n[forum]', "своя папка", "нет: создайте её"),
        ("closes = 2030", "closes = 2020", "игра «gk1», запись", "срок уже прошёл"),
        ("[signup]", 'mode = "shadow"\n[signup]', "игра «gk1», запись", "впишите тему записи"),
        ("[signup]", 'theme = "izba"\n[signup]', "игра «gk1», theme", "есть: port"),
    ],
)
def test_what_the_files_would_lead_to_is_told(tmp_path: Path, old: str, new: str, what: str, advice: str) -> None:
    with site(tmp_path, UcozOptions()) as config:
        edited(config, old, new)
    code, lines = checked(config, "--offline")
    assert code == 1
    assert advice in lines[what]


def test_no_games_and_secrets_for_all_to_read_are_told(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions()) as config:
        pass
    (tmp_path / "games" / "gk1.toml").unlink()
    (tmp_path / "secrets" / "forum_password").chmod(0o644)
    code, lines = checked(config, "--offline")
    assert code == 1
    assert "forumbot init" in lines["файлы игр: 0"]
    assert f"chmod 600 {tmp_path / 'secrets' / 'forum_password'}" in lines["секрет forum_password"]


@pytest.mark.parametrize("command", [["check"], ["status"], ["run", "--once"]])
def test_a_folder_for_data_that_cannot_be_is_one_sentence(tmp_path: Path, command: list[str]) -> None:
    with site(tmp_path, UcozOptions()) as config:
        edited(config, '"data"', '"games/gk1.toml/data"')
    ran = CliRunner().invoke(main, [*command, "--config", str(config)])
    assert ran.exit_code == 2
    assert ran.stderr == f"Ошибка: {tmp_path}/games/gk1.toml/data: на этом месте стоит файл, а нужна папка: проверьте путь\n"


def test_a_broken_file_of_the_hosts_own_tables_is_one_sentence(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions()) as config:
        edited(config, "[forum]", 'own = "own"\n[forum]')
    own = tmp_path / "own" / "rulesets" / "goldenkey.toml"
    own.parent.mkdir(parents=True)
    own.write_text("min_players = шесть\n")
    ran = CliRunner().invoke(main, ["check", "--offline", "--config", str(config)])
    assert ran.exit_code == 2
    assert f"{own}: строка 1" in ran.stderr


def test_a_captcha_in_the_forms_is_told(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions(post_captcha=True)) as config:
        code, lines = checked(config)
    assert code == 1
    (advice,) = [advice for what, advice in lines.items() if "код с картинки" in what]
    assert "попросите владельца" in advice


@pytest.mark.parametrize("ticked", [True, False])
def test_x09_a_ticked_box_for_html_is_told(tmp_path: Path, ticked: bool) -> None:
    with site(tmp_path, UcozOptions(html_ticked=ticked), group="admins") as config:
        _, lines = checked(config)
    (line,) = [what for what in lines if "HTML в сообщениях бота выключен" in what]
    assert ("бот её не отправляет" in line and "снимите её" in line) == ticked and lines[line] == ""


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
    assert [line for line in lines if "форум" in line and "пояс" not in line] == []


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


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("", "о неполадках никто не узнает"),
        ('host_nick = "Хозяин"\n', "о неполадках никто не узнает"),
        ('host_address = "owner@example.org"\n', "host_address есть, а почты ([mail]) нет"),
        ('host_address = "owner@example.org"\nhost_nick = "Хозяин"\nhost_uid = 5\n', None),
    ],
)
def test_p14_h14_a_host_whom_nothing_reaches_is_told_so(tmp_path: Path, said: str, advice: str | None) -> None:
    with site(tmp_path, UcozOptions()) as config:
        config.write_text(config.read_text().replace('host_nick = "Хозяин"\nhost_uid = 5\n', said))
        code, lines = checked(config, "--offline")
    told = lines["куда писать ведущему"]
    assert (code, told.startswith(advice) if advice else told == "") == (1 if advice else 0, True)


def test_h12_the_zone_is_shown_with_its_present_hour(tmp_path: Path) -> None:
    with site(tmp_path, UcozOptions()) as config:
        _, lines = checked(config, "--offline")
    assert any(line.startswith("часовой пояс форума Europe/Moscow: там сейчас ") for line in lines)


@pytest.mark.parametrize(
    ("wanted", "named", "words"),
    [
        ("", "", "письмо с другой почты"),
        ("", "mx.real.test", 'впишите authserv = "mx.real.test"'),
        ("mx.test", "mx.real.test", "письма в ящике подписывает «mx.real.test»"),
        ("mx.test", "mx.test", ""),
    ],
)
def test_h06_whether_senders_can_be_known_is_told(tmp_path: Path, wanted: str, named: str, words: str) -> None:
    with site(tmp_path, UcozOptions(), mail=True) as config:
        text = config.read_text()
        config.write_text(text.replace('authserv = "mx.test"', f'authserv = "{wanted}"'))
        if named:
            port = int(re.search(r"imap_port = (\d+)", text)[1])  # type: ignore[index]
            client = imapclient.IMAPClient("127.0.0.1", port=port, ssl=False)
            client.login(ADDRESS, PASSWORD)
            client.append("INBOX", f"Authentication-Results: {named}; spf=pass\r\nFrom: a@example.org\r\n\r\nx".encode())
            client.logout()
        _, told = checked(config)
    assert words in told["подлинность писем"] and bool(words) == bool(told["подлинность писем"])


@pytest.mark.parametrize("options", [UcozOptions(), PhpbbOptions()], ids=["ucoz", "phpbb"])
def test_p06_a_trial_tells_of_a_queue_that_no_page_tells_of(tmp_path: Path, options: UcozOptions | PhpbbOptions) -> None:
    """Whether a member's posts wait for a moderator is a right of his in that section, which pages do not show."""
    with site(tmp_path, options) as config:
        code, lines = checked(config, "--trial")
        assert (code, len([what for what in lines if "пробная тема видна сразу" in what])) == (0, 1), lines
    with site(tmp_path / "queue", options, waits=True) as config:
        assert checked(config)[0] == 0
        code, lines = checked(config, "--trial")
    assert code == 1
    assert "после одобрения модератором" in lines["раздел 1, пробная тема"]


def test_p05_a_box_that_would_glue_posts_is_named(tmp_path: Path) -> None:
    with site(tmp_path, PhpbbOptions(version="3.0", merge=True)) as config:
        edited(config, "form_delay = 1.1", "form_delay = 2.5")
        checked(config, "--trial")  # the board shows the box below a post of one's own
        code, lines = checked(config)
    assert code == 0, lines
    assert any("бот её снимает" in what for what in lines), lines
