"""What comes out of forums and mailboxes: posts, private messages, letters, made of runs of marked-up text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Color = Literal["red", "blue", "other"]
Voice = Literal["own", "quote", "code", "hidden"]
Meaning = Literal["red", "blue", "other", "spoiler", "quote", "unseen"]
"""What a CSS class of the owner's stands for: a colour, or whose words it holds."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text with one look. Neighbouring runs may be equal in look; line ends are ``\\n`` inside ``text``."""

    text: str
    color: Color | None = None
    """By hue, of the innermost colour; None where the writer gave none."""
    hex: str | None = None
    """``#rrggbb``, lower case; None with no colour or one that only a style sheet knows."""
    struck: bool = False
    voice: Voice = "own"
    """Whose words: the author's own, a quotation's, code (own, but no speech), or text the reader may not see."""
    spoiler: bool = False


STRANGE_NOTICE = "strange_notice"
"""Among a post's problems: the forum says something of it in words that we do not know; it may have been edited or not."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post of a thread as the page shows it. Waiting and deleted posts are never given."""

    id: int
    author: str
    runs: tuple[Run, ...]
    number: int | None = None
    author_uid: int | None = None
    posted: datetime | None = None
    """Aware, in the page's printed zone; exact to the second where ``exact``."""
    exact: bool = False
    edited: bool = False
    edited_by: str | None = None
    edited_at: datetime | None = None
    html: str = ""
    """The message's own HTML as it came, for the log."""
    problems: tuple[str, ...] = ()
    """Ids of what could not be read whole ("hidden_text", "no_uid", "merged" ...)."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a thread."""

    posts: tuple[Post, ...]
    page: int
    pages: int
    title: str
    locked: bool = False
    zone_offset_minutes: int | None = None
    """The zone of printed times where the page tells it."""
    waiting: tuple[Post, ...] = ()
    """Posts that only their author and moderators see as yet. They count for nothing."""
    total: int | None = None
    """How many posts the thread has, as its pager says."""
    before: int | None = None
    """How many of them stand before this page; None where the page does not tell."""
    counted: frozenset[int] = frozenset()
    """Ids of the posts here that are in that number."""


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """A forum private message. ``sent`` is the forum's time, exact where ``exact``."""

    id: int
    author: str
    author_uid: int | None
    subject: str
    runs: tuple[Run, ...]
    sent: datetime | None
    exact: bool = False
    html: str = ""
    problems: tuple[str, ...] = ()


LetterKind = Literal["letter", "auto_reply", "bounce", "own", "empty"]
Auth = Literal["pass", "fail", "none"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as read (contract.md, ``read-letter``)."""

    from_name: str
    from_address: str
    subject: str
    message_id: str | None
    kind: LetterKind
    text: str
    """The writer's new words: quotations and signatures out."""
    auth: Auth
    problems: tuple[str, ...] = ()
    full_text: str = ""
    """The whole readable text, quotations included, for the log."""
    in_reply_to: str | None = None
    failed_recipients: tuple[str, ...] = ()
    """Of a bounce: the addresses it reports."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter as the mailbox holds it: where it lies, when the server took it, and its bytes."""

    folder: str
    uidvalidity: int
    uid: int
    received: datetime
    """INTERNALDATE: the mail server's time, aware."""
    size: int
    raw: bytes | None
    """None when it is larger than the reader takes and no text could be taken out of it, or where the server refuses it.
    Of a large letter its head and texts alone."""
    head: bytes | None = None
    """The head alone, where ``raw`` is left out: it tells whose letter it is."""
    cut: bool = False
    """``raw`` lacks a text that was too large."""
    refused: bool = False
    """The server does not give the letter out, however often it is asked."""
