"""Marks in the clause of an order, in one that governs it, or in words set off beside it."""

from __future__ import annotations

from collections.abc import Mapping

from forumbot.reading.claims import Claim
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.hedges.scene import HEAD, Hedge, Scene, Test, marked, numbered, of_a_reason
from forumbot.reading.parsing.parsed import Parsed
from forumbot.reading.phrases import Hit


def _doubtful(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return scene.text.own.doubtful


def _clause(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """In the claim's own clause, in the one before it that it hangs on, or in one that speaks about it («… - это было бы …»)."""
    about = [p for p in scene.behind(claim)[:1] if p.clause.opener in ("-", "–", "—") and scene.words(p)[:1] == ["это"]]
    own = scene.own(claim)
    near = [p for p in scene.near(claim) if p is own or scene.words(p)[:1] not in (["чтоб"], ["чтобы"])]
    return any(marked(p, row) for p in (*near, *about))


def _own(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return bool(marked(scene.own(claim), row))


def _near(scene: Scene, claim: Claim, row: Hedge) -> bool:
    for p in scene.near(claim):
        if claim.actions[0] == "cancel" and p.index > claim.clause:
            continue
        if p is not scene.own(claim) and (
            _of_something_else(scene, p, claim)
            or _says_its_own(scene, p, row)
            or (row.reason in ("unsure", "reported") and of_a_reason(scene, p, claim))
        ):
            continue
        if _governs_a_heading(scene, p, claim):
            continue
        if row.reason == "as_others" and p.index < claim.clause and p.clause.closer == ":" and claim.targets:
            continue  # «Я как все: вешаем Ирину»
        for hit in marked(p, row):
            if p.clause is not scene.own(claim).clause or not _inside_name_phrase(scene, p, hit):
                return True
    return False


def _governs_a_heading(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«Думаю, пора: …»: it belongs to the heading and not to the order."""
    behind = next((q for q in scene.sentence(claim) if q.index == p.index + 1), None)
    if behind is None or behind.index >= claim.clause or behind.clause.closer != ":" or not behind.silent:
        return False
    covers = {hit.meaning.id for hit in behind.clause.kinds("cover")}
    return covers == {"wish"} and any("first" in facts(word).forms for word in scene.words(p))


def _inside_name_phrase(scene: Scene, p: Parsed, hit: Hit) -> bool:
    return any(hit.start <= name.start < hit.end for name in p.names)


def _behind(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«…, вечером уточню», «…, но пока не уверен», «…, а не получится - Бориса»: opens a later clause of the sentence."""
    if claim.actions[0] == "cancel":
        return False
    for p in scene.behind(claim):
        if _of_something_else(scene, p, claim) or _does_not_know(scene, p, claim):
            continue
        bracketed = p.clause.bracketed and not p.free
        hits = marked(p, row)
        held = {i for hit in hits for i in range(hit.start, hit.end)}
        if any(i not in held for i in p.verbs) and not p.free and all(hit.meaning.id == "unsure" for hit in hits):
            continue  # a reason that is not sure, and no order
        if not bracketed and any(hit.start - p.clause.start < HEAD for hit in marked(p, row)):
            return True
    return False


def _does_not_know(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«…, почём возьмёт, не знаю»: not known is what the clause between asks."""
    before = scene.parsed[p.index - 1]
    return scene.words(p)[:2] == ["не", "знаю"] and before.index > claim.clause and before.clause.has("ask")


def _of_something_else(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«…, отпишусь вечером», «…, 15 монет вроде стоит»; of a vote taken back what is done later, too."""
    words = scene.words(p)
    if any(word in grammar().lists["writing_later"] or word.startswith(tuple(grammar().lists["money"])) for word in words):
        return True
    return claim.actions[0] == "unvote" and p.index > claim.clause and not grammar().lists["thinking_on"].isdisjoint(words)


def _says_its_own(scene: Scene, p: Parsed, row: Hedge) -> bool:
    """«Команда вроде согласна, …»: the doubt belongs to a predicate of the clause itself."""
    held = {i for hit in marked(p, row) for i in range(hit.start, hit.end)}
    words = [(i, facts(word)) for i, word in numbered(scene, p)]
    return row.reason == "unsure" and any(i not in held and known.main in ("short", "third", "past") for i, known in words)


def _another_time(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Завтра лечу Анну», «лечу Анну, но не сегодня»."""
    spec = scene.sender.spec(claim)
    if claim.actions[0] == "cancel":
        return False
    near = scene.near(claim)
    if claim.actions[0] == "pass":  # «Сегодня пропускаю, завтра похожу», but not «…, или лучше завтра?»
        near = [p for p in near if p.index > claim.clause and scene.words(p)[:1] in (["или"], ["либо"], ["но"])]
    for p in near:
        if p is not scene.own(claim) and (_of_something_else(scene, p, claim) or _opens_another(scene, p, claim)):
            continue
        for hit in marked(p, row):
            if spec.ahead and scene.text.found[hit.end - 1].folded.startswith(tuple(grammar().lists["coming"])):
                continue  # «заявка на завтра»
            till = hit.start > p.clause.start and scene.text.found[hit.start - 1].folded in grammar().lists["until"]
            if not till:
                return True
    return False


def _opens_another(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«Сегодня к Анне, а завтра, пожалуй, к Борису»: words behind the order that open another clause with a nick."""
    if p.index < claim.clause or scene.words(p)[:1] not in (["а"], ["но"]):
        return False
    rest = [q for q in scene.behind(claim) if q.index > p.index]
    return any(q.claims or q.free for q in rest)


def _irony(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return any(marked(p, row) for p in scene.sentence(claim))


def _joke(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """Words of joking in the same clause or behind the order, or as its heading."""
    heading = any(p.clause.closer == ":" and marked(p, row) for p in scene.before(claim))
    behind = [p for p in scene.parsed if p.index >= claim.clause]
    return heading or any(not _about_jokes(scene, p, hit, claim) for p in behind for hit in marked(p, row))


def _about_jokes(scene: Scene, p: Parsed, hit: Hit, claim: Claim) -> bool:
    """«Сил нет его шутки читать», «Люблю твой юмор»: a noun of joking that another verb of its clause governs."""
    known = facts(scene.text.found[hit.start].folded)
    if p.index == claim.clause or known.main != "noun":
        return False
    words = [facts(word) for i, word in numbered(scene, p) if i != hit.start]
    governed = any("infinitive" in k.forms or "first" in k.forms or "imperative" in k.forms for k in words)
    return governed or (known.plural and bool(p.verbs))


def _judged(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return claim.form in ("infinitive", "noun") and bool(marked(scene.own(claim), row))


def _not_mine(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«твой голос против Вихря»: the vote is somebody's."""
    return claim.form not in ("first", "infinitive") and any(hit.end == claim.start for hit in marked(scene.own(claim), row))


TESTS: Mapping[str, Test] = {
    "doubtful": _doubtful,
    "clause": _clause,
    "own": _own,
    "near": _near,
    "behind": _behind,
    "another_time": _another_time,
    "irony": _irony,
    "joke": _joke,
    "judged": _judged,
    "not_mine": _not_mine,
}
