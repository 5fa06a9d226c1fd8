"""Questions to the bot: a player asks by letter or PM what he has and what stands, or says that he wants to leave."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adapters.markup import html_runs, own_text
from engine.messages import ReadOrder, Verdict
from engine.model import Seat
from engine.turn import Pockets
from forumbot.hosting import activity
from forumbot.hosting.interventions import LEAVING, REMOVALS
from forumbot.hosting.match import Match

if TYPE_CHECKING:
    from forumbot.hosting.judge import Pending

LONGEST = 8
"""Words of a sentence that is a question or a wish; longer ones are talk."""

_MONEY = r"монет\w*|мафбакс\w*|денег|деньг\w*|мб|очк\w*|слов\w*"
_THINGS = rf"{_MONEY}|ход\w*|вещ\w*|предмет\w*|покупк\w*|приказ\w*|инвентар\w*|голос\w*"
_ASKED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:(?:пришл\w+|скаж\w+|покаж\w+|сообщ\w+|напиш\w+|како\w|мой|мне|мое|мо[ею]го|свой|текущ\w+|у\s+меня|пожалуйста)\s+)*"
        r"(?:баланс|статус|инвентарь|остаток)(?:\s+(?:мой|пожалуйста|у\s+меня|сч[её]та))*",
        rf"сколько\s+(?:у\s+меня|я|мне|мной|мо[ийя]х?)\s*(?:\w+\s+)?(?:{_MONEY}|написал\w*)(?:\s+\w+)?",
        rf"сколько\s+(?:{_MONEY})(?:\s+у\s+меня(?:\s+\w+)?|\s+я\s+\w+|\s+на\s+счет\w*)?",
        rf"(?:как\w+\s+у\s+меня|мои|покаж\w+\s+мои|пришл\w+\s+мои)\s+(?:{_THINGS})(?:\s+\w+)?",
        r"(?:что|какие\s+ходы)\s+(?:у\s+меня|за\s+мной)\s+(?:есть|стоит|стоят|куплен\w*|остал\w*|записан\w*|числится|сейчас\s+\w+)",
    )
)
_LEAVES = re.compile(
    r"(?:(?:я|прошу|извините|простите|к\s+сожалению|увы|всем\s+\w+|уважаемый|ведущий|что)\s+)*"
    r"(?:(?:вынужден\w*|хочу|решил\w*|придется|должен|должна)\s+)?"
    r"(?:выхожу|ухожу|выйти|уйти|выбываю|снимаюсь|сняться|сн(?:имите|ять)\s+меня|покидаю|покинуть|бросаю|освободите\s+меня)\s+"
    r"(?:из\s+|с\s+|от\s+)?(?:это\w\s+)?(?:игр\w+|парти\w+)(?:\s+\w+){0,3}"
)
_FORBIDS = re.compile(r"\bне\b|\bесли\b|\bкогда\b|\bпосле\b|\bбы\b")
_STORY = re.compile(r"рассказ\w*\s*:", re.IGNORECASE)


def asks(message: Pending) -> bool:
    """Whether a letter or PM asks for the state of its sender. What stands in a story asks nothing."""
    return message.channel != "post" and any(
        pattern.fullmatch(sentence) for sentence in _sentences(message) for pattern in _ASKED
    )


def leaving(message: Pending, verdict: Verdict, host_actions: Sequence[str]) -> Verdict:
    """A letter that says its sender leaves the game is for the host to decide; accepted, the rules' own removal carries it
    out. A letter that holds orders besides stays what it is.
    """
    if message.channel == "post" or verdict.outcome != "ignored" or not any(map(_leaves, _sentences(message))):
        return verdict
    action = next(name for name in (LEAVING, *REMOVALS) if name in host_actions)
    order = ReadOrder(action, status="review", reason="leave")
    return Verdict("review", "leave", (order,), verdict.text or _own(message))


def status(match: Match, seat: Seat, names: Mapping[Seat, str]) -> Mapping[str, Any]:
    """What a player may be told of himself: money, items, and the words of the day where they are counted."""
    rules = match.ruleset
    told: dict[str, Any] = {"purse": {}, "belongings": (), "activity": activity.of(match, seat, names)}
    if isinstance(rules, Pockets):
        told["purse"], told["belongings"] = dict(rules.purse(match.game, seat)), tuple(rules.belongings(match.game, seat))
    return told


def _leaves(sentence: str) -> bool:
    return _LEAVES.fullmatch(sentence) is not None and not _FORBIDS.search(sentence)


def _sentences(message: Pending) -> Iterator[str]:
    """Short sentences of the subject and of the text above a story, in small letters, without punctuation."""
    text = _STORY.split(_own(message), maxsplit=1)[0]
    for line in re.split(r"[\n.!?;]+", f"{message.subject or ''}\n{text}"):
        words: Sequence[str] = re.findall(r"[^\W_]+", line.casefold().replace("ё", "е"))
        if 0 < len(words) <= LONGEST:
            yield " ".join(words)


def _own(message: Pending) -> str:
    return own_text(html_runs(message.text)) if message.markup == "html" else message.text
