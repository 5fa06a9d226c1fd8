"""The crash campaign: a recorded short game, played scene by scene; the daemon is killed at every point of every scene.

Each scene begins in a state of the whole world that is kept: board, mailbox, clock, database. The undisturbed run of the
scene says what must come of it; then, for each point that it passed, the world is put back, the daemon is killed there and
started again, and what came of it must be the same: nothing lost, nothing twice.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from forumbot.store import tables
from tests.torture.clock import StepClock
from tests.torture.live import (
    CLOSES,
    DAY_ONE,
    HOST_ADDRESS,
    LYNCH,
    MONDAY,
    MORNING,
    NICKS,
    Engine,
    Options,
    Outside,
    State,
    address_of,
    code_of,
    inside_store,
    mail_server,
    open_outside,
    options_of,
)

ROOT = Path(__file__).resolve().parents[2]
_CODE = re.compile(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b")
_ROW = re.compile(r"(post|letter):\d+|№\d+|(?<=[/=])\d{3,}(?=/)| \([БВГДЖЗКЛМНПРСТФХЦЧШ]{6}\)|(?<=Message-ID: <)\w{32}")
"""What numbers rows, and what is made with a secret of the database."""


# The game ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """``act`` is what happens before the daemon looks; it then looks at least ``least`` times, a minute apart."""

    name: str
    act: Callable[[Outside], None]
    least: int = 2


def _begin(_: Outside) -> None:
    pass


def _on_to(outside: Outside, moment: datetime) -> None:
    """It is this moment, or later where trouble took longer."""
    outside.clock.move_to(max(moment, outside.clock.now()))


def _sign_up(outside: Outside) -> None:
    for nick in NICKS:
        outside.clock.sleep(60)
        outside.says(nick, "играю", "Запись")


def _prove(outside: Outside) -> None:
    for nick in NICKS[:2]:
        outside.clock.sleep(60)
        outside.letter(address_of(nick), f"мой код {code_of(outside, nick)}", "адрес")


def _deal(outside: Outside) -> None:
    _on_to(outside, CLOSES + timedelta(minutes=2))


def _open(outside: Outside) -> None:
    _on_to(outside, DAY_ONE)


def _vote(outside: Outside) -> None:
    outside.clock.sleep(600)
    first = outside.says("Анна", "[color=blue]Линч: Глеб[/color]")
    outside.clock.sleep(61)
    outside.says("Вера", "[color=blue]Борис[/color]")
    outside.says("Егор", "[color=red]Линч: Борис[/color]")
    outside.clock.sleep(61)
    gone = outside.says("Глеб", "[color=blue]Анна[/color]")
    outside.says("Дина", "просто поговорим")
    outside.board.delete(gone)
    outside.board.edit(first, "[color=blue]Линч: Дина[/color]")
    outside.letter(address_of("Анна"), "Малявина: иду в гости к Вере", "ход")


def _lynch(outside: Outside) -> None:
    _on_to(outside, LYNCH - timedelta(minutes=3))
    for nick in ("Анна", "Глеб", "Дина"):
        outside.says(nick, "[color=blue]Линч: Борис[/color]")
    _on_to(outside, LYNCH + timedelta(minutes=2))


def _night(outside: Outside) -> None:
    _on_to(outside, LYNCH + timedelta(minutes=30))
    outside.letter(address_of("Анна"), "Мальвина: Вера", "ход")
    outside.pm("Вера", "Буратино: Егор")
    outside.clock.sleep(61)
    outside.pm("Дина", "Карабас: убить Глеба")


def _morning(outside: Outside) -> None:
    _on_to(outside, MORNING + timedelta(minutes=2))


def _newspaper(outside: Outside) -> None:
    _on_to(outside, MORNING + timedelta(hours=1, minutes=2))


SCENES = (
    Scene("begin", _begin),
    Scene("sign-up", _sign_up),
    Scene("prove", _prove),
    Scene("deal", _deal),
    Scene("open", _open),
    Scene("votes", _vote),
    Scene("lynch", _lynch, least=3),
    Scene("night", _night),
    Scene("morning", _morning, least=3),
    Scene("newspaper", _newspaper),
)


# What came of it ---------------------------------------------------------------------------------------------------------


def facts(outside: Outside) -> dict[str, Any]:
    """Forum, mailboxes and database without what may differ: row numbers, the bot's own times, secret codes."""
    board = outside.board
    nicks = {user.uid: user.nick for user in board.users.values()}
    found: dict[str, Any] = {
        "topics": {
            f"{topic.id} {topic.title}": [
                (nicks.get(post.author or 0), _plain(post.text)) for post in board.visible_posts(topic.id)
            ]
            for topic in board.topics.values()
        },
        "pms": _heap((nicks[m.sender], nicks[m.recipient], _plain(m.subject), _plain(m.text)) for m in board.messages.values()),
        "sent": _heap((letter.recipients, _plain(_body(letter.raw))) for letter in outside.mailbox.sent),
        "inbox": _heap(_plain(_body(letter.raw)) for letter in outside.mailbox.letters(HOST_ADDRESS)),
    }
    with inside_store(outside) as store, store.read() as connection:
        for name, columns in _TABLES.items():
            table = tables.metadata.tables[name]
            query = sa.select(*(table.c[column] for column in columns)).order_by(*table.primary_key.columns)
            if name == "letters":  # copies of our own letters are counted in the inbox; when they are read does not matter
                query = query.where(table.c.kind != "own")
            rows = connection.execute(query).all()
            found[name] = _heap(tuple(_plain(value) for value in row) for row in rows)
    return found


_TABLES: Mapping[str, Sequence[str]] = {
    "games": ("id", "stage", "turn", "winner"),
    "holders": ("seat", "nick", "uid", "address", "until"),
    "threads": ("kind", "turn", "topic", "watched"),
    "posts": ("post_id", "version", "author", "html", "edited"),
    "letters": ("channel", "sender", "subject", "text", "kind", "routed"),
    "verdicts": ("author", "channel", "turn", "at", "outcome", "reason", "text"),
    "inputs": ("turn", "kind", "at", "payload", "struck"),
    "turns": ("turn", "report", "events", "draws"),
    "outbox": ("key", "kind", "subject", "body", "state"),
    "troubles": ("key", "text"),
}


def timeless(found: Any) -> Any:
    """Facts without moments."""
    return json.loads(re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?\+00:00", "", json.dumps(found, ensure_ascii=False)))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _ROW.sub("", _CODE.sub("code", value))
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if key != "ref"}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _heap(things: Any) -> list[tuple[str, int]]:
    """What there is and how many times, in no order."""
    return sorted(Counter(json.dumps(thing, ensure_ascii=False, default=str, sort_keys=True) for thing in things).items())


def _body(raw: bytes) -> str:
    """A letter without the lines that tell when and by which way."""
    letter = message_from_bytes(raw, policy=default)
    kept = "".join(f"{name}: {letter[name]}\n" for name in ("From", "To", "Subject", "Message-ID"))
    return kept + str(letter.get_content()).replace("\r\n", "\n")


def differences(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Where the two differ, a line each."""
    lines = []
    for name, value in wanted.items():
        if value == found[name]:
            continue
        if isinstance(value, Mapping):
            lines += [f"{name} {key}: {value.get(key)} / {found[name].get(key)}" for key in {*value, *found[name]}
                      if value.get(key) != found[name].get(key)]  # fmt: skip
        else:
            lines += [f"{name}: missing {one}" for one in value if one not in found[name]]
            lines += [f"{name}: too much {one}" for one in found[name] if one not in value]
    return lines


# The campaign ------------------------------------------------------------------------------------------------------------


@dataclass
class Zygote:
    """The loaded victim; ``run`` lets a daemon live and gives its exit code and the points it passed (none when killed)."""

    process: subprocess.Popen[str]

    def run(
        self, outside: Outside, least: int, kill: int = 0, *, most: int = 60, seed: int | None = None
    ) -> tuple[int, list[str]]:
        trace = outside.folder / "trace.json"
        order = {
            "config": str(outside.folder / "forumbot.toml"),
            "clock": str(outside.folder.parent / "clock"),
            "log": str(outside.folder / "daemon.log"),
            "trace": str(trace),
            "kill": kill,
            "least": least,
            "most": most,
            "seed": seed,
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failed("the victim cannot be loaded")
        code = int(answer)
        return code, json.loads(trace.read_text(encoding="utf-8")) if code == 0 else []


@contextlib.contextmanager
def zygote() -> Iterator[Zygote]:
    command = [sys.executable, "-m", "tests.torture.victim"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Zygote(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(30)


class Failed(Exception):
    """The daemon did not live through a scene; the text is the end of its log."""


def log_of(outside: Outside) -> str:
    """The end of the daemon's log."""
    log = (outside.folder / "daemon.log").read_text(encoding="utf-8", errors="replace")
    return "\n".join(log.splitlines()[-40:])


@dataclass
class Campaign:
    """One engine's campaign. ``scenes`` of the game are recorded as they are first played."""

    engine: Engine
    folder: Path
    zygote: Zygote
    clock: StepClock
    mailbox: Any
    port: int = 0
    states: list[State] = field(default_factory=list)
    wanted: list[dict[str, Any]] = field(default_factory=list)
    traces: list[list[str]] = field(default_factory=list)

    def record(self, until: int = len(SCENES)) -> None:
        """Play the game undisturbed, keeping the world before each scene, what came of it and which points were passed."""
        state: State | None = None
        for scene in SCENES[:until]:
            with self.world(state) as outside:
                self.states.append(state or outside.save())
                scene.act(outside)
                _, passed = self._live(outside, scene)
                self.traces.append(passed)
                self.wanted.append(facts(outside))
                state = outside.save()

    def strike(self, number: int, kill: int) -> list[str]:
        """Kill the daemon at a point of a scene, start it again; the differences to the undisturbed run."""
        scene = SCENES[number]
        with self.world(self.states[number]) as outside:
            scene.act(outside)
            code, _ = self.zygote.run(outside, scene.least, kill)
            if code == 0:
                return []  # a shorter way this time: the point was not reached
            if code != -9:
                raise Failed(log_of(outside))
            self._live(outside, scene)
            return differences(self.wanted[number], facts(outside))

    def stumble(self, seed: int, most: int) -> tuple[int, list[str]]:
        """Play the whole game with a daemon that is killed again and again after up to ``most`` points; how often, and the
        differences at the end."""
        chance = random.Random(seed)
        killed = 0
        state = self.states[0]
        with self.world(state) as outside:
            for scene in SCENES[: len(self.states)]:
                scene.act(outside)
                while (code := self.zygote.run(outside, scene.least, chance.randint(1, most))[0]) == -9:
                    killed += 1
                if code != 0:
                    raise Failed(log_of(outside))
            # After so many starts the players' own hours have moved, too.
            return killed, differences(timeless(self.wanted[len(self.states) - 1]), timeless(facts(outside)))

    def _live(self, outside: Outside, scene: Scene) -> tuple[int, list[str]]:
        code, passed = self.zygote.run(outside, scene.least)
        if code != 0:
            raise Failed(f"{scene.name}: {code}\n{log_of(outside)}")
        return code, passed

    @contextlib.contextmanager
    def world(self, state: State | None, options: Options | None = None) -> Iterator[Outside]:
        options = options or options_of(self.engine)
        with open_outside(self.folder / "site", self.clock, self.mailbox, options, state=state, port=self.port) as outside:
            self.port = outside.server.port
            yield outside


@contextlib.contextmanager
def campaign(engine: Engine, folder: Path) -> Iterator[Campaign]:
    with zygote() as ready:
        clock = StepClock.create(folder / "clock", MONDAY)
        with mail_server(clock) as mailbox:
            yield Campaign(engine, folder, ready, clock, mailbox)
