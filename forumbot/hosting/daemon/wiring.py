"""Puts the parts of a site together: store, clock, forum, mailbox, reader."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters import engines
from adapters.clock import Clock, SystemClock, VirtualClock
from adapters.forum import Forum, ForumSettings
from adapters.mailbox import Mailbox, Outgoing
from engine.messages import Reader
from forumbot import reading, resources
from forumbot.reading import Taught
from forumbot.settings import Site
from forumbot.settingsfile import load_forum_strings
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.ownership import hand_over

CLOCK_VARIABLE = "FORUMBOT_CLOCK"
"""Names the file of a virtual clock (rehearsals); without it time is the machine's."""


def clock() -> Clock:
    file = os.environ.get(CLOCK_VARIABLE)
    return VirtualClock(Path(file)) if file else SystemClock()


def open_store(site: Site) -> Store:
    """The site's database, brought to the present tables. Raises StoreError.

    What root leaves in a service's folder (database, lock, cookies) goes to the service's user when the command ends.
    """
    site.site.data.mkdir(parents=True, exist_ok=True)
    atexit.register(hand_over, site.site.data)
    store = Store(site.database)
    upgrade(store)
    site.database.chmod(0o600)
    return store


def forum(site: Site, the_clock: Clock) -> Forum:
    """The site's forum account, not logged in yet.

    Raises SettingsError when the host's own file of strings is wrong.
    """
    return _connect(site.forum_settings(forum_strings(site)), site, the_clock)


def guest(site: Site, the_clock: Clock) -> Forum:
    """The forum as one sees it who has no account: without our cookies and without a password. Raises SettingsError."""
    settings = replace(site.forum_settings(forum_strings(site)), password="", state_file=None)
    return _connect(settings, site, the_clock)


def forum_strings(site: Site) -> Mapping[str, Any]:
    """What the host has changed in ``config/forums``, checked. Raises SettingsError."""
    return load_forum_strings(resources.find(f"forums/{site.forum.engine}.toml", site.site.own), site.forum.engine)


def _connect(settings: ForumSettings, site: Site, the_clock: Clock) -> Forum:
    made: Forum = engines.part(site.forum.engine, "client").connect(settings, the_clock)
    return made


def mail(site: Site, the_clock: Clock) -> tuple[Mailbox | None, Outgoing | None]:
    """The mailbox and the way out; (None, None) where the site has no mail."""
    settings = site.mail_settings()
    if settings is None:
        return None, None
    from adapters.mail import imap, smtp

    return imap.connect(settings, the_clock), smtp.connect(settings, the_clock)


def reader(aliases: Mapping[str, str], nicks: Mapping[str, tuple[str, ...]], taught: Sequence[Taught] = ()) -> Reader:
    return reading.reader(aliases=aliases, nicks=nicks, taught=taught)
