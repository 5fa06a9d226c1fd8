"""A deadline that was resolved too early is taken back until the next one is resolved: the turn runs on, its newspaper no longer
holds, and everybody is told."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.hosting.acts import acts
from forumbot.hosting.acts.previewing import preview
from forumbot.hosting.core import record
from forumbot.hosting.daemon.sending import Sender
from forumbot.hosting.explain.replaying import replay_game
from forumbot.hosting.people import people
from forumbot.store.tables import acts as table
from forumbot.store.tables import bookings, deadlines, games, holders, inputs, outbox, reserves, threads, troubles
from tests.forumbot.hosting.hosts import asks, does, refused, resolves, sent_to, undoes, upcoming
from tests.forumbot.hosting.test_clumsy_host import PURSES
from tests.forumbot.hosting.test_deadlines import LYNCH
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.test_moved import day_thread
from tests.forumbot.hosting.test_undoing import VOICE, closes, game_state
from tests.forumbot.hosting.world import MONDAY, NICKS, World, count, make_world

COLOUR = {"goldenkey": "blue"}


def vote(world: World, voter: str, target: str, turn: int) -> None:
    ruleset = world.value(sa.select(games.c.ruleset))
    result = world.value(sa.select(outbox.c.result).where(outbox.c.key == f"gk1/t{turn}/day"))
    colour = COLOUR.get(ruleset, "red")
    world.forum.says(result["topic"], world.uid(voter), voter, f"[color={colour}]Голос: {target}[/color]")


def the_turn(world: World) -> int:
    return int(world.value(sa.select(games.c.turn)))


def ends_too_early(world: World) -> int:
    """The host resolves what is left of the running turn; gives the last of these acts."""
    turn = the_turn(world)
    while the_turn(world) == turn:
        act = resolves(world)
        world.settle()
    return act


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_end_of_a_turn_is_taken_back_and_comes_again(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    turn = the_turn(world)
    vote(world, "Анна", "Борис", turn)
    world.settle()
    while upcoming(world)["call"] != "close":
        resolves(world)
        world.settle()
    due, before = upcoming(world), game_state(world)
    act = resolves(world)
    seen = sa.select(outbox.c.state).where(outbox.c.key == f"gk1/t{turn}/newspaper")
    while world.value(seen) != "sent":
        world.until(world.clock.now() + timedelta(hours=1), step=timedelta(hours=1))
    assert the_turn(world) == turn + 1
    world.pm("Вера", "Проверяю Глеба")
    world.settle()
    undone = does(world, "undo", act=act)
    again = upcoming(world)
    for more in ("n", "told"):
        assert count(world, outbox, outbox.c.key.startswith(f"gk1/act{undone}/{more}/")) == 0, "told a second time"
    assert (again["turn"], again["name"], again["due_at"]) == (turn, due["name"], due["due_at"])
    if due["due_at"] > world.clock.now():
        assert game_state(world) == before
        assert the_turn(world) == turn
    closes(world)
    assert the_turn(world) == turn + 1
    assert world.value(seen) == "sent"
    assert world.value(sa.select(outbox.c.state).where(outbox.c.key == f"gk1/t{turn + 1}/day")) == "sent"
    assert count(world, inputs, inputs.c.kind == "close", inputs.c.turn == turn, inputs.c.struck.is_(None)) == 1
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))


def test_everybody_hears_that_a_turn_runs_on_and_which_orders_are_to_be_sent_again(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    turn = the_turn(world)
    act = ends_too_early(world)
    world.settle()
    vote(world, "Вера", "Глеб", turn + 1)
    world.settle()
    void = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn + 1))
    shown = preview(world.store, world.game, "Хозяин", "undo", {"act": act}, world.clock.now(), VOICE)
    assert shown.published
    assert any("газета перестанет действовать" in line for line in shown.lines)
    undoes(world, act)
    world.settle()
    day = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn))
    assert any(f"Газета дня {turn} больше не действует" in text for text in world.forum.texts(day))
    assert any("ещё не начался" in text for text in world.forum.texts(void))
    assert sent_to(world, "Вера", "не засчитаны: пришлите их")
    assert sent_to(world, "Анна", "срок отменён")
    assert not sent_to(world, "Анна", "не засчитаны: пришлите их")
    world.forum.says(void, world.uid("Дина"), "Дина", "[color=red]Голос: Глеб[/color]")
    closes(world)
    fresh = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn + 1))
    assert fresh != void
    orders = world.rows(sa.select(inputs).where(inputs.c.kind == "order", inputs.c.struck.is_(None)))
    assert "Дина" not in {row["payload"]["player"] for row in orders}


def test_a_turn_is_not_opened_again_once_the_next_has_had_a_result_or_means_something(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    act = ends_too_early(world)
    world.settle()
    removal = does(world, "remove", player="Борис")
    assert "отмените сначала его" in refused(world, "undo", act=act)
    undoes(world, removal)
    second = ends_too_early(world)
    world.settle()
    assert "подведён и следующий ход" in refused(world, "undo", act=act)
    undoes(world, second)
    undoes(world, act)
    assert upcoming(world)["turn"] == 1


def test_what_is_told_anew_after_a_reopened_deadline_is_no_copy_of_what_was_told_before(day: World) -> None:
    """A second result of the same vote has letters of its own, though they bear the names of the first."""
    act = resolves(day)
    day.settle()
    first = day.rows(sa.select(outbox).where(outbox.c.key.startswith("gk1/t1/lynch/"), outbox.c.state == "sent"))
    undoes(day, act)
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(minutes=30))
    day.settle()
    second = day.rows(sa.select(outbox).where(outbox.c.key.startswith("gk1/t1/lynch/"), outbox.c.state == "sent"))
    assert {row["key"] for row in first} <= {row["key"] for row in second}
    assert not {row["id"] for row in first} & {row["id"] for row in second}
    for row in second:
        if row["key"] in {one["key"] for one in first}:
            assert row["target"]["again"] == 1


def test_a_reopened_vote_whose_hour_is_over_stands_before_what_came_after_that_hour(day: World) -> None:
    act = resolves(day)
    day.until(LYNCH + timedelta(minutes=10), step=timedelta(minutes=30))
    does(day, "write", player="Анна", text="Всё хорошо?")
    day.pm("Анна", "проверяю Бориса")
    day.settle()
    undoes(day, act)
    day.settle()
    rows = day.rows(sa.select(inputs).where(inputs.c.turn == 1, inputs.c.struck.is_(None)).order_by(inputs.c.seq))
    mark = next(number for number, row in enumerate(rows) if row["kind"] == "mark")
    assert all(row["at"] < LYNCH for row in rows[:mark] if row["kind"] == "order")
    assert all(row["at"] >= LYNCH for row in rows[mark + 1 :] if row["kind"] == "order")
    assert count(day, deadlines, deadlines.c.name == "lynch", deadlines.c.call == "mark", deadlines.c.done_at.is_not(None)) == 1


def ended_too_early(world: World) -> int:
    """The host takes out all but two players and calls what is left of the turns until the game is over; gives the last act."""
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
        sides = {seat: one["faction"] for seat, one in match.ruleset.state(match.game).items()}
    good = {"townsfolk", "civilians", "citizens", "town"}
    for seat, side in sides.items():
        if side not in good:
            asks(world, "remove", player=seat)
    for _ in range(40):
        act = resolves(world)
        world.settle()
        if world.value(sa.select(games.c.stage)) == "over":
            return act
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("ruleset", "heard"), [*((ruleset, True) for ruleset in RULESETS), ("mafialife", False)])
def test_a_resolution_that_ended_the_game_is_taken_back(tmp_path: Path, ruleset: str, heard: bool) -> None:
    """The game goes on where it was; everybody hears it, the accounts have what they had, and the end comes again in its hour."""
    world = running(tmp_path, ruleset, PURSES.get(ruleset))
    accounts = sums(world)
    act = ended_too_early(world)
    turn = the_turn(world)
    if heard:
        world.until(world.clock.now() + timedelta(days=4), step=timedelta(hours=6))
        world.settle()
    seen = world.value(sa.select(outbox.c.state).where(outbox.c.key == "gk1/final")) == "sent"
    assert seen or not heard
    shown = preview(world.store, world.game, "Хозяин", "undo", {"act": act}, world.clock.now(), VOICE)
    assert any("игра не окончена" in line for line in shown.lines)
    assert not any("победитель игры" in line for line in shown.lines)
    winner = world.value(sa.select(games.c.winner))
    with world.store.write() as connection:
        number = acts.ask(connection, world.game, "Хозяин", "undo", {"act": act}, world.clock.now())
    acts.execute(world.store, world.clock.now(), VOICE)
    world.restart()
    assert world.value(sa.select(table.c.error).where(table.c.id == number)) is None
    assert world.value(sa.select(games.c.stage)) == "turn"
    assert world.value(sa.select(games.c.winner)) is None
    assert (the_turn(world), upcoming(world)["turn"]) == (turn, turn)
    assert sums(world) == accounts
    void = world.value(sa.select(threads.c.topic).where(threads.c.kind == f"void{number}"))
    world.settle()
    while world.value(sa.select(games.c.stage)) == "turn":
        assert the_turn(world) == turn
        assert upcoming(world)["due_at"] > world.clock.now()
        world.until(upcoming(world)["due_at"] + timedelta(minutes=2), step=timedelta(hours=5))
    world.until(world.clock.now() + timedelta(hours=20), step=timedelta(hours=5))
    world.settle()
    assert world.value(sa.select(games.c.winner)) == winner
    assert count(world, outbox, outbox.c.key == "gk1/final", outbox.c.state == "sent") == 1
    if seen:
        assert any("Игра не окончена" in text for text in world.forum.texts(void))
        assert world.value(sa.select(threads.c.topic).where(threads.c.kind == "final")) != void
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))


def sums(world: World) -> dict[tuple[int, str], float]:
    """What everybody has."""
    found: dict[tuple[int, str], float] = {}
    for one in world.rows(sa.select(bookings)):
        account = one["person_id"], one["currency"]
        found[account] = found.get(account, 0) + one["amount"]
    return {account: amount for account, amount in found.items() if amount}


def test_an_end_of_the_game_on_which_a_correction_rests_stays_until_that_is_taken_back(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    act = ended_too_early(world)
    world.settle()
    turn = the_turn(world)
    change = {"kind": "order", "player": "Анна", "action": "vote", "targets": ["Вера"], "turn": turn}
    corrected = asks(world, "correct", changes=[change])
    if corrected["error"] is None:
        assert "отмените сначала его" in refused(world, "undo", act=act)
        undoes(world, corrected["id"])
    undoes(world, act)


def test_a_game_that_ended_in_its_own_hour_is_not_opened_again(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    act = ends_too_early(world)
    world.settle()
    ended_too_early(world)
    assert "игра уже окончена" in refused(world, "undo", act=act)


def test_a_game_that_its_host_called_off_goes_on_when_that_is_taken_back(tmp_path: Path) -> None:
    """League: nothing of it had been resolved, so the turn runs on to its hour, and the money is in the game again."""
    world = running(tmp_path, "league", PURSES["league"])
    accounts, due = sums(world), upcoming(world)
    act = does(world, "host", player="Анна", action="abort")
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "cancelled"
    undoes(world, act)
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "turn"
    assert sums(world) == accounts
    assert upcoming(world)["id"] == due["id"]
    assert any("Игра продолжается" in text for text in world.forum.texts(day_thread(world)))
    closes(world)
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))


# The sign-up --------------------------------------------------------------------------------------------------------------


def signed_up(folder: Path, ruleset: str, players: int = 16) -> World:
    """A game whose sign-up is open; everybody has money where the rules know it."""
    world = make_world(folder, players=0, ruleset=ruleset)
    with world.store.write() as connection:
        for nick in NICKS[:players]:
            person = people.person_of(connection, nick, world.uid(nick), MONDAY)
            for currency, amount in PURSES.get(ruleset, {}).items():
                people.book(connection, person, currency, amount, "прежняя игра", f"before/{nick}/{currency}", MONDAY)
    for nick in NICKS[:players]:
        does(world, "seat", nick=nick, uid=world.uid(nick))
    world.settle()
    return world


def roles(world: World) -> str:
    return game_state(world)


@pytest.mark.parametrize(("ruleset", "heard"), [*((ruleset, True) for ruleset in RULESETS), ("mafialife", False)])
def test_an_early_close_of_the_sign_up_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str, heard: bool
) -> None:
    """Nobody has a role, all have what they had brought, the sign-up closes in its own hour with whoever came meanwhile, and
    whoever has read a role can learn nothing of the next deal from it."""
    world = signed_up(tmp_path, ruleset)
    due, accounts = upcoming(world), sums(world)
    assert due["call"] == "signup"
    with monkeypatch.context() as patch:
        if not heard:
            patch.setattr(Sender, "run", lambda *_: None)
        act = resolves(world)
        world.clock.sleep(61)
        world.tick()
        dealt = roles(world)
    if heard:
        world.settle()
        world.says("Ульяна", "[color=red]играю[/color]", world.forum.find("Запись"))
        world.until(world.clock.now() + timedelta(hours=1), step=timedelta(minutes=15))
        assert count(world, reserves, reserves.c.state == "waiting") == 1
    shown = preview(world.store, world.game, "Хозяин", "undo", {"act": act}, world.clock.now(), VOICE)
    assert any("запись снова откроется" in line for line in shown.lines), shown
    undone = does(world, "undo", act=act)
    assert world.value(sa.select(games.c.stage)) == "signup"
    assert (upcoming(world)["call"], upcoming(world)["due_at"]) == ("signup", due["due_at"])
    assert sums(world) == accounts
    world.settle()
    assert len(sent_to(world, "Анна", "Запись снова открыта")) == 1
    assert bool(sent_to(world, "Анна", "Роль, которую вы получили, больше не действует")) == heard
    assert ("Ульяна" in [one["nick"] for one in world.rows(sa.select(holders.c.nick).where(holders.c.until.is_(None)))]) == heard
    if heard:
        assert sent_to(world, "Ульяна", "запис")
    assert any("Запись снова открыта" in text for text in world.forum.texts(signup_topic(world)))
    while world.value(sa.select(games.c.stage)) != "turn":
        world.until(world.clock.now() + timedelta(hours=6), step=timedelta(hours=3))
    world.settle()
    assert (roles(world) == dealt) == (not heard)
    closes(world)
    assert count(world, inputs, inputs.c.kind == "deal", inputs.c.struck.is_(None)) == 1
    assert count(world, inputs, inputs.c.kind == "deal", inputs.c.struck == f"act:{undone}") == 1
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))
    assert world.rows(sa.select(troubles).where(troubles.c.key.startswith("failed/"))) == []


def signup_topic(world: World) -> Any:
    return world.value(sa.select(threads.c.topic).where(threads.c.kind == "signup"))


def test_an_early_close_with_too_few_players_is_taken_back(tmp_path: Path) -> None:
    world = signed_up(tmp_path, "clans", players=2)
    act = resolves(world)
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "cancelled"
    undoes(world, act)
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "signup"
    world.says("Ульяна", "[color=red]играю[/color]", world.forum.find("Запись"))
    world.settle()
    assert count(world, holders, holders.c.nick == "Ульяна") == 1
    assert not sent_to(world, "Анна", "Роль, которую вы получили")


@pytest.mark.parametrize("ruleset", ["goldenkey", "mafialife"])
def test_an_early_close_is_taken_back_until_something_was_resolved_after_it(tmp_path: Path, ruleset: str) -> None:
    world = signed_up(tmp_path, ruleset)
    act = resolves(world)
    world.settle()
    later = resolves(world)
    world.settle()
    assert refused(world, "undo", act=act)
    assert world.value(sa.select(games.c.stage)) != "signup"
    undoes(world, later)
    undoes(world, act)
    assert world.value(sa.select(games.c.stage)) == "signup"


def test_the_end_of_the_set_up_is_taken_back(tmp_path: Path) -> None:
    """Goldenkey's villains name their roles again until its hour; the first day has not begun."""
    world = signed_up(tmp_path, "goldenkey")
    while world.value(sa.select(games.c.stage)) == "signup":
        world.until(upcoming(world)["due_at"] + timedelta(minutes=1), step=timedelta(hours=12))
    due = upcoming(world)
    assert (due["turn"], due["call"]) == (-1, "mark")
    before = roles(world)
    act = resolves(world)
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "turn"
    undoes(world, act)
    assert world.value(sa.select(games.c.stage)) == "setup"
    assert upcoming(world)["due_at"] == due["due_at"]
    assert roles(world) == before
    closes_setup = due["due_at"] + timedelta(minutes=5)
    world.until(closes_setup, step=timedelta(hours=6))
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "turn"
    closes(world)
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))
