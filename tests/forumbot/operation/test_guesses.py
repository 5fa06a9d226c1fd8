"""The guesses about uCoz: each is asked about with its page, and what turns out otherwise is written for the reader to use."""

from __future__ import annotations

import tomllib
from pathlib import Path

from adapters.ucoz.guesses import FILE, GUESSES, settle
from adapters.ucoz.layout import USUAL, Layout


def test_each_guess_is_asked_with_its_page_and_nothing_is_written_where_all_holds(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return ""

    assert settle("http://klub.ucoz.ru/", tmp_path, ask, asked.append) == 0
    assert len(asked) == len(GUESSES) and all("http://klub.ucoz.ru/" in question for question in asked)
    assert not (tmp_path / FILE).exists()


def test_what_is_otherwise_is_written_and_understood(tmp_path: Path) -> None:
    answers = {"login_words": "Вас тут не ждали", "max_post": "3000", "flood_words": "Не торопитесь"}
    keys = iter(one.key for one in GUESSES)
    assert settle("http://klub.ucoz.ru", tmp_path, lambda _: answers.get(next(keys), ""), lambda _: None) == 3
    layout = Layout.of(tomllib.loads((tmp_path / FILE).read_text(encoding="utf-8")))
    assert layout.login_words == f"{USUAL.login_words}|Вас тут не ждали"
    assert layout.max_post == "3000" and layout.flood_words.endswith("|Не торопитесь")
    keys = iter(one.key for one in GUESSES)
    settle("http://klub.ucoz.ru", tmp_path, lambda _: {"max_post": "много"}.get(next(keys), ""), lambda _: None)
    assert Layout.of(tomllib.loads((tmp_path / FILE).read_text(encoding="utf-8"))).max_post == "3000"


def test_every_guess_has_its_place_in_the_layout() -> None:
    assert {one.key for one in GUESSES} <= set(Layout.__dataclass_fields__)
    assert len({one.key for one in GUESSES}) == len(GUESSES)
