"""What the scenario runner says about wrong files, and the shape of its result."""

from __future__ import annotations

import copy
import importlib.util
import json
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import rulesets, scenario
from engine.expectations import compare
from engine.messages import Message, ReadOrder, Verdict
from engine.model import EngineError
from forumbot import resources
from forumbot.writing import report

PLAIN = """
ruleset = "goldenkey"
seed = 3
players = [
  {nick = "Анна", role = "karabas"},
  {nick = "Борис", role = "buratino"},
  {nick = "Вера", role = "malvina"},
  {nick = "Глеб", role = "citizen"},
  {nick = "Дина", role = "giuseppe"},
  {nick = "Егор", role = "citizen"},
]
[[turns]]
votes = [{player = "Анна", target = "Борис"}]
orders = [{player = "Борис", action = "kill", targets = ["Анна"]}]
[turns.expect]
dead = []
[[turns]]
"""


def document() -> dict[str, Any]:
    return tomllib.loads(PLAIN)


def play(data: dict[str, Any], reader: Any = None) -> scenario.Played:
    return scenario.run(scenario.parse(data), resources.tables("goldenkey"), report.plain, reader)


def put(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        at: Any = data
        for step in path[:-1]:
            at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
        at[path[-1]] = value

    return change


ORDER = ("turns", 0, "orders", 0)
EXPECT = ("turns", 0, "expect")


@pytest.mark.parametrize(
    ("change", "place", "meant"),
    [
        (put("ruleset", value="goldenkei"), "ruleset", "goldenkey"),
        (put("ruleset", value=5), "ruleset", None),
        (put("titel", value=""), "titel", "title"),
        (put("seed", value="one"), "seed", None),
        (put("first_turn", value=True), "first_turn", None),
        (put("players", value=[]), "players", None),
        (put("players", 0, value="Анна"), "players[0]", None),
        (put("players", 0, "role", value="karabaz"), "players[0].role", "karabas"),
        (put("players", 0, "role", value="killer"), "players[0].role", None),
        (put("players", 0, "live", value=1), "players[0].live", "lives"),
        (put("players", 1, "nick", value="Анна"), "players[1].nick", None),
        (put("players", 1, "nick", value=" "), "players[1].nick", None),
        (put("players", 1, "faction", value="villain"), "players[1].faction", "villains"),
        (put("players", 1, "faction", value="villains"), "players[1].faction", None),
        (put("players", 1, "alive", value="yes"), "players[1].alive", None),
        (put("players", 1, "lives", value=0), "players[1].lives", None),
        (put("players", 2, "role", value="buratino"), "players[2].role", None),
        (put("players", 1, "roles", value=["malvina"]), "players[1].roles", None),
        (put("players", 1, "roles", value=["buratino", "karabas"]), "players[1].roles", None),
        (put("players", 1, "received", value={"karabas": 1}), "players[1].received.karabas", None),
        (put("state", "rolelives", value={}), "state.rolelives", "role_lives"),
        (put("state", "role_lives", value={"killers": 1}), "state.role_lives.killers", "killer"),
        (put("tables", "self_vot", value=True), "tables.self_vot", "self_vote"),
        (put("turns", value={}), "turns", None),
        (put("turns", 0, "vote", value=[]), "turns[0].vote", "votes"),
        (put("turns", 0, "votes", 0, "target", value="Бориc"), "turns[0].votes[0].target", "Борис"),
        (put("turns", 0, "votes", 0, "weight", value=2), "turns[0].votes[0].weight", None),
        (put(*ORDER, "player", value="Ана"), "turns[0].orders[0].player", "Анна"),
        (put(*ORDER, "action", value="kil"), "turns[0].orders[0].action", "kill"),
        (put(*ORDER, "targets", value="Анна"), "turns[0].orders[0].targets", None),
        (put(*ORDER, "targets", value=["Борисс"]), "turns[0].orders[0].targets[0]", "Борис"),
        (put(*ORDER, "args", value={"rol": "killer"}), "turns[0].orders[0].args.rol", "role"),
        (put(*ORDER, "args", value={"role": "buratin"}), "turns[0].orders[0].args.role", "buratino"),
        (put(*ORDER, "args", value={"by": "Ана"}), "turns[0].orders[0].args.by", "Анна"),
        (put("turns", 0, "chance", value={"role_malvin": "Вера"}), "turns[0].chance.role_malvin", "role_malvina"),
        (put("turns", 0, "chance", value={"role_malvina": [True]}), "turns[0].chance.role_malvina", None),
        (put("turns", 0, "messages", value=[{"kind": "mail", "author": "Анна", "text": ""}]), "turns[0].messages[0].kind", None),
        (
            put("turns", 0, "messages", value=[{"kind": "post", "author": "Ана", "text": ""}]),
            "turns[0].messages[0].author",
            "Анна",
        ),
        (put("turns", 0, "messages", value=[{"kind": "post", "author": "Анна", "at": "12:00"}]), "turns[0].messages[0].at", None),
        (
            put("turns", 0, "messages", value=[{"kind": "pm", "author": "Анна", "text": "", "edited": True}]),
            "turns[0].messages[0].edited",
            None,
        ),
        (put(*EXPECT, "deaths", value=[]), "turns[0].expect.deaths", "dead"),
        (put(*EXPECT, "dead", value=["Ана"]), "turns[0].expect.dead[0]", "Анна"),
        (put(*EXPECT, "dead", value="Анна"), "turns[0].expect.dead", None),
        (put(*EXPECT, "done", value=["Анна:kil"]), "turns[0].expect.done[0]", "kill"),
        (put(*EXPECT, "done", value=["Анна"]), "turns[0].expect.done[0]", None),
        (put(*EXPECT, "state", value={"Ана": {}}), "turns[0].expect.state.Ана", "Анна"),
        (put(*EXPECT, "balances", value={"role_live": {}}), "turns[0].expect.balances.role_live", "role_lives"),
        (put(*EXPECT, "notices", value=[{"to": "Ана"}]), "turns[0].expect.notices[0].to", "Анна"),
        (put(*EXPECT, "killers", value={"Анна": "Бориc"}), "turns[0].expect.killers.Анна", "Борис"),
        (put(*EXPECT, "state", value={"Анна": {"role": "karabaz"}}), "turns[0].expect.state.Анна.role", "karabas"),
        (put(*EXPECT, "state", value={"Анна": {"faction": "villain"}}), "turns[0].expect.state.Анна.faction", "villains"),
        (put(*EXPECT, "state", value={"Анна": {"alife": True}}), "turns[0].expect.state.Анна.alife", "alive"),
        (put(*EXPECT, "balances", value={"role_lives": {"Ана": 1}}), "turns[0].expect.balances.role_lives.Ана", None),
        (put(*EXPECT, "messages", value=["acepted"]), "turns[0].expect.messages[0]", "accepted"),
        (put(*EXPECT, "notices", value=[{"kind": "life_lst"}]), "turns[0].expect.notices[0].kind", "life_lost"),
        (put(*EXPECT, "no_notices", value=[{"kynd": "life_lost"}]), "turns[0].expect.no_notices[0].kynd", "kind"),
        (put(*EXPECT, "no_notices", value=[{"kind": "life_lost", "cause": "lynsh"}]),
         "turns[0].expect.no_notices[0].cause", "lynch"),
        (put(*EXPECT, "notices", value=[{"kind": "spy_result", "roles": ["karabaz"]}]),
         "turns[0].expect.notices[0].roles", "karabas"),
        (put(*EXPECT, "notices", value=[{"kind": "order_rejected", "action": "kil"}]),
         "turns[0].expect.notices[0].action", "kill"),
        (put(*EXPECT, "causes", value={"Анна": "killer_atack"}), "turns[0].expect.causes.Анна", "killer_attack"),
        (put(*EXPECT, "causes", value={"Анна": ["lynch"]}), "turns[0].expect.causes.Анна", None),
        (put(*EXPECT, "failed", value=["Анна:kill:beatn"]), "turns[0].expect.failed[0]", "beaten"),
        (put(*EXPECT, "rejected", value=["Анна:kill:unknown_nik"]), "turns[0].expect.rejected[0]", "unknown_nick"),
        (put(*EXPECT, "done", value=["Анна:kill:beaten"]), "turns[0].expect.done[0]", None),
        (put(*EXPECT, "winner", value="villain"), "turns[0].expect.winner", "villains"),
        (put(*EXPECT, "winner", value=["villains"]), "turns[0].expect.winner", None),
        (put(*EXPECT, "votes", value={"Анна": "2"}), "turns[0].expect.votes.Анна", None),
        (put(*EXPECT, "votes", value={"Анна": float("nan")}), "turns[0].expect.votes.Анна", None),
        (put("tables", "quiet_turns", value=10**7), "tables.quiet_turns", None),
        (put("tables", "day_open", value="10:00+03:00"), "tables.day_open", None),
        (put("players", 1, "nick", value="Бо\u200bрис"), "players[1].nick", None),
        (put("players", 1, "nick", value="\u3164"), "players[1].nick", None),
        (put("turns", 0, "messages", value=[{"kind": "post", "author": "Анна", "at": datetime(2101, 1, 1, tzinfo=UTC)}]),
         "turns[0].messages[0].at", None),
    ],
)
def test_a_wrong_file_is_named_by_place_and_likely_meaning(
    change: Callable[[dict[str, Any]], None], place: str, meant: str | None
) -> None:
    data = document()
    change(data)
    with pytest.raises(EngineError) as caught:
        play(data)
    assert caught.value.place == place
    assert caught.value.problem
    if meant is not None:
        assert caught.value.meant == meant


@pytest.mark.parametrize("key", ["nick", "role"])
def test_nick_and_role_are_required(key: str) -> None:
    data = document()
    del data["players"][0][key]
    with pytest.raises(EngineError) as caught:
        play(data)
    assert caught.value.place == f"players[0].{key}"


def test_a_forced_value_that_is_no_option_is_bad_input() -> None:
    data = document()
    data["turns"][0]["chance"] = {"role_buratino": "Анна"}
    with pytest.raises(EngineError) as caught:
        play(data)
    assert caught.value.place == "turns[0].chance.role_buratino"


def test_forced_draws_are_used_one_by_one_and_the_rest_is_told() -> None:
    data = document()
    data["tables"] = {"town_roles": ["malvina"]}
    data["turns"][0]["chance"] = {"role_malvina": ["Егор", "Вера"]}
    played = play(data)
    draws = played.result["turns"][0]["chance"]
    assert draws == [{"point": "role_malvina", "options": ["Борис", "Глеб", "Егор"], "picked": "Егор", "forced": True}]
    assert played.warnings == ("turns[0].chance.role_malvina: не понадобилось: Вера",)
    assert not played.result["turns"][1]["chance"][0]["forced"]


def test_the_result_has_the_keys_of_the_contract_in_their_order() -> None:
    turn = play(document()).result["turns"][0]
    assert list(turn) == [
        "turn", "dead", "deaths", "alive", "votes", "lynched", "saved", "actions", "rejected", "notices", "balances", "state",
        "winner", "winner_kind", "report", "messages", "chance",
    ]  # fmt: skip
    assert list(turn["actions"][0]) == ["player", "action", "targets", "args", "outcome", "reason"]
    assert list(turn["state"]) == ["Анна", "Борис", "Вера", "Глеб", "Дина", "Егор"]


def test_the_same_file_gives_the_same_bytes_and_another_seed_other_draws() -> None:
    first, again = (json.dumps(play(document()).result, ensure_ascii=False) for _ in range(2))
    assert first == again
    results = set()
    for seed in range(5):
        data = document() | {"seed": seed}
        results.add(json.dumps(play(data).result["turns"][0]["state"]))
    assert len(results) > 1


def test_nothing_is_played_after_the_end() -> None:
    data = document()
    data["tables"] = {"quiet_turns": 1}
    data["turns"] = [{}, {"expect": {"dead": []}}, {}]
    played = play(data)
    assert [turn["winner"] for turn in played.result["turns"]] == ["draw"]
    assert played.differences() == ["turn #2: no result"]
    assert len(played.warnings) == 2


class OneByOne:
    """A reader that gives prepared verdicts and remembers what it was shown."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.seen: list[Message] = []

    def read(self, ruleset: Any, game: Any, message: Message) -> Verdict:
        self.seen.append(message)
        return self.verdicts.pop(0)


def with_messages(*texts: str) -> dict[str, Any]:
    data = document()
    data["turns"] = [{"messages": [{"kind": "letter", "author": "Борис", "text": text} for text in texts]}]
    return data


def test_messages_without_a_reader_are_bad_input() -> None:
    with pytest.raises(EngineError) as caught:
        play(with_messages("бью Анну"))
    assert caught.value.place == "turns[0].messages"


def test_accepted_orders_reach_the_engine_and_rejected_ones_are_told() -> None:
    kill, bad = ReadOrder("kill", ("Анна",)), ReadOrder("spy", ("Анна",), status="rejected", reason="not_your_action")
    reader = OneByOne(
        Verdict("accepted", orders=(kill, bad)),
        Verdict("review", "ambiguous", (ReadOrder("kill", ("Вера",), status="review"),)),
        Verdict("ignored"),
        Verdict("rejected", "unknown_nick", (ReadOrder("kill", status="rejected", reason="unknown_nick"),)),
    )
    turn = play(with_messages("a", "b", "c", "d"), reader).result["turns"][0]
    assert [a["targets"] for a in turn["actions"]] == [["Анна"]]
    assert [(r["action"], r["reason"]) for r in turn["rejected"]] == [("spy", "not_your_action"), ("kill", "unknown_nick")]
    assert [(m["outcome"], m["reason"]) for m in turn["messages"]] == [
        ("accepted", None), ("review", "ambiguous"), ("ignored", None), ("rejected", "unknown_nick"),
    ]  # fmt: skip
    assert turn["messages"][0]["orders"][0] == {"action": "kill", "targets": ["Анна"], "args": {}}


def test_what_the_engine_refuses_is_no_accepted_message() -> None:
    reader = OneByOne(Verdict("accepted", orders=(ReadOrder("guard", ("Анна",)),)))
    turn = play(with_messages("охраняю Анну"), reader).result["turns"][0]
    assert turn["messages"][0]["outcome"] == "rejected"
    assert turn["messages"][0]["reason"] == "not_your_action"


def test_messages_carry_their_channel_time_and_edit() -> None:
    data = tomllib.loads(
        PLAIN.replace(
            'votes = [{player = "Анна", target = "Борис"}]',
            'messages = [{kind = "post", author = "Анна", text = "а", edited = true, at = 2026-12-01T20:59:00+03:00},'
            ' {kind = "letter", author = "Вера", subject = "ход", text = "б"}]',
        )
    )
    reader = OneByOne(Verdict("ignored"), Verdict("ignored"))
    play(data, reader)
    post, letter = reader.seen
    assert (post.kind, post.edited, post.format) == ("post", True, "bbcode")
    assert post.at is not None and post.at.isoformat() == "2026-12-01T20:59:00+03:00"
    assert (letter.subject, letter.at, letter.format) == ("ход", None, "plain")


CHECKER = Path(__file__).parents[3] / "shared" / "tools" / "check_cases.py"


def outside_compare() -> Callable[[Any, Any], list[str]]:
    spec = importlib.util.spec_from_file_location("check_cases", CHECKER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[Any, Any], list[str]] = module.compare
    return found


NICKS = st.sampled_from(["Анна", "Борис", "Вера", "Глеб"])
NUMBERS = st.one_of(st.integers(0, 4), st.sampled_from([0.5, 2.0]))
EXPECTATIONS = st.fixed_dictionaries(
    {},
    optional={
        "dead": st.lists(NICKS, max_size=3),
        "lynched": st.lists(NICKS, max_size=2),
        "saved": st.lists(NICKS, max_size=2),
        "votes": st.dictionaries(NICKS, NUMBERS, max_size=2),
        "causes": st.dictionaries(NICKS, st.sampled_from(["lynch", "killer_attack"]), max_size=2),
        "killers": st.dictionaries(NICKS, NICKS, max_size=2),
        "done": st.lists(st.builds("{}:kill".format, NICKS), max_size=2),
        "failed": st.lists(st.builds("{}:kill{}".format, NICKS, st.sampled_from(["", ":beaten", ":blocked"])), max_size=2),
        "rejected": st.lists(st.builds("{}:kill{}".format, NICKS, st.sampled_from(["", ":dead_target"])), max_size=2),
        "notices": st.lists(st.fixed_dictionaries({"to": NICKS}, optional={"roles": st.lists(NICKS)}), max_size=2),
        "no_notices": st.lists(st.fixed_dictionaries({"to": NICKS}, optional={"lives": NUMBERS}), max_size=2),
        "balances": st.dictionaries(st.just("coins"), st.dictionaries(NICKS, NUMBERS, max_size=2)),
        "state": st.dictionaries(NICKS, st.fixed_dictionaries({}, optional={"lives": NUMBERS, "roles": st.lists(NICKS)})),
        "winner": st.sampled_from(["none", "villains"]),
        "report_has": st.lists(st.sampled_from(["Итоги", "Анна"]), max_size=2),
        "report_lacks": st.lists(st.sampled_from(["Итоги", "Анна"]), max_size=2),
        "messages": st.lists(st.sampled_from(["accepted", "review"]), max_size=2),
    },
)
GOT: dict[str, Any] = {
    "dead": ["Анна", "Борис"],
    "deaths": [{"player": "Анна", "cause": "lynch", "by": None}, {"player": "Борис", "cause": "killer_attack", "by": "Вера"}],
    "alive": ["Вера", "Глеб"],
    "votes": {"Анна": 2},
    "lynched": ["Анна"],
    "saved": ["Вера"],
    "actions": [
        {"player": "Вера", "action": "kill", "outcome": "done", "reason": None},
        {"player": "Глеб", "action": "kill", "outcome": "failed", "reason": "beaten"},
    ],
    "rejected": [{"player": "Анна", "action": "kill", "reason": "dead_target"}],
    "notices": [{"to": "Анна", "kind": "a", "roles": ["Вера", "Глеб"], "lives": 1}],
    "balances": {"coins": {"Анна": 2}},
    "state": {"Анна": {"lives": 0, "roles": ["Вера"]}, "Вера": {"lives": 2, "roles": []}},
    "winner": None,
    "winner_kind": None,
    "report": "Итоги Линча:",
    "messages": [{"outcome": "accepted", "reason": None}],
}


@pytest.mark.skipif(not CHECKER.is_file(), reason="../shared is not on this machine")
def test_compare_finds_what_the_tool_from_outside_finds() -> None:
    outside = outside_compare()

    @given(EXPECTATIONS)
    def agree(expect: dict[str, Any]) -> None:
        ours, theirs = compare(expect, copy.deepcopy(GOT)), outside(expect, copy.deepcopy(GOT))
        assert [text.split(":")[0] for text in ours] == [text.split(":")[0] for text in theirs]

    agree()


NEGATIVE = {
    "league": {"coins.vote_own", "coins.kill_own", "coins.order_own_role", "coins.order_own_citizen"},
    "mafialife": {"killer.autoprotect_to"},
}
"""Numbers that the rules know below 0: payments for what one's own side suffers, a level that nobody has."""


def numbers(table: dict[str, Any], place: str = "") -> list[str]:
    found: list[str] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += numbers(value, f"{place}{key}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append(f"{place}{key}")
    return found


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_no_number_of_the_tables_is_below_0_nor_another_kind_of_value(name: str) -> None:
    rules, packaged = rulesets.ruleset(name), resources.tables(name)
    for place in numbers(packaged):
        *way, last = place.split(".")
        for wrong in (-1, [1], "x", True, {"a": 1}):
            if wrong == -1 and place in NEGATIVE.get(name, ()):
                continue
            tables = copy.deepcopy(packaged)
            inside = tables
            for step in way:
                inside = inside[step]
            inside[last] = wrong
            with pytest.raises(EngineError) as caught:
                rules.tables(tables, {})
            assert caught.value.place.startswith("tables."), place
