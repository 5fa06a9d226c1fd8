"""What goes wrong on a real board while a game is played: each trouble begins at random and ends some looks of the daemon
later."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from forumbot.demo.house import HOST_NICK
from tests.realboard.browser import Refused
from tests.realboard.house import RealHouse
from tests.realboard.people import OLD_ZONES, Member
from tests.realboard.proxy import Fault, Kind, Method, Proxy

REGISTERED = 2
"""phpBB's group of registered users."""
ELSEWHERE = 2
"""A section where nobody plays."""
OWN_WORDS = ("день", "записаны", "прочитано", "включительно", "выбыли", "игре")
"""Words that the bot writes, in subjects, too, and on which nothing depends that players write."""
_DATES = ("d.m.Y H:i:s", "|d M Y|, H:i", "D M d, Y g:i a", "|F jS, Y|, g:i a", "d M Y, H:i")


@dataclass
class Troubles:
    """The troubles of one game. ``told`` counts them by name; ``share`` is the chance of a new one before a look."""

    house: RealHouse
    proxy: Proxy
    chance: Random
    share: float
    told: Counter[str] = field(default_factory=Counter)
    course: list[str] = field(default_factory=list)
    """What happened, in words, to be printed with a difference."""
    _ends: list[tuple[int, Callable[[], object]]] = field(default_factory=list)
    _looks: int = 0
    _chatter: list[tuple[int, Member]] = field(default_factory=list)

    def before(self) -> None:
        """Called before each look of the daemon."""
        self._looks += 1
        risen: set[str] = set()
        while self.chance.random() < self.share:
            trouble = self.chance.choice(_ALL)
            name = trouble.__name__
            if name in risen:
                continue
            risen.add(name)
            try:
                trouble(self)
            except Refused as error:  # two troubles at once, or a board that knows nothing of it
                name = f"{name} in vain"
                self.say(f"{name}: {error}")
            self.told[name] += 1
            self.say(name)

    def after(self) -> None:
        """Called after each look of the daemon, before players do anything."""
        due = [one for one in self._ends if one[0] <= self._looks]
        self._ends = [one for one in self._ends if one[0] > self._looks]
        for _, end in reversed(due):  # what began last ends first
            end()

    def end(self) -> None:
        """All is well again."""
        self.proxy.faults.clear()
        self._looks += 1000
        self.after()
        for nick, member in self.house.members.items():
            if member.nick != nick:
                self._rename(member, nick)

    def say(self, words: str) -> None:
        self.course.append(f"{self.house.clock.now():%d.%m %H:%M:%S} look {self._looks}: {words}")

    def _next(self, end: Callable[[], object]) -> None:
        """Over when the daemon has looked once: players do not meet it."""
        self._ends.append((self._looks, end))

    def _later(self, end: Callable[[], object]) -> None:
        self._ends.append((self._looks + self.chance.randint(1, 3), end))

    def _topic(self) -> int | None:
        """The newest topic of the game."""
        house = self.house
        return house.day_topics[max(house.day_topics)] if house.day_topics else house.signup_topic()

    def _setting(self, page: str, name: str, value: str, usual: str) -> Callable[[], object]:
        """Change a setting; gives what sets it back."""
        self.house.owner.settings(page, {name: value})
        return lambda: self.house.owner.settings(page, {name: usual})

    # The line

    def fault(self) -> None:
        """An answer is lost, cut or in vain."""
        kinds: Sequence[Kind] = ("503", "503", "late", "lost", "cut", "out")
        methods: Sequence[Method] = ("POST", "POST", "GET")
        kind, method, after = self.chance.choice(kinds), self.chance.choice(methods), self.chance.choice((0, 0, 1, 2, 5, 9))
        times = self.chance.choice((1, 1, 2, 4))
        self.say(f"{kind} {method} after {after} times {times}")
        self.proxy.faults.append(Fault(kind, method, times, after))

    # The board

    def queue(self) -> None:
        """What members write during one look waits for a moderator, who comes later."""
        house = self.house
        house.owner.right(house.section, REGISTERED, "f_noapprove", given=False)
        self._next(lambda: house.owner.right(house.section, REGISTERED, "f_noapprove", given=True))
        self._later(lambda: house.owner.approve_all(house.section))

    def rights(self) -> None:
        """The bot may not read, answer or open topics for a while, nor may others."""
        house, name = self.house, self.chance.choice(("f_read", "f_reply", "f_post"))
        house.owner.right(house.section, REGISTERED, name, given=False)
        self._next(lambda: house.owner.right(house.section, REGISTERED, name, given=True))

    def censor(self) -> None:
        """The owner lets some of the bot's words be shown as others."""
        for word in self.chance.sample(OWN_WORDS, 2):
            self.house.owner.censor(word, self.chance.choice(("***", "дивный новый мир")))
        self._next(self.house.owner.uncensor)

    def flood(self) -> None:
        self._next(self._setting("post", "flood_interval", "90", "0"))

    def full_box(self) -> None:
        """Folders of messages take no more than a few."""
        self._next(self._setting("message", "pm_max_msgs", "3", "1000"))

    def switched_off(self) -> None:
        self.house.owner.switch_off("Форум закрыт на час: переезжаем")
        self._next(lambda: self.house.owner.switch_off(None))

    def short_posts(self) -> None:
        """The board takes shorter posts than it did."""
        self._later(self._setting("post", "max_post_chars", self.chance.choice(("1500", "3000")), "60000"))

    def short_pages(self) -> None:
        self.house.owner.settings("post", {"posts_per_page": self.chance.choice(("3", "5", "10"))})

    # The bot's account

    def profile(self) -> None:
        """The bot's account sees the board in another language, zone, date format and style."""
        bot, chance = self.house.bot, self.chance
        bot.preferences(
            lang=chance.choice(("ru", "en")), tz=chance.choice(sorted(OLD_ZONES)), style=chance.choice(bot.styles()),
            dateoptions="custom", dateformat=chance.choice(_DATES),
        )  # fmt: skip

    def stranger(self) -> None:
        """Somebody tries passwords for the bot's account until the board asks for a code; and the bot's session is lost."""
        self._later(self._setting("security", "max_login_attempts", "3", "0"))
        guest = Member(self.house.owner.url, HOST_NICK, "guessed", wait=self.house.owner.wait)
        for _ in range(5):
            with contextlib.suppress(Refused):
                guest.enter()
        guest.close()
        self.proxy.faults.append(Fault("out", "GET", 1, 0))

    # The players

    def renamed(self) -> None:
        """A player gets another nick. Who changes it before the deal plays under the new one, of which the others do not know."""
        if not self.house.day_topics:
            return
        nick = self.chance.choice(sorted(self.house.company.actors))
        member = self.house.members[nick]
        self._rename(member, f"{nick} 2" if member.nick == nick else nick)

    def _rename(self, member: Member, nick: str) -> None:
        self.house.owner.rename(member.uid, nick)
        member.nick = nick

    def chatter(self) -> None:
        """Somebody talks, three times."""
        topic = self._topic()
        for _ in range(3 if topic else 0):
            assert topic is not None
            member = self.house.members[self.chance.choice(sorted(self.house.members))]
            self._chatter.append((self.house.say(topic, member), member))

    def unsaid(self) -> None:
        """What was said beside the game is edited, deleted, or split off and perhaps put back later."""
        if not self._chatter:
            self.chatter()
        if not self._chatter:
            return
        house = self.house
        post, member = self._chatter.pop(self.chance.randrange(len(self._chatter)))
        what = self.chance.choice(("edited", "deleted", "split", "split"))
        self.say(f"post {post} {what}")
        if what == "edited":
            member.edit(house.section, post, "Передумываю: промолчу.")
        elif what == "deleted":
            house.owner.delete(house.section, post)
        else:
            topic = house.owner.topic_of(post)
            apart = house.owner.split(topic, house.section, post, f"Болтовня {post}")
            if self.chance.random() < 0.5:
                self._later(lambda: house.owner.merge(apart, house.section, topic))

    def namesake(self) -> None:
        """A player opens a topic of the same title as the game's newest."""
        topic = self._topic()
        if topic is not None:
            house = self.house
            title = house.title_of(topic)
            house.members[self.chance.choice(sorted(house.members))].open_topic(house.section, title, "А я первый.")

    # The moderators

    def moved(self) -> None:
        """The newest topic is moved to another section and, later, back."""
        house, topic = self.house, self._topic()
        if topic is not None:
            house.owner.move(topic, house.section, ELSEWHERE)
            self._next(lambda: house.owner.move(topic, ELSEWHERE, house.section))

    def locked(self) -> None:
        house, topic = self.house, self._topic()
        if topic is not None:
            house.owner.lock(topic, house.section, locked=True)
            self._next(lambda: house.owner.lock(topic, house.section, locked=False))

    def gone(self) -> None:
        """The newest topic is deleted and, later, restored (3.3)."""
        house, topic = self.house, self._topic()
        if topic is not None:
            house.owner.remove(topic, house.section)
            self._next(lambda: house.owner.restore(topic, house.section))


_ALL: Sequence[Callable[[Troubles], None]] = (
    *(Troubles.fault,) * 8, *(Troubles.queue,) * 2, Troubles.rights, *(Troubles.censor,) * 2, Troubles.flood, Troubles.full_box,
    Troubles.switched_off, Troubles.profile, Troubles.stranger, Troubles.renamed, Troubles.short_posts, Troubles.short_pages,
    *(Troubles.chatter,) * 2, *(Troubles.unsaid,) * 2, Troubles.namesake, Troubles.moved, Troubles.locked, Troubles.gone,
)  # fmt: skip
