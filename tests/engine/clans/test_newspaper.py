"""The newspaper's lines, what may never show in them, and that everything can be explained (R97-R99)."""

from __future__ import annotations

from engine.model import Counted, Death, Lynched, Notice, Outcome, Rejected, Saved
from tests.engine.clans.board import Board

CAST = """
Анна doctor
Вера commissioner
Глеб shooter
Егор citizen
Жанна citizen
Захар citizen
Борис don red
Лола seductress red
Дина don black
Макс maniac
"""


def test_all_lines_in_their_order() -> None:
    cast = CAST.replace("Егор citizen", "Егор citizen exhausted")
    options = {"publish_votes": "totals", "report_saves": "count", "torture_public": True, "reveal_dead": "status"}
    board = Board(cast, state={"last_checked": {"red": "Анна"}}, first_turn=4, **options)
    night = board.turn("Вера vote Жанна", "Анна vote Жанна", "Глеб vote Захар", "Лола seduce Дина", "Глеб shoot Вера")
    assert night.newspaper == [
        "Газета. День 4",
        "Суд Линча: Жанна",
        "Голоса: Жанна 2, Захар 1",
        "Егор: полное истощение (мирный)",
        "Жанна: суд Линча (мирный)",
        "Лола: разборка в мотеле (мафия)",
        "Покушений без жертв: 1",
        "Под пытками названо имя: Анна",
        "В живых: Анна, Вера, Глеб, Захар, Борис, Дина, Макс",
    ]


def test_votes_of_nobody_are_no_line_and_secret_votes_none_either() -> None:
    cast = CAST.replace("Жанна citizen", "Жанна chosen")
    night = Board(cast, publish_votes="totals").turn("Жанна extra_votes Егор")
    assert night.newspaper[:3] == ["Газета. День 1", "Суд Линча: Егор", "Егор: суд Линча"]


def test_the_secret_votes_that_decide_are_nowhere_in_the_newspaper() -> None:
    """Trouble T27: the weight is the host's, the report has no word of whose it is."""
    cast = CAST.replace("Жанна citizen", "Жанна chosen")
    night = Board(cast).turn("Анна vote Борис", "Глеб vote Борис", "Егор vote Вера", "Жанна extra_votes Вера Вера")
    assert night.votes == {"Борис": 2, "Вера": 3} and night.lynched == ["Вера"]
    text = "\n".join(night.newspaper)
    assert "Жанна" not in text.replace("В живых: Анна, Глеб, Егор, Жанна", "") and "3" not in text


def test_every_cause_and_every_victory_has_its_words() -> None:
    civilians = Board("Анна citizen\nБорис don red").turn("Анна vote Борис")
    assert civilians.newspaper[-2:] == ["Победа: мирные жители", "В живых: Анна"]
    assert Board("Анна citizen\nБорис don red").turn("Борис kill Анна").newspaper[-2] == "Победа: клан «Красные»"
    assert Board("Анна citizen\nМакс maniac").turn("Анна vote Анна").newspaper[-2] == "Победа: маньяк Макс"
    assert Board("Анна citizen\nМакс maniac exhausted").turn("Анна vote Анна").newspaper[-2:] == ["Ничья", "В живых:"]


def test_two_nights_that_look_alike_from_outside_have_the_same_newspaper() -> None:
    """R98: healed, guarded, vested, beaten, away, or simply left alone, nobody can tell."""
    quiet = [
        (),
        ("Анна heal Егор", "Борис kill Егор"),
        ("Глеб shoot Вера",),
        ("Лола seduce Егор", "Дина kill Егор"),
        ("Макс invite Егор", "Анна heal Егор"),
        ("Борис kill Дина",),
        ("Егор hunt Дина", "Анна heal Дина"),
    ]
    papers = [[(line.section, line.kind, dict(line.data)) for line in Board(CAST).turn(*orders).lines] for orders in quiet]
    assert all(paper == papers[0] for paper in papers)


def test_the_order_of_the_dead_does_not_tell_the_course_of_the_night() -> None:
    """D59: an exhausted player dies in phase 3 or hangs on until 6; the lines are the same."""
    cast = CAST.replace("Захар citizen", "Захар citizen exhausted")
    hung = Board(cast).turn("Вера vote Егор", "Лола seduce Анна", "Анна heal Захар", "Дина kill Жанна").newspaper
    not_hung = Board(cast).turn("Вера vote Егор", "Дина kill Жанна").newspaper
    assert hung == not_hung


def test_a_failed_hunts_target_appears_in_no_notice_and_no_line() -> None:
    night = Board(CAST).turn("Жанна hunt Егор")
    assert "Жанна: неудачная мирная охота" in night.newspaper
    assert not any("Егор" in str(notice.data) for notice in night.notices)
    assert not any("Егор" in line for line in night.newspaper if not line.startswith("В живых"))


def test_the_dead_get_no_results_and_failures_never_say_why() -> None:
    night = Board(CAST).turn("Вера check Борис", "Лола seduce Вера", "Анна heal Егор", "Глеб shoot Анна")
    assert night.told("Анна") == []
    assert night.told("Вера") == [("guest", {"host": "seductress"}), ("move_failed", {"action": "check"})]


def test_everything_that_happened_names_its_rule_and_its_orders() -> None:
    board = Board(CAST)
    night = board.turn(
        "Вера vote Егор", "Анна heal Захар", "Борис kill Захар", "Глеб shoot Жанна", "Лола seduce Вера", "Вера check Дина"
    )
    told = (Counted, Death, Lynched, Notice, Outcome, Rejected, Saved)
    assert all(event.rule for event in night.events if isinstance(event, told))
    refs = {event.player: event.refs for event in night.events if isinstance(event, Death)}
    assert refs["Жанна"] == ("o4",)
    assert refs["Егор"] == ("o1",)
    assert {(n.to, n.kind): n.refs for n in night.notices}[("Вера", "guest")] == ("o5",)
    assert all(len(event.refs) == 1 for event in night.events if isinstance(event, Outcome))
    assert all(line.rule == "R97" for line in night.lines)


def test_the_seating_table_is_posted_at_the_opening_and_is_no_part_of_the_newspaper() -> None:
    board = Board(CAST.replace("Егор citizen", "Егор citizen dead"))
    (line,) = board.open()
    assert (line.section, line.data["players"]) == (  # type: ignore[attr-defined]
        "seating",
        ("Анна", "Вера", "Глеб", "Жанна", "Захар", "Борис", "Лола", "Дина", "Макс"),
    )
    drawn = Board(CAST, seating="random", seed=3)
    drawn.open()
    assert sorted(drawn.game.ring) == sorted(drawn.game.players) and drawn.game.ring != tuple(drawn.game.players)
    assert [draw.point for draw in drawn.chance.record] == ["seating"] * 9


def test_the_explanation_of_a_lynch_holds_no_secret_vote() -> None:
    cast = CAST.replace("Жанна citizen", "Жанна chosen")
    night = Board(cast).turn("Анна vote Вера", "Жанна extra_votes Вера Вера", "Глеб vote Борис")
    public = [line.refs for line in night.lines]
    assert ("o1",) in public and not any("o2" in refs for refs in public)
