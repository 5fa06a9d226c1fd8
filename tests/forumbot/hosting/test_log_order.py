"""The replay log keeps its order however many inputs are put in at one place."""

from datetime import timedelta

import sqlalchemy as sa

from forumbot.hosting.acts.acts import Voice
from forumbot.hosting.core import acting, record
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import inputs
from tests.forumbot.hosting.hosts import does, undoes
from tests.forumbot.hosting.test_deadlines import MORNING
from tests.forumbot.hosting.world import DAY_ONE, World, votes

EARLY, LATE = DAY_ONE - timedelta(hours=2), DAY_ONE - timedelta(hours=1)


def log(world: World) -> list[tuple[float, str, str]]:
    rows = world.rows(sa.select(inputs).where(inputs.c.kind == "order", inputs.c.struck.is_(None)).order_by(inputs.c.seq))
    return [(row["seq"], row["payload"]["player"], row["payload"]["targets"][0]) for row in rows]


def test_two_hundred_orders_of_the_host_at_one_place_keep_their_order(day: World) -> None:
    """Each comes before the same later vote and after those entered before it: halving alone ends after fifty."""
    late = does(day, "order", player="Вера", action="vote", targets=["Лев"], at=LATE.isoformat())
    targets = ["Борис", "Глеб", "Дина"]
    with day.store.write() as connection:
        row = record.load(connection, day.game)
        context = acting.Context(connection, row, day.clock.now(), 0, "Хозяин", Voice(str, 10_000, "Europe/Moscow"))
        entered = [
            acting.enter(context, "Анна", "vote", [targets[number % 3]], {}, at=EARLY, turn=1) for number in range(200)
        ]
    rows = day.rows(sa.select(inputs.c.id).where(inputs.c.id.in_(entered)).order_by(inputs.c.seq))
    assert [row["id"] for row in rows] == entered
    orders = log(day)
    assert orders[-1][1:] == ("Вера", "Лев")
    assert [target for _, player, target in orders if player == "Анна"] == [targets[number % 3] for number in range(200)]
    day.restart()
    day.tick()
    assert votes(day) == {targets[199 % 3]: 1, "Лев": 1}
    undoes(day, late)
    assert votes(day) == {targets[199 % 3]: 1}, "what an act has entered is found again under its new number"
    day.until(MORNING + timedelta(hours=2), step=timedelta(hours=4))
    assert all(turn.same for turn in replay_game(day.store, day.game, "Europe/Moscow"))


def test_messages_read_late_stand_at_their_time_also_after_a_renumbering(day: World) -> None:
    """The forum's time decides, and what has been numbered anew goes on from there."""
    with day.store.write() as connection:
        last = connection.execute(sa.select(sa.func.max(inputs.c.seq)).where(inputs.c.game_id == day.game)).scalar_one()
        place = record.between(connection, day.game, last - 1, last - 1 + 2.0**-30)
        seqs = connection.execute(sa.select(inputs.c.seq).order_by(inputs.c.seq)).scalars().all()
    assert place == last - 0.5
    assert list(seqs) == [float(number) for number in range(1, len(seqs) + 1)]
    thread = day.forum.find("День 1")
    for nick, target, at in (("Анна", "Борис", LATE), ("Глеб", "Борис", EARLY)):
        day.forum.says(thread, day.uid(nick), nick, f"[color=blue]{target}[/color]", at=at)
        day.clock.sleep(61)
        day.tick()
    assert [player for _, player, _ in log(day)] == ["Глеб", "Анна"]
