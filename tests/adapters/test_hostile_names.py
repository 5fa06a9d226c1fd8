"""Nicks and subjects are other people's words: whatever they look like, nobody becomes somebody else, and no time is forged."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from adapters.clock import ManualClock
from adapters.forum import Forum, ForumSettings, Place
from adapters.markup import own_text
from adapters.phpbb.client import connect as phpbb
from adapters.ucoz.client import connect as ucoz
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NICKS = (
    "/index/8-2", "mode=viewprofile&u=2", "/forum/1-101-1-16-1764612000", "01.01.2020, 10:00", "Сообщение # 9999",
    "/index/14-7-0", "Добавлено: 01.01.2020, 10:00", "Вася » 01.01.2020, 10:00", '"кавычки"', "<b>жир</b>", "O'Хара",
    "'/index/8-2'", "</td></tr>", "<!--", "[b]", "[/quote]", "&#91;b&#93;", "a&amp;b", "Я", "7",
    "ну\u200bль", "\u202eлево", "🐺", "я" * 60,
)  # fmt: skip
SUBJECTS = ("", "   ", "🐺", "\u200b", "01.01.2020, 10:00", "сегодня, 00:01", "ход " * 60, "</a></td>", "[b]ход[/b]", "удалить")
OPTIONS = (
    UcozOptions(messages_per_page=7), UcozOptions(permalink="none", holder="div"), UcozOptions(template="new", permalink="href"),
    UcozOptions(template="custom", permalink="none"), PhpbbOptions(folder_limit=0, topics_per_page=7),
    PhpbbOptions(version="3.0", folder_limit=0, date_format="|d M Y|, H:i"),
)  # fmt: skip


@contextmanager
def board_of(options: UcozOptions | PhpbbOptions) -> Iterator[tuple[ManualClock, Board, Forum, list[int]]]:
    """A board with the host, Анна (uid 2), and everybody else."""
    clock = ManualClock(START)
    board = Board(clock)
    anna, host = board.register("Анна"), board.register("Ведущий", "тайна", group="moderators")
    assert anna == 2
    with serve(board, options) as server:
        connect: Callable[..., Forum] = ucoz if isinstance(options, UcozOptions) else phpbb
        forum = connect(ForumSettings(server.url, "Ведущий", "тайна", min_interval=0), clock)
        yield clock, board, forum, [host, *(board.register(nick) for nick in NICKS)]
        forum.close()


@pytest.mark.parametrize("options", OPTIONS)
def test_posts_are_their_authors_at_their_time(options: UcozOptions | PhpbbOptions) -> None:
    with board_of(options) as (clock, board, forum, (host, *uids)):
        section = board.add_section("Город")
        topic = board.open_topic(section, host, "Тема", "начало")
        sent = {}
        for uid in uids:
            clock.sleep(60)
            sent[board.post(topic, uid, f"слово {uid}")] = (uid, board.user(uid).nick, f"слово {uid}", clock.now())
        address = f"{section}-{topic}" if isinstance(options, UcozOptions) else str(topic)
        read = forum.read_thread(address, Place(), whole=True)
        assert read.complete
        found = {
            post.id: (post.author_uid, post.author, own_text(post.runs), post.posted) for post in read.posts if post.id in sent
        }
        assert found == sent


@pytest.mark.parametrize("options", OPTIONS)
def test_private_messages_are_all_read_whatever_their_subject(options: UcozOptions | PhpbbOptions) -> None:
    """An empty subject, too, and over several pages of the box; a subject that looks like an hour is none."""
    with board_of(options) as (clock, board, forum, (host, *uids)):
        sent = {}
        for number, uid in enumerate(uids):
            clock.sleep(60)
            subject = SUBJECTS[number % len(SUBJECTS)]
            message = board.send_pm(uid, host, subject, f"ход {number}")
            sent[message] = (uid, board.user(uid).nick, " ".join(subject.split()), f"ход {number}", clock.now())
        found = {one.id: one for one in forum.inbox()}
        assert list(found) == sorted(sent)
        for message, (uid, nick, subject, text, at) in sent.items():
            one = found[message]
            assert (one.author_uid, one.author, one.subject, own_text(one.runs)) == (uid, nick, subject, text)
            assert one.sent is not None
            assert abs(at - one.sent) <= timedelta(minutes=1)


@pytest.mark.parametrize(
    "options", [UcozOptions(), UcozOptions(charset="cp1251"), PhpbbOptions(), PhpbbOptions(charset="cp1251")]
)
def test_what_we_post_with_such_nicks_in_it_is_found_again(options: UcozOptions | PhpbbOptions) -> None:
    """T49: smileys become pictures, references may become signs; the post is known again, and no nick works as mark-up."""
    with board_of(options) as (_, board, forum, (host, *_)):
        section = board.add_section("Город")
        topic = board.open_topic(section, host, "Тема", "начало")
        address = f"{section}-{topic}" if isinstance(options, UcozOptions) else str(topic)
        nicks = [forum.escape(nick) for nick in (*NICKS, ":D", "8-)", ":lol:", "[3d]", "&#91;color=red&#93;Анна&#91;/color&#93;")]
        stored = forum.reply(address, "Живы:\n" + "\n".join(nicks))
        read = forum.read_thread(address, Place(), whole=True)
        assert [post.id for post in read.posts][1:] == [stored.post_id]
        assert not [run for run in read.posts[1].runs if run.color or run.voice != "own"]
        assert "\u202e" not in "".join(nicks)
