"""Whatever is sent, in whatever order: nothing raises, and what must always hold holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.model import Death, Event, Line, Lynched, Notice, Order, Outcome, Saved
from engine.rulesets.mafialife import RULESET, moves, roles
from engine.rulesets.mafialife.state import Game
from forumbot.writing import report
from tests.engine.mafialife.board import cast, tables

CAST = cast(
    """
Аня commissioner level=2
Боря assistant items=bribe,licence_kill
Вова doctor level=2 items=armour,elixir,condom
Гена psycho level=2
Даня citizen items=pistol,antiundead
Ева citizen points=6
Жора mafioso level=4
Зоя mafioso level=4
Ира mafia_journalist points=10
Йося mafia_agent level=2
Кеша mafia_lawyer level=2
Лёва unfaithful items=pistol,elixir_ultra
Миша necromancer level=2
Нюра apostate
Оля ghost
Петя vampire
Рома hacker level=2
Сеня maniac level=2
Толя killer level=3
Уля girl level=3 items=licence_vampire,anti_hacker
Федя citizen dead
Хома zombie
Цой hacker faction=den captive_of=Сеня
Чук citizen staff=1 items=licence_supershot
"""
)
NICKS = [player["nick"] for player in CAST]
TABLES = tables(win_points={"hacker": 90, "maniac": 90, "killer": 90, "girl": 90}, start_mafbucks=300)

nick = st.sampled_from(NICKS)
args = st.fixed_dictionaries(
    {},
    optional={
        "item": st.sampled_from(roles.GOODS),
        "pay": st.sampled_from(roles.PAYMENTS),
        "role": st.sampled_from(list(roles.ROLES)),
        "team": st.sampled_from(roles.FACTIONS),
        "action": st.sampled_from(moves.ACTIONS),
        "aids": st.booleans(),
        "join": st.booleans(),
        "plan": st.booleans(),
        "mafbucks": st.integers(0, 50),
    },
)
anything = st.builds(
    Order, nick, st.sampled_from((*RULESET.spec.actions, *roles.BOOK_ACTIONS)), st.lists(nick, max_size=3).map(tuple), args
)


@st.composite
def fitting(draw: st.DrawFn) -> Order:
    """An order of the player's own role, so that nights are full."""
    player = draw(st.sampled_from(CAST))
    move = draw(st.sampled_from(moves.of_role(player["role"]) or moves.of_role("maniac")))
    targets = tuple(draw(nick) for _ in range(draw(st.sampled_from(move.count))))
    chosen: dict[str, Any] = {} if move.arg is None else {move.arg: draw(st.sampled_from(move.option or tuple(roles.ROLES)))}
    return Order(player["nick"], move.action, targets, chosen)


vote = st.builds(lambda who, whom: Order(who, "vote", (whom,)), nick, nick)
turn = st.lists(st.one_of(fitting(), fitting(), fitting(), vote, anything), max_size=45)


def play(turns: list[list[Order]], seed: int) -> tuple[Game, list[tuple[Game, tuple[Event, ...], Game]]]:
    """The last game, and (before, events, after) of every resolution."""
    game, chance = RULESET.start(CAST, {}, TABLES, 2), Chance(seed)
    closes = []
    for orders in turns:
        if RULESET.winner(game) is not None:
            break
        game, _ = RULESET.open(game, chance)
        for i, order in enumerate(orders):
            before = game
            game, events = RULESET.receive(game, replace(order, ref=f"{game.turn}.{i}"), chance)
            assert events
            assert before.players.keys() == game.players.keys()
        before = game
        game, events = RULESET.close(game, chance)
        closes.append((before, events, game))
    return game, closes


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(turn, min_size=1, max_size=3), st.integers(0, 9))
def test_nothing_raises_and_the_books_are_right(turns: list[list[Order]], seed: int) -> None:
    game, closes = play(turns, seed)
    for before, events, after in closes:
        dead = {event.player for event in events if isinstance(event, Death)}
        saved = {event.player for event in events if isinstance(event, Saved)}
        assert not dead & saved
        for seat, player in after.players.items():
            was = before.players[seat]
            assert (was.alive and not player.alive) == (seat in dead)
            assert min(player.mafbucks, player.points, player.staff, player.level) >= 0
            assert player.role != "zombie" or not player.alive
            if player.neutral and player.faction != roles.NEUTRAL:
                assert player.faction in player.recruited_by
        assert {event.player for event in events if isinstance(event, Lynched)} <= set(before.players)
        ids = {o.reason for o in events if isinstance(o, Outcome)} - {None}
        assert ids <= set(roles.REASONS_FAILED)
        assert {d.cause for d in events if isinstance(d, Death)} <= set(roles.CAUSES)
        assert {n.kind for n in events if isinstance(n, Notice)} <= set(roles.NOTICES)
        assert report.plain("mafialife", after.turn, [e for e in events if isinstance(e, Line)])
    for seat, player in game.players.items():
        assert sum(booking.amount for booking in game.ledger if booking.player == seat) == player.mafbucks


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(turn, min_size=1, max_size=2), st.integers(0, 9))
def test_the_same_inputs_give_the_same_game(turns: list[list[Order]], seed: int) -> None:
    assert play(turns, seed) == play(turns, seed)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(turn)
def test_items_come_from_nowhere_but_the_market(orders: list[Order]) -> None:
    """A night moves items and uses them up; only gifts of levels and of study add some."""
    _, ((before, events, after), *_) = play([orders], 0)
    given_away = sum(len(n.data["items"]) for n in events if isinstance(n, Notice) and n.kind == "level_up")
    studied = any(isinstance(n, Notice) and n.kind == "role_learned" and n.data["role"] == "mafioso" for n in events)
    if not studied:
        assert (
            sum(len(p.items) for p in after.players.values()) <= sum(len(p.items) for p in before.players.values()) + given_away
        )
