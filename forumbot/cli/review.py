"""``forumbot review``: what the bot was not sure of, and the host's word on it."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import fail, local, show_json, show_table


@click.group(
    "review",
    epilog="""\b
Примеры:
  forumbot review list                 что ждёт решения
  forumbot review accept 17            засчитать всё, что прочитано в записи 17
  forumbot review accept 17 --choice 0 засчитать только первое из прочтений
  forumbot review reject 17            это не ход
  forumbot review ask 17 "Кого вы имели в виду?"
""",
)
def command() -> None:
    """Сомнительные сообщения: посмотреть, засчитать, отклонить, переспросить."""


@command.command("list")
@click.option("--turn", type=int, default=None, help="Ход (по умолчанию текущий).")
@game_options
def list_(turn: int | None, game: str | None, config: Path, as_json: bool) -> None:
    """Показать, что ждёт решения."""
    from forumbot.desk.wording import word
    from forumbot.hosting.inbox import digest
    from forumbot.reading.explain import reason_text
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        mine = here.row.id
        waiting = digest.reviews(connection, mine) if turn is None else digest.open_reviews(connection, mine, turn)
    if as_json:
        keys = ("id", "author", "channel", "turn", "at", "reason", "rule", "text", "orders")
        show_json([{key: row[key] for key in keys} for row in waiting])
        return
    writer = Writer(here.row.templates, here.zone)
    if not waiting:
        click.echo("Ничего не ждёт решения.")
        return
    show_table(
        ("№", "время", "кто", "почему", "прочтения (--choice)", "слова"),
        [
            (
                row["id"],
                local(row["at"], here.zone),
                row["author"],
                reason_text(row["reason"]),
                "\n".join(
                    f"{n}: {word(writer, 'actions', o['action'])} {', '.join(o['targets'])}" for n, o in enumerate(row["orders"])
                ),
                " ".join(row["text"].split())[:300],
            )
            for row in waiting
        ],
    )


@command.command("accept")
@click.argument("number", type=int, metavar="ЗАПИСЬ")
@click.option("--choice", type=int, default=None, help="Какое из прочтений (см. list); без него все.")
@act_options
def accept(number: int, choice: int | None, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Засчитать сообщение: оно встанет на своё время."""
    carry_out(config, game, who, as_json, "accept", {"verdict": number, "choice": choice})


@command.command("reject")
@click.argument("number", type=int, metavar="ЗАПИСЬ")
@act_options
def reject(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Решить, что это не ход."""
    carry_out(config, game, who, as_json, "reject", {"verdict": number})


@command.command("ask")
@click.argument("number", type=int, metavar="ЗАПИСЬ")
@click.argument("text", metavar="ТЕКСТ")
@act_options
def ask(number: int, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Переспросить автора сообщения."""
    import sqlalchemy as sa

    from forumbot.store.tables import verdicts

    with opened(config, game) as here, here.store.read() as connection:
        mine = verdicts.c.id == number, verdicts.c.game_id == here.row.id
        seat = connection.execute(sa.select(verdicts.c.seat).where(*mine)).scalar()
    if seat is None:
        fail(f"записи {number} нет, или её написал не игрок")
        return
    carry_out(config, game, who, as_json, "write", {"player": seat, "text": text})
