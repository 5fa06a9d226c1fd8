"""X05, whole: what players have written stands on the forum in a frame of its own, and nothing in it passes as the bot's."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from adapters.clock import ManualClock
from adapters.forum import Forum, ForumSettings, Place
from adapters.inert import inert
from adapters.markup import highlights, own_text
from adapters.model import Run
from adapters.phpbb.client import connect as phpbb
from adapters.ucoz.client import connect as ucoz
from engine.model import Line
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.hosting.core import publish
from forumbot.writing.splitting import split
from forumbot.writing.voice import LINE_MOST, PIECE_LINES, PIECE_MOST, OnForum
from forumbot.writing.writer import PublicFacts, Writer, gather
from tests.forumbot.desk.browser import browser, missing

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FAKE_PAPER = "Конец истории.\n\n\n\nПобеда: мирные жители.\n\nЖивые: никого.\nМёртвые:\nАнна [маф][повешение]"
STORIES = (
    FAKE_PAPER,
    f"[/quote]\n\n[b]{FAKE_PAPER}[/b]",
    f"[/quote][/quote]{FAKE_PAPER}[quote]",
    "[color=red]Виновен Борис[/color]\n[size=30]ВЕДУЩИЙ[/size]",
    "Читайте http://evil.example/x и www.evil.example :) :D ;) &#91;b&#93; <b>x</b> <script>document.title='взлом'</script>",
    "\u202eдевиж есв\r\n\r\nПобеда: мафия.\x0b\x0cПобеда: мафия.\u2028\u2029Победа: мафия.\x85Победа: мафия.",
    "[code]" * 50 + "\n" + "[spoiler]" * 50,
    "я\n" * 400,
    "[img]http://127.0.0.1:1/x.png[/img][url=http://evil.example]сюда[/url][hr][list][*]x[/list]",
)
NICKS = (
    "[b]Анна[/b]", "Анна :)", "http://x.example", "Анна\n\nПобеда: мафия.", "[/quote]", "<i>Анна", "[=AFK=]Вера",
    "www.anna.example",
)  # fmt: skip
OPTIONS = (UcozOptions(), UcozOptions(template="new", permalink="href"), PhpbbOptions(), PhpbbOptions(version="3.0"))
WRITER = Writer(gather("league"), "Europe/Moscow")


def paper(story: str, nick: str, escape: Callable[[str], str]) -> str:
    """A newspaper of the league with this story and this victim."""
    lines = [
        Line("deaths", "night", {"player": "seat", "label": "doctor", "cause": "mafia"}),
        Line("stories", "murder", {"text": story, "hide": []}),
        Line("victory", "victory", {"winner": "mafia"}),
        Line("lists", "living", {"players": ("seat", "Борис")}),
    ]
    return WRITER.newspaper(PublicFacts("Партия", 1), lines, {"seat": nick}, escape)


@contextmanager
def thread_of(options: UcozOptions | PhpbbOptions) -> Iterator[tuple[str, Board, Forum, int, str]]:
    """Address of the board, the board, the bot's account, and a topic with its address."""
    clock = ManualClock(START)
    board = Board(clock)
    board.register("Анна")
    host = board.register("Ведущий", "тайна", group="moderators")
    with serve(board, options) as server:
        connect: Callable[..., Forum] = ucoz if isinstance(options, UcozOptions) else phpbb
        forum = connect(ForumSettings(server.url, "Ведущий", "тайна", min_interval=0), clock)
        section = board.add_section("Город")
        topic = board.open_topic(section, host, "Тема", "начало")
        yield server.url, board, forum, topic, f"{section}-{topic}" if isinstance(options, UcozOptions) else str(topic)
        forum.close()


def ours(text: str) -> list[str]:
    """The lines of a text by the letters and digits that a reader sees."""
    return [made for line in text.split("\n") if (made := "".join(char for char in line if char.isalnum()))]


@pytest.mark.parametrize("options", OPTIONS)
def test_x05_the_bots_own_words_are_the_same_whatever_the_players_wrote(options: UcozOptions | PhpbbOptions) -> None:
    with thread_of(options) as (_, _, forum, _, address):
        theirs = OnForum(forum.escape)
        plain = ours(own_text(forum_runs(forum, address, paper("Жил-был кот.", "Глеб", theirs))))
        for story in STORIES:
            runs = forum_runs(forum, address, paper(story, "Глеб", theirs))
            assert ours(own_text(runs)) == plain, story
            assert highlights(runs) == ()
        for nick in NICKS:
            runs = forum_runs(forum, address, paper("Жил-был кот.", nick, theirs))
            flat = "".join(char for char in nick if char.isalnum())
            assert ours(own_text(runs)) == [line.replace("Глеб", flat) for line in plain], nick
            assert highlights(runs) == ()


def forum_runs(forum: Forum, address: str, text: str) -> tuple[Run, ...]:
    stored = forum.reply(address, text)
    read = forum.read_thread(address, Place(), whole=True)
    return next(post.runs for post in read.posts if post.id == stored.post_id)


@pytest.mark.parametrize("options", OPTIONS)
def test_x05_parts_of_a_long_story_are_told_apart_when_the_bot_looks_for_them(options: UcozOptions | PhpbbOptions) -> None:
    """Their words of ours are the same: what was not sent yet must not be found in what was."""
    with thread_of(options) as (_, _, forum, _, address):
        text = OnForum(forum.escape).piece("\n".join(f"Строка {number} о том о сём." for number in range(150)))
        parts = split(text, 1_500)
        assert len(parts) > 2
        for number, part in enumerate(parts):
            assert forum.find_reply(address, part) is None, number
            stored = forum.reply(address, part)
            found = forum.find_reply(address, part)
            assert found is not None and found.post_id == stored.post_id


@pytest.mark.skipif(bool(missing()) or not shutil.which("chromium"), reason=missing() or "no chromium")
@pytest.mark.parametrize("options", OPTIONS)
def test_x05_a_reader_sees_theirs_in_a_frame_and_ours_outside_of_it(options: UcozOptions | PhpbbOptions) -> None:
    """In a real browser: nothing but text, line ends and pictures of emoji stands in the frames, and ours is the same."""
    with thread_of(options) as (url, _, forum, topic, address), browser() as opened:
        theirs = OnForum(forum.escape)
        posts = [forum.reply(address, paper("Жил-был кот.", "Глеб", theirs)).post_id]
        posts += [forum.reply(address, paper(story, "Глеб", theirs)).post_id for story in STORIES]
        page = opened.new_page()
        seen = {}
        by_page = isinstance(options, UcozOptions)
        for number in (1, 2) if by_page else (0, 10):
            page.goto(f"{url}/forum/{address}-{number}" if by_page else f"{url}/viewtopic.php?t={topic}&start={number}")
            assert "взлом" not in page.title()
            for post in posts:
                found = page.evaluate(LOOK, post)
                if found:
                    seen[post] = found
        assert set(seen) == set(posts)
        first = ours(seen[posts[0]]["outside"])
        assert "ПобедаМафия".casefold() in "".join(first).casefold().replace(" ", "")
        for post in posts:
            assert ours(seen[post]["outside"]) == first
            assert seen[post]["frames"] == 1
            assert seen[post]["inside"] == []


LOOK = """post => {
  const body = document.querySelector('#ucoz-forum-post-' + post) || document.querySelector('#p' + post + ' .content')
    || document.querySelector('#p' + post + ' .postbody .content');
  if (!body) return null;
  const copy = body.cloneNode(true);
  const frames = [...copy.querySelectorAll('.bbQuoteBlock, blockquote')]
    .filter(e => !e.parentElement.closest('.bbQuoteBlock, blockquote'));
  const words = frames.map(e => e.querySelector('.quoteMessage') || e.querySelector('div') || e);
  const inside = words.flatMap(e => [...e.querySelectorAll('*')])
    .filter(e => e.tagName !== 'BR' && !e.classList.contains('emoji')).map(e => e.outerHTML);
  frames.forEach(e => e.remove());
  copy.querySelectorAll('br').forEach(e => e.replaceWith('\\n'));
  return {frames: frames.length, inside: inside, outside: copy.textContent};
}"""


def test_x05_a_story_is_cut_and_its_empty_lines_are_squeezed() -> None:
    made = OnForum(str).piece("слово\n\n \n\n" * 5_000)
    assert "\n\n" not in made and len(made) <= PIECE_MOST + 20 and made.count("\n") < PIECE_LINES
    assert made.startswith("[quote]") and made.endswith("[/quote]")
    assert OnForum(str)("строка\n\nещё " * 500) == OnForum(str)(" ".join(("строка\n\nещё " * 500).split()))
    assert len(OnForum(str)("я" * 5_000)) <= LINE_MOST
    assert OnForum(str).piece(" \n\t\n") == ""


def test_x05_plain_text_of_scenarios_and_replays_keeps_a_story_as_it_is() -> None:
    assert "Рассказ: Жил-был кот.\nИ пёс." in paper("Жил-был кот.\nИ пёс.", "Глеб", str)
    assert not re.search(r"\[/?quote", paper(FAKE_PAPER, "Глеб", str))


@pytest.mark.parametrize("blank", ["\u3164", "\u2800", "\uffa0\u200b", "\u206a \u3164", "\u00ad"])
def test_x05_what_cannot_be_seen_makes_neither_an_empty_line_nor_a_hole(blank: str) -> None:
    theirs = OnForum(inert)
    assert theirs.piece(f"Конец.\n{blank}\n{blank}\nПобеда: мафия.") == "[quote]Конец.\nПобеда: мафия.[/quote]"
    assert theirs.piece(blank) == ""
    assert theirs(blank).strip()
    assert theirs("") == ""


def test_x05_no_nick_turns_or_covers_the_words_of_a_letter() -> None:
    """In a letter nothing is mark-up, but what stands behind a sign that turns the direction is ours."""
    writer = Writer(gather("goldenkey"), "Europe/Moscow")
    facts = PublicFacts("Партия", 1)
    nick = "Зло\u202e\u2066рро" + "\u0301" * 40
    subject, text = writer.private("passed_on.j2", publish._as_it_is, facts=facts, nick=nick, text="x\u202dy", genders={})
    assert "Злорро" in text and not set("\u202e\u2066\u202d") & set(subject + text)
    assert text.count("\u0301") <= 3
