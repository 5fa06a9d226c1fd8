"""The desk as a web application: its table of pages, and the one way by which every request comes in."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import structlog
from sqlalchemy.exc import NoResultFound
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from adapters.clock import Clock
from forumbot.desk import accounts, lines
from forumbot.desk.core import COOKIE, HERE, Asked, Desk, Handler, Refusal
from forumbot.desk.gate import Gate
from forumbot.desk.rights import Need, may
from forumbot.desk.views import (
    access,
    book,
    doing,
    entry,
    home,
    journal,
    nights,
    outgoing,
    people,
    questions,
    search,
    turning,
    votes,
)
from forumbot.hosting.core import record
from forumbot.settings import Site
from forumbot.store.database import Store, StoreError

log = structlog.get_logger("forumbot.desk")

FORM_MOST = 300_000
"""Bytes of a form; the longest is a newspaper in the host's own wording."""

class _RowNumber(IntegerConvertor):
    """A number that a row of the database may have; a longer one is no page."""

    regex = "[0-9]{1,18}"


register_url_convertor("int", _RowNumber())


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    handler: Handler
    need: Need = "see"
    form: bool = False


PAGES: tuple[Page, ...] = (
    Page("/login", entry.login_page, "anyone"),
    Page("/login", entry.login, "anyone", form=True),
    Page("/login/{token}", entry.link_page, "anyone"),
    Page("/login/{token}", entry.use_link, "anyone", form=True),
    Page("/logout", entry.logout, "account", form=True),
    Page("/", home.games, "account"),
    Page("/g/{game}", home.now),
    Page("/g/{game}/now", home.now_fragment),
    Page("/g/{game}/log", journal.log),
    Page("/g/{game}/log/{number:int}", journal.entry),
    Page("/g/{game}/review", journal.review),
    Page("/g/{game}/questions", questions.page),
    Page("/g/{game}/words", journal.words),
    Page("/g/{game}/texts", journal.texts),
    Page("/g/{game}/post/{number:int}", journal.post),
    Page("/g/{game}/letter/{number:int}", journal.letter),
    Page("/g/{game}/orders", book.orders),
    Page("/g/{game}/enter", book.enter),
    Page("/g/{game}/ledger", book.ledger),
    Page("/g/{game}/players", people.players),
    Page("/g/{game}/player/{number:int}", people.player),
    Page("/g/{game}/time", people.time),
    Page("/g/{game}/outbox", outgoing.rows),
    Page("/g/{game}/out/{number:int}", outgoing.row),
    Page("/g/{game}/turns", turning.turns_list),
    Page("/g/{game}/turn/{number:int}", turning.turn),
    Page("/g/{game}/night/{number:int}", nights.page),
    Page("/g/{game}/votes", votes.page),
    Page("/g/{game}/search", search.page),
    Page("/g/{game}/acts", doing.all_acts),
    Page("/g/{game}/act/{number:int}", doing.state),
    Page("/g/{game}/found/{number:int}", doing.found),
    Page("/g/{game}/bars", people.barred, "act"),
    Page("/g/{game}/do/{kind}", doing.do, "act", form=True),
    Page("/g/{game}/access", access.page),
    Page("/g/{game}/access", access.change, "share", form=True),
)


def application(site: Site, store: Store, clock: Clock) -> Gate:
    """The desk of one site. ``store`` is read by the reading engine; what is written are sessions, links and asked acts."""
    desk = Desk(site, store, clock)
    hosts = {urlsplit(site.desk.address).hostname or site.desk.host, site.desk.host, "127.0.0.1", "localhost"}
    routes = [Route(page.path, _endpoint(desk, page), methods=["POST"] if page.form else ["GET"]) for page in PAGES]
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=HERE / "static"))],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=sorted(hosts), www_redirect=False)],
        exception_handlers={HTTPException: _http_problem(desk), Exception: _crash(desk)},
    )
    # A page has one address; an answer that sends elsewhere would repeat whatever the request named as its host.
    app.router.redirect_slashes = False
    return Gate(app, desk.root)


def serve(site: Site, store: Store, clock: Clock, host: str | None = None, port: int | None = None) -> None:
    """Serve the desk until the process is told to stop."""
    server(site, store, clock, host, port).run()


def server(site: Site, store: Store, clock: Clock, host: str | None = None, port: int | None = None) -> Any:
    """A uvicorn server for the desk; its ``run`` may also be called in a thread, ``should_exit = True`` ends it.

    No access log: addresses of pages name players, and login links are addresses.
    """
    import uvicorn

    config = uvicorn.Config(
        application(site, store, clock),
        host=site.desk.host if host is None else host,
        port=site.desk.port if port is None else port,
        proxy_headers=True,
        forwarded_allow_ips=site.desk.proxies,
        access_log=False,
        log_level="warning",
        server_header=False,
        lifespan="off",
        **lines.options(),
    )
    return uvicorn.Server(config)


def _endpoint(desk: Desk, page: Page) -> Any:
    async def endpoint(request: Request) -> Response:
        form: Mapping[str, Sequence[str]] = {}
        try:
            if page.form:
                async with asyncio.timeout(lines.BODY_SECONDS):
                    form = await _form(request)
        except TimeoutError:
            return _problem(desk, request, 408, "Форма не пришла целиком: попробуйте ещё раз.")
        except Refusal as refusal:
            return _problem(desk, request, refusal.status, refusal.sentence)
        return await run_in_threadpool(_answer, desk, page, request, form)

    return endpoint


async def _form(request: Request) -> Mapping[str, Sequence[str]]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise Refusal(415, "Форма прислана в непонятном виде.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_MOST:
            raise Refusal(413, "Слишком длинный текст.")
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=200, errors="strict")
    except ValueError as error:
        raise Refusal(400, "Форма прислана в непонятном виде.") from error


def _answer(desk: Desk, page: Page, request: Request, form: Mapping[str, Sequence[str]]) -> Response:
    cookie = request.cookies.get(COOKIE, "")
    fresh = not cookie
    cookie = cookie or secrets.token_urlsafe(32)
    now = desk.clock.now()
    try:
        with desk.store.read() as connection:
            account, note = accounts.session(connection, cookie, now)
        if account is not None and note:
            with desk.store.write() as connection:
                accounts.note_seen(connection, cookie, now)
        if account is None and not may(None, page.need):
            return _to_login(desk, request)
        if page.form:
            _check_form(request, cookie, form)
        # A form asks for its own transactions: it writes.
        with nullcontext(None) if page.form else desk.store.read() as reading:
            asked = Asked(desk, request, cookie, account, form, now, reading)
            if "game" in request.path_params:
                _enter_game(asked, page.need)
            elif not may(account, page.need):
                raise Refusal(404, "Такой страницы нет.")
            answer = page.handler(asked)
    except Refusal as refusal:
        return _problem(desk, request, refusal.status, refusal.sentence)
    except StoreError as error:
        log.error("store", text=str(error))
        return _problem(desk, request, 503, str(error))
    if fresh and page.need == "anyone" and "set-cookie" not in answer.headers:
        entry.set_cookie(desk, answer, cookie)
    return answer


def _check_form(request: Request, cookie: str, form: Mapping[str, Sequence[str]]) -> None:
    """A form counts only from our own page of this very session."""
    brought = form.get("csrf", [""])[0]
    site = request.headers.get("sec-fetch-site", "same-origin")
    if not hmac.compare_digest(brought.encode(), accounts.csrf(cookie).encode()) or site not in ("same-origin", "none"):
        raise Refusal(403, "Страница устарела: вернитесь назад, обновите её и попробуйте ещё раз.")


def _enter_game(asked: Asked, need: Need) -> None:
    """A game that is not his does not exist for the visitor."""
    game_id = str(asked.request.path_params["game"])
    if not may(asked.account, "see", game_id):
        raise Refusal(404, "Такой страницы нет.")
    try:
        if asked._connection is not None:
            asked.game = record.load(asked.connection, game_id)
        else:
            with asked.desk.store.read() as connection:
                asked.game = record.load(connection, game_id)
    except NoResultFound as error:
        raise Refusal(404, "Такой страницы нет.") from error
    asked.role = asked.who.role(game_id)
    if not may(asked.account, need, game_id):
        raise Refusal(403, _WHO_MAY.get(need, "Этого вам нельзя."))


_WHO_MAY: Mapping[Need, str] = {
    "act": "Наблюдатель только смотрит: это может сделать ведущий или помощник.",
    "share": "Права раздаёт только ведущий.",
}


def _to_login(desk: Desk, request: Request) -> Response:
    if request.headers.get("hx-request"):
        # A piece of a page cannot show a login form: htmx goes to the whole page.
        return HTMLResponse("", 401, {"HX-Redirect": f"{desk.root}/login"})
    return RedirectResponse(f"{desk.root}/login", 303)


def _problem(desk: Desk, request: Request, status: int, sentence: str) -> Response:
    text = desk.render("problem.html", root=desk.root, status=status, sentence=sentence)
    return HTMLResponse(text, status)


def _http_problem(desk: Desk) -> Any:
    sentences = {404: "Такой страницы нет.", 405: "Так эту страницу не открыть."}

    async def handler(request: Request, error: HTTPException) -> Response:
        if not request.cookies.get(COOKIE):
            return _to_login(desk, request)
        return _problem(desk, request, error.status_code, sentences.get(error.status_code, "Так не получится."))

    return handler


def _crash(desk: Desk) -> Any:
    async def handler(request: Request, error: Exception) -> Response:
        log.error("page_failed", exc_info=error, method=request.method)
        return _problem(desk, request, 500, "На пульте ошибка; она записана в журнал. Игры идут своим ходом.")

    return handler
