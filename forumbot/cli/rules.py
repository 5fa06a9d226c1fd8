"""``forumbot rules``: what a ruleset's code knows of its rules, printed for people."""

from __future__ import annotations

import click

from engine import rulesets


@click.command(
    "rules",
    epilog="""\b
Примеры:
  forumbot rules clans                 роли и действия, как их называет бот
  forumbot rules mafialife --matrix    таблица «нападение - защита» из кода правил
""",
)
@click.argument("ruleset", metavar="ПРАВИЛА", type=click.Choice(rulesets.names()))
@click.option("--matrix", is_flag=True, help="Напечатать таблицу взаимодействий, если у правил она есть (mafialife, глава 15).")
def command(ruleset: str, matrix: bool) -> None:
    """Напечатать то, что код знает о правилах: роли, стороны, действия и сроки.

    В таблице взаимодействий: S - защита останавливает, K - останавливает, и нападающий гибнет, – - не действует,
    P - нападение проходит насквозь, U - останавливает и расходуется; цифры - сноски правил.
    """
    from engine.turn import Charted
    from forumbot.cli.common import fail
    from forumbot.writing.writer import Writer, gather

    rules = rulesets.ruleset(ruleset)
    if matrix:
        if not isinstance(rules, Charted):
            fail(f"у правил «{ruleset}» таблицы взаимодействий нет")
        click.echo(rules.chart())
        return
    writer, spec = Writer(gather(ruleset), "UTC"), rules.spec
    parts = (
        ("Роли", "roles", spec.roles),
        ("Стороны", "factions", spec.factions),
        ("Действия игроков", "actions", tuple(action for action in spec.actions if action not in spec.host_actions)),
        ("Действия ведущего", "actions", spec.host_actions),
        ("Отметки дня", "marks", spec.marks),
        ("Вещи", "items", spec.items),
    )
    for title, group, ids in parts:
        if ids:
            click.echo(f"{title}: {', '.join(f'{writer.word(group, one)} ({one})' for one in ids)}")
