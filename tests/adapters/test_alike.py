"""Titles that boards have cut or censored."""

from __future__ import annotations

import pytest

from adapters.alike import bears

SUBJECT = "Два клана. День 6"


@pytest.mark.parametrize("title", [SUBJECT, "два клана. день  6", "Два клана.\nДень 6"])
def test_a_title_bears_its_subject(title: str) -> None:
    assert bears(title, SUBJECT) is True


def test_a_long_subject_is_borne_by_its_beginning() -> None:
    subject = "Очень длинное название " * 6
    assert bears(subject[:118], subject) is True
    assert bears(subject[:40], subject) is not True


@pytest.mark.parametrize("title", ["Два клана. *** 6", "Два клана. дивный новый мир 6", "*** клана. День 6", "Два клана. Д**ь 6"])
def test_p01_a_censor_may_have_made_one_title_of_another(title: str) -> None:
    assert bears(title, SUBJECT) is False


@pytest.mark.parametrize("title", ["Два клана. День 7", "Два клана. День", "Болтовня 6", "6", "", "День 16"])
def test_p01_other_titles_are_others(title: str) -> None:
    assert bears(title, SUBJECT) is None
