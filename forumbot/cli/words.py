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
  forumbot act undo 17                                  забыть слово, выученное действием 17
""",
)
def command() -> None:
    """Слова, которым ведущий научил бота: список, научить; забыть - отменой действия."""


@command.command("list")
@game_options
def list_(game: str | None, config: Path, as_json: bool) -> None:
    """Показать, чему бот научен в этой игре."""
    from forumbot.hosting import teaching

    with opened(config, game) as here, here.store.read() as connection:
        rows = teaching.words(connection, here.row.id)
    if as_json:
        show_json([{"text": one.text, "kind": one.kind, "value": one.value} for one in rows])
        return
    show_table(("слово", "что", "чего"), [(one.text, teaching.WAYS[one.kind], one.value) for one in rows])


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
