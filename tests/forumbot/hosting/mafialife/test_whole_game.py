"""A game of mafialife over several turns: every channel, secrets kept, accounts booked, replayed byte for byte."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.store.tables import bookings, games
from tests.forumbot.hosting.clans.table import DEADLINE, Table, seat_players

MOVES = {
    "commissioner": "Ход: проверка — {target}",
    "doctor": "Ход: лечение — {target}",
    "hacker": "Ход: взлом — {target}",
    "maniac": "Ход: укусить {target}",
    "killer": "Ход: убить – {target}",
    "girl": "Ход: переспать – {target}",
    "mafioso": "Ход: наган — {target}",
    "mafia_journalist": "Ход: проверка – {target}",
    "psycho": "Ход: слежка — {target}",
}
HIDDEN = ("Доктор —", "слежка", "лечение", "пароль", "покупк", "подар", "за МафБаксы")


def a_turn(table: Table, day: int) -> None:
    """All move at the next in the roster and vote, by letter, private message and in the thread in turns."""
    state, alive = table.state(), table.alive()
    for number, nick in enumerate(alive):
        target = alive[(number + 1) % len(alive)]
        wishes = [f"Голос: {alive[day % len(alive)] if nick != alive[day % len(alive)] else target}"] if day > 1 else []
        if state[nick]["role"] in MOVES:
            wishes.append(MOVES[state[nick]["role"]].format(target=target))
        if day == 1 and number % 2:
            wishes.append("Купить: броня за МБ")
        if number % 3 == 2 and day > 1:
            table.world.says(nick, wishes.pop(0), table.thread())
        if wishes and number % 3:
            table.writes(nick, "\n".join(wishes))
        elif wishes:
            table.world.pm(nick, "\n".join(wishes))
    table.world.settle()
    moment = DEADLINE + timedelta(days=day - 1, minutes=4)
    table.world.until(moment - timedelta(minutes=8), step=timedelta(hours=5))
    table.world.until(moment, step=timedelta(minutes=2))
    table.world.settle()


def test_several_turns_to_the_last_day(tmp_path: Path) -> None:
    table = seat_players(tmp_path, "mafialife", players=12, tables={"max_days": 3})
    world = table.world
    world.until(DEADLINE - timedelta(hours=22), step=timedelta(hours=2))
    world.settle()
    before = {nick: state["role"] for nick, state in table.state().items()}
    days = 0
    while table.match().stage == "turn":
        days += 1
        a_turn(table, days)
        world.restart()
    assert days == 3 or world.value(sa.select(games.c.winner)) != "draw"
    public = "\n".join(text for day in range(1, days + 1) for text in world.forum.texts(table.thread(day))[1:])
    assert "[b]Голоса[/b]" in public and re.search("Погиб(?:ла)?: ", public)
    assert [word for word in HIDDEN if word in public] == []
    living = set(table.alive())
    shown = {nick for nick in before if f"{nick} (" in public}
    assert shown.isdisjoint(living)
    assert any("израсходовано: броня" in letter for nick in before for letter in table.told(nick))
    assert table.replays_the_same()
    money = table.match().ruleset.balances(table.match().game)["mafbucks"]
    booked = world.rows(sa.select(bookings.c.amount).where(bookings.c.currency == "mafbucks"))
    assert sum(row["amount"] for row in booked) == sum(money.values())
