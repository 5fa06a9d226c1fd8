"""What is taken, refused, replaced and taken back (R14-R22, R49, R71)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, Order, Rejected, Withdrawn
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.refusals import TESTS
from engine.rulesets.goldenkey.state import Game
from tests.engine.goldenkey.table import night, order, play, start, vote

CAST: dict[str, Any] = {
    "K": "karabas",
    "D": "duremar",
    "V": "villain",
    "B": "buratino",
    "M": "malvina",
    "R": "artemon",
    "G": "giuseppe",
    "J": {"role": "tortilla", "faction": "villains"},
    "C": "citizen",
    "X": {"role": "citizen", "alive": False},
}
TWO: dict[str, Any] = CAST | {"B": {"role": "buratino", "roles": ["buratino", "artemon"]}, "R": "citizen"}
ROLES_IN_ORDER = ["karabas", "duremar", "alisa", "basilio"]


def opened(cast: dict[str, Any] = CAST, **how: Any) -> Game:
    return RULESET.open(start(cast, **how), Chance(0))[0]


def verdict(game: Game, sent: Order) -> str | None:
    """None when taken, else the reason."""
    first = RULESET.receive(game, sent, Chance(0))[1][0]
    assert isinstance(first, (Accepted, Rejected))
    return first.reason if isinstance(first, Rejected) else None


def send(game: Game, *sent: Order) -> Game:
    for one in sent:
        game = RULESET.receive(game, one, Chance(0))[0]
    return game


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (order("B kill C"), None),
        (order("B kill C", role="buratino"), None),
        (order("X kill C"), "dead_player"),
        (order("Z kill C"), "dead_player"),
        (order("C kill B"), "not_your_action"),
        (order("B spy C"), "not_your_action"),
        (order("B beat C", role="artemon"), "not_your_action"),
        (order("B kill C", role="killer"), "not_your_action"),
        (order("B kill C", role=["buratino", "artemon"]), "not_your_action"),
        (order("C kill B", role="citizen"), "not_your_action"),
        (order("V guard C"), "not_your_action"),
        (order("V guard C", role="duremar"), None),
        (order("J guard C", role="duremar"), None),
        (order("V guard C", role="karabas"), "not_your_action"),
        (order("V attack C", role="tortilla"), None),
        (order("V attack C", role="giuseppe"), "not_your_action"),
        (order("V beat C", role="alisa"), "bad_performer"),
        (order("V kill C"), None),
        (order("V kill C", by="K"), None),
        (order("V kill C", by="J"), "bad_performer"),
        (order("V kill C", by="C"), "bad_performer"),
        (order("V kill C", by="X"), "bad_performer"),
        (order("V kill C", by="nobody"), "bad_performer"),
        (order("J kill C"), "bad_performer"),
        (order("J kill C", by="V"), None),
        (order("B kill"), "bad_targets"),
        (order("B kill C K"), "bad_targets"),
        (order("B kill nobody"), "bad_targets"),
        (order("R kill C"), "kill_not_yet"),
        (order("R beat C"), None),
        (order("K recruit G"), None),
        (order("B kill X"), "dead_target"),
        (order("B kill B"), "self_target"),
        (order("V kill K", by="K"), "self_target"),
        (order("V kill V", by="K"), None),
        (order("V guard D", role="duremar"), None),
        (vote("C", "C"), None),
        (vote("C", "X"), "dead_target"),
        (vote("X", "C"), "dead_player"),
        (order("C vote B G"), "bad_targets"),
        (order("C unvote"), None),
        (order("C unvote B"), "bad_targets"),
        (order("C bid_role", role="malvina"), None),
        (order("C bid_role", role=["malvina"]), None),
        (order("B bid_role", role="buratino"), None),
        (order("K bid_role", role="malvina"), "not_your_action"),
        (order("G bid_role", role="malvina"), "not_your_action"),
        (order("C bid_role", role="basilio"), "not_on_offer"),
        (order("C bid_role", role="giuseppe"), "not_on_offer"),
        (order("C bid_role"), "bad_targets"),
        (order("C bid_role", role=["malvina", "pierro"]), "bad_targets"),
        (order("C bid_role B", role="malvina"), "bad_targets"),
        (order("X host_remove"), "dead_player"),
        (order("C host_remove"), None),
        (order("X pass"), "dead_player"),
        (order("C assign_roles K D V V", roles=ROLES_IN_ORDER), "not_your_action"),
        (order("J assign_roles K D V V", roles=ROLES_IN_ORDER), "not_your_action"),
        (order("K assign_roles K D V V", roles=ROLES_IN_ORDER), None),
        (order("K assign_roles K D D K", roles=ROLES_IN_ORDER), "bad_assignment"),
        (order("K assign_roles K D V J", roles=ROLES_IN_ORDER), "bad_assignment"),
        (order("K assign_roles K D V", roles=ROLES_IN_ORDER), "bad_assignment"),
        (order("K assign_roles K D V", roles=ROLES_IN_ORDER[:3]), "bad_assignment"),
        (order("K assign_roles K D V V"), "bad_assignment"),
    ],
    ids=lambda value: value.ref + str(dict(value.args) or "") if isinstance(value, Order) else str(value),
)
def test_tests_on_arrival(sent: Order, reason: str | None) -> None:
    assert verdict(opened(), sent) == reason


@pytest.mark.parametrize(
    ("game", "sent", "reason"),
    [
        (opened(first_turn=4), order("R kill C"), None),
        (opened(first_turn=2), order("K assign_roles K D V V", roles=ROLES_IN_ORDER), "roles_fixed"),
        (opened(first_turn=3), order("K assign_roles K", roles=[]), "roles_fixed"),
        (opened(state={"role_lives": {"killer": 0}}), order("V kill C"), "role_gone"),
        (opened(state={"role_lives": {"malvina": 0}}), order("C bid_role", role="malvina"), "role_gone"),
        (opened(town_roles=["buratino"]), order("C bid_role", role="malvina"), "role_gone"),
        (opened(elder_above=9), order("C bid_role", role="papa_carlo"), "role_gone"),
        (opened(elder_above=8), order("C bid_role", role="papa_carlo"), None),
        (opened(CAST | {"G": "arlekin"}), order("G recruit J"), "no_maniacs"),
        (opened(TWO), order("B kill C"), None),
        (opened(TWO, first_turn=4), order("B kill C"), "role_needed"),
        (opened(TWO, first_turn=4), order("B kill C", role="artemon"), None),
        (opened(TWO, first_turn=4), order("B beat C"), None),
        (opened(first_turn=0, opening_night=True), vote("C", "B"), "no_day"),
        (opened(first_turn=0, opening_night=True), order("C unvote"), "no_day"),
        (opened(self_vote=False), vote("C", "C"), "self_target"),
        (opened(self_targets=[]), order("D guard D"), "self_target"),
        (opened(self_targets=["kill"]), order("B kill B"), None),
        (opened(recruited_as_killer=True), order("J kill C"), None),
        (opened(recruited_as_killer=True), order("V kill C", by="J"), None),
        (
            opened(CAST | {"J": {"role": "tortilla", "faction": "townsfolk"}}),
            order("J bid_role", role="malvina"),
            "not_your_action",
        ),
    ],
)
def test_tests_on_arrival_in_other_games(game: Game, sent: Order, reason: str | None) -> None:
    assert verdict(game, sent) == reason


def test_the_reasons_are_tested_in_the_order_of_the_rules() -> None:
    order_of_rules = [
        "dead_player",
        "no_day",
        "not_your_action",
        "roles_fixed",
        "bad_assignment",
        "not_on_offer",
        "role_needed",
        "bad_performer",
        "role_gone",
        "bad_targets",
        "kill_not_yet",
        "no_maniacs",
        "dead_target",
        "self_target",
    ]
    assert list(dict.fromkeys(reason for reason, _, _ in TESTS)) == order_of_rules


def test_every_refusal_is_told_to_its_sender() -> None:
    _, events = RULESET.receive(opened(), order("C kill B"), Chance(0))
    refused, notice = events
    assert refused == Rejected("C", "kill", "not_your_action", order("C kill B"), rule="R15", refs=("C kill B",))
    assert (notice.to, notice.kind, dict(notice.data)) == (
        "C",
        "order_rejected",
        {"action": "kill", "reason": "not_your_action"},
    )


def test_a_later_order_replaces_and_a_refused_one_does_not() -> None:
    game = send(opened(), order("B kill C"))
    game, events = RULESET.receive(game, order("B kill K"), Chance(0))
    assert [type(event) for event in events] == [Accepted, Withdrawn]
    game = send(game, order("B kill X"))
    assert RULESET.standing(game, "B") == (order("B kill K"),)


def test_a_move_taken_back_gives_place_to_a_clanmates_earlier_one() -> None:
    first, second = order("K guard K", role="duremar"), order("D guard D")
    game = send(opened(), first, second)
    game, events = RULESET.receive(game, order("D cancel"), Chance(0))
    assert [type(event) for event in events] == [Accepted, Withdrawn, Accepted]
    assert RULESET.standing(game, "K") == (first,)
    assert RULESET.standing(game, "D") == ()


def test_taking_back_leaves_the_bid_and_the_vote_and_other_senders_alone() -> None:
    bid = order("B bid_role", role="malvina")
    game = send(opened(), vote("B", "C"), order("B kill C"), bid, order("M invite C"))
    after = send(game, order("B pass"))
    assert RULESET.standing(after, "B") == (vote("B", "C"), bid)
    assert RULESET.standing(after, "M") == (order("M invite C"),)
    without_bid = send(game, order("B cancel", what="bid"))
    assert RULESET.standing(without_bid, "B") == (vote("B", "C"), order("B kill C"))


def test_a_vote_is_replaced_and_taken_back() -> None:
    game = send(opened(), vote("C", "B"), vote("G", "B"), vote("C", "K"))
    assert RULESET.ballots(game) == {"G": "B", "C": "K"}
    assert RULESET.votes(game) == {"K": 1, "B": 1}
    assert RULESET.votes(send(game, order("G unvote"))) == {"K": 1}


def test_removal_voids_what_was_sent_by_him_and_at_him() -> None:
    game = start(CAST)
    turn = play(
        game,
        [
            vote("C", "B"),
            vote("B", "K"),
            order("K recruit B"),
            order("B kill K"),
            order("B bid_role", role="malvina"),
            order("V kill C", by="K"),
            order("B host_remove"),
            vote("G", "B"),
        ],
    )
    assert turn.rejected == [
        ("C", "vote", "dead_target"),
        ("B", "vote", "dead_player"),
        ("K", "recruit", "dead_target"),
        ("B", "kill", "dead_player"),
        ("B", "bid_role", "dead_player"),
        ("G", "vote", "dead_target"),
    ]
    assert turn.deaths["B"] == ("removed", None)
    assert turn.game.role_lives["buratino"] == 4
    assert turn.report.count("B") == 1, "in the list of the dead"


def test_removal_brings_back_what_a_void_order_had_replaced() -> None:
    turn = play(start(CAST), [order("B kill K"), order("B kill C"), order("C host_remove")])
    assert turn.outcomes == {"buratino": None}
    assert turn.lives["K"] == 1


def test_removal_after_the_lynch_leaves_the_vote_as_it_was() -> None:
    game = send(opened(), vote("C", "B"), order("B kill C"))
    game, _ = RULESET.mark(game, "lynch", Chance(0))
    game, events = RULESET.receive(game, order("C host_remove"), Chance(0))
    assert [e.reason for e in events if isinstance(e, Rejected)] == ["dead_target"]
    game, _ = RULESET.close(game, Chance(0))
    assert game.players["B"].lives == 1


def test_removal_of_a_sixth_player_ends_papa_carlo_tonight() -> None:
    cast = {"K": "karabas", "B": "buratino", "E": "papa_carlo", "G": "giuseppe", "C": "citizen", "F": "citizen"}
    turn = play(start(cast), [order("F bid_role", role="papa_carlo"), order("B kill E"), order("C host_remove")])
    assert turn.lives["E"] == 1
    assert ("F", "bid_role", "role_gone") in turn.rejected


def test_removal_between_two_turns_is_told_in_the_next_newspaper() -> None:
    game, _ = RULESET.receive(start(CAST), order("C host_remove"), Chance(0))
    assert RULESET.alive(game) == tuple(seat for seat in CAST if seat not in ("C", "X"))
    turn = play(game, [])
    assert turn.report.endswith("Погибшие:\nC")
    assert turn.game.quiet == 0


def test_the_list_holds_for_moves_that_came_before_it() -> None:
    turn = play(start(CAST), [order("V spy B"), order("K assign_roles D K V V", roles=ROLES_IN_ORDER)])
    assert turn.outcomes == {"basilio": None}
    assert turn.game.players["V"].roles == ("alisa", "basilio")
    assert [(n.to, n.data["role"]) for n in turn.notices("villain_role")] == [
        ("D", "karabas"),
        ("K", "duremar"),
        ("V", "alisa"),
        ("V", "basilio"),
    ]


def test_a_list_that_names_a_player_removed_later_is_void() -> None:
    turn = play(start(CAST), [order("K assign_roles D K V V", roles=ROLES_IN_ORDER), order("V host_remove")])
    assert ("K", "assign_roles", "bad_assignment") in turn.rejected
    assert turn.game.players["K"].roles == ("karabas",)


def test_the_list_may_come_between_set_up_and_the_first_day_and_never_later() -> None:
    sent = order("K assign_roles D K V V", roles=ROLES_IN_ORDER)
    assert verdict(start(CAST), sent) is None
    turn = play(start(CAST), [])
    assert verdict(turn.game, sent) == "roles_fixed"


def test_what_comes_when_no_turn_is_open() -> None:
    turn = play(start(CAST), [])
    assert verdict(turn.game, order("B kill C")) == "too_late"
    game, _ = RULESET.mark(opened(), "lynch", Chance(0))
    assert verdict(game, vote("C", "B")) == "too_late"


def test_the_lynched_plays_his_last_night_or_not() -> None:
    cast = CAST | {"B": {"role": "buratino", "lives": 1}, "G": {"role": "giuseppe", "lives": 1}}
    votes = [vote("C", "B"), vote("M", "B")]
    moves = [order("B kill C"), order("M invite B"), order("B bid_role", role="pierro")]
    plays = play(start(cast), [*votes, *moves])
    assert plays.outcomes == {"buratino": None, "malvina": "ineffective"}
    assert plays.deaths == {"B": ("lynch", None)}
    out = play(start(cast, lynched_plays_night=False), [*votes, *moves])
    assert out.rejected == [("B", "kill", "dead_player"), ("M", "invite", "dead_target"), ("B", "bid_role", "dead_player")]
    assert out.deaths == {"B": ("lynch", None)}


def test_a_lynched_free_maniac_who_is_out_no_longer_keeps_recruiting_open() -> None:
    cast = CAST | {"G": {"role": "giuseppe", "lives": 1}}
    sent = [vote("C", "G"), order("K recruit C")]
    assert play(start(cast), sent).rejected == []
    assert play(start(cast, lynched_plays_night=False), sent).rejected == [("K", "recruit", "no_maniacs")]


def test_a_lynched_villain_who_is_out_does_not_perform_the_kill() -> None:
    cast = CAST | {"V": {"role": "villain", "lives": 1}}
    sent = [vote("C", "V"), order("K kill C", by="V")]
    assert play(start(cast, lynched_plays_night=False), sent).rejected == [("K", "kill", "bad_performer")]
    assert play(start(cast), sent).outcomes == {"killer": None}


def test_the_killer_keeps_his_own_move_or_not() -> None:
    sent = [order("K recruit G"), order("V kill C", by="K"), order("D guard B")]
    assert play(start(CAST), sent).outcomes == {"killer": None, "karabas": None, "duremar": "ineffective"}
    turn = play(start(CAST, killer_keeps_own_move=False), sent)
    assert turn.outcomes == {"killer": None, "duremar": "ineffective"}
    assert turn.rejected == [("K", "recruit", "killer_busy")]


def test_a_holder_of_two_roles_gives_a_command_for_each() -> None:
    turn = night(TWO, order("B kill C", role="buratino"), order("B beat V"), order("V kill R"))
    assert turn.outcomes == {"buratino": None, "artemon": None, "killer": "beaten"}
