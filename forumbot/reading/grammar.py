"""The targets of a sentence's move words: to whom it shall be done.

``mentions`` finds the names that count, ``moves`` the move words; ``claiming`` makes claims of what is put together here,
``discourse`` joins the sentences of a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from forumbot.reading import russian
from forumbot.reading.claims import Target
from forumbot.reading.decline import is_common_word, is_word, takes_object
from forumbot.reading.moves import LABEL_SIGNS, Group, Moves
from forumbot.reading.names import DOUBTFUL, EXACT, LOOKALIKE, NEAR, Candidate
from forumbot.reading.sentences import Mention, Sentence
from forumbot.reading.text import Token, key, nick_key

_NEAR_WORDS = 2
"""How many words may stand between a move word and its target when other nicks are about."""


class Reading(Moves):
    """One sentence on its way to claims."""

    # --- targets ------------------------------------------------------------------------------------------------------

    def assign(self, groups: list[Group]) -> list[Mention]:
        """Give each name to a move word; returns the names that stand before all of them and belong to none."""
        if not groups:
            return list(self.names)
        names = [n for n in self.names if not any(g.start < n.end and n.start < g.end for g in groups) or n.kind == "nick"]
        names = [n for n in names if not any(g.start <= n.start and n.end <= g.end and not g.by_role for g in groups)]
        starts = [group.start for group in groups]
        lead: list[Mention] = []
        for name in names:
            owner = max((k for k, start in enumerate(starts) if start <= name.start), default=None)
            (lead if owner is None else groups[owner].targets).append(name)
        if lead and not groups[0].targets:
            groups[0].targets, lead = lead, []
        elif lead and len(groups) > 1 and not groups[-1].targets:
            # «Хана убиваю, Бабая вешаю»: every name stands before its verb
            shifted = [lead, *(group.targets for group in groups[:-1])]
            if all(shifted):
                for group, targets in zip(groups, shifted, strict=True):
                    group.targets = targets
                lead = []
        return lead

    def join(self, groups: list[Group]) -> list[Group]:
        """Words of one action are one move; a word without a target joins a neighbour of the same action."""
        joined: list[Group] = []
        for group in groups:
            last = joined[-1] if joined else None
            apart = group.bare or (
                not self.words.actions[self.wanted(group)[0]].most and self.wanted(group) != self.wanted(last or group)
            )
            if (
                last is not None
                and not apart
                and set(self.wanted(last)) & set(self.wanted(group))
                and (not last.targets or not group.targets)
            ):
                common = tuple(a for a in self.wanted(last) if a in self.wanted(group))
                last.actions = common
                last.targets = last.targets or group.targets
                last.role = last.role or group.role
                last.label = last.label or group.label
                last.by_role = last.by_role and group.by_role
                last.hits += group.hits
                last.end = max(last.end, group.end) if not last.targets or last.targets is group.targets else last.end
                continue
            joined.append(group)
        return joined

    def lead(self, groups: list[Group]) -> list[Group]:
        """«По лицензии на убийство стреляю в Горького», «стреляю в Горького по лицензии»: the licence is the move, the verb
        only says so."""
        found: list[Group] = []
        for group in groups:
            last = found[-1] if found else None
            if last is not None and not last.targets and group.targets and self._leads(last):
                last.targets = group.targets
                last.end = max(last.end, group.end)
                continue
            if last is not None and last.targets and not group.targets and self._leads(group) and not self._leads(last):
                told = self.found[group.start].folded == "по" and group.start == max(name.end for name in last.targets)
                if told:
                    group.targets = last.targets
                    found[-1] = group
                    continue
            found.append(group)
        return found

    def _leads(self, group: Group) -> bool:
        return self.words.actions[self.wanted(group)[0]].leads

    def share(self, groups: list[Group]) -> list[Group]:
        """«МО и линч на Клима»: two moves at one target."""
        for first, second in pairwise(groups):
            between = self.found[first.end : second.start]
            joined = bool(between) and all(t.folded in ("и", ",", "/", "+", "&", "а", "также", "плюс") for t in between)
            if joined and not first.targets and second.targets and self.words.actions[self.wanted(first)[0]].least == 1:
                first.targets = list(second.targets)
            elif not second.targets and len(first.targets) == 1 and self._closes(first, second):
                second.targets = list(first.targets)
        return groups

    def _closes(self, first: Group, second: Group) -> bool:
        """«переспать с Жанной и заразить»: the second word ends the sentence right behind the first one's target."""
        between = self.found[max(first.end, first.targets[0].end) : second.start]
        rest = self.found[second.end : self.sentence.end]
        return [t.folded for t in between] == ["и"] and all(t.kind != "w" for t in rest)

    def wrap(self, groups: list[Group]) -> list[Group]:
        """«Ход пленника (Девочка): родить ребенка Юрик»: one order that holds another."""
        outer = next((g for g in groups if self.words.actions[self.wanted(g)[0]].wraps), None)
        if outer is None:
            return groups
        inner = next((g for g in groups if g.start >= outer.end), None)
        if inner is not None:
            outer.inner = self.wanted(inner)
            outer.targets = inner.targets or outer.targets
            outer.end = max(outer.end, inner.end)
        return [g for g in groups if g is not inner]

    def resolve(self, name: Mention, group: Group | None) -> Target:
        """Whom a mention means in its place: by trust, case, remark and who is alive."""
        candidates = name.candidates
        if name.kind == "list":
            return Target((candidates[0].seat,), name.start, name.end, sure=False)
        if name.kind == "self":
            return Target((candidates[0].seat,), name.start, name.end)
        best = candidates[0].rank
        nominative = self._nominative_place(name, group)
        if best in (EXACT, LOOKALIKE):
            exact = [c for c in candidates if c.rank == best]
            rivals = [c for c in candidates if LOOKALIKE < c.rank < NEAR]
            wanted = self._cases(name)
            if wanted:
                rivals = [c for c in rivals if c.cases & wanted]
            pool = exact if nominative or not rivals else exact + rivals
        else:
            pool = [c for c in candidates if c.rank == best]
            wanted = self._row_cases(name, group)
            fitting = [c for c in pool if not wanted or c.cases & wanted]
            pool = fitting or pool
        if len(pool) > 1:
            pool = self._by_remark(name, pool) or pool
        if len(pool) > 1 and best >= 2:
            living = [c for c in pool if c.seat not in self.sender.known.dead]
            pool = living or pool
        sure = len(pool) == 1 and pool[0].rank < DOUBTFUL
        return Target(tuple(dict.fromkeys(c.seat for c in pool)), name.start, name.end, sure)

    def _nominative_place(self, name: Mention, group: Group | None) -> bool:
        """Whether the nick stands as it is: behind a label or a predicate, or alone."""
        before = name.start - 1
        while before >= self.sentence.start and self.found[before].kind == "s" and self.found[before].folded not in LABEL_SIGNS:
            before -= 1
        if before < self.sentence.start:
            return True
        first = self._first_of_row(name)
        if first is not name:
            return self._nominative_place(first, group) and "nomn" in first.candidates[0].cases
        if self.found[before].folded in russian.PREPOSITION_CASES:
            return False
        if self.found[before].folded in LABEL_SIGNS:
            return True
        if group is None:
            return True
        predicate = any(self.words.actions[a].predicate for a in self.wanted(group)[:1])
        word = self.found[group.start].folded
        return predicate and word in ("виновен", "виновна", "веновен", "виновны", "vinoven", "vinovna")

    def _first_of_row(self, name: Mention) -> Mention:
        """The first nick of a row behind a label («интервью: А, Б», «МО: А и Б»)."""
        first = name
        for other in reversed([n for n in self.names if n.end <= name.start and n.kind == "nick"]):
            between = self.found[other.end : first.start]
            if not between or not all(t.folded in (",", "и", "/", "+", "&") for t in between):
                break
            first = other
        labelled = first.start > self.sentence.start and self.found[first.start - 1].folded in LABEL_SIGNS
        return first if labelled else name

    def _row_cases(self, name: Mention, group: Group | None) -> frozenset[str]:
        """The cases that a preposition or a verb asks for before a nick, or before the row of nicks that it ends («в Ушакова и
        Ворону»)."""
        first = name
        for other in reversed([n for n in self.names if n.end <= name.start and n.kind == "nick"]):
            between = self.found[other.end : first.start]
            if not between or not all(t.folded in (",", "и") for t in between):
                break
            first = other
        return self._cases(name) or self._governed(name, group) or self._cases(first) or self._governed(first, group)

    def _governed(self, name: Mention, group: Group | None) -> frozenset[str]:
        """The accusative, where the nick stands right beside a verb that asks for it («линчую Евгению»)."""
        if group is not None and name.end == group.start and group.end - group.start == 1:
            verb = self.found[group.start].folded
            return frozenset(("accs",)) if takes_object(verb) and not verb.startswith(russian.DATIVE_VERBS) else frozenset()
        if group is None or name.start < group.end or group.end - group.start > 1:
            return frozenset()
        between = [t for t in self.found[group.start : name.start] if t.kind != "w" or t.folded not in russian.FILLERS]
        verb = between[-1].folded if between else ""
        plain = len(between) < 3 and all(t.kind == "w" for t in between)
        return frozenset(("accs",)) if plain and takes_object(verb) and not verb.startswith(russian.DATIVE_VERBS) else frozenset()

    def _cases(self, name: Mention) -> frozenset[str]:
        """The cases that the preposition before the name asks for (adjectives may stand between)."""
        for at in range(name.start - 1, max(self.sentence.start, name.start - 3) - 1, -1):
            token = self.found[at]
            if token.folded in russian.HOUSES:
                return frozenset(("gent",))
            cases = russian.PREPOSITION_CASES.get(token.folded)
            if cases is not None:
                if token.folded == "за" and self._votes():
                    return frozenset(("accs",))
                return cases
            if token.kind != "w" or token.folded not in russian.FILLERS:
                break
        return frozenset()

    def _votes(self) -> bool:
        return any("vote" in hit.meaning.id for hit in self.sentence.kinds("action")) or not self.sentence.kinds("action")

    def _by_remark(self, name: Mention, pool: Sequence[Candidate]) -> list[Candidate]:
        """Let a remark decide: «который без "а"», «девушка», «та, что 23»."""
        marks = list(self.sentence.marks)
        following = self._next_sentence()
        if following is not None and self.found[following.start].folded in (
            "который",
            "которая",
            "тот",
            "та",
            "это",
            "без",
            "он",
            "она",
        ):
            marks += following.marks
        genders = {
            hit.meaning.id[-1]
            for hit in marks
            if hit.meaning.id in ("gender_m", "gender_f") and not name.start <= hit.start < name.end
        }
        if len(genders) == 1:
            gender = genders.pop()
            fitting = [c for c in pool if self.sender.roster.genders.get(c.seat) == gender]
            if len(fitting) == 1:
                return fitting
        for hit in marks:
            if hit.meaning.id in ("with", "without") and hit.start >= name.end:
                end = next((i for i in range(hit.end, min(hit.end + 3, len(self.found))) if self.found[i].kind in "wn"), None)
                tail = self.found[end].folded if end is not None else ""
                if 0 < len(tail) <= 3:
                    keep = hit.meaning.id == "with"
                    fitting = [c for c in pool if nick_key(c.seat).endswith(key(tail)) == keep]
                    if len(fitting) == 1:
                        return fitting
        return []

    def _next_sentence(self) -> Sentence | None:
        return self.text.sentences[self.index + 1] if self.index + 1 < len(self.text.sentences) else None

    # --- claims -------------------------------------------------------------------------------------------------------

    def unknown_after(self, group: Group) -> tuple[str, int]:
        """What stands where the nick must stand: ("nick", at) for a name nobody has, ("thing", at) for an ordinary word,
        ("", at) for nothing."""
        at = group.end
        while at < self.sentence.end:
            token = self.found[at]
            if token.kind == "s" and token.folded in "?!":
                break
            if any(name.start <= at < name.end for name in self.sentence.names) or self._is_action(at):
                break
            skip = token.kind != "w" or token.folded in russian.FILLERS or token.folded in russian.PREPOSITION_CASES
            if not skip and any(hit.start <= at < hit.end for hit in self.sentence.hits):
                skip = True
            if not skip:
                proper = token.capital and not (is_common_word(token.folded) and self._shouted(group))
                return ("nick" if proper else "thing"), at
            at += 1
        return "", at

    def _shouted(self, group: Group) -> bool:
        raw = self.text.words(group.start, group.end)
        return raw.isupper()

    def between(self, left: int, right: int) -> list[Token]:
        return self.found[left:right]

    def coordinated(self, left: Mention, right: Mention) -> bool:
        """Whether two mentions are joined as equals («А и Б», «А, Б», «А/Б», «1) А 2) Б»)."""
        tokens = self.found[left.end : right.start]
        if [t.folded for t in tokens] == [",", "а"]:
            mine = {case for c in left.candidates for case in c.cases}
            if mine.isdisjoint(case for c in right.candidates for case in c.cases):
                return False  # «слежу за Умкой, а Тихоня пусть спит»
        return all(
            t.kind in "nl"
            or (t.kind == "s" and t.folded in russian.COORDINATING_SIGNS)
            or t.folded in russian.COORDINATORS
            or t.folded in russian.PREPOSITION_CASES
            for t in tokens
        )

    def near(self, group: Group, name: Mention) -> bool:
        """Whether the name stands next to its move word: few words between and no comma."""
        if name.start < group.start:
            left, right = name.end, group.start
        else:
            left, right = group.end, name.start
        between = self.found[left:right]
        addressed = name.end <= group.start and len(between) <= 2 and self.words.actions[self.wanted(group)[0]].predicate
        if any(t.folded == "," for t in between) and not addressed:
            return False
        words = [
            t for t in between if t.kind == "w" and t.folded not in russian.FILLERS and t.folded not in russian.PREPOSITION_CASES
        ]
        return len(words) <= _NEAR_WORDS

    def stranger_between(self, group: Group, name: Mention) -> bool:
        """Whether an unknown name stands between the move word and the nick."""
        left, right = (group.end, name.start) if name.start >= group.end else (name.end, group.start)
        return any(
            self.found[i].kind == "w" and self.found[i].capital and not is_word(self.found[i].folded) and not self._covered(i)
            for i in range(left, right)
        )

    def object_between(self, group: Group, name: Mention) -> bool:
        """Whether the move word has an object of its own before the comma behind which the nick stands («проверьте почту,
        Клим …»)."""
        between = self.found[group.end : name.start]
        nominative = "nomn" in name.candidates[0].cases
        if self.dropped or not nominative or not between or between[-1].folded in LABEL_SIGNS:
            return False
        comma = next((i for i, t in enumerate(between) if t.folded == ","), None)
        if comma is None or (comma + 1 < len(between) and between[comma + 1].folded in ("а", "но", "это", "то")):
            return False
        pronouns = {hit.start for hit in self.sentence.places("pronoun")}
        pronouns |= {i for hit in self.sentence.places("no_beside") for i in range(hit.start, hit.end)}
        return any(
            t.kind == "w"
            and i not in pronouns
            and t.folded not in russian.FILLERS
            and t.folded not in russian.PREPOSITION_CASES
            and t.folded not in russian.NUMBER_WORDS
            for i, t in enumerate(between[:comma], group.end)
        )

    def _covered(self, at: int) -> bool:
        return any(h.start <= at < h.end for h in self.sentence.hits) or any(n.start <= at < n.end for n in self.sentence.names)

    def torn(self, lead: Sequence[Mention], group: Group) -> bool:
        """«Милу лечу, Ольга молодец»: a name right before the move word, another behind a comma."""
        behind = [name for name in group.targets if name.start >= group.end]
        return bool(behind) and self.near(group, lead[-1]) and not self.near(group, behind[0]) and not group.by_role

    def opens_with(self, at: int) -> bool:
        """Whether nothing of weight stands before this token in its sentence."""
        return all(
            self.found[i].kind != "w" or self.found[i].folded in russian.FILLERS or self._is_action(i)
            for i in range(self.sentence.start, at)
        )

    def asks(self, start: int, end: int) -> bool:
        """Whether the words from ``start`` to ``end`` stand in a question (a tag like «…, да?» asks nothing)."""
        stop = self.sentence.stop
        head = [t.folded for t in self.found[self.sentence.start : self.sentence.end] if t.kind == "w"][:2]
        wondering = any(
            hit.start < start and hit.meaning.id == "asking" and hit.start - self.sentence.start <= 2
            for hit in self.sentence.marks
        )
        if stop != "?":
            return bool(head) and head[0].startswith(("подскаж", "интересно")) and wondering
        if wondering:
            return True
        return not any(t.folded == "," for t in self.found[end : self.sentence.end])

    def alternatives(self, names: Iterable[Mention]) -> bool:
        """Whether the names are a choice («А или Б», «А/Б», «то ли А, то ли Б»)."""
        ordered = list(names)
        for left, right in pairwise(ordered):
            if any(t.folded in ("/", "или", "либо") for t in self.found[left.end : right.start]):
                return True
        return self.sentence.has("either")
