"""``forumbot outbox``: what the bot has said and will say, and working it by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import fail, local, show_json, show_table

_STATES = {
    "waiting": "ждёт",
    "sending": "отправляется",
    "sent": "отправлено",
    "failed": "не ушло",
    "held": "ждёт ведущего",
    "shadow": "только показано",
}
_KINDS = {"topic": "новая тема", "post": "в тему", "edit": "правка первого сообщения", "pm": "ЛС", "letter": "письмо"}


@click.group(
    "outbox",
    epilog="""\b
Примеры:
  forumbot outbox list --state held    что ждёт вашего слова
  forumbot outbox show 31              текст целиком (скопировать и вставить самому)
  forumbot outbox posted 31            «это опубликовал я», бот не станет
  forumbot outbox release 31           газету можно публиковать
  forumbot outbox edit 31 < новый.txt  свой текст
  forumbot outbox prologue --another   другая сцена над газетой
""",
)
def command() -> None:
    """Исходящие: посмотреть, поправить, выпустить, придержать, отправить снова."""


@command.command("list")
@click.option("--state", type=click.Choice(list(_STATES)), default=None, help="Только в таком состоянии.")
@click.option("--last", type=int, default=50, show_default=True, help="Сколько последних; 0: все.")
@game_options
def list_(state: str | None, last: int, game: str | None, config: Path, as_json: bool) -> None:
    """Показать исходящие игры (и то, что не ушло и к играм не относится)."""
    import sqlalchemy as sa

    from forumbot.store.tables import outbox

    with opened(config, game) as here, here.store.read() as connection:
        stuck = sa.and_(outbox.c.game_id.is_(None), outbox.c.state == "failed")
        query = sa.select(outbox).where(sa.or_(outbox.c.game_id == here.row.id, stuck)).order_by(outbox.c.id.desc())
        if state:
            query = query.where(outbox.c.state == state)
        rows = [dict(row) for row in connection.execute(query.limit(last) if last else query).mappings()]
    rows.reverse()
    if as_json:
        show_json(rows)
        return
    show_table(
        ("№", "что", "куда", "тема", "состояние", "отправлено", "ошибка"),
        [
            (
                row["id"],
                _KINDS[row["kind"]],
                _target(row["target"]),
                row["subject"] or row["key"],
                _STATES[row["state"]],
                local(row["sent_at"], here.zone),
                row["error"],
            )
            for row in rows
        ],
    )


@command.command("show")
@click.argument("number", type=int, metavar="НОМЕР")
@game_options
def show(number: int, game: str | None, config: Path, as_json: bool) -> None:
    """Показать текст целиком."""
    import sqlalchemy as sa

    from forumbot.hosting.inbox.routing import without_codes
    from forumbot.store.tables import outbox

    with opened(config, game) as here, here.store.read() as connection:
        mine = outbox.c.id == number, outbox.c.game_id == here.row.id
        row = connection.execute(sa.select(outbox).where(*mine)).mappings().first()
    if row is None:
        fail(f"строки {number} нет в исходящих этой игры")
        return
    if as_json:
        show_json(dict(row) | {"body": without_codes(row["body"])})
        return
    click.echo(f"{_KINDS[row['kind']]} {_target(row['target'])}: {_STATES[row['state']]}")
    if row["subject"]:
        click.echo(f"Тема: {row['subject']}")
    click.echo(f"\n{without_codes(row['body'])}")


@command.command("edit")
@click.argument("number", type=int, metavar="НОМЕР")
@click.option("--file", "file", type=click.File(encoding="utf-8"), default=None, help="Откуда взять текст; без него - со входа.")
@act_options
def edit(number: int, file: Any, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Заменить текст, который ещё не отправлен."""
    body = (file or sys.stdin).read().strip("\n")
    if not body.strip():
        fail("новый текст пуст")
    carry_out(config, game, who, as_json, "edit", {"outbox": number, "body": body})


@command.command("prologue")
@click.option("--another", is_flag=True, help="Другая сцена из темы игры.")
@click.option("--text", default=None, help="Свой текст.")
@click.option("--none", "without", is_flag=True, help="Без пролога.")
@click.option("--turn", type=int, default=None, help="Ход; без него - ближайшая газета.")
@act_options
def prologue(
    another: bool,
    text: str | None,
    without: bool,
    turn: int | None,
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Сцена над газетой: другая, своя или никакой."""
    payload: dict[str, Any] = {"turn": turn}
    if another:
        payload["another"] = True
    elif without or text is not None:
        payload["text"] = "none" if without else text
    carry_out(config, game, who, as_json, "prologue", payload)


_ROW_ACTS = {
    "retry": "Отправить снова то, что не ушло.",
    "release": "Выпустить то, что ждёт ведущего.",
    "keep": "Придержать то, что ещё не отправлено.",
    "posted": "Отметить, что вы опубликовали это сами.",
}


def _row_act(kind: str, words: str) -> click.Command:
    @click.command(kind, help=words)
    @click.argument("number", type=int, metavar="НОМЕР")
    @act_options
    def act(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
        carry_out(config, game, who, as_json, kind, {"outbox": number})

    return act


for _kind, _words in _ROW_ACTS.items():
    command.add_command(_row_act(_kind, _words))


def _target(target: dict[str, Any]) -> str:
    for key in ("nick", "address"):
        if target.get(key):
            return str(target[key])
    return f"раздел {target['section']}" if "section" in target else f"тема дня ({target.get('thread_id', '')})"
