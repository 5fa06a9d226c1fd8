"""``forumbot stories``: the stories of the running turn, their grades, and which hanging story is printed."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.acting import act_options, carry_out, game_options, opened
from forumbot.cli.common import fail, show_json, show_table


@click.group(
    "stories",
    epilog="""\b
Примеры:
  forumbot stories list
  forumbot stories grade Анна 4
  forumbot stories choose Борис Вера     о казни Веры печатать рассказ Бориса
  forumbot stories choose Борис Вера --turn 2   взять рассказ, оставшийся с дня 2
  forumbot stories write Вера "Верёвка скрипела."   никто не прислал: написать самому
""",
)
def command() -> None:
    """Рассказы игроков: прочитать, оценить, выбрать. Без ведущего действует оценка по умолчанию."""


@command.command("list")
@click.option("--left", is_flag=True, help="Рассказы прошлых дней, которые не напечатаны.")
@game_options
def list_(left: bool, game: str | None, config: Path, as_json: bool) -> None:
    """Показать рассказы этого хода."""
    from forumbot.hosting.core import record, seating, stories
    from forumbot.writing.writer import Writer

    with opened(config, game) as here, here.store.read() as connection:
        match = record.fold(connection, here.row)
        names = seating.load(connection, here.row.id).names()
    found = stories.left_over(match) if left else stories.sent(match)
    if as_json:
        show_json([stories.shown(one, names) for one in found])
        return
    writer = Writer(here.row.templates, here.zone)
    show_table(
        ("автор", "ход", "о ком", "оценка", "рассказ"),
        [
            (
                names.get(one.author, one.author),
                writer.word("actions", one.action),
                ", ".join(names.get(target, target) for target in one.targets),
                "по умолчанию" if one.grade is None else one.grade,
                one.text,
            )
            for one in found
        ],
    )


@command.command("grade")
@click.argument("author", metavar="АВТОР")
@click.argument("grade", metavar="ОЦЕНКА", type=int)
@click.option("--action", default=None, help="Ход, к которому рассказ (kill, check, hang_story ...), если рассказов несколько.")
@click.option("--about", default=None, metavar="НИК", help="О ком рассказ, если их несколько.")
@click.option("--turn", type=int, default=None, help="Номер хода, если рассказ уже напечатан; тогда нужен и --action.")
@act_options
def grade(
    author: str,
    grade: int,
    action: str | None,
    about: str | None,
    turn: int | None,
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Оценить рассказ: столько монет получит автор."""
    from forumbot.hosting.core import record, seating, stories

    args: dict[str, object] = {"grade": grade}
    targets = [about] if about else []
    if turn is not None:
        if action is None:
            fail("у напечатанного рассказа назовите ход: --action kill, check, hang_story")
        args |= {"action": action, "turn": turn}
    else:
        with opened(config, game) as here, here.store.read() as connection:
            match = record.fold(connection, here.row)
            seats = seating.load(connection, here.row.id)
        by_nick = {nick: seat for seat, nicks in seats.nicks().items() for nick in (seat, *nicks)}
        found = stories.named(stories.sent(match), by_nick.get(author, author), action, by_nick.get(about or "", about))
        if len(found) != 1:
            many = "рассказов несколько: назовите --action и --about" if found else "такого рассказа в этом ходу нет"
            fail(f"{author}: {many}")
        args |= {"action": found[0].action, "shot": found[0].shot}
        targets = [seats.names().get(target, target) for target in found[0].targets]
    payload = {"player": author, "action": "grade", "targets": targets, "args": args}
    carry_out(config, game, who, as_json, "host", payload)


@command.command("choose")
@click.argument("author", metavar="АВТОР")
@click.argument("condemned", metavar="О_КОМ")
@click.option("--turn", type=int, help="День, с которого рассказ остался; без него рассказ этого дня.")
@click.option("--about", metavar="НИК", help="О ком был тот рассказ, если их у автора несколько.")
@act_options
def choose(
    author: str,
    condemned: str,
    turn: int | None,
    about: str | None,
    who: str | None,
    game: str | None,
    config: Path,
    as_json: bool,
) -> None:
    """Печатать этот рассказ-повешение, если названного повесят; свой рассказ повешенного идёт первым."""
    args = {name: value for name, value in (("turn", turn), ("about", about)) if value is not None}
    payload = {"player": author, "action": "choose_story", "targets": [condemned], "args": args}
    carry_out(config, game, who, as_json, "host", payload)


@command.command("write")
@click.argument("condemned", metavar="О_КОМ")
@click.argument("text", metavar="РАССКАЗ")
@act_options
def write(condemned: str, text: str, who: str | None, game: str | None, config: Path, as_json: bool) -> None:
    """Написать рассказ о казни самому; напечатают его, если никто другой не прислал."""
    payload = {"player": condemned, "action": "write_story", "args": {"story": text}}
    carry_out(config, game, who, as_json, "host", payload)
