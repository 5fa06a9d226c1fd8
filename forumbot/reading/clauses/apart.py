"""A message's own words taken apart: tokens, names, words, sentences, clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from forumbot.reading.clauses.clause import LABEL_SIGNS, Clause, Text
from forumbot.reading.clauses.cutting import OPENING, cut_clauses
from forumbot.reading.decline import is_common_word
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention, mentions
from forumbot.reading.names.roster import Roster
from forumbot.reading.names.spelling import EXACT
from forumbot.reading.own import Own
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import cut
from forumbot.reading.text import Token, fold, tokens
from forumbot.reading.vocabulary import Meaning, Vocabulary

_NOISE = re.compile(r"(?:https?://|www\.)\S+|:[A-Za-z0-9_+-]{2,30}:|[:;=]-?[)(DРPpр](?:(?<=[)(])[)(]*|(?![\w]))")
"""Addresses and smilies: no words."""
_SMILE = re.compile(r"(?<=[^\s(])(?P<mouth>\){2,}|\({2,})|(?<=[\w!?.])\)(?=\s*\n|\s+[А-ЯЁA-Z])(?<!\d\))")
"""Mouths without eyes: they close a sentence."""
_PICTURE = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
"""A picture before a coloured run closes the sentence, as a full stop does."""
_LONGEST_QUOTE = 60
_STAND_IN = "ъ"
MOST_NAMES = 400
"""More mentions of players than this are no order of anybody."""


def take_apart(own: Own, words: Vocabulary, roster: Roster) -> Text:
    """Tokens, names, words, sentences and clauses of a message's own words. Linear in their length."""
    painted = frozenset(start for start, _, _ in own.colors)
    nicks = roster.whole(own.text)
    hidden = _hidden(own.text, nicks)
    clean = _SMILE.sub(lambda match: _stop(match, painted), _NOISE.sub(_blank, hidden))
    if painted:
        clean = _PICTURE.sub(
            lambda match: "." if not painted.isdisjoint(range(match.end(), match.end() + 3)) else match[0], clean
        )
    found = _with_nicks(tokens(clean), nicks, own.text)
    _paint(found, own.colors)
    names = mentions(found, roster, words.table.knows)
    if len(names) > MOST_NAMES:
        names = []
    hits = _without_typos_in_names(_outermost(_with_verbs(found, words.table.hits(found))), names)
    hits = _without_hints_in_names(hits, names, found)
    inside = frozenset(i for name in names for i in range(name.start + 1, name.end))
    closing = frozenset(name.end - 1 for name in names if found[name.end - 1].kind == "s")
    sentences = cut(found, own.subject_end, inside | closing)
    quoted = _quoted(found, hits, names)
    clauses = cut_clauses(found, sentences, hits, names, quoted)
    _soften(found, clauses)
    return Text(own, found, sentences, clauses)


def _hidden(text: str, nicks: Sequence[tuple[int, int]]) -> str:
    """The text with a word of the same length in the place of each nick of signs, so that nothing in it is a smiley."""
    for start, end in nicks:
        text = f"{text[:start]}{_STAND_IN * (end - start)}{text[end:]}"
    return text


def _with_nicks(found: Sequence[Token], nicks: Sequence[tuple[int, int]], text: str) -> list[Token]:
    """The tokens with each nick of signs as one word."""
    places = dict(nicks)
    return [
        replace(token, folded=fold(text[token.start : token.end]), capital=True)
        if places.get(token.start) == token.end
        else token
        for token in found
    ]


def _blank(match: re.Match[str]) -> str:
    """Blanks for a smiley; one before a capital closes the sentence as well as a full stop, another between words the clause."""
    size = match.end() - match.start()
    rest = match.string[match.end() : match.end() + 3].lstrip()
    eyes = match[0][0] in ":;=" and size < 4
    if not eyes or not match.start():
        return " " * size
    return ("." if rest[:1].isupper() else _pause(match)) + " " * (size - 1)


def _pause(match: re.Match[str]) -> str:
    """A comma for a smile between two words («к Глебу)) надеюсь, у него чисто»)."""
    before, behind = match.string[: match.start()].rstrip(" "), match.string[match.end() :].lstrip(" ")
    return "," if before[-1:].isalnum() and behind[:1].isalpha() else " "


def _stop(match: re.Match[str], painted: frozenset[int]) -> str:
    """Blanks for a mouth without eyes; a full stop where a sentence, a line or a coloured run begins behind it."""
    if match["mouth"] is None and match.string.rfind("(", match.string.rfind("\n", 0, match.start()) + 1, match.start()) >= 0:
        return match[0]  # it closes a bracket
    size = match.end() - match.start()
    behind = match.string[match.end() : match.end() + 3]
    begins = behind.lstrip()[:1].isupper() or "\n" in behind[:2] or not painted.isdisjoint(range(match.end(), match.end() + 3))
    return ("." if begins else _pause(match)) + " " * (size - 1)


def _soften(found: Sequence[Token], clauses: Sequence[Clause]) -> None:
    """An ordinary word that opens a sentence has its capital from there: a nick only where a nick must stand."""
    seen: set[int] = set()
    for clause in clauses:
        first = next((i for i in range(clause.start, clause.end) if found[i].kind in "wn"), -1)
        if clause.sentence in seen or first < 0:
            continue
        seen.add(clause.sentence)
        for name in clause.names:
            if name.start == first and name.end - name.start == 1 and is_common_word(found[first].folded):
                name.weak = name.weak or not found[first].folded.isupper()


def _paint(found: Sequence[Token], colors: Sequence[tuple[int, int, str]]) -> None:
    """Give each token the colour in which all of its letters stand."""
    if not colors:
        return
    place = 0
    for token in found:
        while place < len(colors) and colors[place][1] <= token.start:
            place += 1
        if place == len(colors):
            return
        start, end, color = colors[place]
        if start > token.start:
            continue
        at = place
        while end < token.end and at + 1 < len(colors) and colors[at + 1][0] == end and colors[at + 1][2] == color:
            at += 1
            end = colors[at][1]
        token.color = color if end >= token.end else None


_COVERED = frozenset(("action", "role", "number"))
"""Kinds of words that say nothing inside a longer phrase; goods, payments and the like still do."""


def _outermost(hits: list[Hit]) -> list[Hit]:
    """Without the words that stand inside a longer phrase (the "move" in "divert the move"); marks and covers stay."""
    kept: list[Hit] = []
    start = end = 0
    cover = ""
    for hit in hits:
        kind = hit.meaning.kind
        inside = start <= hit.start and hit.end <= end and hit.end - hit.start < end - start
        if inside and (kind in _COVERED or kind == cover):
            continue
        if kind not in ("mark", "cover", "hint", "hedge") and hit.end > end:
            start, end, cover = hit.start, hit.end, kind
        kept.append(hit)
    return kept


_PAYMENT = frozenset(("pay",))
_GOODS = frozenset(("item",))


def _with_verbs(found: Sequence[Token], hits: Sequence[Hit]) -> list[Hit]:
    """The hits, forms of verbs that were found by their lemma among them as actions; what is first of all something else
    («громила» is no past of «громить») and what stands in the file as it is are left out."""
    kinds = {hit.meaning.kind for hit in hits}
    if not kinds & _GOODS:  # «Меняю голос на Ладу»: nothing is paid for
        hits = [hit for hit in hits if hit.meaning.kind not in _PAYMENT]
    spelled = {hit.start for hit in hits if hit.meaning.kind == "action"}
    kept: list[Hit] = []
    for hit in hits:
        if hit.meaning.kind != "verb":
            kept.append(hit)
        elif hit.start not in spelled and not hit.typo and facts(found[hit.start].folded).main not in _NO_VERBS:
            kept.append(hit._replace(meaning=Meaning("action", hit.meaning.id)))
    return kept


_NO_VERBS = frozenset(("noun", "adjective", "adverb", "particle", "conjunction", "preposition"))


def _without_typos_in_names(hits: list[Hit], names: Sequence[Mention]) -> list[Hit]:
    taken = {i for name in names for i in range(name.start, name.end)}
    return [hit for hit in hits if not (hit.typo and hit.start in taken)]


def _without_hints_in_names(hits: list[Hit], names: Sequence[Mention], found: Sequence[Token]) -> list[Hit]:
    """«Голос: Роза»: what is written like a nick in the middle of a sentence hints at no move."""
    whole = {(name.start, name.end) for name in names if name.candidates and name.candidates[0].rank <= EXACT}
    inner = {(a, b) for a, b in whole if a and found[a].capital and found[a - 1].folded in LABEL_SIGNS}
    return [hit for hit in hits if hit.meaning.kind != "hint" or (hit.start, hit.end) not in inner]


def _quoted(found: Sequence[Token], hits: Sequence[Hit], names: Sequence[Mention]) -> frozenset[int]:
    """Tokens inside quotation marks that hold somebody's words: a move word and more than it alone."""
    if not any(token.folded in OPENING for token in found):
        return frozenset()
    inside: set[int] = set()
    named = {i for name in names for i in range(name.start, name.end)}
    actions = sorted(h.start for h in hits if h.meaning.kind in ("action", "hint") and h.start not in named)
    said = {hit.end - 1 for hit in hits if hit.meaning == ("mark", "speech")}
    i = 0
    while i < len(found):
        end = _closing(found, i)
        if not end:
            i += 1
            continue
        if not any(found[j].kind in "wn" for j in (*range(i), *range(end, len(found)))):
            break  # a message that is one quotation: not left out, but asked about (``own.Own.doubtful``)
        spoken = [j for j in range(i + 1, end) if found[j].kind in "wn"]
        acts = any(i < start < end for start in actions) and (len(spoken) > 2 or any(j in named for j in spoken))
        if acts or any(j in said for j in range(max(0, i - 4), i)):
            inside.update(range(i, end + 1))
        i = end + 1
    return frozenset(inside)


def _closing(found: Sequence[Token], i: int) -> int:
    """Where the quotation marks that open at a token close; 0 for none."""
    closing = OPENING.get(found[i].folded) if found[i].kind == "s" else None
    if closing is None:
        return 0
    return next((j for j in range(i + 1, min(i + _LONGEST_QUOTE, len(found))) if found[j].folded == closing), 0)
