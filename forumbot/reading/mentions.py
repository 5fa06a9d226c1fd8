"""The players that a sentence names: which of its names can be targets, and which are denied, quoted, followed or replaced."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from forumbot.reading import russian
from forumbot.reading.claims import Sender
from forumbot.reading.decline import is_first_person
from forumbot.reading.names import DOUBTFUL, EXACT, Candidate
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Mention, Sentence, Text
from forumbot.reading.text import Token


class Mentions:
    """The names and role names of one sentence."""

    def __init__(self, text: Text, sentence: Sentence, sender: Sender, index: int = 0) -> None:
        self.text = text
        self.found: list[Token] = text.found
        self.sentence = sentence
        self.sender = sender
        self.words = sender.words
        self.index = index
        self.names = [name for name in sentence.names if name.end <= sentence.end]
        self.dropped: set[str] = set()
        self.disputed: set[str] = set()
        """Named as targets and denied in one breath."""
        self.followed = False
        """Somebody is named only as one whom the writer follows («голосую как Ольга»)."""
        self.aside: set[int] = _aside(self.found, sentence)
        self._add_self_and_numbers()
        self.roles = self._roles()
        self._drop_names()

    # --- names --------------------------------------------------------------------------------------------------------

    def _add_self_and_numbers(self) -> None:
        taken = {i for name in self.names for i in range(name.start, name.end)}
        own = (Candidate(self.sender.seat, EXACT, frozenset()),)
        for hit in self.sentence.places("self"):
            before = self.found[hit.start - 1].folded if hit.start > self.sentence.start else ""
            if self.found[hit.start].folded == "меня" and before in russian.FROM_ME:
                continue  # «ход от меня»: the writer, not a target
            if taken.isdisjoint(range(hit.start, hit.end)):
                self.names.append(Mention(hit.start, hit.end, own, "self"))
                taken.update(range(hit.start, hit.end))
        if not self.names:
            predicates = {
                h.end for h in self.sentence.kinds("action") if any(self.words.actions[a].predicate for a in h.meaning.id)
            }
            listed = self.words.settings.get("role_list", {}).get("roles", ())
            predicates |= {h.end + 1 for h in self.sentence.kinds("role") if h.meaning.id in listed and self._signs(h.end)}
            self.names.extend(
                Mention(hit.start, hit.end, own, "self")
                for hit in self.sentence.places("self_predicate")
                if hit.start in predicates
            )
        for at in range(self.sentence.start, self.sentence.end):
            number, end = self._list_number(at)
            if number is not None and at not in taken:
                seats = self.sender.roster.seats
                who = (Candidate(seats[number - 1], DOUBTFUL, frozenset()),) if 0 < number <= len(seats) else ()
                beside = self._beside_number(at, end)
                if who and beside is None:
                    self.names.append(Mention(at, end, who, "list"))
                elif who and beside is not None and who[0].seat not in {c.seat for c in beside.candidates}:
                    self.disputed.update(c.seat for c in beside.candidates)  # «№14 Зубр», and Зубр is the 20th
        self.names.sort(key=lambda name: name.start)

    def _signs(self, at: int) -> bool:
        """Whether «: я» or «- я» stands at a token, and closes the sentence."""
        return at + 2 == self.sentence.end and self.found[at].folded in (":", "-", "–", "—")

    def _list_number(self, at: int) -> tuple[int | None, int]:
        """A place in the roster named at this token («№6», «номер 6», «номер шесть», «шестой номер», «6 номера»)."""
        found, end = self.found, self.sentence.end
        token = found[at]
        if at + 1 >= end:
            return None, at
        after = found[at + 1]
        if token.folded in _NUMBERED and (token.folded != _SIGN or self._counts_players(at)):
            value = _int(after.folded) if after.kind == "n" else russian.NUMBERS.get(after.folded)
            return (value, at + 2) if value is not None else (None, at)
        if token.kind == "w" and after.folded.startswith("номер"):
            return russian.ordinal(token.folded), at + 2
        if token.kind == "n" and self._is_action_before(at):
            last = at + 3 if after.folded == "-" and at + 3 < end else at + 1
            if found[last].folded in _NUMBER:
                return _int(token.folded), last + 1
        return None, at

    def _counts_players(self, at: int) -> bool:
        """Whether a «№» means a place in the roster: behind a move word, or alone; «Ход №3», «Жертва №2: Лис» count others."""
        end = self.sentence.end
        if self.sentence.subject or (at + 2 < end and self.found[at + 2].folded == ":"):
            return False
        alone = not any(self.found[i].kind == "w" for i in range(self.sentence.start, end))
        return alone or self._is_action_before(at)

    def _is_action_before(self, at: int) -> bool:
        """Whether a move word stands before a token with nothing but signs, prepositions and words that say nothing between."""
        while at > self.sentence.start:
            at -= 1
            token = self.found[at]
            if any(hit.start <= at < hit.end for hit in self.sentence.kinds("action")):
                return True
            if (
                token.kind == "n"
                or token.folded in russian.COUNTED
                or (token.kind == "w" and token.folded not in russian.FILLERS and token.folded not in russian.PREPOSITION_CASES)
            ):
                return False
        return False

    def _beside_number(self, at: int, end: int) -> Mention | None:
        """The nick beside a place in the roster («№6, Громов», «номер 6 - Громов»)."""
        for name in self.names:
            between = self.found[end : name.start] if name.start >= end else None
            if name.kind == "nick" and between is not None and all(t.folded in (",", "(", "-", "–", "—", ".") for t in between):
                return name
        return None

    def _roles(self) -> list[Hit]:
        """Role names of the sentence. Where a nick is spelled like a role, the place decides: before a move word, a colon
        or another nick it is the role, behind a move word the nick."""
        kept: list[Hit] = []
        for hit in self.sentence.kinds("role"):
            if any(h.start <= hit.start < h.end and set(h.meaning.id) & self.sender.owned for h in self.sentence.kinds("action")):
                continue  # the word of a move that is his own
            same = [name for name in self.names if name.start < hit.end and hit.start < name.end and name.kind == "nick"]
            if not same:
                twin = next((i for i, old in enumerate(kept) if (old.start, old.end) == (hit.start, hit.end)), None)
                if twin is None:
                    kept.append(hit)
                elif hit.meaning.id in self.sender.known.roles:
                    kept[twin] = hit  # «маньяк» is what both maniacs are called
                continue
            wider = any(name.end - name.start > hit.end - hit.start for name in same)
            if not wider and (hit.end - hit.start > max(n.end - n.start for n in same) or self._acts(hit, same)):
                kept.append(hit)
                self.names = [name for name in self.names if name not in same]
        return kept

    def _acts(self, hit: Hit, same: Sequence[Mention]) -> bool:
        others = [name for name in self.names if name not in same and name.start >= hit.end]
        before = [h for h in self.sentence.kinds("action") if h.start < hit.start]
        after = [h for h in self.sentence.kinds("action") if h.start >= hit.end]
        if before and not (after and others):
            return False
        return bool(others)

    def _drop_names(self) -> None:
        """Take out names that are no targets: denied, replaced, told of, spoken to beside the matter."""
        found, sentence = self.found, self.sentence
        kept: list[Mention] = []
        vague = {hit.start for mark in ("others", "somebody", "pronoun", "asking") for hit in self.sentence.places(mark)}
        for name in self.names:
            if name.weak and name.start in vague and name.end - name.start == 1 and not found[name.start].capital:
                continue  # «виновны все»
            if name.weak and not found[name.start].capital and self._relative_behind(name.end):
                continue  # «виновен всякий, кто молчит»
            before = [t for t in found[max(sentence.start, name.start - 2) : name.start] if t.kind == "w"]
            if name.kind == "nick" and self._is_dropped(name, before):
                self.dropped.update(c.seat for c in name.candidates)
                continue
            if self._is_beside(name):
                continue
            kept.append(name)
        kept = self._without_denied_clauses(kept)
        kept = self._moved_from_to(kept)
        kept = self._without_disputed(kept)
        outside = [name for name in kept if name.start not in self.aside or self._performs(name)]
        self.names = outside or kept

    def _performs(self, name: Mention) -> bool:
        """«Киллер: Захар (идёт Филин)»: in parentheses who carries out a team's move."""
        before = self.found[name.start - 1].folded
        return "performer" in self.words.settings and before in ("идет", "пойдет", "исполняет", "исполнит", "исполнитель")

    def _relative_behind(self, at: int) -> bool:
        """Whether «, кто …» stands at a token."""
        return at + 1 < self.sentence.end and self.found[at].folded == "," and self.found[at + 1].folded in russian.RELATIVES

    def _without_disputed(self, names: list[Mention]) -> list[Mention]:
        """«Лечу Кекса, пардон, не Кекса, а Зубра»: who is named and then denied gives way to another, else it is disputed."""
        denied = [name for name in names if name.kind == "nick" and {c.seat for c in name.candidates} <= self.dropped]
        others = [name for name in names if name not in denied]
        if others or not denied:
            return others
        self.disputed.update(c.seat for name in denied for c in name.candidates)
        return names

    def _without_denied_clauses(self, names: list[Mention]) -> list[Mention]:
        """«Не пойду к Тихоне, пойду к Умке»: a name in a part that begins with «не» gives way to one in another part."""
        if all(token.folded != "не" for token in self.found[self.sentence.start : self.sentence.end]):
            return names
        denied = [name for name in names if self.found[self._clause_start(name.start)].folded == "не" or self._refused(name)]
        if not denied or len(denied) == len(names):
            return names
        self.dropped.update(c.seat for name in denied for c in name.candidates)
        return [name for name in names if name not in denied]

    def _refused(self, name: Mention) -> bool:
        """«За Барса голосовать не буду, …», «Голос Барсу не отдам, …»: a part with a move word whose verb is denied."""
        start, end = self._clause_start(name.start), name.end
        while end < self.sentence.end and self.found[end].folded not in (",", "-", "–", "—", ":", "а", "но"):
            end += 1
        told = any(start <= hit.start < end for hit in self.sentence.kinds("action"))
        if not told or any(other is not name and start <= other.start < end for other in self.names):
            return False
        return any(
            self.found[i].folded == "не"
            and (self.found[i + 1].folded in russian.REFUSALS or is_first_person(self.found[i + 1].folded))
            for i in range(name.end, end - 1)
        )

    def _clause_start(self, at: int) -> int:
        while at > self.sentence.start and self.found[at - 1].folded not in (",", "-", "–", "—", ":", "а", "но"):
            at -= 1
        return at

    def _is_dropped(self, name: Mention, before: Sequence[Token]) -> bool:
        found = self.found
        preposition = bool(before) and before[-1].folded in russian.PREPOSITION_CASES
        left = before[-2:-1] if preposition else before[-1:]
        if left and left[0].folded == "не" and not self._is_action(name.start - 1 - preposition):
            return True
        if name.end < self.sentence.end and found[name.end].folded == "нет":
            return True
        if any(hit.end == name.start for hit in self.sentence.places("drop_next") if not self._in_action(hit)):
            return True
        for hit in self.sentence.places("drop_before"):
            between = found[name.end : hit.start]
            if hit.start >= name.end and all(t.kind == "w" and t.folded in russian.FILLERS for t in between):
                return True
        return False

    def _is_beside(self, name: Mention) -> bool:
        for hit in self.sentence.places("beside"):
            between = self.found[hit.end : name.start] if hit.end <= name.start else None
            if between is None or self._in_action(hit) or self._in_mark(hit, "no_beside"):
                continue
            if all(t.folded in russian.PREPOSITION_CASES or t.folded in russian.FILLERS or t.folded in "-–" for t in between):
                self.followed = True
                return True
        return self._told_by(name)

    def _told_by(self, name: Mention) -> bool:
        """«тот, кого назвала Ольга»: the one who names is not the one who is named."""
        start = self._clause_start(name.start)
        head = [t.folded for t in self.found[start : name.start] if t.kind == "w"]
        if start > self.sentence.start and head and len(head) <= 4:
            head = head[1:] if head[0] in russian.PREPOSITION_CASES else head
            asked = head[1:2] in (["такой"], ["такая"], ["есть"]) or (head[-1:] and head[-1] in russian.PREPOSITION_CASES)
            if head and head[0] in russian.RELATIVES and not asked:
                self.followed = True
                return True
        return False

    def _in_action(self, mark: Hit) -> bool:
        return any(hit.start <= mark.start < hit.end for hit in self.sentence.hits if hit.meaning.kind in ("action", "hint"))

    def _in_mark(self, mark: Hit, wider: str) -> bool:
        return any(hit.start <= mark.start < hit.end for hit in self.sentence.places(wider))

    def _is_action(self, at: int) -> bool:
        return any(hit.start <= at < hit.end for hit in self.sentence.kinds("action"))

    def _moved_from_to(self, names: list[Mention]) -> list[Mention]:
        """«с Полины на Дрозда», «был Хан, теперь Бабай», «вчера писала Лис, теперь Оса»: the first is given up."""
        if len(names) < 2:
            return names
        found = self.found
        for first, second in pairwise(names):
            left = found[first.start - 1].folded if first.start > self.sentence.start else ""
            right = found[second.start - 1].folded
            if left in ("с", "со", "от") and right in ("на", "к", "за", "против"):
                self.dropped.update(c.seat for c in first.candidates)
                return [name for name in names if name is not first]
        now = [hit.start for hit in self.sentence.places("now")] + [hit.start for hit in self.sentence.places("revision")]
        now += [i for i in range(self.sentence.start, self.sentence.end) if found[i].folded in ("стал", "стало")]
        was = [i for i in range(self.sentence.start, self.sentence.end) if found[i].folded in ("был", "была", "было")]
        was += [hit.start for hit in self.sentence.places("past")]
        for start in was:
            turn = min((place for place in now if place > start), default=None)
            if turn is not None and any(name.start > turn for name in names):
                gone = [name for name in names if start < name.start < turn]
                self.dropped.update(c.seat for name in gone for c in name.candidates)
                names = [name for name in names if name not in gone]
        return names


_SIGN = "no"
"""The folded «№»."""
_NUMBER = frozenset(russian.NUMBER_WORDS)
_NUMBERED = _NUMBER | {_SIGN}


def _int(digits: str) -> int | None:
    return int(digits) if digits.isdecimal() and len(digits) < 6 else None


def _aside(found: Sequence[Token], sentence: Sentence) -> set[int]:
    """Tokens in parentheses; one that is never closed («Лечу Кекса(((») only makes a face."""
    inside: set[int] = set()
    opened: list[int] = []
    for i in range(sentence.start, sentence.end):
        if found[i].folded == "(":
            opened.append(i)
        elif found[i].folded == ")" and opened:
            inside.update(range(opened.pop() + 1, i))
    return inside
