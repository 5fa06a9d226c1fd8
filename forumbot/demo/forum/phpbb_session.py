"""phpBB sessions, remember-me keys, form tokens and the count of failed logins."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from html import escape

from forumbot.demo.forum.board import Board, User
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.web import Request, Response

GUEST = 1
"""The uid of everybody who is not logged in."""
CODE = "QW7ER"
"""What the picture of the confirmation code shows."""


@dataclass(slots=True)
class Session:
    """A visitor's session, bound to his User-Agent. ``passed``: sections whose password he has given."""

    sid: str
    uid: int
    user_agent: str
    seen: datetime
    passed: set[int] = field(default_factory=set)


class Sessions:
    """Who is who on one board."""

    def __init__(self, board: Board, options: PhpbbOptions) -> None:
        self._board = board
        self._options = options
        self._secret = secrets.token_hex(8)
        self._sessions: dict[str, Session] = {}
        self._keys: dict[str, int] = {}
        self._failures: dict[int, int] = {}
        self._used: dict[str, datetime] = {}

    # Sessions

    def open(self, request: Request) -> tuple[Session, list[tuple[str, str]], bool]:
        """The request's session, cookies to set, and whether links must carry the ``sid``."""
        name, now = self._options.cookie, self._board.clock.now()
        sid = request.cookies.get(f"{name}_sid") or request.get("sid")
        session = self._sessions.get(sid)
        if session is not None and session.user_agent == request.user_agent and (
                now - session.seen).total_seconds() <= self._options.session_life:
            session.seen = now
            return session, [], f"{name}_sid" not in request.cookies
        key = request.cookies.get(f"{name}_k", "")
        uid = self._keys.pop(key, GUEST) if key else GUEST
        session, cookies = self.enter(uid, request, remember=uid != GUEST)
        return session, cookies, f"{name}_sid" not in request.cookies

    def enter(self, uid: int, request: Request, *, remember: bool) -> tuple[Session, list[tuple[str, str]]]:
        """A new session for this user; with ``remember`` a new key too."""
        session = Session(secrets.token_hex(16), uid, request.user_agent, self._board.clock.now())
        self._sessions[session.sid] = session
        key = ""
        if remember:
            key = secrets.token_hex(8)
            self._keys[key] = uid
        return session, self._cookies(uid, key, session.sid)

    def leave(self, session: Session, request: Request) -> list[tuple[str, str]]:
        """Log out: session and key are gone, a guest's session takes their place."""
        self._sessions.pop(session.sid, None)
        self._keys.pop(request.cookies.get(f"{self._options.cookie}_k", ""), None)
        return self.enter(GUEST, request, remember=False)[1]

    def forget(self, request: Request) -> None:
        """Session and key of this visitor are lost."""
        name = self._options.cookie
        self._sessions.pop(request.cookies.get(f"{name}_sid") or request.get("sid"), None)
        self._keys.pop(request.cookies.get(f"{name}_k", ""), None)

    def _cookies(self, uid: int, key: str, sid: str) -> list[tuple[str, str]]:
        values = (("u", str(uid)), ("k", key), ("sid", sid))
        return [("Set-Cookie", f"{self._options.cookie}_{name}={value}; path=/; HttpOnly; Max-Age=31536000")
                for name, value in values]

    def user(self, session: Session) -> User | None:
        return None if session.uid == GUEST else self._board.users.get(session.uid)

    # Form tokens

    def token(self, session: Session, form: str) -> tuple[int, str]:
        """``creation_time`` and ``form_token`` for this form. A guest's is bound to the session, a user's to him."""
        made = int(self._board.clock.now().timestamp())
        return made, self._token(session, form, made)

    def token_fields(self, session: Session, form: str) -> str:
        made, token = self.token(session, form)
        return (f'<input type="hidden" name="creation_time" value="{made}" />\n'
                f'<input type="hidden" name="form_token" value="{token}" />\n')

    def good_token(self, request: Request, session: Session, form: str) -> bool:
        """Whether the token came back ripe, fresh and, where the board looks for that, for the first time."""
        text = request.field("creation_time")
        if request.token_expired or not text.isdecimal():
            return False
        now = self._board.clock.now()
        age = int(now.timestamp()) - int(text)
        token = request.field("form_token")
        if token != self._token(session, form, int(text)) or not self._options.token_min <= age <= self._options.token_life:
            return False
        used = self._used.get(token)
        again = used is not None and (now - used).total_seconds() < self._options.flood_interval
        return not (again and self._options.reused_token_refused)

    def spend(self, request: Request) -> None:
        """Something was stored by this token."""
        self._used[request.field("form_token")] = self._board.clock.now()

    def _token(self, session: Session, form: str, made: int) -> str:
        owner = session.sid if session.uid == GUEST else str(session.uid)
        return hashlib.sha1(f"{made}{owner}{form}{self._secret}".encode()).hexdigest()

    # Login

    def failed(self, uid: int) -> bool:
        """Whether so many logins of this account have failed that a code is asked."""
        return self._failures.get(uid, 0) >= self._options.login_failures

    def check_login(self, request: Request, session: Session) -> tuple[User | None, str]:
        """The user who gave the right words, or the name of what to tell him."""
        if self._options.version == "3.3" and not self.good_token(request, session, "login"):
            return None, "form_invalid"
        user = self._board.find_user(request.field("username"))
        if user is None or not user.password:
            return None, "wrong_username"
        if self.failed(user.uid) and request.field("confirm_code") != CODE:
            return None, "too_many"
        if user.password != request.field("password"):
            self._failures[user.uid] = self._failures.get(user.uid, 0) + 1
            return None, "wrong_password"
        self._failures.pop(user.uid, None)
        return user, ""


_LINK = re.compile(r'(href|action)="(\./[\w./]+\.php(?:/[\w/]+)?)(\?[^"#]*)?(#[^"]*)?"')


def carry_sid(html: str, sid: str) -> str:
    """Put the session into every link, as the first answer of a session does."""

    def put(found: re.Match[str]) -> str:
        query = found[3] or ""
        if "sid=" in query:
            return found[0]
        return f'{found[1]}="{found[2]}{query}{"&amp;" if query else "?"}sid={sid}{found[4] or ""}"'

    return _LINK.sub(put, html)


def redirect(host: str, address: str, cookies: list[tuple[str, str]] | None = None) -> Response:
    """302 to a whole address."""
    target = address if address.startswith("http") else f"{host}/{address.removeprefix('./')}"
    return Response(b"", 302, "text/html; charset=UTF-8", [("Location", target), *(cookies or [])])


def hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{name}" value="{escape(value)}" />\n'
