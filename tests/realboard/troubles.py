"""What goes wrong on a real board while a game is played: each trouble begins at random and ends some looks of the daemon
later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from tests.realboard.house import RealHouse
from tests.realboard.proxy import Fault, Proxy

REGISTERED = 2
"""phpBB's group of registered users."""


@dataclass
class Troubles:
    """The troubles of one game. ``told`` counts them by name; ``share`` is the chance of a new one before a look."""

    house: RealHouse
    proxy: Proxy
    chance: Random
    share: float
    told: Counter[str] = field(default_factory=Counter)
    _ends: list[tuple[int, Callable[[], object]]] = field(default_factory=list)
    _looks: int = 0

    def before(self) -> None:
        """Called before each look of the daemon."""
        self._looks += 1
        for end in [one for one in self._ends if one[0] <= self._looks]:
            self._ends.remove(end)
            end[1]()
        if self.chance.random() < self.share:
            trouble = self.chance.choice(_ALL)
            self.told[trouble.__name__] += 1
            trouble(self)

    def end(self) -> None:
        """All is well again."""
        self.proxy.faults.clear()
        for _, end in self._ends:
            end()
        self._ends.clear()

    def _later(self, end: Callable[[], object]) -> None:
        self._ends.append((self._looks + self.chance.randint(1, 3), end))

    # The troubles

    def fault(self) -> None:
        """An answer is lost, cut or in vain."""
        kinds: Sequence[Literal["503", "lost", "cut"]] = ("503", "503", "lost", "cut")
        methods: Sequence[Literal["GET", "POST"]] = ("POST", "POST", "GET")
        self.proxy.faults.append(Fault(self.chance.choice(kinds), self.chance.choice(methods), self.chance.choice((1, 1, 2, 4))))

    def queue(self) -> None:
        """Posts of ordinary members wait for a moderator, who comes later."""
        house = self.house
        house.owner.queue(house.section, REGISTERED, held=True)

        def approve() -> None:
            house.owner.queue(house.section, REGISTERED, held=False)
            house.owner.approve_all(house.section)

        # Players' posts would wait, too: only the daemon's look falls into the time of the queue.
        self._ends.append((self._looks + 1, approve))

    def flood(self) -> None:
        self.house.owner.settings("post", {"flood_interval": "15"})
        self._ends.append((self._looks + 1, lambda: self.house.owner.settings("post", {"flood_interval": "0"})))

    def full_box(self) -> None:
        """The bot's folder of messages takes no more than a few."""
        self.house.owner.settings("message", {"pm_max_msgs": "3"})
        self._later(lambda: self.house.owner.settings("message", {"pm_max_msgs": "1000"}))

    def switched_off(self) -> None:
        self.house.owner.switch_off("Форум закрыт на час: переезжаем")
        self._ends.append((self._looks + 1, lambda: self.house.owner.switch_off(None)))

    def language(self) -> None:
        """The bot's account sees the board in another language and zone."""
        self.house.bot.preferences(
            lang=self.chance.choice(("ru", "en")), tz=self.chance.choice(("UTC", "Europe/Moscow", "Asia/Omsk"))
        )

    def renamed(self) -> None:
        """A player gets another nick."""
        house = self.house
        nick = self.chance.choice(sorted(house.company.actors))
        member = house.members[nick]
        new = f"{member.nick} 2" if not member.nick.endswith(" 2") else member.nick[:-2]
        house.owner.rename(member.uid, new)
        member.nick = new

    def short_posts(self) -> None:
        """The board takes shorter posts than it did."""
        self.house.owner.settings("post", {"max_post_chars": "3000"})
        self._later(lambda: self.house.owner.settings("post", {"max_post_chars": "60000"}))

    def short_pages(self) -> None:
        self.house.owner.settings("post", {"posts_per_page": self.chance.choice(("3", "5", "10"))})

    def moved(self) -> None:
        """A moderator moves the newest day topic to another forum and, later, back."""
        house = self.house
        if not house.day_topics:
            return
        topic = house.day_topics[max(house.day_topics)]
        house.owner.move(topic, house.section, 2)
        self._later(lambda: house.owner.move(topic, 2, house.section))


_ALL: Sequence[Callable[[Troubles], None]] = (
    *(Troubles.fault,) * 6, Troubles.queue, Troubles.flood, Troubles.full_box, Troubles.switched_off, Troubles.language,
    Troubles.renamed, Troubles.short_posts, Troubles.short_pages, Troubles.moved,
)  # fmt: skip
