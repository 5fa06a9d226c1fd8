"""What the commands of a host share: which game is meant, and carrying an act out, by the daemon or without it."""

from __future__ import annotations

import getpass
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from forumbot.cli.common import fail, json_option, mendable, show_json, site_option

if TYPE_CHECKING:
    # A command's help must not wait for the database's libraries.
    from adapters.forum import Forum
    from forumbot.hosting.core.record import GameRow
    from forumbot.settings import Site
    from forumbot.store.database import Store

F = TypeVar("F", bound=Callable[..., Any])

EXIT_REFUSED = 1
WAIT_SECONDS = 60.0
"""How long a command waits for a running daemon to carry an act out."""
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Opened:
    """One game of a site, as a command works with it."""

    site: Site
    store: Store
    row: GameRow

    @property
    def zone(self) -> str:
        return self.site.forum.zone


def game_options(function: F) -> F:
    """``--game``, ``--config`` and ``--json``."""
    game = click.option("--game", "game", default=None, metavar="ИГРА", help="Имя игры (id). Не нужно, когда идёт только одна.")
    return game(site_option(json_option(function)))


def act_options(function: F) -> F:
    """The same with ``--who``: under whose name the act is written down; ``--again`` and ``--yes`` are read by ``carry_out``."""
    again = click.option("--again", is_flag=True, expose_value=False, callback=_kept, help="Ещё раз то, что только что сделано.")
    yes = click.option("--yes", is_flag=True, expose_value=False, callback=_kept, help="Не переспрашивать.")
    who = click.option("--who", default=None, metavar="ИМЯ", help="Кем подписать действие (по умолчанию имя пользователя).")
    return who(again(yes(game_options(function))))


def answered() -> bool:
    """Whether somebody sits at the terminal who can be asked."""
    return sys.stdin.isatty()


def _kept(context: click.Context, option: click.Parameter, value: bool) -> None:
    context.meta[f"forumbot.{option.name}"] = value


def _said(option: str) -> bool:
    return bool(click.get_current_context().meta.get(f"forumbot.{option}"))


@contextmanager
def opened(config: Path, game: str | None) -> Iterator[Opened]:
    """The game that is meant: the named one, else the only one that runs, else the only one there is."""
    import sqlalchemy as sa

    from forumbot.hosting.core import record
    from forumbot.hosting.daemon import wiring
    from forumbot.settings import load_site
    from forumbot.store.tables import games

    with mendable():
        site = load_site(config)
        store = wiring.open_store(site)
        try:
            with store.read() as connection:
                known = list(connection.execute(sa.select(games.c.id).order_by(games.c.id)).scalars())
                chosen = _choose(game, known, list(record.live_games(connection)))
                row = record.load(connection, chosen)
            yield Opened(site, store, row)
        finally:
            store.close()


def carry_out(config: Path, game: str | None, who: str | None, as_json: bool, kind: str, payload: Mapping[str, Any]) -> None:
    """Write an act down and have it carried out; ends with exit code 1 when it is refused. What changes a resolved turn is
    shown before it is done."""
    with opened(config, game) as here:
        given = {**_glance(here), **payload} | ({"again": True} if _said("again") else {})
        if kind in ("replace", "seat"):
            given |= _shown_first(here, payload, as_json=as_json)
        if kind in ("correct", "undo"):
            _show_first(here, who or getpass.getuser(), kind, given, as_json=as_json)
        result = perform(here, who or getpass.getuser(), kind, given)
    if as_json:
        show_json(result)
    elif result["error"] is not None:
        click.echo(f"Не сделано: {result['error']}", err=True)
    elif result["done_at"] is None:
        click.echo(f"Записано (действие {result['id']}), но бот ещё не взялся: посмотрите «forumbot act list».", err=True)
    else:
        _show_newcomer(result["result"] or {})
        click.echo(f"Сделано (действие {result['id']}). Отменить: forumbot act undo {result['id']} --game {here.row.id}")
    if result["error"] is not None or result["done_at"] is None:
        sys.exit(EXIT_REFUSED)


def _shown_first(here: Opened, payload: Mapping[str, Any], *, as_json: bool) -> dict[str, Any]:
    """Who would be seated: the forum shows the account, and somebody at a terminal says whether it is the right one. Gives the
    one of the waiting list who was shown, where nobody was named."""
    from forumbot.hosting.acts import identities, lookups
    from forumbot.hosting.daemon import wiring

    found: dict[str, Any] = {}
    if payload.get("nick") is None and payload.get("uid") is None:
        with here.store.read() as connection:
            first = identities.first_of_reserve(connection, here.row.id, wiring.clock().now())
        if first is None:
            return {}
        found = {"nick": first.nick, "uid": first.uid}
    if as_json or _said("yes") or not answered():
        return found
    wanted = {**payload, **found}
    with here.store.write() as connection:
        number = lookups.ask(connection, here.row.id, wanted.get("nick"), wanted.get("uid"), wiring.clock().now())

    def looked() -> Mapping[str, Any]:
        with here.store.read() as connection:
            return dict(lookups.answer(connection, here.row.id, number) or {})

    _by_whoever_may(here, lambda forum: lookups.run(here.store, wiring.clock().now(), forum.profile, here.zone), looked)
    answer = looked()
    if answer.get("found"):
        _show_newcomer({"profile": answer["found"]})
    if answer.get("error"):
        fail(answer["error"], EXIT_REFUSED)
    if not click.confirm("Сделать?", default=False):
        sys.exit(EXIT_REFUSED)
    return found


def _by_whoever_may(here: Opened, work: Callable[[Forum], None], row: Callable[[], Mapping[str, Any]]) -> None:
    """Have the forum's account do this: the running daemon, which is waited for, or this process where none runs."""
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.daemon.daemon import Lock, Locked

    try:
        with Lock(here.site.database):
            forum = wiring.forum(here.site, wiring.clock())
            work(forum)
            forum.close()
    except Locked:
        until = time.monotonic() + WAIT_SECONDS
        while row().get("done_at") is None and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)


def _show_newcomer(done: Mapping[str, Any]) -> None:
    """Whom the forum has shown under the nick or number that was named."""
    if done.get("section_title"):
        click.echo(f"Раздел {done['set'].get('section', '')} называется «{done['section_title']}».")
    found = done.get("profile")
    if found:
        told = "; ".join(f"{name}: {value}" for name, value in found["lines"])
        click.echo(f"Это {found['nick']} (№ {found['uid']})" + (f": {told}" if told else ""))


def _glance(here: Opened) -> dict[str, Any]:
    """What there is to be seen as the command is given: the daemon may carry it out a moment later."""
    from forumbot.hosting.acts import objects

    with here.store.read() as connection:
        return {"seen": objects.glance(connection, here.row.id)}


def _show_first(here: Opened, who: str, kind: str, payload: Mapping[str, Any], *, as_json: bool) -> None:
    """«Это изменит: …», and a question where somebody can answer it; without a terminal ``--yes`` must have been said."""
    from forumbot.hosting.acts.previewing import preview
    from forumbot.hosting.core.acting import Voice
    from forumbot.hosting.daemon import wiring

    voice = Voice(lambda text: text, 10_000, here.zone)
    found = preview(here.store, here.row.id, who, kind, payload, wiring.clock().now(), voice)
    if found.refused or not (found.published or found.at_once) or _said("yes"):
        return
    if not as_json:
        click.echo("Это изменит:")
        for line in found.lines:
            click.echo(f"  {line}")
    if not answered():
        what = "это меняет подведённый ход" if found.published else "итог будет подведён сразу"
        fail(f"{what}: если так и нужно, повторите команду с --yes", EXIT_REFUSED)
    if not click.confirm("Сделать?", default=False):
        sys.exit(EXIT_REFUSED)


def perform(here: Opened, who: str, kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The act's row after the daemon has carried it out; where no daemon runs, it is done here and now."""
    import sqlalchemy as sa

    from forumbot.hosting.acts import acts
    from forumbot.hosting.core import logs
    from forumbot.hosting.daemon import wiring
    from forumbot.hosting.people import sections
    from forumbot.store.tables import acts as table

    logs.configure(quiet=True)
    clock = wiring.clock()
    try:
        with here.store.write() as connection:
            number = acts.ask(connection, here.row.id, who, kind, payload, clock.now())
    except acts.Refused as refused:
        return {"id": None, "kind": kind, "done_at": None, "error": str(refused), "result": None}

    def row() -> dict[str, Any]:
        with here.store.read() as connection:
            found = connection.execute(sa.select(table).where(table.c.id == number)).mappings().one()
            return {key: found[key] for key in ("id", "kind", "done_at", "error", "result")}

    def carry(forum: Forum) -> None:
        mail = here.site.mail_settings()
        address = mail.address if mail else ""
        asks = forum.profile, sections.titles(forum)
        voice = acts.Voice(forum.escape, forum.max_post, here.zone, address, here.site.site.own, *asks)
        acts.execute(here.store, clock.now(), voice)

    _by_whoever_may(here, carry, row)
    return row()


def values(pairs: tuple[str, ...]) -> dict[str, Any]:
    """``key=value`` arguments of an order; whole numbers, yes and no are taken as such."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign:
            raise click.BadParameter(f"«{pair}»: нужно имя=значение, например role=pierro")
        found[key] = _WORDS.get(value, int(value) if value.removeprefix("-").isdecimal() else value)
    return found


_WORDS: Mapping[str, bool] = {"true": True, "false": False, "да": True, "нет": False}


def _choose(said: str | None, known: list[str], live: list[str]) -> str:
    if not known:
        fail("в базе пока нет ни одной игры: опишите её в папке games и запустите «forumbot run»")
    if said is not None:
        if said not in known:
            fail(f"игры «{said}» нет в базе; есть: {', '.join(known)}")
        return said
    candidates = live if len(live) == 1 else known
    if len(candidates) != 1:
        fail(f"скажите, какая игра: --game {'|'.join(live or known)}")
    return candidates[0]
