"""A whole game without a host: twenty players who vote, shoot, buy and order at random, from the deal to the pay-out."""

import random
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import bookings, deadlines, games, troubles
from forumbot.writing.writer import Writer, gather
from tests.forumbot.hosting.league.table import CLOSES, MINUTE, league, match, public, red, to
from tests.forumbot.hosting.world import NICKS, World, count

KEYS = {
    "mafioso": "Жертва",
    "yakuza": "Жертва",
    "ninja": "Жертва",
    "maniac": "Жертва",
    "commissioner": "Проверка",
    "sergeant": "Проверка",
    "doctor": "Лечение",
    "witness": "Слежка",
    "girl": "Визит",
    "judge": "Амнистия",
}
WITH_STORY = ("Жертва", "Проверка")
SHOP = ("защиту от мафии", "защиту от якудзы", "сеть невидимости", "защиту от петли", "дополнительный голос")


def moment(world: World, turn: int, name: str) -> datetime:
    found: datetime = world.value(sa.select(deadlines.c.due_at).where(deadlines.c.turn == turn, deadlines.c.name == name))
    return found


def everybody_moves(world: World, chance: random.Random, turn: int) -> None:
    played = match(world)
    topic = list(world.forum.topics)[-1]
    alive = list(played.ruleset.alive(played.game))
    state = played.ruleset.state(played.game)
    for nick in alive:
        target = chance.choice([other for other in alive if other != nick])
        if turn and chance.random() < 0.9:
            world.says(nick, red(f"Виновен {target}"), topic)
        if chance.random() < 0.3:
            world.says(nick, red(f"покупаю {chance.choice(SHOP)}"), topic)
        key = KEYS.get(state[nick]["role"])
        if key is not None:
            story = f"\nРассказ:\nПро то, как {target} гулял у реки." if key in WITH_STORY else ""
            world.pm(nick, f"{key}: {target}{story}")
        elif chance.random() < 0.5:
            shield = "скидываю 20 монет на щит некроманту"
            world.pm(nick, chance.choice((f"Заказ на убийство: {target}, 15 монет", "Заказ на охрану: 12 монет", shield)))
    world.settle()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder: Path = tmp_path_factory.mktemp("whole")
    world = league(folder, players=20, tables={"win": {"max_turns": 3}})
    chance = random.Random(3)
    to(world, CLOSES + MINUTE)
    for turn in range(4):
        if world.value(sa.select(games.c.stage)) != "turn":
            break
        everybody_moves(world, chance, turn)
        if turn:
            to(world, moment(world, turn, "half") + MINUTE)
            state = match(world).ruleset.state(match(world).game)
            hired = [nick for nick, one in state.items() if one["role"] == "mercenary" and one["alive"]]
            for nick in hired:
                world.pm(nick, "Работаю")
        to(world, moment(world, turn, "close") + 2 * MINUTE)
    return world


def test_it_comes_to_its_end_by_itself(played: World) -> None:
    assert played.value(sa.select(games.c.stage)) == "over"
    assert count(played, troubles) == 0
    assert all(turn.same for turn in replay_game(played.store, played.game, "Europe/Moscow"))
    assert played.waiting() == 0


def test_e02_the_end_tells_who_was_who_and_every_night(played: World) -> None:
    told = public(played, "Итоги партии")
    rules, writer = match(played), Writer(gather("league"), "Europe/Moscow")
    for nick, state in rules.ruleset.state(rules.game).items():
        assert re.search(rf"^\d+\. {nick} — .*{writer.word('roles', state['role'])}, ", told, re.MULTILINE)
    for turn in range(1, 4):
        assert f"[b]День {turn}[/b]" in told
    assert re.search(r"^\w+ \(маф\) → \w+: выстрел", told, re.MULTILINE)
    assert re.search(r"^\w+ — \d: \w+", told, re.MULTILINE)
    assert "[b]Счета[/b]" in told and "монеты: " in told
    assert "Кто кем был и как всё было: тема «" in public(played, "День №")


def test_every_report_lists_the_living_and_the_dead(played: World) -> None:
    reports = [text for topic in played.forum.topics for text in played.forum.texts(topic) if "мёртвые: " in text]
    assert len(reports) >= 3
    for text in reports:
        told = re.search(r"Живые: (\d+), мёртвые: (\d+)", text)
        assert told is not None
        roster = re.findall(r"^\d+\. .+$", text.replace("<br />", ""), re.MULTILINE)
        assert len(roster) == int(told[1]) + int(told[2])
        assert len([line for line in roster if line.endswith("]")]) == int(told[2])


def test_no_word_of_the_program_reaches_a_player(played: World) -> None:
    """Every id of the rules has its Russian word, in public and in letters."""
    written = public(played) + "\n".join(text for _, _, _, text in played.forum.sent)
    for markup in (r"<[^>]*>", r"\[/?\w+\]", r"host@example\.org", r"[A-Z0-9]{4}-[A-Z0-9]{4}"):
        written = re.sub(markup, "", written)
    assert re.findall(r"[A-Za-z_]{3,}", written) == []


def test_the_public_learns_no_customer_buyer_or_balance(played: World) -> None:
    """R118: the day topics' own price list is all that is said of coins."""
    said = [line for line in public(played).splitlines() if re.search("монет|заказ|купил|куплен", line, re.IGNORECASE)]
    allowed = ("Куплено: ", "[b]Голос[/b]", "[b]Покупки[/b]", "[b]Ходы, заказы", "Заказы наёмнику", "Сегодня не голосуют")
    assert [line for line in said if not line.startswith(allowed)] == []
    assert not [line for line in said if line.startswith("Куплено: ") and any(nick in line for nick in NICKS)]


def test_what_one_learns_is_told_to_him_alone(played: World) -> None:
    """T66: results go to the one whose role they belong to."""
    state = match(played).ruleset.state(match(played).game)
    owners = {"вы проверяли игрока": ("commissioner", "sergeant"), "вы были у игрока": ("girl",), "Берётесь?": ("mercenary",)}
    heard = 0
    for _, nick, _, text in played.forum.sent:
        for words, roles in owners.items():
            if words in text:
                heard += 1
                assert state[nick]["role"] in roles
    assert heard > 3


def test_all_money_is_accounted_for(played: World) -> None:
    """What everybody brought came back with what he earned, less what he spent."""
    game = match(played)
    home = game.ruleset.payout(game.game)  # type: ignore[attr-defined]
    query = sa.select(bookings.c.currency, sa.func.sum(bookings.c.amount)).group_by(bookings.c.currency)
    sums = {row["currency"]: row["sum_1"] for row in played.rows(query)}
    assert sums["coins"] == sum(coins for coins, _ in home.values())
    assert sums["games"] == 20
    assert timedelta(days=6) < played.clock.now() - CLOSES < timedelta(days=12)
