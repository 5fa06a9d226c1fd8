"""Who is meant: the roster of a game in all the spellings that its nicks may take, declined once a game.

Order of trust: the nick itself, its look-alike key, its case forms; then a unique part, an
abbreviation, a pet form, another alphabet; then one typing error. What fits two players is never decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from rapidfuzz import process
from rapidfuzz.distance import OSA

from forumbot.reading.decline import ANY_CASE, CASES, by_endings, diminutives, forms, is_common_word, is_given_name, is_word
from forumbot.reading.given_names import groups_of
from forumbot.reading.text import Token, as_english, fold, is_cyrillic, is_latin, key, leet, sound, to_cyrillic, tokens

EXACT, LOOKALIKE, FORM, NEAR, PET, TYPO, TITLE, DOUBTFUL = range(8)
"""How a spelling came to be read as a nick; lower is surer. TITLE is a part that says little by itself («Королева»), enough
only with a capital; DOUBTFUL is worth a question, never an order."""

_TYPO_FROM = 5
"""Shortest word in which one typing error is forgiven."""
HEARD_FROM = 4
"""Shortest word that may be written as it is heard («Крод», «Пончег»)."""
_FAR_FROM = 8
"""Shortest word in which two typing errors are worth a question."""
_JOINERS = frozenset([*"-–—_.'\"«»`’*~", "no"])
"""Signs that may stand inside a nick; "no" is the folded «№»."""
_ENDING = frozenset(",;:.!?…()")
"""Signs that could end a clause."""
_GLUED_JOINERS = frozenset("@$&+!=|/")
"""Signs that join only where no space stands about them."""
_HUMPS = re.compile(r"[A-ZА-ЯЁ][a-zа-яё]+")
_TITLES = {
    "mr": "мистер", "mrs": "миссис", "ms": "мисс", "miss": "мисс", "dr": "доктор", "st": "сан", "sir": "сэр", "lord": "лорд",
}  # fmt: skip
_NOT_ALONE = frozenset(
    [
        "мистер",
        "миссис",
        "мисс",
        "доктор",
        "сан",
        "сэр",
        "лорд",
        "дон",
        "донна",
        "тетя",
        "дядя",
        "баба",
        "дед",
        "господин",
        "госпожа",
        "капитан",
        "майор",
        "мадам",
        "мадемуазель",
        "месье",
        "мсье",
        "сеньор",
        "сеньора",
        "леди",
        "пан",
        "пани",
        "фрау",
        "герр",
        "принц",
        "принцесса",
        "граф",
        "графиня",
        "король",
        "королева",
        "царь",
        "царица",
        "барон",
        "князь",
        "княгиня",
        "профессор",
        "старик",
        "старуха",
        "мистер",
        "mr",
        "mrs",
        "ms",
        "dr",
        "sir",
        "the",
    ]
)
"""Parts of nicks that say too little by themselves."""
_AS_HEARD = re.compile("э|(?<=[жчшщц])[оеыи]")
_WRITTEN = {"э": "е", "о": "е", "е": "о", "ы": "и", "и": "ы"}
"""Vowels that are heard alike in these places and mistaken for each other («снэйк», «волчек», «шышка»)."""
_RUSSIAN_ENDING = re.compile("(.*[a-z])(?:ами|ями|а|у|ом|е|ы|я|ю|ем|и|ой|ей|ою)")
"""A Latin nick declined in Russian («Moonlight'ом»; an apostrophe is no letter)."""
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
ORDINALS = ("", "первый", "второй", "третий", "четвертый", "пятый", "шестой", "седьмой", "восьмой", "девятый", "десятый")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player that a spelling may mean, and in which cases it then stands."""

    seat: str
    rank: int
    cases: frozenset[str]


@dataclass(slots=True)
class _Entry:
    rank: int
    cases: set[str] = field(default_factory=set)


_Index = dict[str, dict[str, _Entry]]


def lexical(found: Sequence[Token]) -> list[int]:
    """Indices of the tokens that carry names: words and numbers, without an N that only says "number"."""
    return [
        i
        for i, token in enumerate(found)
        if token.kind in "wn" and not (token.folded == "n" and i + 1 < len(found) and found[i + 1].kind == "n")
    ]


def pieces(nick: str) -> tuple[str, ...]:
    """A nick's words and numbers, folded; of a nick of signs only, its signs."""
    found = tokens(nick)
    words = tuple(found[i].folded for i in lexical(found))
    return words or tuple(token.folded for token in found if token.kind == "s")


class Roster:
    """The nicks of one game, ready to be found in texts."""

    def __init__(
        self,
        seats: Sequence[str],
        nicks: Mapping[str, Sequence[str]] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        """``nicks`` gives a seat's nicks of the game (default: the seat itself); ``aliases`` maps the host's further
        spellings to seats."""
        self.seats = tuple(seats)
        self.genders: dict[str, str] = {}
        self._spelled: _Index = {}
        self._keys: _Index = {}
        self._latin_sounds: _Index = {}
        self._cyrillic_sounds: _Index = {}
        self._heard: _Index = {}
        self._near: dict[str, tuple[Candidate, ...]] = {}
        self._found: dict[str, tuple[Candidate, ...]] = {}
        self._words: dict[str, set[str]] = {}
        self.longest = 1
        self._signed: list[tuple[tuple[str, ...], str]] = []
        known = set(seats)
        for seat in self.seats:
            for nick in (nicks or {}).get(seat, ()) or (seat,):
                self._add_nick(seat, nick)
        for alias, seat in (aliases or {}).items():
            if seat in known:
                self._add_nick(seat, alias)
        self._signed.sort(key=lambda row: -len(row[0]))
        self._typo_pool = tuple(
            spelling
            for spelling, entries in self._spelled.items()
            if len(spelling) >= _TYPO_FROM and any(entry.rank <= NEAR for entry in entries.values())
        )

    # --- building -----------------------------------------------------------------------------------------------------

    def _put(self, index: _Index, spelling: str, seat: str, rank: int, cases: Iterable[str]) -> None:
        if not spelling:
            return
        entry = index.setdefault(spelling, {}).setdefault(seat, _Entry(rank))
        if rank < entry.rank:
            entry.rank, entry.cases = rank, set()
        if rank == entry.rank:
            entry.cases.update(cases)
        self.longest = max(self.longest, spelling.count(" ") + 1)

    def _spell(self, spelling: str, seat: str, rank: int, cases: Iterable[str]) -> None:
        """Register a spelling in its own letters, as a look-alike and as it sounds in the other alphabet."""
        cases = tuple(cases)
        self._put(self._spelled, spelling, seat, rank, cases)
        self._put(self._keys, " ".join(map(key, spelling.split(" "))), seat, max(rank, LOOKALIKE), cases)
        if is_cyrillic(spelling) and rank <= FORM:
            self._put(self._heard, heard(spelling), seat, TYPO, cases)
        sounds = self._latin_sounds if is_latin(spelling) else self._cyrillic_sounds
        self._put(sounds, " ".join(map(sound, spelling.split(" "))), seat, max(rank, NEAR), cases)

    def _add_nick(self, seat: str, nick: str) -> None:
        parts = pieces(nick)
        if not parts:
            return
        self._add_signed(seat, nick)
        self._words.setdefault(seat, set()).update(parts)
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
            if part not in _NOT_ALONE and is_cyrillic(spoken):
                self._add_pet_forms(seat, spoken)

    def _add_translated(self, seat: str, nick: str, parts: tuple[str, ...]) -> None:
        """A Latin nick in Russian letters or words, «SnowWolf» in its two words."""
        for part in parts:
            if (english := as_english(part)) is not None:
                for form in by_endings(english):
                    self._put(self._spelled, form.text, seat, PET, (form.case,))
        spoken_english = tuple(as_english(part) or part for part in parts)
        if len(parts) > 1 and spoken_english != parts:
            self._add_spoken(seat, spoken_english, PET)
        humps = _HUMPS.findall(nick)
        if len(humps) > 1 and len(parts) == 1:
            self._spell(" ".join(map(fold, humps)), seat, LOOKALIKE, ("nomn",))
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
                ordinal = ORDINALS[numeral]
                spelled = [form.text for form in forms(ordinal) if form.case == case] + [part, str(numeral)]
            elif loose or not spelled:
                spelled.append(part)
            choices.append(tuple(dict.fromkeys(spelled)))
        return [" ".join(words) for words in product(*choices)][:256]

    def _add_spoken(self, seat: str, parts: Sequence[str], rank: int) -> None:
        """A nick with Latin letters as Russians write and decline it."""
        spoken = tuple(_TITLES.get(part) or (to_cyrillic(part) if is_latin(part) else part) for part in parts)
        for case in CASES:
            for spelling in self._declined(spoken, case):
                self._put(self._spelled, spelling, seat, rank, (case,))
                self._put(self._latin_sounds, " ".join(map(sound, spelling.split(" "))), seat, rank, (case,))

        softened = tuple(part.replace("lu", "lyu") if is_latin(part) else part for part in parts)
        if softened != tuple(parts) and rank == NEAR:
            self._add_spoken(seat, softened, PET)  # «Plusha» is Плюша as well as Плуша

    def _add_parts(self, seat: str, parts: Sequence[str]) -> None:
        words = [part for part in parts if not part.isdigit() and part not in _ROMAN]
        for part in parts:
            if part.isdigit() and len(part) >= 3:
                self._spell(part, seat, NEAR, ANY_CASE)
        for part in words:
            rank = TITLE if part in _NOT_ALONE and len(words) > 1 else NEAR
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
                self._put(self._spelled, form.text, seat, PET, (form.case,))

    def _add_signed(self, seat: str, nick: str) -> None:
        """A nick whose signs could end a clause («Ворон, чёрный», «Алло?», «И. О. Царя»), or part its words («Лис & Лиса»,
        «Ах... Лиза»), is looked for sign by sign."""
        found = tokens(nick)
        spelled = tuple(token.folded for token in found)
        parted = any(not joined(found, a, b) for a, b in pairwise(lexical(found)))
        if parted or any(not sign.isalnum() and sign not in _JOINERS and sign not in _GLUED_JOINERS for sign in spelled):
            self._signed += [(written, seat) for written in dict.fromkeys((spelled, _with_dots(spelled)))]

    def exact(self, found: Sequence[Token]) -> dict[int, tuple[int, tuple[Candidate, ...]]]:
        """Full nicks with signs in them, in any case of their words: start -> (end, whom), longest first."""
        if not self._signed:
            return {}
        hits: dict[int, tuple[int, tuple[Candidate, ...]]] = {}
        at = 0
        while at < len(found):
            hit = self._signed_at(found, at)
            if hit is not None:
                hits[at] = hit
                at = hit[0]
            else:
                at += 1
        return hits

    def _signed_at(self, found: Sequence[Token], at: int) -> tuple[int, tuple[Candidate, ...]] | None:
        for spelled, seat in self._signed:
            end = at + len(spelled)
            part = found[at:end]
            if len(part) < len(spelled) or any(t.kind == "l" for t in part):
                continue
            if all(a == t.folded for a, t in zip(spelled, part, strict=True)):
                return end, (Candidate(seat, EXACT, frozenset(("nomn",)) | self._settled(spelled)),)
            if any((t.kind == "s") != (a in _ENDING or not a.isalnum()) for a, t in zip(spelled, part, strict=True)):
                continue
            if any(t.kind == "s" and t.folded != a for a, t in zip(spelled, part, strict=True)):
                continue
            words = " ".join(t.folded for t in part if t.kind in "wn")
            entry = self._spelled.get(words, {}).get(seat)
            if entry is not None and entry.rank <= FORM:
                return end, (Candidate(seat, entry.rank, frozenset(entry.cases)),)
        return None

    def _settled(self, spelled: Sequence[str]) -> frozenset[str]:
        words = " ".join(word for word in spelled if word.isalnum())
        return frozenset(case for entry in self._spelled.get(words, {}).values() for case in entry.cases)

    # --- finding ------------------------------------------------------------------------------------------------------

    def find(self, found: Sequence[Token], words: Sequence[int], at: int) -> tuple[int, tuple[Candidate, ...]]:
        """The longest spelling of a nick that begins at the lexical token ``words[at]``: (how many lexical tokens it
        takes, whom it may mean), or (0, ())."""
        reach = 1
        while reach < self.longest and at + reach < len(words) and joined(found, words[at + reach - 1], words[at + reach]):
            reach += 1
        for size in range(reach, 0, -1):
            spelling = found[words[at]].folded if size == 1 else " ".join(found[i].folded for i in words[at : at + size])
            candidates = self._found.get(spelling)
            if candidates is None:
                candidates = self._found[spelling] = self._look_up(spelling)
                if len(self._found) > 50_000:
                    self._found.clear()
            if candidates:
                return size, candidates
        return 0, ()

    def _look_up(self, spelling: str) -> tuple[Candidate, ...]:
        merged: dict[str, _Entry] = {}
        _merge(merged, self._spelled.get(spelling))
        latin = is_latin(spelling)
        if latin or any(char.isdigit() for char in spelling):
            _merge(merged, self._keys.get(" ".join(map(key, spelling.split(" ")))))
            if not latin or " " in spelling:
                _merge(merged, self._keys.get(key(spelling.replace(" ", ""))))  # «Ремб0»: a digit for a letter
        sounds = " ".join(map(sound, spelling.split(" ")))
        if len(sounds) >= 3:
            if latin:
                _merge(merged, self._cyrillic_sounds.get(sounds))
            _merge(merged, self._latin_sounds.get(sounds))
        if not merged and (heard := _AS_HEARD.sub(_as_written, spelling)) != spelling:
            _merge(merged, _no_surer(self._spelled.get(heard, {}), NEAR))
        if not merged and latin and (declined := _RUSSIAN_ENDING.fullmatch(spelling)) is not None:
            _merge(merged, _no_surer(self._spelled.get(declined[1], {}), FORM, ANY_CASE))
        return _sorted(merged)

    def near(self, folded: str, *, cut: bool = False) -> tuple[Candidate, ...]:
        """Whom a misspelt or (``cut``, with a full stop behind it) shortened word may mean."""
        cached = self._near.get(folded + "." * cut)
        if cached is None:
            cached = self._near[folded + "." * cut] = self._typo(folded) or (self._shortened(folded) if cut else ())
            if len(self._near) > 20_000:
                self._near.clear()
        return cached

    def _typo(self, folded: str) -> tuple[Candidate, ...]:
        if len(folded) >= HEARD_FROM and not is_word(folded) and (alike := self._heard.get(heard(folded))):
            return _sorted(alike)
        if len(folded) < _TYPO_FROM:
            return ()
        word = key(folded) if is_latin(folded) and is_cyrillic(folded) else folded
        hits = process.extract(word, self._typo_pool, scorer=OSA.distance, score_cutoff=2, limit=None)
        merged: dict[str, _Entry] = {}
        second: set[str] = set()
        nearest = [e for s, d, _ in hits if d <= 1 for e in self._spelled[s].values()]
        surest = FORM if any(entry.rank <= FORM for entry in nearest) else NEAR
        for spelling, distance, _ in hits:
            if distance <= 1:
                for seat, entry in self._spelled[spelling].items():
                    if entry.rank <= surest:
                        kept = merged.setdefault(seat, _Entry(TYPO))
                        kept.cases |= entry.cases
            else:
                second.update(self._spelled[spelling])
        if not merged and len(folded) >= _FAR_FROM:
            return tuple(Candidate(seat, DOUBTFUL, ANY_CASE) for seat in sorted(second))
        unsure = is_word(folded) and not _rare(folded)
        if unsure:
            for entry in merged.values():
                entry.rank = DOUBTFUL
        return _sorted(merged)

    def _shortened(self, folded: str) -> tuple[Candidate, ...]:
        if len(folded) < 3:
            return ()
        return tuple(
            Candidate(seat, NEAR, ANY_CASE)
            for seat in self.seats
            if any(word.startswith(folded) for word in self._words.get(seat, ()))
        )


def _rare(folded: str) -> bool:
    """A word that only a dictionary knows: a name of a place, and no name that people go by."""
    return not is_common_word(folded) and folded not in groups_of() and not is_given_name(folded)


def _no_surer(entries: Mapping[str, _Entry], rank: int, cases: Iterable[str] | None = None) -> dict[str, _Entry]:
    """The sure ones of the entries, with no more trust than ``rank``, and with other cases where some are given."""
    sure = {seat: entry for seat, entry in entries.items() if entry.rank <= NEAR}
    return {seat: _Entry(max(e.rank, rank), set(e.cases if cases is None else cases)) for seat, e in sure.items()}


_VOICELESS = {"б": "п", "в": "ф", "г": "к", "д": "т", "ж": "ш", "з": "с"}
_HEARD: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile("ться|тся|цца|тца"), "ца"),
    (re.compile("[ьъ]"), ""),
    (re.compile("сч|зч|жч|щ"), "ш"),
    (re.compile("ого$|ова$|ево$|его$"), "ава"),
    (re.compile("[бвгджз](?=[пфктшсцчщ]|$)"), lambda match: _VOICELESS[match[0]]),
    (re.compile("о"), "а"),
    (re.compile("[еэяы]"), "и"),
    (re.compile("ю"), "у"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def heard(folded: str) -> str:
    """How a Russian word is heard, unstressed vowels and last consonants alike: equal for «Пончик» and «Пончег»."""
    for pattern, said in _HEARD:
        folded = pattern.sub(said, folded)
    return folded


def _as_written(match: re.Match[str]) -> str:
    return _WRITTEN[match[0]]


def _with_dots(spelled: tuple[str, ...]) -> tuple[str, ...]:
    """The same tokens with three full stops for the one sign of three, or the other way round."""
    one = "\0".join(spelled)
    stops = "\0".join("...")
    return tuple((one.replace("...", stops) if "..." in spelled else one.replace(stops, "...")).split("\0"))


def joined(found: Sequence[Token], left: int, right: int) -> bool:
    """Whether two lexical tokens stand so near that they can be one nick."""
    between = found[left + 1 : right]
    if len(between) > 2:
        return False
    for token in between:
        if token.kind == "w":
            continue
        if token.folded in _GLUED_JOINERS and token.glued and found[right].glued:
            continue
        if token.folded not in _JOINERS:
            return False
        if token.folded in "-–—" and not (token.glued or found[right].glued):
            return False
    return True


def _merge(into: dict[str, _Entry], entries: Mapping[str, _Entry] | None) -> None:
    for seat, entry in (entries or {}).items():
        kept = into.setdefault(seat, _Entry(entry.rank))
        if entry.rank < kept.rank:
            kept.rank, kept.cases = entry.rank, set()
        if entry.rank == kept.rank:
            kept.cases |= entry.cases


def _sorted(entries: Mapping[str, _Entry]) -> tuple[Candidate, ...]:
    found = (Candidate(seat, entry.rank, frozenset(entry.cases)) for seat, entry in entries.items())
    return tuple(sorted(found, key=lambda candidate: candidate.rank))
