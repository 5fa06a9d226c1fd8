"""A game is a fold of a few calls, each ``(game, events)``; every ruleset offers the same ones.

``open -> receive* -> mark* -> close`` make a turn. Scenarios, the daemon and replay make the same calls. Each call
takes the immutable game and returns the next one; nothing else is remembered, chance included (see ``Chance``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from engine.calendar import Calendar, Hours
from engine.chance import Chance
from engine.messages import Known
from engine.model import NOTHING, Data, Event, Order, Seat, WinnerKind

Play = tuple[Any, tuple[Event, ...]]
"""The next game and what followed, in order."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The ids of a ruleset (chapter 1 of its rules), so that input can be checked and a wrong word named."""

    roles: tuple[str, ...]
    factions: tuple[str, ...]
    actions: tuple[str, ...]
    """Every action that may stand in a scenario's ``orders`` (votes included)."""
    host_actions: tuple[str, ...]
    """Those of ``actions`` that only the host may give in a live game."""
    public_actions: tuple[str, ...]
    """Those that count only in the day's thread (votes where votes are public)."""
    reasons: tuple[str, ...]
    causes: tuple[str, ...]
    notices: Mapping[str, Mapping[str, str]]
    """Kind of a private notice -> its keys besides ``to`` and ``kind`` -> what stands in each: "role", "action", "reason",
    "cause", "nick", "item", "faction" (one id or a list of them), "number", "bool", "text", "any", or the words themselves;
    several are joined by "|"."""
    chance_points: tuple[str, ...]
    player_keys: tuple[str, ...]
    """Keys that [[players]] may have besides ``nick``."""
    state_keys: tuple[str, ...]
    """Keys that [state] may have."""
    shown_keys: tuple[str, ...]
    """Keys that a player's ``state`` may have in a result."""
    marks: tuple[str, ...] = ()
    """Named marks of a turn, in order, which a scenario makes before ``close``."""
    items: tuple[str, ...] = ()
    currencies: tuple[str, ...] = field(default=())
    args: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: NOTHING)
    """Action -> name of an arg -> what stands in it: "role", "action", "nick", "item", "faction" (one or a list of them,
    checked against the ids), "int", "bool", "text" or "any". Actions that are not named here are not checked."""
    immediate_sections: tuple[str, ...] = ()
    """Sections of the Lines that ``receive`` gives and that belong in the day's thread at once (league R134)."""
    reminded: tuple[str, ...] = ()
    """Marks (or "close") before which those who still owe a move are reminded; empty: before every one."""
    closes_when_full: bool = False
    """The sign-up ends as soon as its last place is taken (league H1); else further players are only refused."""
    told: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: NOTHING)
    """Notice kind -> what it tells its reader of himself (role, night_role, faction, number, mates, mate, team, password) ->
    the key of its data; "=id" is said by the kind alone. What a player asks again is answered from such notices and nothing
    else, so that the answer can hold no more than he was told."""
    paid: Mapping[str, frozenset[str]] = field(default_factory=lambda: NOTHING)
    """Actions that cost something at once -> the items of which a player can use several ("*": whatever is bought). An equal
    order that comes twice is asked about before it is paid twice."""
    told_measures: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Actions of the host -> the private template that tells the player of them, where the rules' own notices do not."""
    joined: frozenset[str] = frozenset()
    """Kinds of notices of which a player gets one letter, however many there are at once: ``data.all`` is the list of them."""
    day_of_players: bool = False
    """The day's thread belongs to the living: the host is told of the dead and of strangers who write there (clans)."""
    penalty_key: str = ""
    """The key of ``state`` that counts a player's penalties in this game; empty where the rules know none."""
    removal: str = ""
    """The one of ``host_actions`` that takes a player out of the game; empty where the rules know none."""
    leaving: str = ""
    """The one of ``host_actions`` for a player's own wish to go, where the rules tell it from a removal (league)."""
    bookkeeping: tuple[str, ...] = ()
    """Actions that are no moves, besides votes and those of the host: bids, changes. The tale of a whole game leaves them out."""
    struck_step: str = ""
    """``Step.text_id`` that says of ``data.player``: a violation of an earlier turn, for which he was punished, no longer counts
    (clans R94, R95); empty where nothing is struck."""


@runtime_checkable
class Hearing(Protocol):
    """Optional part of a ruleset that minds who sends nothing at all (mafialife D59)."""

    def hear(self, game: Any, player: Seat) -> Any:
        """The game when this player has sent something of which no order is handed over: refused by the reader, asked about,
        or that there is no move."""


@runtime_checkable
class Pockets(Protocol):
    """Optional part of a ruleset: what a player may be told of his own belongings at any time."""

    def purse(self, game: Any, player: Seat) -> Mapping[str, float]:
        """Currency id -> what he has; never what the rules keep from him (league R118)."""

    def belongings(self, game: Any, player: Seat) -> tuple[str, ...]:
        """Ids of the items he holds."""


@runtime_checkable
class Accounts(Protocol):
    """Optional part of a ruleset: money that lives from game to game (league H6, mafialife R27)."""

    @property
    def carried(self) -> tuple[str, ...]:
        """Currency ids of the accounts that the application keeps between games."""

    def bring(self, game: Any, player: Seat, sums: Mapping[str, int]) -> tuple[Order, ...]:
        """The host's orders that open a dealt game with what this player has, none below 0; none: nothing is brought."""

    def takes_home(self, game: Any) -> Mapping[Seat, Mapping[str, int]]:
        """What each player takes home from a game that is over, what he brought included: currency -> sum."""


@runtime_checkable
class Earnings(Protocol):
    """Optional part of a ruleset that pays: what a game has brought each player, told to him when it is over."""

    def earned(self, game: Any, player: Seat) -> Mapping[str, float]:
        """Reason of the booking (``bookings`` of the ruleset's names) -> what it came to in this game, lost sums below 0."""


@runtime_checkable
class Ranked(Protocol):
    """Optional part of a ruleset whose gangs take turns by numbers (league R50, R51)."""

    def ranks(self, game: Any, player: Seat) -> Mapping[Seat, int]:
        """The numbers that this player may know, his own among them; empty for who stands in no list."""

    def on_duty(self, game: Any) -> tuple[Seat, ...]:
        """Whose turn it is in the open turn."""


@dataclass(frozen=True, slots=True)
class Stranded:
    """Money of several that can no longer come to its purpose."""

    item: str
    target: Seat
    """Of whom it was to be bought; "" where it names nobody."""
    shares: Mapping[Seat, int]
    """Giver -> what of it is his."""
    goals: tuple[str, ...]
    """Items that it may be moved to."""


@runtime_checkable
class Pooling(Protocol):
    """Optional part of a ruleset whose players put money together (league R100)."""

    def stranded(self, game: Any) -> tuple[Stranded, ...]:
        """The pots whose beneficiary is dead."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A story of an earlier turn that was not printed (league H5)."""

    turn: int
    author: Seat
    about: Seat
    text: str


@runtime_checkable
class Storied(Protocol):
    """Optional part of a ruleset whose newspaper has a story of the execution (league R33)."""

    def untold(self, game: Any) -> Seat | None:
        """Whom the vote that is over condemns while nobody has sent a story of it; None before and after."""

    def left_over(self, game: Any) -> tuple[LeftOver, ...]:
        """Stories that the host may still use."""


@runtime_checkable
class Places(Protocol):
    """Optional part of a ruleset whose tables bound the players otherwise than by a number (mafialife R180)."""

    def most_players(self, tables: Any) -> int:
        """How many players a live game can seat."""


@runtime_checkable
class Stopping(Protocol):
    """Optional part of a ruleset: something can end the game without waiting for the deadline (clans R96)."""

    def stops_at_once(self, game: Any) -> bool:
        """Whether the open turn is to be closed now."""


@runtime_checkable
class Dated(Protocol):
    """Optional part of a ruleset whose scenarios may have days of their own (clans ``deadline``, league ``calendar.start``)."""

    def deadline(self, game: Any) -> datetime | None:
        """When the open turn ends by these days; None in a game without any."""


@runtime_checkable
class Timed(Protocol):
    """Optional part of a ruleset whose tests on arrival ask in which hours an order was sent; the others close by their marks
    alone."""

    def with_hours(self, game: Any, hours: Hours) -> Any:
        """The game, whose open turn has these moments and no longer those of the tables."""


@runtime_checkable
class Ledger(Protocol):
    """Optional part of a ruleset that keeps a book of every change of its balances."""

    def ledger(self, game: Any) -> Sequence[Any]:
        """Every booking in its order: dataclasses with ``turn``, ``amount``, ``reason`` and ``seat`` or ``player``; they may
        have ``source``, ``sink``, ``item``, ``about`` and ``ref``."""


@runtime_checkable
class Charted(Protocol):
    """Optional part of a ruleset whose code is a chart that people may read (mafialife, chapter 15)."""

    def chart(self) -> str:
        """The chart as plain text, with what its signs mean in Russian."""


class Ruleset(Protocol):
    """One set of rules. Games are opaque to callers, who only pass them back, except for the views below."""

    @property
    def id(self) -> str: ...

    @property
    def spec(self) -> Spec: ...

    def tables(self, defaults: Mapping[str, Any], overrides: Mapping[str, Any]) -> Any:
        """The game's tables, checked and frozen. Raises EngineError with the path of a wrong entry."""

    def start(self, cast: Sequence[Data], state: Data, tables: Any, first_turn: int | None) -> Any:
        """A game from a scenario's cast, before its first turn. Raises EngineError ("players[2].role", ...)."""

    def deal(self, seats: Sequence[Seat], tables: Any, chance: Chance) -> Play:
        """A live game from the closed sign-up: roles drawn, first notices. Where the rules have a set-up stage the game
        is in it: ``receive`` takes what set-up allows, and ``mark("setup")`` ends it. Raises EngineError (too few ...)."""

    def open(self, game: Any, chance: Chance) -> Play:
        """Open the next turn."""

    def receive(self, game: Any, order: Order, chance: Chance) -> Play:
        """Test and take one order. Gives Accepted or Rejected first, then whatever follows at once (Withdrawn, Notice ...).

        ``cancel`` and ``pass`` take back what the rules allow. A rejected order changes nothing but what the rules say.
        """

    def mark(self, game: Any, name: str, chance: Chance) -> Play:
        """A named mark of the calendar has come. Raises EngineError for an unknown name."""

    def close(self, game: Any, chance: Chance) -> Play:
        """Resolve the turn: Outcomes, Deaths, Notices, Lines ... and Ended when the game is over."""

    def marks_before(self, game: Any, order: Order) -> tuple[str, ...]:
        """Marks that a scenario, which has no clock, makes before this order is received (league R81); mostly none."""

    def calendar(self, tables: Any) -> Calendar: ...

    def known(self, game: Any, player: str) -> Known:
        """What the reader of texts may use about the sender, who need not be a player."""

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Any) -> Any:
        """An open turn in which ``author`` has ``role`` and all of ``ctx`` holds (contract.md, ``parse``), so that the
        engine's own tests can judge an order. What is not in ``ctx`` is unknown and forbids nothing."""

    # Views. All plain data, keys in the order of the roster.
    def seats(self, game: Any) -> tuple[Seat, ...]: ...

    def alive(self, game: Any) -> tuple[Seat, ...]: ...

    def turn(self, game: Any) -> int: ...

    def stage(self, game: Any) -> str:
        """"setup", "turn" (a turn is open), "between" or "over"."""

    def winner(self, game: Any) -> str | None:
        """Faction id, seat of a sole winner, or "draw"; None while the game goes on."""

    def winner_kind(self, game: Any) -> WinnerKind | None:
        """What ``winner`` names; None for a draw and while the game goes on."""

    def votes(self, game: Any) -> Mapping[Seat, float]:
        """The running count as the rules would count it now, and ``ballots`` who stands for whom."""

    def ballots(self, game: Any) -> Mapping[Seat, Seat]: ...

    def state(self, game: Any) -> Mapping[Seat, Mapping[str, Any]]:
        """Every player's state (contract.md ``state``: at least role, faction, alive)."""

    def balances(self, game: Any) -> Mapping[str, Mapping[str, float]]: ...

    def owing(self, game: Any) -> Mapping[Seat, tuple[str, ...]]:
        """Who may still act in this turn and has not: seat -> actions that he could send (for reminders)."""

    def standing(self, game: Any, player: Seat) -> tuple[Order, ...]:
        """The player's orders that stand now, in order of arrival (told to him on request)."""
