"""``forumbot check``: is everything ready to host? One line each: fine, or what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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


@click.command("check", epilog="Пример: forumbot check --config /etc/forumbot/forumbot.toml")
@site_option
@click.option("--offline", is_flag=True, help="Проверить только настройки, без форума и почты.")
@json_option
def command(config: Path, offline: bool, as_json: bool) -> None:
    """Проверить настройки, вход на форум, права, почту, часы и место на диске. Код выхода 1, если что-то не так."""
    from forumbot.hosting import wiring
    from forumbot.settings import load_games, load_site

    with mendable():
        site = load_site(config)
        games = load_games(site)
    findings = [Finding("настройки сайта"), Finding(f"файлы игр: {len(games)}")]
    findings.extend(_tables(site, games))
    findings.append(_disk(site))
    findings.append(_secret("forum_password", bool(site.forum_password.get_secret_value())))
    if site.mail is not None:
        findings.append(_secret("mail_password", bool(site.mail_password.get_secret_value())))
    with mendable():
        wiring.open_store(site).close()
    findings.append(Finding("база данных"))
    if not offline:
        findings.extend(site_findings(site, games))
    if as_json:
        show_json([{"what": f.what, "fine": f.fine, "advice": f.advice} for f in findings])
    else:
        for finding in findings:
            click.echo(f"[{'ok' if finding.fine else '!!'}] {finding.what}" + (f": {finding.advice}" if finding.advice else ""))
    sys.exit(0 if all(finding.fine for finding in findings) else 1)


def site_findings(site: Site, games: tuple[Game, ...] = ()) -> Iterator[Finding]:
    """The logins and rights on the forum, and the mailbox, tried for real."""
    from forumbot.hosting import wiring

    clock = wiring.clock()
    yield from _forum(wiring.forum(site, clock), games, clock)
    yield from _mail(site, clock)


def _tables(site: Site, games: tuple[Game, ...]) -> Iterator[Finding]:
    from engine.model import EngineError
    from engine.rulesets import ruleset
    from forumbot import resources

    for game in games:
        packaged = resources.toml(f"rulesets/{game.ruleset}.toml", site.site.own)
        try:
            ruleset(game.ruleset).tables(packaged, game.tables)
        except EngineError as error:
            yield Finding(f"игра «{game.id}»", f"таблица {error.place}: {error.problem}")
        else:
            yield Finding(f"игра «{game.id}»")


def _disk(site: Site) -> Finding:
    site.site.data.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(site.site.data).free
    advice = "" if free > _LEAST_FREE_BYTES else f"осталось {free // 1_000_000} МБ: освободите место"
    return Finding("место на диске", advice)


def _secret(name: str, present: bool) -> Finding:
    return Finding(f"секрет {name}", "" if present else f"нет файла secrets/{name} с паролем")


def _forum(forum: Forum, games: tuple[Game, ...], clock: Clock) -> Iterator[Finding]:
    from adapters.forum import Place

    def login() -> str:
        account = forum.login()
        return f"вход на форум: {account.nick} (№ {account.uid})"

    finding = _try(login, "вход на форум")
    yield finding
    if not finding.fine:
        return
    yield _try(lambda: f"личные сообщения: {len(forum.inbox(after_id=0))}", "личные сообщения")
    for game in games:
        section = game.section

        def see(section: str = section) -> str:
            forum.find_topic(section, "\N{WHITE SQUARE}")
            return f"раздел {section}"

        yield _try(see, f"раздел {section}")
        if game.signup.topic:
            topic = game.signup.topic
            yield _try(lambda topic=topic: f"тема {forum.read_thread(topic, Place()).title}", f"тема {topic}")  # type: ignore[misc]


def _mail(site: Site, clock: Clock) -> Iterator[Finding]:
    if site.mail is None:
        return
    from adapters.mailbox import MailPlace
    from forumbot.hosting import wiring

    def fetch() -> str:
        mailbox, _ = wiring.mail(site, clock)
        assert mailbox is not None
        letters, _ = mailbox.fetch(MailPlace())
        mailbox.close()
        return f"почтовый ящик: писем {len(letters)}"

    yield _try(fetch, "почтовый ящик")


def _try(look: Callable[[], str], what: str) -> Finding:
    from adapters.errors import LoginFailed, MailLoginFailed, NoThread, OutsideError
    from forumbot.hosting.troubles import WORDS

    try:
        return Finding(look())
    except NoThread as error:
        return Finding(what, WORDS.get(error.reason, error.text))
    except (LoginFailed, MailLoginFailed) as error:
        return Finding(what, f"логин или пароль не приняты: {error.text}")
    except OutsideError as error:
        return Finding(what, f"нет связи или непонятный ответ: {error.text or type(error).__name__}")
