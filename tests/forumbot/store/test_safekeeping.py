"""Copies of the database: made online, verified, put back; nothing is overwritten by a broken one."""

import os
import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.desk import accounts
from forumbot.store import ownership, safekeeping
from forumbot.store.database import Store, StoreError
from forumbot.store.migrate import current, upgrade
from forumbot.store.tables import games, holders, login_links, metadata, outbox, people, sessions
from forumbot.store.types import Moment

NOW = "2026-11-29T20:00:00.000000Z"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "forumbot.db")
    upgrade(made)
    return made


def add(store: Store, nick: str) -> None:
    moment = Moment().process_result_value(NOW, None)  # type: ignore[arg-type]
    with store.write() as connection:
        connection.execute(people.insert().values(nick=nick, first_seen=moment))


def nicks(file: Path) -> list[str]:
    store = Store(file)
    with store.read() as connection:
        found = list(connection.execute(sa.select(people.c.nick)).scalars())
    store.close()
    return found


def test_a_copy_made_while_the_store_is_open_holds_everything(store: Store, tmp_path: Path) -> None:
    add(store, "Анна")
    (tmp_path / "copies").mkdir()
    copy = safekeeping.backup(store.file, tmp_path / "copies")
    add(store, "Борис")
    assert nicks(copy) == ["Анна"]
    assert copy.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("folder", ["форум №1", "a#b", "is it?", "100%25"])
def test_any_folder_holds_a_database_and_its_copies(tmp_path: Path, folder: str) -> None:
    home = tmp_path / folder
    home.mkdir()
    store = Store(home / "forumbot.db")
    upgrade(store)
    add(store, "Анна")
    copy = safekeeping.backup(store.file, home / "copy.db")
    add(store, "Борис")
    store.close()
    safekeeping.restore(copy, store.file)
    assert nicks(store.file) == ["Анна"]


def test_an_existing_file_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("something else")
    with pytest.raises(StoreError, match="уже есть"):
        safekeeping.backup(store.file, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "something else"


def test_a_copy_put_back_takes_the_place_and_the_old_one_is_kept(store: Store, tmp_path: Path) -> None:
    add(store, "Анна")
    copy = safekeeping.backup(store.file, tmp_path / "copy.db")
    add(store, "Борис")
    store.close()
    kept = safekeeping.restore(copy, store.file)
    assert nicks(store.file) == ["Анна"]
    assert kept is not None
    assert nicks(kept) == ["Анна", "Борис"]


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be read as one" * 100])
def test_a_broken_copy_is_refused_and_nothing_is_touched(store: Store, tmp_path: Path, content: bytes) -> None:
    add(store, "Анна")
    broken = tmp_path / "broken.db"
    broken.write_bytes(content)
    with pytest.raises(StoreError):
        safekeeping.restore(broken, store.file)
    assert nicks(store.file) == ["Анна"]


def test_a_copy_of_a_newer_program_is_refused_and_nothing_is_touched(store: Store, tmp_path: Path) -> None:
    add(store, "Анна")
    copy = safekeeping.backup(store.file, tmp_path / "copy.db")
    with Store(copy).write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="сначала обновите программу"):
        safekeeping.restore(copy, store.file)
    assert nicks(store.file) == ["Анна"]
    assert not list(store.file.parent.glob(f"{store.file.name}.old-*"))


def test_a_copy_that_cannot_be_made_is_told_in_russian(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"папки .* нет"):
        safekeeping.backup(store.file, tmp_path / "none" / "copy.db")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is not sqlite " * 200)
    with pytest.raises(StoreError, match="Копию сделать не удалось: это не база данных"):
        safekeeping.backup(broken, tmp_path / "copy.db")


def test_a_copy_that_is_not_there_is_told_so(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="такого файла нет"):
        safekeeping.restore(tmp_path / "none.db", store.file)


def test_a_corrupt_database_is_told_in_one_sentence_and_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "forumbot.db"
    file.write_bytes(b"this is not sqlite " * 200)
    store = Store(file)
    with pytest.raises(StoreError, match="не похож на базу") as told:
        upgrade(store)
    assert str(file) in str(told.value)
    assert file.read_bytes().startswith(b"this is not sqlite")


def test_migrations_make_exactly_the_tables_of_the_code(store: Store) -> None:
    inspected = sa.inspect(store.engine)
    assert set(inspected.get_table_names()) == {*metadata.tables, "alembic_version"}
    for name, table in metadata.tables.items():
        assert {column["name"] for column in inspected.get_columns(name)} == set(table.columns.keys()), name
    assert current(store) is not None


def test_a_database_of_a_newer_program_is_refused(store: Store) -> None:
    with store.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="более новой"):
        upgrade(store)


def test_a_reader_cannot_write(store: Store) -> None:
    with store.read() as connection, pytest.raises(sa.exc.OperationalError):
        connection.execute(sa.text("DELETE FROM people"))


def test_no_increment_is_lost_between_threads(store: Store) -> None:
    """The write engine takes the lock at BEGIN; the driver's own transactions would lose updates."""
    add(store, "0")

    def increment(_: int) -> None:
        with store.write() as connection:
            value = int(connection.execute(sa.select(people.c.nick)).scalar_one())
            connection.execute(people.update().values(nick=str(value + 1)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(increment, range(40)))
    assert nicks(store.file) == ["40"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_root_leaves_in_a_services_folder_is_the_services(tmp_path: Path) -> None:
    """«sudo forumbot restore» must not leave a database that the service cannot open; links are left alone."""
    folder, other = tmp_path / "data", tmp_path / "other"
    folder.mkdir()
    other.touch()
    (folder / "forumbot.db").touch()
    (folder / "hard").hardlink_to(other)
    (folder / "soft").symlink_to(other)
    ownership.hand_over(folder)
    assert (folder / "forumbot.db").stat().st_uid == 0
    os.chown(folder, 61234, 61234)
    ownership.hand_over(folder)
    assert (folder / "forumbot.db").stat().st_uid == 61234
    assert other.stat().st_uid == 0


def test_x12_a_copy_is_closed_to_others_from_its_first_byte_on(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: set[int] = set()
    connect = sqlite3.connect

    def watched(*args: object, **more: object) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*args, **more)  # type: ignore[call-overload]

        def look() -> int:
            modes.update(file.stat().st_mode & 0o777 for file in tmp_path.iterdir() if file.suffix in (".part", ".new"))
            return 0

        made.set_progress_handler(look, 1)
        return made

    monkeypatch.setattr(sqlite3, "connect", watched)
    before = os.umask(0)
    try:
        copy = safekeeping.backup(store.file, tmp_path / "copy.db")
        store.close()
        kept = safekeeping.restore(copy, store.file)
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert kept is not None
    assert {file.stat().st_mode & 0o777 for file in (copy, store.file, kept)} == {0o600}


def test_x12_a_new_database_is_closed_to_others(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = Store(tmp_path / "forumbot.db")
        upgrade(made)
        add(made, "Анна")
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
        made.close()
    finally:
        os.umask(before)


def with_keys(store: Store) -> str:
    """Somebody is logged in, a link is on its way, and a player has a code; gives the word of the link."""
    now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    with store.write() as connection:
        account = accounts.save(connection, "Мария", now, address="m@example.org")
        accounts.begin_session(connection, account, now)
        accounts.send_link(connection, "Мария", "https://desk.example", now)
        game = {"id": "g1", "ruleset": "clans", "title": "Игра", "config": {}, "tables": {}, "templates": {}, "seed": 1}
        connection.execute(games.insert().values(**game, version="0", stage="turn", turn=1, created_at=now))
        connection.execute(holders.insert().values(game_id="g1", seat="Анна", nick="Анна", proof_code="ABCD-EFGH", since=now))
        return str(connection.execute(sa.select(outbox.c.body)).scalar_one())


@pytest.mark.parametrize("how", ["backup", "an older copy"])
def test_x12_a_copy_and_what_is_put_back_let_nobody_in(store: Store, tmp_path: Path, how: str) -> None:
    link = re.search(r"/login/(\S+)", with_keys(store))
    assert link is not None
    copy = tmp_path / "copy.db"
    if how == "backup":
        safekeeping.backup(store.file, copy)
        raw = copy.read_bytes()
        assert link[1].encode() not in raw and b"ABCD-EFGH" not in raw
    else:
        store.close()
        shutil.copy(store.file, copy)
    store.close()
    safekeeping.restore(copy, store.file)
    assert link[1].encode() not in store.file.read_bytes() and b"ABCD-EFGH" not in store.file.read_bytes()
    back = Store(store.file)
    with back.read() as connection:
        assert connection.execute(sa.select(sessions)).all() == []
        assert connection.execute(sa.select(login_links)).all() == []
        (row,) = connection.execute(sa.select(outbox)).mappings()
        assert row["state"] == "failed" and "/login/" not in row["body"]
        code = connection.execute(sa.select(holders.c.proof_code)).scalar_one()
        assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", code) and code != "ABCD-EFGH"
    back.close()
