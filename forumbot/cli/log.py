"""``forumbot log``: the parse log, what was read of whom, with the verdict, the words and the rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forumbot.cli.acting import opened
from forumbot.cli.common import json_option, local, show_json, show_table, site_option

if TYPE_CHECKING:
    from forumbot.writing.writer import Writer

_OUTCOMES = {"accepted": "принято", "review": "проверить", "ignored": "не ход", "rejected": "отказ"}


@click.command(
    "log",
    epilog="Примеры: forumbot log gk1 --turn 2 --player Борис;  forumbot log gk1 --outcome review",
)
@click.argument("game", required=False)
@site_option
@click.option("--turn", type=int, help="Только этот ход (запись и раздача: -1).")
@click.option("--player", help="Только этот игрок.")
@click.option("--outcome", type=click.Choice(list(_OUTCOMES)), help="Только с таким решением.")
@click.option("--action", help="Только с таким действием, например голос (или его id, vote).")
@click.option("--last", type=int, default=50, show_default=True, help="Сколько последних записей; 0: все.")
@json_option
def command(
    game: str | None,
    config: Path,
    turn: int | None,
    player: str | None,
    outcome: str | None,
    action: str | None,
    last: int,
    as_json: bool,
) -> None:
    """Журнал чтения: каждое сообщение и письмо, решение, слова, правило, версия программы.

    Игру можно не называть, когда идёт только одна.
    """
    import sqlalchemy as sa

    from forumbot.store.tables import inputs, posts, verdicts
    from forumbot.writing.writer import Writer

    with opened(config, game) as here:
        id_, zone = here.row.id, here.zone
        query = sa.select(verdicts).where(verdicts.c.game_id == id_).order_by(verdicts.c.id.desc())
        if turn is not None:
            query = query.where(verdicts.c.turn == turn)
        if player is not None:
            query = query.where(sa.or_(verdicts.c.seat == player, verdicts.c.author == player))
        if outcome is not None:
            query = query.where(verdicts.c.outcome == outcome)
        with here.store.read() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
            struck = {
                int(verdict): str(why)
                for verdict, why in connection.execute(
                    sa.select(inputs.c.verdict_id, inputs.c.struck).where(
                        inputs.c.game_id == id_, inputs.c.struck.is_not(None), inputs.c.verdict_id.is_not(None)
                    )
                )
            }
            of_posts = {
                f"post:{row['id']}": dict(row)
                for row in connection.execute(
                    sa.select(posts.c.id, posts.c.post_id, posts.c.number, posts.c.version).where(posts.c.game_id == id_)
                ).mappings()
            }
        writer = Writer(here.row.templates, zone)
    if action is not None:
        rows = [
            row
            for row in rows
            if any(action in (order["action"], _word(writer, "actions", order["action"])) for order in row["orders"])
        ]
    rows = list(reversed(rows[:last] if last else rows))
    for row in rows:
        row["struck"] = struck.get(row["id"])
        post = of_posts.get(row["source"], {})
        row |= {"post_id": post.get("post_id"), "post_number": post.get("number"), "post_version": post.get("version")}
    if as_json:
        show_json(rows)
        return
    show_table(
        ("№", "время", "ход", "кто", "откуда", "решение", "понято", "слова"),
        [
            (
                row["id"],
                local(row["at"], zone),
                row["turn"],
                row["author"],
                _source(row),
                _verdict(writer, row),
                "; ".join(_order(writer, order) for order in row["orders"]) + (f" [{row['rule']}]" if row["rule"] else ""),
                " ".join(row["text"].split())[:200],
            )
            for row in rows
        ],
    )


def _word(writer: Writer, group: str, id_: str) -> str:
    from forumbot.desk.wording import word

    return word(writer, group, id_)


def _source(row: dict[str, Any]) -> str:
    """Where it stood: the post by the forum's own number, with its version when it was edited."""
    if row["post_id"] is None:
        return {"pm": "ЛС", "letter": "письмо"}.get(row["channel"], str(row["channel"]))
    number = f"№ {row['post_number']}, " if row["post_number"] is not None else ""
    version = f", вид {row['post_version']}" if row["post_version"] > 1 else ""
    return f"тема, {number}id {row['post_id']}{version}"


def _verdict(writer: Writer, row: dict[str, Any]) -> str:
    reason = f": {_word(writer, 'reasons', row['reason'])}" if row["reason"] else ""
    return _OUTCOMES[row["outcome"]] + reason + (" (снято)" if row["struck"] else "")


def _order(writer: Writer, order: dict[str, Any]) -> str:
    called = _word(writer, "actions", order["action"])
    named = f" → {', '.join(map(str, order['targets']))}" if order["targets"] else ""
    if order["status"] == "accepted":
        return called + named
    reason = f": {_word(writer, 'reasons', order['reason'])}" if order["reason"] else ""
    return f"{called}{named} ({_OUTCOMES.get(order['status'], order['status'])}{reason})"
