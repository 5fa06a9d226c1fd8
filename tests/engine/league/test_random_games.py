"""Random orders never raise, keep the books straight, and tell no secret in public."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.model import Accepted, Death, Line, Notice, Order, Outcome, Rejected, Saved
from engine.rulesets.league import RULESET
from engine.rulesets.league.economy import CURRENCIES
from engine.rulesets.league.roles import ACTIONS, HOST_ACTIONS, ITEMS, ROLES, WITHDRAW
from forumbot.writing import report
from tests.engine.league.board import tables

SEATS = tuple(f"Игрок{i}" for i in range(1, 15))
MEASURES = ("write_story", "late_contract", "charge", "leniency")
MOVES = (*ACTIONS, *ACTIONS, *WITHDRAW, "remove", "grade", "choose_story", "grant", *MEASURES)
TABLES = [
    tables(),
    tables({"auction": {"late_orders": "accept"}, "stories": {"publish_blocked": True}, "win": {"after_lynch": True}}),
    tables({"voting": {"missed_limit": 0}, "coins": {"vote_when": "all"}, "fines": {"after": 1, "share": 0.5}}),
]


@st.composite
def casts(draw: Any) -> list[dict[str, Any]]:
    cast = []
    for seat in SEATS:
        role = draw(st.sampled_from(list(ROLES)))
        row: dict[str, Any] = {"nick": seat, "role": role, "coins": draw(st.sampled_from([0, 12, 60, 200]))}
        if draw(st.integers(0, 6)) == 0:
            row |= {"alive": False, "cause": "mafia", "killer": draw(st.sampled_from(SEATS)), "ghost": draw(st.booleans())}
        cast.append(row)
    return cast


ARGS = st.fixed_dictionaries(
    {},
    optional={
        "story": st.sampled_from(["Рассказ.", "", "Ночью пропал Игрок3."]),
        "shot": st.sampled_from([1, 1, 1, 2, 3, 0, "два"]),
        "grade": st.integers(-2, 9),
        "number": st.integers(0, 4),
        "count": st.integers(0, 3),
        "coins": st.sampled_from([0, 5, 10, 15, 50, -3]),
        "late": st.booleans(),
        "item": st.sampled_from([*ITEMS, "ключ"]),
        "role": st.sampled_from([*ROLES, "шпион"]),
        "from": st.sampled_from(["necro_shield", "extra_check", "resurrect", "extra_shot"]),
        "to": st.sampled_from(["necro_shield", "extra_check", "resurrect", "net"]),
        "from_target": st.sampled_from(SEATS),
        "action": st.sampled_from(["kill", "check", "hang_story"]),
        "debt": st.integers(0, 5),
        "cost": st.integers(-1, 60),
        "turn": st.integers(0, 4),
        "about": st.sampled_from(SEATS),
    },
)
ORDERS = st.builds(
    Order,
    st.sampled_from([*SEATS, "Прохожий"]),
    st.sampled_from(MOVES),
    st.lists(st.sampled_from(SEATS), max_size=2).map(tuple) | st.sampled_from(SEATS).map(lambda seat: (seat,)),
    ARGS,
)
GAMES = {
    "cast": casts(),
    "turns": st.lists(st.lists(ORDERS, max_size=45), min_size=1, max_size=4),
    "which": st.sampled_from(range(len(TABLES))),
    "first": st.sampled_from([0, 1, 2]),
    "seed": st.integers(0, 99),
}
MANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def willing(game: Any, turn: list[Order]) -> list[Order]:
    """The drawn orders, and a move of everybody who may move: games in which something happens."""
    seats = RULESET.seats(game)
    sent = list(turn)
    for i, (seat, actions) in enumerate(RULESET.owing(game).items()):
        for action in actions:
            target = seats[(i * 5 + len(turn)) % len(seats)]
            sent.append(Order(seat, action, () if action == "accept_work" else (target,), {"story": "Так и было.", "number": 1}))
    return sent


def play(cast: list[dict[str, Any]], turns: list[list[Order]], which: int, first: int, seed: int) -> Any:
    """Every step of a game: (game, events) after each call."""
    chance = Chance(seed)
    game = RULESET.start(cast, {}, TABLES[which], first)
    for turn in turns:
        if RULESET.stage(game) == "over":
            return
        game, events = RULESET.open(game, chance)
        yield game, events
        for order in willing(game, turn):
            for mark in RULESET.marks_before(game, order):
                game, events = RULESET.mark(game, mark, chance)
                yield game, events
            game, events = RULESET.receive(game, order, chance)
            assert isinstance(events[0], (Accepted, Rejected))
            yield game, events
        game, events = RULESET.close(game, chance)
        yield game, events


@MANY
@given(**GAMES)
def test_books_are_straight_and_no_booking_is_made_twice(
    cast: list[dict[str, Any]], turns: list[list[Order]], which: int, first: int, seed: int
) -> None:
    last: Any = None
    for game, _ in play(cast, turns, which, first, seed):
        last = game
        for account in ("coins", "held", "pooled", "fine"):
            assert all(balance >= 0 for balance in RULESET.balances(game)[account].values())
        if RULESET.stage(game) != "turn":
            assert set(RULESET.balances(game)["held"].values()) == {0}
    bookings = RULESET.ledger(last)
    assert len({b.once for b in bookings}) == len(bookings)
    assert all(b.amount > 0 for b in bookings)
    inside = sum(balance for table in RULESET.balances(last).values() for balance in table.values())
    given = sum(b.amount * ((b.source not in CURRENCIES) - (b.sink not in CURRENCIES)) for b in bookings)
    assert inside == given
    for account in CURRENCIES:
        for seat, balance in RULESET.balances(last)[account].items():
            mine = [b for b in bookings if b.seat == seat]
            assert balance == sum(b.amount * ((b.sink == account) - (b.source == account)) for b in mine)


@MANY
@given(**GAMES)
def test_what_the_rules_promise_of_every_turn(
    cast: list[dict[str, Any]], turns: list[list[Order]], which: int, first: int, seed: int
) -> None:
    dead: set[str] = set()
    for game, events in play(cast, turns, which, first, seed):
        alive = set(RULESET.alive(game))
        if RULESET.stage(game) == "turn":
            dead |= {e.player for e in events if isinstance(e, Death)}
            continue
        dead |= {e.player for e in events if isinstance(e, Death)}
        saved = {e.player for e in events if isinstance(e, Saved)}
        assert saved <= alive
        assert not saved & dead
        for side in ("mafia", "yakuza"):
            numbers = sorted(p.number for p in game.players.values() if p.alive and p.faction == side and p.number)
            assert numbers == list(range(1, len(numbers) + 1))
        assert all(not p.number for p in game.players.values() if not p.alive)
        reasons = {e.reason for e in events if isinstance(e, Outcome)} - {None}
        assert reasons <= set(RULESET.spec.reasons)
        assert {e.cause for e in events if isinstance(e, Death)} <= set(RULESET.spec.causes)
        assert {e.kind for e in events if isinstance(e, Notice)} <= set(RULESET.spec.notices)
        dead = set()


@MANY
@given(**GAMES)
def test_every_line_has_words_and_every_event_its_rule(
    cast: list[dict[str, Any]], turns: list[list[Order]], which: int, first: int, seed: int
) -> None:
    for game, events in play(cast, turns, which, first, seed):
        lines = [e for e in events if isinstance(e, Line)]
        assert all(e.rule for e in events if isinstance(e, (Line, Notice, Death, Outcome)))
        if RULESET.stage(game) == "turn":
            assert {e.section for e in lines} <= {"thread"}
            continue
        text = report.plain("league", RULESET.turn(game), lines)
        assert "Мёртвые:" in text
        told = sum(1 for e in lines if e.section not in ("stories", "lists"))
        before = text.split("Рассказ:")[0].split("Живые:")[0]
        assert len([row for row in before.splitlines() if row]) >= told - 1


@MANY
@given(**GAMES)
def test_the_same_inputs_give_the_same_game(
    cast: list[dict[str, Any]], turns: list[list[Order]], which: int, first: int, seed: int
) -> None:
    one = [events for _, events in play(cast, turns, which, first, seed)]
    assert one == [events for _, events in play(cast, turns, which, first, seed)]


def test_host_actions_are_all_known() -> None:
    assert set(HOST_ACTIONS) <= set(RULESET.spec.actions)
