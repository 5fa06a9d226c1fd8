"""What casts doubt on an order although its words are understood: an ordered table of tests (``config/reading/hedges.toml``).

A test sees one claim among the clauses of its message. The first reasons of the table are told first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from forumbot import resources
from forumbot.reading.claims import Claim, Sender
from forumbot.reading.clauses import Text
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.parsing import Parsed
from forumbot.reading.phrases import Hit

_HEAD = 3
"""A frame («Пример: …») is named by one of the first words of its clause."""
_FRAGMENT = 9
"""Words of a sentence that can hang on the one before."""


@dataclass(frozen=True, slots=True)
class Hedge:
    """A row of the table."""

    reason: str
    test: str
    example: str
    marks: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    effect: str = "ask"
    posts: str = ""
    votes: str = ""


@cache
def table() -> tuple[Hedge, ...]:
    """The rows in their order. Raises ValueError for a test that nobody wrote."""
    rows = tuple(
        Hedge(**dict[str, Any]((key, tuple(value) if isinstance(value, list) else value) for key, value in row.items()))
        for row in resources.toml("reading/hedges.toml")["hedge"]
    )
    for row in rows:
        if row.test not in TESTS:
            raise ValueError(f"hedges: no test {row.test!r}")
    return rows


@dataclass(slots=True)
class Scene:
    """The clauses of a message, and the voice of its channel."""

    text: Text
    sender: Sender
    parsed: Sequence[Parsed]
    plain_post: bool = False
    """A thread in which no colour is asked for."""
    _sentences: dict[int, list[Parsed]] | None = None
    _words: dict[int, list[str]] = field(default_factory=dict)

    def own(self, claim: Claim) -> Parsed:
        return self.parsed[claim.clause]

    def sentence(self, claim: Claim) -> list[Parsed]:
        return self.of(claim.sentence)

    def of(self, sentence: int) -> list[Parsed]:
        if self._sentences is None:
            self._sentences = {}
            for p in self.parsed:
                self._sentences.setdefault(p.clause.sentence, []).append(p)
        return self._sentences.get(sentence, [])

    def before(self, claim: Claim) -> list[Parsed]:
        return [p for p in self.sentence(claim) if p.index < claim.clause]

    def behind(self, claim: Claim) -> list[Parsed]:
        return [p for p in self.sentence(claim) if p.index > claim.clause]

    def near(self, claim: Claim) -> list[Parsed]:
        """The claim's clause, the one that governs it («думаю, что …»), and what is set off by commas and says nothing of its
        own («наверное, …»)."""
        own = self.own(claim)
        found = [own, *(p for p in self.sentence(claim) if p is not own and self.set_off(p))]
        adjacent = own.clause.opener == "color"
        if adjacent or (self.words(own)[:1] and self.words(own)[0] in grammar().lists["content"]):
            found += [p for p in self.before(claim)[-1:] if p not in found]
        return found

    def set_off(self, p: Parsed) -> bool:
        if p.claims or p.heads or p.free or p.dropped or p.clause.quoted:
            return False
        marked = {i for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
        return not p.verbs or (
            marked.issuperset(p.verbs) and len(self.words(p)) <= _HEAD
        )  # «кажется», «возможно», «допустим»: a verb by form alone

    def words(self, p: Parsed) -> list[str]:
        words = self._words.get(p.index)
        if words is None:
            found = self.text.found
            words = [found[i].folded for i in range(p.clause.start, p.clause.end) if found[i].kind == "w"]
            self._words[p.index] = words
        return words


def hedge(scene: Scene, claims: Iterable[Claim]) -> None:
    """Put the doubts of the table on the claims."""
    present = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds("mark")}
    rows = [row for row in table() if not row.marks or row.test in _WITHOUT_MARKS or not present.isdisjoint(row.marks)]
    for claim in claims:
        for row in rows:
            if TESTS[row.test](scene, claim, row):
                effect = row.posts if scene.plain_post and row.posts else row.effect
                if row.votes and scene.sender.spec(claim).talk:
                    effect = row.votes
                if effect == "talk":
                    claim.talk.append(row.reason)
                else:
                    claim.doubt(row.reason)


_WITHOUT_MARKS = frozenset(("asked", "conditional", "second_thought", "led_in"))
"""Tests that find something without a mark, too."""
_ARGUMENTS = frozenset(("free_condition", "cover", "mark", "hint", "hedge", "number", "settled", "doubt"))


def marked(p: Parsed, row: Hedge) -> list[Hit]:
    """The marks of a row in a clause, those left out that stand inside a longer phrase which says the opposite."""
    hits = p.clause.marks(*row.marks)
    if not hits:
        return []
    free = p.clause.marks(*row.unless) if row.unless else []
    spared = {i for hit in free for i in range(hit.start, hit.end)}
    said = [h for h in p.clause.hits if h.meaning.kind not in _ARGUMENTS]
    hits = [h for h in hits if not any(a.start <= h.start < a.end and a.end >= h.end for a in said)]
    hits = outside_covers(p, hits)
    acts = {i for claim in p.claims for i in range(claim.start, claim.end)}
    named = {i for name in (*p.free, *p.aside, *p.dropped) for i in range(name.start, name.end)}
    targets = {i for claim in p.claims for t in claim.targets for i in range(t.start, t.end)}
    return [hit for hit in hits if hit.start not in spared | acts | named | targets]


def outside_covers(p: Parsed, hits: Sequence[Hit]) -> list[Hit]:
    """The marks that stand in no longer phrase which says nothing («сам не знаю почему», «пока всё»)."""
    longer = [(hit.start, hit.end) for hit in p.clause.kinds("cover") if hit.end - hit.start > 1]
    return [h for h in hits if not any(s <= h.start and h.end <= e and e - s > h.end - h.start for s, e in longer)]


# --- tests -----------------------------------------------------------------------------------------------------------------

Test = Callable[[Scene, Claim, Hedge], bool]


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
        if p is not scene.own(claim) and (_of_something_else(scene, p, claim) or _says_its_own(scene, p, row)):
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


def _past_form(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return claim.form in ("past", "gerund", "second") or any(
        head.form == "past" and set(head.actions) & set(claim.actions) for head in scene.own(claim).heads
    )


def _announced(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Если Анна не ответит, отдам голос ей»: of what is talked of all day what is only announced."""
    spec = scene.sender.spec(claim)
    own = scene.own(claim)
    verbs = [i for i in range(own.clause.start, own.clause.end) if "future" in facts(scene.text.found[i].folded).forms]
    return spec.talk and bool(verbs) and any(marked(p, row) for p in scene.sentence(claim))


def _asked(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """The sentence ends as a question, and the claim stands in what is asked: its last clause, or all of it where a word of
    asking opens it."""
    own = scene.own(claim)
    if own.clause.stop != "?":
        return False
    clauses = scene.sentence(claim)
    if clauses[-1].index > claim.clause and _tag(scene, clauses[-1]):
        return False
    if any(p.clause.opener == "но" and p.clause.has("ask", "asks_host") for p in clauses if p.index > claim.clause):
        return True  # «…, но сначала скажи, жив ли он?»
    spec = scene.sender.spec(claim)
    if not claim.targets and (spec.least or any(claim.args.get(name) is None for name in spec.needs)):
        claim.talk.append(row.reason)
    asking = [p for p in clauses if p.index <= claim.clause and p.clause.marks("ask")]
    if any(_really_asks(scene, p, claim) for p in asking):
        if not claim.either and not any(
            hit.meaning.id == "ask" and scene.text.found[hit.start].folded == "можно"
            for p in asking
            for hit in p.clause.marks("ask")[:1]
        ):
            claim.talk.append(row.reason)
        return True
    if claim.form in ("third", "second", "past", "goods"):
        claim.talk.append(row.reason)
    behind = [p for p in clauses if p.index > claim.clause]
    return not any(p.verbs or p.claims or p.clause.marks("ask") or p.unexplained or p.dropped for p in behind)


def _tag(scene: Scene, p: Parsed) -> bool:
    """«…, ок?», «…, хорошо?»: no question about the order."""
    polite = any(hit.meaning.id == "politeness" for hit in p.clause.kinds("cover"))
    word = scene.words(p)[0] if len(scene.words(p)) == 1 else ""
    if word in grammar().lists["tags"] and not (p.claims or p.free):
        return True
    return p.silent and (polite or (len(scene.words(p)) == 1 and scene.words(p)[0] in grammar().lists["tags"]))


def _really_asks(scene: Scene, p: Parsed, claim: Claim) -> bool:
    acts = {i for c in p.claims for i in range(c.start, c.end)}
    targets = {i for c in p.claims for t in c.targets for i in range(t.start, t.end)}
    anywhere = grammar().lists["asking_anywhere"]
    found = scene.text.found
    return any(
        hit.start not in acts | targets and (hit.start < claim.start or found[hit.start].folded in anywhere)
        for hit in p.clause.marks("ask")
    )


def _conditional(scene: Scene, claim: Claim, row: Hedge) -> bool:
    free = {h.start for p in scene.sentence(claim) for h in p.clause.kinds("free_condition") if h.meaning.id in claim.actions}
    if len([p for p in scene.sentence(claim) if marked(p, row)]) > 1:
        free = set()  # a condition of the move's own, and one more
    for p in scene.before(claim):
        if claim.turned and p.clause.has("no_condition"):
            return True  # «(если не поздно поменять - Кузя)»
    if any(_more_than_polite(scene, p) for p in scene.sentence(claim)):
        return True
    for p in scene.sentence(claim):
        for hit in marked(p, row):
            if any(start <= hit.start < start + 2 for start in free) or (free and p is not scene.own(claim)):
                continue
            word = scene.text.found[hit.start].folded
            if word == "иначе" and p.index > claim.clause and not (p.names or p.claims):
                continue
            return True
    fallback = _else_another(scene, scene.behind(claim)) and claim.actions[0] not in ("cancel", "unvote")
    return fallback or _when_to_come(scene, claim) or _inverted_condition(scene, claim)


def _more_than_polite(scene: Scene, p: Parsed) -> bool:
    """«…, если можно будет», «…, если можно, то и за Никой»: words of politeness that go on as a condition."""
    polite = [hit for hit in p.clause.marks("no_condition") if scene.text.found[hit.start].folded == "если"]
    if not polite:
        return False
    held = {i for hit in polite for i in range(hit.start, hit.end)}
    left = [facts(scene.text.found[i].folded) for i in range(polite[0].end, p.clause.end) if i not in held]
    return any("future" in known.forms and known.main == "third" for known in left)


def _inverted_condition(scene: Scene, claim: Claim) -> bool:
    """«Промолчит Гром до девяти - виновен Гром», «не придут - себя»: a condition without «если», by its order of words."""
    before = scene.before(claim)
    for p in before:
        words = [word for word in scene.words(p) if word != "не"]
        dashed = p.clause.closer in ("-", "–", "—") or (
            p is before[-1] and scene.words(scene.own(claim))[:1] in (["тогда"], ["то"])
        )
        if words and dashed and facts(words[0]).main == "third" and "future" in facts(words[0]).forms:
            return True
    return False


def _when_to_come(scene: Scene, claim: Claim) -> bool:
    """«…, когда посадят Зубра», «Когда Ёлку убьют, …»: a time that may never come."""
    for p in scene.sentence(claim):
        first = scene.words(p)[:1]
        if p is scene.own(claim) or first not in (["когда"], ["пока"], ["едва"]):
            continue
        verbs = [i for i in range(p.clause.start, p.clause.end) if facts(scene.text.found[i].folded).finite]
        if any("past" not in facts(scene.text.found[i].folded).forms for i in verbs) and first != ["пока"]:
            return True
    return False


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
        ):
            return True  # «…, говорил мне внутренний голос»
        if p.clause.opener in ("-", "–", "—", "»", "«") and any(not _own_speech(scene, hit) for hit in marked(p, row)):
            told = [hit for hit in told if facts(scene.text.found[hit.start].folded).lemmas & grammar().lists["ascribing"]]
            nominative = [n for n in p.free if any("nomn" in c.cases for c in n.candidates)]
            if told and (nominative or not p.claims):
                return bool(nominative) or len(scene.words(p)) < _HEAD + 1
    return False


def _own_voice(scene: Scene, p: Parsed) -> bool:
    """«Сердце подсказывает: …»: what speaks is the writer's own, now."""
    words = [facts(word) for word in scene.words(p)]
    speaks = any(known.lemmas & grammar().lists["own_voices"] for known in words)
    return speaks and any(known.main == "third" for known in words)


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
        return word in grammar().lists["causal"] and claim.start > own.clause.start
    before = scene.before(claim)
    return bool(before) and not _decides(scene, before[-1])


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
    return any(hit.start - p.clause.start < _HEAD for p in scene.before(claim) for hit in marked(p, row))


def _frame(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Пример: …», «Мой расклад: …»: the clause before a colon says that what follows is none."""
    for p in scene.before(claim):
        leads = p.clause.closer in (":", "-", "–", "—", "color", "«")
        if leads and any(hit.start - p.clause.start < _HEAD for hit in marked(p, row)):
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
        denied = [i for i in range(p.clause.start, p.clause.end) if found[i].folded in ("не", "ни") and i not in known | named]
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
        if leads and 0 < len(words) < _HEAD and len(p.unexplained) == len(words):
            return True
    return False


def _past(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """Said of what was: in one clause with the order, or in a frame that closes with a colon."""
    if scene.sender.spec(claim).dead_targets and claim.form == "first":
        return False
    now = any(p.clause.has("now") for p in scene.near(claim))
    for p in (scene.own(claim), *scene.before(claim)):
        own = p is scene.own(claim)
        frame = p.clause.closer == ":" or (scene.set_off(p) and not p.silent and not p.verbs)
        if (own or frame) and marked(p, row) and not (now and own):
            return not (now and not own and p.clause.closer != ":")
    return False


def _another_time(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Завтра лечу Анну», «лечу Анну, но не сегодня»."""
    spec = scene.sender.spec(claim)
    if claim.actions[0] in ("pass", "cancel"):
        return False
    for p in scene.near(claim):
        if p is not scene.own(claim) and _of_something_else(scene, p, claim):
            continue
        for hit in marked(p, row):
            if spec.ahead and scene.text.found[hit.end - 1].folded.startswith(tuple(grammar().lists["coming"])):
                continue  # «заявка на завтра»
            till = hit.start > p.clause.start and scene.text.found[hit.start - 1].folded in grammar().lists["until"]
            if not till:
                return True
    return False


def _of_something_else(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«…, отпишусь вечером», «…, 15 монет вроде стоит»; of a vote taken back what is done later, too."""
    words = scene.words(p)
    if any(word in grammar().lists["writing_later"] or word.startswith(tuple(grammar().lists["money"])) for word in words):
        return True
    return claim.actions[0] == "unvote" and p.index > claim.clause and not grammar().lists["thinking_on"].isdisjoint(words)


def _says_its_own(scene: Scene, p: Parsed, row: Hedge) -> bool:
    """«Команда вроде согласна, …»: the doubt belongs to a predicate of the clause itself."""
    held = {i for hit in marked(p, row) for i in range(hit.start, hit.end)}
    words = [(i, facts(word)) for i, word in _numbered(scene, p)]
    return row.reason == "unsure" and any(i not in held and known.main in ("short", "third", "past") for i, known in words)


def _does_not_know(scene: Scene, p: Parsed, claim: Claim) -> bool:
    """«…, почём возьмёт, не знаю»: not known is what the clause between asks."""
    before = scene.parsed[p.index - 1]
    return scene.words(p)[:2] == ["не", "знаю"] and before.index > claim.clause and before.clause.has("ask")


def _irony(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return any(marked(p, row) for p in scene.sentence(claim))


def _joke(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """Words of joking in the same clause or behind the order, or as its heading."""
    heading = any(p.clause.closer == ":" and marked(p, row) for p in scene.before(claim))
    return heading or any(p.index >= claim.clause and marked(p, row) for p in scene.parsed)


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
        if not bracketed and any(hit.start - p.clause.start < _HEAD for hit in marked(p, row)):
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


def _past_verb(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Хотел лечить Анну», «была проверка Анны»: the predicate of the order's own clause is of the past."""
    own = scene.own(claim)
    if own.clause.has("subjunctive"):
        return False
    return (
        claim.form in ("infinitive", "noun", "hint", "role")
        and not own.free
        and any(facts(scene.text.found[i].folded).main == "past" for i in own.verbs)
    )


def _others_wish(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Анна просит её полечить»: the infinitive hangs on what somebody else does."""
    own = scene.own(claim)
    if claim.form != "infinitive":
        return False
    strange = any(facts(scene.text.found[i].folded).main in ("third", "second", "past") for i in own.verbs)
    if strange and not _own_role_wants(scene, own):
        return True
    if _own_role_wants(scene, own):
        return False
    verbs = [head for head in own.heads if head.end <= claim.start and head.form in ("third", "second", "past")]
    return bool(verbs) and claim.role is None  # «Белка зовёт голосовать за Жука»


def _own_role_wants(scene: Scene, p: Parsed) -> bool:
    """«Арлекин сегодня хочет завербовать Анну»: the writer's own role wishes."""
    mine = any(hit.meaning.id in scene.sender.known.roles for hit in p.roles)
    verbs = [facts(scene.text.found[i].folded) for i in p.verbs]
    return mine and all(known.main == "third" and known.lemmas & grammar().lists["wishing"] for known in verbs)


def _told(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Верните мои 20 монет за щит»: a good's name alone with a verb that is no order's."""
    acts = ("first", "second", "third", "past", "imperative")
    verbs = [facts(scene.text.found[i].folded) for i in scene.own(claim).unexplained]
    back = any(known.lemmas & grammar().lists["taking_back"] for known in verbs)
    return claim.form == "goods" and not back and any(known.main in acts for known in verbs)


def _judged(scene: Scene, claim: Claim, row: Hedge) -> bool:
    return claim.form in ("infinitive", "noun") and bool(marked(scene.own(claim), row))


def _pronoun_nick(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Виновен всякий, кто молчит», «Виновны все»: a pronoun that happens to be somebody's nick, in small letters."""
    own = scene.own(claim)
    found = scene.text.found
    plural = facts(found[claim.start].folded).plural and claim.form == "short"
    for target in claim.targets:
        if target.start >= len(found) or found[target.start].capital or target.kind != "nick":
            continue
        pronoun = facts(found[target.start].folded).forms & {"pronoun", "adjective"}
        follows = scene.behind(claim)[:1]
        relative = [p for p in follows if scene.words(p)[:1] and scene.words(p)[0] in grammar().lists["relatives"]]
        if pronoun and (relative or plural) and target.end - target.start == 1 and own.clause.start <= target.start:
            return True
    return False


def _bare_among_others(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """A nick alone, or a mere hint of a vote, in a sentence that says more than that («Думаю, Стриж», «все за А, я против Б»)."""
    spec = scene.sender.spec(claim)
    if claim.form != "nick" and not (claim.form == "hint" and spec.talk):
        return False
    others = [p for p in scene.sentence(claim) if p.index != claim.clause and not p.clause.bracketed]
    color = scene.own(claim).clause.color
    follows = [p for p in others if p.index == claim.clause + 1 and p.clause.opener == "и" and p.clause.color == color]
    if follows and claim.form == "nick":
        return True  # «Мила и Ольга голосуют вместе»
    return any(
        (p.unexplained or p.free or p.heads) and p.clause.color == color and p.index < claim.clause for p in others
    ) or any(p.unexplained and not p.verbs and p.clause.opener in ("-", "–", "—", ":") for p in others if p.clause.color == color)


def _others_do(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Все против Деда Мазая»: a vote that the words give to others."""
    own = scene.own(claim)
    if claim.form not in ("hint", "noun", "nick"):
        return False
    before = [scene.text.found[i].folded for i in range(own.clause.start, claim.start)]
    return bool(set(before) & grammar().lists["everybody"])


def _agitation(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Голосуйте за Анну!»: votes are asked of others."""
    spec = scene.sender.spec(claim)
    return claim.form == "imperative" and spec.talk and spec.least > 0


def _third_person(scene: Scene, claim: Claim, row: Hedge) -> bool:
    own = scene.own(claim)
    if claim.form == "second":
        return True
    if claim.form != "third" or claim.role is not None or claim.performer is not None:
        return False
    if facts(scene.text.found[claim.start].folded).main != "third" and claim.end - claim.start > 1:
        return False  # «клан убивает»: the phrase has its own subject
    if own.subject is not None:
        return own.subject.seats != {scene.sender.seat}
    if not set(claim.actions) & scene.sender.owned and any(target.kind == "self" for target in claim.targets):
        claim.talk.append(row.reason)  # «Боюсь, что меня убьют»
    strange = bool(own.roles) and not any(hit.meaning.id in scene.sender.known.roles for hit in own.roles)
    if strange and "future" in facts(scene.text.found[claim.start].folded).forms and not set(claim.actions) & scene.sender.owned:
        claim.talk.append(row.reason)  # «Маньяк сегодня укусит Жанну»
    return not _own_tool(scene, claim)


def _own_tool(scene: Scene, claim: Claim) -> bool:
    """«Мой меч прикрывает Ольгу»: what acts is the writer's own."""
    own = scene.own(claim)
    tools = [h for h in own.clause.kinds("hint") if h.end <= claim.start and set(h.meaning.id) & set(claim.actions)]
    return bool(tools) and bool(set(claim.actions) & scene.sender.owned) and own.clause.has("mine")


_LET = ("пусть", "пускай")


def _let_it_be(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«пусть лечу Анну»: a wish put into somebody's mouth; «пусть будет Анна» is the writer's own."""
    own = scene.own(claim)
    heads = [own, *(p for p in scene.before(claim)[-1:] if p.clause.closer == ":")]
    opened = any(p.clause.opener in _LET or scene.words(p)[:1] in ([word] for word in _LET) for p in heads)
    if claim.form in ("nick", "imperative") or own.roles or not opened:
        return False  # «Пусть Буратино сходит к Анне»
    verbs = any(facts(word).main == "third" for word in scene.words(own))
    return claim.form in ("first", "third") or not verbs


def _left_open(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """An «или» in the order's clause that stands between no two nicks of it, or that opens the clause behind it."""
    own = scene.own(claim)
    for hit in marked(own, row):
        if not (claim.either and any(t.start > hit.start for t in claim.targets)):
            return True
    for p in scene.behind(claim):
        somebody = {hit.start for hit in p.clause.marks("somebody")}
        if any(hit.end in somebody for hit in p.clause.marks("either")):
            return True  # «…, полежу в канаве или кто-нибудь другой»
    told = False
    for p in scene.behind(claim):
        told = told or bool(p.verbs)  # «…, он устал, или заболел»
        opens = p.clause.marks("either") and p.clause.marks("either")[0].start <= p.clause.start + 1
        if opens and not (told and not (p.free or p.claims) and p.index > claim.clause + 1):
            return True
    return False


def _not_mine(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«твой голос против Вихря»: the vote is somebody's."""
    return claim.form not in ("first", "infinitive") and any(hit.end == claim.start for hit in marked(scene.own(claim), row))


def _denied_again(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """«Лечу Кекса. Не лечу»: the same move is denied behind it and nobody else is named."""
    for p in scene.parsed[claim.clause + 1 :]:
        for head in p.heads:
            if (
                head.denied
                and head.form in ("first", "infinitive", "imperative", "noun")
                and set(head.actions) & set(claim.actions)
                and not (p.free or p.dropped or p.verbs)
            ):
                targets = {s for c in p.claims for s in c.seats()}
                if not targets or targets & set(claim.seats()):
                    return True
    return False


def _second_thought(scene: Scene, claim: Claim, row: Hedge) -> bool:
    """A short sentence behind the order's that leaves it open: «Если доживу.», «Или нет.», «А может Бориса?»."""
    following = _next_sentence(scene, claim)
    if not following or claim.actions[0] in ("pass", "cancel") or sum(len(scene.words(p)) for p in following) > _FRAGMENT + _HEAD:
        return False
    first = next((p for p in following if set(scene.words(p)) - grammar().lists["postscript"]), following[0])
    words = [word for word in scene.words(first) if word not in grammar().lists["postscript"]]
    if words[:1] and (words[0] in ("или", "либо") or _else_another(scene, following)):
        return True
    if words[:1] and words[0] in grammar().lists["later_on"] and not any(p.free for p in following):
        return False  # «Дальше по ситуации»
    if any(c.turned and c.targets and not c.talk for p in following for c in p.claims):
        return False
    named = any(p.free or any(c.form in ("nick", "hint") for c in p.claims) for p in following)
    acting = [i for p in following for i in p.verbs if facts(scene.text.found[i].folded).main != "adverb"]
    if words[:1] == ["хотя"] and named and (not acting or _meant_before(scene, following)):
        return True
    if not named and words[:1] and words[0] in grammar().lists["taking_back_words"] and _puts_off(scene, following):
        return True
    hits = [
        h for p in following for h in marked(p, row) if _leads_in(scene, first, h) and (p is first or h.meaning.id != "condition")
    ]
    if not hits:
        return False
    if hits[0].meaning.id == "condition":
        return not _main_clause(scene, following)
    held = {i for p in following for hit in marked(p, row) for i in range(hit.start, hit.end)}
    rest = {w for p in following for i, w in _numbered(scene, p) if i not in held}
    if rest and rest <= grammar().lists["closing"]:
        return False  # «Кажется, всё»
    return named or all(i in held for p in following for i in p.verbs)


def _meant_before(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Бью Зою. Нет, Нину. Хотя Зоя тоже хороша»: back to one who was a target already."""
    meant = {seat for p in scene.parsed if p.index < sentence[0].index for c in p.claims for seat in c.seats()}
    return any(name.seats & meant for p in sentence for name in p.free)


def _else_another(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Опоздает - Алёну»: a condition by its order of words, with another nick."""
    for p, behind in pairwise(sentence):
        opens = [facts(word) for word in scene.words(p)[:_HEAD]]
        ahead = any(known.main == "third" and "future" in known.forms for known in opens)
        dashed = p.clause.closer in ("-", "–", "—") or scene.words(behind)[:1] in (["то"], ["тогда"])
        if ahead and dashed and (behind.free or behind.claims):
            return True
    return False


def _numbered(scene: Scene, p: Parsed) -> list[tuple[int, str]]:
    found = scene.text.found
    return [(i, found[i].folded) for i in range(p.clause.start, p.clause.end) if found[i].kind == "w"]


def _puts_off(scene: Scene, sentence: Sequence[Parsed]) -> bool:
    """«Хотя лучше потом», «Нет, рано»: a sentence of nothing but another time, or a judgement."""
    if not any(p.clause.has("later", "another_time", "judged") for p in sentence):
        return False
    marked_words = {i for p in sentence for hit in p.clause.kinds("mark") for i in range(hit.start, hit.end)}
    return all(i in marked_words for p in sentence for i in p.unexplained) and not any(p.heads for p in sentence)


def _next_sentence(scene: Scene, claim: Claim) -> list[Parsed]:
    """The sentence behind the claim's that says something."""
    for sentence in range(claim.sentence + 1, claim.sentence + 3):
        following = scene.of(sentence)
        acting = ("first", "noun", "short", "imperative", "infinitive", "role")
        if any(c.form in acting and c.targets and not c.talk for p in following for c in p.claims):
            return []
        if following and any(scene.words(p) not in ([], ["p", "s"], ["ps"], ["пс"], ["зы"]) for p in following):
            return following
    return []


def _leads_in(scene: Scene, p: Parsed, hit: Hit) -> bool:
    """Whether only words that say nothing stand before a mark («Но если …», «Ну только если …»)."""
    before = [i for i in range(p.clause.start, hit.start) if scene.text.found[i].kind == "w"]
    return len(before) < _HEAD and not any(i in p.verbs for i in before)


def _main_clause(scene: Scene, following: Sequence[Parsed]) -> bool:
    """Whether a condition has a main clause of its own behind it: «Если он мирный, я съем шляпу»."""
    rest = [p for p in following[1:] if scene.words(p)[:1] not in (["что"], ["то"]) or p.verbs]
    if any(p.free and not p.verbs for p in following[1:]):
        return False
    if scene.words(following[0])[:1] == ["при"]:
        return False
    following = [p for p in following if set(scene.words(p)) - grammar().lists["postscript"]]
    rest = [p for p in following[1:] if scene.words(p)[:1] not in (["что"], ["то"]) or p.verbs]
    told = [p for p in rest if scene.words(p)[:1] != ["что"]]
    acts = any(facts(w).forms & {"imperative", "second"} for p in told for w in scene.words(p))
    if any(len(scene.words(p)) > 1 and not (p.names or p.claims or p.clause.has("condition")) for p in told):
        return True  # «Если рванёт, с меня торт»
    return acts or any(p.verbs for p in told) or any(h.meaning.id == "politeness" for p in told for h in p.clause.kinds("cover"))


TESTS: Mapping[str, Test] = {
    "doubtful": _doubtful,
    "asked": _asked,
    "past_form": _past_form,
    "announced": _announced,
    "clause": _clause,
    "near": _near,
    "conditional": _conditional,
    "reported": _reported,
    "subordinate": _subordinate,
    "frame": _frame,
    "led_in": _led_in,
    "unknown_heading": _unknown_heading,
    "past": _past,
    "another_time": _another_time,
    "irony": _irony,
    "joke": _joke,
    "third_person": _third_person,
    "agitation": _agitation,
    "others_do": _others_do,
    "pronoun_nick": _pronoun_nick,
    "let_it_be": _let_it_be,
    "left_open": _left_open,
    "not_mine": _not_mine,
    "denied_again": _denied_again,
    "second_thought": _second_thought,
    "introduced": _introduced,
    "behind": _behind,
    "as_somebody": _as_somebody,
    "past_verb": _past_verb,
    "others_wish": _others_wish,
    "judged": _judged,
    "told": _told,
    "own": _own,
    "bare_among_others": _bare_among_others,
}
