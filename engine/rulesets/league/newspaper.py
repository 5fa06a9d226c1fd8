"""The public lines of a turn, in the order of the newspaper (2.12)."""

from __future__ import annotations

from engine.masking import mask
from engine.rulesets.league.night import Night, Story
from engine.rulesets.league.state import Desk

ORDER = ("verdict", "departures", "deaths", "attempts", "rescues", "looks", "returns")


def report(night: Night, winner: str | None) -> None:
    """The public lines in the order of the newspaper (2.12). A failed attempt names the side and not the nick; the roles of
    those who left are shown like the dead's (D77)."""
    desk = night.desk
    for section in ORDER:
        for name, kind, rule, about, data in night.lines:
            if name == section:
                desk.line(name, kind, rule, about, **data)
    for item, target in desk.day.bought:
        desk.line("purchases", "bought", "R134", item=item, player=target)
    for story in night.stories:
        _story_line(desk, story)
    if winner is not None:
        desk.line("victory", "won", "R120", winner=winner)
    living = [p.seat for p in desk.living()]
    dead = [{"player": p.seat, "label": p.roster_label, "cause": p.cause} for p in desk.players.values() if not p.alive]
    desk.line("lists", "living", "R133", players=living)
    desk.line("lists", "dead", "R133", players=dead)


def _story_line(desk: Desk, story: Story) -> None:
    """A story as it may be printed; ``hide`` names who is blotted out, for an application that has renamed him."""
    text = mask(story.text, story.hide) if story.hide else story.text
    hide = [story.hide] if story.hide else []
    desk.line("stories", "hanging" if story.action == "hang_story" else "murder", "R131", text=text, hide=hide)
