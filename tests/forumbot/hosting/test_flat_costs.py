"""What a tick costs does not grow with the games that are quiet, with what is over, or with what waits: counted, never timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser

from adapters.errors import Unreachable
from adapters.forum import Place, Progress, ThreadRead
from adapters.http import Answer
from adapters.model import Page, Post
from adapters.threads import Fetched, ThreadReading
from forumbot.hosting.core.stirring import LEAST, LONGEST_ROUND, Stirring
from forumbot.hosting.inbox import postsin, routing
from forumbot.hosting.people import whereabouts
from forumbot.store.atwork import LIVE_GAME
from forumbot.store.tables import acts, deadlines, games, holders, letters, outbox, places, posts, threads, verdicts
from tests.bench._backlog import pile_up
from tests.bench._cloning import clone, numbered
from tests.forumbot.hosting.fakes import FakeForum
from tests.forumbot.hosting.world import DAY_ONE, World, count, make_world, votes


@contextmanager
def statements(world: World) -> Iterator[list[str]]:
    """Collects every statement that the database is asked meanwhile."""
    found: list[str] = []

    def trace(raw: Any, *_: object) -> None:
        raw.set_trace_callback(found.append)

    engines = world.store._writer, world.store._reader
    for engine in engines:
        sa.event.listen(engine, "checkout", trace)
    try:
        yield found
    finally:
        for engine in engines:
            sa.event.remove(engine, "checkout", trace)
            with engine.connect() as connection:
                connection.connection.driver_connection.set_trace_callback(None)  # type: ignore[union-attr]


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = make_world(tmp_path, players=8, tables={"min_players": 6})
    made.until(DAY_ONE + timedelta(minutes=5), step=timedelta(hours=1))
    made.settle()
    return made


def many(world: World, number: int) -> None:
    """The game and so many copies of it, all at rest."""
    clone(world.store, world.forum, world.game, numbered(range(1, number)))
    world.restart()
    world.settle()
    world.tick()


def in_a_tick(world: World) -> int:
    world.clock.sleep(5)
    with statements(world) as found:
        world.tick()
    return len(found)


def test_s03_an_idle_tick_of_fifty_games_asks_the_database_what_one_of_one_game_asks(world: World) -> None:
    world.tick()
    alone = in_a_tick(world)
    many(world, 50)
    assert in_a_tick(world) <= alone
    assert alone < 40


def test_s03_an_idle_tick_writes_nothing(world: World) -> None:
    world.tick()
    world.clock.sleep(5)
    with statements(world) as found:
        world.tick()
    assert not [text for text in found if text.startswith(("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE"))]


def test_s03_a_message_stirs_its_own_game_and_no_other(world: World) -> None:
    many(world, 10)
    world.says("Анна", "[color=blue]Линч: Вера[/color]", thread=world.forum.find("День 1"))
    world.clock.sleep(5)
    with world.store.write() as connection:  # of all threads this one alone is due
        connection.execute(threads.update().values(polled_at=world.clock.now()))
        mine = threads.c.game_id == world.game, threads.c.kind == "day"
        connection.execute(threads.update().where(*mine).values(polled_at=None))
    world.daemon._poller._tried.clear()
    with statements(world) as found:
        world.tick()
    settled = [text for text in found if text.startswith("SELECT games.id, games.ruleset")]
    assert len(settled) == 1
    assert votes(world)["Вера"] == 1


def test_s03_a_deadline_and_an_act_stir_their_game_within_the_minute(world: World) -> None:
    from forumbot.hosting.acts import acts as table

    many(world, 3)
    with world.store.write() as connection:
        table.ask(connection, world.game, "ведущий", "pause", {}, world.clock.now())
    world.clock.sleep(5)
    world.tick()
    assert world.value(sa.select(games.c.paused_at).where(games.c.id == world.game)) is not None
    assert world.value(sa.select(acts.c.error)) is None
    due = sa.select(sa.func.min(deadlines.c.due_at)).where(deadlines.c.game_id == "g1", deadlines.c.done_at.is_(None))
    at = world.value(due)
    world.clock.move_to(at - timedelta(seconds=2))
    world.tick()
    world.clock.sleep(4)
    world.tick()
    assert world.value(due) > at or world.value(sa.select(deadlines.c.held_since).where(deadlines.c.due_at == at).limit(1))


def test_s03_what_only_time_brings_about_is_seen_within_a_minute(world: World) -> None:
    many(world, 3)
    for _ in range(13):
        world.clock.sleep(5)
        with statements(world) as found:
            world.tick()
        if len([text for text in found if text.startswith("SELECT games.id, games.ruleset")]) >= 3:
            return
    raise AssertionError("not all games were looked at")


def looked_at(world: World) -> int:
    """How many games a tick five seconds later looks at."""
    world.clock.sleep(5)
    with statements(world) as found:
        world.tick()
    return len([text for text in found if text.startswith("SELECT games.id, games.ruleset")])


def test_s03_no_tick_looks_at_many_games_and_each_has_its_turn_within_the_longest_round(world: World) -> None:
    many(world, 60)
    ticks = [looked_at(world) for _ in range(2 * int(LONGEST_ROUND / timedelta(seconds=5)))]
    assert max(ticks) <= LEAST
    assert sum(ticks) >= 2 * 60


def test_s03_where_ticks_are_rare_all_games_are_looked_at_all_the_same(world: World) -> None:
    many(world, 30)
    world.clock.sleep(LONGEST_ROUND.total_seconds())
    assert looked_at(world) == 30


def test_s03_games_are_looked_at_after_the_clock_was_put_back(world: World) -> None:
    many(world, 3)
    stirring, now = Stirring(), world.clock.now()
    with world.store.read() as connection:
        assert len(stirring.look(connection, now)) == 3
        assert stirring.look(connection, now) == []
        assert len(stirring.look(connection, now - timedelta(hours=1))) == 3


# Letters ------------------------------------------------------------------------------------------------------------------


def test_s04_routing_a_message_asks_as_much_of_thirty_games_as_of_one(world: World) -> None:
    def routed() -> int:
        world.pm("Анна", "Заявка на роль: Мальвина")
        world.daemon._intake.private_messages()
        with statements(world) as found:
            world.daemon._route()
        return len(found)

    routed()
    alone = routed()
    many(world, 30)
    assert routed() == alone


def test_s04_a_letters_sender_is_found_by_any_case_of_his_address_and_never_where_he_no_longer_plays(world: World) -> None:
    many(world, 2)
    mine = holders.c.game_id == world.game
    with world.store.write() as connection:
        connection.execute(holders.update().where(mine, holders.c.seat == "Анна").values(address="Anna@Mail.test"))
        connection.execute(holders.update().where(mine, holders.c.seat == "Борис").values(address="борис@почта.тест"))
        elsewhere = holders.c.game_id == "g1", holders.c.seat == "Анна"
        connection.execute(holders.update().where(*elsewhere).values(address="anna@mail.test"))
        connection.execute(games.update().where(games.c.id == "g1").values(stage="over"))
    with world.store.read() as connection:
        found = whereabouts.of_address(connection, "ANNA@mail.TEST")
        assert {game: [one.seat for one in having] for game, having in found.items()} == {world.game: ["Анна"]}
        assert set(whereabouts.of_address(connection, "борис@ПОЧТА.тест")) == set()
        assert set(whereabouts.of_address(connection, "борис@почта.тест")) == {world.game}
        assert whereabouts.of_address(connection, "") == {}
        assert set(whereabouts.of_uid(connection, world.uid("Анна"))) == {world.game}
        assert whereabouts.of_uid(connection, None) == {}


def test_s04_a_letter_full_of_words_like_codes_is_looked_up_in_parts(world: World) -> None:
    code = world.value(sa.select(holders.c.proof_code).where(holders.c.seat == "Анна"))
    with world.store.read() as connection:
        found = list(whereabouts.of_codes(connection, {f"AAAA-{number:04}" for number in range(2000)} | {code}))
    assert [holder.seat for _, holder in found] == ["Анна"]


# History ------------------------------------------------------------------------------------------------------------------

_AT_WORK = (
    (sa.select(routing.letters.c.id).where(letters.c.routed.is_(None)), "ix_letters_unrouted"),
    (sa.select(acts.c.id).where(acts.c.done_at.is_(None)), "ix_acts_open"),
    (sa.select(holders.c.id).where(holders.c.uid == 5, holders.c.until.is_(None)), "ix_holders_living_uid"),
    (sa.select(games.c.id).where(LIVE_GAME), "ix_games_stage"),
)


@pytest.mark.parametrize(("query", "index"), _AT_WORK)
def test_s08_what_is_at_work_is_found_by_an_index_of_its_own(world: World, query: sa.Select[Any], index: str) -> None:
    text = query.compile(compile_kwargs={"literal_binds": True}, dialect=world.store.engine.dialect)
    with world.store.read() as connection:
        plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}"))
    assert index in plan


def test_s08_an_idle_tick_walks_through_no_table(world: World) -> None:
    """Every statement of an idle tick goes by an index, or reads a table that holds the present alone."""
    small = {"places", "tellings", "troubles", "lookups"}
    world.tick()
    world.clock.sleep(5)
    with statements(world) as found:
        world.tick()
    with world.store.read() as connection:
        for text in found:
            if not text.startswith("SELECT"):
                continue
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}"):
                detail = str(row[3])
                if detail.startswith("SCAN ") and "INDEX" not in detail and "CONSTANT" not in detail and "(" not in detail:
                    assert detail.split()[1] in small, (detail, text)


def test_s08_messages_that_have_their_verdict_are_not_looked_at_again(world: World) -> None:
    for number in range(5):
        world.says("Анна", f"слова {number}", thread=world.forum.find("День 1"))
    world.settle()
    assert count(world, posts, posts.c.judged.is_(False)) == 0
    assert count(world, verdicts) >= 5


def test_s08_a_message_marked_by_hand_as_unjudged_gets_no_second_verdict(world: World) -> None:
    before = count(world, verdicts)
    with world.store.write() as connection:
        connection.execute(posts.update().values(judged=False))
    world.settle()
    assert count(world, verdicts) == before


# What is read for a deadline ------------------------------------------------------------------------------------------------


class _Whole(FakeForum):
    """Notes which threads are read as a whole."""

    whole: list[str]

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        if whole:
            self.whole.append(topic)
        return super().read_thread(topic, since, whole=whole)


def test_s02_a_deadline_reads_whole_what_its_own_game_rests_on_and_nothing_twice(world: World) -> None:
    many(world, 5)
    world.forum.__class__ = _Whole
    world.forum.whole = []  # type: ignore[attr-defined]
    mine = deadlines.c.game_id == "g1", deadlines.c.done_at.is_(None), deadlines.c.call.in_(("mark", "close"))
    at = world.value(sa.select(sa.func.min(deadlines.c.due_at)).where(*mine))
    with world.store.write() as connection:  # the others' are later
        others = deadlines.c.game_id != "g1", deadlines.c.done_at.is_(None)
        for row in connection.execute(sa.select(deadlines).where(*others)).mappings().all():
            late = row["due_at"] + timedelta(hours=3)
            connection.execute(deadlines.update().where(deadlines.c.id == row["id"]).values(due_at=late))
    world.clock.move_to(at + timedelta(seconds=40))
    world.tick()
    topic = world.value(sa.select(threads.c.topic).where(threads.c.game_id == "g1", threads.c.kind == "day"))
    assert world.forum.whole == [topic]  # type: ignore[attr-defined]
    assert world.value(sa.select(sa.func.min(deadlines.c.due_at)).where(*mine)) > at


# What goes out --------------------------------------------------------------------------------------------------------------


def test_s07_a_sent_row_asks_as_much_of_the_database_at_any_backlog(world: World) -> None:
    def a_row(backlog: int) -> float:
        pile_up(world, backlog)
        before = len(world.mail.out)
        with statements(world) as found:
            world.daemon._sender.run(0)
        assert len(world.mail.out) == before + backlog
        return len(found) / backlog

    a_row(10)
    assert a_row(200) <= a_row(40)
    assert a_row(40) < 15


def test_s07_letters_go_out_as_long_as_there_is_time_and_writings_as_the_forum_takes_them(world: World) -> None:
    pile_up(world, 60)
    now = world.clock.now()
    with world.store.write() as connection:
        pms = [
            {"key": f"pm/{row}", "kind": "pm", "priority": 40, "subject": "Слово", "target": {"uid": 11, "nick": "Борис"},
             "body": "Слово", "state": "waiting", "attempts": 0, "not_before": now, "created_at": now}
            for row in range(30)
        ]  # fmt: skip
        connection.execute(sa.insert(outbox), pms)
    assert world.daemon._sender.run(0) == 80
    assert count(world, outbox, outbox.c.key.like("pm/%"), outbox.c.state == "waiting") == 10
    pile_up(world, 60)

    def slow(*_: object, **__: object) -> None:
        world.clock.sleep(4)

    world.mail.send = slow  # type: ignore[method-assign]
    assert world.daemon._sender.run(16) <= 10


def test_s07_rows_behind_one_that_waits_for_its_place_go_out(world: World) -> None:
    """Twenty posts for a topic that is not there yet keep back nothing that has a place."""
    now = world.clock.now()
    with world.store.write() as connection:
        made = connection.execute(threads.insert().values(game_id=world.game, kind="day", turn=9, topic=None))
        (thread,) = made.inserted_primary_key or (0,)
        nowhere = [
            {"game_id": world.game, "key": f"nowhere/{row}", "kind": "post", "priority": 10, "subject": "", "body": "Слова",
             "target": {"thread_id": thread}, "state": "waiting", "attempts": 0, "not_before": now, "created_at": now}
            for row in range(25)
        ]  # fmt: skip
        connection.execute(sa.insert(outbox), nowhere)
        pm = {"key": "pm/1", "kind": "pm", "priority": 40, "subject": "Слово", "target": {"uid": 11, "nick": "Борис"},
              "body": "Слово", "state": "waiting", "attempts": 0, "not_before": now, "created_at": now}  # fmt: skip
        connection.execute(sa.insert(outbox).values(pm))
    world.daemon._sender.run(0)
    assert world.value(sa.select(outbox.c.state).where(outbox.c.key == "pm/1")) == "sent"


# A thread of many pages -------------------------------------------------------------------------------------------------------


class _Killed(BaseException):
    """The process ends here."""


class _Paged(FakeForum):
    """Gives its threads by pages of two posts, as the real clients do; the request number ``dies_at`` is the last one."""

    asked: list[int]
    dies_at = 0
    falters_at = 0

    def read_on(
        self, topic: str, since: Place, progress: Progress | None, note: Callable[[Progress, tuple[Post, ...]], None]
    ) -> ThreadRead:
        return ThreadReading(lambda number: self._page(topic, number), note).run_on(since, progress)

    def _page(self, topic: str, number: int) -> tuple[Page, Fetched]:
        self.asked.append(number)
        if len(self.asked) == self.dies_at:
            raise _Killed
        if len(self.asked) == self.falters_at:
            raise Unreachable("обрыв")
        posts = [replace(post, number=place) for place, post in enumerate(self.topics[topic].posts, 1)]
        pages = max(1, (len(posts) + 1) // 2)
        shown = tuple(posts[2 * number - 2 : 2 * number])
        page = Page(shown, number, pages, self.topics[topic].subject, False)
        return page, Fetched(Answer(200, "", ""), LexborHTMLParser(""))


def long_thread(world: World) -> tuple[str, datetime]:
    """The day's thread has some pages, and its deadline is there."""
    topic = world.forum.find("День 1")
    for number in range(19):
        world.says("Анна", f"слова {number}", thread=topic)
    world.settle()
    world.forum.__class__ = _Paged
    world.forum.asked = []  # type: ignore[attr-defined]
    mine = deadlines.c.done_at.is_(None), deadlines.c.call.in_(("mark", "close"))
    at: datetime = world.value(sa.select(sa.func.min(deadlines.c.due_at)).where(*mine))
    world.clock.move_to(at + timedelta(seconds=40))
    return topic, at


@pytest.mark.parametrize("way", ["killed", "cut off"])
def test_s01_a_whole_reading_that_breaks_off_is_gone_on_with_where_it_was(world: World, way: str) -> None:
    topic, at = long_thread(world)
    forum: Any = world.forum
    forum.dies_at, forum.falters_at = (7, 0) if way == "killed" else (0, 7)
    vanished = world.forum.topics[topic].posts[3].id
    world.forum.deletes(topic, vanished)
    edited = world.forum.topics[topic].posts[1].id
    world.forum.edits(topic, edited, "другие слова", notice=False)
    if way == "killed":
        with pytest.raises(_Killed):
            world.tick()
        world.restart()
    else:
        world.tick()
    assert world.value(sa.select(threads.c.complete_at).where(threads.c.topic == topic)) is None
    world.clock.sleep(70)
    world.tick()
    pages = (len(world.forum.topics[topic].posts) + 1) // 2
    # The page that was read last is looked at once more, and none before it.
    assert forum.asked == [1, 2, 3, 4, 5, 6, 7, *range(6, pages + 1)]
    assert world.value(sa.select(sa.func.min(deadlines.c.due_at)).where(deadlines.c.done_at.is_(None))) > at
    assert world.value(sa.select(posts.c.gone_at).where(posts.c.post_id == vanished)) is not None
    assert count(world, posts, posts.c.gone_at.is_not(None)) == 1
    assert world.value(sa.select(posts.c.version).where(posts.c.post_id == edited).order_by(posts.c.version.desc())) == 2
    assert count(world, places, places.c.name.like("reading/%")) == 0


def test_s01_where_the_pages_have_moved_meanwhile_all_is_read_from_the_beginning(world: World) -> None:
    topic, _ = long_thread(world)
    forum: Any = world.forum
    forum.dies_at = 7
    with pytest.raises(_Killed):
        world.tick()
    gone = world.forum.topics[topic].posts[1].id
    world.forum.deletes(topic, gone)
    world.restart()
    world.clock.sleep(70)
    world.tick()
    pages = (len(world.forum.topics[topic].posts) + 1) // 2
    assert forum.asked[7:] == [6, *range(1, pages + 1)]
    assert count(world, posts, posts.c.gone_at.is_not(None)) == 1


def test_s01_an_earlier_deadlines_broken_reading_is_none_of_this_one(world: World) -> None:
    topic, at = long_thread(world)
    forum: Any = world.forum
    thread = world.value(sa.select(threads.c.id).where(threads.c.topic == topic))
    stale = {"began": (at - timedelta(hours=1)).isoformat(), "progress": Progress(((1, 2), (3, 4))).data()}
    with world.store.write() as connection:
        connection.execute(sa.insert(places).values(name=f"reading/{thread}", value=stale))
    world.tick()
    assert forum.asked[0] == 1


def test_s10_a_new_post_in_a_long_thread_is_stored_by_the_ids_of_its_page(world: World) -> None:
    def poll(length: int) -> int:
        topic = world.forum.find("День 1")
        while len(world.forum.topics[topic].posts) < length:
            world.says("Анна", f"слова {len(world.forum.topics[topic].posts)}", thread=topic)
        world.settle()
        world.says("Борис", "ещё слово", thread=topic)
        known: list[int] = []
        with world.store.read() as connection:
            page = world.forum.topics[topic].posts[-4:]
            thread = world.value(sa.select(threads.c.id).where(threads.c.topic == topic))
            known = list(postsin._known(connection, thread, [post.id for post in page]))
        assert page[-1].id not in known
        return len(known)

    assert poll(20) == poll(120) == 3


def test_s05_games_of_the_same_templates_share_what_was_compiled_and_others_do_not(world: World) -> None:
    many(world, 3)
    with world.store.write() as connection:
        texts = connection.execute(sa.select(games.c.templates).where(games.c.id == "g2")).scalar_one()
        own = {**texts, "receipt.j2": "Своё\nСвоё"}
        connection.execute(games.update().where(games.c.id == "g2").values(templates=own))
    world.restart()
    world.tick()
    made = {game: hosted._writer for game, hosted in world.daemon._games.items()}
    assert made["gk1"] is made["g1"]
    assert made["g2"] is not made["gk1"]
