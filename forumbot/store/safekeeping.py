"""Copies of the database: made while the daemon runs, verified, and put back only when nothing works on the old one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from forumbot.store.database import StoreError
from forumbot.store.migrate import revisions


def backup(database: Path, target: Path) -> Path:
    """Copy the database, online, and verify the copy. ``target`` is a file, or a folder that gets a dated file.

    Raises StoreError; a copy that does not verify is not kept.
    """
    if not database.is_file():
        raise StoreError(f"Базы нет: {database}")
    if target.is_dir():
        target = target / f"forumbot-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    if target.exists():
        raise StoreError(f"{target} уже есть: копия не сделана")
    if not target.parent.is_dir():
        raise StoreError(f"Копию сделать не удалось: папки {target.parent} нет")
    aside = target.with_name(target.name + ".part")
    aside.unlink(missing_ok=True)
    try:
        with closing(_opened(database)) as source:
            source.execute("VACUUM INTO ?", (str(aside),))
        aside.chmod(0o600)
        verify(aside)
        aside.rename(target)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"Копию сделать не удалось: {_reason(error)} ({target})") from error
    finally:
        aside.unlink(missing_ok=True)
    return target


def restore(copy: Path, database: Path) -> Path | None:
    """Put a verified copy in the database's place; the old one is kept beside it. Gives where the old one went.

    The caller holds the daemon's lock. Raises StoreError before anything is touched.
    """
    verify(copy)
    fresh = database.with_name(database.name + ".new")
    kept: Path | None = None
    try:
        fresh.unlink(missing_ok=True)
        with closing(_opened(copy)) as source:
            source.execute("VACUUM INTO ?", (str(fresh),))
        fresh.chmod(0o600)
        if database.exists():
            kept = database.with_name(f"{database.name}.old-{datetime.now(UTC):%Y%m%d-%H%M%S}")
            _fold_journal(database)
            database.rename(kept)
        for tail in ("-wal", "-shm"):
            database.with_name(database.name + tail).unlink(missing_ok=True)
        fresh.rename(database)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"Вернуть копию не удалось: {_reason(error)}; старая база: {kept or database}") from error
    return kept


def verify(file: Path) -> None:
    """Raises StoreError when the file is no whole database of forumbot, or one of a newer forumbot than this."""
    if not file.is_file():
        raise StoreError(f"{file}: такого файла нет")
    try:
        with closing(_opened(file)) as copy:
            found = copy.execute("PRAGMA integrity_check").fetchone()
            tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            ours = {"games", "alembic_version"} <= tables
            revision = copy.execute("SELECT version_num FROM alembic_version").fetchone() if ours else None
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{file}: это не база данных, или она повреждена или не читается: возьмите другую копию") from error
    if found is None or found[0] != "ok":
        raise StoreError(f"{file}: база повреждена: возьмите другую копию")
    if not ours or revision is None:
        raise StoreError(f"{file}: это не база forumbot")
    if revision[0] not in revisions():
        raise StoreError(f"{file}: база более новой версии forumbot ({revision[0]}): сначала обновите программу")


def _opened(file: Path) -> sqlite3.Connection:
    """The database for reading only, whatever signs its path has."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _reason(error: sqlite3.Error | OSError) -> str:
    """Why a file could not be written, in Russian."""
    words = str(error)
    known = (
        ("full", "на диске нет места"),
        ("No space", "на диске нет места"),
        ("ermission", "нет прав на эту папку"),
        ("readonly", "нет прав на эту папку"),
        ("unable to open", "файл не открывается: проверьте папку и права на неё"),
        ("malformed", "база повреждена"),
        ("not a database", "это не база данных"),
        ("locked", "база занята другой программой"),
    )
    return next((told for sign, told in known if sign in words), "диск не пишет или не читает")


def _fold_journal(database: Path) -> None:
    """Bring what stands in the write-ahead log into the file, so that the file alone is the whole old database."""
    try:
        with closing(sqlite3.connect(database)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        # A broken database is kept as it is, with its log beside it under the old name gone: nothing can be saved from it.
        return
