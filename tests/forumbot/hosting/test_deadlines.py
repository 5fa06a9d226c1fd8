"""A deadline is resolved once, in one transaction, on complete readings that began after it."""

import multiprocessing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.errors import NoThread, Unreachable
from adapters.model import PrivateMessage
from forumbot.hosting.daemon import daemon as hosting
from forumbot.hosting.explain.replaying import replay_game
from forumbot.hosting.turns import closing
from forumbot.hosting.turns.game import HostedGame
from forumbot.store.tables import deadlines, games, inputs, outbox, troubles, turns, verdicts
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, NICKS, World, count, make_world, votes

LYNCH = DAY_ONE + timedelta(hours=9, minutes=1)
MORNING = DAY_ONE + timedelta(hours=19, minutes=1)


def resolved(world: World, name: str) -> datetime | None:
    found: datetime | None = world.value(sa.select(deadlines.c.done_at).where(deadlines.c.name == name, deadlines.c.turn == 1))
    return found


def test_votes_up_to_the_last_second_count_and_later_ones_do_not(day: World) -> None:
    """T31: the whole minute 21:00 belongs to the day, whenever we get to read it."""
    thread = day.forum.find("День 1")
    day.forum.says(thread, day.uid("Анна"), "Анна", "[color=blue]Борис[/color]", at=LYNCH - timedelta(seconds=1))
    day.clock.move_to(LYNCH + timedelta(minutes=3))
    day.forum.says(thread, day.uid("Вера"), "Вера", "[color=blue]Борис[/color]", at=LYNCH)
    day.settle()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}


def test_after_an_outage_only_what_came_in_time_counts(day: World) -> None:
    """T55: down from 20:00 to 23:30, the thread full of posts from 20:10 to 21:30."""
    thread = day.forum.find("День 1")
    start = DAY_ONE + timedelta(hours=8)
    for minutes, nick in zip(range(10, 91, 10), NICKS, strict=False):
        day.forum.says(thread, day.uid(nick), nick, "[color=blue]Павел[/color]", at=start + timedelta(minutes=minutes))
    day.clock.move_to(start + timedelta(hours=3, minutes=30))
    day.tick()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Павел": 6}


WALLS = [NoThread(reason) for reason in ("login_required", "challenge", "maintenance", "truncated", "no_posts")]


@pytest.mark.parametrize("error", [*WALLS, Unreachable("502")], ids=str)
def test_a_page_that_is_no_thread_holds_the_deadline(day: World, error: Exception) -> None:
    """Promise 3: such a page is never an empty thread."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.clock.move_to(LYNCH - timedelta(seconds=30))
    for _ in range(20):
        day.forum.failing = [error] * 10  # type: ignore[list-item]
        day.clock.sleep(61)
        day.tick()
    assert resolved(day, "lynch") is None
    day.forum.failing = []
    day.settle()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}
    told = [text for _, text in day.mail.letters_to("owner@example.org")]
    assert any("срок «голосование» хода 1 наступил" in text for text in told)
    assert count(day, troubles) == 0


def test_an_incomplete_reading_holds_the_deadline(day: World) -> None:
    """T07: the forum gives page one for every page."""
    day.forum.incomplete = True
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(minutes=5))
    assert resolved(day, "lynch") is None
    day.forum.incomplete = False
    day.settle()
    assert resolved(day, "lynch") is not None


def test_a_silent_mailbox_holds_the_deadline(day: World) -> None:
    """T47: without a reading of the mailbox after the deadline nothing is resolved."""
    day.clock.move_to(LYNCH + timedelta(minutes=1))
    for _ in range(10):
        day.mail.failing = [Unreachable("timed out")] * 5
        day.tick()
        day.clock.sleep(61)
    assert resolved(day, "lynch") is None
    day.mail.failing = []
    day.settle()
    assert resolved(day, "lynch") is not None


def test_an_inbox_that_was_read_in_part_holds_the_deadline(day: World) -> None:
    """The first of two private messages was read, and then the forum was gone: the second one came in time, too."""
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(hours=2))
    day.clock.move_to(MORNING - timedelta(minutes=1))
    for nick, role in (("Анна", "Пьеро"), ("Борис", "Артемон")):
        day.pm(nick, f"заявка на роль: {role}")
    day.clock.move_to(MORNING + timedelta(minutes=1))
    inbox, asked = day.forum.inbox, []

    def broken_off(*, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        asked.append(after_id)
        if len(asked) > 1:
            raise Unreachable("502")
        return inbox(after_id=after_id)[:1]

    day.forum.inbox = broken_off  # type: ignore[method-assign]
    day.tick()
    assert resolved(day, "night") is None
    day.forum.inbox = inbox  # type: ignore[method-assign]
    day.settle()
    assert resolved(day, "night") is not None
    assert count(day, verdicts, verdicts.c.channel == "pm", verdicts.c.turn == 1) == 2


def test_who_was_down_while_a_deadline_was_held_tries_before_he_gives_up(day: World) -> None:
    """Nobody tried to read in those hours: the forum may be well again."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.forum.incomplete = True
    day.until(LYNCH + timedelta(minutes=10), step=timedelta(minutes=5))
    day.forum.incomplete = False
    day.clock.move_to(LYNCH + timedelta(hours=8))
    day.restart()
    day.tick()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}


def test_a_deadline_that_is_due_at_a_restart_is_resolved_once(day: World) -> None:
    """T56: woken at 21:00:02 past the hour, restarted twice at once."""
    for seconds in (2, 2, 23, 23, 23):
        day.clock.move_to(LYNCH + timedelta(seconds=seconds))
        day.restart()
        day.tick()
        assert (resolved(day, "lynch") is None) == (seconds < 20), "the forum needs a moment to show what it took in time"
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 1) == 1


def test_nothing_is_posted_for_a_turn_whose_commit_failed(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """T53: the newspaper is written in the transaction that resolves the turn, or not at all."""
    close = closing.close

    def broken(*args: Any) -> None:
        close(*args)
        raise RuntimeError("the disk went away")

    monkeypatch.setattr(closing, "close", broken)
    day.until(MORNING + timedelta(minutes=30), step=timedelta(minutes=30))
    assert count(day, outbox, outbox.c.key.contains("newspaper")) == 0
    assert day.value(sa.select(turns.c.closed_at).where(turns.c.turn == 1)) is None
    monkeypatch.undo()
    day.settle()
    assert count(day, outbox, outbox.c.key.contains("t1/newspaper")) == 1


def test_one_broken_game_does_not_stop_the_daemon(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: HostedGame, *args: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(HostedGame, "_settle_once", broken)
    day.clock.sleep(61)
    day.tick()
    assert count(day, troubles, troubles.c.key == "failed/gk1") == 1
    monkeypatch.undo()
    day.restart()
    day.settle()
    assert any("остановилась" in text for _, text in day.mail.letters_to("owner@example.org"))
    assert count(day, troubles) == 0


def test_a_replayed_game_gives_the_same_bytes(day: World) -> None:
    for nick in NICKS[:6]:
        day.says(nick, "[color=blue]Линч: Павел[/color]")
    day.until(MORNING + timedelta(hours=30), step=timedelta(hours=2))
    replayed = replay_game(day.store, day.game, "Europe/Moscow")
    assert [turn.turn for turn in replayed] == [1, 2]
    assert all(turn.same for turn in replayed)


def test_too_few_players_and_everybody_is_told(tmp_path: Path) -> None:
    """S1."""
    world = make_world(tmp_path, players=9)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "cancelled"
    assert "9 игроков" in world.forum.texts(world.forum.find("Запись"))[-1]


def test_an_upgrade_never_changes_the_tables_of_a_running_game(day: World) -> None:
    tables = day.value(sa.select(games.c.tables))
    assert tables["player_lives"] == 2
    templates = day.value(sa.select(games.c.templates))
    assert "newspaper.j2" in templates
    assert "names.toml" in templates


def _try_lock(path: str, answer: "multiprocessing.Queue[str]") -> None:
    try:
        with hosting.Lock(Path(path)):
            answer.put("locked")
    except hosting.Locked as error:
        answer.put(str(error))


def test_two_daemons_on_one_database_refuse_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    answer: multiprocessing.Queue[str] = context.Queue()
    with hosting.Lock(tmp_path / "forumbot.db"):
        other = context.Process(target=_try_lock, args=(str(tmp_path / "forumbot.db"), answer))
        other.start()
        assert "уже работает другой forumbot" in answer.get(timeout=30)
        other.join()
    with hosting.Lock(tmp_path / "forumbot.db"):
        pass
