"""Somebody's words, a frame around the order, or a clause that the order hangs on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import HEAD, Hedge, Scene, Test, marked, of_a_reason
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit


def _reported(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """The words are somebody's, or of another time: a verb of speech that is not the writer's own stands before them."""
    if any(p.clause.closer == ":" and _decides(scene, p) for p in scene.before(claim)):
        return False
    for p in scene.before(claim):
        if _own_voice(scene, p):
            continue
        leads = p.clause.closer in (":", "«") or any(q.clause.opener == ":" for q in scene.before(claim) if q.index > p.index)
        leads = leads or scene.own(claim).clause.opener == ":"
        if leads and any(not _own_speech(scene, hit) and not _tool_speaks(p, hit, claim) for hit in marked(p, row)):
            return True
    for p in scene.behind(claim):
        told = [hit for hit in marked(p, row) if not _own_speech(scene, hit)]
        if (
            told
            and told[0].start == p.clause.start
            and p.clause.opener == ","
            and not any(c.targets for c in p.claims)
            and not p.clause.has("pronoun")
            and not of_a_reason(scene, p, claim)
        ):
            return True  # «…, говорил мне внутренний голос»
        if p.clause.opener in ("-", "–", "—", "»", "«") and any(not _own_speech(scene, hit) for hit in marked(p, row)):
            told = [hit for hit in told if facts(scene.text.found[hit.start].folded).lemmas & grammar().lists["ascribing"]]
            nominative = [n for n in p.free if any("nomn" in c.cases for c in n.candidates)]
            if told and (nominative or not p.claims):
                return bool(nominative) or len(scene.words(p)) < HEAD + 1
    return False


def _own_voice(scene: Scene, p: Parsed) -> bool:
    """«Сердце подсказывает: …»: what speaks is the writer's own, now."""
    words = [facts(word) for word in scene.words(p)]
    speaks = any(known.lemmas & grammar().lists["own_voices"] for known in words)
    return speaks and any(known.main == "third" for known in words)


def _somebody_says(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Дядюшка настаивает: …»: somebody's own verb before a colon, whichever it is."""
    leads = [p for p in scene.before(claim)[-1:] if p.clause.closer == ":"]
    return any(not _own_voice(scene, p) and _another_speaks(scene, p) for p in leads)


def _another_speaks(scene: Scene, p: Parsed) -> bool:
    first = scene.words(p)[:1]
    if first and (first[0] in ("пока", "когда") or p.clause.has("concede") or first[0] == scene.sender.seat.lower()):
        return False  # «Быстро, пока свет не отключили: …», «Мавр делает своё дело: …» of Мавр
    words = [facts(word) for word in scene.words(p)]
    verbs = [known for known in words if known.known and known.main in ("third", "past")]
    verb = any(not known.lemmas & grammar().lists["decided"] for known in verbs)
    mine = any(known.main in ("first", "imperative") for known in words)
    living = any(known.known and known.main == "noun" and not known.thing and "nomn" in known.cases for known in words)
    return verb and not mine and (living or p.subject is not None or bool(p.free)) and not (p.heads or p.claims or p.roles)


def _tool_speaks(p: Parsed, hit: Hit, claim: Claim) -> bool:
    """«Бубен говорит: проклятие на Анну»: a thing of the very move."""
    return any(h.end <= hit.start and set(h.meaning.id) & set(claim.actions) for h in p.clause.kinds("hint"))


def _own_speech(scene: Scene, hit: Hit) -> bool:
    """«говорю: …», «решила так: …»: the writer's own word of now."""
    known = facts(scene.text.found[hit.start].folded)
    if known.lemmas & grammar().lists["hearing"]:
        return False
    return bool({"first", "imperative"} & known.forms) or bool(known.lemmas & grammar().lists["decided"])


def _subordinate(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """The order hangs on another clause («…, что лечу Анну»), which is no word of the writer's own decision."""
    own = scene.own(claim)
    first = scene.words(own)[:1]
    if own.clause.opener == "color" and scene.before(claim) and scene.words(scene.before(claim)[-1])[:1]:
        leads = scene.before(claim)[-1]
        if scene.words(leads)[0] in grammar().lists["content"]:  # «не думаю, что это [red]Анна[/red]»
            return len(scene.before(claim)) < 2 or not _decides(scene, scene.before(claim)[-2])
    word = first[0] if first else ""
    if own.clause.opener in grammar().lists["subordinators"]:
        word = own.clause.opener
    if word == "пока" and not own.clause.opener:
        return False  # «Пока просто линч Жоре»
    if word not in grammar().lists["content"]:
        if _told_of(scene, claim):
            return True
        return word in grammar().lists["causal"] and claim.start > own.clause.start
    before = scene.before(claim)
    return bool(before) and not _decides(scene, before[-1]) and not _brings_about(scene, before[-1], claim)


def _brings_about(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«Борис так просился, что зову его»: what follows from it is the writer's own deed."""
    words = scene.words(p)
    opens = scene.words(scene.own(claim))[:1] == ["что"] and claim.form == "first"
    said = p.clause.has("speech", "reported", "past", "unsure", "subjunctive") or not grammar().lists["denying"].isdisjoint(words)
    return opens and not said and not grammar().lists["so_much"].isdisjoint(words)


def _told_of(scene: Scene, claim: Claim) -> bool:
    """«Мне снилось, что двенадцать монет за Анну, заказ»: the order goes on with a clause that hangs on what is no decision: its
    nick stands there, or the clause is of the writer's own deed as the order is."""
    for leads, p in pairwise(scene.before(claim)):
        if scene.words(p)[:1] not in (["что"], ["будто"]) or _decides(scene, leads) or p.clause.opener == "color":
            continue
        inside = any(p.clause.start <= t.start < p.clause.end for t in claim.targets)
        if inside or any("first" in facts(word).forms for word in scene.words(p)):
            return True
    return False


def _decides(scene: Scene, p: Parsed) -> bool:
    """Words of deciding and telling, of the writer's own: «решила», «сообщаю», «я за то»."""
    words = scene.words(p)
    if "не" in words or "кто" in words or p.free or p.aside:
        return False
    if any(facts(word).lemmas & grammar().lists["hearing"] for word in words):
        return False  # «Всё слышу: …»
    if any(facts(word).lemmas & grammar().lists["thinking"] and "first" not in facts(word).forms for word in words):
        return False  # «хочется думать, что …»
    decided = any(_own_verb(word) for word in words)
    return decided or any(hit.meaning.id in ("wish", "politeness") for hit in p.clause.kinds("cover"))


def _own_verb(word: str) -> bool:
    known = facts(word)
    if "first" in known.forms:
        return True
    return bool(known.lemmas & grammar().lists["decided"]) and bool(known.forms & {"past", "imperative", "infinitive"})


def _introduced(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Говорят, доктор лечит Анну»: a clause before the order's that opens with words of report."""
    return any(hit.start - p.clause.start < HEAD for p in scene.before(claim) for hit in marked(p, row))


def _frame(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Пример: …», «Мой расклад: …»: the clause before a colon says that what follows is none."""
    for p in scene.before(claim):
        leads = p.clause.closer in (":", "-", "–", "—", "color", "«")
        if leads and any(hit.start - p.clause.start < HEAD for hit in marked(p, row)):
            return True
    own = scene.own(claim)
    return any(hit.start - own.clause.start < 1 and hit.end <= claim.start for hit in marked(own, row))


def _led_in(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Рано пока: …», «Отказываюсь от плана: …», «Не мой ход: …»: the clause before a colon takes back what follows."""
    for p in scene.before(claim):
        if p.clause.closer != ":" or p.index < claim.clause - 2:
            continue
        told = [i for i in p.verbs if not any(hit.start <= i < hit.end for hit in p.clause.kinds("mark"))]
        purpose = scene.words(p)[:1] in (["чтоб"], ["чтобы"])
        if not purpose and any(hit.meaning.id != "unsure" or not told for hit in marked(p, row)):
            return True  # «вроде синим вышло: …» speaks of something else
        if told:
            continue
        known = {i for hit in p.clause.kinds("cover") if hit.end - hit.start > 1 for i in range(hit.start, hit.end)}
        named = {i for name in p.names for i in range(name.start, name.end)}
        found = scene.text.found
        denying = [i for i in range(p.clause.start, p.clause.end) if found[i].folded in grammar().lists["denying"]]
        denied = [i for i in denying if i not in known | named]
        denied = [i for i in denied if i + 1 >= len(found) or facts(found[i + 1].folded).main != "infinitive"]
        if denied and not p.dropped:
            return True
    return False


def _unknown_heading(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Анонимка: лечу Анну»: a heading that nobody knows, with nothing else in it."""
    for p in scene.before(claim):
        words = scene.words(p)
        noun = len(words) == 1 and facts(words[0]).main in ("noun", "")
        leads = noun and p.clause.closer == ":" and not (p.claims or p.heads or p.free or p.aside or p.roles or p.clause.hits)
        if set(words) <= grammar().lists["postscript"]:
            continue
        if leads and 0 < len(words) < HEAD and len(p.unexplained) == len(words):
            return True
    return False


def _as_somebody(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Виновна, как сказала Ольга, Мила»: the words are another player's; «…, как и советовала Ольга» only follows them."""
    for p in scene.sentence(claim):
        follows = p.index > claim.clause and p.clause.last and all(t.start < p.clause.start for t in claim.targets)
        if follows and not any(facts(word).lemmas & grammar().lists["ascribing"] for word in scene.words(p)):
            continue
        if scene.words(p)[:1] == ["как"] and (p.free or p.aside) and any(not _own_speech(scene, hit) for hit in marked(p, row)):
            return True
    return False


TESTS: Mapping[str, Test] = {
    "reported": _reported,
    "somebody_says": _somebody_says,
    "subordinate": _subordinate,
    "introduced": _introduced,
    "frame": _frame,
    "led_in": _led_in,
    "unknown_heading": _unknown_heading,
    "as_somebody": _as_somebody,
}
