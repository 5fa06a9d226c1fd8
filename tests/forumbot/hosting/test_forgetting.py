"""Addresses of players go some days after the end of the game; what was decided stays."""

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.hosting.people.forgetting import GONE
from forumbot.store.tables import games, holders, letters, outbox, verdicts
from tests.forumbot.hosting.world import MONDAY, World, count, make_world


def over(folder: Path) -> World:
    """A game that did not come about (too few players), with one proven address."""
    world = make_world(folder, players=3)
    code = world.value(sa.select(holders.c.proof_code).where(holders.c.seat == "Анна"))
    world.mail.arrives("anna@example.org", "код", code)
    world.settle()
    assert world.value(sa.select(holders.c.address).where(holders.c.seat == "Анна")) == "anna@example.org"
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    assert world.value(sa.select(games.c.stage)) == "cancelled"
    return world


def addresses(world: World) -> set[str]:
    found = {row["address"] for row in world.rows(sa.select(holders.c.address))}
    found |= {row["sender"] for row in world.rows(sa.select(letters.c.sender).where(letters.c.channel == "mail"))}
    found |= {row["target"]["address"] for row in world.rows(sa.select(outbox).where(outbox.c.kind == "letter"))}
    return {address for address in found if address and "anna" in address}


def test_addresses_stay_while_disputes_may_come(tmp_path: Path) -> None:
    world = over(tmp_path)
    world.clock.sleep(29 * 86400)
    world.tick()
    assert addresses(world) == {"anna@example.org"}


def test_addresses_go_after_the_set_days_and_verdicts_stay(tmp_path: Path) -> None:
    world = over(tmp_path)
    before = count(world, verdicts)
    world.clock.sleep(31 * 86400)
    world.tick()
    assert addresses(world) == set()
    assert count(world, holders, holders.c.proof_code != "") == 0
    raw = world.rows(sa.select(letters.c.raw).where(letters.c.sender == GONE))
    assert raw
    assert all(row["raw"] == b"" for row in raw)
    assert count(world, verdicts) == before
