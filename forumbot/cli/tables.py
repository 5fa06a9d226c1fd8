"""``forumbot tables``: the rules as one game's tables have them, printed or posted for the players."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, opened
from forumbot.cli.common import show_json


@click.command(
    "tables",
    epilog="""\b
Примеры:
  forumbot tables                показать числа и настройки игры
  forumbot tables --post         и написать их в тему записи
""",
)
@click.option("--post", "posted", is_flag=True, help="Опубликовать в теме записи.")
@act_options
def command(posted: bool, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Правила этой игры: каждое число её таблиц с пояснением; что изменил ведущий, отмечено."""
    from forumbot.hosting.publish.rulepost import parts
    from forumbot.writing.writer import Writer

    if posted:
        carry_out(config, game, who, as_json, "rules", {})
        return
    with opened(config, game) as here:
        made = parts(here.row.ruleset, here.row.tables, Writer(here.row.templates, here.zone))
    if as_json:
        show_json(made)
        return
    for part in made:
        click.echo(f"\n{part['title']}" if part["title"] else "")
        for entry in part["entries"]:
            click.echo(f"  {entry['remark']}: {entry['value']}" + (" (изменено ведущим)" if entry["changed"] else ""))
