"""What the players of mafialife want: the office, the den and the graveyard hunt each other, and four loners all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random

from forumbot.demo.games import mafialife_words as words
from forumbot.demo.games.common import QUESTIONS, laid_out, letter, others, polite, post, robot
from forumbot.demo.games.model import Frame, View
from forumbot.demo.players import Company
from forumbot.demo.saying import Saying, Wish

MINUTE = timedelta(minutes=1)


class MafialifePlayers:
    """Eighteen players. Which team reads the others best follows from the seed."""

    def __init__(self, seed: int) -> None:
        random = Random(f"{seed}/minds")
        self.insight = random.choice((0.3, 0.5, 0.8))
        """How often the clever team's suspicion is right."""
        self.clever = random.choice(("office", "den", "graveyard"))
        self.frame = Frame(
            ruleset="mafialife",
            title="Мафия как жизнь",
            players=18,
            mailing=0.6,
            starts=datetime(2026, 11, 30, 8, 0),
            signup_closes=datetime(2026, 11, 30, 20, 0),
            first_day=date(2026, 12, 1),
            tables={},
            phases={"close": "день и ходы"},
        )

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]:
        company.begin(f"{view.turn}/{name}")
        living = list(view.alive())
        if len(living) < 2:
            return []
        packets: list[list[Saying]] = []
        suspect = self._foe(company, view, company.random.choice(living), living)
        for seat, actions in view.ruleset.owing(view.game).items():
            packets.append(
                self._moves(company, view, seat, [one for one in actions if one not in ("vote", "captive_move")], living)
            )
            if "vote" in actions:
                packets.append(self._vote(company, view, seat, suspect, living))
        for seat in living:
            packets.append(self._market(company, view, seat, living))
        packets += self._oddities(company, view, living)
        return laid_out(company, packets, start + 8 * MINUTE, end - 25 * MINUTE)

    # Whom they go for

    def _foe(self, company: Company, view: View, seat: str, living: Sequence[str]) -> str:
        state = view.state()
        side = state[seat]["faction"]
        pool = [one for one in living if one != seat]
        if side != "neutral" and (side == self.clever or company.chance(0.2)) and company.chance(self.insight):
            pool = [one for one in pool if state[one]["faction"] != side] or pool
        elif side == "den":
            pool = [one for one in pool if not (state[one]["faction"] == "den" and state[one]["official"])] or pool
        if company.chance(0.55):
            # Nobody trusts a loner; and while they live no team can win.
            pool = [one for one in pool if state[one]["faction"] == "neutral"] or pool
        return company.random.choice(pool or others(living, seat))

    def _target(self, company: Company, view: View, seat: str, action: str, living: Sequence[str]) -> str:
        if action in words.HELPFUL:
            return company.random.choice(others(living, seat))
        return self._foe(company, view, seat, living)

    # What they send

    def _moves(self, company: Company, view: View, seat: str, actions: Sequence[str], living: Sequence[str]) -> list[Saying]:
        usable = [action for action in actions if action in words.MOVES or action in words.BARE]
        usable = [action for action in usable if action not in words.AT_DEAD or view.dead()]
        usable = [action for action in usable if action not in words.AT_TWO or len(living) > 3]
        usable = [action for action in usable if action != "pistol" or view.state()[seat]["role"] == "psycho"]
        if not usable or not company.chance(0.92):
            return []
        action = company.random.choice(usable)
        if action in words.BARE:
            return [letter(company, seat, polite(company, words.BARE[action]), "order", Wish(action))]
        if action in words.AT_TWO:
            pair = company.random.sample(others(living, seat), 2)
            text = company.plainly(words.MOVES[action], pair[0], nom2=company.actors[pair[1]].nick.case("nom"))
            return [letter(company, seat, text, "order", Wish(action, tuple(pair)))]
        if action in words.AT_DEAD:
            corpse = company.random.choice(list(view.dead()))
            return [letter(company, seat, company.plainly(words.MOVES[action], corpse), "order", Wish(action, (corpse,)))]
        target, other = self._target(company, view, seat, action, living), company.random.choice(others(living, seat))
        wish, first = Wish(action, (target,)), Wish(action, (other,))
        final = letter(company, seat, polite(company, company.say(words.MOVES[action], target)), "order", wish)
        way = company.random.random()
        if other == target or way > 0.34:
            return [final]
        if way < 0.08:
            texts = {"first": company.say(words.MOVES[action], other), "second": company.say(words.MOVES[action], target)}
            return [letter(company, seat, company.say(words.REVISED, **texts), "order", wish)]
        earlier = letter(company, seat, company.say(words.MOVES[action], other), "order", first)
        if way < 0.18:
            return [earlier, final]
        if way < 0.26:
            return [earlier, letter(company, seat, company.say(words.WITHDRAWN), "order", Wish("cancel")), final]
        command = company.plainly(words.MOVES[action][:1], target)
        return [letter(company, seat, company.say(words.DOUBTS, command=command), "doubt", wish), final]

    def _vote(self, company: Company, view: View, seat: str, suspect: str, living: Sequence[str]) -> list[Saying]:
        """By letter, by PM or in the thread, as it comes."""
        if not company.chance(0.85):
            return []
        target = suspect if suspect != seat and company.chance(0.6) else self._foe(company, view, seat, living)
        packet = [self._ballot(company, seat, company.say(words.VOTES, target), Wish("vote", (target,)))]
        if company.chance(0.08):
            again = company.random.choice(others(living, seat))
            packet.append(self._ballot(company, seat, company.say(words.VOTES, again), Wish("vote", (again,))))
        elif company.chance(0.05):
            packet.append(self._ballot(company, seat, company.say(words.TAKEN_BACK), Wish("unvote")))
        return packet

    def _ballot(self, company: Company, seat: str, text: str, wish: Wish) -> Saying:
        return post(seat, text, "order", wish) if company.chance(0.5) else letter(company, seat, text, "order", wish)

    def _market(self, company: Company, view: View, seat: str, living: Sequence[str]) -> list[Saying]:
        """MafBucks are for spending, pistols for firing."""
        state = view.state()[seat]
        if "pistol" in state["items"] and state["role"] in ("citizen", "unfaithful") and company.chance(0.7):
            target = self._foe(company, view, seat, living)
            return [letter(company, seat, company.plainly(words.SHOT, target), "order", Wish("pistol", (target,)))]
        if company.chance(0.15):
            text, item = company.random.choice(words.BUYS)
            return [letter(company, seat, polite(company, text), "order", Wish("buy", (), {"item": item, "pay": "mafbucks"}))]
        return []

    def _oddities(self, company: Company, view: View, living: list[str]) -> list[list[Saying]]:
        packets = [
            [post(company.random.choice(living), company.say(words.CHATTER, company.random.choice(living)))] for _ in range(5)
        ]
        packets += [
            [post(company.random.choice(living), company.say(words.ANSWERS), quote_of=company.random.choice(living))]
            for _ in range(2)
        ]
        seat, target = company.random.sample(living, 2)
        odd: list[list[Saying]] = [
            [letter(company, seat, company.say(QUESTIONS))],
            [post(seat, company.say(words.IN_PUBLIC, target))],
        ]
        plain = [one for one in living if view.state()[one]["role"] == "citizen"]
        if plain:
            text, action = company.random.choice(words.FOREIGN)
            author = company.random.choice(plain)
            aim = company.random.choice(others(living, author))
            odd.append([letter(company, author, text.format_map(company.nick(aim)), "order", Wish(action, (aim,)))])
        dead = view.dead()
        if dead:
            ghost = company.random.choice(list(dead))
            odd.append([post(ghost, company.say(words.VOTES, target), "order", Wish("vote", (target,)))])
        mailing = [one for one in living if company.actors[one].proven]
        if mailing:
            odd.append([robot(company, company.random.choice(mailing))])
        return packets + [packet for packet in odd if company.chance(0.45)]


PLAYERS = MafialifePlayers
