"""Stories in letters (league R15): where the order ends and literature begins. Nicks inside a story are no targets."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.parsing.parsed import Parsed

_WORDS_OF_A_STORY = 8
"""So many words on lines of their own behind an order are a story even without the word «Рассказ»."""


def where_it_begins(text: Text, parsed: Sequence[Parsed], sender: Sender) -> tuple[int, str]:
    """(the sentence in which the story of a letter begins, the story); (how many sentences there are, "") for none."""
    none = len(text.sentences)
    marked = _marked(text, parsed)
    if marked is not None:
        return marked, _from_mark(text, marked)
    last = _last_order(parsed, sender)
    if last is None:
        return none, ""
    start = next((i for i in range(last + 1, none) if text.sentences[i].opens_line and _line_tells(text, parsed, i)), None)
    if start is None:
        return none, ""
    words = sum(1 for s in text.sentences[start:] for i in range(s.start, s.end) if text.found[i].kind == "w")
    if words < _WORDS_OF_A_STORY:
        return none, ""
    return start, text.own.text[text.found[text.sentences[start].start].start :].strip()


def _of(parsed: Sequence[Parsed], sentence: int) -> list[Parsed]:
    return [p for p in parsed if p.clause.sentence == sentence]


def _marked(text: Text, parsed: Sequence[Parsed]) -> int | None:
    """The sentence that announces the story; a promise begins nothing."""
    for index, sentence in enumerate(text.sentences):
        clauses = _of(parsed, index)
        hits = [hit for p in clauses for hit in p.clause.marks("story")]
        if not hits or sentence.subject:
            continue
        first_act = min((head.start for p in clauses for head in p.heads), default=len(text.found))
        if first_act <= hits[0].start:
            continue
        if any(p.clause.has("promise") for p in clauses) or _tells_of_it(text, clauses, index):
            continue
        return index
    return None


def _tells_of_it(text: Text, clauses: Sequence[Parsed], index: int) -> bool:
    """«Рассказ вышел длинный, сокращайте», where a later line is headed «Рассказ:»: about the story, and not the story."""
    headed = any(p.clause.closer == ":" for p in clauses)
    later = any(
        clause.sentence > index and clause.closer == ":" and any(hit.end == clause.end for hit in clause.marks("story"))
        for clause in text.clauses
    )
    return not headed and later


def _from_mark(text: Text, index: int) -> str:
    """What follows the colon of the announcing sentence, else what stands behind it, else the sentence."""
    sentence = text.sentences[index]
    for at in range(sentence.start, sentence.end):
        if text.found[at].folded == ":":
            return text.own.text[text.found[at].end :].strip()
    if index + 1 < len(text.sentences):
        return text.own.text[text.found[text.sentences[index + 1].start].start :].strip()
    return text.words(sentence.start, sentence.end) if sentence.end - sentence.start > 2 else ""


def _last_order(parsed: Sequence[Parsed], sender: Sender) -> int | None:
    """The first sentence with an order that can have a story."""
    headed = any(sender.spec(c).story and c.subject for p in parsed for c in p.claims)
    for p in parsed:
        able = any((sender.spec(c).story or headed) and (c.targets or c.label) and not c.subject and not c.talk for c in p.claims)
        if able and not p.clause.quoted:
            return p.clause.sentence
    return None


def _line_tells(text: Text, parsed: Sequence[Parsed], index: int) -> bool:
    """Whether the line that begins with a sentence is literature: its first sentence is no order, and some of it tells."""
    end = next((i for i in range(index + 1, len(text.sentences)) if text.sentences[i].opens_line), len(text.sentences))
    first = _of(parsed, index)
    if any(p.clause.has("turn", "withdraw", "thanks") for p in first[:1]) or any(_orders(c) for p in first for c in p.claims):
        return False
    return any(_tells(text, parsed, i) for i in range(index, end))


def _orders(claim: Claim) -> bool:
    return bool(claim.targets) and claim.form != "hint" and not claim.talk


def _tells(text: Text, parsed: Sequence[Parsed], index: int) -> bool:
    """Whether a line below the order is literature: no correction, no order, no thanks, no nick alone."""
    clauses = _of(parsed, index)
    if any(p.clause.has("turn", "withdraw", "thanks") for p in clauses[:1]) or all(p.silent for p in clauses):
        return False
    return any(p.verbs for p in clauses) or len(clauses) > 1 or sum(len(p.unexplained) for p in clauses) > 3


def give(claims: list[Claim], story: str, sender: Sender) -> None:
    """Give the story of a letter to its orders that can have one."""
    if story:
        for claim in claims:
            if sender.spec(claim).story:
                claim.args.setdefault("story", story)
