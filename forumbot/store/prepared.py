"""Statements that are compiled once and then run by the driver itself: an everyday row costs its lookup and not its SQL.

A prepared statement is written like any other, with ``sa.bindparam`` for what changes, and runs inside the caller's
transaction. Values go in and come out by the types of its columns. Lists are not taken: ``atwork.one_of`` writes them out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

Row = Mapping[str, Any]
"""One row by the names of its columns."""
_DIALECT = sqlite.dialect(paramstyle="named")
_Convert = Callable[[Any], Any]


class Prepared:
    """One statement. Compiled when it is first run."""

    def __init__(self, statement: sa.sql.Executable) -> None:
        self._statement = statement

    def run(self, connection: sa.Connection, /, **given: Any) -> sqlite3.Cursor:
        """Run it with these values; what it was given besides when it was written goes with them."""
        text, fixed, ways = self._made
        values = {**fixed, **given}
        for name, way in ways:
            values[name] = way(values[name])
        driver: Any = connection.connection.driver_connection
        found: sqlite3.Cursor = driver.execute(text, values)
        return found

    def rows(self, connection: sa.Connection, /, **given: Any) -> list[Row]:
        """All rows that it finds."""
        return [self._row(one) for one in self.run(connection, **given)]

    def first(self, connection: sa.Connection, /, **given: Any) -> Row | None:
        """The first row that it finds."""
        found = self.run(connection, **given).fetchall()  # a statement that writes must come to its end
        return self._row(found[0]) if found else None

    def _row(self, one: tuple[Any, ...]) -> Row:
        return {
            name: value if way is None else way(value) for (name, way), value in zip(self._columns, one, strict=True)
        }

    @cached_property
    def _made(self) -> tuple[str, Mapping[str, Any], list[tuple[str, _Convert]]]:
        """Its text, the values that were written into it, and how values become those of the database."""
        compiled: Any = self._statement.compile(dialect=_DIALECT)  # type: ignore[attr-defined]
        ways: list[tuple[str, _Convert]] = []
        for bound, name in compiled.bind_names.items():
            way = bound.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
            if way is not None and name in compiled.params:
                ways.append((name, way))
        return str(compiled), dict(compiled.params), ways

    @cached_property
    def _columns(self) -> list[tuple[str, _Convert | None]]:
        statement: Any = self._statement
        return [(one.key or one.name, _way_out(one.type)) for one in statement.exported_columns]


def _way_out(kind: Any) -> _Convert | None:
    """How a value of the database becomes one of ours."""
    way: _Convert | None = kind.dialect_impl(_DIALECT).result_processor(_DIALECT, None)
    return way
