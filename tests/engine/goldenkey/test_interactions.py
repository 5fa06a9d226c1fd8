"""The tables of interaction 10.1-10.3, cell by cell."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Order
from tests.engine.goldenkey.table import Turn, night, order

CAST = {
    "K": "karabas",
    "D": "duremar",
    "A": "alisa",
    "S": "basilio",
    "B": "buratino",
    "M": "malvina",
    "R": "artemon",
    "P": "pierro",
    "L": "arlekin",
    "E": "papa_carlo",
    "G": "giuseppe",
    "T": "tortilla",
    "V": "villain",
    "C": "citizen",
    "F": "citizen",
}
PERFORMER = {"killer": "V", "buratino": "B", "artemon": "R", "giuseppe": "G", "tortilla": "T"}
KILLS = ("killer", "buratino", "artemon")


def blow(role: str, target: str) -> Order:
    action = "attack" if role in ("giuseppe", "tortilla") else "kill"
    return order(f"{PERFORMER[role]} {action} {target}", role=role)


def lost(turn: Turn) -> dict[str, int]:
    """Seat -> lives lost."""
    return {seat: 2 - lives for seat, lives in turn.lives.items() if lives != 2}


INVITE, GUARD = "M invite {}", "D guard {}"


@pytest.mark.parametrize("role", KILLS)
@pytest.mark.parametrize(
    ("target", "more", "losses", "outcomes"),
    [
        ("C", (), {"C": 1}, {"role": None}),
        ("G", (), {"G": 1}, {"role": None}),
        ("C", (INVITE.format("C"),), {}, {"role": "target_guest", "malvina": None}),
        ("C", (GUARD.format("C"),), {}, {"role": "target_guarded", "duremar": None}),
        ("C", (INVITE.format("C"), GUARD.format("C")), {}, {"role": "target_guest", "malvina": None, "duremar": None}),
        ("E", (), {"by": 1}, {"role": "elder"}),
        ("E", (INVITE.format("E"),), {}, {"role": "target_guest", "malvina": None}),
        ("E", (GUARD.format("E"),), {}, {"role": "target_guarded", "duremar": None}),
        ("E", (GUARD.format("by"),), {"by": 1}, {"role": "elder", "duremar": "ineffective"}),
        ("M", (INVITE.format("F"),), {"M": 1, "F": 1}, {"role": None, "malvina": "ineffective"}),
        ("M", (INVITE.format("F"), GUARD.format("F")), {"M": 1}, {"role": None, "duremar": None}),
        ("M", (INVITE.format("by"),), {"M": 1, "by": 1}, {"role": None}),
        ("M", (INVITE.format("by"), GUARD.format("by")), {"M": 1}, {"role": None, "duremar": None}),
        ("M", (INVITE.format("F"), GUARD.format("M")), {}, {"role": "target_guarded", "duremar": None}),
        ("M", (INVITE.format("E"),), {"M": 1, "E": 1}, {"role": None}),
        ("C", ("A beat by",), {}, {"role": "beaten", "alisa": None}),
        ("C", ("A beat by", INVITE.format("by")), {"C": 1}, {"role": None, "alisa": "target_guest", "malvina": None}),
        ("C", ("A beat by", INVITE.format("C")), {}, {"role": "beaten", "malvina": "ineffective"}),
    ],
)
def test_kill(role: str, target: str, more: tuple[str, ...], losses: dict[str, int], outcomes: dict[str, Any]) -> None:
    by = PERFORMER[role]
    turn = night(CAST, blow(role, target), *(order(text.replace("by", by)) for text in more))
    assert lost(turn) == {seat.replace("by", by): n for seat, n in losses.items()}
    assert {key: turn.outcomes[key.replace("role", role)] for key in outcomes} == outcomes


@pytest.mark.parametrize("role", KILLS)
def test_kill_of_a_blocked_killer(role: str) -> None:
    turn = night(CAST, blow(role, "C"), order(f"G attack {PERFORMER[role]}"), INVITE_C, order("D guard C"))
    assert turn.outcomes[role] == "blocked"
    assert "C" not in lost(turn)
    assert turn.outcomes["malvina"] == turn.outcomes["duremar"] == "ineffective"
    assert turn.outcomes["giuseppe"] is None


INVITE_C = order("M invite C")


@pytest.mark.parametrize(
    ("maniac", "victim"),
    [
        ("giuseppe", "A"),
        ("giuseppe", "S"),
        ("giuseppe", "R"),
        ("giuseppe", "P"),
        ("giuseppe", "M"),
        ("tortilla", "B"),
        ("tortilla", "D"),
        ("tortilla", "V"),
        ("tortilla", "R"),
    ],
)
@pytest.mark.parametrize("how", ["free", "guest", "guarded", "beaten"])
def test_blow_of_a_maniac(maniac: str, victim: str, how: str) -> None:
    """10.1, rows of the maniacs: the block stands whatever happens to the blow."""
    seat = PERFORMER[maniac]
    own = {"A": "A beat B", "S": "S spy B", "R": "R kill C", "P": "P spy B", "M": "M invite F", "B": "B kill C", "D": "D guard C"}
    victims_move = order(own[victim]) if victim in own else order("V kill C")
    hits = [order(f"{seat} attack {victim}")]
    if maniac == "tortilla" and victim == "V":
        hits.append(order("V kill C"))
    shield = {"guest": f"M invite {victim}", "guarded": f"D guard {victim}", "beaten": f"A beat {seat}"}.get(how)
    if shield is not None:
        shielder = shield.split()[0]
        if shielder == victim:
            return  # "cannot be": she is blocked herself
        hits.append(order(shield))
    turn = night(CAST, victims_move, *hits)
    assert lost(turn) == ({victim: 1} if how == "free" else {})
    assert turn.outcomes[maniac] is None, "the block counts"
    role = {"guest": "malvina", "guarded": "duremar", "beaten": "alisa"}.get(how)
    if role is not None:
        assert turn.outcomes[role] is None
    blocked = "killer" if victim == "V" else CAST[victim]
    assert turn.outcomes[blocked] == "blocked"


@pytest.mark.parametrize(
    ("shield", "loss", "reason"),
    [
        (None, {"G": 1}, "other_maniac"),
        ("M invite T", {}, "target_guest"),
        ("D guard T", {}, "target_guarded"),
        ("D guard G", {"G": 1}, "other_maniac"),
        ("A beat G", {}, "beaten"),
    ],
)
def test_maniac_at_the_other_maniac(shield: str | None, loss: dict[str, int], reason: str) -> None:
    turn = night(
        CAST, order("G attack T"), order("T attack C"), order("C bid_role", role="pierro"), *([order(shield)] if shield else [])
    )
    assert lost(turn) == loss
    assert turn.outcomes["giuseppe"] == reason
    assert turn.outcomes["tortilla"] == "ineffective", "he is not blocked, and C had nothing to block"


@pytest.mark.parametrize(
    ("shield", "loss", "reason"),
    [
        (None, {"T": 1}, "elder"),
        ("M invite E", {}, "target_guest"),
        ("D guard E", {}, "target_guarded"),
        ("A beat T", {}, "beaten"),
        ("D guard T", {"T": 1}, "elder"),
    ],
)
def test_maniac_at_papa_carlo(shield: str | None, loss: dict[str, int], reason: str) -> None:
    turn = night(CAST, order("T attack E"), *([order(shield)] if shield else []))
    assert lost(turn) == loss
    assert turn.outcomes["tortilla"] == reason
    assert ("E" in turn.saved) == (shield != "A beat T"), "a beaten maniac has not attacked"


def test_maniac_at_papa_carlo_who_is_also_a_killer_blocks_him_and_loses_a_life() -> None:
    cast = CAST | {"B": "citizen", "E": {"role": "buratino", "roles": ["buratino", "papa_carlo"]}}
    turn = night(cast, order("T attack E"), order("E kill C"))
    assert lost(turn) == {"T": 1}
    assert turn.outcomes == {"buratino": "blocked", "tortilla": "elder"}
    assert "Черепаха Тортилла: нападение" not in turn.report


@pytest.mark.parametrize("victim", ["K", "L", "C", "D", "B", "V"])
def test_giuseppe_at_anybody_else_only_blocks(victim: str) -> None:
    turn = night(CAST, order(f"G attack {victim}"), order("A beat G"), order("B kill F"), order("D guard S"), order("V kill P"))
    blocked = {"B", "D", "V"} & {victim}
    assert victim not in lost(turn)
    assert turn.outcomes["giuseppe"] == (None if blocked else "ineffective")
    assert turn.outcomes["alisa"] == "ineffective", "there is no blow to cancel"


def test_artemon_with_a_beating_is_no_killer_for_tortilla() -> None:
    turn = night(CAST, order("T attack R"), order("R beat C"))
    assert lost(turn) == {}
    assert turn.outcomes == {"artemon": "blocked", "tortilla": None}
    assert "Черепаха Тортилла: нападение - Горожанин, Артемон" in turn.report


@pytest.mark.parametrize(
    ("move", "role"),
    [
        ("K recruit G", "karabas"),
        ("L recruit G", "arlekin"),
        ("S spy B", "basilio"),
        ("P spy B", "pierro"),
        ("M invite C", "malvina"),
        ("A beat B", "alisa"),
        ("R beat B", "artemon"),
        ("D guard C", "duremar"),
        ("B kill C", "buratino"),
        ("R kill C", "artemon"),
    ],
)
def test_what_an_attack_and_a_beating_of_the_performer_stop(move: str, role: str) -> None:
    """10.2, the first two columns."""
    performer, action, _ = move.split()
    needed = [order("B kill C")] if performer != "B" else []
    blocked = night(CAST, order(move), *needed, order(f"T attack {performer}"))
    assert blocked.outcomes[role] == "blocked"
    thug = "R" if performer == "A" else "A"
    beaten = night(CAST, order(move), *needed, order(f"{thug} beat {performer}"))
    assert (beaten.outcomes[role] == "beaten") == (action in ("kill", "guard"))


@pytest.mark.parametrize(
    ("target", "found"),
    [("B", True), ("D", True), ("A", True), ("R", True), ("M", True), ("E", True), ("V", True)]
    + [(seat, False) for seat in ("K", "L", "S", "G", "T", "C")],
)
def test_whom_a_spy_finds(target: str, found: bool) -> None:
    """10.3: V performs the villains' kill tonight."""
    turn = night(CAST, order(f"P spy {target}"), order("V kill C"), order("M invite B"), order("D guard S"))
    assert turn.outcomes["pierro"] == (None if found else "ineffective")
    (notice,) = turn.notices("spy_result")
    assert notice.data["result"] == ("success" if found else "fail")


@pytest.mark.parametrize(
    ("target", "moves", "reason"),
    [
        ("B", ("B kill C",), None),
        ("D", ("D guard C",), None),
        ("V", ("V kill C",), None),
        ("R", ("R kill C",), None),
        ("G", ("G attack S",), None),
        ("G", ("G attack T",), None),
        ("G", ("G attack E",), None),
        ("G", ("G attack K",), "ineffective"),
        ("B", (), "ineffective"),
        ("R", ("R beat C",), "ineffective"),
        ("B", ("B kill C", "T attack B"), "ineffective"),
        ("B", ("B kill C", "M invite B"), "target_guest"),
        ("E", (), "ineffective"),
        ("S", ("S spy B",), "ineffective"),
    ],
)
def test_which_target_makes_a_beating_effective(target: str, moves: tuple[str, ...], reason: str | None) -> None:
    turn = night(CAST, order(f"A beat {target}"), *map(order, moves))
    assert turn.outcomes["alisa"] == reason


@pytest.mark.parametrize(("target", "reason"), [("G", None), ("T", None), ("C", "ineffective"), ("K", "ineffective")])
@pytest.mark.parametrize("recruiter", ["K", "L"])
def test_whom_a_recruiter_wins(recruiter: str, target: str, reason: str | None) -> None:
    if target == recruiter:
        return
    turn = night(CAST, order(f"{recruiter} recruit {target}"))
    assert turn.outcomes[CAST[recruiter]] == reason
    if reason is None:
        assert turn.game.players[target].faction == ("villains" if recruiter == "K" else "townsfolk")


def test_a_maniac_who_has_joined_is_not_won_again() -> None:
    cast = CAST | {"G": {"role": "giuseppe", "faction": "townsfolk"}}
    turn = night(cast, order("K recruit G"))
    assert turn.outcomes["karabas"] == "ineffective"
    assert turn.game.players["G"].faction == "townsfolk"


def test_two_thugs_may_both_be_effective_against_one_killer() -> None:
    turn = night(CAST, order("A beat B"), order("R beat B"), order("B kill C"))
    assert turn.outcomes == {"buratino": "beaten", "alisa": None, "artemon": None}


def test_bids_and_votes_are_neither_blocked_nor_beaten() -> None:
    turn = night(
        CAST,
        order("C vote F"),
        order("C bid_role", role="buratino"),
        order("G attack C"),
        order("A beat C"),
        town_roles=["buratino"],
    )
    assert turn.game.players["C"].roles == ("buratino",)
    assert lost(turn) == {"F": 1}
