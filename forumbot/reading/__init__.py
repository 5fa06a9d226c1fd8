"""Text to orders: what players write, as a careful host would understand it (contract.md, "The reading contract").

The way of a message: ``own`` (whose words) -> ``clauses`` (tokens, names, words, sentences, clauses) -> ``parsing`` (each
clause by itself) -> ``discourse`` (the claims of the message) -> ``hedges`` and ``settling`` (what remains of them) -> ``judge``
(the engine's own tests) -> ``verdicts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.messages import Reader
from forumbot.reading.taught import Taught
from forumbot.reading.text import same_key
from forumbot.reading.wordcount import count_words

__all__ = ["Taught", "count_words", "reader", "same_key"]


def reader(
    aliases: Mapping[str, str] | None = None,
    nicks: Mapping[str, Sequence[str]] | None = None,
    taught: Sequence[Taught] = (),
) -> Reader:
    """A reader of messages. ``aliases`` maps the host's further spellings to seats for the whole game; ``nicks`` gives
    the nicks that a seat has had where they are not the seat alone (a replaced or renamed player); ``taught`` are the words
    that a host has explained, for this game and for all."""
    from forumbot.reading.textreader import TextReader

    return TextReader(aliases, nicks, taught)
