"""The move words of a sentence: who shall do what, before it is asked to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from forumbot.reading import russian
from forumbot.reading.decline import is_finite_verb, is_infinitive, is_third_person, is_word
from forumbot.reading.mentions import Mentions
from forumbot.reading.names import FORM
from forumbot.reading.phrases import Hit
from forumbot.reading.sentences import Mention

LABEL_SIGNS = frozenset(":-–—=>")


@dataclass(slots=True)
class Group:
    """A move word (or role name) with what belongs to it."""

    start: int
    end: int
    actions: tuple[str, ...]
    role: str | None = None
    targets: list[Mention] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    third_person: bool = False
    label: bool = False
    by_role: bool = False
    """Made of a role's name alone."""
    open: bool = False
    """A word of somebody else's move that hints at several of the writer's own: which of them the rules must leave open."""
    bare: bool = False
    """Made of a good's name alone."""
    inner: tuple[str, ...] = ()
    """The actions that an order inside this one may mean."""


class Moves(Mentions):
    """A sentence with its move words."""

    def groups(self) -> list[Group]:
        """The move words of the sentence, each once, with the role that acts where it is named."""
        raw: list[Group] = []
        for hit in self.sentence.kinds("action"):
            if hit.past or self.is_denied(hit):
                continue
            last = raw[-1] if raw else None
            if last is not None and hit.start >= last.end and self._is_nick(hit):
                continue  # «Виновен Голос»: here a nick
            if last is not None and hit.start == last.start:
                last.actions = tuple(dict.fromkeys(last.actions + hit.meaning.id))
                last.end = max(last.end, hit.end)
                continue
            if last is not None and hit.start < last.end:
                if hit.end - hit.start <= last.end - last.start:
                    if hit.meaning.id == last.actions:
                        last.end = max(last.end, hit.end)  # «мой голос» and «голос против»
                    continue
                raw.pop()
            group = Group(hit.start, hit.end, hit.meaning.id, hits=[hit])
            word = self.found[hit.start].folded
            group.third_person = word.endswith(russian.THIRD_PERSON) and is_third_person(word)
            group.label = self._labels(hit.end)
            if not set(group.actions) & self.sender.owned and (hinted := self._hinted(hit)):
                group.actions, group.open = hinted, len(hinted) > 1
            raw.append(group)
        raw = self._with_bare_arguments(raw)
        raw = self._with_parts_of_hints(raw)
        outside = [group for group in raw if group.start not in self.aside]
        return self._with_roles(self._without_helpers(outside or raw))

    def _with_parts_of_hints(self, groups: list[Group]) -> list[Group]:
        """«Линч Ёлке, таблетку Кексу»: beside a move, a part of the sentence that names another of the writer's own moves by
        a hint, with a nick of its own."""
        if not groups or len(self.names) < 2 or not self.sender.letter:
            return groups
        said = {action for group in groups for action in group.actions}
        found = list(groups)
        for start, end in self.parts():
            if any(start <= group.start < end for group in groups):
                continue
            named = [name for name in self.names if start <= name.start < end and name.kind == "nick"]
            hints = [hit for hit in self.sentence.kinds("hint") if start <= hit.start < end and not self.is_denied(hit)]
            own = [(hit, tuple(a for a in hit.meaning.id if a in self.sender.defaults and a not in said)) for hit in hints]
            if len(named) == 1 and (meant := [(hit, actions) for hit, actions in own if actions]):
                found.append(Group(meant[0][0].start, meant[0][0].end, meant[0][1], hits=[meant[0][0]]))
        return sorted(found, key=lambda group: group.start)

    def parts(self) -> list[tuple[int, int]]:
        """The parts of the sentence between its commas."""
        borders = [i for i in range(self.sentence.start, self.sentence.end) if self.found[i].folded in (",", ";")]
        return list(pairwise([self.sentence.start, *borders, self.sentence.end]))

    def _without_helpers(self, groups: list[Group]) -> list[Group]:
        """«Бить буду Нео»: a word that could name a move about a role, where no role is named, beside another move word."""
        if len(groups) < 2 or self.roles:
            return groups
        kept = [g for g in groups if not all("role" in self.words.actions[action].needs for action in g.actions)]
        return kept or groups

    def _is_nick(self, hit: Hit) -> bool:
        """Whether a move word is also a nick, written like one."""
        return self.found[hit.start].capital and any(
            name.start == hit.start and name.end >= hit.end and name.candidates[0].rank <= FORM for name in self.names
        )

    def _hinted(self, hit: Hit) -> tuple[str, ...]:
        """Of a word that is somebody else's move the writer's own one that it also hints at («навестим» of the mafia)."""
        same = [other for other in self.sentence.kinds("hint") if other.start == hit.start]
        return tuple(dict.fromkeys(action for other in same for action in other.meaning.id if action in self.sender.owned))

    def _with_bare_arguments(self, groups: list[Group]) -> list[Group]:
        """Goods named without a word for buying («броню от мафии за 40») are bought; each is a purchase of its own."""
        for kind, action in self.words.settings.get("bare_arguments", {}).items():
            hits = list({hit.start: hit for hit in reversed(self.sentence.kinds(kind)) if not self.is_denied(hit)}.values())[::-1]
            hits.sort()
            takers = [g for g in groups if any(kind in self.words.actions[a].args for a in g.actions)]
            if not takers and self._told_of_another():
                continue
            if not hits:  # «покупаю два голоса»: what is bought is another move word
                groups = [g for g in groups if g not in takers] or groups
                continue
            free = [hit for hit in (hits[len(takers) :] if takers else hits) if not self._refused_before(hit)]
            free = [hit for hit in free if hit.meaning.id not in self.words.settings.get("never_bare", ())]
            paid = bool(self.sentence.kinds("pay"))
            goods = {hit.start for hit in free}
            covered = [(g.start, g.end) for g in groups if not (paid and g.start in goods)]  # «лицензию на убийство за МБ»
            for hit in free:
                if any(start <= hit.start < end for start, end in covered if end - start > 1):
                    continue
                groups.append(Group(hit.start, hit.end, (action,), hits=[hit], bare=True))
            starts = {hit.start for hit in hits}
            bought = bool(takers) or bool(self.sentence.kinds("pay")) or not self.names
            # a word that is a good and also a move («пистолет») is the good where it is paid for
            if any(g.start in starts and action not in g.actions for g in groups):
                groups = [g for g in groups if g.start not in starts or (action in g.actions) == bought]
        groups.sort(key=lambda group: group.start)
        return groups

    def _told_of_another(self) -> bool:
        """«Белка купила броню за голос»: what another player did."""
        told = any(
            t.folded.endswith(russian.PAST) and is_finite_verb(t.folded)
            for t in self.found[self.sentence.start : self.sentence.end]
        )
        return told and any(name.kind == "nick" and name.candidates[0].seat != self.sender.seat for name in self.names)

    def _refused_before(self, hit: Hit) -> bool:
        """«Не буду покупать броню»."""
        words = self.found[self.sentence.start : hit.start]
        return any(t.folded in ("не", "без", "вместо") for t in words)

    def _labels(self, end: int) -> bool:
        return end < self.sentence.end and self.found[end].folded in LABEL_SIGNS

    def is_denied(self, hit: Hit) -> bool:
        """Whether the move word is denied («не лечу», «лечить не буду»)."""
        found, start, end = self.found, self.sentence.start, self.sentence.end
        before = [t.folded for t in found[max(start, hit.start - 4) : hit.start] if t.kind == "w"]
        if self.denied_twice(hit):
            return False
        if (before[-1:] and before[-1] in russian.ENOUGH) or self.refused_ahead(hit.start):
            return True
        if before[-1:] == ["не"] or (before[-2:-1] == ["не"] and before[-1] in russian.REFUSALS | {"я", "мы", "смей", "смейте"}):
            return True
        if before[-3:-2] == ["не"] and before[-2] in russian.REFUSALS and self._goes_back(hit.start, 3):
            return True
        if self.names and any(found[i].folded in russian.FORBIDDEN and self._one_part(i, hit) for i in range(start, end)):
            return True
        for i in range(hit.end, end - 1):
            if found[i].folded == "не" and found[i + 1].folded in russian.REFUSALS and not self._denies_another(hit.end, i + 2):
                if not self._same_clause(hit.end, i) and self._denies_its_own(hit.end, i):
                    continue
                return not any(name.start > i and not self._same_clause(i, name.start) for name in self.names)
        return False

    def refused_ahead(self, at: int) -> bool:
        """«Ни за что не буду: …»: a refusal that closes with a colon."""
        found, start = self.found, self.sentence.start
        return any(
            found[i].folded == "не" and found[i + 1].folded in russian.REFUSALS and found[i + 2].folded == ":"
            for i in range(start, at - 2)
        )

    def denied_twice(self, hit: Hit) -> bool:
        """«Не могу не лечить Кекса», «нельзя не лечить»: two denials make a wish, or a sigh."""
        if hit.start == self.sentence.start or self.found[hit.start - 1].folded != "не":
            return False
        words = [t.folded for t in self.found[max(self.sentence.start, hit.start - 4) : hit.start] if t.kind == "w"]
        unable = words[-3:-1] in (["не", "могу"], ["не", "можем"], ["не", "смогу"])
        return words[-2:] == ["нельзя", "не"] or (unable and words[-1] == "не")

    def _goes_back(self, at: int, words: int) -> bool:
        """Whether the words before a place stand in one part of the sentence with it («не надо лечить, лечу Кекса»)."""
        first = at
        while words and first > self.sentence.start:
            first -= 1
            words -= self.found[first].kind == "w"
        return self._same_clause(first, at)

    def _denies_its_own(self, left: int, at: int) -> bool:
        """«Внедряюсь в офис, вступать не хочу»: what is denied behind a comma is the infinitive before it."""
        first = max(i for i in range(left, at) if self.found[i].folded in (",", "а", "но", "зато"))
        return any(is_infinitive(t.folded) for t in self.found[first:at] if t.kind == "w")

    def _denies_another(self, left: int, at: int) -> bool:
        """«…, и не надо меня уговаривать»: what is denied behind a comma is the verb that follows."""
        if self._same_clause(left, at):
            return False
        following = [t.folded for t in self.found[at : min(at + 3, self.sentence.end)] if t.kind == "w"]
        return any(word.endswith(("ть", "ться", "чь", "чься")) and is_word(word) for word in following)

    def _one_part(self, at: int, hit: Hit) -> bool:
        return self._same_clause(hit.end, at) if at >= hit.end else self._same_clause(at + 1, hit.start)

    def _same_clause(self, left: int, right: int) -> bool:
        return not any(t.folded == "," or t.folded in ("а", "но", "зато") for t in self.found[left:right])

    def _with_roles(self, groups: list[Group]) -> list[Group]:
        argument = any("role" in self.words.actions[action].args for group in groups for action in self.wanted(group)[:1])
        takes_role = {id(g) for g in groups if "role" in self.words.actions[self.wanted(g)[0]].needs}
        for hit in self.roles:
            role = self.words.roles[hit.meaning.id]
            holder = next((g for g in groups if id(g) in takes_role), None)
            if holder is not None and (hit.start >= holder.end or not any(g.start >= hit.end for g in groups if g is not holder)):
                continue  # an argument, read later
            group = self._acting_group(hit, groups, role.actions)
            if group is not None:
                if group.role is None:
                    group.role = role.id
                continue
            if argument and not role.default and not self._labels(hit.end):
                continue
            if role.default or self._labels(hit.end):
                made = Group(
                    hit.start, hit.end, role.default, role=role.id, hits=[hit], by_role=True, label=self._labels(hit.end)
                )
                groups.append(made)
        groups.sort(key=lambda group: group.start)
        return [group for group in groups if group.actions]

    def _acting_group(self, hit: Hit, groups: Sequence[Group], owned: Sequence[str]) -> Group | None:
        """The move word that the role named here acts by: the next one before any nick, else one that is the role's own."""
        following = [g for g in groups if g.start >= hit.end and not g.by_role]
        if following:
            nearest = following[0]
            names_between = any(hit.end <= name.start < nearest.start for name in self.names)
            if any(hit.end <= other.start and other.end <= nearest.start for other in self.roles):
                return None  # «Киллер отдыхает, Карабас вербует Носа»: the nearer role acts
            if not names_between and (set(nearest.actions) & set(owned) or nearest.start - hit.end <= 3):
                return nearest
        for group in groups:
            if group.role is None and not group.by_role and set(group.actions) & set(owned):
                if hit.start >= group.end and self._labels(hit.end) and any(n.start >= hit.end for n in self.names):
                    continue
                return group
        return None

    def wanted(self, group: Group) -> tuple[str, ...]:
        """The actions a group may mean, those of the named role or of the sender's own first."""
        actions = group.actions
        if group.role is not None:
            of_role = tuple(a for a in actions if a in self.words.roles[group.role].actions)
            if of_role:
                return of_role
            if not group.by_role and self.words.roles[group.role].default:
                return tuple(a for a in actions if a in self.sender.owned) or actions
        own = tuple(a for a in actions if a in self.sender.owned)
        # «Посох смерти» is the necromancer's own move before it is anybody's blow (mafialife R186).
        special = tuple(a for a in own if a not in self.words.settings.get("everyone", ()))
        return special or own or actions
