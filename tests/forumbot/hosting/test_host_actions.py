"""A host's removals and penalties by the rules of every ruleset: limited to what they give him, told, and taken back."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import record
from forumbot.hosting.explain.replaying import replay_game
from forumbot.hosting.people import people
from forumbot.hosting.turns.interventions import host_actions
from forumbot.store.tables import bookings, games, outbox, turns
from tests.forumbot.hosting.hosts import day_one, does, refused, sent_to, undoes
from tests.forumbot.hosting.test_deadlines import MORNING
from tests.forumbot.hosting.world import MONDAY, NICKS, World, count, make_world

RULESETS = ("league", "clans", "goldenkey", "mafialife")


def running(folder: Path, ruleset: str, purses: Mapping[str, float] | None = None, **game: Any) -> World:
    """A game of sixteen whose first turn with votes is open. ``purses``: what everybody has from earlier games."""
    world = make_world(folder, players=0, ruleset=ruleset, **game)
    with world.store.write() as connection:
        for nick in NICKS[:16] if purses else ():
            person = people.person_of(connection, nick, world.uid(nick), MONDAY)
            for currency, amount in (purses or {}).items():
                people.book(connection, person, currency, amount, "прежняя игра", f"before/{nick}/{currency}", MONDAY)
    for nick in NICKS[:16]:
        does(world, "seat", nick=nick, uid=world.uid(nick))
    while world.value(sa.select(games.c.stage)) != "turn" or world.value(sa.select(games.c.turn)) < 1:
        assert world.clock.now() < MONDAY + timedelta(days=9)
        world.until(world.clock.now() + timedelta(hours=6), step=timedelta(hours=3))
    opened = world.value(sa.select(turns.c.opened_at).order_by(turns.c.turn.desc()))
    world.until(opened + timedelta(hours=1), step=timedelta(hours=1))
    return world


def state(world: World, nick: str) -> dict[str, Any]:
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return {"alive": nick in match.ruleset.alive(match.game), "refused": len(match.turn_events)}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_removal_is_the_rulesets_own_and_is_taken_back(tmp_path: Path, ruleset: str) -> None:
    """T70: the removed player's orders are gone with him; the replay has the removal."""
    world = running(tmp_path, ruleset)
    before = state(world, "Борис")
    act = does(world, "remove", player="Борис")
    assert state(world, "Борис") != before
    undoes(world, act)
    assert state(world, "Борис") == before
    does(world, "remove", player="Борис")
    turn = world.value(sa.select(games.c.turn))
    while world.value(sa.select(turns.c.closed_at).where(turns.c.turn == turn)) is None:
        world.until(world.clock.now() + timedelta(hours=12), step=timedelta(hours=4))
    assert not state(world, "Борис")["alive"]
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_is_removed_hears_it_himself_and_hears_when_it_is_taken_back(tmp_path: Path, ruleset: str) -> None:
    """Not only the thread: at once where the rules take him out at once, else with the word when it will be."""
    world = running(tmp_path, ruleset)
    act = does(world, "remove", player="Борис")
    at_once = not state(world, "Борис")["alive"]
    world.settle()
    (told,) = sent_to(world, "Борис", "ведущий снял вас с игры")
    assert ("с итогом дня 1" in told) == (not at_once)
    undoes(world, act)
    world.settle()
    assert len(sent_to(world, "Борис", "решение снять вас с игры отменено")) == 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_host_has_the_actions_that_the_rules_give_him_and_no_others(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    spec = find_ruleset(ruleset).spec
    players = next(action for action in spec.actions if action not in spec.host_actions)
    assert "среди них нет" in refused(world, "host", action=players, player="Борис", targets=["Анна"])
    assert "words" not in host_actions(ruleset)


def test_votes_for_somebody_who_left_are_void_with_a_word_and_their_voters_are_no_idlers(tmp_path: Path) -> None:
    """T32 in the league: the vote of Анна is void, she is told at once, and may vote anew."""
    world = running(tmp_path, "league")
    does(world, "order", player="Анна", action="vote", targets=["Борис"])
    act = does(world, "remove", player="Борис", wish=True)
    told = [row["body"] for row in world.rows(sa.select(outbox).where(outbox.c.key.startswith(f"gk1/act{act}/")))]
    assert any("Анна" in text and "Борис" in text for text in told)
    does(world, "order", player="Анна", action="vote", targets=["Вера"])


def test_a_correction_of_the_last_turn_books_what_changed_and_nothing_twice(tmp_path: Path) -> None:
    """T60: reversed and made anew; who has won may change, that the game has ended may not."""
    world = day_one(tmp_path)
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    factions = {seat: one["faction"] for seat, one in match.ruleset.state(match.game).items()}
    villains = [seat for seat, faction in factions.items() if faction != "townsfolk"]
    for seat in villains:
        does(world, "remove", player=seat)
    world.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "over"
    assert world.value(sa.select(games.c.winner)) == "townsfolk"

    def sums() -> dict[tuple[int, str], float]:
        rows = world.rows(
            sa.select(bookings.c.person_id, bookings.c.currency, sa.func.sum(bookings.c.amount).label("sum")).group_by(
                bookings.c.person_id, bookings.c.currency
            )
        )
        return {(row["person_id"], row["currency"]): row["sum"] for row in rows if row["sum"]}

    before, made = sums(), count(world, bookings)
    town = [seat for seat, faction in factions.items() if faction == "townsfolk"]
    one = does(world, "correct", changes=[{"kind": "host", "action": "host_remove", "player": town[0], "turn": 1}])
    assert (sums(), count(world, bookings)) == (before, made)
    undoes(world, one)
    everybody = [{"kind": "host", "action": "host_remove", "player": seat, "turn": 1} for seat in town]
    act = does(world, "correct", changes=everybody)
    assert world.value(sa.select(games.c.winner)) == "draw"
    assert {currency for _, currency in sums()} == {"games"}
    undoes(world, act)
    assert world.value(sa.select(games.c.winner)) == "townsfolk"
    assert sums() == before
    revived = [{"kind": "strike", "verdict": 1}]
    assert refused(world, "correct", changes=revived)
