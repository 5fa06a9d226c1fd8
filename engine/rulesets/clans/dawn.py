"""The morning: events, private notices (R99), what is remembered (R8, R9, R22), the winner, the newspaper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.model import Counted, Death, Ended, Event, Lynched, Notice, Outcome, Saved, Seat, Victory
from engine.rulesets.clans import newspaper, roles
from engine.rulesets.clans.calendar import ClansCalendar
from engine.rulesets.clans.night import Move, Night
from engine.rulesets.clans.state import Game, Player
from engine.rulesets.clans.victory import DRAW
from engine.rulesets.clans.victory import victory as find_victory

_ALSO_FOR_THE_DEAD = ("penalty_point", "penalty")
"""R99; ``order_rejected`` and ``appointed`` were given at once."""


def rise(night: Night) -> tuple[Game, tuple[Event, ...]]:
    """The game after the turn and everything that followed from the night."""
    presence = night.presence
    living = tuple(seat for seat in night.players if presence.alive(seat))
    victory = DRAW if night.stopped else find_victory([night.players[seat] for seat in living], night.tables)
    saved = [seat for seat in night.rescued if seat in living]
    notices = () if night.stopped else _notices(night)
    told = [n for n in (*night.notices, *notices) if n.kind in _ALSO_FOR_THE_DEAD or n.to in living]
    roster = {seat: i for i, seat in enumerate(night.players)}
    events: list[Event] = [
        *night.events,
        Counted(night.votes, rule="R13", refs=tuple(night.ballot_refs.values())),
        *([Lynched(night.lynched, rule="R14", refs=night.ballots_for(night.lynched))] if night.lynched is not None else []),
        *_outcomes(night),
        *(
            Saved(seat, rule=night.rescued[seat].rule, refs=night.rescued[seat].refs)
            for seat in sorted(saved, key=lambda seat: roster[seat])
        ),
        *(
            Death(seat, fallen.cause, fallen.by, rule=night.death_notes[seat].rule, refs=night.death_notes[seat].refs)
            for seat, fallen in presence.fallen.items()
        ),
        *sorted(told, key=lambda notice: roster[notice.to]),
        *newspaper.lines(night, living, len(saved), victory),
    ]
    if victory is not None:
        events.append(Ended(victory.winner, victory.kind, rule="R100"))
    return _next_game(night, victory), tuple(events)


def _outcomes(night: Night) -> list[Outcome]:
    """R12: every order that stood at the deadline, the host's measures and appointments, in order of arrival."""
    moves = {move.index: move for move in night.moves}
    made = []
    for entry in night.game.book:
        order, move = entry.order, moves.get(entry.index)
        refs = (order.ref,) if order.ref else ()
        if move is None and entry.slot in ("host", "appointment"):
            rule = "R94" if entry.slot == "host" else "R89"
            made.append(Outcome(order.player, order.action, order.targets, order.args, None, rule=rule, refs=refs))
        elif move is not None and not night.stopped:
            made.append(Outcome(move.actor, move.action, move.targets, order.args, move.reason, rule=move.rule, refs=refs))
    return made


def _notices(night: Night) -> tuple[Notice, ...]:
    """R99: guests (D47), the beaten, the pierced vest, and what became of everybody's role move; results stand already."""
    presence = night.presence
    made = []
    if night.tables.tell_guests:
        made += [_because(night, "guest", "R24", guest, host=presence.at(guest)) for guest in presence.all_guests()]
    made += [_because(night, "beaten", "R44", seat) for seat in night.players if seat in presence.beaten]
    made += [_because(night, "vest_pierced", "R82", seat) for seat in night.players if seat in night.pierced]
    made += [_told(move) for move in night.moves if _is_told(move)]
    return tuple(made)


def _because(night: Night, kind: str, rule: str, seat: Seat, **data: Any) -> Notice:
    return Notice(seat, kind, data, rule=rule, refs=night.reasons.get((kind, seat), ()))


def _is_told(move: Move) -> bool:
    if move.action in roles.TOLD_DONE_OR_FAILED:
        return True
    return move.action in roles.TOLD_RESULT_OR_FAILED and not move.succeeded


def _told(move: Move) -> Notice:
    """Never the reason (D48)."""
    kind = "move_done" if move.succeeded else "move_failed"
    return Notice(move.actor, kind, {"action": move.action}, rule="R99", refs=move.refs)


def _next_game(night: Night, victory: Victory | None) -> Game:
    game = night.game
    deadline = game.deadline
    if deadline is not None:
        deadline = ClansCalendar(night.tables).deadline_after(deadline)
    return replace(
        game,
        players={seat: _remember(night, player) for seat, player in night.players.items()},
        stage="over" if victory is not None else "between",
        book=(),
        arrivals=0,
        passed=frozenset(),
        words={},
        deadline=deadline,
        last_checked={**game.last_checked, **night.checks},
        side_violations=night.side_violations,
        victory=victory,
    )


def _remember(night: Night, player: Player) -> Player:
    """The player after the night: what is left of his things, what he may not do next."""
    seat = player.nick
    alive = night.presence.alive(seat)
    done = [move for move in night.moves if move.actor == seat and move.succeeded]
    if night.stopped:
        return replace(player, alive=alive, violations=night.violations.get(seat, player.violations))
    return replace(
        player,
        alive=alive,
        vest=player.vest and seat not in night.pierced,
        bullets=player.bullets - night.shots.get(seat, 0),
        points=night.points.get(seat, player.points),
        violations=night.violations.get(seat, player.violations),
        exhausted=alive and night.presence.at(seat) == "maniac",
        mined_by=night.mines.get(seat),
        poison_used=player.poison_used or any(move.action == "poison_mistake" for move in done),
        last={move.action: move.target for move in done if move.action in roles.NOT_IN_A_ROW},
        past=_past(player, done),
    )


def _past(player: Player, done: list[Move]) -> dict[str, frozenset[Seat]]:
    past = dict(player.past)
    for move in done:
        if move.action in roles.ONCE_A_GAME:
            past[move.action] = past.get(move.action, frozenset()) | frozenset(move.targets)
    return past
