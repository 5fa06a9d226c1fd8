"""How cost grows with the number of games, with the length of threads, with the backlog and with the years.

All figures are CPU time of this process (the machine may be busy with something else); those of one run stand side by side
so that their ratios tell. Forum and mailbox are those of the hosting tests, in memory: they give the pages a real forum would
give, from the place that the daemon asks for.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
import structlog

from adapters.forum import Place, ThreadRead
from forumbot.store.tables import deadlines, games, letters, outbox, posts, threads, turns, verdicts
from tests.bench._backlog import pile_up
from tests.bench._cloning import clone, numbered
from tests.forumbot.hosting.fakes import BOT, FakeForum
from tests.forumbot.hosting.world import DAY_ONE, NICKS, World, make_world

SIZES = (1, 10, 100, 500)
BACKLOGS = (100, 4000, 16000)
THREADS = (100, 5000)
PLAYERS, PER_PAGE, MESSAGES = 12, 20, 20
_MEMORY = Path("/dev/shm")
"""Databases stand in memory where that can be: what a disk takes to keep a transaction is wall time, of which there would be
minutes, and no CPU."""
PAST_GAMES = 130
"""Games of a year that is over."""


def run() -> dict[str, float]:
    """Milliseconds of CPU by label, and memory."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    sizes = SIZES[:2] if os.environ.get("QUICK") else SIZES
    found: dict[str, float] = {}
    parts = (lambda folder: _by_games(folder, sizes), _by_backlog, _by_thread, _by_history)
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="bench-growth-", dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
            found |= dict(part(Path(folder)))
    return found


def _by_games(folder: Path, sizes: Sequence[int]) -> Iterator[tuple[str, float]]:
    world = _playing(folder)
    made = 1
    for size in sizes:
        clone(world.store, world.forum, world.game, numbered(range(made, size)))
        made = size
        world.restart()
        _quiet(world)
        yield f"idle tick ms, {size} games", 1000 * _least(world.tick, 5, before=lambda: world.clock.sleep(5))
        names = [world.game, *numbered(range(1, size)).values()]
        some = names[:: max(1, size // MESSAGES)][:MESSAGES]
        yield f"warm PM ms, {size} games", 1000 * _messages(world, some, _private)
        yield f"vote ms, {size} games", 1000 * _messages(world, some, _vote)
        if size == 10:  # its instrument makes everything slow
            yield "MiB a game", _memory(world, names)
    yield f"closes with papers s, {sizes[-1]} games", _close(world, sizes[-1])
    world.store.close()


def _memory(world: World, names: Sequence[str]) -> float:
    """MiB that a game takes once it has been heard from: what Python has allocated, since the system sees freed memory of
    earlier measurements, too."""
    tracemalloc.start()
    world.restart()
    _poll(world)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for name in names:
        _private(world, name, 5)
        _vote(world, name, 6)
    _quiet(world)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / len(names) / 2**20


def _playing(folder: Path) -> World:
    """One goldenkey game at noon of its first day."""
    world = make_world(folder, players=PLAYERS, tables={"min_players": 6})
    world.forum.__class__ = _Paged
    world.until(DAY_ONE + timedelta(minutes=5), step=timedelta(hours=1))
    _quiet(world)
    return world


class _Paged(FakeForum):
    """Gives the pages from the place on, as the real clients do."""

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        self._call()
        every = self.topics[topic].posts
        first = 0 if whole else (max(since.page, 1) - 1) * PER_PAGE
        page = max(1, (len(every) + PER_PAGE - 1) // PER_PAGE)
        last = every[-1].id if every else 0
        return ThreadRead(tuple(every[first:]), True, Place(last, page), self.topics[topic].subject, page)


def _quiet(world: World) -> None:
    """Read all there is, and let what waits be sent."""
    for _ in range(400):
        world.clock.sleep(61)
        world.tick()
        if not world.waiting():
            return


def _least(work: Callable[[], object], times: int, *, before: Callable[[], object] = lambda: None) -> float:
    """CPU seconds of the quickest of some tries."""
    found = []
    for _ in range(times):
        before()
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def _messages(world: World, names: Sequence[str], say: Callable[[World, str, int], None]) -> float:
    """CPU seconds that one message adds to a tick that polls; every game has been heard from before."""
    for name in names:
        say(world, name, 0)
    _poll(world)
    idle = _least(lambda: _poll(world), 2)
    best = []
    for turn in (1, 2, 3):
        for name in names:
            for place in range(max(1, MESSAGES // len(names))):
                say(world, name, turn + place)
        count = len(names) * max(1, MESSAGES // len(names))
        best.append((_least(lambda: _poll(world), 1) - idle) / count)
    return max(0.0, min(best))


def _poll(world: World) -> None:
    world.clock.sleep(61)
    world.tick()


def _number(name: str) -> int:
    return int(name[1:]) if name.startswith("g") and name != "gk1" else 0


def _private(world: World, name: str, place: int) -> None:
    nick = NICKS[place % PLAYERS]
    wish = f"Заявка на роль: {('Мальвина', 'Пьеро')[place % 2]}"
    world.forum.writes_pm(world.uid(nick) + 1000 * _number(name), nick, "ход", wish)


def _vote(world: World, name: str, place: int) -> None:
    nick, target = NICKS[place % PLAYERS], NICKS[(place + 3) % PLAYERS]
    topic = world.forum.find("День 1") + (f"-{_number(name)}" if _number(name) else "")
    world.forum.says(topic, world.uid(nick) + 1000 * _number(name), nick, f"[color=blue]Линч: {target}[/color]")


def _close(world: World, size: int) -> float:
    """CPU seconds from the hour of all games' lynch and night until all newspapers are in the outbox."""
    spent, before = 0.0, 0
    for name in ("lynch", "night"):
        named = deadlines.c.name == name, deadlines.c.done_at.is_(None)
        due: datetime = world.value(sa.select(sa.func.min(deadlines.c.due_at)).where(*named))
        world.clock.move_to(max(world.clock.now(), due + timedelta(seconds=40)))
        open_ = sa.select(sa.func.count()).select_from(deadlines).where(*named, deadlines.c.due_at <= due)
        for _ in range(50):
            began = time.process_time()
            sender, world.daemon._sender.run = world.daemon._sender.run, lambda *_: None  # type: ignore[method-assign, assignment]
            world.tick()
            world.daemon._sender.run = sender  # type: ignore[method-assign]
            spent += time.process_time() - began
            before = int(world.value(open_))
            if not before:
                break
            world.clock.sleep(20)
    papers = int(world.value(sa.select(sa.func.count()).select_from(turns).where(turns.c.report.is_not(None), turns.c.turn == 1)))
    if before or papers < size:
        raise RuntimeError(f"{before} deadlines open, {papers} newspapers of {size}")
    return spent


def _by_backlog(folder: Path) -> Iterator[tuple[str, float]]:
    world = _playing(folder)
    for size in BACKLOGS:
        pile_up(world, size)
        before = world.value(_waiting())
        spent = _least(lambda: [world.daemon.tick() for _ in range(3)], 1)
        sent = before - world.value(_waiting())
        yield f"sent row ms, backlog {size}", 1000 * spent / max(1, sent)
    world.store.close()


def _waiting() -> sa.Select[tuple[int]]:
    return sa.select(sa.func.count()).select_from(outbox).where(outbox.c.state == "waiting")


def _by_thread(folder: Path) -> Iterator[tuple[str, float]]:
    world = _playing(folder)
    topic = world.forum.find("День 1")
    for size in THREADS:
        while len(world.forum.topics[topic].posts) < size:
            nick = NICKS[len(world.forum.topics[topic].posts) % PLAYERS]
            world.forum.says(topic, world.uid(nick), nick, f"Просто болтаю, {len(world.forum.topics[topic].posts)}")
        _poll(world)
        idle = _least(lambda: _poll(world), 3)
        asked = world.forum.requests
        _poll(world)
        quiet = world.forum.requests - asked
        found, requests = [], 0
        for number in range(5):
            world.forum.says(topic, world.uid("Анна"), "Анна", f"и ещё слово {number}")
            asked = world.forum.requests
            found.append(_least(lambda: _poll(world), 1) - idle)
            requests = world.forum.requests - asked
        yield f"poll with one new post ms, {size} posts", 1000 * max(0.0, min(found))
        yield f"requests more for it, {size} posts", float(requests - quiet)
    world.store.close()


def _by_history(folder: Path) -> Iterator[tuple[str, float]]:
    world = _playing(folder)
    clone(world.store, world.forum, world.game, numbered(range(1, 10)))
    world.restart()
    _quiet(world)
    fresh = _least(world.tick, 7, before=lambda: world.clock.sleep(5))
    yield "idle tick ms, empty database", 1000 * fresh
    _age(world)
    world.restart()
    _quiet(world)
    old = _least(world.tick, 7, before=lambda: world.clock.sleep(5))
    yield "idle tick ms, year old database", 1000 * old
    yield "year old / empty", old / fresh
    world.store.close()


def _age(world: World) -> None:
    """A year of games that are over: 58 000 posts, 48 000 letters, 49 000 sent rows."""
    past = numbered(range(1000, 1000 + PAST_GAMES))
    clone(world.store, world.forum, world.game, past)
    now = world.clock.now()
    with world.store.write() as connection:
        connection.execute(sa.update(games).where(games.c.id.in_(past.values())).values(stage="over", winner="townsfolk"))
        connection.execute(sa.update(threads).where(threads.c.game_id.in_(past.values())).values(watched=False))
        connection.execute(sa.update(deadlines).where(deadlines.c.game_id.in_(past.values())).values(done_at=now))
        for place, (number, name) in enumerate(past.items()):
            thread = connection.execute(sa.select(sa.func.min(threads.c.id)).where(threads.c.game_id == name)).scalar_one()
            base = 10_000_000_000 + number * 10_000
            connection.execute(sa.insert(posts), [_post(base + one, name, thread, base + one, now) for one in range(450)])
            connection.execute(sa.insert(letters), [_letter(base + one, name, place, now) for one in range(370)])
            connection.execute(sa.insert(verdicts), [_verdict(base + one, name, now) for one in range(450)])
            connection.execute(sa.insert(outbox), [_sent(base + one, name, now) for one in range(377)])


def _post(row: int, game: str, thread: int, post: int, at: datetime) -> dict[str, object]:
    return {"id": row, "game_id": game, "thread_id": thread, "post_id": post, "version": 1, "author": "Анна", "author_uid": 10,
            "posted_at": at, "exact": True, "edited": False, "html": "просто болтаю", "digest": "x", "seen_at": at,
            "problems": []}  # fmt: skip


def _letter(row: int, game: str, place: int, at: datetime) -> dict[str, object]:
    return {"id": row, "channel": "pm", "source": f"old/{row}", "digest": str(row), "raw": b"x" * 200, "sender": "Анна",
            "sender_uid": 10 + 1000 * place, "subject": "ход", "text": "лечу Бориса", "kind": "letter", "auth": "pass",
            "received_at": at, "stored_at": at, "problems": [], "game_id": game, "seat": "Анна", "routed": "uid"}  # fmt: skip


def _verdict(row: int, game: str, at: datetime) -> dict[str, object]:
    return {"id": row, "game_id": game, "source": f"post:{row}", "seat": "Анна", "author": "Анна", "channel": "post", "turn": 1,
            "at": at, "judged_at": at, "outcome": "ignored", "text": "просто болтаю", "orders": [], "version": "0"}  # fmt: skip


def _sent(row: int, game: str, at: datetime) -> dict[str, object]:
    return {"id": row, "game_id": game, "key": f"{game}/old/{row}", "kind": "pm", "priority": 50, "subject": "ход",
            "target": {"uid": BOT.uid, "nick": "Анна"}, "body": "Принято", "state": "sent", "attempts": 1, "not_before": at,
            "created_at": at, "sent_at": at}  # fmt: skip
