"""An embedded forum with people on it, for captures and facts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module

from adapters.board import Board as Account
from adapters.clock import ManualClock
from adapters.forum import ForumSettings
from forumbot import resources
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions

START = datetime(2026, 11, 30, 9, tzinfo=UTC)
NICKS = ("Зорро_77", "Кот Базилио", "Marquis")
TITLE = "Партия серебряных лисиц"
SECRETS = (
    "Зорро", "Базилио", "Marquis", "Тайновед", "серебряных", "лисиц", "виновата", "кочерга", "заклинание",
    "podpisant", "zorro@tainik.ru", "tainik", "очень-секретный-пароль", "Гостиная", "проверяю", "шкатулка",
)  # fmt: skip
"""Words of people that stand on the pages of this forum."""


@dataclass
class Scene:
    board: Board
    account: Account
    guest: Account
    clock: ManualClock
    section: str
    topic: str
    closed: str
    url: str
    old: bool
    """A board of the 3.0 line."""


@contextlib.contextmanager
def scene(options: UcozOptions | PhpbbOptions) -> Iterator[Scene]:
    """A section with a thread of several pages (colours, quotations, an edit, signatures), a closed topic, a private message."""
    clock = ManualClock(START)
    board = Board(clock)
    section = board.add_section("Гостиная")
    bot = board.register("Тайновед", "очень-секретный-пароль")
    players = [board.register(nick, "x", uid=3300 + place, signature="Мой podpisant [color=red]кочерга[/color]")
               for place, nick in enumerate(NICKS)]  # fmt: skip
    topic = board.open_topic(section, players[0], TITLE, "Заклинание, пишите на zorro@tainik.ru или http://tainik.ru/kocherga")
    edited = 0
    for number in range(45):
        clock.sleep(60)
        who = number % 3
        text = f"кочерга номер {number}"
        if number == 3:
            text = f'[quote="{NICKS[0]}"]заклинание[/quote] '
            text += f"[color=red]виновата {NICKS[1]}[/color] и [b]ещё [color=blue]кочерга[/b][/color]"
        written = board.post(topic, players[who], text)
        edited = written if number == 4 else edited
    board.edit(edited, "кочерга исправлена")
    closed = board.open_topic(section, players[1], "Старая шкатулка", "заклинание")
    board.lock_topic(closed)
    board.send_pm(players[2], bot, "шкатулка", "проверяю Базилио")
    for letter in board.box(bot, "inbox"):
        letter.read = True
    overrides = resources.toml(f"forums/{'ucoz' if isinstance(options, UcozOptions) else 'phpbb'}.toml")
    engine = "ucoz" if isinstance(options, UcozOptions) else "phpbb"
    with serve(board, options) as server:
        settings = ForumSettings(
            url=server.url, user="Тайновед", password="очень-секретный-пароль", min_interval=0, overrides=overrides
        )
        connect = import_module(f"adapters.{engine}.client").connect
        account, guest = connect(settings, clock), connect(settings, clock)
        address = (lambda number: f"{section}-{number}") if engine == "ucoz" else str
        old = isinstance(options, PhpbbOptions) and options.version == "3.0"
        yield Scene(board, account, guest, clock, str(section), address(topic), address(closed), server.url, old)
        account.close()
        guest.close()
