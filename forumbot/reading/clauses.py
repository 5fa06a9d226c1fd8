"""The clause, unit of the reading: sentences parted at their signs and conjunctions, each part with what was found in it.

A clause says one thing: an order, a reason, a condition, a correction. What it says is decided by those who ask it
(``heads``, ``hedges``, ``cover``); here it is only cut out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention, mentions
from forumbot.reading.names import Roster
from forumbot.reading.own import Own
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Sentence, cut
from forumbot.reading.text import Token, tokens
from forumbot.reading.vocabulary import Meaning, Vocabulary

_NOISE = re.compile(r"(?:https?://|www\.)\S+|:[A-Za-z0-9_+-]{2,30}:|[:;=]-?[)(DРPpр](?:(?<=[)(])[)(]*|(?![\w]))")
"""Addresses and smilies: no words."""
_SMILE = re.compile(r"(?<=[^\s(])(?P<mouth>\){2,}|\({2,})|(?<=[\w!?.])\)(?=\s*\n|\s+[А-ЯЁA-Z])(?<!\d\))")
"""Mouths without eyes: they close a sentence."""
_PICTURE = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
"""A picture before a coloured run closes the sentence, as a full stop does."""
_OPENING = {"«": "»", "“": "”", "„": "“", '"': '"'}
_LONGEST_QUOTE = 60
_BORDERS = frozenset(",;()→")
_REMARK = 3
"""Shortest distance of square brackets that hold a remark, and no part of a nick («[TT]Rex»)."""
_DASHES = frozenset("-–—")
LABEL_SIGNS = frozenset((":", "-", "–", "—", "=", ">", "→"))
"""Signs between a label and what it names."""
MOST_NAMES = 400
"""More mentions of players than this are no order of anybody."""


@dataclass(slots=True)
class Clause:
    """Tokens ``start`` to ``end`` (exclusive). ``opener`` is the sign or conjunction before them, ``closer`` the one behind."""

    start: int
    end: int
    sentence: int
    opener: str = ""
    closer: str = ""
    stop: str = ""
    """How its sentence ends."""
    subject: bool = False
    color: str | None = None
    quoted: bool = False
    """Words between quotation marks that are somebody's."""
    last: bool = False
    """The last of its sentence."""
    bracketed: bool = False
    hits: list[Hit] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    _by_kind: dict[str, list[Hit]] | None = field(default=None, repr=False, compare=False)

    def kinds(self, kind: str) -> Sequence[Hit]:
        """What was found of one kind ("action", "role", "item" ...)."""
        if self._by_kind is None:
            by_kind: dict[str, list[Hit]] = {}
            for hit in self.hits:
                by_kind.setdefault(hit.meaning.kind, []).append(hit)
            self._by_kind = by_kind
        return self._by_kind.get(kind, ())

    def marks(self, *names: str) -> list[Hit]:
        """The marks of everyday words with one of these ids."""
        marks = self.kinds("mark")
        return [hit for hit in marks if hit.meaning.id in names] if marks else []

    def has(self, *names: str) -> bool:
        """Whether one of these marks stands in it."""
        marks = self.kinds("mark")
        return bool(marks) and any(hit.meaning.id in names for hit in marks)


@dataclass(slots=True)
class Text:
    """A message's own words, taken apart."""

    own: Own
    found: list[Token]
    sentences: list[Sentence]
    clauses: list[Clause]

    def words(self, start: int, end: int) -> str:
        """The text between two token indices, as written."""
        if start >= end or start >= len(self.found):
            return ""
        return self.own.text[self.found[start].start : self.found[min(end, len(self.found)) - 1].end]

    def of(self, sentence: int) -> list[Clause]:
        """The clauses of a sentence."""
        return [clause for clause in self.clauses if clause.sentence == sentence]


def take_apart(own: Own, words: Vocabulary, roster: Roster) -> Text:
    """Tokens, names, words, sentences and clauses of a message's own words. Linear in their length."""
    painted = frozenset(start for start, _, _ in own.colors)
    clean = _SMILE.sub(lambda match: _stop(match, painted), _NOISE.sub(_blank, own.text))
    if painted:
        clean = _PICTURE.sub(
            lambda match: "." if not painted.isdisjoint(range(match.end(), match.end() + 3)) else match[0], clean
        )
    found = tokens(clean)
    _paint(found, own.colors)
    names = mentions(found, roster, words.table.knows)
    if len(names) > MOST_NAMES:
        names = []
    hits = _without_typos_in_names(_outermost(_with_verbs(found, words.table.hits(found))), names)
    inside = frozenset(i for name in names for i in range(name.start + 1, name.end))
    closing = frozenset(name.end - 1 for name in names if found[name.end - 1].kind == "s")
    sentences = cut(found, own.subject_end, inside | closing)
    quoted = _quoted(found, hits, names)
    clauses = _clauses(found, sentences, hits, names, quoted)
    _soften(found, clauses)
    return Text(own, found, sentences, clauses)


def _blank(match: re.Match[str]) -> str:
    """Blanks for a smiley; one before a capital closes the sentence as well as a full stop."""
    size = match.end() - match.start()
    rest = match.string[match.end() : match.end() + 3].lstrip()
    eyes = match[0][0] in ":;=" and size < 4
    return "." + " " * (size - 1) if eyes and rest[:1].isupper() and match.start() else " " * size


def _stop(match: re.Match[str], painted: frozenset[int]) -> str:
    """Blanks for a mouth without eyes; a full stop where a sentence, a line or a coloured run begins behind it."""
    if match["mouth"] is None and match.string.rfind("(", match.string.rfind("\n", 0, match.start()) + 1, match.start()) >= 0:
        return match[0]  # it closes a bracket
    size = match.end() - match.start()
    behind = match.string[match.end() : match.end() + 3]
    begins = behind.lstrip()[:1].isupper() or "\n" in behind[:2] or not painted.isdisjoint(range(match.end(), match.end() + 3))
    return "." + " " * (size - 1) if begins else " " * size


def _soften(found: Sequence[Token], clauses: Sequence[Clause]) -> None:
    """An ordinary word that opens a sentence has its capital from there: a nick only where a nick must stand."""
    from forumbot.reading.decline import is_common_word

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


def _quoted(found: Sequence[Token], hits: Sequence[Hit], names: Sequence[Mention]) -> frozenset[int]:
    """Tokens inside quotation marks that hold somebody's words: a move word and more than it alone."""
    if not any(token.folded in _OPENING for token in found):
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
    closing = _OPENING.get(found[i].folded) if found[i].kind == "s" else None
    if closing is None:
        return 0
    return next((j for j in range(i + 1, min(i + _LONGEST_QUOTE, len(found))) if found[j].folded == closing), 0)


# --- cutting ---------------------------------------------------------------------------------------------------------------


def _clauses(
    found: Sequence[Token], sentences: Sequence[Sentence], hits: Sequence[Hit], names: Sequence[Mention], quoted: frozenset[int]
) -> list[Clause]:
    whole = {i for name in names for i in range(name.start + 1, name.end)}
    kinds = ("mark", "cover", "hint")
    whole |= {i for hit in hits if hit.meaning.kind not in kinds for i in range(hit.start + 1, hit.end)}
    whole |= {i for hit in hits if hit.meaning == ("cover", "no_other") for i in range(hit.start + 1, hit.end)}
    ends = {hit.end for hit in hits if hit.meaning.kind in ("action", "role", "item")}
    verbs = _verbs(found, hits)
    clauses: list[Clause] = []
    for index, sentence in enumerate(sentences):
        made: list[Clause] = []
        opened = Clause(sentence.start, sentence.start, index, subject=sentence.subject, stop=sentence.stop)
        depth = 0
        for i in range(sentence.start, sentence.end):
            border = "" if i in whole else _border(found, i, opened, sentence, ends, verbs, quoted)
            if not border:
                continue
            sign = found[i].kind == "s" and border == found[i].folded
            _shut(made, opened, i, border, found)
            depth += (border in "([") - (border in ")]")
            start = i + 1 if sign else i
            opened = Clause(start, start, index, border, subject=sentence.subject, stop=sentence.stop, bracketed=depth > 0)
        _shut(made, opened, sentence.end, sentence.stop, found)
        if made:
            made[-1].last = True
        clauses.extend(made)
    for clause in clauses:
        first = next(i for i in range(clause.start, clause.end) if found[i].kind in "wn" or found[i].folded == "+")
        clause.color = found[first].color
        clause.quoted = first in quoted
    _distribute(clauses, hits, names)
    return clauses


def _shut(made: list[Clause], opened: Clause, end: int, closer: str, found: Sequence[Token]) -> None:
    opened.end, opened.closer = end, closer
    if any(token.kind in "wn" or token.folded == "+" for token in found[opened.start : end]):
        made.append(opened)
    elif made and opened.opener not in ("", ")"):
        made[-1].closer = made[-1].closer or closer


def _border(
    found: Sequence[Token],
    i: int,
    opened: Clause,
    sentence: Sentence,
    ends: set[int],
    verbs: frozenset[int],
    quoted: frozenset[int],
) -> str:
    """The sign or conjunction by which a new clause opens at a token, or nothing."""
    token = found[i]
    if (i in quoted) != (i - 1 in quoted) and i > sentence.start:
        return "«"
    if token.kind == "s":
        return _sign_border(found, i, sentence, ends)
    if token.kind == "w" and i > opened.start:
        before = next((found[j] for j in range(i - 1, opened.start - 1, -1) if found[j].kind in "wn"), None)
        if before is not None and before.color != token.color and _whole_colors(before, token):
            return "color"
        return _word_border(found, i, opened, sentence, verbs)
    return ""


def _whole_colors(before: Token, token: Token) -> bool:
    return before.color is not None or token.color is not None


def _sign_border(found: Sequence[Token], i: int, sentence: Sentence, ends: set[int]) -> str:
    sign = found[i].folded
    if sign in _BORDERS:
        return sign
    if sign in "[]" and _remark(found, i, sentence):
        return sign
    if sign == ":":
        glued = found[i].glued and i + 1 < sentence.end and found[i + 1].glued
        return "" if glued and found[i - 1].kind == "n" and found[i + 1].kind == "n" else sign
    if sign in _DASHES:
        after = found[i + 1] if i + 1 < sentence.end else None
        glued = found[i].glued and after is not None and after.glued
        particle = after is not None and glued and after.folded in ("ка", "то", "таки")
        return "" if (glued and i not in ends) or particle else sign
    return sign if sign in "=>/" and sign != "/" else ""


def _remark(found: Sequence[Token], i: int, sentence: Sentence) -> bool:
    """Whether a square bracket opens or closes a remark («[пишу из поезда]»)."""
    if found[i].folded == "[":
        other = next((j for j in range(i + 1, sentence.end) if found[j].folded == "]"), i)
    else:
        other = next((j for j in range(i - 1, sentence.start - 1, -1) if found[j].folded == "["), i)
    return abs(other - i) > _REMARK


def _word_border(found: Sequence[Token], i: int, opened: Clause, sentence: Sentence, verbs: frozenset[int]) -> str:
    word = found[i].folded
    lists = grammar().lists
    if word in ("пусть", "пускай") and found[i - 1].capital and not facts(found[i - 1].folded).finite:
        return ""  # «а Тихоня пусть спит»: who is let stands before the word
    if found[i - 1].folded in _OPENING:
        return ""
    if word == "если" and found[i - 1].folded == "даже":
        return ""  # «…, даже если Белка против»
    if found[i - 1].folded in grammar().prepositions and found[i].capital:
        return ""  # «без А на конце», «против Коли»
    if word in lists["splitting"] or word == "а":
        return word
    if word == "потому" and i + 1 < sentence.end and found[i + 1].folded == "что":
        return word
    if word == "нет" and i + 1 < sentence.end and found[i + 1].folded in ("лучше", "давай", "давайте", "пусть"):
        return "нет"
    if word in ("и", "да") and any(j in verbs for j in range(opened.start, i)):
        limit = next((j for j in range(i + 1, sentence.end) if found[j].folded in _BORDERS), sentence.end)
        if any(j in verbs for j in range(i + 1, limit)):
            return "и"
    return ""


def _verbs(found: Sequence[Token], hits: Sequence[Hit]) -> frozenset[int]:
    """Tokens by which a part of a sentence can be a clause of its own: move words, and verbs in a personal form."""
    heads = {hit.start for hit in hits if hit.meaning.kind == "action"}
    finite = {i for i, token in enumerate(found) if token.kind == "w" and facts(token.folded).finite}
    return frozenset(heads | finite)


def _distribute(clauses: Sequence[Clause], hits: Sequence[Hit], names: Sequence[Mention]) -> None:
    home: dict[int, Clause] = {}
    for clause in clauses:
        for i in range(clause.start, clause.end):
            home[i] = clause
    for hit in hits:
        place = home.get(hit.start)
        if place is not None and not (place.quoted and hit.meaning.kind != "mark"):
            place.hits.append(hit)
    for name in names:
        place = home.get(name.start)
        if place is not None and not place.quoted:
            place.names.append(name)
