"""The board that both embedded engines show: users, sections, topics, posts with their versions, private messages.

It keeps what happened and answers for it; how that looks and what a visitor may do over HTTP is the engines' affair.
All calls are thread-safe and take plain ids (``uid``, topic, post, message), so that actors and tests need no objects of
the board. Times come from the clock that is handed in; an id is never given twice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from adapters.clock import Clock

Group = Literal["users", "trusted", "moderators", "admins", "newcomers", "banned"]
State = Literal["visible", "waiting", "deleted"]
Box = Literal["inbox", "outbox", "sentbox", "held"]

_FIRST_SPLIT = 90_000
"""Topics that are split off are numbered apart, so that the others' numbers do not tell of them."""
STAFF: frozenset[str] = frozenset({"moderators", "admins"})


@dataclass(slots=True)
class User:
    """Somebody with an account. ``pm_off``: he takes no private messages; ``foes``: uids whose posts he has hidden."""

    uid: int
    nick: str
    password: str
    registered: datetime
    group: Group = "users"
    signature: str = ""
    email: str = ""
    pm_off: bool = False
    female: bool = False
    removed: bool = False
    zone: str | None = None
    """Own time zone of the profile; None shows the board's."""
    date_format: str | None = None
    """Own date format of the profile, in the engine's notation; None shows the board's."""
    foes: set[int] = field(default_factory=set)
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def staff(self) -> bool:
        return self.group in STAFF


@dataclass(slots=True)
class Section:
    """A forum. ``members_read``/``members_post`` bound ordinary members, ``archive`` everybody; ``password`` is phpBB's."""

    id: int
    name: str
    description: str = ""
    guests_read: bool = True
    members_read: bool = True
    members_post: bool = True
    archive: bool = False
    password: str = ""

    def open_to(self, viewer: User | None) -> bool:
        """Whether this visitor (None: a guest) may read it."""
        if viewer is None:
            return self.guests_read
        return viewer.group != "banned" and (viewer.staff or self.members_read)


@dataclass(slots=True)
class Topic:
    """A thread. ``pinned_first``: its first post stands on every page (uCoz; an extension of phpBB)."""

    id: int
    section: int
    title: str
    author: int | None
    opened: datetime
    description: str = ""
    locked: bool = False
    sticky: bool = False
    pinned_first: bool = False
    views: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a post's text. ``silent``: phpBB prints no notice of it."""

    text: str
    at: datetime
    by: int | None
    reason: str = ""
    silent: bool = False


@dataclass(slots=True)
class Post:
    """A post; ``author`` None is a guest or a removed account, shown as ``shown_as``."""

    id: int
    topic: int
    author: int | None
    posted: datetime
    versions: list[Version]
    subject: str = ""
    shown_as: str = ""
    state: State = "visible"
    deleted_by: int | None = None
    deleted_at: datetime | None = None
    approved_by: int | None = None
    attachments: tuple[str, ...] = ()
    html: str | None = None
    """A post written in HTML by staff, shown as it is in place of the converted BBCode."""

    @property
    def text(self) -> str:
        return self.versions[-1].text

    @property
    def noticed(self) -> list[Version]:
        """The edits that phpBB prints a notice for."""
        return [version for version in self.versions[1:] if not version.silent]


@dataclass(slots=True)
class Message:
    """A private message. ``picked_up``: the recipient has opened his messages since; ``held``: his box was full."""

    id: int
    sender: int
    recipient: int
    subject: str
    text: str
    sent: datetime
    read: bool = False
    picked_up: bool = False
    held: bool = False
    thrown_by: set[int] = field(default_factory=set)

    def belongs_to(self, uid: int) -> bool:
        """Whether it lies in a box of this user."""
        return uid in (self.sender, self.recipient) and uid not in self.thrown_by


class BoardError(Exception):
    """The board refuses a call: no such thing, or a nick or uid that is taken. The text says which."""


class Board:
    """The board's memory.

    ``fold`` brings nicks to the form in which two of them are the same; ``zone`` is that of printed times;
    ``pm_limit`` the number of messages a box holds (0: no bound).
    """

    def __init__(
        self,
        clock: Clock,
        *,
        name: str = "Клуб «Маски»",
        zone: str = "Europe/Moscow",
        first_post: int = 1001,
        first_topic: int = 101,
        pm_limit: int = 0,
        fold: Callable[[str], str] = lambda nick: " ".join(nick.split()).casefold(),
    ) -> None:
        self.clock = clock
        self.name = name
        self.zone = zone
        self.pm_limit = pm_limit
        self.premoderation = False
        self.fold = fold
        self.lock = threading.RLock()
        self.users: dict[int, User] = {}
        self.sections: dict[int, Section] = {}
        self.topics: dict[int, Topic] = {}
        self.posts: dict[int, Post] = {}
        self.messages: dict[int, Message] = {}
        self._by_topic: dict[int, list[int]] = {}
        self._next_post, self._next_topic, self._next_message, self._next_uid = first_post, first_topic, 501, 2

    # People

    def register(self, nick: str, password: str = "", *, uid: int | None = None, group: Group = "users", signature: str = "",
                 email: str = "", female: bool = False) -> int:
        """A new account; gives its uid. Refuses a nick or uid that is taken, or an empty nick."""
        with self.lock:
            if not nick.strip():
                raise BoardError("an empty nick")
            if self.find_user(nick) is not None:
                raise BoardError(f"the nick {nick!r} is taken")
            number = self._next_uid if uid is None else uid
            if number in self.users:
                raise BoardError(f"uid {number} is taken")
            self._next_uid = max(self._next_uid, number + 1)
            self.users[number] = User(number, nick, password, self.clock.now(), group, signature, email, female=female)
            return number

    def find_user(self, nick: str) -> User | None:
        """The user with this nick, folded as the board folds nicks."""
        folded = self.fold(nick)
        with self.lock:
            return next((user for user in self.users.values() if not user.removed and self.fold(user.nick) == folded), None)

    def user(self, uid: int) -> User:
        with self.lock:
            if uid not in self.users:
                raise BoardError(f"no user {uid}")
            return self.users[uid]

    def rename(self, uid: int, nick: str) -> None:
        """Give the user another nick; all his posts show it at once, quotations of them keep the old one."""
        with self.lock:
            other = self.find_user(nick)
            if other is not None and other.uid != uid:
                raise BoardError(f"the nick {nick!r} is taken")
            self.user(uid).nick = nick

    def remove_user(self, uid: int) -> None:
        """Delete the account; its posts stay, with the nick and without the uid."""
        with self.lock:
            user = self.user(uid)
            user.removed = True
            for post in self.posts.values():
                if post.author == uid:
                    post.author, post.shown_as = None, user.nick

    # Threads

    def add_section(self, name: str, description: str = "", *, section_id: int | None = None) -> int:
        with self.lock:
            number = max(self.sections, default=0) + 1 if section_id is None else section_id
            if number in self.sections:
                raise BoardError(f"section {number} is taken")
            self.sections[number] = Section(number, name, description)
            return number

    def open_topic(self, section: int, author: int | None, title: str, text: str, *, description: str = "",
                   at: datetime | None = None, shown_as: str = "Гость", premoderated: bool = False,
                   pinned_first: bool = False) -> int:
        """A new topic with its first post; gives the topic's id."""
        with self.lock:
            if section not in self.sections:
                raise BoardError(f"no section {section}")
            number = self._next_topic
            self._next_topic += 1
            opened = at or self.clock.now()
            self.topics[number] = Topic(number, section, title, author, opened, description, pinned_first=pinned_first)
            self._by_topic[number] = []
            self.post(number, author, text, at=at, subject=title, shown_as=shown_as, premoderated=premoderated)
            return number

    def post(self, topic: int, author: int | None, text: str, *, at: datetime | None = None, subject: str | None = None,
             shown_as: str = "Гость", premoderated: bool = False) -> int:
        """A new post at the topic's end; gives its id. A member's waits when ``premoderated`` or the board says so."""
        with self.lock:
            thread = self.topic(topic)
            moment = at or self.clock.now()
            waiting = (premoderated or self.premoderation) and not (author is not None and self.user(author).staff)
            number = self._next_post
            self._next_post += 1
            title = f"Re: {thread.title}" if subject is None else subject
            state: State = "waiting" if waiting else "visible"
            self.posts[number] = Post(number, topic, author, moment, [Version(text, moment, author)], title, shown_as, state)
            self._by_topic[topic].append(number)
            return number

    def edit(self, post: int, text: str, *, by: int | None = None, reason: str = "") -> None:
        """Another text in place of the old one. ``by`` None is the author himself.

        phpBB's silence: an author's edit of the topic's last post and a moderator's edit without a reason are not noticed.
        """
        with self.lock:
            target = self.find_post(post)
            editor = target.author if by is None else by
            staff = editor is not None and self.user(editor).staff
            last = self.visible_posts(target.topic)[-1:] == [target]
            silent = not reason and (staff or last)
            target.versions.append(Version(text, self.clock.now(), editor, reason, silent))
            target.html = None

    def delete(self, post: int, *, by: int | None = None, soft: bool = False) -> None:
        """Take the post away: for good, or (``soft``) so that only moderators see it."""
        with self.lock:
            target = self.find_post(post)
            if soft:
                target.state, target.deleted_at = "deleted", self.clock.now()
                target.deleted_by = target.author if by is None else by
            else:
                self._by_topic[target.topic].remove(post)
                del self.posts[post]

    def approve(self, post: int, *, by: int | None = None) -> None:
        """Let a waiting post be seen."""
        with self.lock:
            target = self.find_post(post)
            target.state, target.approved_by = "visible", by

    def move_topic(self, topic: int, section: int) -> None:
        with self.lock:
            if section not in self.sections:
                raise BoardError(f"no section {section}")
            self.topic(topic).section = section

    def split_topic(self, posts: Iterable[int], section: int, title: str) -> int:
        """Move posts into a new topic of their own; gives its id. Their ids stay."""
        with self.lock:
            moved = [self.find_post(number) for number in posts]
            number = max([_FIRST_SPLIT, *self.topics]) + 1
            self.topics[number] = Topic(number, section, title, moved[0].author, moved[0].posted)
            for post in moved:
                self._by_topic[post.topic].remove(post.id)
                post.topic = number
            self._by_topic[number] = [post.id for post in moved]
            return number

    def lock_topic(self, topic: int, locked: bool = True) -> None:
        with self.lock:
            self.topic(topic).locked = locked

    def delete_topic(self, topic: int) -> Callable[[], None]:
        """Take the topic away with all its posts; gives what a moderator calls to bring it back."""
        with self.lock:
            gone = self.topic(topic)
            posts = {post.id: post for post in self.all_posts(topic)}
            order = self._by_topic.pop(topic)
            del self.topics[topic]
            for post in posts:
                del self.posts[post]

        def bring_back() -> None:
            with self.lock:
                self.topics[topic] = gone
                self._by_topic[topic] = order
                self.posts |= posts

        return bring_back

    def topic(self, topic: int) -> Topic:
        with self.lock:
            if topic not in self.topics:
                raise BoardError(f"no topic {topic}")
            return self.topics[topic]

    def find_post(self, post: int) -> Post:
        with self.lock:
            if post not in self.posts:
                raise BoardError(f"no post {post}")
            return self.posts[post]

    def all_posts(self, topic: int) -> list[Post]:
        """Every post of the topic in order, waiting and soft-deleted ones too."""
        with self.lock:
            self.topic(topic)
            return [self.posts[number] for number in self._by_topic[topic]]

    def visible_posts(self, topic: int) -> list[Post]:
        """What an ordinary visitor can see."""
        return [post for post in self.all_posts(topic) if post.state == "visible"]

    def topics_in(self, section: int) -> list[Topic]:
        """Topics of the section that have a post, those with the newest post first, sticky ones before them."""
        with self.lock:
            shown = [topic for topic in self.topics.values() if topic.section == section and self._by_topic[topic.id]]
            return sorted(shown, key=lambda topic: (topic.sticky, self._by_topic[topic.id][-1]), reverse=True)

    def find_topic(self, title: str) -> Topic | None:
        """The newest topic with exactly this title."""
        with self.lock:
            named = [topic for topic in self.topics.values() if topic.title == title]
            return max(named, key=lambda topic: topic.id, default=None)

    def posts_by(self, uid: int) -> list[Post]:
        """All posts of a user, oldest first."""
        with self.lock:
            return [post for _, post in sorted(self.posts.items()) if post.author == uid]

    def author_nick(self, post: Post) -> str:
        return post.shown_as if post.author is None else self.user(post.author).nick

    # Private messages

    def send_pm(self, sender: int, recipient: int, subject: str, text: str) -> int:
        """A private message; gives its id. With a full box it is held back from the recipient."""
        with self.lock:
            self.user(sender)
            self.user(recipient)
            number = self._next_message
            self._next_message += 1
            held = self.full(recipient)
            self.messages[number] = Message(number, sender, recipient, subject, text, self.clock.now(), held=held)
            return number

    def box(self, uid: int, box: Box) -> list[Message]:
        """The messages of a box, newest first. ``outbox``: sent and not yet picked up; ``sentbox``: picked up."""
        tests: dict[Box, Callable[[Message], bool]] = {
            "inbox": lambda message: message.recipient == uid and not message.held,
            "held": lambda message: message.recipient == uid and message.held,
            "outbox": lambda message: message.sender == uid and not message.picked_up,
            "sentbox": lambda message: message.sender == uid and message.picked_up,
        }
        with self.lock:
            return [
                message
                for _, message in sorted(self.messages.items(), reverse=True)
                if uid not in message.thrown_by and tests[box](message)
            ]

    def full(self, uid: int) -> bool:
        """Whether the inbox has no room left."""
        with self.lock:
            return bool(self.pm_limit) and len(self.box(uid, "inbox")) >= self.pm_limit

    def sent(self, uid: int) -> list[Message]:
        """All messages that the user sent, newest first."""
        with self.lock:
            return [message for _, message in sorted(self.messages.items(), reverse=True)
                    if message.sender == uid and uid not in message.thrown_by]

    def pick_up(self, uid: int) -> None:
        """The user has opened his messages: what waited in the senders' outboxes is with him now."""
        with self.lock:
            for message in self.box(uid, "inbox"):
                message.picked_up = True

    def release_held(self, uid: int) -> int:
        """Let held messages in while there is room, oldest first; gives how many still wait."""
        with self.lock:
            for message in reversed(self.box(uid, "held")):
                if not self.pm_limit or len(self.box(uid, "inbox")) < self.pm_limit:
                    message.held = False
            return len(self.box(uid, "held"))

    def throw_away(self, uid: int, messages: Iterable[int]) -> None:
        """The user deletes messages from his own boxes."""
        with self.lock:
            for number in messages:
                if number in self.messages and uid in (self.messages[number].sender, self.messages[number].recipient):
                    self.messages[number].thrown_by.add(uid)
