"""Statements that are compiled once and then run by the driver itself: an everyday row costs its lookup and not its SQL.

A prepared statement is written like any other, with ``sa.bindparam`` for what changes, and runs inside the caller's
transaction. Values go in and come out by the types of its columns, and what the database refuses is the error that SQLAlchemy
makes of it. Lists are not taken: ``atwork.one_of`` writes them out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.sqlite import insert

Row = Mapping[Any, Any]
"""One row by the names of its columns; those that SQLAlchemy gives are such, too."""
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
        try:
            found: sqlite3.Cursor = driver.execute(text, values)
        except sqlite3.Error as error:
            raise _refusal(error, text) from error
        return found

    def rows(self, connection: sa.Connection, /, **given: Any) -> list[Row]:
        """All rows that it finds."""
        columns = self._columns
        return [
            {name: value if way is None else way(value) for (name, way), value in zip(columns, one, strict=True)}
            for one in self._all(connection, given)
        ]

    def first(self, connection: sa.Connection, /, **given: Any) -> Row | None:
        """The first row that it finds."""
        return next(iter(self.rows(connection, **given)), None)

    def lists(self, connection: sa.Connection, /, **given: Any) -> list[list[Any]]:
        """All rows that it finds, each as its values in the order of the columns."""
        ways = [way for _, way in self._columns]
        return [
            [value if way is None else way(value) for way, value in zip(ways, one, strict=True)]
            for one in self._all(connection, given)
        ]

    def walk(self, connection: sa.Connection, /, **given: Any) -> Iterator[list[Any]]:
        """The same one by one: rows that nobody comes to are not read."""
        ways = [way for _, way in self._columns]
        for one in self.run(connection, **given):
            yield [value if way is None else way(value) for way, value in zip(ways, one, strict=True)]

    def values(self, connection: sa.Connection, /, **given: Any) -> list[Any]:
        """The first value of every row."""
        way = self._columns[0][1]
        return [one[0] if way is None else way(one[0]) for one in self._all(connection, given)]

    def value(self, connection: sa.Connection, /, **given: Any) -> Any:
        """The first value of the first row; None where there is none."""
        return next(iter(self.values(connection, **given)), None)

    def _all(self, connection: sa.Connection, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The rows as the driver has them; a statement that writes comes to its end so."""
        try:
            return self.run(connection, **given).fetchall()
        except sqlite3.Error as error:
            raise _refusal(error, self._made[0]) from error

    @cached_property
    def _made(self) -> tuple[str, Mapping[str, Any], list[tuple[str, _Convert]]]:
        """Its text, the values that were written into it, and how given ones become those of the database."""
        compiled: Any = self._statement.compile(dialect=_DIALECT)  # type: ignore[attr-defined]
        fixed: dict[str, Any] = {}
        ways: list[tuple[str, _Convert]] = []
        for bound, name in compiled.bind_names.items():
            way = bound.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
            if not bound.required:
                fixed[name] = bound.effective_value if way is None else way(bound.effective_value)
            elif way is not None:
                ways.append((name, way))
        return str(compiled), fixed, ways

    @cached_property
    def _columns(self) -> list[tuple[str, _Convert | None]]:
        statement: Any = self._statement
        return [(one.key, _way_out(one.type)) for one in statement.exported_columns]


def insertion(table: sa.Table, *names: str, unique: str = "", **fixed: Any) -> Prepared:
    """A row of these columns; ``fixed`` are values of others. ``unique``: columns (by commas) of which an equal row stays as it
    is, and nothing is put in."""
    row = insert(table).values({**{name: sa.bindparam(name) for name in names}, **fixed})
    return Prepared(row.on_conflict_do_nothing(index_elements=unique.split(", ")) if unique else row)


def _way_out(kind: Any) -> _Convert | None:
    """How a value of the database becomes one of ours."""
    way: _Convert | None = kind.dialect_impl(_DIALECT).result_processor(_DIALECT, None)
    return way


def _refusal(error: sqlite3.Error, text: str) -> Exception:
    """As SQLAlchemy tells it; what was to be written is not told."""
    refused = sa.exc.DBAPIError.instance(text, None, error, sqlite3.Error, hide_parameters=True)
    return refused if isinstance(refused, Exception) else error
