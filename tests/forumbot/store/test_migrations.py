"""Databases of earlier versions: upgraded step by step with their data in them, and refused when they come from the future."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from forumbot.store.database import Store, StoreError
from forumbot.store.migrate import HERE, current, revisions, upgrade
from forumbot.store.tables import metadata

NOW = datetime(2026, 11, 29, 20, tzinfo=UTC)


def test_the_revisions_stand_in_the_order_of_their_files_names() -> None:
    assert revisions() == [script.revision for script in reversed(list(ScriptDirectory(str(HERE)).walk_revisions()))]


def test_the_program_may_stand_in_a_folder_of_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "100% наше").symlink_to(HERE)
    monkeypatch.setattr("forumbot.store.migrate.HERE", tmp_path / "100% наше")
    store = Store(tmp_path / "new.db")
    upgrade(store)
    assert current(store) == revisions()[-1]


def value_of(column: sa.Column[Any], number: int) -> Any:
    """Some value that the column takes."""
    kind = str(column.type.compile()).upper()
    if "INT" in kind:
        return number
    if "FLOAT" in kind or "REAL" in kind:
        return float(number)
    if "BOOL" in kind:
        return bool(number % 2)
    if "BLOB" in kind:
        return b"\x00raw"
    return f"text {number}"


def filled(store: Store, number: int) -> dict[str, list[dict[str, Any]]]:
    """A row in every table as that revision has it, parents first; gives all rows as they stand, as plain SQL sees them."""
    with store.write() as connection:
        found = sa.MetaData()
        found.reflect(connection)
        ids: dict[str, Any] = {}
        for table in found.sorted_tables:
            if table.name == "alembic_version":
                continue
            row: dict[str, Any] = {}
            for column in table.columns:
                keys = list(column.foreign_keys)
                if keys:
                    row[column.name] = ids.get(keys[0].column.table.name)
                elif column.name.endswith(("_at", "since", "until")) or column.name in (
                    "at",
                    "posted",
                    "first_seen",
                    "not_before",
                ):
                    row[column.name] = "2026-11-29T20:00:00.000000Z"
                elif column.name in _JSON:
                    row[column.name] = "{}"
                else:
                    row[column.name] = value_of(column, number)
            connection.execute(table.insert().values(row))
            primary = list(table.primary_key.columns)
            ids[table.name] = row[primary[0].name] if primary else None
        return rows(connection, found)


_JSON = {
    column.name for table in metadata.sorted_tables for column in table.columns if type(column.type).__name__ == "Json"
}  # fmt: skip


def rows(connection: sa.Connection, found: sa.MetaData) -> dict[str, list[dict[str, Any]]]:
    return {
        table.name: [dict(row) for row in connection.execute(sa.text(f'SELECT * FROM "{table.name}"')).mappings()]
        for table in found.sorted_tables
        if table.name != "alembic_version"
    }


@pytest.mark.parametrize("start", revisions())
def test_a_database_of_every_earlier_version_is_upgraded_with_its_data(tmp_path: Path, start: str) -> None:
    store = Store(tmp_path / "forumbot.db")
    upgrade(store, start)
    before = filled(store, 7)
    assert all(before.values())
    upgrade(store)
    assert current(store) == revisions()[-1]
    with store.write() as connection:
        found = sa.MetaData()
        found.reflect(connection)
        after = rows(connection, found)
        assert connection.execute(sa.text("PRAGMA foreign_key_check")).all() == []
        assert connection.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"
    for table, kept in before.items():
        # A revision may rename or drop a table or column; what is still there under its name holds what it held.
        for row, now in zip(kept, after.get(table, kept), strict=True):
            assert {name: now[name] for name in row if name in now} == {name: row[name] for name in row if name in now}
    # The program itself can read every row of it; a table that came later is empty.
    with store.read() as connection:
        for known in metadata.sorted_tables:
            assert len(connection.execute(sa.select(known)).mappings().all()) == len(before.get(known.name, ()))
    store.close()


@pytest.mark.parametrize(("start", "goal"), list(zip(revisions(), revisions()[1:], strict=False)) or [(None, revisions()[0])])
def test_each_step_alone_works(tmp_path: Path, start: str | None, goal: str) -> None:
    store = Store(tmp_path / "forumbot.db")
    if start is not None:
        upgrade(store, start)
        filled(store, 3)
    upgrade(store, goal)
    assert current(store) == goal
    store.close()


def test_the_migrations_make_the_tables_that_the_program_knows(tmp_path: Path) -> None:
    store = Store(tmp_path / "forumbot.db")
    upgrade(store)
    with store.write() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []
    store.close()


def test_an_act_of_0001_finds_the_inputs_that_it_entered(tmp_path: Path) -> None:
    """0001 kept their numbers in the log; the program now asks for their rows."""
    store = Store(tmp_path / "forumbot.db")
    upgrade(store, "0001")
    filled(store, 7)
    with store.write() as connection:
        connection.execute(sa.text("UPDATE inputs SET seq = 4.5"))
        told = json.dumps({"inputs": [4.5], "verdict": 3, "changes": [{"inputs": [4.5]}]})
        connection.execute(sa.text("UPDATE acts SET result = :told"), {"told": told})
    upgrade(store)
    with store.read() as connection:
        result = connection.execute(sa.select(metadata.tables["acts"].c.result)).scalar_one()
    assert result == {"verdict": 3, "changes": [{"entered": [7]}], "entered": [7]}
    store.close()


def test_a_database_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "forumbot.db")
    upgrade(store)
    with store.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="более новой версией"):
        upgrade(store)
    assert current(store) == "9999"
    store.close()


def test_upgrading_twice_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "forumbot.db")
    upgrade(store)
    before = filled(store, 5)
    upgrade(store)
    with store.write() as connection:
        found = sa.MetaData()
        found.reflect(connection)
        assert rows(connection, found) == before
    store.close()
