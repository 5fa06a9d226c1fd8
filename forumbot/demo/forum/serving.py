"""Start an embedded forum on a board."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from forumbot.demo.forum import phpbb_bbcode, ucoz_bbcode
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb import Phpbb
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.ucoz import Ucoz
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.forum.web import ForumServer, running


@contextlib.contextmanager
def serve(board: Board, options: UcozOptions | PhpbbOptions, *, port: int = 0) -> Iterator[ForumServer]:
    """Serve the board on 127.0.0.1 (port 0: a free one) until the block is left; the kind of options chooses the engine."""
    troubles = Troubles()
    site = Ucoz(board, options, troubles) if isinstance(options, UcozOptions) else Phpbb(board, options, troubles)
    with running(site, troubles, port) as server:
        yield server


def quotation(board: Board, post: int, options: UcozOptions | PhpbbOptions) -> str:
    """The BBCode that this engine's quote button gives for a post. BoardError: no such post."""
    quoted = board.find_post(post)
    nick = board.author_nick(quoted)
    if isinstance(options, UcozOptions):
        return ucoz_bbcode.quotation(nick, post, quoted.text)
    return phpbb_bbcode.quotation(nick, post, int(quoted.posted.timestamp()), quoted.author, quoted.text, options.version)


def topic_address(board: Board, topic: int, options: UcozOptions | PhpbbOptions) -> str:
    """Where a person finds the topic, to be put behind the server's ``url``."""
    found = board.topic(topic)
    if isinstance(options, UcozOptions):
        return f"/forum/{found.section}-{topic}-1"
    return f"/viewtopic.php?f={found.section}&t={topic}"
