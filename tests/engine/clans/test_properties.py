"""Whatever is sent, the engine plays on, and some things hold in every night."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.model import Counted, Death, Ended, Event, Line, Notice, Order, Outcome, Saved
from engine.rulesets.clans import RULESET, roles
from engine.rulesets.clans.state import Game
from tests.engine.clans.board import tables

NICKS = tuple(f"И{number:02}" for number in range(1, 23))
PARTS = (
    *((role, clan) for clan in roles.CLANS for role in roles.SENIORITY),
    *((role, None) for role in roles.CIVILIAN_ROLES),
    (roles.MANIAC, None),
)
SENT = (*roles.ACTIONS, "cancel", "pass")
OPTIONS: dict[str, tuple[Any, ...]] = {
    "activity_penalties": (False, True),
    "words_required": (0, 2),
    "mine_votes": (1, 3),
    "mine_counts_secret": (True, False),
    "artist_reappoint": (False, True),
    "hunt_miss_kills": ("hunter", "victim"),
    "clan_shooter": ("sender", "eldest"),
    "clan_kill_outlives_sender": (True, False),
    "showdown_heal_saves": (False, True),
    "vest_in_motel": (True, False),
    "blast_reaches_mirror": (False, True),
    "maniac_chain": ("by_time", "maniac_loses", "both"),
    "seating": ("roster", "random"),
    "clan_wins_at": ("parity", "last"),
    "publish_votes": ("none", "totals"),
    "reveal_dead": ("none", "status", "role"),
    "report_saves": ("none", "count"),
    "torture_public": (False, True),
}

options = st.fixed_dictionaries({key: st.sampled_from(values) for key, values in OPTIONS.items()})
picks = st.integers(0, 10_000)


@st.composite
def an_order(draw: st.DrawFn) -> tuple[int, int, tuple[int, ...], int]:
    """Raw numbers: who, what, at whom, with which arg. Mostly something the sender's role has."""
    return draw(picks), draw(picks), tuple(draw(st.lists(picks, min_size=0, max_size=3))), draw(picks)


def made_order(game: Game, raw: tuple[int, int, tuple[int, ...], int], number: int) -> Order:
    who, what, whom, arg = raw
    seats = tuple(game.players)
    player = game.players[seats[who % len(seats)]]
    own = ("vote", "kill", "hunt", *roles.ROLE_ACTIONS.get(player.acting, ()))
    if what % 12 == 0:
        action = ("host_violation", "host_disqualify", "words", "replace_role")[arg % 4]
    else:
        action = SENT[what % len(SENT)] if what % 5 == 0 else own[what % len(own)]
    targets = tuple(seats[target % len(seats)] for target in whom)
    if action in own and action != "extra_votes" and targets:
        targets = targets[: 2 if action == "interview" else 1]
    args: dict[str, Any] = {}
    if action == "host_violation":
        kinds = [kind for kind in roles.VIOLATIONS if kind != "coalition" or arg % 50 == 0]
        args = {"kind": kinds[arg % len(kinds)], "proof": arg % 3 != 0}
    elif action == "words":
        args = {"count": arg % 4}
    elif action == "replace_role":
        args = {"role": roles.SENIORITY[arg % 5]}
    return Order(player.nick, action, targets if action not in roles.HOST_ACTIONS else (), args, ref=str(number))


@st.composite
def a_game(draw: st.DrawFn) -> tuple[Game, list[list[tuple[int, int, tuple[int, ...], int]]], int]:
    parts = draw(st.permutations(PARTS))[: draw(st.integers(6, 22))]
    players = []
    for nick, (role, clan) in zip(NICKS, parts, strict=False):
        player: dict[str, Any] = {"nick": nick, "role": role, "alive": draw(st.integers(0, 5)) > 0}
        if clan is not None:
            player["faction"] = clan
        if draw(st.integers(0, 7)) == 0:
            player["exhausted"] = True
        if draw(st.integers(0, 7)) == 0:
            player["mined_by"] = NICKS[0]
        players.append(player)
    game = RULESET.start(players, {}, tables(**draw(options)), draw(st.integers(1, 6)))
    nights = draw(st.lists(st.lists(an_order(), max_size=40), min_size=1, max_size=3))
    return game, nights, draw(picks)


def played(game: Game, nights: Sequence[Sequence[Any]], seed: int) -> list[tuple[Game, Game, tuple[Event, ...]]]:
    """(game at the deadline, game after it, what followed) of each turn."""
    chance = Chance(seed)
    turns = []
    for night in nights:
        if game.stage == "over":
            break
        game, _ = RULESET.open(game, chance)
        for number, raw in enumerate(night):
            game, _ = RULESET.receive(game, made_order(game, raw, number), chance)
        after, events = RULESET.close(game, chance)
        turns.append((game, after, events))
        game = after
    return turns


def kinds(events: Sequence[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


CAREFUL = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@CAREFUL
@given(a_game())
def test_invariants_of_every_night(given_game: Any) -> None:
    for before, after, events in played(*given_game):
        deaths = kinds(events, Death)
        dead = [death.player for death in deaths]
        living = set(after.living())
        assert len(dead) == len(set(dead)) and set(before.living()) == living | set(dead)
        assert all(death.cause in roles.CAUSES for death in deaths)
        assert {event.player for event in kinds(events, Saved)} <= living
        for death in deaths:
            if death.cause == "clan_kill":
                assert not before.players[death.player].mafioso
            if death.cause in ("reflected", "failed_hunt") and before.tables.hunt_miss_kills == "hunter":
                assert death.by == death.player
        for outcome in kinds(events, Outcome):
            assert outcome.reason is None or outcome.reason in roles.FAILURES
        for notice in kinds(events, Notice):
            assert notice.kind in roles.NOTICES
            assert notice.to in living or notice.kind in ("penalty", "penalty_point")
        counted = kinds(events, Counted)
        assert len(counted) == 1
        done_extra = sum(len(o.targets) for o in kinds(events, Outcome) if o.action == "extra_votes" and o.reason is None)
        won = RULESET.winner(after)
        if won != "draw":
            assert sum(counted[0].votes.values()) == len(RULESET.ballots(before)) + done_extra
        assert [event.winner for event in kinds(events, Ended)] == ([won] if won else [])
        for seat, player in after.players.items():
            was = before.players[seat]
            assert player.bullets in (was.bullets, was.bullets - 1) and player.bullets >= 0
            assert player.points >= was.points and player.violations >= was.violations
            assert player.vest <= was.vest and player.poison_used >= was.poison_used


@CAREFUL
@given(a_game())
def test_the_same_inputs_give_the_same_game(given_game: Any) -> None:
    assert played(*given_game) == played(*given_game)


@CAREFUL
@given(a_game())
def test_the_newspaper_follows_from_public_facts_alone(given_game: Any) -> None:
    """Its lines can be written anew from deaths, lynch, victory and what the tables publish; nothing else shows."""
    for before, after, events in played(*given_game):
        lines = kinds(events, Line)
        named = [line.data["player"] for line in lines if line.section == "deaths" and line.kind != "none"]
        deaths = {death.player: death.cause for death in kinds(events, Death)}
        seats = list(before.players)
        assert named == sorted(deaths, key=lambda seat: (roles.CAUSES.index(deaths[seat]), seats.index(seat)))
        assert [line.kind for line in lines if line.section == "deaths"] == [deaths[seat] for seat in named] or not deaths
        sections = [line.section for line in lines]
        assert list(dict.fromkeys(sections)) == [
            section
            for section in ("title", "court", "votes", "deaths", "saves", "torture", "victory", "living")
            if section in sections
        ]
        for line in lines:
            assert set(line.data) <= {
                "title": {"day"},
                "court": {"player"},
                "votes": {"totals"},
                "deaths": {"player", "reveal"},
                "saves": {"count"},
                "torture": {"player"},
                "victory": {"player", "name"},
                "living": {"players"},
            }[line.section]
            if line.section == "votes":
                assert sum(total["votes"] for total in line.data["totals"]) == len(RULESET.ballots(before))
        assert lines[-1].data["players"] == after.living()


@CAREFUL
@given(a_game())
def test_views_and_the_reader_can_be_asked_at_any_time(given_game: Any) -> None:
    for before, after, _ in played(*given_game):
        for game in (before, after):
            assert set(RULESET.state(game)) == set(RULESET.seats(game)) >= set(RULESET.alive(game))
            assert set(RULESET.owing(game)) <= set(RULESET.alive(game))
            for seat in RULESET.seats(game):
                RULESET.known(game, seat)
                for order in RULESET.standing(game, seat):
                    assert order.player == seat
