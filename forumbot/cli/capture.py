"""``forumbot capture``: the forum's real pages without people in them, for judging how this forum is made."""

from __future__ import annotations

import os
from pathlib import Path

import click

from forumbot.cli.common import fail, mendable, site_option


@click.command(
    "capture",
    epilog="Примеры: forumbot capture snimok --topic 12-345 --closed 12-300;  потом: forumbot facts snimok",
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@site_option
@click.option("--section", default="", help="Раздел форума; без него берётся из первой игры.")
@click.option("--topic", default="", help="Тема: лучше длинная, с голосами, цитатой и правкой; без неё первая в разделе.")
@click.option("--closed", default="", help="Закрытая тема, если есть.")
def command(folder: Path, config: Path, section: str, topic: str, closed: str) -> None:
    """Снять страницы форума в пустую папку без людей: ники, слова, названия, адреса и номера игроков заменены.

    Бот только читает (сначала входит, если ещё не вошёл), не спеша и одним соединением. Остановите «forumbot run» на это время.
    """
    from adapters.board import Board
    from adapters.errors import OutsideError
    from adapters.places import Wanted
    from forumbot.capture import collect
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.daemon.daemon import Lock, Locked
    from forumbot.settings import load_games, load_site
    from forumbot.store.ownership import hand_over

    if folder.exists() and any(folder.iterdir()):
        fail(f"папка {folder} не пуста: нужна новая")
    with mendable():
        site = load_site(config)
        section = section or next((game.section for game in load_games(site)), "")
        if not section:
            fail("нужен раздел форума: --section")
        site.site.data.mkdir(parents=True, exist_ok=True)
        clock = wiring.clock()
        try:
            with Lock(site.database):
                board, guest = wiring.forum(site, clock), wiring.guest(site, clock)
                assert isinstance(board, Board)
                assert isinstance(guest, Board)
                topic = topic or collect.some_topic(board, section) or ""
                if not topic:
                    fail(f"в разделе {section} не видно тем: укажите тему (--topic)")
                saved = collect.collect(board, guest, Wanted(section, topic, closed), folder, clock, os.urandom(32))
            hand_over(site.site.data)
        except Locked as error:
            fail(str(error))
            return
        except OutsideError as error:
            fail(f"форум не читается: {error.text}")
            return
    for page in saved:
        click.echo(f"{page.kind:14} {page.file or 'не снята: ' + page.text}")
    click.echo(f"Готово: {folder}. Людей в этих файлах нет, но просмотрите их, прежде чем отдать.")
    click.echo(f"Дальше: forumbot facts {folder}")
