"""A live site at noon of day 1 for a test: forum and mailbox over sockets, the daemon in this process, a clock of the test's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from forumbot.demo.mail_receiving import MailTroubles
from forumbot.demo.mailbox import RunningMailbox
from tests.torture.clock import StepClock
from tests.torture.live import (
    MONDAY,
    Engine,
    Inside,
    Options,
    State,
    inside_of,
    mail_server,
    open_outside,
    options_of,
    play_to_day_one,
    restore_mailbox,
)

OpenSite = Callable[..., Inside]
"""``(engine, *, options=None, settings=None)``: the site on that engine at noon of day 1."""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StepClock, RunningMailbox]]:
    clock = StepClock.create(tmp_path_factory.mktemp("live") / "clock", MONDAY)
    with mail_server(clock) as mailbox:
        yield clock, mailbox


@pytest.fixture(scope="session")
def day_one(served: tuple[StepClock, RunningMailbox], tmp_path_factory: pytest.TempPathFactory) -> Callable[[Engine], State]:
    """The world at noon of day 1, played once for each engine."""
    clock, mailbox = served
    states: dict[Engine, State] = {}

    def of(engine: Engine) -> State:
        if engine not in states:
            clock.move_to(MONDAY)
            restore_mailbox(mailbox, State(MONDAY, {}, (), 1, (), {}))
            with open_outside(tmp_path_factory.mktemp(engine), clock, mailbox, options_of(engine)) as outside:
                play_to_day_one(outside)
                states[engine] = outside.save()
        return states[engine]

    return of


@pytest.fixture
def open_site(
    served: tuple[StepClock, RunningMailbox], day_one: Callable[[Engine], State], tmp_path: Path
) -> Iterator[OpenSite]:
    clock, mailbox = served
    with ExitStack() as stack:

        def opened(engine: Engine, *, options: Options | None = None, settings: Mapping[str, Any] | None = None) -> Inside:
            state = day_one(engine)
            outside = stack.enter_context(
                open_outside(tmp_path, clock, mailbox, options or options_of(engine), state=state, settings=settings)
            )
            return stack.enter_context(inside_of(outside))

        yield opened
    vars(mailbox.troubles).update(vars(MailTroubles()))


@pytest.fixture(params=["ucoz", "phpbb"])
def live(request: pytest.FixtureRequest, open_site: OpenSite) -> Inside:
    """Day 1 on each engine."""
    return open_site(request.param)
