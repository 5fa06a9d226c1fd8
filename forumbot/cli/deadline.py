"""``forumbot deadline``: when things fall due, and moving it."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.asking import iso
from forumbot.cli.common import local, show_json, show_table

_CALLS = {
    "signup": "конец записи",
    "mark": "отметка",
    "close": "подведение итогов",
    "announce": "публикация",
    "remind": "напоминание игрокам",
    "review": "письмо ведущему",
}


@click.group(
    "deadline",
    epilog="""\b
Примеры:
  forumbot deadline list
  forumbot deadline extend 2           все сроки этого хода на два часа позже
  forumbot deadline extend -0.5        на полчаса раньше
  forumbot deadline move 12 "02.12.2026 22:00"
  forumbot deadline pause              остановить игру
  forumbot deadline resume             продолжить: сроки сдвинутся на длину паузы
  forumbot deadline resolve 12         подвести ближайший итог (срок 12) сейчас
""",
)
def command() -> None:
    """Сроки: посмотреть, продлить, перенести, пауза, подвести итог сейчас."""


@command.command("list")
@click.option("--all", "all_", is_flag=True, help="И прошедшие.")
@game_options
def list_(all_: bool, game: str | None, config: Path, as_json: bool) -> None:
    """Показать сроки игры."""
    import sqlalchemy as sa

    from forumbot.store.tables import deadlines

    with opened(config, game) as here, here.store.read() as connection:
        query = sa.select(deadlines).where(deadlines.c.game_id == here.row.id)
        if not all_:
            query = query.where(deadlines.c.done_at.is_(None))
        rows = [dict(row) for row in connection.execute(query.order_by(deadlines.c.due_at, deadlines.c.id)).mappings()]
    if as_json:
        show_json({"paused_at": here.row.paused_at, "deadlines": rows})
        return
    if here.row.paused_at is not None:
        click.echo(f"Игра на паузе с {local(here.row.paused_at, here.zone)}.")
    show_table(
        ("№", "ход", "что", "имя", "срок", "подведено", "задержан с"),
        [
            (
                row["id"],
                row["turn"],
                _CALLS.get(row["call"], row["call"]),
                row["name"],
                local(row["due_at"], here.zone),
                local(row["done_at"], here.zone),
                local(row["held_since"], here.zone),
            )
            for row in rows
        ],
    )


@command.command("extend", context_settings={"ignore_unknown_options": True})  # «extend -2» is a number, no option
@click.argument("hours", type=float, metavar="ЧАСОВ")
@act_options
def extend(hours: float, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Сдвинуть все сроки этого хода (меньше нуля - раньше)."""
    carry_out(config, game, who, as_json, "extend", {"hours": hours})


@command.command("move")
@click.argument("number", type=int, metavar="СРОК")
@click.argument("at", metavar="ВРЕМЯ", callback=iso)
@act_options
def move(number: int, at: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Перенести один срок (номер из list) на время форума."""
    carry_out(config, game, who, as_json, "move", {"deadline": number, "at": at})


@command.command("pause")
@act_options
def pause(who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Остановить игру: ничего не подводится, пока она стоит."""
    carry_out(config, game, who, as_json, "pause", {})


@command.command("resume")
@act_options
def resume(who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Продолжить: все открытые сроки сдвигаются на длину паузы."""
    carry_out(config, game, who, as_json, "resume", {})


@command.command("resolve")
@click.argument("number", type=int, metavar="СРОК", required=False)
@act_options
def resolve(number: int | None, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Подвести ближайший итог сейчас, не дожидаясь срока. СРОК - его номер из list: второй раз он не подводится."""
    carry_out(config, game, who, as_json, "resolve", {"deadline": number})
