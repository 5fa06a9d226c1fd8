"""What stands twice on a real board after a game, or is lost: the promise «nothing lost, nothing twice», seen from outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import sqlalchemy as sa

from forumbot.store.database import Store
from forumbot.store.tables import outbox, troubles
from tests.realboard.house import RealHouse

_TOPIC = re.compile(r"[?&]t=(\d+)")


def doubled(house: RealHouse) -> Iterator[str]:
    """Posts, topics, private messages and letters of the bot that are there more than once; sendings that failed."""
    page = house.owner.get("viewforum.php", f=house.section)
    listed = [(link.text().strip(), _TOPIC.search(link.attributes.get("href") or "")) for link in page.tree.css("a.topictitle")]
    several = {title for title, count in Counter(title for title, _ in listed).items() if count > 1}
    ours = Counter(title for title, named in listed if title in several and named and _is_ours(house, int(named[1])))
    yield from (f"topic {count} times: {title}" for title, count in ours.items() if count > 1)
    for topic in house.topics():
        yield from (f"topic {topic}, post {count} times: {text[:80]}" for text, count in _own(house, topic).items() if count > 1)
    for member in house.members.values():
        told = Counter((one.subject, member.open(one.id)) for one in member.box() if one.id > member.known)
        twice = ((words, count) for words, count in told.items() if count > 1)
        yield from (f"{member.nick}, message {count} times: {subject}: {text.strip()[:80]}" for (subject, text), count in twice)
    marks = Counter(re.findall(rb"(?im)^message-id:\s*(\S+)", letter.raw)[0] for letter in house.mailbox.sent)
    yield from (f"letter {count} times: {mark!r}" for mark, count in marks.items() if count > 1)
    store = Store(house.database)
    try:
        with store.read() as connection:
            for row in connection.execute(
                sa.select(outbox.c.key, outbox.c.state).where(outbox.c.state.in_(("failed", "sending")))
            ):
                yield f"not sent: {row.key} {row.state}"
            for text in connection.execute(sa.select(troubles.c.text).where(troubles.c.key.startswith("read/"))).scalars():
                yield f"not read: {text}"
    finally:
        store.close()


def _is_ours(house: RealHouse, topic: int) -> bool:
    """Whether the bot has opened the topic."""
    first = house.owner.get("viewtopic.php", t=topic).tree.css_first("div.post")
    return first is not None and f"u={house.host}" in (first.html or "")


def _own(house: RealHouse, topic: int) -> Counter[str]:
    """The bot's posts of a topic by their words."""
    ours = (post for post in house.owner.posts(topic) if f"u={house.host}" in (post.html or ""))
    return Counter(" ".join(node.text(separator=" ").split()) for post in ours for node in post.css(".content")[:1])
