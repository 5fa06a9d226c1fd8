"""Forum trouble over real HTTP, on both engines: nothing lost, nothing twice, the host told once in one sentence."""

import re
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.trouble import Fault, FaultKind
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.forum.web import Request
from forumbot.hosting.core import outbox as rows
from forumbot.store.tables import deadlines, letters, outbox, posts, threads, troubles, turns, verdicts
from tests.torture.fixtures import OpenSite
from tests.torture.live import DAY_ONE, GAME, LYNCH, MORNING, NICKS, Engine, Inside, Options

FORM = {"ucoz": r"^/forum/$", "phpbb": r"posting\.php"}


def engine_of(site: Inside) -> Engine:
    return "ucoz" if isinstance(site.outside.options, UcozOptions) else "phpbb"


def fault(site: Inside, kind: FaultKind, **how: object) -> Fault:
    return site.outside.server.troubles.add(Fault(kind, **how))  # type: ignore[arg-type]


def put(site: Inside, key: str, kind: rows.Kind = "post", text: str = "Важное объявление") -> None:
    """Something to be sent: a post in the day's thread, or a private message to Вера."""
    target = {"thread_id": day_thread(site)} if kind == "post" else {"uid": site.outside.uids["Вера"], "nick": "Вера"}
    with site.store.write() as connection:
        rows.put(connection, key, kind, target, "Тема", text, game_id=GAME, priority=rows.URGENT, now=site.clock.now())


def day_thread(site: Inside) -> int:
    return int(site.value(sa.select(threads.c.id).where(threads.c.kind == "day").order_by(threads.c.turn.desc())))


def state(site: Inside, key: str) -> str:
    return str(site.value(sa.select(outbox.c.state).where(outbox.c.key == key)))


def resolved(site: Inside, name: str = "lynch", turn: int = 1) -> datetime | None:
    query = sa.select(deadlines.c.done_at).where(deadlines.c.name == name, deadlines.c.turn == turn, deadlines.c.call != "remind")
    found: datetime | None = site.value(query.where(deadlines.c.call.in_(("mark", "close"))))
    return found


def said(site: Inside, words: str) -> int:
    """How often the host was told this."""
    return sum(words in text for text in site.told())


def told_well(site: Inside) -> None:
    """Everything that the host was told is one sentence, and none of it was told twice."""
    told = site.told()
    assert [text for text in told if re.search(r"[.!?]\s+[А-ЯЁA-Z]", re.sub(r"«[^»]*»", "", text))] == []
    assert len(told) == len(set(told))


def many(site: Inside, count: int = 25) -> list[int]:
    """Chatter that fills more than one page."""
    return [site.outside.says(NICKS[number % 6], f"сообщение номер {number}") for number in range(count)]


# The session and the forms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["session_lost", "token_expired"])
def test_a_session_lost_at_any_step_costs_one_login(live: Inside, kind: FaultKind) -> None:
    """T50: lost before each request in turn while threads and boxes are read, a post and a private message are sent. Several
    in one go, so far apart that a login fits in between."""
    method, apart = ("", 6) if kind == "session_lost" else ("POST", 2)
    struck = 0
    for step in range(apart):
        faults = [fault(live, kind, method=method, after=after) for after in range(step, 30, apart)]
        put(live, f"post{step}", text=f"Объявление {step}")
        put(live, f"pm{step}", "pm", f"Личное {step}")
        live.settle()
        struck += sum(one.struck for one in faults)
        for one in faults:
            live.outside.server.troubles.remove(one)
        assert live.outside.texts("День").count(f"Объявление {step}") == 1
        assert [text for _, text in live.outside.pms_to("Вера")].count(f"Личное {step}") == 1
    assert struck >= (20 if kind == "session_lost" else 2)
    assert live.troubles() == live.told() == []


@pytest.mark.parametrize("page", ["list", "message"])
def test_no_message_and_no_word_of_one_is_lost_on_a_page_that_is_cut_off(live: Inside, page: str) -> None:
    """Found on a real board: newest messages stand first, so a list without its end seemed complete, and an older order was
    passed over for ever."""
    paths = {
        "ucoz": {"list": r"^/index/14$", "message": r"^/index/14-\d+-0$"},
        "phpbb": {"list": "folder=", "message": "mode=view"},
    }
    texts = [f"Вопрос {number}: {'когда ночь, ' * 300}а?" for number in range(20)]
    for number, text in enumerate(texts):
        live.outside.pm(NICKS[number % 3], text)
    cut = fault(live, "half", method="GET", path=paths[engine_of(live)][page], times=3)
    live.until(live.clock.now() + timedelta(hours=1), timedelta(minutes=2))
    assert cut.struck == 3
    stored = live.rows(sa.select(letters.c.text).where(letters.c.channel == "pm", letters.c.text.startswith("Вопрос")))
    assert [row["text"] for row in stored] == texts


@pytest.mark.parametrize("kind", ["token_expired", "half"])
def test_posts_that_belong_together_go_on_where_they_were_disturbed(live: Inside, kind: FaultKind) -> None:
    """T50, T51: a newspaper of several posts, and the second one's form meets the trouble; each comes once, in order."""
    parts = [f"Газета, часть {number}" for number in range(3)]
    with live.store.write() as connection:
        for number, part in enumerate(parts):
            after = f"part{number - 1}" if number else None
            rows.put(
                connection, f"part{number}", "post", {"thread_id": day_thread(live)}, "", part,
                game_id=GAME, priority=rows.URGENT, now=live.clock.now(), after=after,
            )  # fmt: skip
    one = fault(live, kind, method="POST", path=FORM[engine_of(live)], after=1, stored=False)
    live.settle()
    assert one.struck == 1
    assert [text for text in live.outside.texts("День") if text in parts] == parts
    assert live.told() == []


def test_a_forum_that_wants_distance_gets_it(live: Inside) -> None:
    """The forum's own flood interval is longer than ours: what it refuses is sent later, once."""
    live.outside.board.user(live.outside.host).group = "users"
    live.outside.server.troubles.flood_interval = 90
    for number in range(3):
        put(live, f"post{number}", text=f"Объявление {number}")
    live.settle()
    posted = [one.target for one in live.outside.server.log if one.method == "POST"]
    assert len([target for target in posted if re.search(FORM[engine_of(live)], target)]) > 3
    assert [live.outside.texts("День").count(f"Объявление {number}") for number in range(3)] == [1, 1, 1]
    assert live.told() == []


# Answers that get lost ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["502", "504", "drop", "cut"])
def test_what_the_forum_stored_without_a_good_answer_is_not_sent_again(live: Inside, how: str) -> None:
    """T49: 502 or 504 after storing, no answer at all, half an answer."""
    kind: FaultKind = "status" if how.isdigit() else how  # type: ignore[assignment]
    status = int(how) if how.isdigit() else 502
    live.settle()  # logged in: the next form is ours
    for key, row in (("x", "post"), ("y", "pm")):
        one = fault(live, kind, method="POST", status=status, stored=True)
        put(live, key, row, f"Важное {key}")  # type: ignore[arg-type]
        live.settle()
        assert one.struck == 1
        assert state(live, key) == "sent"
    assert live.outside.texts("День").count("Важное x") == 1
    assert [text for _, text in live.outside.pms_to("Вера")].count("Важное y") == 1
    assert live.told() == []


@pytest.mark.parametrize("kind", ["maintenance", "cut"])
def test_what_the_forum_stored_and_cannot_show_is_not_sent_again(live: Inside, kind: FaultKind) -> None:
    """T49: the form is taken with a good answer, and then, for three minutes, no page is to be had where it would be seen."""
    live.settle()  # logged in: the next form is ours
    for key, row in (("x", "post"), ("y", "pm")):
        walls: list[Fault] = []

        def close(stage: str, request: Request, walls: list[Fault] = walls) -> None:
            if stage == "after" and request.method == "POST" and not walls:
                walls.append(fault(live, kind, times=-1, stored=False))

        live.outside.server.watchers.append(close)
        put(live, key, row, f"Важное {key}")  # type: ignore[arg-type]
        live.until(live.clock.now() + timedelta(minutes=3), timedelta(minutes=1))
        live.outside.server.watchers.remove(close)
        live.outside.server.troubles.remove(walls[0])
        live.settle()
        assert state(live, key) == "sent"
    assert live.outside.texts("День").count("Важное x") == 1
    assert [text for _, text in live.outside.pms_to("Вера")].count("Важное y") == 1


def test_what_the_forum_did_not_store_is_sent_again(live: Inside) -> None:
    """An error page, a challenge or a maintenance page with status 200 in answer to a form."""
    wanted: tuple[tuple[rows.Kind, FaultKind], ...] = (
        ("post", "status"), ("pm", "status"), ("post", "challenge"), ("pm", "maintenance"), ("pm", "challenge"),
    )  # fmt: skip
    live.settle()  # logged in: the next form is ours
    for row, kind in wanted:
        key = f"{row}-{kind}"
        one = fault(live, kind, method="POST", status=504, stored=False)
        put(live, key, row, f"Важное {key}")
        live.settle()
        assert (one.struck, state(live, key)) == (1, "sent")
        sent = live.outside.texts("День") + [text for _, text in live.outside.pms_to("Вера")]
        assert sent.count(f"Важное {key}") == 1
    assert live.told() == []


def test_a_topic_whose_answer_was_lost_is_opened_once(live: Inside) -> None:
    live.until(MORNING + timedelta(minutes=30), timedelta(hours=4))
    fault(live, "status", method="POST", path=FORM[engine_of(live)], status=502, stored=True, times=3)
    live.until(MORNING + timedelta(hours=2), timedelta(hours=1))
    live.settle()
    titles = [topic.title for topic in live.outside.board.topics.values()]
    assert sorted(titles) == sorted(set(titles))
    assert any("День 2" in title for title in titles)


def test_a_forum_that_never_shows_what_it_took_is_not_flooded(live: Inside) -> None:
    """The answers look good, and nothing appears: three times, then the host must look."""
    fault(live, "status", method="POST", path=FORM[engine_of(live)], status=200, stored=False, times=-1)
    put(live, "x")
    live.until(live.clock.now() + timedelta(minutes=24), timedelta(minutes=2))
    posted = [one.target for one in live.outside.server.log if one.method == "POST"]
    sent = [target for target in posted if "sub" not in target and "login" not in target]
    assert state(live, "x") == "failed"
    assert len(sent) == 3
    assert said(live, "Не удалось отправить") == 1


# Pages that are no thread -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("challenge", "я не робот"),
        ("maintenance", "обслуживани"),
        ("cut", "не отвечает"),
        ("half", "оборванные страницы"),
        ("status", "на обслуживание"),
    ],
)
def test_a_wall_at_the_deadline_holds_it_and_the_host_is_told_once(live: Inside, kind: FaultKind, words: str) -> None:
    """Promise 3, with status 200 too: held, told once, resolved by itself when the thread can be read again. What comes
    back after it was mended is told again."""
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    live.clock.move_to(LYNCH - timedelta(minutes=1))
    one = fault(live, kind, method="GET", times=-1, stored=False)
    live.until(LYNCH + timedelta(minutes=12), timedelta(minutes=3))
    assert resolved(live) is None
    assert said(live, words) == 1
    assert said(live, "срок «голосование» хода 1 наступил") == 1
    live.outside.server.troubles.remove(one)
    live.outside.says("Вера", "[color=blue]Линч: Глеб[/color]")
    live.settle()
    assert resolved(live) is not None
    assert live.votes() == {"Борис": 1}
    assert live.troubles() == []
    told_well(live)
    one = fault(live, kind, method="GET", times=-1, stored=False)
    live.until(live.clock.now() + timedelta(minutes=9), timedelta(minutes=3))
    assert said(live, words) == 2


def test_a_forum_that_is_down_in_changing_ways_is_told_once_for_each(live: Inside) -> None:
    """Error pages, broken connections, error pages again: nothing was mended in between."""
    for kind in ("status", "cut") * 3:
        one = fault(live, kind, method="GET", times=-1, stored=False)
        live.until(live.clock.now() + timedelta(minutes=6), timedelta(minutes=3))
        live.outside.server.troubles.remove(one)
    assert (said(live, "на обслуживание"), said(live, "не отвечает"), len(live.told())) == (1, 1, 2)
    live.settle()
    assert live.troubles() == []


def test_a_changed_layout_is_no_empty_thread(live: Inside) -> None:
    """T10: the owner rewrote the templates; the deadline waits, the host learns what happened."""
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    live.outside.server.troubles.layout_changed = True
    live.clock.move_to(LYNCH - timedelta(minutes=2))
    live.until(LYNCH + timedelta(minutes=70), timedelta(minutes=20))
    assert resolved(live) is None
    assert said(live, "изменилось оформление") == 1
    live.outside.server.troubles.layout_changed = False
    live.settle()
    assert live.votes() == {"Борис": 1}
    assert live.troubles() == []


def test_a_board_that_is_switched_off_is_waited_for(live: Inside) -> None:
    live.outside.board.user(live.outside.host).group = "users"
    live.outside.server.troubles.switched_off = "Форум временно закрыт на техническое обслуживание"
    live.clock.move_to(LYNCH - timedelta(minutes=2))
    live.until(LYNCH + timedelta(minutes=9), timedelta(minutes=3))
    assert resolved(live) is None
    assert said(live, "закрыт на обслуживание") == 1
    live.outside.server.troubles.switched_off = ""
    live.settle()
    assert resolved(live) is not None


def test_a_slow_board_at_the_deadline_is_read_to_the_end(live: Inside) -> None:
    """Every answer takes four minutes: what comes meanwhile is too late, and nothing that came in time is missed."""
    many(live)
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]", at=LYNCH - timedelta(seconds=1))

    def slow(stage: str, _: Request) -> None:
        if stage == "before":
            live.clock.sleep(240)
            live.outside.says("Вера", "[color=blue]Линч: Глеб[/color]")

    live.clock.move_to(LYNCH + timedelta(seconds=1))
    live.outside.server.watchers.append(slow)
    for _ in range(4):
        live.clock.sleep(61)
        live.tick()
    live.outside.server.watchers.clear()
    live.settle()
    assert resolved(live) is not None
    assert live.votes() == {"Борис": 1}


# Threads that change ------------------------------------------------------------------------------------------------------


def test_page_one_for_every_page_is_an_incomplete_reading(live: Inside) -> None:
    """T07: the pager tells of more pages, but the first one comes again and again."""
    many(live)
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    live.outside.server.troubles.ignore_page = True
    live.clock.move_to(LYNCH - timedelta(minutes=2))
    live.until(LYNCH + timedelta(minutes=20), timedelta(minutes=5))
    assert resolved(live) is None
    assert said(live, "не удалось прочитать целиком") == 1
    live.outside.server.troubles.ignore_page = False
    live.settle()
    assert live.votes() == {"Борис": 1}
    numbers = [row["post_id"] for row in live.rows(sa.select(posts).where(posts.c.thread_id == day_thread(live)))]
    assert len(numbers) == len(set(numbers)) == 26


def test_a_last_page_that_is_gone_and_posts_that_moved_up(live: Inside) -> None:
    """T09: the known last page is past the end now, the numbers have changed; new posts are new, old ones are not."""
    chatter = many(live, 42)
    vote = live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    live.settle()
    for post in chatter[:30]:
        live.outside.board.delete(post)
    later = live.outside.says("Вера", "[color=blue]Линч: Глеб[/color]")
    live.settle()
    assert live.votes() == {"Борис": 1, "Глеб": 1}
    live.outside.board.delete(vote)
    live.until(LYNCH + timedelta(minutes=10), timedelta(hours=5))
    live.settle()
    assert live.votes() == {"Глеб": 1}
    assert said(live, "исчезли сообщения с голосами (Анна)") == 1
    assert live.value(sa.select(sa.func.count()).select_from(posts).where(posts.c.post_id == later)) == 1


def test_a_first_post_that_stands_on_every_page_is_one_post(live: Inside) -> None:
    """It is older than all that is known and hides no post that has moved up to the page before."""
    board = live.outside.board
    board.topic(live.outside.topic("День")).pinned_first = True
    size = live.outside.options.per_page
    chatter = many(live, 2 * size)
    live.settle()
    for post in chatter[: size // 2]:
        board.delete(post)
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    many(live, size)
    live.settle()
    assert live.votes() == {"Борис": 1}
    live.until(LYNCH + timedelta(minutes=5), timedelta(hours=5))
    live.settle()
    assert resolved(live) is not None
    assert live.votes() == {"Борис": 1}
    assert live.told() == []


def test_an_edit_before_the_deadline_voids_and_one_after_it_changes_nothing(live: Inside) -> None:
    """T05, T06: goldenkey R11 counts unedited posts; what was changed after the hour stands as it was at the hour."""
    early = live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    late = live.outside.says("Вера", "[color=blue]Линч: Борис[/color]")
    live.outside.says("Глеб", "просто слово")
    live.settle()
    assert live.votes() == {"Борис": 2}
    live.outside.board.edit(early, "[color=blue]Линч: Глеб[/color]")
    live.until(LYNCH + timedelta(minutes=5), timedelta(hours=5))
    live.settle()
    assert live.votes() == {"Борис": 1}
    live.outside.board.edit(late, "[color=blue]Линч: Глеб[/color]")
    live.settle()
    assert live.votes() == {"Борис": 1}
    kept = live.rows(sa.select(posts).where(posts.c.post_id == early).order_by(posts.c.version))
    assert [row["version"] for row in kept] == [1, 2]
    assert all(row["seen_at"] is not None for row in kept)


def test_a_topic_that_was_moved_is_read_and_written_on(live: Inside) -> None:
    board = live.outside.board
    board.move_topic(live.outside.topic("День"), board.add_section("Архив партий"))
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    put(live, "x")
    live.settle()
    assert live.outside.texts("День").count("Важное объявление") == 1
    live.until(LYNCH + timedelta(minutes=5), timedelta(hours=5))
    live.settle()
    assert resolved(live) is not None
    assert live.votes() == {"Борис": 1}
    assert live.told() == []


def test_a_locked_topic_is_told_once_and_posted_to_when_the_host_says_so(live: Inside) -> None:
    live.outside.board.user(live.outside.host).group = "users"
    live.outside.board.lock_topic(live.outside.topic("День"))
    for number in range(3):
        put(live, f"x{number}", text=f"Объявление {number}")
    live.settle()
    assert [state(live, f"x{number}") for number in range(3)] == ["failed"] * 3
    # Another topic takes posts all the while: that mends nothing.
    with live.store.write() as connection:
        target = {"thread_id": connection.execute(sa.select(threads.c.id).where(threads.c.kind == "signup")).scalar()}
        rows.put(connection, "elsewhere", "post", target, "", "Другая тема", game_id=GAME, priority=1, now=live.clock.now())
    put(live, "x3", text="Объявление 3")
    live.settle()
    assert [state(live, key) for key in ("elsewhere", "x3")] == ["sent", "failed"]
    assert said(live, "Не удалось отправить") == 1
    told_well(live)
    live.outside.board.lock_topic(live.outside.topic("День"), False)
    with live.store.write() as connection:
        connection.execute(outbox.update().where(outbox.c.key == "x1").values(state="waiting"))  # forumbot outbox retry
    live.settle()
    # The topic is open again: the others follow by themselves.
    assert [live.outside.texts("День").count(f"Объявление {number}") for number in range(4)] == [1] * 4
    assert live.troubles() == []


@pytest.mark.parametrize("gone", ["deleted", "hidden"])
def test_a_topic_that_is_gone_at_the_deadline_is_waited_for(live: Inside, gone: str) -> None:
    """Deleted, or moved to a section that the bot may not read: held, told once, resolved when it is back."""
    board = live.outside.board
    board.user(live.outside.host).group = "users"
    topic, home = live.outside.topic("День"), live.outside.section
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    put(live, "before", text="Пока всё хорошо")
    live.settle()
    live.clock.move_to(LYNCH - timedelta(minutes=2))
    if gone == "deleted":
        bring_back = board.delete_topic(topic)
    else:
        hidden = board.add_section("Только для модераторов")
        board.sections[hidden].members_read = board.sections[hidden].guests_read = False
        board.move_topic(topic, hidden)
    put(live, "x")
    live.until(LYNCH + timedelta(minutes=12), timedelta(minutes=3))
    assert resolved(live) is None
    assert said(live, "тема не найдена" if gone == "deleted" else "нет прав на эту тему") == 1
    assert said(live, "Не удалось отправить") == 1
    assert len(live.told()) == 3
    told_well(live)
    if gone == "deleted":
        bring_back()
    else:
        board.move_topic(topic, home)
    live.settle()
    assert resolved(live) is not None
    assert live.votes() == {"Борис": 1}
    assert not any("read/" in row["key"] for row in live.rows(sa.select(troubles)))


def test_a_post_that_waits_for_approval_is_not_posted_again(live: Inside) -> None:
    """Premoderation: the forum has it, nobody sees it; the host is told, and it is found when it is approved."""
    live.outside.board.user(live.outside.host).group = "users"
    live.outside.server.troubles.premoderation = True
    put(live, "x")
    live.settle()
    live.until(live.clock.now() + timedelta(minutes=40), timedelta(minutes=10))
    topic = live.outside.topic("День")
    mine = [post for post in live.outside.board.all_posts(topic) if "Важное объявление" in post.text]
    assert len(mine) == 1
    assert said(live, "после одобрения модератором") == 1
    live.outside.board.approve(mine[0].id)
    live.until(live.clock.now() + timedelta(minutes=30), timedelta(minutes=10))
    assert state(live, "x") == "sent"
    assert live.troubles() == []


def test_a_player_who_is_renamed_keeps_his_vote_and_his_seat(live: Inside) -> None:
    """T24: rights go by the account."""
    live.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    live.settle()
    live.outside.board.rename(live.outside.uids["Анна"], "Аннушка")
    live.outside.says("Анна", "[color=blue]Линч: Глеб[/color]")
    live.outside.says("Вера", "[color=blue]Линч: Аннушка[/color]")
    live.settle()
    assert live.votes() == {"Глеб": 1, "Анна": 1}
    assert said(live, "теперь пишет под ником Аннушка") == 1


@pytest.mark.parametrize("options", [UcozOptions(charset="cp1251", charset_in_header=False), PhpbbOptions(charset="cp1251")])
def test_a_board_in_windows_1251_is_read_and_written_right(open_site: OpenSite, options: Options) -> None:
    """T11: the charset stands in the page alone; what we post reads back equal."""
    site = open_site("ucoz" if isinstance(options, UcozOptions) else "phpbb", options=options)
    text = "Ёлки — «в снегу» № 5, цена 10 €"
    put(site, "x", text=text)
    put(site, "y", "pm", text)
    site.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    site.settle()
    assert site.outside.texts("День").count(text) == 1
    assert [said for _, said in site.outside.pms_to("Вера")].count(text) == 1
    assert site.votes() == {"Борис": 1}
    site.until(MORNING + timedelta(hours=2), timedelta(hours=3))
    site.settle()
    result = str(site.value(sa.select(turns.c.report))).splitlines()[-1]
    assert "Борис" in result
    assert any(result in post.splitlines() for post in site.outside.texts("День 1"))


# Private messages ---------------------------------------------------------------------------------------------------------


def test_private_messages_that_are_switched_off_are_told_once(live: Inside) -> None:
    live.outside.board.user(live.outside.host).group = "users"
    live.outside.server.troubles.pm_closed = True
    for number in range(3):
        put(live, f"x{number}", "pm", f"Личное {number}")
    live.settle()
    live.until(live.clock.now() + timedelta(hours=1), timedelta(minutes=20))
    assert live.outside.pms_to("Вера")[-1][1] != "Личное 2"
    assert said(live, "Не удалось отправить личное сообщение") == 1
    assert said(live, "не показывает боту личные сообщения") == (engine_of(live) == "phpbb")
    assert len(live.told()) <= 2
    told_well(live)


def test_a_new_account_without_private_messages_is_told_once(live: Inside) -> None:
    """A group that may not use private messages: uCoz shows it none, phpBB lets it read and not write."""
    live.outside.board.user(live.outside.host).group = "newcomers"
    for number in range(3):
        put(live, f"x{number}", "pm", f"Личное {number}")
    live.settle()
    live.until(live.clock.now() + timedelta(minutes=40), timedelta(minutes=10))
    assert [state(live, f"x{number}") for number in range(3)] == ["failed"] * 3
    assert said(live, "Не удалось отправить личное сообщение") == 1
    assert said(live, "не показывает боту личные сообщения") == (engine_of(live) == "ucoz")
    told_well(live)
    live.outside.board.user(live.outside.host).group = "users"
    put(live, "y", "pm", "Теперь можно")
    live.settle()
    assert state(live, "y") == "sent"
    assert live.troubles() == []


def test_a_player_who_takes_no_messages_is_told_once(live: Inside) -> None:
    """All that waits for him fails; that others get theirs meanwhile mends nothing."""
    board = live.outside.board
    board.user(live.outside.host).group = "users"
    board.user(live.outside.uids["Вера"]).pm_off = True
    for number in range(3):
        put(live, f"x{number}", "pm", f"Личное {number}")
        with live.store.write() as connection:
            target = {"uid": live.outside.uids["Глеб"], "nick": "Глеб"}
            rows.put(connection, f"g{number}", "pm", target, "Тема", "Глебу", game_id=GAME, priority=1, now=live.clock.now())
        live.settle()
    assert [state(live, f"{key}{number}") for number in range(3) for key in "xg"] == ["failed", "sent"] * 3
    assert said(live, "(Вера)") == len(live.told()) == 1
    told_well(live)
    board.user(live.outside.uids["Вера"]).pm_off = False
    put(live, "y", "pm", "Теперь можно")
    live.settle()
    assert state(live, "y") == "sent"
    assert live.troubles() == []


def test_a_box_that_phpbb_keeps_a_message_for_gets_it_once(open_site: OpenSite) -> None:
    """Вера's box is full: phpBB says "sent" and holds it; nothing is sent again and nobody is troubled."""
    live = open_site("phpbb")
    live.outside.server.troubles.pm_box_full = True
    put(live, "x", "pm", "Личное")
    live.settle()
    live.until(live.clock.now() + timedelta(hours=1), timedelta(minutes=20))
    held = [message.text for message in live.outside.board.box(live.outside.uids["Вера"], "held")]
    assert held == ["Личное"]
    assert (state(live, "x"), live.told()) == ("sent", [])


def test_a_full_box_is_tried_again_until_there_is_room(open_site: OpenSite) -> None:
    """uCoz refuses what a full box cannot take (phpBB keeps it for him)."""
    live = open_site("ucoz")
    live.outside.server.troubles.pm_box_full = True
    put(live, "x", "pm", "Личное")
    put(live, "y", "pm", "Ещё личное")
    live.settle()
    live.until(live.clock.now() + timedelta(hours=2), timedelta(minutes=30))
    assert len(live.told()) == 1
    told_well(live)
    live.outside.server.troubles.pm_box_full = False
    live.until(live.clock.now() + timedelta(hours=2), timedelta(minutes=30))
    assert [state(live, key) for key in "xy"] == ["sent", "sent"]
    assert [text for _, text in live.outside.pms_to("Вера")][-2:] == ["Личное", "Ещё личное"]
    assert live.troubles() == []


def test_a_full_box_of_our_own_loses_no_move(open_site: OpenSite) -> None:
    """phpBB holds what no longer fits and lets it in when old messages are deleted."""
    site = open_site("phpbb", options=PhpbbOptions(folder_limit=8))
    site.outside.board.pm_limit = 8
    for number in range(20):
        site.outside.pm("Вера", f"болтовня номер {number}", "разное")
        if number % 5 == 4:
            site.settle()
    site.until(DAY_ONE + timedelta(hours=9, minutes=30), timedelta(hours=3))
    site.settle()
    stored = site.value(sa.select(sa.func.count()).select_from(verdicts).where(verdicts.c.channel == "pm"))
    assert stored == 20


# The first login ----------------------------------------------------------------------------------------------------------


def test_a_refused_password_is_sent_once_and_told_once(live: Inside) -> None:
    live.outside.board.user(live.outside.host).password = "another"
    (live.outside.folder / "data" / "forum-session.json").unlink(missing_ok=True)
    live.restart()
    live.until(live.clock.now() + timedelta(minutes=20), timedelta(minutes=4))
    logins = [one for one in live.outside.server.log if one.method == "POST"]
    assert len(logins) <= 2
    assert said(live, "не принял логин или пароль") == 1
