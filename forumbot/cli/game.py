"""``forumbot game``: the settings of a running game, and changing what may still be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import fail, show_json, show_table


@click.group(
    "game",
    epilog="""\b
Примеры:
  forumbot game show                       настройки игры и чем от них отличается её файл
  forumbot game set mode=host              газета ждёт ведущего
  forumbot game set section=7 theme=noir
  forumbot game set hosts="Анна, Борис"
  forumbot game set signup.closes="2026-12-05T20:00"
  forumbot game set --from-file            взять из файла всё, что ещё можно изменить
""",
)
def command() -> None:
    """Настройки идущей игры: посмотреть и изменить. Правка файла идущую игру не меняет."""


@command.command("show")
@game_options
def show(game: str | None, config: Path, as_json: bool) -> None:
    """Показать настройки игры, что стоит в файле и что можно изменить."""
    from forumbot.hosting.acts import gamesettings
    from forumbot.settings import load_games

    with opened(config, game) as here:
        file = next((one for one in load_games(here.site) if one.id == here.row.id), None)
        holds = gamesettings.flat(here.row.config)
        said = gamesettings.flat(file) if file is not None else {}
        why = {key: gamesettings.refusal(here.row, key) for key in holds}
    if as_json:
        show_json([{"key": key, "holds": holds[key], "file": said.get(key), "why_not": why[key]} for key in holds])
        return
    show_table(
        ("настройка", "в игре", "в файле", "изменить"),
        [
            (key, _plain(value), _plain(said[key]) if key in said and said[key] != value else "", why[key] or "можно")
            for key, value in holds.items()
        ],
    )


@command.command("set")
@click.argument("pairs", nargs=-1, metavar="[ИМЯ=ЗНАЧЕНИЕ]...")
@click.option("--from-file", is_flag=True, help="Взять из файла игры всё, что отличается и может измениться.")
@act_options
def set_(pairs: tuple[str, ...], from_file: bool, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Изменить настройки идущей игры; остальное говорит, почему не меняется."""
    if from_file == bool(pairs):
        fail("назовите настройки (имя=значение) или возьмите их из файла: --from-file")
    wanted = _from_file(config, game) if from_file else dict(map(_pair, pairs))
    carry_out(config, game, who, as_json, "set", {"settings": wanted})


def _pair(said: str) -> tuple[str, str]:
    key, sign, value = said.partition("=")
    if not sign or not key.strip():
        raise click.BadParameter(f"«{said}»: нужно имя=значение, например mode=host")
    return key.strip(), value.strip()


def _from_file(config: Path, game: str | None) -> dict[str, Any]:
    from forumbot.hosting.acts import gamesettings
    from forumbot.settings import load_games

    with opened(config, game) as here:
        file = next((one for one in load_games(here.site) if one.id == here.row.id), None)
        if file is None:
            fail(f"файла игры «{here.row.id}» в папке игр нет")
        found = gamesettings.differences(here.row, file)
    for one in found:
        if one.why:
            click.echo(f"{one.key} не изменится: {one.why}", err=True)
    wanted = {one.key: one.said for one in found if not one.why}
    if not wanted:
        fail("в файле нет ничего, что изменило бы идущую игру", 1)
    return wanted


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value in (None, {}) else str(value)
