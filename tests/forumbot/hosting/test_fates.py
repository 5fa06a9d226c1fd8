"""What a player hears of his earlier orders when something else has changed how they stand."""

from engine.model import Order
from forumbot.hosting.core.fates import Fate, turned

MOVE = Order("Анна", "heal", ("Борис",), ref="1.0")


def fate(status: str, reason: str | None = None) -> dict[str, Fate]:
    return {"1.0": Fate(MOVE, status, reason)}  # type: ignore[arg-type]


def test_d54_an_order_that_stands_again_is_told() -> None:
    """The order that had taken its place was refused after the market."""
    assert turned(fate("withdrawn"), fate("accepted")) == {"Анна": [Fate(MOVE, "accepted")]}


def test_what_stands_or_falls_is_told_and_what_merely_gave_way_is_not() -> None:
    assert turned(fate("rejected", "no_item"), fate("accepted")) == {"Анна": [Fate(MOVE, "accepted")]}
    assert turned(fate("accepted"), fate("rejected", "move_sold")) == {"Анна": [Fate(MOVE, "rejected", "move_sold")]}
    assert turned(fate("accepted"), fate("withdrawn")) == {}
    assert turned(fate("withdrawn"), fate("rejected", "dead")) == {}
    assert turned(fate("accepted"), fate("accepted")) == {}
    assert turned(fate("accepted"), {}) == {}
