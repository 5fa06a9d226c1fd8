"""What the players of the league want: gangs shoot and write stories, citizens vote, spend coins and hire the mercenary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random

from engine.rulesets.league import contracts
from forumbot.demo.games import league_words as words
from forumbot.demo.games.common import QUESTIONS, laid_out, letter, others, polite, post, robot
from forumbot.demo.games.model import Frame, View
from forumbot.demo.players import Company
from forumbot.demo.saying import Saying, Wish

MINUTE = timedelta(minutes=1)
GANGS = ("mafia", "yakuza")


class LeaguePlayers:
    """Twenty players with coins of earlier games. Who is good at guessing follows from the seed."""

    def __init__(self, seed: int) -> None:
        random = Random(f"{seed}/moods")
        self.insight = random.choice((0.0, 0.1, 0.2, 0.4))
        """How often an honest citizen's suspicion falls on a gangster."""
        self.stronger = random.choice(("mafia", "yakuza", None))
        """The gang that is better at finding the other one, and that nobody suspects."""
        self.frame = Frame(
            ruleset="league",
            title="Лига",
            players=20,
            mailing=0.5,
            starts=datetime(2026, 11, 30, 8, 0),
            signup_closes=datetime(2026, 11, 30, 20, 0),
            first_day=date(2026, 11, 30),
            tables={},
            phases={"half": "первая половина", "deadline": "вторая половина", "close": "перерыв"},
            colour="red",
            accounts={"coins": (8, 60)},
        )

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]:
        company.begin(f"{view.turn}/{name}")
        living = list(view.alive())
        if len(living) < 2:
            return []
        if name == "close":
            return self._gap(company, living, start, end)
        packets: list[list[Saying]] = []
        if name == "half":
            packets += self._votes(company, view, living, 0.55)
            packets += self._spending(company, view, living)
        elif view.turn > 0:
            packets += self._votes(company, view, living, 1.0)
        if name == "deadline":
            packets += self._night_moves(company, view, living)
        packets += self._oddities(company, view, living)
        return laid_out(company, packets, start + 8 * MINUTE, end - 25 * MINUTE)

    # Whom they go for

    def _foe(self, company: Company, view: View, seat: str, living: Sequence[str]) -> str:
        state = view.state()
        side = state[seat]["faction"]
        pool = [one for one in living if one != seat and (side not in GANGS or state[one]["faction"] != side)]
        if side in GANGS and side == self.stronger and company.chance(0.8):
            pool = [one for one in pool if state[one]["faction"] in GANGS] or pool
        if side not in GANGS and company.chance(self.insight):
            pool = [one for one in pool if state[one]["faction"] in GANGS and state[one]["faction"] != self.stronger] or pool
        elif side not in GANGS and self.stronger and company.chance(0.5):
            pool = [one for one in pool if state[one]["faction"] != self.stronger] or pool
        return company.random.choice(pool or others(living, seat))

    # The day

    def _votes(self, company: Company, view: View, living: Sequence[str], share: float) -> list[list[Saying]]:
        """Those who have not voted yet; a vote stands, so everybody votes once and a few pay for another."""
        voted = view.ruleset.ballots(view.game)
        suspect = self._foe(company, view, company.random.choice(list(living)), living)
        packets: list[list[Saying]] = []
        for seat in living:
            if seat in voted or not company.chance(share * 0.95):
                continue
            target = suspect if suspect != seat and company.chance(0.6) else self._foe(company, view, seat, living)
            vote = post(seat, self._vote(company, words.VOTES, target, before=True), "order", Wish("vote", (target,)))
            if company.chance(0.1):
                vote.quote_of = company.random.choice(list(living))
            packet = [vote]
            if company.chance(0.08) and self._coins(view, seat) >= 2:
                again = company.random.choice(others(living, seat, target))
                if again not in (seat, target):
                    text = self._vote(company, words.CHANGED, again)
                    packet.append(post(seat, text, "order", Wish("change_vote", (again,))))
            packets.append(packet)
        return packets

    def _vote(self, company: Company, phrasings: Sequence[str], target: str, *, before: bool = False) -> str:
        guilty = "Виновна" if company.actors[target].nick.female else "Виновен"
        return (company.say(words.BEFORE) if before else "") + company.say(phrasings, target, guilty=guilty)

    def _coins(self, view: View, seat: str) -> int:
        return int(view.ruleset.balances(view.game)["coins"].get(seat, 0))

    def _spending(self, company: Company, view: View, living: Sequence[str]) -> list[list[Saying]]:
        """What coins are for in the first half of a day: armour, pools, orders to mercenary and bodyguard, true sight."""
        packets: list[list[Saying]] = []
        roles = {state["role"] for seat, state in view.state().items() if state["alive"]}
        for seat in living:
            coins, role = self._coins(view, seat), view.state()[seat]["role"]
            if not company.chance(0.3):
                continue
            way = company.random.random()
            if way < 0.25:
                text, item, price = company.random.choice(words.PURCHASES)
                if coins >= price:
                    packets.append([letter(company, seat, polite(company, text), "order", Wish("buy", (), {"item": item}))])
            elif way < 0.5 and "mercenary" in roles and role != "mercenary":
                price = company.random.randint(10, 18)
                target = self._foe(company, view, seat, living)
                wish = Wish("contract_kill", (target,), {"coins": price})
                packets.append([letter(company, seat, company.say(words.CONTRACT_KILL, target, coins=str(price)), "order", wish)])
            elif way < 0.65 and "bodyguard" in roles and role not in ("mercenary", "bodyguard"):
                price = company.random.randint(10, 18)
                wish = Wish("contract_guard", (), {"coins": price})
                packets.append([letter(company, seat, company.say(words.CONTRACT_GUARD, coins=str(price)), "order", wish)])
            elif way < 0.85:
                text, item = company.random.choice(words.POOLS)
                share = company.random.choice((5, 10, 15))
                packets.append([post(seat, text.format(coins=share), "order", Wish("pool", (), {"item": item, "coins": share}))])
            elif coins >= 10:
                target = self._foe(company, view, seat, living)
                packets.append(
                    [letter(company, seat, company.plainly(words.SIGHT, target), "order", Wish("true_sight", (target,)))]
                )
        return packets

    # The night's moves

    def _night_moves(self, company: Company, view: View, living: Sequence[str]) -> list[list[Saying]]:
        packets: list[list[Saying]] = []
        game = view.game
        for seat, actions in view.ruleset.owing(game).items():
            for action in actions:
                if action in ("vote", "defend") or not company.chance(0.92):
                    continue
                packets.append(self._move(company, view, seat, action, living))
        suspects = list(view.ruleset.votes(game))
        if suspects and company.chance(0.6):
            author, target = company.random.choice(list(living)), company.random.choice(suspects)
            story = company.say(words.STORIES)
            packets.append(
                [
                    letter(
                        company,
                        author,
                        company.say(words.HANGING, target, story=story),
                        "order",
                        Wish("hang_story", (target,), {"story": story}),
                        subject="рассказ-повешение",
                    )
                ]
            )
        return packets

    def _move(self, company: Company, view: View, seat: str, action: str, living: Sequence[str]) -> list[Saying]:
        if action == "accept_work":
            offered = contracts.offered(view.game, view.game.day, "contract_kill")
            if company.chance(0.2) or not offered:
                return [letter(company, seat, company.say(words.NO_WORK), "order", Wish("refuse_work"))]
            target = company.random.choice(offered)
            hit = letter(company, seat, company.say(words.HITS, target), "order", Wish("contract_hit", (target,)))
            return [letter(company, seat, company.say(words.WORK), "order", Wish("accept_work")), hit]
        if action == "guard_choose":
            wards = view.game.day.wards_told
            if not wards:
                return []
            ward = company.random.choice(wards)
            return [letter(company, seat, company.say(words.WARDS, ward), "order", Wish("guard_choose", (ward,)))]
        target = self._foe(company, view, seat, living)
        if action in ("heal", "cover", "watch"):
            target = company.random.choice(others(living, seat))
        if action in words.STORY_MOVES:
            told = self._told(company, view, seat, action, target)
            if company.chance(0.15):
                # Without a story a careful host asks for it; then it comes.
                bare = company.plainly(words.WITHOUT_STORY[action], target)
                return [letter(company, seat, bare, "doubt", Wish(action, (target,))), told]
            return [told]
        if action == "haunt":
            text = company.plainly(words.MOVES[action], target)
            return [letter(company, seat, text, "order", Wish(action, (target,)))]
        final = letter(company, seat, polite(company, company.say(words.MOVES[action], target)), "order", Wish(action, (target,)))
        way = company.random.random()
        if way < 0.1:
            doubt = company.say(words.DOUBTS, command=company.plainly(words.MOVES[action][:1], target))
            return [letter(company, seat, doubt, "doubt", Wish(action, (target,))), final]
        if way < 0.22:
            other = company.random.choice(others(living, seat))
            return [letter(company, seat, company.say(words.MOVES[action], other), "order", Wish(action, (other,))), final]
        return [final]

    def _told(self, company: Company, view: View, seat: str, action: str, target: str) -> Saying:
        story = company.say(words.STORIES)
        phrasings = words.MANIAC if view.state()[seat]["role"] == "maniac" else words.STORY_MOVES[action]
        return letter(
            company, seat, company.say(phrasings, target, story=story), "order", Wish(action, (target,), {"story": story})
        )

    # Beside

    def _oddities(self, company: Company, view: View, living: Sequence[str]) -> list[list[Saying]]:
        everybody = list(living)
        packets = [
            [post(company.random.choice(everybody), company.say(words.CHATTER, company.random.choice(everybody)))]
            for _ in range(5)
        ]
        packets += [
            [post(company.random.choice(everybody), company.say(words.ANSWERS), quote_of=company.random.choice(everybody))]
            for _ in range(2)
        ]
        seat, target = company.random.sample(everybody, 2)
        odd: list[list[Saying]] = [
            [letter(company, seat, company.say(QUESTIONS))],
            [post(seat, company.say(words.JOKES))],
            [post(seat, company.say(words.ANNOUNCED, target))],
        ]
        if view.turn > 0:
            odd.append([post(seat, self._vote(company, words.PALE_VOTES, target), "void", Wish("vote", (target,)))])
        plain = [one for one in everybody if view.state()[one]["role"] == "citizen"]
        if plain and view.turn > 0:
            text, action = company.random.choice(words.FOREIGN)
            author = company.random.choice(plain)
            aim = company.random.choice(others(everybody, author))
            odd.append([letter(company, author, text.format_map(company.nick(aim)), "order", Wish(action, (aim,)))])
        mailing = [one for one in everybody if company.actors[one].proven]
        if mailing:
            odd.append([robot(company, company.random.choice(mailing))])
        return packets + [packet for packet in odd if company.chance(0.45)]

    def _gap(self, company: Company, living: Sequence[str], start: datetime, end: datetime) -> list[Saying]:
        """After the deadline, before the next day: who comes too late."""
        if end - start < 40 * MINUTE or len(living) < 2 or not company.chance(0.6):
            return []
        seat, target = company.random.sample(list(living), 2)
        vote = post(seat, self._vote(company, words.VOTES[:4], target), "order", Wish("vote", (target,)))
        return laid_out(company, [[vote]], start + MINUTE, end - 20 * MINUTE)


PLAYERS = LeaguePlayers
