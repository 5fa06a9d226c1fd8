"""Pictures of the desk for README.ru.md: ``python -m tests.forumbot.desk.screenshots docs/screenshots`` (make screenshots)."""

from __future__ import annotations

import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.store.tables import verdicts
from tests.forumbot.desk.browser import browser, missing, phone, served
from tests.forumbot.desk.scene import Scene, make_scene
from tests.forumbot.hosting.world import DAY_ONE, roles

PAGES = (
    ("now", "/g/gk1"),
    ("review", "/g/gk1/review"),
    ("log", "/g/gk1/log"),
    ("orders", "/g/gk1/orders"),
    ("time", "/g/gk1/time"),
    ("player", "/g/gk1/player/0"),
    ("outbox", "/g/gk1/outbox"),
    ("turns", "/g/gk1/turns"),
    ("why", "/g/gk1/turn/1?nick=Глеб"),
    ("night", "/g/gk1/night/1"),
    ("votes", "/g/gk1/votes?turn=1"),
    ("search", "/g/gk1/search?q=Борис"),
    ("history", "/g/gk1/acts"),
)
VOTES = (
    (50, "Захар", "Дина"),
    (40, "Игорь", "Дина"),
    (70, "Клара", "Борис"),
    (35, "Лев", "Дина"),
    (9, "Марк", "Борис"),
)
"""Minutes after the one before, voter, target."""
MOVES = (
    ("buratino", "Буратино: Глеб"),
    ("malvina", "Мальвина: Захар"),
    ("pierro", "Пьеро: Анна"),
    ("arlekin", "Арлекин: Марк"),
    ("artemon", "Артемон: Клара"),
)
"""Role, and what its player writes in the night."""
WIDE = {"width": 1280, "height": 800}
HIGHEST = 1100
"""Pixels of a page that a picture shows at most."""


def take(folder: Path) -> list[Path]:
    """Play a game up to the morning of day 2 and photograph the desk on a phone, and two pages of a wide one; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with tempfile.TemporaryDirectory() as place:
        scene = make_scene(Path(place), evil="", title="Золотой ключик, партия 7", theme="port")
        talk(scene)
        with served(scene) as address, browser() as opened:
            page = phone(opened, address)

            def shoot(name: str, path: str = "") -> None:
                if path:
                    page.goto(address + path)
                page.wait_for_load_state()
                high = min(HIGHEST, page.evaluate("document.documentElement.scrollHeight"))
                file = folder / f"{name}.png"
                wide = page.viewport_size["width"]
                page.screenshot(path=str(file), full_page=True, clip={"x": 0, "y": 0, "width": wide, "height": high})
                made.append(file)

            shoot("games", "/")
            for name, path in PAGES[:6]:
                shoot(name, path)
            play_on(scene)
            page.goto(f"{address}/g/gk1/outbox?state=held")
            page.locator("main ul.plainlist a").first.click()
            page.wait_for_url("**/out/**")
            shoot("newspaper")
            for name, path in PAGES[6:]:
                shoot(name, path)
            page.set_viewport_size(WIDE)
            shoot("wide-turn", "/g/gk1/turn/1")
            page.emulate_media(color_scheme="dark")
            shoot("wide-now", "/g/gk1")
    return made


def talk(scene: Scene) -> None:
    """More votes in the course of the day, and a move that has to be asked about."""
    world = scene.world
    for minutes, voter, target in VOTES:
        world.clock.sleep(minutes * 60)
        world.says(voter, f"[color=blue]Линч: {target}[/color]")
        world.tick()


def play_on(scene: Scene) -> None:
    """Settle the doubtful vote and let day and night pass; the newspaper waits for the host."""
    world = scene.world
    scene.do("accept", {"verdict": first_review(scene), "choice": 0})
    world.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=1))
    holders = {role: seat for seat, role in roles(world).items()}
    for role, move in MOVES:
        world.pm(holders[role], move)
        world.tick()
    world.until(DAY_ONE + timedelta(hours=21), step=timedelta(hours=1))
    world.settle()


def first_review(scene: Scene) -> int:
    return int(scene.world.value(sa.select(verdicts.c.id).where(verdicts.c.outcome == "review", verdicts.c.game_id == "gk1")))


if __name__ == "__main__":
    if missing():
        sys.exit(f"No pictures: {missing()}.")
    for file in take(Path(sys.argv[1])):
        print(file)
