"""A turn as a picture and a sentence need it: who went to whom, what stopped it, what came of it. The host's knowledge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.model import Counted, Death, Event, Outcome, Saved, Seat, Step

NO_MOVES = frozenset({"vote", "unvote", "change_vote", "words", "pass", "cancel"})
"""Actions that take nobody anywhere at night, whatever the rules."""

Word = Callable[[str, str], str]
"""Group and id -> the words that the game's names have for it; the id where they have none."""

STOPS, PROTECTS = "stops", "protects"
"""Groups of a ruleset's names: reason -> the actions that bring it about, parted by spaces; actions that keep others alive."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move that counted. ``killed``, ``spared``: whom of its targets it killed, or kept alive; ``stopped_by``: who stopped
    it, where ``reason`` (None: it came off) is somebody's doing."""

    player: Seat
    action: str
    targets: tuple[Seat, ...]
    role: str
    reason: str | None
    killed: tuple[Seat, ...]
    spared: tuple[Seat, ...]
    stopped_by: tuple[Seat, ...]
    protects: bool
    refs: frozenset[str]
    """The orders that it rests on."""


@dataclass(frozen=True, slots=True)
class Night:
    """All moves of a turn in the order of the rules, who died (in that order), who lived through a blow, and the count."""

    turn: int
    moves: tuple[Move, ...]
    deaths: tuple[Death, ...]
    saved: tuple[Saved, ...]
    votes: Mapping[Seat, float]
    blows: frozenset[tuple[Seat, Seat]] = frozenset()
    """Whom a blow met, and whose it was, as the steps of the rules note it (goldenkey's lives)."""

    @property
    def unmoved(self) -> tuple[Death, ...]:
        """Deaths that no move of this turn brought: the vote, a debt of earlier nights, the host."""
        brought = {seat for move in self.moves for seat in move.killed}
        return tuple(death for death in self.deaths if death.player not in brought)


def night(
    turn: int, events: Iterable[Event], states: Mapping[Seat, Mapping[str, Any]], bookkeeping: Sequence[str], word: Word
) -> Night:
    """A turn from its events; ``states``: the players as they stood before it was closed, for their roles; ``bookkeeping``:
    actions of the ruleset that are no moves."""
    told = tuple(events)
    outcomes = [
        one for one in told if isinstance(one, Outcome) and one.action not in NO_MOVES and one.action not in bookkeeping
    ]
    deaths = tuple(one for one in told if isinstance(one, Death))
    steps = [one for one in told if isinstance(one, Step)]
    votes = next((one.votes for one in told if isinstance(one, Counted)), {})
    made = [_move(one, outcomes, deaths, steps, states, word) for one in outcomes]
    saved = {one.player: one for one in told if isinstance(one, Saved)}
    met = ((step.data.get("player"), step.data.get("by")) for step in steps)
    blows = frozenset((str(whom), str(whose)) for whom, whose in met if isinstance(whom, str) and isinstance(whose, str))
    return Night(turn, tuple(made), deaths, tuple(saved.values()), votes, blows)


def _move(
    outcome: Outcome,
    others: Sequence[Outcome],
    deaths: Sequence[Death],
    steps: Sequence[Step],
    states: Mapping[Seat, Mapping[str, Any]],
    word: Word,
) -> Move:
    protects = word(PROTECTS, outcome.action) != outcome.action
    killed = () if protects or outcome.reason else tuple(one.player for one in deaths if _brought(outcome, one))
    return Move(
        outcome.player,
        outcome.action,
        outcome.targets,
        str(outcome.args.get("role") or states.get(outcome.player, {}).get("role") or ""),
        outcome.reason,
        killed,
        _spared(outcome, others, word),
        _stoppers(outcome, others, steps, word),
        protects,
        frozenset(filter(None, outcome.refs)),
    )


def _brought(outcome: Outcome, death: Death) -> bool:
    """Whether this move brought this death: by the orders that both rest on, else by whom the rules credit."""
    if death.player not in outcome.targets:
        return False
    own, behind = set(filter(None, outcome.refs)), set(filter(None, death.refs))
    return bool(own & behind) if own and behind else death.by == outcome.player


def _stoppers(outcome: Outcome, others: Sequence[Outcome], steps: Sequence[Step], word: Word) -> tuple[Seat, ...]:
    if outcome.reason is None:
        return ()
    found: dict[Seat, None] = {}
    for step in steps:
        of_role = step.data.get("role") in (None, outcome.args.get("role"))
        if step.data.get("player") == outcome.player and of_role and step.data.get("target") in (None, *outcome.targets):
            by = step.data.get("stopped_by") or step.data.get("girl") or ()
            found |= dict.fromkeys((by,) if isinstance(by, str) else by)
    found |= dict.fromkeys(one.player for one in others if _stops(one, outcome, word))
    return tuple(found)


def _stops(other: Outcome, outcome: Outcome, word: Word) -> bool:
    """Whether ``other`` is a move that brings about the reason for which ``outcome`` failed, at one of its two ends."""
    actions = word(STOPS, outcome.reason or "").split()
    near = not other.targets or {outcome.player, *outcome.targets} & set(other.targets)
    return other is not outcome and other.reason is None and other.action in actions and bool(near)


def _spared(outcome: Outcome, others: Sequence[Outcome], word: Word) -> tuple[Seat, ...]:
    """Whom this move kept from another's: the targets of moves that it stopped at their end."""
    stopped = [one for one in others if one.reason is not None and _stops(outcome, one, word)]
    return tuple(dict.fromkeys(seat for one in stopped for seat in one.targets if seat in outcome.targets))
