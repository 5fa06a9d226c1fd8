"""Copies of the database: made while the daemon runs, verified, and put back only when nothing works on the old one.

A copy is nobody's to read but its owner's, from its first byte on, and lets nobody in: sessions and login links of the desk
and codes that bind an address are taken out of it, and out of every copy that is put back.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from forumbot.store.codes import proof_code
from forumbot.store.database import StoreError
from forumbot.store.migrate import revisions
from forumbot.store.ownership import private


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
        _copied(database, aside)
        _without_keys(aside)
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
        _copied(copy, fresh)
        _without_keys(fresh)
        if database.exists():
            kept = database.with_name(f"{database.name}.old-{datetime.now(UTC):%Y%m%d-%H%M%S}")
            _fold_journal(database)
            database.rename(kept)
            kept.chmod(0o600)
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


def _copied(source: Path, target: Path) -> None:
    """Every row of a database in a file of its own, which is there before, empty and closed to others."""
    private(target)
    with closing(_opened(source)) as opened:
        opened.execute("VACUUM INTO ?", (str(target),))


def _without_keys(file: Path) -> None:
    """Take out what lets somebody in. A database of an older version may lack the tables."""
    with closing(sqlite3.connect(file)) as copy:
        there = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        copy.execute("PRAGMA secure_delete = ON")
        for table in ("sessions", "login_links"):
            if table in there:
                copy.execute(f"DELETE FROM {table}")
        if "outbox" in there:
            links = "UPDATE outbox SET body = ?, state = CASE state WHEN 'sent' THEN 'sent' ELSE 'failed' END WHERE key LIKE ?"
            copy.execute(links, ("(ссылка больше не действует)", "desk/link/%"))
        if "holders" in there:
            for (row,) in copy.execute("SELECT id FROM holders").fetchall():
                copy.execute("UPDATE holders SET proof_code = ? WHERE id = ?", (proof_code(), row))
        copy.commit()
        copy.execute("PRAGMA journal_mode = DELETE")


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
