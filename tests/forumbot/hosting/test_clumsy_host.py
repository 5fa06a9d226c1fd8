"""A clumsy host: acts at random moments, repeated, on pages that are out of date, taken back, amid polls and deadlines. Whatever
they press, the game stays one that its log explains."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.turn import Accounts
from forumbot.hosting.acts import acts as acting
from forumbot.hosting.acts import objects
from forumbot.hosting.core import record
from forumbot.hosting.explain import words
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import (
    acts,
    bars,
    bookings,
    deadlines,
    games,
    holders,
    inputs,
    outbox,
    seats,
    troubles,
    turns,
    verdicts,
)
from forumbot.store.types import dump, plain
from tests.forumbot.hosting import hosts
from tests.forumbot.hosting.hosts import upcoming
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.world import NICKS, World

EXAMPLES = int(os.environ.get("CLUMSY_EXAMPLES", "4"))
"""How many hosts each ruleset meets; a long run takes more."""
LONG = EXAMPLES > 4
"""Whether other hosts are met at every run."""
PLAYERS = NICKS[:6]
NEWCOMERS = (("Семён", 26), ("Тамара", 27), ("Ульяна", 28))
HOURS = (-3, 0.5, 2, 30)
PURSES = {"league": {"coins": 120, "debt": 3}, "mafialife": {"mafbucks": 500}}
"""What everybody brings into the game."""
MEASURES: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "league": (("grant", {"coins": 7}), ("grant", {"debt": 2}), ("leave", {}), ("grade", {"action": "kill", "grade": 8})),
    "clans": (("host_violation", {"kind": "account_sharing", "proof": True}), ("host_undo", {}), ("host_disqualify", {})),
    "goldenkey": (("host_remove", {}),),
    "mafialife": (("host_fine", {"points": 3, "mafbucks": 20}), ("host_fine", {"mafbucks": 5}), ("host_remove", {})),
}
LETTERS = ("статус", "бью {}", "лечу {}", "проверяю {}", "Покупка: броня", "ведущий, можно вопрос?", "больше не могу играть")


@pytest.fixture(scope="module", params=RULESETS)
def played(request: pytest.FixtureRequest) -> Iterator[World]:
    """The first turn with votes of a game, an hour after its opening; played once, copied for every host."""
    with TemporaryDirectory(prefix="forumbot-clumsy-") as folder:
        yield running(Path(folder), request.param, PURSES.get(request.param))


player = st.sampled_from(PLAYERS)
address = st.sampled_from(["a@x.example", "b@x.example"])
press = st.one_of(
    st.tuples(st.just("extend"), st.fixed_dictionaries({"hours": st.sampled_from(HOURS)})),
    st.tuples(st.sampled_from(["pause", "resume", "resolve"]), st.just({})),
    st.tuples(st.just("move"), st.fixed_dictionaries({"by": st.sampled_from(HOURS)})),
    st.tuples(st.just("order"), st.fixed_dictionaries({"player": player, "target": player})),
    st.tuples(st.just("remove"), st.fixed_dictionaries({"player": player})),
    st.tuples(st.just("warn"), st.fixed_dictionaries({"player": player, "text": st.just("тише")})),
    st.tuples(st.just("replace"), st.fixed_dictionaries({"player": player, "newcomer": st.sampled_from(NEWCOMERS)})),
    st.tuples(st.just("alias"), st.fixed_dictionaries({"player": player, "alias": st.sampled_from(["Кот", "Пёс"])})),
    st.tuples(st.just("bind"), st.fixed_dictionaries({"player": player, "address": address})),
    st.tuples(st.sampled_from(["accept", "reject", "strike"]), st.just({})),
    st.tuples(st.just("set"), st.fixed_dictionaries({"settings": st.sampled_from([{"mode": "host"}, {"remind_hours": "5"}])})),
    st.tuples(st.just("correct"), st.fixed_dictionaries({"player": player, "target": player})),
    st.tuples(st.just("host"), st.fixed_dictionaries({"player": player, "measure": st.integers(0, 3)})),
    st.tuples(st.sampled_from(["keep", "release", "edit"]), st.just({})),
    st.tuples(st.just("prologue"), st.just({"text": "Было темно."})),
    st.tuples(st.sampled_from(["bar", "unbar"]), st.just({})),
)
step = st.one_of(
    st.tuples(st.just("press"), press, st.sampled_from(["now", "old", "none"])),
    st.tuples(st.just("press and undo"), press, st.just("now")),
    st.tuples(st.just("again"), st.integers(0, 3), st.just("")),
    st.tuples(st.just("undo"), st.integers(0, 5), st.just("")),
    st.tuples(st.just("wait"), st.sampled_from([1, 20, 300, 900]), st.just("")),
    st.tuples(st.just("vote"), st.tuples(player, player), st.just("")),
    st.tuples(st.just("writes"), st.tuples(player, st.sampled_from(LETTERS), player), st.just("")),
    st.tuples(st.just("poll fails"), st.booleans(), st.just("")),
)


@dataclass
class Host:
    """What the host has pressed and seen so far."""

    world: World
    pages: list[dict[str, Any]] = field(default_factory=list)
    pressed: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def takes(self, what: str, how: Any, page: str) -> None:
        match what:
            case "press":
                self.press(*how, page)
            case "press and undo":
                self.press_and_undo(*how)
            case "again" if self.pressed:
                self.ask(*self.pressed[-1 - how % len(self.pressed)])
            case "undo":
                self.undo_one(how)
            case "wait":
                self.world.until(self.world.clock.now() + timedelta(minutes=how), step=timedelta(minutes=150))
            case "vote":
                self.votes(*how)
            case "writes":
                self.world.pm(how[0], how[1].format(how[2]))
            case "poll fails":
                self.world.forum.incomplete = how

    def press(self, kind: str, given: dict[str, Any], page: str) -> dict[str, Any] | None:
        payload = self.payload(kind, given)
        if payload is None:
            return None
        seen = self.look()
        self.pages.append(seen)
        if page != "none":
            payload["seen"] = seen if page == "now" else self.pages[0]
        self.pressed.append((kind, payload))
        return self.ask(kind, payload)

    def press_and_undo(self, kind: str, given: dict[str, Any]) -> None:
        """What is taken back at once has never been: the fold is the one without it."""
        if self.world.value(sa.select(games.c.stage)) != "turn":
            return
        before, turn = self.state(), self.world.value(sa.select(games.c.turn))
        done = self.press(kind, given, "now")
        if done is None or done["error"] is not None or kind == "warn":
            return
        if self.world.value(sa.select(games.c.stage)) != "turn" and kind in ("resolve", "host", "remove"):
            return
        back = self.ask("undo", {"act": done["id"]})
        same_turn = self.world.value(sa.select(games.c.turn)) == turn
        if kind in ("keep", "release", "edit") and back["error"] is not None:
            # It has gone out meanwhile.
            return
        assert back["error"] is None or not same_turn, (kind, back["error"])
        if same_turn:
            assert self.state() == before, kind

    def undo_one(self, which: int) -> None:
        done = self.world.rows(sa.select(acts).where(acts.c.error.is_(None), acts.c.kind != "seat").order_by(acts.c.id.desc()))
        if done:
            self.ask("undo", {"act": done[which % len(done)]["id"]})

    def votes(self, voter: str, target: str) -> None:
        turn = self.world.value(sa.select(games.c.turn))
        result = self.world.value(sa.select(outbox.c.result).where(outbox.c.key == f"gk1/t{turn}/day")) or {}
        if "topic" in result:
            colour = "blue" if self.world.value(sa.select(games.c.ruleset)) == "goldenkey" else "red"
            self.world.forum.says(result["topic"], self.world.uid(voter), voter, f"[color={colour}]Голос: {target}[/color]")

    def payload(self, kind: str, given: dict[str, Any]) -> dict[str, Any] | None:
        world, made = self.world, dict(given)
        dues = world.rows(sa.select(deadlines).where(deadlines.c.done_at.is_(None), deadlines.c.call.in_(record.RESOLVING)))
        if kind in ("resolve", "move"):
            if not dues:
                return None
            due = upcoming(world)
            made["deadline"] = due["id"]
            if kind == "move":
                made["at"] = (due["due_at"] + timedelta(hours=made.pop("by"))).isoformat()
        if kind in ("order", "correct"):
            made = {"player": made["player"], "action": "vote", "targets": [made["target"]]}
        if kind == "correct":
            closed = world.value(sa.select(sa.func.max(turns.c.turn)).where(turns.c.closed_at.is_not(None)))
            return None if closed is None else {"changes": [{"kind": "order", **made, "turn": closed}]}
        if kind == "host":
            measures = MEASURES[world.value(sa.select(games.c.ruleset))]
            made["action"], made["args"] = measures[made.pop("measure") % len(measures)]
        if kind in ("keep", "release", "edit"):
            wanted = outbox.c.state == ("held" if kind == "release" else "waiting"), outbox.c.kind != "edit"
            row = world.rows(sa.select(outbox).where(*wanted).order_by(outbox.c.id.desc()).limit(1))
            if not row:
                return None
            made["outbox"] = row[0]["id"]
            made |= {"body": row[0]["body"] + "\n(поправлено)"} if kind == "edit" else {}
        if kind == "bar":
            made |= {"nick": "Ульяна", "uid": 28}
        if kind == "unbar":
            made["bar"] = world.value(sa.select(sa.func.max(bars.c.id))) or 1
        if kind == "replace":
            made["nick"], made["uid"] = made.pop("newcomer")
        if kind in ("accept", "reject", "strike"):
            made["verdict"] = world.value(sa.select(sa.func.max(verdicts.c.id))) or 1
        return made

    def ask(self, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return hosts.asks(self.world, kind, **payload)

    def look(self) -> dict[str, Any]:
        with self.world.store.read() as connection:
            return objects.sight(connection, self.world.game)

    def state(self) -> str:
        """Everything an act can change: the fold, the deadlines, the people."""
        with self.world.store.read() as connection:
            row = record.load(connection, self.world.game)
            match = record.fold(connection, row)
            # A reminder that has gone out cannot come back.
            ruled = sa.select(deadlines.c.id, deadlines.c.due_at, deadlines.c.done_at).order_by(deadlines.c.id)
            dues = connection.execute(ruled.where(deadlines.c.call.in_(record.RESOLVING)))
            open_ = sa.select(holders.c.seat, holders.c.uid, holders.c.address).where(holders.c.until.is_(None))
            people = connection.execute(open_.order_by(holders.c.seat)).all()
            votes, balances = match.ruleset.votes(match.game), match.ruleset.balances(match.game)
            fold = [match.ruleset.state(match.game), votes, balances, getattr(match.game, "hours", None) is None]
            moments = [[number, at.isoformat(), done is None] for number, at, done in dues.all()]
            return dump([plain(fold), moments, [list(one) for one in people], row.paused_at is None])


def test_whatever_a_clumsy_host_presses_the_game_stays_one_that_its_log_explains(played: World) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=not LONG, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.lists(step, min_size=4, max_size=14))
    def plays(steps: list[tuple[str, Any, str]]) -> None:
        with TemporaryDirectory(prefix="forumbot-clumsy-") as folder:
            host = Host(hosts._copy(played, Path(folder)))
            for what, how, page in steps:
                host.takes(what, how, page)
            _to_an_end(host.world)
            _check(host.world)

    plays()


def _to_an_end(world: World) -> None:
    """The forum answers again, the game goes on, and the running turn comes to its end."""
    world.forum.incomplete = False
    if world.value(sa.select(games.c.paused_at)) is not None:
        hosts.asks(world, "resume")
    if world.value(sa.select(games.c.stage)) == "turn":
        world.until(upcoming(world)["due_at"] + timedelta(minutes=5), step=timedelta(hours=7))
    if world.value(sa.select(games.c.stage)) == "turn":
        world.until(upcoming(world)["due_at"] + timedelta(minutes=5), step=timedelta(hours=7))
    world.settle()


def _check(world: World) -> None:
    asked = world.rows(sa.select(acts))
    assert all(act["done_at"] is not None for act in asked)
    assert not [act for act in asked if "ошибка программы" in (act["error"] or "")]
    assert world.rows(sa.select(troubles).where(troubles.c.key.startswith("failed/"))) == []
    _resolved_once(world)
    _seats_are_one_persons(world)
    _everybody_is_told(world, asked)
    _accounts_add_up(world)
    _what_is_undone_does_not_count(world, asked)
    assert all(turn.same for turn in replay_game(world.store, world.game, "Europe/Moscow"))
    sent = Counter(row["key"] for row in world.rows(sa.select(outbox.c.key)))
    assert max(sent.values()) == 1


def _accounts_add_up(world: World) -> None:
    """What is in the game is the sum of its bookings; what everybody has is what was brought, less what is in the game now."""
    with world.store.read() as connection:
        row = record.load(connection, world.game)
        match = record.fold(connection, row)
    rules = match.ruleset
    balances = rules.balances(match.game)
    booked = getattr(rules, "ledger", None)
    if booked is not None:
        sums: Counter[tuple[str, str]] = Counter()
        for one in map(asdict, booked(match.game)):
            if "source" in one:
                assert one["amount"] >= 0
                sums[one["seat"], one["sink"]] += one["amount"]
                sums[one["seat"], one["source"]] -= one["amount"]
            else:
                sums[one["player"], "mafbucks"] += one["amount"]
        for currency, accounts in balances.items():
            for seat, amount in accounts.items():
                # What the league pays after the game may be negative (D75).
                assert amount == sums[seat, currency] >= (0 if currency != "bonus" else -1_000), (currency, seat)
    total = Counter[str]()
    for one in world.rows(sa.select(bookings)):
        total[one["currency"]] += one["amount"]
        assert one["key"].startswith(("before/", f"{world.game}/in/", f"{world.game}/out/"))
    home = Counter[str]()
    for sums_home in rules.takes_home(match.game).values() if isinstance(rules, Accounts) and row.stage == "over" else ():
        home.update(sums_home)
    brought = world.rows(sa.select(bookings).where(bookings.c.key.startswith(f"{world.game}/in/")))
    for currency, each in PURSES.get(row.ruleset, {}).items():
        taken = -sum(one["amount"] for one in brought if one["currency"] == currency)
        assert total[currency] == each * 16 - taken + home[currency], currency


def _what_is_undone_does_not_count(world: World, asked: list[dict[str, Any]]) -> None:
    """No input of an act that was taken back counts, and each that counts is a message's, a moment's or a standing act's."""
    undone = {act["undoes"] for act in asked if act["undoes"] and act["error"] is None}
    standing: set[int] = set()
    for act in asked:
        results = [act["result"] or {}, *((act["result"] or {}).get("changes") or [])]
        entered = {number for result in results for number in result.get("entered", ())}
        rows = world.rows(sa.select(inputs).where(inputs.c.id.in_(entered)))
        if act["id"] in undone:
            assert all(one["struck"] is not None for one in rows), act
        standing |= entered
    for one in world.rows(sa.select(inputs).where(inputs.c.kind.in_(("order", "force")), inputs.c.struck.is_(None))):
        counted = one["payload"].get("action") == words.ACTION
        assert counted or one["verdict_id"] is not None or one["id"] in standing or one["turn"] == -1, one


def _resolved_once(world: World) -> None:
    made = Counter(
        (row["turn"], row["kind"], row["payload"]["name"])
        for row in world.rows(sa.select(inputs).where(inputs.c.kind.in_(("mark", "close")), inputs.c.struck.is_(None)))
    )
    over = world.value(sa.select(games.c.stage)) in ("over", "cancelled")
    for due in world.rows(sa.select(deadlines).where(deadlines.c.call.in_(("mark", "close")))):
        times = made.pop((due["turn"], due["call"], due["name"]), 0)
        assert times == (due["done_at"] is not None) or (over and times == 0), due
    assert not made


def _seats_are_one_persons(world: World) -> None:
    present = world.rows(
        sa.select(holders.c.seat, holders.c.uid)
        .join(seats, sa.and_(seats.c.seat == holders.c.seat, seats.c.game_id == holders.c.game_id))
        .where(holders.c.until.is_(None), seats.c.state == "in")
    )
    assert len({one["seat"] for one in present}) == len(present)
    assert len({one["uid"] for one in present}) == len(present)


def _everybody_is_told(world: World, asked: list[dict[str, Any]]) -> None:
    """Of moved deadlines, pauses and replacements: a post in the thread, and a word to players."""
    keys = {row["key"]: row["kind"] for row in world.rows(sa.select(outbox.c.key, outbox.c.kind))}
    undone = {act["undoes"] for act in asked if act["undoes"] and act["error"] is None}
    for act in asked:
        if act["error"] is not None or act["id"] in undone:
            continue
        if act["kind"] in ("extend", "move", "pause", "resume"):
            assert keys[f"gk1/act{act['id']}/time"] == "post"
            assert any(key.startswith(f"gk1/act{act['id']}/time/") for key in keys)
        if act["kind"] == "remove":
            assert f"gk1/act{act['id']}/{act['payload']['player']}" in keys
        if act["kind"] == "replace":
            assert keys[f"gk1/act{act['id']}/replaced"] == "post"
            assert f"gk1/act{act['id']}/replacement" in keys


def test_the_acts_of_a_clumsy_host_are_acts_that_there_are() -> None:
    assert {"extend", "pause", "resume", "resolve", "move", "order", "remove", "correct", "undo"} <= set(acting.KINDS)
