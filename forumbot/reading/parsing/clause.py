"""One clause of a message read by itself."""

from __future__ import annotations

from forumbot.reading.claims import Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.parsing.asides import set_apart
from forumbot.reading.parsing.claiming import make_claims
from forumbot.reading.parsing.covers import cover, leave_over
from forumbot.reading.parsing.movewords import move_words
from forumbot.reading.parsing.parsed import Message, Parsed
from forumbot.reading.parsing.players import names_of
from forumbot.reading.parsing.roles import roles_of


def parse_all(text: Text, sender: Sender) -> list[Parsed]:
    """All clauses of a message, each read by itself."""
    message = Message(text, text.found, sender, sender.words)
    return [_parse(message, index) for index in range(len(text.clauses))]


def _parse(message: Message, index: int) -> Parsed:
    """The clause at this place of the message, read by itself."""
    clause = message.text.clauses[index]
    parsed = Parsed(clause, index, names=names_of(message, clause))
    parsed.roles = roles_of(message, clause, parsed.names)
    covered = cover(message, parsed)
    parsed.heads = move_words(message, parsed)
    set_apart(message, parsed, covered)
    make_claims(message, parsed, covered)
    leave_over(message, parsed, covered)
    return parsed
