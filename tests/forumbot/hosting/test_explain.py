"""Promise 6: everything can be explained: which post or letter, which words, which rule."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import record
from forumbot.hosting.explain.explain import Explanation, Reason
from forumbot.store.tables import posts, turns
from tests.forumbot.hosting.hosts import does
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.world import World

ZONE = "Europe/Moscow"


@pytest.fixture
def resolved(day: World) -> World:
    """The morning after a lynch of Борис, with one vote of the host's making and a removal."""
    day.says("Анна", "Думал долго. [color=blue]Линч: Борис[/color]")
    day.says("Вера", "[color=blue]Борис[/color]")
    day.settle()
    does(day, "order", player="Глеб", action="vote", targets=["Борис"])
    does(day, "remove", player="Павел")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    return day


def explained(world: World, turn: int) -> Explanation:
    with world.store.read() as connection:
        return Explanation(connection, record.load(connection, world.game), turn, ZONE)


def why(world: World, nick: str, turn: int = 1) -> tuple[Reason, ...]:
    with world.store.read() as connection:
        return Explanation(connection, record.load(connection, world.game), turn, ZONE).why(nick)


def test_a_lynch_is_explained_by_rule_posts_words_and_the_hosts_act(resolved: World) -> None:
    first = why(resolved, "Борис")[0]
    assert first.kind == "Lynched"
    assert first.rule == "R12"
    anna, vera, gleb = sorted(first.sources, key=lambda source: source.author == "Хозяин")
    post = resolved.value(sa.select(posts.c.id).where(posts.c.author == "Анна", posts.c.html.contains("Линч")))
    assert anna.link == f"post:{post}"
    assert anna.author == "Анна"
    assert "Борис" in anna.words
    assert "Думал долго" not in anna.words
    assert anna.where.endswith(f"темы {resolved.forum.find('День 1')}")
    assert (vera.author, gleb.kind) == ("Вера", "действие ведущего")


def test_a_death_by_the_host_is_explained(resolved: World) -> None:
    first = why(resolved, "Павел")[0]
    assert first.text == "Павел погибает: снят ведущим"
    assert first.rule == "R71"
    assert [source.kind for source in first.sources] == ["действие ведущего"]


def test_every_line_of_the_newspaper_has_its_reasons(resolved: World) -> None:
    with resolved.store.read() as connection:
        lines = Explanation(connection, record.load(connection, resolved.game), 1, ZONE).lines()
    report = str(resolved.value(sa.select(turns.c.report).where(turns.c.turn == 1)))
    for text, reasons in lines:
        assert all(part in report for part in text.split(": ")[-1:])
        assert reasons[0].rule
    (lynch,) = [reasons for text, reasons in lines if "минус 1 жизнь" in text]
    assert {source.author for reason in lynch for source in reason.sources} == {"Анна", "Вера", "Хозяин"}
    (dead,) = [reasons for text, reasons in lines if "Погибшие" in text]
    assert any("Павел погибает" in reason.text for reason in dead)


def test_the_running_turn_is_explained_too(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    (reason,) = [reason for reason in why(day, "Борис") if reason.kind == "Accepted"]
    assert reason.text == "Принято: Анна, «голос»: Борис"
    day.until(LYNCH + timedelta(minutes=10), step=timedelta(hours=1))
    assert why(day, "Борис")[0].kind == "Lynched"


def test_nothing_in_an_explanation_is_left_in_ids(resolved: World) -> None:
    with resolved.store.read() as connection:
        told = Explanation(connection, record.load(connection, resolved.game), 1, ZONE).everything()
    assert {"Step", "Notice"} <= {reason.kind for reason in told}
    for reason in told:
        if reason.kind != "Draw":
            assert "_" not in reason.text, reason.text


def test_unknown_turns_and_nicks_are_named(day: World) -> None:
    with pytest.raises(LookupError, match="хода 9 в этой игре не было"):
        explained(day, 9)
    with pytest.raises(LookupError, match="игрока «Никто» нет"):
        why(day, "Никто")
