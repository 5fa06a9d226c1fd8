"""Brings a database to the present tables (alembic), without a config file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from forumbot.store.database import Store, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent / "migrations"


def upgrade(store: Store, revision: str = "head") -> None:
    """Create or upgrade the database. A database of a newer forumbot is refused (StoreError)."""
    from alembic import command

    config = _config()
    present = current(store)
    if present is not None and present not in revisions():
        raise StoreError(f"База данных создана более новой версией forumbot ({present}): обновите программу ({store.file})")
    with store.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def revisions() -> frozenset[str]:
    """The revisions that this forumbot knows."""
    from alembic.script import ScriptDirectory

    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE))
    return config


def current(store: Store) -> str | None:
    """The database's revision, None for an empty one."""
    with store.write() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return str(found) if found is not None else None
