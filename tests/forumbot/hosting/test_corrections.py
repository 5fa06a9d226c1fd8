"""A published turn is corrected: once, everywhere, with the old report kept (goldenkey S9, T60)."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import games, outbox, turns, verdicts
from tests.forumbot.hosting.hosts import day_one, does, refused, sent_to, undoes
from tests.forumbot.hosting.test_deadlines import MORNING
from tests.forumbot.hosting.world import NICKS, World, count, votes


def report(world: World, turn: int = 1) -> str:
    return str(world.value(sa.select(turns.c.report).where(turns.c.turn == turn)))


def corrections(world: World) -> list[str]:
    """Correction posts in all threads."""
    return [post for topic in world.forum.topics for post in world.forum.texts(topic) if "Исправление газеты" in post]


@pytest.fixture
def published(tmp_path: Path) -> World:
    """Morning after day 1: Борис was hit by one vote; Анна's post for Вера and Павел waited for the host in vain."""
    day = day_one(tmp_path, tables={"notify_lynch": True})
    day.says("Глеб", "[color=blue]Борис[/color]")
    day.says("Анна", "[color=blue]Вера, Павел[/color]")
    day.says("Дина", "[color=blue]Вера[/color]")
    day.settle()
    (vote,) = day.rows(sa.select(verdicts).where(verdicts.c.author == "Дина", verdicts.c.turn == 1))
    does(day, "strike", verdict=vote["id"])
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    assert "Борис - минус 1 жизнь" in report(day)
    return day


def review(world: World) -> int:
    return int(world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Анна", verdicts.c.outcome == "review")))


def test_a_review_decided_too_late_is_told_to_be_a_correction(published: World) -> None:
    assert "исправьте" in refused(published, "accept", verdict=review(published), choice=0)
    assert "исправьте" in refused(published, "order", player="Анна", action="vote", targets=["Вера"], turn=1)


def test_a_corrected_turn_is_resolved_anew_and_said_once(published: World) -> None:
    """T60: the new order is in, the old report is marked as replaced, the players hear it once."""
    world = published
    old = report(world)
    changes = [
        {"kind": "accept", "verdict": review(world), "choice": 0},
        {"kind": "order", "player": "Дина", "action": "vote", "targets": ["Вера"], "turn": 1},
    ]
    does(world, "correct", changes=changes)
    assert "Вера - минус 1 жизнь" in report(world)
    (kept,) = world.value(sa.select(turns.c.replaced).where(turns.c.turn == 1))
    assert kept["report"] == old
    assert kept["who"] == "Хозяин"
    world.settle()
    (post,) = corrections(world)
    assert "Вера - минус 1 жизнь" in post
    assert post in world.forum.texts(world.forum.find("День 2"))
    told = {nick: [text for _, text in world.forum.pms_to(nick) if "исправил итог дня 1" in text] for nick in NICKS[:15]}
    assert {nick: len(texts) for nick, texts in told.items() if texts} == {"Борис": 1, "Вера": 1}
    (boris,) = sent_to(world, "Борис", "исправил итог")
    assert "Больше не действует" in boris
    assert "Верно теперь" not in boris
    (vera,) = sent_to(world, "Вера", "исправил итог")
    assert "Осталось жизней: 1" in vera
    assert all(turn.same for turn in replay_game(world.store, world.game, "Europe/Moscow"))


def test_the_running_turn_follows_and_goes_on(published: World) -> None:
    world = published
    world.says("Анна", "[color=blue]Павел[/color]")
    world.settle()
    does(world, "correct", changes=[{"kind": "order", "player": "Анна", "action": "vote", "targets": ["Борис"], "turn": 1}])
    does(world, "correct", changes=[{"kind": "host", "action": "host_remove", "player": "Павел", "turn": 1}])
    assert votes(world) == {}
    world.until(MORNING + timedelta(hours=25), step=timedelta(hours=3))
    replayed = replay_game(world.store, world.game, "Europe/Moscow")
    assert [turn.turn for turn in replayed] == [1, 2]
    assert all(turn.same for turn in replayed)


def test_a_correction_that_changes_nothing_is_refused(published: World) -> None:
    assert "не меняется" in refused(published, "correct", changes=[{"kind": "reject", "verdict": review(published)}])
    assert "нельзя" in refused(published, "correct", changes=[{"kind": "pause"}])
    assert "ни одного изменения" in refused(published, "correct", changes=[])
    assert published.value(sa.select(turns.c.replaced).where(turns.c.turn == 1)) is None


def test_a_correction_is_taken_back_in_silence_until_it_is_seen(published: World) -> None:
    world = published
    old = report(world)
    world.forum.failing = []
    voters = ("Дина", "Егор")
    act = does_unsent(
        world, [{"kind": "order", "player": nick, "action": "vote", "targets": ["Вера"], "turn": 1} for nick in voters]
    )
    assert report(world) != old
    undoes(world, act)
    world.settle()
    assert report(world) == old
    assert corrections(world) == []
    assert sent_to(world, "Вера", "исправил итог") == []


def test_a_correction_that_was_seen_is_corrected_again(published: World) -> None:
    world = published
    old = report(world)
    act = does(world, "correct", changes=[{"kind": "strike", "verdict": voted(world, "Глеб")}])
    assert "Никто не теряет жизнь" in report(world)
    world.settle()
    undoes(world, act)
    world.settle()
    assert report(world) == old
    assert len(corrections(world)) == 2
    assert len(world.value(sa.select(turns.c.replaced).where(turns.c.turn == 1))) == 2


def test_before_the_newspaper_is_out_the_correction_takes_its_place(day: World) -> None:
    """S9: nobody has seen the first resolution, so nobody hears of a correction."""
    day.says("Глеб", "[color=blue]Борис[/color]")
    day.settle()
    with day.store.write() as connection:
        config = dict(connection.execute(sa.select(games.c.config)).scalar_one())
        connection.execute(games.update().values(config={**config, "mode": "host", "approve_until": "never"}))
    day.until(MORNING + timedelta(minutes=20), step=timedelta(hours=2))
    day.settle()
    does(day, "correct", changes=[{"kind": "strike", "verdict": voted(day, "Глеб")}])
    (row,) = day.rows(sa.select(outbox).where(outbox.c.key == "gk1/t1/newspaper"))
    assert row["state"] == "held"
    assert "Никто не теряет жизнь" in row["body"]
    does(day, "release", outbox=row["id"])
    day.settle()
    assert corrections(day) == []
    assert sent_to(day, "Борис", "потеряли") == []
    assert any("Никто не теряет жизнь" in text for text in day.forum.texts(day.forum.find("День 1")))
    assert day.forum.find("День 2")


def test_a_correction_that_would_have_ended_the_game_is_refused(published: World) -> None:
    world = published
    everybody = [
        {"kind": "host", "action": "host_remove", "player": seat, "turn": 1}
        for seat in world.value(sa.select(turns.c.names).where(turns.c.turn == 1))
    ]
    assert "победа наступила бы уже в день 1" in refused(world, "correct", changes=everybody)
    assert count(world, turns, turns.c.replaced.is_not(None)) == 0


def voted(world: World, nick: str) -> int:
    return int(world.value(sa.select(verdicts.c.id).where(verdicts.c.author == nick, verdicts.c.turn == 1)))


def does_unsent(world: World, changes: list[dict[str, object]]) -> int:
    """A correction while the forum and the mailbox take nothing."""
    from adapters.errors import Unreachable

    world.forum.failing = [Unreachable("502")] * 50
    act = does(world, "correct", changes=changes)
    world.forum.failing = []
    return act
