"""The board model: ids, versions, names, boxes, and many actors at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from adapters.clock import ManualClock
from forumbot.demo.forum.board import Board, BoardError
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import quotation, topic_address
from forumbot.demo.forum.ucoz_pages import UcozOptions

START = datetime(2026, 3, 4, 7, tzinfo=UTC)


@pytest.fixture
def board() -> Board:
    made = Board(ManualClock(START))
    made.add_section("Игровая")
    made.add_section("Архив")
    for nick in ("Ведущий", "Анна", "Борис"):
        made.register(nick, "x", group="admins" if nick == "Ведущий" else "users")
    made.open_topic(1, 2, "Партия", "Начали")
    return made


def test_ids_grow_and_are_never_given_twice(board: Board) -> None:
    first = board.post(101, 3, "а")
    board.delete(first)
    assert board.post(101, 3, "б") == first + 1
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda n: board.post(101, 3, str(n)), range(200)))
    assert len(set(numbers)) == 200
    assert [post.id for post in board.all_posts(101)] == sorted(post.id for post in board.all_posts(101))


def test_a_nick_is_one_however_it_is_written_and_a_rename_keeps_the_uid(board: Board) -> None:
    with pytest.raises(BoardError):
        board.register(" анна ")
    with pytest.raises(BoardError):
        board.rename(4, "АННА")
    post = board.post(101, 3, "а")
    board.rename(3, "Аннушка")
    assert board.author_nick(board.find_post(post)) == "Аннушка" and board.find_post(post).author == 3
    board.remove_user(3)
    assert board.author_nick(board.find_post(post)) == "Аннушка" and board.find_post(post).author is None


def test_versions_are_kept_and_their_notices_follow_phpbbs_rule(board: Board) -> None:
    post = board.post(101, 3, "раз")
    board.edit(post, "два")
    board.post(101, 4, "дальше")
    board.edit(post, "три")
    board.edit(post, "четыре", by=2)
    board.edit(post, "пять", by=2, reason="мат")
    assert [version.text for version in board.find_post(post).versions] == ["раз", "два", "три", "четыре", "пять"]
    assert [version.text for version in board.find_post(post).noticed] == ["три", "пять"]


def test_moved_and_locked_topics_keep_their_number(board: Board) -> None:
    board.move_topic(101, 2)
    board.lock_topic(101)
    assert board.topics_in(1) == [] and board.topics_in(2)[0].id == 101 and board.topic(101).locked
    with pytest.raises(BoardError):
        board.move_topic(101, 9)


def test_boxes_hold_what_is_theirs(board: Board) -> None:
    board.pm_limit = 1
    first, second = board.send_pm(3, 2, "а", "а"), board.send_pm(3, 2, "б", "б")
    assert [m.id for m in board.box(2, "inbox")] == [first] and [m.id for m in board.box(2, "held")] == [second]
    board.pick_up(2)
    assert [m.id for m in board.box(3, "sentbox")] == [first] and [m.id for m in board.box(3, "outbox")] == [second]
    board.throw_away(2, [first])
    assert board.release_held(2) == 0 and [m.id for m in board.box(2, "inbox")] == [second]
    assert [m.id for m in board.sent(3)] == [second, first]


def test_quotations_of_both_engines(board: Board) -> None:
    assert quotation(board, 1001, UcozOptions()) == "[quote=Ведущий;1001]Начали[/quote]"
    stamp = int(START.timestamp())
    assert quotation(board, 1001, PhpbbOptions()) == f"[quote=Ведущий post_id=1001 time={stamp} user_id=2]\nНачали\n[/quote]\n"
    board.rename(2, "Отец [Ночи]")
    assert quotation(board, 1001, PhpbbOptions()).startswith('[quote="Отец [Ночи]" post_id=1001')
    assert quotation(board, 1001, PhpbbOptions(version="3.0")) == '[quote="Отец [Ночи]"]Начали[/quote]'
    assert topic_address(board, 101, UcozOptions()) == "/forum/1-101-1"


def test_posts_may_be_laid_in_at_any_time(board: Board) -> None:
    post = board.post(101, 3, "раньше", at=START - timedelta(days=1))
    assert board.find_post(post).posted == START - timedelta(days=1) and board.posts_by(3)[-1].id == post
