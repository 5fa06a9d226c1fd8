"""``forumbot check``: is everything ready to host? One line each: fine, or what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from forumbot.cli.common import json_option, mendable, show_json, site_option

if TYPE_CHECKING:
    from adapters.clock import Clock
    from adapters.forum import Forum
    from forumbot.settings import Game, Site

_LEAST_FREE_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``advice`` is empty when it is fine."""

    what: str
    advice: str = ""

    @property
    def fine(self) -> bool:
        return not self.advice

    def __str__(self) -> str:
        return f"[{'ok' if self.fine else '!!'}] {self.what}" + (f": {self.advice}" if self.advice else "")


class _Amiss(Exception):
    """What was looked at is not as it must be; the text says what to do."""


@click.command("check", epilog="Пример: forumbot check --config /etc/forumbot/forumbot.toml")
@site_option
@click.option("--offline", is_flag=True, help="Проверить только настройки, без форума и почты.")
@click.option("--trial", is_flag=True, help="Открыть в разделе каждой игры пробную тему: видна ли она сразу (потом удалите её).")
@json_option
def command(config: Path, offline: bool, trial: bool, as_json: bool) -> None:
    """Проверить настройки, вход на форум, права, почту, часы и место на диске. Код выхода 1, если что-то не так."""
    from forumbot.hosting import wiring
    from forumbot.settings import load_games, load_site

    with mendable():
        site = load_site(config)
        games = load_games(site)
        wiring.forum_strings(site)
        findings = []
        for finding in _findings(site, games, offline, trial):
            findings.append(finding)
            if not as_json:
                click.echo(str(finding))
    if as_json:
        show_json([{"what": f.what, "fine": f.fine, "advice": f.advice} for f in findings])
    sys.exit(0 if all(finding.fine for finding in findings) else 1)


def _findings(site: Site, games: tuple[Game, ...], offline: bool, trial: bool) -> Iterator[Finding]:
    import sqlalchemy as sa

    from forumbot.desk import lines
    from forumbot.hosting import gamesettings, wiring
    from forumbot.store.tables import games as table

    yield Finding("настройки сайта")
    if site.site.own is not None:
        there = site.site.own.is_dir()
        yield Finding("своя папка", "" if there else f"папки {site.site.own} нет: создайте её или уберите own из [site]")
    yield Finding(
        f"файлы игр: {len(games)}", "" if games else f"опишите игру в папке {site.site.games}, например «forumbot init»"
    )
    yield from _tables(site, games)
    yield _host(site)
    yield _zone(site)
    yield _disk(site)
    yield Finding("пульт", lines.exposed(site.desk.host))
    yield _secret(site, "forum_password", bool(site.forum_password.get_secret_value().strip()))
    if site.mail is not None:
        yield _secret(site, "mail_password", bool(site.mail_password.get_secret_value().strip()))
    store = wiring.open_store(site)
    with store.read() as connection:
        begun = frozenset(connection.execute(sa.select(table.c.id)).scalars())
        differing = [(game.id, gamesettings.of_file(connection, game)) for game in games if game.id in begun]
    store.close()
    yield Finding("база данных")
    for game_id, found in differing:
        yield Finding(f"игра «{game_id}», настройки как в файле", "; ".join(one.sentence() for one in found))
    yield from _signups(site, games, begun, wiring.clock().now())
    if not offline:
        yield from forum_findings(site, games, trial=trial)
        yield from _mail(site, wiring.clock())


def forum_findings(site: Site, games: tuple[Game, ...] = (), *, trial: bool = False) -> Iterator[Finding]:
    """Login and rights on the forum, tried for real; with ``trial`` by a topic, too."""
    from forumbot.hosting import wiring

    clock = wiring.clock()
    forum = wiring.forum(site, clock)
    yield from _forum(site, forum, games, clock)
    if trial:
        for section in dict.fromkeys(game.section for game in games if game.mode != "shadow"):
            yield _try(partial(_on_trial, forum, section, site.forum.url), f"раздел {section}, пробная тема", _NO_SECTION)


def mail_findings(site: Site, clock: Clock) -> Iterator[Finding]:
    """The mailbox and the way out, tried for real; nothing is sent."""
    from forumbot.hosting import wiring

    if site.mail is None:
        return

    def count() -> str:
        mailbox, _ = wiring.mail(site, clock)
        assert mailbox is not None
        letters = mailbox.count()
        mailbox.close()
        return f"почтовый ящик: писем {letters}"

    yield _try(count, "почтовый ящик")
    yield _try(partial(_sending, site, clock), "отправка почты")


def _tables(site: Site, games: tuple[Game, ...]) -> Iterator[Finding]:
    from engine.model import EngineError
    from engine.rulesets import ruleset
    from forumbot import resources
    from forumbot.writing import themes

    for game in games:
        packaged = resources.toml(f"rulesets/{game.ruleset}.toml", site.site.own)
        try:
            ruleset(game.ruleset).tables(packaged, game.tables)
        except EngineError as error:
            yield Finding(f"игра «{game.id}»", f"таблица {error.place}: {error.problem}")
        else:
            yield Finding(f"игра «{game.id}»")
        if game.theme and game.theme not in themes.names(site.site.own):
            known = ", ".join(themes.names(site.site.own))
            yield Finding(f"игра «{game.id}», theme", f"сцен «{game.theme}» нет; есть: {known}")


def _host(site: Site) -> Finding:
    """Whether the host can hear of troubles at all."""
    part, what = site.site, "куда писать ведущему"
    account = bool(part.host_nick and part.host_uid)
    if part.host_address and site.mail is None and not account:
        return Finding(what, "host_address есть, а почты ([mail]) нет: настройте её или впишите host_nick и host_uid, для ЛС")
    if not part.host_address and not account:
        return Finding(what, "о неполадках никто не узнает: впишите в [site] host_address или host_nick и host_uid")
    return Finding(what)


def _zone(site: Site) -> Finding:
    """The zone by what its clocks show: a wrong one is seen at a glance."""
    from forumbot.hosting import wiring

    here = wiring.clock().now().astimezone(ZoneInfo(site.forum.zone))
    return Finding(f"часовой пояс форума {site.forum.zone}: там сейчас {here:%d.%m.%Y %H:%M}")


def _disk(site: Site) -> Finding:
    site.site.data.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(site.site.data).free
    advice = "" if free > _LEAST_FREE_BYTES else f"осталось {free // 1_000_000} МБ: освободите место"
    return Finding("место на диске", advice)


def _secret(site: Site, name: str, present: bool) -> Finding:
    """A password that stands in a file of ours must be the owner's alone; systemd guards its own."""
    file = site.site.secrets / name
    if not present:
        return Finding(f"секрет {name}", f"нет пароля: впишите его в файл {file}")
    if file.is_file() and file.stat().st_mode & 0o077:
        return Finding(f"секрет {name}", f"пароль могут прочесть и другие пользователи этой машины: chmod 600 {file}")
    return Finding(f"секрет {name}")


def _signups(site: Site, games: tuple[Game, ...], begun: frozenset[str], now: datetime) -> Iterator[Finding]:
    """What the files of games that have not begun would lead to."""
    for game in games:
        what = f"игра «{game.id}», запись"
        closes = game.signup.closes
        closes = closes if closes.tzinfo else closes.replace(tzinfo=ZoneInfo(site.forum.zone))
        if game.id in begun:
            continue
        if game.mode != "shadow" and closes <= now:
            yield Finding(what, "срок уже прошёл: поставьте в [signup] closes день и час впереди")
        elif game.mode == "shadow" and not game.signup.topic:
            yield Finding(what, "в режиме shadow бот тем не открывает: впишите тему записи в [signup] topic")


def _forum(site: Site, forum: Forum, games: tuple[Game, ...], clock: Clock) -> Iterator[Finding]:
    from adapters.forum import Place
    from forumbot.hosting.troubles import WORDS

    def login() -> str:
        account = forum.login()
        return f"вход на форум: {account.nick} (№ {account.uid})"

    alien = f"страница не похожа на форум {site.forum.engine}: проверьте engine и url в [forum]"
    finding = _try(login, "вход на форум", {"no_posts": alien, "not_found": alien})
    yield finding
    if not finding.fine:
        return
    yield from _clock(forum, clock)
    closed = {"forbidden": WORDS["pm_forbidden"], "not_found": WORDS["pm_forbidden"]}
    yield _try(lambda: f"личные сообщения: {forum.count_messages()}", "личные сообщения", closed)
    for section in dict.fromkeys(game.section for game in games):
        finding = _try(lambda section=section: _section(forum, section), f"раздел {section}", _NO_SECTION)  # type: ignore[misc]
        yield finding
        if finding.fine and any(game.mode != "shadow" for game in games if game.section == section):
            yield from _rights(forum, section)
    for topic in dict.fromkeys(game.signup.topic for game in games if game.signup.topic):
        missing = {"not_found": "такой темы нет: проверьте topic в файле игры"}
        yield _try(lambda topic=topic: f"тема {forum.read_thread(topic, Place()).title}", f"тема {topic}", missing)  # type: ignore[misc]


_NO_SECTION = {
    "not_found": "такого раздела нет: проверьте section в файле игры",
    "forbidden": "у бота нет прав на этот раздел: попросите владельца форума открыть доступ",
}


def _section(forum: Forum, section: str) -> str:
    from adapters.board import Board
    from forumbot.capture import collect

    if isinstance(forum, Board) and not collect.has_section(forum, section):
        raise _Amiss(_NO_SECTION["not_found"])
    forum.find_topic(section, "\N{WHITE SQUARE}")
    title = collect.section_title(forum, section) if isinstance(forum, Board) else ""
    return f"раздел {section}" + (f": «{title}»" if title else "")


def _on_trial(forum: Forum, section: str, url: str) -> str:
    from forumbot.cli import trial

    what, advice = trial.result(forum, section, url)
    if advice:
        raise _Amiss(advice)
    return what


def _clock(forum: Forum, clock: Clock) -> Iterator[Finding]:
    """Our clock against the forum's, which decides what came in time."""
    from adapters.board import Board
    from forumbot.hosting.daemon import MOST_SKEW
    from forumbot.hosting.troubles import span

    if not isinstance(forum, Board):
        return

    def compare() -> str:
        told = forum.session.get(forum.session.base).date
        if told is None:
            return "часы: форум своего времени не сообщает"
        skew = clock.now() - told
        if abs(skew) > MOST_SKEW:
            raise _Amiss(f"расходятся с часами форума на {span(abs(skew))}: timedatectl set-ntp true")
        return "часы: как у форума"

    yield _try(compare, "часы")


def _rights(forum: Forum, section: str) -> Iterator[Finding]:
    """Whether the account is shown the forms it needs: rights are not told otherwise."""
    from adapters import engines
    from adapters.board import Board
    from adapters.errors import OutsideError
    from forumbot.capture import collect, facts

    if not isinstance(forum, Board):
        return
    try:
        pages = collect.rights_pages(forum, section, forum.login().uid)
    except OutsideError as error:
        yield Finding(f"права в разделе {section}", f"не проверены: {error.text}")
        return
    for found in facts.rights(engines.of(forum), pages):
        advice = ": ".join(part for part in (found.seen, found.advice) if part)
        noted = f": {advice}" if found.state == "holds" and found.advice else ""
        yield Finding(f"раздел {section}, {found.fact}{noted}", advice if found.state == "differs" else "")


def _mail(site: Site, clock: Clock) -> Iterator[Finding]:
    yield from mail_findings(site, clock)
    if site.mail is not None:
        yield _try(partial(_origin, site, clock), "подлинность писем")


def _origin(site: Site, clock: Clock) -> str:
    """Whether it can be known who sent a letter."""
    from forumbot.cli import origin

    assert site.mail is not None
    named = origin.servers_in_box(site, clock)
    likely = origin.likely(named)
    wanted = site.mail.authserv.strip().lower()
    if not wanted:
        advice = (
            f'судя по письмам в ящике, впишите authserv = "{likely}" в [mail]'
            if likely
            else "пришлите в ящик бота письмо с другой почты и проверьте ещё раз: тогда имя сервера найдётся"
        )
        raise _Amiss(f"authserv не задан, и письмо может прислать кто угодно от чужого имени; {advice}")
    if named and wanted not in named:
        raise _Amiss(f'authserv = "{wanted}", а письма в ящике подписывает «{likely}»: впишите это имя')
    return "подлинность писем"


def _sending(site: Site, clock: Clock) -> str:
    from adapters.mail.smtp import SmtpOutgoing
    from forumbot.hosting import wiring

    _, outgoing = wiring.mail(site, clock)
    if isinstance(outgoing, SmtpOutgoing):
        outgoing.log_in()
    return "отправка почты"


def _try(look: Callable[[], str], what: str, reasons: Mapping[str, str] = MappingProxyType({})) -> Finding:
    """One look; ``reasons``: what a page that is not what it should be means here."""
    from adapters.errors import LoginFailed, MailError, MailLoginFailed, NoThread, NotSecure, OutsideError, Unfamiliar
    from forumbot.hosting.troubles import WORDS

    try:
        return Finding(look())
    except _Amiss as error:
        return Finding(what, str(error))
    except NoThread as error:
        return Finding(what, reasons.get(error.reason) or WORDS.get(error.reason, error.text))
    except Unfamiliar as error:
        return Finding(what, error.text)
    except NotSecure as error:
        return Finding(what, WORDS[f"mail_{error.reason}"])
    except LoginFailed as error:
        advice = "проверьте user и secrets/forum_password, войдите этим именем в браузере"
        return Finding(what, f"логин или пароль не приняты: {error.text.rstrip('.')}; {advice}")
    except MailLoginFailed:
        advice = "проверьте address, user и secrets/mail_password, у больших почт нужен пароль приложения"
        return Finding(what, f"логин или пароль не приняты: {advice}")
    except OutsideError as error:
        known = next((told for words, told in _LINES.items() if words in error.text), "")
        advice = known or (
            "почтовый сервер просит зайти позже" if isinstance(error, MailError) else f"непонятный ответ: {error.text}"
        )
        return Finding(what, f"нет связи: {advice}")


_LINES: Mapping[str, str] = {
    "gaierror": "сервера с таким именем нет, проверьте имя и порт в forumbot.toml",
    "refused": "на этом порту никто не отвечает, проверьте имя и порт в forumbot.toml",
    "ConnectError": "соединиться не удалось, проверьте url в [forum] и откройте его в браузере",
    "UnsupportedProtocol": "проверьте url в [forum]",
    "imeout": "ответа не дождались, проверьте имя и порт в forumbot.toml",
    "time-out": "ответа не дождались, проверьте имя и порт в forumbot.toml",
    "сервер ответил": "у форума неполадки, попробуйте позже",
}
"""Words of the libraries about a line that did not come about."""
