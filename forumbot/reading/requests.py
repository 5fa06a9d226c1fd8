"""What is no move: what players ask the bot of themselves, what only a person can answer, and choices among readings.

The words are data (``config/reading/requests.toml``). A sentence is answered by the bot only when every word of it is
understood; what is left goes to a person. Nothing here carries out an order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from forumbot import resources
from forumbot.reading.text import Token, tokens

_STORY = re.compile(r"рассказ\w*\s*:", re.IGNORECASE)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+")
_HYPHENED = re.compile(r"\be-mail\b|\bе-мейл\b", re.IGNORECASE)
_DASHES = str.maketrans("−–—", "---")
_GAP = 3
"""Words that ``..`` lets stand between."""
_NICKS = 8192
"""Of so many nicks the words are kept: those of five hundred games."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its words as they are compared, whether it ends with a question mark, and how it was written."""

    words: tuple[str, ...]
    question: bool
    text: str


@dataclass(frozen=True, slots=True)
class Requests:
    """What a message asks besides moves."""

    asks: tuple[str, ...] = ()
    """What the bot answers itself ("role", "team", "money", ...), in the order of asking."""
    person: tuple[str, ...] = ()
    """Kinds of what only a person can answer ("leave", "report", "complaint", "question"), the weightiest first."""
    rest: tuple[Sentence, ...] = ()
    """Sentences that are neither asked of the bot nor mere politeness."""


class Patterns:
    """Phrases that are looked for among the words of a sentence."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._by_first: dict[str, list[Sequence[_Word]]] = {}
        """Phrases that begin with one of these words and no other."""
        self._by_start: list[Sequence[_Word]] = []
        """Phrases that begin with a word of which the beginning alone is given."""
        self._others: list[Sequence[_Word]] = []
        for phrase in phrases:
            words = tuple(_Word(piece) for piece in phrase.replace("ё", "е").split())
            first = words[0]
            if first.gap or first.optional or first.number:
                self._others.append(words)
                continue
            if first.starts:
                self._by_start.append(words)
            else:
                for form in first.exact:
                    self._by_first.setdefault(form, []).append(words)
        self._starts = tuple({start for words in self._by_start for start in (*words[0].starts, *words[0].exact)})

    def covered(self, words: Sequence[str]) -> set[int]:
        """Places of all words that stand in one of the phrases."""
        return {place for start in range(len(words)) for place in range(start, max(self._ends(words, start), default=0))}

    def found(self, words: Sequence[str]) -> bool:
        """Whether one of the phrases stands among the words."""
        return any(any(self._ends(words, start)) for start in range(len(words)))

    def _ends(self, words: Sequence[str], start: int) -> Iterator[int]:
        """Where the phrases that may begin at ``start`` end; 0 for those that do not stand there."""
        word = words[start]
        for phrase in self._by_first.get(word, ()):
            yield _end(phrase, words, start)
        if self._starts and word.startswith(self._starts):
            for phrase in self._by_start:
                yield _end(phrase, words, start)
        for phrase in self._others:
            yield _end(phrase, words, start)


class _Word:
    __slots__ = ("exact", "gap", "number", "optional", "starts")

    def __init__(self, piece: str) -> None:
        self.gap = piece == ".."
        self.number = piece == "#"
        self.optional = piece.endswith("?")
        forms = piece.removesuffix("?").split("|")
        self.exact = frozenset(form for form in forms if not form.endswith("*"))
        self.starts = tuple(form[:-1] for form in forms if form.endswith("*"))

    def fits(self, word: str) -> bool:
        if self.number:
            return word.isdecimal()
        return word in self.exact or (bool(self.starts) and word.startswith(self.starts))


def _end(phrase: Sequence[_Word], words: Sequence[str], start: int) -> int:
    """Where a phrase that begins at ``start`` ends; 0 where it does not stand there."""
    at, gap = start, 0
    for word in phrase:
        if word.gap:
            gap = _GAP
            continue
        place = next((n for n in range(at, min(at + gap + 1, len(words))) if word.fits(words[n])), None)
        if place is not None:
            at, gap = place + 1, 0
        elif not word.optional:
            return 0
    return at


@dataclass(frozen=True, slots=True)
class Book:
    """The vocabulary of requests, compiled once."""

    data: Mapping[str, Any]
    asks: Mapping[str, Patterns]
    beside: Mapping[str, Patterns]
    """Kind -> words that may stand beside its own; by themselves they ask nothing."""
    of_others: Patterns
    """Words with which a question about the votes begins, which are everybody's: it may name players."""
    around: Patterns
    courtesy: Patterns
    person: Mapping[str, tuple[Patterns, Patterns]]
    """Kind -> (its words, words that make it none)."""
    to_host: Patterns
    again: Patterns
    reserve: tuple[Patterns, Patterns]
    signoff: tuple[Patterns, Patterns]
    refusal: tuple[Patterns, Patterns]
    """Words that sign off where nothing else is said, and what may stand around them."""
    code: tuple[Patterns, Patterns]


@cache
def book() -> Book:
    """The vocabulary (``config/reading/requests.toml``)."""
    data = resources.toml("reading/requests.toml")
    return Book(
        data,
        {kind: Patterns(entry["words"]) for kind, entry in data["ask"].items()},
        {kind: Patterns(entry.get("around", ())) for kind, entry in data["ask"].items()},
        Patterns(data["ask"]["votes"]["of_others"]),
        Patterns(data["around"]["words"]),
        Patterns(data["courtesy"]["words"]),
        {kind: (Patterns(entry["words"]), Patterns(entry.get("forbidden", ()))) for kind, entry in data["person"].items()},
        Patterns(data["to_host"]["words"]),
        Patterns(data["again"]["words"]),
        (Patterns(data["reserve"]["words"]), Patterns(data["reserve"]["forbidden"])),
        (Patterns(data["signoff"]["words"]), Patterns(data["signoff"]["forbidden"])),
        (Patterns(data["signoff"]["alone"]), Patterns([*data["signoff"]["alone_around"], *data["courtesy"]["words"]])),
        (Patterns(data["code"]["heads"]), Patterns(data["code"]["words"])),
    )


def requests(text: str, subject: str = "", nicks: Collection[str] = ()) -> Requests:
    """What a letter asks. What stands in a story asks nothing; ``nicks`` are no words of a request about oneself."""
    known = book()
    names = {word for nick in nicks for word in _folded(nick)}
    asks: dict[str, None] = {}
    rest: list[Sentence] = []
    body = list(sentences(_STORY.split(text, maxsplit=1)[0]))
    for sentence in [*sentences(subject), *body]:
        kinds = _asked(sentence, known, names)
        asks |= dict.fromkeys(kinds)
        if not kinds and not _is_polite(sentence, known) and (sentence in body or not body):
            rest.append(sentence)
    return Requests(tuple(asks), persons(rest), tuple(rest))


def persons(found: Sequence[Sentence]) -> tuple[str, ...]:
    """Of what kinds these sentences are that only a person can answer, the weightiest first."""
    kinds = [
        kind
        for kind, (words, forbidden) in book().person.items()
        if any(words.found(one.words) and not forbidden.found(one.words) for one in found)
    ]
    if "question" not in kinds and any(one.question for one in found):
        kinds.append("question")
    return tuple(kinds)


def speaks_to_host(text: str) -> tuple[str, ...]:
    """Kinds of what a post of the day's thread asks the host, by name; empty where it does not speak to him."""
    meant = [one for one in sentences(text) if book().to_host.found(one.words)]
    return persons(meant)


def speaks_of_trouble(text: str) -> bool:
    """Whether a letter without a clear move asks to leave, complains or reports somebody. Stories, which tell of all that, stand
    beside moves."""
    return any(kind != "question" for kind in persons(list(sentences(text))))


def wants_reserve(text: str) -> bool:
    """Whether a post of the sign-up thread asks for a place on the waiting list («играю в запас»)."""
    words, forbidden = book().reserve
    most = book().data["settings"]["longest_wish"]
    return any(
        words.found(one.words) and not forbidden.found(one.words) and not one.question and len(one.words) <= most
        for one in sentences(text)
    )


def signs_off(text: str) -> bool:
    """Whether a post of one who has signed up takes it back («не играю, передумала», «увы, не смогу», «-1»)."""
    words, forbidden = book().signoff
    plain = text.translate(_DASHES)
    if any(words.found(one.words) and not forbidden.found(one.words) and not one.question for one in sentences(text)):
        return True
    return plain.strip() == "-" or any(_is_refusal(one) for one in sentences(plain, signs="-"))


def _is_refusal(sentence: Sentence) -> bool:
    """«Увы, на этот раз не смогу»: a sentence that says this, and nothing else but why and politeness."""
    alone, around = book().refusal
    after = (*sentence.words[1:], "")
    words = tuple(word for word, behind in zip(sentence.words, after, strict=True) if word != "-" or behind in ("1", "один"))
    if not words:
        return False
    said = alone.covered(words)
    return bool(said) and not sentence.question and len(said | around.covered(words)) == len(words)


def asks_code(subject: str, text: str, nicks: Collection[str] = ()) -> tuple[bool, bool]:
    """(whether a message asks for the code that proves an address, whether it says nothing else)."""
    heads, around = book().code
    most = book().data["settings"]["longest_code"]
    names = {word for nick in nicks for word in _folded(nick)}
    found = [one.words for one in sentences(text)] or [one.words for one in sentences(subject)]

    def about(words: Sequence[str]) -> bool:
        covered = heads.covered(words) | around.covered(words)
        return len(words) <= most and len(covered) == len(words) and not any(word in names for word in words)

    known = [about(words) for words in found]
    wanted = any(fits and heads.found(words) for fits, words in zip(known, found, strict=True))
    return wanted, wanted and all(known)


def says_again(text: str) -> bool:
    """Whether the words say that something is wanted once more («ещё одну»)."""
    return any(book().again.found(one.words) for one in sentences(text))


@cache
def _choices() -> tuple[Sequence[Patterns], Sequence[Patterns]]:
    """How a choice is said: by number, and "yes", "none of them", words around them."""
    data = book().data["choice"]
    return [Patterns([form]) for form in data["numbers"]], [Patterns(data[kind]) for kind in ("yes", "none", "around")]


def chosen(text: str) -> tuple[int, ...] | None:
    """Which of the numbered readings an answer names: their numbers, ``()`` for "yes" to the only one, ``(0,)`` for none of
    them; None where the text is no such answer."""
    words = [word for one in sentences(text.replace("№", " "), signs="+") for word in one.words]
    numbers, (yes, none, around) = _choices()
    picked: list[int] = []
    covered: set[int] = set()
    for place, word in enumerate(words):
        if word.isdecimal() and len(word) < 3:
            picked.append(int(word))
            covered.add(place)
        for number, forms in enumerate(numbers, 1):
            if forms.found([word]):
                picked.append(number)
                covered.add(place)
    agreed, refused = yes.covered(words), none.covered(words)
    everything = covered | agreed | refused | around.covered(words)
    if not words or len(everything) < len(words) or bool(refused) + bool(agreed) + bool(picked) == 0:
        return None
    if refused:
        return None if picked and picked != [0] else (0,)
    return tuple(dict.fromkeys(picked))


def sentences(text: str, signs: str = "") -> Iterator[Sentence]:
    """The sentences of a text that hold words. Addresses of mail and pages are no words."""
    plain = _HYPHENED.sub("email", _ADDRESS.sub(" ", text))
    words: list[str] = []
    start = 0
    for token in [*tokens(plain), None]:
        if token is None or token.kind == "l" or (token.kind == "s" and token.folded in ".!?;…"):
            if words:
                end = len(plain) if token is None else token.end
                yield Sentence(tuple(words), token is not None and token.folded == "?", plain[start:end].strip())
            words, start = [], (len(plain) if token is None else token.end)
        elif token.kind in "wn" or token.folded in signs:
            words.append(token.folded)


def _asked(sentence: Sentence, known: Book, names: Collection[str]) -> list[str]:
    words = sentence.words
    named = {place for place, word in enumerate(words) if word in names}
    if len(words) > known.data["settings"]["longest"] or (named and not known.of_others.found(words[:1])):
        return []
    covered = {kind: patterns.covered(words) for kind, patterns in known.asks.items()}
    if named:
        covered = {"votes": covered["votes"]}
    found = {kind: places for kind, places in covered.items() if places}
    beside = (known.beside[kind].covered(words) for kind in found)
    everything = named.union(*found.values(), *beside, known.around.covered(words), known.courtesy.covered(words))
    if len(everything) < len(words):
        return []
    # «Мой счёт голосов» asks for votes alone: a phrase inside a longer one says nothing of its own.
    return [kind for kind, places in found.items() if not any(places < other for other in found.values())]


def _is_polite(sentence: Sentence, known: Book) -> bool:
    words = sentence.words
    courtesy = known.courtesy.covered(words)
    return bool(courtesy) and len(courtesy | known.around.covered(words)) == len(words) and not sentence.question


@lru_cache(_NICKS)
def _folded(nick: str) -> Sequence[str]:
    found: list[Token] = tokens(nick)
    return [token.folded for token in found if token.kind in "wn"]
