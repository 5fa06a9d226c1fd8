"""The two engines on one SQLite file: a writer that takes the lock at BEGIN, and a reader that cannot write."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from forumbot.mendable import Mendable
from forumbot.store.ownership import private
from forumbot.store.prepared import Prepared

_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=15000", "journal_size_limit=16777216")


class StoreError(Mendable):
    """The database cannot be used; the text is one Russian sentence for the host."""


_APART, _KEPT, _BACK = (Prepared(sa.text(f"{word} apart")) for word in ("SAVEPOINT", "RELEASE", "ROLLBACK TO"))


@contextmanager
def apart(connection: sa.Connection) -> Iterator[None]:
    """A part of a transaction that is done whole or, on an exception, not at all. Always the same words, unlike
    ``begin_nested``, so that the driver compiles them once."""
    driver: Any = connection.connection.driver_connection
    _APART.run(connection)
    try:
        yield
    except BaseException:
        if driver.in_transaction:  # else the database itself has given the whole transaction up
            _BACK.run(connection)
            _KEPT.run(connection)
        raise
    _KEPT.run(connection)


class Store:
    """The database of one site. ``write()`` and ``read()`` give connections inside a transaction."""

    def __init__(self, file: Path) -> None:
        self.file = file
        if file.parent.is_dir() and os.access(file.parent, os.W_OK):
            with suppress(FileExistsError):
                private(file)
        self._writer = _engine(file, "BEGIN IMMEDIATE", _PRAGMAS)
        self._reader = _engine(file, "BEGIN", ("busy_timeout=15000", "query_only=ON"))

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """One write transaction: committed at the end, rolled back on an exception. Never do network inside."""
        with self._translated(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A reading transaction that sees one state and can change nothing."""
        with self._translated(), self._reader.begin() as connection:
            yield connection

    @property
    def engine(self) -> sa.Engine:
        """The writing engine, for migrations."""
        return self._writer

    def close(self) -> None:
        self._writer.dispose()
        self._reader.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
            said = str(error.orig if isinstance(error, sa.exc.DatabaseError) else error)
            for words, sentence in _TROUBLE.items():
                if words in said:
                    raise StoreError(f"{sentence} ({self.file})") from error
            raise


_TROUBLE = {
    "malformed": "База данных повреждена: восстановите её из копии командой «forumbot restore»; ничего не перезаписано",
    "not a database": "Файл базы данных не похож на базу: проверьте путь «data» в настройках; ничего не перезаписано",
    "disk is full": "На диске нет места: освободите место, бот продолжит сам",
    "disk I/O error": "Диск не пишет или не читает: проверьте место и сам диск, бот продолжит сам",
    "readonly": "База данных доступна только для чтения: проверьте права на папку данных",
    "unable to open": "Базу данных не удалось открыть: проверьте папку данных и права на неё",
    "database is locked": "База данных занята другой программой: подождите или остановите её",
}


def _engine(file: Path, begin: str, pragmas: tuple[str, ...]) -> sa.Engine:
    # An error of the database that reaches the log must not carry what was written: letters, addresses, roles.
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        connect_args={"timeout": 15, "cached_statements": 600},  # more than there are, so that none is compiled again
        poolclass=sa.pool.QueuePool,
        pool_size=2,
        hide_parameters=True,
    )

    @sa.event.listens_for(engine, "connect")
    def _connected(raw: Any, _record: Any) -> None:
        # The driver's own transactions start only at the first write, which loses updates; ours start at BEGIN.
        raw.isolation_level = None
        for pragma in pragmas:
            raw.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
