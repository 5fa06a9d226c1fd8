"""Stories that players have sent in the running turn, for the host who grades them or chooses among them (league H5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.model import Seat
from forumbot.hosting.match import Match


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


def named(stories: tuple[Story, ...], author: Seat, action: str | None, target: Seat | None) -> tuple[Story, ...]:
    """The author's stories that fit; more than one means that action or target must be named."""
    return tuple(
        one
        for one in stories
        if one.author == author and action in (None, one.action) and (target is None or target in one.targets)
    )


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
