"""The wishes of a letter: its clauses read, its story set aside, all settled."""

from __future__ import annotations

from forumbot.reading.answers import name_the_move
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.discourse.course import Course
from forumbot.reading.discourse.walk import walk
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.instead import ask_what_is_corrected
from forumbot.reading.lastlook import at_letter
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.remarks import tell_apart
from forumbot.reading.settling.order import settle
from forumbot.reading.story import give, where_it_begins
from forumbot.reading.team import team_moves
from forumbot.reading.wordless import role_alone, without_unknown_moves, wordless


def letter_claims(text: Text, parsed: list[Parsed], sender: Sender, *, plain_post: bool = False) -> list[Claim]:
    """The wishes of a letter, or of a thread that asks for no colour; corrections carried out."""
    told = sender.words.settings.get("stories", False)
    begin, story = where_it_begins(text, parsed, sender) if told else (len(text.sentences), "")
    alone = _alone(sender) if not plain_post else ""
    claims = walk(Course(text, sender, parsed, lambda _clause: True, alone), begin)
    tell_apart(claims, text, parsed, sender)
    claims = team_moves(claims, text, parsed, sender)
    inside = [p for p in parsed if p.clause.sentence < begin]
    claims = settle(claims, Scene(text, sender, inside, plain_post=plain_post))
    give(claims, story, sender)
    claims += _story_alone(claims, parsed, sender, begin, story)
    if not plain_post:
        claims = without_unknown_moves(claims, text, inside, sender)
        _bare(claims, sender)
        if claims and all(claim.args.get("what") == "bid" for claim in claims):
            claims = role_alone(text, inside, sender) or claims  # «Заявку на Буратино снимаю. Хочу Пьеро»
        name_the_move(claims, text, sender)
        claims = claims or wordless(text, inside, sender, story)
        ask_what_is_corrected(claims, text, inside, sender)
        claims += at_letter(claims, text, inside if claims else parsed, sender)
    return claims


def _story_alone(claims: list[Claim], parsed: list[Parsed], sender: Sender, begin: int, story: str) -> list[Claim]:
    """A story that no order of the letter takes, of a role whose deed is told in a letter of its own (league R83: the mercenary
    tells the contract's story behind the word that the work is taken, or alone)."""
    deed = sender.words.settings.get("story_alone")
    taken = any("story" in claim.args for claim in claims)
    if not story or taken or deed not in sender.owned or any(claim.actions[0] != "accept_work" for claim in claims):
        return []
    p = next((p for p in parsed if p.clause.sentence >= begin), parsed[-1])
    return [Claim((deed,), p.clause.start, p.clause.end, p.index, p.clause.sentence, "noun", args={"story": story})]


def _alone(sender: Sender) -> str:
    """The action that a nick alone means in a letter: the sender's one move."""
    return sender.defaults[0] if sender.defaults else ""


def _bare(claims: list[Claim], sender: Sender) -> None:
    """Nicks alone give way to any order of the letter; by themselves they are a question where the ruleset says so."""
    for claim in claims:
        if claim.form == "intent" and len(claim.actions) > 1:
            claim.doubt("no_action")
    hard = [claim for claim in claims if claim.form != "nick" and (claim.targets or claim.refusal)]
    if hard:
        claims[:] = [claim for claim in claims if claim.form != "nick"]
    elif sender.words.settings.get("bare_nick_in_letters") != "accepted":
        for claim in claims:
            if claim.form == "nick":
                claim.doubt("no_action")
