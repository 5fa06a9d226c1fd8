"""The demo's site: an embedded forum and mailbox, the host's files in a folder, and the players' hands on forum and mail."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from adapters.clock import Clock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.embedded import Options, embedded
from forumbot.demo.forum.serving import quotation, serve, topic_address
from forumbot.demo.forum.web import ForumServer
from forumbot.demo.games.model import Frame
from forumbot.demo.letters import Sheet, automatic, compose
from forumbot.demo.mailbox import AUTHSERV, RunningMailbox, serve_mailbox
from forumbot.demo.players import Company
from forumbot.demo.saying import Saying

HOST_NICK, HOST_ADDRESS, PASSWORD = "Ведущий", "host@forumbot.test", "rehearsal"
OUTSIDER, OUTSIDE_ADDRESS = "Прохожий", "prohozhiy@elsewhere.test"
GAME = "demo"
THEME = "usadba"
_CODE = re.compile(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b")
_FILLER = ("Поднимаю тему.", "Так, я снова здесь.", "Читаю вас с телефона, отвечу позже.", "Ох, сколько вы тут понаписали.")


@dataclass
class House:
    """Everything outside the daemon. Players act on the memory of forum and mailbox; the daemon comes by HTTP, IMAP and SMTP."""

    folder: Path
    clock: Clock
    frame: Frame
    engine: str
    board: Board
    options: Options
    server: ForumServer
    mailbox: RunningMailbox
    company: Company
    section: int
    host: int
    outsider: int
    day_topics: dict[int, int] = field(default_factory=dict)
    """Turn -> its topic, as the bot's record names it."""
    written: int = 0
    last_minute: datetime = datetime(1970, 1, 1, tzinfo=UTC)

    @property
    def config(self) -> Path:
        return self.folder / "forumbot.toml"

    @property
    def database(self) -> Path:
        return self.folder / "data" / "forumbot.db"

    def url(self, topic: int | None = None) -> str:
        """The forum for a browser, or one of its topics."""
        return self.server.url + ("/" if topic is None else topic_address(self.board, topic, self.options))

    # What is on the forum

    def signup_topic(self) -> int | None:
        found = self.board.find_topic(f"{self.frame.title}. Запись")
        return found.id if found else None

    def code_of(self, uid: int) -> str | None:
        """The code for proving an address that the bot sent this player by PM."""
        for message in self.board.box(uid, "inbox"):
            if found := _CODE.search(message.text):
                return found[0]
        return None

    def posts_of_host(self) -> str:
        """Everything the bot wrote on the forum, without the frames around players' words."""
        written = "\n".join(post.text for post in self.board.posts_by(self.host))
        return written.replace("[quote]", "").replace("[/quote]", "")

    def shown(self, line: str) -> str:
        """A line of ours as ``posts_of_host`` gives it."""
        return line

    # What players do

    def ready(self) -> bool:
        """Whether a new minute has begun since the last message: forums print minutes, so each message gets its own."""
        return self.clock.now().replace(second=0, microsecond=0) > self.last_minute

    def perform(self, saying: Saying, turn: int) -> None:
        """Send a message and note when the forum or the mail server took it."""
        saying.turn = turn
        number = self.written = self.written + 1
        if saying.channel == "post":
            topic = self.signup_topic() if saying.topic == "signup" else self.day_topics.get(turn)
            assert topic is not None, f"no topic for turn {turn}"
            uid = self.outsider if saying.outsider else self.company.actors[saying.author].uid
            post = self.board.post(topic, uid, self._quoted(topic, saying) + saying.text)
            saying.sent, saying.source = self.board.find_post(post).posted, f"post/{post}"
        elif saying.channel == "pm":
            uid = self.outsider if saying.outsider else self.company.actors[saying.author].uid
            message = self.board.send_pm(uid, self.host, saying.subject or "Без темы", saying.text)
            saying.sent, saying.source = self.board.messages[message].sent, f"pm/{message}"
        else:
            saying.sent = self.clock.now()
            uid = self.mailbox.drop(HOST_ADDRESS, self._raw(saying, number), received=saying.sent)
            saying.source = f"mail/{uid}"
        self._took(saying.sent)

    def edit(self, saying: Saying) -> None:
        """Change the text of a post sent before. Nobody edits the last post of a topic: phpBB would not show it."""
        post = int(saying.source.partition("/")[2])
        topic = self.board.find_post(post).topic
        if self.board.visible_posts(topic)[-1].id == post:
            other = next(actor for actor in self.company.actors.values() if actor.name != saying.author)
            self.board.post(topic, other.uid, Random(post).choice(_FILLER))
        assert saying.edit is not None
        self.board.edit(post, saying.edit)
        saying.edited = self.clock.now()
        self._took(saying.edited)

    def _took(self, moment: datetime) -> None:
        self.last_minute = max(self.last_minute, moment.replace(second=0, microsecond=0))

    def _quoted(self, topic: int, saying: Saying) -> str:
        if saying.quote_of is None:
            return ""
        uid = self.company.actors[saying.quote_of].uid
        posts = [post.id for post in self.board.visible_posts(topic) if post.author == uid]
        return quotation(self.board, posts[-1], self.options) + "\n" if posts else ""

    def _raw(self, saying: Saying, number: int) -> bytes:
        actor = self.company.actors[saying.author]
        random = Random(f"{self.company.seed}/letter/{number}")
        sender = OUTSIDE_ADDRESS if saying.outsider else actor.address
        told = self.mailbox.sent_to(actor.address)
        subject, answered = saying.subject, ""
        if told and random.random() < 0.5 and not saying.robot:
            answered = _text(told[-1].raw)
            subject = f"Re: {_subject(told[-1].raw)}"
        sheet = Sheet(actor.name, sender, HOST_ADDRESS, subject, saying.text, self.clock.now(), number, answered)
        return automatic(sheet) if saying.robot else compose(sheet, random)


@contextlib.contextmanager
def open_house(folder: Path, clock: Clock, frame: Frame, engine: str, company: Company, *, port: int = 0) -> Iterator[House]:
    """Serve forum and mailbox on loopback and write the host's files into the folder, until the block is left."""
    board = Board(clock, name="Клуб «Маски»")
    section = board.add_section("Игровая площадь", "Партии, которые ведёт бот")
    board.add_section("Курилка", "Обо всём")
    host = board.register(HOST_NICK, PASSWORD, group="moderators", email=HOST_ADDRESS)
    outsider = board.register(OUTSIDER, PASSWORD)
    for actor in company.actors.values():
        actor.uid = board.register(actor.name, PASSWORD, email=actor.address, female=actor.nick.female)
    options = embedded(engine).usual()
    users = {HOST_ADDRESS: PASSWORD}
    with serve(board, options, port=port) as server, serve_mailbox(clock, users) as mailbox:
        for actor in company.actors.values():
            mailbox.know(actor.address)
        mailbox.know(OUTSIDE_ADDRESS)
        house = House(folder, clock, frame, engine, board, options, server, mailbox, company, section, host, outsider)
        write_files(house)
        yield house


def write_files(house: House, password: str = PASSWORD, forum: Mapping[str, Any] = MappingProxyType({})) -> None:
    """forumbot.toml, games/demo.toml and secrets/, as a host would write them. ``forum``: further settings of the forum."""
    for name in ("data", "games", "secrets"):
        (house.folder / name).mkdir(parents=True, exist_ok=True)
    site: dict[str, Mapping[str, Any]] = {
        "site": {"data": "data", "games": "games", "secrets": "secrets", "host_address": HOST_ADDRESS, "poll_seconds": 60},
        "forum": {"engine": house.engine, "url": house.url().rstrip("/"), "user": HOST_NICK, "zone": "Europe/Moscow"}
        | dict(forum),
        "mail": {
            "address": HOST_ADDRESS,
            "imap_host": house.mailbox.host,
            "imap_port": house.mailbox.imap_port,
            "imap_security": "none",
            "smtp_host": house.mailbox.host,
            "smtp_port": house.mailbox.smtp_port,
            "smtp_security": "none",
            "authserv": AUTHSERV,
        },
    }
    house.config.write_text("\n".join(_section(name, values) for name, values in site.items()), encoding="utf-8")
    frame = house.frame
    game = {
        "id": GAME,
        "title": frame.title,
        "ruleset": frame.ruleset,
        "section": str(house.section),
        "first_day": frame.first_day,
        "seed": house.company.seed,
        "remind_hours": 0,
        "theme": THEME,
        "signup": {"closes": frame.signup_closes, "running_list": True},
        **({"tables": frame.tables} if frame.tables else {}),
    }
    lines = "\n".join(f"{key} = {_toml(value)}" for key, value in game.items())
    (house.folder / "games" / f"{GAME}.toml").write_text(lines + "\n", encoding="utf-8")
    for name in ("forum_password", "mail_password"):
        secret = house.folder / "secrets" / name
        secret.write_text(password, encoding="utf-8")
        secret.chmod(0o600)


def _section(name: str, values: Mapping[str, Any]) -> str:
    return f"[{name}]\n" + "\n".join(f"{key} = {_toml(value)}" for key, value in values.items()) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _parsed(raw: bytes) -> Any:
    from email import message_from_bytes
    from email.policy import default

    return message_from_bytes(raw, policy=default)


def _text(raw: bytes) -> str:
    body = _parsed(raw).get_body(("plain",))
    return str(body.get_content()).strip() if body is not None else ""


def _subject(raw: bytes) -> str:
    return str(_parsed(raw)["Subject"])
