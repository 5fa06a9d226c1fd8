"""Accounts are found by number and by nick on both engines' boards, and are none where there is none (H08)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.clock import VirtualClock
from adapters.forum import Forum, ForumSettings
from adapters.phpbb.client import connect as connect_phpbb
from adapters.ucoz.client import connect as connect_ucoz
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_pages import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_h08_an_account_is_found_by_number_and_by_nick(tmp_path: Path, engine: str) -> None:
    clock = VirtualClock.create(tmp_path / "clock", datetime(2026, 11, 30, tzinfo=UTC), 1000)
    board = Board(clock)
    board.register("Бот", "пароль")
    wanted = board.register("Кот-Базилио", "x")
    number = wanted if isinstance(wanted, int) else wanted.uid
    board.add_section("Игры")
    with serve(board, UcozOptions() if engine == "ucoz" else PhpbbOptions()) as server:
        settings = ForumSettings(server.url, "Бот", "пароль", min_interval=0, form_delay=1.1)
        forum: Forum = (connect_ucoz if engine == "ucoz" else connect_phpbb)(settings, clock)
        for found in (forum.profile(uid=number), forum.profile(nick="Кот-Базилио"), forum.profile(uid=number, nick="Другой")):
            assert found is not None
            assert (found.nick, found.uid) == ("Кот-Базилио", number)
            assert any("2026" in value for _, value in found.lines)
        assert forum.profile(uid=9999) is None
        assert forum.profile(nick="Никто") is None
        forum.close()
