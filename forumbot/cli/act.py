"""``forumbot act``: the history of what hosts did, and taking it back."""

from __future__ import annotations

import json
from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import fail, local, show_json, show_table


@click.group(
    "act",
    epilog="""\b
Примеры:
  forumbot act list                    кто что сделал и когда
  forumbot act undo 5                  отменить действие 5, пока игра не кончилась
  forumbot act do extend '{"hours": 2}'
""",
)
def command() -> None:
    """Действия ведущих: журнал и отмена."""


@command.command("list")
@click.option("--last", type=int, default=50, show_default=True, help="Сколько последних; 0: все.")
@game_options
def list_(last: int, game: str | None, config: Path, as_json: bool) -> None:
    """Показать журнал действий."""
    import sqlalchemy as sa

    from forumbot.desk.forms import title
    from forumbot.store.tables import acts

    with opened(config, game) as here, here.store.read() as connection:
        query = sa.select(acts).where(acts.c.game_id == here.row.id).order_by(acts.c.id.desc())
        rows = [dict(row) for row in connection.execute(query.limit(last) if last else query).mappings()]
        taken_back = acts.c.game_id == here.row.id, acts.c.undoes.is_not(None)
        undone = set(connection.execute(sa.select(acts.c.undoes).where(*taken_back)).scalars())
    rows.reverse()
    if as_json:
        show_json([{**row, "undone": row["id"] in undone} for row in rows])
        return
    show_table(
        ("№", "когда", "кто", "что", "подробности", "итог"),
        [
            (
                row["id"],
                local(row["asked_at"], here.zone),
                row["who"],
                title(row["kind"]),
                json.dumps(row["payload"], ensure_ascii=False),
                row["error"] or ("отменено" if row["id"] in undone else "сделано" if row["done_at"] else "ждёт бота"),
            )
            for row in rows
        ],
    )


@command.command("undo")
@click.argument("number", type=int, metavar="ДЕЙСТВИЕ")
@act_options
def undo(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Отменить действие. Если на нём стоят подведённые ходы, они исправляются; что изменится, показано заранее."""
    carry_out(config, game, who, as_json, "undo", {"act": number})


@command.command("do")
@click.argument("kind", metavar="ВИД")
@click.argument("payload", metavar="[JSON]", required=False, default="{}")
@act_options
def do(kind: str, payload: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Любое действие из программы: вид и его данные в JSON."""
    try:
        given = json.loads(payload)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        fail("данные действия - это объект JSON, например '{\"hours\": 2}'")
        return
    carry_out(config, game, who, as_json, kind, given)
