"""T59: what hangs at 20:59 - mail that does not answer, a copy on a slow disk - does not delay 21:00."""

import sqlite3
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.errors import OutsideError, UnknownOutcome, Unreachable
from forumbot.hosting.core import outbox as rows
from forumbot.store import safekeeping
from forumbot.store.tables import outbox
from tests.forumbot.hosting.test_deadlines import LYNCH, resolved
from tests.forumbot.hosting.world import World, count, votes

TIMEOUT = 40.0
"""Seconds that a server which does not answer costs."""
SOON = timedelta(seconds=30)


def heap(world: World, kind: rows.Kind, target: dict[str, Any]) -> None:
    """Thirty things to send, all due."""
    with world.store.write() as connection:
        for number in range(30):
            more: dict[str, Any] = {"game_id": world.game, "priority": rows.RESULTS, "now": world.clock.now()}
            rows.put(connection, f"heap/{number}", kind, target, "Ночь", f"Письмо {number}", **more)


def slow(send: Callable[..., Any], world: World, error: OutsideError | None) -> Callable[..., Any]:
    def sending(*args: Any, **more: Any) -> Any:
        world.clock.sleep(TIMEOUT)
        if error is not None:
            raise error
        return send(*args, **more)

    return sending


def evening(world: World) -> datetime | None:
    """From two minutes before the deadline to two minutes after it, a tick every five seconds; when it was resolved."""
    world.clock.move_to(LYNCH - timedelta(minutes=2))
    while world.clock.now() < LYNCH + timedelta(minutes=2):
        world.tick()
        world.clock.sleep(5)
    return resolved(world, "lynch")


@pytest.mark.parametrize("error", [Unreachable("timed out"), UnknownOutcome("timed out"), None], ids=repr)
def test_a_heap_of_letters_to_a_slow_mail_server_does_not_delay_the_deadline(day: World, error: OutsideError | None) -> None:
    """Neither time-outs add up, nor letters that go out slowly."""
    day.says("Анна", "[color=blue]Борис[/color]")
    heap(day, "letter", {"address": "anna@example.org"})
    day.mail.send = slow(day.mail.send, day, error)  # type: ignore[method-assign]
    at = evening(day)
    assert at is not None
    assert at <= LYNCH + SOON
    assert votes(day) == {"Борис": 1}
    del day.mail.send
    for _ in range(15):
        day.settle()
    done = day.rows(sa.select(outbox).where(outbox.c.key.startswith("heap/")))
    arrived = [text for subject, text in day.mail.letters_to("anna@example.org") if subject == "Ночь"]
    assert sorted(arrived) == sorted(row["body"] for row in done if row["state"] == "sent")
    lost = [row["error"] for row in done if row["state"] != "sent"]
    assert [words for words in lost if "отправлено 3 раза" not in words] == [], "tried often enough, or sent"
    assert len(lost) <= isinstance(error, UnknownOutcome)


def test_a_heap_of_private_messages_to_a_slow_forum_does_not_delay_the_deadline(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    heap(day, "pm", {"uid": 10, "nick": "Анна"})
    day.forum.send_pm = slow(day.forum.send_pm, day, Unreachable("timed out"))  # type: ignore[method-assign]
    at = evening(day)
    assert at is not None
    assert at <= LYNCH + SOON


def test_what_waits_goes_out_although_a_deadline_is_held(day: World) -> None:
    """A deadline that waits for the forum makes room: the host must hear of it."""
    kept = day.forum.topics.pop(day.forum.find("День 1"))
    day.clock.move_to(LYNCH + timedelta(seconds=1))
    heap(day, "letter", {"address": "anna@example.org"})
    day.tick()
    assert count(day, outbox, outbox.c.state == "waiting", outbox.c.key.startswith("heap/")) == 30
    day.clock.sleep(61)
    for _ in range(3):
        day.tick()
    assert count(day, outbox, outbox.c.state == "waiting", outbox.c.key.startswith("heap/")) == 0
    assert kept.posts
    assert resolved(day, "lynch") is None


class Hanging:
    """A backup whose disk stops in the middle of the copy, until ``goes_on``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hangs, self._on = threading.Event(), threading.Event()
        self._connect = sqlite3.connect
        monkeypatch.setattr(safekeeping.sqlite3, "connect", self._slowly)

    def _slowly(self, *args: Any, **more: Any) -> sqlite3.Connection:
        made = self._connect(*args, **more)
        if "mode=ro" in str(args[0]):
            made.set_progress_handler(self._wait, 50)
        return made

    def _wait(self) -> int:
        self.hangs.set()
        return 0 if self._on.wait(timeout=60) else 1

    def goes_on(self) -> None:
        self._on.set()


def test_a_backup_that_hangs_does_not_hold_the_resolution(day: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    hanging = Hanging(monkeypatch)
    copies: list[Path] = []
    work = threading.Thread(target=lambda: copies.append(safekeeping.backup(day.store.file, tmp_path / "copy.db")))
    work.start()
    assert hanging.hangs.wait(timeout=60)
    at = evening(day)
    hanging.goes_on()
    work.join(timeout=60)
    assert at is not None
    assert at <= LYNCH + SOON
    assert copies == [tmp_path / "copy.db"]
    safekeeping.verify(copies[0])
