"""Plain text to tokens, and the three spellings under which words are compared: folded, look-alike key, sound.

Nothing here knows names or words. Offsets always point into the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_IGNORED = dict.fromkeys(map(ord, "\u00ad\u0300\u0301\u200b\u200c\u200d\u200e\u200f\u2060\ufeff'’ʼ`´"))
"""Signs inside a word that nobody sees or means: soft hyphens, marks of stress, zero-width signs, apostrophes."""

_TOKEN = re.compile(
    r"(?P<word>[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]|['’ʼ`´](?=[^\W\d_]))*)"
    r"|(?P<number>\d+)"
    r"|(?P<line>\n)"
    r"|(?P<sign>[^\w\s]|_)"
)
_KINDS = {"word": "w", "number": "n", "line": "l", "sign": "s"}

_LOOKALIKE = str.maketrans("abcehkmoptxyё03іїєў", "авсенкмортхуеозииеу")


@dataclass(slots=True)
class Token:
    """A word, number, sign or line end. ``folded`` is the spelling in which vocabulary and names are looked up."""

    folded: str
    kind: str
    """``w`` word, ``n`` number, ``s`` sign, ``l`` line end."""
    start: int
    end: int
    capital: bool = False
    color: str | None = None
    glued: bool = False
    """No space stands between this token and the one before it."""


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Lower case, NFKC, ё as е, without apostrophes and invisible signs."""
    plain = unicodedata.normalize("NFKC", word).translate(_IGNORED).lower().replace("ё", "е")
    return unicodedata.normalize("NFC", plain).replace("ё", "е")


def tokens(text: str) -> list[Token]:
    """The tokens of a text in order. Linear in its length."""
    found: list[Token] = []
    last_end = -1
    for match in _TOKEN.finditer(text):
        kind = _KINDS[match.lastgroup or "sign"]
        start, end = match.span()
        raw = match[0]
        found.append(Token(fold(raw) if kind != "l" else "\n", kind, start, end, raw[0].isupper(), None, start == last_end))
        last_end = end
    return found


@lru_cache(maxsize=50_000)
def key(folded: str) -> str:
    """Latin and digit look-alikes as Cyrillic: ``гpoмoв`` and ``громов`` have one key."""
    return folded.translate(_LOOKALIKE)


def nick_key(nick: str) -> str:
    """The key under which two nicks of one game may not be equal (look-alikes): letters and digits only,
    unless the nick has none."""
    folded = key(fold(nick))
    return "".join(char for char in folded if char.isalnum()) or folded


_DRAWN = {
    "a": "αɑᴀ", "b": "ʙ", "c": "ᴄϲ", "d": "ԁ", "e": "ᴇ", "g": "ɡɢ", "h": "һհʜ", "i": "ıɩιί", "j": "јϳ", "k": "κᴋ",
    "l": "Iӏ|1ǀΙІӀ", "m": "ᴍ", "n": "ɴ", "o": "οᴏօσ", "p": "ρᴘ",
    "q": "ԛ", "r": "ʀ", "s": "ѕ", "t": "τᴛ", "u": "υս", "v": "νѵ", "w": "ԝω",
    "x": "χ", "y": "γ", "z": "ᴢ", "A": "Α", "B": "Β", "C": "Ϲ", "E": "Ε", "H": "ΗԊ", "J": "ЈͿ", "K": "ΚK", "M": "ΜϺ", "N": "Ν",
    "O": "ΟՕ", "P": "Ρ", "S": "Ѕ", "T": "Τ", "W": "Ԝ", "X": "Χ", "Y": "ΥҮү", "Z": "Ζ", "г": "Γ", "л": "Λ", "п": "Π", "ф": "Φφ",
}  # fmt: skip
"""Letter -> signs of other alphabets, and of other kinds, that are drawn like it. A big I is drawn like a small L."""
_SHAPES = {ord(sign): letter for letter, signs in _DRAWN.items() for sign in signs}
_FILLERS = dict.fromkeys(map(ord, "\u115f\u1160\u3164\uffa0\u2800"))
"""Letters by their kind of which nothing can be seen."""


@lru_cache(maxsize=50_000)
def _shape(nick: str) -> str:
    """A nick as it is drawn: without accents, with one letter for all that look like it."""
    plain = unicodedata.normalize("NFKC", nick).translate(_FILLERS)
    bare = [char if char in "йЙ" else unicodedata.normalize("NFD", char)[0] for char in plain]
    return nick_key("".join(bare).translate(_SHAPES))


def same_key(a: str, b: str) -> bool:
    """Whether two nicks look alike so much that one game cannot hold both."""
    return nick_key(a) == nick_key(b) or _shape(a) == _shape(b)


# --- sound: one spelling for Cyrillic and Latin ---------------------------------------------------------------------------

_CYRILLIC_SOUND = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "й": "i", "к": "k",
        "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h",
        "ц": "c", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "i", "ь": "", "э": "e", "ю": "iu", "я": "ia",
    }
)  # fmt: skip
_LATIN_SOUND = (
    ("shch", "sh"), ("sch", "sh"), ("kh", "h"), ("ts", "c"), ("tz", "c"), ("ck", "k"), ("ph", "f"), ("th", "t"),
    ("x", "ks"), ("w", "v"), ("q", "k"), ("j", "i"), ("y", "i"), ("ie", "e"),
)  # fmt: skip
_LEET = str.maketrans("013457@$", "oizastas")
_LEET_RU = {"@": "a", "$": "s", "7": "t", "3": "e", "4": "ch", "0": "o", "1": "i", "5": "s", "6": "b"}


@lru_cache(maxsize=50_000)
def sound(folded: str) -> str:
    """A rough Latin spelling of how a word is spoken, equal for ``Котофей`` and ``Kotofey``, ``Рысь`` and ``Rys'``."""
    spoken = folded.translate(_CYRILLIC_SOUND)
    if is_latin(folded):
        spoken = re.sub(r"c(?=[aou]|k|l|r|$)", "k", spoken)  # before «ts» becomes a «c» that is none
    for written, said in _LATIN_SOUND:
        if written in spoken:
            spoken = spoken.replace(written, said)
    return re.sub(r"(.)\1+", r"\1", spoken)


def leet(folded: str) -> str:
    """Digits between letters as the letters they stand for (``vik70r`` -> ``viktor``)."""
    return "".join(_LEET_RU.get(char, char) for char in folded)


_LATIN_LETTER = re.compile("[a-z]")
_CYRILLIC_LETTER = re.compile("[а-я]")


def is_latin(folded: str) -> bool:
    """Whether the word has Latin letters."""
    return _LATIN_LETTER.search(folded) is not None


def is_cyrillic(folded: str) -> bool:
    """Whether the word has Cyrillic letters."""
    return _CYRILLIC_LETTER.search(folded) is not None


_TO_CYRILLIC = (
    ("shch", "щ"), ("sch", "щ"), ("sh", "ш"), ("ch", "ч"), ("zh", "ж"), ("kh", "х"), ("ts", "ц"), ("yu", "ю"), ("ju", "ю"),
    ("ya", "я"), ("ja", "я"), ("yo", "е"), ("jo", "е"), ("ck", "к"), ("ph", "ф"), ("th", "т"), ("ee", "и"), ("oo", "у"),
    ("x", "кс"), ("a", "а"), ("b", "б"), ("c", "к"), ("d", "д"), ("e", "е"), ("f", "ф"), ("g", "г"), ("h", "х"), ("i", "и"),
    ("j", "й"), ("k", "к"), ("l", "л"), ("m", "м"), ("n", "н"), ("o", "о"), ("p", "п"), ("q", "к"), ("r", "р"), ("s", "с"),
    ("t", "т"), ("u", "у"), ("v", "в"), ("w", "в"), ("z", "з"),
)  # fmt: skip
_PAIRS = 17
"""How many rows of the table are pairs, to be replaced before ``y`` is."""


@lru_cache(maxsize=20_000)
def to_cyrillic(folded: str) -> str:
    """A Latin spelling in Cyrillic (``vinovna`` -> ``виновна``, ``stormy`` -> ``сторми``)."""
    out = folded
    for latin, cyrillic in _TO_CYRILLIC[:_PAIRS]:
        out = out.replace(latin, cyrillic)
    out = re.sub(r"(?<=[aeiouаеиоуыэюя])y", "й", out)
    out = re.sub(r"y$", "и", out).replace("y", "ы")
    for latin, cyrillic in _TO_CYRILLIC[_PAIRS:]:
        out = out.replace(latin, cyrillic)
    return out


_ENGLISH = tuple(
    (re.compile(written), spoken)
    for written, spoken in (
        ("(?<=[aeiou]{2}[bcdfgklmnprstvz])e$", ""),
        ("igh", "ай"),
        ("tion", "шен"),
        ("ee|ea", "и"),
        ("oo", "у"),
        ("ou|ow", "ау"),
        ("a([bcdfgklmnprstvz])e$", r"ей\1"),
        ("i([bcdfgklmnprstvz])e$", r"ай\1"),
        ("o([bcdfgklmnprstvz])e$", r"оу\1"),
        ("u([bcdfgklmnprstvz])e$", r"ю\1"),
        ("j", "дж"),
    )
)


@lru_cache(maxsize=5_000)
def as_english(folded: str) -> str | None:
    """An English word as Russians say it (``snake`` -> ``снейк``), where that differs from reading its letters."""
    if not is_latin(folded):
        return None
    said = folded
    for written, spoken in _ENGLISH:
        said = written.sub(spoken, said)
    return None if said == folded else to_cyrillic(said)


_QWERTY = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_ЙЦУКЕН = "йцукенгшщзхъфывапролджэячсмитьбюё"
_SHIFTED = str.maketrans('<>{}":~', "БЮХЪЭЖЁ")
_KEYS_RU = {**str.maketrans(_QWERTY + _QWERTY.upper(), _ЙЦУКЕН * 2), **_SHIFTED}
_KEYS_EN = str.maketrans(_ЙЦУКЕН, _QWERTY)


def other_layout(text: str) -> str:
    """The text as the same keys would have typed it in the other keyboard layout."""
    latin = sum("a" <= char <= "z" for char in text.lower())
    cyrillic = sum("а" <= char <= "я" for char in text.lower())
    return text.translate(_KEYS_RU) if latin > cyrillic else text.lower().translate(_KEYS_EN)
