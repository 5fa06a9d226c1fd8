"""Answers to a question that a letter quotes: «> Кого лечите?» with a nick below it, or «Да» above «> Вы лечите Анну?».

The quoted words are somebody's and order nothing. They only say what the writer's own short words answer.
"""

from __future__ import annotations

from engine.messages import ReadOrder
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.apart import take_apart
from forumbot.reading.clauses.clause import Text
from forumbot.reading.everyday import grammar
from forumbot.reading.own import Own

_SHORT = 4
"""Words of an answer that only says yes."""


def name_the_move(claims: list[Claim], text: Text, sender: Sender) -> None:
    """A nick alone below a question about one move of the writer's is that move."""
    bare = len(claims) == 1 and claims[0].form == "nick" and claims[0].doubts == ["no_action"] and len(claims[0].targets) == 1
    asked = _moves(_question(text.own), sender) if bare else ()
    if len(asked) == 1:
        claims[0].actions = asked
        claims[0].doubts = []


def affirmed(own: Own, sender: Sender) -> list[ReadOrder]:
    """What a letter of nothing but «да» would order by the question that it quotes: to be asked about."""
    question = _question(own)
    if not question or not _says_yes(own):
        return []
    quoted = take_apart(Own(question), sender.words, sender.roster)
    seats = [tuple(name.seats) for clause in quoted.clauses for name in clause.names]
    targets = seats[0] if len(seats) == 1 and len(seats[0]) == 1 else ()
    return [ReadOrder(action, targets, status="review", reason="between_quotes") for action in _moves(question, sender)]


def _question(own: Own) -> str:
    """The last line of the quotation that asks something."""
    lines = [line.lstrip("> \t\xa0").rstrip() for line in own.quoted.splitlines()]
    return next((line for line in reversed(lines) if line.endswith("?")), "")


def _moves(question: str, sender: Sender) -> tuple[str, ...]:
    """The writer's moves that a question names."""
    if not question:
        return ()
    quoted = take_apart(Own(question), sender.words, sender.roster)
    hits = [hit for clause in quoted.clauses for hit in clause.kinds("action")]
    return tuple(dict.fromkeys(action for hit in hits for action in hit.meaning.id if action in sender.moves))


def _says_yes(own: Own) -> bool:
    words = [word.strip(".,!;:()") for word in own.text[own.subject_end :].lower().replace("ё", "е").split()]
    words = [word for word in words if word]
    return 0 < len(words) <= _SHORT and set(words) <= grammar().lists["affirming"]
