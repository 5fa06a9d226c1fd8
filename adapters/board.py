"""What accounts on every forum engine do alike: stay logged in, read threads without holes, keep distance between writings."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from selectolax.lexbor import LexborHTMLParser

from adapters.alike import ALIKE, SAME, alikeness, bears, ends_with, folded
from adapters.clock import Clock
from adapters.errors import AwaitsApproval, LoginFailed, NoThread, NotShown, OutsideError, UnknownOutcome
from adapters.forum import Account, ForumSettings, Headed, Place, Progress, Stored, ThreadRead
from adapters.http import Session, Transport
from adapters.inert import inert
from adapters.markup import tamed
from adapters.model import Page, Post, PrivateMessage
from adapters.threads import Fetched, ThreadReading
from adapters.webpage import is_whole

_MOST_NAMESAKES = 5
_MOST_LOGINS = 4
_REST = timedelta(hours=1)
_NOT_LET_IN = "форум не впустил с этим именем и паролем"


class Board(ABC):
    """A logged-in account on one forum. Subclasses know the engine's addresses, pages and forms."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None) -> None:
        self.settings = settings
        self.clock = clock
        self.zone: tzinfo = ZoneInfo(settings.zone)
        self.session = Session(
            settings.url,
            clock,
            user_agent=settings.user_agent,
            min_interval=settings.min_interval,
            state_file=settings.state_file,
            transport=transport,
        )
        self._account: Account | None = None
        self._refused: LoginFailed | None = None
        self._in_vain = 0
        """Logins in a row that the forum did not refuse and that did not help: sessions get lost for a while, so it is tried
        again after a rest, once each time."""
        self._vain_at = clock.now()
        self._last_writing: datetime | None = None
        self._pages_of: dict[str, int] = {}

    # --- the engine's part ------------------------------------------------------------------------------------------------

    @abstractmethod
    def _home(self) -> str:
        """An address that any member may read and that tells whether he is logged in."""

    @abstractmethod
    def _logged_in(self, page: Fetched) -> bool: ...

    @abstractmethod
    def _wall(self, page: Fetched, *, after_login: bool = False) -> NoThread | None:
        """Why a page without our way out cannot be mended by logging in (challenge, cut off, maintenance where the engine
        lets nobody in); after a login that did not help, why it did not, where the page tells another reason than us."""

    @abstractmethod
    def _log_in(self) -> str:
        """Send name and password once; the forum's words where it refuses them, else "". Whether it worked is told by the next
        page. Raises LoginFailed where a captcha is asked."""

    @abstractmethod
    def _who(self, page: Fetched) -> Account: ...

    @abstractmethod
    def _thread_page(self, topic: str, number: int) -> tuple[Page, Fetched]: ...

    @abstractmethod
    def _titles(self, section: str) -> Mapping[str, str]:
        """The newest topics of a section's list: address -> title."""

    @abstractmethod
    def _topic_url(self, topic: str, post_id: int | None) -> str: ...

    # --- logging in -------------------------------------------------------------------------------------------------------

    def login(self) -> Account:
        """Log in unless logged in already; who we are. A password that was refused is never sent again."""
        page = self._get(self._home())
        if not self._logged_in(page):
            page = self._log_in_now()
        if self._account is None:
            self._account = self._who(page)
        return self._account

    def attend(self, alive: Callable[[], None]) -> None:
        """Tell meanwhile that it is at work (adapters.forum)."""
        self.session.alive = alive

    def close(self) -> None:
        """Give the connection up; cookies stay."""
        self.session.close()

    def escape(self, text: str) -> str:
        """Text of somebody else made harmless inside our own BBCode: nothing of theirs works, all stays readable."""
        return inert(text)

    def _get(self, address: str) -> Fetched:
        answer = self.session.get(address)
        return Fetched(answer, LexborHTMLParser(tamed(answer.text)))

    def _open(self, address: str) -> Fetched:
        """Fetch a page as a member: logs in once when the page was made for a guest. Raises NoThread for walls, and for a page
        without an end: of a list that is cut off, what is missing would be passed over for ever, and of a message its last
        words."""
        page = self._get(address)
        if self._logged_in(page):
            return _whole(page)
        if (wall := self._wall(page)) is not None:
            raise wall
        self._log_in_now()
        page = self._get(address)
        if not self._logged_in(page):
            raise self._wall(page, after_login=True) or NoThread("login_required", "форум не признаёт вход")
        return _whole(page)

    def _log_in_now(self) -> Fetched:
        if self._refused is not None:
            raise self._refused
        if self._in_vain >= _MOST_LOGINS and timedelta() <= self.clock.now() - self._vain_at < _REST:
            raise LoginFailed(_NOT_LET_IN)
        for _ in range(2):
            try:
                said = self._log_in()
            except LoginFailed as error:
                self._refused = error
                raise
            page = self._get(self._home())
            if self._logged_in(page):
                self._in_vain = 0
                self._account = self._who(page)
                return page
            if (wall := self._wall(page, after_login=True)) is not None:
                raise wall
            if said:
                self._refused = LoginFailed(said)
                raise self._refused
            self._in_vain, self._vain_at = self._in_vain + 1, self.clock.now()
            if self._in_vain >= _MOST_LOGINS:
                raise LoginFailed(_NOT_LET_IN)
        raise NoThread("login_required", "форум принял имя и пароль, но входа не признаёт")

    # --- reading ----------------------------------------------------------------------------------------------------------

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        """Read from the page of the place to the last page (adapters.forum)."""
        read = ThreadReading(lambda number: self._thread_page(topic, number))
        found = read.run(since, whole=whole)
        self._pages_of[topic] = found.pages
        return found

    def read_on(
        self, topic: str, since: Place, progress: Progress | None, note: Callable[[Progress, tuple[Post, ...]], None]
    ) -> ThreadRead:
        """Read the whole thread, or its rest (adapters.forum)."""
        read = ThreadReading(lambda number: self._thread_page(topic, number), note)
        found = read.run_on(since, progress)
        self._pages_of[topic] = found.pages
        return found

    def topics_named(self, section: str, subject: str) -> tuple[Headed, ...]:
        """Topics of this subject with their first posts (adapters.forum)."""
        me = self.login()
        found = self._headed(self._titles(section), subject, me)
        if not any(one.mine for one in found):
            known = {one.topic for one in found}
            found += [one for one in self._headed(self._titles_elsewhere(), subject, me) if one.topic not in known]
        return tuple(found)

    def _titles_elsewhere(self) -> Mapping[str, str]:
        """Topics in which we have written, wherever they stand now: none, unless the engine knows better."""
        return {}

    def _headed(self, titles: Mapping[str, str], subject: str, me: Account) -> list[Headed]:
        found: list[Headed] = []
        named = {topic: fits for topic, title in titles.items() if (fits := bears(title, subject)) is not None}
        for topic in sorted(named, key=lambda topic: (named[topic], _topic_number(topic)), reverse=True)[:_MOST_NAMESAKES]:
            try:
                page, _ = self._thread_page(topic, 1)
            except NoThread as error:
                if error.reason in ("not_found", "forbidden"):
                    continue  # taken away since the list was made
                raise  # one whose posts cannot be read may be the very topic that is looked for
            if first := (*page.posts, *page.waiting)[:1]:
                mine, waits, url = self._is_mine(first[0], me), not page.posts, self._topic_url(topic, None)
                found.append(Headed(topic, url, first[0], mine, waits, named[topic]))
        return found

    def find_topic(self, section: str, subject: str) -> Stored | None:
        """The newest of our own topics of this subject (adapters.forum)."""
        mine = (one for one in self.topics_named(section, subject) if one.mine and one.named and not one.waiting)
        return next((Stored(one.topic, one.first.id, one.url) for one in mine), None)

    def newest_posts(self, section: str) -> Mapping[str, int]:
        """What a section's list tells of new posts (adapters.forum): nothing, unless the engine knows better."""
        return {}

    def find_reply(
        self, topic: str, text: str, *, after_id: int = 0, known: Collection[int] = (), loosely: bool = False
    ) -> Stored | None:
        """Our own post with this text, newest first (adapters.forum)."""
        me = self.login()
        alike: list[tuple[float, int]] = []
        glued: int | None = None
        for page in self._pages_back(topic):
            waiting = {post.id for post in page.waiting}
            for post in sorted((*page.posts, *page.waiting), key=lambda post: -post.id):
                if not self._is_mine(post, me):
                    continue
                if glued is None:
                    glued = post.id if "merged" in post.problems and ends_with(post.runs, text) else 0
                likeness = alikeness(text, post.runs)
                if post.id <= after_id or post.id in known or likeness < (ALIKE if loosely else SAME):
                    continue
                if post.id in waiting:
                    raise AwaitsApproval("сообщение ждёт одобрения")
                if likeness == SAME:
                    return Stored(topic, post.id, self._topic_url(topic, post.id))
                alike.append((likeness, post.id))
            later = [post.id for post in page.posts]
            if after_id and page.page > 1 and later and min(later[1:] or later) <= after_id:
                break
        found = max(alike)[1] if alike else glued if loosely else None
        return Stored(topic, found, self._topic_url(topic, found), changed=True) if found else None

    def _pages_back(self, topic: str) -> Iterator[Page]:
        """The pages of a topic from the last to the first."""
        page, _ = self._thread_page(topic, self._pages_of.get(topic, 1))
        while page.page < page.pages:
            page, _ = self._thread_page(topic, page.pages)
        self._pages_of[topic] = page.pages
        yield page
        for number in range(page.page - 1, 0, -1):
            yield self._thread_page(topic, number)[0]

    def _last_page(self, topic: str) -> tuple[Page, Fetched]:
        page, fetched = self._thread_page(topic, self._pages_of.get(topic, 1))
        for _ in range(3):
            if page.page >= page.pages:
                break
            page, fetched = self._thread_page(topic, page.pages)
        self._pages_of[topic] = page.pages
        return page, fetched

    @staticmethod
    def _is_mine(post: Post, me: Account) -> bool:
        if post.author_uid is not None and me.uid:
            return post.author_uid == me.uid
        return folded(post.author) == folded(me.nick)

    # --- writing ----------------------------------------------------------------------------------------------------------

    def _before_writing(self) -> None:
        """Wait until the flood interval since our last writing is over; posts and private messages count together."""
        if self._last_writing is not None:
            gone = (self.clock.now() - self._last_writing).total_seconds()
            if 0 <= gone < self.settings.flood_interval:  # less than nothing: the clock was put back
                self.clock.sleep(self.settings.flood_interval - gone)

    def _wrote(self) -> None:
        self._last_writing = self.clock.now()

    def _let_ripen(self) -> None:
        """A form sent back at once is refused: wait as a person would."""
        self.clock.sleep(self.settings.form_delay)

    def _looking_back(self, send: Callable[[], None], look: Callable[[], Stored | None]) -> Stored:
        """Send, then find what was sent. A lost answer is looked for, too, before it is called unknown."""
        lost: UnknownOutcome | None = None
        try:
            send()
        except UnknownOutcome as error:
            lost = error
        finally:
            self._wrote()
        try:
            found = look()
        except NotShown:
            raise
        except OutsideError as error:  # what keeps us from seeing it now does not tell that it was not stored
            raise lost or UnknownOutcome(error.text) from error
        if found is None:
            raise lost or UnknownOutcome("отправлено, но на форуме не видно")
        return found


def _whole(page: Fetched) -> Fetched:
    if not is_whole(page.answer.text):
        raise NoThread("truncated", "страница оборвана: у неё нет конца")
    return page


def _topic_number(topic: str) -> int:
    """The number of a topic in its address: the higher, the newer."""
    return int(re.sub(r".*\D", "", topic) or 0)


def in_order(messages: dict[int, Callable[[], PrivateMessage]]) -> tuple[PrivateMessage, ...]:
    """Read messages by id. When reading fails in between, those before are given and the rest stays for the next time."""
    read: list[PrivateMessage] = []
    for pid in sorted(messages):
        try:
            read.append(messages[pid]())
        except OutsideError:
            if not read:
                raise
            break
    return tuple(read)
