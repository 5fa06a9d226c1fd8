"""``forumbot status``: what every game is doing now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from forumbot.cli.common import json_option, local, mendable, show_json, show_table, site_option

_STAGES = {
    "signup": "запись",
    "setup": "раздача ролей",
    "turn": "идёт",
    "over": "окончена",
    "cancelled": "не состоялась",
}


@click.command("status", epilog="Пример: forumbot status --json")
@site_option
@json_option
def command(config: Path, as_json: bool) -> None:
    """Показать игры: этап, ход, ближайший срок, что ждёт отправки и решения."""
    import sqlalchemy as sa

    from forumbot.desk.wording import word
    from forumbot.hosting import wiring
    from forumbot.settings import load_site
    from forumbot.store.tables import deadlines, games, outbox, troubles, verdicts
    from forumbot.writing.writer import Writer

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        with store.read() as connection:
            found = []
            for game in connection.execute(sa.select(games).order_by(games.c.id)).mappings():
                mine = deadlines.c.game_id == game["id"], deadlines.c.done_at.is_(None)
                due = connection.execute(sa.select(deadlines).where(*mine).order_by(deadlines.c.due_at)).mappings().first()
                waiting = connection.execute(
                    sa.select(outbox.c.state, sa.func.count()).where(outbox.c.game_id == game["id"]).group_by(outbox.c.state)
                ).all()
                reviews = connection.execute(
                    sa.select(sa.func.count())
                    .select_from(verdicts)
                    .where(
                        verdicts.c.game_id == game["id"],
                        verdicts.c.turn == game["turn"],
                        verdicts.c.outcome == "review",
                        verdicts.c.decided_by.is_(None),
                    )
                ).scalar_one()
                found.append(
                    {
                        "id": game["id"],
                        "title": game["title"],
                        "ruleset": game["ruleset"],
                        "stage": game["stage"],
                        "turn": game["turn"],
                        "winner": game["winner"],
                        "due": due["due_at"] if due else None,
                        "due_name": due["name"] if due else None,
                        "due_said": word(Writer(game["templates"], site.forum.zone), "marks", due["name"]) if due else "",
                        "held": due["held_since"] if due else None,
                        "outbox": {str(state): int(count) for state, count in waiting},
                        "reviews": reviews,
                        "votes": _votes(connection, game) if as_json else None,
                    }
                )
            wrong = [str(text) for text in connection.execute(sa.select(troubles.c.text)).scalars()]
        store.close()
    if as_json:
        show_json({"games": found, "troubles": wrong})
        return
    zone = site.forum.zone
    if not found:
        click.echo("Игр в базе ещё нет: опишите игру в папке games и запустите «forumbot run».")
    show_table(
        ("игра", "название", "правила", "этап", "ход", "срок", "решить", "отправить"),
        [
            (
                game["id"],
                game["title"],
                game["ruleset"],
                _STAGES.get(str(game["stage"]), game["stage"]),
                game["turn"] if game["stage"] == "turn" else game["winner"] or "",
                f"{local(game['due'], zone)} {game['due_said']}".rstrip() + (" (задержан)" if game["held"] else ""),
                game["reviews"],
                sum(count for state, count in game["outbox"].items() if state in ("waiting", "sending", "held")),
            )
            for game in found
        ],
    )
    for text in wrong:
        click.echo(f"! {text}")


def _votes(connection: Any, game: Any) -> list[dict[str, Any]] | None:
    """The running count of an open turn, the same as in the day's thread and on the desk."""
    from forumbot.hosting import counting, record, seating

    if game["stage"] != "turn":
        return None
    match = record.fold(connection, record.load(connection, game["id"]))
    names = seating.load(connection, game["id"]).names()
    return [{"nick": nick, "weight": weight, "voters": voters} for nick, weight, voters in counting.count(match, names)]
