"""A message's own words: what its writer says himself, with the colour of each stretch; and what he only quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adapters.mail.replies import new_words, plain_lines
from adapters.markup import bbcode_runs, html_runs, plain_runs
from adapters.model import Run
from engine.messages import Message

LONGEST = 400_000
"""Characters of source text that are read; a longer message is left to the host."""
LONGEST_OWN = 16_000
"""Characters of own words that are read."""
LONGEST_QUOTED = 1_000
"""Characters at the end of a letter's quotation that are looked at."""

_EDIT_NOTE = re.compile(
    r"^[ \t]*(?:Сообщение отредактировал[аи]?|Последний раз редактировалось|Отредактировано)\b[^\n]{0,200}$", re.M | re.I
)
_SPELLED_TAG = re.compile(r"\[(/?)(s|strike|del|quote|code)(?:=[^\]\n]{0,80})?\]", re.I)
_REPLY = re.compile(r"^\s*(?:re|fw|fwd|ha|на|отв|ответ|нa|пересл|fwd?)\s*(?:\[\d+\])?\s*:", re.I)


@dataclass(frozen=True, slots=True)
class Own:
    """``text`` is the subject (first line, when it is the writer's own), then the body. ``colors`` are stretches of it."""

    text: str
    subject_end: int = 0
    """Where the subject ends in ``text``; 0 when there is none."""
    colors: tuple[tuple[int, int, str], ...] = ()
    quoted: str = ""
    edited: bool = False
    doubtful: bool = False
    """Words stand between quoted lines, or all of them in quotation marks: whose they are is not sure."""
    too_long: bool = False


def own_words(message: Message) -> Own:
    """The own words of a message: quotations, code, struck and hidden text, signatures and edit notes left out."""
    if len(message.text) > LONGEST or len(message.subject or "") > 2_000:
        return Own("", too_long=True)
    if message.kind == "post":
        return _post(message)
    return _letter(message)


_ONE_QUOTATION = re.compile(r"""\s*(?:«[^«»]*»|"[^"]*"|“[^“”]*”|„[^„“”]*[“”])[\s.!]*""")
"""A letter of nothing but words in quotation marks: somebody's, or set off by the writer."""
_FORMATS: dict[str, Callable[[str], tuple[Run, ...]]] = {"bbcode": bbcode_runs, "html": html_runs, "plain": plain_runs}


def runs_of(text: str, form: str) -> tuple[Run, ...]:
    """Runs of a text in one of the three formats."""
    return _FORMATS[form](text)


def _join(runs: Sequence[Run]) -> tuple[str, list[tuple[int, int, str]], str]:
    parts: list[str] = []
    colors: list[tuple[int, int, str]] = []
    quoted: list[str] = []
    at = 0
    for run in runs:
        if run.voice == "own" and not run.struck:
            text = run.text
            if run.color is not None:
                colors.append((at, at + len(text), run.color))
        else:
            text = " " if run.struck else "\n"
            if run.voice == "quote":
                quoted.append(run.text)
        parts.append(text)
        at += len(text)
    return _without_spelled_tags("".join(parts)), colors, "".join(quoted)


def _without_spelled_tags(text: str) -> str:
    """The text with blanks for what stands between BBCode tags that the board did not know and shows as they were typed
    (``[s]Линч: Лис[/s]``): struck or quoted all the same. A tag that is never closed holds to the end of its line."""
    parts: list[str] = []
    done = 0
    begin: tuple[int, int, str] | None = None
    for tag in [*_SPELLED_TAG.finditer(text), None]:
        if begin is not None:
            start, line_end, opened = begin
            closes = tag is not None and tag[1] and tag[2].lower() == opened
            if not closes and tag is not None and (tag[1] or tag.start() < line_end):
                continue
            end = tag.end() if closes and tag is not None else line_end
            parts += [text[done:start], " " * (end - start)]
            done, begin = end, None
            if closes:
                continue
        if tag is not None and not tag[1]:
            line_end = text.find("\n", tag.end())
            begin = (tag.start(), len(text) if line_end < 0 else line_end, tag[2].lower())
    return "".join([*parts, text[done:]])


def _post(message: Message) -> Own:
    text, colors, quoted = _join(runs_of(message.text, message.format))
    note = _EDIT_NOTE.search(text)
    if note is not None:
        text = text[: note.start()] + " " * (note.end() - note.start()) + text[note.end() :]
    return Own(
        text, colors=tuple(colors), quoted=quoted, edited=message.edited or note is not None, too_long=len(text) > LONGEST_OWN
    )


def _letter(message: Message) -> Own:
    if message.format == "plain":
        body = _without_spelled_tags(message.text)
    else:
        body, _, _ = _join(runs_of(message.text, message.format))
    stripped = new_words(body)
    quoted = "\n".join(line.text for line in plain_lines(body) if line.mark == "quote")[-LONGEST_QUOTED:]
    subject = (message.subject or "").strip()
    if _REPLY.match(subject):
        subject = ""
    text = f"{subject}\n\n{stripped.text}" if subject else stripped.text
    doubtful = stripped.between or _ONE_QUOTATION.fullmatch(text) is not None
    return Own(text, subject_end=len(subject), quoted=quoted, doubtful=doubtful, too_long=len(text) > LONGEST_OWN)
