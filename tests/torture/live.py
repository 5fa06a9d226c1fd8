"""A whole site for tests: embedded forum and mailbox over sockets, six players, and the state of it all to come back to."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from adapters.clock import Clock
from adapters.mail.echoes import MARK
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.forum.web import ForumServer
from forumbot.demo.mail_receiving import SentLetter
from forumbot.demo.mailbox import AUTHSERV, Kept, RunningMailbox, serve_mailbox
from forumbot.hosting.core import record
from forumbot.hosting.daemon import wiring
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.settings import Site, load_games, load_site
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, letters, outbox, troubles
from tests.torture.clock import StepClock

Engine = Literal["ucoz", "phpbb"]
Options = UcozOptions | PhpbbOptions
NICKS = ("Анна", "Борис", "Вера", "Глеб", "Дина", "Егор")
HOST, HOST_ADDRESS, OWNER, PASSWORD = "Ведущий", "host@forumbot.test", "owner@forumbot.test", "rehearsal"
GAME, TITLE = "gk1", "Партия 1"
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
"""Noon in Moscow; the sign-up closes eight hours later."""
CLOSES = MONDAY + timedelta(hours=8)
DAY_ONE = MONDAY + timedelta(days=2)
"""Noon of the first game day."""
LYNCH = DAY_ONE + timedelta(hours=9, minutes=1)
MORNING = DAY_ONE + timedelta(hours=19, minutes=1)
TABLES = {"min_players": 6, "villains_by_players": [[6, 1]], "maniac_roles": ["giuseppe"]}
_BOARD = (
    "users", "sections", "topics", "posts", "messages", "_by_topic", "_next_post", "_next_topic", "_next_message", "_next_uid",
)  # fmt: skip


def address_of(nick: str) -> str:
    return f"player{NICKS.index(nick)}@players.test"


def options_of(engine: Engine) -> Options:
    return UcozOptions() if engine == "ucoz" else PhpbbOptions()


@dataclass(frozen=True)
class State:
    """Everything outside and inside at one moment."""

    at: datetime
    board: Mapping[str, Any]
    letters: tuple[Kept, ...]
    uidvalidity: int
    sent: tuple[SentLetter, ...]
    files: Mapping[str, bytes]


@dataclass
class Outside:
    """Forum, mailbox and players. The players act on the servers' memory; the daemon comes by HTTP, IMAP and SMTP."""

    folder: Path
    clock: StepClock
    board: Board
    options: Options
    server: ForumServer
    mailbox: RunningMailbox
    section: int
    host: int
    uids: dict[str, int]
    _settings: dict[str, Any] = field(default_factory=dict)

    # What players do

    def topic(self, words: str) -> int:
        return next(topic.id for topic in sorted(self.board.topics.values(), key=lambda t: -t.id) if words in topic.title)

    def says(self, nick: str, text: str, topic: str = "День", at: datetime | None = None) -> int:
        return self.board.post(self.topic(topic), self.uids[nick], text, at=at)

    def pm(self, nick: str, text: str, subject: str = "ход") -> int:
        return self.board.send_pm(self.uids[nick], self.host, subject, text)

    def letter(self, sender: str, text: str, subject: str = "ход", *, extra: str = "", at: datetime | None = None,
               number: int | None = None, marked: bool = True) -> int:
        """A letter to the bot; ``extra``: further head lines, each with its line end."""
        count = len(self.mailbox.letters(HOST_ADDRESS)) if number is None else number
        raw = (f"From: {sender}\r\nTo: {HOST_ADDRESS}\r\nSubject: {subject}\r\nMessage-ID: <{count}.{sender}>\r\n{extra}"
               "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
               f"Content-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n")  # fmt: skip
        return self.mailbox.drop(HOST_ADDRESS, raw.encode(), received=at, marked=marked)

    # What is there to be seen

    def texts(self, words: str) -> list[str]:
        """The bot's posts of a topic."""
        return [post.text for post in self.board.visible_posts(self.topic(words)) if post.author == self.host]

    def pms_to(self, nick: str) -> list[tuple[str, str]]:
        return [(m.subject, m.text) for m in reversed(self.board.box(self.uids[nick], "inbox"))]

    def letters_to(self, address: str) -> list[str]:
        """Texts of the letters that went out to an address."""
        return [_text(letter.raw) for letter in self.mailbox.sent_to(address)]

    # The host's files

    def write_files(self) -> Path:
        """forumbot.toml, the game's file and secrets; gives the first."""
        mailbox, settings = self.mailbox, self._settings
        for name in ("data", "games", "secrets"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        engine = "ucoz" if isinstance(self.options, UcozOptions) else "phpbb"
        site = {
            "site": {"data": "data", "host_address": OWNER, "poll_seconds": 60} | settings.get("site", {}),
            "forum": {"engine": engine, "url": self.server.url, "user": HOST, "zone": "Europe/Moscow", "min_interval": 0}
            | settings.get("forum", {}),
            "mail": {
                "address": HOST_ADDRESS, "authserv": AUTHSERV,
                "imap_host": mailbox.host, "imap_port": mailbox.imap_port, "imap_security": "none",
                "smtp_host": mailbox.host, "smtp_port": mailbox.smtp_port, "smtp_security": "none",
            } | settings.get("mail", {}),
        }  # fmt: skip
        file = self.folder / "forumbot.toml"
        file.write_text("\n".join(f"[{name}]\n{_lines(values)}" for name, values in site.items()), encoding="utf-8")
        game = {
            "id": GAME, "title": TITLE, "ruleset": "goldenkey", "section": str(self.section), "seed": 5, "remind_hours": 0,
            "signup": {"closes": CLOSES}, "tables": TABLES,
        } | settings.get("game", {})  # fmt: skip
        (self.folder / "games" / "gk1.toml").write_text(_lines(game), encoding="utf-8")
        for name in ("forum_password", "mail_password"):
            (self.folder / "secrets" / name).write_text(PASSWORD, encoding="utf-8")
        return file

    # To come back to

    def save(self) -> State:
        """Call while no daemon is at work."""
        kept = self.mailbox.letters(HOST_ADDRESS)
        box = self.mailbox._set(HOST_ADDRESS)._inbox
        data = self.folder / "data"
        files = {file.name: file.read_bytes() for file in data.iterdir() if file.is_file() and not file.name.endswith(".lock")}
        return State(self.clock.now(), board_state(self.board), tuple(kept), box.uid_validity, tuple(self.mailbox.sent), files)

    def restore(self, state: State) -> None:
        """Board, mailbox, clock and the daemon's files as they were. The board's server must not be at work."""
        self.clock.move_to(state.at)
        for name, value in copy.deepcopy(dict(state.board)).items():
            setattr(self.board, name, value)
        restore_mailbox(self.mailbox, state)
        data = self.folder / "data"
        data.mkdir(parents=True, exist_ok=True)
        for file in data.iterdir():
            file.unlink()
        for name, content in state.files.items():
            (data / name).write_bytes(content)


def board_state(board: Board) -> dict[str, Any]:
    with board.lock:
        return copy.deepcopy({name: getattr(board, name) for name in _BOARD})


def restore_mailbox(mailbox: RunningMailbox, state: State) -> None:
    """The bot's inbox with just these letters, under their UIDs, and the letters that had been sent by then."""

    async def work() -> None:
        box = mailbox._set(HOST_ADDRESS)._inbox
        box._messages.clear()
        for number in list(box._mod_sequences._uids):
            box._mod_sequences.expunge([number])
        box._uid_validity = state.uidvalidity
        for letter in state.letters:
            box._max_uid = letter.uid - 1
            await mailbox._put(HOST_ADDRESS, letter.raw, letter.received, letter.seen, "INBOX")
        if not state.letters:
            box._max_uid = 0

    mailbox.hang_up_all()
    mailbox._call(work())
    mailbox._receiver.taken[:] = state.sent
    mailbox._receiver._attempts.clear()


@contextlib.contextmanager
def mail_server(clock: Clock) -> Iterator[RunningMailbox]:
    with serve_mailbox(clock, {HOST_ADDRESS: PASSWORD}) as mailbox:
        for nick in NICKS:
            mailbox.know(address_of(nick))
        yield mailbox


def new_board(clock: Clock) -> tuple[Board, int, int, dict[str, int]]:
    """The board, its section, the bot's uid and the players' uids."""
    board = Board(clock)
    section = board.add_section("Игровая площадь")
    host = board.register(HOST, PASSWORD, group="moderators", email=HOST_ADDRESS)
    return board, section, host, {nick: board.register(nick, PASSWORD, email=address_of(nick)) for nick in NICKS}


@contextlib.contextmanager
def open_outside(
    folder: Path, clock: StepClock, mailbox: RunningMailbox, options: Options, *, state: State | None = None, port: int = 0,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[Outside]:  # fmt: skip
    """Serve a board, new or as it was in ``state``, with the host's files written to the folder."""
    board, section, host, uids = new_board(clock)
    folder.mkdir(parents=True, exist_ok=True)
    with serve(board, options, port=port) as server:
        outside = Outside(folder, clock, board, options, server, mailbox, section, host, uids, dict(settings or {}))
        if state is not None:
            outside.restore(state)
        outside.write_files()
        yield outside


@dataclass
class Inside:
    """The daemon in this process."""

    outside: Outside
    site: Site
    store: Store
    daemon: Daemon

    @property
    def clock(self) -> StepClock:
        return self.outside.clock

    def tick(self) -> None:
        self.daemon.tick()

    def until(self, moment: datetime, step: timedelta = timedelta(minutes=20)) -> None:
        """Let time pass in steps, with a tick at each and half a minute after each deadline."""
        while self.clock.now() < moment:
            self.clock.move_to(min(moment, self.clock.now() + step, self._next_due() + timedelta(seconds=30)))
            self.tick()

    def _next_due(self) -> datetime:
        """The next deadline of the game that lies ahead; a year ahead when there is none."""
        ahead = self.clock.now() - timedelta(seconds=29)
        found: datetime | None = self.value(sa.select(sa.func.min(deadlines.c.due_at)).where(deadlines.c.due_at > ahead))
        return found or ahead + timedelta(days=365)

    def settle(self, most: int = 40) -> None:
        """A minute of the clock a tick, until nothing waits to be sent soon."""
        for _ in range(most):
            self.clock.sleep(61)
            self.tick()
            if not waiting(self.store, self.clock.now()):
                break

    def rows(self, query: Any) -> list[dict[str, Any]]:
        with self.store.read() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def value(self, query: Any) -> Any:
        with self.store.read() as connection:
            return connection.execute(query).scalar()

    def votes(self) -> dict[str, float]:
        with self.store.read() as connection:
            match = record.fold(connection, record.load(connection, GAME))
        return dict(match.ruleset.votes(match.game))

    def roles(self) -> dict[str, str]:
        with self.store.read() as connection:
            match = record.fold(connection, record.load(connection, GAME))
        return {seat: str(state["role"]) for seat, state in match.ruleset.state(match.game).items()}

    def told(self) -> list[str]:
        """What the host is told by letter, sent or waiting."""
        found = self.rows(sa.select(outbox).where(outbox.c.subject.startswith("[forumbot]")).order_by(outbox.c.id))
        return [row["body"] for row in found]

    def troubles(self) -> list[str]:
        return [row["text"] for row in self.rows(sa.select(troubles).order_by(troubles.c.since))]

    def routed(self) -> list[str | None]:
        found = self.rows(sa.select(letters.c.routed).where(letters.c.kind != "own").order_by(letters.c.id))
        return [row["routed"] for row in found]

    def restart(self) -> None:
        """Another process would start like this on the same database."""
        self.daemon = daemon_of(self.site, self.store, self.clock)


def daemon_of(site: Site, store: Store, clock: Clock) -> Daemon:
    forum = wiring.forum(site, clock)
    mailbox, outgoing = wiring.mail(site, clock)
    return Daemon(site, store, clock, forum, mailbox, outgoing, wiring.reader)


@contextlib.contextmanager
def inside_of(outside: Outside) -> Iterator[Inside]:
    """The daemon of the host's files, in this process on the same clock."""
    site = load_site(outside.folder / "forumbot.toml")
    store = wiring.open_store(site)
    inside = Inside(outside, site, store, daemon_of(site, store, outside.clock))
    inside.daemon.adopt(load_games(site))
    try:
        yield inside
    finally:
        store.close()


def play_to_day_one(outside: Outside) -> None:
    """Sign-up, deal, and on to noon of the first day; Анна and Борис have proven their addresses."""
    with inside_of(outside) as inside:
        inside.settle()
        for nick in NICKS:
            outside.clock.sleep(60)
            outside.says(nick, "играю", "Запись")
        inside.settle()
        for nick in NICKS[:2]:
            outside.letter(address_of(nick), f"мой код {code_of(outside, nick)}", "адрес")
        inside.settle()
        inside.until(CLOSES + timedelta(minutes=5), timedelta(hours=4))
        inside.settle()
        inside.until(DAY_ONE, timedelta(hours=14))
        inside.settle()


def code_of(outside: Outside, nick: str) -> str:
    """The code for proving an address that the bot sent this player by PM."""
    with inside_store(outside) as store, store.read() as connection:
        from forumbot.store.tables import holders

        found = connection.execute(sa.select(holders.c.proof_code).where(holders.c.seat == nick)).scalar()
    return str(found)


@contextlib.contextmanager
def inside_store(outside: Outside) -> Iterator[Store]:
    store = Store(outside.folder / "data" / "forumbot.db")
    try:
        yield store
    finally:
        store.close()


def waiting(store: Store, now: datetime) -> bool:
    """Whether something is to be sent within minutes."""
    with store.read() as connection:
        found = connection.execute(
            sa.select(outbox.c.id)
            .where(outbox.c.state.in_(("waiting", "sending")), outbox.c.not_before <= now + timedelta(minutes=5))
            .limit(1)
        ).first()
    return found is not None


def _text(raw: bytes) -> str:
    from email import message_from_bytes
    from email.policy import default

    body = message_from_bytes(raw, policy=default).get_body(("plain",))
    return str(body.get_content()).strip(f"{MARK}\r\n\t ") if body is not None else ""


def _lines(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{key} = {_toml(value)}" for key, value in values.items()) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False)
