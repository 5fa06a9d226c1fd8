"""A demo that stops in the middle of its game: a newspaper waits for the host, letters are doubtful, somebody asks, and the desk
is open for whoever watches to do what a host does."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from socket import socket

from forumbot.demo.house import GAME, House
from forumbot.desk import accounts
from forumbot.desk.app import server
from forumbot.hosting.acts import acts
from forumbot.hosting.core import record
from forumbot.hosting.core.record import load
from forumbot.settings import DeskPart, load_site
from forumbot.store.database import Store

HOST = "Ведущий"
QUESTION = "Ведущий, завтра я в дороге и до вечера без связи. Можно прислать ход пораньше?"
_DOUBTS = ("Ход: {one} или {other}", "Мой ход: {one}. Хотя нет, наверное лучше {other}?")


@dataclass(frozen=True, slots=True)
class Opened:
    """Where the desk is, and with what one enters it."""

    address: str
    name: str
    password: str


def let_the_host_decide(house: House) -> None:
    """From now on newspapers wait for the host, as a host would have set it in the game's file and at the desk."""
    wanted = {"mode": "host", "approve_until": "never"}
    with (house.folder / "games" / f"{GAME}.toml").open("a", encoding="utf-8") as file:
        file.writelines(f'{key} = "{value}"\n' for key, value in wanted.items())
    store = Store(house.database)
    try:
        with store.write() as connection:
            acts.ask(connection, GAME, HOST, "set", {"settings": wanted}, house.clock.now())
    finally:
        store.close()


def doubts(house: House) -> int:
    """Two players of those who live write what nobody can be sure of, and one asks the host; gives how many messages."""
    store = Store(house.database)
    try:
        with store.read() as connection:
            row = load(connection, GAME)
            match = record.fold(connection, row)
            living = [str(seat) for seat in match.ruleset.alive(match.game)]
    finally:
        store.close()
    board = house.board
    writers, named = living[:3], living[-2:]
    for writer, doubt in zip(writers, _DOUBTS, strict=False):
        one, other = [nick for nick in named if nick != writer] + [writer] * (writer in named)
        board.send_pm(house.company.actors[writer].uid, house.host, "ход", doubt.format(one=one, other=other))
    board.send_pm(house.company.actors[writers[-1]].uid, house.host, "вопрос", QUESTION)
    return len(_DOUBTS) + 1


@contextmanager
def desk(house: House) -> Iterator[Opened]:
    """The desk of the demo's site on a free port of this machine, with one host, until the block is left."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    site = load_site(house.config).model_copy(update={"desk": DeskPart(port=port)})
    store = Store(house.database)
    password = secrets.token_urlsafe(9)
    with store.write() as connection:
        account = accounts.save(connection, HOST, house.clock.now())
        accounts.give_role(connection, account, accounts.EVERY_GAME, "host")
        accounts.set_password(connection, account, password)
    running = server(site, store, house.clock)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    try:
        while not running.started and thread.is_alive():
            time.sleep(0.01)
        yield Opened(site.desk.address, HOST, password)
    finally:
        running.should_exit = True
        thread.join()
        store.close()
