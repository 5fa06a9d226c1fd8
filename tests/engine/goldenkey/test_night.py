"""Lives, deaths, victory, newspaper and notices where a table of interaction does not show them (R1-R8, R55-R72)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Ended, Line, Lynched, Notice, Outcome, Rejected, Step
from engine.rulesets.goldenkey.state import Player
from engine.rulesets.goldenkey.victory import winner
from tests.engine.goldenkey.table import Turn, night, order, play, start, tables, vote

CAST: dict[str, Any] = {
    "K": "karabas",
    "D": "duremar",
    "A": "alisa",
    "S": "basilio",
    "B": "buratino",
    "M": "malvina",
    "R": "artemon",
    "P": "pierro",
    "L": "arlekin",
    "E": "papa_carlo",
    "G": "giuseppe",
    "T": "tortilla",
    "V": "villain",
    "C": "citizen",
}


def lost_notices(turn: Turn) -> list[tuple[str, str, int, int]]:
    return [(n.to, n.data["cause"], n.data["amount"], n.data["lives"]) for n in turn.notices("life_lost")]


def test_losses_add_up_in_the_order_of_the_blows_and_the_last_life_gives_the_credit() -> None:
    turn = night(CAST, order("R kill C"), order("B kill C"), order("V kill C"))
    assert turn.deaths == {"C": ("killer_attack", "B")}, "killer first, then buratino; artemon finds no life"
    assert turn.report_lines.count("Артемон убивает Горожанина") == 1
    assert lost_notices(turn) == [("C", "killer_attack", 2, 0)]


def test_a_role_loses_what_its_holder_really_lost_and_stops_at_zero() -> None:
    turn = night(CAST, order("B kill M"), order("V kill M"), order("R kill M"), state={"role_lives": {"malvina": 1}})
    assert turn.game.role_lives["malvina"] == 0
    assert "Мальвина - минус 1 жизнь (осталось 0)" in turn.report_lines
    two = night(CAST, order("B kill M"), order("V kill M"), order("R kill M"))
    assert "Мальвина - минус 2 жизни (осталось 1)" in two.report_lines


def test_the_killer_loses_a_life_with_his_performer_also_when_he_was_stopped() -> None:
    turn = night(CAST, order("V kill C"), order("A beat V"), order("B kill V"))
    assert turn.outcomes["killer"] == "beaten"
    assert turn.game.role_lives["killer"] == 3
    idle = night(CAST, order("B kill V"))
    assert idle.game.role_lives["killer"] == 4


def test_two_roles_of_one_holder_both_lose_a_life() -> None:
    cast = CAST | {"M": {"role": "malvina", "roles": ["malvina", "pierro"]}, "P": "citizen"}
    turn = night(cast, order("B kill M"))
    assert (turn.game.role_lives["malvina"], turn.game.role_lives["pierro"]) == (2, 1)


def test_a_lost_life_at_the_lynch_leaves_the_roles_alone() -> None:
    turn = play(start(CAST), [vote("C", "M")])
    assert turn.game.role_lives["malvina"] == 3
    assert [e.player for e in turn.all(Lynched)] == ["M"]
    assert turn.saved == {"M"}


def test_the_lynched_of_the_day_is_credited_to_the_lynch_even_when_he_is_hit_at_night() -> None:
    cast = CAST | {"C": {"role": "citizen", "lives": 1}}
    turn = play(start(cast, first_turn=4), [vote("B", "C"), order("B kill C")])
    assert turn.deaths == {"C": ("lynch", None)}
    assert turn.outcomes["buratino"] is None
    assert "Буратино убивает Горожанина" in turn.report_lines


@pytest.mark.parametrize(("spares", "lives"), [(True, 1), (False, 2)])
def test_papa_carlo_as_guest_of_a_struck_hostess(spares: bool, lives: int) -> None:
    turn = night(CAST, order("M invite E"), order("B kill M"), elder_hurt_as_guest=spares)
    assert turn.lives["E"] == lives
    assert turn.report_lines.count("Буратино убивает Горожанина") == (2 if spares else 1)
    assert ("E" in turn.saved) == spares


def test_who_counts_as_saved() -> None:
    turn = night(CAST, order("M invite C"), order("B kill C"), order("V kill E"), order("R kill M"), order("D guard C"))
    assert turn.saved == {"C", "E", "M"}, "V lost a life by a bad choice only; the guest was kept from his hostess's loss"
    guarded = night(CAST, order("M invite C"), order("R kill M"), order("D guard M"))
    assert guarded.saved == {"M"}, "nothing came through to the guest"


def test_the_newspaper_of_a_full_night() -> None:
    turn = play(
        start(CAST, first_turn=4),
        [
            vote("B", "C"),
            order("G attack B"),
            order("T attack G"),
            order("K recruit T"),
            order("L recruit C"),
            order("S spy M"),
            order("P spy C"),
            order("M invite C"),
            order("A beat C"),
            order("R beat L"),
            order("D guard M"),
            order("V kill M"),
        ],
    )
    assert turn.report.split("\n\n") == [
        "Итоги Линча:\nC - минус 1 жизнь",
        "Действия ролей:\n"
        "Джузеппе Сизый Нос: нападение нерезультативно\n"
        "Карабас-Барабас: вербовка - Маньяк, Черепаха Тортилла\n"
        "Арлекин: вербовка не результативна\n"
        "Кот Базилио: шпионаж - Горожанин, Мальвина\n"
        "Пьеро: шпионаж не результативен\n"
        "Мальвина: приглашение - Горожанин\n"
        "Лиса Алиса: избиение нерезультативно\n"
        "Артемон: избиение нерезультативно\n"
        "Дуремар: защита - Горожанин, Мальвина",
        "Убийства\nНеудачный выбор цели, Горожанин теряет 1 жизнь",
    ]


def test_the_killer_of_the_villains_goes_by_his_own_role() -> None:
    assert "Киллер Злодеев убивает Горожанина" in night(CAST, order("V kill C")).report_lines
    assert "Кот Базилио убивает Горожанина" in night(CAST, order("S kill C")).report_lines


def test_all_roles_of_tonight_are_shown_the_killer_included() -> None:
    turn = night(CAST, order("P spy A"), order("V kill C", by="A"))
    assert "Пьеро: шпионаж - Злодей, Лиса Алиса, Киллер Злодеев" in turn.report_lines
    assert turn.notices("spy_result")[0].data["roles"] == ("alisa", "killer")


def test_the_public_lines_hold_no_nick_but_of_the_lynched_and_the_dead() -> None:
    cast = {f"Ник{seat}": row for seat, row in CAST.items()}
    sent = ["НикB kill НикC", "НикV kill НикC", "НикM invite НикP", "НикA beat НикP", "НикS spy НикM", "НикK recruit НикG"]
    turn = play(start(cast, first_turn=4), [vote("НикB", "НикA"), *map(order, sent)])
    lines = [line for line in turn.all(Line) if line.section not in ("lynch", "dead")]
    assert len(lines) >= 6
    assert not any("Ник" in str(line.data) for line in lines)


def test_results_of_a_night_are_told_to_those_whom_they_concern() -> None:
    turn = night(CAST, order("K recruit G"), order("P spy B"), order("S spy L"), order("T attack S"), order("B kill E"))
    told = {(n.to, n.kind): dict(n.data) for n in turn.all(Notice) if n.kind != "role_assigned"}
    assert told == {
        ("K", "recruit_result"): {"target": "G", "result": "success", "role": "giuseppe", "faction": "villains"},
        ("P", "spy_result"): {"target": "B", "result": "success", "faction": "townsfolk", "roles": ("buratino",)},
        ("S", "spy_result"): {"target": "L", "result": "fail"},
        ("G", "joined_clan"): {"faction": "villains", "members": ("K", "D", "A", "S", "V")},
        **{(seat, "clan_joined"): {"player": "G"} for seat in ("K", "D", "A", "S", "V")},
        ("B", "life_lost"): {"cause": "bad_target", "amount": 1, "lives": 1},
    }


def test_a_recruit_of_the_town_learns_no_names() -> None:
    turn = night(CAST, order("L recruit G"), order("K recruit G"))
    assert [dict(n.data) for n in turn.notices("joined_clan")] == [{"faction": "townsfolk"}]
    assert turn.notices("clan_joined") == []
    assert [n.data["faction"] for n in turn.notices("recruit_result")] == ["townsfolk", "townsfolk"]
    assert turn.report.count("вербовка - Маньяк, Джузеппе Сизый Нос") == 2


def test_two_causes_make_two_notices() -> None:
    turn = night(CAST, order("B kill E"), order("V kill B"))
    assert sorted(lost_notices(turn)) == [("B", "bad_target", 1, 0), ("B", "killer_attack", 1, 0)]


def person(born: str, faction: str | None = None, alive: bool = True) -> Player:
    return Player("x", born, faction or born, (), 2 if alive else 0, alive)


V, T, M = "villains", "townsfolk", "maniacs"


@pytest.mark.parametrize(
    ("living", "expected"),
    [
        ([], "draw"),
        ([(V, V)], V),
        ([(V, V), (T, T)], V),
        ([(V, V), (V, V), (T, T), (T, T)], V),
        ([(V, V), (T, T), (T, T)], None),
        ([(V, V)] * 3 + [(T, T)] * 3, None),
        ([(V, V), (M, V), (T, T), (T, T)], V),
        ([(M, V), (T, T)], V),
        ([(M, V)], V),
        ([(V, V), (M, M)], None),
        ([(V, V), (V, V), (M, T)], None),
        ([(M, M)], M),
        ([(M, M), (T, T)], M),
        ([(M, M), (T, T), (T, T)], None),
        ([(M, M), (M, M), (T, T), (M, T)], M),
        ([(M, M), (M, V)], M),
        ([(M, M), (V, V)], None),
        ([(T, T)], T),
        ([(M, T)], T),
        ([(T, T), (T, T), (T, T), (M, V)], None),
    ],
)
def test_who_has_won(living: list[tuple[str, str]], expected: str | None) -> None:
    players = [person(born, faction) for born, faction in living] + [person(V, alive=False), person(M, alive=False)]
    assert winner(players, tables()) == expected


def test_a_joined_maniac_counts_as_a_mafioso_by_table_only() -> None:
    players = [person(M), person(M, V)]
    assert winner(players, tables(joined_counts_as_villain=True)) is None


def test_the_end_stops_the_deal_and_opens_all() -> None:
    cast = {"V": {"role": "villain", "lives": 1}, "B": "buratino", "C": "citizen", "G": {"role": "giuseppe", "alive": False}}
    turn = play(start(cast), [order("B kill V")])
    assert [e.winner for e in turn.all(Ended)] == ["townsfolk"]
    assert turn.game.players["B"].roles == ("buratino",)
    assert turn.report.endswith(
        "Победил клан: Горожане\n\nРоли игроков:\nV - Злодей\nB - Горожанин\nC - Горожанин\nG - Маньяк, Джузеппе Сизый Нос"
    )
    hidden = play(start(cast, reveal_at_end=False), [order("B kill V")])
    assert hidden.report.endswith("Победил клан: Горожане")


def test_nobody_left_is_a_draw() -> None:
    cast = {
        "V": {"role": "villain", "lives": 1},
        "B": {"role": "buratino", "lives": 1},
        "G": {"role": "giuseppe", "alive": False},
    }
    turn = play(start(cast), [order("B kill V"), order("V kill B")])
    assert turn.game.winner == "draw"
    assert "Игра окончена, ничья" in turn.report_lines


def test_standstill_counts_turns_in_a_row_and_any_change_starts_it_anew() -> None:
    game = start(CAST, quiet_turns=2)
    game = play(game, []).game
    assert game.quiet == 1
    game = play(game, [vote("C", "B")]).game
    assert game.quiet == 0
    game = play(game, []).game
    assert play(game, [order("K recruit G")]).game.quiet == 0
    assert play(game, []).game.winner == "draw"
    assert play(start(CAST, quiet_turns=0), []).game.winner is None


def test_everything_told_can_be_explained() -> None:
    """A rule and, where an order stands behind it, the order: for every line, notice, death and outcome."""
    turn = play(
        start(CAST, first_turn=4),
        [
            vote("C", "B"),
            order("B kill V"),
            order("V kill B"),
            order("M invite P"),
            order("A beat B"),
            order("T attack G"),
            order("C kill B"),
        ],
    )
    assert all(event.rule for event in turn.events), [event for event in turn.events if not event.rule]
    with_orders = [
        e for e in turn.events if isinstance(e, (Outcome, Rejected)) or getattr(e, "section", "") in ("actions", "kills")
    ]
    assert with_orders and all(event.refs for event in with_orders)
    (beaten,) = [e for e in turn.all(Step) if e.text_id == "beaten"]
    assert beaten.data["stopped_by"] == ("A",)
    assert beaten.refs == ("B kill V", "A beat B")
