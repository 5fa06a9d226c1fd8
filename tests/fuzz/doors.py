"""The doors through which a stranger's words come in, each with what must hold behind it whatever the words are.

Every door takes one input, raises AssertionError where a promise is broken, and lets every other exception out: none may
come. ``budget`` breaks off what takes seconds of the processor.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from adapters.errors import NoThread
from adapters.inert import inert
from adapters.mail.letters import read_letter
from adapters.markup import bbcode_runs, highlights, html_runs, own_text
from adapters.model import Letter, Run
from adapters.phpbb.pages import read_thread as read_phpbb
from adapters.ucoz.pages import read_thread as read_ucoz
from engine.messages import Verdict
from forumbot.cli.parse import read
from forumbot.demo.forum import phpbb_bbcode, ucoz_bbcode
from forumbot.desk import forms
from forumbot.hosting.acts import acts
from forumbot.reading import reader
from forumbot.store.tables import acts as acts_table
from forumbot.writing.splitting import split
from forumbot.writing.voice import OnForum
from tests.forumbot.desk.scene import Scene, csrf
from tests.forumbot.hosting.test_voice import paper
from tests.fuzz.words import NICKS

BOARDS: Mapping[str, Callable[[str], str]] = {
    "ucoz": lambda text: ucoz_bbcode.to_html(text, lambda _: None),
    "phpbb": lambda text: phpbb_bbcode.to_html(text, phpbb_bbcode.Look("3.3", lambda _: "1 дек 2026")),
    "phpbb 3.0": lambda text: phpbb_bbcode.to_html(text, phpbb_bbcode.Look("3.0", lambda _: "1 дек 2026")),
}
RULESETS = ("goldenkey", "league", "clans", "mafialife")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
_READER = reader()


def post(text: str, ruleset: str) -> None:
    """A post: as three boards show it, as runs, as it is read."""
    for board in BOARDS.values():
        html = board(text)
        runs = html_runs(html)
        _are_words(own_text(runs))
        assert all(isinstance(found, str) and found.strip() for _, _, found in highlights(runs))
        _is_verdict(_judged(ruleset, html, "html", "post"))
    _are_words(own_text(bbcode_runs(text)))
    _is_verdict(_judged(ruleset, text, "bbcode", "post"))


def page(text: str) -> None:
    """The same words anywhere in a page: posts come out, or one word why there are none."""
    for shell in (f'<div id="p7" class="post"><div class="content">{text}</div></div>', text, f"<html><body>{text}"):
        for engine in (read_ucoz, read_phpbb):
            try:
                found = engine(shell, fetched=NOW, zone=UTC)
            except NoThread as error:
                assert error.reason
                continue
            for one in found.posts:
                _are_words(own_text(one.runs), one.author, one.html, found.title)


def letter(raw: bytes, ruleset: str) -> None:
    """A letter: its record can be stored, and its words are read."""
    found = read_letter(raw, authserv="mx.example", own="host@example.org")
    assert isinstance(found, Letter)
    _are_words(found.from_name, found.from_address, found.subject, found.message_id or "", found.text, found.full_text)
    assert len(found.text) <= 4 * len(raw) + 200
    _is_verdict(_judged(ruleset, found.text, "plain", "letter", found.subject))


def paper_on_boards(story: str, nick: str, limit: int) -> None:
    """A story and a nick in a newspaper, split, on three boards: ours is as it would be without them, and they stand framed."""
    theirs, plain = OnForum(inert), OnForum(str)
    whole, calm = paper(story, nick, theirs), paper("Жил-был кот.", "Глеб", plain)
    parts = split(whole, limit)
    assert all(0 < len(part) <= limit for part in parts)
    shown_nick = _bare(theirs(nick))
    expected = _bare(calm.split("[quote]")[0] + calm.partition("[/quote]")[2]).replace("глеб", shown_nick)
    if not theirs.piece(story):
        expected = expected.replace("рассказ", "", 1) if "рассказ" not in _bare(own_text(bbcode_runs(whole))) else expected
    for name, board in BOARDS.items():
        runs: list[Run] = []
        for part in parts:
            runs += html_runs(board(part))
        assert _bare("".join(run.text for run in runs if run.voice in ("own", "code"))) == expected, name
        framed = _bare("".join(run.text for run in runs if run.voice == "quote")).replace("цитата", "")
        assert framed == _bare(theirs.piece(story)).removeprefix("quote").removesuffix("quote").replace("цитата", ""), name
        assert not any(run.color or run.struck or run.spoiler for run in runs), name


def form(scene: Scene, kind: str, fields: Sequence[tuple[str, str]]) -> None:
    """A desk form of a host: refused in a sentence, or an act that the daemon does or refuses in a sentence."""
    client = scene.client()
    word = csrf(client)
    data: dict[str, Any] = {"csrf": word, "sure": "yes"}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    answer = client.post(f"/g/gk1/do/{kind}", data=data)
    assert answer.status_code in (303, 400, 404), answer.status_code
    world = scene.world
    voice = acts.Voice(world.forum.escape, world.forum.max_post, "Europe/Moscow", "h@example.org")
    acts.execute(world.store, world.clock.now(), voice)
    for act in world.rows(sa.select(acts_table).order_by(acts_table.c.id.desc()).limit(1)):
        assert act["done_at"] is not None
        assert "ошибка программы" not in (act["error"] or ""), act["error"]
        json.dumps(act["payload"], allow_nan=False)
    assert client.get("/g/gk1/acts").status_code == 200
    assert kind in forms.ACTS or answer.status_code == 404


def _judged(ruleset: str, text: str, form_: str, channel: str, subject: str | None = None) -> Verdict:
    given = {"ruleset": ruleset, "kind": "vote", "roster": NICKS, "author": "Анна", "author_role": None, "subject": subject}
    return read(_READER, given | {"text": text, "channel": channel, "format": form_, "ctx": {}})


def _is_verdict(verdict: Verdict) -> None:
    """Something that can be stored, and in which nobody is meant who does not play."""
    assert verdict.outcome in ("accepted", "review", "ignored", "rejected")
    _are_words(verdict.text, verdict.reason or "")
    for order in verdict.orders:
        assert set(order.targets) <= set(NICKS), order
        for span in order.spans:
            assert 0 <= span.start <= span.end <= len(verdict.text)


def _are_words(*texts: str) -> None:
    """Text that the database can keep."""
    for text in texts:
        text.encode()


def _bare(text: str) -> str:
    return "".join(char for char in inert(text).casefold() if char.isalnum())
