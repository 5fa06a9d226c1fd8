"""The owner of a real phpBB 3.3: accounts, a section, settings, by the board's own administration pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin

from tests.realboard.browser import Page, Refused
from tests.realboard.moderator import Moderator
from tests.realboard.people import Member

CALM: Mapping[str, Mapping[str, str]] = {
    "registration": {"require_activation": "0", "enable_confirm": "0", "new_member_post_limit": "0",
                     "min_name_chars": "1", "allow_name_chars": "USERNAME_CHARS_ANY"},
    "security": {"email_check_mx": "0", "check_dnsbl": "0",
                 "form_token_lifetime": "99999", "max_login_attempts": "0", "ip_check": "0", "max_autologin_time": "0"},
    "load": {"session_length": "99999999"},
    "post": {"flood_interval": "0", "max_post_chars": "60000"},
    "message": {"pm_max_msgs": "1000"},
}  # fmt: skip
"""Settings of a board that a campaign plays on: nothing but what it switches itself stands in its way."""


class Owner(Moderator):
    """The board's founder, in its administration."""

    _admin: str = ""
    _old: bool = False

    def enter(self) -> None:
        super().enter()
        index = self.get("index.php")
        link = next((a.attributes["href"] or "" for a in index.tree.css('a[href*="adm/index.php"]')), None)
        if link is None:
            raise Refused("the account has no administration")
        page = self.get(link)
        if page.tree.css_first('input[type="password"]') is not None:
            form = next(f for f in page.tree.css("form") if f.css_first('input[type="password"]') is not None)
            secret = form.css_first('input[type="password"]')
            assert secret is not None
            page = self.send(page, form, {"username": self.nick, secret.attributes["name"] or "": self.password}, "login")
        # The administration has a session of its own, which stands in the address.
        sid = re.search(r"adm/index\.php\?[^\"']*sid=([0-9a-f]{32})", page.html) or re.search(r"sid=([0-9a-f]{32})", page.url)
        if sid is None:
            raise Refused(f"no administration: {page.words()}")
        self._admin = sid[1]

    def _room(self, **query: str | int) -> Page:
        """A page of the administration; 3.0 names its rooms without ``acp_``."""
        old = {**query, "i": str(query["i"]).removeprefix("acp_")}
        for _ in range(2):
            for named in (old,) if self._old else (query, old):
                page = self.get("adm/index.php", sid=self._admin, **named)
                if self._admin and page.status == 200 and page.tree.css_first("#acp, #menu, .acp-menu, body.acp, #main"):
                    self._old = named is old
                    return page
            self.enter()
        raise Refused(f"no such room {query}: {page.words()}")

    def settings(self, mode: str, values: Mapping[str, str]) -> None:
        """Change settings of one page of the administration (``i=acp_board``)."""
        page = self._room(i="acp_board", mode=mode)
        form = page.form("submit")
        changed = {f"config[{name}]": value for name, value in values.items() if form.css_first(f'[name="config[{name}]"]')}
        page = self.send(page, form, changed, "submit")
        if page.tree.css_first(".successbox") is None:
            raise Refused(f"settings of {mode}: {page.words()}")

    def calm(self) -> None:
        """The settings of a campaign."""
        for mode, values in CALM.items():
            self.settings(mode, values)

    def section(self, name: str, like: int) -> int:
        """A new forum with the rights of another; gives its id."""
        page = self._room(i="acp_forums", mode="manage")
        page = self.send(page, page.form("addforum"), {"forum_name": name}, "addforum")
        form = page.form("forum_name")
        page = self.send(page, form, {"forum_name": name, "forum_parent_id": "0", "forum_type": "1",
                                      "forum_perm_from": str(like)}, "update")  # fmt: skip
        listed = self.get("index.php").tree.css('a.forumtitle, a[href*="viewforum.php"]')
        found = [
            int(m[1]) for a in listed if a.text().strip() == name and (m := re.search(r"f=(\d+)", a.attributes["href"] or ""))
        ]
        if not found:
            raise Refused(f"no section «{name}»: {page.words()}")
        return max(found)

    def member(self, nick: str, password: str, address: str) -> Member:
        """A new account, made by the board's own registration."""
        guest = Member(self.url, nick, password, wait=self.wait)
        page = guest.get("ucp.php", mode="register")
        if page.tree.css_first('[name="new_password"]') is None:
            page = guest.send(page, page.form("agreed"), {"not_agreed": None}, "agreed")
        form = page.form("new_password")
        button = "agree" if form.css_first('[name="agree"]') is not None else "submit"
        page = guest.send(page, form, {"username": nick, "email": address, "new_password": password,
                                       "password_confirm": password}, button)  # fmt: skip
        if page.tree.css_first('[name="new_password"]') is not None:
            raise Refused(f"no account {nick}: {page.words()}")
        guest.close()
        made = Member(self.url, nick, password, wait=self.wait)  # in a browser that does not remember the registration
        made.enter()
        return made

    def rename(self, uid: int, nick: str) -> None:
        page = self._room(i="acp_users", mode="overview", u=uid)
        page = self.send(page, page.form("user"), {"user": nick}, "update")
        if page.tree.css_first(".successbox") is None:
            raise Refused(page.words())

    def right(self, section: int, group: int, name: str, *, given: bool) -> None:
        """Give a group a right in a section (``f_read``, ``f_reply``, ``f_noapprove``: posts without approval) or deny it."""
        page = self._room(i="acp_permissions", mode="setting_forum_local", **{"forum_id[]": section, "group_id[]": group})
        field = f"setting[{group}][{section}][{name}]"
        page = self.send(page, page.form(field), {field: "1" if given else "0"}, f"psubmit[{group}][{section}]")
        if page.tree.css_first(".successbox") is None:
            raise Refused(page.words())

    def censor(self, word: str, shown: str) -> None:
        """Show a word as another one, wherever it stands."""
        page = self._room(i="acp_words", mode="words", action="add")
        page = self.send(page, page.form("word"), {"word": word, "replacement": shown}, "save")
        if page.tree.css_first(".successbox") is None:
            raise Refused(page.words())

    def uncensor(self) -> None:
        """Show all words as they were written."""
        while True:
            page = self._room(i="acp_words", mode="words")
            link = page.tree.css_first('a[href*="action=delete"]')
            if link is None:
                return
            self.confirm(self.get(urljoin(page.url, link.attributes["href"])))

    def switch_off(self, words: str | None) -> None:
        """Close the board with these words, or open it again."""
        self.settings("settings", {"board_disable": "1" if words else "0", "board_disable_msg": words or ""})
