"""Stories that players have sent in the running turn, for the host who grades them or chooses among them (league H5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.model import Accepted, Death, Event, Line, Order, Seat
from engine.turn import Storied
from forumbot.hosting.core.match import Match
from forumbot.writing.voice import FREE_TEXT

HANGING = "hang_story"
"""The action that brings a story of an execution."""


@dataclass(frozen=True, slots=True)
class Story:
    """One story as it stands; ``grade`` is None until the host has given one (then the rules' default holds)."""

    author: Seat
    action: str
    targets: tuple[Seat, ...]
    shot: int
    text: str
    grade: int | None


def sent(match: Match) -> tuple[Story, ...]:
    """The stories of the running turn, in the order of the roster, each author's in the order of their coming."""
    if match.game is None or match.stage != "turn":
        return ()
    found = []
    for seat in match.ruleset.seats(match.game):
        for order in match.ruleset.standing(match.game, seat):
            text = str(order.args.get("story") or "").strip()
            if text:
                shot, grade = order.args.get("shot", 1), order.args.get("grade")
                found.append(Story(seat, order.action, order.targets, int(shot), text, grade))
    return tuple(found)


def left_over(match: Match) -> tuple[Story, ...]:
    """Stories of earlier days that were not printed; ``shot`` is the day's number."""
    rules = match.ruleset
    if match.game is None or not isinstance(rules, Storied):
        return ()
    return tuple(Story(one.author, HANGING, (one.about,), one.turn, one.text, None) for one in rules.left_over(match.game))


def named(stories: tuple[Story, ...], author: Seat, action: str | None, target: Seat | None) -> tuple[Story, ...]:
    """The author's stories that fit; more than one means that action or target must be named."""
    return tuple(
        one
        for one in stories
        if one.author == author and action in (None, one.action) and (target is None or target in one.targets)
    )


def tied(events: Sequence[Event]) -> list[Line]:
    """The public lines among a turn's events; a printed story of a death that the same newspaper tells has its name, ``of``.

    The line of a story does not say whose it is; here it is told by the move that brought it. A story in which a name is
    blotted out is tied to nobody.
    """
    told: list[Order] = [event.order for event in events if isinstance(event, Accepted) and event.order.args.get("story")]
    deaths = {(ref, event.by): event.player for event in events if isinstance(event, Death) for ref in event.refs}
    found: list[Line] = []
    for line in (event for event in events if isinstance(event, Line)):
        if line.section == "stories" and line.kind == "murder" and not line.data.get("hide"):
            text = str(line.data[FREE_TEXT]).strip()
            mine = (one for one in told if str(one.args["story"]).strip() == text)
            order = next((one for one in mine if (one.ref, one.player) in deaths), None)
            if order is not None:
                told.remove(order)
                line = replace(line, data={**line.data, "of": deaths[order.ref, order.player]})
        found.append(line)
    return found


def shown(one: Story, names: Mapping[Seat, str]) -> dict[str, object]:
    """A story with the nicks of the day, as plain data."""
    targets = [names.get(target, target) for target in one.targets]
    author = names.get(one.author, one.author)
    return {
        "author": author,
        "action": one.action,
        "targets": targets,
        "shot": one.shot,
        "grade": one.grade,
        "text": one.text,
    }
