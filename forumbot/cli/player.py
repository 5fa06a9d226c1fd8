"""``forumbot player``: who plays, and everything a host may do to a player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened, values
from forumbot.cli.common import fail, show_json, show_table


@click.group(
    "player",
    epilog="""\b
Примеры:
  forumbot player list
  forumbot player replace Борис Олег             Олег играет вместо Бориса
  forumbot player remove Борис                   снять с игры
  forumbot player warn Борис "без ругани"
  forumbot player alias Борис Бориска            в этой игре «Бориска» значит Борис
  forumbot player bind Анна anna@example.org     письма с этого адреса - её
  forumbot player gender Марго она               газета скажет «погибла»
  forumbot player host Борис host_violation --arg kind=account_sharing
""",
)
def command() -> None:
    """Игроки: список, замена, снятие, предупреждения, ники и адреса."""


@command.command("list")
@game_options
def list_(game: str | None, config: Path, as_json: bool) -> None:
    """Показать места: кто играет, жив ли, роль, чего ещё не прислал."""
    from forumbot.hosting.core import record, seating
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        match = record.fold(connection, here.row)
        seats = seating.load(connection, here.row.id)
        dealt = match.game is not None
        states = match.ruleset.state(match.game) if dealt else {}
        owing = match.ruleset.owing(match.game) if dealt and match.stage == "turn" else {}
    found: list[dict[str, Any]] = [
        {
            "seat": seat,
            "nick": holder.nick,
            "former": list(seats.former.get(seat, ())),
            "aliases": [alias for alias, of in seats.aliases.items() if of == seat],
            "uid": holder.uid,
            "address": holder.address,
            "alive": states[seat]["alive"] if seat in states else None,
            "role": states[seat].get("role") if seat in states else None,
            "faction": states[seat].get("faction") if seat in states else None,
            "owes": list(owing.get(seat, ())),
        }
        for seat, holder in seats.holders.items()
    ]
    if as_json:
        show_json(found)
        return
    writer = Writer(here.row.templates, here.zone)
    show_table(
        ("ник", "ещё зовут", "uid", "почта", "в игре", "роль", "сторона", "ещё не ходил"),
        [
            (
                one["nick"],
                ", ".join((*one["former"], *one["aliases"])),
                one["uid"],
                one["address"],
                {True: "да", False: "выбыл", None: ""}[one["alive"]],
                writer.word("roles", one["role"]) if one["role"] else "",
                writer.word("factions", one["faction"]) if one["faction"] else "",
                ", ".join(writer.word("actions", action) for action in one["owes"]),
            )
            for one in found
        ],
    )


@command.command("replace")
@click.argument("player", metavar="НИК")
@click.argument("nick", metavar="[НОВЫЙ_НИК]", required=False)
@click.option("--uid", type=int, help="Номер учётной записи нового игрока на форуме.")
@act_options
def replace(
    player: str, nick: str | None, uid: int | None, who: str | None, game: str | None, config: Path, as_json: bool
) -> None:
    """Посадить другого на место игрока: роль, голоса и ходы переходят к нему. Без нового ника зовут первого из запаса."""
    newcomer = {} if nick is None and uid is None else {"nick": nick, "uid": uid}
    carry_out(config, game, who, as_json, "replace", {"player": player, **newcomer})


@command.command("reserve")
@game_options
def reserve(game: str | None, config: Path, as_json: bool) -> None:
    """Показать запасных, в том порядке, в каком их зовут на замену."""
    from forumbot.hosting.inbox import waitlist

    with opened(config, game) as here, here.store.read() as connection:
        found = waitlist.waiting(connection, here.row.id)
    if as_json:
        show_json([{"nick": one.nick, "uid": one.uid} for one in found])
        return
    show_table(("место", "ник", "uid"), [(one.place, one.nick, one.uid) for one in found])


@command.command("remove")
@click.argument("player", metavar="НИК")
@click.option("--wish", is_flag=True, help="Он уходит сам (где правила это различают).")
@act_options
def remove(player: str, wish: bool, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Снять игрока с игры так, как это знают её правила."""
    carry_out(config, game, who, as_json, "remove", {"player": player, "wish": wish})


@command.command("host")
@click.argument("player", metavar="НИК")
@click.argument("action", metavar="ДЕЙСТВИЕ")
@click.argument("targets", nargs=-1, metavar="[ЦЕЛЬ]...")
@click.option("--arg", "args", multiple=True, metavar="ИМЯ=ЗНАЧЕНИЕ", help="Подробность, например kind=account_sharing.")
@act_options
def host(
    player: str,
    action: str,
    targets: tuple[str, ...],
    args: tuple[str, ...],
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Действие, которое правила дают только ведущему (нарушение, штраф, оценка рассказа)."""
    payload = {"player": player, "action": action, "targets": list(targets), "args": values(args)}
    carry_out(config, game, who, as_json, "host", payload)


@command.command("warn")
@click.argument("player", metavar="НИК")
@click.argument("text", metavar="[ЗА_ЧТО]", required=False, default="")
@act_options
def warn(player: str, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Предупредить игрока письмом."""
    carry_out(config, game, who, as_json, "warn", {"player": player, "text": text})


@command.command("write")
@click.argument("player", metavar="НИК")
@click.argument("text", metavar="ТЕКСТ")
@act_options
def write(player: str, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Написать игроку от имени ведущего."""
    if not text.strip():
        fail("писать нечего: текст пуст")
    carry_out(config, game, who, as_json, "write", {"player": player, "text": text})


@command.command("alias")
@click.argument("player", metavar="НИК")
@click.argument("alias", metavar="ПРОЗВИЩЕ")
@act_options
def alias_(player: str, alias: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Ещё одно написание ника на всю игру."""
    carry_out(config, game, who, as_json, "alias", {"player": player, "alias": alias})


@command.command("gender")
@click.argument("player", metavar="НИК")
@click.argument("gender", metavar="ОН|ОНА|НЕ_ЗНАЮ", type=click.Choice(("он", "она", "не знаю")))
@act_options
def gender_(player: str, gender: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Как газета говорит об игроке: «погиб» или «погибла»."""
    carry_out(config, game, who, as_json, "gender", {"player": player, "gender": gender})


@command.command("bind")
@click.argument("player", metavar="НИК")
@click.argument("address", metavar="АДРЕС")
@act_options
def bind(player: str, address: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Письма с этого адреса теперь его; непрочитанные письма оттуда будут прочитаны."""
    carry_out(config, game, who, as_json, "bind", {"player": player, "address": address})


@command.command("unbind")
@click.argument("player", metavar="НИК")
@act_options
def unbind(player: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Больше не верить письмам с его адреса."""
    carry_out(config, game, who, as_json, "bind", {"player": player, "address": None})


@command.command("add")
@click.argument("nick", metavar="НИК")
@click.option("--uid", type=int, help="Номер его учётной записи на форуме; без него бот найдёт её по нику.")
@act_options
def add(nick: str, uid: int | None, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Записать на игру самому (пока идёт запись)."""
    carry_out(config, game, who, as_json, "seat", {"nick": nick, "uid": uid})


@command.command("refuse")
@click.argument("player", metavar="НИК")
@click.argument("text", metavar="[ПОЧЕМУ]", required=False, default="")
@act_options
def refuse(player: str, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Отказать в записи (пока идёт запись)."""
    carry_out(config, game, who, as_json, "unseat", {"player": player, "text": text})
