"""A reply's new words: quotations, attribution lines, head blocks of old letters and signatures taken out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from adapters.mail import wordings as say

Mark = Literal["", "quote", "attribution", "signature"]

_LONGEST = 700
"""Lines longer than this are somebody's prose, never an attribution or a signature (it also bounds the work)."""
_MOST_LINES, _MOST_TELLING = 5_000, 300
"""How many lines of a letter are looked at, and how many of these may look like announcements or additions."""
_WRAPPED = 5
"""Over how many lines an attribution may be broken."""
_LONGEST_HEAD = 40
"""How many lines the head block of an old letter may have."""
_LONGEST_TAIL = 40
"""«С уважением» farther from the end than this many lines does not close the letter."""


_COSTLY = re.compile(r"[:;@>]|\.\s*$|schrieb|wrote|écrit|escrib|scritto|писал")
"""Without one of these no form of an announcement is tried on a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a letter, and whose it is where the letter's form has told so already ("" where only the words can)."""

    text: str
    mark: Mark = ""

    @property
    def blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Stripped:
    """What is left of a reply."""

    text: str
    """The writer's new words: quotations, attribution lines, head blocks of old letters and signatures are left out."""
    doubtful: bool
    """Words stand between quoted lines, or nothing is left of a letter that had words: a person should look."""
    between: bool = False
    """Words stand between quoted lines."""
    whole: bool = True
    """All lines were looked at."""


def new_words(text: str) -> Stripped:
    """The writer's new words in a plain text (a letter's text part, or a forum's private message)."""
    return strip(plain_lines(text))


def plain_lines(text: str) -> list[Line]:
    """The lines of a plain text, quoted ones marked by ``>`` or by initials before it."""
    clean = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return [Line(line, "quote" if _is_quoted(line) else "") for line in clean.split("\n")]


def _is_quoted(line: str) -> bool:
    start = line[:40].lstrip(" \t\xa0")
    if say.SMILE.match(start):
        return False
    return start.startswith((">", "&gt;", "| ")) or say.BAT_QUOTE.match(line[:40]) is not None


def strip(lines: Sequence[Line]) -> Stripped:
    """The writer's new words among lines that may carry marks already."""
    lines, whole = _measured(lines)
    folded = [" ".join(line.text.split()) if len(line.text) <= _LONGEST else "" for line in lines]
    segments: list[list[str]] = [[]]
    quotes: list[int] = []
    """After how many segments a quotation stood."""
    in_signature = False
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.mark == "quote":
            broken = _broken_quote(lines, at)
            in_signature = False
            _cut(segments, quotes)
            at += 1 + broken
            continue
        if line.mark == "signature":
            at += 1
            continue
        old = _old_letter(lines, folded, at)
        if old is not None:
            in_signature = False
            if old.before:
                segments[-1].append(old.before)
            if old.takes_line_above and segments[-1] and segments[-1][-1].strip():
                segments[-1].pop()
            _cut(segments, quotes)
            at = old.end
            continue
        if say.DASHES.match(folded[at]) and folded[at]:
            in_signature = True
        elif not in_signature:
            segments[-1].append(line.text)
        at += 1
    kept = [_trim(segment) for segment in segments]
    own = [index for index, segment in enumerate(kept) if segment]
    between = any(0 < index < len(segments) - 1 for index in own) and len(quotes) > 1
    text = "\n".join("\n".join(kept[index]) for index in own).strip()
    had_words = any(not line.blank for line in lines)
    return Stripped(text=text, doubtful=between or (had_words and not text), between=between, whole=whole)


def _measured(lines: Sequence[Line]) -> tuple[Sequence[Line], bool]:
    """As many lines as are looked at, from the first, and whether these are all. Lines that may be somebody's announcement or
    a firm's addition cost most and are counted apart; a person's letter has a handful of them."""
    telling = 0
    for at, line in enumerate(lines[:_MOST_LINES]):
        if not line.mark and line.text and len(line.text) <= 2 * _LONGEST:
            telling += (say.may_attribute(line.text) and _COSTLY.search(line.text) is not None) or say.may_be_added(line.text)
            if telling > _MOST_TELLING:
                return lines[:at], False
    return lines[:_MOST_LINES], len(lines) <= _MOST_LINES


def _cut(segments: list[list[str]], quotes: list[int]) -> None:
    """A quotation stands here: close the present segment; quoted lines in a row are one quotation."""
    if quotes and quotes[-1] == len(segments) and not any(text.strip() for text in segments[-1]):
        segments[-1].clear()
        return
    segments.append([])
    quotes.append(len(segments))


def _broken_quote(lines: Sequence[Line], at: int) -> int:
    """1 when the next line is the end of this long quoted line, thrown out of the quotation by a careless line break."""
    if at + 2 >= len(lines) or lines[at].mark != "quote" or lines[at + 1].mark or lines[at + 2].mark != "quote":
        return 0
    quoted, tail = lines[at].text.rstrip(), lines[at + 1].text.strip()
    careless = len(quoted) >= 64 and tail[:1].islower() and quoted[-1:] not in ".!?:;…" and len(tail) <= 40
    return 1 if careless else 0


@dataclass(frozen=True, slots=True)
class _Old:
    """Lines that open or are an old letter: reading goes on at ``end``."""

    end: int
    before: str = ""
    takes_line_above: bool = False


def _old_letter(lines: Sequence[Line], folded: Sequence[str], at: int) -> _Old | None:
    """The old letter that is announced here: only its announcement where marked lines follow, else all below it."""
    if lines[at].mark == "attribution":
        end = at + 1
        while end < len(lines) and (lines[end].mark == "attribution" or lines[end].blank):
            end += 1
        return _Old(_after(lines, folded, end))
    text = folded[at]
    if not text:
        return _glued(lines, at)
    separator = say.separator(text)
    if separator is not None:
        end = at + 1
        if separator.end() == len(text):
            head = _head_block(folded, _next(lines, end), announced=True)
            end = head if head is not None else end
            return _Old(_after(lines, folded, end), before=text[: separator.start()])
        return _Old(_after(lines, folded, end, marked_may_follow=False), before=text[: separator.start()])
    found = _attribution(lines, folded, at)
    if found is not None:
        end, alone = found
        follows = _next(lines, end)
        if alone or (follows < len(lines) and lines[follows].mark == "quote"):
            head = _head_block(folded, follows, announced=True)
            return _Old(_after(lines, folded, head if head is not None else end), takes_line_above=text.startswith("<"))
    inside = at > 0 and ":" in folded[at - 1] and say.HEAD_LINE.match(folded[at - 1]) is not None
    head = None if inside else _head_block(folded, at, announced=say.RULE.match(text) is not None)
    if head is not None:
        return _Old(_after(lines, folded, head))
    glued = say.GLUED_ATTRIBUTION.search(text) if text[-1] == ":" else None
    if glued is not None and glued.start() > 0 and ": " not in glued.group(0):
        return _Old(_after(lines, folded, at + 1), before=text[: glued.start()])
    return None


def _glued(lines: Sequence[Line], at: int) -> _Old | None:
    """A very long line that holds a whole letter, old and new, without line ends."""
    if len(lines[at].text) <= _LONGEST:
        return None
    long = lines[at].text
    separator = say.SEPARATOR.search(long[:20_000])
    return _Old(len(lines), before=long[: separator.start()]) if separator is not None else None


def _next(lines: Sequence[Line], at: int) -> int:
    """The next line that is not blank."""
    while at < len(lines) and lines[at].blank and lines[at].mark != "quote":
        at += 1
    return at


def _after(lines: Sequence[Line], folded: Sequence[str], end: int, *, marked_may_follow: bool = True) -> int:
    """Where reading goes on after an announcement: at the marked quotation, behind a written end, or nowhere."""
    follows = _next(lines, end)
    if marked_may_follow and follows < len(lines) and lines[follows].mark == "quote":
        return follows
    for at in range(end, len(lines)):
        if folded[at][:1] in say.RULE_SIGNS and say.SEPARATOR_END.match(folded[at]):
            return at + 1
    return len(lines)


def _attribution(lines: Sequence[Line], folded: Sequence[str], at: int) -> tuple[int, bool] | None:
    """(end, stands alone) of an attribution that begins here, over up to ``_WRAPPED`` lines."""
    if not say.may_attribute(folded[at]):
        return None
    joined = ""
    for end in range(at, min(at + _WRAPPED, len(lines))):
        if lines[end].mark or not folded[end]:
            break
        joined = f"{joined} {folded[end]}".strip()
        if len(joined) > _LONGEST:
            break
        if joined[-1] not in ":;.>-—–" and "@" not in joined.rpartition(" ")[2] and not say.BARE_END.search(joined):
            continue
        if ": " in re.sub(r"mailto: |[<(\[][^<>()\[\]]{0,120}[>)\]]", "", joined):
            break
        for row in say.ATTRIBUTIONS:
            if row.form.match(joined):
                return end + 1, row.alone
    return None


def _head_block(folded: Sequence[str], at: int, *, announced: bool) -> int | None:
    """The end of a block of head lines («От: … Отправлено: … Кому: … Тема: …») that begins here, or None.

    Lines that go on (long lists of recipients) and single blank lines stand inside it. Not announced by a separator, it
    needs a sender and two more lines, or a sender and one more with an address or a date; ``Кому``, ``Тема`` and an
    attribution below them are one too (Yandex on a phone).
    """
    kinds: set[str] = set()
    proven = False
    end = at
    if at < len(folded) and say.RULE.match(folded[at]):
        at += 1
    place = at
    while place < min(len(folded), at + _LONGEST_HEAD):
        head = say.HEAD_LINE.match(folded[place]) if ":" in folded[place] else None
        if head is not None:
            kinds.add(str(head.lastgroup) if head.lastgroup != "value" else _kind(head))
            proven = proven or bool(re.search(f"{say.ADDRESS}|{say.DATE}", head["value"], re.IGNORECASE))
            place += 1
            end = place
            continue
        if not kinds:
            return None
        ahead = next((n for n in range(place, min(place + 3, len(folded))) if say.HEAD_LINE.match(folded[n])), None)
        if ahead is None:
            break
        place = ahead
    if not kinds:
        return None
    if end < len(folded) and any(row.alone and row.form.match(folded[end]) for row in say.ATTRIBUTIONS):
        return end + 1
    if announced and (len(kinds) >= 2 or proven):
        return end
    whole = "from" in kinds and (len(kinds) >= 3 or (len(kinds) >= 2 and proven))
    return end if whole else None


def _kind(head: re.Match[str]) -> str:
    return next(kind for kind in ("from", "date", "to", "subject") if head[kind] is not None)


def _trim(segment: Iterable[str]) -> list[str]:
    """A stretch of own words without what programs and firms add and without a closing «С уважением, …»."""
    lines = _without_additions([line.strip() for line in segment])
    for at in range(max(0, len(lines) - _LONGEST_TAIL), len(lines)):
        line = lines[at]
        if len(line) <= 160 and say.CLOSING.match(" ".join(line.split())) and _is_signature(lines[at + 1 :]):
            lines = lines[:at]
            _drop_rule(lines)
            break
    return _bare(lines)


def _without_additions(lines: list[str]) -> list[str]:
    kept: list[str] = []
    after_footer = False
    for at, line in enumerate(lines):
        folded = " ".join(line.split()) if len(line) <= 2 * _LONGEST else ""
        if say.may_be_added(folded):
            if any(form.match(folded) for form in (*say.DEVICE_LINES, *say.FOOTERS)) or (
                after_footer and say.BARE_LINK.match(folded)
            ):
                _drop_rule(kept)
                after_footer = True
                continue
            if any(form.match(folded) for form in (*say.LIST_FOOTERS, say.ECO)) or _is_legal(lines, at):
                break
            glued = say.GLUED_DEVICE.search(folded)
            if glued is not None and folded[: glued.start()].rstrip()[-1:] in tuple(".!?…)»"):
                line = folded[: glued.start()].rstrip()
        after_footer = after_footer and not line
        kept.append(line)
    else:
        return _bare(kept)
    _drop_rule(kept)
    return _bare(kept)


def _is_legal(lines: Sequence[str], at: int) -> bool:
    """A legal notice begins here: its words may be broken over lines."""
    if at > 0 and lines[at - 1] and not say.RULE.match(lines[at - 1]):
        return False
    paragraph = ""
    for line in lines[at : at + 8]:
        if not line or len(paragraph) > _LONGEST:
            break
        paragraph += " " + line[:_LONGEST]
    return len(paragraph) >= 60 and say.LEGAL.match(" ".join(paragraph.split())) is not None


def _is_signature(tail: Sequence[str]) -> bool:
    """Whether what stands below «С уважением» is the rest of a signature: no postscript, no later sentence, not much."""
    rest = [" ".join(line.split()) for line in tail]
    first = next((n for n, line in enumerate(rest) if line), len(rest))
    blank_after = next((n for n in range(first, len(rest)) if not rest[n]), len(rest))
    if any(say.POSTSCRIPT.match(line) for line in rest) or len([line for line in rest if line]) > 8:
        return False
    return not any(
        len(line.split()) >= 2 and line[-1] in ".!?…" and not say.CONTACT.search(line) for line in rest[blank_after:] if line
    )


def _drop_rule(lines: list[str]) -> None:
    """Take off the blank lines and the drawn line that stand above something that was taken out."""
    while lines and (not lines[-1] or say.RULE.match(lines[-1]) or say.DASHES.match(lines[-1])):
        lines.pop()


def _bare(lines: list[str]) -> list[str]:
    """Without blank lines at both ends."""
    start, end = 0, len(lines)
    while start < end and not lines[start]:
        start += 1
    while end > start and not lines[end - 1]:
        end -= 1
    return lines[start:end]
