"""The command ``forumbot parse``, and what a reader is told about nicks."""

from __future__ import annotations

import json

from click.testing import CliRunner

from engine.messages import Message
from engine.rulesets import ruleset
from forumbot import resources
from forumbot.cli.parse import command
from forumbot.reading import reader

LINE = {
    "id": "a",
    "ruleset": "clans",
    "kind": "letter",
    "roster": ["Анна", "Борис", "Вера"],
    "author": "Вера",
    "author_role": "doctor",
    "subject": None,
    "text": "лечу Анну",
    "channel": "letter",
    "format": "plain",
    "ctx": {"dead": []},
}


def _run(args: list[str], given: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, args, input=given)
    return done.exit_code, done.output


def _lines(*lines: object) -> list[dict[str, object]]:
    code, output = _run(["--json"], "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    assert code == 0
    return [json.loads(line) for line in output.splitlines()]


def test_each_line_is_answered_in_order():
    first, second = _lines(LINE, {**LINE, "id": "b", "text": "Доброе утро!"})
    assert first == {
        "id": "a",
        "outcome": "accepted",
        "reason": None,
        "orders": [{"action": "heal", "targets": ["Анна"], "args": {}, "status": "accepted", "reason": None}],
    }
    assert (second["id"], second["outcome"], second["orders"]) == ("b", "ignored", [])


def test_broken_line_does_not_stop_the_others():
    broken, unknown, good = _lines("{", {**LINE, "ruleset": "chess"}, LINE)
    assert "error" in broken
    assert unknown["id"] == "a"
    assert "error" in unknown
    assert good["outcome"] == "accepted"


def test_late_vote_is_refused_by_the_clock():
    line = {**LINE, "ruleset": "goldenkey", "text": "[color=blue]Анна[/color]", "channel": "post", "format": "bbcode"}
    early, late = _lines({**line, "author_role": "citizen", "ctx": {"time": "20:59"}}, {**line, "ctx": {"time": "21:01"}})
    assert early["outcome"] == "accepted"
    assert (late["outcome"], late["reason"]) == ("rejected", "too_late")


def test_what_forbids_an_order_whoever_is_meant_comes_before_an_unknown_nick():
    nobody = LINE | {"text": "лечу: Василиса"}
    unknown, dead, other_role = _lines(
        nobody, nobody | {"ctx": {"dead": ["Вера"]}}, nobody | {"author_role": "witness", "text": "Бью: Василиса"}
    )
    assert [line["reason"] for line in (unknown, dead, other_role)] == ["unknown_nick", "dead_player", "not_your_action"]
    assert all(line["orders"][0]["targets"] == [] for line in (unknown, dead, other_role))


def test_a_role_named_as_such_is_a_role_though_a_player_is_called_like_it():
    line = LINE | {"roster": ["Анна", "Вера", "Дон Корлеоне"], "author_role": "artist"}
    plain, name_alone = _lines(line | {"text": "Артист на роль: дон"}, line | {"text": "Артист на роль: Дон Корлеоне"})
    assert plain["outcome"] == "accepted"
    assert [order["args"] for order in plain["orders"]] == [{"role": "don"}]
    assert name_alone["outcome"] == "review"


def test_host_sees_what_was_understood_and_from_which_words():
    code, output = _run(
        ["--ruleset", "clans", "--roster", "Анна, Борис, Вера", "--author", "Вера", "--role", "doctor"], "лечу Анну"
    )
    assert code == 0
    assert "принято" in output
    assert "heal -> Анна" in output
    assert "«лечу», «Анну»" in output


def test_host_sees_why_a_question_is_asked():
    _, output = _run(
        ["--ruleset", "clans", "--roster", "Анна, Борис, Вера", "--author", "Вера", "--role", "doctor"], "лечу Анну или Бориса"
    )
    assert "надо спросить" in output
    assert "названо несколько игроков" in output or "ник подходит нескольким" in output


def test_host_is_told_that_players_are_missing():
    code, output = _run(["--ruleset", "clans"], "лечу Анну")
    assert code == 2
    assert "--roster" in output


def test_host_is_told_that_the_rules_are_missing():
    code, output = _run([], "лечу Анну")
    assert code == 2
    assert "--ruleset" in output


def test_players_may_come_from_a_scenario(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(
        'ruleset = "clans"\n[[players]]\nnick = "Анна"\nrole = "doctor"\n[[players]]\nnick = "Борис"\nrole = "citizen"\n', "utf-8"
    )
    _, output = _run(["--scenario", str(path), "--author", "Анна"], "лечу Бориса")
    assert "heal -> Борис" in output


def _read(text: str, **known: object) -> list[tuple[str, tuple[str, ...]]]:
    rules = ruleset("clans")
    game = rules.sketch(("Анна", "Борис", "Вера"), "Вера", "doctor", {}, rules.tables(resources.tables("clans"), {}))
    verdict = reader(**known).read(rules, game, Message("letter", "Вера", text, format="plain"))  # type: ignore[arg-type]
    return [(order.action, order.targets) for order in verdict.orders if order.status == "accepted"]


def test_replaced_player_is_found_under_both_nicks():
    nicks = {"Борис": ("Борис", "Олег")}
    assert _read("лечу Олега", nicks=nicks) == _read("лечу Бориса", nicks=nicks) == [("heal", ("Борис",))]


def test_hosts_alias_is_declined_like_a_nick():
    assert _read("лечу Рыжую", aliases={"Рыжая": "Анна"}) == [("heal", ("Анна",))]


def test_subject_and_body_that_differ_are_a_question():
    rules = ruleset("clans")
    game = rules.sketch(("Анна", "Борис", "Вера"), "Вера", "doctor", {}, rules.tables(resources.tables("clans"), {}))
    verdict = reader().read(rules, game, Message("letter", "Вера", "лечу Бориса", "лечу Анну", "plain"))
    assert verdict.outcome == "review"
    assert {order.targets for order in verdict.orders} == {("Анна",), ("Борис",)}


def test_words_of_a_post_are_counted_where_the_rules_ask():
    rules = ruleset("clans")
    game = rules.sketch(("Анна", "Борис"), "Анна", "citizen", {}, rules.tables(resources.tables("clans"), {}))
    assert reader().read(rules, game, Message("post", "Анна", "раз два [quote]три[/quote]")).words == 2
