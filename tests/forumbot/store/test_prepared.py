"""Statements that the driver runs itself: the same values in and out as by the long way, and the same errors."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.store.database import Store, StoreError, apart
from forumbot.store.migrate import upgrade
from forumbot.store.prepared import Prepared, insertion
from forumbot.store.tables import outbox

NOW = datetime(2026, 11, 29, 20, tzinfo=UTC)
_ONE = Prepared(sa.select(outbox).where(outbox.c.key == sa.bindparam("key"), outbox.c.not_before <= sa.bindparam("now")))
_SENT = Prepared(
    outbox.update()
    .where(outbox.c.key == sa.bindparam("of"))
    .values(state="sent", attempts=outbox.c.attempts + 1, result=sa.bindparam("noted", type_=outbox.c.result.type))
    .returning(outbox)
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "x.db")
    upgrade(made)
    row = {"key": "a", "kind": "letter", "priority": 1, "subject": "ход", "target": {"address": "a@b"}, "body": "слово",
           "state": "waiting", "attempts": 0, "not_before": NOW, "created_at": NOW}  # fmt: skip
    with made.write() as connection:
        connection.execute(sa.insert(outbox), [row, {**row, "key": "b"}])
    return made


def test_a_row_is_the_one_that_the_long_way_gives(store: Store) -> None:
    with store.read() as connection:
        by_the_long_way = dict(connection.execute(sa.select(outbox).where(outbox.c.key == "a")).mappings().one())
        assert _ONE.first(connection, key="a", now=NOW) == by_the_long_way
        assert _ONE.rows(connection, key="a", now=NOW) == [by_the_long_way]
        assert _ONE.first(connection, key="a", now=NOW.replace(year=2025)) is None


def test_a_writing_statement_gives_what_it_wrote_and_ends_with_its_transaction(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as connection:
        written = _SENT.first(connection, of="a", noted={"b": 1, "a": None})
        assert written is not None
        assert (written["state"], written["attempts"], written["result"]) == ("sent", 1, {"a": None, "b": 1})
        raise ZeroDivisionError
    with store.read() as connection:
        assert _ONE.rows(connection, key="a", now=NOW)[0]["state"] == "waiting"


def test_what_the_database_refuses_is_told_in_the_same_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="только для чтения"), store.read() as connection:
        _SENT.first(connection, of="a", noted={})


def test_a_value_that_was_forgotten_is_an_error_and_no_empty_one(store: Store) -> None:
    with store.read() as connection:
        with pytest.raises(sa.exc.DBAPIError, match="supply a value"):
            _ONE.rows(connection, now=NOW)
        with pytest.raises(KeyError):
            _ONE.rows(connection, key="a")


def test_an_insertion_says_whether_there_was_such_a_row(store: Store) -> None:
    fixed: dict[str, object] = {"kind": "pm", "priority": 1, "subject": "", "body": "", "state": "waiting", "attempts": 0}
    put = insertion(outbox, "key", "target", "not_before", "created_at", unique="key", **fixed)
    with store.write() as connection:
        made = [put.run(connection, key=key, target={}, not_before=NOW, created_at=NOW).rowcount for key in ("c", "c")]
    assert made == [1, 0]


def test_what_is_set_apart_is_done_whole_or_not_at_all_and_the_rest_stays(store: Store) -> None:
    with store.write() as connection:
        _SENT.first(connection, of="a", noted={})
        with pytest.raises(ZeroDivisionError), apart(connection):
            _SENT.first(connection, of="b", noted={})
            with apart(connection):
                connection.execute(outbox.delete())
            raise ZeroDivisionError
        with apart(connection):
            connection.execute(outbox.update().where(outbox.c.key == "b").values(attempts=7))
    with store.read() as connection:
        states = connection.execute(sa.select(outbox.c.state, outbox.c.attempts).order_by(outbox.c.key)).all()
    assert states == [("sent", 1), ("waiting", 7)]
