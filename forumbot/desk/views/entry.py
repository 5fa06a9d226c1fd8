"""Coming in and going out: password, one-time link, logout."""

from __future__ import annotations

from starlette.responses import Response

from forumbot.desk import accounts
from forumbot.desk.core import COOKIE, Asked, Desk, Refusal

PASSWORD_TRIES, PASSWORD_TRIES_FROM = 5, 20
LINKS, LINKS_FROM = 3, 10
"""Tries in a quarter of an hour: for one name, and from one address."""

_SENT = "Если такое имя есть, ссылка уже в пути: проверьте почту или личные сообщения форума."


def login_page(asked: Asked) -> Response:
    if asked.account is not None:
        return asked.go(asked.url("/"))
    return asked.page("login.html", said="", wrong="", person="")


def login(asked: Asked) -> Response:
    """One form, two buttons: with the password, or send a link."""
    name = asked.said("name")[:100]
    return _send_link(asked, name) if asked.said("by") == "link" else _by_password(asked, name)


def _by_password(asked: Asked, name: str) -> Response:
    desk, key = asked.desk, f"password/{name.casefold()}"
    _limit(asked, (key, PASSWORD_TRIES), (f"password from {_address(asked)}", PASSWORD_TRIES_FROM))
    # Not stripped: a password may begin with a space.
    password = asked.form.get("password", [""])[0][:1000]
    with desk.store.read() as connection:
        account = accounts.find(connection, name)
    if not accounts.password_fits(account["password"] if account else None, password) or account is None:
        return asked.page("login.html", 403, said="", wrong="Имя или пароль не подходят.", person=name)
    desk.limits.forget(key)
    return _let_in(asked, int(account["id"]))


def _send_link(asked: Asked, name: str) -> Response:
    desk = asked.desk
    _limit(asked, (f"link/{name.casefold()}", LINKS), (f"link from {_address(asked)}", LINKS_FROM))
    with desk.store.write() as connection:
        accounts.send_link(connection, name, desk.site.desk.address, asked.now)
    # The same answer for every name: whether it exists is nobody's business.
    return asked.page("login.html", said=_SENT, wrong="", person=name)


def link_page(asked: Asked) -> Response:
    """Opening a link changes nothing: programs that look into letters open links too. The button uses it up."""
    token = str(asked.request.path_params["token"])
    works = accounts.link_works(asked.connection, token, asked.now)
    return asked.page("link.html", 200 if works else 410, works=works, token=token)


def use_link(asked: Asked) -> Response:
    _limit(asked, (f"link use from {_address(asked)}", 30))
    with asked.desk.store.write() as connection:
        account_id = accounts.use_link(connection, str(asked.request.path_params["token"]), asked.now)
    if account_id is None:
        return asked.page("link.html", 410, works=False, token="")
    return _let_in(asked, account_id)


def logout(asked: Asked) -> Response:
    with asked.desk.store.write() as connection:
        if asked.said("everywhere"):
            accounts.end_sessions(connection, asked.who.id)
        else:
            accounts.end_session(connection, asked.cookie)
    answer = asked.go(asked.url("/login"))
    answer.delete_cookie(COOKIE, path=asked.desk.root or "/")
    return answer


def set_cookie(desk: Desk, answer: Response, value: str, *, seconds: int | None = None) -> None:
    """``Lax``: a link in a letter of the bot opens the desk; forms are guarded by their own word."""
    answer.set_cookie(COOKIE, value, max_age=seconds, path=desk.root or "/", secure=desk.secure, httponly=True, samesite="lax")


def _let_in(asked: Asked, account_id: int) -> Response:
    """Always a new session: a cookie from before the login is never one."""
    with asked.desk.store.write() as connection:
        token = accounts.begin_session(connection, account_id, asked.now)
    answer = asked.go(asked.url("/"))
    set_cookie(asked.desk, answer, token, seconds=int(accounts.SESSION_LIVES.total_seconds()))
    return answer


def _limit(asked: Asked, *keys: tuple[str, int]) -> None:
    if not asked.desk.limits.allow(asked.now, *keys):
        raise Refusal(429, "Слишком много попыток: подождите четверть часа.")


def _address(asked: Asked) -> str:
    return asked.request.client.host if asked.request.client else ""
