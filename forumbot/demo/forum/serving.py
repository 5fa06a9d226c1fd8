"""Start an embedded forum on a board."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from forumbot.demo.forum.board import Board
from forumbot.demo.forum.embedded import Options, embedded
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.web import ForumServer, running


@contextlib.contextmanager
def serve(board: Board, options: Options, *, port: int = 0) -> Iterator[ForumServer]:
    """Serve the board on 127.0.0.1 (port 0: a free one) until the block is left; whose options they are tells the engine."""
    troubles = Troubles()
    with running(embedded(options.engine).site(board, options, troubles), troubles, port) as server:
        yield server


def quotation(board: Board, post: int, options: Options) -> str:
    """The BBCode that this engine's quote button gives for a post. BoardError: no such post."""
    return embedded(options.engine).quotation(board, post, options)


def topic_address(board: Board, topic: int, options: Options) -> str:
    """Where a person finds the topic, to be put behind the server's ``url``."""
    return embedded(options.engine).topic(board, topic, options)
