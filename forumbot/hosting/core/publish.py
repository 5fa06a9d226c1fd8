"""From events to outbox rows: what the public may know goes to the forum, what one player may know goes to him alone."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adapters.inert import visible
from engine.model import Event, Line, Notice
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import outbox, unwritten
from forumbot.hosting.core.counting import Votes
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.outbox import Kind
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Holder, Seating
from forumbot.store.types import dump, plain
from forumbot.writing import voice
from forumbot.writing.report import Newspaper
from forumbot.writing.splitting import split
from forumbot.writing.writer import PublicFacts, ReceiptLine, Unwritten, Writer, named

Escape = Callable[[str], str]


class Publisher:
    """Puts the texts of one game into the outbox, inside the caller's transaction."""

    def __init__(
        self,
        row: GameRow,
        writer: Writer,
        seats: Seating,
        escape: Escape,
        max_post: int,
        now: datetime,
        mail_address: str = "",
    ) -> None:
        self._row = row
        self._writer = writer
        self._seats = seats
        self._escape = escape
        self._theirs = voice.OnForum(escape)
        self._max_post = max_post
        self.mail_address = mail_address
        """Where players send letters; empty where moves come by PM alone."""
        self._now = now
        self.not_before: datetime | None = None
        """Nothing that is put in from now on is sent before this moment (the newspaper's hour); None: at once."""
        self.behind: str | None = None
        """Outbox key of a newspaper that is not out yet: what players are told before it could betray what it says."""
        self.release_at: datetime | None = None
        """When a newspaper that waits for the host goes out by itself; None: never."""
        self._state = "shadow" if row.config.mode == "shadow" else "waiting"

    @property
    def game_id(self) -> str:
        return self._row.id

    def names(self) -> dict[str, str]:
        """seat -> nick of the day."""
        return self._seats.names()

    def subject_text(self, template: str, facts: PublicFacts) -> str:
        """The subject of a topic; empty where it cannot be written."""
        return unwritten.written(lambda: self._writer.public(template, facts, _as_it_is))

    def facts(
        self, match: Match | None, deadlines: Mapping[str, datetime] | None = None, votes: Votes = ()
    ) -> PublicFacts:
        """What everybody may know now; ``votes`` only where votes are public."""
        names = self._seats.names()
        if match is None or match.game is None:
            players = tuple(names.values())
            return PublicFacts(self._row.title, 0, players, (), deadlines or {}, self._row.tables, players)
        alive = set(match.ruleset.alive(match.game))
        order = match.ruleset.seats(match.game)
        return PublicFacts(
            self._row.title,
            match.turn,
            tuple(names.get(seat, seat) for seat in order if seat in alive),
            tuple(names.get(seat, seat) for seat in order if seat not in alive),
            deadlines or {},
            self._row.tables,
            tuple(names.get(seat, seat) for seat in order),
            votes,
        )

    def news(self, turn: int, events: Iterable[Event]) -> Newspaper:
        """The public lines among these events, with the nicks of the day, for a template that shows them."""
        return self._writer.news(turn, [e for e in events if isinstance(e, Line)], self._seats.names(), self._theirs)

    def topic(
        self,
        connection: sa.Connection,
        key: str,
        thread_id: int,
        subject: str,
        template: str,
        facts: PublicFacts,
        *,
        after: str | None = None,
        **more: Any,
    ) -> str:
        """A new topic with this text; longer texts go on in replies. Gives the key of the last part."""
        return self.new_topic(connection, key, thread_id, subject, self.public_text(template, facts, **more), after=after)

    def new_topic(
        self, connection: sa.Connection, key: str, thread_id: int, subject: str, text: str, *, after: str | None = None
    ) -> str:
        """A new topic with a text that is ready."""
        first, *rest = split(text, self._max_post) or ("",)
        target = {"section": self._row.config.section, "thread_id": thread_id}
        self._put(connection, key, "topic", target, voice.subject(subject), first, after=after)
        return self._more(connection, key, thread_id, rest)

    def day_topic(
        self,
        connection: sa.Connection,
        turn: int,
        thread_id: int,
        facts: PublicFacts,
        opened: Iterable[Event],
        last: Iterable[Event],
        *,
        after: str | None,
    ) -> str:
        """The topic of a day: ``opened`` is what its opening gave, ``last`` the turn before, whose report the first post may
        hold (league H4)."""
        subject = self.subject_text("day_subject.j2", facts)
        subject = subject or f"{facts.title}. День {turn}"
        text = self.day_text(turn, facts, opened, last)
        return self.new_topic(connection, f"t{turn}/day", thread_id, subject, text, after=after)

    def day_text(self, turn: int, facts: PublicFacts, opened: Iterable[Event], last: Iterable[Event]) -> str:
        """The text that opens the topic of a day."""
        news, report = self.news(turn, opened), self.news(turn - 1, last)
        return self.public_text("day.j2", facts, news=news, last=report)

    def first_part(self, text: str) -> str:
        """What of a long text stands in its first post."""
        return (split(text, self._max_post) or ("",))[0]

    def edit(self, connection: sa.Connection, key: str, thread_id: int, of: str, text: str) -> None:
        """Put this text in place of the post that the outbox row ``of`` has made."""
        self._put(connection, key, "edit", {"thread_id": thread_id, "of": of}, "", text, after=of)

    def at_once(self, connection: sa.Connection, match: Match, thread_id: int, facts: PublicFacts) -> None:
        """Public lines of the running turn that belong in its thread at once (league R134), each once, however often the
        turn is folded anew."""
        sections = match.ruleset.spec.immediate_sections
        seen: Counter[str] = Counter()
        for line in match.turn_events:
            if isinstance(line, Line) and line.section in sections:
                digest = hashlib.sha256(dump([line.section, line.kind, plain(line.data)]).encode()).hexdigest()[:16]
                seen[digest] += 1
                key = f"t{match.turn}/now/{digest}/{seen[digest]}"
                if not outbox.is_there(connection, f"{self._row.id}/{key}"):
                    self.public(connection, key, thread_id, "thread.j2", facts, news=self.news(match.turn, [line]))

    def newspaper(
        self,
        connection: sa.Connection,
        key: str,
        thread_id: int,
        facts: PublicFacts,
        lines: Iterable[Line],
        *,
        prologue: str = "",
        whole: bool = True,
        final: bool = False,
    ) -> str:
        """The newspaper as a reply in the day's thread, in as many posts as it needs. Gives the last one's key.

        ``prologue`` is a scene in the forum's markup above the result lines; it is never part of a turn's report. ``whole`` and
        ``final`` as in ``Writer.gazette``.
        """
        try:
            text = self._gazette(facts, lines, scene=prologue, whole=whole, final=final)
        except Unwritten as error:
            text = unwritten.nothing(error)
        else:
            text = text or self.public_text("quiet.j2", facts)
        state = "held" if self._row.config.mode == "host" else self._state
        return self.reply(connection, key, thread_id, text, state=state)

    def newspaper_text(self, facts: PublicFacts, lines: Iterable[Line]) -> str:
        """The results in the forum's markup, without what stands around a newspaper."""
        return unwritten.written(lambda: self._gazette(facts, lines, whole=False))

    def _gazette(self, facts: PublicFacts, lines: Iterable[Line], **more: Any) -> str:
        genders = self._seats.genders()
        return self._writer.gazette(facts, lines, self._seats.names(), self._theirs, genders=genders, **more)

    def reply(
        self, connection: sa.Connection, key: str, thread_id: int, text: str, *,
        state: str | None = None, after: str | None = None,
    ) -> str:  # fmt: skip
        """A public post in a thread, split where it is too long."""
        last = ""
        for number, part in enumerate(split(text, self._max_post) or ("",), 1):
            part_key = key if number == 1 else f"{key}/{number}"
            last = self._put(
                connection, part_key, "post", {"thread_id": thread_id}, "", part, after=last or after, state=state
            )
        return last

    def public(
        self, connection: sa.Connection, key: str, thread_id: int, template: str, facts: PublicFacts, *,
        after: str | None = None, **more: Any,
    ) -> str:  # fmt: skip
        return self.reply(connection, key, thread_id, self.public_text(template, facts, **more), after=after)

    def public_text(self, template: str, facts: PublicFacts, **more: Any) -> str:
        """A public text in the forum's markup; empty where it cannot be written: the row then waits for a host's words."""
        genders = self._seats.genders()
        return unwritten.written(lambda: self._writer.public(template, facts, self._theirs, genders=genders, **more))

    def notice_text(self, notice: Notice, holder: Holder, facts: PublicFacts) -> str:
        """A private notice as plain text, to be told again inside another letter."""
        data = named(notice.data, self._seats.names())
        return self._letter("notices.j2", _as_it_is, facts=facts, nick=holder.nick, kind=notice.kind, data=data)[1]

    def notices(
        self, connection: sa.Connection, key: str, events: Iterable[Event], facts: PublicFacts, *, after: str | None = None
    ) -> None:
        """Private notices of the rules, each to the one it is for.

        They go out in the order of the roster: the rules' own order would tell, by the times at which letters come, who
        acted in which phase. Messages on the forum bear numbers, by which the order of the roster would tell to whom more
        than one went: theirs means nothing, but what goes to one player keeps its own.
        """
        names = self._seats.names()
        place = {seat: number for number, seat in enumerate(self._seats.holders)}
        told = _joined([event for event in events if isinstance(event, Notice)], find_ruleset(self._row.ruleset).spec.joined)
        told.sort(key=lambda notice: place.get(notice.to, len(place)))
        by_letter = {seat for seat, holder in self._seats.holders.items() if holder.address}
        letters = [one for one in enumerate(told) if one[1].to in by_letter]
        for number, event in (*letters, *_shuffled([one for one in enumerate(told) if one[1].to not in by_letter])):
            holder = self._seats.holders.get(event.to)
            if holder is not None:
                data = named(event.data, names)
                self.private(
                    connection,
                    f"{key}/{number}",
                    holder,
                    "notices.j2",
                    facts,
                    priority=outbox.RESULTS,
                    after=after,
                    kind=event.kind,
                    data=data,
                )

    def private(
        self,
        connection: sa.Connection,
        key: str,
        holder: Holder,
        template: str,
        facts: PublicFacts,
        *,
        priority: int,
        after: str | None = None,
        by_pm: bool = False,
        at_once: bool = False,
        answers: str | None = None,
        **more: Any,
    ) -> None:
        """A letter to the proven address, or a PM to the forum account where there is none. It waits for the newspaper that
        is not out yet, unless it is to go ``at_once``. ``answers``: the message to which it is an answer («letter:12»)."""
        kind, target, escape = self._way(holder, by_pm=by_pm)
        if kind is None:
            return
        target = outbox.below(connection, kind, target, answers)
        subject, text = self._letter(template, escape, facts=facts, nick=holder.nick, **more)
        outbox.put(
            connection,
            f"{self._row.id}/{key}",
            kind,
            target,
            self._subject(subject),
            text,
            game_id=self._row.id,
            priority=priority,
            now=self._now,
            state=self._state,
            after=after or (None if at_once else self.behind),
            not_before=self.not_before,
        )

    def receipt(
        self,
        connection: sa.Connection,
        key: str,
        holder: Holder,
        facts: PublicFacts,
        *,
        channel: str,
        template: str,
        lines: Sequence[ReceiptLine],
        answers: str | None = None,
        at_once: bool = False,
        **more: Any,
    ) -> None:
        """What was understood of a letter or PM, by the way it came; joined to an earlier one that still waits. ``at_once``
        and ``answers``: as for ``private``."""
        kind, target, escape = self._way(holder, by_pm=channel != "letter")
        if kind is None:
            return
        target = outbox.below(connection, kind, target, answers)
        subject, text = self._letter(template, escape, facts=facts, nick=holder.nick, lines=lines, **more)
        bundle = f"{self._row.id}/receipt/{kind}/{holder.seat}/"
        outbox.append_or_put(
            connection,
            bundle,
            bundle + key,
            kind,
            target,
            self._subject(subject),
            text,
            game_id=self._row.id,
            now=self._now,
            state=self._state,
            after=None if at_once else self.behind,
        )

    def _way(self, holder: Holder, *, by_pm: bool) -> tuple[Kind | None, Mapping[str, Any], Escape]:
        if holder.address and not by_pm:
            return "letter", {"address": holder.address}, _as_it_is
        if holder.uid is not None:
            return "pm", {"uid": holder.uid, "nick": holder.nick}, self._escape
        if holder.address:
            return "letter", {"address": holder.address}, _as_it_is
        return None, {}, _as_it_is

    def _letter(self, template: str, escape: Escape, **facts: Any) -> tuple[str, str]:
        """Subject and text for one player; without text where it cannot be written."""
        genders = self._seats.genders()
        return unwritten.letter(lambda: self._writer.private(template, escape, genders=genders, **facts), self._row.title)

    def _subject(self, subject: str) -> str:
        return voice.subject(f"[{self._row.id}] {subject}")

    def _more(self, connection: sa.Connection, key: str, thread_id: int, rest: Sequence[str]) -> str:
        last = f"{self._row.id}/{key}"
        for number, part in enumerate(rest, 2):
            last = self._put(connection, f"{key}/{number}", "post", {"thread_id": thread_id}, "", part, after=last)
        return last

    def _put(
        self,
        connection: sa.Connection,
        key: str,
        kind: Kind,
        target: Mapping[str, Any],
        subject: str,
        body: str,
        *,
        after: str | None = None,
        state: str | None = None,
    ) -> str:
        full = f"{self._row.id}/{key}"
        outbox.put(
            connection,
            full,
            kind,
            target,
            subject,
            body,
            game_id=self._row.id,
            priority=outbox.URGENT,
            now=self._now,
            state=state or self._state,
            after=after,
            not_before=self.not_before,
            result={"until": self.release_at.isoformat()} if state == "held" and self.release_at is not None else None,
        )
        return full


def _joined(told: Sequence[Notice], kinds: frozenset[str]) -> list[Notice]:
    """Several notices of one such kind to one player as the last of them, with all of their data."""
    found: list[Notice] = []
    for notice in told:
        if notice.kind not in kinds:
            found.append(notice)
            continue
        mine = [one for one in told if (one.to, one.kind) == (notice.to, notice.kind)]
        if notice is mine[-1]:
            found.append(replace(notice, data={**notice.data, "all": [dict(one.data) for one in mine]}))
    return found


def _shuffled(told: Sequence[tuple[int, Notice]]) -> Iterator[tuple[int, Notice]]:
    """Numbered notices, the players in any order, each player's own in theirs."""
    mine: dict[str, deque[tuple[int, Notice]]] = {}
    for number, notice in told:
        mine.setdefault(notice.to, deque()).append((number, notice))
    for _, notice in secrets.SystemRandom().sample(told, len(told)):
        yield mine[notice.to].popleft()


def _as_it_is(text: str) -> str:
    """Words in a text without mark-up, such as a letter: all that is seen of them."""
    return visible(text)
