"""All the spellings that the nicks of one game may take, each declined once a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

from forumbot import resources
from forumbot.reading.decline import ANY_CASE, CASES, by_endings, diminutives, forms, is_word
from forumbot.reading.everyday import grammar
from forumbot.reading.given_names import groups_of
from forumbot.reading.names.heard import heard
from forumbot.reading.names.spelling import (
    EXACT,
    FORM,
    GLUED_JOINERS,
    JOINERS,
    LOOKALIKE,
    NEAR,
    PET,
    TITLE,
    TYPO,
    Entry,
    Index,
    Sharing,
    joined,
    lexical,
    pieces,
)
from forumbot.reading.text import as_english, fold, is_cyrillic, is_latin, key, leet, sound, to_cyrillic, tokens

_HUMPS = re.compile(r"[A-ZА-ЯЁ][a-zа-яё]+")
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


@cache
def _said() -> Mapping[str, Any]:
    """How parts of nicks are spoken, and which say too little alone."""
    data = resources.toml("reading/nicks.toml")
    return {name: frozenset(entry["words"]) if name == "not_alone" else entry["words"] for name, entry in data.items()}


class Spellings:
    """The spellings of all nicks, by which they are found."""

    def __init__(
        self,
        seats: Sequence[str],
        nicks: Mapping[str, Sequence[str]] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        """``nicks`` gives a seat's nicks of the game (default: the seat itself); ``aliases`` maps the host's further
        spellings to seats."""
        self.genders: dict[str, str] = {}
        self.spelled: Index = {}
        self.keys: Index = {}
        self.latin_sounds: Index = {}
        self.cyrillic_sounds: Index = {}
        self.heard: Index = {}
        self.words: dict[str, set[str]] = {}
        self.longest = 1
        self.signed: list[tuple[tuple[str, ...], str]] = []
        self.whole: dict[str, str] = {}
        """Nicks with such signs, folded as one word."""
        self.drawn: list[str] = []
        """The same as they are written."""
        known = set(seats)
        for seat in seats:
            for nick in (nicks or {}).get(seat, ()) or (seat,):
                self._add_nick(seat, nick)
        for alias, seat in (aliases or {}).items():
            if seat in known:
                self._add_nick(seat, alias)
        self.signed.sort(key=lambda row: -len(row[0]))
        sharing = Sharing()
        self.spelled, self.keys, self.heard = map(sharing.index, (self.spelled, self.keys, self.heard))
        self.latin_sounds, self.cyrillic_sounds = map(sharing.index, (self.latin_sounds, self.cyrillic_sounds))

    def _put(self, index: Index, spelling: str, seat: str, rank: int, cases: Iterable[str]) -> None:
        if not spelling:
            return
        entry = index.setdefault(spelling, {}).setdefault(seat, Entry(rank))
        if rank < entry.rank:
            entry.rank, entry.cases = rank, set()
        if rank == entry.rank:
            entry.cases |= set(cases)
        self.longest = max(self.longest, spelling.count(" ") + 1)

    def _spell(self, spelling: str, seat: str, rank: int, cases: Iterable[str]) -> None:
        """Register a spelling in its own letters, as a look-alike and as it sounds in the other alphabet."""
        cases = tuple(cases)
        self._put(self.spelled, spelling, seat, rank, cases)
        self._put(self.keys, " ".join(map(key, spelling.split(" "))), seat, max(rank, LOOKALIKE), cases)
        if is_cyrillic(spelling) and rank <= FORM:
            self._put(self.heard, heard(spelling), seat, TYPO, cases)
        sounds = self.latin_sounds if is_latin(spelling) else self.cyrillic_sounds
        self._put(sounds, " ".join(map(sound, spelling.split(" "))), seat, max(rank, NEAR), cases)

    def _add_nick(self, seat: str, nick: str) -> None:
        parts = pieces(nick)
        if not parts:
            return
        self._add_signed(seat, nick)
        self.words.setdefault(seat, set()).update(parts)
        if "йо" in nick.lower():
            self._add_nick(seat, fold(nick).replace("йо", "е"))  # «Йожик» is «ёжик»
        first_word = next((part for part in parts if is_cyrillic(part)), "")
        gender = forms(first_word)[0].gender if first_word else ""
        if not first_word and is_latin(nick.lower()):
            spoken = to_cyrillic(next(part for part in parts if is_latin(part)))
            gender = "f" if spoken[-1:] in "ая" else ""
        self.genders.setdefault(seat, gender)
        exact = " ".join(parts)
        for case in CASES:
            for spelling in self._declined(parts, case):
                if spelling != exact:
                    self._spell(spelling, seat, FORM, (case,))
        settled = {case for case in CASES if exact in self._declined(parts, case, loose=False)}
        self._spell(exact, seat, EXACT, settled | {"nomn"})
        if len(parts) > 1:
            self._spell("".join(parts), seat, LOOKALIKE, ("nomn",))
            self._add_parts(seat, parts)
        joined = "".join(parts)
        for spoken in {leet(joined), leet("".join(char for char in fold(nick) if char.isalnum() or char in "@$"))} - {joined}:
            self._add_spoken(seat, (spoken,), NEAR)
        self._add_translated(seat, nick, parts)
        for part in parts:
            spoken = to_cyrillic(leet(part)) if is_latin(part) else part
            if part not in _said()["not_alone"] and is_cyrillic(spoken):
                self._add_pet_forms(seat, spoken)

    def _add_translated(self, seat: str, nick: str, parts: tuple[str, ...]) -> None:
        """A Latin nick in Russian letters or words, «SnowWolf» in its two words."""
        for part in parts:
            if (english := as_english(part)) is not None:
                for form in by_endings(english):
                    self._put(self.spelled, form.text, seat, PET, (form.case,))
        spoken_english = tuple(as_english(part) or part for part in parts)
        if len(parts) > 1 and spoken_english != parts:
            self._add_spoken(seat, spoken_english, PET)
        humps = _HUMPS.findall(nick)
        if len(humps) > 1 and len(parts) == 1:
            self._spell(" ".join(map(fold, humps)), seat, LOOKALIKE, ("nomn",))
        if any(part in _said()["letters"] for part in parts):
            self._add_spoken(seat, tuple(_said()["letters"].get(part, part) for part in parts), NEAR)  # «Мисс X» is Мисс Икс
        if any(is_latin(part) for part in parts):
            self._add_spoken(seat, parts, NEAR)
            soft = to_cyrillic(parts[0]) + "ь"
            if len(parts) == 1 and is_word(soft):
                self._add_spoken(seat, (soft,), NEAR)  # «Medved» is Медведь

    @staticmethod
    def _declined(parts: Sequence[str], case: str, *, loose: bool = True) -> list[str]:
        """The nick in one case; loosely, any of its words may stay as it is («Лорда Мышь»)."""
        choices: list[tuple[str, ...]] = []
        for part in parts:
            spelled = [form.text for form in forms(part) if form.case == case]
            numeral = _ROMAN.get(part)
            if numeral is not None and len(parts) > 1:
                ordinal = grammar().ordinal_names[numeral - 1]
                spelled = [form.text for form in forms(ordinal) if form.case == case] + [part, str(numeral)]
            elif loose or not spelled:
                spelled.append(part)
            choices.append(tuple(dict.fromkeys(spelled)))
        return [" ".join(words) for words in product(*choices)][:256]

    def _add_spoken(self, seat: str, parts: Sequence[str], rank: int) -> None:
        """A nick with Latin letters as Russians write and decline it."""
        spoken = tuple(_said()["titles"].get(part) or (to_cyrillic(part) if is_latin(part) else part) for part in parts)
        for case in CASES:
            for spelling in self._declined(spoken, case):
                self._put(self.spelled, spelling, seat, rank, (case,))
                self._put(self.latin_sounds, " ".join(map(sound, spelling.split(" "))), seat, rank, (case,))

        softened = tuple(part.replace("lu", "lyu") if is_latin(part) else part for part in parts)
        if softened != tuple(parts) and rank == NEAR:
            self._add_spoken(seat, softened, PET)  # «Plusha» is Плюша as well as Плуша

    def _add_parts(self, seat: str, parts: Sequence[str]) -> None:
        words = [part for part in parts if not part.isdigit() and part not in _ROMAN]
        for part in parts:
            if part.isdigit() and len(part) >= 3:
                self._spell(part, seat, NEAR, ANY_CASE)
        for part in words:
            rank = TITLE if part in _said()["not_alone"] and len(words) > 1 else NEAR
            if len(part) >= 3 or len(words) == 1:
                for form in forms(part):
                    self._spell(form.text, seat, rank, (form.case,))
                if is_latin(part):
                    self._add_spoken(seat, (part,), rank)
        for size in range(2, len(parts)):
            for case in CASES:
                for spelling in self._declined(parts[:size], case):
                    self._spell(spelling, seat, NEAR, (case,))
        if len(words) >= 2:
            initials = [word[0] for word in words]
            self._spell(" ".join(initials), seat, NEAR, ANY_CASE)
            for form in forms(words[0]):
                self._spell(" ".join([form.text, *initials[1:]]), seat, NEAR, (form.case,))

    def _add_pet_forms(self, seat: str, word: str) -> None:
        made: set[str] = set()
        for group in groups_of().get(word, ()):
            made.update(group)
        if len(word) >= 4:
            made.update(pet for pet in diminutives(word) if pet not in groups_of())
        made.discard(word)
        for pet in made:
            for form in by_endings(pet):
                self._put(self.spelled, form.text, seat, PET, (form.case,))

    def _add_signed(self, seat: str, nick: str) -> None:
        """A nick whose signs could end a clause («Ворон, чёрный», «Алло?», «И. О. Царя»), or part its words («Лис & Лиса»,
        «Ах... Лиза»), is looked for sign by sign."""
        found = tokens(nick)
        spelled = tuple(token.folded for token in found)
        words = lexical(found)
        parted = not words or any(not joined(found, a, b) for a, b in pairwise(words))
        if parted or any(not sign.isalnum() and sign not in JOINERS and sign not in GLUED_JOINERS for sign in spelled):
            if words:
                self.signed += [(written, seat) for written in dict.fromkeys((spelled, _with_dots(spelled)))]
            for written in dict.fromkeys((nick, nick.replace("...", "…"), nick.replace("…", "..."))):
                if whole := fold(written):
                    self.whole.setdefault(whole, seat)
                    self.drawn.append(written)


def _with_dots(spelled: tuple[str, ...]) -> tuple[str, ...]:
    """The same tokens with three full stops for the one sign of three, or the other way round."""
    one = "\0".join(spelled)
    stops = "\0".join("...")
    return tuple((one.replace("...", stops) if "..." in spelled else one.replace(stops, "...")).split("\0"))
