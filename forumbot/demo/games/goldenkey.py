"""What the players of the Golden Key want: whom they suspect, whom they shoot, which role they would like tomorrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from forumbot.demo.games import goldenkey_words as words
from forumbot.demo.games.common import laid_out, letter, polite, post, robot
from forumbot.demo.games.model import Frame, View
from forumbot.demo.players import MOSCOW, Company
from forumbot.demo.saying import Means, Saying, Wish

TOWN = ("buratino", "malvina", "artemon", "pierro", "arlekin", "papa_carlo")
CLAN = ("karabas", "duremar", "alisa", "basilio")
ACTIONS = {
    "karabas": "recruit", "duremar": "guard", "alisa": "beat", "basilio": "spy", "buratino": "kill", "malvina": "invite",
    "artemon": "beat", "pierro": "spy", "arlekin": "recruit", "giuseppe": "attack", "tortilla": "attack",
}  # fmt: skip
MINUTE = timedelta(minutes=1)


class GoldenKeyPlayers:
    """Sixteen players. How well the town reads people, and how well the villains hide, follows from the seed."""

    def __init__(self, seed: int) -> None:
        random = Random(f"{seed}/natures")
        self.insight = random.choice((0.0, 0.1, 0.2, 0.35, 0.5, 0.65))
        """How often the town's suspicion falls on one who is not of the town."""
        self.blind = random.choice(((), (), ("maniacs",), ("villains",)))
        """Factions that the town never suspects on purpose: they hide well in this company."""
        self.frame = Frame(
            ruleset="goldenkey",
            title="Золотой ключик",
            players=random.choice((15, 15, 16)),
            mailing=0.6,
            starts=datetime(2026, 11, 29, 10, 0),
            signup_closes=datetime(2026, 11, 29, 20, 0),
            first_day=date(2026, 11, 30),
            tables={},
            phases={"setup": "подготовка", "lynch": "день", "night": "ночь"},
        )

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]:
        company.begin(f"{view.turn}/{name}")
        return {"setup": self._setup, "lynch": self._day, "night": self._night}[name](company, view, start, end)

    # Before the first day

    def _setup(self, company: Company, view: View, start: datetime, end: datetime) -> list[Saying]:
        state = view.state()
        clan = [seat for seat, one in state.items() if one["faction"] == "villains"]
        town = [seat for seat, one in state.items() if one["faction"] == "townsfolk"]
        times = iter(company.moments(start + 10 * MINUTE, end - 30 * MINUTE, len(town) + 3))
        said: list[Saying] = []
        if company.chance(0.7):
            chosen = company.random.sample(clan, 4)
            leader = company.random.choice(clan)
            line = company.random.choice(words.CLAN_ROLES)
            text = "\n".join(line.format(r_nom=words.ROLES[role][0], name=seat) for role, seat in zip(CLAN, chosen, strict=True))
            wish = Wish("assign_roles", tuple(chosen), {"roles": CLAN})
            said.append(letter(company, leader, f"Роли клана:\n{text}", "order", wish, at=next(times), subject="роли клана"))
        for seat in town:
            if company.chance(0.7):
                said.append(self._bid(company, view, seat, next(times), TOWN))
        said.append(letter(company, company.random.choice(town), company.say(words.QUESTIONS), at=next(times)))
        return said

    # Day

    def _day(self, company: Company, view: View, start: datetime, end: datetime) -> list[Saying]:
        """Votes and talk from eight to nine in the evening; before eight some who overslept still send the night's moves."""
        alive, dead = list(view.alive()), list(view.dead())
        day_start = max(start, end.astimezone(MOSCOW).replace(hour=8, minute=2))
        day_end = end - 12 * MINUTE
        said: list[Saying] = []
        suspects = self._suspects(company, view)
        voters = [seat for seat in alive if company.chance(0.85)]
        chatters = [company.random.choice(alive) for _ in range(9)]
        oddities = [odd for odd in self._oddities(company, view, alive, dead) if company.chance(0.55)]
        times = iter(company.moments(day_start, day_end, len(voters) * 2 + len(chatters) + len(oddities) + 6))
        acts: list[Callable[[datetime], list[Saying]]] = [
            *(self._voter(company, seat, suspects, alive, day_end) for seat in voters),
            *(self._chatter(company, seat, alive) for seat in chatters),
            *oddities,
        ]
        company.random.shuffle(acts)
        for act in acts:
            said += act(next(times))
        changes = [one for one in said if one.means == "order" and one.wishes[0].action == "vote" and one.channel == "post"]
        for vote in company.random.sample(changes, min(3, len(changes))):
            at = next(times)
            if at < vote.at + 2 * MINUTE:
                continue
            if company.chance(0.35):
                said.append(Saying(vote.author, at, "post", company.say(words.TAKEN_BACK), "order", (Wish("unvote"),)))
            else:
                target = company.random.choice([seat for seat in alive if seat != vote.author])
                said.append(
                    Saying(vote.author, at, "post", company.say(words.MOVED, target), "order", (Wish("vote", (target,)),))
                )
        return said

    def _suspects(self, company: Company, view: View) -> list[str]:
        """The one or two of whom everybody talks today."""
        state = view.state()
        alive = list(view.alive())
        foes = [seat for seat in alive if self._foe(state[seat])]
        chosen = []
        for _ in range(2):
            pool = foes if foes and company.chance(self.insight) else alive
            wounded = [seat for seat in pool if state[seat]["lives"] == 1]
            chosen.append(company.random.choice(wounded or pool))
        return chosen

    def _voter(
        self, company: Company, seat: str, suspects: list[str], alive: list[str], day_end: datetime
    ) -> Callable[[datetime], list[Saying]]:
        pool = [one for one in suspects if one != seat] or [one for one in alive if one != seat]
        target = pool[0] if company.chance(0.8) else company.random.choice(pool)
        if company.chance(0.08):
            target = company.random.choice([one for one in alive if one != seat])

        def act(at: datetime) -> list[Saying]:
            text = " ".join(
                part for part in (company.say(words.BEFORE), company.say(words.VOTES, target), company.say(words.AFTER)) if part
            )
            vote = Saying(seat, at, "post", text, "order", (Wish("vote", (target,)),))
            if company.chance(0.1):
                vote.quote_of = company.random.choice(alive)
            elif company.chance(0.07) and at < day_end - 45 * MINUTE:
                vote.edit, vote.edit_at, vote.means = f"{text} P. S. Поправлено, была опечатка.", at + 25 * MINUTE, "void"
            return [vote]

        return act

    def _chatter(self, company: Company, seat: str, alive: list[str]) -> Callable[[datetime], list[Saying]]:
        def act(at: datetime) -> list[Saying]:
            about = company.random.choice(alive)
            if company.chance(0.35):
                return [Saying(seat, at, "post", company.say(words.ANSWERS), quote_of=about)]
            said = Saying(seat, at, "post", company.say(words.CHATTER, about))
            if company.chance(0.15):
                said.edit, said.edit_at = f"{said.text} (исправлено)", at + 20 * MINUTE
            return [said]

        return act

    def _oddities(
        self, company: Company, view: View, alive: list[str], dead: list[str]
    ) -> list[Callable[[datetime], list[Saying]]]:
        """What hosts sigh about: votes in no colour, two names, conditions, jokes, votes of and for the dead, votes by letter."""
        if len(alive) < 3:
            return []
        seat, target, other = company.random.sample(alive, 3)

        def act(author: str, text: str, means: Means, *wishes: Wish) -> Callable[[datetime], list[Saying]]:
            return lambda at: [post(author, text, means, *wishes, at=at)]

        vote = Wish("vote", (target,))
        odd = [
            act(seat, company.say(words.PALE_VOTES, target), "void", vote),
            act(seat, company.say(words.ANNOUNCED, target), "nothing"),
            act(other, company.say(words.JOKES), "nothing"),
            act(other, company.say(words.STRUCK, target), "nothing"),
            act(seat, company.say(words.TWO_VOTES, target, other=other), "doubt", vote),
            act(other, company.say(words.STRANGERS), "void", Wish("vote", ("Снегурочка",))),
            lambda at: [Saying(seat, at, "post", company.say(words.VOTES, target), "void", (vote,), outsider=True)],
            lambda at: [letter(company, seat, f"голосую за {company.nick(target)['acc']}", "void", vote, at=at)],
            lambda at: [letter(company, other, company.say(words.QUESTIONS), at=at)],
            lambda at: [self._early_move(company, view, at)],
        ]
        if dead:
            ghost = company.random.choice(dead)
            odd.append(act(ghost, company.say(words.VOTES, target), "order", vote))
            odd.append(act(seat, company.say(words.VOTES, ghost), "order", Wish("vote", (ghost,))))
            odd.append(act(ghost, "Скучно тут у вас на том свете. Играйте уже!", "nothing"))
        return odd

    def _early_move(self, company: Company, view: View, at: datetime) -> Saying:
        """A move in broad daylight; the night is not open yet."""
        alive = list(view.alive())
        seat = company.random.choice(alive)
        return self._bid(company, view, seat, at, TOWN)

    # Night

    def _night(self, company: Company, view: View, start: datetime, end: datetime) -> list[Saying]:
        alive, dead = list(view.alive()), list(view.dead())
        state = view.state()
        letters: list[list[Saying]] = []
        clan = [seat for seat in alive if state[seat]["faction"] == "villains"]
        born = [seat for seat in clan if not set(state[seat]["roles"]) & {"giuseppe", "tortilla"}]
        if born:
            letters.append(self._clan_kill(company, view, born, clan))
        for seat in alive:
            letters.append(self._own_moves(company, view, seat))
            if state[seat]["faction"] == "townsfolk" and company.chance(0.75):
                letters.append([self._bid(company, view, seat, start, self._on_offer(view))])
        for _ in range(2):
            letters.append([letter(company, company.random.choice(alive), company.say(words.QUESTIONS))])
        letters.append(self._foreign(company, view, alive))
        if dead and company.chance(0.5):
            target = company.random.choice(alive)
            ghost = company.random.choice(dead)
            wish = Wish("kill", (target,))
            letters.append([letter(company, ghost, company.say(("убить {acc}", "стреляю в {acc}"), target), "order", wish)])
        letters.append([post(company.random.choice(alive), company.say(words.CHATTER, company.random.choice(alive)))])
        letters.append(self._late_vote(company, alive))
        letters.append(self._robots(company, alive))
        company.random.shuffle(letters)
        return laid_out(company, letters, start + 4 * MINUTE, end - 25 * MINUTE)

    def _on_offer(self, view: View) -> tuple[str, ...]:
        lives = view.ruleset.balances(view.game)["role_lives"]
        return tuple(role for role in TOWN if lives.get(role, 1) > 0 and (role != "papa_carlo" or len(view.alive()) > 6))

    def _victim(self, company: Company, view: View, seat: str, *, spare: Sequence[str] = ()) -> str:
        """Whom an actor goes for: the wounded first, with the town's insight for townsfolk."""
        state = view.state()
        others = [one for one in view.alive() if one != seat and one not in spare]
        if not others:
            others = [one for one in view.alive() if one != seat]
        if state[seat]["faction"] == "townsfolk" and company.chance(self.insight):
            others = [one for one in others if self._foe(state[one])] or others
        wounded = [one for one in others if state[one]["lives"] == 1]
        return company.random.choice(wounded if wounded and company.chance(0.85) else others)

    def _foe(self, player: Mapping[str, Any]) -> bool:
        return player["faction"] != "townsfolk" and player["faction"] not in self.blind

    def _own_moves(self, company: Company, view: View, seat: str) -> list[Saying]:
        """The moves of the roles one holds, in one of the ways in which people change their minds."""
        state = view.state()
        said: list[Saying] = []
        spare = (
            [one for one in view.alive() if state[one]["faction"] == "villains"] if state[seat]["faction"] == "villains" else []
        )
        for role in state[seat]["roles"]:
            if role not in ACTIONS or not company.chance(0.95):
                continue
            action = ACTIONS[role]
            if action == "recruit" and not self._free_maniacs(view):
                continue
            if role == "artemon" and view.game.night >= 4 and company.chance(0.6):
                action = "kill"
            if action == "guard":
                target = company.random.choice(spare) if spare and company.chance(0.8) else self._victim(company, view, seat)
            else:
                target = self._victim(company, view, seat, spare=spare if action != "recruit" else ())
            said += self._move(company, view, seat, role, action, target)
        return said

    def _free_maniacs(self, view: View) -> bool:
        return any(one["faction"] == "maniacs" and one["alive"] for one in view.state().values())

    def _move(self, company: Company, view: View, seat: str, role: str, action: str, target: str) -> list[Saying]:
        """One command, said at once or in one of the ways in which people change their minds."""
        state = view.state()[seat]
        named = len(state["roles"]) > 1
        others = [one for one in view.alive() if one not in (seat, target)] or [target]
        other = company.random.choice(others)

        def words_for(aim: str) -> str:
            return self._command(company, role, action, aim, named=named)

        def say(text: str, means: Means, *wishes: Wish) -> Saying:
            return letter(company, seat, text, means, *wishes)

        wish, first = (Wish(action, (aim,), {"role": role}) for aim in (target, other))
        final = say(polite(company, words_for(target)), "order", wish)
        way = company.random.random()
        if way < 0.1:
            return [say(company.say(words.REVISED, first=words_for(other), second=words_for(target)), "order", wish)]
        if way < 0.2:
            return [say(words_for(other), "order", first), final]
        if way < 0.27 and not named:
            return [say(words_for(other), "order", first), say(company.say(words.TAKE_BACK), "order", Wish("cancel")), final]
        if way < 0.34:
            shortest = company.say(words.PLAINLY[action], target)
            doubt = company.say(words.DOUBTS, command=shortest, other=company.nick(other)["nom"])
            return [say(doubt, "doubt", wish), say(f"Уточняю: {words_for(target)}", "order", wish)]
        if way < 0.42 and state["faction"] == "townsfolk" and role in TOWN:
            wanted = company.random.choice(self._on_offer(view) or TOWN)
            text = company.say(words.WITH_BID, command=words_for(target), **_role(wanted))
            return [say(text, "order", wish, Wish("bid_role", (), {"role": wanted}))]
        return [final]

    def _command(self, company: Company, role: str, action: str, target: str, *, named: bool = False) -> str:
        phrasings = words.COMMANDS[action]
        if named:
            phrasings = tuple(phrase for phrase in phrasings if "{r_nom}" in phrase)
        if role in words.BARE_NAMES:
            phrasings = tuple(phrase for phrase in phrasings if phrase not in ("{r_nom} - {nom}", "{r_nom}: {nom}"))
        return company.say(phrasings, target, **_role(role))

    def _clan_kill(self, company: Company, view: View, born: list[str], clan: list[str]) -> list[Saying]:
        """The villains' kill, by the performer himself or in a letter for the clan."""
        lives = view.ruleset.balances(view.game)["role_lives"]
        if lives.get("killer", 0) <= 0:
            return []
        performer = company.random.choice(born)
        target = self._victim(company, view, performer, spare=clan)
        wish = Wish("kill", (target,), {"role": "killer", "by": performer})
        if company.chance(0.5):
            return [letter(company, performer, company.say(words.OWN_KILL, target), "order", wish)]
        writer = company.random.choice(clan)
        lines = [company.random.choice(words.CLAN_KILL).format_map({"nom": target, "performer": performer})]
        wishes = [wish]
        state = view.state()
        for role in CLAN:
            holder = next((seat for seat in born if role in state[seat]["roles"]), None)
            if holder is None or role == "karabas" or not company.chance(0.6):
                continue
            aim = company.random.choice(born) if role == "duremar" else self._victim(company, view, holder, spare=clan)
            if aim == holder and role != "duremar":
                continue
            lines.append(words.CLAN_LINE.format(r_nom=words.ROLES[role][0], name=aim))
            wishes.append(Wish(ACTIONS[role], (aim,), {"role": role}))
        return [letter(company, writer, "\n".join(lines), "order", *wishes, subject="ходы клана")]

    def _foreign(self, company: Company, view: View, alive: list[str]) -> list[Saying]:
        """A move that the sender's role does not have."""
        plain = [seat for seat in alive if view.state()[seat]["role"] in ("citizen", "papa_carlo")]
        if not plain or not company.chance(0.6):
            return []
        seat = company.random.choice(plain)
        target = company.random.choice([one for one in alive if one != seat])
        number = company.random.randrange(len(words.FOREIGN))
        text = words.FOREIGN[number].format_map(company.nick(target))
        return [letter(company, seat, text, "order", Wish(words.FOREIGN_ACTIONS[number], (target,)))]

    def _late_vote(self, company: Company, alive: list[str]) -> list[Saying]:
        seat, target = company.random.sample(alive, 2)
        return [post(seat, company.say(words.VOTES, target), "order", Wish("vote", (target,)))]

    def _robots(self, company: Company, alive: list[str]) -> list[Saying]:
        mailing = [seat for seat in alive if company.actors[seat].proven]
        if not mailing or not company.chance(0.3):
            return []
        return [robot(company, company.random.choice(mailing))]

    # Letters

    def _bid(self, company: Company, view: View, seat: str, at: datetime, offer: Sequence[str]) -> Saying:
        role = company.random.choice(offer or TOWN)
        text = polite(company, company.say(words.BIDS, **_role(role)))
        return letter(company, seat, text, "order", Wish("bid_role", (), {"role": role}), at=at, subject="заявка")


def _role(role: str) -> dict[str, str]:
    nom, ins, acc = words.ROLES[role]
    return {"r_nom": nom, "r_ins": ins, "r_acc": acc}


PLAYERS = GoldenKeyPlayers
