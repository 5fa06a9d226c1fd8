"""``forumbot restore``: a copy takes the place of the database; the old one is kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from forumbot.cli.asking import agreed
from forumbot.cli.common import fail, mendable, site_option


@click.command("restore", epilog="Пример: systemctl stop forumbot && forumbot restore /var/backups/forumbot-20261129-120000.db")
@click.argument("copy", type=click.Path(path_type=Path, dir_okay=False))
@site_option
@click.option("--yes", is_flag=True, help="Не спрашивать.")
def command(copy: Path, config: Path, yes: bool) -> None:
    """Вернуть базу из копии. Сначала остановите бота; старая база останется рядом под другим именем."""
    from forumbot.hosting.daemon.daemon import Lock, Locked
    from forumbot.settings import load_site
    from forumbot.store.ownership import hand_over
    from forumbot.store.safekeeping import restore, verify

    with mendable():
        site = load_site(config)
        verify(copy)
        if not yes:
            made = datetime.fromtimestamp(copy.stat().st_mtime).strftime("%d.%m.%Y %H:%M")
            if not agreed(f"Заменить {site.database} копией {copy} от {made}?", default=False):
                fail("ничего не сделано: база осталась прежней", 1)
        site.site.data.mkdir(parents=True, exist_ok=True)
        try:
            with Lock(site.database):
                kept = restore(copy, site.database)
            hand_over(site.site.data)
        except Locked as error:
            fail(str(error))
    click.echo(f"База возвращена из {copy}." + (f" Старая лежит здесь: {kept}" if kept else ""))
    click.echo("Бот продолжит с этого места; сообщения, пришедшие после копии, он прочитает заново с форума и из почты.")
    click.echo("Входы на пульт и коды для почты из копии не действуют: войдите заново, новый код игрок получит по слову «код».")
    click.echo("Свои темы, сообщения и письма, вышедшие после копии, он найдёт и не повторит; личные сообщения пошлёт ещё раз.")
