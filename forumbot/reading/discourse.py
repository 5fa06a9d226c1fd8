"""From clauses to the wishes of a message: what a clause without a move word of its own does to those before it.

A clause may hold an order; go on with the one before (a label's nick, one more nick, a sum); correct it; or speak of
something else. ``settling`` looks at all wishes together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from forumbot.reading.arguments import Arguments
from forumbot.reading.claims import Claim, Sender, Target
from forumbot.reading.clauses import LABEL_SIGNS, Clause, Text
from forumbot.reading.decline import is_common_word, is_word
from forumbot.reading.everyday import grammar
from forumbot.reading.facts import facts
from forumbot.reading.mentions import Mention, doubtful
from forumbot.reading.names import DOUBTFUL, NEAR
from forumbot.reading.parsing import Parsed
from forumbot.reading.phrases import Hit
from forumbot.reading.slots import target_of

_JOINING = frozenset((",", "/", "и", "или", "(", "→", ""))
"""Openers of a clause that may go on with a list of nicks."""
_BEGINNING = 4
"""Shortest unknown word that may be the beginning of a nick, without a full stop behind it."""
_BESIDE_A_NICK = frozenset(
    (
        "turn", "now", "self", "self_predicate", "either", "list_number", "gender_m", "gender_f", "without", "with", "mine",
        "plus_one", "no_joke", "no_condition", "same_place", "number_word", "promise", "drop_before", "drop_next", "withdraw",
        "story",
    )
)  # fmt: skip
"""Marks that leave a nick alone what it is: the target of the writer's move."""
_CONCEDING = frozenset(("если", "хотя", "даже", "хоть", "раз"))
_ADDRESSING = frozenset(("second", "imperative"))
_REACH = 2
"""Sentences over which a move word waits for its nick («Стреляю. В кого? Да в Глеба»)."""


class Discourse:
    """Walks through the clauses of one message."""

    def __init__(
        self, text: Text, sender: Sender, parsed: Sequence[Parsed], counts: Callable[[Clause], bool], alone: str
    ) -> None:
        """``counts`` tells the clauses whose words are orders (all of a letter, the coloured ones of a post); ``alone`` is the
        action that a nick alone means, empty for none."""
        self.text = text
        self.found = text.found
        self.sender = sender
        self.words = sender.words
        self.parsed = parsed
        self.counts = counts
        self.alone = alone
        self.claims: list[Claim] = []
        self.open: Claim | None = None
        self.last: Claim | None = None
        self.last_at = -1
        self.turned = False
        self.loose: Parsed | None = None
        """The clause before that named players and no move."""
        self.actor: tuple[str, int] | None = None

    def read(self, until: int) -> list[Claim]:
        """The claims of the clauses before the sentence ``until`` (where a story begins)."""
        for p in self.parsed:
            if p.clause.sentence >= until:
                break
            if p.clause.quoted:
                continue
            if self.counts(p.clause) and self._one_more_if(p):
                continue
            if not self.counts(p.clause):
                self._beside(p)
            elif p.claims and not self._argument(p):
                self._orders(p)
            elif p.free:
                self._nicks(p)
            else:
                self._plain(p)
        return self.claims

    def _one_more_if(self, p: Parsed) -> bool:
        """«Слежу за Гошей, если можно, то и за Никой»: one more nick under a condition."""
        last = self.last
        if last is None or not p.clause.has("no_condition") or not p.free or p.unexplained:
            return False
        if self.found[p.clause.start].folded != "если" or p.clause.sentence != self.parsed[self.last_at].clause.sentence:
            return False
        more = [name for name in p.free if name.start and not set(last.seats()) & name.seats and self._cases(name)]
        if more:
            last.doubt("two_targets")
        return bool(more)

    def _argument(self, p: Parsed) -> bool:
        """«Заявка на роль: Пьеро», «Подарить: броня - Мурзик»: a role's or a good's name alone behind an order about one."""
        claim = self.open or self.last
        if claim is None or p.clause.sentence - claim.sentence > int(claim.subject):
            return False
        goods = {hit.start for hit in p.clause.kinds("item")} if p.clause.opener == ":" else set()
        if (
            all(c.form == "goods" or (c.start in goods and not c.targets) for c in p.claims)
            and "item" in self.sender.spec(claim).args
            and not claim.args.get("item")
        ):
            self._plain(p)
            return True
        if not all(c.by_role and not c.targets for c in p.claims):
            return False
        if "role" not in self.sender.spec(claim).args or claim.args.get("role") is not None:
            return False
        self._plain(p)
        return True

    # --- orders -----------------------------------------------------------------------------------------------------------

    def _orders(self, p: Parsed) -> None:
        if self._hint_answers(p):
            return
        self._answer_first(p)
        arguments = self._arguments(p)
        made: list[Claim] = []
        for claim in p.claims:
            if claim.form == "hint" and p.clause.opener in _CONCEDING:
                continue  # «…, даже если Белка против»
            if claim.form == "hint" and not (claim.targets or claim.label or p.free) and self._loose_before(p) is None:
                continue
            if self._only_names_the_actor(p, claim):
                self.actor = (claim.role or "", p.index)
                continue
            self._prepare(p, claim, arguments)
            if claim.form == "role" and p.verbs and not (claim.targets or claim.label):
                claim.talk.append("third_person")  # «Кот спит на клавиатуре»
            made.append(claim)
        if not made:
            self._turn(p)
            return
        for claim in made:
            claim.unexplained = [i for i in p.unexplained if i not in arguments.used]
            if p.free:
                self._free_beside(p, claim)
        self._share(made)
        for claim in made:
            self._strange(p, claim)
            self._same_place(p, claim)
            self._pronoun(p, claim)
            self._add(claim)
        self._take_from_before(p, made)
        self._look_ahead(p, made[-1])

    def _hint_answers(self, p: Parsed) -> bool:
        """«Голос мой - против Анны»: words that hint at the very move behind its label."""
        claim = self.open
        if claim is None or p.clause.opener not in LABEL_SIGNS or not self._reaches(p) or claim.targets or claim.talk:
            return False
        same = all(c.form == "hint" and set(c.actions) & set(claim.actions) and c.targets and not c.talk for c in p.claims)
        if not same or p.free or len(p.claims) != 1:
            return False
        claim.targets = p.claims[0].targets
        claim.unexplained += p.unexplained
        self.open, self.last, self.last_at = None, claim, p.index
        return True

    def _answer_first(self, p: Parsed) -> None:
        """«Ход: переспать - Змей и ещё купить …»: the nick behind a label's sign answers it, before the clause's own move."""
        first = next((i for i in range(p.clause.start, p.clause.end) if self.found[i].kind in "wn"), -1)
        answers = [n for n in p.free if n.start == first and n.kind == "nick" and n.end <= p.claims[0].start]
        if not answers or self.open is None or p.clause.opener not in LABEL_SIGNS or not self._reaches(p):
            return
        claim = self.open
        spec = self.sender.spec(claim)
        if spec.most == 1 and not claim.targets:
            claim.targets.append(target_of(answers[0], None, self.sender, spec, nominative=True))
            p.free.remove(answers[0])
            self.open, self.last, self.last_at = None, claim, p.index

    def _only_names_the_actor(self, p: Parsed, claim: Claim) -> bool:
        """«Свидетель, наблюдаю: Громов», «самурай: прикрываю …»: a role before the move that it makes."""
        if claim.form != "role" or claim.targets:
            return False
        follow = next((q for q in self.parsed[p.index + 1 :] if self.counts(q.clause)), None)
        if follow is None:
            return not claim.label
        if not follow.claims and follow.free and follow.clause.sentence == p.clause.sentence:
            return False  # «киллер (Олег): Кира»
        acts = any(set(c.actions) & set(self.words.roles[claim.role or ""].actions) for c in follow.claims)
        if p.verbs and follow.clause.sentence != p.clause.sentence:
            return False  # «Кот спит на клавиатуре. Слежу за …»
        return acts or not claim.label

    def _prepare(self, p: Parsed, claim: Claim, arguments: Arguments) -> None:
        if self.actor is not None and claim.role is None:
            role, at = self.actor
            fitting = tuple(a for a in claim.actions if a in self.words.roles[role].actions)
            if fitting and p.index - at <= _REACH:
                claim.role, claim.actions = role, fitting
        if claim.form == "third" and claim.role is None and p.subject is None and p.clause.opener in ("и", "а", ",", "но"):
            self._same_subject(p, claim)
        if claim.form == "third" and claim.role is None and self.turned and self.claims and self.claims[-1].role is not None:
            role = self.claims[-1].role
            if set(claim.actions) & set(self.words.roles[role].actions):
                claim.role = role  # «Артемон кусает... то есть избивает Яшку»
        claim.turned = self.turned or any(hit.end <= claim.start for hit in p.clause.marks("turn"))
        foreign = not set(claim.actions) & self.sender.owned or (claim.form in ("third", "past", "second") and claim.role is None)
        self.turned = self.turned and foreign
        self._merge_places(claim)
        claim.either = self._alternatives(p, claim)
        arguments.fill(claim)

    def _same_subject(self, p: Parsed, claim: Claim) -> None:
        """«Тортилла выползла из пруда и нападает на Кекса»: the role that opens the sentence acts on."""
        before = self.parsed[p.index - 1] if p.index else None
        if before is None or before.clause.sentence != p.clause.sentence:
            return
        mine = [n for n in before.names if n.start == before.clause.start and n.seats == {self.sender.seat}]
        if mine and not before.roles and (before.verbs or before.claims):
            p.subject = mine[0]  # «Винни хочет мёда и шпионит за Кузей»
            return
        if len(before.roles) != 1:
            return
        if any(name.seats != {self.sender.seat} for name in before.names):
            return
        hit = before.roles[0]
        opens = all(self.found[i].kind != "w" for i in range(before.clause.start, hit.start))
        told = before.verbs or any(c.form in ("hint", "third", "past") for c in before.claims)
        if opens and told and set(self.words.roles[hit.meaning.id].actions) & set(claim.actions):
            claim.role = hit.meaning.id

    def _arguments(self, p: Parsed) -> Arguments:
        taken = {i for name in (*p.names, *p.aside, *p.dropped) for i in range(name.start, name.end)}
        return Arguments(self.text, self.sender, p.clause, p.roles, frozenset(taken))

    def _merge_places(self, claim: Claim) -> None:
        """«Виновен №11 Леший»: a place in the list and the nick of that place are one."""
        places = [t for t in claim.targets if t.kind == "list"]
        nicks = {t.seats for t in claim.targets if t.kind != "list"}
        claim.targets = [t for t in claim.targets if t not in places or t.seats not in nicks]

    def _alternatives(self, p: Parsed, claim: Claim) -> bool:
        """Whether the targets of a clause stand as a choice («Анну или Бориса», «Анна/Борис»)."""
        if len(claim.targets) < 2:
            return False
        first, last = claim.targets[0].start, claim.targets[-1].end
        return any(self.found[i].folded in ("или", "либо", "/", "то") for i in range(first, last))

    def _free_beside(self, p: Parsed, claim: Claim) -> None:
        """A nick in the order's clause that no slot takes: perhaps the target, perhaps not."""
        if claim.actions[0] == "cancel":
            return  # «Отменяю ход против Лося»
        claim.doubt("unclear_target")
        if not claim.targets and self.sender.spec(claim).most:
            for name in p.free:
                target = target_of(name, None, self.sender, self.sender.spec(claim))
                claim.targets.append(Target(target.seats, target.start, target.end, sure=False))

    def _share(self, made: Sequence[Claim]) -> None:
        """«Линч и проверка Захару»: two moves of one clause, one nick."""
        given = [claim for claim in made if claim.targets]
        for claim in made:
            spec = self.sender.spec(claim)
            if spec.leads or spec.wraps:
                continue
            if not claim.targets and self._wants(claim) and len(given) == 1 and claim.form in ("noun", "infinitive"):
                claim.targets = list(given[0].targets)

    def _wants(self, claim: Claim) -> bool:
        return len(claim.targets) < self.sender.spec(claim).least

    def _add(self, claim: Claim) -> None:
        claim.order = len(self.claims)
        last = self.claims[-1] if self.claims else None
        labelled = self.parsed[claim.clause].clause.opener in LABEL_SIGNS
        beside = last is not None and (claim.clause == last.clause or (labelled and claim.clause == last.clause + 1))
        given = beside and last is not None and "item" in self.sender.spec(last).args
        if given and claim.form == "noun" and "item" not in self.sender.spec(claim).args:
            claim.doubt("ambiguous_action")  # «Дарю пистолет Жанне»: the thing that is given has the name of a move
        self.claims.append(claim)
        self.loose = None
        asks = self.parsed[claim.clause].clause
        weak = claim.form in ("third", "past", "second") and claim.role is None
        if (asks.stop == "?" and asks.marks("ask") and not claim.label) or weak or "denied" in claim.talk:
            self.open = None
        elif self._wants(claim) and claim.refusal is None:
            self.open = claim
        else:
            self.open = None if self.open is None or not self._shared(claim) else self.open
        if claim.targets:
            self.last, self.last_at = claim, claim.clause
            self._close_open(claim)
        elif not self._wants(claim) or claim.refusal is not None:
            self.last, self.last_at = claim, claim.clause

    def _shared(self, claim: Claim) -> bool:
        return False

    def _close_open(self, claim: Claim) -> None:
        """«Линч и проверка - Захар»: a move word waits beside one that has its nick."""
        for other in self.claims[:-1]:
            near = other.sentence == claim.sentence and claim.clause - other.clause == 1
            if near and self._wants(other) and not other.targets and self.parsed[claim.clause].clause.opener == "и":
                other.targets = list(claim.targets)

    def _look_ahead(self, p: Parsed, claim: Claim) -> None:
        """A label waits for what stands behind its sign; any other move word only while it lacks a nick."""
        if not self._wants(claim) and claim.label and self.sender.spec(claim).most > len(claim.targets) and not claim.targets:
            self.open = claim

    def _take_from_before(self, p: Parsed, made: Sequence[Claim]) -> None:
        """«Всё-таки Жук. Голос.», «Сегодня прощаемся с Енотом. Это линч»: a short sentence names the move of the nick before."""
        before = self._loose_before(p)
        if before is None:
            return
        arguments = self._arguments(before)
        behind = self.parsed[p.index + 1 : p.index + 2]
        answered = any(q.free and q.clause.sentence == p.clause.sentence and q.clause.opener in LABEL_SIGNS for q in behind)
        for claim in made:
            spec = self.sender.spec(claim)
            if (
                (claim.label and answered)
                or claim.targets
                or not (self._wants(claim) or claim.label)
                or len(before.free) > spec.most
                or claim.unexplained
                or claim.talk
            ):
                continue
            claim.targets = [target_of(name, None, self.sender, spec, nominative=spec.predicate) for name in before.free]
            arguments.fill(claim)
            left = [i for i in before.unexplained if not self._hinted(before, i, claim)]
            claim.unexplained = [i for i in left if i not in arguments.used]
            self.claims = [old for old in self.claims if not (old.form == "nick" and old.clause == before.index)]
            self.last, self.last_at, self.open = claim, claim.clause, None

    def _hinted(self, p: Parsed, at: int, claim: Claim) -> bool:
        return any(h.start <= at < h.end and set(h.meaning.id) & set(claim.actions) for h in p.clause.kinds("hint"))

    def _loose_before(self, p: Parsed) -> Parsed | None:
        at = p.index - 1
        if at < 0 or p.clause.bracketed:
            return None
        before = self.parsed[at]
        if self._addressed(before) or any(self._spoken_of(name) for name in before.free):
            return None
        ok = before.free and not before.claims and not before.verbs and self.counts(before.clause) and not before.clause.quoted
        taken = before.index == self.last_at and self.last is not None and self.last.form != "nick"
        if not ok or before.clause.stop == "?" or taken:
            return None
        return before

    def _spoken_of(self, name: Mention) -> bool:
        """«насчёт Жука», «про Жука»: only what is told of."""
        return name.start > 0 and self.found[name.start - 1].folded in grammar().lists["told_of"]

    # --- pronouns and strangers -------------------------------------------------------------------------------------------

    def _same_place(self, p: Parsed, claim: Claim) -> None:
        """«МО на Клоуна, туда же и линч»: the move without a nick goes where the other one went."""
        if claim.targets or not self._wants(claim) or not p.clause.has("same_place"):
            return
        if self.last is not None and len(self.last.targets) == 1:
            claim.targets = list(self.last.targets)
        else:
            claim.doubt("pronoun")

    def _pronoun(self, p: Parsed, claim: Claim) -> None:
        """A pronoun in the nick's place means the one nick of the sentence before it, else nobody surely."""
        if claim.targets or not self._wants(claim):
            return
        hits = [hit for hit in p.clause.marks("pronoun") if not self._explained_pronoun(p, hit.start) and self._stands(p, hit)]
        left_out = [hit for hit in hits if hit.start and self.found[hit.start - 1].folded in ("не", "ни")]
        if left_out and claim.start < left_out[0].start:  # «лечить буду не его, а Степана»
            held = {i for hit in left_out for i in range(hit.start - 1, hit.end)}
            claim.unexplained = [i for i in claim.unexplained if i not in held]
            hits = [hit for hit in hits if hit not in left_out]
        if not hits:
            return
        named: dict[frozenset[str], Mention] = {}
        for q in self.parsed:
            if q.clause.sentence == p.clause.sentence:
                for name in (*q.names, *q.aside):
                    idle = name.weak and q.claims == [] and not self.found[name.start].capital
                    if name.start < hits[0].start and name.kind == "nick" and not idle:
                        named[name.seats] = name
        if not named and hits[0].start >= claim.end and claim.form in ("first", "infinitive", "imperative"):
            named = self._named_before(p, self.found[hits[0].start].folded)
        if len(named) == 1:
            name = next(iter(named.values()))
            claim.targets = [target_of(name, None, self.sender, self.sender.spec(claim))]
            claim.unexplained = [i for i in claim.unexplained if not any(h.start <= i < h.end for h in hits)]
        else:
            claim.doubt("pronoun")

    def _named_before(self, p: Parsed, pronoun: str) -> dict[frozenset[str], Mention]:
        """The nicks that a pronoun can mean in the sentence before, by their gender."""
        before = [q for q in self.parsed if q.clause.sentence == p.clause.sentence - 1 and not q.clause.quoted]
        if any(q.clause.stop == "?" for q in before):
            return {}
        names = {
            n.seats: n for q in before for n in (*q.names, *q.aside) if n.kind == "nick" and not n.weak and len(n.seats) == 1
        }
        gender = "f" if pronoun in grammar().lists["pronouns_f"] else "m"
        known = self.sender.roster.genders
        return {seats: n for seats, n in names.items() if known.get(next(iter(seats)), gender) in (gender, "")}

    def _stands(self, p: Parsed, hit: Hit) -> bool:
        """Whether a pronoun stands for somebody («эту» does, «этим утром» does not)."""
        word, after = self.found[hit.start].folded, self.found[hit.end].folded if hit.end < p.clause.end else ""
        personal = facts(word).main == "pronoun" or word in ("его", "ее", "их")
        return personal or not after or not facts(after).forms & {"noun", "adjective"}

    def _explained_pronoun(self, p: Parsed, at: int) -> bool:
        return any(hit.start <= at < hit.end for hit in p.clause.marks("same_place", "same", "somebody", "as_others"))

    def _strange(self, p: Parsed, claim: Claim) -> None:
        """A word in the nick's place that is nobody's nick: perhaps misspelt or shortened, else unknown."""
        spec = self.sender.spec(claim)
        if claim.targets or not spec.most or claim.talk or p.free:
            return
        place = self._strange_place(p, claim)
        if place is None:
            return
        self._name_stranger(claim, place)

    def _name_stranger(self, claim: Claim, at: int) -> None:
        token = self.found[at]
        spec = self.sender.spec(claim)
        target = self._doubtful_target(at)
        if target is not None:
            claim.targets.append(target)
            claim.unexplained = [i for i in claim.unexplained if not target.start <= i < target.end]
            if not target.sure:
                claim.doubt("ambiguous_nick")
            return
        if token.capital and at > 0 and self._inside(at) and (spec.least or claim.label):
            claim.refusal = "unknown_nick"
            claim.unexplained = [i for i in claim.unexplained if i != at and not self.found[i].capital]

    def _inside(self, at: int) -> bool:
        """Whether a capital is the writer's will, and not the beginning of a sentence; a name is one all the same."""
        word = self.found[at].folded
        opens = any(self.text.sentences[p.clause.sentence].start == at for p in self.parsed if p.clause.start == at)
        return not opens or not is_word(word) or not is_common_word(word)

    def _strange_place(self, p: Parsed, claim: Claim) -> int | None:
        """The unexplained word that stands where the nick must stand: behind the move word, else alone before it."""
        behind = [i for i in claim.unexplained if i >= claim.end and self.found[i].kind == "w"]
        if behind:
            return behind[0]
        lead = [i for i in claim.unexplained if i < claim.start and self.found[i].kind == "w" and self.found[i].capital]
        return lead[-1] if lead and lead[-1] == claim.start - 1 and lead[-1] > p.clause.start else None

    def _doubtful_target(self, at: int) -> Target | None:
        """A target read with doubt from an ordinary, misspelt or shortened word in a nick's place."""
        token = self.found[at]
        after = self.found[at + 1] if at + 1 < len(self.found) else None
        cut = after is not None and after.folded == "." and after.glued
        roster = self.sender.roster
        candidates = doubtful(token.folded, roster, cut=cut)
        if not candidates and token.capital and len(token.folded) >= _BEGINNING and not is_word(token.folded):
            beginning = doubtful(token.folded, roster, cut=True)
            seats = tuple(dict.fromkeys(c.seat for c in beginning))
            return Target(seats, at, at + 1, sure=False) if seats else None  # «Прон»: perhaps Пронин
        if not candidates:
            return None
        dead = self.sender.known.dead
        seats = tuple(dict.fromkeys(c.seat for c in candidates if c.seat not in dead)) or (candidates[0].seat,)
        return Target(seats, at, at + 1, sure=len(seats) == 1 and candidates[0].rank < DOUBTFUL)

    # --- nicks without a move word ----------------------------------------------------------------------------------------

    def _nicks(self, p: Parsed) -> None:
        """A clause that names players and no move."""
        waits = self.open or self.last
        if waits is not None and "number" in self.sender.spec(waits).args and waits.args.get("number") is None:
            places = [name for name in p.names if name.kind == "list"]
            p.unexplained += [i for name in places for i in range(name.start, name.end)]
            p.names = [name for name in p.names if name not in places]
            self._plain(p)
            return
        if self._role_asked(p, waits):
            return
        self._turn(p)
        if self._carries_out(p, p.free):  # the writer may name themselves, too
            return
        names = [n for n in p.free if n.kind != "nick" or n.seats != {self.sender.seat} or self.open is not None]
        names = self._with_small_ones(p, names)
        labelled = self.open is not None and p.clause.opener in LABEL_SIGNS
        if names and not labelled and self._addressed(p):
            self._called(p, names)
            return
        if not names or self._regrets(p) or self._and_i(p, names):
            return
        if (
            (p.verbs and not self._fills(p))
            or self._describes(p)
            or (p.clause.bracketed and p.unexplained and p.clause.opener == "(")
        ):
            self._told(p)
            return
        if p.verbs:
            p.unexplained = [i for i in p.unexplained if i not in self._open_hints(p)]
        if self.open is not None and self._reaches(p):
            self._fill_open(p, names)
        elif self.turned and self.last is not None and self._only_the_old(names):
            return
        elif (self.turned or self._drops_the_last(p)) and self.last is not None:
            self._replace(p, names)
        elif (past := self._told_of_the_past(p)) is not None:
            self._now(p, names, past)
        elif self._goes_on(p):
            if not p.clause.has("another_time", "past"):
                self._more(p, names)
        else:
            self._alone(p, names)

    def _called(self, p: Parsed, names: Sequence[Mention]) -> None:
        """«Вася и Ёршик, приходите на чай»: who is called with the words of the writer's own move may be its target."""
        near = [
            q for q in self.parsed[max(0, p.index - 1) : p.index + 2] if q.clause.sentence == p.clause.sentence and q is not p
        ]
        mine = {a for role in self.sender.known.roles if role in self.words.roles for a in self.words.roles[role].actions}
        hints = [c for q in near for c in q.claims if c.form == "hint" and set(c.actions) & mine and not c.talk]
        if not hints or not self.sender.letter or self.claims:
            return
        claim = Claim(hints[0].actions, names[0].start, names[0].start, p.index, p.clause.sentence, "hunch")
        claim.targets = [target_of(name, None, self.sender, self.sender.spec(claim)) for name in names]
        claim.doubt("unclear_target")
        self._add(claim)

    def _and_i(self, p: Parsed, names: Sequence[Mention]) -> bool:
        """«Все голосуют за Грома, а я за Карамель»: the same verb, unsaid, of the writer."""
        words = [self.found[i].folded for i in range(p.clause.start, p.clause.end) if self.found[i].kind == "w"]
        last = self.claims[-1] if self.claims else None
        others = self._others(last) if last is not None else False
        if last is None or not others or words[:2] not in (["а", "я"], ["но", "я"], ["и", "я"]) or p.unexplained:
            return False
        if last.sentence != p.clause.sentence or last.clause != p.index - 1:
            return False
        claim = Claim(last.actions, last.start, last.end, p.index, p.clause.sentence, "first")
        claim.targets = [target_of(name, self._cases(name), self.sender, self.sender.spec(claim)) for name in names]
        claim.doubt("unclear")
        self._add(claim)
        return True

    def _others(self, claim: Claim) -> bool:
        """Whether a claim says what others do («Борис голосует за …», «Все за …»)."""
        first = [self.found[i].folded for i in range(self.parsed[claim.clause].clause.start, claim.end)]
        everybody = bool(grammar().lists["everybody"] & set(first))
        return claim.form == "third" or (everybody and claim.form in ("hint", "nick", "noun"))

    def _with_small_ones(self, p: Parsed, names: list[Mention]) -> list[Mention]:
        """«Интервью: белка и скорпи»: beside a nick of a list its ordinary words are nicks, too."""
        if self.open is None or self.sender.spec(self.open).most < 2 or p.clause.opener not in LABEL_SIGNS or not names:
            return names
        small = [n for n in p.names if n.weak and n not in names and set(range(n.start, n.end)) <= set(p.unexplained)]
        if len(names) + len(small) > self.sender.spec(self.open).most:
            return names
        held = {i for n in small for i in range(n.start, n.end)}
        p.unexplained = [i for i in p.unexplained if i not in held]
        return sorted([*names, *small], key=lambda n: n.start)

    def _regrets(self, p: Parsed) -> bool:
        """«Филина жалко»: a feeling about somebody, and nothing else."""
        words = [self.found[i].folded for i in range(p.clause.start, p.clause.end) if self.found[i].kind == "w"]
        return not p.unexplained and bool(grammar().lists["regret"] & set(words)) and self.open is None

    def _carries_out(self, p: Parsed, names: Sequence[Mention]) -> bool:
        """«убийство - Седой, идёт Филин»: who carries the team's move out."""
        table = self.words.settings.get("performer")
        if table is None or self.last is None or self.last.actions[0] != table["action"] or len(names) != 1:
            return False
        words = {self.found[i].folded for i in range(p.clause.start, p.clause.end)}
        performs = grammar().lists["performs"]
        left = [i for i in p.unexplained if self.found[i].folded not in performs]
        if p.clause.sentence - self.last.sentence > 1 or not words & performs or left:
            return False
        spec = self.sender.spec(self.last)
        self.last.performer = target_of(names[0], None, self.sender, spec)
        p.free = []  # the nick is taken: no move behind it may have it, too
        return True

    def _role_asked(self, p: Parsed, claim: Claim | None) -> bool:
        """«Заявка: Мальвина» beside a player of that name: what is asked for is the role."""
        if claim is None or "role" not in self.sender.spec(claim).needs or claim.args.get("role") is not None:
            return False
        roles = [hit for hit in p.clause.kinds("role") if any(name.start == hit.start for name in p.free)]
        if not roles or p.clause.sentence - claim.sentence > 1:
            return False
        p.roles = roles
        p.free = []
        self._plain(p)
        return True

    def _signature(self, p: Parsed) -> bool:
        """The writer's nick by itself closes the letter."""
        return all(n.seats == {self.sender.seat} for n in p.free)

    def _addressed(self, p: Parsed) -> bool:
        """A nick that is only spoken to: «Прости, Мурзик, погорячилась», «Гена, прости друг», «Жук, не скучай»."""
        if any("nomn" not in c.cases and c.cases for n in p.free for c in n.candidates if c.rank <= NEAR) and not all(
            any("nomn" in c.cases or not c.cases for c in n.candidates) for n in p.free
        ):
            return False
        for q in self.parsed[max(0, p.index - 1) : p.index + 2]:
            spoken = any(n.kind != "self" for n in q.free) or any(c.targets or c.form != "hint" for c in q.claims)
            if q is p or q.clause.sentence != p.clause.sentence or spoken or q.clause.color != p.clause.color:
                continue
            if self._speaks_to(q):
                return True
        return self._speaks_to(p, own=True)

    def _speaks_to(self, q: Parsed, *, own: bool = False) -> bool:
        for i in range(q.clause.start, q.clause.end):
            word = self.found[i].folded
            if self.found[i].kind != "w":
                continue
            marked = any(hit.start <= i < hit.end for hit in q.clause.kinds("mark"))
            spoken = i in q.unexplained and not marked and facts(word).known and facts(word).main in _ADDRESSING
            if word in grammar().lists["addressing"] or spoken:
                return True
        return False

    def _describes(self, p: Parsed) -> bool:
        """A reason without a verb: «уж больно Барон тихий», «чтобы Жука оставить в покое»."""
        first = next((self.found[i].folded for i in range(p.clause.start, p.clause.end) if self.found[i].kind == "w"), "")
        known = [facts(self.found[i].folded) for i in p.unexplained]
        if first in grammar().lists["content"] and any("infinitive" in k.forms for k in known):
            return True
        nominative = all(any("nomn" in c.cases or not c.cases for c in n.candidates) for n in p.free)
        told = any(k.main == "adjective" and "nomn" in k.cases for k in known)
        return nominative and told and p.clause.opener in (",", "а", "но", "и", "-", "–", "—") and self.open is None

    def _fills(self, p: Parsed) -> bool:
        """Whether the only verbs of the clause tell of the move that waits for a nick («истинное зрение, смотрю на Осу»)."""
        return self.open is not None and set(p.verbs) <= self._open_hints(p)

    def _open_hints(self, p: Parsed) -> set[int]:
        wanted = set(self.open.actions) if self.open is not None else set()
        hints = [hit for hit in p.clause.kinds("hint") if wanted & set(hit.meaning.id)]
        return {i for hit in hints for i in range(hit.start, hit.end)}

    def _told(self, p: Parsed) -> None:
        """A clause with a verb of its own about some player: a reason or talk, but perhaps a move in unknown words."""
        self.loose = None
        self._another(p)
        self._hunch(p)

    def _another(self, p: Parsed) -> None:
        """«Лечу Гека, а впрочем и Чука бы неплохо»: another nick in the slot's case, with no verb that could govern it."""
        if self.last is None or p.clause.sentence != self.parsed[self.last_at].clause.sentence:
            return
        acting = ("first", "second", "third", "past", "imperative")
        words = [facts(self.found[i].folded) for i in p.unexplained]
        if any(known.main in acting or "infinitive" in known.forms for known in words) or p.clause.opener not in (
            ",",
            "а",
            "но",
            "и",
        ):
            return
        said = {"predicative", "short"}
        told = any(known.forms & said or known.finite for known in words)  # «…, он полезнее Анны»
        if p.clause.opener in (",", "и") and not p.clause.has("subjunctive", "turn") and told:
            return  # «…, за Филина обидно»
        if any(all("nomn" not in c.cases for c in name.candidates) for name in p.free):
            self.last.doubt("unclear_target")

    def _hunch(self, p: Parsed) -> None:
        """«Укокошу Сирень»: a verb of the writer's own deed that no vocabulary knows is worth a question."""
        if not self.sender.letter or p.clause.stop == "?" or p.clause.has("speech", "past", "ask", "later", "another_time"):
            return
        verbs = [facts(self.found[i].folded) for i in p.verbs]
        thinking = grammar().lists["thinking"]
        own = [v for v in verbs if "first" in v.forms and not v.lemmas & thinking]
        if len(own) != len(verbs) or not own or any(self.found[i].folded in ("не", "ни") for i in p.unexplained):
            return
        oblique = [n for n in p.free if all("nomn" not in c.cases for c in n.candidates) or self._after_preposition(n)]
        if oblique and self.sender.defaults:
            claim = Claim(self.sender.defaults, p.verbs[0], p.verbs[0] + 1, p.index, p.clause.sentence, "hunch")
            spec = self.sender.spec(claim)
            claim.targets = [target_of(n, None, self.sender, spec) for n in oblique] if spec.most else []
            claim.unexplained = list(p.unexplained)
            claim.doubt("unexplained")
            claim.order = len(self.claims)
            self.claims.append(claim)

    def _after_preposition(self, name: Mention) -> bool:
        return name.start > 0 and self.found[name.start - 1].folded in grammar().prepositions

    def _reaches(self, p: Parsed) -> bool:
        claim = self.open
        if claim is None or p.clause.sentence - claim.sentence > _REACH:
            return False
        return not claim.talk or p.clause.sentence == claim.sentence

    def _fill_open(self, p: Parsed, names: Sequence[Mention]) -> None:
        claim = self.open
        assert claim is not None
        if p.clause.stop == "?" and p.clause.sentence != claim.sentence:
            claim.doubt("question")  # «Завербовать... Анну? Бориса?»
        if p.clause.sentence != claim.sentence and self._conditioned(p):
            claim.doubt("conditional")  # the subject «Проверь», the body «Анну, если …»
        spec = self.sender.spec(claim)
        for name in names:
            formula = spec.predicate and claim.form == "short"
            labelled = claim.label and p.clause.opener in LABEL_SIGNS
            target = target_of(name, None, self.sender, spec, nominative=formula or labelled or spec.most > 1)
            if spec.most and (spec.most > 1 or target.seats not in [old.seats for old in claim.targets]):
                claim.targets.append(target)
        arguments = self._arguments(p)
        arguments.fill(claim)
        claim.unexplained += [i for i in p.unexplained if i not in arguments.used]
        claim.unexplained = [i for i in claim.unexplained if not self._pronoun_at(i)]
        claim.either = claim.either or self._alternatives(p, claim)
        claim.turned = claim.turned or self.turned
        claim.doubts = [doubt for doubt in claim.doubts if doubt != "pronoun"]
        if p.clause.has("somebody"):
            claim.doubt("somebody")
        self.turned = False
        self.last, self.last_at = claim, p.index
        for other in self.claims:
            beside = other.sentence == claim.sentence and claim.clause - other.clause == 1
            if beside and self._wants(other) and not other.targets and self.parsed[claim.clause].clause.opener == "и":
                other.targets = list(claim.targets)
        if not self._wants(claim):
            self.open = None

    def _conditioned(self, p: Parsed) -> bool:
        same = [q.clause for q in self.parsed if q.clause.sentence == p.clause.sentence]
        return any(clause.has("condition") and not clause.has("no_condition") for clause in same)

    def _pronoun_at(self, at: int) -> bool:
        """«Виновен он, Леший»: the pronoun that the nick explains."""
        return self.found[at].folded in grammar().lists["others"]

    def _replace(self, p: Parsed, names: Sequence[Mention]) -> None:
        """«…, точнее Ирину», «Нет, Зубра!»: the same move at somebody else."""
        old = self.last
        assert old is not None
        claim = Claim(old.actions, old.start, old.end, p.index, p.clause.sentence, old.form, args=dict(old.args))
        spec = self.sender.spec(claim)
        if not spec.most:
            self.turned = False
            return
        claim.role, claim.performer, claim.turned, claim.label = old.role, old.performer, True, old.label
        claim.targets = [target_of(name, None, self.sender, spec) for name in names]
        claim.either = self._alternatives(p, claim)
        claim.unexplained = list(p.unexplained)
        words = [self.found[i].folded for i in range(p.clause.start, p.clause.end) if self.found[i].kind == "w"]
        same = p.clause.sentence == self.parsed[self.last_at].clause.sentence
        if same and words[:1] == ["хотя"] and "нет" not in words and not any(word.startswith("давай") for word in words):
            claim.doubt("unsure")  # «…, хотя лучше Нику»
        self.turned = False
        self._add(claim)

    def _only_the_old(self, names: Sequence[Mention]) -> bool:
        """«Поторопилась с Ритой, …»: a correction that names whom it drops."""
        seats = set(self.last.seats()) if self.last is not None else set()
        return bool(seats) and all(name.seats & seats for name in names)

    def _told_of_the_past(self, p: Parsed) -> Claim | None:
        """«Вчера голосовал за А, сегодня за Б»: the move of the past that the clause goes on with."""
        if not p.clause.has("now") or p.unexplained:
            return None
        before = [q for q in self.parsed[: p.index] if q.clause.sentence == p.clause.sentence]
        return next((c for q in reversed(before) for c in q.claims if c.form == "past"), None)

    def _now(self, p: Parsed, names: Sequence[Mention], past: Claim) -> None:
        claim = Claim(past.actions, past.start, past.end, p.index, p.clause.sentence, "first")
        spec = self.sender.spec(claim)
        claim.targets = [target_of(name, self._cases(name), self.sender, spec) for name in names] if spec.most else []
        claim.turned = True
        self._add(claim)

    def _drops_the_last(self, p: Parsed) -> bool:
        """«Зубра, а не Кекса», «вместо Кекса пусть будет Зубр»: whom the order named is left out."""
        if self.last is None or not self.last.targets:
            return False
        near = [q for q in self.parsed[max(0, p.index - 1) : p.index + 2] if q.clause.sentence == p.clause.sentence]
        dropped = {seat for q in near for name in q.dropped for seat in name.seats}
        return bool(dropped) and set(self.last.seats()) <= dropped

    def _goes_on(self, p: Parsed) -> bool:
        """Whether the clause stands right behind the nicks of the last order, as one more of its list."""
        if self.last is None or not self.last.targets or p.clause.sentence != self.parsed[self.last_at].clause.sentence:
            return False
        return p.index - self.last_at == 1 and (p.clause.opener in _JOINING or p.clause.opener in LABEL_SIGNS)

    def _more(self, p: Parsed, names: Sequence[Mention]) -> None:
        claim = self.last
        assert claim is not None
        spec = self.sender.spec(claim)
        known = set(claim.seats())
        before = len(claim.targets)
        for name in names:
            target = target_of(name, None, self.sender, spec, nominative=spec.most > 1)
            if (target.kind == "list" and set(target.seats) <= known) or (name.weak and self._says_more(p, names)):
                continue
            if claim.targets[-1].kind == "list" and claim.targets[-1].seats == target.seats:
                claim.targets[-1] = target
            elif target.seats and set(target.seats) <= known and spec.most == 1:
                claim.targets = [t for t in claim.targets if not set(target.seats) <= set(t.seats)] + [target]
            else:
                claim.targets.append(target)
        claim.unexplained += p.unexplained
        claim.either = claim.either or self._alternatives(p, claim)
        if p.clause.opener in LABEL_SIGNS and spec.most == 1 and len(claim.targets) > before:
            claim.doubt("two_targets")
        self.last_at = p.index
        if self.open is claim and not self._wants(claim):
            self.open = None

    def _says_more(self, p: Parsed, names: Sequence[Mention]) -> bool:
        """Whether a clause has words beside its nicks and what joins them."""
        held = {i for name in names for i in range(name.start - 1, name.end)}
        words = [i for i in range(p.clause.start, p.clause.end) if self.found[i].kind == "w" and i not in held]
        return any(self.found[i].folded not in ("и", "или", "а", "также", "еще", "ещё") for i in words)

    def _alone(self, p: Parsed, names: Sequence[Mention]) -> None:
        """Nicks by themselves."""
        self.loose = p
        action = self.alone
        before = self.parsed[p.index - 1] if p.index else None
        if (
            before is not None
            and before.clause.sentence == p.clause.sentence
            and before.clause.has("past", "same")
            and before.silent
        ):
            return  # «Вчерашний ход - Кролик - провалился»
        if all(n.kind == "self" for n in names) and self.sender.letter and not self._whole(p):
            return  # «Меня, чую, сегодня вздёрнут»
        choice = {hit.start for hit in p.clause.marks("either")}
        strong = [name for name in names if not name.weak or set(p.unexplained) <= choice]
        if not strong or (p.clause.stop == "?" and self.sender.letter):
            return
        actions, role = self._meant(p, action)
        if not actions:
            return
        claim = Claim(actions, strong[0].start, strong[0].start, p.index, p.clause.sentence, "nick", subject=p.clause.subject)
        spec = self.sender.spec(claim)
        claim.targets = [target_of(name, self._cases(name), self.sender, spec) for name in strong]
        claim.unexplained = list(p.unexplained)
        claim.either = self._alternatives(p, claim)
        claim.turned = self.turned
        claim.role = role
        if role is not None:
            claim.form = "role"
        elif self._announced(p):
            claim.form = "intent"
        elif self.sender.letter and any(hit.meaning.id not in _BESIDE_A_NICK for hit in p.clause.kinds("mark")):
            claim.doubt("unclear")
        self.turned = False
        self._add(claim)

    def _whole(self, p: Parsed) -> bool:
        """Whether the clause is its whole sentence, the words apart that say nothing."""
        return all(q is p or q.silent for q in self.parsed if q.clause.sentence == p.clause.sentence)

    def _meant(self, p: Parsed, action: str) -> tuple[tuple[str, ...], str | None]:
        """What a nick alone means: the move of a role named just before («Буратино» as the subject), else the writer's."""
        if self.actor is not None and p.clause.sentence - self.parsed[self.actor[1]].clause.sentence <= 1:
            role = self.words.roles[self.actor[0]]
            return role.default, role.id
        if not action and self.sender.letter and self._announced(p):
            return self._own_moves(), None
        return ((action,) if action else ()), None

    def _own_moves(self) -> tuple[str, ...]:
        roles = [self.words.roles[role] for role in self.sender.known.roles if role in self.words.roles]
        moves = dict.fromkeys(action for role in roles for action in role.actions)
        return tuple(action for action in moves if self.words.actions[action].most)

    def _announced(self, p: Parsed) -> bool:
        """Whether the clause, or the one before it, says that a move follows («Ход - Анна», «Поправка к ходу:»)."""
        near = [q for q in self.parsed[max(0, p.index - 1) : p.index + 1] if q.clause.sentence >= p.clause.sentence - 1]
        return any(hit.meaning.id == "intent" for q in near for hit in q.clause.kinds("cover"))

    def _cases(self, name: Mention) -> frozenset[str] | None:
        before = self.found[name.start - 1].folded if name.start else ""
        return grammar().prepositions.get(before)

    # --- clauses without nicks --------------------------------------------------------------------------------------------

    def _plain(self, p: Parsed) -> None:
        """A clause without a nick: an argument, a stranger's name, a pronoun, a turn, or talk."""
        self._turn(p)
        claim = self.open or self.last
        if self._points(p):
            return
        if claim is None:
            return
        near = p.clause.sentence == self.parsed[max(self.last_at, claim.clause)].clause.sentence
        arguments = self._arguments(p)
        if near or len(p.unexplained) <= _REACH:
            arguments.fill(claim)
        p.unexplained = [i for i in p.unexplained if i not in arguments.used]
        if self.open is None or p.verbs:
            return
        if near:
            self._same_place(p, claim)
            self._pronoun(p, claim)
        if near and claim.label and p.clause.opener in LABEL_SIGNS and not claim.targets:
            claim.unexplained += [i for i in p.unexplained if i not in claim.unexplained]
        if near and not claim.targets and p.unexplained and self._strange_alone(p, claim):
            self._name_stranger(claim, p.unexplained[0])
            p.unexplained = []
        if claim.targets or claim.refusal:
            self.open, self.last, self.last_at = None, claim, p.index

    def _points(self, p: Parsed) -> bool:
        """A coloured «+1», «туда же»: a vote like somebody else's."""
        hits = p.clause.marks("plus_one", "same_place", "same")
        if p.clause.color is None or not self.alone or not hits or self.claims or self.open is not None:
            return False
        held = {i for hit in hits for i in range(hit.start, hit.end)}
        if [i for i in p.unexplained if i not in held] or p.clause.stop == "?":
            return False
        claim = Claim((self.alone,), hits[0].start, hits[0].end, p.index, p.clause.sentence, "nick")
        claim.doubt("as_others" if hits[0].meaning.id == "plus_one" else "pronoun")
        self._add(claim)
        self.open = None
        return True

    def _strange_alone(self, p: Parsed, claim: Claim) -> bool:
        """Whether the clause behind a label holds nothing but a name that nobody bears."""
        first = self.found[p.unexplained[0]]
        label = claim.label or p.clause.opener in LABEL_SIGNS
        return label and first.kind == "w" and all(self.found[i].capital for i in p.unexplained)

    def _beside(self, p: Parsed) -> None:
        """A clause in which nothing counts (plain words of a thread that asks for a colour)."""
        self._turn(p)

    def _turn(self, p: Parsed) -> None:
        hits = p.clause.marks("turn")
        if hits and self.claims:
            self.turned = True
