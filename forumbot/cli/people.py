"""``forumbot people``: who may not sign up for a while."""

from __future__ import annotations

import getpass
from datetime import datetime, time
from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, local, mendable, show_json, show_table, site_option


@click.group(
    "people",
    epilog="""\b
Примеры:
  forumbot people bar Борис --until 2027-03-01 --why "подсказывал после выбывания"
  forumbot people bars        кто сейчас не допущен
  forumbot people unbar 3     снять запрет номер 3
""",
)
def command() -> None:
    """Кого не записывать в следующие партии: запреты, список, отмена."""


@command.command("bar")
@click.argument("nick", metavar="НИК")
@click.option("--uid", type=int, default=None, help="Номер учётной записи; без него - известный боту или по нику.")
@click.option("--until", default=None, metavar="ДАТА", help="До какого дня (2027-03-01); без него до отмены.")
@click.option("--why", default="", help="За что: это услышит и сам игрок.")
@site_option
def bar(nick: str, uid: int | None, until: str | None, why: str, config: Path) -> None:
    """Не записывать этого участника: бот откажет ему в теме записи и скажет об этом вам и ему."""
    from zoneinfo import ZoneInfo

    from forumbot.hosting.core import bars
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        ends = _day(until, ZoneInfo(site.forum.zone)) if until else None
        store = wiring.open_store(site)
        now = wiring.clock().now()
        if ends is not None and ends <= now:
            fail("этот день уже прошёл: назовите будущий")
        with store.write() as connection:
            number = bars.bar(connection, nick, uid, ends, why, getpass.getuser(), now)
        store.close()
    click.echo(f"Записано: {nick} не допускается (запрет {number}). Отменить: forumbot people unbar {number}")


@command.command("bars")
@site_option
@json_option
def list_(config: Path, as_json: bool) -> None:
    """Показать запреты, которые сейчас действуют."""
    from forumbot.hosting.core import bars
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        with store.read() as connection:
            rows = bars.standing(connection, wiring.clock().now())
        store.close()
    if as_json:
        show_json([{key: row[key] for key in ("id", "nick", "uid", "until", "why", "by", "at")} for row in rows])
        return
    if not rows:
        click.echo("Запретов нет.")
        return
    until = {row["id"]: local(row["until"], site.forum.zone) if row["until"] else "до отмены" for row in rows}
    show_table(
        ("№", "ник", "uid", "до", "за что", "кто решил"),
        [(row["id"], row["nick"], row["uid"] or "", until[row["id"]], row["why"], row["by"]) for row in rows],
    )


@command.command("unbar")
@click.argument("number", type=int, metavar="ЗАПРЕТ")
@site_option
def unbar(number: int, config: Path) -> None:
    """Снять запрет (его номер показывает «people bars»)."""
    from forumbot.hosting.core import bars
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    with mendable():
        store = wiring.open_store(load_site(config))
        with store.write() as connection:
            lifted = bars.lift(connection, number, wiring.clock().now())
        store.close()
    if not lifted:
        fail(f"запрета {number} нет, или он уже снят")
    click.echo("Снято.")


def _day(said: str, zone: object) -> datetime:
    from zoneinfo import ZoneInfo

    assert isinstance(zone, ZoneInfo)
    try:
        return datetime.combine(datetime.fromisoformat(said).date(), time(), tzinfo=zone)
    except ValueError:
        fail(f"«{said}» не дата; нужно, например, 2027-03-01")
        raise
