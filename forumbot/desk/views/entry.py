"""Coming in and going out: password, one-time link, logout."""

from __future__ import annotations

from starlette.responses import Response

from forumbot.desk import accounts
from forumbot.desk.core import COOKIE, Asked, Desk, Refusal
from forumbot.desk.limits import networks

PASSWORD_TRIES, PASSWORD_TRIES_FROM, PASSWORD_TRIES_OF_ALL = 5, 20, 60
LINKS, LINKS_FROM = 3, 10
"""Tries in a quarter of an hour: for one name from one network, from one network (four times as many from its surroundings),
and for one name from everywhere. Nobody's wrong tries lock somebody elsewhere out, and a link by mail is always a way in."""
USES_FROM = 30

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
    desk = asked.desk
    key = _limit(asked, "password", name, PASSWORD_TRIES, PASSWORD_TRIES_FROM, PASSWORD_TRIES_OF_ALL)
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
    _limit(asked, "link", name, LINKS, LINKS_FROM)
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
    _limit(asked, "link use", "", USES_FROM, USES_FROM)
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


def _limit(asked: Asked, what: str, name: str, most: int, most_from: int, most_of_all: int | None = None) -> str:
    """Note a try; gives the key that counts those for this name from here. Raises Refusal when there were too many."""
    near, around = networks(asked.request.client.host if asked.request.client else "")
    own = f"{what} of {name.casefold()} from {near}"
    keys = [(f"{what} around {around}", 4 * most_from), (f"{what} from {near}", most_from), (own, most)]
    if most_of_all is not None:
        keys.append((f"{what} of {name.casefold()}", most_of_all))
    if not asked.desk.limits.allow(asked.now, *keys):
        raise Refusal(429, "Слишком много попыток: подождите четверть часа или войдите по ссылке из письма.")
    return own
