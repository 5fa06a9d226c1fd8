"""A forum, a mailbox and a way out in memory, with the one virtue of the real ones: they keep what was sent."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from adapters.errors import NoThread, OutsideError
from adapters.forum import Account, Headed, Place, Profile, Stored, ThreadRead
from adapters.mailbox import MailPlace
from adapters.markup import html_runs
from adapters.model import Envelope, Post, PrivateMessage

_TAGS = re.compile(r"\[/?(?:b|i|u|s|size|list|url|spoiler|\*)(?:=[^\]]*)?\]")
"""Mark-up that this forum shows as it was typed, and that is nobody's words."""
BOT = Account("Ведущий", 1)


@dataclass
class Topic:
    section: str
    subject: str
    posts: list[Post] = field(default_factory=list)


@dataclass
class FakeForum:
    """``clock`` gives the forum's time. ``failing`` errors are raised by the next calls, one each."""

    clock: object
    topics: dict[str, Topic] = field(default_factory=dict)
    inbox_messages: list[PrivateMessage] = field(default_factory=list)
    sent: list[tuple[int, str, str, str]] = field(default_factory=list)
    failing: list[OutsideError] = field(default_factory=list)
    incomplete: bool = False
    requests: int = 0
    max_post: int = 10_000
    accounts: dict[int, str] = field(default_factory=dict)
    """Accounts whose nicks matter; an account that is not here is the one that is asked for, unless it is ``missing``."""
    missing: set[object] = field(default_factory=set)
    _next: int = 100

    def _call(self) -> None:
        self.requests += 1
        if self.failing:
            raise self.failing.pop(0)

    def now(self) -> datetime:
        return self.clock.now()  # type: ignore[attr-defined,no-any-return]

    # What players do.
    def says(self, topic: str, uid: int, nick: str, bbcode: str, at: datetime | None = None) -> int:
        self._next += 1
        body = to_html(bbcode)
        self.topics[topic].posts.append(
            Post(self._next, nick, html_runs(_TAGS.sub("", body)), author_uid=uid, posted=at or self.now(), exact=True, html=body)
        )
        return self._next

    def edits(self, topic: str, post_id: int, bbcode: str, *, notice: bool = True) -> None:
        body = to_html(bbcode)
        posts = self.topics[topic].posts
        index = next(i for i, post in enumerate(posts) if post.id == post_id)
        posts[index] = replace(posts[index], html=body, runs=html_runs(body), edited=notice)

    def deletes(self, topic: str, post_id: int) -> None:
        self.topics[topic].posts = [post for post in self.topics[topic].posts if post.id != post_id]

    def writes_pm(self, uid: int, nick: str, subject: str, text: str, at: datetime | None = None) -> None:
        self._next += 1
        body = to_html(text)
        self.inbox_messages.append(
            PrivateMessage(self._next, nick, uid, subject, html_runs(body), at or self.now(), True, body)
        )

    def pms_to(self, nick: str) -> list[tuple[str, str]]:
        return [(subject, text) for _, to, subject, text in self.sent if to == nick]

    def find(self, words: str) -> str:
        return next(topic for topic, made in self.topics.items() if words in made.subject)

    def texts(self, topic: str) -> list[str]:
        return [post.html for post in self.topics[topic].posts if post.author_uid == BOT.uid]

    # The Forum protocol.
    def login(self) -> Account:
        return BOT

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        self._call()
        if uid in self.missing or nick in self.missing:
            return None
        number = uid if uid is not None else next((key for key, name in self.accounts.items() if name == nick), None)
        if number is None:
            return None
        return Profile(self.accounts.get(number, nick or f"участник {number}"), number, (("Дата регистрации", "01.02.2020"),))

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        self._call()
        if topic not in self.topics:
            raise NoThread("not_found")
        posts = tuple(self.topics[topic].posts)
        last = max((post.id for post in posts), default=0)
        return ThreadRead(posts, not self.incomplete, Place(last, 1), self.topics[topic].subject, 1)

    def open_topic(self, section: str, subject: str, text: str) -> Stored:
        self._call()
        topic = f"{section}-{len(self.topics) + 1}"
        self.topics[topic] = Topic(section, subject)
        return Stored(topic, self.says(topic, BOT.uid, BOT.nick, text), "")

    def reply(self, topic: str, text: str) -> Stored:
        self._call()
        return Stored(topic, self.says(topic, BOT.uid, BOT.nick, text), "")

    def edit(self, topic: str, post_id: int, text: str) -> None:
        self.edits(topic, post_id, text)

    def find_topic(self, section: str, subject: str) -> Stored | None:
        self._call()
        found = [topic for topic, made in self.topics.items() if made.subject == subject and made.section == section]
        return Stored(found[-1], self.topics[found[-1]].posts[0].id, "") if found else None

    def topics_named(self, section: str, subject: str) -> tuple[Headed, ...]:
        self._call()
        found = [(topic, made) for topic, made in self.topics.items() if made.subject == subject and made.section == section]
        return tuple(Headed(topic, "", made.posts[0], made.posts[0].author_uid == BOT.uid) for topic, made in reversed(found))

    def newest_posts(self, section: str) -> Mapping[str, int]:
        self._call()
        return {topic: max(post.id for post in made.posts) for topic, made in self.topics.items() if made.posts}

    def find_reply(
        self, topic: str, text: str, *, after_id: int = 0, known: Collection[int] = (), loosely: bool = False
    ) -> Stored | None:
        self._call()
        body = to_html(text)
        for post in self.topics[topic].posts:
            if post.id > after_id and post.id not in known and post.author_uid == BOT.uid and post.html == body:
                return Stored(topic, post.id, "")
        return None

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        self._call()
        return tuple(message for message in self.inbox_messages if message.id > after_id)

    def count_messages(self) -> int:
        self._call()
        return len(self.inbox_messages)

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        self._call()
        self.sent.append((to_uid, to_nick, subject, text))

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        self._call()
        return any(nick == to_nick and said == subject for _, nick, said, _ in self.sent)

    def escape(self, text: str) -> str:
        return text.replace("[", "[\xa0")

    def close(self) -> None:
        pass


@dataclass
class FakeMail:
    """Mailbox and way out in one; a copy to ourselves comes back into the mailbox."""

    clock: object
    own: str = "host@example.org"
    envelopes: list[Envelope] = field(default_factory=list)
    out: list[tuple[str, str, str, str]] = field(default_factory=list)
    failing: list[OutsideError] = field(default_factory=list)
    uidvalidity: int = 7
    heard: int = 0

    def arrives(self, sender: str, subject: str, text: str, at: datetime | None = None, extra: str = "") -> None:
        raw = (
            f"From: {sender}\r\nTo: {self.own}\r\nSubject: {subject}\r\nMessage-ID: <{len(self.envelopes)}@{sender}>\r\n"
            f"{extra}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
        ).encode()
        self._put(raw, at)

    def _put(self, raw: bytes, at: datetime | None = None) -> None:
        uid = len(self.envelopes) + 1
        self.envelopes.append(Envelope("INBOX", self.uidvalidity, uid, at or self.clock.now(), len(raw), raw))  # type: ignore[attr-defined]

    def letters_to(self, address: str) -> list[tuple[str, str]]:
        return [(subject, text) for to, subject, text, _ in self.out if to == address]

    def fetch(self, since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        if self.failing:
            raise self.failing.pop(0)
        known = since.last_uid if since.uidvalidity == self.uidvalidity else 0
        found = tuple(envelope for envelope in self.envelopes if envelope.uid > known)
        return found, MailPlace(self.uidvalidity, max((e.uid for e in self.envelopes), default=0))

    def count(self) -> int:
        return len(self.envelopes)

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Hears at once of what came since it was last asked; raises what ``failing`` holds."""
        if self.failing:
            raise self.failing.pop(0)
        before, self.heard = self.heard, len(self.envelopes)
        return self.heard > before

    def send(
        self, to: str, subject: str, text: str, *, message_id: str, in_reply_to: str | None = None, bcc: str | None = None
    ) -> None:
        if self.failing:
            raise self.failing.pop(0)
        self.out.append((to, subject, text, message_id))
        if bcc:
            self._put(f"From: {self.own}\r\nTo: {to}\r\nMessage-ID: {message_id}\r\n\r\n.\r\n".encode())

    def close(self) -> None:
        pass


def to_html(bbcode: str) -> str:
    """Enough of a forum's markup for these tests: colours, quotes, line ends."""
    text = html.escape(bbcode, quote=False)
    text = re.sub(r"\[color=(\w+)\](.*?)\[/color\]", r'<span style="color:\1">\2</span>', text, flags=re.DOTALL)
    text = re.sub(r"\[quote=?(.*?)\](.*?)\[/quote\]", r"<blockquote>\2</blockquote>", text, flags=re.DOTALL)
    return text.replace("\n", "<br />\n")


