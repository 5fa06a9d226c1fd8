"""What was sent is judged when the market has closed (R2, R9, D53-D55, D60); told step by step, it is the same in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.model import Accepted, Event, Order, Rejected, Withdrawn
from engine.rulesets.mafialife import RULESET, day, docket, refusals
from engine.rulesets.mafialife.state import REPLACED, Game
from tests.engine.mafialife.board import Board, cast, once, order, tables
from tests.engine.mafialife.test_any_orders import CAST, NICKS, anything, fitting, vote

TOWN = """
Анна doctor points=5
Борис commissioner
Вера mafioso
Гриша necromancer
Дина killer faction=office
Егор citizen points=3 mafbucks=300
"""


@pytest.mark.parametrize("first", ["Анна heal Борис", "Анна heal_office"])
def test_h22_a_refused_order_replaces_nothing_whenever_it_is_refused(first: str) -> None:
    """The order that falls after the market was the last one; the one before it stands again, and so on."""
    result = once(TOWN, first, "Анна super_heal Вера", "Анна heal Гриша", "Вера host_remove", "Гриша host_remove")
    assert result.rejected == ["Анна:heal:bad_target"]
    assert "Анна:super_heal" not in result.outcomes
    assert result.outcomes.get(f"Анна:{first.split()[1]}") == ""


def test_d54_a_vote_that_falls_leaves_the_one_before_it() -> None:
    board = Board(TOWN, 2)
    result = board.turn("Дина vote Вера", "Дина vote Егор", "Егор buy item=level_2 pay=mafbucks")
    assert result.votes == {"Вера": 1}
    assert result.rejected == ["Дина:vote:own_team"]


def test_d54_of_several_that_fall_only_the_last_is_told() -> None:
    board = Board(TOWN, 2)
    result = board.turn("Анна heal Вера", "Анна super_heal Вера", "Вера host_remove")
    assert result.rejected == ["Анна:super_heal:bad_target"]


def test_d60_a_purchase_cures_an_order_but_what_was_heard_stays() -> None:
    cured = once("Анна doctor mafbucks=300", "Анна super_heal Анна", "Анна buy item=level_2 pay=mafbucks")
    assert cured.rejected == []
    assert cured.outcomes["Анна:super_heal"] == ""
    late = once("Анна doctor\nБорис mafioso", "Анна super_heal Борис", "Борис host_remove", "Анна heal Анна")
    assert late.rejected == ["Анна:super_heal:level_too_low"]
    assert late.outcomes["Анна:heal"] == ""


def test_d60_a_cured_order_stands_in_its_place_and_a_later_one_still_replaces_it() -> None:
    result = once(TOWN.replace("points=5", "mafbucks=300"), "Анна super_heal Борис", "Анна heal Гриша",
                  "Анна buy item=level_1 pay=mafbucks")  # fmt: skip
    assert "Анна:super_heal" not in result.outcomes
    assert result.outcomes["Анна:heal"] == ""


def test_taking_back_takes_what_was_replaced_along() -> None:
    result = once(TOWN, "Анна heal Борис", "Анна super_heal Вера", "Анна cancel")
    assert "Анна:heal" not in result.outcomes and "Анна:super_heal" not in result.outcomes


def test_d53_dealings_before_the_hosts_word_stand_and_a_gift_after_it_is_refused() -> None:
    lines = TOWN.replace("Борис commissioner", "Борис commissioner items=armour,armour")
    gift = "Борис gift Егор item=armour"
    result = once(lines, gift, "Егор host_remove", gift, "Егор buy item=armour pay=mafbucks")
    assert result.rejected == ["Борис:gift:bad_target", "Егор:buy:dead"]
    assert result.state("Егор")["items"] == ["armour"]


def test_d55_a_fine_takes_what_is_there_and_the_move_of_a_study_falls() -> None:
    result = once("Анна citizen points=5\nБорис mafioso\nВера necromancer", "Анна study role=girl", "Анна host_fine points=1")
    assert result.rejected == ["Анна:study:not_enough_points"]
    assert result.state("Анна")["role"] == "citizen"


# --- The same by another way ----------------------------------------------------------------------------------------------

hosts = st.builds(Order, st.sampled_from(NICKS), st.sampled_from(["host_remove", "cancel"]))
STEPS = st.one_of(fitting(), fitting(), vote, anything, hosts)
RICH = tables(start_mafbucks=300, win_points={"hacker": 90, "maniac": 90, "killer": 90, "girl": 90}, missed_turns_limit=1)


def judged_at_once(game: Game, seat: str) -> dict[int, str | None]:
    """R9 and D60 read literally: every order of a player against the closed market, number -> None where it stands."""
    fired: list[str] = []
    fits: dict[int, str | None] = {}
    for sent in game.sent.get(seat, ()):
        fits[sent.number] = refusals.refuse(game, sent.order, tuple(fired))
        move = refusals.own_move(game, game.players[seat], sent.order.action)
        if fits[sent.number] is None and not sent.slot and move is not None and move.item:
            fired.append(move.item)
    stands = {number: number for number, reason in fits.items() if reason is None}
    slots = {sent.number: sent.slot for sent in game.sent.get(seat, ())}
    last = {slot: max(n for n in stands if slots[n] == slot) for slot in {slots[n] for n in stands}}
    return {n: reason if reason is not None or not slots[n] or last[slots[n]] == n else REPLACED for n, reason in fits.items()}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, max_size=70))
def test_what_was_told_step_by_step_is_what_holds_in_the_end(orders: list[Order]) -> None:
    game, chance = RULESET.start(CAST, {}, RICH, 2), Chance(0)
    game, _ = RULESET.open(game, chance)
    told: list[Event] = []
    for i, one in enumerate(orders):
        game, events = RULESET.receive(game, replace(one, ref=f"{i}"), chance)
        told += events
    market, _ = day.struck(game)
    closed, late = RULESET.close(game, chance)
    told += late
    last: dict[str, Event] = {}
    for event in told:
        if isinstance(event, (Accepted, Rejected, Withdrawn)) and event.order is not None:
            last[event.order.ref] = event
    for seat in market.players:
        literal = judged_at_once(market, seat)
        for sent in market.sent.get(seat, ()):
            assert (sent.reason is None) == (literal[sent.number] is None)
            assert isinstance(last[sent.order.ref], Accepted) == (sent.reason is None)
            if isinstance(last[sent.order.ref], Rejected):
                assert sent.heard in (None, last[sent.order.ref].reason)
    assert [c.order for c in docket.all_standing(market)] == sorted(
        (c.order for c in docket.all_standing(market)), key=lambda one: int(one.ref)
    )
    assert closed.sent == {}


def test_s13_the_work_of_a_day_grows_with_its_orders_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A market day of twice as many players asks the tests of arrival twice as often, not four times."""
    asked = 0
    plain = refusals.first_reason

    def counting(*arguments: object) -> str | None:
        nonlocal asked
        asked += 1
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(refusals, "first_reason", counting)

    def day_of(players: int) -> int:
        nonlocal asked
        lines = "\n".join(f"И{n} {('citizen', 'mafioso', 'doctor', 'girl')[n % 4]} mafbucks=300 level=1" for n in range(players))
        game, chance = RULESET.start(cast(lines), {}, RICH, 2), Chance(0)
        game, _ = RULESET.open(game, chance)
        asked = 0
        for n in range(players):
            votes = [f"И{n} vote И{(n + far) % players}" for far in (1, 2)]
            for text in (votes[0], f"И{n} buy item=level_2 pay=mafbucks", votes[1]):
                game, _ = RULESET.receive(game, order(text, ref=f"{n}:{text}"), chance)
        RULESET.close(game, chance)
        return asked

    small, large = day_of(60), day_of(120)
    assert large <= 2.2 * small
