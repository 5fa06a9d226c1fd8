"""``forumbot words``: what the host has taught the reader."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import show_json, show_table


@click.group(
    "words",
    epilog="""\b
Примеры:
  forumbot words list
  forumbot words teach чпокаю --way form --value heal   так в этой игре пишут лечение
  forumbot words teach ёпрст --way filler --everywhere  ничего не значит, во всех играх этих правил
  forumbot words teach Бориска --way nick --value Борис
  forumbot words forget 230                             эта игра забывает слово № 230 из списка
  forumbot act undo 17                                  забыть слово, выученное действием 17, во всех играх
""",
)
def command() -> None:
    """Слова, которым ведущий научил бота: список, научить, забыть."""


@command.command("list")
@game_options
def list_(game: str | None, config: Path, as_json: bool) -> None:
    """Показать, чему бот научен в этой игре."""
    from forumbot.hosting.turns import teaching

    with opened(config, game) as here, here.store.read() as connection:
        rows = [{"id": row["id"], **row["payload"]} for row in teaching.listed(connection, here.row.id)]
    if as_json:
        show_json([{key: row[key] for key in ("id", "text", "kind", "value")} for row in rows])
        return
    ways = teaching.WAYS
    columns = ("№", "слово", "что", "чего", "где")
    where = ("в этой игре", "во всех играх")
    show_table(
        columns, [(row["id"], row["text"], ways[row["kind"]], row["value"], where["for_all" in row]) for row in rows]
    )


@command.command("teach")
@click.argument("word", metavar="СЛОВО")
@click.option(
    "--way",
    type=click.Choice(["filler", "form", "nick"]),
    required=True,
    help="filler: ничего не значит; form: форма хода; nick: ник.",
)
@click.option("--value", default="", help="Для form - действие (heal), для nick - ник игрока.")
@click.option("--everywhere", is_flag=True, help="Для всех игр этих правил, нынешних и будущих.")
@act_options
def teach(
    word: str, way: str, value: str, everywhere: bool, who: str | None, game: str | None, config: Path, as_json: bool
) -> None:
    """Научить бота слову."""
    carry_out(config, game, who, as_json, "teach", {"word": word, "way": way, "value": value, "everywhere": everywhere})


@command.command("forget")
@click.argument("number", metavar="НОМЕР", type=int)
@act_options
def forget(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Забыть слово в этой игре (номер из «forumbot words list»)."""
    carry_out(config, game, who, as_json, "forget", {"taught": number})
