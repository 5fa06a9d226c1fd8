"""What the dictionary knows of a word: its lemmas, and what part of a clause it may be. One look-up a word, kept."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from forumbot.reading.decline import is_word, parses_of
from forumbot.reading.text import tokens

_NONE: frozenset[str] = frozenset()
_SHARE = 0.25
"""A reading of a word that is rarer than this does not make it a verb of its clause («мой», «три» as imperatives)."""


_RARE = 0.05
"""A short adjective («прав») is one although its letters are more often something else."""


class Facts(NamedTuple):
    """``forms``: "first", "second", "third", "past", "infinitive", "imperative", "gerund", "short" (of a participle or an
    adjective), "predicative", "noun", "adjective", "adverb", "pronoun", "preposition", "conjunction", "particle", and "future"
    beside the person."""

    known: bool
    lemmas: frozenset[str]
    forms: frozenset[str]
    """All that the word may be."""
    main: str
    """What it is first of all; empty for an unknown word."""
    finite: bool
    """It may be the predicate of a clause."""
    cases: frozenset[str]
    """Cases in which it may stand, as an adjective or a noun."""
    plural: bool = False
    transitive: bool = False
    thing: bool = False
    """As a noun it names no living being."""


_PARTS = {
    "INFN": "infinitive",
    "GRND": "gerund",
    "PRTS": "short",
    "ADJS": "short",
    "PRED": "predicative",
    "NOUN": "noun",
    "ADJF": "adjective",
    "PRTF": "adjective",
    "ADVB": "adverb",
    "COMP": "adverb",
    "NPRO": "pronoun",
    "PREP": "preposition",
    "CONJ": "conjunction",
    "PRCL": "particle",
    "INTJ": "particle",
    "NUMR": "number",
}
_FINITE = frozenset(("first", "second", "third", "past", "short", "predicative"))


def _form(tag: Any) -> str:
    """The part of a clause that a reading of the dictionary makes."""
    if tag.POS != "VERB":
        return _PARTS.get(str(tag.POS), "")
    if tag.mood == "impr":
        return "imperative"
    if tag.tense == "past":
        return "past"
    return {"1per": "first", "2per": "second", "3per": "third"}.get(str(tag.person), "third")


@lru_cache(maxsize=100_000)
def facts(folded: str) -> Facts:
    """The facts of a folded word; of one that no dictionary knows only its lemma by guess."""
    known = is_word(folded)
    parses = parses_of(folded)
    if not known:
        guessed = parses[0] if parses else None
        verb = guessed is not None and guessed.tag.POS in ("VERB", "INFN") and len(folded) > 4
        form = _form(guessed.tag) if verb and guessed is not None else ""
        lemmas = frozenset((_fold(guessed.normal_form),)) if guessed is not None else _NONE
        return Facts(False, lemmas, frozenset((form,)) if form else _NONE, form, form in _FINITE, _NONE)
    forms = frozenset(form for parse in parses if (form := _form(parse.tag)))
    if any(parse.tag.tense == "futr" for parse in parses[:1]):
        forms |= {"future"}
    main = _form(parses[0].tag) if parses else ""
    finite = any(_form(parse.tag) in _FINITE and (parse.score >= _SHARE or index == 0) for index, parse in enumerate(parses))
    finite = finite or any(parse.tag.POS == "COMP" or (parse.tag.POS == "ADJS" and parse.score >= _RARE) for parse in parses)
    cases = frozenset(str(parse.tag.case) for parse in parses if parse.tag.case is not None)
    return Facts(
        True,
        frozenset(_fold(parse.normal_form) for parse in parses),
        forms,
        main,
        finite,
        frozenset({"loc2": "loct", "gen2": "gent", "acc2": "accs"}.get(case, case) for case in cases),
        any(parse.tag.number == "plur" for parse in parses[:1]),
        any("tran" in parse.tag for parse in parses if parse.tag.POS in ("VERB", "INFN")),
        any("inan" in parse.tag for parse in parses[:1]) and not any("Name" in parse.tag for parse in parses),
    )


def _fold(lemma: str) -> str:
    return lemma.replace("ё", "е")


@lru_cache(maxsize=100_000)
def lemmas(folded: str) -> frozenset[str]:
    """The lemmas that a word may have, folded."""
    return facts(folded).lemmas


@lru_cache(maxsize=50_000)
def verb_lemmas(folded: str) -> frozenset[str]:
    """The infinitives of which a known word may be a form."""
    if not is_word(folded):
        return _NONE
    return frozenset(_fold(parse.normal_form) for parse in parses_of(folded) if parse.tag.POS in ("VERB", "INFN"))


def is_past(text: str) -> bool:
    """Whether a known verb of the past stands in a text: beside a move it tells that there is none («хотел лечить Анну»)."""
    return any(facts(token.folded).known and "past" in facts(token.folded).forms for token in tokens(text))
