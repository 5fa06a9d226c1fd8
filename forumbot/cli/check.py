"""``forumbot check``: is everything ready to host? One line each: fine, or what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
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


class _Amiss(Exception):
    """What was looked at is not as it must be; the text says what to do."""


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
        wiring.forum_strings(site)
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
    yield from _clock(forum, clock)
    yield _try(lambda: f"личные сообщения: {len(forum.inbox(after_id=0))}", "личные сообщения")
    seen: set[str] = set()
    for game in games:
        section = game.section

        def see(section: str = section) -> str:
            forum.find_topic(section, "\N{WHITE SQUARE}")
            return f"раздел {section}"

        yield _try(see, f"раздел {section}")
        if game.mode != "shadow" and section not in seen:
            yield from _rights(forum, section)
        seen.add(section)
        if game.signup.topic:
            topic = game.signup.topic
            yield _try(lambda topic=topic: f"тема {forum.read_thread(topic, Place()).title}", f"тема {topic}")  # type: ignore[misc]


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
    for found in facts.rights(collect.engine_of(forum), pages):
        advice = ": ".join(part for part in (found.seen, found.advice) if part)
        yield Finding(f"раздел {section}, {found.fact}", advice if found.state == "differs" else "")


def _mail(site: Site, clock: Clock) -> Iterator[Finding]:
    if site.mail is None:
        return
    from forumbot.hosting import wiring

    def count() -> str:
        mailbox, _ = wiring.mail(site, clock)
        assert mailbox is not None
        letters = mailbox.count()
        mailbox.close()
        return f"почтовый ящик: писем {letters}"

    yield _try(count, "почтовый ящик")
    yield _try(partial(_sending, site, clock), "отправка почты")


def _sending(site: Site, clock: Clock) -> str:
    from adapters.mail.smtp import SmtpOutgoing
    from forumbot.hosting import wiring

    _, outgoing = wiring.mail(site, clock)
    if isinstance(outgoing, SmtpOutgoing):
        outgoing.log_in()
    return "отправка почты"


def _try(look: Callable[[], str], what: str) -> Finding:
    from adapters.errors import LoginFailed, MailLoginFailed, NoThread, NotSecure, OutsideError
    from forumbot.hosting.troubles import WORDS

    try:
        return Finding(look())
    except _Amiss as error:
        return Finding(what, str(error))
    except NoThread as error:
        return Finding(what, WORDS.get(error.reason, error.text))
    except NotSecure as error:
        return Finding(what, WORDS[f"mail_{error.reason}"])
    except (LoginFailed, MailLoginFailed) as error:
        return Finding(what, f"логин или пароль не приняты: {error.text}")
    except OutsideError as error:
        return Finding(what, f"нет связи или непонятный ответ: {error.text or type(error).__name__}")
