"""Blotting a hidden victim's nick out of a story (R131, D86)."""

from __future__ import annotations

import pytest

from engine.masking import mask
from tests.engine.league.board import order, play, start


@pytest.mark.parametrize(
    ("nick", "story", "masked"),
    [
        ("Борис", "Борис шёл. Борису, БОРИСА, Борисом!", "*** шёл. ***, ***, ***!"),
        ("Борис", "Борисович и Борисполь, неборис", "Борисович и Борисполь, неборис"),
        ("Анна", "Анну, Анной, аннушку, Анн", "***, ***, аннушку, ***"),
        ("Анна", "Аннам, Аннами", "***, ***"),
        ("Рая", "Раю, раз, рая, Раей, рано, Ра", "***, раз, ***, ***, рано, Ра"),
        ("Ян", "Ян, Яна, Яну, янтарь, Яном", "***, ***, ***, янтарь, ***"),
        ("Лёша", "Лёшу и Леше", "*** и ***"),
        ("Тётя Мотя", "Тёте Моте и тётя  мотя; тётя одна", "*** и ***; тётя одна"),
        ("Юзер№5", "Юзер№5 и Юзер", "*** и Юзер"),
        ("Zloy_77", "zloy_77 и Zloy", "*** и Zloy"),
        ("Ия", "Ия и Ию; ими", "*** и ***; ими"),
        ("О", "о чём это", "*** чём это"),
        ("a.b", "a.b и aXb", "*** и aXb"),
        ("Лис", "Лис, Лисы, Лиса, Листва", "***, ***, ***, ***"),
    ],
)
def test_mentions(nick: str, story: str, masked: str) -> None:
    assert mask(story, nick) == masked


def test_a_hidden_victim_is_named_nowhere_and_the_line_says_whom_to_hide() -> None:
    cast = {"А": "mafioso", "Борис": {"role": "citizen", "items": ["armour_mafia"]}, "В": "citizen", "Я": "yakuza"}
    turn = play(start(cast), order("А kill Борис", story="Борису не спалось."))
    story = next(e for e in turn.events if getattr(e, "section", "") == "stories")
    assert story.data == {"text": "*** не спалось.", "hide": ["Борис"]}  # type: ignore[attr-defined]
    assert "Борис" not in turn.report.split("Живые")[0]
