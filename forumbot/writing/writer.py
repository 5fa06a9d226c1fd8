"""Texts for people: public ones from public facts only, private ones for one player. All words stand in templates."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.masking import mask
from engine.model import Line
from forumbot import resources
from forumbot.reading import genders
from forumbot.writing import howto, times
from forumbot.writing.report import Newspaper, plural, tally, tidy
from forumbot.writing.splitting import split
from forumbot.writing.voice import FREE_TEXT, NOBODY, Escape, Ours

__all__ = ["PublicFacts", "ReceiptLine", "Unwritten", "Writer", "gather", "named", "shared", "split"]

_WORDS = {
    "role": "roles",
    "faction": "factions",
    "action": "actions",
    "reason": "reasons",
    "cause": "causes",
    "item": "items",
    "mark": "marks",
    "moment_name": "moments",
    "currency": "currencies",
}
"""A template's filter -> the group of ``names.toml`` (and of the common ``words.toml``) that it looks in."""


GAZETTE = "gazette.j2"
"""The template of the newspaper as the forum shows it; ``newspaper.j2`` is its plain lines, which a turn's row keeps."""


class Unwritten(Exception):
    """A text that its template cannot make of these facts."""

    def __init__(self, template: str, problem: str) -> None:
        super().__init__(f"{template}: {problem}")
        self.template = template


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What everybody may know of a game: all that a public template is given besides the newspaper's lines."""

    title: str
    turn: int
    living: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    deadlines: Mapping[str, datetime] = field(default_factory=dict)
    """Named moments of the turn to come, e.g. ``lynch``, ``night``."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    """The game's tables: they are the published rules of this game."""
    roster: tuple[str, ...] = ()
    """Everybody, in the order in which the rules count them."""
    votes: tuple[tuple[str, float, tuple[str, ...]], ...] = ()
    """The running count where votes are public: nick, weight, voters."""

    def following(self) -> PublicFacts:
        """The same with the next turn's number: how the next topic will be called."""
        return replace(self, turn=self.turn + 1)

    def before(self) -> PublicFacts:
        """The same with the last turn's number."""
        return replace(self, turn=self.turn - 1)


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One order of a letter as its sender is told of it."""

    action: str
    targets: tuple[str, ...]
    args: Mapping[str, Any]
    status: str
    reason: str | None


def gather(ruleset: str | None, own: Path | None = None) -> dict[str, str]:
    """Every template a game of this ruleset uses, name -> text: a game freezes them when it begins. None: texts of no game.

    A ruleset's own template goes before the common one of the same name, a host's before both.
    """
    found: dict[str, str] = {}
    homes = {"common": resources.PACKAGED}
    if ruleset is not None:
        homes[ruleset] = resources.folder(ruleset)
    folders = [home / "templates" / name for name, home in homes.items()]
    if own is not None:
        folders += [own / "templates" / name for name in homes]
    for folder in folders:
        files = {file.name: file for file in folder.glob("*") if file.suffix in (".j2", ".toml")}
        if "newspaper.j2" in files and GAZETTE not in files:
            found[GAZETTE] = ""  # a newspaper without headings of its own is posted as it was written
        found |= {name: file.read_text(encoding="utf-8") for name, file in sorted(files.items())}
    return found


def shared(templates: Mapping[str, str], zone: str) -> Writer:
    """A writer of these templates, one for all games that have the same: a template is compiled once, not once a game."""
    return _made(tuple(sorted(templates.items())), zone)


_KEPT = 64
"""So many different sets of templates are kept compiled."""


class Writer:
    """The texts of one game, or of all games of the same templates."""

    def __init__(self, templates: Mapping[str, str], zone: str) -> None:
        self._zone = ZoneInfo(zone)
        self._templates = templates
        own, common = (tomllib.loads(templates.get(name, "")) for name in ("names.toml", "words.toml"))
        # What this program says and the game's frozen words do not know is told in the packaged words.
        newer = resources.toml("templates/common/words.toml")
        self._words: Mapping[str, Any] = {
            group: {**newer.get(group, {}), **common.get(group, {}), **own.get(group, {})} for group in (*newer, *common, *own)
        }
        # A game that began with an earlier version has not frozen the texts that came with this one.
        loader = ChoiceLoader([DictLoader(dict(templates)), FileSystemLoader(resources.PACKAGED / "templates" / "common")])
        self._environment = ImmutableSandboxedEnvironment(
            loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False
        )
        self._environment.filters["moment"] = self.moment
        self._environment.filters["until"] = self.until
        self._environment.filters["through"] = lambda at: times.through(at, self._zone)
        self._environment.filters["clock"] = lambda at: times.clock(self._zone, at)
        self._environment.filters["said"] = _said
        self._environment.filters["last_minute"] = lambda at: at - timedelta(minutes=1)
        self._environment.filters["plural"] = plural
        self._environment.filters["tally"] = tally
        self._environment.filters["nick"] = str
        self._moves = tomllib.loads(templates.get("moves.toml", ""))
        self._cards = tomllib.loads(templates.get("cards.toml", ""))
        self._environment.globals["examples"] = self.examples
        self._environment.globals["card"] = self.card
        for name, group in _WORDS.items():
            self._environment.filters[name] = self._namer(group)
        self._environment.filters["hint"] = self._hint

    def moment(self, at: datetime) -> str:
        """A moment for people: "вторник, 1 декабря, 21:00"."""
        return times.moment(at, self._zone)

    def until(self, at: datetime) -> str:
        """The same behind «до»: "вторника, 1 декабря, 21:00"."""
        return times.until(at, self._zone)

    def public(self, template: str, facts: PublicFacts, escape: Escape, **more: Any) -> str:
        """A public text in the forum's markup. ``more`` must hold public things only; ``escape`` is how words of others enter
        it (``voice.OnForum``). Raises Unwritten, as every maker of a text here."""
        return self._render(template, escape, facts=facts, **more)

    def newspaper(self, facts: PublicFacts, lines: Iterable[Line], nicks: Mapping[str, str], escape: Escape) -> str:
        """The newspaper in the forum's markup, with the nicks of the day in place of seats."""
        return self._render("newspaper.j2", str, news=self.news(facts.turn, lines, nicks, escape), nicks={})

    def gazette(
        self,
        facts: PublicFacts,
        lines: Iterable[Line],
        nicks: Mapping[str, str],
        escape: Escape,
        *,
        genders: Mapping[str, str] = NOBODY,
        scene: str = "",
        whole: bool = True,
        final: bool = False,
    ) -> str:
        """The newspaper as it is posted: with headings, the forms of the players' genders (nick -> "m" or "f") and a ``scene`` of
        ours above. ``whole``: the newspaper of the turn and no announcement inside it; ``final``: the game is over with it.

        A game that has no such template (it began under an earlier version, or its host wrote a newspaper of his own) posts
        the result lines as they are.
        """
        if not self._templates.get(GAZETTE, "").strip():
            return f"{scene}\n\n{self.newspaper(facts, lines, nicks, escape)}".strip("\n")
        more = {"news": self.news(facts.turn, lines, nicks, escape), "scene": Ours(scene), "whole": whole, "final": final}
        return self._render(GAZETTE, escape, facts=facts, genders=genders, **more)

    def report(self, facts: PublicFacts, lines: Iterable[Line], nicks: Mapping[str, str]) -> str:
        """The newspaper as plain text, as a turn's row keeps it; empty where the game's template fails."""
        try:
            return self.newspaper(facts, lines, nicks, str)
        except Unwritten:
            return ""

    def news(self, turn: int, lines: Iterable[Line], nicks: Mapping[str, str], escape: Escape) -> Newspaper:
        """Public lines as a template sees them: with the nicks of the day in place of seats."""
        return Newspaper(turn, [_renamed(line, nicks) for line in lines], escape)

    def private(self, template: str, escape: Escape, **facts: Any) -> tuple[str, str]:
        """A letter or PM to one player: (subject, text). The template's first line is the subject."""
        text = self._render(template, escape, **facts)
        subject, _, body = text.partition("\n")
        return subject.strip(), body.strip("\n")

    def word(self, group: str, id_: str) -> str:
        """The Russian word for an id of the ruleset; the id itself where the names do not have it."""
        return str(self._words.get(group, {}).get(id_, id_))

    def card(self, part: str, id_: str) -> str:
        """What ``cards.toml`` tells of a role (``cards``) or of how a side wins (``wins``); empty where it tells nothing."""
        return str(self._cards.get(part, {}).get(id_, ""))

    def examples(self, owner: str, me: str, nicks: Sequence[str]) -> list[howto.Example]:
        """How the moves of a role, a faction or "everyone" are written (``moves.toml``), with nicks of this game."""
        return howto.examples(self._moves, owner, me, nicks)

    def _render(self, template: str, escape: Escape, **facts: Any) -> str:
        safe = {key: _escaped(value, escape) for key, value in facts.items() if key != "genders"}
        safe["genders"] = {escape(nick): gender for nick, gender in facts.get("genders", NOBODY).items()}
        try:
            return tidy(self._environment.get_template(template).render(safe))
        except Exception as error:  # a template is a host's file and may do anything
            raise Unwritten(template, str(error)) from error

    def _hint(self, reason: Any) -> str:
        """What to do about a reason for which something was not clear."""
        hints: Mapping[str, str] = self._words.get("hints", {})
        return hints.get(str(reason)) or hints.get("other", "")

    def _namer(self, group: str) -> Callable[[Any], str]:
        return lambda value: self.word(group, str(value))


@pass_context
def _said(context: Context, nick: str, man: str, woman: str, unknown: str) -> str:
    """A template's ``nick | said("погиб", "погибла", "гибнет")``: by what is known of the player, else by his nick."""
    known = context["genders"].get(nick) or genders.of_nick(nick)
    return {"m": man, "f": woman}.get(known, unknown)


@lru_cache(_KEPT)
def _made(templates: tuple[tuple[str, str], ...], zone: str) -> Writer:
    return Writer(dict(templates), zone)


def named(value: Any, nicks: Mapping[str, str]) -> Any:
    """Data of the rules with the nicks of the day in place of seats, however deep they stand."""
    if isinstance(value, str):
        return nicks.get(value, value)
    if isinstance(value, Mapping):
        return {key: named(item, nicks) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(named(item, nicks) for item in value)
    return value


def _renamed(line: Line, nicks: Mapping[str, str]) -> Line:
    """The line with nicks for seats. Whom ``hide`` names is blotted out of the free words under the present nick, too (the
    rules know the seat only), and no template learns who that is."""
    data = named(line.data, nicks)
    for nick in data.pop("hide", ()):
        data[FREE_TEXT] = mask(data[FREE_TEXT], nick)
    return Line(line.section, line.kind, data, rule=line.rule)


def _escaped(value: Any, escape: Escape) -> Any:
    if isinstance(value, Ours):
        return str(value)
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {key: _escaped(item, escape) for key, item in value.items()}
    if isinstance(value, PublicFacts):
        return PublicFacts(
            title=escape(value.title),
            turn=value.turn,
            living=tuple(escape(nick) for nick in value.living),
            dead=tuple(escape(nick) for nick in value.dead),
            deadlines=value.deadlines,
            tables=value.tables,
            roster=tuple(escape(nick) for nick in value.roster),
            votes=tuple((escape(nick), weight, tuple(map(escape, voters))) for nick, weight, voters in value.votes),
        )
    if isinstance(value, ReceiptLine):
        return ReceiptLine(
            value.action, tuple(map(escape, value.targets)), _escaped(value.args, escape), value.status, value.reason
        )
    if isinstance(value, Sequence):
        return [_escaped(item, escape) for item in value]
    return value
