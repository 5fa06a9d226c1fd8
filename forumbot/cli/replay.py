"""``forumbot replay``: plays a game again from its log of inputs and holds the result against what was published."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, mendable, show_json, site_option


@click.command("replay", epilog="Пример: forumbot replay gk1")
@click.argument("game")
@site_option
@json_option
def command(game: str, config: Path, as_json: bool) -> None:
    """Переиграть игру по журналу её входов и сверить байт в байт с тем, что было опубликовано.

    Код выхода 1, если что-то не совпало.
    """
    from forumbot.hosting import wiring
    from forumbot.hosting.replaying import replay_game
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        try:
            result = replay_game(store, game, site.forum.zone)
        except KeyError:
            fail(f"игры «{game}» нет в базе; список: forumbot status")
            return
        finally:
            store.close()
    if as_json:
        show_json({"game": game, "turns": [turn.data() for turn in result]})
    else:
        for turn in result:
            click.echo(f"День {turn.turn}: {'совпадает' if turn.same else 'НЕ СОВПАДАЕТ'} ({turn.digest})")
            click.echo(turn.report + "\n")
    sys.exit(0 if all(turn.same for turn in result) else 1)
