"""Pictures tell who was ahead when, and who lives; players' words in them are escaped."""

import re
from datetime import timedelta

import sqlalchemy as sa

from forumbot.desk import pictures, series
from forumbot.desk.markup import shown
from forumbot.desk.series import Living, VotesAt
from forumbot.desk.wording import left, number, pieces
from forumbot.hosting.core import counting, record
from forumbot.store.tables import inputs
from tests.forumbot.desk.scene import Scene
from tests.forumbot.hosting.world import MONDAY

HOUR = timedelta(hours=1)


def moment(at: object, how: str = "") -> str:
    return f"{at:{how}}"


def test_each_candidate_has_a_line_that_steps_with_his_votes() -> None:
    changes = [VotesAt(MONDAY, {}), VotesAt(MONDAY + HOUR, {"a": 1}), VotesAt(MONDAY + 2 * HOUR, {"a": 1, "b": 2})]
    picture = pictures.votes(changes, {"a": "Анна", "b": "Борис"}, moment, MONDAY + 4 * HOUR)
    lines = re.findall(r'<path d="([^"]*)"', picture)
    assert len(lines) == 2
    # Two votes are the top of the plot, none the bottom; the leader comes first.
    assert lines[0].startswith("M22.0 138.0")
    assert lines[0].endswith("V8.0H332.0")
    assert "V73.0" in lines[1]
    assert "Борис: 2" in picture
    assert "13:00" in picture


def test_words_of_players_are_escaped_in_pictures() -> None:
    evil = '<b>"&'
    picture = pictures.votes([VotesAt(MONDAY, {}), VotesAt(MONDAY + HOUR, {"x": 1})], {"x": evil}, moment)
    assert "<b>" not in picture
    assert "&lt;b&gt;&#34;&amp;: 1" in picture


def test_the_course_stacks_sides_in_the_order_of_the_rules() -> None:
    after = [Living(-1, {"town": 5, "mafia": 2}), Living(1, {"town": 4, "mafia": 2}), Living(2, {"town": 4})]
    picture = pictures.course(after, ("mafia", "town", "nobody"), lambda group, id_: f"{group}/{id_}")
    assert picture.index("factions/mafia: 0") < picture.index("factions/town: 4")
    assert "nobody" not in picture
    assert picture.count("<rect") == 5 + 2
    assert "раздача" in picture


def test_the_series_follow_the_inputs(quiet: Scene) -> None:
    with quiet.world.store.read() as connection:
        row = record.load(connection, "gk1")
        votes = series.votes_of_turn(connection, row, 1)
        course = series.course(connection, row)
    assert [change.votes for change in votes] == [
        {},
        {"Борис": 1},
        {"Борис": 2},
        {"Борис": 2, "Дина": 1},
        {"Борис": 3, "Дина": 1},
    ]
    assert [living.turn for living in course] == [-1]
    assert sum(course[0].factions.values()) == 15


def test_our_own_markup_is_shown_and_everything_else_is_text() -> None:
    assert shown("[b]Жирно[/b] <i>нет</i>") == "<b>Жирно</b> &lt;i&gt;нет&lt;/i&gt;"
    assert shown("[color=red]кр[/color] [color=url(x)]x[/color]") == '<span class="color-red">кр</span> <span>x</span>'
    assert shown("[b]не закрыто") == "<b>не закрыто</b>"
    assert shown("[b][i]крест[/b][/i]") == "<b><i>крест</i></b>[/i]"
    assert shown("[url=javascript:x]нет[/url]") == "[url=javascript:x]нет[/url]"
    assert shown('[color=red" onload=x]a') == "<span>a</span>"


def test_words_are_cut_where_the_verdict_rests_on_them() -> None:
    orders = [{"spans": [[0, 4, "action"], [6, 10, "target"]]}, {"spans": [[6, 10, "target"], [90, 99, "doubt"]]}]
    assert pieces("Линч: Анна!", orders) == [("Линч", "action"), (": ", ""), ("Анна", "target"), ("!", "")]
    assert pieces("", orders) == []


def test_times_left_and_numbers_are_said_in_words() -> None:
    assert left(MONDAY + timedelta(days=2, hours=3), MONDAY) == "осталось 2 д 3 ч"
    assert left(MONDAY + timedelta(minutes=61), MONDAY) == "осталось 1 ч 1 мин"
    assert left(MONDAY + timedelta(seconds=59), MONDAY) == "осталось 59 с"
    assert left(MONDAY, MONDAY) == "срок наступил"
    assert [number(value) for value in (1.0, 1.5, 2, 0.25)] == ["1", "1,5", "2", "0,25"]


def test_d04_the_votes_of_a_day_go_forward_in_time_whatever_arrives_when(scene: Scene) -> None:
    """A post that was written early and read late (a page that was down) stands where it was written."""
    with scene.world.store.write() as connection:
        row = record.load(connection, "gk1")
        mine = inputs.c.game_id == "gk1", inputs.c.turn == 1, inputs.c.kind == "order"
        given = connection.execute(sa.select(inputs).where(*mine).order_by(inputs.c.seq)).mappings().all()
        first, last = given[0], given[-1]
        early = first["at"] - timedelta(minutes=5)
        payload = {**last["payload"], "at": early.isoformat()}
        connection.execute(inputs.update().where(inputs.c.id == last["id"]).values(at=early, payload=payload))
        changes = series.votes_of_turn(connection, row, 1)
        moments = [change.at for change in changes]
        assert moments == sorted(moments)
        assert changes[1].at == early
        ended = counting.count(counting.at(connection, row, 1), {})
        assert changes[-1].votes == {seat: weight for seat, weight, _ in ended if weight}
        for change in changes:
            then = counting.count(counting.at(connection, row, 1, moment=change.at), {})
            assert change.votes == {seat: weight for seat, weight, _ in then if weight}
