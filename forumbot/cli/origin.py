"""Whether it can be known who sent a letter: the name under which our own mail server says so in what it brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from forumbot.cli.asking import agreed, ask

if TYPE_CHECKING:
    from adapters.clock import Clock
    from adapters.mail.headers import Head
    from adapters.mailbox import Mailbox
    from adapters.model import Envelope
    from forumbot.settings import Site

HOW_TO_LOOK = """\
По строке Authentication-Results бот узнаёт, не подделан ли отправитель. Откройте в ящике любое письмо, «показать оригинал»:
за словом Authentication-Results и двоеточием стоит имя сервера. Нет такой строки или непонятно - оставьте пустым."""
WITHOUT = (
    "Без имени сервера (authserv) бот не отличит подделку, поэтому ход из письма не считается, пока игрок не подтвердит его "
    "личным сообщением или не решите вы."
)
_QUESTION = "Имя сервера в Authentication-Results (можно пусто)"
_TRIES, _PAUSE = 20, 3.0
"""So often the mailbox is asked whether the letter has come, with so many seconds between."""


def servers(letters: Iterable[Envelope]) -> Counter[str]:
    """The servers that wrote the topmost results of these letters: our own is above all that others wrote."""
    from adapters.mail.auth import server_of

    topmost = (_head(one).raw("authentication-results") for one in letters)
    return Counter(name for value in topmost if value is not None and (name := server_of(value.decode("utf-8", "replace"))))


def likely(named: Counter[str]) -> str:
    """The server that most letters name; "" where none does."""
    return next((name for name, _ in named.most_common(1)), "")


def servers_in_box(site: Site, clock: Clock) -> Counter[str]:
    """As ``servers``, of the letters that the mailbox gives first. Raises as ``Mailbox.fetch``."""
    from adapters.mailbox import MailPlace
    from forumbot.hosting.daemon import wiring

    mailbox, _ = wiring.mail(site, clock)
    assert mailbox is not None
    letters, _ = mailbox.fetch(MailPlace())
    mailbox.close()
    return servers(letters)


def ask_server(site: Site, clock: Clock) -> str:
    """The name of the mail server, learned from a letter that the bot sends to itself and agreed to by the host, else as
    ``ask_blindly``."""
    from adapters.errors import OutsideError

    click.echo("Бот посылает письмо сам себе, чтобы узнать имя вашего почтового сервера ...")
    ours, others = "", ""
    try:
        ours, others = _learn(site, clock)
    except OutsideError as error:
        click.echo(f"Не вышло: {error.text}.")
    if ours and agreed(f"Ваш почтовый сервер подписывает письма именем «{ours}». Записать его (authserv)?", default=True):
        return ours
    if not ours:
        click.echo("Сервер это письмо не подписал, или оно ещё не дошло.")
    # Whoever wrote those letters may have written the name too: it is taken only from a host who knows it.
    if not ours and others and agreed(f"Другие письма здесь подписаны именем «{others}». Это сервер вашей почты?", default=False):
        return others
    return ask_blindly()


def ask_blindly() -> str:
    """The name of the mail server as the host finds it; "" where it stays unknown, and the host hears what follows."""
    click.echo(HOW_TO_LOOK)
    said = ask(_QUESTION, str, default="")
    if not said:
        click.echo(WITHOUT)
    return said


def _learn(site: Site, clock: Clock) -> tuple[str, str]:
    """The name that our server writes above a letter of our own, and the one that stands above most others; "" for none."""
    from secrets import token_hex

    from forumbot.hosting.daemon import wiring

    assert site.mail is not None
    mailbox, out = wiring.mail(site, clock)
    assert mailbox is not None and out is not None
    name = f"<probe-{token_hex(8)}@{site.mail.address.partition('@')[2]}>"
    text = "Этим письмом бот узнаёт имя почтового сервера. Его можно удалить."
    out.send(site.mail.address, "Проверка почты", text, message_id=name)
    try:
        ours, others = _await(mailbox, clock, name)
    finally:
        mailbox.close()
    return likely(servers(ours)), likely(servers(others))


def _await(mailbox: Mailbox, clock: Clock, name: str) -> tuple[list[Envelope], list[Envelope]]:
    """The letter with this id, if it comes in time, and all others."""
    from adapters.mailbox import MailPlace

    place, others = MailPlace(), []
    for _ in range(_TRIES):
        while True:
            letters, place = mailbox.fetch(place)
            ours = [one for one in letters if name.encode() in (_head(one).raw("message-id") or b"")]
            others += [one for one in letters if one not in ours]
            if ours:
                return ours, others
            if not letters:
                break
        clock.sleep(_PAUSE)
    return [], others


def _head(letter: Envelope) -> Head:
    from adapters.mail.headers import Head

    return Head.of_letter(letter.raw or letter.head or b"")
