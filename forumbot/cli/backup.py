"""``forumbot backup``: a verified copy of the database, while the daemon runs."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.common import mendable, site_option


@click.command("backup", epilog="Примеры: forumbot backup /var/backups;  forumbot backup copy.db")
@click.argument("target", type=click.Path(path_type=Path))
@site_option
def command(target: Path, config: Path) -> None:
    """Сделать проверенную копию базы в файл или папку КУДА. Бота останавливать не нужно."""
    from forumbot.settings import load_site
    from forumbot.store.safekeeping import backup

    with mendable():
        made = backup(load_site(config).database, target)
    click.echo(f"Копия готова и проверена: {made} ({made.stat().st_size // 1024} КБ)")
