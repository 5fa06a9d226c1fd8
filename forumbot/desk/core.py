"""What every page of the desk stands on: the site, templates, words of a game, and one request with its visitor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from adapters.clock import Clock
from forumbot.desk import accounts, history, wording
from forumbot.desk.accounts import Account, Role
from forumbot.desk.limits import Limits
from forumbot.hosting.acts import objects
from forumbot.hosting.core import record, seating
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.inbox import routing
from forumbot.settings import Site
from forumbot.store.database import Store
from forumbot.store.tables import inputs
from forumbot.store.types import dump
from forumbot.writing.writer import Writer

T = TypeVar("T")
HERE = Path(__file__).parent
COOKIE = "forumbot_desk"
"""Holds the session of one who is logged in, or a random word before: forms are bound to it."""


@dataclass(slots=True)
class Desk:
    """One running desk. Its caches hold what can be made anew at any time."""

    site: Site
    store: Store
    clock: Clock
    limits: Limits = field(default_factory=Limits)
    _writers: dict[str, Writer] = field(default_factory=dict)
    _kept: dict[tuple[str, ...], tuple[object, Any]] = field(default_factory=dict)
    _templates: Environment = field(init=False)

    def __post_init__(self) -> None:
        self._templates = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["moment"] = self.moment
        self._templates.filters["number"] = wording.number
        self._templates.filters["plural"] = wording.counted
        self._templates.globals["words"] = wording

    @property
    def root(self) -> str:
        """The path under which the desk stands ("" or "/desk")."""
        return urlsplit(self.site.desk.address).path.rstrip("/")

    @property
    def secure(self) -> bool:
        return self.site.desk.address.startswith("https://")

    def moment(self, at: datetime | str | None, how: str = "%d.%m %H:%M") -> str:
        """A moment on the forum's wall clock; text of a payload (ISO) is taken too."""
        if at is None or at == "":
            return ""
        known = datetime.fromisoformat(at) if isinstance(at, str) else at
        return known.astimezone(ZoneInfo(self.site.forum.zone)).strftime(how)

    def writer(self, row: GameRow) -> Writer:
        if row.id not in self._writers:
            self._writers[row.id] = Writer(row.templates, self.site.forum.zone)
        return self._writers[row.id]

    def kept(self, connection: sa.Connection, row: GameRow, what: str, make: Callable[[], T]) -> T:
        """Something that follows from the inputs of a game, made anew only when one is added, struck or taken back."""
        query = sa.select(inputs.c.id, inputs.c.struck).where(inputs.c.game_id == row.id).order_by(inputs.c.id)
        state = tuple((number, why) for number, why in connection.execute(query))
        known = self._kept.get((row.id, what))
        if known is None or known[0] != state:
            known = state, make()
            self._kept[row.id, what] = known
        return cast("T", known[1])

    def match(self, connection: sa.Connection, row: GameRow) -> Match:
        """The game as it stands. Only to be looked at. One that was called off for want of players never began."""
        if row.stage == "cancelled":
            return Match.begin(row.ruleset, row.tables, row.seed)
        return self.kept(connection, row, "match", lambda: record.fold(connection, row))

    def render(self, template: str, **facts: Any) -> str:
        return self._templates.get_template(template).render(**facts)


Handler = Callable[["Asked"], Response]


class Refusal(Exception):
    """A request that is not answered with its page; ``status`` and one Russian sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass
class Asked:
    """One request: who asks, for which game, with which form. ``connection`` reads; it is closed for forms."""

    desk: Desk
    request: Request
    cookie: str
    account: Account | None
    form: Mapping[str, Sequence[str]]
    now: datetime
    _connection: sa.Connection | None = None
    game: GameRow | None = None
    role: Role | None = None

    @property
    def connection(self) -> sa.Connection:
        assert self._connection is not None
        return self._connection

    @property
    def row(self) -> GameRow:
        assert self.game is not None
        return self.game

    @property
    def who(self) -> Account:
        assert self.account is not None
        return self.account

    @cached_property
    def seats(self) -> Seating:
        return seating.load(self.connection, self.row.id)

    @cached_property
    def seen(self) -> str:
        """What this page shows of the game, for its forms: an act means what its host has seen."""
        return dump(objects.sight(self.connection, self.row.id)) if self._connection is not None else ""

    @cached_property
    def names(self) -> dict[str, str]:
        """seat -> nick of now, also of those who are out."""
        return self.seats.names()

    @cached_property
    def match(self) -> Match:
        return self.desk.match(self.connection, self.row)

    def name(self, seat: str | None) -> str:
        return "" if seat is None else self.names.get(seat, seat)

    def word(self, group: str, id_: str | None) -> str:
        """A Russian word for an id of the game's rules or of the reading."""
        return wording.word(self.desk.writer(self.row), group, id_)

    def query(self, name: str, default: str = "") -> str:
        return str(self.request.query_params.get(name, default))

    def number(self, name: str) -> int | None:
        """A whole number of the address's query; None where there is none."""
        said = self.query(name)
        return int(said) if said.removeprefix("-").isdecimal() and len(said) < 18 else None

    def path_number(self, name: str = "number") -> int:
        return int(self.request.path_params[name])

    def said(self, name: str, default: str = "") -> str:
        values = self.form.get(name)
        return values[0].strip() if values else default

    def url(self, path: str, **query: Any) -> str:
        """An address of the desk; ``path`` starts with "/"."""
        given = {key: value for key, value in query.items() if value not in (None, "")}
        return self.desk.root + path + (f"?{urlencode(given)}" if given else "")

    def here(self, path: str = "", **query: Any) -> str:
        """An address inside the game."""
        return self.url(f"/g/{quote(self.row.id)}{path}", **query)

    def did(self) -> dict[str, Any] | None:
        """The act that led to this page, as the address says."""
        number = self.number("did")
        if number is None or self._connection is None:
            return None
        return history.act(self.connection, self.row.id, number)

    def page(self, template: str, status: int = 200, **facts: Any) -> Response:
        base: dict[str, Any] = {
            "asked": self,
            "account": self.account,
            "game": self.game,
            "role": self.role,
            "acts": self.role in ("host", "cohost"),
            "csrf": accounts.csrf(self.cookie),
            "url": self.url,
            "root": self.desk.root,
            "now": self.now,
        }
        if self.game is not None:
            base |= {"seen": self.seen, "here": self.here, "name": self.name, "word": self.word, "did": self.did()}
        text = self.desk.render(template, **(base | facts))
        if self._connection is not None and self.game is not None:
            # Players write their codes wherever they like; who sees a page must not become one of them by it.
            text = routing.without_live_codes(self._connection, text)
        return HTMLResponse(text, status)

    def go(self, address: str) -> Response:
        """Answer a form: look at this page."""
        return RedirectResponse(address, 303)
