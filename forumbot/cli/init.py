"""``forumbot init``: first set-up by questions. Each login is tried at once; passwords go into files of their own."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import click

from forumbot.cli.common import fail

_SITE = """\
# Настройки сайта forumbot. Пароли лежат отдельно, в папке secrets (права 0600).

[site]
data = "data"                 # папка базы и сеанса форума
games = "games"               # папка с файлами игр
secrets = "secrets"           # папка с паролями
host_address = {host_address}     # куда писать, когда боту нужна помощь
poll_seconds = 60             # как часто смотреть на форум и в почту

[forum]
engine = {engine}             # ucoz или phpbb
url = {url}
user = {user}                 # учётная запись бота
zone = {zone}                 # пояс, в котором форум печатает время
"""

_MAIL = """
[mail]                        # ящик для писем с ходами
address = {address}
imap_host = {imap_host}
imap_port = {imap_port}
imap_security = {imap_security}
smtp_host = {smtp_host}
smtp_port = {smtp_port}
smtp_security = {smtp_security}
authserv = {authserv}         # имя сервера в строке Authentication-Results писем; пусто: не проверять
"""

_GAME = """\
# Одна игра. Её имя (id) стоит в начале тем писем: [{id}].
id = "{id}"
title = {title}
ruleset = "{ruleset}"         # league, clans, goldenkey или mafialife
section = {section}           # раздел форума, где бот открывает темы
mode = "shadow"               # shadow: только смотрит; auto: ведёт сам; host: газета ждёт ведущего
hosts = []                    # ники ведущих: их сообщения не голоса

[signup]
closes = {closes}             # когда закрывается запись
topic = ""                    # пусто: бот сам откроет тему записи

[tables]                      # числа правил, которые вы меняете; все: forumbot rules
"""

_RULESETS = ("league", "clans", "goldenkey", "mafialife")
_PORTS = {"tls": (993, 465), "starttls": (143, 587), "none": (143, 25)}


@click.command("init", epilog="Пример: mkdir my-site && cd my-site && forumbot init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--offline", is_flag=True, help="Не пробовать войти на форум и в почту.")
def command(folder: Path, offline: bool) -> None:
    """Задать вопросы по шагам, проверить входы и записать настройки с пояснениями."""
    file = folder / "forumbot.toml"
    if file.exists():
        fail(f"{file} уже есть: поправьте его в редакторе или возьмите другую папку")
    folder.mkdir(parents=True, exist_ok=True)
    click.echo("Форум. Боту нужна своя обычная учётная запись (не uID), которой можно писать, открывать темы и слать ЛС.")
    answers = {
        "engine": click.prompt("Движок форума", type=click.Choice(["ucoz", "phpbb"])),
        "url": click.prompt("Адрес форума, с http:// или https://").rstrip("/"),
        "user": click.prompt("Логин бота на форуме"),
    }
    forum_password = click.prompt("Пароль бота на форуме", hide_input=True)
    answers["zone"] = click.prompt("Часовой пояс форума", default="Europe/Moscow")
    answers["host_address"] = click.prompt("Ваш адрес: куда боту писать, когда нужна помощь", default="")
    _secret(folder, "forum_password", forum_password)
    text = _SITE.format(**{key: _quoted(value) for key, value in answers.items()})
    if click.confirm("Будут ли ходы приходить письмами (кроме личных сообщений)?", default=True):
        mail, mail_password = _ask_mail()
        _secret(folder, "mail_password", mail_password)
        text += _MAIL.format(**{key: value if isinstance(value, int) else _quoted(value) for key, value in mail.items()})
    file.write_text(text, encoding="utf-8")
    (folder / "data").mkdir(mode=0o700, exist_ok=True)
    if not offline:
        _try(file)
    if click.confirm("Описать сразу и первую игру?", default=True):
        _game(folder)
    click.echo(f"\nГотово: {file}. Дальше: «forumbot check», потом «forumbot run».")


def _ask_mail() -> tuple[dict[str, str | int], str]:
    address = click.prompt("Адрес ящика для ходов")
    domain = address.partition("@")[2]
    security = click.prompt("Защита соединения", type=click.Choice(list(_PORTS)), default="tls")
    imap_port, smtp_port = _PORTS[security]
    mail: dict[str, str | int] = {
        "address": address,
        "imap_host": click.prompt("Сервер IMAP", default=f"imap.{domain}"),
        "imap_port": click.prompt("Порт IMAP", default=imap_port),
        "imap_security": security,
        "smtp_host": click.prompt("Сервер SMTP", default=f"smtp.{domain}"),
        "smtp_port": click.prompt("Порт SMTP", default=smtp_port),
        "smtp_security": security,
        "authserv": click.prompt("Имя сервера в строке Authentication-Results (можно пусто)", default=""),
    }
    return mail, click.prompt("Пароль ящика (у больших почт: пароль приложения)", hide_input=True)


def _game(folder: Path) -> None:
    id_ = click.prompt("Короткое имя игры латиницей", default="game1")
    closes = (datetime.now() + timedelta(days=3)).replace(minute=0, second=0, microsecond=0)
    text = _GAME.format(
        id=id_,
        title=_quoted(click.prompt("Название игры", default="Партия 1")),
        ruleset=click.prompt("Правила", type=click.Choice(_RULESETS)),
        section=_quoted(click.prompt("Номер раздела форума")),
        closes=click.prompt("Когда закрыть запись", default=closes.isoformat()),
    )
    games = folder / "games"
    games.mkdir(exist_ok=True)
    (games / f"{id_}.toml").write_text(text, encoding="utf-8")
    click.echo("Игра записана в режиме shadow: бот только смотрит и показывает, что сделал бы.")
    click.echo("Когда будете готовы, поставьте mode = \"auto\".")


def _try(file: Path) -> None:
    from forumbot.cli.check import site_findings
    from forumbot.settings import SettingsError, load_site

    try:
        site = load_site(file)
    except SettingsError as error:
        fail(str(error))
        return
    for finding in site_findings(site):
        click.echo(f"[{'ok' if finding.fine else '!!'}] {finding.what}" + (f": {finding.advice}" if finding.advice else ""))


def _secret(folder: Path, name: str, value: str) -> None:
    secrets = folder / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)
    file = secrets / name
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(value + "\n", encoding="utf-8")


def _quoted(text: object) -> str:
    """A TOML string."""
    import json

    return json.dumps(str(text), ensure_ascii=False)
