"""IDLE as a hint: a letter that is heard of is answered at once; what befalls the listening costs nothing but the hint."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
import sqlalchemy as sa

from adapters.errors import MailLoginFailed, OutsideError, Unreachable
from adapters.mailbox import MailPlace
from adapters.model import Envelope
from forumbot.hosting.daemon.listening import PATIENCE, REFUSED, REST, Listener
from forumbot.hosting.daemon.running import Runner
from forumbot.store.tables import holders
from tests.forumbot.hosting.fakes import FakeMail
from tests.forumbot.hosting.world import World, make_world

HOME = "anna@home.example"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A sign-up; everything was read just now."""
    made = make_world(tmp_path, players=2)
    made.clock.sleep(61)
    made.tick()
    return made


def writes(world: World) -> None:
    """Анна proves her address, which the bot answers by letter."""
    code = world.value(sa.select(holders.c.proof_code).where(holders.c.seat == "Анна"))
    world.mail.arrives(HOME, "код", str(code))


def answered(world: World) -> bool:
    return any("адрес принят" in subject for subject, _ in world.mail.letters_to(HOME))


def ear_of(world: World) -> FakeMail:
    """The same mailbox on a line of its own, which has heard of all that is there."""
    return FakeMail(world.clock, envelopes=world.mail.envelopes, heard=len(world.mail.envelopes))


def runner(world: World, ear: object) -> Runner:
    return Runner(world.daemon, world.store, world.clock, ear=ear)  # type: ignore[arg-type]


def listener(world: World) -> Listener:
    ear = ear_of(world)
    return Listener(ear, threading.Lock(), heard_by(runner(world, ear)))


def heard_by(run: Runner) -> Callable[[], None]:
    """What the listener calls, where the tick that it asks for comes at once."""
    return partial(run._hear, run.once)


def test_a_letter_that_is_heard_of_is_answered_at_once_and_the_forum_keeps_its_pace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    read, inbox = world.forum.read_thread, world.forum.inbox
    monkeypatch.setattr(world.forum, "read_thread", lambda *a, **k: looks.append("thread") or read(*a, **k))
    monkeypatch.setattr(world.forum, "inbox", lambda **k: looks.append("pm") or inbox(**k))
    listening = listener(world)
    world.clock.sleep(5)
    writes(world)
    world.tick()
    assert not answered(world)  # by the clock the mailbox is looked at once a minute
    assert listening.once() == REST
    assert answered(world)
    assert looks == []
    world.clock.sleep(56)
    world.tick()
    assert {"thread", "pm"} <= set(looks)


def test_an_ear_that_hears_nothing_ticks_nothing(world: World) -> None:
    listening = listener(world)
    writes(world)
    assert listening.once() == REST
    assert answered(world)
    assert listening.once() == REST  # our own copy of the answer
    world.daemon.tick = lambda: pytest.fail("no news, no tick")  # type: ignore[method-assign]
    assert listening.once() == REST


@pytest.mark.parametrize(
    ("trouble", "rest"), [(Unreachable("EOF"), PATIENCE), (MailLoginFailed("no"), REFUSED), (RuntimeError("a fault"), PATIENCE)]
)
def test_a_dead_ear_costs_nothing_but_the_hint(world: World, trouble: Exception, rest: float) -> None:
    """T47: polls by time go on."""
    ear = ear_of(world)
    if isinstance(trouble, OutsideError):
        ear.failing = [trouble]
        heard: Callable[[], None] = heard_by(runner(world, ear))
    else:

        def heard() -> None:
            raise trouble

    turn = threading.Lock()
    listening = Listener(ear, turn, heard)
    writes(world)
    assert listening.once() == rest
    assert not turn.locked()
    assert not answered(world)
    world.clock.sleep(61)
    world.tick()
    assert answered(world)


class Patient:
    """A mailbox that is listened to until it is told to stop; ``news`` makes each listening hear something first."""

    def __init__(self, *, news: bool = False) -> None:
        self.news = news
        self.listening = threading.Event()
        self.closed = threading.Event()

    def fetch(self, since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        return (), since

    def count(self) -> int:
        return 0

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        self.listening.set()
        while not self.news and not stop():
            threading.Event().wait(0.001)
        return self.news

    def close(self) -> None:
        self.closed.set()


def test_listening_ends_with_the_block() -> None:
    ear = Patient()
    with Listener(ear, threading.Lock(), lambda: None) as listening:
        assert ear.listening.wait(10)
    assert ear.closed.wait(10)
    assert not listening._thread.is_alive()


def test_a_tick_that_the_end_finds_at_work_is_finished_first() -> None:
    done: list[bool] = []
    started = threading.Event()

    def heard() -> None:
        started.set()
        listening._stop.wait(10)
        done.append(True)

    listening = Listener(Patient(news=True), threading.Lock(), heard)
    with listening:
        assert started.wait(10)
    assert done == [True]
    assert listening.once() == REST
    assert done == [True]


class Scheduler:
    """Runs nothing by itself but the early ticks, of which it waits for one where any is to come."""

    waits: ClassVar[bool]

    def __init__(self, **_: object) -> None:
        self._early: queue.Queue[Callable[[], None]] = queue.Queue()

    def add_job(self, work: Callable[[], None], trigger: str, **_: object) -> None:
        if trigger == "date":
            self._early.put(work)

    def start(self) -> None:
        if self.waits:
            self._early.get(timeout=10)()


@pytest.mark.parametrize(("tick", "listens"), [(5.0, True), (0.02, False)], ids=["real", "fast virtual clock"])
def test_x01_the_daemon_listens_between_its_ticks_and_ticks_in_its_own_thread(
    world: World, monkeypatch: pytest.MonkeyPatch, tick: float, listens: bool
) -> None:
    """Only there the budget of a message breaks off whatever runs, a regular expression, too."""
    ear, threads = Patient(news=True), list[threading.Thread]()
    monkeypatch.setattr("apscheduler.schedulers.blocking.BlockingScheduler", Scheduler)
    monkeypatch.setattr(world.daemon, "tick", lambda: threads.append(threading.current_thread()))
    monkeypatch.setattr(world.clock, "wall_seconds", lambda seconds: seconds)
    monkeypatch.setattr(Scheduler, "waits", listens, raising=False)
    runner(world, ear).run(tick_seconds=tick, stopping=lambda: False)
    assert set(threads) == ({threading.main_thread()} if listens else set())
    assert ear.listening.is_set() is listens


def test_x01_an_early_tick_is_taken_by_the_true_scheduler_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = list[threading.Thread]()
    monkeypatch.setattr(world.daemon, "tick", lambda: threads.append(threading.current_thread()))
    monkeypatch.setattr(world.clock, "wall_seconds", lambda seconds: seconds)
    ear = Patient(news=True)
    runner(world, ear).run(tick_seconds=600, stopping=lambda: bool(threads))
    assert threads == [threading.main_thread()]
