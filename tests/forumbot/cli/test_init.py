"""First set-up: what the questions give is a site that the program itself accepts, with secrets apart."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner, Result

from adapters.clock import VirtualClock
from forumbot.cli.main import main
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.mailbox import RunningMailbox, serve_mailbox
from forumbot.hosting.daemon.wiring import CLOCK_VARIABLE
from forumbot.settings import load_games, load_site

SOON = (datetime.now() + timedelta(days=3)).replace(hour=20, minute=0, second=0, microsecond=0)
ANSWERS = [
    "phpbb",
    "https://forum.example.org/",
    'Бот "Ведущий"',
    "тайна форума",
    "Europe/Moscow",
    "owner@example.org",
    "y",
    "mafia@example.org",
    "starttls",
    "",
    "",
    "",
    "",
    "mx.example.org",
    "тайна почты",
    "y",
    "gk1",
    "Золотой ключик",
    "goldenkey",
    "7",
    SOON.strftime("%d.%m.%Y %H:%M"),
    "Анна",
]


def test_the_answers_make_a_site_that_loads(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    result = CliRunner().invoke(main, ["init", str(folder), "--offline"], input="\n".join(ANSWERS) + "\n")
    assert result.exit_code == 0, result.output
    site = load_site(folder / "forumbot.toml")
    assert site.forum.url == "https://forum.example.org"
    assert site.forum.user == 'Бот "Ведущий"'
    assert site.forum_settings({}).password == "тайна форума"
    mail = site.mail_settings()
    assert mail is not None
    assert (mail.imap_host, mail.imap_port, mail.smtp_port, mail.password) == ("imap.example.org", 143, 587, "тайна почты")
    (game,) = load_games(site)
    assert (game.id, game.ruleset, game.section, game.mode) == ("gk1", "goldenkey", "7", "shadow")
    assert (game.signup.closes, game.hosts) == (SOON, ["Анна"])


def answered(folder: Path, *lines: str, more: tuple[str, ...] = ("--offline",)) -> Result:
    return CliRunner().invoke(main, ["init", str(folder), *more], input="\n".join(lines) + "\n")


def test_an_answer_that_will_not_do_is_asked_again(tmp_path: Path) -> None:
    forum = ["uKoz", "ucoz", "forum.example.org", "https://", "https://forum.example.org/forum/12-345", "Бот", "пароль"]
    forum += ["Etc/GMT+3", "Moskow", "Москва", "почта", ""]
    mail = ["ага", "да", "ящик", "mafia@example.org", "tls", "", "abc", "70000", "", "https://smtp", "", "", "", "пароль"]
    game = ["да", "Игра 1!", "../gk1", "gk1", "", "goldkey", "goldenkey", "раздел", "https://forum.example.org/forum/12-0-1"]
    game += ["завтра", "04.12.2026", "04.12.2020 20:00", SOON.strftime("%d.%m.%Y %H:%M"), ""]
    ran = answered(tmp_path, *forum, *mail, *game)
    assert ran.exit_code == 0, ran.output
    site = load_site(tmp_path / "forumbot.toml")
    assert (site.forum.url, site.forum.zone) == ("https://forum.example.org", "Europe/Moscow")
    assert site.mail is not None
    assert (site.mail.imap_port, site.mail.smtp_host) == (993, "smtp.example.org")
    (found,) = load_games(site)
    assert (found.id, found.section) == ("gk1", "12")
    assert ran.output.count("Так не подойдёт") == 18
    assert "Error" not in ran.output
    assert "нет такого часового пояса: «Moskow»" in ran.output
    assert "знак обратный: «Etc/GMT+3» - это UTC-3; напишите «UTC-3»" in ran.output
    assert "этот час уже прошёл: на форуме сейчас" in ran.output
    assert "Там сейчас " in ran.output


def test_one_who_breaks_off_begins_anew(tmp_path: Path) -> None:
    ran = answered(tmp_path / "site", "ucoz", "https://forum.example.org", "Бот", "пароль")
    assert ran.exit_code == 1
    assert "Прервано." in ran.output
    assert not (tmp_path / "site").exists()


def test_a_site_that_is_there_gets_another_game(tmp_path: Path) -> None:
    answered(tmp_path, *ANSWERS)
    before = (tmp_path / "forumbot.toml").read_text(encoding="utf-8")
    ran = answered(tmp_path, "да", "gk1", "gk2", "", "league", "7", "", "")
    assert ran.exit_code == 0, ran.output
    assert "уже описана" in ran.output
    assert (tmp_path / "forumbot.toml").read_text(encoding="utf-8") == before
    assert [game.id for game in load_games(load_site(tmp_path / "forumbot.toml"))] == ["gk1", "gk2"]


def test_a_refused_password_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    board = Board(VirtualClock.create(tmp_path / "clock", datetime(2026, 11, 30, tzinfo=UTC), 1000))
    board.register("Бот", "верный")
    with serve(board, UcozOptions()) as server:
        first = ["ucoz", server.url, "Бот", "неверный", "", "", "нет"]
        ran = answered(tmp_path, *first, "да", "", "", "", "верный", "", "", "нет", more=())
    assert ran.exit_code == 0, ran.output
    assert "логин или пароль не приняты" in ran.output
    assert "[ok] вход на форум: Бот" in ran.output
    assert (tmp_path / "secrets" / "forum_password").read_text(encoding="utf-8") == "верный\n"
    assert "неверный" not in ran.output


def test_passwords_stand_in_files_that_only_the_owner_reads(tmp_path: Path) -> None:
    CliRunner().invoke(main, ["init", str(tmp_path), "--offline"], input="\n".join(ANSWERS) + "\n")
    for name in ("forum_password", "mail_password"):
        assert stat.S_IMODE((tmp_path / "secrets" / name).stat().st_mode) == 0o600
    written = (tmp_path / "forumbot.toml").read_text(encoding="utf-8")
    assert "тайна" not in written


def test_an_existing_site_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "forumbot.toml").write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(main, ["init", str(tmp_path), "--offline"], input="\n".join(ANSWERS))
    assert result.exit_code == 2
    assert (tmp_path / "forumbot.toml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("said", ["UTC+3", "GMT+3", "МСК", "Москва"])
def test_h12_a_zone_is_written_as_it_was_said_and_means_the_same_when_read(tmp_path: Path, said: str) -> None:
    answers = [said if answer == "Europe/Moscow" else answer for answer in ANSWERS]
    ran = answered(tmp_path, *answers)
    assert ran.exit_code == 0, ran.output
    assert f'zone = "{said}"' in (tmp_path / "forumbot.toml").read_text(encoding="utf-8")
    zone = ZoneInfo(load_site(tmp_path / "forumbot.toml").forum.zone)
    assert datetime(2026, 12, 1, tzinfo=zone).utcoffset() == timedelta(hours=3)


def test_h13_the_sections_title_is_shown_and_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    board = Board(VirtualClock.create(tmp_path / "clock", datetime(2026, 11, 30, tzinfo=UTC), 1000))
    board.register("Бот", "верный")
    known = board.add_section("Игры")
    with serve(board, UcozOptions()) as server:
        game = ["да", "gk1", "", "goldenkey", "99", "нет", str(known), "да", SOON.strftime("%d.%m.%Y %H:%M"), ""]
        ran = answered(tmp_path, "ucoz", server.url, "Бот", "верный", "Москва", "", "нет", *game, more=())
    assert ran.exit_code == 0, ran.output
    assert "Такого раздела форум боту не показывает" in ran.output
    assert f"Раздел {known} называется «" in ran.output
    (found,) = load_games(load_site(tmp_path / "forumbot.toml"))
    assert found.section == str(known)


def test_h13_without_the_forum_the_section_is_said_to_be_unknown_and_an_hour_of_the_past_is_refused(tmp_path: Path) -> None:
    answers = list(ANSWERS)
    place = answers.index(SOON.strftime("%d.%m.%Y %H:%M"))
    ran = answered(tmp_path, *answers[:place], "01.02.2020 20:00", *answers[place:])
    assert ran.exit_code == 0, ran.output
    assert "этот час уже прошёл" in ran.output
    assert "его название покажет «forumbot check»" in ran.output


BOT = "igra@forumbot.test"


def with_mail(folder: Path, mailbox: RunningMailbox, url: str, *more: str) -> Result:
    """A set-up before a board and a mailbox that are both there; ``more``: what is answered after the mail's password."""
    mail = ["да", BOT, "none", "127.0.0.1", str(mailbox.imap_port), "127.0.0.1", str(mailbox.smtp_port), "rehearsal"]
    return answered(folder, "ucoz", url, "Бот", "верный", "Москва", "", *mail, *more, "нет", more=())


WITHOUT = "ход из письма не считается, пока игрок не подтвердит его личным сообщением или не решите вы"


@pytest.mark.parametrize(
    ("answers", "written", "told"),
    [(["да"], "mx.own.test", False), (["нет", ""], "", True), (["нет", "mx.other.test"], "mx.other.test", False)],
    ids=["agreed", "left empty", "another"],
)
def test_h06_the_mail_servers_name_is_learned_from_a_letter_of_our_own_and_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[str], written: str, told: bool
) -> None:
    """Others' letters may name any server, and more of them do: what stands above our own counts."""
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    clock = VirtualClock.create(tmp_path / "clock", datetime(2026, 11, 30, tzinfo=UTC), 1000)
    board = Board(clock)
    board.register("Бот", "верный")
    with serve(board, UcozOptions()) as server, serve_mailbox(clock, {BOT: "rehearsal"}, authserv="mx.own.test") as mailbox:
        for number in range(3):
            raw = f"Authentication-Results: mx.evil.test; dmarc=pass\r\nFrom: a{number}@x.test\r\n\r\nx"
            mailbox.drop(BOT, raw.encode(), marked=False)
        ran = with_mail(tmp_path / "site", mailbox, server.url, *answers)
        sent = mailbox.sent_to(BOT)
    assert ran.exit_code == 0, ran.output
    assert len(sent) == 1
    assert "Ваш почтовый сервер подписывает письма именем «mx.own.test»" in ran.output
    assert (WITHOUT in ran.output) is told
    site = load_site(tmp_path / "site" / "forumbot.toml")
    assert site.mail is not None
    assert site.mail.authserv == written


@pytest.mark.parametrize(
    ("named", "refused", "answers", "written"),
    [
        ("mx.box.test", False, ["да"], "mx.box.test"),
        ("mx.box.test", False, ["", ""], ""),
        ("", False, [""], ""),
        ("mx.box.test", True, [""], ""),
    ],
    ids=["by others' letters", "not without a yes", "by none", "nothing goes out"],
)
def test_h06_a_server_that_signs_no_letter_of_our_own_is_known_by_others_or_what_follows_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, refused: bool, answers: list[str], written: str
) -> None:
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    clock = VirtualClock.create(tmp_path / "clock", datetime(2026, 11, 30, tzinfo=UTC), 100_000)
    board = Board(clock)
    board.register("Бот", "верный")
    with serve(board, UcozOptions()) as server, serve_mailbox(clock, {BOT: "rehearsal"}) as mailbox:
        monkeypatch.setattr(mailbox._receiver, "mark", lambda raw, sender, login=None: raw)
        mailbox.troubles.refused = {BOT} if refused else set()
        head = f"Authentication-Results: {named}; dmarc=pass\r\n" if named else ""
        mailbox.drop(BOT, f"{head}From: a@x.test\r\n\r\nx".encode(), marked=False)
        ran = with_mail(tmp_path / "site", mailbox, server.url, *answers)
    assert ran.exit_code == 0, ran.output
    assert (WITHOUT in ran.output) is not bool(written)
    site = load_site(tmp_path / "site" / "forumbot.toml")
    assert site.mail is not None
    assert site.mail.authserv == written
