"""Brings a database to the present tables (alembic), without a config file of its own."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from forumbot.store.database import Store, StoreError

HERE = Path(__file__).parent / "migrations"


def revisions() -> list[str]:
    """All revisions of this program, the oldest first, told by the names of their files."""
    return sorted(file.name.partition("_")[0] for file in (HERE / "versions").glob("[0-9]*.py"))


def upgrade(store: Store, revision: str = "head") -> None:
    """Create or upgrade the database. A database of a newer forumbot is refused (StoreError)."""
    known = revisions()
    present = current(store)
    if present is not None and present not in known:
        raise StoreError(f"База данных создана более новой версией forumbot ({present}): обновите программу ({store.file})")
    if present == (known[-1] if revision == "head" else revision):
        return
    # Loaded here, since every command opens the database, hardly any has to upgrade it, and alembic takes half a second.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    with store.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def current(store: Store) -> str | None:
    """The database's revision, None for an empty one."""
    with store.write() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return str(found) if found is not None else None
