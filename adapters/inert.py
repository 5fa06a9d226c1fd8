"""Words of somebody else made harmless inside our own mark-up: no tag, reference, link or smiley of theirs works.

One table serves both engines, and what their owners may have added: whatever could begin something live gets a no-break
space behind its first sign, so all stays readable, and a nick copied from a roster is still read as that nick.
"""

from __future__ import annotations

import re
import unicodedata

GAP = "\xa0"

_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Signs that turn the direction of all that follows them."""
_UNSEEN = "\u00ad\u034f\u115f\u1160\u180e\u200b\u200c\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
"""Signs that are not seen; an engine that drops one would join what stood apart. (U+200D makes emoji and stays.)"""
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_OUT = re.compile(f"[{_TURNS}{_UNSEEN}{_CONTROLS}\ud800-\udfff]")
_JOINERS = "[\u200d\ufe00-\ufe0f]*"

_LIVE = (
    rf"\[{_JOINERS}(?:[a-z0-9_*/=-]|$)",  # a tag
    r"&(?:#|[a-z][a-z0-9]{1,30};)",  # a character reference
    r"(?<=[a-z0-9]):(?=//)",  # a link by its scheme
    r"(?<=[a-z0-9])@(?=[a-z0-9-]+\.)",  # a mail address
    r"[:;=%8>][-'^o]?[()\[\]{}|\\/*@$?]",  # faces
    r"(?<![a-z0-9])b-?\)",
    r"[:;=][-'^]?[dpoxs](?!\w)",
    r"(?<!\d)[:;=][-'^]?[03](?!\w)",
    r":[a-z0-9_+-]{1,20}:",  # smileys by name
    r"\([a-z]{1,12}\)",
    r"\*[a-z]{2,14}\*",
    r"(?:\^_\^|[<>]_[<>]|-_-|(?<!\w)[ox0]_[ox0](?!\w))",
)
_FIRST_SIGN = re.compile(f"(?=(?:{'|'.join(_LIVE)}))(.)", re.IGNORECASE | re.DOTALL)
_WWW = re.compile(r"(?<!\w)(www|ftp)(?=\.)", re.IGNORECASE)


def inert(text: str) -> str:
    """The text without what cannot be seen, and with a gap in everything that a forum engine would bring to life. Linear in
    its length; doing it twice changes nothing more."""
    seen = unicodedata.normalize("NFC", _OUT.sub("", text))
    return _WWW.sub(rf"\1{GAP}", _FIRST_SIGN.sub(rf"\1{GAP}", seen))
