"""What a demo holds its game against, where the bot asked about a message instead of taking it."""

from datetime import UTC, date, datetime, timedelta

import pytest

from forumbot import resources
from forumbot.demo.report import _asked
from forumbot.demo.saying import Saying, Wish
from forumbot.demo.truth import Truth, fold

_SEATS = tuple(f"Игрок{number}" for number in range(15))
_CLOSED = datetime(2026, 11, 29, 17, 0, tzinfo=UTC)


def _vote(author: int, target: int) -> Saying:
    at = datetime(2026, 11, 30, 9, 0, tzinfo=UTC) + timedelta(minutes=author)
    wish = Wish("vote", (_SEATS[target],))
    one = Saying(_SEATS[author], at, "post", f"Голос против {_SEATS[target]}", means="order", wishes=(wish,))
    one.sent, one.source = at, f"post/{author}"
    return one


def _played(said: list[Saying], asked: dict[str, frozenset[str]]) -> Truth:
    tables = resources.toml("rulesets/goldenkey.toml")
    return fold("goldenkey", tables, 1, _SEATS, _CLOSED, date(2026, 11, 30), said, {}, asked)


def test_what_the_bot_asked_about_is_answered_by_the_rules_and_not_played() -> None:
    """The demo's players do not answer questions: a question without need is told as such, and the game is held against the
    rest, not against a move that the bot never said it had taken (goldenkey with the seed 4)."""
    said = [_vote(1, 5), _vote(2, 5), _vote(3, 6), _vote(4, 6), _vote(5, 6)]
    whole, part = _played(said, {}), _played(said, {"post/3": frozenset({"vote"}), "post/4": frozenset({"vote"})})
    assert whole.turns[0].lines != part.turns[0].lines
    assert whole.answers == part.answers == {one.source: ("accepted",) for one in said}


@pytest.mark.parametrize(
    ("outcome", "statuses", "asked"),
    [
        ("accepted", ["beat accepted", "bid_role review"], {"bid_role"}),
        ("accepted", ["beat accepted", "bid_role accepted"], set()),
        ("accepted", ["beat review", "beat accepted", "bid_role accepted"], set()),
        ("review", [], {"beat", "bid_role"}),
        ("accepted", ["beat accepted", "spy review"], set()),
    ],
)
def test_a_part_of_a_message_may_be_asked_about(outcome: str, statuses: list[str], asked: set[str]) -> None:
    wishes = (Wish("beat", ("Анна",)), Wish("bid_role", (), {"role": "arlekin"}))
    at, text = datetime(2026, 12, 1, tzinfo=UTC), "бью Анну, хочу быть Арлекином"
    one = Saying("Вера", at, "letter", text, means="order", wishes=wishes)
    orders = [dict(zip(("action", "status"), said.split(), strict=True)) for said in statuses]
    assert _asked(one, {"outcome": outcome, "orders": orders}) == asked
    assert _asked(one, None) == set()
