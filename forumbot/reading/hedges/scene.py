"""What a test of the table sees: one claim among the clauses of its message, and the marks that a row asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.everyday import grammar
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit

HEAD = 3
"""A frame («Пример: …») is named by one of the first words of its clause."""


@dataclass(frozen=True, slots=True)
class Hedge:
    """A row of the table."""

    reason: str
    test: str
    example: str
    marks: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    effect: str = "ask"
    posts: str = ""
    votes: str = ""


@dataclass(slots=True)
class Scene:
    """The clauses of a message, and the voice of its channel."""

    text: Text
    sender: Sender
    parsed: Sequence[Parsed]
    plain_post: bool = False
    """A thread in which no colour is asked for."""
    _sentences: dict[int, list[Parsed]] | None = None
    _words: dict[int, list[str]] = field(default_factory=dict)

    def own(self, claim: Claim) -> Parsed:
        return self.parsed[claim.clause]

    def sentence(self, claim: Claim) -> list[Parsed]:
        return self.of(claim.sentence)

    def of(self, sentence: int) -> list[Parsed]:
        if self._sentences is None:
            self._sentences = {}
            for p in self.parsed:
                self._sentences.setdefault(p.clause.sentence, []).append(p)
        return self._sentences.get(sentence, [])

    def before(self, claim: Claim) -> list[Parsed]:
        return [p for p in self.sentence(claim) if p.index < claim.clause]

    def behind(self, claim: Claim) -> list[Parsed]:
        return [p for p in self.sentence(claim) if p.index > claim.clause]

    def near(self, claim: Claim) -> list[Parsed]:
        """The claim's clause, the one that governs it («думаю, что …»), and what is set off by commas and says nothing of its
        own («наверное, …»)."""
        own = self.own(claim)
        found = [own, *(p for p in self.sentence(claim) if p is not own and self.set_off(p))]
        adjacent = own.clause.opener == "color"
        if adjacent or (self.words(own)[:1] and self.words(own)[0] in grammar().lists["content"]):
            found += [p for p in self.before(claim)[-1:] if p not in found]
        return found

    def set_off(self, p: Parsed) -> bool:
        if p.claims or p.heads or p.free or p.dropped or p.clause.quoted:
            return False
        held = {i for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
        return not p.verbs or (
            held.issuperset(p.verbs) and len(self.words(p)) <= HEAD
        )  # «кажется», «возможно», «допустим»: a verb by form alone

    def words(self, p: Parsed) -> list[str]:
        words = self._words.get(p.index)
        if words is None:
            found = self.text.found
            words = [found[i].folded for i in range(p.clause.start, p.clause.end) if found[i].kind == "w"]
            self._words[p.index] = words
        return words


_ARGUMENTS = frozenset(("free_condition", "cover", "mark", "hint", "hedge", "number", "settled", "doubt"))


def marked(p: Parsed, row: Hedge) -> list[Hit]:
    """The marks of a row in a clause, those left out that stand inside a longer phrase which says the opposite."""
    hits = p.clause.marks(*row.marks)
    if not hits:
        return []
    free = p.clause.marks(*row.unless) if row.unless else []
    spared = {i for hit in free for i in range(hit.start, hit.end)}
    said = [h for h in p.clause.hits if h.meaning.kind not in _ARGUMENTS]
    hits = [h for h in hits if not any(a.start <= h.start < a.end and a.end >= h.end for a in said)]
    hits = outside_covers(p, hits)
    acts = {i for claim in p.claims for i in range(claim.start, claim.end)}
    named = {i for name in (*p.free, *p.aside, *p.dropped) for i in range(name.start, name.end)}
    targets = {i for claim in p.claims for t in claim.targets for i in range(t.start, t.end)}
    return [hit for hit in hits if hit.start not in spared | acts | named | targets]


def outside_covers(p: Parsed, hits: Sequence[Hit]) -> list[Hit]:
    """The marks that stand in no longer phrase which says nothing («сам не знаю почему», «пока всё»)."""
    longer = [(hit.start, hit.end) for hit in p.clause.kinds("cover") if hit.end - hit.start > 1]
    return [h for h in hits if not any(s <= h.start and h.end <= e and e - s > h.end - h.start for s, e in longer)]


def numbered(scene: Scene, p: Parsed) -> list[tuple[int, str]]:
    found = scene.text.found
    return [(i, found[i].folded) for i in range(p.clause.start, p.clause.end) if found[i].kind == "w"]


Test = Callable[[Scene, Claim, Hedge], bool]


def of_a_reason(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«Пойду к Миле, у неё там, говорят, сметана»: words set off inside another clause behind the order."""
    if p.index <= claim.clause + 1:
        return False
    before, rest = scene.parsed[claim.clause + 1 : p.index], [q for q in scene.behind(claim) if q.index > p.index]
    told = any((q.unexplained or q.clause.has("pronoun")) and not (q.free or q.claims) for q in before)
    return told and not any(q.free or q.claims for q in rest)
