"""Bytes of a Russian letter to text: labels that lie or are unknown are put right by a scorer over five Cyrillic encodings."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import pairwise

ENCODINGS = ("utf-8", "windows-1251", "koi8-r", "cp866", "iso-8859-5")
"""What Russian letters are written in, the likeliest first."""

_NO_LABEL = {
    "",
    "us-ascii",
    "ascii",
    "iso-8859-1",
    "latin-1",
    "latin1",
    "windows-1252",
    "cp1252",
    "unknown",
    "unknown-8bit",
    "x-unknown",
}
"""Labels that programs set without knowing; they say nothing of Cyrillic bytes."""
_NO_TEXT = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
_ALIASES = {
    "uft-8": "utf-8",
    "uft8": "utf-8",
    "utf": "utf-8",
    "utf-8mb4": "utf-8",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "x-utf-8": "utf-8",
    "unicode": "utf-16",
    "win1251": "windows-1251",
    "win-1251": "windows-1251",
    "cp-1251": "windows-1251",
    "ansi-1251": "windows-1251",
    "x-cp1251": "windows-1251",
    "1251": "windows-1251",
    "cyrillic": "iso-8859-5",
    "koi8": "koi8-r",
    "koi-8": "koi8-r",
    "koi8r": "koi8-r",
    "koi-8-r": "koi8-r",
    "koi": "koi8-r",
    "koi8u": "koi8-u",
    "koi8-ru": "koi8-u",
    "dos": "cp866",
    "dos-866": "cp866",
    "x-cp866": "cp866",
    "alt": "cp866",
    "oem-866": "cp866",
    "iso8859-5": "iso-8859-5",
    "x-mac-cyrillic": "mac-cyrillic",
}
_INSIDE = (
    (re.compile(r"u[tf]{2}-?_?8"), "utf-8"),
    (re.compile(r"125[01]"), "windows-1251"),
    (re.compile(r"koi-?_?8"), "koi8-r"),
    (re.compile(r"866"), "cp866"),
    (re.compile(r"8859-?_?5"), "iso-8859-5"),
)
"""Names with something before or behind them (``windows-1251-ru``, ``x-win1251``)."""


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The pairs of letters in Russian running text, most of what is written (counted over the game's own rules and messages): nearly
# every pair of a right decoding is among them, of a wrong one few.
_COMMON = _pairs(
    "ав ае аз ак ал ан ар ас ат ба бе бо ва ве ви во вы го гр гу да де до ев ед ей ел ен ер ес ет же за иг ий ик ил "
    "ин ир ис ит ка ки ко ку ла ле ли ло лы ль ма ме ми мо на не ни но нт ны нь об ов ог од ой ок ол ом он ор ос от "
    "па пе по пр ра ре ри рк ро ру ры са се ск сл со ст ся та тв те ти то тр тс ть тя уд ур ха хо че чи щи ый ья"
)
_SEEN = _pairs(
    "аб ад аж ай ам ап аф ах ач аш ащ аю ая би бл бр бу бы вк вл вн вр вс вт ву вш ге ги гл гн дв ди дл дн др ду ды "
    "дь дю еб ег ее еж ез ек ем ео ех ец еч еш жа жд жи жн жу зв зд зе зи зл зм зн зо зр зу зы иб ив ид ие иж из им "
    "ио их иц ич ищ ию ия йд йн йс йт кл кр кс кт лл лн лу лю ля лё мн му мы нд нк нн ну нч ня ое ож оз ои оп оу оф "
    "ох оч ош ощ ою оя пи пл пу пы пь рб рв рг рд рж рл рм рн рт рш рь ря рё св си см сн сп сс су сч сы сь сё тк тн "
    "ту ты ує уб ув уг уж уз ук ул ум ун уп ус ут ух уч уш ущ ую фи фо хи хн хр ху це ци ча чк чн чт чу чь ша ше ши "
    "шк шл шн шу шь ща ще щу ыб ыв ые ыл ым ын ыр ыс ыт ых ыш ье ьк ьм ьн ьс ьт ью эт эк юб юд юс ют ющ яв яд яе як "
    "ял ян ям ят ях яю ёд ёз ём ёр ёт ею бя вь ща"
)
_LETTERS = re.compile(r"[А-Яа-яЁёІіЇїЄєҐґ]+")
_ODD = re.compile(r"[\u2500-\u259f\u0080-\u009f\u0400\u0402-\u0403\u0405\u0408-\u040f\u0452\u0453\u0455\u0458-\u045f¤¦¬°±¶·­†‡‰]")
_UPPER_RUN = re.compile(r"[А-ЯЁ]{2}[а-яё]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_CYRILLIC_PAIR = re.compile(rb"\xd0[\x81\x84\x86\x87\x90-\xbf]|\xd1[\x80-\x8f\x91\x94\x96\x97]|\xd2[\x90\x91]")
_STRAY = re.compile("[\udc80-\udcff]")
_STRAY_WORD = re.compile(r"(?<!\w)[\udca8\udcb8\udcc0-\udcff]{3,}(?![\w\udc80-\udcff])")
"""Bytes that are no UTF-8, and enough of them for a word of another encoding: letters stand there in these places."""
_LONE_BLANK = re.compile(rb"(?<![\xc2-\xf4])(?<![\xe0-\xf4][\x80-\xbf])\xa0")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, and how it was come by: ``repaired`` when the label was not followed, ``damaged`` when bytes had to be dropped,
    ``unsure`` when another encoding is nearly as likely."""

    text: str
    encoding: str
    repaired: bool = False
    damaged: bool = False
    unsure: bool = False


def codec_of(label: str | None) -> str | None:
    """The codec that a label means, also a misspelt one; None where it says nothing."""
    name = re.sub(r"[^a-z0-9_.:-]", "", (label or "").strip().lower()).replace("_", "-")
    if name in _NO_LABEL:
        return None
    name = _ALIASES.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return next((codec for inside, codec in _INSIDE if inside.search(name)), None)
    if info.name in _NO_TEXT or not getattr(info, "_is_text_encoding", True):
        return None
    return info.name


def decode(data: bytes, label: str | None = None) -> Decoded:
    """Text of ``data`` under a label that may be missing, unknown or false. Never raises, never leaves U+FFFD or a BOM."""
    codec = codec_of(label)
    for mark, name in _BOMS:
        if data.startswith(mark):
            found = _attempt(data, name) or Decoded(data.decode(name, "ignore"), name, damaged=True)
            return _clean(found)
    if codec is not None and codec.startswith(("utf-16", "utf-32", "utf-7", "iso2022", "hz")):
        wide = _attempt(data, codec) or Decoded(data.decode(codec, "ignore"), codec, damaged=True)
        if not _ODD.search(wide.text[:2000]) or not data.isascii():
            return _clean(wide)
    if data.isascii():
        return _clean(Decoded(data.decode("ascii"), "ascii"))
    utf8 = _utf8(data)
    if utf8 is not None:
        repaired = utf8.repaired or codec not in (None, "utf-8")
        return _clean(Decoded(utf8.text, "utf-8", repaired, utf8.damaged, utf8.unsure))
    return _clean(_by_score(data, codec, label))


def decode_header(data: bytes) -> str:
    """Text of raw eight-bit bytes in a header."""
    return decode(data).text


def _attempt(data: bytes, codec: str) -> Decoded | None:
    try:
        return Decoded(data.decode(codec), codec)
    except (UnicodeError, LookupError):
        return None


def _utf8(data: bytes) -> Decoded | None:
    """UTF-8, also when some of its bytes are broken or a line of another encoding stands among its own; None when it is
    something else. A line mostly of Russian letters in UTF-8 is proof: no other encoding has such pairs of bytes in heaps."""
    whole = _attempt(data, "utf-8")
    if whole is not None:
        return whole
    pieces = data.split(b"\n")
    if not any(_is_surely_utf8(piece) for piece in pieces):
        return None
    lines = [_line(piece) for piece in pieces]
    return Decoded(
        "\n".join(line.text for line in lines),
        "utf-8",
        repaired=any(line.repaired for line in lines),
        damaged=any(line.damaged for line in lines),
        unsure=any(line.unsure for line in lines),
    )


def _is_surely_utf8(line: bytes) -> bool:
    if len(_CYRILLIC_PAIR.findall(line)) < 2:
        return False
    broken = len(_STRAY.findall(line.decode("utf-8", "surrogateescape")))
    return broken <= 0.4 * sum(byte > 127 for byte in line)


def _line(line: bytes) -> Decoded:
    """A line of a text that is UTF-8 elsewhere: its broken bytes are left out, or all of it is of another encoding."""
    whole = _attempt(line, "utf-8")
    if whole is not None:
        return whole
    pairs = len(_CYRILLIC_PAIR.findall(line))
    rest = _CYRILLIC_PAIR.sub(b"", line)
    strangers = sum(byte > 127 for byte in rest)
    if pairs == 0 and strangers > 2:
        other = _by_score(line, None, None)
        return Decoded(other.text, other.encoding, repaired=True, damaged=other.damaged, unsure=other.unsure)
    told = line.decode("utf-8", "surrogateescape")
    if _STRAY_WORD.search(told):
        told = _STRAY_WORD.sub(lambda found: _by_score(found[0].encode("utf-8", "surrogateescape"), None, None).text, told)
        return Decoded(_STRAY.sub("", told), "utf-8", repaired=True, damaged=True)
    # A lone A0 is the blank of the old encodings; any other byte is a part of a sign that was lost.
    kept = line.decode("utf-8", "replace") if b"\xa0" not in rest else _LONE_BLANK.sub(b" ", line).decode("utf-8", "replace")
    return Decoded(kept.replace("\ufffd", ""), "utf-8", damaged=True)


def _by_score(data: bytes, codec: str | None, label: str | None) -> Decoded:
    """The likeliest of the one-byte encodings; the label counts as evidence, not as proof."""
    scores: dict[str, tuple[float, str]] = {}
    for name in dict.fromkeys((*(ENCODINGS[1:]), *([codec] if codec and codec != "utf-8" else []))):
        tried = _attempt(data, name) or Decoded(data.decode(name, "ignore"), name, damaged=True)
        value = score(tried.text)
        if name == codec:
            value += 0.35
        scores[name] = (value, tried.text)
    best, *others = sorted(scores, key=lambda name: scores[name][0], reverse=True)
    if codec in scores and codec not in ENCODINGS and not _LETTERS.search(scores[best][1]):
        best = codec
    if label and codec is None and scores[best][0] < 0.2 and _western(label):
        return Decoded(data.decode("cp1252", "ignore"), "cp1252")
    close = scores[best][0] - scores[others[0]][0] < 0.12 if others else False
    canonical = codecs.lookup(best).name
    labelled = codecs.lookup(codec).name if codec else None
    return Decoded(scores[best][1], best, repaired=canonical != labelled, unsure=close and canonical != labelled)


def _western(label: str) -> bool:
    """Whether the label names a Western encoding, which real Western words may bear rightly."""
    return label.strip().lower() in {"iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252"}


def score(text: str) -> float:
    """How much a decoding looks like Russian, about -3 (garbage) to 1: pairs of letters, jumps of case, odd signs."""
    sample = text[:6000]
    pairs = points = 0.0
    jumps = 0
    for word in _LETTERS.findall(sample):
        lower = word.lower()
        for left, right in pairwise(lower):
            pairs += 1
            pair = left + right
            points += 1.0 if pair in _COMMON else 0.6 if pair in _SEEN else -0.5
        if len(word) > 1:
            jumps += sum(1 for a, b in pairwise(word) if a.islower() and b.isupper())
            jumps += len(_UPPER_RUN.findall(word))
            jumps += word[0].islower() and word[1:].isupper()
    foreign = sum(1 for char in sample if char > "\x7f" and not char.isspace())
    if not foreign:
        return 0.0
    odd = len(_ODD.findall(sample)) / foreign
    mixed = len(re.findall(r"[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]", sample)) / foreign
    base = points / pairs if pairs else 0.0
    return base - 2.0 * odd - 0.8 * mixed - 1.5 * jumps / max(1.0, pairs)


_TWICE = re.compile(r"(?:[РС][^\x00-\x7fА-Яа-я]){2}")


def _once(text: str) -> str | None:
    """UTF-8 that some server took for windows-1251 and encoded again («Р›РµС‡Сѓ»), put right; None when it is not that."""
    if not _TWICE.search(text):
        return None
    try:
        once = b"".join(char.encode("latin-1" if "\x80" <= char <= "\x9f" else "cp1251") for char in text).decode("utf-8")
    except UnicodeError:
        return None
    return once if score(once) > score(text) else None


def _clean(found: Decoded) -> Decoded:
    text = found.text
    once = _once(text)
    if once is not None:
        text = once
        found = Decoded(text, found.encoding, True, found.damaged, found.unsure)
    if "\ufffd" in text:
        text = text.replace("\ufffd", "")
        found = Decoded(text, found.encoding, found.repaired, True, found.unsure)
    if "\ufeff" in text or "\x00" in text:
        text = text.replace("\ufeff", "").replace("\x00", "")
        found = Decoded(text, found.encoding, found.repaired, found.damaged, found.unsure)
    return found
