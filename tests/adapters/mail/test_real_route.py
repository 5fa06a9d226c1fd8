"""Letters over a real Postfix into a real Dovecot: what each refusal means, and how the reports of real servers are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from adapters.clock import ManualClock
from adapters.errors import AddressRefused, SendLater
from adapters.mail.imap import ImapMailbox
from adapters.mail.letters import read_letter
from adapters.mail.smtp import SmtpOutgoing
from adapters.mailbox import MailPlace, MailSettings
from tests.adapters.mail import dovecot as dovecot_server
from tests.adapters.mail import postfix as postfix_server
from tests.adapters.mail.dovecot import PASSWORD, Box
from tests.adapters.mail.postfix import BOT, FULL, PLAYERS, Route

dovecot, mailroute = dovecot_server.dovecot, postfix_server.mailroute
ANNA = PLAYERS[0]
CLOCK = ManualClock(datetime(2026, 12, 1, 18, 0, tzinfo=UTC))


@pytest.fixture
def route(mailroute: Route) -> Iterator[Route]:
    yield mailroute
    mailroute.empty()


@pytest.fixture
def bot(route: Route) -> Box:
    return route.dovecot.box(BOT)


@pytest.fixture
def anna(route: Route) -> Box:
    return route.dovecot.box(ANNA)


def settings(route: Route, user: str = BOT) -> MailSettings:
    return MailSettings(
        BOT, user, PASSWORD, imap_host="127.0.0.1", imap_port=route.dovecot.port, imap_security="none", smtp_host="127.0.0.1",
        smtp_port=route.provider.port, smtp_security="none",
    )  # fmt: skip


def send(route: Route, to: str, number: int = 1, *, bcc: str | None = None) -> None:
    out = SmtpOutgoing(settings(route), CLOCK)
    out.send(to, "Ход принят", "лечу Веру", message_id=f"<n{number}@forumbot.test>", bcc=bcc)


def ids(letters: list[bytes]) -> list[str]:
    return [read_letter(raw).message_id or "" for raw in letters]


def test_a_letter_goes_out_and_its_copy_comes_home(route: Route, bot: Box, anna: Box) -> None:
    send(route, ANNA, bcc=BOT)
    assert ids(anna.arrived(1)) == ids(bot.arrived(1)) == ["<n1@forumbot.test>"]
    (letter,), _ = ImapMailbox(settings(route), CLOCK).fetch(MailPlace())
    assert read_letter(letter.raw or b"", own=BOT).kind == "own"


def test_an_unknown_recipient_of_our_own_server_is_refused_at_once(route: Route, bot: Box) -> None:
    with pytest.raises(AddressRefused, match=r"550 5\.1\.1"):
        send(route, "nobody@forumbot.test")
    assert bot.arrived(0) == []


@pytest.mark.parametrize(
    ("state", "answer", "error"),
    [
        ("RCPT", "DEFER_IF_PERMIT 4.7.1 greylisted", SendLater),
        ("RCPT", "452 4.2.2 mailbox full", SendLater),
        ("RCPT", "552 5.2.2 mailbox full", AddressRefused),
        ("END-OF-MESSAGE", "DEFER 4.3.0 the filter is not at work", SendLater),
        ("END-OF-MESSAGE", "452 4.2.2 mailbox full", SendLater),
        ("END-OF-MESSAGE", "554 5.7.1 looks like spam", AddressRefused),
    ],
    ids=["greylist", "full-for-now", "full", "after-data", "full-after-data", "spam"],
)
def test_what_was_refused_was_not_delivered_and_the_second_try_comes_once(
    route: Route, anna: Box, state: str, answer: str, error: type[Exception]
) -> None:
    route.provider.policy.say(state, answer)
    with pytest.raises(error):
        send(route, ANNA, 1)
    send(route, ANNA, 2)
    assert ids(anna.arrived(1)) == ["<n2@forumbot.test>"]


def test_one_recipient_refused_after_the_other_was_taken_stops_no_letter(route: Route, anna: Box) -> None:
    route.provider.policy.say("RCPT", "452 4.2.2 mailbox full", recipient=BOT)
    send(route, ANNA, bcc=BOT)
    assert ids(anna.arrived(1)) == ["<n1@forumbot.test>"]


@pytest.mark.parametrize("user", ["gone@players.test", FULL])
def test_a_report_of_a_real_server_names_the_address_that_is_dead(route: Route, bot: Box, user: str) -> None:
    """The far server refuses the address (our provider reports), or takes the letter and gives it back itself."""
    send(route, user)
    (raw,) = bot.arrived(1)
    report = read_letter(raw, own=BOT)
    assert (report.kind, report.failed_recipients) == ("bounce", (user,))


def test_greylisting_of_the_far_server_is_a_report_of_delay_and_the_letter_comes_once(route: Route, bot: Box, anna: Box) -> None:
    route.far.policy.say("RCPT", "DEFER_IF_PERMIT 4.7.1 greylisted", times=2)
    send(route, ANNA)
    assert ids(anna.arrived(1, seconds=15)) == ["<n1@forumbot.test>"]
    (raw,) = bot.arrived(1)
    report = read_letter(raw, own=BOT)
    assert (report.kind, report.failed_recipients) == ("bounce", ())
