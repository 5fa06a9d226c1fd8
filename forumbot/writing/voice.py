"""Whose words a published text is made of: ours stand in templates, theirs come in by one of the two ways here.

Theirs are either a line (a nick, a title: one line, of a nick's length) or a piece of free text (a story), which stands in
a frame of its own: a quotation. Nothing in either works as mark-up, and no empty line parts a frame, so that no player's
words can look like a newspaper of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

Escape = Callable[[str], str]

FREE_TEXT = "text"
"""The key under which a line of the rules carries free words of a player (league R131)."""
NOBODY: Mapping[str, str] = MappingProxyType({})
"""Nothing is known of anybody's gender."""


class Ours(str):
    """A text of ours or of the host, in the forum's markup already: it enters a template as it is."""


LINE_MOST = 500
"""Signs of theirs within a line of ours; nicks and titles are far shorter, remarks of the tables the longest of all."""
PIECE_MOST = 10_000
"""Signs of a piece of free text that are published. The whole stays where it came in, and the host sees it there."""
PIECE_LINES = 200
"""Lines of such a piece; what goes on is run together in the last one."""
NAMELESS = "\N{WHITE SQUARE}"
"""What stands for words of which nothing can be seen: without it a line of ours would have a hole."""
MORE = " […]"
SUBJECT_MOST = 100
"""Signs of a subject: phpBB cuts at about 120 without a word, and what was cut is never found again."""


@dataclass(frozen=True, slots=True)
class OnForum:
    """How theirs enter a public text of ours. Called with a text, it gives it as a line."""

    escape: Escape
    """The forum's own: makes mark-up, links and smileys harmless (``adapters.forum``)."""

    def __call__(self, text: str) -> str:
        made = self.escape(cut(" ".join(text.split()), LINE_MOST))
        return made if made.strip() or not text.strip() else NAMELESS

    def piece(self, text: str) -> str:
        """Free words in their frame; nothing for none."""
        flat = (" ".join(line.split()) for line in cut(text, PIECE_MOST).splitlines())
        lines = [line for line in flat if self.escape(line).strip()]
        if len(lines) > PIECE_LINES:
            lines = [*lines[: PIECE_LINES - 1], " ".join(lines[PIECE_LINES - 1 :])]
        # Line by line: a sign that would be harmless before another line's first one is looked at as the last of its own.
        return "[quote]" + "\n".join(map(self.escape, lines)) + "[/quote]" if lines else ""


def piece(escape: Escape, text: str) -> str:
    """Free words by this way: framed on a forum, as they are in plain text."""
    return escape.piece(text) if isinstance(escape, OnForum) else escape(text)


def cut(text: str, most: int) -> str:
    """The text, shortened where it is longer than ``most`` signs, with a mark that something is missing."""
    return text if len(text) <= most else text[: most - len(MORE)].rstrip() + MORE


def subject(text: str) -> str:
    """A subject in one line that no forum cuts."""
    return cut(" ".join(text.split()), SUBJECT_MOST)
