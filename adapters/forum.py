"""The one Forum protocol. An engine's folder gives ``connect(...)`` that returns an object of this kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from adapters.model import Post, PrivateMessage


@dataclass(frozen=True, slots=True)
class Account:
    """Who we are on the forum."""

    nick: str
    uid: int


@dataclass(frozen=True, slots=True)
class Profile:
    """An account of somebody else as the forum shows it."""

    nick: str
    uid: int
    lines: tuple[tuple[str, str], ...] = ()
    """What its page tells besides, as printed: (name, value), e.g. the date of registration."""
    gender: str = ""
    """"m" or "f" where the page says so."""


@dataclass(frozen=True, slots=True)
class Place:
    """How far a thread has been read: the highest post id seen and the page it stood on. Plain data, kept by the caller."""

    last_id: int = 0
    page: int = 1


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """What a reading gave. ``complete`` is true only when every page from the place to the true last page was read
    and made sense (no repeated page, no hole); ``posts`` are by id, each once, also those known before."""

    posts: tuple[Post, ...]
    complete: bool
    place: Place
    title: str
    pages: int
    locked: bool = False
    fetched: datetime | None = None
    """The forum's own clock (HTTP Date) at the first page, when it told."""
    problems: tuple[str, ...] = ()
    earlier: frozenset[int] = frozenset()
    """Ids of posts that this reading had seen before it broke off and was gone on with; they are not among ``posts``."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading of a whole thread has come: what it needs to go on behind its last page. Plain data."""

    pages: tuple[tuple[int, ...], ...]
    """Ids of the posts of each page, from the first page on, without the thread's first post where every page shows it."""
    pinned: int | None = None
    counted: frozenset[int] = frozenset()
    before: int | None = None

    def data(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {"pages": self.pages, "pinned": self.pinned, "counted": sorted(self.counted), "before": self.before}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Progress:
        """From what ``data`` gave."""
        pages = tuple(tuple(ids) for ids in data["pages"])
        return cls(pages, data["pinned"], frozenset(data["counted"]), data["before"])


@dataclass(frozen=True, slots=True)
class Stored:
    """Something of ours that the forum holds: a topic, a post or a private message."""

    topic: str
    post_id: int | None
    url: str
    changed: bool = False
    """The forum shows it in other words than ours (a word censor, shortened links, glued to an earlier post)."""


@dataclass(frozen=True, slots=True)
class Headed:
    """A topic that a section's list shows, with its first post: whose the topic is, only that tells for sure."""

    topic: str
    url: str
    first: Post
    mine: bool
    waiting: bool = False
    """Only we see it until a moderator approves."""
    named: bool = True
    """It bears the subject; else it may have borne it before a word censor."""


@dataclass(frozen=True, slots=True)
class ForumSettings:
    """How to reach a forum. ``overrides`` are the owner's strings and selectors (config/forums/*.toml)."""

    url: str
    user: str
    password: str = field(repr=False)
    zone: str = "Europe/Moscow"
    state_file: str | None = None
    """Where cookies are kept between runs (mode 0600); None keeps them in memory."""
    user_agent: str = "forumbot/1 (+forum mafia host; one paced connection)"
    min_interval: float = 2.0
    """Seconds between two requests to this host."""
    form_delay: float = 3.0
    """Seconds between fetching a form and sending it."""
    flood_interval: float = 16.0
    """Seconds between two writings of this account."""
    overrides: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class ByPages(Protocol):
    """A forum whose whole threads are read page by page, so that a reading of many pages may break off and be gone on with."""

    def read_on(
        self, topic: str, since: Place, progress: Progress | None, note: Callable[[Progress, tuple[Post, ...]], None]
    ) -> ThreadRead:
        """Read the whole thread, or its rest behind ``progress``; ``note`` is told each page that was read."""


@runtime_checkable
class Attended(Protocol):
    """A forum whose calls may be long, and that tells meanwhile that it is at work."""

    def attend(self, alive: Callable[[], None]) -> None:
        """Have ``alive`` called at every step of a request and every half minute of waiting."""


class Forum(Protocol):
    """A forum account at work. Every call may raise the errors of ``adapters.errors``; none retries a write.

    Topics and sections are the forum's own addresses as strings: uCoz "12-345" (section-topic) and "12"; phpBB "345"
    and "7".
    """

    @property
    def max_post(self) -> int:
        """How many characters a post may have, BBCode included."""

    def login(self) -> Account:
        """Log in unless logged in already (the page decides); returns who we are."""

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        """The account of this number, else of this nick by the forum's own way of comparing nicks; None when there is none."""

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        """Read from the page that holds the place (or from the first when ``whole``) to the last page."""

    def newest_posts(self, section: str) -> Mapping[str, int]:
        """Topic -> the highest post id in it, for the topics that the first page of the section's list shows; empty where the
        engine's list does not tell."""

    def open_topic(self, section: str, subject: str, text: str) -> Stored: ...

    def reply(self, topic: str, text: str) -> Stored: ...

    def edit(self, topic: str, post_id: int, text: str) -> None:
        """Put ``text`` in place of an own post's text."""

    def topics_named(self, section: str, subject: str) -> tuple[Headed, ...]:
        """The section's topics with this subject, newest first, whoever opened them, and behind them those that may have had it
        before a word censor; to look before opening one. Where none is ours, those of other sections, where the forum tells."""

    def find_topic(self, section: str, subject: str) -> Stored | None:
        """The newest of these that is ours and that everybody sees."""

    def find_reply(
        self, topic: str, text: str, *, after_id: int = 0, known: Collection[int] = (), loosely: bool = False
    ) -> Stored | None:
        """Our own post with this text, to look before posting again; posts whose ids are ``known`` are others of ours.

        ``loosely`` takes what is most like it where no post has quite these words, for forums change them: a censor,
        typographic signs, an earlier post that this one was glued to. Raises AwaitsApproval when it stands there but only
        we see it."""

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        """Private messages to us with a higher id, oldest first, bodies included."""

    def count_messages(self) -> int:
        """How many private messages lie in the inbox; none is opened."""

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None: ...

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        """Whether a private message with this subject is among those we sent; a mark in brackets at its end is enough."""

    def escape(self, text: str) -> str:
        """Text of somebody else made harmless inside our own BBCode."""

    def close(self) -> None: ...
