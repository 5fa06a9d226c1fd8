"""The turn from top to bottom, as the rules' table of phases has it (R50), and what frames it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.chance import Chance
from engine.model import NOTHING, Death, Event, Step
from engine.rulesets.mafialife import docket, refusals
from engine.rulesets.mafialife.aftermath import change, delayed, rebirth, returning
from engine.rulesets.mafialife.attack import attack
from engine.rulesets.mafialife.books import books
from engine.rulesets.mafialife.day import struck
from engine.rulesets.mafialife.hanging import gallows, lapse
from engine.rulesets.mafialife.newspaper import newspaper
from engine.rulesets.mafialife.night import Act, Fate, Night
from engine.rulesets.mafialife.secrets import documents, intelligence, stance
from engine.rulesets.mafialife.state import Candidate, Game
from engine.rulesets.mafialife.visits import befog, divert, divert_girl, girl, girl_first


def team(night: Night) -> None:
    """Phase 3: the hanged lapse; loaded licences and pistols leave the inventory (R7, R40, R87, D45)."""
    lapse(night)
    for act in night.acts:
        if act.extra and act.open and act.move.item is not None:
            night.put(night.player(act.owner).without([act.move.item]))


PHASES: tuple[tuple[str, Callable[[Night], None]], ...] = (
    # 1 market: carried out on arrival (day.py)
    ("gallows", gallows),
    ("team", team),
    ("befog", befog),
    ("girl_first", girl_first),
    ("divert_girl", divert_girl),
    ("girl", girl),
    ("divert", divert),
    ("stance", stance),
    ("documents", documents),
    ("intelligence", intelligence),
    ("attack", attack),
    ("return", returning),
    ("delayed", delayed),
    ("rebirth", rebirth),
    ("change", change),
    ("books", books),
)


def close(game: Game, chance: Chance) -> tuple[Game, tuple[Event, ...]]:
    """Resolve the open turn: strikes of the host first, then the phases, then the newspaper."""
    game, judged = struck(game)
    night = Night(game, chance)
    night.events += judged
    for seat, ref in game.removals.items():
        night.change(seat, alive=False)
        night.fates[seat] = Fate("removed", None, "R63", (ref,) if ref else ())
        night.events.append(Death(seat, "removed", None, rule="R63", refs=night.fates[seat].refs))
    night.read_membership()
    acts = [_act(night, candidate) for candidate in docket.all_standing(game) if candidate.slot != docket.VOTE]
    night.day_acts = [act for act in acts if act.move.phase == "gallows"]
    night.set_out(act for act in acts if act.move.phase != "gallows")
    for name, phase in PHASES:
        before = len(night.events)
        phase(night)
        if len(night.events) > before:
            night.events.insert(before, Step(name, "phase", rule="R50"))
    night.events += newspaper(night)
    stage = "over" if night.game.victory is not None else "between"
    game = replace(night.game, stage=stage, sent=NOTHING, removals=NOTHING, pistol_taken=False)
    return game, tuple(night.events)


def _act(night: Night, candidate: Candidate) -> Act:
    """An order that stands becomes an act; a captor's becomes his captive's (R87)."""
    order, captor = candidate.order, ""
    if candidate.captive:
        captor = order.player
        order = refusals.inner_order(order, candidate.captive)
        move = refusals.captives_move(night.player(candidate.captive), order.action)
    else:
        move = refusals.own_move(night.game, night.player(order.player), order.action)
    assert move is not None
    role = night.player(order.player).role
    return Act(candidate.number, order.player, move, role, order.targets, order.args, order.ref, captor)
