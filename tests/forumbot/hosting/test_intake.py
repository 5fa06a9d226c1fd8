"""What comes in: posts, their edits and disappearances, whose words they are."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from adapters.errors import MailLoginFailed, OutsideError, Unreachable
from adapters.forum import Account
from adapters.mailbox import MailPlace
from adapters.model import Envelope
from forumbot.store.tables import inputs, letters, places, posts, turns, verdicts
from tests.forumbot.hosting.world import DAY_ONE, NICKS, World, count, roles, votes


def last_verdict(world: World) -> dict[str, object]:
    return world.rows(sa.select(verdicts).order_by(verdicts.c.id.desc()).limit(1))[0]


def test_a_blue_vote_counts_and_a_red_one_is_told_to_the_voter(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.says("Вера", "[color=red]Линч: Борис[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1}
    assert last_verdict(day)["reason"] == "not_blue"
    subject, text = day.forum.pms_to("Вера")[-1]
    assert "голос не засчитан" in subject
    assert "синим" in text


def test_reading_the_same_post_twice_changes_nothing(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    before = count(day, inputs), count(day, posts), count(day, verdicts)
    for _ in range(5):
        day.clock.sleep(70)
        day.tick()
    assert (count(day, inputs), count(day, posts), count(day, verdicts)) == before


def test_a_quoted_vote_is_nobodys(day: World) -> None:
    day.says("Глеб", "[quote=Борис][color=blue]Анна[/color][/quote] не согласен")
    day.settle()
    assert votes(day) == {}
    assert last_verdict(day)["outcome"] == "ignored"


def test_an_edit_without_a_notice_is_seen_and_voids_the_vote(day: World) -> None:
    """T05, T06: goldenkey R11 wants an unedited post; a silent edit is an edit."""
    thread = day.forum.find("День 1")
    post = day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    assert votes(day) == {"Борис": 1}
    day.forum.edits(thread, post, "[color=blue]Вера[/color]", notice=False)
    day.settle()
    assert votes(day) == {}
    versions = day.rows(sa.select(posts).where(posts.c.post_id == post).order_by(posts.c.version))
    assert [version["version"] for version in versions] == [1, 2]
    assert last_verdict(day)["reason"] == "edited"


def test_p02_what_was_once_edited_stays_edited_at_the_next_poll(day: World) -> None:
    """phpBB shows no notice for the topic's last post: at the second poll after the edit it looks like any other."""
    thread = day.forum.find("День 1")
    post = day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    day.forum.edits(thread, post, "[color=blue]Вера[/color]", notice=False)
    for _ in range(3):
        day.clock.sleep(61)
        day.tick()
    kept = day.rows(sa.select(posts.c.version, posts.c.edited).where(posts.c.post_id == post).order_by(posts.c.version))
    assert [(row["version"], row["edited"]) for row in kept] == [(1, False), (2, True)]
    day.forum.edits(thread, post, "[color=blue]Глеб[/color]", notice=False)
    for _ in range(3):
        day.clock.sleep(61)
        day.tick()
    kept = day.rows(sa.select(posts.c.version, posts.c.edited).where(posts.c.post_id == post).order_by(posts.c.version))
    assert [(row["version"], row["edited"]) for row in kept] == [(1, False), (2, True), (3, True)]
    assert votes(day) == {}


def test_p16_nothing_was_sent_later_than_it_was_read(day: World) -> None:
    """Printed times of a page that tells no zone, or another one than they are in, may lie ahead."""
    ahead = day.clock.now() + timedelta(hours=3)
    day.forum.writes_pm(day.uid("Анна"), "Анна", "ход", "Буратино: Борис", at=ahead)
    day.settle()
    kept = sa.select(letters.c.received_at, letters.c.stored_at).where(letters.c.channel == "pm")
    received, stored = day.rows(kept)[0].values()
    assert received <= stored < ahead


def test_a_vanished_vote_waits_for_the_host(day: World) -> None:
    """T09: a deleted post leaves no trace in the thread; its vote no longer counts and the host is told."""
    thread = day.forum.find("День 1")
    post = day.says("Анна", "[color=blue]Борис[/color]")
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.settle()
    day.forum.deletes(thread, post)
    day.until(DAY_ONE + timedelta(hours=9, minutes=10))
    assert day.value(sa.select(verdicts.c.reason).where(verdicts.c.author == "Анна", verdicts.c.turn == 1)) == "vanished"
    assert votes(day) == {"Глеб": 1}
    day.settle()
    assert any("исчезли" in text for _, text in day.mail.letters_to("owner@example.org"))


def test_a_vote_that_comes_back_before_the_deadline_is_resolved_counts(day: World) -> None:
    """Hidden by a moderator while the deadline waits for the mailbox, and shown again."""
    thread = day.forum.topics[day.forum.find("День 1")]
    post = day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    kept = list(thread.posts)
    day.forum.deletes(day.forum.find("День 1"), post)
    day.clock.move_to(DAY_ONE + timedelta(hours=9, minutes=2))
    day.mail.failing = [Unreachable("timed out")] * 9
    day.tick()
    assert day.value(sa.select(posts.c.gone_at).where(posts.c.post_id == post)) is not None
    day.mail.failing = []
    thread.posts = kept
    day.settle()
    assert votes(day) == {"Борис": 1}


def test_our_own_posts_and_strangers_are_never_votes(day: World) -> None:
    """T13: the day thread itself shows how a blue vote looks."""
    day.forum.says(day.forum.find("День 1"), 999, "Прохожий", "[color=blue]Анна[/color]")
    day.forum.says(day.forum.find("День 1"), 1, "Ведущий", "[color=blue]Анна[/color]")
    day.settle()
    assert votes(day) == {}
    assert {row["author"] for row in day.rows(sa.select(posts).where(posts.c.thread_id != 1))} == {"Прохожий"}


def test_a_player_under_a_new_nick_is_the_same_player(day: World) -> None:
    """T24: rights go by the account, not by the nick shown."""
    thread = day.forum.find("День 1")
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    day.forum.says(thread, day.uid("Анна"), "Аннушка", "[color=blue]Вера[/color]")
    day.forum.says(thread, day.uid("Глеб"), "Глеб", "[color=blue]Аннушка[/color]")
    day.settle()
    assert votes(day) == {"Вера": 1, "Анна": 1}
    assert any("Аннушка" in text for _, text in day.mail.letters_to("owner@example.org"))


def test_a_stranger_with_a_players_nick_has_no_rights(day: World) -> None:
    day.forum.says(day.forum.find("День 1"), 999, "Анна", "[color=blue]Борис[/color]")
    day.forum.writes_pm(999, "Анна", "ход", "убиваю Бориса")
    day.settle()
    assert votes(day) == {}
    assert day.value(sa.select(letters.c.routed).where(letters.c.channel == "pm")) == "unknown_sender"


def test_the_servers_time_decides_who_was_first(day: World) -> None:
    """A letter that was read late, but came early, stands before what came after it (T43)."""
    night = DAY_ONE + timedelta(hours=9, minutes=30)
    day.until(night)
    holder = next(nick for nick, role in roles(day).items() if role == "buratino")
    others = [nick for nick in NICKS[:3] if nick != holder]
    day.pm(holder, f"Буратино: {others[0]}")
    day.settle()
    day.forum.writes_pm(day.uid(holder), holder, "ход", f"Буратино: {others[1]}", at=night - timedelta(minutes=5))
    day.settle()
    orders = day.rows(sa.select(inputs).where(inputs.c.kind == "order").order_by(inputs.c.seq))
    kills = [row["payload"]["targets"] for row in orders if row["payload"]["action"] == "kill"]
    assert kills == [[others[1]], [others[0]]]


def test_sixty_letters_are_all_read_but_not_all_answered(day: World) -> None:
    """T48: the last of many letters counts; receipts are capped."""
    day.until(DAY_ONE + timedelta(hours=9, minutes=30))
    holder = next(nick for nick, role in roles(day).items() if role == "buratino")
    victims = [nick for nick in NICKS[:15] if nick != holder]
    sent = len(day.forum.pms_to(holder))
    for number in range(60):
        day.pm(holder, f"Буратино: {victims[number % len(victims)]}")
        day.clock.sleep(61)
        day.tick()
    day.settle()
    assert len(day.forum.pms_to(holder)) - sent <= 20
    day.until(DAY_ONE + timedelta(hours=20), step=timedelta(hours=2))
    events = day.value(sa.select(turns.c.events).where(turns.c.turn == 1))
    kill = [event for event in events if event["type"] == "Outcome" and event["action"] == "kill"]
    assert [event["targets"] for event in kill] == [[victims[59 % len(victims)]]]


def test_a_heap_of_letters_is_read_in_parts_and_is_complete_with_the_last(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line breaks in mid-heap: what was read is kept and not asked for again, and the reading was no complete one."""
    asked: list[int] = []

    def one_by_one(since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        asked.append(since.last_uid)
        if len(asked) == 3:
            raise Unreachable("EOF")
        found = tuple(one for one in day.mail.envelopes if one.uid > since.last_uid)[:1]
        return found, MailPlace(7, found[-1].uid if found else since.last_uid)

    day.settle()
    first = len(day.mail.envelopes)
    for number in range(4):
        day.mail.arrives(f"reklama{number}@elsewhere.example", "слон", "Купите слона", extra="Precedence: bulk\r\n")
    before = count(day, letters), day.value(sa.select(places.c.complete_at).where(places.c.name == "mail"))
    monkeypatch.setattr(day.mail, "fetch", one_by_one)
    day.clock.sleep(61)
    day.tick()
    assert count(day, letters) == before[0] + 2
    assert day.value(sa.select(places.c.complete_at).where(places.c.name == "mail")) == before[1]
    day.clock.sleep(61)
    day.tick()
    assert count(day, letters, letters.c.sender.startswith("reklama")) == 4
    assert asked[:5] == [first, first + 1, first + 2, first + 2, first + 3]
    assert day.value(sa.select(places.c.complete_at).where(places.c.name == "mail")) == day.clock.now()


def test_what_cannot_be_read_is_asked_for_once_a_minute(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick is made every few seconds; a refused password or a forum that is down is no reason to ask at each."""
    asked: list[str] = []

    def refused(what: str, error: OutsideError) -> Callable[..., object]:
        def ask(*_: object, **__: object) -> object:
            asked.append(what)
            raise error

        return ask

    day.settle()
    monkeypatch.setattr(day.mail, "fetch", refused("mail", MailLoginFailed("no")))
    monkeypatch.setattr(day.forum, "inbox", refused("pm", Unreachable("502")))
    monkeypatch.setattr(day.forum, "read_thread", refused("thread", Unreachable("502")))
    for _ in range(24):
        day.clock.sleep(5)
        day.tick()
    assert asked.count("mail") == asked.count("pm") == 2
    assert asked.count("thread") == 2


def test_our_own_posts_are_known_by_nick_where_no_number_is_shown(day: World) -> None:
    """T13: a skin tells the bot nothing of its own account's number."""
    day.forum.login = lambda: Account("Ведущий", 0)  # type: ignore[method-assign]
    day.restart()
    day.forum.says(day.forum.find("День 1"), 1, "Ведущий", "[color=blue]Анна[/color]")
    day.settle()
    assert count(day, posts, posts.c.author == "Ведущий") == 0


def test_a_letter_that_the_provider_laid_in_twice_is_one_letter(day: World) -> None:
    """T42: a second copy under the same or other lines of the servers on top, after a newer letter: the newer one stands.
    Letters of the same words that were written apart are two."""
    day.mail.arrives("anna@example.org", "ход", "Мальвина: Вера", extra="Date: Wed, 02 Dec 2026 12:00:00 +0300\r\n")
    day.settle()
    raw = next(one.raw for one in day.mail.envelopes if one.raw and b"From: anna@" in one.raw)
    day.mail.arrives("anna@example.org", "ход", "Мальвина: Глеб")
    for copy in (raw, b"Received: from relay.example.org\r\n" + raw):
        day.mail._put(copy)
    day.settle()
    assert [row["text"] for row in day.rows(sa.select(letters).where(letters.c.sender == "anna@example.org"))] == [
        "Мальвина: Вера",
        "Мальвина: Глеб",
    ]
    day.mail._put(raw.replace(b"12:00:00", b"15:00:00"))
    day.mail._put(raw.replace(b"Message-ID: <", b"Message-ID: <new-"))
    day.settle()
    assert count(day, letters, letters.c.sender == "anna@example.org") == 4
