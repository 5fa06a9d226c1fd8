"""What a host of the league does beside the rules (evening list): duty and numbers, stranded pots, hanging stories, late
contracts, earnings at the end and balances after it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.hosting.core.troubles import TO_HOST
from forumbot.hosting.people import people
from forumbot.settings import Game
from forumbot.store.tables import outbox
from tests.forumbot.hosting.hosts import does, refused
from tests.forumbot.hosting.league.table import (
    CLOSES,
    DAY_ENDS,
    DAY_OPENS,
    HALF,
    MINUTE,
    NEXT_OPENS,
    coins,
    league,
    match,
    public,
    red,
    to,
    told,
    who,
)
from tests.forumbot.hosting.world import NICKS, World, roles

TWO_EACH: dict[str, Any] = {"setup": {"roles": {"mafioso": 3, "yakuza": 2, "commissioner": 1, "necromancer": 1}}}
SHORT: dict[str, Any] = {"setup": {"roles": {"mafioso": 1, "yakuza": 1, "commissioner": 1}}}


def to_host(world: World, words: str) -> list[str]:
    rows = world.rows(sa.select(outbox).order_by(outbox.c.id))
    return [row["body"] for row in rows if row["target"].get(TO_HOST) and words in row["body"]]


def today(world: World) -> str:
    return world.forum.find("День №1")


@pytest.fixture
def gangs(tmp_path: Path) -> World:
    """Day 1 of a game with three mafiosi."""
    world = league(tmp_path, tables=TWO_EACH)
    to(world, DAY_OPENS + MINUTE)
    return world


def test_evening_whoever_is_on_duty_is_told_and_nobody_else(gangs: World) -> None:
    first, second, third = (who(gangs, "mafioso", number) for number in range(3))
    by_number = sorted((first, second, third), key=lambda nick: match(gangs).ruleset.state(match(gangs).game)[nick]["number"])
    assert [told(gangs, nick).count("сегодня дежурите вы: жертву") for nick in by_number] == [1, 1, 0]
    assert "дежурите вы" not in told(gangs, who(gangs, "commissioner"))


def test_evening_numbers_that_have_shifted_are_told_to_the_gang_and_told_again_when_asked(gangs: World) -> None:
    state = match(gangs).ruleset.state(match(gangs).game)
    one, two, three = sorted((who(gangs, "mafioso", number) for number in range(3)), key=lambda nick: state[nick]["number"])
    for nick in [nick for nick in NICKS[:12] if nick != one][:4]:
        gangs.says(nick, red(f"Виновен {one}"), today(gangs))
    to(gangs, NEXT_OPENS + 2 * MINUTE)
    for nick, number in ((two, 1), (three, 2)):
        assert f"Номера теперь: №1 — {two}, №2 — {three}. Ваш номер: {number}." in told(gangs, nick)
    assert "Номера теперь" not in told(gangs, who(gangs, "yakuza"))
    gangs.pm(three, "Какой у меня номер?", "вопрос")
    gangs.settle()
    assert "Ваш номер: 2." in told(gangs, three)


def test_evening_a_stranded_pot_is_told_and_moved_by_the_words_of_the_letter(gangs: World) -> None:
    dead, giver, other = who(gangs, "necromancer"), who(gangs, "citizen"), who(gangs, "citizen", 1)
    for nick in (giver, other):
        gangs.pm(nick, "скидываю 24 монеты на щит некроманту")
    for nick in [nick for nick in NICKS[:12] if nick != dead][:4]:
        gangs.says(nick, red(f"Виновен {dead}"), today(gangs))
    to(gangs, NEXT_OPENS + 2 * MINUTE)
    letter = told(gangs, giver)
    assert "копилка «щит некроманту» осталась без того, для кого собирали. В ней ваших 24 монеты." in letter
    assert "«Переношу взнос на дополнительный ход комиссару»" in letter
    assert "копилка" not in told(gangs, who(gangs, "commissioner"))
    (word,) = to_host(gangs, "копилка «щит некроманту»")
    assert f"{giver} 24" in word
    for nick in (giver, other):
        gangs.pm(nick, "Переношу взнос на дополнительный ход комиссару")
    gangs.pm(giver, "скидываю 2 монеты на дополнительный ход комиссару")
    gangs.settle()
    assert public(gangs, "День №2").count("Куплено: дополнительный ход комиссару.") == 1
    assert coins(gangs, giver) == 74


def test_evening_the_host_hears_of_a_hanging_that_nobody_told_and_tells_it(day: World) -> None:
    victim = who(day, "doctor")
    for nick in [nick for nick in NICKS[:12] if nick != victim][:3]:
        day.says(nick, red(f"Виновен {victim}"), today(day))
    to(day, DAY_ENDS + 2 * MINUTE)
    (word,) = to_host(day, "рассказа о казни никто не прислал")
    assert f"больше всех голосов у игрока {victim}" in word
    assert "до четверга, 3 декабря, 21:00" in word
    does(day, "host", action="write_story", player=victim, args={"story": "Верёвка скрипела."})
    to(day, NEXT_OPENS + 2 * MINUTE)
    text = public(day, "День №1")
    assert text.index(f"Казнь: {victim}") < text.index("Верёвка скрипела.")


def test_evening_a_story_of_another_day_is_offered_and_printed(day: World) -> None:
    first, second = who(day, "doctor"), who(day, "mercenary")
    author = who(day, "citizen")
    day.pm(author, f"Рассказ-повешение: {second}\nРассказ:\nЗапас карман не тянет.")
    voters = [nick for nick in NICKS[:12] if nick not in (first, second)][:4]
    for nick in voters:
        day.says(nick, red(f"Виновен {first}"), today(day))
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert "Запас карман" not in public(day)
    for nick in voters:
        day.says(nick, red(f"Виновен {second}"), day.forum.find("День №2"))
    to(day, DAY_ENDS + timedelta(hours=48) + 2 * MINUTE)
    assert f"{author} о {second} (день 1)" in to_host(day, "рассказа о казни никто не прислал")[-1]
    does(day, "host", action="choose_story", player=author, targets=[second], args={"turn": 1})
    to(day, NEXT_OPENS + timedelta(hours=48) + 2 * MINUTE)
    assert "Запас карман не тянет." in public(day, "День №2")


def test_evening_one_late_contract_is_taken_by_exception(day: World) -> None:
    customer, victim = who(day, "citizen"), who(day, "doctor")
    to(day, HALF + 2 * MINUTE)
    day.pm(customer, f"Заказ на убийство: {victim}, 15 монет")
    day.settle()
    assert "первая половина дня прошла" in told(day, customer)
    does(day, "host", action="late_contract", player=customer, targets=[victim], args={"coins": 15})
    day.settle()
    assert f"засчитано: заказ на убийство: {victim}" in told(day, customer)
    assert "на сегодня есть заказ" in told(day, who(day, "mercenary"))
    assert coins(day, customer) == 85
    error = refused(day, "host", action="late_contract", player=customer, targets=[victim], args={"coins": 500})
    assert "не хватает монет" in error


def test_evening_a_warning_of_the_hosts_own_counts_and_a_lenient_host_is_heard(day: World) -> None:
    player = who(day, "citizen")
    for cost in (12, 13):
        does(day, "host", action="charge", player=player, args={"cost": cost})
    does(day, "host", action="leniency", player=player, args={"cost": 5})
    day.settle()
    assert "Предупреждений: 2" in told(day, player)
    assert "вам засчитано: 5 монет." in told(day, player)
    assert match(day).ruleset.balances(match(day).game)["fine"][player] == 5


@pytest.fixture
def over(tmp_path: Path) -> World:
    """A game of eight that the civilians win on day 1."""
    world = league(tmp_path, players=8, tables=SHORT)
    to(world, DAY_OPENS + MINUTE)
    for nick in [nick for nick in NICKS[:8] if roles(world)[nick] != "yakuza"][:4]:
        world.says(nick, red(f"Виновен {who(world, 'yakuza')}"), today(world))
    world.pm(who(world, "citizen"), "покупаю защиту от маньяка")
    world.pm(who(world, "commissioner"), f"Проверка: {who(world, 'mafioso')}\nРассказ:\nДело закрыто.")
    to(world, NEXT_OPENS + 2 * MINUTE)
    world.settle()
    return world


def test_evening_everybody_is_told_alone_what_the_game_brought_him(over: World) -> None:
    chief, buyer = who(over, "commissioner"), who(over, "citizen")
    letter = told(over, chief)
    assert "— за игру: +2\n" in letter
    assert "— за победу: +4\n" in letter
    assert "— за убийство: +3\n" in letter
    bonus = match(over).ruleset.balances(match(over).game)["bonus"]
    assert f"На вашем счету теперь: монеты {100 + bonus[chief]:g}, долг 0." in letter
    assert f"На вашем счету теперь: монеты {85 + bonus[buyer]:g}, долг 0." in told(over, buyer)


def test_evening_a_balance_is_answered_when_no_game_runs(over: World) -> None:
    chief = who(over, "commissioner")
    bonus = match(over).ruleset.balances(match(over).game)["bonus"]
    over.clock.sleep(3600)
    over.pm(chief, "Какой у меня баланс?", "вопрос")
    over.settle()
    assert f"{chief}, на вашем счету монеты: {100 + bonus[chief]:g}" in told(over, chief)
    over.forum.writes_pm(99, "Чужой", "вопрос", "Какой у меня баланс?")
    over.clock.sleep(3600)
    over.settle()
    assert "на вашем счету" not in told(over, "Чужой")


def test_evening_the_day_ends_at_the_hour_of_the_table(tmp_path: Path) -> None:
    world = league(tmp_path, tables={**SHORT, "calendar": {"deadline": "21:00"}})
    to(world, CLOSES + MINUTE)
    # The sign-up closed at 20:00; the days end at 21:00 all the same.
    assert "Ночь кончается: вторник, 1 декабря, 21:00" in public(world, "Начальная ночь")
    to(world, DAY_OPENS + timedelta(hours=1) + MINUTE)
    assert "День кончается: четверг, 3 декабря, 21:00" in public(world, "День №1")


def finances(world: World) -> str:
    return world.forum.texts(world.forum.find("Финансы"))[0].replace("<br />", "")


def test_evening_the_topic_of_accounts_is_kept_up_to_date_and_shared_by_games(tmp_path: Path) -> None:
    world = league(tmp_path, players=8, tables=SHORT, accounts_topic="Финансы")
    world.settle()
    assert "— монеты: 100" in finances(world)
    to(world, DAY_OPENS + MINUTE)
    buyer = who(world, "citizen")
    world.pm(buyer, "покупаю защиту от маньяка")
    for nick in [nick for nick in NICKS[:8] if roles(world)[nick] != "yakuza"][:4]:
        world.says(nick, red(f"Виновен {who(world, 'yakuza')}"), today(world))
    world.pm(who(world, "commissioner"), f"Проверка: {who(world, 'mafioso')}\nРассказ:\nДело закрыто.")
    world.settle()
    # What is spent in a running game nobody learns.
    assert f"{buyer} — монеты: 100" in finances(world)
    to(world, NEXT_OPENS + 2 * MINUTE)
    world.settle()
    bonus = match(world).ruleset.balances(match(world).game)["bonus"]
    assert f"{buyer} — монеты: {85 + bonus[buyer]:g}" in finances(world)
    again: dict[str, Any] = {"id": "lg2", "title": "Партия 8", "ruleset": "league", "section": "12", "accounts_topic": "Финансы"}
    closes = {"closes": world.clock.now() + timedelta(hours=1)}
    world.daemon.adopt((Game.model_validate({**again, "seed": 6, "tables": SHORT, "signup": closes}),))
    with world.store.write() as connection:
        person = people.find(connection, buyer)
        assert person is not None
        people.book(connection, person.id, "coins", 7, "подарок", "gift", world.clock.now())
    world.restart()
    world.settle()
    assert f"{buyer} — монеты: {92 + bonus[buyer]:g}" in finances(world)
    assert [topic.subject for topic in world.forum.topics.values()].count("Финансы") == 1
    rows = len(world.rows(sa.select(outbox).where(outbox.c.key.contains("/accounts"))))
    world.restart()
    world.settle()
    assert len(world.rows(sa.select(outbox).where(outbox.c.key.contains("/accounts")))) == rows
