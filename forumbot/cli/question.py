"""``forumbot question``: what players wrote that is for the host, and his answers."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import local, show_json, show_table


@click.group(
    "question",
    epilog="""\b
Примеры:
  forumbot question list                  кто ждёт вашего слова
  forumbot question answer 7 "Да, можно"  ответить: письмом или личным сообщением
  forumbot question close 8               отвечать не нужно
""",
)
def command() -> None:
    """Вопросы игроков к ведущему: вопросы, жалобы, просьбы отпустить, ответы на ваши письма."""


@command.command("list")
@click.option("--settled", is_flag=True, help="Показать и решённые.")
@game_options
def list_(settled: bool, game: str | None, config: Path, as_json: bool) -> None:
    """Показать, что ждёт ответа."""
    from forumbot.hosting.inbox import questions

    with opened(config, game) as here, here.store.read() as connection:
        rows = questions.waiting(connection, here.row.id)
        rows += questions.settled(connection, here.row.id, 100) if settled else []
    if as_json:
        keys = ("id", "kind", "author", "seat", "channel", "turn", "at", "text", "closed_at", "answer")
        show_json([{key: row[key] for key in keys} for row in rows])
        return
    if not rows:
        click.echo("Никто не ждёт ответа.")
        return
    show_table(
        ("№", "время", "кто", "что", "слова", "ответ"),
        [
            (
                row["id"],
                local(row["at"], here.zone),
                row["author"],
                questions.KINDS.get(row["kind"], questions.KINDS[questions.OTHER]),
                " ".join(row["text"].split())[:300],
                row["answer"] or ("решено" if row["closed_at"] else ""),
            )
            for row in rows
        ],
    )


@command.command("answer")
@click.argument("number", type=int, metavar="ВОПРОС")
@click.argument("text", metavar="ТЕКСТ")
@act_options
def answer(number: int, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Ответить писавшему: письмом или личным сообщением, как писал он."""
    carry_out(config, game, who, as_json, "answer", {"question": number, "text": text})


@command.command("close")
@click.argument("number", type=int, metavar="ВОПРОС")
@act_options
def close(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Отметить, что отвечать не нужно."""
    carry_out(config, game, who, as_json, "heard", {"question": number})
