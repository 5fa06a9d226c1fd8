"""Claims that give way to others of their message."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.claims import Claim, Sender
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.settling.slots import Slot, slot


def without_bare(claims: list[Claim], scene: Scene) -> list[Claim]:
    """Nicks alone give way to the orders of the letter, but for one that stands by itself right behind an order, or that the
    body names against the subject."""
    hard = [c for c in claims if c.form != "nick" and (c.targets or c.refusal) and not c.talk and not _asks_else(c, scene)]
    if not hard or not scene.sender.letter:
        return claims
    body = any(not c.subject for c in hard)
    claims = [c for c in claims if not _asks_else(c, scene)]
    return [c for c in claims if c.form != "nick" or (not body and not c.subject) or _right_behind(c, hard, scene)]


def _asks_else(claim: Claim, scene: Scene) -> bool:
    """«Письмо для Вани перешлите»: the host is asked for something with a word that could announce a move."""
    asked = [facts(scene.text.found[i].folded) for i in claim.unexplained]
    return claim.form == "intent" and any(k.known and k.main == "imperative" for k in asked)


def _right_behind(claim: Claim, hard: Sequence[Claim], scene: Scene) -> bool:
    whole = len(scene.of(claim.sentence)) == 1 and not claim.unexplained
    return whole and any(c.sentence == claim.sentence - 1 and c.actions == claim.actions for c in hard)


def introduced(claims: list[Claim], sender: Sender) -> list[Claim]:
    """«Здравствуйте, доктор Сима. Лечение …»: the writer with their role, before the order."""

    def introduces(claim: Claim) -> bool:
        mine = len(claim.targets) == 1 and claim.targets[0].seats == (sender.seat,) and claim.targets[0].kind == "nick"
        return claim.form == "role" and not claim.label and mine

    orders = any(claim.targets and not introduces(claim) for claim in claims)
    return [claim for claim in claims if not (orders and introduces(claim))]


def without_headings(claims: list[Claim]) -> list[Claim]:
    """A subject that only names the matter («покупка», «линч») says nothing beside a body with orders."""
    body = any(not claim.subject for claim in claims)
    return [c for c in claims if not (c.subject and body and not c.targets and c.refusal is None)]


_VOTES = frozenset(("vote", "unvote", "hunt"))
_WEAK = frozenset(("reported", "third_person", "subordinate", "judged", "subjunctive", "another_time"))
"""Doubts whose order is most likely nobody's: it gives way to one of the same slot that is the writer's own."""


def without_weak(claims: list[Claim], scene: Scene) -> list[Claim]:
    sender = scene.sender
    strong = [c for c in claims if not _WEAK & set(c.doubts) and (c.targets or c.refusal)]
    slots = {slot(c, sender) for c in strong}
    claims = [c for c in claims if not _WEAK & set(c.doubts) or slot(c, sender) not in slots or _takes_over(c, scene)]
    return [c for c in claims if not any(_answers(other, c, sender) for other in claims)]


def _takes_over(claim: Claim, scene: Scene) -> bool:
    """«Хотя голос лучше Анне», «Ладно, её и лечу»: words behind an order that put another in its place."""
    pointed = "pronoun" in claim.doubts and claim.form == "first" and not claim.targets
    first = scene.words(scene.of(claim.sentence)[0])[:1]
    turns = bool(first) and first[0] in grammar().lists["taking_back_words"] and scene.own(claim).clause.has("turn")
    return pointed or (turns and claim.form in ("first", "noun", "infinitive"))


def _answers(claim: Claim, asked: Claim, sender: Sender) -> bool:
    """«Борису? Ни за что. Лечу Анну», «Напасть бы на Бориса… но нет, пропускаю ход»: what is only asked or wished gives way to
    the clear decision behind it."""
    if claim.sentence <= asked.sentence or claim.subject or not _decided(claim, sender):
        return False
    if claim.actions[0] == "pass":
        return "subjunctive" in asked.doubts and asked.actions[0] in sender.moves
    idle = asked.doubts[:1] == ["question"] and asked.form in ("infinitive", "noun") and not asked.label
    return idle and bool(claim.targets) and slot(claim, sender) == slot(asked, sender)


def _decided(claim: Claim, sender: Sender) -> bool:
    return _clean(claim, sender) and not claim.either and claim.form in ("first", "infinitive", "noun", "imperative")


def _clean(claim: Claim, sender: Sender) -> bool:
    """Whether nothing is open about an order of the writer's own."""
    whole = len(claim.targets) >= sender.spec(claim).least and not claim.doubts and not claim.unexplained
    return whole and claim.refusal is None and bool(set(claim.actions) & sender.owned)


def without_hunches(claims: list[Claim], scene: Scene) -> list[Claim]:
    """Beside a clear order a verb that is no move is one only where it takes its object as a move does."""
    if not any(_clean(c, scene.sender) for c in claims if c.form != "hunch"):
        return claims
    return [c for c in claims if c.form != "hunch" or facts(scene.text.found[c.start].folded).transitive]


def without_idle(claims: list[Claim], scene: Scene) -> list[Claim]:
    """«Опять мне досталась эта роль» beside a clear order: the name of a move among other words, with nothing of a move."""
    clear = [c for c in claims if _clean(c, scene.sender)]
    slots = {slot(c, scene.sender) for c in clear}
    return [c for c in claims if c in clear or c.label or not (clear and _only_a_word(c, slots, scene.sender))]


def _only_a_word(claim: Claim, clear: set[Slot], sender: Sender) -> bool:
    if claim.targets:  # «К Жуку претензий нет» beside «Иду к Стасу»
        return claim.form == "hint" and bool(claim.unexplained) and slot(claim, sender) in clear
    spec = sender.spec(claim)
    if claim.form == "goods" and claim.args.get("item") is not None and spec.several and not claim.unexplained:
        return False  # «Куплю броню за МБ, и презерватив»: one more purchase
    lacks = not spec.least and any(claim.args.get(name) is None for name in spec.needs)
    return claim.form in ("noun", "goods", "role", "hint") and (
        lacks if claim.form == "hint" else bool(claim.unexplained) or lacks
    )


def without_talk(claims: list[Claim]) -> list[Claim]:
    """Talk gives way; what only an idle word names gives way to an order."""
    return [claim for claim in claims if not claim.talk]


def _stays(claim: Claim, scene: Scene) -> bool:
    """«сижу дома», «отдыхаю»: no move by what the writer does, and not by a word for it."""
    words = {scene.text.found[i].folded for i in range(claim.start, claim.end)}
    return not words.isdisjoint(grammar().lists["staying"])


def beside_no_move(claims: list[Claim], scene: Scene) -> None:
    """«Пропускаю ход» in one letter with a move: one of them is not meant."""
    sender = scene.sender
    if any(_clean(c, sender) for c in claims if c.actions[0] != "pass"):  # «Извините за вчерашний пропуск»
        claims[:] = [c for c in claims if c.actions[0] != "pass" or "past" not in c.doubts]
    clear = [c for c in claims if c.targets and c.actions[0] not in _VOTES and _clean(c, sender)]
    if clear:  # «Сижу дома с котом. Лечу Анну»
        claims[:] = [c for c in claims if c.actions[0] != "pass" or not _stays(c, scene) or c.start > clear[-1].start]
    passes = [claim for claim in claims if claim.actions[0] == "pass"]
    if passes:  # «Завтра вылечу Артура, сегодня пропускаю»
        claims[:] = [c for c in claims if c.actions[0] == "pass" or not {"another_time", "taken_back"} & set(c.doubts)]
    if passes:  # «Лечу в Сочи, хода сегодня не будет»
        claims[:] = [c for c in claims if c.targets or c.label or "no_target" not in c.doubts]
    cancels = [claim for claim in claims if claim.actions[0] == "cancel" and "what" not in claim.args]
    moves = [c for c in claims if c.targets and c.actions[0] not in _VOTES and not c.subject]
    if passes:
        stays = [c for c in claims if c.actions[0] in sender.moves and not sender.spec(c).least and not c.doubts]
        if any(sender.spec(c).slot != "work" for c in stays):
            claims[:] = [claim for claim in claims if claim not in passes]
            return
    for claim in [*(passes if moves else []), *(moves if passes else [])]:
        claim.doubt("contradiction")
    for cancel in cancels:
        for move in [m for m in moves if m.start < cancel.start]:
            cancel.doubt("contradiction")
            move.doubt("contradiction")


def pass_beside(claims: Sequence[Claim]) -> None:
    """«Мирная охота - пропускаю»: a move that lacks its nick, and "no move" in one sentence."""
    for claim in claims:
        if claim.actions[0] == "pass" and any(
            c.label and c.sentence == claim.sentence and "no_target" in c.doubts for c in claims
        ):
            claim.doubt("contradiction")
