"""``forumbot players``: what everybody has, has played and has won across all games."""

from __future__ import annotations

from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, local, mendable, show_json, show_table, site_option


@click.group("players", epilog="Пример: forumbot players list")
def command() -> None:
    """Счета игроков между партиями: монеты, сыгранные партии, победы, штрафы."""


@command.command("list")
@site_option
@json_option
def list_(config: Path, as_json: bool) -> None:
    """Показать всех игроков и их счета."""
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import people
    from forumbot.settings import load_site

    with mendable():
        store = wiring.open_store(load_site(config))
        with store.read() as connection:
            rows = people.listed(connection)
        store.close()
    if as_json:
        show_json([{"nick": one.nick, "uid": one.uid, "accounts": one.accounts} for one in rows])
        return
    names = people.currencies(rows)
    words = _words(config)
    headers = ("ник", "uid", *(words.get(name, name) for name in names))
    show_table(headers, [(one.nick, one.uid or "", *(f"{one.accounts.get(name, 0):g}" for name in names)) for one in rows])


@command.command("show")
@click.argument("who")
@site_option
@json_option
def show(who: str, config: Path, as_json: bool) -> None:
    """Показать все записи по счетам одного игрока (ник или uid)."""
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import people
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        with store.read() as connection:
            found = people.find(connection, who)
            rows = people.bookings_of(connection, found.id) if found else []
        store.close()
    if found is None:
        fail(f"игрока «{who}» бот не знает")
        return
    if as_json:
        entries = [{key: row[key] for key in ("at", "game_id", "currency", "amount", "reason")} for row in rows]
        show_json({"nick": found.nick, "uid": found.uid, "accounts": found.accounts, "bookings": entries})
        return
    words = _words(config)
    click.echo(f"{found.nick}" + (f" (uid {found.uid})" if found.uid else ""))
    for name in people.currencies([found]):
        click.echo(f"  {words.get(name, name)}: {found.accounts[name]:g}")
    show_table(
        ("когда", "счёт", "сумма", "за что"),
        [
            (local(row["at"], site.forum.zone), words.get(row["currency"], row["currency"]), f"{row['amount']:+g}", row["reason"])
            for row in rows
        ],
    )


@command.command(
    "book", context_settings={"ignore_unknown_options": True}, epilog="Пример: forumbot players book Анна coins -5 штраф"
)
@click.argument("who")
@click.argument("currency")
@click.argument("amount", type=float)
@click.argument("reason")
@click.option("--key", default="", help="Имя записи: вторая запись с тем же именем не делается.")
@site_option
def book(who: str, currency: str, amount: float, reason: str, key: str, config: Path) -> None:
    """Записать на счёт игрока сумму (с минусом: снять) и за что."""
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import people
    from forumbot.settings import load_site

    if not currency.isidentifier() or amount != amount or abs(amount) > 1e9:
        fail("счёт называют словом (coins, debt, mafbucks, penalties), сумму числом")
    with mendable():
        store = wiring.open_store(load_site(config))
        now = wiring.clock().now()
        with store.write() as connection:
            found = people.find(connection, who)
            name = f"hand/{key}" if key else f"hand/{now.isoformat()}/{who}/{currency}"
            made = found is not None and people.book(connection, found.id, currency, amount, reason, name, now)
        store.close()
    if found is None:
        fail(f"игрока «{who}» бот не знает; впишите его командой «forumbot players import»")
    click.echo("Записано." if made else "Запись с таким именем уже есть, второй раз не записано.")


@command.command("import", epilog="Пример: forumbot players import баланс.csv")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@site_option
def import_(file: Path, config: Path) -> None:
    """Перенести счета из CSV: столбцы nick и (или) uid, дальше coins, debt, mafbucks, games, won, penalties.

    Один и тот же файл записывается один раз.
    """
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import csvfiles
    from forumbot.settings import load_site

    with mendable():
        store = wiring.open_store(load_site(config))
        now = wiring.clock().now()
        try:
            text = file.read_text(encoding="utf-8-sig")
            with store.write() as connection:
                taken = csvfiles.take(connection, file.name, text, now)
        except UnicodeDecodeError:
            fail(f"{file}: файл не в кодировке UTF-8")
            return
        except csvfiles.BadFile as error:
            fail(f"{file}: {error}; ничего не записано")
            return
        finally:
            store.close()
    again = "" if taken.bookings else " (этот файл уже переносили или суммы нулевые)"
    click.echo(f"Игроков в файле: {taken.people}, записей сделано: {taken.bookings}{again}.")


@command.command("export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@site_option
def export(file: Path | None, config: Path) -> None:
    """Вывести все счета в CSV (в файл или на экран)."""
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import csvfiles, people
    from forumbot.settings import load_site

    with mendable():
        store = wiring.open_store(load_site(config))
        with store.read() as connection:
            text = csvfiles.give(people.listed(connection))
        store.close()
    if file is None:
        click.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8")


def _words(config: Path) -> dict[str, str]:
    """The Russian names of accounts."""
    from forumbot import resources
    from forumbot.settings import load_site

    own = load_site(config).site.own
    found: dict[str, str] = resources.toml("templates/common/words.toml", own)["currencies"]
    return found
