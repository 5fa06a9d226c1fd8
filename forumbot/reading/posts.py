"""Posts of the day's thread: only what stands in the ruleset's colour counts, and only what belongs into public.

A coloured run is a clause of its own. The plain words about it can only take from it: they say whose it is, or of what time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.messages import ReadOrder, Result
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses.clause import Text
from forumbot.reading.decline import is_common_word
from forumbot.reading.discourse.course import Course
from forumbot.reading.discourse.walk import walk
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.judge import Judge, spans_of
from forumbot.reading.lastlook import at_post
from forumbot.reading.letters import letter_claims
from forumbot.reading.mentions import Mention
from forumbot.reading.own import Own
from forumbot.reading.parsing.clause import parse_all
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.remarks import tell_apart
from forumbot.reading.settling.order import settle

_FORMULA = frozenset(("first", "noun", "short", "infinitive", "goods"))
"""Forms of a coloured run that is a vote in words of its own, and no nick alone."""
_COLORS = ("red", "blue", "other")


def post_orders(text: Text, parsed: list[Parsed], sender: Sender, own: Own, judge: Judge) -> list[ReadOrder]:
    """The orders of a post."""
    settings = sender.words.settings
    allowed = frozenset(settings.get("posts", ()))
    if not allowed:
        return []
    color = _color(sender)
    coloured = color is not None and any(clause.color == color for clause in text.clauses)
    if color is None:
        claims = letter_claims(text, parsed, sender, plain_post=True)
    else:
        claims = _coloured(text, parsed, sender, color) if coloured else []
    private = [claim for claim in claims if claim.actions[0] not in allowed]
    claims = [claim for claim in claims if claim.actions[0] in allowed]
    if claims:
        if own.edited and (refused := _edited(sender)):
            return _not_counted(text, claims, *refused, judge)
        return judge.orders(text, claims) + _misplaced(text, private, sender)
    if color is not None and (strange := at_post(text, parsed, color)):
        return strange + _misplaced(text, private, sender)
    if private:
        return _misplaced(text, private, sender)
    return [] if color is None else _pale(text, sender, color, allowed, judge)


def _color(sender: Sender) -> str | None:
    table = sender.words.settings.get("colour_table")
    return sender.known.more.get(table, sender.words.settings.get("colour")) if table else sender.words.settings.get("colour")


def _edited(sender: Sender) -> tuple[Result, str] | None:
    """What becomes of an order in an edited post: (status, reason), or None when it counts like any other."""
    policy = sender.known.more.get("edited_posts", sender.words.settings.get("edited", "rejected"))
    outcomes: dict[str, Result] = {"reject": "rejected", "rejected": "rejected", "review": "review"}
    named = outcomes.get(str(policy))
    return None if named is None else (named, sender.words.reasons.get("edited", "edited"))


def _coloured(text: Text, parsed: list[Parsed], sender: Sender, color: str) -> list[Claim]:
    """Claims of the coloured clauses of a post."""
    for p in parsed:
        if p.clause.color != color:
            _fade(p)
    alone = "vote" if sender.words.settings.get("nick_alone") else ""
    course = Course(text, sender, parsed, lambda clause: clause.color == color, alone)
    claims = walk(course, len(text.sentences))
    tell_apart(claims, text, parsed, sender)
    for claim in claims:
        _frame(text, claim, parsed)
    _voted_twice(claims, parsed, color, sender)
    scene = Scene(text, sender, parsed)
    return settle(claims, scene)


def _voted_twice(claims: Sequence[Claim], parsed: Sequence[Parsed], color: str, sender: Sender) -> None:
    """Where a vote stands for the day, one formula behind another with plain words between is a change that costs (league
    chapter 6): a question."""
    if "already_voted" not in sender.words.settings.get("asks", ()):
        return
    votes = [claim for claim in claims if claim.actions[0] == "vote" and claim.targets and claim.form not in ("nick", "hint")]
    for first, second in pairwise(votes):
        between = parsed[first.clause + 1 : second.clause]
        if first.seats() != second.seats() and any(p.clause.color != color for p in between):
            second.doubt("two_targets")


def _fade(p: Parsed) -> None:
    """Plain words claim nothing beside coloured ones."""
    p.claims = []


def _frame(text: Text, claim: Claim, parsed: Sequence[Parsed]) -> None:
    """Plain words that stand right before a coloured run, with no sign between: known ones, a finished sentence of their own,
    or a question."""
    p = parsed[claim.clause]
    before = parsed[p.index - 1] if p.index else None
    others = {
        n.seats
        for q in parsed
        if q.clause.sentence == p.clause.sentence and q.clause.color == p.clause.color and not q.verbs
        for n in q.free
    }
    if claim.form == "nick" and (_several_colors(text, p) or len(others) > 1):
        claim.doubt("frame")
        return
    after = parsed[p.index + 1] if p.index + 1 < len(parsed) else None
    if claim.form == "nick" and after is not None and after.clause.opener == "color" and _says_of(text, p, after):
        claim.talk.append("unclear")  # «Друзья, Леший[/color] уехал»
    if _taken_back_behind(text, p, parsed) or (claim.form == "nick" and after is not None and _idiom(text, p, after)):
        claim.doubt("frame")
        return
    if before is None or before.clause.sentence != p.clause.sentence or before.clause.color == p.clause.color:
        return
    if p.clause.opener in ("color", ":") and (_speaks(before) or _takes_back(text, before)):
        claim.doubt("frame")
        return
    if p.clause.opener != "color":
        return
    if (
        _wished(text, before)
        or _told_by_others(text, before)
        or _takes_back(text, before)
        or (after is not None and _of_the_run(after))
    ):
        claim.doubt("frame")
        return
    theirs = any(facts(text.found[i].folded).main == "third" for i in before.verbs)
    starts = claim.form in _FORMULA and (not theirs or text.found[p.clause.start].capital)
    words = {text.found[i].folded for i in range(before.clause.start, before.clause.end)}
    if words & grammar().lists["denying"] or (claim.form == "nick" and _ordinary(text, claim)):
        claim.doubt("frame")
        return
    if (
        before.clause.has("speech", "past", "draft", "another_time", "unsure")
        or any(head.denied or head.form in ("third", "past") for head in before.heads)
        or ((before.unexplained or before.free) and not starts)
    ):
        claim.doubt("frame")


def _idiom(text: Text, p: Parsed, after: Parsed) -> bool:
    """«[blue]Гора[/blue] с плеч!»: plain words go on with the run."""
    same = after.clause.opener == "color" and after.clause.sentence == p.clause.sentence
    return same and bool(after.unexplained) and not after.verbs and text.found[after.clause.start].folded in _GOING_ON


_GOING_ON = frozenset(("с", "со", "из", "от"))


def _taken_back_behind(text: Text, p: Parsed, parsed: Sequence[Parsed]) -> bool:
    """«[blue]Раиса[/blue], а впрочем, нет, подожду»: plain words of the same sentence take the run back."""
    for q in parsed[p.index + 1 :]:
        if q.clause.sentence != p.clause.sentence or q.clause.color == p.clause.color:
            break
        words = {text.found[i].folded for i in range(q.clause.start, q.clause.end) if text.found[i].kind == "w"}
        if words and words <= grammar().lists["bare_no"] and "нет" in words:
            return True
    return False


def _wished(text: Text, before: Parsed) -> bool:
    """«Честно хотел [blue]Линч: Денис[/blue] поставить»: a wish of the past holds the run."""
    words = [facts(text.found[i].folded) for i in range(before.clause.start, before.clause.end)]
    return any(known.main == "past" and known.lemmas & grammar().lists["helpers"] for known in words)


def _told_by_others(text: Text, before: Parsed) -> bool:
    """«Гляжу, все уже [red]…», «Белка опять со своим [red]…»: plain words without a verb give the run to others."""
    words = {text.found[i].folded for i in range(before.clause.start, before.clause.end)}
    others = bool(words & grammar().lists["everywhere"]) or any(_nominative(name) for name in before.free)
    return others and not before.verbs and not before.heads


def _speaks(before: Parsed) -> bool:
    """«Жук: [red]…»: a nick before a colon says what follows."""
    return (
        before.clause.closer == ":"
        and bool(before.free)
        and not (before.verbs or before.heads or before.unexplained)
        and all(_nominative(name) for name in before.free)
    )


def _nominative(name: Mention) -> bool:
    return all(not c.cases or "nomn" in c.cases for c in name.candidates)


def _takes_back(text: Text, before: Parsed) -> bool:
    """«Отменяю своё [red]…», «Снимаю свой голос: [red]…»; with a nick the vote only moves on."""
    words = [facts(text.found[i].folded) for i in range(before.clause.start, before.clause.end)]
    back = any("first" in known.forms and known.lemmas & grammar().lists["taking_back"] for known in words)
    return back and not (before.free or before.aside or before.names)


def _of_the_run(after: Parsed) -> bool:
    """«[red]…[/red] не засчитан»: plain words go on about the run."""
    return after.clause.opener == "color" and after.clause.has("complaint")


def _ordinary(text: Text, claim: Claim) -> bool:
    """«Ну и [blue]тоска[/blue] сегодня»: an ordinary word in small letters among others."""
    return all(not text.found[t.start].capital and is_common_word(text.found[t.start].folded) for t in claim.targets)


def _says_of(text: Text, p: Parsed, after: Parsed) -> bool:
    """Whether a plain verb goes on with a coloured run that says more than a nick."""
    run = [c for c in text.of(p.clause.sentence) if c.color == p.clause.color]
    return len(run) > 1 and bool(after.verbs) and after.verbs[0] == after.clause.start


def _several_colors(text: Text, p: Parsed) -> bool:
    """«[green]А[/green], [red]Б[/red]»: a sentence in several colours sorts players and votes for nobody."""
    return len({c.color for c in text.of(p.clause.sentence) if c.color is not None}) > 1


def _misplaced(text: Text, claims: list[Claim], sender: Sender) -> list[ReadOrder]:
    """Private moves written in the thread: refused where the rules say so, else no order at all (contract.md)."""
    if sender.words.settings.get("moves_in_posts") != "rejected":
        return []
    reason = sender.words.reasons.get("private_move", "private_only")
    return [
        ReadOrder(c.actions[0], c.seats(), c.args, "rejected", reason, spans_of(text, c))
        for c in claims
        if not c.doubts and c.form not in ("hint", "nick") and c.actions[0] not in ("pass", "cancel")
    ]


def _pale(text: Text, sender: Sender, color: str, allowed: frozenset[str], judge: Judge) -> list[ReadOrder]:
    """A clear order in another colour or in none: refused, so that the player is told."""
    settings = sender.words.settings
    reason = sender.words.reasons.get("not_coloured", "not_highlighted")
    claims = letter_claims(text, parse_all(text, sender), sender, plain_post=True)
    spared = {"taken_back"} if _names_a_colour(text) else set()
    clear = [c for c in claims if c.actions[0] in allowed and spared.issuperset(c.doubts)]
    clear = [c for c in clear if c.targets or not sender.spec(c).least]
    for other in _COLORS:
        if not clear and other != color:
            painted = _coloured(text, parse_all(text, sender), sender, other)
            clear = [c for c in painted if c.targets and c.actions[0] in allowed and _clear_in(c, settings.get("nick_alone"))]
    private = [c for c in claims if c.actions[0] not in allowed]
    if not clear:
        return _misplaced(text, private, sender)
    return _not_counted(text, clear, "rejected", reason, judge)


def _clear_in(claim: Claim, nick_alone: object) -> bool:
    """Whether a vote in a wrong colour is surely one: its formula, or a nick where that is enough."""
    if claim.form == "nick":
        return bool(nick_alone) and not claim.doubts
    return claim.form in _FORMULA and {"unsure"}.issuperset(claim.doubts)


def _names_a_colour(text: Text) -> bool:
    """«упс, забыла красным»: the writer says in which colour it was meant to be."""
    return any(token.folded.startswith(tuple(grammar().lists["colour_words"])) for token in text.found)


def _not_counted(text: Text, claims: Sequence[Claim], status: Result, reason: str, judge: Judge) -> list[ReadOrder]:
    """Orders that are refused for the way in which they were written; the hour goes before it."""
    found: list[ReadOrder] = []
    for claim in claims:
        late = judge.hour(claim.actions[0])
        found.append(
            ReadOrder(
                claim.actions[0], claim.seats(), claim.args, "rejected" if late else status, late or reason, spans_of(text, claim)
            )
        )
    return found
