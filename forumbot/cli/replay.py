"""``forumbot replay``: plays a game again from its log of inputs and holds the result against what was published."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forumbot.cli.acting import opened
from forumbot.cli.common import json_option, show_json, site_option


@click.command("replay", epilog="Пример: forumbot replay gk1")
@click.argument("game", required=False)
@site_option
@json_option
def command(game: str | None, config: Path, as_json: bool) -> None:
    """Переиграть игру по журналу её входов и сверить байт в байт с тем, что было опубликовано.

    Игру можно не называть, когда идёт только одна. Код выхода 1, если что-то не совпало.
    """
    from forumbot.hosting.explain.replaying import replay_game

    with opened(config, game) as here:
        result = replay_game(here.store, here.row.id, here.zone)
    if as_json:
        show_json({"game": here.row.id, "turns": [turn.data() for turn in result]})
    else:
        for turn in result:
            click.echo(f"День {turn.turn}: {'совпадает' if turn.same else 'НЕ СОВПАДАЕТ'} ({turn.digest})")
            click.echo(turn.report + "\n")
        if not result:
            click.echo(f"Переигрывать пока нечего: ни один день игры «{here.row.id}» не подведён.")
    sys.exit(0 if all(turn.same for turn in result) else 1)
