"""A whole game of clans from sign-up to victory: letters, private messages and posts, secrets kept, replayed byte for byte."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.store.tables import games, outbox
from tests.forumbot.hosting.clans.table import DEADLINE, NEWSPAPER, Table, seat_players
from tests.forumbot.hosting.world import NICKS

MOVES = {
    "commissioner": "проверяю {target}",
    "doctor": "лечу {target}",
    "witness": "слежу {target}",
    "sleepwalker": "гуляю {target}",
    "taxi_driver": "подвожу {target}",
    "shooter": "стреляю {target}",
}
SECRETS = ("громила", "доктор", "комиссар", "лунатик", "свидетел", "таксист", "избранн", "штраф", "провер", "лечен", "слежк")


def a_night(table: Table, day: int) -> None:
    """Everybody talks, the town hangs the first criminal it finds in the roster, whoever has a move makes one."""
    state = table.state()
    alive = table.alive()
    criminals = [nick for nick in alive if state[nick]["faction"] != "civilians"]
    civilians = [nick for nick in alive if state[nick]["faction"] == "civilians"]
    table.all_talk()
    for number, nick in enumerate(alive):
        target = next(other for other in (criminals[-1], civilians[-1], civilians[0]) if other != nick)
        wishes = [f"Линч: {criminals[0]}"]
        if state[nick]["role"] in MOVES:
            wishes.append(MOVES[state[nick]["role"]].format(target=target))
        if state[nick]["role"] == "don":
            wishes.append(f"Убийство: {civilians[-1]}")
        if number % 3:
            table.writes(nick, "\n".join(wishes))
        else:
            table.world.pm(nick, "\n".join(wishes))
    table.world.settle()
    table.world.until(DEADLINE + timedelta(days=day - 1, minutes=1), step=timedelta(hours=4))
    table.world.until(NEWSPAPER + timedelta(days=day - 1, minutes=1), step=timedelta(hours=1))
    table.world.settle()


def test_the_town_wins_and_the_game_can_be_played_again(tmp_path: Path) -> None:
    table = seat_players(tmp_path, "clans", players=10)
    world = table.world
    world.until(DEADLINE - timedelta(hours=20), step=timedelta(hours=2))
    world.settle()
    days = 0
    while table.match().stage == "turn" and days < 6:
        days += 1
        a_night(table, days)
        world.restart()
    assert world.value(sa.select(games.c.winner)) == "civilians"
    assert len(table.newspapers()) == days >= 2
    assert "Победа: мирные жители" in table.newspapers()[-1]
    assert [word for word in SECRETS if word in table.public().casefold()] == []
    told = "\n".join(world.forum.texts(world.forum.find("Итоги партии")))
    assert "Победа: мирные жители." in told and all(f". {nick} — " in told for nick in NICKS[:10])
    assert "(дон) → " in told and "[i]Голоса[/i]" in told
    assert {row["state"] for row in world.rows(sa.select(outbox))} == {"sent"}
    assert table.replays_the_same()


def test_letters_to_one_player_never_name_anothers_role(tmp_path: Path) -> None:
    table = seat_players(tmp_path, "clans", players=10)
    world = table.world
    world.until(DEADLINE - timedelta(hours=20), step=timedelta(hours=2))
    state = table.state()
    a_night(table, 1)
    for nick in NICKS[:10]:
        own = {"дон": state[nick]["role"] == "don", "комиссар": state[nick]["role"] == "commissioner"}
        for word, may in own.items():
            assert may or not any(f"роль: {word}" in letter for letter in table.told(nick))
    senders = {to for to, _, _, _ in world.mail.out}
    assert senders <= {table.address(nick) for nick in NICKS[:10]} | {"owner@example.org"}
