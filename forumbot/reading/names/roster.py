"""The roster of one game: whom a spelling in a text may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from forumbot.reading.decline import ANY_CASE, is_common_word, is_given_name, is_word
from forumbot.reading.given_names import groups_of
from forumbot.reading.names.heard import as_written, heard
from forumbot.reading.names.spelling import DOUBTFUL, EXACT, FORM, NEAR, TYPO, Candidate, Entry, joined, merge, pieces, ranked
from forumbot.reading.names.spellings import Spellings
from forumbot.reading.text import Token, is_cyrillic, is_latin, key, sound

_TYPO_FROM = 5
"""Shortest word in which one typing error is forgiven."""
HEARD_FROM = 4
"""Shortest word that may be written as it is heard («Крод», «Пончег»)."""
_FAR_FROM = 8
"""Shortest word in which two typing errors are worth a question."""
ENDING = frozenset(",;:.!?…()")
"""Signs that could end a clause."""
_RUSSIAN_ENDING = re.compile("(.*[a-z])(?:ами|ями|а|у|ом|е|ы|я|ю|ем|и|ой|ей|ою)")
"""A Latin nick declined in Russian («Moonlight'ом»; an apostrophe is no letter)."""


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
        self._index = Spellings(self.seats, nicks, aliases)
        self.genders: Mapping[str, str] = self._index.genders
        self._whole = _as_written(self._index.drawn)
        self._near: dict[str, tuple[Candidate, ...]] = {}
        self._found: dict[str, tuple[Candidate, ...]] = {}
        self._typo_pool = tuple(
            spelling
            for spelling, entries in self._index.spelled.items()
            if len(spelling) >= _TYPO_FROM and any(entry.rank <= NEAR for entry in entries.values())
        )

    def whole(self, text: str) -> list[tuple[int, int]]:
        """Where full nicks with signs in them stand as they are written («?!», «Кто-то (не я)»), glued to no word and to no
        sign that could be theirs: nothing inside them is grammar."""
        return [] if self._whole is None else [found.span("nick") for found in self._whole.finditer(text)]

    def exact(self, found: Sequence[Token]) -> dict[int, tuple[int, tuple[Candidate, ...]]]:
        """Full nicks with signs in them, in any case of their words: start -> (end, whom), longest first."""
        if not self._index.whole:
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
        if (seat := self._index.whole.get(found[at].folded)) is not None:
            return at + 1, (Candidate(seat, EXACT, frozenset(("nomn",)) | self._settled(pieces(found[at].folded))),)
        for spelled, seat in self._index.signed:
            end = at + len(spelled)
            part = found[at:end]
            if len(part) < len(spelled) or any(t.kind == "l" for t in part):
                continue
            if all(a == t.folded for a, t in zip(spelled, part, strict=True)):
                return end, (Candidate(seat, EXACT, frozenset(("nomn",)) | self._settled(spelled)),)
            if any((t.kind == "s") != (a in ENDING or not a.isalnum()) for a, t in zip(spelled, part, strict=True)):
                continue
            if any(t.kind == "s" and t.folded != a for a, t in zip(spelled, part, strict=True)):
                continue
            words = " ".join(t.folded for t in part if t.kind in "wn")
            entry = self._index.spelled.get(words, {}).get(seat)
            if entry is not None and entry.rank <= FORM:
                return end, (Candidate(seat, entry.rank, frozenset(entry.cases)),)
        return None

    def _settled(self, spelled: Sequence[str]) -> frozenset[str]:
        words = " ".join(word for word in spelled if word.isalnum())
        return frozenset(case for entry in self._index.spelled.get(words, {}).values() for case in entry.cases)

    def find(self, found: Sequence[Token], words: Sequence[int], at: int) -> tuple[int, tuple[Candidate, ...]]:
        """The longest spelling of a nick that begins at the lexical token ``words[at]``: (how many lexical tokens it
        takes, whom it may mean), or (0, ())."""
        reach = 1
        while reach < self._index.longest and at + reach < len(words) and joined(found, words[at + reach - 1], words[at + reach]):
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
        merged: dict[str, Entry] = {}
        merge(merged, self._index.spelled.get(spelling))
        latin = is_latin(spelling)
        if latin or any(char.isdigit() for char in spelling):
            merge(merged, self._index.keys.get(" ".join(map(key, spelling.split(" ")))))
            if not latin or " " in spelling:
                merge(merged, self._index.keys.get(key(spelling.replace(" ", ""))))  # «Ремб0»: a digit for a letter
        sounds = " ".join(map(sound, spelling.split(" ")))
        if len(sounds) >= 3:
            if latin:
                merge(merged, self._index.cyrillic_sounds.get(sounds))
            merge(merged, self._index.latin_sounds.get(sounds))
        if not merged and (usual := as_written(spelling)) != spelling:
            merge(merged, _no_surer(self._index.spelled.get(usual, {}), NEAR))
        if not merged and latin and (declined := _RUSSIAN_ENDING.fullmatch(spelling)) is not None:
            merge(merged, _no_surer(self._index.spelled.get(declined[1], {}), FORM, ANY_CASE))
        return ranked(merged)

    def near(self, folded: str, *, cut: bool = False) -> tuple[Candidate, ...]:
        """Whom a misspelt or (``cut``, with a full stop behind it) shortened word may mean."""
        cached = self._near.get(folded + "." * cut)
        if cached is None:
            cached = self._near[folded + "." * cut] = self._typo(folded) or (self._shortened(folded) if cut else ())
            if len(self._near) > 20_000:
                self._near.clear()
        return cached

    def _typo(self, folded: str) -> tuple[Candidate, ...]:
        if len(folded) >= HEARD_FROM and not is_word(folded) and (alike := self._index.heard.get(heard(folded))):
            return ranked(alike)
        if len(folded) < _TYPO_FROM:
            return ()
        word = key(folded) if is_latin(folded) and is_cyrillic(folded) else folded
        hits = process.extract(word, self._typo_pool, scorer=OSA.distance, score_cutoff=2, limit=None)
        merged: dict[str, Entry] = {}
        second: set[str] = set()
        nearest = [e for s, d, _ in hits if d <= 1 for e in self._index.spelled[s].values()]
        surest = FORM if any(entry.rank <= FORM for entry in nearest) else NEAR
        for spelling, distance, _ in hits:
            if distance <= 1:
                for seat, entry in self._index.spelled[spelling].items():
                    if entry.rank <= surest:
                        kept = merged.setdefault(seat, Entry(TYPO))
                        kept.cases |= entry.cases
            else:
                second.update(self._index.spelled[spelling])
        if not merged and len(folded) >= _FAR_FROM:
            return tuple(Candidate(seat, DOUBTFUL, ANY_CASE) for seat in sorted(second))
        unsure = is_word(folded) and not _rare(folded)
        if unsure:
            for entry in merged.values():
                entry.rank = DOUBTFUL
        return ranked(merged)

    def _shortened(self, folded: str) -> tuple[Candidate, ...]:
        if len(folded) < 3:
            return ()
        return tuple(
            Candidate(seat, NEAR, ANY_CASE)
            for seat in self.seats
            if any(word.startswith(folded) for word in self._index.words.get(seat, ()))
        )


def _as_written(nicks: Sequence[str]) -> re.Pattern[str] | None:
    """Finds these nicks in a text, the longest first; None for none."""
    if not nicks:
        return None
    longest = sorted(set(nicks), key=lambda nick: (-len(nick), nick))
    forms = "|".join(
        (r"(?<!\w)" if nick[0].isalnum() else "")
        + r"[ \xa0]+".join(map(re.escape, nick.split()))
        + (r"(?!\w)" if nick[-1].isalnum() else r"(?=[\s.,;:!?»\")…]|$)")
        for nick in longest
    )
    return re.compile(rf"(?:^|(?<=[\s«\"(:,;\[\]—–-]))(?P<nick>{forms})", re.IGNORECASE | re.MULTILINE)


def _rare(folded: str) -> bool:
    """A word that only a dictionary knows: a name of a place, and no name that people go by."""
    return not is_common_word(folded) and folded not in groups_of() and not is_given_name(folded)


def _no_surer(entries: Mapping[str, Entry], rank: int, cases: Iterable[str] | None = None) -> dict[str, Entry]:
    """The sure ones of the entries, with no more trust than ``rank``, and with other cases where some are given."""
    sure = {seat: entry for seat, entry in entries.items() if entry.rank <= NEAR}
    return {seat: Entry(max(e.rank, rank), set(e.cases if cases is None else cases)) for seat, e in sure.items()}
