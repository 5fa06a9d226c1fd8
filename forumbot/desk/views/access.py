"""Who else may see and run the game: given and taken away by its host, kept in the history of acts."""

from __future__ import annotations

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import accounts, wording
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.rights import may
from forumbot.reading import same_key
from forumbot.store.tables import accounts as accounts_table
from forumbot.store.tables import acts, grants


def page(asked: Asked) -> Response:
    return asked.page("access.html", tab="access", people=_people(asked.connection, asked.row.id), roles=wording.ROLES)


def change(asked: Asked) -> Response:
    """Give somebody a role, change it or take it away; a game keeps at least one host, and owners are changed by owners."""
    name, role, address = asked.said("name")[:60], asked.said("role"), asked.said("address")[:200]
    if not name.isprintable() or not name or (role not in accounts.ROLES and role != "none"):
        raise Refusal(400, "Назовите, кому и какие права дать.")
    given: accounts.Role | None = next((known for known in accounts.ROLES if known == role), None)
    with asked.desk.store.write() as connection:
        known = accounts.find(connection, name)
        if known is None:
            if given is None or "@" not in address:
                raise Refusal(400, "Такого имени на пульте нет: укажите почту, на неё придёт ссылка для входа.")
            _is_nobody_else(connection, name)
            account_id = accounts.save(connection, name, asked.now, address=address)
        else:
            # The way to an account that exists is its owner's business.
            account_id = int(known["id"])
            if accounts.is_sitewide(connection, account_id) and not may(asked.account, "own"):
                raise Refusal(403, "Это владелец площадки: права меняет он сам, другой владелец или «forumbot desk host».")
        had = accounts.give_role(connection, account_id, asked.row.id, given)
        if not any(role == "host" for _, role, _ in _people(connection, asked.row.id)):
            raise Refusal(400, "У игры должен остаться хотя бы один ведущий.")
        connection.execute(
            acts.insert().values(
                game_id=asked.row.id,
                who=asked.who.name,
                kind="access",
                payload={"account": name, "role": wording.ROLES.get(role, "нет")},
                asked_at=asked.now,
                done_at=asked.now,
                result={"had": had},
            )
        )
    # Who gave himself away has nothing to see here any more.
    return asked.go(asked.url("/") if name == asked.who.name and given is None else asked.here("/access"))


def _is_nobody_else(connection: sa.Connection, name: str) -> None:
    """A new name must not be taken for one that is there: acts are signed with it."""
    names = connection.execute(sa.select(accounts_table.c.name)).scalars()
    twin = next((known for known in names if same_key(known, name)), None)
    if twin is not None:
        raise Refusal(400, f"Имя неотличимо от имени «{twin}», которое на пульте уже есть: назовите человека иначе.")


def _people(connection: sa.Connection, game_id: str) -> list[tuple[str, str, bool]]:
    """Name, role, and whether the role is for every game (and so not changed here)."""
    rows = connection.execute(
        sa.select(accounts_table.c.name, grants.c.role, grants.c.game_id)
        .join(accounts_table, accounts_table.c.id == grants.c.account_id)
        .where(grants.c.game_id.in_((game_id, accounts.EVERY_GAME)))
        .order_by(accounts_table.c.name, grants.c.game_id.desc())
    ).all()
    found: dict[str, tuple[str, str, bool]] = {}
    for name, role, of in rows:
        found.setdefault(name, (name, role, of == accounts.EVERY_GAME))
    return list(found.values())
