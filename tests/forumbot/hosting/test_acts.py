"""What a host does, each with its undo: logged with who and when, part of the replay, taken back with one call."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from adapters.errors import Unreachable
from forumbot.hosting.core import record, seating
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import acts, deadlines, games, inputs, outbox, turns, verdicts
from tests.forumbot.hosting.hosts import does, refused, resolves, sent_to, undoes
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.world import DAY_ONE, World, count, make_world, roles, votes


def alive(world: World) -> set[str]:
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return set(match.ruleset.alive(match.game))


def factions(world: World) -> dict[str, str]:
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return {seat: state["faction"] for seat, state in match.ruleset.state(match.game).items()}


def doubtful(world: World, nick: str, text: str) -> int:
    """A post that is left to the host; gives the number of its verdict."""
    world.says(nick, text)
    world.settle()
    (row,) = world.rows(sa.select(verdicts).where(verdicts.c.author == nick, verdicts.c.outcome == "review"))
    return int(row["id"])


# Orders and readings -----------------------------------------------------------------------------------------------------


def test_an_accepted_review_counts_at_its_own_time_and_its_author_is_told(day: World) -> None:
    review = doubtful(day, "Анна", "[color=blue]Борис, Вера[/color]")
    assert votes(day) == {}
    act = does(day, "accept", verdict=review, choice=0)
    assert votes(day) == {"Борис": 1}
    assert sent_to(day, "Анна", "засчитано: голос: Борис")
    (row,) = day.rows(sa.select(acts).where(acts.c.id == act))
    assert (row["who"], row["kind"], row["done_at"]) == ("Хозяин", "accept", day.clock.now())
    undoes(day, act)
    assert votes(day) == {}
    assert day.value(sa.select(verdicts.c.outcome).where(verdicts.c.id == review)) == "review"


def test_a_review_may_be_accepted_after_the_lynch_while_the_newspaper_is_not_out(day: World) -> None:
    """S9: the vote stands before the count that was made at 21:00, and the count follows."""
    day.says("Вера", "[color=blue]Глеб[/color]")
    review = doubtful(day, "Анна", "[color=blue]Борис, Вера[/color]")
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(hours=1))
    act = does(day, "accept", verdict=review, choice=0)
    assert votes(day) == {"Борис": 1, "Глеб": 1}
    undoes(day, act)
    assert votes(day) == {"Глеб": 1}


def test_a_rejected_review_leaves_the_list_and_comes_back(day: World) -> None:
    review = doubtful(day, "Анна", "[color=blue]Борис, Вера[/color]")
    act = does(day, "reject", verdict=review)
    assert day.value(sa.select(verdicts.c.outcome).where(verdicts.c.id == review)) == "rejected"
    undoes(day, act)
    assert day.value(sa.select(verdicts.c.outcome).where(verdicts.c.id == review)) == "review"


def test_a_struck_vote_no_longer_counts(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    (vote,) = day.rows(sa.select(verdicts).where(verdicts.c.author == "Анна", verdicts.c.turn == 1))
    act = does(day, "strike", verdict=vote["id"])
    assert votes(day) == {}
    assert sent_to(day, "Анна", "не засчитано: голос: Борис")
    undoes(day, act)
    assert votes(day) == {"Борис": 1}


def test_an_order_entered_for_a_player_stands_in_the_replay(day: World) -> None:
    act = does(day, "order", player="Анна", action="vote", targets=["Борис"])
    assert votes(day) == {"Борис": 1}
    undoes(day, act)
    assert votes(day) == {}
    does(day, "order", player="Анна", action="vote", targets=["Вера"])
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    (turn,) = replay_game(day.store, day.game, "Europe/Moscow")
    assert turn.same
    assert "Вера - минус 1 жизнь" in turn.report


def test_a_vote_entered_in_the_night_stands_before_the_lynch(day: World) -> None:
    day.until(LYNCH + timedelta(hours=1), step=timedelta(hours=1))
    does(day, "order", player="Анна", action="vote", targets=["Борис"])
    assert votes(day) == {"Борис": 1}


def test_what_the_rules_refuse_is_refused_to_the_host_with_their_reason(day: World) -> None:
    assert "ещё рано" in refused(day, "order", player="Анна", action="spy", targets=["Борис"], args={"role": "alisa"})
    assert "нет действия" in refused(day, "order", player="Анна", action="fly", targets=["Борис"])
    assert "игрока «Никто» нет" in refused(day, "order", player="Никто", action="vote", targets=["Борис"])
    assert count(day, inputs, inputs.c.kind == "order") == 0


def test_a_forced_draw_is_made_as_forced(day: World) -> None:
    assert "жеребьёвки нет" in refused(day, "force", point="weather", values=["rain"])
    townsfolk = [seat for seat, faction in factions(day).items() if faction == "townsfolk"]
    act = does(day, "force", point="role_pierro", values=["Никто"])
    undoes(day, act)
    does(day, "force", point="role_pierro", values=[townsfolk[1]])
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(hours=1))
    for seat in townsfolk[:2]:
        day.pm(seat, "Заявка на роль: Пьеро")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    draws = day.value(sa.select(turns.c.draws).where(turns.c.turn == 1))
    assert [draw["picked"] for draw in draws if draw["forced"]] == [townsfolk[1]]


# The host's own actions -----------------------------------------------------------------------------------------------------


def test_a_removed_player_is_out_and_the_votes_for_him_are_void_with_a_word(day: World) -> None:
    """T32, T70: Анна had voted for Борис, and is told; Борис's own vote is gone."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.says("Борис", "[color=blue]Вера[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1, "Вера": 1}
    act = does(day, "remove", player="Борис")
    assert "Борис" not in alive(day)
    assert votes(day) == {}
    assert sent_to(day, "Анна", "не принят")
    day.settle()
    assert any("выбывает из игры" in text and "Борис" in text for text in day.forum.texts(day.forum.find("День 1")))
    undoes(day, act)
    assert "Борис" in alive(day)
    assert votes(day) == {"Борис": 1, "Вера": 1}
    assert sent_to(day, "Анна", "засчитано: голос: Борис")
    day.settle()
    assert any("остаётся в игре" in text and "Борис" in text for text in day.forum.texts(day.forum.find("День 1")))


def test_a_removal_that_nobody_has_heard_of_is_taken_back_in_silence(day: World) -> None:
    day.forum.failing = [Unreachable("502")] * 50
    act = does(day, "remove", player="Борис")
    undoes(day, act)
    day.forum.failing = []
    day.settle()
    assert not any("выбывает" in text or "остаётся" in text for text in day.forum.texts(day.forum.find("День 1")))


def test_only_what_the_rules_give_a_host_is_his(day: World) -> None:
    assert "среди них нет" in refused(day, "host", action="vote", player="Анна", targets=["Борис"])
    does(day, "host", action="host_remove", player="Борис")
    assert "это уже сделано" in refused(day, "host", action="host_remove", player="Борис")
    assert "выбыли" in refused(day, "remove", player="Борис")


def test_a_removal_is_part_of_the_newspaper_and_of_the_replay(day: World) -> None:
    does(day, "remove", player="Борис")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    (turn,) = replay_game(day.store, day.game, "Europe/Moscow")
    assert turn.same
    assert "Погибшие:\nБорис" in turn.report


def test_a_warning_is_told_and_taken_back(day: World) -> None:
    act = does(day, "warn", player="Анна", text="не пишите за мёртвых")
    day.settle()
    assert any("не пишите за мёртвых" in text for _, text in day.forum.pms_to("Анна"))
    undoes(day, act)
    assert sent_to(day, "Анна", "снял своё предупреждение")


def test_the_host_writes_to_a_player(day: World) -> None:
    does(day, "write", player="Анна", text="Кого вы имели в виду?")
    assert sent_to(day, "Анна", "Кого вы имели в виду?")


# Players --------------------------------------------------------------------------------------------------------------------


def test_a_replacement_takes_role_and_votes_and_the_old_account_loses_its_rights(day: World) -> None:
    """T23: votes for the old nick and the new one are votes for the seat."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    before = roles(day)["Борис"]
    act = does(day, "replace", player="Борис", nick="Раиса", uid=day.uid("Раиса"))
    assert roles(day)["Борис"] == before
    (told,) = sent_to(day, "Раиса", "вместо Борис")
    assert "ваш клан" in told
    day.says("Вера", "[color=blue]Раиса[/color]")
    day.says("Глеб", "[color=blue]Борис[/color]")
    day.says("Борис", "[color=blue]Анна[/color]")
    day.says("Раиса", "[color=blue]Павел[/color]")
    day.settle()
    assert votes(day) == {"Борис": 3, "Павел": 1}
    assert any("вместо Борис играет Раиса" in text for text in day.forum.texts(day.forum.find("День 1")))
    undoes(day, act)
    with day.store.read() as connection:
        assert seating.load(connection, day.game).holders["Борис"].uid == day.uid("Борис")
    day.settle()
    assert any("вместо Раиса играет Борис" in text for text in day.forum.texts(day.forum.find("День 1")))


def test_somebody_who_plays_cannot_replace(day: World) -> None:
    assert refused(day, "replace", player="Борис", nick="Анна", uid=day.uid("Анна")) == "этот участник уже играет"


def test_an_alias_means_a_player_until_it_is_taken_back(day: World) -> None:
    act = does(day, "alias", player="Борис", alias="Председатель")
    day.says("Анна", "[color=blue]Председатель[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1}
    assert "уже означает игрока Борис" in refused(day, "alias", player="Вера", alias="Председатель")
    undoes(day, act)
    with day.store.read() as connection:
        assert seating.load(connection, day.game).aliases == {}


def test_a_bound_address_brings_its_letters_in(day: World) -> None:
    """T45: a second address of a player; his letter waits until the host binds it."""
    day.mail.arrives("anna2@example.org", "голос", "заявка на роль: Пьеро")
    day.settle()
    assert count(day, verdicts, verdicts.c.channel == "letter") == 0
    act = does(day, "bind", player="Анна", address="anna2@example.org")
    day.settle()
    assert count(day, verdicts, verdicts.c.channel == "letter", verdicts.c.seat == "Анна") == 1
    undoes(day, act)
    with day.store.read() as connection:
        assert seating.load(connection, day.game).holders["Анна"].address is None


def test_the_host_signs_up_and_refuses_before_the_game(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """S10."""
    world = make_world(tmp_path, players=3)
    act = does(world, "seat", nick="Раиса", uid=world.uid("Раиса"))
    refusal = does(world, "unseat", player="Анна", text="похоже на второй ник")

    def present() -> set[str]:
        with world.store.read() as connection:
            return set(seating.load(connection, world.game).holders)

    assert present() == {"Борис", "Вера", "Раиса"}
    assert sent_to(world, "Анна", "похоже на второй ник")
    world.settle()
    undoes(world, act)
    undoes(world, refusal)
    assert sent_to(world, "Раиса", "вас больше нет")
    assert sent_to(world, "Анна", "вы в списке игроков")
    assert present() == {"Анна", "Борис", "Вера"}


# Time -----------------------------------------------------------------------------------------------------------------------


def lynch_due(world: World):  # type: ignore[no-untyped-def]
    return world.value(sa.select(deadlines.c.due_at).where(deadlines.c.name == "lynch", deadlines.c.turn == 1))


def test_a_pause_moves_every_open_deadline_by_its_length(day: World) -> None:
    due = lynch_due(day)
    act = does(day, "pause")
    assert "игра уже на паузе, с остановки в 12:" in refused(day, "pause")
    day.clock.sleep(3600 * 12)
    day.tick()
    assert day.value(sa.select(deadlines.c.done_at).where(deadlines.c.name == "lynch")) is None
    resumed = does(day, "resume")
    assert lynch_due(day) == due + timedelta(hours=12)
    undoes(day, resumed)
    assert lynch_due(day) == due
    assert day.value(sa.select(games.c.paused_at)) is not None
    undoes(day, act)
    assert day.value(sa.select(games.c.paused_at)) is None


def test_deadlines_are_extended_moved_and_put_back(day: World) -> None:
    due = lynch_due(day)
    act = does(day, "extend", hours=2.5)
    assert lynch_due(day) == due + timedelta(hours=2.5)
    undoes(day, act)
    assert lynch_due(day) == due
    number = day.value(sa.select(deadlines.c.id).where(deadlines.c.name == "lynch", deadlines.c.turn == 1))
    act = does(day, "move", deadline=number, at="2026-12-02T22:30:00")
    assert lynch_due(day) == DAY_ONE + timedelta(hours=10, minutes=30)
    undoes(day, act)
    assert lynch_due(day) == due


def test_resolve_now_resolves_the_next_deadline_and_not_a_reminder(day: World) -> None:
    assert "назовите срок" in refused(day, "resolve")
    resolves(day)
    day.clock.sleep(61)
    day.tick()
    assert day.value(sa.select(deadlines.c.done_at).where(deadlines.c.name == "lynch", deadlines.c.turn == 1)) is not None
    assert not any("скоро срок" in subject for _, _, subject, _ in day.forum.sent)


def test_an_act_is_undone_once(day: World) -> None:
    act = does(day, "order", player="Анна", action="vote", targets=["Борис"])
    undoes(day, act)
    assert refused(day, "undo", act=act).startswith("это действие уже отменено в 12:")


# The outbox -----------------------------------------------------------------------------------------------------------------


def put(world: World, body: str = "текст", state: str = "waiting") -> int:
    from forumbot.hosting.core import outbox as rows

    later = world.clock.now() + timedelta(days=1)
    with world.store.write() as connection:
        target = {"uid": 10, "nick": "Анна"}
        rows.put(connection, "x", "pm", target, "тема", body, game_id=world.game, priority=50, now=later, state=state)
    return int(world.value(sa.select(outbox.c.id).where(outbox.c.key == "x")))


def state_of(world: World, row: int) -> str:
    return str(world.value(sa.select(outbox.c.state).where(outbox.c.id == row)))


def test_texts_are_kept_edited_released_and_marked_as_posted(day: World) -> None:
    row = put(day)
    kept = does(day, "keep", outbox=row)
    assert state_of(day, row) == "held"
    edited = does(day, "edit", outbox=row, body="лучше так")
    assert day.value(sa.select(outbox.c.body).where(outbox.c.id == row)) == "лучше так"
    undoes(day, edited)
    assert day.value(sa.select(outbox.c.body).where(outbox.c.id == row)) == "текст"
    released = does(day, "release", outbox=row)
    assert state_of(day, row) == "waiting"
    undoes(day, released)
    assert state_of(day, row) == "held"
    undoes(day, kept)
    assert state_of(day, row) == "waiting"
    posted = does(day, "posted", outbox=row)
    day.settle()
    assert state_of(day, row) == "sent"
    assert day.forum.pms_to("Анна") == [pm for pm in day.forum.pms_to("Анна") if "текст" not in pm[1]]
    undoes(day, posted)
    assert state_of(day, row) == "waiting"


def test_a_failed_text_is_tried_again(day: World) -> None:
    row = put(day, state="failed")
    act = does(day, "retry", outbox=row)
    assert state_of(day, row) in ("waiting", "sent")
    assert act
    assert "уже отправлено" in refused(day, "edit", outbox=row, body="поздно")
    # A word to the host about the forum belongs to no game.
    with day.store.write() as connection:
        told = connection.execute(outbox.update().where(outbox.c.id == row).values(game_id=None, state="failed"))
    assert told.rowcount == 1
    assert "нет в исходящих" in refused(day, "edit", outbox=row, body="x")
    does(day, "retry", outbox=row)
    assert state_of(day, row) in ("waiting", "sent")


def test_another_games_rows_are_out_of_reach(day: World) -> None:
    assert "нет в исходящих" in refused(day, "edit", outbox=999_999, body="x")
    assert "нет в журнале" in refused(day, "accept", verdict=999_999)
    assert "записано неверно" in refused(day, "accept")
    assert "записано неверно" in refused(day, "extend", hours=1e12)
    assert count(day, turns) == 1


def test_a_wrong_act_is_logged_without_its_values(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forumbot.hosting.acts.acts.log", log := Mock())
    assert "anna@example.org" in refused(day, "extend", hours="anna@example.org")
    log.warning.assert_called_once()
    assert "anna" not in repr(log.mock_calls)


def test_an_impossible_forced_draw_does_not_stop_the_game(day: World) -> None:
    does(day, "force", point="role_pierro", values=["Никто"])
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(hours=1))
    for seat in [seat for seat, faction in factions(day).items() if faction == "townsfolk"][:2]:
        day.pm(seat, "Заявка на роль: Пьеро")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    day.settle()
    assert day.value(sa.select(turns.c.closed_at).where(turns.c.turn == 1)) is not None
    told = [text for _, text in day.mail.letters_to("owner@example.org") if "кому роль: Пьеро" in text]
    assert len(told) == 1
    assert "Жребий брошен как обычно" in told[0]


def test_a_failing_act_stops_nothing(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(seating, "bind_address", broken)
    assert "ошибка программы" in refused(day, "bind", player="Анна", address="anna@example.org")
    assert does(day, "alias", player="Борис", alias="Председатель")
