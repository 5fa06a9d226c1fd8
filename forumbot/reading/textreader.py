"""The reader: one message in the light of a game gives a verdict (contract.md, "The reading contract")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.messages import Known, Message, ReadOrder, Result, Span, Verdict
from forumbot.reading import signups
from forumbot.reading.answers import affirmed
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.apart import take_apart
from forumbot.reading.clauses.clause import Text
from forumbot.reading.decline import is_word
from forumbot.reading.forhost import for_host
from forumbot.reading.judge import Judge
from forumbot.reading.letters import letter_claims
from forumbot.reading.names.roster import Roster
from forumbot.reading.own import Own, own_words, runs_of
from forumbot.reading.parsing.clause import parse_all
from forumbot.reading.posts import post_orders
from forumbot.reading.requests import speaks_of_trouble
from forumbot.reading.taught import Taught
from forumbot.reading.text import other_layout, tokens
from forumbot.reading.verdicts import told, verdict
from forumbot.reading.vocabulary import Abilities, Vocabulary, vocabulary
from forumbot.reading.wordcount import count_words

_ROSTERS_KEPT = 64


class TextReader:
    """Reads messages of any game; each roster is declined once and kept. Never raises on any text."""

    def __init__(
        self,
        aliases: Mapping[str, str] | None = None,
        nicks: Mapping[str, Sequence[str]] | None = None,
        taught: Sequence[Taught] = (),
    ) -> None:
        """``aliases`` maps the host's further spellings to seats; ``nicks`` gives all nicks that a seat has had (a
        replaced or renamed player); ``taught`` are the words that a host has explained."""
        self._aliases = {**(aliases or {}), **{word.text: word.value for word in taught if word.kind == "nick"}}
        self._taught = tuple(word for word in taught if word.kind != "nick")
        self._able: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Abilities] = {}
        self._nicks = {seat: tuple(names) for seat, names in (nicks or {}).items()}
        self._rosters: dict[tuple[str, ...], Roster] = {}

    def roster(self, seats: Sequence[str]) -> Roster:
        """The declined roster of a game's seats."""
        wanted = tuple(seats)
        found = self._rosters.get(wanted)
        if found is None:
            if len(self._rosters) >= _ROSTERS_KEPT:
                self._rosters.clear()
            found = self._rosters[wanted] = Roster(wanted, self._nicks, self._aliases)
        return found

    def read(self, ruleset: Any, game: Any, message: Message) -> Verdict:
        """What a careful host would make of the message. ``game`` is not changed."""
        words = vocabulary(ruleset.id, self._taught)
        own = own_words(message)
        if own.too_long:
            return Verdict("review", "too_long")
        sender = self._sender(ruleset, game, message, words)
        found = self._read(ruleset, game, message, own, sender)
        if found.outcome != "ignored" or not _strange(own, words):
            return found
        typed = replace(own, text=other_layout(own.text))
        meant = self._read(ruleset, game, message, typed, sender)
        if meant.outcome == "ignored":
            return found
        orders = tuple(replace(order, status="review", reason="layout", by_rules=False) for order in meant.orders)
        return Verdict("review", "layout", orders, typed.text, words=found.words)

    def _read(self, ruleset: Any, game: Any, message: Message, own: Own, sender: Sender) -> Verdict:
        words = sender.words
        text = take_apart(own, words, sender.roster)
        if message.signup:
            return _signup(text, words, message)
        if message.author not in sender.roster.seats and message.kind != "post":
            return _stranger(text, words, message)
        judge = Judge(ruleset, game, sender, message.at, public=message.kind == "post")
        parsed = parse_all(text, sender)
        if message.kind == "post":
            orders = post_orders(text, parsed, sender, own, judge)
            if message.author not in sender.roster.seats:
                orders = [replace(order, status="rejected", reason="not_playing", by_rules=False) for order in orders]
            found = told(verdict(orders, own), judge, text, parsed, words)
            return replace(found, words=_words(ruleset, message), for_host=for_host(text, letter=False))
        claims = letter_claims(text, parsed, sender)
        orders = _letter_orders(text, claims, sender, judge, ruleset) if claims else affirmed(own, sender)
        found = verdict(orders, own)
        passed_on = for_host(text, letter=True) or (found.outcome != "accepted" and speaks_of_trouble(own.text))
        return replace(told(found, judge, text, parsed, words), for_host=passed_on)

    def _sender(self, ruleset: Any, game: Any, message: Message, words: Vocabulary) -> Sender:
        # Before the deal there is no game: a sign-up knows nobody yet.
        known = Known(message.author) if game is None else ruleset.known(game, message.author)
        seats = () if game is None else ruleset.seats(game)
        states = words.settings.get("states", {})
        roles = (*known.roles, *(role for state, role in states.items() if known.more.get(state)))
        owned, defaults, moves = self._abilities(words, roles, tuple(known.more.get("clan_roles", ())))
        team = words.settings.get("performer")
        if team is not None and known.faction == team["faction"]:
            owned |= {team["action"]}
        known = replace(known, roles=roles)
        return Sender(message.author, known, words, self.roster(seats), owned, defaults, moves, message.kind != "post")

    def _abilities(self, words: Vocabulary, roles: tuple[str, ...], lent: tuple[str, ...]) -> Abilities:
        """The same for every message of a role."""
        found = self._able.get((words.name, roles, lent))
        if found is None:
            found = self._able[words.name, roles, lent] = words.abilities(roles, lent)
        return found


def _strange(own: Own, words: Vocabulary) -> bool:
    """Whether most of a short text is no word of any kind: perhaps the keyboard stood in the other layout."""
    if len(own.text) > 400:
        return False
    found = [token.folded for token in tokens(own.text) if token.kind == "w"]
    odd = sum(1 for word in found if not words.table.knows(word) and not is_word(word))
    return bool(found) and 2 * odd > len(found) and any(len(word) > 3 for word in found)


def _words(ruleset: Any, message: Message) -> int | None:
    """The words of a post, where the rules count them (clans R92)."""
    return count_words(runs_of(message.text, message.format)) if "words" in ruleset.spec.host_actions else None


def _letter_orders(text: Text, claims: list[Claim], sender: Sender, judge: Judge, ruleset: Any) -> list[ReadOrder]:
    """Orders of a letter; votes are refused where votes are public."""
    public = set(ruleset.spec.public_actions)
    kept: list[Claim] = []
    refused: list[ReadOrder] = []
    for claim in claims:
        if claim.actions[0] not in public:
            kept.append(claim)
        elif claim.label or not (claim.doubts or claim.form in ("hint", "nick")):
            reason = sender.words.reasons.get("private_vote", "public_only")
            refused.append(ReadOrder(claim.actions[0], claim.seats(), claim.args, "rejected", reason))
    return [*judge.orders(text, kept), *refused]


def _signup(text: Text, words: Vocabulary, message: Message) -> Verdict:
    """A message of the sign-up thread."""
    color = signups.colors_of(words) if message.kind == "post" else None
    found = signups.wish(text, color=color)
    if found is not None:
        return _book(text, found, None)
    if color is not None:
        pale = signups.wish(text)
        if pale is not None and pale.doubt is None:
            return _book(text, pale, words.reasons.get("not_coloured", "not_highlighted"))
    return Verdict("ignored", text=text.own.text)


def _stranger(text: Text, words: Vocabulary, message: Message) -> Verdict:
    """A letter of somebody who does not play: he may want to."""
    found = signups.wish(text, only_sure=True)
    return _book(text, found, None) if found is not None else Verdict("ignored", text=text.own.text)


def _book(text: Text, found: signups.Wish, refusal: str | None) -> Verdict:
    span = Span(text.found[found.start].start, text.found[found.end - 1].end, "action")
    outcome: Result = "rejected" if refusal else "review" if found.doubt else "accepted"
    reason = refusal or found.doubt
    order = ReadOrder(found.action, status=outcome, reason=reason, spans=(span,))
    return Verdict(outcome, reason, (order,), text.own.text)
