"""Case forms of nicks: by the dictionary where it knows the word, else by a table of endings, for both genders.

The dictionary (pymorphy3) is loaded on the first word that needs it: 0.3 s and about 30 MB, once a process.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from forumbot import resources

CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
ANY_CASE = frozenset(CASES)


class Form(NamedTuple):
    """A spelling of a word in one case. ``gender`` is ``m``, ``f``, ``n`` or empty where unknown."""

    text: str
    case: str
    gender: str


@cache
def dictionary() -> Any:
    """The one analyser of the process."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()


def parses_of(word: str) -> list[Any]:
    """What the dictionary makes of a word; nothing of one with a letter that Unicode does not name, on which it raises."""
    if not word or any(char.isalpha() and not unicodedata.name(char, "") for char in word):
        return []
    return list(dictionary().parse(word))


@lru_cache(maxsize=100_000)
def is_word(folded: str) -> bool:
    """Whether the dictionary knows this form of a Russian word."""
    return bool(dictionary().word_is_known(folded))


@lru_cache(maxsize=100_000)
def is_common_word(folded: str) -> bool:
    """Whether the dictionary knows this form as something else than a name of a person or place."""
    if not is_word(folded):
        return False
    proper = ("Name", "Surn", "Patr", "Geox", "Orgn")
    return not all(any(mark in parse.tag for mark in proper) for parse in parses_of(folded))


@lru_cache(maxsize=20_000)
def is_given_name(folded: str) -> bool:
    """Whether the word is first of all a given name."""
    parses = parses_of(folded)
    return bool(parses) and "Name" in parses[0].tag and bool(is_word(folded))


@lru_cache(maxsize=20_000)
def forms(word: str) -> tuple[Form, ...]:
    """All case forms (singular) of a nick's word, given folded; the word itself in the nominative first."""
    found = dict.fromkeys((Form(word, "nomn", _gender(word)),))
    if len(word) > 1 and _cyrillic(word):
        for form in _by_dictionary(word) or by_endings(word):
            found[form] = None
    return tuple(found)


def _cyrillic(word: str) -> bool:
    return all("а" <= char <= "я" for char in word)


_GENDERS = {"masc": "m", "femn": "f", "neut": "n"}


def _parses(word: str) -> list[Any]:
    """The nominative singular readings of a known word: nouns, and adjectives where it is no noun."""
    if not is_word(word):
        return []
    nominative = [p for p in parses_of(word) if "nomn" in p.tag and "sing" in p.tag and p.is_known]
    nouns = [p for p in nominative if p.tag.POS == "NOUN"]
    return nouns or [p for p in nominative if p.tag.POS in ("ADJF", "PRTF")]


def _gender(word: str) -> str:
    genders = {_GENDERS.get(str(parse.tag.gender), "") for parse in _parses(word)} if len(word) > 1 and _cyrillic(word) else set()
    if len(genders) == 1:
        return genders.pop()
    if genders or not _cyrillic(word):
        return ""
    return "f" if word[-1:] in "ая" else "m" if word[-1:] in "бвгджзйклмнпрстфхцчшщ" else ""


def _by_dictionary(word: str) -> list[Form]:
    found: list[Form] = []
    for parse in _parses(word):
        gender = _GENDERS.get(str(parse.tag.gender), "")
        by_case: dict[str, list[str]] = {}
        for other in parse.lexeme:
            tag = other.tag
            if tag.number != "sing" or tag.case is None or (tag.gender is not None and tag.gender != parse.tag.gender):
                continue
            if tag.POS != parse.tag.POS or "Supr" in tag:
                continue
            case = {"acc2": "accs", "loc2": "loct", "gen1": "gent"}.get(tag.case, tag.case)
            if case in CASES:
                by_case.setdefault(case, []).append(other.word.replace("ё", "е"))
        if gender == "m" and word[-1:] not in "ая":
            # a nick is a person: «голосую за Топаза», whatever the dictionary says of stones
            by_case.setdefault("accs", []).extend(by_case.get("gent", ()))
        found.extend(Form(text, case, gender) for case, texts in by_case.items() for text in texts)
    return found


_HUSHING = "жчшщц"
_Row = tuple[str, str, tuple[str, str, str, str, str]]


@cache
def _endings() -> tuple[_Row, ...]:
    """(ending of the word, gender, its forms): ``config/reading/declension.toml``."""
    rows = resources.toml("reading/declension.toml")["endings"]
    return tuple((ending, gender, (gent, datv, accs, ablt, loct)) for ending, gender, gent, datv, accs, ablt, loct in rows)


def by_endings(word: str) -> list[Form]:
    """Case forms of a word that no dictionary knows. The longest ending of the table decides; several rows of one
    ending are several genders."""
    rows: list[_Row] = []
    for row in _endings():
        if word.endswith(row[0]) and len(word) > len(row[0]) and (not rows or row[0] == rows[0][0]):
            rows.append(row)
    found = [Form(word, "nomn", rows[0][1] if rows else "")]
    if not rows:
        if word[-1] in "бвгджзклмнпрстфхцчшщ":
            ablt = word + ("ем" if word[-1] in _HUSHING else "ом")
            spelled = (word + "а", word + "у", word + "а", ablt, word + "е")
            found = [Form(word, "nomn", "m")]
            found.extend(Form(text, case, "m") for text, case in zip(spelled, CASES[1:], strict=True))
        else:  # и, у, ю, э, ы, е: nobody declines these
            found.extend(Form(word, case, "") for case in CASES[1:])
        return found
    for ending, gender, endings in rows:
        stem = word[: len(word) - len(ending)]
        for case, variants in zip(CASES[1:], endings, strict=True):
            found.extend(Form(stem + variant, case, gender) for variant in variants.split("|"))
    return found


# --- diminutives ---------------------------------------------------------------------------------------------------------

_SOFTENED = {"к": "ч", "г": "ж", "х": "ш", "ц": "ч"}
_VOWELS = "аеиоуыэюя"


def diminutives(word: str) -> Iterator[str]:
    """Pet forms that people make of a nick's word (``пончик`` -> ``пончичек``, ``марина`` -> ``мариночка``)."""
    stem = word.rstrip("аеиоуыэюяьй") if word[-1:] in "аеиоуыэюяьй" else word
    if len(stem) < 3:
        return
    softened = stem[:-1] + _SOFTENED.get(stem[-1], stem[-1])
    bases = {stem, softened}
    if word.endswith("ка") and len(stem) > 3 and stem[-2] not in _VOWELS:  # рыбка -> рыбочка
        bases |= {stem[:-1] + "оч", stem[:-1] + "еч"}
    for base in sorted(bases):
        for ending in resources.toml("reading/declension.toml")["diminutives"]:
            made = base + ending
            if made != word:
                yield made
