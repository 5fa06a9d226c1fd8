"""A demo game's people on a real board: what ``forumbot.demo.house.House`` does in memory, done over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sa
from selectolax.lexbor import LexborNode

from adapters.clock import Clock
from forumbot.demo.games.model import Frame
from forumbot.demo.house import GAME, HOST_ADDRESS, HOST_NICK, OUTSIDE_ADDRESS, OUTSIDER, House, write_files
from forumbot.demo.mailbox import RunningMailbox
from forumbot.demo.players import Company
from forumbot.demo.saying import Saying
from forumbot.store.database import Store
from forumbot.store.tables import posts, threads
from tests.realboard.browser import Refused
from tests.realboard.owner import Owner
from tests.realboard.people import Member

PASSWORD = "rehearsal-2"
_CODE = re.compile(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b")
_MARKUP = re.compile(r"\[/?[bi]\]")
_FILLER = ("Поднимаю тему.", "Так, я снова здесь.", "Читаю вас с телефона, отвечу позже.", "Ох, сколько вы тут понаписали.")


@dataclass
class RealHouse(House):
    """The house of one game; ``members`` are the players' browsers by nick as the company knows them."""

    owner: Owner = field(kw_only=True)
    bot: Member = field(kw_only=True)
    members: dict[str, Member] = field(kw_only=True)
    posts: dict[int, int] = field(default_factory=dict)
    """Post -> its topic."""
    last: dict[int, int] = field(default_factory=dict)
    """Topic -> its last post of a player."""
    board_url: str = field(kw_only=True)
    """The board's address for the daemon."""
    looked: Callable[[], None] = field(default=lambda: None, kw_only=True)
    """Lets the daemon look once."""

    def url(self, topic: int | None = None) -> str:
        return self.board_url + ("/" if topic is None else f"/viewtopic.php?t={topic}")

    def signup_topic(self) -> int | None:
        """The sign-up topic once members see it: while it waits for a moderator, the owner alone does."""
        page = self.members[OUTSIDER].inside("viewforum.php", f=self.section)
        for link in page.tree.css('a.topictitle, a[href*="viewtopic.php"]'):
            number = re.search(r"[?&]t=(\d+)", link.attributes.get("href") or "")
            if number and link.text().strip().startswith(f"{self.frame.title}. Запись"):
                return int(number[1])
        return None

    def code_of(self, uid: int) -> str | None:
        member = next(one for one in self.members.values() if one.uid == uid)
        for whisper in member.box():
            if whisper.id > member.known and (found := _CODE.search(member.open(whisper.id))):
                return found[0]
        return None

    def posts_of_host(self) -> str:
        """Everything that the bot wrote in the topics of this game, as readers see it."""
        shown = [node for topic in self.topics() for post in self.owner.posts(topic) for node in post.css(".content")]
        # Line by line, and each post in one line: a quotation makes a block of its own in the middle of a line.
        return "\n".join(" ".join(part.split()) for node in shown for part in (*_lines(node), node.text(separator=" ")))

    def shown(self, line: str) -> str:
        return _MARKUP.sub("", line)

    def say(self, topic: int, member: Member) -> int:
        """Something beside the game; gives its post."""
        post = member.reply(topic, self.section, Random(self.written).choice(_FILLER))
        self.last[topic] = post
        self._took(self.clock.now())
        return post

    def title_of(self, topic: int) -> str:
        page = self.owner.get("viewtopic.php", t=topic)
        node = page.tree.css_first("h2.topic-title, #page-body h2, h2")
        return node.text().strip() if node is not None else ""

    def perform(self, saying: Saying, turn: int) -> None:
        saying.turn = turn
        number = self.written = self.written + 1
        if saying.channel == "letter":
            saying.sent = self.clock.now()
            uid = self.mailbox.drop(HOST_ADDRESS, self._raw(saying, number), received=saying.sent)
            saying.source = f"mail/{uid}"
        else:
            member = self.members[OUTSIDER if saying.outsider else saying.author]
            if saying.channel == "post":
                topic = self.signup_topic() if saying.topic == "signup" else self.day_topics.get(turn)
                assert topic is not None, f"no topic for turn {turn}"
                post = member.reply(topic, self.section, self._quoted(topic, saying) + saying.text)
                self.posts[post], self.last[topic] = topic, post
                saying.source = f"post/{post}"
            else:
                saying.source = f"pm/{member.message(self.host, saying.subject or 'Без темы', saying.text)}"
            saying.sent = self.clock.now()
        self._took(saying.sent)

    def edit(self, saying: Saying) -> None:
        """Change a post. phpBB shows no notice of it while the post is its topic's last: then either the daemon has read it
        before, or somebody else writes first."""
        post = int(saying.source.partition("/")[2])
        topic = self.posts[post]
        if self.last[topic] == post:
            if Random(post).random() < 0.5:
                self.looked()
            if not self._was_read(post):
                other = next(member for nick, member in self.members.items() if nick not in (saying.author, OUTSIDER))
                self.last[topic] = other.reply(topic, self.section, Random(post).choice(_FILLER))
        assert saying.edit is not None
        self.members[saying.author].edit(self.section, post, saying.edit)
        saying.edited = self.clock.now()
        self._took(saying.edited)

    def _was_read(self, post: int) -> bool:
        return bool(self._asked(sa.select(posts.c.id).where(posts.c.post_id == post)))

    def topics(self) -> list[int]:
        """The topics that the bot has opened for this game."""
        found = self._asked(sa.select(threads.c.topic).where(threads.c.game_id == GAME, threads.c.topic.is_not(None)))
        return sorted(int(topic) for topic in found)

    def _asked(self, query: sa.Select[Any]) -> list[Any]:
        """The daemon's own record, read only."""
        store = Store(self.database)
        try:
            with store.read() as connection:
                return list(connection.execute(query).scalars())
        finally:
            store.close()

    def _quoted(self, topic: int, saying: Saying) -> str:
        if saying.quote_of is None:
            return ""
        page = self.members[saying.author].get("viewtopic.php", t=topic)
        uid = self.members[saying.quote_of].uid
        numbers = [post.attributes.get("id") or "" for post in page.tree.css("div.post") if f"u={uid}" in (post.html or "")]
        return self.members[saying.author].quotation(self.section, int(numbers[-1].lstrip("p"))) + "\n" if numbers else ""


def _lines(node: LexborNode) -> list[str]:
    return node.text(separator="\n").splitlines()


@dataclass
class People:
    """The accounts of a game."""

    members: dict[str, Member]
    bot: Member

    @classmethod
    def of(cls, company: Company, mailbox: RunningMailbox, owner: Owner) -> People:
        """Accounts of the company, an outsider and the bot, made where the board has none yet."""
        members: dict[str, Member] = {}
        for nick, address in (*((a.name, a.address) for a in company.actors.values()), (OUTSIDER, OUTSIDE_ADDRESS)):
            member = members[nick] = account(owner, nick, address)
            member.known = max((one.id for one in member.box()), default=0)
            mailbox.know(address)
        bot = account(owner, HOST_NICK, HOST_ADDRESS)
        bot.preferences(tz="Europe/Moscow", lang="ru", style=bot.styles()[0], dateoptions="custom", dateformat="d.m.Y H:i:s")
        for actor in company.actors.values():
            actor.uid = members[actor.name].uid
        return cls(members, bot)


def furnish(
    folder: Path, clock: Clock, frame: Frame, company: Company, people: People, mailbox: RunningMailbox, owner: Owner, url: str,
    forum: Mapping[str, Any],
) -> RealHouse:  # fmt: skip
    """A section on the board, and the host's files in the folder; ``url`` is the board's for the daemon, ``forum`` further
    settings of it."""
    section = owner.section(f"Партии {clock.now():%d.%m %H%M%S}", like=2)
    members, bot = people.members, people.bot
    house = RealHouse(
        folder, clock, frame, "phpbb", None, None, None, mailbox, company, section, bot.uid, members[OUTSIDER].uid,  # type: ignore[arg-type]
        last_minute=datetime(1970, 1, 1, tzinfo=UTC), owner=owner, bot=bot, members=members, board_url=url,
    )  # fmt: skip
    write_files(house, PASSWORD, forum)
    return house


def account(owner: Owner, nick: str, address: str) -> Member:
    """The account of this nick, made where the board has none yet."""
    member = Member(owner.url, nick, PASSWORD, wait=owner.wait)
    try:
        member.enter()
    except Refused:
        member.close()
        return owner.member(nick, PASSWORD, address)
    return member
