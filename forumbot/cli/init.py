"""``forumbot init``: first set-up by questions. Each login is tried at once; passwords go into files of their own.

Nothing is written before the last question about forum and mail is answered: a host who breaks off begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from adapters import engines
from adapters.places import Places
from engine import rulesets
from forumbot.cli import origin
from forumbot.cli.asking import agreed, ask, chosen, moment, secret
from forumbot.cli.common import fail

if TYPE_CHECKING:
    from forumbot.cli.findings import Finding

_SITE = """\
# Настройки сайта forumbot. Пароли лежат отдельно, в папке secrets (права 0600).

[site]
data = "data"                 # папка базы и сеанса форума
games = "games"               # папка с файлами игр
secrets = "secrets"           # папка с паролями
host_address = {host_address}     # куда писать, когда боту нужна помощь
poll_seconds = 60             # как часто смотреть на форум и в почту

[forum]
engine = {engine}             # {engines}
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
authserv = {authserv}         # имя сервера в строке Authentication-Results писем; пусто: кто написал, не узнать
"""

_GAME = """\
# Одна игра. Её имя (id) стоит в начале тем писем: [{id}].
id = "{id}"
title = {title}
ruleset = "{ruleset}"         # {rulesets}
section = {section}           # раздел форума, где бот открывает темы
mode = "shadow"               # shadow: только смотрит; auto: ведёт сам; host: газета ждёт ведущего
hosts = {hosts}               # ники ведущих: их сообщения не голоса
# day_topics = {{ 1 = "12-345" }}   # для shadow: какая тема была каким днём

[signup]
closes = {closes}             # когда закрывается запись
topic = ""                    # тема записи; пусто: бот откроет её сам (shadow не открывает: впишите)

[tables]                      # числа правил, которые вы меняете; все они: config/rulesets/{ruleset}.toml
"""

_PORTS = {"tls": (993, 465), "starttls": (143, 587), "none": (143, 25)}


@dataclass
class _Answers:
    """What was said of one part of the site; the next round of questions offers it."""

    said: dict[str, str | int]
    password: str


@click.command("init", epilog="Пример: mkdir my-site && cd my-site && forumbot init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--offline", is_flag=True, help="Не пробовать войти на форум и в почту.")
def command(folder: Path, offline: bool) -> None:
    """Задать вопросы по шагам, проверить входы и записать настройки с пояснениями.

    Прервать можно клавишами Ctrl+C и начать снова. В готовой папке команда описывает ещё одну игру.
    """
    from forumbot.settings import time_zone

    file = folder / "forumbot.toml"
    if file.exists():
        _one_more_game(folder, file, offline=offline)
        return
    click.echo("Форум. Боту нужна своя обычная учётная запись (не uID), которой можно писать, открывать темы и слать ЛС.")
    forum = _ask_forum({})
    mail = None
    if agreed("Будут ли ходы приходить письмами (кроме личных сообщений)?", default=True):
        mail = _ask_mail({}, offline=offline)
    _write(folder, forum, mail)
    if not offline:
        forum = _tried_until_right(folder, file, forum, mail)
    if agreed("Описать сразу и первую игру?", default=True):
        _game(folder, str(forum.said["engine"]), time_zone(str(forum.said["zone"])), offline=offline)
    _done(folder, file)


def _tried_until_right(folder: Path, file: Path, forum: _Answers, mail: _Answers | None) -> _Answers:
    """Try the logins and ask again until they are right or the host leaves it, then learn the mail server's name; all of it is
    written. Gives what holds of the forum."""
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    while True:
        right, right_mail = _tried(file)
        if (right and right_mail) or not agreed("Ответить на эти вопросы ещё раз?", default=True):
            break
        forum = forum if right else _ask_forum(forum.said)
        mail = mail if right_mail or mail is None else _ask_mail(mail.said, offline=False)
        _write(folder, forum, mail)
    if mail is not None:
        name = origin.ask_server(load_site(file), wiring.clock()) if right_mail else origin.ask_blindly()
        mail.said["authserv"] = name
        _write(folder, forum, mail)
    return forum


def _one_more_game(folder: Path, file: Path, *, offline: bool) -> None:
    """The site is there: it is left as it is, and another game may be described."""
    from forumbot.settings import SettingsError, load_site

    try:
        forum = load_site(file).forum
    except SettingsError as error:
        fail(f"настройки уже есть, и в них ошибка: {error}; поправьте их в редакторе или возьмите другую папку")
        return
    click.echo(f"Настройки сайта уже есть: {file}. Их меняют в редакторе; пароли лежат в папке secrets.")
    if agreed("Описать ещё одну игру?", default=True):
        _game(folder, forum.engine, forum.zone, offline=offline)
        _done(folder, file)


def _done(folder: Path, file: Path) -> None:
    place = "" if folder.resolve() == Path.cwd() else f"«cd {folder}», потом "
    click.echo(f"\nГотово: {file}. Дальше: {place}«forumbot check», потом «forumbot run».")


def _ask_forum(before: dict[str, str | int]) -> _Answers:
    engine = chosen("Движок форума", engines.names(), default=_was(before, "engine"))
    said: dict[str, str | int] = {
        "engine": engine,
        "url": ask("Адрес форума, с http:// или https://", lambda value: _root(engine, value), default=_was(before, "url")),
        "user": ask("Логин бота на форуме", str, default=_was(before, "user")),
    }
    password = secret("Пароль бота на форуме (при вводе не виден)")
    said["zone"] = ask("Часовой пояс форума (город или UTC+3)", _zone, default=_was(before, "zone") or "Europe/Moscow")
    said["host_address"] = ask(
        "Ваша почта: куда боту писать, когда нужна помощь (можно пусто)",
        lambda value: _address(value) if value else "",
        default=_was(before, "host_address") or "",
    )
    return _Answers(said, password)


def _ask_mail(before: dict[str, str | int], *, offline: bool) -> _Answers:
    address = ask("Адрес ящика для ходов", _address, default=_was(before, "address"))
    domain = address.partition("@")[2]
    security = chosen("Защита соединения", tuple(_PORTS), default=_was(before, "imap_security") or "tls")
    imap_port, smtp_port = _PORTS[security]
    if security == before.get("imap_security"):
        imap_port, smtp_port = int(before["imap_port"]), int(before["smtp_port"])
    said: dict[str, str | int] = {
        "address": address,
        "imap_host": ask("Сервер IMAP", _host, default=_was(before, "imap_host") or f"imap.{domain}"),
        "imap_port": ask("Порт IMAP", _port, default=str(imap_port)),
        "imap_security": security,
        "smtp_host": ask("Сервер SMTP", _host, default=_was(before, "smtp_host") or f"smtp.{domain}"),
        "smtp_port": ask("Порт SMTP", _port, default=str(smtp_port)),
        "smtp_security": security,
    }
    # Where the logins are tried, the name is learned by a letter of our own.
    said["authserv"] = origin.ask_blindly() if offline else ""
    return _Answers(said, secret("Пароль ящика (у больших почт: пароль приложения; при вводе не виден)"))


def _game(folder: Path, engine: str, zone: str, *, offline: bool) -> None:
    games = folder / "games"
    id_ = ask("Короткое имя игры латиницей", lambda value: _new_id(games, value), default=_free_id(games))
    closes = (datetime.now() + timedelta(days=3)).replace(hour=20, minute=0)
    title = ask("Название игры", _title, default="Партия 1")
    ruleset, places = chosen("Правила", rulesets.names()), engines.places(engine)
    section = ask(f"Номер раздела форума (из его адреса: {places.section_hint})", _section_of(places))
    if offline:
        click.echo(f"Что это за раздел {section}, без форума не узнать: его название покажет «forumbot check».")
    while not offline and not _show_section(folder / "forumbot.toml", section):
        section = ask("Номер раздела", _section_of(places))
    ends = ask("Когда закрыть запись (время форума)", _to_come(zone), default=closes.strftime("%d.%m.%Y %H:%M"))
    nick = ask("Ваш ник на форуме: ваши сообщения не голоса (можно пусто)", str, default="")
    text = _GAME.format(
        id=id_,
        title=_quoted(title),
        ruleset=ruleset,
        rulesets=_either(rulesets.names()),
        section=_quoted(section),
        closes=ends.isoformat(),
        hosts=f"[{_quoted(nick)}]" if nick else "[]",
    )
    games.mkdir(parents=True, exist_ok=True)
    (games / f"{id_}.toml").write_text(text, encoding="utf-8")
    click.echo(f"Игра записана: {games / id_}.toml, в режиме shadow: бот только смотрит и показывает, что сделал бы.")
    click.echo('До первого «forumbot run» файл можно менять; потом настройки идущей игры меняет команда «forumbot game set»,')
    click.echo(f"например, когда будете готовы: forumbot game set --game {id_} mode=host (или mode=auto).")


def _tried(file: Path) -> tuple[bool, bool]:
    """Try the logins and show what came of it: whether the forum's answers are right, and the mail's."""
    from forumbot.cli.reaching import forum_findings, mail_findings
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    site = load_site(file)
    click.echo("Пробую войти ...")
    forum, mail = _shown(forum_findings(site)), _shown(mail_findings(site, wiring.clock()))
    # Behind the login comes what other answers would not mend: the clock, rights.
    return forum[0].fine, all(finding.fine for finding in mail)


def _shown(findings: Iterator[Finding]) -> list[Finding]:
    found = []
    for finding in findings:
        click.echo(str(finding))
        found.append(finding)
    return found


def _write(folder: Path, forum: _Answers, mail: _Answers | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data").mkdir(mode=0o700, exist_ok=True)
    _secret(folder, "forum_password", forum.password)
    text = _SITE.format(engines=_either(engines.names()), **{key: _quoted(value) for key, value in forum.said.items()})
    if mail is not None:
        _secret(folder, "mail_password", mail.password)
        said = mail.said.items()
        text += _MAIL.format(**{key: value if isinstance(value, int) else _quoted(value) for key, value in said})
    (folder / "forumbot.toml").write_text(text, encoding="utf-8")


def _was(before: dict[str, str | int], key: str) -> str | None:
    return str(before[key]) if key in before else None


def _zone(value: str) -> str:
    """The zone as it was said, once it is known which one that is; its present hour shows a wrong one. Raises ValueError."""
    from zoneinfo import ZoneInfo

    from forumbot.settings import time_zone

    here = datetime.now(ZoneInfo(time_zone(value)))
    click.echo(f"Там сейчас {here:%d.%m.%Y %H:%M}. Если на форуме другое время, исправьте пояс в forumbot.toml (zone).")
    return value


def _to_come(zone: str) -> Callable[[str], datetime]:
    """Asks for a moment of this zone that is not over yet."""
    from zoneinfo import ZoneInfo

    def judge(value: str) -> datetime:
        at, known = moment(value), ZoneInfo(zone)
        if (at if at.tzinfo else at.replace(tzinfo=known)) <= datetime.now(known):
            raise ValueError(f"этот час уже прошёл: на форуме сейчас {datetime.now(known):%d.%m.%Y %H:%M}")
        return at

    return judge


def _show_section(file: Path, section: str) -> bool:
    """Show what the forum calls the section; gives whether the host means it. One that cannot be asked for is believed."""
    from adapters.board import Board
    from adapters.errors import OutsideError
    from forumbot.capture import collect
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    site = load_site(file)
    forum = wiring.forum(site, wiring.clock())
    if not isinstance(forum, Board):
        return True
    try:
        forum.login()
        title = collect.section_title(forum, section) if collect.has_section(forum, section) else ""
    except OutsideError:
        click.echo("Узнать на форуме, что это за раздел, не вышло: проверьте потом командой «forumbot check».")
        return True
    if not title:
        click.echo("Такого раздела форум боту не показывает.")
        return agreed("Оставить этот номер?", default=False)
    return agreed(f"Раздел {section} называется «{title}». Это он?", default=True)


def _root(engine: str, value: str) -> str:
    """The forum's own address of one that stood in the browser. Raises ValueError."""
    from forumbot.settings import web_address

    parts = urlsplit(web_address(value))
    path = re.sub(engines.places(engine).root or "$", "", parts.path, count=1)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _address(value: str) -> str:
    from forumbot.settings import MAIL_ADDRESS

    if not re.match(MAIL_ADDRESS, value):
        raise ValueError("нужен адрес почты, например mafia@example.org")
    return value


def _host(value: str) -> str:
    if not re.fullmatch(r"[^\s/@:]+", value):
        raise ValueError("нужно имя сервера, например imap.example.org")
    return value


def _port(value: str) -> int:
    if not value.isdecimal() or not 0 < int(value) < 65536:
        raise ValueError("нужно число от 1 до 65535")
    return int(value)


def _new_id(games: Path, value: str) -> str:
    from forumbot.settings import GAME_ID

    if not re.match(GAME_ID, value):
        raise ValueError("только строчные латинские буквы, цифры, «-» и «_», без пробелов")
    if (games / f"{value}.toml").exists():
        raise ValueError(f"игра «{value}» уже описана, нужно другое имя")
    return value


def _free_id(games: Path) -> str:
    return next(f"game{number}" for number in range(1, 1000) if not (games / f"game{number}.toml").exists())


def _title(value: str) -> str:
    if not 0 < len(value) <= 60:
        raise ValueError("нужно от 1 до 60 знаков")
    return value


def _section_of(places: Places) -> Callable[[str], str]:
    """Asks for a section's number alone, or in the section's address."""

    def judge(value: str) -> str:
        found = re.fullmatch(r"\d+", value) or re.search(places.section_number, value)
        if found is None:
            raise ValueError("нужно число из адреса раздела")
        return found[0]

    return judge


def _either(names: Sequence[str]) -> str:
    """"league, clans или goldenkey"."""
    return " или ".join((", ".join(names[:-1]), names[-1]))


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
