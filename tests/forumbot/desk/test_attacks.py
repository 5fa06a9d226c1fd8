"""Attacks upon the desk by those who may come in: what is not theirs to see, to reach, or to break."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.desk import accounts
from forumbot.desk.accounts import EVERY_GAME
from forumbot.store.tables import acts, aliases, bars, games, holders, letters, outbox
from tests.forumbot.desk.scene import HELPER, HOST, OTHER, WATCHER, Scene, csrf, fork
from tests.forumbot.desk.test_safety import everything

MASK = "••••-••••"


@pytest.fixture
def scene(quiet: Scene, tmp_path: Path) -> Scene:
    return fork(quiet, tmp_path)


# Codes (X04) --------------------------------------------------------------------------------------------------------------


def test_x04_no_page_shows_an_observer_a_code_that_still_binds(scene: Scene) -> None:
    """Wherever and however a player has written it: small letters, another dash, a post, a question, an encoded letter."""
    world = scene.world
    world.pm("Борис", "код")
    world.settle()
    code = str(world.value(sa.select(holders.c.proof_code).where(holders.c.seat == "Борис", holders.c.until.is_(None))))
    assert len(code) == 9
    spelled = (code, code.lower(), code.replace("-", " – "), code.lower().replace("-", "—"))
    for text in spelled:
        world.says("Борис", f"мне прислали код {text}, куда его?")
        world.pm("Борис", f"Ведущий, что делать с кодом {text}?", subject=f"код {text}?")
        world.clock.sleep(61)
        world.tick()
    body = base64.b64encode(f"> {code}\n\nэто что?".encode()).decode()
    raw = f"From: x@y.example\r\nSubject: ?\r\nMessage-ID: <1@y.example>\r\nContent-Transfer-Encoding: base64\r\n\r\n{body}"
    with world.store.write() as connection:
        some = connection.execute(sa.select(sa.func.max(letters.c.id))).scalar_one()
        connection.execute(letters.update().where(letters.c.id == some).values(raw=raw.encode()))
    assert world.value(sa.select(holders.c.proof_code).where(holders.c.proof_code == code)) == code, "it binds still"
    masked = 0
    for path in everything(scene):
        for who in (WATCHER, HELPER, HOST):
            page = scene.get(path, who).text
            assert not [text for text in spelled if text in page], (path, who)
            masked += MASK in page
        assert body[:40] not in scene.get(path, WATCHER).text, path
    assert masked > 10


# Other games (X07) --------------------------------------------------------------------------------------------------------


def test_x07_what_concerns_other_games_is_for_whoever_runs_them_all(scene: Scene) -> None:
    world = scene.world
    with world.store.write() as connection:
        now = world.clock.now()
        connection.execute(bars.insert().values(nick="Яна", uid=800, until=None, why="", by=OTHER, at=now))
        stray = {"key": "stray/1", "kind": "letter", "target": {"address": "a@b.example"}, "subject": "", "body": "x"}
        row = stray | {"game_id": None, "state": "failed", "created_at": now, "not_before": now, "priority": 1, "attempts": 9}
        (number,) = connection.execute(outbox.insert().values(row)).inserted_primary_key or (0,)
    asked = {
        "teach": {"word": "не", "way": "filler", "everywhere": "yes"},
        "bar": {"nick": "Зоя"},
        "unbar": {"bar": 1},
        "retry": {"outbox": number},
    }
    for kind, fields in asked.items():
        for who in (HOST, HELPER):
            assert scene.do(kind, fields, name=who).status_code == 403, (kind, who)
    assert world.rows(sa.select(acts)) == []
    assert scene.do("teach", {"word": "эгегей", "way": "filler"}).status_code == 303
    assert scene.get("/g/gk1/bars", WATCHER).status_code == 403
    assert "/bars" not in scene.get("/g/gk1", WATCHER).text
    with world.store.write() as connection:
        account = accounts.find(connection, HOST)
        assert account is not None
        accounts.give_role(connection, account["id"], EVERY_GAME, "host")
    for kind, fields in asked.items():
        assert scene.do(kind, fields).status_code == 303, kind


@pytest.mark.parametrize("kind", ["teach", "bar", "unbar", "retry"])
def test_x07_what_concerns_other_games_is_taken_back_by_whoever_runs_them_all(scene: Scene, kind: str) -> None:
    """Its act stands in the history of one game; a host of that game alone may not undo it."""
    payload = {"teach": {"word": "не", "everywhere": True}, "bar": {"nick": "Зоя"}, "unbar": {"bar": 1}, "retry": {"outbox": 1}}
    world = scene.world
    now = world.clock.now()
    stray = {"key": "stray/1", "kind": "letter", "target": {"address": "a@b.example"}, "subject": "", "body": "x"}
    with world.store.write() as connection:
        row = stray | {"game_id": None, "state": "waiting", "created_at": now, "not_before": now, "priority": 1, "attempts": 9}
        (number,) = connection.execute(outbox.insert().values(row)).inserted_primary_key or (0,)
        given = payload[kind] | ({"outbox": number} if kind == "retry" else {})
        act = {"game_id": world.game, "who": "Хозяйка", "kind": kind, "payload": given, "asked_at": now, "done_at": now}
        (done,) = connection.execute(acts.insert().values(act)).inserted_primary_key or (0,)
    for who in (HOST, HELPER):
        assert scene.do("undo", {"act": done}, name=who).status_code == 403, who
    assert len(world.rows(sa.select(acts))) == 1


def test_x07_the_settings_may_leave_bars_to_the_host_of_each_game(scene: Scene) -> None:
    assert "Кого не допускать, решает" in scene.get("/g/gk1/bars").text
    site = scene.world.site
    scene.world.site = site.model_copy(update={"desk": site.desk.model_copy(update={"hosts_bar": True})})
    scene.clients.clear()
    assert "Кого не допускать, решает" not in scene.get("/g/gk1/bars").text
    assert scene.do("bar", {"nick": "Зоя"}, name=HELPER).status_code == 403
    assert scene.do("bar", {"nick": "Зоя"}).status_code == 303
    assert scene.do("unbar", {"bar": "1"}).status_code == 303


# Forms --------------------------------------------------------------------------------------------------------------------

SEEN = {"act": 0, "deadline": 1, "due_at": "2026-12-02T18:01:00+00:00", "verdict": 0, "out": -1}
ODD_SEEN = [
    "[" * 90_000, '{"act":' * 40_000, json.dumps(SEEN | {"act": 10**400}), json.dumps(SEEN | {"deadline": 10**30}),
    json.dumps(SEEN | {"due_at": "0001-01-01T00:00"}), json.dumps(SEEN | {"due_at": "9999-12-31T23:59:59-23:59"}),
    json.dumps(SEEN | {"due_at": 7}), json.dumps(SEEN | {"act": float("nan")}), json.dumps(SEEN | {"out": True}), "null", "[]",
]  # fmt: skip


@pytest.mark.parametrize("seen", ODD_SEEN, ids=range(len(ODD_SEEN)))
def test_x01_what_a_page_is_said_to_have_shown_breaks_nothing(scene: Scene, seen: str) -> None:
    client = scene.client()
    body = f"csrf={csrf(client)}&sure=yes&seen={seen}".encode()
    head = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = client.post("/g/gk1/do/pause", content=body.replace(b"+", b"%2B"), headers=head)
    assert answer.status_code == 400
    assert "Страница устарела" in answer.text
    assert scene.world.rows(sa.select(acts)) == []


MOMENTS = ("0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", "1999-12-31", "2100-01-01")
HOURS = ("1e15", "-1e15", "8760000", "10001", "nan")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [*[("move", {"deadline": 4, "at": at}) for at in MOMENTS], *[("extend", {"hours": hours}) for hours in HOURS]],
)
def test_x15_no_moment_is_out_of_this_century(scene: Scene, kind: str, fields: dict[str, object]) -> None:
    assert scene.do(kind, fields).status_code == 400
    before = scene.world.value(sa.select(sa.func.max(sa.text("due_at"))).select_from(sa.text("deadlines")))
    for _ in range(12):
        scene.do("extend", {"hours": "1000"})
    last = str(scene.world.value(sa.select(sa.func.max(sa.text("due_at"))).select_from(sa.text("deadlines"))))
    assert str(before) < last < "2110"
    assert all("int" not in (act["error"] or "") for act in scene.world.rows(sa.select(acts)))


SETTINGS = (
    ("approve_until", "nan"), ("approve_until", "inf"), ("approve_until", "-1"), ("approve_until", "1e300"),
    ("remind_hours", "nan"), ("remind_hours", "inf"), ("remind_hours", "1e308"), ("review_hours", "1e9"),
    ("count_every_hours", "inf"), ("count_every_votes", "9" * 400), ("theme", "../rulesets/goldenkey"),
    ("theme", "/etc/passwd"), ("theme", "../forums/ucoz"),
)  # fmt: skip


@pytest.mark.parametrize(("key", "value"), SETTINGS)
def test_x01_no_setting_of_a_host_stops_his_game(scene: Scene, key: str, value: str) -> None:
    world = scene.world
    scene.do("set", {"key": key, "value": value})
    (act,) = world.rows(sa.select(acts))
    assert act["error"] and not act["error"].isascii()
    assert "неверно" not in act["error"], "a sentence of ours, not the program's"
    world.until(world.clock.now() + timedelta(days=1), step=timedelta(hours=6))
    world.settle()
    assert world.value(sa.select(games.c.turn).where(games.c.id == "gk1")) == 2


@pytest.mark.parametrize("alias", ["", "...", "Вера", "ВЕРА", "Bеpa", "я " * 40, "Ве\u200bра", "Бо\u202eрис"])
def test_x16_no_further_spelling_takes_anothers_votes(scene: Scene, alias: str) -> None:
    scene.do("alias", {"player": "Борис", "alias": alias})
    assert scene.world.rows(sa.select(aliases)) == []


# The way in ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1:x@evil.example", "localhost:80@evil.example", "127.0.0.1:80/evil", "localhost#evil"])
def test_no_answer_sends_to_where_a_request_says_it_came(scene: Scene, host: str) -> None:
    for path in ("/login/", "/g/gk1/", "/static", "//evil.example/login/", "/g/gk1/log/"):
        answer = scene.client().get(path, headers={"Host": host})
        assert "evil" not in answer.headers.get("location", ""), (path, host)
