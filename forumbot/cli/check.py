"""``forumbot check``: is everything ready to host? One line each: fine, or what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from forumbot.cli import reaching
from forumbot.cli.common import json_option, mendable, show_json, site_option
from forumbot.cli.findings import Finding

if TYPE_CHECKING:
    from forumbot.settings import Game, Site

_LEAST_FREE_BYTES = 200_000_000


@click.command("check", epilog="Пример: forumbot check --config /etc/forumbot/forumbot.toml")
@site_option
@click.option("--offline", is_flag=True, help="Проверить только настройки, без форума и почты.")
@click.option("--trial", is_flag=True, help="Открыть в разделе каждой игры пробную тему: видна ли она сразу (потом удалите её).")
@json_option
def command(config: Path, offline: bool, trial: bool, as_json: bool) -> None:
    """Проверить настройки, вход на форум, права, почту, часы и место на диске. Код выхода 1, если что-то не так."""
    from forumbot.hosting.daemon import wiring
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
    from forumbot.hosting.acts import gamesettings
    from forumbot.hosting.daemon import wiring
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
        yield from reaching.forum_findings(site, games, trial=trial)
        yield from reaching.mail(site, wiring.clock())


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
    from forumbot.hosting.daemon import wiring

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
