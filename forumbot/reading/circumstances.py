"""Words beside a whole order that say where, how and what for: «… до дома с песнями», «… пить чай».

Only what stands beside an order that has all its nicks is explained here, and only by the grammar of the words: a preposition
with a thing, an infinitive with its objects, an adverb made of an adjective. Time, doubt, exclusion and whatever a mark names
is left unexplained, and so is a thing in the instrumental, by which a verb may be no move («стреляю глазками»).
"""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import Clause
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.text import Token


def circumstances(
    found: Sequence[Token], clause: Clause, unexplained: Sequence[int], taken: frozenset[int], behind: int
) -> set[int]:
    """Those of the unexplained tokens of a whole order's clause that only tell its circumstances. ``taken`` are the tokens of
    nicks; only adverbs may stand before ``behind``, where the last of them ends."""
    held = taken | {
        i for kind in ("mark", "number", "item", "pay", "role") for h in clause.kinds(kind) for i in range(h.start, h.end)
    }
    left = [i for i in unexplained if i not in held and found[i].kind == "w"]
    if len(left) != len(unexplained):
        return set()
    explained: set[int] = set()
    at = 0
    while at < len(left):
        size = _phrase(found, left, at) or _purpose(found, left, at)
        if not size or (left[at] < behind and not _manner(found[left[at]].folded)):
            return set()  # all or nothing: a word that nothing explains may turn the others
        explained.update(left[at : at + size])
        at += size
    return explained


def _phrase(found: Sequence[Token], left: Sequence[int], at: int) -> int:
    """How many of the words from ``at`` on are one circumstance, 0 for none."""
    word = found[left[at]].folded
    if word in grammar().lists["places"]:
        size = _thing(found, left, at + 1, grammar().prepositions[word])
        return size + 1 if size else 0
    return 1 if _manner(word) else 0


def _thing(found: Sequence[Token], left: Sequence[int], at: int, cases: frozenset[str]) -> int:
    """A noun of a thing in one of these cases, with what describes it: how many words."""
    for size in range(1, 4):
        if at + size > len(left) or left[at + size - 1] - left[at] != size - 1:
            return 0
        word = found[left[at + size - 1]].folded
        known = facts(word)
        if found[left[at + size - 1]].capital or known.lemmas & grammar().lists["no_circumstances"]:
            return 0
        if known.main == "noun":
            return size if known.thing and known.cases & cases else 0
        if known.main != "adjective" and word not in grammar().lists["possessive"]:
            return 0
    return 0


def _manner(word: str) -> bool:
    """An adverb made of an adjective («заботливо»), that denies nothing."""
    known = facts(word)
    made = known.main == "adverb" and "short" in known.forms
    return made and not word.startswith("не") and word not in grammar().lists["doubting_adverbs"]


def _purpose(found: Sequence[Token], left: Sequence[int], at: int) -> int:
    """«… пить чай с вареньем»: an infinitive with its objects."""
    known = facts(found[left[at]].folded)
    if known.main != "infinitive" or not known.known or known.lemmas & grammar().lists["putting_off"]:
        return 0
    size = 1
    while at + size < len(left):
        more = _phrase(found, left, at + size) or _thing(found, left, at + size, frozenset(("accs", "gent", "datv")))
        if not more:
            break
        size += more
    return size
