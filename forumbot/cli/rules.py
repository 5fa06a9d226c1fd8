"""``forumbot rules``: what a ruleset's code knows of its rules, printed for people."""

from __future__ import annotations

from collections.abc import Callable

import click


def _mafialife_matrix() -> str:
    from engine.rulesets.mafialife.matrix import printed

    return printed()


_MATRICES: dict[str, Callable[[], str]] = {"mafialife": _mafialife_matrix}
"""Rulesets that have an interaction matrix, and what prints it."""


@click.command(
    "rules",
    epilog="""\b
Пример:
  forumbot rules mafialife --matrix    таблица «нападение - защита» из кода правил
""",
)
@click.argument("ruleset", metavar="ПРАВИЛА", type=click.Choice(sorted(_MATRICES)))
@click.option("--matrix", is_flag=True, required=True, help="Напечатать таблицу взаимодействий (глава 15 правил).")
def command(ruleset: str, matrix: bool) -> None:
    """Напечатать то, что код знает о правилах.

    В таблице взаимодействий: S - защита останавливает, K - останавливает, и нападающий гибнет, – - не действует,
    P - нападение проходит насквозь, U - останавливает и расходуется; цифры - сноски правил.
    """
    click.echo(_MATRICES[ruleset]())
