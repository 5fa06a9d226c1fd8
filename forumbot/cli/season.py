"""``forumbot season``: the table of a season, and a topic with it on the forum."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine import rulesets
from forumbot.cli.common import fail, json_option, mendable, show_json, show_table, site_option

if TYPE_CHECKING:
    from forumbot.hosting.people.people import Person


@click.command("season", epilog="Пример: forumbot season --ruleset league --since 2026-09-01 --post league7/12")
@click.option("--ruleset", type=click.Choice(rulesets.names()), help="Только партии этих правил.")
@click.option("--since", type=click.DateTime(("%Y-%m-%d",)), help="Партии, оконченные с этого дня.")
@click.option("--until", type=click.DateTime(("%Y-%m-%d",)), help="Партии, оконченные до этого дня.")
@click.option("--title", default="Таблица сезона", show_default=True, help="Заголовок темы.")
@click.option("--post", "post", metavar="ИГРА[/РАЗДЕЛ]", help="Выложить таблицу новой темой в раздел игры (или в названный).")
@site_option
@json_option
def command(
    ruleset: str | None, since: datetime | None, until: datetime | None, title: str, post: str | None, config: Path, as_json: bool
) -> None:
    """Показать таблицу сезона: партии, победы, заработанное, штрафы."""
    from zoneinfo import ZoneInfo

    from forumbot import resources
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import people
    from forumbot.hosting.publish import seasons
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        zone = ZoneInfo(site.forum.zone)
        with store.read() as connection:
            rows = people.season(
                connection,
                ruleset=ruleset,
                since=since.replace(tzinfo=zone) if since else None,
                until=until.replace(tzinfo=zone) if until else None,
            )
        if post is not None:
            _post(config, post, title, rows)
        store.close()
    names = people.currencies(rows)
    if as_json:
        show_json([{"nick": one.nick, "uid": one.uid, **one.accounts} for one in rows])
        return
    words = resources.toml("templates/common/words.toml", site.site.own)["currencies"]
    headers = ("место", "ник", *(words.get(name, name) for name in names))
    table = [(place, one.nick, *seasons.amounts(one, names, words).values()) for place, one in enumerate(rows, 1)]
    show_table(headers, table, title=title)


def _post(config: Path, where: str, title: str, rows: Sequence[Person]) -> None:
    import sqlalchemy as sa

    from forumbot.hosting.core import record
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.publish import seasons
    from forumbot.settings import load_site
    from forumbot.writing.writer import Writer, gather

    site = load_site(config)
    game_id, _, section = where.partition("/")
    store = wiring.open_store(site)
    clock = wiring.clock()
    forum = wiring.forum(site, clock)
    writer = Writer(gather(None, site.site.own), site.forum.zone)
    try:
        with store.write() as connection:
            row = record.load(connection, game_id)
            where_to = section or row.config.section
            seasons.post(
                connection,
                game_id,
                where_to,
                title,
                rows,
                writer,
                forum.escape,
                forum.max_post,
                clock.now(),
            )
    except sa.exc.NoResultFound:
        fail(f"игры «{game_id}» нет; её имя видно в «forumbot status»")
    finally:
        forum.close()
        store.close()
    click.echo(f"Тема «{title}» поставлена в очередь отправки, раздел {where_to}.")
