"""Reading a thread over its pages: without holes, and knowing when there may be one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from selectolax.lexbor import LexborHTMLParser

from adapters.errors import NoThread
from adapters.forum import Place, Progress, ThreadRead
from adapters.http import Answer
from adapters.model import Page, Post

_MOST_PAGES = 5000


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page with its tree."""

    answer: Answer
    tree: LexborHTMLParser


class ThreadReading:
    """One reading of a thread, page by page, with guards against pages that repeat and holes that open meanwhile."""

    def __init__(
        self,
        fetch: Callable[[int], tuple[Page, Fetched]],
        note: Callable[[Progress, tuple[Post, ...]], None] = lambda *_: None,
    ) -> None:
        """``note`` is told each page that makes sense behind the ones before it."""
        self._fetch = fetch
        self._note = note
        self._earlier: frozenset[int] = frozenset()
        self._posts: dict[int, Post] = {}
        self._problems: list[str] = []
        self._seen: list[frozenset[int]] = []
        self._first_at: datetime | None = None
        self._pinned: int | None = None
        self._counted: set[int] = set()
        self._before: int | None = None
        """How many posts stand before the first page that was read."""

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
        began = number
        while since.last_id and not whole and number > 1 and not self._reaches(page, since.last_id, sure=number == began):
            # Posts were deleted, and the last known one with them or it has moved up; or another page than the one that was
            # asked for has come, which shows when the one before it is the same.
            number -= 1
            page = self._take(number)
        return self._found(since, self._go_on(number, page))

    def run_on(self, since: Place, progress: Progress | None) -> ThreadRead:
        """Read the whole thread, or go on where an earlier reading broke off: from its last page, which is read once more. Where
        that page is no longer what it was, posts before it may have moved, and all is read from the beginning."""
        if progress is not None and progress.pages:
            number, self._pinned = len(progress.pages), progress.pinned
            page = self._take(number)
            if page.page == number and self._own_ids(page).issuperset(progress.pages[-1]):
                self._seen = [frozenset(ids) for ids in progress.pages[:-1]]
                self._earlier = frozenset().union(*progress.pages)
                self._counted |= progress.counted
                self._before = progress.before
                return self._found(since, self._go_on(number, page))
            self._posts.clear()
            self._counted.clear()
            self._pinned = self._before = None
        return self._found(since, self._go_on(1, self._take(1)))

    def _found(self, since: Place, newest: Page) -> ThreadRead:
        if newest.total is not None and self._before is not None and len(self._counted) < newest.total - self._before:
            self._problems.append("miscounted")
        complete = not self._problems
        last_id = max([since.last_id, *self._posts, *self._earlier])
        return ThreadRead(
            posts=tuple(self._posts[pid] for pid in sorted(self._posts)),
            complete=complete,
            place=Place(last_id, newest.page) if complete else since,
            title=newest.title,
            pages=newest.pages,
            locked=newest.locked,
            fetched=self._first_at,
            problems=tuple(dict.fromkeys(self._problems)),
            earlier=self._earlier,
        )

    def _go_on(self, number: int, page: Page) -> Page:
        """From a page to the last one."""
        if page.page != number:
            self._problems.append("repeated_page")
            return page
        self._pass(page, self._own_ids(page))
        while number < page.pages and len(self._seen) < _MOST_PAGES:
            before = page
            number += 1
            page = self._take(number)
            ids = self._own_ids(page)
            if page.pages < number and page.page < number:  # deletions have taken the last page away meanwhile
                self._problems.append("changed_while_reading")
                return page
            if page.page != number or not ids or any(ids <= earlier for earlier in self._seen):
                self._problems.append("repeated_page")
                return page
            if page.pages < before.pages or self._hole(before, page, number):
                self._problems.append("changed_while_reading")
            self._pass(page, ids)
        return page

    def _pass(self, page: Page, ids: frozenset[int]) -> None:
        """A page is read, and the reading goes on behind it."""
        self._seen.append(ids)
        if not self._problems:
            pages = tuple(tuple(sorted(one)) for one in self._seen)
            self._note(Progress(pages, self._pinned, frozenset(self._counted), self._before), page.posts)

    def _has_moved(self, number: int, page: Page) -> bool:
        """Whether a page, asked for again, has other posts now. Where it has not, the numbers jump because the forum counts
        deleted posts too."""
        return [post.id for post in self._take(number).posts] != [post.id for post in page.posts]

    def _take(self, number: int) -> Page:
        page, fetched = self._fetch(number)
        if self._first_at is None:
            self._first_at = fetched.answer.date
        if page.page > 1 and page.posts and page.posts[0].number == 1:
            self._pinned = page.posts[0].id
        self._counted |= page.counted
        if page.before is not None:
            self._before = page.before if self._before is None else min(self._before, page.before)
        self._posts.update((post.id, post) for post in page.posts)
        return page

    def _own_ids(self, page: Page) -> frozenset[int]:
        """Ids of a page's posts without the pinned first post of the thread."""
        skip = self._pinned if page.page > 1 else None
        return frozenset(post.id for post in page.posts if post.id != skip)

    def _reaches(self, page: Page, last_id: int, *, sure: bool) -> bool:
        """Whether the page goes back to the last known post; ``sure``: it must be there itself. An older post on top of newer
        ones may be the thread's first, which stands on every page and tells nothing."""
        ids = self._own_ids(page)
        return last_id in ids or (not sure and len([pid for pid in ids if pid <= last_id]) > 1)

    def _hole(self, before: Page, page: Page, number: int) -> bool:
        """Whether printed numbers jump between two pages: a post was deleted between the two fetches; ``number``: of the later.
        Numbers that only leave some out, between pages that are still as they were, are those of posts deleted long ago."""
        last = [post.number for post in before.posts if post.number is not None]
        first = [post.number for post in page.posts if post.number is not None and post.id != self._pinned]
        if not last or not first or min(first) == max(last) + 1:
            return False
        return min(first) <= max(last) or self._has_moved(number - 1, before)
