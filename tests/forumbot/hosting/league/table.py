"""A league game of twelve in memory: who is who, what was said in public, what somebody was told."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.people import csvfiles
from tests.forumbot.hosting.world import MONDAY, NICKS, World, make_world, roles

CLOSES = MONDAY + timedelta(hours=8)
NIGHT_ENDS = CLOSES + timedelta(hours=24)
DAY_OPENS = NIGHT_ENDS + timedelta(hours=1)
HALF = NIGHT_ENDS + timedelta(hours=24)
DAY_ENDS = NIGHT_ENDS + timedelta(hours=48)
NEXT_OPENS = DAY_ENDS + timedelta(hours=1)
"""Day 1: its opening, the half-day, the deadline, the end of the gap (R12)."""
MINUTE = timedelta(minutes=1)

CAST = {"mafioso": 1, "yakuza": 1, "commissioner": 1, "doctor": 1, "mercenary": 1, "bodyguard": 1, "necromancer": 1}


def red(text: str) -> str:
    return f"[color=red]{text}[/color]"


def league(folder: Path, *, players: int = 12, coins: int = 100, **game: Any) -> World:
    """A game whose sign-up is still open; everybody has ``coins`` from an old list."""
    settings: dict[str, Any] = {"id": "lg1", "title": "Партия 7", "ruleset": "league", "tables": {"setup": {"roles": CAST}}}
    world = make_world(folder, players=players, signup_words=red("Играю"), **(settings | game))
    if coins:
        with world.store.write() as connection:
            listed = "\n".join(f"{nick};{coins}" for nick in NICKS[:players])
            csvfiles.take(connection, "старые.csv", f"ник;монеты\n{listed}\n", world.clock.now())
    return world


def to(world: World, moment: Any) -> None:
    """Go there in big steps and let everything that is due happen."""
    world.until(moment, step=timedelta(hours=6))
    world.settle()


def who(world: World, role: str, number: int = 0) -> str:
    """The nick that was dealt this role."""
    return [seat for seat, dealt in roles(world).items() if dealt == role][number]


def match(world: World) -> Match:
    with world.store.read() as connection:
        return record.fold(connection, record.load(connection, world.game))


def coins(world: World, nick: str) -> float:
    found = match(world)
    return found.ruleset.balances(found.game)["coins"][nick]


def state(world: World, nick: str) -> dict[str, Any]:
    found = match(world)
    return dict(found.ruleset.state(found.game)[nick])


def told(world: World, nick: str) -> str:
    """All texts that a player got by PM."""
    return "\n".join(text for _, text in world.forum.pms_to(nick))


def public(world: World, words: str = "") -> str:
    """Everything the bot posted in topics whose subject holds these words; without any, what it posted before the end."""
    made = world.forum.topics
    topics = [topic for topic in made if (words in made[topic].subject if words else "Итоги" not in made[topic].subject)]
    texts = [world.forum.texts(topic) for topic in topics]
    return "\n".join("\n".join(one) for one in texts).replace("<br />", "")
