"""What becomes of words and numbers of people: others of the same length and letters, always the same in one capture."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Collection, Iterator

_ALPHABETS = ("бвгджзклмнпрстфхц", "аеиоуыэюя", "bcdfghklmnprstvz", "aeiouy")
_REDRAWS = 30
_WORD = re.compile(r"\w+")


class Mask:
    """The masks of one capture. ``key`` decides what words become; none becomes a word of the ``engine`` or one that was
    ``met`` on a page."""

    def __init__(self, key: bytes, engine: Collection[str]) -> None:
        self.met: set[str] = set()
        self._key = key
        self._engine = engine
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()

    def number(self, uid: str) -> str:
        """What a person's number becomes: always the same one, with as many digits. 0 and 1 (nobody, guest) stay."""
        return uid if uid in ("0", "1") else self.word(uid)

    def word(self, word: str) -> str:
        """Another word of the same length, letters and capitals."""
        folded = word.casefold()
        if folded not in self._made:
            for draw in range(_REDRAWS):
                made = self._drawn(folded, draw)
                if made not in self.met and made not in self._taken and made not in self._engine:
                    break
            self._made[folded] = made
            self._taken.add(made)
        made = self._made[folded]
        if len(made) != len(word):
            return made
        return "".join(new.upper() if old.isupper() else new for old, new in zip(word, made, strict=True))

    def token(self, token: str) -> str:
        """Another token of the same signs' kinds."""
        return _WORD.sub(lambda found: self._drawn(found[0], 0, exact=True), token)

    def _drawn(self, word: str, draw: int, *, exact: bool = False) -> str:
        stream = _bytes(self._key, f"{draw}/{word}")
        made = []
        for place, char in enumerate(word):
            if char.isdigit():
                made.append(str(next(stream) % 9 + 1))
            elif char == "_":
                made.append(char)
            else:
                cyrillic = unicodedata.name(char, "").startswith("CYRILLIC")
                letters = _ALPHABETS[(0 if cyrillic else 2) + place % 2]
                letter = letters[next(stream) % len(letters)]
                made.append(letter.upper() if exact and char.isupper() else letter)
        return "".join(made)


def _bytes(key: bytes, text: str) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac.new(key, f"{counter}/{text}".encode(), hashlib.sha256).digest()
        counter += 1
