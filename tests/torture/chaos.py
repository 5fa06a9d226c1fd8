"""The chaos campaign: the recorded game while forum and mailbox misbehave at random and the daemon is killed again and again.

A seed chooses everything: the pages' size, the bot's rank on the forum, which troubles come together and when they end, at
which points the daemon dies, what players do meanwhile. In the end all is well again, the host has done what he was told
to do, and time passes; what came of it then must be what came of the undisturbed game, except for what ``_left_out`` names.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.acts import acts
from forumbot.hosting.core.troubles import RETOLD, TO_HOST, unheard_key
from forumbot.hosting.daemon.daemon import IDLE_MINUTES
from forumbot.hosting.turns.holding import GIVEN_UP
from forumbot.store.tables import deadlines, holders, letters, outbox, posts, troubles, verdicts
from tests.torture.campaign import SCENES, Campaign, Failed, Scene, differences, facts, log_of, timeless
from tests.torture.live import (
    GAME,
    HOST,
    NICKS,
    OWNER,
    PASSWORD,
    Options,
    Outside,
    address_of,
    inside_store,
    options_of,
)
from tests.torture.storm import CHATTER, Storm

MOST_WAIT = timedelta(minutes=65)
"""The longest pause between two tries of the daemon, and some minutes."""
_TICKS = IDLE_MINUTES + 60
"""Ticks, a minute apart, in which a daemon has read everything at least once."""
_NEEDS_CALM = ("sign-up", "prove", "votes")
"""Scenes in which players answer to what the daemon has done before."""


# The game -----------------------------------------------------------------------------------------------------------------


_GIVEN_UP = sa.select(deadlines.c.id, deadlines.c.name).where(deadlines.c.held_reason == GIVEN_UP, deadlines.c.done_at.is_(None))


@dataclass
class Ride:
    """One game in the storm."""

    played: Campaign
    outside: Outside
    storm: Storm
    chance: random.Random
    killed: int = 0
    """How often the daemon was killed."""

    def scene(self, scene: Scene) -> None:
        self.storm.say(f"== {scene.name}")
        if self.chance.random() < 0.3:
            self.storm.rise()
        scene.act(self.outside)
        for _ in range(self.chance.choice((0, 1, 1, 2, 3))):
            self.storm.rise()
            self._live(self.chance.choice((1, 1, 2, 4)))
            self.storm.abate()

    def outlive(self) -> Iterator[str]:
        """A daemon that lives on when the troubles end finds back to work without being started anew."""
        self.storm.say("== the end of it while the daemon lives")
        self.storm.rise()
        self.storm.end_soon()
        code, _ = self.played.zygote.run(self.outside, _TICKS, most=_TICKS, seed=self.chance.getrandbits(32))
        if code != 0:
            raise Failed(log_of(self.outside))
        with inside_store(self.outside) as store, store.read() as connection:
            left = connection.execute(sa.select(troubles.c.text).where(troubles.c.key.startswith("read/"))).scalars().all()
        yield from (f"not read when all is well: {text}" for text in left)

    def mend(self) -> None:
        """All trouble ends, the host sends again what failed, and time passes until nothing is to be done."""
        self.storm.end()
        self.storm.say("== all is well")
        for _ in range(12):
            code, _ = self.played.zygote.run(self.outside, 3, seed=self.chance.getrandbits(32))
            if code != 0:
                raise Failed(log_of(self.outside))
            self.storm.end()  # what waited for approval before
            again = self.outside.clock.now() if self._host_acts() else self._next_try()
            if again is None:
                return
            self.outside.clock.move_to(max(again, self.outside.clock.now()))

    def is_held(self) -> bool:
        """Whether a deadline is waited for. Hours pass between scenes, and who waits that long leaves it to the host."""
        passed = deadlines.c.done_at.is_(None), deadlines.c.due_at <= self.outside.clock.now()
        with inside_store(self.outside) as store, store.read() as connection:
            return connection.execute(sa.select(deadlines.c.id).where(*passed).limit(1)).first() is not None

    def _live(self, ticks: int) -> None:
        kill = self.chance.choice((0, 0, self.chance.randint(1, 40), self.chance.randint(1, 150)))
        code, _ = self.played.zygote.run(self.outside, ticks, kill, most=ticks, seed=self.chance.getrandbits(32))
        if code not in (0, -9):
            raise Failed(log_of(self.outside))
        self.killed += code == -9
        self.storm.say(f"{ticks} ticks, {f'killed at {kill}' if code else 'alive'}, {self.outside.clock.now():%d.%m %H:%M:%S}")

    def _host_acts(self) -> bool:
        """The host does as he was told: sends again what failed, resolves a deadline that waits for him. Whether he did."""
        with inside_store(self.outside) as store, store.write() as connection:
            failed = connection.execute(sa.select(outbox.c.id, outbox.c.key).where(outbox.c.state == "failed")).all()
            for number, key in failed:
                self.storm.say(f"the host retries {key}")
                acts.ask(connection, GAME, HOST, "retry", {"outbox": number}, self.outside.clock.now())
            given_up = connection.execute(_GIVEN_UP).all()
            for number, name in given_up:
                self.storm.say(f"the host resolves {name}")
                acts.ask(connection, GAME, HOST, "resolve", {"deadline": number}, self.outside.clock.now())
        return bool(failed or given_up)

    def _next_try(self) -> Any:
        """When something that waits is to be tried again; None when nothing but the future is waited for."""
        soon = self.outside.clock.now() + MOST_WAIT
        late = outbox.c.state.in_(("waiting", "sending")), outbox.c.attempts > 0, outbox.c.not_before <= soon
        with inside_store(self.outside) as store, store.read() as connection:
            return connection.execute(sa.select(sa.func.min(outbox.c.not_before)).where(*late)).scalar()


def ride(played: Campaign, seed: int, *, first: int = 0) -> tuple[int, list[str], list[str]]:
    """Play the recorded scenes from the ``first`` on in the storm of a seed: how often the daemon was killed, what was wrong,
    what happened."""
    chance = random.Random(f"chaos {seed}")
    options = _options(chance, options_of(played.engine))
    scenes = SCENES[first : len(played.states)]
    with played.world(played.states[first], options) as outside:
        storm = Storm(outside, chance)
        (outside.folder / "daemon.log").unlink(missing_ok=True)
        outside.board.user(outside.host).group = chance.choice(("users", "users", "moderators"))
        one = Ride(played, outside, storm, chance)
        try:
            for number, scene in enumerate(scenes):
                if number and (scene.name in _NEEDS_CALM or one.is_held()):
                    one.mend()
                one.scene(scene)
                if number and (found := list(_broken(outside))):  # in the first one there may be no database yet
                    return one.killed, found, storm.told
            left = list(one.outlive()) if chance.random() < 0.5 else []
            one.mend()
            outside.clock.sleep(timedelta(minutes=IDLE_MINUTES + 5).total_seconds())
            one.mend()
            wanted, found = (_left_out(timeless(some)) for some in (played.wanted[-1], facts(outside)))
            wrong = [*left, *_broken(outside), *_told_too_much(outside), *differences(wanted, found)]
            return one.killed, wrong, storm.told
        except (Failed, StopIteration) as error:  # the daemon died, or a topic is not there
            return one.killed, [repr(error)], storm.told
        finally:
            storm.end()


def _options(chance: random.Random, usual: Options) -> Options:
    """Pages of a few posts, so that a thread has several."""
    size = chance.choice((3, 5, usual.per_page))
    return replace(usual, per_page=size)


# What must be so at any moment --------------------------------------------------------------------------------------------


def _broken(outside: Outside) -> Iterator[str]:
    """Promises that are broken, whatever else is still to come."""
    board = outside.board
    said = Counter((post.topic, post.text) for post in board.posts.values()
                   if post.author == outside.host and post.state == "visible")  # fmt: skip
    titles = Counter(topic.title for topic in board.topics.values())
    private = Counter(
        (message.recipient, message.subject) for message in board.messages.values() if message.sender == outside.host
    )
    sent = Counter(re.findall(rb"(?im)^message-id:\s*(\S+)", letter.raw)[0] for letter in outside.mailbox.sent)
    for what, heap in (("posts", said), ("topics", titles), ("pms", private), ("letters", sent)):
        yield from (f"{what}: {count} times {thing}" for thing, count in heap.items() if count > 1)
    with inside_store(outside) as store, store.read() as connection:
        sources = connection.execute(sa.select(verdicts.c.source)).scalars().all()
        known = {f"post:{row}" for row in connection.execute(sa.select(posts.c.id)).scalars()}
        known |= {f"letter:{row}" for row in connection.execute(sa.select(letters.c.id)).scalars()}
        yield from (f"a verdict on nothing: {source}" for source in sources if source not in known)
        failed = connection.execute(sa.select(outbox).where(outbox.c.state == "failed")).mappings().all()
        told = set(connection.execute(sa.select(troubles.c.key)).scalars())
        for row in failed:
            if row["target"].get(TO_HOST):
                # That no word reaches him is seen on the desk until one does, and that retells those that were lost.
                known = unheard_key(row["kind"]) in told or (row["result"] or {}).get(RETOLD)
            else:
                known = any(key.startswith("outbox/") for key in told)
            if not known:
                yield f"failed, and the host does not know: {row['key']}"


def _told_too_much(outside: Outside) -> Iterator[str]:
    """Secrets in the bot's public posts or in its log."""
    with inside_store(outside) as store, store.read() as connection:
        codes = set(connection.execute(sa.select(holders.c.proof_code)).scalars())
        rows = connection.execute(sa.select(outbox.c.kind, outbox.c.target, outbox.c.body)).all()
    addresses = {address_of(nick) for nick in NICKS}
    whispered = {line for kind, target, body in rows if kind in ("pm", "letter") and target.get("address") != OWNER
                 for line in body.splitlines() if len(line) > 20}  # fmt: skip
    public = "\n".join(version.text for post in outside.board.posts.values() if post.author == outside.host
                       for version in post.versions)  # fmt: skip
    log = (outside.folder / "daemon.log").read_text(encoding="utf-8", errors="replace")
    for where, text in (("public", public), ("log", log)):
        yield from (f"{where}: {secret}" for secret in (*codes, *addresses, PASSWORD, *whispered) if secret and secret in text)


# What the trouble may change ------------------------------------------------------------------------------------------------


def _left_out(found: dict[str, Any]) -> dict[str, Any]:
    """Facts without what a trouble changes rightly."""
    kept = {name: _without(name, value) for name, value in found.items()}
    # Numbers of posts are given in the order in which things came, and HTML tells places on pages.
    kept["posts"] = sorted(re.sub(r"^\[\d+, ", "[", re.sub(r"<[^>]*>", "", one)) for one in kept["posts"])
    return kept


def _without(name: str, value: Any) -> Any:
    if name == "topics":
        # What players said beside the game stands on the board.
        said = {title: [post for post in topic if not post[1].startswith(CHATTER)] for title, topic in value.items()}
        return {title: topic for title, topic in said.items() if CHATTER not in title}
    heap = [one for one, count in value for _ in range(count)]
    if name == "inbox":
        # A provider's second copy is the same letter; that ours are not sent twice ``_broken`` tells.
        heap = sorted(set(heap))
    if name == "turns":
        # What came in the same second by two ways is read in the one order or the other.
        heap = [_in_any_order(one) for one in heap]
    # Receipts that wait longer are joined, and tell what counts when the letter is read.
    heap = [part for one in heap for part in _receipts(one)]
    # Numbers of verdicts, letters and inputs count what came beside the game, too, and a Message-ID is made of them.
    heap = [_NUMBERS.sub("", one) for one in heap]
    return sorted(one for one in heap if not any(re.search(pattern, one) for pattern in _LEFT_OUT.get(name, ())))


def _in_any_order(turn: str) -> str:
    """A turn with its events sorted."""
    number, report, events, draws = json.loads(turn)
    events = sorted(json.dumps({**event, "refs": []}, ensure_ascii=False, sort_keys=True) for event in events or ())
    return json.dumps([number, report, events, draws], ensure_ascii=False)


def _receipts(one: str) -> list[str]:
    """A text that answers several letters, in parts; every other text whole."""
    if _RECEIPT not in one:
        return [one]
    head, *parts = one.split(_RECEIPT)
    return [head + _END.sub("", part.partition("\\n\\n")[0]) for part in parts]


_RECEIPT = "Вы написали: "
_END = re.compile(r'(?:\\n)*"(?:, "\w+")?\]?$')
_NUMBERS = re.compile(r"(?<=Message-ID: )<[^>]*>|(?<=/proven/)\d+|(?<=/changed/)\d+")
_LEFT_OUT: dict[str, Sequence[str]] = {
    # The host is told of troubles, of deadlines that were resolved late, and of what was doubtful among that which could be
    # read until the hour of that letter.
    "sent": (OWNER,),
    "inbox": (OWNER,),
    "outbox": (r'^\["trouble/', r'^\["late/', r'^\["changed/', r'^\["namesake/', r'^\["reviews/', r'^\["retold/'),
    # What players said beside the game is kept and judged to be nothing.
    "posts": (CHATTER,),
    "verdicts": (CHATTER,),
}
