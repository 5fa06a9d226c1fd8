"""What can go wrong outside, by what a person can do about it.

    OutsideError
      ForumError
        NoThread(reason)            a page that is no thread: login_required, forbidden, challenge, maintenance,
                                    truncated, not_found, no_posts
        LoginFailed                 the forum refused the account: never retried by program
        FormRefused                 the forum gave the form back: reason text; nothing was stored
          FormStale                 as too old or too fresh, again and again: later it may be taken
          TooLong                   because a post may have ``limit`` characters only
        Flood                       too soon after the last writing; ``wait`` seconds
        TopicClosed
        RecipientRefused            no such user, or he takes no private messages
        BoxFull
        Unfamiliar                  a page is not made as our reader of it takes for granted: nothing was read, nothing sent
      MailError
        MailLoginFailed
        AddressRefused              SMTP refused this recipient for good
        SendLater                   SMTP said "try again later"
      Unreachable                   no connection, time-out, 5xx before anything was sent: safe to try again
        NotSecure(reason)           TLS failed: other_name, wrong_time, unknown_signer, bad_certificate, no_tls, no_starttls
      UnknownOutcome                sent, but no usable answer: look before trying again
        NotTaken                    the server says that it serves nobody now: look, and it is surely not there
        NotShown                    taken by the forum's own words, but not seen whole where it should be: never send it again
      AwaitsApproval              taken, but shown only when a moderator approves: never send it again
"""

from __future__ import annotations


class OutsideError(Exception):
    """Base of all trouble with the outside world. ``text`` is the other side's words, shortened; never a secret."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        super().__init__(text)


class ForumError(OutsideError):
    """Trouble that a forum's page tells."""


REASONS = ("login_required", "forbidden", "challenge", "maintenance", "truncated", "not_found", "no_posts")


class NoThread(ForumError):
    """A page that is no thread, or not a whole one; ``reason`` is one of ``REASONS`` (contract.md, ``read-page``)."""

    def __init__(self, reason: str, text: str = "") -> None:
        assert reason in REASONS
        self.reason = reason
        super().__init__(text or reason)


class LoginFailed(ForumError):
    """Name or password refused, or a captcha asked. Never retried by program."""


class FormRefused(ForumError):
    """The forum gave the form back with a reason; nothing was stored."""


class FormStale(FormRefused):
    """The form came back again and again as too old, too fresh or overtaken by others; nothing is wrong with the words."""


class TooLong(FormRefused):
    """The forum takes ``limit`` characters a post."""

    def __init__(self, limit: int, text: str = "") -> None:
        self.limit = limit
        super().__init__(text)


class Flood(ForumError):
    """Too soon after the last writing of this account; ``wait`` is in seconds."""

    def __init__(self, wait: float, text: str = "") -> None:
        self.wait = wait
        super().__init__(text)


class TopicClosed(ForumError):
    """The topic takes no posts, or we have no right to write there."""


class RecipientRefused(ForumError):
    """No such user, or he takes no private messages."""


class BoxFull(ForumError):
    """Our or his box of private messages is full."""


class Unfamiliar(ForumError):
    """A page is not made as our reader of it takes for granted. ``text`` is ours: a Russian clause that says what is
    otherwise and what a host does about it."""


class MailError(OutsideError):
    """Trouble with mailbox or mail server."""


class MailLoginFailed(MailError):
    """The mail server refused name or password."""


class AddressRefused(MailError):
    """The mail server refused this recipient for good."""


class SendLater(MailError):
    """The mail server asks to try again later (greylisting, quota)."""


class Unreachable(OutsideError):
    """No connection, a time-out or a server error before anything was sent: safe to try again."""


INSECURE = ("other_name", "wrong_time", "unknown_signer", "bad_certificate", "no_tls", "no_starttls")


class NotSecure(Unreachable):
    """There is no line that may carry a password, and none was sent: the certificate is another host's (``other_name``), out
    of its time (``wrong_time``), signed by nobody whom this machine trusts (``unknown_signer``) or else not to be believed
    (``bad_certificate``); or the other side speaks no TLS on this port (``no_tls``) or offers no STARTTLS (``no_starttls``)."""

    def __init__(self, reason: str, text: str = "") -> None:
        assert reason in INSECURE
        self.reason = reason
        super().__init__(text or reason)


class UnknownOutcome(OutsideError):
    """Something was sent and no usable answer came: it may or may not have been stored. Look before trying again."""


class NotTaken(UnknownOutcome):
    """The server answered that it serves nobody now. What is not seen then was not stored, and is sent again for as long as
    pages are asked for."""


class AwaitsApproval(UnknownOutcome):
    """The forum has taken it and will show it when a moderator approves: it is looked for, and never sent again."""


class NotShown(UnknownOutcome):
    """The forum says that it has taken it, and shows it nowhere or not whole: a person must look, and it is never sent again.
    ``text`` is ours: a Russian clause."""
