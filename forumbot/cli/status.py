"""``forumbot status``: what every game is doing now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forumbot.cli.common import json_option, local, mendable, show_json, show_table, site_option

if TYPE_CHECKING:
    import sqlalchemy as sa

    from engine.model import Victory
    from forumbot.settings import Site


@click.command("status", epilog="Пример: forumbot status --json")
@site_option
@json_option
def command(config: Path, as_json: bool) -> None:
    """Показать игры: этап, ход, ближайший срок, что ждёт отправки и решения."""
    import sqlalchemy as sa

    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site
    from forumbot.store.tables import games, troubles

    with mendable():
        site = load_site(config)
        zone = site.forum.zone
        store = wiring.open_store(site)
        with store.read() as connection:
            rows = connection.execute(sa.select(games).order_by(games.c.id)).mappings().all()
            found = [_state(connection, game, zone) | {"votes": _votes(connection, game) if as_json else None} for game in rows]
            wrong = [str(text) for text in connection.execute(sa.select(troubles.c.text)).scalars()]
            wrong += _differing(connection, site)
        store.close()
    if as_json:
        show_json({"games": found, "troubles": wrong})
        return
    if not found:
        click.echo("Игр в базе ещё нет: опишите игру в папке games и запустите «forumbot run».")
    show_table(
        ("игра", "название", "правила", "этап", "ход", "срок", "решить", "отправить"),
        [_line(game, row["templates"], zone) for game, row in zip(found, rows, strict=True)],
    )
    for text in wrong:
        click.echo(f"! {text}")


def _differing(connection: sa.Connection, site: Site) -> list[str]:
    """Files that say otherwise than their running games; none where a file cannot be read, which «check» tells."""
    from forumbot.hosting.acts import gamesettings
    from forumbot.settings import SettingsError, load_games

    try:
        files = load_games(site)
    except SettingsError:
        return []
    return [f"Игра «{file.id}»: {one.sentence()}" for file in files for one in gamesettings.of_file(connection, file)]


def _state(connection: sa.Connection, game: sa.RowMapping, zone: str) -> dict[str, Any]:
    """One game as scripts see it; ``outbox``: how many of its rows are in each state."""
    import sqlalchemy as sa

    from forumbot.hosting.core import record
    from forumbot.hosting.explain import victories
    from forumbot.hosting.inbox import digest
    from forumbot.store.tables import outbox

    due = record.next_deadline(connection, game["id"])
    rows = connection.execute(
        sa.select(outbox.c.state, sa.func.count()).where(outbox.c.game_id == game["id"]).group_by(outbox.c.state)
    )
    victory = victories.of_game(connection, game["id"]) if game["stage"] == "over" else None
    return {
        "id": game["id"],
        "title": game["title"],
        "ruleset": game["ruleset"],
        "stage": game["stage"],
        "turn": game["turn"],
        "winner": victory.winner if victory else None,
        "winner_kind": victory.kind if victory else None,
        "winner_name": _winner_name(connection, game, victory, zone) if victory else None,
        "due": due["due_at"] if due else None,
        "due_name": due["name"] if due else None,
        "held": due["held_since"] if due else None,
        "outbox": {str(state): int(count) for state, count in rows},
        "reviews": len(digest.reviews(connection, game["id"])),
    }


def _winner_name(connection: sa.Connection, game: sa.RowMapping, victory: Victory, zone: str) -> str:
    from forumbot.hosting.core import seating
    from forumbot.hosting.explain import victories
    from forumbot.writing.writer import Writer

    nicks = seating.load(connection, game["id"]).names()
    return victories.named(victory, nicks, Writer(game["templates"], zone))


def _line(game: Mapping[str, Any], templates: Mapping[str, str], zone: str) -> tuple[Any, ...]:
    """One game as a host sees it, in the words of its own templates."""
    from forumbot.desk.wording import STAGES, word
    from forumbot.writing.writer import Writer

    writer = Writer(templates, zone)
    due = f"{local(game['due'], zone)} {word(writer, 'marks', game['due_name'])}".rstrip()
    return (
        game["id"],
        game["title"],
        game["ruleset"],
        STAGES.get(game["stage"], game["stage"]),
        game["turn"] if game["stage"] == "turn" else game["winner_name"],
        due + (" (задержан)" if game["held"] else ""),
        game["reviews"],
        sum(game["outbox"].get(state, 0) for state in ("waiting", "sending", "held")),
    )


def _votes(connection: sa.Connection, game: sa.RowMapping) -> list[dict[str, Any]] | None:
    """The running count of an open turn, the same as in the day's thread and on the desk."""
    from forumbot.hosting.core import counting, record, seating

    if game["stage"] != "turn":
        return None
    match = record.fold(connection, record.load(connection, game["id"]))
    names = seating.load(connection, game["id"]).names()
    return [{"nick": nick, "weight": weight, "voters": voters} for nick, weight, voters in counting.count(match, names)]
