"""The demo as a person sees it: everything started, the game told as it goes, and in the end the accounts."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from adapters.clock import VirtualClock
from forumbot.demo import daemon_process, midgame, purses
from forumbot.demo.driver import Driver, Stuck
from forumbot.demo.games import players_of
from forumbot.demo.games.model import Players
from forumbot.demo.house import GAME, House, open_house
from forumbot.demo.pace import SLOW, WallPace
from forumbot.demo.players import MOSCOW, Company
from forumbot.demo.report import Comparison, compare
from forumbot.demo.saying import Saying

_WEEKDAYS = ("пн", "вт", "ср", "чт", "пт", "сб", "вс")
_CHANNELS = {"post": "сообщений в теме", "letter": "писем", "pm": "ЛС"}


def company_of(players: Players, seed: int) -> Company:
    return Company.gather(seed, players.frame.players, mailing=players.frame.mailing)


def folder_is_used(folder: Path) -> bool:
    return folder.exists() and any(folder.iterdir())


class Rehearsal:
    """One demo. Entered it serves forum and mailbox and runs the daemon; ``play`` plays and checks; left it ends everything."""

    def __init__(
        self, ruleset: str, forum: str, seed: int, folder: Path, port: int, tell: Callable[[str], Any], *, stops: bool = False
    ) -> None:
        """``stops``: newspapers wait for the host from the second on, and the game stops there."""
        self._players = players_of(ruleset, seed)
        self._company = company_of(self._players, seed)
        self._forum, self._seed, self._folder, self._port = forum, seed, folder, port
        self._tell = tell
        self._stack = ExitStack()
        self._seats: tuple[str, ...] = ()
        self._told: set[int] = set()
        self._stops = stops

    def __enter__(self) -> Rehearsal:
        self._folder.mkdir(parents=True, exist_ok=True)
        frame = self._players.frame
        file = self._folder / "clock.json"
        self._clock = VirtualClock.create(file, frame.starts.replace(tzinfo=MOSCOW), SLOW)
        with ExitStack() as stack:
            self._house: House = stack.enter_context(
                open_house(self._folder, self._clock, frame, self._forum, self._company, port=self._port)
            )
            purses.bring(self._house)
            self._log = self._folder / "daemon.log"
            self._process = stack.enter_context(daemon_process.running(self._house.config, file, self._log))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def play(self) -> bool:
        """Play the game, tell it, check it; gives whether everything agreed."""
        house, frame = self._house, self._players.frame
        self._tell(f"«{frame.title}» ({frame.ruleset}), зерно {self._seed}, форум {self._forum}: {house.url()}")
        self._tell(f"Папка сайта: {self._folder}")
        self._tell("На выдуманном форуме играют выдуманные игроки; бот ведёт игру отдельной программой, как вёл бы настоящую.")
        self._tell(
            "Ниже: кто записался, что написали к каждому сроку, и газеты бота. Часы идут быстро, это займёт около минуты.\n"
        )
        began = time.monotonic()
        pace = WallPace(self._clock, lambda: daemon_process.check(self._process, self._log))
        driver = Driver(house, self._players, pace, self)
        try:
            driver.play()
        except (Stuck, daemon_process.DaemonGone) as error:
            self._tell(f"Игра остановилась: {error}\nЖурнал бота: {self._log}")
            return False
        finally:
            driver.close()
        if self._stops:
            return True
        took = time.monotonic() - began
        found = compare(house, driver.said, self._seats)
        self._tell(f"\nИгра окончена за {took:.0f} с. Победитель: {found.won}.")
        self._account(found)
        return not found.differences

    # The listener of the driver

    def signed_up(self, seats: tuple[str, ...], posts: int) -> None:
        self._seats = seats
        self._tell(f"Запись закрыта: {posts} сообщений, игроков {len(seats)}: {', '.join(seats)}")

    def phase(self, turn: int, name: str, said: list[Saying], at: datetime) -> None:
        counts = Counter(one.channel for one in said)
        wrote = ", ".join(f"{words} {counts[channel]}" for channel, words in _CHANNELS.items() if counts[channel])  # type: ignore[index]
        local = at.astimezone(MOSCOW)
        day = f"{_WEEKDAYS[local.weekday()]} {local:%d.%m %H:%M}"
        head = f"День {turn}, " if turn >= 0 else ""
        self._tell(f"{head}{self._players.frame.phases.get(name, name)} до {day}: {wrote or 'тишина'}")

    def to_real_time(self) -> None:
        """The game is over: from now on the clock goes as the one on the wall, and what still looks on it has time."""
        self._clock.set_speed(1)

    def newspaper(self, turn: int, report: str) -> None:
        if turn not in self._told:
            self._told.add(turn)
            self._tell("\n".join(f"    {line}" for line in report.splitlines()))
            if self._stops and len(self._told) == 1:
                midgame.let_the_host_decide(self._house)

    def at_the_desk(self, wait: Callable[[], Any]) -> None:
        """The game stands in its middle: open the desk, say what is to do there, and ``wait`` for the one who watches."""
        midgame.doubts(self._house)
        self.to_real_time()
        with midgame.desk(self._house) as opened:
            tell = self._tell
            tell("\nПартия остановилась посередине, дальше её ведёте вы.")
            tell(f"  форум: {self._house.url()}")
            tell(f"  пульт: {opened.address}")
            tell(f"  войти: имя «{opened.name}», пароль {opened.password}")
            tell("Что попробовать:")
            tell("  1. «Сейчас»: газета ждёт вас; прочтите её, поправьте, выпустите и найдите на форуме.")
            tell("  2. «Проверить»: двое написали так, что бот не уверен; решите за них (через минуту, когда он их прочтёт).")
            tell("  3. «Вопросы»: игрок спрашивает ведущего; ответьте одним нажатием.")
            tell("  4. «Газеты и ночи»: кто к кому ходил, картинкой; «почему» про любого игрока одной фразой.")
            tell("  5. «История»: всё это можно отменить.")
            tell("Ctrl+C закроет форум и пульт.")
            wait()

    def _account(self, found: Comparison) -> None:
        tell = self._tell
        total = sum(found.outcomes.values())
        tell(f"Сообщений в игре: {total}; ходов: {found.turns}.")
        for title, lines in (("Бот переспросил без нужды", found.asked), ("Прочитано иначе, на игру не влияет", found.odd)):
            if lines:
                tell(f"{title}: {len(lines)}")
                for line in lines:
                    tell(f"  - {line}")
        if found.replayed:
            tell("Повтор по журналу входов (forumbot replay): совпадает байт в байт.")
        if found.differences:
            tell("РАСХОЖДЕНИЯ с тем, что игроки имели в виду:")
            for line in found.differences:
                tell(f"  - {line}")
        else:
            tell("Сверка с независимым прогоном движка по намерениям игроков: газеты, погибшие и победитель совпадают.")
        config = self._house.config
        # In a checkout the command lies in its virtual environment and is not found by its name alone.
        program = "forumbot" if shutil.which("forumbot") else str(Path(sys.executable).with_name("forumbot"))
        tell("\nГде смотреть:")
        tell(f"  форум: {self._house.url()} - закроется вместе с командой; с ключом --keep (make demo KEEP=1) останется открыт")
        tell(f"  пульт ведущего посреди партии: {program} demo --desk (make demo DESK=1)")
        tell(f"  папка: {self._folder}")
        tell(f"  {program} status --config {config}")
        tell(f"  {program} log {GAME} --config {config}")
        tell(f"  {program} replay {GAME} --config {config}")
