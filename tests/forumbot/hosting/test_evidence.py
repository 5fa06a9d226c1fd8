"""Who wrote it: what each kind of evidence lets a letter do, and how addresses, codes, nicks and barred accounts are kept."""

from __future__ import annotations

import itertools
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import bars
from forumbot.hosting.core.evidence import TABLE, Deed, Evidence, May, may
from forumbot.hosting.inbox import routing
from forumbot.hosting.inbox.routing import without_codes
from forumbot.reading import same_key
from forumbot.store.tables import holders, letters, outbox, questions, seats, verdicts
from tests.forumbot.hosting.hosts import day_one, does, refused, sent_to
from tests.forumbot.hosting.world import MONDAY, World, make_world, votes

OWNER = "owner@example.org"
ANNA, BORIS = "anna@home.example", "boris@home.example"
PASS = "Authentication-Results: mx.own.example; dmarc=pass header.from=home.example\r\n"
FAIL = "Authentication-Results: mx.own.example; dmarc=fail header.from=home.example; spf=fail smtp.mailfrom=evil.example\r\n"


def strict(world: World, *, authserv: str = "mx.own.example", unproven: str = "review") -> World:
    """The same site with its mail judged by the server's own word."""
    assert world.site.mail is not None
    mail = world.site.mail.model_copy(update={"authserv": authserv, "unproven": unproven})
    world.site = world.site.model_copy(update={"mail": mail})
    world.restart()
    return world


@pytest.fixture
def signup(tmp_path: Path) -> World:
    return make_world(tmp_path, players=4, signup={"closes": MONDAY + timedelta(days=6)})


def code(world: World, nick: str) -> str:
    return str(world.value(sa.select(holders.c.proof_code).where(holders.c.seat == nick, holders.c.until.is_(None))))


def address(world: World, nick: str) -> str | None:
    found = world.value(sa.select(holders.c.address).where(holders.c.seat == nick, holders.c.until.is_(None)))
    return None if found is None else str(found)


def proves(world: World, nick: str, sender: str, extra: str = "") -> None:
    world.mail.arrives(sender, "код", code(world, nick), extra=extra)
    world.settle()


def host_heard(world: World, words: str) -> int:
    return sum(words in f"{subject}\n{text}" for subject, text in world.mail.letters_to(OWNER))


# The table ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("evidence", "deed"), list(itertools.product(Evidence, Deed)))
def test_the_table_is_whole_and_says_what_the_host_was_told(evidence: Evidence, deed: Deed) -> None:
    """Nothing that a stranger can forge moves, asks for secrets or binds; the host is reached by everybody."""
    forgeable = {Evidence.MAIL_UNPROVEN, Evidence.MAIL_DENIED, Evidence.SHARED, Evidence.NOTHING}
    granted = TABLE[evidence][deed]
    if deed is Deed.TELL:
        assert granted is May.YES
    elif deed is Deed.MOVE:
        assert (granted is May.YES) is (evidence not in forgeable)
    elif deed is Deed.BIND:
        assert (granted is May.YES) is (evidence in (Evidence.CODE, Evidence.HOST))
    elif evidence is Evidence.MAIL_DENIED:
        assert granted is May.NO
    assert may(evidence, deed, accept_unproven=False) is granted


@pytest.mark.parametrize("evidence", Evidence)
def test_the_one_setting_lets_unproven_letters_move_and_nothing_else(evidence: Evidence) -> None:
    changed = {deed for deed in Deed if may(evidence, deed, accept_unproven=True) is not TABLE[evidence][deed]}
    assert changed == ({Deed.MOVE} if evidence is Evidence.MAIL_UNPROVEN else set())


# Letters whose origin is not proven (H06) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "unproven", "outcome", "routed"),
    [
        (PASS, "review", "accepted", "address"),
        (PASS, "accept", "accepted", "address"),
        ("", "review", "review", "unproven"),
        ("", "accept", "accepted", "address"),
        (FAIL, "review", "review", "denied"),
        (FAIL, "accept", "review", "denied"),
    ],
)
def test_h06_a_letter_moves_by_what_is_known_of_its_origin(
    tmp_path: Path, extra: str, unproven: str, outcome: str, routed: str
) -> None:
    day = strict(day_one(tmp_path), unproven=unproven)
    proves(day, "Анна", ANNA, PASS)
    day.clock.move_to(day.clock.now() + timedelta(hours=12))
    day.settle()
    before = len(day.mail.letters_to(ANNA))
    day.mail.arrives(ANNA, "ход", "Заявка на роль: Буратино", extra=extra)
    day.settle()
    (route,) = [row["routed"] for row in day.rows(sa.select(letters).order_by(letters.c.id.desc()).limit(1))]
    found = day.rows(sa.select(verdicts).where(verdicts.c.channel == "letter").order_by(verdicts.c.id.desc()).limit(1))
    assert (route, found[0]["outcome"]) == (routed, outcome)
    if outcome == "review":
        assert found[0]["reason"] == routed
        assert len(day.mail.letters_to(ANNA)) == before
        assert sent_to(day, "Анна", "Это вы писали?")
        day.pm("Анна", "1")
        day.settle()
        assert sent_to(day, "Анна", "Принято: заявка на роль (Буратино)")


def test_h06_the_default_is_safe(tmp_path: Path) -> None:
    from forumbot.settings import MailPart

    assert MailPart(address="a@b.example", imap_host="x", smtp_host="x").unproven == "review"


@pytest.mark.parametrize(("extra", "answered"), [(PASS, 1), (FAIL, 0)], ids=["proven", "denied"])
def test_h06_a_forged_letter_is_not_even_asked_about_which_game_it_is(
    signup: World, monkeypatch: pytest.MonkeyPatch, extra: str, answered: int
) -> None:
    """The player whose name it bears has not written it; the host hears of it."""
    world = strict(signup)
    monkeypatch.setattr(routing, "route", lambda *_, **__: routing.Route("which_game", games=("g1", "g2")))
    world.mail.arrives(ANNA, "ход", "лечу Веру", extra=extra)
    world.settle()
    assert len(world.mail.letters_to(ANNA)) == answered
    assert host_heard(world, "почтовый сервер не подтверждает") == 1 - answered


# One address, one player (H05) ------------------------------------------------------------------------------------------------


def test_h05_an_address_that_another_player_has_is_refused_with_a_word(signup: World) -> None:
    proves(signup, "Анна", ANNA)
    proves(signup, "Борис", ANNA)
    assert address(signup, "Борис") is None
    assert any("адрес уже занят" in subject for subject, _ in signup.forum.pms_to("Борис"))
    assert host_heard(signup, "один адрес двоим не привязывается") == 1
    assert "этот адрес уже у игрока Анна" in refused(signup, "bind", player="Борис", address=ANNA.upper())


def test_h05_a_letter_from_an_address_of_two_names_neither(day: World) -> None:
    with day.store.write() as connection:
        both = holders.c.seat.in_(("Анна", "Борис")), holders.c.until.is_(None)
        connection.execute(holders.update().where(*both).values(address=ANNA))
    day.mail.arrives(ANNA, "ход", "снимаю голос")
    day.settle()
    assert day.value(sa.select(letters.c.routed).order_by(letters.c.id.desc())) == "shared"
    (answer,) = [text for _, text in day.mail.letters_to(ANNA)]
    assert "не видно, кто из них пишет" in answer
    assert host_heard(day, "привязан у нескольких игроков") == 1


FOLDS = ("anna@ho\u017fe.example", "\u212aate@home.example", "stra\u00dfe@home.example", "\ufb01n@home.example")


@pytest.mark.parametrize("other", FOLDS)
def test_x02_an_address_that_only_folds_to_a_players_is_a_strangers(signup: World, other: str) -> None:
    """Who owns the one letter's domain or box need not own the other's."""
    world = strict(signup)
    bound = other.casefold()
    does(world, "bind", player="Анна", address=bound)
    domain = other.rpartition("@")[2]
    proof = f"Authentication-Results: mx.own.example; dmarc=pass header.from={domain}\r\n"
    world.mail.arrives(other, "ход", "лечу Веру", extra=proof)
    world.mail.arrives(bound.upper(), "ход", "лечу Веру", extra=proof.replace(domain, bound.rpartition("@")[2]))
    world.settle()
    found = [row["routed"] for row in world.rows(sa.select(letters).order_by(letters.c.id))]
    assert found[-2:] == ["unknown_sender", "address"]


# Codes (X04, P26) -------------------------------------------------------------------------------------------------------------


def test_a08_that_a_code_was_right_is_told_in_its_own_thread(signup: World) -> None:
    proves(signup, "Анна", ANNA)
    came = signup.value(sa.select(letters.c.message_id).where(letters.c.sender == ANNA))
    (told,) = signup.rows(sa.select(outbox.c.target).where(outbox.c.key.contains("/proven/")))
    assert came and told["target"]["reply_to"] == came


def test_a08_the_hosts_answer_stands_in_the_thread_of_the_question(tmp_path: Path) -> None:
    day = day_one(tmp_path)
    proves(day, "Анна", ANNA)
    day.mail.arrives(ANNA, "вопрос", "Скажите, а можно ли голосовать за себя?")
    day.settle()
    asked = day.rows(sa.select(letters.c.message_id).where(letters.c.sender == ANNA).order_by(letters.c.id.desc()))[0]
    does(day, "answer", question=day.value(sa.select(questions.c.id)), text="Можно")
    answers = sa.select(outbox.c.target).where(outbox.c.kind == "letter", outbox.c.key.contains("act"))
    (told,) = day.rows(answers)
    assert told["target"]["reply_to"] == asked["message_id"]


def test_x04_a_code_works_once(signup: World) -> None:
    old = code(signup, "Анна")
    proves(signup, "Анна", ANNA)
    signup.mail.arrives("thief@evil.example", "код", old)
    signup.settle()
    assert address(signup, "Анна") == ANNA
    assert any("уже не действует" in text for _, text in signup.mail.letters_to("thief@evil.example"))


def test_x04_a_code_ends_by_itself(signup: World) -> None:
    signup.until(MONDAY + timedelta(days=4), step=timedelta(hours=12))
    proves(signup, "Анна", ANNA)
    assert address(signup, "Анна") is None
    signup.pm("Анна", "код")
    signup.settle()
    proves(signup, "Анна", ANNA)
    assert address(signup, "Анна") == ANNA


def test_x04_a_code_in_a_letter_that_is_denied_binds_nothing_and_is_spent(signup: World) -> None:
    strict(signup)
    proves(signup, "Анна", ANNA, FAIL)
    assert address(signup, "Анна") is None
    assert code(signup, "Анна") == ""


def test_x04_every_binding_is_told_to_the_account_with_a_way_back(signup: World) -> None:
    proves(signup, "Анна", ANNA)
    does(signup, "bind", player="Борис", address=BORIS)
    signup.settle()
    for nick in ("Анна", "Борис"):
        (told,) = [text for subject, text in signup.forum.pms_to(nick) if "адрес для писем привязан" in subject]
        assert "Отвяжите мою почту" in told
        signup.pm(nick, "Отвяжите мою почту")
        signup.settle()
        assert address(signup, nick) is None
    assert host_heard(signup, "отвязал адрес") == 2


def test_x04_codes_are_masked_for_every_eye() -> None:
    assert without_codes("код ABCD-EF23, и всё") == "код ••••-••••, и всё"
    assert without_codes("Санкт-Петербург, 1234-5678, abcd-efgh") == "Санкт-Петербург, 1234-5678, abcd-efgh"


def test_p26_leaving_is_answered_and_the_old_code_says_that_it_is_old(signup: World) -> None:
    old = code(signup, "Анна")
    thread = signup.forum.find("Запись")
    signup.says("Анна", "снимаюсь с игры", thread)
    signup.settle()
    assert any("вы выписаны" in subject for subject, _ in signup.forum.pms_to("Анна"))
    signup.says("Анна", "играю", thread)
    signup.settle()
    signup.mail.arrives(ANNA, "код", old)
    signup.settle()
    assert any("приходит новый" in text for _, text in signup.mail.letters_to(ANNA))


def test_a_code_that_ended_is_told_to_its_account_too_once(signup: World) -> None:
    """Where the sender may be given no answer, the player would never hear why his letters do not count."""
    old = code(signup, "Анна")
    strict(signup)
    signup.until(signup.clock.now() + timedelta(days=4), step=timedelta(hours=8))
    for _ in range(2):
        signup.mail.arrives(ANNA, "код", old, extra=FAIL)
        signup.settle()
    told = [text for subject, text in signup.forum.pms_to("Анна") if "код уже не действует" in subject]
    assert len(told) == 1
    assert "a***@home.example" in told[0]
    assert address(signup, "Анна") is None


# Strangers (X14) --------------------------------------------------------------------------------------------------------------


def test_x14_forged_strangers_draw_few_answers_and_one_letter_to_the_host(signup: World) -> None:
    for number in range(60):
        signup.mail.arrives(f"victim{number}@elsewhere.example", "привет", "где моя роль?")
    signup.settle()
    answers = signup.value(sa.select(sa.func.count()).select_from(outbox).where(outbox.c.key.startswith("stranger/")))
    assert answers == 20
    assert host_heard(signup, "Письмо от незнакомца") == 1


# Nicks (X16, H20) and barred accounts -------------------------------------------------------------------------------------------


def test_x16_a_rename_to_a_look_alike_takes_nobodys_votes(day: World) -> None:
    thread = day.forum.find("День")
    day.forum.says(thread, day.uid("Борис"), "Аннa", "привет")
    day.settle()
    day.says("Вера", "[color=blue]Анна[/color]")
    day.settle()
    assert votes(day) == {"Анна": 1}
    assert host_heard(day, "неотличимым от ника игрока Анна") == 1


ALIKE = ("Αнна", "Аннɑ", "Анна\u3164", "\u115fАнна", "Анна\u2800", "Анна\ufe0f", "Анна\u0323", "Ａнна", "𝐀нна", "АННА",
         "Ан\u2060на")  # fmt: skip


@pytest.mark.parametrize("nick", ALIKE)
def test_x16_no_other_alphabet_or_unseen_sign_makes_another_nick(day: World, nick: str) -> None:
    day.forum.says(day.forum.find("День"), day.uid("Борис"), nick, "привет")
    day.settle()
    day.says("Вера", "[color=blue]Анна[/color]")
    day.settle()
    assert votes(day) == {"Анна": 1}
    assert host_heard(day, "неотличимым от ника игрока Анна") == 1


DRAWN = (("Ivan", "lvan"), ("Player1", "PlayerI"), ("Ｉlya", "llya"), ("Kot", "Κοτ"), ("pes", "реѕ"))


@pytest.mark.parametrize(("one", "other"), DRAWN)
def test_x16_signs_that_are_drawn_alike_are_one(one: str, other: str) -> None:
    assert same_key(one, other)
    assert not same_key("Андрей", "Андреи") and not same_key("Илья", "Ивья") and not same_key("Tom", "Tim")


@pytest.mark.parametrize("nick", ["Beдyщий", "Ведущий\u3164", "ВЕДУЩИЙ", "Ведущ\u2060ий"])
def test_x16_nobody_takes_the_hosts_name(day: World, nick: str) -> None:
    """The bot's own account bears it here: whose word it is must be seen."""
    day.forum.says(day.forum.find("День"), day.uid("Борис"), nick, "Победили мирные жители")
    day.settle()
    assert "Борис" in [row["nick"] for row in day.rows(sa.select(holders).where(holders.c.until.is_(None)))]
    assert host_heard(day, "неотличимым от ника ведущего Ведущий") == 1


def test_x16_nobody_signs_up_under_a_name_like_the_hosts(tmp_path: Path) -> None:
    signup = make_world(tmp_path, players=4, hosts=["Судья"], signup={"closes": MONDAY + timedelta(days=6)})
    signup.forum.says(signup.forum.find("Запись"), 700, "Cудья", "играю")
    signup.settle()
    assert signup.value(sa.select(seats.c.id).where(seats.c.seat == "Cудья")) is None
    assert host_heard(signup, "Cудья не записан") == 1


def test_x16_two_who_take_one_name_at_once_do_not_both_get_it(day: World) -> None:
    thread = day.forum.find("День")
    day.forum.says(thread, day.uid("Борис"), "Зорро", "привет")
    day.forum.says(thread, day.uid("Вера"), "Зоррo", "и я")
    day.forum.says(thread, day.uid("Борис"), "Зорро", "ещё раз")
    day.settle()
    names = [row["nick"] for row in day.rows(sa.select(holders).where(holders.c.until.is_(None)).order_by(holders.c.id))]
    assert "Зорро" in names and "Зоррo" not in names and "Вера" in names
    assert host_heard(day, "теперь пишет под ником Зорро") == 1
    day.says("Глеб", "[color=blue]Зорро[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1} or votes(day) == {"Зорро": 1}


def test_h20_a_look_alike_is_logged_as_refused_and_the_host_hears(signup: World) -> None:
    signup.forum.says(signup.forum.find("Запись"), 700, "Аннa", "играю")
    signup.settle()
    (row,) = signup.rows(sa.select(verdicts).where(verdicts.c.author == "Аннa"))
    assert (row["outcome"], row["reason"]) == ("rejected", "lookalike")
    assert host_heard(signup, "Аннa не записан") == 1
    assert any("не записаны" in subject or "неотличим" in text for subject, text in signup.forum.pms_to("Аннa"))


def test_a_barred_account_is_refused_with_a_word_to_both_until_it_is_lifted(signup: World) -> None:
    thread = signup.forum.find("Запись")
    with signup.store.write() as connection:
        number = bars.bar(connection, "Яна", 800, MONDAY + timedelta(days=30), "подсказки", "Хозяин", signup.clock.now())
    signup.forum.says(thread, 800, "Яна под другим ником", "играю")
    signup.settle()
    assert signup.value(sa.select(seats.c.id).where(seats.c.seat == "Яна под другим ником")) is None
    assert any("подсказки" in text for _, text in signup.forum.pms_to("Яна под другим ником"))
    assert host_heard(signup, "не записан") == 1
    with signup.store.write() as connection:
        assert [row["id"] for row in bars.standing(connection, signup.clock.now())] == [number]
        assert bars.lift(connection, number, signup.clock.now())
    signup.forum.says(thread, 800, "Яна под другим ником", "играю")
    signup.settle()
    assert signup.value(sa.select(seats.c.state).where(seats.c.seat == "Яна под другим ником")) == "in"


# Sign-ups that are gone (P08) -------------------------------------------------------------------------------------------


def test_p08_a_sign_up_that_a_moderator_deleted_is_a_question_to_the_host(signup: World) -> None:
    thread = signup.forum.find("Запись")
    (post,) = [post.id for post in signup.forum.topics[thread].posts if post.author == "Анна"]
    signup.forum.deletes(thread, post)
    signup.until(MONDAY + timedelta(days=6, hours=1), step=timedelta(hours=12))
    (row,) = signup.rows(sa.select(questions))
    assert (row["author"], row["kind"]) == ("Анна", "vanished_signup")
    assert any("исчезло" in subject for subject, _ in signup.forum.pms_to("Анна"))


@pytest.mark.parametrize("text", ["не играю, передумала", "-1", "Увы, не смогу", "— 1, извините", "Ребят, на этот раз без меня"])
def test_p08_not_playing_after_all_is_a_withdrawal(signup: World, text: str) -> None:
    signup.says("Анна", text, signup.forum.find("Запись"))
    signup.settle()
    assert signup.value(sa.select(seats.c.state).where(seats.c.seat == "Анна")) == "out"


@pytest.mark.parametrize("text", ["Не смогу прочитать правила до вечера", "Раньше девяти не успею, но играю", "- Привет всем"])
def test_p08_who_only_talks_stays_signed_up(signup: World, text: str) -> None:
    signup.says("Анна", text, signup.forum.find("Запись"))
    signup.settle()
    assert signup.value(sa.select(seats.c.state).where(seats.c.seat == "Анна")) == "in"


def test_questions_before_the_game_are_answered_or_passed_on(signup: World) -> None:
    signup.pm("Анна", "До какого часа запись?")
    signup.pm("Борис", "Ведущий, можно вопрос? Новичкам дадут роль полегче?")
    signup.settle()
    assert "Запись до" in signup.forum.pms_to("Анна")[-1][1]
    assert "Передано ведущему" in signup.forum.pms_to("Борис")[-1][1]
