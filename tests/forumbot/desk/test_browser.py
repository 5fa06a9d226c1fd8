"""The desk in a real browser of a phone's size: review, approve, take back; nothing sticks out, nothing is too small to tap."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.store.tables import acts, outbox, verdicts
from tests.forumbot.desk.browser import PHONE, browser, missing, phone, served
from tests.forumbot.desk.scene import Scene, fork
from tests.forumbot.desk.test_pages import PAGES
from tests.forumbot.hosting.world import DAY_ONE

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


def reviews(scene: Scene) -> int:
    query = sa.select(sa.func.count()).select_from(verdicts)
    return int(scene.world.value(query.where(verdicts.c.outcome == "review", verdicts.c.decided_by.is_(None))))


def acts_done(scene: Scene) -> list[str]:
    done = acts.c.done_at.is_not(None), acts.c.error.is_(None)
    return [str(act["kind"]) for act in scene.world.rows(sa.select(acts).where(*done).order_by(acts.c.id))]


def test_a_doubtful_vote_is_settled_and_taken_back_with_a_thumb(scene: Scene, chromium: Any) -> None:
    with served(scene) as address:
        page = phone(chromium, address)
        page.get_by_role("link", name="Проверить: 1").tap()
        page.get_by_role("button", name="голос → Вера").tap()
        page.get_by_text("бот сделает это в ближайшие секунды").wait_for()
        assert page.get_by_text("решать нечего").count() == 0, "nothing is done before the daemon does it"
        scene.world.tick()
        # The line asks again by itself until the daemon has done it; then the page is fetched anew.
        page.get_by_text("Принять прочтение: сделано").wait_for()
        page.get_by_text("решать нечего").wait_for()
        assert reviews(scene) == 0
        page.get_by_role("button", name="Отменить").tap()
        page.get_by_role("heading", name="История действий").wait_for()
        scene.world.tick()
        page.get_by_text("отменено №2").wait_for()
        assert acts_done(scene) == ["accept", "undo"]
        assert reviews(scene) == 1
        assert page.complaints == []


def test_a_newspaper_is_read_edited_and_let_out(scene: Scene, chromium: Any) -> None:
    world = scene.world
    world.until(DAY_ONE + timedelta(hours=20), step=timedelta(hours=1))
    with served(scene) as address:
        page = phone(chromium, address)
        page.get_by_role("link", name="Ждёт вас: 1").tap()
        page.get_by_role("link", name="Газета, ход 1").tap()
        page.get_by_text("Борис - минус 1 жизнь").first.wait_for()
        page.get_by_text("Поправить текст").tap()
        area = page.locator("textarea[name=body]")
        area.fill(area.input_value() + "\nДо вечера!")
        page.get_by_role("button", name="Сохранить").tap()
        page.get_by_text("Поправить текст: бот").wait_for()
        world.tick()
        page.get_by_text("Поправить текст: сделано").wait_for()
        page.get_by_text("До вечера!").first.wait_for()
        page.get_by_role("button", name="Выпустить").tap()
        page.get_by_text("Выпустить: бот").wait_for()
        world.tick()
        world.settle()
        assert any("До вечера!" in text for text in world.forum.texts(world.forum.find("День 1")))
        assert world.value(sa.select(outbox.c.state).where(outbox.c.key == "gk1/t1/newspaper")) == "sent"
        assert page.complaints == []


def test_the_count_refreshes_by_itself(scene: Scene, chromium: Any) -> None:
    world = scene.world
    with served(scene) as address:
        page = phone(chromium, address)
        page.clock.install()
        page.goto(f"{address}/g/gk1")
        assert page.get_by_role("row", name="Борис 3 Анна, Вера, Егор").count() == 1
        world.says("Захар", "[color=blue]Линч: Борис[/color]")
        world.clock.sleep(61)
        world.tick()
        page.clock.fast_forward(16_000)
        page.get_by_role("row", name="Борис 4 Анна, Вера, Егор, Захар").wait_for()
        assert page.complaints == []


def test_everything_works_without_javascript(scene: Scene, chromium: Any) -> None:
    with served(scene) as address:
        page = phone(chromium, address, java_script_enabled=False)
        page.goto(f"{address}/g/gk1/time")
        page.get_by_role("button", name="Подвести итоги сейчас").tap()
        page.get_by_text("Ближайший срок наступит немедленно").wait_for()
        assert acts_done(scene) == []
        page.get_by_role("link", name="Нет, назад").tap()
        page.get_by_role("button", name="Пауза").tap()
        page.get_by_role("button", name="Да, поставить на паузу").tap()
        page.get_by_text("бот сделает это").wait_for()
        scene.world.tick()
        page.reload()
        page.get_by_text("Игра на паузе").wait_for()
        page.get_by_role("button", name="Отменить").tap()
        page.get_by_text("бот сделает это").wait_for()
        scene.world.tick()
        assert acts_done(scene) == ["pause", "undo"]


def test_no_page_is_wider_than_the_phone_and_no_button_smaller_than_a_thumb(quiet: Scene, chromium: Any) -> None:
    with served(quiet) as address:
        page = phone(chromium, address)
        for path in ("/", *(f"/g/gk1{path}" for path in PAGES if path != "/now")):
            page.goto(address + path)
            page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
            small = page.evaluate(
                "[...document.querySelectorAll('button, .button, main summary, .tabs a, input:not([type=hidden]), select')]"
                ".filter(each => each.offsetParent && each.getBoundingClientRect().height < 40).map(each => each.outerHTML)"
            )
            assert small == [], path
        assert page.complaints == []


@pytest.mark.parametrize("wide", [390, 820, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_d04_every_page_fits_reads_and_can_be_tapped(quiet: Scene, chromium: Any, wide: int, scheme: str) -> None:
    with served(quiet) as address:
        page = phone(chromium, address, color_scheme=scheme)
        page.set_viewport_size({"width": wide, "height": 844})
        for path in ("/", *(f"/g/gk1{path}" for path in PAGES if path != "/now")):
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= wide, path
            assert page.evaluate(LOW_LINKS) == [], path
            assert page.evaluate(PALE_WORDS) == [], path
            seen = page.locator(".side a:visible").count()
            assert seen == 0 if wide < 992 or path == "/" else seen >= 15, path


LOW_LINKS = """[...document.querySelectorAll('main a, nav a')].filter(each => each.offsetParent)
    .filter(each => each.getBoundingClientRect().height < 24 && !each.closest('p:not(.meta):not(.head):not(.lead)'))
    .map(each => each.outerHTML)"""
"""Links below the 24 pixels of WCAG 2.2 that stand in no sentence."""

PALE_WORDS = """(() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = color => color.slice(0, 3).map(one => one / 255)
    .map(one => one <= .03928 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, place) => sum + one * [.2126, .7152, .0722][place], 0);
  const behind = each => {
    for (; each; each = each.parentElement) {
      const paint = parts(getComputedStyle(each).backgroundColor);
      if (paint.length < 4 || paint[3] > 0) return paint;
    }
    return [255, 255, 255];
  };
  const pale = [];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = words.nextNode();) {
    const each = node.parentElement;
    if (!node.textContent.trim() || !each.getClientRects().length || each.closest('svg, option, .gone, .skip')) continue;
    const [one, other] = [light(parts(getComputedStyle(each).color)), light(behind(each))];
    const contrast = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    if (contrast < 4.5) pale.push(contrast.toFixed(2) + ' ' + node.textContent.trim());
  }
  return pale;
})()"""
"""Words with less contrast than WCAG AA asks of small print."""


def test_a_player_who_writes_html_is_shown_as_text(quiet: Scene, chromium: Any, tmp_path: Path) -> None:
    scene = fork(quiet, tmp_path)
    with served(scene) as address:
        page = phone(chromium, address)
        raised: list[str] = []
        page.on("dialog", lambda dialog: (raised.append(dialog.message), dialog.dismiss()))
        page.goto(f"{address}/g/gk1/log?player=Дина")
        assert page.get_by_text("<script>alert(1)</script>").count() >= 1
        assert raised == []
        assert page.complaints == []
