"""``forumbot read-page``: what the bot reads in a saved page of a thread (contract.md, "The reading contract")."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adapters import engines

if TYPE_CHECKING:
    from adapters.model import Page, Post


@click.command(epilog="Пример: forumbot read-page --forum ucoz --at 2026-03-04T21:40:00+03:00 тема.html")
@click.option("--forum", type=click.Choice(engines.names()), required=True, help="Движок форума.")
@click.option("--at", metavar="ВРЕМЯ", help="Когда страница сохранена (ISO 8601), для «Сегодня» и «Вчера». Обычно: сейчас.")
@click.option("--zone", default="Europe/Moscow", show_default=True, help="Часовой пояс напечатанных времён.")
@click.option("--json", "as_json", is_flag=True, help="Напечатать JSON вместо таблицы.")
@click.option(
    "--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Файл настроек сайта: с его строками форума."
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(forum: str, at: str | None, zone: str, as_json: bool, config: Path | None, file: Path) -> None:
    """Прочитать сохранённую страницу темы и показать сообщения, как их видит бот."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    from adapters.errors import NoThread
    from adapters.webpage import decode

    try:
        place = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise click.BadParameter(f"нет такого часового пояса: {zone}", param_hint="--zone") from None
    try:
        fetched = datetime.fromisoformat(at) if at else datetime.now(UTC)
    except ValueError:
        raise click.BadParameter(f"не время в виде 2026-03-04T21:40:00+03:00: {at}", param_hint="--at") from None
    if fetched.tzinfo is None:
        fetched = fetched.replace(tzinfo=place)
    reader = engines.part(forum, "pages")
    try:
        page: Page = reader.read_thread(
            decode(file.read_bytes()), fetched=fetched, zone=place, overrides=_overrides(forum, config)
        )
    except NoThread as error:
        if as_json:
            click.echo(json.dumps({"error": {"reason": error.reason, "text": error.text}}, ensure_ascii=False))
        else:
            click.echo(f"Это не страница темы: {error.text} ({error.reason})", err=True)
        sys.exit(3)
    if as_json:
        click.echo(json.dumps(as_record(page), ensure_ascii=False))
    else:
        _show(page)


def _overrides(forum: str, config: Path | None) -> dict[str, Any]:
    """What the forum's owner has changed, by the host's own files where they are named."""
    from forumbot.cli.common import mendable
    from forumbot.resources import find
    from forumbot.settingsfile import load_forum_strings

    with mendable():
        site = None
        if config:
            from forumbot.settings import load_site

            site = load_site(config)
        strings = load_forum_strings(find(f"forums/{forum}.toml", site.site.own if site else None), forum)
        return strings | (site.forum.overrides if site and site.forum.engine == forum else {})


def as_record(page: Page) -> dict[str, Any]:
    """A page as the contract's JSON object."""
    return {"posts": [_post(post) for post in page.posts], "page": page.page, "pages": page.pages, "title": page.title}


def _post(post: Post) -> dict[str, Any]:
    from adapters.markup import highlights, own_text

    return {
        "number": post.number,
        "id": post.id,
        "author": post.author,
        "author_uid": post.author_uid,
        "datetime": post.posted.isoformat() if post.posted else None,
        "edited": post.edited,
        "edited_by": post.edited_by,
        "highlighted": [{"color": color, "hex": hex_, "text": text} for color, hex_, text in highlights(post.runs)],
        "text": own_text(post.runs),
    }


def _show(page: Page) -> None:
    """The page as a table for people."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from adapters.markup import highlights, own_text

    console = Console()
    table = Table(title=Text(f"{page.title} — страница {page.page} из {page.pages}"), show_lines=True)
    for heading in ("№", "Кто", "Когда", "Цветом", "Текст"):
        table.add_column(heading)
    for post in page.posts:
        marks = Text()
        for color, hex_, text in highlights(post.runs):
            marks.append(f"{text}\n", style=hex_ or ("" if color == "other" else color))
        when = post.posted.strftime("%d.%m.%Y %H:%M:%S" if post.exact else "%d.%m.%Y %H:%M") if post.posted else "неизвестно"
        if post.edited:
            when += f"\nправка: {post.edited_by or 'кто-то'}"
        who = post.author + (f"\nuid {post.author_uid}" if post.author_uid is not None else "")
        table.add_row(str(post.number or post.id), Text(who), when, marks, Text(own_text(post.runs)))
    console.print(table)
