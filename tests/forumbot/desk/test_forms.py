"""Forms of acts become payloads of the kinds that the daemon knows."""

import pytest

from engine.rulesets import ruleset
from forumbot.desk import forms, history

GOLDENKEY = ruleset("goldenkey").spec
LEAGUE = ruleset("league").spec


def test_a_list_of_roles_stays_a_list_and_a_single_role_a_word() -> None:
    form = {
        "player": ["Анна"],
        "action": ["assign_roles"],
        "targets": ["Анна", "Борис", "", ""],
        "arg.roles": ["karabas", "alisa", "", ""],
        "arg.unknown": ["x"],
    }
    assert forms.payload("order", form, GOLDENKEY) == {
        "player": "Анна",
        "action": "assign_roles",
        "targets": ["Анна", "Борис"],
        "args": {"roles": ["karabas", "alisa"]},
    }
    one = {"player": ["Анна"], "action": ["bid_role"], "arg.role": ["malvina"]}
    assert forms.payload("order", one, GOLDENKEY)["args"] == {"role": "malvina"}


def test_numbers_and_yes_or_no_are_what_the_rules_expect() -> None:
    form = {"player": ["Анна"], "action": ["contract_kill"], "arg.coins": ["12"], "arg.late": ["yes"]}
    assert forms.payload("order", form, LEAGUE)["args"] == {"coins": 12, "late": True}
    with pytest.raises(forms.BadForm, match="двенадцать"):
        forms.payload("order", form | {"arg.coins": ["двенадцать"]}, LEAGUE)


def test_what_may_be_left_out_is_left_out_and_what_may_not_is_asked_for() -> None:
    assert forms.payload("accept", {"verdict": ["7"], "choice": [""]}, GOLDENKEY) == {"verdict": 7}
    assert forms.payload("remove", {"player": ["Анна"]}, GOLDENKEY) == {"player": "Анна"}
    assert forms.payload("remove", {"player": ["Анна"], "wish": ["yes"]}, GOLDENKEY) == {"player": "Анна", "wish": True}
    with pytest.raises(forms.BadForm, match="не заполнено"):
        forms.payload("accept", {"choice": ["1"]}, GOLDENKEY)
    with pytest.raises(forms.BadForm, match="нет"):
        forms.payload("explode", {}, GOLDENKEY)


def test_only_a_step_back_in_time_hurts() -> None:
    assert forms.hurts("extend", {"hours": -0.5})
    assert not forms.hurts("extend", {"hours": 24})
    assert not forms.hurts("undo", {"act": 1})


def test_a_correction_is_told_change_by_change() -> None:
    payload = forms.correction("accept", {"verdict": 7, "choice": 0})
    assert payload == {"changes": [{"kind": "accept", "verdict": 7, "choice": 0}]}
    assert history.lines(payload) == [("что", "Принять прочтение"), ("запись журнала", "7"), ("прочтение", "1")]


def test_long_texts_are_shortened_in_the_history() -> None:
    ((what, text),) = history.lines({"body": "я" * 1000})
    assert what == "текст"
    assert len(text) == 300
    assert text.endswith("…")
