"""The daemon's life: words to systemd, figures for Prometheus, patience with the database."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from forumbot.cli.main import main
from forumbot.hosting.core.notify import Pulse, notify, watchdog_seconds
from forumbot.hosting.core.overview import look, sentence
from forumbot.hosting.daemon.metrics import Metrics, MetricsError
from forumbot.hosting.daemon.running import Runner
from forumbot.store.database import StoreError
from tests.forumbot.hosting.world import World, make_world


class Systemd:
    """The other end of the notify socket."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        words: list[str] = []
        while True:
            try:
                words.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return words

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    made = Systemd(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    yield made
    made.close()


def test_a_notify_socket_that_nobody_empties_holds_nothing_up(systemd: Systemd) -> None:
    """T59: systemd hangs with a full queue; the daemon goes on without its word."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other, suppress(BlockingIOError):
        other.setblocking(False)
        while True:
            other.sendto(b"WATCHDOG=1", os.environ["NOTIFY_SOCKET"])
    speaking = threading.Thread(target=notify, args=("WATCHDOG=1",), daemon=True)
    speaking.start()
    speaking.join(timeout=20)
    assert not speaking.is_alive()
    assert set(systemd.heard()) == {"WATCHDOG=1"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    folder = tmp_path / "site"
    folder.mkdir()
    return make_world(folder, players=1)


def runner(world: World, metrics: Metrics | None = None) -> Runner:
    return Runner(world.daemon, world.store, world.clock, metrics, lambda: (12, 3456), look_every=0)


def broken(world: World, monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> None:
    def tick() -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(world.daemon, "tick", tick)


def test_a_tick_that_ends_is_a_sign_of_life_and_tells_the_state(world: World, systemd: Systemd) -> None:
    runner(world).once()
    heard = systemd.heard()
    assert heard[-1] == "WATCHDOG=1"
    (status,) = [words for words in heard if words.startswith("STATUS=")]
    assert status.startswith("STATUS=игр: 1; до срока")


def test_a_status_is_told_again_only_when_it_changes(world: World, systemd: Systemd) -> None:
    run = runner(world)
    run.once()
    systemd.heard()
    run.once()
    assert systemd.heard() == ["WATCHDOG=1"]


def test_a_tick_that_breaks_is_no_sign_of_life(world: World, systemd: Systemd, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(world, monkeypatch, RuntimeError("a fault of the program"))
    with pytest.raises(RuntimeError):
        runner(world).once()
    assert "WATCHDOG=1" not in systemd.heard()


def test_a_database_that_cannot_be_used_is_told_once_and_waited_for(
    world: World, systemd: Systemd, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runner(world)
    broken(world, monkeypatch, StoreError("На диске нет места: освободите место, бот продолжит сам"))
    for _ in range(3):
        run.once()
    heard = systemd.heard()
    assert heard.count("STATUS=На диске нет места: освободите место, бот продолжит сам") == 1
    assert heard.count("WATCHDOG=1") == 3
    broken(world, monkeypatch, None)
    run.once()
    assert systemd.heard()[0].startswith("STATUS=игр: 1")


def test_the_interval_is_at_most_half_of_what_the_watchdog_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    class Scheduler:
        def __init__(self, **_: object) -> None:
            pass

        def add_job(self, _job: Callable[[], None], _kind: str, *, seconds: float, **_more: object) -> None:
            seen.append(seconds)

        def start(self) -> None:
            pass

    monkeypatch.setattr("apscheduler.schedulers.blocking.BlockingScheduler", Scheduler)
    monkeypatch.setattr(world.clock, "wall_seconds", lambda seconds: seconds)
    for waits in ("4000000", "900000000"):
        monkeypatch.setenv("WATCHDOG_USEC", waits)
        runner(world).run(tick_seconds=5, stopping=lambda: False)
    assert seen == [2.0, 5.0]


def test_the_watchdog_of_another_process_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "4000000")
    assert watchdog_seconds() == 4
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert watchdog_seconds() is None


def test_a_socket_that_is_gone_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nowhere"))
    notify("READY=1")


@pytest.fixture
def served() -> Iterator[tuple[Metrics, int]]:
    metrics = Metrics()
    port = metrics.serve(0)
    yield metrics, port
    metrics.close()


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


def test_figures_tell_the_state_and_no_person(world: World, served: tuple[Metrics, int]) -> None:
    metrics, port = served
    runner(world, metrics).once()
    told = scraped(port)
    assert 'forumbot_games{stage="signup"} 1.0' in told
    assert "forumbot_forum_requests 12.0" in told
    assert "forumbot_next_deadline_timestamp_seconds" in told
    assert not any(nick in told for nick in ("Анна", "Борис", "Вера"))


def test_one_who_asks_and_hangs_delays_no_tick(world: World, served: tuple[Metrics, int]) -> None:
    metrics, port = served
    run = runner(world, metrics)
    hanging = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
    for one in hanging:
        one.sendall(b"GET /metrics HTTP/1.1\r\nHost:")  # and never ends
    for _ in range(3):
        run.once()
    assert "forumbot_looks_total 3.0" in scraped(port)
    for one in hanging:
        one.close()


def test_figures_are_on_the_loopback_address_only(served: tuple[Metrics, int]) -> None:
    metrics, port = served
    assert metrics._server.server_address[0] == "127.0.0.1"
    with pytest.raises(MetricsError, match=f"Порт {port} для metrics_port занят"):
        Metrics().serve(port)


def test_the_overview_counts_what_waits(world: World) -> None:
    view = look(world.store)
    assert view.live == 1
    assert view.games == {"signup": 1}
    assert view.next_due is not None
    assert sentence(view, world.clock.now()).startswith("игр: 1; до срока")


# --- a database that cannot be used -------------------------------------------------------------------------------------


def on_the_writer(world: World, *pragmas: str) -> None:
    """Set pragmas on the connection that the next writing takes."""
    connection = world.store.engine.raw_connection()
    for pragma in pragmas:
        connection.cursor().execute(f"PRAGMA {pragma}")
    connection.close()


def rows(world: World) -> int:
    with closing(sqlite3.connect(world.site.database)) as database:
        return sum(int(database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) for name in ("posts", "letters", "outbox"))


def says_much(world: World) -> None:
    for _ in range(40):
        world.says("Анна", "болтаю " * 400, thread=world.forum.find("Запись"))
    world.clock.sleep(61)


def test_a_full_disk_stops_nothing_for_good(world: World, systemd: Systemd) -> None:
    run = runner(world)
    before = rows(world)
    with closing(sqlite3.connect(world.site.database)) as database:
        pages = database.execute("PRAGMA page_count").fetchone()[0]
    on_the_writer(world, f"max_page_count={pages}")
    says_much(world)
    run.once()
    assert any(words.startswith("STATUS=На диске нет места") for words in systemd.heard())
    assert rows(world) == before
    on_the_writer(world, "max_page_count=100000")
    world.clock.sleep(61)
    run.once()
    assert systemd.heard()[-1] == "WATCHDOG=1"
    assert rows(world) >= before + 40


def test_a_disk_that_became_read_only_is_told_and_waited_for(world: World, systemd: Systemd) -> None:
    run = runner(world)
    on_the_writer(world, "query_only=ON")
    says_much(world)
    run.once()
    assert any("только для чтения" in words for words in systemd.heard())
    on_the_writer(world, "query_only=OFF")
    run.once()
    assert any(words.startswith("STATUS=игр: 1") for words in systemd.heard())
    assert world.value(sa.text("SELECT count(*) FROM posts")) >= 40


def test_a_locked_database_is_told_and_waited_for(world: World, systemd: Systemd) -> None:
    run = runner(world)
    on_the_writer(world, "busy_timeout=0")
    says_much(world)
    with closing(sqlite3.connect(world.site.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run.once()
        other.execute("ROLLBACK")
    assert any("занята другой программой" in words for words in systemd.heard())
    run.once()
    assert world.value(sa.text("SELECT count(*) FROM posts")) >= 40


@pytest.mark.parametrize("damage", ["head", "middle"])
def test_a_corrupt_database_is_told_and_left_alone(world: World, systemd: Systemd, damage: str, tmp_path: Path) -> None:
    world.settle()
    world.store.close()
    file = world.site.database
    whole = bytearray(file.read_bytes())
    start = 0 if damage == "head" else 4096
    end = 100 if damage == "head" else len(whole)
    whole[start:end] = b"\xa5" * (end - start)
    file.write_bytes(whole)
    for tail in ("-wal", "-shm"):
        file.with_name(file.name + tail).unlink(missing_ok=True)
    run = runner(world)
    run.once()
    (status,) = [words for words in systemd.heard() if words.startswith("STATUS=")]
    assert "ничего не перезаписано" in status
    world.store.close()
    assert file.read_bytes() == bytes(whole)


_LIMITED = """
import resource, sys
from pathlib import Path
from forumbot.store.database import Store, StoreError
import sqlalchemy as sa
file = Path(sys.argv[1])
store = Store(file)
def write(text):
    with store.write() as connection:
        connection.execute(sa.text("INSERT INTO notes VALUES (:text)"), {"text": text})
with store.write() as connection:
    connection.execute(sa.text("CREATE TABLE notes (text TEXT)"))
write("first")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
try:
    write("x" * 1_000_000)
except StoreError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
write("second")
with store.read() as connection:
    print(connection.execute(sa.text("SELECT group_concat(text, '+') FROM notes")).scalar())
"""


def test_a_disk_that_takes_no_more_in_mid_writing_loses_nothing(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", _LIMITED, str(tmp_path / "x.db")], capture_output=True, text=True, check=True)
    sentence_told, kept = ran.stdout.splitlines()
    assert "бот продолжит сам" in sentence_told
    assert kept == "first+second"


@pytest.mark.parametrize("content", [b"this is a letter to grandmother" * 100, b"\xa5" * 8192])
def test_a_file_that_is_no_database_is_refused_at_the_start_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "forumbot.db"
    file.write_bytes(content)
    config = tmp_path / "forumbot.toml"
    config.write_text('[site]\ndata = "data"\n[forum]\nengine = "ucoz"\nurl = "http://x.invalid"\nuser = "Бот"\n')
    for command in ("run", "status", "check"):
        told = CliRunner().invoke(main, [command, "--config", str(config), *(["--offline"] if command == "check" else [])])
        assert told.exit_code == 2, told.output
        assert "ничего не перезаписано" in told.output
        assert file.read_bytes() == content


def test_s01_a_tick_that_works_for_long_says_so_within_the_minute(world: World, systemd: Systemd) -> None:
    """A forum of many pages, two seconds each."""
    pulse, heard = Pulse(world.clock), 0
    for _ in range(460):
        world.clock.sleep(2)
        pulse()
        heard += len(systemd.heard())
    assert heard >= 460 * 2 // 60
