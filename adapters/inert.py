"""Words of somebody else made harmless inside our own mark-up: no tag, reference, link or smiley of theirs works.

One table serves both engines, and what their owners may have added: whatever could begin something live gets a no-break
space behind its first sign, so all stays readable, and a nick copied from a roster is still read as that nick.
"""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5

GAP = "\xa0"

_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Signs that turn the direction of all that follows them."""
_UNSEEN = (
    "\u00ad\u034f\u0600-\u0605\u06dd\u070f\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u2028\u2029\u2060-\u2065"
    "\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Signs that are not seen, or look like a blank; an engine that drops one would join what stood apart. (U+200D and the
selectors U+FE00-FE0F make emoji and stay.)"""
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0f71-\u0f84\u0f8d-\u0fbc\u135d-\u135f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u2de0-\u2dff\u302a-\u302f\u3099\u309a"
    "\ua66f-\ua67d\ua6f0\ua6f1\ufe20-\ufe2f"
)
_HEAP = re.compile(f"([{_MARKS}]{{3}})[{_MARKS}]+")
"""Marks upon one letter, of which more than these would cover the lines above and below."""
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_OUT = re.compile(f"[{_TURNS}{_UNSEEN}{_CONTROLS}\ud800-\udfff]")
_JOINERS = "[\u200d\ufe00-\ufe0f]*"

_OLD_NAMES = "|".join(sorted(name for name in html5 if not name.endswith(";")))
"""Names of characters that browsers know without a semicolon, too."""
_LIVE = (
    rf"\[{_JOINERS}(?:[a-z0-9_*/=-]|$)",  # a tag
    rf"&(?=[#a-z])(?:#|[a-z][a-z0-9]{{1,30}};|{_OLD_NAMES})",  # a character reference
    r"(?<=[a-z0-9]):(?=//)",  # a link by its scheme
    r"(?<=\S)@(?=[a-z0-9.-])",  # a mail address; engines are content with "a@b"
    r"[:;=%8>][-'^o]?[()\[\]{}|\\/*@$?]",  # faces
    r"(?<![a-z0-9])b-?\)",
    r"[:;=][-'^]?[bcdlopsxz](?!\w)",
    r"(?<!\d)[:;=][-'^]?[03](?!\w)",
    r":[a-z0-9_+!?-]{1,20}:",  # smileys by name
    r"\([a-z]{1,12}\)",
    r"\*[a-z]{2,14}\*",
    r"(?:\^_\^|[<>]_[<>]|-_-|(?<!\w)[ox0]_[ox0](?!\w))",
)
_FIRST_SIGN = re.compile(f"(?=(?:{'|'.join(_LIVE)}))(.)", re.IGNORECASE | re.DOTALL)
_WWW = re.compile(r"(?<![a-z0-9_])(www|ftp)(?=\.)", re.IGNORECASE)
"""Engines that look at bytes take a Cyrillic letter before it for the end of a word."""


def inert(text: str) -> str:
    """The text without what cannot be seen, and with a gap in everything that a forum engine would bring to life. Linear in
    its length; doing it twice changes nothing more."""
    return _WWW.sub(rf"\1{GAP}", _FIRST_SIGN.sub(rf"\1{GAP}", visible(text)))


def visible(text: str) -> str:
    """The text without what cannot be seen, turns the words behind it, or covers the lines around: so much is harmless where
    nothing is mark-up, as in a letter."""
    return _HEAP.sub(r"\1", unicodedata.normalize("NFC", _OUT.sub("", text)))
