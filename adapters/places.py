"""Where a forum engine keeps its pages, and what marks what on them: all that a capture, a check and the wizard ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

ABSENT = "99999999"
"""A number that no topic has."""
FAR = 9999
"""A page that no topic has."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to save besides the pages that every forum has."""

    section: str
    topic: str
    closed: str = ""


@dataclass(frozen=True, slots=True)
class Places:
    """Addresses are relative to the forum's own; selectors are CSS."""

    # --- addresses
    section: Callable[[str], tuple[str, str]]
    """Of a section: the address of its list, and the pattern of a topic's link, whose group 1 is the topic."""
    thread: Callable[[str, int, str], str]
    """Of a topic: the address of its page of this number; the text of its first page tells how many posts a page has."""
    fixed: Callable[[Wanted, int], Sequence[tuple[str, str]]]
    """(kind, address) of every page that is saved as a member, whose uid is given."""
    guest: Callable[[Wanted], Sequence[tuple[str, str]]]
    """The same as a guest."""
    message: Callable[[int], str]
    """Of a private message."""
    message_link: str
    """Pattern of a link to a private message; {id} stands for its number."""

    # --- what marks what
    topic_links: str
    """Links to topics in a section's list."""
    section_title: str
    """The heading of a section's list; empty where only the page's title tells it."""
    message_lists: str
    """What every list of private messages has."""
    login_form: str
    keys: Mapping[str, str]
    """What a host writes into ``config/forums`` where marks differ: of ``posts``, the ``author``, the words of a ``letter``."""
    login_advice: str = ""
    """What to do where guests are shown no login form (Russian)."""

    # --- for the wizard
    root: str = ""
    """Pattern of what stands behind the forum's own address in the path of one of its pages."""
    section_hint: str = ""
    """How a section's number stands in its address (Russian)."""
    section_number: str = r"\d+"
    """Pattern of a section's address; its last group, else the whole, is the number."""

    # --- for taking people out of pages
    words: str = ""
    """Small-letter words that the engine prints itself."""
    nicks: str = ""
    titles: str = ""
    """Where nicks and titles stand."""
    own_classes: tuple[str, ...] = ()
    """Classes of elements whose words are somebody's, whatever they are."""
    messages: str = ""
    """Pattern of the class or id of an element with the words of a message or a signature."""
    people: tuple[str, ...] = ()
    """Patterns of what stands before a person's number in addresses."""
    numbers: str = ""
    """Pattern of printed numbers that say when something was posted or which page it is, in a form that no other engine has."""
