"""``forumbot turn``: what happened in a turn and why, and correcting it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forumbot.cli.acting import Opened, act_options, carry_out, game_options, opened, values
from forumbot.cli.asking import iso
from forumbot.cli.common import fail, local, show_json, show_table

if TYPE_CHECKING:
    import sqlalchemy as sa

    from forumbot.hosting.core.match import Match
    from forumbot.hosting.explain.explain import Explanation, Reason


@click.group(
    "turn",
    epilog="""\b
Примеры:
  forumbot turn list                   дни игры, исправленные отмечены
  forumbot turn votes                  счёт голосов сейчас
  forumbot turn votes --turn 1 --post 40   каким он был в день 1 после сообщения 40
  forumbot turn why Борис              что было с Борисом и почему, со ссылками на сообщения
  forumbot turn lines --turn 2         каждая строка газеты и на чём она стоит
  forumbot turn show --turn 2 --json   весь ход по шагам
  forumbot turn correct --accept 17:0 --strike 9
  forumbot turn correct --turn 2 --order "Анна vote Борис"
  forumbot turn force role_pierro Анна назначить жребий, пока он не сделан
""",
)
def command() -> None:
    """Ход игры: что было и почему; счёт голосов; исправить подведённый ход."""


_turn_option = click.option("--turn", type=int, default=None, help="Ход (по умолчанию последний подведённый, иначе текущий).")


@command.command("list")
@game_options
def list_(game: str | None, config: Path, as_json: bool) -> None:
    """Показать дни игры."""
    import sqlalchemy as sa

    from forumbot.store.tables import turns

    with opened(config, game) as here, here.store.read() as connection:
        query = sa.select(turns).where(turns.c.game_id == here.row.id).order_by(turns.c.turn)
        rows = [dict(row) for row in connection.execute(query).mappings()]
    if as_json:
        keys = ("turn", "opened_at", "closed_at", "report", "replaced")
        show_json([{key: row[key] for key in keys} for row in rows])
        return
    show_table(
        ("день", "открыт", "подведён", "исправлений"),
        [
            (row["turn"], local(row["opened_at"], here.zone), local(row["closed_at"], here.zone), len(row["replaced"] or []))
            for row in rows
        ],
    )


@command.command("votes")
@click.option("--turn", type=int, default=None, help="Ход (по умолчанию текущий).")
@click.option("--at", "moment", callback=iso, default=None, metavar="ВРЕМЯ", help="Каким счёт был в эту минуту.")
@click.option("--post", type=int, default=None, metavar="НОМЕР", help="Каким счёт был после этого сообщения темы.")
@game_options
def votes(
    turn: int | None, moment: str | None, post: int | None, game: str | None, config: Path, as_json: bool
) -> None:
    """Счёт голосов - тот же, что в теме дня и на пульте: сейчас, прошлого хода, на минуту или на сообщение."""
    import sqlalchemy as sa

    from forumbot.hosting.core import counting, record, seating
    from forumbot.store.tables import turns

    with opened(config, game) as here, here.store.read() as connection:
        wanted = here.row.turn if turn is None else turn
        names = seating.load(connection, here.row.id).names()
        printed = sa.select(turns.c.names).where(turns.c.game_id == here.row.id, turns.c.turn == wanted)
        names |= connection.execute(printed).scalar() or {}
        if turn is None and moment is None and post is None:
            match = record.fold(connection, here.row)
        else:
            match = _as_it_stood(connection, here, wanted, moment, post)
        as_at = counting.as_at(connection, here.row.id, wanted)
    found, silent = counting.count(match, names), counting.silent(match, names)
    if as_json:
        rows = [{"nick": nick, "weight": weight, "voters": voters} for nick, weight, voters in found]
        show_json({"turn": wanted, "votes": rows, "silent": silent, "post": as_at.post, "read_at": as_at.read_at})
        return
    show_table(("за кого", "голосов", "кто"), [(nick, f"{weight:g}", ", ".join(voters)) for nick, weight, voters in found])
    click.echo(f"Не голосовали: {', '.join(silent) or 'таких нет'}")
    if as_at.post is not None and post is None and moment is None:
        click.echo(f"Прочитано до сообщения № {as_at.post}")


def _as_it_stood(connection: sa.Connection, here: Opened, turn: int, moment: str | None, post: int | None) -> Match:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from forumbot.hosting.core import counting

    at = datetime.fromisoformat(moment) if moment else None
    if at is not None and at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(here.zone))
    try:
        return counting.at(connection, here.row, turn, moment=at, post=post)
    except LookupError as error:
        fail(str(error.args[0]))


@command.command("why")
@click.argument("nick", metavar="НИК")
@_turn_option
@game_options
def why(nick: str, turn: int | None, game: str | None, config: Path, as_json: bool) -> None:
    """Почему с игроком вышло так: шаги, ходы, защиты, жеребьёвки, каждое со ссылкой."""
    with opened(config, game) as here:
        _show(here, _explained(here, turn, lambda found: found.why(nick)), as_json)


@command.command("show")
@_turn_option
@game_options
def show(turn: int | None, game: str | None, config: Path, as_json: bool) -> None:
    """Весь ход по порядку: что принято, что вышло, что кому сказано."""
    with opened(config, game) as here:
        _show(here, _explained(here, turn, lambda found: found.everything()), as_json)


@command.command("lines")
@_turn_option
@game_options
def lines(turn: int | None, game: str | None, config: Path, as_json: bool) -> None:
    """Каждая строка газеты и на чём она стоит."""
    with opened(config, game) as here:
        found = _explained(here, turn, lambda explanation: explanation.lines())
        if as_json:
            show_json([{"line": text, "reasons": [reason.data() for reason in reasons]} for text, reasons in found])
            return
        for text, reasons in found:
            click.secho(text, bold=True)
            for reason in reasons:
                _tell(reason, "    ")


@command.command("correct")
@click.option("--turn", type=int, default=None, help="Ход, в который вносятся --order (по умолчанию последний подведённый).")
@click.option("--accept", multiple=True, metavar="ЗАПИСЬ[:N]", help="Засчитать сомнительное сообщение (N - которое прочтение).")
@click.option("--reject", multiple=True, type=int, metavar="ЗАПИСЬ", help="Решить, что это не ход.")
@click.option("--strike", multiple=True, type=int, metavar="ЗАПИСЬ", help="Не считать того, что взято из сообщения.")
@click.option("--remove", "removed", multiple=True, metavar="НИК", help="Считать игрока снятым в этом ходе.")
@click.option("--order", "orders", multiple=True, metavar="'НИК ДЕЙСТВИЕ [ЦЕЛЬ]... [имя=значение]...'", help="Внести ход.")
@act_options
def correct(
    turn: int | None,
    accept: tuple[str, ...],
    reject: tuple[int, ...],
    strike: tuple[int, ...],
    removed: tuple[str, ...],
    orders: tuple[str, ...],
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Исправить подведённый ход: газета выйдет заново, старая сохранится, письма - только тем, у кого что-то изменилось."""
    changes: list[dict[str, Any]] = [_accepted(one) for one in accept]
    changes += [{"kind": "reject", "verdict": number} for number in reject]
    changes += [{"kind": "strike", "verdict": number} for number in strike]
    if orders or removed:
        with opened(config, game) as here:
            changes += [{"kind": "remove", "player": nick, "turn": _resolved(here, turn)} for nick in removed]
            changes += [_entered(one, _resolved(here, turn)) for one in orders]
    carry_out(config, game, who, as_json, "correct", {"changes": changes})


@command.command("force")
@click.argument("point", metavar="ЖРЕБИЙ")
@click.argument("picked", nargs=-1, required=True, metavar="ИТОГ...")
@act_options
def force(point: str, picked: tuple[str, ...], who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Назначить исход жребия, пока он не сделан (имена жребиев: правила, раздел «Chance points»)."""
    carry_out(config, game, who, as_json, "force", {"point": point, "values": list(picked)})


def _explained(here: Opened, turn: int | None, ask: Any) -> Any:
    from forumbot.hosting.explain.explain import explain

    with here.store.read() as connection:
        try:
            found: Explanation = explain(connection, here.row, _resolved(here, turn), here.zone)
            return ask(found)
        except LookupError as error:
            fail(str(error.args[0]))


def _resolved(here: Opened, turn: int | None) -> int:
    """The turn that is meant: the one said, else the last that was resolved, else the running one."""
    import sqlalchemy as sa

    from forumbot.store.tables import turns

    if turn is not None:
        return turn
    with here.store.read() as connection:
        mine = turns.c.game_id == here.row.id, turns.c.closed_at.is_not(None)
        last = connection.execute(sa.select(sa.func.max(turns.c.turn)).where(*mine)).scalar()
    return here.row.turn if last is None else int(last)


def _show(here: Opened, reasons: Sequence[Reason], as_json: bool) -> None:
    if as_json:
        show_json([reason.data() for reason in reasons])
        return
    if not reasons:
        click.echo("Об этом ходе сказать пока нечего.")
    for reason in reasons:
        _tell(reason, "")


def _tell(reason: Reason, indent: str) -> None:
    click.echo(f"{indent}{reason.text}" + (f" [{reason.rule}]" if reason.rule else ""))
    for source in reason.sources:
        click.echo(f"{indent}    {source.text()}")


def _accepted(said: str) -> dict[str, Any]:
    number, _, choice = said.partition(":")
    if not number.isdecimal() or (choice and not choice.isdecimal()):
        raise click.BadParameter(f"«{said}»: нужен номер записи, например 17 или 17:0", param_hint="--accept")
    return {"kind": "accept", "verdict": int(number), "choice": int(choice) if choice else None}


def _entered(said: str, turn: int) -> dict[str, Any]:
    player, *rest = shlex.split(said) or [""]
    if not rest:
        raise click.BadParameter(f"«{said}»: нужны ник и действие, например 'Анна vote Борис'", param_hint="--order")
    action, *more = rest
    args = values(tuple(word for word in more if "=" in word))
    targets = [word for word in more if "=" not in word]
    return {"kind": "order", "player": player, "action": action, "targets": targets, "args": args, "turn": turn}
