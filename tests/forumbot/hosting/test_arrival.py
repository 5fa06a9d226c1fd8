"""Who was first: forums print minutes, so many posts have one time."""

from pathlib import Path

import sqlalchemy as sa

from forumbot.store.tables import seats, verdicts
from tests.forumbot.hosting.world import NICKS, World, make_world


def test_posts_of_one_minute_are_judged_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    world: World = make_world(tmp_path, players=0)
    for nick in NICKS:
        world.forum.says(world.forum.find("Запись"), world.uid(nick), nick, "играю")
    world.settle()
    judged = world.rows(sa.select(verdicts.c.author).where(verdicts.c.reason.is_(None)).order_by(verdicts.c.id))
    assert [row["author"] for row in judged] == list(NICKS)
    seated = world.rows(sa.select(seats.c.seat).where(seats.c.state == "in").order_by(seats.c.place))
    assert [row["seat"] for row in seated] == list(NICKS)
