"""The troubles of one game of the chaos campaign: what may go wrong with forum, mailbox and players' posts, and how it ends."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.trouble import Fault
from forumbot.demo.forum.web import Request
from forumbot.demo.mail_receiving import MailTroubles
from tests.torture.live import HOST_ADDRESS, NICKS, Outside, address_of

_ARCHIVE = "Архив"
CHATTER = "Болтовня"
"""How players' posts begin that are no part of the game."""


@dataclass
class Storm:
    """The troubles of one game. ``told`` is what happened, in words, to be printed with a difference."""

    outside: Outside
    chance: random.Random
    told: list[str] = field(default_factory=list)
    _events: dict[int, list[Callable[[], None]]] = field(default_factory=dict)
    _asked: int = 0
    _slow: float = 0.0
    _chatter: list[int] = field(default_factory=list)
    _number: int = 0

    def __post_init__(self) -> None:
        self.outside.server.watchers.append(self._watch)

    def rise(self) -> None:
        """Some more troubles, several at once."""
        for _ in range(self.chance.choice((1, 1, 2, 3, 4))):
            trouble = self.chance.choice(_TROUBLES)
            trouble(self)

    def end_soon(self) -> None:
        """All will be well while the daemon is at work."""
        self._events.clear()
        self._events[self._asked + self.chance.choice((5, 15, 40))] = [self.end]

    def abate(self) -> None:
        """Some of it ends by itself: half of the faults, and all that waits is approved."""
        server = self.outside.server.troubles
        for fault in list(server.faults):
            if self.chance.random() < 0.5:
                server.remove(fault)
        self._approve()

    def end(self) -> None:
        """All is well again."""
        self._events.clear()
        self._slow = 0.0
        self.outside.server.troubles.clear()
        vars(self.outside.mailbox.troubles).update(vars(MailTroubles()))
        self._approve()
        board = self.outside.board
        for user in board.users.values():
            user.pm_off = False
            board.release_held(user.uid)

    def say(self, words: str) -> None:
        self.told.append(words)

    # The forum

    def fault(self) -> None:
        """An answer that goes wrong, some requests from now, once or several times."""
        kind, method = self.chance.choice(_FAULTS)
        stored = method == "POST" and self.chance.random() < 0.6
        after = self.chance.choice((0, 0, 1, 2, 3, 5, 8, 13, 21, 34))
        times = self.chance.choice((1, 1, 1, 2, 3, 5, 9))
        status = self.chance.choice((500, 502, 503, 504))
        self.say(f"{kind} {method} after {after} times {times} {f'{status} ' if kind == 'status' else ''}stored {stored}")
        self.outside.server.troubles.add(Fault(kind, method, "", after, times, status, stored))

    def switch(self) -> None:
        """Something of the forum that holds until it is turned back."""
        name, value = self.chance.choice(_SWITCHES)
        self.say(f"{name} = {value}")
        setattr(self.outside.server.troubles, name, value)

    def refuse_messages(self) -> None:
        nick = self.chance.choice(NICKS)
        self.say(f"{nick} takes no messages")
        self.outside.board.user(self.outside.uids[nick]).pm_off = True

    def slow(self) -> None:
        self._slow = self.chance.choice((2.0, 7.0, 20.0, 45.0))
        self.say(f"each answer takes {self._slow} s")

    # The mailbox

    def mail_trouble(self) -> None:
        name, value = self.chance.choice(_MAIL)
        self.say(f"mail: {name} = {value}")
        setattr(self.outside.mailbox.troubles, name, value)
        if name == "hang_up":
            self.outside.mailbox.hang_up_all()
        if name == "close_in_data":
            self.outside.mailbox.troubles.stored_when_closed = self.chance.random() < 0.5
        if name == "greylisted":
            # Our own server puts off no copy to the address that has logged in.
            self.outside.mailbox._receiver._attempts = {HOST_ADDRESS: 99}

    def mail_event(self) -> None:
        """Something that happens to the mailbox at once, now or while the daemon is at work."""
        mailbox = self.outside.mailbox
        name, act = self.chance.choice(
            (
                ("hung up", mailbox.hang_up_all),
                ("numbered anew", lambda: mailbox.change_uidvalidity(HOST_ADDRESS)),
                ("all read", lambda: mailbox.mark_seen(HOST_ADDRESS)),
                ("all unread", lambda: mailbox.mark_seen(HOST_ADDRESS, seen=False)),
                ("a letter doubled", self._double),
            )
        )
        self._soon(f"mail: {name}", act)

    def _double(self) -> None:
        """The provider lays a letter of a player into the folder a second time."""
        kept = [one for one in self.outside.mailbox.letters(HOST_ADDRESS) if b"From: player" in one.raw]
        if kept:
            one = self.chance.choice(kept)
            self.outside.mailbox.drop(HOST_ADDRESS, one.raw, received=one.received, seen=one.seen, marked=False)

    # The players

    def chatter(self) -> None:
        """A player talks in the newest topic, or edits or deletes what he said."""
        board = self.outside.board
        what = self.chance.choice(("says", "says", "edits", "deletes"))

        def act() -> None:
            self._number += 1
            text = f"{CHATTER} {self._number}"
            if what == "says" or not self._chatter:
                newest = max(one.id for one in board.topics.values() if not one.title.startswith(CHATTER))
                self._chatter.append(board.post(newest, self.outside.uids[self.chance.choice(NICKS)], text))
            elif what == "edits":
                board.edit(self.chance.choice(self._chatter), text)
            else:
                board.delete(self._chatter.pop(self.chance.randrange(len(self._chatter))))

        if board.topics:
            for _ in range(self.chance.choice((1, 1, 3))):
                self._soon(f"a player {what}", act)

    def moderate(self) -> None:
        """A moderator splits talk off the game's topic, or moves the topic to another section where its address lets him."""
        board = self.outside.board
        what = self.chance.choice(("splits", "splits", "moves"))

        def act() -> None:
            self._number += 1
            if what == "splits" and self._chatter:
                post = board.find_post(self._chatter.pop(self.chance.randrange(len(self._chatter))))
                board.split_topic([post.id], board.topic(post.topic).section, f"{CHATTER} отдельно {self._number}")
            elif what == "moves" and isinstance(self.outside.options, PhpbbOptions):
                topic = self.chance.choice([one.id for one in board.topics.values() if not one.title.startswith(CHATTER)])
                board.move_topic(topic, self._archive())

        if board.topics:
            self._soon(f"a moderator {what}", act)

    def _archive(self) -> int:
        board = self.outside.board
        return next((one.id for one in board.sections.values() if one.name == _ARCHIVE), 0) or board.add_section(_ARCHIVE)

    def _soon(self, words: str, act: Callable[[], None]) -> None:
        """Do it now or at one of the next requests to the forum."""
        wait = self.chance.choice((0, 1, 3, 7, 15))
        self.say(f"{words} at request {wait}")
        if wait:
            self._events.setdefault(self._asked + wait, []).append(act)
        else:
            act()

    def _watch(self, stage: str, _: Request) -> None:
        if stage == "before":
            self._asked += 1
            if self._slow:
                self.outside.clock.sleep(self._slow)
            for act in self._events.pop(self._asked, ()):
                act()

    def _approve(self) -> None:
        """A moderator lets what waits be seen. Nobody can tell the bot that a post waits when its answer was lost: of what it
        has then sent again he takes one."""
        board = self.outside.board
        for post in list(board.posts.values()):
            if post.state == "waiting":
                seen = {(one.topic, one.subject, one.text) for one in board.posts.values() if one.state == "visible"}
                if (post.topic, post.subject, post.text) in seen:
                    board.delete(post.id)
                else:
                    board.approve(post.id)


_FAULTS: Sequence[tuple[Any, str]] = (
    ("session_lost", ""), ("session_lost", "POST"), ("token_expired", "POST"), ("status", "POST"), ("status", "POST"),
    ("status", "GET"), ("drop", "POST"), ("drop", "GET"), ("cut", "POST"), ("cut", "GET"), ("half", "POST"), ("half", "GET"),
    ("challenge", ""), ("challenge", "POST"), ("maintenance", ""), ("maintenance", "GET"),
)  # fmt: skip
_SWITCHES: Sequence[tuple[str, object]] = (
    ("flood_interval", 20.0), ("flood_interval", 90.0), ("premoderation", True), ("pm_closed", True), ("pm_box_full", True),
    ("switched_off", "Форум временно закрыт на техническое обслуживание"), ("ignore_page", True), ("layout_changed", True),
    ("censored", {"День": "****", "выбыли": "****", "голосуют": "******"}), ("censored", {"День": "дивный новый мир"}),
    ("merging", True), ("merging", True),
)  # fmt: skip
_MAIL: Sequence[tuple[str, object]] = (
    ("hang_up", True), ("full", {address_of(nick) for nick in NICKS[:2]}),
    ("greylisted", 1), ("greylisted", 3), ("close_in_data", 1), ("close_in_data", 2), ("close_in_data", 5),
    ("answer_to_data", "452 4.2.2 Mailbox full"), ("answer_to_data", "451 4.3.0 Try again later"),
)  # fmt: skip
_TROUBLES: Sequence[Callable[[Storm], None]] = (
    *(Storm.fault,) * 5, *(Storm.switch,) * 2, Storm.refuse_messages, Storm.slow, *(Storm.mail_trouble,) * 2,
    *(Storm.mail_event,) * 2, *(Storm.chatter,) * 2, Storm.moderate,
)  # fmt: skip
