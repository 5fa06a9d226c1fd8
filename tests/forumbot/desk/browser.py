"""A real browser on a running desk: uvicorn in a thread, Debian's Chromium driven by Playwright."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from forumbot.desk.app import server
from forumbot.settings import Site
from tests.forumbot.desk.scene import HOST, PASSWORD, Scene

CHROMIUM = shutil.which("chromium") or ""
PHONE = {"width": 360, "height": 740}


def missing() -> str:
    """Why no browser can be driven here; empty when one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "the package playwright is not installed"
    return "" if CHROMIUM else "Debian's chromium is not installed"


@contextmanager
def served(scene: Scene) -> Iterator[str]:
    """The desk of this scene on a port of its own; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    site = Site.model_validate({**scene.world.site.model_dump(exclude_unset=True), "desk": {"port": port}})
    running = server(site, scene.world.store, scene.world.clock)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    try:
        while not running.started and thread.is_alive():
            time.sleep(0.01)
        yield site.desk.address
    finally:
        running.should_exit = True
        thread.join()


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()


def phone(opened: Any, address: str, name: str = HOST, **options: Any) -> Any:
    """A page of a phone's size, logged in; what the browser complains of is collected in ``page.complaints``."""
    context = opened.new_context(viewport=PHONE, device_scale_factor=1.5, locale="ru-RU", has_touch=True, **options)
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(f"{address}/login")
    page.get_by_label("Имя").fill(name)
    page.get_by_label("Пароль").fill(PASSWORD)
    page.get_by_role("button", name="Войти").click()
    page.wait_for_url(f"{address}/")
    return page
