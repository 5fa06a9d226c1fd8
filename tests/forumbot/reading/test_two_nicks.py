"""Two nicks in a message: one told apart, one left to what stands behind it, one that is only spoken of."""

from __future__ import annotations

import pytest

from tests.forumbot.reading.test_trouble import FOUR, red, say, taken


def letter(text, role="doctor", ruleset="clans", roster=FOUR):
    return say(text, ruleset, "Глеб", roster, role, channel="letter")


@pytest.mark.parametrize("text", ["Проверяю Лиса, не Лису!", "Проверяю Лиса (не Лису)", "Проверка Лиса, а не Лисы"])
def test_the_nick_that_is_left_out_tells_the_other(text):
    assert taken(letter(text, "commissioner", roster=("Лис", "Лиса", "Глеб"))) == [("check", ("Лис",))]


@pytest.mark.parametrize("text", ["Анне - таблетку, Борису - верёвку", "Анне - таблетку, Борису - петлю"])
def test_a_nick_before_a_dash_belongs_to_what_stands_behind_it(text):
    assert taken(letter(text)) == [("heal", ("Анна",)), ("vote", ("Борис",))]


@pytest.mark.parametrize("behind", ["и не надо меня уговаривать", "и хватит меня смешить", "а мне не мешайте спать"])
def test_the_writer_in_words_to_others_is_no_second_target(behind):
    assert [order.targets for order in letter(f"Голос против Анны, {behind}", "citizen").orders] == [("Анна",)]


@pytest.mark.parametrize("text", ["Голос был за Анну, стал за Бориса", "Был мой голос за Анну, стал за Бориса"])
def test_a_vote_that_became_another_is_asked_about(text):
    assert letter(text, "citizen", "mafialife").outcome == "review"


def test_the_two_of_before_are_no_third():
    verdict = letter("Статья об Анне и Борисе, интервью беру у обоих", "journalist")
    assert taken(verdict) == [("interview", ("Анна", "Борис"))]


def test_support_of_somebody_before_a_colon_is_no_second_vote():
    assert taken(say(red("Поддерживаю Анну: виновен Борис"))) == [("vote", ("Борис",))]


def test_a_day_in_the_subject_is_nobodys_place():
    assert taken(say("Борис", "clans", "Глеб", FOUR, "citizen", channel="letter", subject="Линч 3")) == [("vote", ("Борис",))]


def test_a_letter_of_the_alphabet_may_be_spelled_out():
    assert taken(letter("голосую против Мисс Икс", "citizen", roster=("Мисс X", "Глеб"))) == [("vote", ("Мисс X",))]


@pytest.mark.parametrize("wait", ["но подожду", "но подожду до вечера", "но повременю", "но отложу"])
@pytest.mark.parametrize("order", ["Лечу Анну", "Лечение - Анна"])
def test_an_order_that_waits_is_none_yet(order, wait):
    assert not taken(letter(f"{order}, {wait}"))
