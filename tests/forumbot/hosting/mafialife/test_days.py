"""Days of mafialife through the daemon: moves by letter and PM, votes everywhere, the market, captives, money kept."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from forumbot.settings import Game
from tests.forumbot.hosting.clans.table import DEADLINE, Table, seat_players


def to_day(table: Table, number: int) -> None:
    """Go on to a minute past the opening of this day."""
    moment = DEADLINE + timedelta(days=number - 2, minutes=4)
    table.world.until(moment - timedelta(minutes=8), step=timedelta(hours=4))
    table.world.until(moment, step=timedelta(minutes=2))
    table.world.settle()


def standing(table: Table, nick: str) -> list[tuple[str, tuple[str, ...]]]:
    match = table.match()
    return [(order.action, order.targets) for order in match.ruleset.standing(match.game, nick)]


# Where moves and votes come from ----------------------------------------------------------------------------------------


def test_a_quiet_first_day_has_a_newspaper_that_says_so(table: Table) -> None:
    to_day(table, 2)
    assert "Ночь прошла тихо." in table.world.forum.texts(table.thread(1))[-1]
    assert table.match().turn == 2
    assert table.world.waiting() == 0
    assert table.replays_the_same()


def test_roles_and_passwords_are_private_and_a_team_has_one_word(table: Table) -> None:
    letters = [letter for nick in table.alive() for letter in table.told(nick)]
    words = {letter.rpartition(": ")[2] for letter in letters if "пароль команды «офис»" in letter}
    assert len(words) == 1
    assert not any(word.rstrip(".") in table.public() for word in words)
    assert not any("пароль" in letter for letter in table.told(table.who("citizen")))


def test_moves_come_by_letter_and_by_private_message_but_not_in_the_thread(table: Table) -> None:
    hacker, maniac, commissioner = table.who("hacker"), table.who("maniac"), table.who("commissioner")
    table.writes(hacker, f"Ход: взлом — {maniac}")
    table.world.pm(maniac, f"Ход: укусить {hacker}")
    table.world.says(commissioner, f"Ход: проверка — {maniac}", table.thread())
    table.world.settle()
    assert standing(table, hacker) == [("hack", (maniac,))]
    assert standing(table, maniac) == [("bite", (hacker,))]
    assert standing(table, commissioner) == []
    assert f"вы написали свой ход прямо в теме дня: проверка: {maniac}." in table.told(commissioner)[-1]
    assert [s for s, _ in table.world.mail.letters_to("owner@example.org")] == ["[forumbot] Ход в теме дня"]
    assert len(table.world.forum.texts(table.thread())) == 1


def test_votes_count_from_letter_message_and_thread_and_the_last_one_stands(table: Table) -> None:
    to_day(table, 2)
    girl, doctor, citizen, maniac = (table.who(role) for role in ("girl", "doctor", "citizen", "maniac"))
    table.writes(girl, f"Голос: {maniac}")
    table.world.pm(doctor, f"Голос: {citizen}")
    table.world.settle()
    table.world.says(citizen, f"Голос: {girl}", table.thread())
    table.world.says(doctor, f"Голос: {maniac}", table.thread())
    table.world.settle()
    match = table.match()
    assert match.ruleset.ballots(match.game) == {girl: maniac, doctor: maniac, citizen: girl}
    assert match.ruleset.votes(match.game) == {maniac: 2, girl: 1}


def test_a_sold_vote_is_shown_and_weighs_nothing(table: Table) -> None:
    to_day(table, 2)
    citizen, girl, doctor, maniac = (table.who(role) for role in ("citizen", "girl", "doctor", "commissioner"))
    table.writes(citizen, f"Голос: {girl}")
    table.world.settle()
    table.writes(citizen, "Купить: броня за голос")
    table.writes(doctor, f"Голос: {maniac}")
    to_day(table, 3)
    paper = table.world.forum.texts(table.thread(2))[-1]
    assert f"{girl} — 1: {citizen}" in paper
    assert re.search(f"Повешена?: {maniac} \\(комиссар\\)", paper)
    assert "брон" not in paper
    assert "Принято: покупка (броня, за голос)." in table.told(citizen)[-2] + table.told(citizen)[-1]


# The market -------------------------------------------------------------------------------------------------------------


def test_a_purchase_cures_an_earlier_refused_order_and_the_receipt_says_so(table: Table) -> None:
    to_day(table, 2)
    citizen, girl = table.who("citizen"), table.who("girl")
    table.writes(citizen, f"Пистолет – {girl}")
    table.world.settle()
    assert f"Не принято: пистолет: {girl}. Причина: у вас нет этой вещи." in table.told(citizen)[-1]
    table.writes(citizen, "Купить: пистолет за голос")
    table.world.settle()
    receipt = table.told(citizen)[-1]
    assert "Принято: покупка (пистолет, за голос)." in receipt
    assert f"Теперь действует: пистолет: {girl}." in receipt
    assert f"Сейчас за вами стоит: пистолет: {girl}." in receipt


def test_a_sold_move_strikes_the_ordered_one_and_the_receipt_says_so(table: Table) -> None:
    hacker, girl = table.who("hacker"), table.who("girl")
    table.writes(hacker, f"Ход: взлом — {girl}")
    table.world.settle()
    table.writes(hacker, "Купить: антидевочка за ход")
    table.world.settle()
    assert f"Больше не действует: взлом: {girl} (причина: ход сегодня продан)." in table.told(hacker)[-1]
    assert standing(table, hacker) == []


def test_a_gift_makes_anothers_order_stand_and_he_is_told(table: Table) -> None:
    to_day(table, 2)
    giver, receiver = [nick for nick, state in table.state().items() if state["role"] == "citizen"][:2]
    girl = table.who("girl")
    table.writes(receiver, f"Пистолет – {girl}")
    table.world.settle()
    assert "Не принято" in table.told(receiver)[-1]
    table.writes(giver, "Купить: пистолет за голос")
    table.world.settle()
    table.writes(giver, f"Подарить: пистолет – {receiver}")
    table.world.settle()
    assert f"Принято: подарок: {receiver} (пистолет)." in table.told(giver)[-1]
    letters = "\n".join(table.told(receiver)[-2:])
    assert f"— пистолет: {girl}: теперь действует." in letters
    assert "вам подарили: пистолет" in letters
    assert giver not in letters
    assert standing(table, receiver) == [("pistol", (girl,))]


def test_the_pistol_goes_to_whoever_was_first_by_the_servers_time(table: Table) -> None:
    to_day(table, 2)
    first, second = [nick for nick, state in table.state().items() if state["role"] == "citizen"][:2]
    now = table.world.clock.now()
    table.writes(second, "Купить: пистолет за голос", now)
    table.world.settle()
    assert "Принято: покупка (пистолет, за голос)." in table.told(second)[-1]
    table.writes(first, "Купить: пистолет за голос", now - timedelta(minutes=3))
    table.world.settle()
    assert "Принято: покупка (пистолет, за голос)." in table.told(first)[-1]
    changed = table.told(second)[-1]
    assert "покупка (пистолет, за голос): больше не действует, причина: пистолет за голос сегодня уже куплен." in changed
    assert table.state()[first]["items"] == ["pistol"]
    assert not table.state()[second]["items"]


def test_limits_of_purchases_hold(table: Table) -> None:
    doctor = table.who("doctor")
    for words in ("броня", "ещё одну броню", "ещё одну броню"):
        table.writes(doctor, f"Купить: {words} за МБ")
    table.world.settle()
    assert "Причина: на сегодня покупки исчерпаны." in table.told(doctor)[-1]
    assert table.state()[doctor]["mafbucks"] == 40


# Captives ---------------------------------------------------------------------------------------------------------------


def test_a_captive_is_told_and_his_captor_is_prompted_and_moves_for_him(table: Table) -> None:
    maniac, hacker, girl = table.who("maniac"), table.who("hacker"), table.who("girl")
    table.writes(maniac, f"Купить: уровень 1 за МБ\nХод: захват {hacker}")
    to_day(table, 2)
    assert any("вас захватили" in letter for letter in table.told(hacker))
    assert not any(maniac in letter.replace(f"{maniac},", "") for letter in table.told(hacker) if "вас захватили" in letter)
    (prompt,) = [letter for letter in table.told(maniac) if "ваш пленник на завтра" in letter]
    assert f"ваш пленник на завтра: {hacker}, роль: хакер, уровень 0." in prompt
    assert "взлом — сколько угодно" in prompt
    assert f"Маньяк — захват — {hacker} — выполнено" in table.public()
    table.writes(hacker, f"Ход: взлом — {girl}")
    table.writes(maniac, f"Ход пленника (Хакер): взлом — {girl}")
    table.world.settle()
    assert "Причина: вы в плену и хода не делаете." in table.told(hacker)[-1]
    assert f"Принято: ход пленника: {girl} (взлом)." in table.told(maniac)[-1]
    to_day(table, 3)
    assert any(f"{girl} — девочка. Это верно" in letter for letter in table.told(maniac))
    assert not any(f"{girl} — девочка" in letter for letter in table.told(hacker))
    assert table.replays_the_same()


def test_the_captor_is_reminded_of_the_captives_move(table: Table) -> None:
    maniac, hacker = table.who("maniac"), table.who("hacker")
    table.writes(maniac, f"Купить: уровень 1 за МБ\nХод: захват {hacker}")
    to_day(table, 2)
    table.world.until(DEADLINE + timedelta(days=1, minutes=-30), step=timedelta(hours=1))
    table.world.settle()
    reminder = [letter for letter in table.told(maniac) if "скоро срок" in letter][-1]
    assert "За пленника хода ещё нет" in reminder


# From game to game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("carry", "opening"), [(True, 85), (False, 100)])
def test_money_goes_from_game_to_game(tmp_path: Path, carry: bool, opening: int) -> None:
    tables = {"max_days": 1, "carry_mafbucks": carry}
    table = seat_players(tmp_path, "mafialife", players=8, proven=False, tables=tables)
    world = table.world
    buyer = table.who("doctor")
    world.pm(buyer, "Купить: броня за МБ")
    to_day(table, 2)
    assert table.match().ruleset.balances(table.match().game)["mafbucks"][buyer] == 85
    assert table.replays_the_same()
    closes = world.clock.now() + timedelta(hours=2)
    second = {"id": "g2", "title": "Вторая", "ruleset": "mafialife", "section": "12", "signup": {"closes": closes}}
    world.daemon.adopt((Game.model_validate(second | {"seed": 9, "tables": {"carry_mafbucks": carry}}),))
    world.settle()
    for nick in table.alive():
        world.says(nick, "играю", world.forum.find("Вторая. Запись"))
    world.game = "g2"
    world.until(closes + timedelta(minutes=5), step=timedelta(minutes=30))
    money = table.match().ruleset.balances(table.match().game)["mafbucks"]
    assert {nick: amount for nick, amount in money.items() if amount != 100} == ({buyer: opening} if carry else {})
    to_day(table, 4)
    assert table.replays_the_same()
