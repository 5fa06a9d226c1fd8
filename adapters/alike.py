"""Whether a post of ours is the one that was sent: forums do not keep words quite as they came."""

from __future__ import annotations

import re
import unicodedata

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from adapters.markup import bbcode_runs, own_text
from adapters.model import Run

_URL = re.compile(r"(?:https?://|www\.)\S+(?: (?:\.\.\.|…) \S+)?", re.I)
"""An address, also one that the engine shows without its middle."""
_LOCAL = re.compile(r"(?<!\S)[\w./-]*\w\.(?:php|html?)(?:[/?#]\S*)?", re.I)
"""An address of the forum itself, shown without its beginning."""
_SMILEY = re.compile(
    r"(?<!\S)(?::[a-z0-9_+-]{1,20}:|[:;=%8b>][-'^]?[()\[\]{}dpox0|/\\*@$?3]{1,2}|\([a-z]{2,12}\)|[ox]_[ox]|xd)(?=[\s.,!]|$)", re.I
)
"""What engines make a picture of."""
_CUT = 600
"""So much of both ends of a long text must be the same."""
_NUMBER, _WORD = re.compile(r"\d+"), re.compile(r"\w+")
_LONGEST_SUBJECT = 115
"""Longer ones are cut."""
SAME, ALIKE = 100.0, 70.0
"""How much of our words a post of ours holds for sure, and at the least."""


def folded(text: str) -> str:
    """A nick or subject for comparing."""
    return " ".join(text.split()).casefold()


def bears(title: str, subject: str) -> bool | None:
    """Whether a topic of this title bears the subject, which a board may have cut; False where a word censor may have made the
    one of the other, None where it has not. A censor leaves numbers alone, and at least half of the words."""
    shown, wanted = folded(title), folded(subject)
    if shown == wanted or (len(shown) >= _LONGEST_SUBJECT and wanted.startswith(shown)):
        return True
    if _NUMBER.findall(shown) != _NUMBER.findall(wanted):
        return None
    words = _WORD.findall(wanted)
    kept = LCSseq.similarity(words, _WORD.findall(shown))
    return False if kept * 2 >= max(len(words), 1) or fuzz.ratio(shown, wanted) >= ALIKE else None


def same_words(bbcode: str, runs: tuple[Run, ...]) -> bool:
    """Whether a stored post holds the text that was sent, as far as engines keep one."""
    return alikeness(bbcode, runs) == SAME


def alikeness(bbcode: str, runs: tuple[Run, ...]) -> float:
    """How much of the text that was sent a stored post holds, to 100. Engines change links, smileys, long words, spaces and
    the way in which letters are put together, so only letters and digits are compared; long texts may differ a little in the
    middle.

    Players' words stand in quotations: those that were sent must stand in the post, too, in their order, for parts of one long
    story have the same words of ours. Engines put captions of their own above a quotation.
    """
    sent = bbcode_runs(bbcode)
    ours = _alikeness(_bare(own_text(sent)), _bare(own_text(runs)))
    return ours if _holds(_quoted(runs), [_bare(run.text) for run in sent if run.voice == "quote"]) else min(ours, ALIKE - 1)


def _holds(kept: str, quotations: list[str]) -> bool:
    """Whether both ends of each of these stand in a post's quoted words, one behind the other."""
    place = 0
    for words in quotations:
        for end in (words[:_CUT], words[-_CUT:]):
            place = kept.find(end, place)
            if place < 0:
                return False
        place += min(_CUT, len(words))
    return True


def _quoted(runs: tuple[Run, ...]) -> str:
    return _bare("".join(run.text for run in runs if run.voice == "quote"))


def _alikeness(sent: str, kept: str) -> float:
    if sent == kept:
        return SAME
    if (
        min(len(sent), len(kept)) > 2 * _CUT
        and sent[:_CUT] == kept[:_CUT]
        and sent[-_CUT:] == kept[-_CUT:]
        and abs(len(sent) - len(kept)) * 100 <= len(sent)
    ):
        return SAME
    return min(float(fuzz.ratio(sent, kept)), SAME - 1)


def ends_with(runs: tuple[Run, ...], bbcode: str) -> bool:
    sent = bbcode_runs(bbcode)
    ours, theirs = _bare(own_text(sent)), _quoted(sent)
    return bool(ours or theirs) and _bare(own_text(runs)).endswith(ours) and _quoted(runs).endswith(theirs)


def _bare(text: str) -> str:
    whole = unicodedata.normalize("NFKC", _LOCAL.sub("", _URL.sub("", text)))
    return "".join(char for char in _SMILEY.sub("", whole).casefold() if char.isalnum())
