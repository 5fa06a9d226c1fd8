"""What ``check`` and ``init`` try of the outside, for real: the forum's login and rights, the mailbox and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from forumbot.cli.findings import Amiss, Finding, attempt

if TYPE_CHECKING:
    from adapters.clock import Clock
    from adapters.forum import Forum
    from forumbot.settings import Game, Site


def forum_findings(site: Site, games: tuple[Game, ...] = (), *, trial: bool = False) -> Iterator[Finding]:
    """Login and rights on the forum, tried for real; with ``trial`` by a topic, too."""
    from forumbot.hosting.daemon import wiring

    clock = wiring.clock()
    forum = wiring.forum(site, clock)
    yield from _forum(site, forum, games, clock)
    if trial:
        for section in dict.fromkeys(game.section for game in games if game.mode != "shadow"):
            yield attempt(partial(_on_trial, forum, section, site.forum.url), f"раздел {section}, пробная тема", _NO_SECTION)


def mail_findings(site: Site, clock: Clock) -> Iterator[Finding]:
    """The mailbox and the way out, tried for real; nothing is sent."""
    from forumbot.hosting.daemon import wiring

    if site.mail is None:
        return

    def count() -> str:
        mailbox, _ = wiring.mail(site, clock)
        assert mailbox is not None
        letters = mailbox.count()
        mailbox.close()
        return f"почтовый ящик: писем {letters}"

    yield attempt(count, "почтовый ящик")
    yield attempt(partial(_sending, site, clock), "отправка почты")


def _forum(site: Site, forum: Forum, games: tuple[Game, ...], clock: Clock) -> Iterator[Finding]:
    from adapters.forum import Place
    from forumbot.hosting.core.troubles import WORDS

    def login() -> str:
        account = forum.login()
        return f"вход на форум: {account.nick} (№ {account.uid})"

    alien = f"страница не похожа на форум {site.forum.engine}: проверьте engine и url в [forum]"
    finding = attempt(login, "вход на форум", {"no_posts": alien, "not_found": alien})
    yield finding
    if not finding.fine:
        return
    yield from _clock(forum, clock)
    closed = {"forbidden": WORDS["pm_forbidden"], "not_found": WORDS["pm_forbidden"]}
    yield attempt(lambda: f"личные сообщения: {forum.count_messages()}", "личные сообщения", closed)
    for section in dict.fromkeys(game.section for game in games):
        finding = attempt(lambda section=section: _section(forum, section), f"раздел {section}", _NO_SECTION)  # type: ignore[misc]
        yield finding
        if finding.fine and any(game.mode != "shadow" for game in games if game.section == section):
            yield from _rights(forum, section)
    for topic in dict.fromkeys(game.signup.topic for game in games if game.signup.topic):
        missing = {"not_found": "такой темы нет: проверьте topic в файле игры"}
        yield attempt(lambda topic=topic: f"тема {forum.read_thread(topic, Place()).title}", f"тема {topic}", missing)  # type: ignore[misc]


_NO_SECTION = {
    "not_found": "такого раздела нет: проверьте section в файле игры",
    "forbidden": "у бота нет прав на этот раздел: попросите владельца форума открыть доступ",
}


def _section(forum: Forum, section: str) -> str:
    from adapters.board import Board
    from forumbot.capture import collect

    if isinstance(forum, Board) and not collect.has_section(forum, section):
        raise Amiss(_NO_SECTION["not_found"])
    forum.find_topic(section, "\N{WHITE SQUARE}")
    title = collect.section_title(forum, section) if isinstance(forum, Board) else ""
    return f"раздел {section}" + (f": «{title}»" if title else "")


def _on_trial(forum: Forum, section: str, url: str) -> str:
    from forumbot.cli import trial

    what, advice = trial.result(forum, section, url)
    if advice:
        raise Amiss(advice)
    return what


def _clock(forum: Forum, clock: Clock) -> Iterator[Finding]:
    """Our clock against the forum's, which decides what came in time."""
    from adapters.board import Board
    from forumbot.hosting.core.troubles import span
    from forumbot.hosting.daemon.daemon import MOST_SKEW

    if not isinstance(forum, Board):
        return

    def compare() -> str:
        told = forum.session.get(forum.session.base).date
        if told is None:
            return "часы: форум своего времени не сообщает"
        skew = clock.now() - told
        if abs(skew) > MOST_SKEW:
            raise Amiss(f"расходятся с часами форума на {span(abs(skew))}: timedatectl set-ntp true")
        return "часы: как у форума"

    yield attempt(compare, "часы")


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


def mail(site: Site, clock: Clock) -> Iterator[Finding]:
    yield from mail_findings(site, clock)
    if site.mail is not None:
        yield attempt(partial(_origin, site, clock), "подлинность писем")


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
        raise Amiss(f"authserv не задан, и письмо может прислать кто угодно от чужого имени; {advice}")
    if named and wanted not in named:
        raise Amiss(f'authserv = "{wanted}", а письма в ящике подписывает «{likely}»: впишите это имя')
    return "подлинность писем"


def _sending(site: Site, clock: Clock) -> str:
    from adapters.mail.smtp import SmtpOutgoing
    from forumbot.hosting.daemon import wiring

    _, outgoing = wiring.mail(site, clock)
    if isinstance(outgoing, SmtpOutgoing):
        outgoing.log_in()
    return "отправка почты"
