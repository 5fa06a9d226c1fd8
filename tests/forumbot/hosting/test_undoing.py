"""Every act can be taken back until the game is over; what rests on it is corrected, and shown before that is done (H07)."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.acts import acts
from forumbot.hosting.acts.previewing import preview
from forumbot.hosting.core import record, seating
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import acts as act_rows
from forumbot.store.tables import deadlines, games, holders, inputs, outbox, turns
from forumbot.store.types import dump, plain
from tests.forumbot.hosting.hosts import does, refused, resolves, sent_to, undoes, upcoming
from tests.forumbot.hosting.test_acts import alive
from tests.forumbot.hosting.test_corrections import corrections, report
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.test_moved import day_thread
from tests.forumbot.hosting.world import World, count, make_world, votes

VOICE = acts.Voice(str, 10_000, "Europe/Moscow")


def game_state(world: World) -> str:
    """The fold of the log, in bytes."""
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return dump(plain(match.ruleset.state(match.game)))


def closes(world: World) -> None:
    """The running turn is played to its end, and everything it says is out."""
    turn = world.value(sa.select(games.c.turn))
    while world.value(sa.select(turns.c.closed_at).where(turns.c.turn == turn)) is None:
        world.until(upcoming(world)["due_at"] + timedelta(minutes=2), step=timedelta(hours=6))
    world.until(world.clock.now() + timedelta(hours=3), step=timedelta(hours=1))
    world.settle()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_h07_a_removal_is_taken_back_after_the_newspaper(tmp_path: Path, ruleset: str) -> None:
    """He lives in the corrected turn and in all that followed; thread and players hear it."""
    world = running(tmp_path, ruleset)
    act = does(world, "remove", player="Борис")
    closes(world)
    assert "Борис" not in alive(world)
    before = count(world, turns, turns.c.replaced.is_not(None))
    undoes(world, act)
    assert "Борис" in alive(world)
    assert count(world, turns, turns.c.replaced.is_not(None)) == before + 1
    world.settle()
    texts = world.forum.texts(day_thread(world))
    assert any("Борис" in text and "остаётся в игре" in text for text in texts)
    assert any("Исправление газеты" in text for text in texts)
    replayed = replay_game(world.store, world.game, "Europe/Moscow")
    assert all(turn.same for turn in replayed)
    assert "уже отменено" in refused(world, "undo", act=act)


def test_h07_the_game_without_a_removal_is_the_game_that_never_had_it(day: World) -> None:
    day.says("Борис", "[color=blue]Анна[/color]")
    day.settle()
    act = does(day, "remove", player="Борис")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    assert "Борис" in report(day)
    undoes(day, act)
    assert "Анна - минус 1 жизнь" in report(day)
    day.settle()
    assert len(corrections(day)) == 1


def test_h07_a_correction_may_consist_of_removals(day: World) -> None:
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    act = does(day, "correct", changes=[{"kind": "remove", "player": "Борис", "turn": 1}])
    assert "Борис" not in alive(day)
    day.settle()
    assert len(sent_to(day, "Борис", "ведущий снял вас с игры")) == 1
    undoes(day, act)
    assert "Борис" in alive(day)
    assert len(sent_to(day, "Борис", "решение снять вас с игры отменено")) == 1


def test_what_an_undoing_changes_is_shown_before_and_nothing_of_the_showing_stays(day: World) -> None:
    day.says("Глеб", "[color=blue]Борис[/color]")
    day.settle()
    act = does(day, "remove", player="Глеб")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    tables = (acts.acts, inputs, outbox, turns, deadlines)
    before = [count(day, table) for table in tables], game_state(day)
    shown = preview(day.store, day.game, "Хозяин", "undo", {"act": act}, day.clock.now(), VOICE)
    assert shown.published
    assert "газета хода 1:" in shown.lines
    assert "станет: Борис - минус 1 жизнь" in shown.lines
    assert "снова в игре: Глеб" in shown.lines
    assert "в теме дня об этом выйдет сообщение" in shown.lines
    assert ([count(day, table) for table in tables], game_state(day)) == before
    assert preview(day.store, day.game, "Хозяин", "undo", {"act": 999}, day.clock.now(), VOICE).refused


def test_an_extension_is_taken_back_with_the_votes_it_let_in(day: World) -> None:
    """The fold without it: what came after the old hour is late."""
    day.says("Анна", "[color=blue]Борис[/color]")
    act = does(day, "extend", hours=2)
    day.clock.move_to(LYNCH + timedelta(hours=1))
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1, "Глеб": 1}
    undoes(day, act)
    assert votes(day) == {"Борис": 1}
    day.settle()
    assert day.value(sa.select(deadlines.c.due_at).where(deadlines.c.name == "lynch", deadlines.c.call == "mark")) == LYNCH


def test_an_extension_is_taken_back_after_the_newspaper(day: World) -> None:
    act = does(day, "extend", hours=2)
    day.clock.move_to(LYNCH + timedelta(hours=1))
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.until(MORNING + timedelta(hours=3), step=timedelta(hours=2))
    day.settle()
    assert "Глеб - минус 1 жизнь" in report(day)
    undoes(day, act)
    assert "Глеб - минус 1 жизнь" not in report(day)
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))


def test_a_vote_that_was_closed_too_early_is_open_again(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    act = resolves(day)
    day.settle()
    assert day.value(sa.select(deadlines.c.done_at).where(deadlines.c.name == "lynch", deadlines.c.call == "mark")) is not None
    undoes(day, act)
    assert upcoming(day)["name"] == "lynch"
    assert upcoming(day)["due_at"] == LYNCH
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1, "Глеб": 1}
    assert any("ещё впереди" in text for text in day.forum.texts(day.forum.find("День 1")))
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 1, inputs.c.struck.is_(None)) == 1
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))


def test_replacements_are_taken_back_the_last_first(day: World) -> None:
    """A seat never has two people, and an address never passes on."""
    first = does(day, "replace", player="Борис", nick="Раиса", uid=day.uid("Раиса"))
    day.clock.sleep(60)
    second = does(day, "replace", player="Борис", nick="Семён", uid=day.uid("Семён"))
    assert "отмените сначала ту замену" in refused(day, "undo", act=first)
    undoes(day, second)
    undoes(day, first)
    open_ = holders.c.seat == "Борис", holders.c.until.is_(None)
    assert [row["nick"] for row in day.rows(sa.select(holders).where(*open_))] == ["Борис"]


def test_replacements_of_one_moment_are_told_apart(day: World) -> None:
    """Found by the clumsy host: replaced, taken back and replaced again before the clock has moved."""
    newcomer = {"player": "Борис", "nick": "Раиса", "uid": day.uid("Раиса")}
    undoes(day, does(day, "replace", **newcomer))
    undoes(day, does(day, "replace", **newcomer))
    open_ = holders.c.seat == "Борис", holders.c.until.is_(None)
    assert [row["nick"] for row in day.rows(sa.select(holders).where(*open_))] == ["Борис"]


def test_a_replaced_player_who_sits_elsewhere_by_now_gets_no_second_seat(day: World) -> None:
    first = does(day, "replace", player="Борис", nick="Раиса", uid=day.uid("Раиса"))
    does(day, "replace", player="Вера", nick="Борис", uid=day.uid("Борис"))
    assert "играет на другом месте" in refused(day, "undo", act=first)


def test_an_address_of_the_former_player_is_not_given_to_the_new_one(day: World) -> None:
    does(day, "bind", player="Борис", address="old@example.org")
    act = does(day, "bind", player="Борис", address="new@example.org")
    does(day, "replace", player="Борис", nick="Раиса", uid=day.uid("Раиса"))
    assert "теперь играет другой" in refused(day, "undo", act=act)
    with day.store.read() as connection:
        assert seating.load(connection, day.game).holders["Борис"].address is None


def test_a_seat_of_the_sign_up_is_settled_once_the_roles_are_dealt(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=15)
    seat = does(world, "seat", nick="Раиса", uid=world.uid("Раиса"))
    gone = does(world, "unseat", player="Анна")
    world.until(upcoming(world)["due_at"] + timedelta(hours=1), step=timedelta(hours=1))
    assert world.value(sa.select(games.c.stage)) != "signup"
    for act in (seat, gone):
        assert "возможна только замена" in refused(world, "undo", act=act)


def test_a_pause_is_taken_back_before_what_ended_it(day: World) -> None:
    pause = does(day, "pause")
    day.clock.sleep(3600)
    resume = does(day, "resume")
    assert "отмените сначала то действие" in refused(day, "undo", act=pause)
    undoes(day, resume)
    undoes(day, pause)
    assert day.value(sa.select(games.c.paused_at)) is None
    assert upcoming(day)["due_at"] == LYNCH


def test_a_move_is_taken_back_before_an_earlier_one_of_the_same_deadline(day: World) -> None:
    due = upcoming(day)["id"]
    first = does(day, "move", deadline=due, at="2026-12-02T22:01:00")
    second = does(day, "move", deadline=due, at="2026-12-02T23:01:00")
    assert "переносили ещё раз" in refused(day, "undo", act=first)
    undoes(day, second)
    undoes(day, first)
    assert upcoming(day)["due_at"] == LYNCH


def test_words_that_were_read_cannot_be_unsaid(day: World) -> None:
    act = does(day, "write", player="Анна", text="Кого вы имели в виду?")
    day.settle()
    assert "напишите игроку ещё раз" in refused(day, "undo", act=act)
    assert sent_to(day, "Анна", "Кого вы имели в виду?")
    assert count(day, act_rows, act_rows.c.undoes.is_not(None), act_rows.c.error.is_(None)) == 0
