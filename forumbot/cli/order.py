"""``forumbot order``: the book of orders, and the host's hand in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened, values
from forumbot.cli.asking import iso
from forumbot.cli.common import show_json, show_table


@click.group(
    "order",
    epilog="""\b
Примеры:
  forumbot order list
  forumbot order add Анна vote Борис
  forumbot order add Анна kill Борис --arg role=artemon
  forumbot order add "Кот Базилио" vote Анна --at 2026-12-02T20:15:00+03:00
  forumbot order strike 17             ничего из записи 17 не считать
""",
)
def command() -> None:
    """Ходы игроков: посмотреть, внести, снять."""


@command.command("list")
@click.option("--player", default=None, help="Только этот игрок (ник).")
@game_options
def list_(player: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Показать ходы и голоса, которые сейчас стоят."""
    from forumbot.hosting.core import record, seating
    from forumbot.hosting.core.wire import order_data
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        match = record.fold(connection, here.row)
        names = seating.load(connection, here.row.id).names()
        found = [
            order
            for seat in (match.ruleset.seats(match.game) if match.game is not None else ())
            if player in (None, seat, names.get(seat))
            for order in match.ruleset.standing(match.game, seat)
        ]
    if as_json:
        show_json([order_data(order) for order in found])
        return
    writer = Writer(here.row.templates, here.zone)
    show_table(
        ("игрок", "ход", "цели", "подробности", "откуда"),
        [
            (
                names.get(order.player, order.player),
                writer.word("actions", order.action),
                ", ".join(names.get(target, target) for target in order.targets),
                ", ".join(f"{key} = {value}" for key, value in order.args.items()),
                order.ref,
            )
            for order in found
        ],
    )


@command.command("add")
@click.argument("player", metavar="НИК")
@click.argument("action", metavar="ДЕЙСТВИЕ")
@click.argument("targets", nargs=-1, metavar="[ЦЕЛЬ]...")
@click.option("--arg", "args", multiple=True, metavar="ИМЯ=ЗНАЧЕНИЕ", help="Подробность хода, например role=pierro.")
@click.option(
    "--at", callback=iso, default=None, metavar="ВРЕМЯ", help="Когда он прислан; без него - сейчас или в последний миг срока."
)
@act_options
def add(
    player: str,
    action: str,
    targets: tuple[str, ...],
    args: tuple[str, ...],
    at: str | None,
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Внести ход за игрока; правила проверят его, как любой другой."""
    payload: dict[str, Any] = {"player": player, "action": action, "targets": list(targets), "args": values(args), "at": at}
    carry_out(config, game, who, as_json, "order", payload)


@command.command("strike")
@click.argument("number", type=int, metavar="ЗАПИСЬ")
@act_options
def strike(number: int, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Не считать того, что взято из сообщения (номер записи: forumbot log)."""
    carry_out(config, game, who, as_json, "strike", {"verdict": number})
