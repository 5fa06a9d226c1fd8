"""Nicks in all their spellings."""

from __future__ import annotations

import pytest

from forumbot.reading import same_key
from forumbot.reading.decline import by_endings, forms
from forumbot.reading.mentions import mentions
from forumbot.reading.names.roster import Roster
from forumbot.reading.names.spelling import DOUBTFUL, EXACT, FORM, LOOKALIKE, NEAR, PET, TYPO, lexical
from forumbot.reading.text import tokens
from tests.forumbot.reading.corpus import answer

ROSTER = Roster(
    ("Лис", "Лиса", "Громов", "Тётя Мотя", "Zloy_77", "Пончик🍩", "Пётр I", "Kotofey", "Алексей", "Лёха", "Марина", "Марина К.")
)


def found(text: str, roster: Roster = ROSTER) -> list[tuple[str, int]]:
    split = tokens(text)
    _, candidates = roster.find(split, lexical(split), 0)
    return [(candidate.seat, candidate.rank) for candidate in candidates]


@pytest.mark.parametrize(
    ("text", "seat", "rank"),
    [
        ("Громов", "Громов", EXACT),
        ("ГРОМОВ", "Громов", EXACT),
        ("Гpoмoв", "Громов", LOOKALIKE),
        ("Громовым", "Громов", FORM),
        ("Тёти Моти", "Тётя Мотя", FORM),
        ("Мотю", "Тётя Мотя", NEAR),
        ("Zloy 77", "Zloy_77", EXACT),
        ("Zloy", "Zloy_77", NEAR),
        ("Пончика", "Пончик🍩", FORM),
        ("Пончичек", "Пончик🍩", PET),
        ("Петра Первого", "Пётр I", FORM),
        ("Котофеем", "Kotofey", NEAR),
        ("Gromov", "Громов", NEAR),
    ],
)
def test_one_player_is_meant(text, seat, rank):
    assert found(text)[0] == (seat, rank)


def test_form_of_one_and_nick_of_another_are_both_given():
    assert found("Лиса") == [("Лиса", EXACT), ("Лис", FORM)]


def test_pet_name_of_two_players_is_both():
    assert sorted(found("Лёшу")) == [("Алексей", PET), ("Лёха", PET)]


def test_longer_nick_wins():
    assert found("Марина К.")[0] == ("Марина К.", EXACT)
    assert found("Марина, К.")[0] == ("Марина", EXACT)


@pytest.mark.parametrize("text", ["гормов", "громмов", "громво", "гровов"])
def test_one_typing_error_is_forgiven(text):
    assert [(c.seat, c.rank) for c in ROSTER.near(text)] == [("Громов", TYPO)]


def test_dictionary_word_is_no_typo():
    roster = Roster(("Марина", "Топаз"))
    assert [(c.seat, c.rank) for c in roster.near("карина")] == [("Марина", DOUBTFUL)]


def test_stranger_is_nobody():
    assert found("Архимед") == []
    assert ROSTER.near("архимед") == ()


def test_aliases_and_former_nicks_mean_the_seat():
    roster = Roster(("Анна", "Борис"), nicks={"Борис": ("Борис", "Олег")}, aliases={"Рыжая": "Анна", "Никто": "Вася"})
    assert found("Олега", roster) == [("Борис", FORM)]
    assert found("Рыжую", roster) == [("Анна", FORM)]
    assert found("Никто", roster) == []


@pytest.mark.parametrize(("a", "b"), [("Лёша", "леша"), ("Сокол", "Coкoл"), ("Кот", "КОТ!"), ("Зоя", "3оя"), ("x_Ray", "X-ray")])
def test_nicks_that_look_alike_have_one_key(a, b):
    assert same_key(a, b)


@pytest.mark.parametrize(("a", "b"), [("Анна", "Инна"), ("Кот", "Котик"), ("!!!", "???"), ("Zorro", "Зорро")])
def test_nicks_that_differ_have_two_keys(a, b):
    assert not same_key(a, b)


@pytest.mark.parametrize(
    ("word", "case", "text"),
    [
        ("перец", "gent", "перца"),
        ("топаз", "accs", "топаза"),
        ("рысь", "ablt", "рысью"),
        ("вольный", "accs", "вольного"),
        ("березкина", "gent", "березкиной"),
        ("белых", "datv", "белых"),
        ("дюма", "accs", "дюма"),
        ("котофей", "ablt", "котофеем"),
        ("барсучелло", "gent", "барсучелла"),
    ],
)
def test_case_forms(word, case, text):
    assert any(form.text == text and form.case == case for form in forms(word))


def test_unknown_word_on_a_soft_sign_has_both_genders():
    spelled = {(form.text, form.gender) for form in by_endings("кшысь") if form.case == "gent"}
    assert spelled == {("кшыся", "m"), ("кшыси", "f")}


SIGNED = Roster(
    ("Ворон", "Ворон, чёрный", "Алло?", "И. О. Царя", "Царь", "Лис & Лиса", "Ах... Лиза", "Лиза", "Дым - Пепел", "Дым", "Ой… Вей")
)


@pytest.mark.parametrize(
    ("text", "nick"),
    [
        ("лечу Ворон, чёрный", "Ворон, чёрный"),
        ("лечу Ворона, чёрного", "Ворон, чёрный"),
        ("Виновен Алло?", "Алло?"),
        ("Виновен И. О. Царя.", "И. О. Царя"),
        ("лечу Лис & Лиса", "Лис & Лиса"),
        ("лечу Ах... Лиза", "Ах... Лиза"),
        ("лечу Ах… Лизу", "Ах... Лиза"),
        ("лечу Ой... Вей", "Ой… Вей"),
        ("лечу Дым - Пепел", "Дым - Пепел"),
    ],
)
def test_a12_the_signs_of_a_nick_are_its_own_before_they_are_grammar(text: str, nick: str) -> None:
    found = mentions(tokens(text), SIGNED, lambda word: word in ("лечу", "виновен"))
    assert [mention.seats for mention in found] == [{nick}]


SIGNS = ("?!", "...", "+++", "-_-", "***", "=)", "Кто-то (не я)", "Я не мафия!")


@pytest.mark.parametrize("ruleset", ["clans", "goldenkey"])
@pytest.mark.parametrize("nick", SIGNS)
def test_a12_a_nick_of_signs_is_a_nick_where_it_stands_apart(ruleset: str, nick: str) -> None:
    roster = ["Анна", "Борис", *SIGNS]
    row = {"id": "1", "ruleset": ruleset, "roster": roster, "author": "Анна", "subject": None, "ctx": {}}
    letter = {**row, "author_role": "doctor", "kind": "letter", "channel": "letter", "format": "plain"}
    post = {**row, "author_role": None, "kind": "vote", "channel": "post", "format": "bbcode"}
    written = (
        [{**letter, "text": text.format(nick)} for text in ("лечу {}", "Лечу {}.", "лечу {}\nспасибо!")]
        if ruleset == "clans"
        else [{**post, "text": f"[color=blue]Виновен {nick}[/color]"}, {**post, "text": f"[color=blue]{nick}[/color]"}]
    )
    for one in written:
        told = answer(one)
        assert (told.outcome, [order.targets for order in told.orders]) == ("accepted", [(nick,)]), one["text"]


@pytest.mark.parametrize("text", ["лечу Бориса ?!", "лечу ... Бориса", "а что ?! лечу Бориса", "лечу ... подумаю ещё"])
def test_a12_signs_that_may_be_a_nick_are_asked_about_beside_others(text: str) -> None:
    row = {"id": "1", "ruleset": "clans", "roster": ["Анна", "Борис", "?!", "..."], "author": "Анна", "author_role": "doctor"}
    more = {"subject": None, "ctx": {}, "kind": "letter", "channel": "letter", "format": "plain", "text": text}
    assert answer({**row, **more}).outcome == "review"


@pytest.mark.parametrize("text", ["лечу Бориса?!", "лечу Бориса...", "Ну что?! Лечу Бориса..."])
def test_a12_signs_behind_a_word_are_its_own(text: str) -> None:
    roster = ["Анна", "Борис", "?!", "...", ":("]
    row = {"id": "1", "ruleset": "clans", "roster": roster, "author": "Анна", "author_role": "doctor"}
    told = answer({**row, "subject": None, "ctx": {}, "kind": "letter", "channel": "letter", "format": "plain", "text": text})
    assert {order.targets for order in told.orders} == {("Борис",)}


@pytest.mark.parametrize(("text", "nick"), [("лечу Ворона, чёрт", "Ворон"), ("Ах, Лиза", "Лиза"), ("лечу Дым", "Дым")])
def test_a12_a_shorter_nick_beside_other_words_is_the_shorter_one(text: str, nick: str) -> None:
    found = mentions(tokens(text), SIGNED, lambda word: word in ("лечу", "ах", "чёрт"))
    assert nick in [mention.candidates[0].seat for mention in found]


def _standing(roster: Roster) -> dict[str, list[tuple[str, int, frozenset[str]]]]:
    index = roster._index.spelled
    return {text: [(seat, one.rank, frozenset(one.cases)) for seat, one in players.items()] for text, players in index.items()}


def test_s06_a_roster_keeps_one_of_equal_entries_and_no_reading_changes_it() -> None:
    nicks = ("Анна", "Борис", "Вера Павловна", "Глеб", "Mr. Fox", "Лис и Лиса", "Дарья", "Егор", "Жанна", "Moonlight")
    roster = Roster(nicks)
    entries = {id(entry) for players in roster._index.spelled.values() for entry in players.values()}
    assert len(roster._index.spelled) > 400
    assert len(entries) < 100
    before = _standing(roster)
    for word in ("анне", "бориса", "борес", "веру", "павловне", "лиса", "мунлайтом", "moonlightом", "жан", "дарь", "егорушка"):
        found = tokens(word)
        roster.find(found, list(range(len(found))), 0)
        roster.near(word, cut=True)
    assert _standing(roster) == before
