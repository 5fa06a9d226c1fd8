"""Whatever is sent: nothing raises, nothing changes in place, and what the rules promise of every game holds."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.model import Accepted, Death, Ended, Line, Order, Outcome, Rejected
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.roles import CANONICAL, TOWN_ROLES, VILLAIN_ROLES
from engine.rulesets.goldenkey.victory import winner
from forumbot.writing import report
from tests.engine.goldenkey.table import play, tables

SEATS = [f"s{i}" for i in range(9)]
ANYBODY = st.sampled_from([*SEATS, "stranger"])
ROLE_IDS = st.sampled_from([*(role.id for role in CANONICAL), "villain", "citizen", "nonsense"])
ACTIONS = st.sampled_from([*RULESET.spec.actions, "cancel", "pass"])
ARGS = st.fixed_dictionaries(
    {},
    optional={
        "role": st.one_of(ROLE_IDS, st.lists(ROLE_IDS, max_size=2), st.none(), st.integers()),
        "by": st.one_of(ANYBODY, st.lists(ANYBODY, max_size=1)),
        "roles": st.one_of(st.permutations(VILLAIN_ROLES), st.lists(ROLE_IDS, max_size=4)),
        "what": st.sampled_from(["bid", "move"]),
    },
)
WILD = st.builds(Order, ANYBODY, ACTIONS, st.lists(ANYBODY, max_size=4).map(tuple), ARGS)
SENSIBLE = st.builds(
    lambda seat, target, action, role: Order(
        seat, action, () if action == "bid_role" else (target,), {"role": role} if role else {}
    ),
    st.sampled_from(SEATS),
    st.sampled_from(SEATS),
    st.sampled_from(["vote", "kill", "guard", "beat", "spy", "invite", "recruit", "attack", "bid_role"]),
    st.one_of(st.none(), st.sampled_from([role.id for role in CANONICAL])),
)
TURNS = st.lists(st.lists(st.one_of(WILD, SENSIBLE, SENSIBLE), max_size=25), min_size=1, max_size=4)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in (
            "lynched_plays_night",
            "killer_keeps_own_move",
            "recruited_as_killer",
            "recruited_may_bid",
            "elder_hurt_as_guest",
            "spy_needs_command",
            "opening_night",
            "notify_lynch",
            "report_target_nicks",
            "report_blocks",
            "joined_counts_as_villain",
        )
    }
    | {"artemon_kill_from": st.integers(1, 2), "quiet_turns": st.integers(0, 3)},
)


def dealt(seed: int, options: dict[str, Any]) -> tuple[Any, Chance]:
    chance = Chance(seed)
    game, _ = RULESET.deal(SEATS, tables(min_players=5, **options), chance)
    return RULESET.mark(game, "setup", chance)[0], chance


def plain(game: Any) -> Any:
    """Everything that can be seen of a game, copied."""
    return copy.deepcopy(
        (
            {seat: {**row, "received": dict(row["received"])} for seat, row in RULESET.state(game).items()},
            RULESET.balances(game),
            RULESET.ballots(game),
            [RULESET.standing(game, seat) for seat in SEATS],
            RULESET.stage(game),
            repr(game),
        )
    )


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 99), OPTIONS, TURNS)
def test_no_order_whatever_raises_and_the_promises_hold(seed: int, options: dict[str, Any], turns: list[list[Order]]) -> None:
    game, chance = dealt(seed, options)
    for orders in turns:
        if RULESET.winner(game) is not None:
            break
        before = game
        turn = play(game, orders, chance)
        game = turn.game
        check_turn(before, turn)


def check_turn(before: Any, turn: Any) -> None:
    game = turn.game
    dead = {d.player for d in turn.all(Death)}
    for seat, p in game.players.items():
        was = before.players[seat]
        assert 0 <= p.lives <= was.lives, "nobody gains a life, nobody goes below 0"
        assert p.alive == (p.lives > 0)
        assert (seat in dead) == (was.alive and not p.alive)
        assert not p.out
        assert p.born == was.born
    assert all(0 <= lives <= before.role_lives[role] for role, lives in game.role_lives.items())
    holders: dict[str, str] = {}
    for p in game.players.values():
        for role in p.roles if p.alive else ():
            assert role not in holders, "a role has one living holder"
            holders[role] = p.seat
    if game.winner is None:
        assert all(len([r for r in p.roles if r in TOWN_ROLES]) <= 2 for p in game.players.values() if p.alive)
        assert winner(game.players.values(), game.tables) is None
        assert not turn.all(Ended)
    else:
        assert [e.winner for e in turn.all(Ended)] == [game.winner]
    assert len(turn.all(Outcome)) == len({o.args["role"] for o in turn.all(Outcome)}), "one command a role"
    text = report.plain("goldenkey", game.turn, turn.all(Line))
    named = {seat for seat in SEATS if f"{seat} " in f"{text} ".replace(",", " ").replace("\n", " ")}
    if game.winner is None and not game.tables.report_target_nicks:
        lynched = {line.data["player"] for line in turn.all(Line) if line.kind == "life_lost"}
        assert named <= dead | lynched


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99), TURNS)
def test_calls_change_no_game_in_place_and_the_same_inputs_give_the_same_game(seed: int, turns: list[list[Order]]) -> None:
    def fold(look: bool) -> list[Any]:
        game, chance = dealt(seed, {})
        seen: list[Any] = []
        for orders in turns:
            if RULESET.winner(game) is not None:
                break
            calls: list[Any] = [lambda g: RULESET.open(g, chance)]
            calls += [lambda g, o=order: RULESET.receive(g, o, chance) for order in orders]
            calls += [lambda g: RULESET.mark(g, "lynch", chance), lambda g: RULESET.close(g, chance)]
            for call in calls:
                before = plain(game) if look else None
                after, events = call(game)
                if look:
                    assert plain(game) == before
                game = after
                seen.append(repr(events))
        return [*seen, plain(game)]

    assert fold(look=True) == fold(look=False)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 99), st.lists(st.one_of(WILD, SENSIBLE), max_size=30))
def test_every_order_gets_an_answer_first(seed: int, orders: list[Order]) -> None:
    game, chance = dealt(seed, {})
    game, _ = RULESET.open(game, chance)
    for sent in orders:
        game, events = RULESET.receive(game, sent, chance)
        assert isinstance(events[0], (Accepted, Rejected))
        assert events[0].order == sent
        RULESET.owing(game)
        RULESET.known(game, sent.player)


def test_a_game_of_random_sensible_orders_comes_to_an_end() -> None:
    """Ten games of fifteen players; the longest possible standstill ends each."""
    for seed in range(10):
        chance = Chance(seed)
        game, _ = RULESET.deal([f"s{i}" for i in range(15)], tables(), chance)
        game, _ = RULESET.mark(game, "setup", chance)
        pick = Chance(1000 + seed)
        for turn in range(200):
            pick.begin(turn)
            living = RULESET.alive(game)
            orders = [Order(seat, "vote", (pick.draw("vote", living, single_is_draw=True),)) for seat in living]
            for seat in living:
                for action in ("kill", "attack"):
                    orders.append(Order(seat, action, (pick.draw("target", living, single_is_draw=True),)))
            game = play(game, orders, chance).game
            if game.winner is not None:
                break
        assert game.winner in ("villains", "townsfolk", "maniacs", "draw")
