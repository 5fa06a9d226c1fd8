"""The people of the demo: accounts, mail addresses, and the way each of them writes other people's nicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from forumbot.demo.nicks import CASES, Nick, cast, misspelt
from forumbot.demo.saying import Channel

MOSCOW = ZoneInfo("Europe/Moscow")


@dataclass(slots=True)
class Actor:
    """A player. ``uid`` comes from the forum; a ``mailing`` one moves by letter once he is proven."""

    nick: Nick
    mailing: bool
    uid: int = 0
    proven: bool = False

    @property
    def name(self) -> str:
        return self.nick.name

    @property
    def address(self) -> str:
        return f"{self.nick.mail}@players.test"

    @property
    def private(self) -> Channel:
        """How he writes to the host."""
        return "letter" if self.proven else "pm"


@dataclass(slots=True)
class Company:
    """All players of a game, with the chance of one phase: whatever is drawn follows from the seed and the phase alone."""

    actors: Mapping[str, Actor]
    seed: int
    random: Random = field(default_factory=Random)

    @classmethod
    def gather(cls, seed: int, number: int, *, mailing: float) -> Company:
        """``mailing``: the share of players who move by letter."""
        random = Random(f"{seed}/company")
        nicks = cast(random, number)
        return cls({nick.name: Actor(nick, random.random() < mailing) for nick in nicks}, seed)

    def begin(self, phase: str) -> None:
        """The chance of the next phase."""
        self.random = Random(f"{self.seed}/{phase}")

    def nick(self, name: str) -> dict[str, str]:
        """How somebody writes this nick now: properly, in lower case, without dots over the ё, or with a slip."""
        nick, random = self.actors[name].nick, self.random
        forms = {case: nick.case(case) for case in CASES}
        forms["name"] = nick.name
        way = random.random()
        if way < 0.08:
            forms = {case: form.lower() for case, form in forms.items()}
        elif way < 0.16:
            forms = {case: form.replace("ё", "е").replace("Ё", "Е") for case, form in forms.items()}
        elif way < 0.24:
            slip = Random(random.random())
            forms = {case: misspelt(form, slip) for case, form in forms.items()}
        return forms

    def say(self, phrasings: Sequence[str], target: str | None = None, **more: str) -> str:
        """One of the phrasings with the target's nick in it."""
        phrase = self.random.choice(phrasings)
        return phrase.format_map({**(self.nick(target) if target else {}), **more})

    def plainly(self, phrasings: Sequence[str], target: str, **more: str) -> str:
        """One of the phrasings with the target's nick in its proper spelling: for words in which a slip would be too much."""
        nick = self.actors[target].nick
        forms = {case: nick.case(case) for case in CASES}
        return self.random.choice(phrasings).format_map({**forms, "name": nick.name, **more})

    def moments(self, start: datetime, end: datetime, number: int) -> list[datetime]:
        """So many moments between the two, in order, each in a minute of its own."""
        minutes = int((end - start) / timedelta(minutes=1))
        chosen = sorted(self.random.sample(range(minutes), number))
        first = start.replace(second=0, microsecond=0) + timedelta(minutes=1)
        return [first + timedelta(minutes=minute, seconds=self.random.randrange(5, 50)) for minute in chosen]

    def chance(self, share: float) -> bool:
        return self.random.random() < share
