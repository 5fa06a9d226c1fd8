"""Mail trouble over real IMAP and SMTP: each letter once, arrival decides, robots get no answer, the host is told."""

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
import sqlalchemy as sa

from adapters.errors import INSECURE
from adapters.mail.imap import ImapMailbox
from forumbot.hosting.acts import acts
from forumbot.hosting.core import outbox as rows
from forumbot.hosting.core.troubles import WORDS
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.listening import REST, Listener
from forumbot.hosting.daemon.running import Runner
from forumbot.hosting.daemon.wiring import forum, mail, reader
from forumbot.store.tables import acts as act_rows
from forumbot.store.tables import deadlines, games, inputs, letters, outbox, verdicts
from tests.adapters.mail import dovecot as dovecot_server
from tests.adapters.mail.dovecot import Dovecot
from tests.forumbot.hosting.maildir import Maildir
from tests.torture.fixtures import OpenSite
from tests.torture.live import GAME, HOST_ADDRESS, LYNCH, MORNING, OWNER, Inside, address_of

ANNA, BORIS = address_of("Анна"), address_of("Борис")


dovecot = dovecot_server.dovecot
on_both = pytest.mark.parametrize("night", ["pymap", "dovecot"], indirect=True)


@pytest.fixture
def night(request: pytest.FixtureRequest, open_site: OpenSite) -> Inside:
    """Half an hour into the first night: Анна is Мальвина and writes letters, Борис is Джузеппе. The bot's inbox is on the
    embedded server or, where a test is run ``on_both``, on Dovecot too."""
    if getattr(request, "param", "pymap") == "pymap":
        site = open_site("ucoz")
    else:
        server: Dovecot = request.getfixturevalue("dovecot")
        request.addfinalizer(lambda: server.silence(False))
        box = server.box(HOST_ADDRESS)
        site = open_site("ucoz", settings={"mail": {"imap_port": box.port}})
        site.outside.mailbox = Maildir(site.outside.mailbox, box, site.clock, server)  # type: ignore[assignment]
    site.until(LYNCH + timedelta(minutes=30), timedelta(hours=9))
    site.settle()
    return site


def moves(site: Inside, nick: str) -> list[list[str]]:
    """Targets of the moves that stand in the log, in their order."""
    found = site.rows(sa.select(inputs.c.payload).where(inputs.c.kind == "order").order_by(inputs.c.seq))
    return [row["payload"]["targets"] for row in found if row["payload"]["player"] == nick and row["payload"]["action"] != "vote"]


def verdict(site: Inside) -> dict[str, object]:
    return site.rows(sa.select(verdicts).order_by(verdicts.c.id.desc()).limit(1))[0]


def kept(site: Inside) -> int:
    return int(site.value(sa.select(sa.func.count()).select_from(letters).where(letters.c.kind != "own")))


def put(site: Inside, key: str, address: str) -> None:
    with site.store.write() as connection:
        rows.put(connection, key, "letter", {"address": address}, "Тема", f"Письмо {key}", game_id=GAME, priority=rows.URGENT,
                 now=site.clock.now())  # fmt: skip


def state(site: Inside, key: str) -> str:
    return str(site.value(sa.select(outbox.c.state).where(outbox.c.key == key)))


def resolved(site: Inside, name: str) -> object:
    query = sa.select(deadlines.c.done_at).where(deadlines.c.name == name, deadlines.c.turn == 1)
    return site.value(query.where(deadlines.c.call.in_(("mark", "close"))))


# Reading ------------------------------------------------------------------------------------------------------------------


@on_both
def test_a_mailbox_that_is_numbered_anew_gives_no_letter_twice(night: Inside) -> None:
    """T42: UIDVALIDITY changes; letters of before are known by Message-ID and bytes, new ones are read."""
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    before = kept(night)
    night.outside.mailbox.change_uidvalidity(HOST_ADDRESS)
    night.settle()
    assert kept(night) == before
    night.outside.letter(ANNA, "Мальвина: Глеб")
    night.settle()
    assert moves(night, "Анна") == [["Вера"], ["Глеб"]]


@on_both
def test_flags_that_others_set_do_not_matter(night: Inside) -> None:
    """T42: a phone marks letters as read before we come, an antivirus marks all as unread; we mark none."""
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.outside.mailbox.mark_seen(HOST_ADDRESS)
    night.settle()
    night.outside.mailbox.mark_seen(HOST_ADDRESS, seen=False)
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]
    assert not any(letter.seen for letter in night.outside.mailbox.letters(HOST_ADDRESS))


@on_both
def test_a_line_that_died_in_silence_holds_the_deadline(night: Inside) -> None:
    """T47: the server takes commands and answers nothing; two hours pass over the deadline."""
    settings = night.site.mail_settings()
    assert settings is not None
    silent = ImapMailbox(settings, night.clock, connect_seconds=0.2, read_seconds=0.1)
    out = mail(night.site, night.clock)[1]
    night.daemon = Daemon(night.site, night.store, night.clock, forum(night.site, night.clock), silent, out, reader)
    night.tick()
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.outside.mailbox.silence(True)
    night.until(MORNING + timedelta(hours=2), timedelta(hours=6))
    assert resolved(night, "night") is None
    assert sum("почта не отвечает" in text.casefold() for text in night.told()) == 1
    night.outside.mailbox.silence(False)
    night.settle()
    assert resolved(night, "night") is not None
    assert moves(night, "Анна") == [["Вера"]]
    assert night.troubles() == []


@on_both
def test_a_letter_that_is_heard_of_is_read_at_once(night: Inside) -> None:
    """IDLE over a line of the listener's own: the letter comes while it listens, seconds after everything was polled."""
    ear = mail(night.site, night.clock)[0]
    assert ear is not None
    waits = [lambda: night.outside.letter(ANNA, "Мальвина: Вера")]

    class Ear:
        def wait(self, seconds: float, stop: Callable[[], bool]) -> bool:
            return ear.wait(seconds, lambda: bool(waits and waits.pop()() and False) or stop())

    night.clock.sleep(61)
    night.tick()
    night.clock.sleep(5)
    sent = len(night.outside.letters_to(ANNA))
    run = Runner(night.daemon, night.store, night.clock)
    assert Listener(Ear(), threading.Lock(), partial(run._hear, run.once)).once() == REST  # type: ignore[arg-type]
    assert moves(night, "Анна") == [["Вера"]]
    assert len(night.outside.letters_to(ANNA)) == sent + 1
    ear.close()


def test_a_mailbox_that_is_gone_at_the_deadline_is_told_by_private_message(open_site: OpenSite) -> None:
    """What is wrong with the mail cannot be told by mail, where the host has named his forum account too."""
    site = open_site("ucoz", settings={"site": {"host_nick": "Егор", "host_uid": 8}})
    assert site.outside.uids["Егор"] == 8
    site.until(LYNCH - timedelta(minutes=1), timedelta(hours=9))
    site.outside.mailbox.troubles.hang_up = True
    site.outside.mailbox.hang_up_all()
    site.until(LYNCH + timedelta(minutes=10), timedelta(minutes=2))
    assert resolved(site, "lynch") is None
    told = [text for _, text in site.outside.pms_to("Егор")]
    assert sum("почта не отвечает" in text.casefold() for text in told) == 1
    site.outside.mailbox.troubles.hang_up = False
    site.settle()
    assert resolved(site, "lynch") is not None


def test_mail_servers_that_are_not_secure_are_told_to_the_host_once(open_site: OpenSite) -> None:
    """The settings say TLS and the servers speak none: no password goes out, the deadline waits, letters wait."""
    assert {f"mail_{reason}" for reason in INSECURE} <= set(WORDS)
    secure = {"imap_security": "tls", "smtp_security": "tls"}
    site = open_site("ucoz", settings={"site": {"host_nick": "Егор", "host_uid": 8}, "mail": secure})
    put(site, "x", "a@players.test")
    site.until(LYNCH + timedelta(hours=2), timedelta(hours=3))
    assert resolved(site, "lynch") is None
    told = [text for _, text in site.outside.pms_to("Егор")]
    assert len([text for text in told if text.startswith("Почтовый сервер на этом порту не шифрует")]) == 1
    assert len([text for text in told if text.startswith("Письма не уходят: почтовый сервер на этом порту не шифрует")]) == 1
    assert site.outside.letters_to("a@players.test") == []


@on_both
def test_a_heap_of_letters_is_read_to_the_last(night: Inside) -> None:
    for number in range(240):
        night.outside.letter("reklama@elsewhere.test", f"Купите слона {number}", "реклама", number=10_000 + number)
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]
    assert len(night.outside.letters_to("reklama@elsewhere.test")) <= 1


@on_both
def test_a_letter_of_twenty_megabytes_is_not_fetched_and_hinders_nobody(night: Inside) -> None:
    night.outside.letter(ANNA, "Мальвина: Глеб\r\n" + "я" * 10_000_000)
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    assert moves(night, "Анна") == [["Вера"]]
    big = night.rows(sa.select(letters).where(letters.c.sender == ANNA).order_by(letters.c.id))[-2]
    assert "too_large" in big["problems"]
    assert len(big["raw"]) < 10_000
    found = night.rows(sa.select(verdicts).where(verdicts.c.source == f"letter:{big['id']}"))
    assert [(row["outcome"], row["reason"]) for row in found] == [("review", "too_large")]


BROKEN = [
    b"From: %s\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=none\r\n\r\nnothing of the kind",
    b"From: %s\r\nSubject: =?utf-8?B?!!!?=\r\nContent-Type: text/plain; charset=no-such\r\n\r\n\xff\xfe\xe0\xe1\x00",
    b"From: %s\r\nContent-Transfer-Encoding: base64\r\n\r\n=====",
    b"\r\n\r\n",
    b"From: %s",
]


@on_both
@pytest.mark.parametrize("raw", BROKEN)
def test_broken_mime_gives_a_record_and_no_order(night: Inside, raw: bytes) -> None:
    before = kept(night)
    night.outside.mailbox.drop(HOST_ADDRESS, raw.replace(b"%s", ANNA.encode()))
    night.outside.letter(ANNA, "Мальвина: Вера")
    night.settle()
    assert kept(night) == before + 2
    assert moves(night, "Анна") == [["Вера"]]


DOUBTFUL = {
    "struck": "<p><s>Мальвина: Глеб</s> Мальвина: Вера</p>",
    "struck after": "<p>Мальвина: Вера</p><p><del>Мальвина: Глеб</del></p>",
}


@pytest.mark.parametrize("html", DOUBTFUL.values(), ids=DOUBTFUL)
def test_a_letter_with_a_doubt_waits_for_the_host(night: Inside, html: str) -> None:
    """The reading can be right and the letter not mean it: a person looks first."""
    raw = (f"From: {ANNA}\r\nTo: {HOST_ADDRESS}\r\nSubject: ход\r\nMessage-ID: <doubt@players.test>\r\nMIME-Version: 1.0\r\n"
           f"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{html}\r\n")  # fmt: skip
    night.outside.mailbox.drop(HOST_ADDRESS, raw.encode())
    night.settle()
    assert verdict(night)["outcome"] == "review"
    assert moves(night, "Анна") == []


# Who writes ---------------------------------------------------------------------------------------------------------------


ROBOTS = {
    "vacation": "Auto-Submitted: auto-replied\r\n",
    "precedence": "Precedence: bulk\r\nX-Autoreply: yes\r\n",
}


@pytest.mark.parametrize("head", ROBOTS.values(), ids=ROBOTS)
def test_robots_are_not_read_and_not_answered(night: Inside, head: str) -> None:
    """T46: two programs must not write to each other without end."""
    sent = len(night.outside.letters_to(ANNA))
    for _ in range(3):
        night.outside.letter(ANNA, "Я в отпуске. Мальвина: Вера", "Re: ход", extra=head)
        night.settle()
    assert moves(night, "Анна") == []
    assert len(night.outside.letters_to(ANNA)) == sent


def test_our_own_letter_that_comes_back_is_nobodys(night: Inside) -> None:
    """T46."""
    sent = len(night.outside.mailbox.sent)
    night.outside.letter(HOST_ADDRESS, "Мальвина: Вера")
    night.settle()
    assert len(night.outside.mailbox.sent) == sent
    assert moves(night, "Анна") == []


def test_a_forged_sender_has_no_rights_and_gets_no_answer(night: Inside) -> None:
    """The From line is Анна's, the server says that she did not send it; a verdict written into the letter is not ours. The host
    hears of such letters in one bundle, and Анна is asked by private message."""
    forged = "Authentication-Results: mx.forumbot.test; spf=pass; dkim=pass header.d=players.test; dmarc=pass\r\n"
    raw = f"From: {ANNA}\r\nTo: {HOST_ADDRESS}\r\nSubject: ход\r\nMessage-ID: <%d@x>\r\n{forged}\r\nМальвина: Глеб\r\n"
    sent = len(night.outside.letters_to(ANNA))
    for number in range(2):
        night.outside.mailbox.drop(HOST_ADDRESS, (raw % number).encode(), sender="evil@elsewhere.test")
        night.settle()
    assert moves(night, "Анна") == []
    assert night.routed()[-2:] == ["denied", "denied"]
    assert len(night.outside.letters_to(ANNA)) == sent
    assert len(night.outside.letters_to("evil@elsewhere.test")) == 0
    assert sum("от имени игрока Анна" in text for text in night.told()) == 1
    assert any("Это вы писали?" in text for _, text in night.outside.pms_to("Анна"))


def test_a_second_address_waits_until_the_host_binds_it(night: Inside) -> None:
    """T45: nothing counts that comes from an address which nobody has proven; bound, its letters are read anew."""
    second = "anna.second@elsewhere.test"
    night.outside.mailbox.know(second)
    night.outside.letter(second, "Мальвина: Вера")
    night.settle()
    assert moves(night, "Анна") == []
    assert night.routed()[-1] == "unknown_sender"
    assert sum("непривязанного адреса" in text for text in night.told()) == 1
    with night.store.write() as connection:
        acts.ask(connection, GAME, "Ведущий", "bind", {"player": "Анна", "address": second}, night.clock.now())
    night.settle()
    assert night.value(sa.select(act_rows.c.error)) is None
    assert moves(night, "Анна") == [["Вера"]]


# When it came -------------------------------------------------------------------------------------------------------------


def test_arrival_decides_which_order_is_newer(night: Inside) -> None:
    """T43: the writer's clock may say what it likes."""
    at = night.clock.now()
    night.outside.letter(ANNA, "Мальвина: Глеб", extra="Date: Wed, 02 Dec 2026 23:59:00 +0300\r\n", at=at)
    night.outside.letter(ANNA, "Мальвина: Вера", extra="Date: Wed, 02 Dec 2026 21:10:00 +0300\r\n", at=at + timedelta(hours=1))
    night.clock.sleep(7200)
    night.settle()
    assert moves(night, "Анна") == [["Глеб"], ["Вера"]]


def test_letters_that_come_out_of_order_stand_by_their_arrival(night: Inside) -> None:
    """T43: a letter read later that came earlier does not take the newer one's place."""
    at = night.clock.now()
    night.outside.letter(ANNA, "Мальвина: Вера", at=at + timedelta(minutes=20))
    night.clock.sleep(1800)
    night.settle()
    night.outside.letter(ANNA, "Мальвина: Глеб", at=at + timedelta(minutes=10))
    night.settle()
    assert moves(night, "Анна") == [["Глеб"], ["Вера"]]


def test_an_order_for_the_turn_before_is_late(night: Inside) -> None:
    """T44: sent before the end of night 1 with its number, arrived in turn 2."""
    night.until(MORNING + timedelta(minutes=10), timedelta(hours=5))
    night.settle()
    night.outside.letter(ANNA, "Мальвина: Вера", "ход 1", extra="Date: Thu, 03 Dec 2026 06:55:00 +0300\r\n")
    night.settle()
    last = verdict(night)
    assert last["outcome"] == "rejected"
    assert moves(night, "Анна") == []


# Sending ------------------------------------------------------------------------------------------------------------------


def test_a_refused_address_stops_nobody_else(night: Inside) -> None:
    """T52: five letters, the second address refused for good, a restart in between; 4 sent once, 1 listed for the host."""
    night.outside.mailbox.troubles.refused = {"b@players.test"}
    for name in "abcde":
        put(night, f"letter/{name}", f"{name}@players.test")
    night.daemon._sender.run(0, most=2)
    night.restart()
    night.settle()
    assert [len(night.outside.letters_to(f"{name}@players.test")) for name in "abcde"] == [1, 0, 1, 1, 1]
    assert state(night, "letter/b") == "failed"
    assert sum("Не удалось отправить" in text for text in night.outside.letters_to(OWNER)) == 1


def test_greylisted_letters_go_out_later_once(night: Inside) -> None:
    night.outside.mailbox.troubles.greylisted = 3
    put(night, "x", "a@players.test")
    night.until(night.clock.now() + timedelta(minutes=20), timedelta(minutes=1))
    assert state(night, "x") == "sent"
    assert night.outside.letters_to("a@players.test") == ["Письмо x"]
    assert night.told() == []


def test_a_box_that_stays_full_is_told_once_and_gets_its_letters_when_there_is_room(night: Inside) -> None:
    """Over its quota the server says "later" for as long as it lasts: nobody would know that the player reads nothing."""
    troubles = night.outside.mailbox.troubles
    troubles.full = {"a@players.test"}
    for name in "xyz":
        put(night, name, "a@players.test")
    put(night, "other", "b@players.test")
    night.until(night.clock.now() + timedelta(hours=6), timedelta(minutes=5))
    assert [state(night, name) for name in ("x", "y", "z", "other")] == ["waiting"] * 3 + ["sent"]
    told = [text for text in night.told() if "никак не принимает" in text]
    assert len(told) == 1
    assert "Mailbox full" in told[0] and "a@players.test" in told[0]
    troubles.full = set()
    night.until(night.clock.now() + timedelta(hours=2), timedelta(minutes=5))
    assert sorted(night.outside.letters_to("a@players.test")) == ["Письмо x", "Письмо y", "Письмо z"]
    assert night.troubles() == []


@pytest.mark.parametrize("answer", ["452 4.2.2 Mailbox full", "451 4.7.1 Daily sending quota exceeded"])
def test_a_bot_that_may_send_no_more_today_loses_no_letter_and_says_so_by_private_message(
    open_site: OpenSite, answer: str
) -> None:
    site = open_site("ucoz", settings={"site": {"host_nick": "Егор", "host_uid": 8}})
    site.outside.mailbox.troubles.answer_to_data = answer
    put(site, "x", "a@players.test")
    site.until(site.clock.now() + timedelta(hours=3), timedelta(minutes=10))
    assert state(site, "x") == "waiting"
    assert len([text for _, text in site.outside.pms_to("Егор") if "никак не принимает" in text]) == 1
    site.outside.mailbox.troubles.answer_to_data = ""
    site.until(site.clock.now() + timedelta(hours=2), timedelta(minutes=10))
    assert site.outside.letters_to("a@players.test") == ["Письмо x"]


@pytest.mark.parametrize("stored", [True, False])
def test_a_lost_answer_to_a_letter_is_resolved_by_our_own_copy(night: Inside, stored: bool) -> None:
    """The line breaks after the letter was handed over: the copy in our own mailbox tells whether it went out."""
    night.outside.mailbox.troubles.close_in_data = 1
    night.outside.mailbox.troubles.stored_when_closed = stored
    put(night, "x", "a@players.test")
    night.settle()
    assert state(night, "x") == "sent"
    assert night.outside.letters_to("a@players.test") == ["Письмо x"]


@pytest.mark.parametrize("stored", [True, False])
def test_a_last_letter_of_unknown_fate_is_resolved_when_no_game_is_played_any_more(night: Inside, stored: bool) -> None:
    """Found on a real board: the daemon was killed amid the last letters of its last game, and nobody read the mailbox again."""
    night.outside.mailbox.troubles.close_in_data = 1
    night.outside.mailbox.troubles.stored_when_closed = stored
    put(night, "x", "a@players.test")
    with night.store.write() as connection:
        connection.execute(games.update().values(stage="over"))
    night.settle()
    assert state(night, "x") == "sent"
    assert night.outside.letters_to("a@players.test") == ["Письмо x"]


def test_a_bounce_of_our_letter_is_told_to_the_host_with_the_players_name(night: Inside) -> None:
    put(night, "x", ANNA)
    night.settle()
    bounce = (
        "From: MAILER-DAEMON@players.test\r\nTo: host@forumbot.test\r\nSubject: Undelivered Mail\r\n"
        "Message-ID: <{}@players.test>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nМальвина: Вера\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; players.test\r\n\r\n"
        "Final-Recipient: rfc822; {}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    for number, address in enumerate((ANNA, ANNA, "stranger@elsewhere.test")):
        night.outside.mailbox.drop(HOST_ADDRESS, bounce.format(number, address).encode())
    night.settle()
    told = [text for text in night.told() if "не доставлено" in text]
    assert len(told) == 1
    assert "игрока Анна" in told[0]
    assert moves(night, "Анна") == []
