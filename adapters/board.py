"""What accounts on every forum engine do alike: stay logged in, read threads without holes, keep distance between writings."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from selectolax.lexbor import LexborHTMLParser

from adapters.clock import Clock
from adapters.errors import LoginFailed, NoThread, OutsideError, UnknownOutcome
from adapters.forum import Account, ForumSettings, Place, Stored, ThreadRead
from adapters.http import Answer, Session, Transport
from adapters.markup import bbcode_runs, own_text, tamed
from adapters.model import Page, Post, PrivateMessage, Run

_URL = re.compile(r"(?:https?://|www\.)\S+", re.I)
_TAG_START = re.compile(r"\[(?=[a-z0-9_*/-]|$)|&(?=#)", re.I)
"""Where mark-up of somebody else's would begin: a tag (owners add some of their own), a character reference."""
_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Signs that turn the direction of all that follows them."""
_SMILEY = re.compile(
    r"(?<!\S)(?::[a-z0-9_+-]{1,20}:|[:;=%8b>][-'^]?[()\[\]{}dpox0|/\\*@$?3]{1,2}|\([a-z]{2,12}\)|[ox]_[ox]|xd)(?=[\s.,!]|$)", re.I
)
"""What engines make a picture of."""
_CUT = 600
_MOST_PAGES = 5000
_MOST_LOGINS = 4
_REST = timedelta(hours=1)
_NOT_LET_IN = "форум не впустил с этим именем и паролем"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page with its tree."""

    answer: Answer
    tree: LexborHTMLParser


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

    def close(self) -> None:
        """Give the connection up; cookies stay."""
        self.session.close()

    def escape(self, text: str) -> str:
        """Text of somebody else made harmless inside our own BBCode: no tag of his works, all stays readable."""
        return _TAG_START.sub(lambda found: f"{found[0]}\xa0", _TURNS.sub("", text))

    def _get(self, address: str) -> Fetched:
        answer = self.session.get(address)
        return Fetched(answer, LexborHTMLParser(tamed(answer.text)))

    def _open(self, address: str) -> Fetched:
        """Fetch a page as a member: logs in once when the page was made for a guest. Raises NoThread for walls."""
        page = self._get(address)
        if self._logged_in(page):
            return page
        if (wall := self._wall(page)) is not None:
            raise wall
        self._log_in_now()
        page = self._get(address)
        if not self._logged_in(page):
            raise self._wall(page, after_login=True) or NoThread("login_required", "форум не признаёт вход")
        return page

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
        read = _ThreadReading(lambda number: self._thread_page(topic, number))
        found = read.run(since, whole=whole)
        self._pages_of[topic] = found.pages
        return found

    def find_reply(self, topic: str, text: str, *, after_id: int = 0) -> Stored | None:
        """Our own post with this text, newest first."""
        me = self.login()
        for page in self._pages_back(topic):
            for post in sorted(page.posts, key=lambda post: -post.id):
                if post.id > after_id and self._is_mine(post, me) and same_words(text, post.runs):
                    return Stored(topic, post.id, self._topic_url(topic, post.id))
            later = [post.id for post in page.posts]
            if after_id and page.page > 1 and later and min(later[1:] or later) <= after_id:
                return None
        return None

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
        except OutsideError as error:  # what keeps us from seeing it now does not tell that it was not stored
            raise lost or UnknownOutcome(error.text) from error
        if found is None:
            raise lost or UnknownOutcome("отправлено, но на форуме не видно")
        return found


class _ThreadReading:
    """One reading of a thread, page by page, with guards against pages that repeat and holes that open meanwhile."""

    def __init__(self, fetch: Callable[[int], tuple[Page, Fetched]]) -> None:
        self._fetch = fetch
        self._posts: dict[int, Post] = {}
        self._problems: list[str] = []
        self._seen: list[frozenset[int]] = []
        self._first_at: datetime | None = None
        self._pinned: int | None = None

    def run(self, since: Place, *, whole: bool) -> ThreadRead:
        number = 1 if whole else max(since.page, 1)
        try:
            page = self._take(number)
        except NoThread as error:
            if number == 1 or error.reason not in ("no_posts", "not_found"):
                raise
            number = 1  # the page is gone: posts were deleted
            page = self._take(number)
        while page.page != number and page.pages < number and number > 1:  # the thread has become shorter
            number = page.pages
            page = self._take(number)
        while since.last_id and not whole and number > 1 and not self._reaches(page, since.last_id):
            number -= 1  # posts were deleted, and the last known one has moved up
            page = self._take(number)
        newest = self._go_on(number, page)
        complete = not self._problems
        last_id = max([since.last_id, *self._posts])
        return ThreadRead(
            posts=tuple(self._posts[pid] for pid in sorted(self._posts)),
            complete=complete,
            place=Place(last_id, newest.page) if complete else since,
            title=newest.title,
            pages=newest.pages,
            locked=newest.locked,
            fetched=self._first_at,
            problems=tuple(dict.fromkeys(self._problems)),
        )

    def _go_on(self, number: int, page: Page) -> Page:
        """From a page to the last one."""
        if page.page != number:
            self._problems.append("repeated_page")
            return page
        self._seen.append(self._own_ids(page))
        while number < page.pages and len(self._seen) < _MOST_PAGES:
            before = page
            number += 1
            page = self._take(number)
            ids = self._own_ids(page)
            if page.pages < number and page.page < number:  # deletions have taken the last page away meanwhile
                self._problems.append("changed_while_reading")
                return page
            if page.page != number or not ids or ids in self._seen:
                self._problems.append("repeated_page")
                return page
            if page.pages < before.pages or self._hole(before, page):
                self._problems.append("changed_while_reading")
            self._seen.append(ids)
        return page

    def _take(self, number: int) -> Page:
        page, fetched = self._fetch(number)
        if self._first_at is None:
            self._first_at = fetched.answer.date
        if page.page > 1 and page.posts and page.posts[0].number == 1:
            self._pinned = page.posts[0].id
        self._posts.update((post.id, post) for post in page.posts)
        return page

    def _own_ids(self, page: Page) -> frozenset[int]:
        """Ids of a page's posts without the pinned first post of the thread."""
        skip = self._pinned if page.page > 1 else None
        return frozenset(post.id for post in page.posts if post.id != skip)

    def _reaches(self, page: Page, last_id: int) -> bool:
        """Whether the page goes back to the last known post. An older post on top of newer ones may be the thread's first,
        which stands on every page and tells nothing."""
        ids = self._own_ids(page)
        return last_id in ids or len([pid for pid in ids if pid <= last_id]) > 1

    def _hole(self, before: Page, page: Page) -> bool:
        """Whether printed numbers jump between two pages: a post was deleted between the two fetches."""
        last = [post.number for post in before.posts if post.number is not None]
        first = [post.number for post in page.posts if post.number is not None and post.id != self._pinned]
        return bool(last and first) and min(first) != max(last) + 1


def folded(text: str) -> str:
    """A nick or subject for comparing."""
    return " ".join(text.split()).casefold()


def same_words(bbcode: str, runs: tuple[Run, ...]) -> bool:
    """Whether a stored post holds the text that was sent. Engines change links, smileys, long words and spaces, so only
    letters and digits of our own words (no quotations) are compared; long texts may differ a little in the middle."""
    sent = _bare(own_text(bbcode_runs(bbcode)))
    kept = _bare(own_text(runs))
    if sent == kept:
        return True
    return (
        min(len(sent), len(kept)) > 2 * _CUT
        and sent[:_CUT] == kept[:_CUT]
        and sent[-_CUT:] == kept[-_CUT:]
        and abs(len(sent) - len(kept)) * 100 <= len(sent)
    )


def _bare(text: str) -> str:
    return "".join(char for char in _SMILEY.sub("", _URL.sub("", text)).casefold() if char.isalnum())


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
