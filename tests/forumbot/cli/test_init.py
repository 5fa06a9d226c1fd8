"""First set-up: what the questions give is a site that the program itself accepts, with secrets apart."""

import stat
from pathlib import Path

from click.testing import CliRunner

from forumbot.cli.main import main
from forumbot.settings import load_games, load_site

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
    "2026-12-04T20:00:00",
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
