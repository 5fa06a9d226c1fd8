"""One clause read: its move words take the nicks that they govern, and every other word must be explained by a class.

What no class explains stays in ``unexplained``; a nick that no slot and no aside takes stays in ``free``. Nobody is asked
here: what follows from either is decided by the whole message (``discourse``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.messages import Explained
from forumbot.reading.circumstances import circumstances
from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.clauses import LABEL_SIGNS, Clause, Text
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.heads import Head, denied, heads
from forumbot.reading.mentions import Mention
from forumbot.reading.names import DOUBTFUL, EXACT, NEAR, Candidate
from forumbot.reading.phrases import Hit
from forumbot.reading.slots import LABELS, fits, government, target_of
from forumbot.reading.vocabulary import Action

COVERING = frozenset(
    (
        "now", "turn", "no_condition", "no_joke", "no_subjunctive", "same_place", "thanks", "concede", "mine", "plus_one",
        "gender_m", "gender_f", "list_number",
    )
)  # fmt: skip
"""Marks whose words are explained by themselves; the others are only when a rule asks for them."""


_OWN_VERBS = frozenset(("first", "infinitive"))
_SELF_CASES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (grammar().lists[f"self_{case}"], frozenset(cases))
    for case, cases in (("gent", ("gent", "accs", "nomn")), ("datv", ("datv", "loct")), ("ablt", ("ablt",)))
)
_SAYING = frozenset(("mark", "hint", "hedge", "doubt", "settled", "what", "action"))
"""Kinds of phrases that are no arguments."""


@dataclass(slots=True)
class Parsed:
    """A clause with what was made of its words."""

    clause: Clause
    index: int
    heads: list[Head] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    """All that can be players, the writer and places in the list included."""
    free: list[Mention] = field(default_factory=list)
    """Nicks that no slot and no aside takes."""
    aside: list[Mention] = field(default_factory=list)
    """Nicks that words beside the order explain («вслед за Феей»)."""
    dropped: list[Mention] = field(default_factory=list)
    """Nicks that are named only to be left out («не Бориса»)."""
    subject: Mention | None = None
    """Who acts, said before a verb of the third person."""
    unexplained: list[int] = field(default_factory=list)
    verbs: list[int] = field(default_factory=list)
    """Finite verbs that no class explains."""
    roles: list[Hit] = field(default_factory=list)
    """Role names that are no nicks."""
    explained: list[Explained] = field(default_factory=list)

    @property
    def verbs_of_its_own(self) -> bool:
        """It has a predicate of its own, so that it is no mere word set off by commas."""
        return bool(self.verbs or self.heads)

    @property
    def silent(self) -> bool:
        """Nothing but words that say nothing of their own."""
        return not (self.claims or self.free or self.unexplained)


class Parser:
    """Reads the clauses of one message."""

    def __init__(self, text: Text, sender: Sender) -> None:
        self.text = text
        self.found = text.found
        self.sender = sender
        self.words = sender.words

    # --- one clause -------------------------------------------------------------------------------------------------------

    def parse(self, index: int) -> Parsed:
        """The clause at this place of the message, read by itself."""
        clause = self.text.clauses[index]
        parsed = Parsed(clause, index, names=self._names(clause))
        parsed.roles = self._roles(clause, parsed.names)
        covered = self._covered(parsed)
        parsed.heads = self._heads(parsed)
        self._set_apart(parsed, covered)
        self._claim(parsed, covered)
        self._leave(parsed, covered)
        return parsed

    def _heads(self, parsed: Parsed) -> list[Head]:
        clause = parsed.clause
        found = heads(self.text, clause, self.sender)
        found = self._without_helpers(found, parsed)
        found = self._without_tools(found, clause)
        return self._with_goods(found, clause)

    def _without_helpers(self, found: list[Head], parsed: Parsed) -> list[Head]:
        """«Бить буду Нео»: a word that could name a move about a role, where no role is named, beside another move word."""
        if len(found) < 2 or parsed.roles:
            return found
        kept = [head for head in found if not all("role" in self.words.actions[a].needs for a in head.actions)]
        return kept or found

    def _without_tools(self, found: list[Head], clause: Clause) -> list[Head]:
        """«Зову к себе в номер Анну»: words that also name somebody else's move tell of the writer's own beside them."""
        mine = {a for head in found for a in head.actions} & self.sender.owned
        hints = [hit for hit in clause.kinds("hint") if set(hit.meaning.id) & mine]
        acting = [h for h in found if set(h.actions) & self.sender.owned and h.form in ("first", "infinitive", "imperative")]
        kept = [
            head
            for head in found
            if set(head.actions) & self.sender.owned
            or not (
                any(h.start <= head.start and head.end <= h.end for h in hints)
                or self._object(head, acting, clause)
                or self._performs(head, found)
            )
        ]
        return kept or found

    def _performs(self, head: Head, found: Sequence[Head]) -> bool:
        """«Вампир кусает Анну» of the vampire: the name of somebody else's move before the writer's own verb is who acts."""
        verb = next((own for own in found if own.start == head.end and own.form == "third"), None)
        return head.form == "noun" and verb is not None and bool(set(verb.actions) & self.sender.owned)

    def _object(self, head: Head, acting: Sequence[Head], clause: Clause) -> bool:
        """«Зову к себе …»: a noun right behind the writer's own verb."""
        verb = next((own for own in reversed(acting) if own.end <= head.start), None)
        if verb is None or head.form != "noun" or any(verb.end <= name.start < head.start for name in clause.names):
            return False
        return all(self.found[i].folded not in ("и", "да", "плюс", "+") for i in range(verb.end, head.start))

    def _with_goods(self, found: list[Head], clause: Clause) -> list[Head]:
        """Goods named without a word for buying («броню от мафии за 40») are bought; each is a purchase of its own."""
        for kind, action in self.words.settings.get("bare_arguments", {}).items():
            never = self.words.settings.get("never_bare", ())
            hits = [hit for hit in clause.kinds(kind) if hit.meaning.id not in never]
            hits = list({hit.start: hit for hit in reversed(hits)}.values())[::-1]
            takers = [head for head in found if any(kind in self.words.actions[a].args for a in head.actions)]
            if not hits:
                found = [head for head in found if head not in takers] or found  # «покупаю два голоса»
                continue
            paid = bool(clause.kinds("pay"))
            found = [h for h in found if h in takers or not any(h.start == hit.start for hit in hits) or not paid]
            free = hits[len(takers) :]
            inside = [(h.start, h.end) for h in found if h not in takers and h.end - h.start > 1]
            for hit in free:
                if any(start <= hit.start < end for start, end in inside) and not paid:
                    continue
                if any(h.start <= hit.start < h.end for h in found):
                    continue
                made = Head(hit.start, hit.end, (action,), "goods", [hit])
                made.denied = denied(self.text, clause, hit.start, hit.end)
                found.append(made)
        return sorted(found, key=lambda head: head.start)

    # --- names ------------------------------------------------------------------------------------------------------------

    def _names(self, clause: Clause) -> list[Mention]:
        names = list(clause.names)
        taken = {i for name in names for i in range(name.start, name.end)}
        taken |= {i for kind in ("action", "hint") for hit in clause.kinds(kind) for i in range(hit.start, hit.end)}
        covers = [(hit.start, hit.end) for hit in clause.kinds("cover") if hit.end - hit.start > 1 and hit.meaning.id != "myself"]
        for hit in clause.marks("self"):
            if any(start < hit.start and hit.end <= end for start, end in covers):
                continue  # «роль так себе»
            if taken.isdisjoint(range(hit.start, hit.end)) and not self._from_me(clause, hit):
                names.append(self._myself(hit.start, hit.end))
                taken.update(range(hit.start, hit.end))
        short = {hit.end for hit in clause.kinds("action") if facts(self.found[hit.start].folded).main == "short"}
        for hit in clause.marks("self_predicate"):
            if hit.start in short and not names:
                names.append(self._myself(hit.start, hit.end))
        words = [i for i in range(clause.start, clause.end) if self.found[i].kind == "w"]
        if len(words) == 1 and clause.marks("self_predicate") and clause.opener in LABEL_SIGNS and not names:
            names.append(self._myself(words[0], words[0] + 1))
        named = {at for name in names for at in range(name.start, name.end)}
        for at in range(clause.start, clause.end):
            place = self._list_place(clause, at) if at not in named else None
            if place is not None:
                names.append(place)
                named.update(range(place.start, place.end))
        return sorted(names, key=lambda name: name.start)

    def _myself(self, start: int, end: int) -> Mention:
        """The writer, in the case of the word that means him."""
        word = self.found[end - 1].folded
        cases = next((c for words, c in _SELF_CASES if word in words), frozenset())
        return Mention(start, end, (Candidate(self.sender.seat, EXACT, cases),), "self")

    def _from_me(self, clause: Clause, hit: Hit) -> bool:
        """«ход от меня»: the writer, not a target."""
        before = self.found[hit.start - 1].folded if hit.start > clause.start else ""
        return self.found[hit.start].folded == "меня" and before in grammar().lists["from_me"]

    def _list_place(self, clause: Clause, at: int) -> Mention | None:
        """A place in the roster named at this token («№6», «номер 6», «номер шесть», «шестой номер»)."""
        found, end = self.found, clause.end
        token = found[at]
        after = found[at + 1] if at + 1 < end else found[at]
        value: int | None = None
        if at + 1 >= end:
            value = None
        elif token.folded in grammar().lists["number_words"] or token.folded in ("no", "№", "n"):
            value = _int(after.folded) if after.kind == "n" else grammar().numbers.get(after.folded)
        elif token.kind == "w" and after.folded in grammar().lists["number_words"]:
            value = grammar().ordinal(token.folded)
        elif token.kind == "n" and (size := self._before_word(at, end)):
            return self._place(clause, at, at + size, _int(token.folded))
        size = 2
        if value is None:
            numbers_a_label = at + 1 == clause.end and clause.closer == ":"  # «Жертва 2: Глеб»
            value, size = None if numbers_a_label else self._bare_place(clause, at), 1
        if value is None or not self._counts_players(clause, at):
            return None
        return self._place(clause, at, at + size, value)

    def _before_word(self, at: int, end: int) -> int:
        """«14 номера», «5-й номер»: how many tokens the place takes."""
        behind = [token.folded for token in self.found[at + 1 : min(at + 4, end)]]
        words = grammar().lists["number_words"]
        return (
            2 if behind[:1] and behind[0] in words else 4 if len(behind) == 3 and behind[0] == "-" and behind[2] in words else 0
        )

    def _place(self, clause: Clause, start: int, end: int, value: int | None) -> Mention | None:
        seats = self.sender.roster.seats
        if value is None or not 0 < value <= len(seats) or not self._counts_players(clause, start):
            return None
        return Mention(start, end, (Candidate(seats[value - 1], DOUBTFUL, frozenset()),), "list")

    def _bare_place(self, clause: Clause, at: int) -> int | None:
        """«линч 3», «линчую третьего», «Линч 14-го»: a number right behind a move word that needs a nick, with none there."""
        acts = [hit for hit in clause.kinds("action") if hit.end <= at]
        if clause.names or not acts or not all(self.words.actions[a].least for hit in acts for a in hit.meaning.id):
            return None
        token = self.found[at]
        if any(self.found[i].kind == "w" and len(self.found[i].folded) > 2 for i in range(at + 1, clause.end)):
            return None
        behind = [i for i in range(acts[-1].end, at) if self.found[i].kind == "w"]
        if any(self.found[i].folded not in grammar().prepositions for i in behind):
            return None
        counted = any(h.start <= at < h.end for h in clause.hits if h.meaning.kind == "cover" and h.end - h.start > 1)
        if counted or any(
            self.words.actions[a].args for hit in acts for a in hit.meaning.id if "coins" in self.words.actions[a].args
        ):
            return None
        return _int(token.folded) if token.kind == "n" else grammar().ordinal(token.folded) if token.kind == "w" else None

    def _counts_players(self, clause: Clause, at: int) -> bool:
        """Whether a number means a place in the roster: behind a move word, or alone; «Ход №3» counts others."""
        before = [i for i in range(clause.start, at) if self.found[i].kind == "w"]
        acts = [hit for hit in clause.kinds("action") if hit.end <= at]
        clause_only = not any(hit.meaning.id == "address" for hit in clause.kinds("cover"))
        takes = clause_only and all("number" not in self.words.actions[a].args for hit in acts for a in hit.meaning.id)
        return takes and (bool(acts) or (not before and not clause.subject))

    def _roles(self, clause: Clause, names: Sequence[Mention]) -> list[Hit]:
        """Role names of the clause. Where a nick is spelled like a role the place decides: a label or a word before a verb is
        the role, behind a move word it is the nick."""
        kept: list[Hit] = []
        acts = clause.kinds("action")
        for hit in clause.kinds("role"):
            if any(h.start <= hit.start < h.end and set(h.meaning.id) & self.sender.owned for h in acts):
                continue
            same = [name for name in names if name.start < hit.end and hit.start < name.end and name.kind == "nick"]
            if same and not self._acts(clause, hit, same):
                continue
            for name in same:
                if name in names:
                    names.remove(name)  # type: ignore[attr-defined]
            twin = next((i for i, old in enumerate(kept) if (old.start, old.end) == (hit.start, hit.end)), None)
            if twin is None:
                kept.append(hit)
            elif hit.meaning.id in self.sender.known.roles:
                kept[twin] = hit  # «маньяк» is what both maniacs are called
        return kept

    def _acts(self, clause: Clause, hit: Hit, same: Sequence[Mention]) -> bool:
        """Whether a word that is a role and a nick stands where the one who acts stands."""
        if any(name.end - name.start > hit.end - hit.start for name in same):
            return False
        needs = [a for other in clause.kinds("action") for a in other.meaning.id if "role" in self.words.actions[a].needs]
        if any(not self.words.actions[a].most for a in needs):
            return True
        if hit.end - hit.start > max(name.end - name.start for name in same):
            return True
        if any(other.end <= hit.start for other in clause.kinds("action")):
            return False
        others = [name for name in clause.names if name not in same and name.start >= hit.end]
        verb = any(other.start == hit.end for other in clause.kinds("action"))
        mine = bool(set(self.words.roles[hit.meaning.id].actions) & self.sender.owned)
        needs_role = any("role" in self.words.actions[a].needs for other in clause.kinds("action") for a in other.meaning.id)
        label = hit.end >= clause.end and clause.closer in LABEL_SIGNS
        return (verb and mine) or (bool(others) and mine) or (label and mine) or needs_role

    # --- what words explain -----------------------------------------------------------------------------------------------

    def _covered(self, parsed: Parsed) -> list[str]:
        """For each token of the clause the class that explains it, or nothing."""
        clause = parsed.clause
        covered = [""] * (clause.end - clause.start)

        def lay(start: int, end: int, by: str) -> None:
            for i in range(max(start, clause.start), min(end, clause.end)):
                covered[i - clause.start] = covered[i - clause.start] or by

        for hit in clause.hits:
            kind = hit.meaning.kind
            if (kind == "cover" and not hit.typo and (hit.meaning.id != "epithet" or self._describes(parsed, hit))) or (
                kind == "mark" and hit.meaning.id in COVERING
            ):
                lay(hit.start, hit.end, hit.meaning.id)
            elif kind in ("settled", "free_condition"):
                lay(hit.start, hit.end, kind)
        for hit in parsed.roles:
            lay(hit.start, hit.end, f"role:{hit.meaning.id}")
        return covered

    def _describes(self, parsed: Parsed, hit: Hit) -> bool:
        """Whether a nick stands behind an epithet, with nothing but epithets between."""
        at = hit.end
        if facts(self.found[hit.start].folded).main == "adverb":
            return False  # «он полезнее Анны»
        starts = {name.start for name in parsed.names}
        while at < parsed.clause.end and at not in starts:
            if self.found[at].kind == "w" and not self._belongs_to_nick(parsed.clause, at):
                return False
            at += 1
        return at in starts

    def _set_apart(self, parsed: Parsed, covered: list[str]) -> None:
        """Set aside the names that words beside the order explain, and those that are only left out."""
        clause = parsed.clause
        ends = {hit.end: hit for hit in clause.marks("beside")}
        drops = {hit.end: hit for hit in clause.marks("drop_next")}
        before = clause.marks("drop_before")
        for name in list(parsed.names):
            at = self._phrase_before(clause, name)
            if self._of_time(clause, at, name):
                parsed.names.remove(name)
                continue
            lead = ends.get(at) or ends.get(name.start)
            out = drops.get(at) or drops.get(name.start)
            if out is not None and any(h.start <= out.start < h.end for h in parsed.heads):
                out = None
            if (
                name.seats == {self.sender.seat}
                and name.kind == "nick"
                and self.found[name.start - 1].folded == "от"
                and name.start
            ):
                parsed.names.remove(name)
                _lay(clause, covered, name.start - 1, name.end, "self")
                continue
            behind = next((hit for hit in before if hit.start >= name.end and self._near(name.end, hit.start)), None)
            if behind is not None and parsed.heads and self.found[behind.start].folded in grammar().lists["greets"]:
                behind = None
            if lead is not None and self._tells_of_a_move(clause, lead):
                lead = None
            more = lead is None and out is None and self._alike(parsed, [*parsed.aside, *parsed.dropped], name)
            if more or (lead is not None and not any(h.start <= lead.start < h.end for h in parsed.heads)):
                parsed.names.remove(name)
                parsed.aside.append(name)
                _lay(clause, covered, lead.start if lead is not None else name.start - 1, name.end, "aside")
            elif out is not None and self._takes_instead(parsed, out):
                continue
            elif out is not None or behind is not None:
                first, last = (out.start, name.end) if out is not None else (name.start, behind.end if behind else name.end)
                parsed.names.remove(name)
                parsed.dropped.append(name)
                _lay(clause, covered, first, last, "dropped")

    def _alike(self, parsed: Parsed, taken: Sequence[Mention], name: Mention) -> bool:
        """«Привет Жуку и Белке»: one more of the nicks that words beside the order explain."""
        last = next((old for old in reversed(taken) if old.end <= name.start), None)
        if last is None or any(last.end <= head.start < name.start for head in parsed.heads):
            return False
        between = [self.found[i].folded for i in range(last.end, name.start)]
        shared = {case for c in last.candidates for case in c.cases} & {case for c in name.candidates for case in c.cases}
        return between in (["и"], ["да"], ["с"], ["со"], ["и", "с"]) and (bool(shared) or len(between) > 1)

    def _takes_instead(self, parsed: Parsed, out: Hit) -> bool:
        """«подставить Жука вместо Гнома»: a move that names whom it spares."""
        word = f"{self.found[out.end - 1].folded} gent"
        return any(word in self.words.actions[a].govern for head in parsed.heads for a in head.actions)

    def _tells_of_a_move(self, clause: Clause, lead: Hit) -> bool:
        """«горячий привет Шпале»: the words beside a nick are those of the writer's own move."""
        longer = [h for h in clause.kinds("hint") if h.start <= lead.start and h.end >= lead.end and h.end - h.start > 1]
        return any(set(h.meaning.id) & self.sender.owned for h in longer)

    def _phrase_before(self, clause: Clause, name: Mention) -> int:
        """Where the words before a nick begin that belong to it: its preposition and epithets."""
        at = name.start
        while at > clause.start and self.found[at - 1].kind == "w" and self._belongs_to_nick(clause, at - 1):
            at -= 1
        if at > clause.start and self.found[at - 1].folded in grammar().prepositions:
            at -= 1
        return at

    def _opens_head(self, parsed: Parsed, at: int) -> bool:
        """«Ночная прогулка …»: an adjective before a move word that is a noun."""
        return any(head.start == at and head.form == "noun" for head in parsed.heads)

    def _belongs_to_nick(self, clause: Clause, at: int) -> bool:
        """Whether the word at a token only describes the nick behind it."""
        known = facts(self.found[at].folded)
        epithet = any(h.start <= at < h.end and h.meaning.id == "epithet" for h in clause.kinds("cover"))
        if epithet and known.main != "adverb":
            return True
        marked = any(hit.start <= at < hit.end for hit in clause.kinds("mark") if hit.meaning.id not in COVERING)
        acts = any(hit.start <= at < hit.end for hit in clause.kinds("action"))
        other = any(hit.start <= at < hit.end for hit in clause.hits if hit.meaning.kind not in ("cover", "mark", "hint"))
        other = other or any(h.start <= at < h.end for h in clause.hits if h.meaning.kind in ("cover", "hint"))
        if known.main == "noun" and not other and not marked and not acts and at > clause.start:
            name = next((n for n in clause.names if n.start == at + 1), None)
            relation = bool(known.lemmas & grammar().lists["relations"])
            told = name is not None and any(c.cases & known.cases - {"nomn"} for c in name.candidates)
            return told and not relation and not self.found[at].capital  # «эту вредину Петровну»
        return known.main == "adjective" and not marked and not acts

    def _near(self, left: int, right: int) -> bool:
        return all(token.kind != "w" or token.folded in ("пока", "все") for token in self.found[left:right])

    # --- claims -----------------------------------------------------------------------------------------------------------

    def _claim(self, parsed: Parsed, covered: list[str]) -> None:
        """Make the claims of the clause's move words; each takes the names that it governs."""
        clause = parsed.clause
        groups = self._hinted_heads(parsed) or self._hint_head(parsed) or self._role_head(parsed)
        used: set[int] = set()
        for at, head in enumerate(groups):
            region = groups[at + 1].start if at + 1 < len(groups) else clause.end
            claim = self._make(parsed, head)
            spec = self.sender.spec(claim)
            behind = [n for n in parsed.names if head.start <= n.start < region and id(n) not in used]
            lead = [n for n in parsed.names if n.start < head.start and id(n) not in used] if at == 0 else []
            if head.form == "hint":
                strong = [n for n in parsed.names if n.kind != "nick" or not n.weak]
                behind, lead = strong or list(parsed.names), []
                if head.end - head.start == 1 and self.found[head.start].folded in grammar().prepositions:
                    behind = [n for n in behind if n.start >= head.end]  # «Белка против» is no vote
            claim.govern = self._governs(claim, head)
            if self.found[head.start].folded in grammar().lists["upon_myself"] and spec.most:
                claim.targets.append(Target((self.sender.seat,), head.start, head.end, kind="self"))
            self._take(parsed, claim, spec, behind, covered, used)
            if lead:
                self._take_lead(parsed, claim, spec, lead, covered, used)
                claim.behind = claim.by_role and not claim.label and bool(claim.targets)
            _lay(clause, covered, head.start, head.end, f"action:{claim.actions[0]}")
            self._cover_hints(clause, covered, claim)
            parsed.claims.append(claim)
        self._label(parsed, covered)
        parsed.free = [n for n in parsed.names if id(n) not in used and not self._idle_weak(n) and n is not parsed.subject]

    def _hinted_heads(self, parsed: Parsed) -> list[Head]:
        """The move words; one that is somebody else's move means the writer's own that it also hints at («навестим» of the
        mafia)."""
        for head in parsed.heads:
            if not set(head.actions) & self.sender.owned:
                hints = [h for h in parsed.clause.kinds("hint") if h.start == head.start or h.end == head.end]
                mine = tuple(dict.fromkeys(a for h in hints for a in h.meaning.id if a in self.sender.owned))
                if mine:
                    head.actions = mine
                    head.open = len(mine) > 1
        return parsed.heads

    def _hint_head(self, parsed: Parsed) -> list[Head]:
        """Without a move word: words that tell of one of the writer's own moves («таблетку Никите»)."""
        hits = [hit for hit in parsed.clause.kinds("hint") if not self._hangs(parsed, hit)]
        alone = len(self.text.clauses) == 1 and all(self.words.actions[a].talk for hit in hits for a in hit.meaning.id[:1])
        if not hits or not (self.sender.letter or (alone and parsed.names)):
            return []
        acting = {a for hit in parsed.roles for a in self.words.roles[hit.meaning.id].actions}
        able = acting or self.sender.owned
        mine = {a for role in self.sender.known.roles if role in self.words.roles for a in self.words.roles[role].actions}
        if not acting and any(set(hit.meaning.id) & mine for hit in hits):
            able = mine  # what the role does before what everybody may
        told: list[tuple[Hit, tuple[str, ...]]] = []
        for hit in hits:
            possible = tuple(a for a in hit.meaning.id if a in able)
            if possible:
                told.append((hit, possible))
        if not told:
            return []
        shared = [a for a in told[0][1] if all(a in mine for _, mine in told)] or list(told[0][1])
        head = Head(told[0][0].start, told[0][0].end, tuple(shared), "hint", [hit for hit, _ in told])
        denials = [i for i in range(parsed.clause.start, parsed.clause.end) if self.found[i].folded in ("не", "ни")]
        behind = [i for i in denials if i + 1 < parsed.clause.end and facts(self.found[i + 1].folded).main in _OWN_VERBS]
        head.denied = any(i < head.start for i in denials) or bool(behind)  # «К Коту не пойду»
        head.label = parsed.clause.closer in LABEL_SIGNS
        return [head]

    def _hangs(self, parsed: Parsed, hit: Hit) -> bool:
        """«Белка против»: a preposition that hints at a vote, with no nick behind it."""
        preposition = hit.end - hit.start == 1 and self.found[hit.start].folded in grammar().prepositions
        return preposition and bool(parsed.names) and all(name.start < hit.end for name in parsed.names)

    def _label(self, parsed: Parsed, covered: Sequence[str]) -> None:
        """«Проверка на сегодня: Анна»: a label, too, where only words that say nothing stand before its sign."""
        clause = parsed.clause
        if parsed.claims and clause.closer in LABEL_SIGNS:
            last = parsed.claims[-1]
            behind = [i for i in range(last.end, clause.end) if self.found[i].kind in "wn"]
            bare = all(covered[i - clause.start] or self.found[i].folded in grammar().prepositions for i in behind)
            last.label = last.label or (bare and not last.targets)

    def _role_head(self, parsed: Parsed) -> list[Head]:
        """A role's name alone stands for its move («Доктор - Никита»)."""
        hits = [hit for hit in parsed.roles if self.words.roles[hit.meaning.id].default]
        if not hits:
            return []
        table = self.words.settings.get("performer")
        found: list[Head] = []
        for hit in hits:
            role = self.words.roles[hit.meaning.id]
            label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
            placed = hit.start > parsed.clause.start and self.found[hit.start - 1].folded in (
                "на",
                "в",
                "за",
                "про",
                "о",
                "у",
                "из",
            )
            if placed and not label:
                continue  # «Ставлю на мафию Жука»
            last = found[-1] if found else None
            if last is not None and table is not None and last.role == table["role"] and last.end == hit.start:
                last.end, last.performer_role = hit.end, role.id  # «Киллер Дуремар: …»
                last.label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
                continue
            head = Head(hit.start, hit.end, role.default, "role", [hit], role=role.id)
            head.label = hit.end >= parsed.clause.end and parsed.clause.closer in LABEL_SIGNS
            head.denied = denied(self.text, parsed.clause, hit.start, hit.end)
            found.append(head)
        return found

    def _governs(self, claim: Claim, head: Head) -> str:
        """How the move word governs: as a noun, as a thing («укол» whom to), as a verb with or without a dative."""
        word = self.found[head.start].folded
        known = facts(word)
        if head.form == "hint":
            noun = known.main == "noun" and head.end - head.start == 1
            placed = head.start > 0 and self.found[head.start - 1].folded in grammar().prepositions
            return "thing" if noun and not placed and self._named_at(head.end, claim) else "hint"
        if known.main == "adjective" and head.end - head.start == 1:
            return "transitive"  # «виновным считаю …»
        if self._tool(head) and claim.form not in LABELS:
            return "noun"
        if head.noun or claim.form in LABELS:
            return claim.form if claim.form in LABELS else "noun"
        if known.transitive and not word.startswith(tuple(grammar().lists["dative_verbs"])) and not self._tool(head):
            return "transitive"
        return claim.form

    def _named_at(self, at: int, claim: Claim) -> bool:
        return any(name.start == at for name in self.text.clauses[claim.clause].names)

    def _tool(self, head: Head) -> bool:
        """«ставлю укол», «дежурю у постели»: the phrase ends with a noun, which has a government of its own."""
        return any(hit.end - hit.start > 1 and facts(self.found[hit.end - 1].folded).main == "noun" for hit in head.hits)

    def _make(self, parsed: Parsed, head: Head) -> Claim:
        clause = parsed.clause
        role = head.role
        actions = head.actions
        if role is None:
            acting = self._acting_role(parsed, head)
            if acting is not None:
                role = acting.meaning.id
                of_role = tuple(a for a in actions if a in self.words.roles[role].actions)
                actions = of_role or actions
        claim = Claim(actions, head.start, head.end, parsed.index, clause.sentence, head.form, subject=clause.subject)
        claim.role, claim.label, claim.open = role, head.label, head.open
        claim.performer_role = head.performer_role
        if head.denied:
            claim.talk.append("denied")
        return claim

    def _acting_role(self, parsed: Parsed, head: Head) -> Hit | None:
        """The role that the clause names as the one who acts: before the move word with no nick between, or its own role."""
        best: Hit | None = None
        for hit in parsed.roles:
            owned = set(self.words.roles[hit.meaning.id].actions) & set(head.actions)
            takes = any("role" in self.words.actions[a].args for a in head.actions)
            if takes and hit.start >= head.end:
                continue
            between = any(hit.end <= name.start < head.start for name in parsed.names)
            if (hit.end <= head.start and not between and (owned or head.form == "third")) or (owned and best is None):
                best = hit
        return best

    def _take(
        self, parsed: Parsed, claim: Claim, spec: Action, names: Sequence[Mention], covered: list[str], used: set[int]
    ) -> None:
        """Give a claim the names behind its move word that it governs."""
        rule = government(spec.govern, claim.govern)
        for name in names:
            preposition, at = self._preposition(parsed.clause, name)
            cases = rule.slots.get(preposition)
            belonging = self._belonging(parsed.clause, at)
            listed = bool(claim.targets) and spec.most > 1
            if name.weak and cases is not None and not listed and not self._adjoins(parsed.clause, claim, at):
                continue
            misses = cases is None or (name.kind == "nick" and not _possible(name, cases))
            if misses and not belonging and preposition in rule.beside:
                used.add(id(name))
                parsed.aside.append(name)
                _lay(parsed.clause, covered, at, name.end, "aside")
                continue
            if belonging:
                cases, at = frozenset(("gent", "datv")), at - 1
            if name.kind == "self" and (cases is None or not fits(name, cases)):
                used.add(id(name))
                _lay(parsed.clause, covered, at, name.end, "self")
                continue
            if cases is None or not (belonging or fits(name, cases)):
                continue
            if name.weak and not preposition and claim.form not in LABELS and self._never_bare(name):
                continue
            if spec.self_target == "none" and name.kind == "self":
                used.add(id(name))
                _lay(parsed.clause, covered, at, name.end, "self")
                continue
            if not spec.most:
                mine = name.seats <= {self.sender.seat, *self.sender.known.clan}
                if spec.nick_refused and name.kind == "nick":
                    claim.refusal = spec.nick_refused
                    claim.targets.append(target_of(name, cases, self.sender, spec))
                if mine or spec.nick_refused:
                    used.add(id(name))
                    _lay(parsed.clause, covered, at, name.end, "self")
                continue
            self._give(claim, name, cases, spec)
            used.add(id(name))
            _lay(parsed.clause, covered, at, name.end, "nick:" + "|".join(sorted(name.seats)))

    def _of_time(self, clause: Clause, at: int, name: Mention) -> bool:
        """«В пятницу проголосую», with a player of that name: a day."""
        times = [hit for hit in clause.kinds("cover") if hit.meaning.id == "time_of_this_turn"]
        return at < name.start and any(hit.start == at and hit.end == name.end for hit in times)

    def _take_lead(
        self, parsed: Parsed, claim: Claim, spec: Action, lead: Sequence[Mention], covered: list[str], used: set[int]
    ) -> None:
        """Names before the move word: who acts («Мурка зовёт»), or its object set before it («Анну лечу»)."""
        last = lead[-1]
        acts = claim.targets and claim.form == "third" and not claim.role and self._inverted(parsed, claim, last)
        if acts:
            used.add(id(last))
            _lay(parsed.clause, covered, last.start, last.end, "nick:" + "|".join(sorted(last.seats)))
            return
        nominative = last.kind == "nick" and all(not c.cases or "nomn" in c.cases for c in last.candidates)
        if claim.form == "third" and nominative and claim.role is None:
            parsed.subject = last
            used.add(id(last))
            _lay(parsed.clause, covered, last.start, last.end, "actor")
            return
        if claim.targets and spec.most <= len(claim.targets):
            return
        rule = government(spec.govern, claim.govern)
        if not spec.most and last.seats <= {self.sender.seat, *self.sender.known.clan}:
            used.add(id(last))
            _lay(parsed.clause, covered, last.start, last.end, "self")
        for name in lead if not claim.targets else []:
            preposition, at = self._preposition(parsed.clause, name)
            cases = rule.slots.get(preposition)
            if cases is None and preposition in rule.beside:
                used.add(id(name))
                parsed.aside.append(name)
                _lay(parsed.clause, covered, at, name.end, "aside")
            elif cases is not None and spec.most and fits(name, cases) and self._leads(claim, name):
                self._give(claim, name, cases, spec)
                used.add(id(name))
                _lay(parsed.clause, covered, at, name.end, "nick:" + "|".join(sorted(name.seats)))

    def _inverted(self, parsed: Parsed, claim: Claim, lead: Mention) -> bool:
        """«Щепку убивает Матрос»: the nick behind a verb of the third person acts, and the one before it is whom it hits."""
        behind = [name for name in parsed.names if name.start >= claim.end]
        oblique = lead.kind == "nick" and all("nomn" not in c.cases for c in lead.candidates)
        if len(behind) != 1 or not oblique or not any("nomn" in c.cases for c in behind[0].candidates):
            return False
        parsed.subject = behind[0]
        claim.targets = [target_of(lead, None, self.sender, self.sender.spec(claim))]
        return True

    def _never_bare(self, name: Mention) -> bool:
        """An adverb or the like («завтра») is a nick only behind a label or a preposition."""
        return facts(self.found[name.start].folded).main not in ("noun", "adjective", "")

    def _leads(self, claim: Claim, name: Mention) -> bool:
        """An ordinary word before the move word is a nick only right before it («Пса лечу»)."""
        covers = {i for hit in self.text.clauses[claim.clause].kinds("cover") for i in range(hit.start, hit.end)}
        between = [i for i in range(name.end, claim.start) if self.found[i].kind == "w" and i not in covers]
        if name.weak and self._never_bare(name):
            return False
        return not name.weak or not [i for i in between if self.found[i].folded not in grammar().prepositions]

    def _give(self, claim: Claim, name: Mention, cases: frozenset[str], spec: Action) -> None:
        target = target_of(name, cases, self.sender, spec, nominative=spec.predicate and claim.form == "short")
        if spec.self_target == "none" and target.kind == "self":
            return
        if self._phrase_before(self.text.clauses[claim.clause], name) < name.start and spec.most == spec.least == 2:
            word = self.found[self._phrase_before(self.text.clauses[claim.clause], name)].folded
            if f"{word} gent" in spec.govern and word in grammar().lists["instead"]:
                claim.targets.insert(0, target)
                return
        claim.targets = [old for old in claim.targets if old.kind != "list" or old.seats != target.seats]
        if target.seats not in [old.seats for old in claim.targets] or spec.most > 1:
            claim.targets.append(target)

    def _preposition(self, clause: Clause, name: Mention) -> tuple[str, int]:
        """The preposition before a nick ("" for none), and where the words that belong to the nick begin."""
        at = self._phrase_before(clause, name)
        word = self.found[at].folded
        return (word, at) if at < name.start and word in grammar().prepositions else ("", at)

    def _belonging(self, clause: Clause, at: int) -> bool:
        """«вокруг дома Анны», «охраняю покой Егора»: what belongs to the nick stands before it."""
        if at <= clause.start:
            return False
        word = self.found[at - 1].folded
        return word in grammar().lists["belongings"] or bool(facts(word).lemmas & grammar().lists["belongings"])

    def _adjoins(self, clause: Clause, claim: Claim, at: int) -> bool:
        """Whether nothing but explained words stands between the move word and a place behind it."""
        covers = {i for hit in clause.kinds("cover") for i in range(hit.start, hit.end)}
        return all(self.found[i].kind != "w" or i in covers for i in range(claim.end, at))

    def _idle_weak(self, name: Mention) -> bool:
        return name.weak and name.kind == "nick"

    def _cover_hints(self, clause: Clause, covered: list[str], claim: Claim) -> None:
        """Words that tell of the very move («таблетку», «в мотель»), and what its arguments say."""
        wanted = set(claim.actions)
        for hit in clause.hits:
            kind = hit.meaning.kind
            if kind in ("hint", "action") and wanted & set(hit.meaning.id):
                _lay(clause, covered, hit.start, hit.end, f"hint:{claim.actions[0]}")

    def _leave(self, parsed: Parsed, covered: list[str]) -> None:
        """Find the words that nothing explains, and the verbs among them."""
        clause = parsed.clause
        named = {i for name in (*parsed.free, *parsed.aside, *parsed.dropped) for i in range(name.start, name.end)}
        if parsed.subject is not None:
            named |= set(range(parsed.subject.start, parsed.subject.end))
        for i in range(clause.start, clause.end):
            token = self.found[i]
            by = covered[i - clause.start]
            if by:
                parsed.explained.append(Explained(token.start, token.end, by))
            joins = i == clause.start and (token.folded == clause.opener or token.folded in grammar().lists["content"])
            if (
                by
                or joins
                or i in named
                or token.kind not in "wn"
                or self._bound(parsed, covered, i)
                or self._sets_out(parsed, i)
            ):
                continue
            parsed.unexplained.append(i)
            if token.kind == "w" and facts(token.folded).finite:
                parsed.verbs.append(i)
        self._circumstances(parsed)
        weak = [name for name in parsed.names if self._idle_weak(name)]
        if weak and not parsed.claims and not parsed.free:
            held = {i for name in weak for i in range(name.start, name.end)}
            choice = {h.start for h in clause.marks("either")}
            if set(parsed.unexplained) - choice <= held:  # a clause of nothing but a nick that is an ordinary word, too
                parsed.free, parsed.unexplained, parsed.verbs = weak, [i for i in parsed.unexplained if i in choice], []

    def _sets_out(self, parsed: Parsed, at: int) -> bool:
        """«Пошла лечить Анну»: a past that is said of now, before a move in the infinitive."""
        goes = self.found[at].folded in grammar().lists["setting_out"]
        return goes and any(claim.form == "infinitive" and claim.start > at for claim in parsed.claims)

    def _circumstances(self, parsed: Parsed) -> None:
        """Take the words for explained that only tell where, how and what for a whole order is carried out."""
        claim = parsed.claims[-1] if parsed.claims else None
        if not parsed.unexplained or claim is None or parsed.free or "denied" in claim.talk:
            return
        spec = self.sender.spec(claim)
        whole = claim.targets and len(claim.targets) >= spec.least and claim.form in ("first", "infinitive", "third", "noun")
        if not whole or parsed.unexplained[0] < claim.start:
            return
        named = frozenset(i for name in parsed.names for i in range(name.start, name.end))
        told = circumstances(self.found, parsed.clause, parsed.unexplained, named, max(t.end for t in claim.targets))
        parsed.unexplained = [i for i in parsed.unexplained if i not in told]
        parsed.verbs = [i for i in parsed.verbs if i not in told]

    def _bound(self, parsed: Parsed, covered: Sequence[str], at: int) -> bool:
        """Prepositions before something explained, epithets of nicks, numbers of a list."""
        clause = parsed.clause
        token = self.found[at]
        nxt = next((i for i in range(at + 1, clause.end) if self.found[i].kind in "wn"), None)
        if nxt is not None and token.folded in grammar().prepositions and self.found[nxt].folded in grammar().lists["belongings"]:
            return any(name.start == nxt + 1 for name in parsed.names)  # «Возле дома Иглы»
        named = {name.start for name in (*parsed.free, *parsed.names)}
        if token.folded in grammar().prepositions and nxt is not None and token.folded not in ("без", "кроме", "вместо"):
            argument = any(h.start <= nxt < h.end for h in clause.hits if h.meaning.kind not in _SAYING)
            return bool(covered[nxt - clause.start]) or nxt in named or argument
        if clause.subject and token.kind == "n":
            return True
        if token.kind == "w" and nxt is not None and facts(token.folded).main == "adjective" and self._opens_head(parsed, nxt):
            return not any(h.start <= at < h.end for h in clause.kinds("mark"))
        if token.kind == "w" and nxt == at + 1 and covered[nxt - clause.start] and facts(token.folded).main == "adjective":
            told = facts(self.found[nxt].folded)
            return told.main == "noun" and bool(facts(token.folded).cases & told.cases)
        if token.kind == "n" and at == clause.start and clause.end - clause.start == 1:
            return clause.closer in (")", ".") or (len(token.folded) <= 2 and clause.opener == "")
        if token.kind == "n" and at == clause.start and at + 1 < clause.end and self.found[at + 1].folded in (".", ")"):
            return True
        if token.kind == "w" and len(token.folded) == 1 and at == clause.start and clause.closer == ")" and clause.end == at + 1:
            return True
        return nxt is not None and nxt in named and self._belongs_to_nick(clause, at)


def _possible(name: Mention, cases: frozenset[str]) -> bool:
    return any(not c.cases or c.cases & cases for c in name.candidates)


def _lay(clause: Clause, covered: list[str], start: int, end: int, by: str) -> None:
    for i in range(max(start, clause.start), min(end, clause.end)):
        covered[i - clause.start] = covered[i - clause.start] or by


def _int(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 3 else None


__all__ = ["COVERING", "NEAR", "Parsed", "Parser", "Target"]
