"""Role names of a clause, and the role that it names as the one who acts."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause
from forumbot.reading.heads import Head
from forumbot.reading.mentions import Mention
from forumbot.reading.parsing.parsed import Message, Parsed
from forumbot.reading.phrases import Hit


def roles_of(message: Message, clause: Clause, names: Sequence[Mention]) -> list[Hit]:
    """Role names of the clause. Where a nick is spelled like a role the place decides: a label or a word before a verb is
    the role, behind a move word it is the nick."""
    kept: list[Hit] = []
    acts = clause.kinds("action")
    for hit in clause.kinds("role"):
        if any(h.start <= hit.start < h.end and set(h.meaning.id) & message.sender.owned for h in acts):
            continue
        same = [name for name in names if name.start < hit.end and hit.start < name.end and name.kind == "nick"]
        if same and not _acts(message, clause, hit, same):
            continue
        for name in same:
            if name in names:
                names.remove(name)  # type: ignore[attr-defined]
        twin = next((i for i, old in enumerate(kept) if (old.start, old.end) == (hit.start, hit.end)), None)
        if twin is None:
            kept.append(hit)
        elif hit.meaning.id in message.sender.known.roles:
            kept[twin] = hit  # «маньяк» is what both maniacs are called
    return kept


def _acts(message: Message, clause: Clause, hit: Hit, same: Sequence[Mention]) -> bool:
    """Whether a word that is a role and a nick stands where the one who acts stands."""
    if any(name.end - name.start > hit.end - hit.start for name in same):
        return False
    needs = [a for other in clause.kinds("action") for a in other.meaning.id if "role" in message.words.actions[a].needs]
    if any(not message.words.actions[a].most for a in needs):
        return True
    if hit.end - hit.start > max(name.end - name.start for name in same):
        return True
    if any(other.end <= hit.start for other in clause.kinds("action")):
        return False
    others = [name for name in clause.names if name not in same and name.start >= hit.end]
    verb = any(other.start == hit.end for other in clause.kinds("action"))
    mine = bool(set(message.words.roles[hit.meaning.id].actions) & message.sender.owned)
    needs_role = any("role" in message.words.actions[a].needs for other in clause.kinds("action") for a in other.meaning.id)
    label = hit.end >= clause.end and clause.closer in LABEL_SIGNS
    return (verb and mine) or (bool(others) and mine) or (label and mine) or needs_role


def acting_role(message: Message, parsed: Parsed, head: Head) -> Hit | None:
    """The role that the clause names as the one who acts: before the move word with no nick between, or its own role."""
    best: Hit | None = None
    for hit in parsed.roles:
        owned = set(message.words.roles[hit.meaning.id].actions) & set(head.actions)
        takes = any("role" in message.words.actions[a].args for a in head.actions)
        if takes and hit.start >= head.end:
            continue
        between = any(hit.end <= name.start < head.start for name in parsed.names)
        if (hit.end <= head.start and not between and (owned or head.form == "third")) or (owned and best is None):
            best = hit
    return best
