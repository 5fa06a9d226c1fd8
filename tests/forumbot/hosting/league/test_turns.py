"""A league turn from the letters of the deal to the newspaper: what is public, what is private, and when (H2, H4, R10-R12)."""

import re
from datetime import timedelta
from pathlib import Path

from forumbot.desk import series
from forumbot.hosting.core import counting, record
from tests.forumbot.hosting.league.table import (
    CLOSES,
    DAY_ENDS,
    HALF,
    MINUTE,
    NEXT_OPENS,
    coins,
    league,
    public,
    red,
    state,
    to,
    told,
    who,
)
from tests.forumbot.hosting.world import NICKS, World, roles, votes

WORDS = {
    "mafioso": "маф",
    "yakuza": "як",
    "commissioner": "комиссар",
    "doctor": "доктор",
    "mercenary": "наёмник",
    "bodyguard": "телохранитель",
    "necromancer": "некромант",
    "citizen": "мирный житель",
}


def today(world: World) -> str:
    return world.forum.find("День №1")


def test_everybody_is_told_his_role_and_nobody_elses(night: World) -> None:
    for seat, role in roles(night).items():
        assert f"ваша роль: {WORDS[role]}." in told(night, seat)
        assert not any(nick in told(night, seat).split("ваша роль", 1)[1] for nick in NICKS[:12] if nick != seat)
    assert "ваш номер: 1" in told(night, who(night, "mafioso")).lower()


def test_a_gang_is_told_its_partners_and_numbers(tmp_path: Path) -> None:
    """R2: the composition of the packaged table for twelve."""
    world = league(tmp_path, tables={})
    to(world, CLOSES + MINUTE)
    for role in ("mafioso", "yakuza"):
        first, second = who(world, role), who(world, role, 1)
        assert f"Номера группировки: №1 — {first}, №2 — {second}." in told(world, second)
        assert f"С вами: {first}." in told(world, second)
        assert "Ваш номер: 2." in told(world, second)
    assert f"Сержант, о котором знаете только вы: {who(world, 'sergeant')}." in told(world, who(world, "commissioner"))
    assert who(world, "commissioner") not in told(world, who(world, "sergeant")).split("ваша роль", 1)[1]


def test_the_deal_is_announced_without_a_role(night: World) -> None:
    text = public(night)
    assert "Роли розданы и разосланы." in text
    assert not re.search(r"(Анна|Борис|Вера)[^\n]*(маф|комиссар|доктор)", text)


def test_the_day_opens_with_the_report_and_ends_with_its_deadline(day: World) -> None:
    first = day.forum.texts(today(day))[0]
    assert "Живые: 12, мёртвые: 0" in first
    assert first.index("Живые:") < first.index("День кончается: четверг, 3 декабря, 20:00")


def test_a_shared_purchase_is_announced_at_once_and_again_in_the_report(day: World) -> None:
    """R134: never with a buyer."""
    day.says("Вера", red("скидываю 30 монет на щит некроманту"), today(day))
    day.settle()
    assert "Куплено" not in public(day)
    day.pm("Дина", "скидываю 40 монет на щит некроманту")
    day.settle()
    assert [text for text in day.forum.texts(today(day)) if "Куплено" in text] == ["Куплено: щит некроманту."]
    assert (coins(day, "Вера"), coins(day, "Дина")) == (70, 80)
    to(day, DAY_ENDS + 2 * MINUTE)
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert public(day).count("Куплено: щит некроманту.") == 3
    assert "necro_shield" in state(day, who(day, "necromancer"))["items"]


def test_weights_and_bought_votes_decide(day: World) -> None:
    """T28: one vote with two bought ones outweighs two plain ones."""
    target, other = who(day, "doctor"), who(day, "commissioner")
    first, second, third = [nick for nick in NICKS[:12] if nick not in (target, other)][:3]
    day.says(first, f"{red(f'Виновен {target}')}\n{red('покупаю 2 дополнительных голоса')}", today(day))
    day.says(second, red(f"Виновен {other}"), today(day))
    day.says(third, red(f"Виновен {other}"), today(day))
    day.settle()
    assert votes(day) == {target: 3, other: 2}
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert f"Казнь: {target} — доктор." in public(day, "День №2")


def test_one_vote_said_twice_is_one_vote(day: World) -> None:
    """T34: the same line twice in one post, and the post sent again, cost nothing and change nothing."""
    text = f"{red('Виновен Борис')}\n{red('Виновен Борис')}"
    day.says("Анна", text, today(day))
    day.settle()
    day.says("Анна", text, today(day))
    day.settle()
    assert votes(day) == {"Борис": 1}
    assert coins(day, "Анна") == 100


def test_what_was_sent_first_is_paid_first(day: World) -> None:
    """T33: a letter of 19:00 that is read after a post of 20:00 spends the money all the same."""
    citizen = who(day, "citizen")
    day.pm(citizen, "покупаю защиту от мафии и якудзы\nпокупаю щит некроманту")
    day.settle()
    assert coins(day, citizen) == 10
    noon = day.clock.now() + timedelta(hours=2)
    day.clock.move_to(noon)
    day.says(citizen, red("Виновен " + who(day, "doctor")), today(day))
    day.says(citizen, red("покупаю 2 дополнительных голоса"), today(day))
    day.settle()
    assert coins(day, citizen) == 0
    day.forum.writes_pm(day.uid(citizen), citizen, "ход", f"Истинное зрение: {who(day, 'doctor')}", at=noon - timedelta(hours=1))
    day.settle()
    assert coins(day, citizen) == 0
    assert votes(day) == {who(day, "doctor"): 1}
    assert "истинное зрение" in told(day, citizen)
    assert "не хватает монет" in told(day, citizen)


def test_the_auction_asks_at_the_half_day_and_hides_the_customer(day: World) -> None:
    """R81-R85: the mercenary is asked, told the victim alone; late orders are refused."""
    killer, victim, customer = who(day, "mercenary"), who(day, "commissioner"), who(day, "citizen")
    day.pm(customer, f"Заказ на убийство: {victim}, 25 монет\nЗаказ на охрану: 12 монет")
    day.pm(who(day, "citizen", 1), f"Заказ на убийство: {who(day, 'doctor')}, 15 монет")
    to(day, HALF - MINUTE)
    assert "на сегодня есть заказ" not in told(day, killer)
    to(day, HALF + MINUTE)
    assert "на сегодня есть заказ" in told(day, killer)
    assert f"вы охраняете игрока {customer}" in told(day, who(day, "bodyguard"))
    day.pm(killer, "Работаю")
    day.settle()
    after = told(day, killer).split("на сегодня есть заказ", 1)[1]
    assert f"заказан: {victim}." in after
    assert customer not in after
    day.pm(who(day, "citizen", 2), f"Заказ на убийство: {victim}, 50 монет")
    day.pm(killer, f"Жертва: {victim}\nРассказ:\nТихий вечер, {victim} не дошёл до дома.")
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert "первая половина дня прошла" in told(day, who(day, "citizen", 2))
    assert f"заказ на убийство ({victim}) за 25 монет выполнен" in told(day, customer)
    paper = public(day, "День №1")
    assert f"Ночью погиб {victim} — комиссар; причина: наёмник." in paper
    assert f"Рассказ: <blockquote>Тихий вечер, {victim} не дошёл до дома.</blockquote>" in paper
    assert not re.search(r"заказ|монет.{0,20}(?:25|12)", paper.split("[b]Голос[/b]")[0])


def test_the_bodyguard_chooses_between_equal_bids(day: World) -> None:
    """R87, R88: whom he guards is told to nobody, the unlucky customer gets his coins back."""
    guard, first, second = who(day, "bodyguard"), who(day, "citizen"), who(day, "citizen", 1)
    for nick in (first, second):
        day.pm(nick, "Заказ на охрану: 15 монет")
    to(day, HALF + MINUTE)
    assert "заказ на охрану (15 монет)" in told(day, first)
    assert f"вас наняли сразу несколько: {first}, {second}" in told(day, guard)
    day.pm(guard, f"Охрана: {second}")
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert "заказ на охрану за 15 монет выполнен" in told(day, second)
    assert "заказ на охрану за 15 монет не выполнен" in told(day, first)
    assert (coins(day, first), coins(day, second)) == (100, 85)
    assert not any("охран" in text for text in day.forum.texts(day.forum.find("День №2"))[0].splitlines() if second in text)


def test_a_hidden_victim_is_blotted_out_under_his_new_nick_too(day: World) -> None:
    """R131: case forms, and a nick that the rules do not know."""
    shooter, victim = who(day, "mafioso"), who(day, "citizen")
    day.pm(victim, "покупаю защиту от мафии")
    day.settle()
    day.forum.says(today(day), day.uid(victim), "Добрыня", "Теперь я под новым ником.")
    day.pm(shooter, f"Жертва: Добрыня\nРассказ:\nДобрыню ждали у реки. {victim} это он или нет, Добрыня ушёл.")
    to(day, NEXT_OPENS + 2 * MINUTE)
    paper = public(day, "День №1")
    assert "Рассказ: <blockquote>*** ждали у реки. *** это он или нет, *** ушёл.</blockquote>" in paper
    assert "Покушение не удалось (мафия)." in paper
    assert "hide" not in paper
    assert "сработало и израсходовано: защита от мафии" in told(day, "Добрыня")


def test_after_the_deadline_only_the_loop_and_stories_are_open(day: World) -> None:
    """R12: one who is condemned may still buy himself out in the gap; a vote is late."""
    condemned, voter = who(day, "doctor"), who(day, "citizen")
    day.says(voter, red(f"Виновен {condemned}"), today(day))
    to(day, DAY_ENDS + 2 * MINUTE)
    day.pm(condemned, "покупаю защиту от петли")
    day.says(who(day, "citizen", 1), red(f"Виновен {voter}"), today(day))
    day.settle()
    assert coins(day, condemned) == 80
    assert "срок прошёл" in told(day, who(day, "citizen", 1))
    to(day, NEXT_OPENS + 2 * MINUTE)
    assert f"Казнь сорвалась: {condemned}." in public(day, "День №2")


def test_reminders_come_once_before_the_end_of_the_day(day: World) -> None:
    to(day, DAY_ENDS - MINUTE)
    citizen = who(day, "citizen")
    assert told(day, citizen).count("От вас ещё не пришло: голос.") == 1


def test_a_player_asks_what_he_has(day: World) -> None:
    citizen = who(day, "citizen")
    day.pm(citizen, "покупаю защиту от якудзы")
    day.says(citizen, red(f"Виновен {who(day, 'doctor')}"), today(day))
    day.settle()
    day.pm(citizen, "Сколько у меня монет и что за мной стоит?", subject="статус")
    day.settle()
    answer = told(day, citizen)
    assert "У вас: монеты 85, отложено под заказы 0, в складчинах 0, штраф 0." in answer
    assert "Вещи: защита от якудзы." in answer
    assert f"голос: {who(day, 'doctor')}" in answer.rpartition("Сейчас за вами стоит")[2]
    assert "заработано" not in answer


def test_h11_the_picture_of_the_votes_ends_where_the_table_stands(day: World) -> None:
    """Votes go on after the half-day; the desk's picture and its table are two views of one count."""
    first, second, third, fourth = NICKS[:4]

    def looks_alike() -> dict[str, float]:
        with day.store.read() as connection:
            row = record.load(connection, day.game)
            match = record.fold(connection, row)
            picture = series.votes_of_turn(connection, row, row.turn)
        table = {nick: weight for nick, weight, _ in counting.count(match, {}) if weight}
        assert picture[-1].votes == table
        return table

    day.says(first, red(f"Виновен {third}"), today(day))
    day.settle()
    assert looks_alike() == {third: 1}
    to(day, HALF + MINUTE)
    day.says(second, red(f"Виновен {third}"), today(day))
    day.says(fourth, red(f"Виновен {first}"), today(day))
    day.settle()
    assert looks_alike() == {third: 2, first: 1}
    to(day, DAY_ENDS + MINUTE)
    assert looks_alike() == {third: 2, first: 1}
