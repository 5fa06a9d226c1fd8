"""``forumbot desk``: the hosts' web page, and who may enter it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, mendable, show_json, show_table, site_option

_ROLES = {"host": "ведущий", "cohost": "помощник", "observer": "наблюдатель"}


@click.group(
    "desk",
    epilog="Примеры: forumbot desk host Анна --game gk1 --address anna@example.org;  forumbot desk password Анна;  "
    "forumbot desk serve",
)
def command() -> None:
    """Пульт ведущего в браузере: запустить его и раздать доступ."""


@command.command("serve", epilog="Пример: forumbot desk serve --port 8321")
@site_option
@click.option("--host", help="На каком адресе слушать; без него берётся из настроек ([desk] host).")
@click.option("--port", type=click.IntRange(1, 65535), help="На каком порту слушать; без него берётся из настроек.")
def serve(config: Path, host: str | None, port: int | None) -> None:
    """Показывать пульт. Игры ведёт «forumbot run»: пульт только читает базу и оставляет боту ваши решения."""
    from forumbot.desk import app, lines
    from forumbot.hosting.core import logs
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    logs.configure(debug=False)
    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        click.echo(f"Пульт: {site.desk.address}", err=True)
        if warning := lines.exposed(host or site.desk.host):
            click.echo(f"Внимание: {warning}", err=True)
        try:
            app.serve(site, store, wiring.clock(), host, port)
        finally:
            store.close()


@command.command("host", epilog="Пример: forumbot desk host Анна --game gk1 --role cohost --address anna@example.org")
@click.argument("name")
@site_option
@click.option("--game", help="Игра; без неё права даются на все игры.")
@click.option("--role", type=click.Choice(list(_ROLES)), default="host", show_default=True, help="Права.")
@click.option("--address", help="Почта, куда слать ссылки для входа.")
@click.option("--nick", help="Ник на форуме: ссылки придут личным сообщением, если почты нет.")
@click.option("--uid", type=int, help="Номер учётной записи на форуме.")
@click.option("--remove", is_flag=True, help="Забрать права.")
def host(
    name: str,
    config: Path,
    game: str | None,
    role: str,
    address: str | None,
    nick: str | None,
    uid: int | None,
    remove: bool,
) -> None:
    """Дать человеку права на пульте или забрать их."""
    import sqlalchemy as sa

    from forumbot.desk import accounts
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_games, load_site
    from forumbot.store.tables import games

    if (nick is None) != (uid is None):
        fail("ник и номер учётной записи нужны вместе (--nick и --uid)")
    with mendable():
        site = load_site(config)
        known = [described.id for described in load_games(site)]
        store = wiring.open_store(site)
        now = wiring.clock().now()
        with store.write() as connection:
            known += [id_ for id_ in connection.execute(sa.select(games.c.id)).scalars() if id_ not in known]
            if game is not None and game not in known and not remove:
                fail(f"игры «{game}» нет ни в базе, ни в папке игр; есть: {', '.join(known) or 'пока ни одной'}")
            if remove and accounts.find(connection, name) is None:
                fail(f"на пульте нет имени «{name}»")
            account_id = accounts.save(connection, name, now, address=address, nick=nick, uid=uid)
            given: accounts.Role | None = None if remove else next(known for known in accounts.ROLES if known == role)
            accounts.give_role(connection, account_id, game or accounts.EVERY_GAME, given)
        store.close()
    where = f"игра «{game}»" if game else "все игры"
    click.echo(f"{name}: {where}, {'прав больше нет' if remove else _ROLES[role]}")


@command.command("password", epilog="Пример: forumbot desk password Анна")
@click.argument("name")
@site_option
def password(name: str, config: Path) -> None:
    """Задать пароль для входа. Команда спросит его дважды; все прежние входы этого человека закроются."""
    from forumbot.desk import accounts
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        with store.read() as connection:
            account = accounts.find(connection, name)
        if account is None:
            fail(f"на пульте нет имени «{name}»: сначала дайте права командой «forumbot desk host»")
            return
        said = click.prompt(
            f"Пароль, не короче {accounts.PASSWORD_LEAST} знаков (не виден)", hide_input=True, confirmation_prompt="Ещё раз"
        )
        if len(said) < accounts.PASSWORD_LEAST:
            fail(f"пароль короче {accounts.PASSWORD_LEAST} знаков")
        with store.write() as connection:
            accounts.set_password(connection, int(account["id"]), said)
        store.close()
    click.echo("Пароль задан.")


@command.command("who", epilog="Пример: forumbot desk who --json")
@site_option
@json_option
def who(config: Path, as_json: bool) -> None:
    """Показать, у кого какие права. Пароли и ссылки не показываются никогда."""
    import sqlalchemy as sa

    from forumbot.desk import accounts
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site
    from forumbot.store.tables import accounts as table

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        with store.read() as connection:
            found = [
                {
                    "name": row["name"],
                    "address": row["address"],
                    "nick": row["nick"],
                    "password": row["password"] is not None,
                    "roles": dict(accounts.roles_of(connection, row["id"])),
                }
                for row in connection.execute(sa.select(table).order_by(table.c.name)).mappings()
            ]
        store.close()
    if as_json:
        show_json(found)
        return
    show_table(
        ("имя", "почта", "ник", "пароль", "права"),
        [
            (
                each["name"],
                each["address"],
                each["nick"],
                "задан" if each["password"] else "",
                _said(each["roles"]),
            )
            for each in found
        ],
    )


def _said(roles: Mapping[str, str]) -> str:
    named = {game: "все игры" if game == "*" else game for game in roles}
    return "; ".join(f"{named[game]}: {_ROLES[role]}" for game, role in roles.items())
