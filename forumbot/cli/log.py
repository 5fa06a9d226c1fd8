"""``forumbot log``: the parse log, what was read of whom, with the verdict, the words and the rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forumbot.cli.acting import opened
from forumbot.cli.common import json_option, local, show_json, show_table, site_option

if TYPE_CHECKING:
    import sqlalchemy as sa

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
    from forumbot.hosting.inbox.routing import without_codes
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        read = _read(connection, here.row.id, turn, player, outcome)
        rows = [{**row, "text": without_codes(row["text"])} for row in read]
        writer, zone = Writer(here.row.templates, here.zone), here.zone
    if action is not None:
        rows = [row for row in rows if any(action in _names(writer, order["action"]) for order in row["orders"])]
    rows = rows[-last:] if last else rows
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
                " ".join(row["text"].split())[:200] + _unknown(row),
            )
            for row in rows
        ],
    )


def _read(
    connection: sa.Connection, game: str, turn: int | None, player: str | None, outcome: str | None
) -> list[dict[str, Any]]:
    """The verdicts asked for, oldest first; of each also why it no longer counts and which post it stood in."""
    import sqlalchemy as sa

    from forumbot.store.tables import inputs, posts, verdicts

    query = sa.select(verdicts).where(verdicts.c.game_id == game).order_by(verdicts.c.id)
    if turn is not None:
        query = query.where(verdicts.c.turn == turn)
    if player is not None:
        query = query.where(sa.or_(verdicts.c.seat == player, verdicts.c.author == player))
    if outcome is not None:
        query = query.where(verdicts.c.outcome == outcome)
    undone = sa.select(inputs.c.verdict_id, inputs.c.struck).where(
        inputs.c.game_id == game, inputs.c.struck.is_not(None), inputs.c.verdict_id.is_not(None)
    )
    struck = {int(verdict): str(why) for verdict, why in connection.execute(undone)}
    stood = sa.select(posts.c.id, posts.c.post_id, posts.c.number, posts.c.version).where(posts.c.game_id == game)
    places = {
        f"post:{row_id}": {"post_id": post_id, "post_number": number, "post_version": version}
        for row_id, post_id, number, version in connection.execute(stood)
    }
    nowhere = {"post_id": None, "post_number": None, "post_version": None}
    return [
        dict(row) | {"struck": struck.get(row["id"])} | places.get(row["source"], nowhere)
        for row in connection.execute(query).mappings()
    ]


def _names(writer: Writer, action: str) -> tuple[str, str]:
    """What an action may be called: by its id and by its word."""
    return action, _word(writer, "actions", action)


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


def _unknown(row: dict[str, Any]) -> str:
    unknown = ", ".join(dict.fromkeys(row["unexplained"] or ()))
    return f" (не понято: {unknown})" if unknown else ""


def _order(writer: Writer, order: dict[str, Any]) -> str:
    called = _word(writer, "actions", order["action"])
    named = f" → {', '.join(map(str, order['targets']))}" if order["targets"] else ""
    if order["status"] == "accepted":
        return called + named
    reason = f": {_word(writer, 'reasons', order['reason'])}" if order["reason"] else ""
    return f"{called}{named} ({_OUTCOMES.get(order['status'], order['status'])}{reason})"
