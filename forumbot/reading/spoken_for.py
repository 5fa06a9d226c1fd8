"""Whether a word already means something to the reader of a ruleset, so that nobody can be called so."""

from __future__ import annotations

from functools import cache

from forumbot.reading.facts import facts
from forumbot.reading.text import tokens
from forumbot.reading.vocabulary import vocabulary

_MOVES = ("action", "verb", "hint")
_TALK = "cover"
"""Words that say nothing of a move, and many nicks among them («Рыжий»)."""
_LITTLE = ("pronoun", "preposition", "particle", "adverb")


@cache
def spoken_for(ruleset: str, text: str) -> str | None:
    """What the whole of this text stands for in messages: "move", "role" or "word" (of the rules or of everyday speech); None
    where it is free. A word that is only like one of them is free."""
    found = [token for token in tokens(text) if token.kind in "wn"]
    whole = [hit for hit in vocabulary(ruleset).table.hits(found) if (hit.start, hit.end) == (0, len(found)) and not hit.typo]
    kinds = {hit.meaning.kind for hit in whole} - {_TALK}
    if len(found) == 1 and facts(found[0].folded).main in _LITTLE:
        kinds.add("word")
    if not kinds.isdisjoint(_MOVES):
        return "move"
    return "role" if "role" in kinds else "word" if kinds else None
