"""What the players of the two clans want: the clans hunt each other and the town, the town hunts whom it suspects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random

from engine.rulesets.clans.roles import ROLE_ACTIONS
from forumbot.demo.games import clans_words as words
from forumbot.demo.games.common import QUESTIONS, laid_out, letter, others, polite, post, robot
from forumbot.demo.games.model import Frame, View
from forumbot.demo.players import MOSCOW, Company
from forumbot.demo.saying import Saying, Wish

MINUTE = timedelta(minutes=1)
OWN_ONLY = frozenset(("guard",))
"""Actions that help a clanmate; all others of a clan go against strangers."""
SELF = frozenset(("heal", "guard"))
"""Actions one may spend on oneself, too."""


class ClansPlayers:
    """Twenty-one players. How well each side reads the others follows from the seed."""

    def __init__(self, seed: int) -> None:
        random = Random(f"{seed}/minds")
        self.insight = random.choice((0.0, 0.0, 0.1, 0.25, 0.5))
        """How often a civilian's suspicion falls on one who is no civilian."""
        self.stronger = random.choice(("red", "black", None))
        """The clan that is better at finding the other one."""
        self.frame = Frame(
            ruleset="clans",
            title="Два клана",
            players=21,
            mailing=0.75,
            starts=datetime(2026, 11, 30, 10, 0),
            signup_closes=datetime(2026, 11, 30, 20, 0),
            first_day=date(2026, 11, 30),
            tables={"activity_penalties": False},
            phases={"deadline": "письма"},
        )

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]:
        company.begin(f"{view.turn}/{name}")
        local = start.astimezone(MOSCOW)
        opens = max(start, local.replace(hour=23, minute=0, second=0, microsecond=0) if local.hour < 23 else start)
        living, dead = list(view.alive()), list(view.dead())
        suspect = company.random.choice(self._foes(company, view, living, "") or living)
        packets: list[list[Saying]] = []
        for seat in living:
            packets.append(self._role_move(company, view, seat, living))
            packets.append(self._ballot(company, seat, suspect, living))
            packets.append(self._extra(company, view, seat, living))
        packets += self._oddities(company, view, living, dead)
        said = laid_out(company, packets, opens + 10 * MINUTE, end - 25 * MINUTE)
        if view.turn > 1 and opens - start > 50 * MINUTE and company.chance(0.6):
            seat, target = company.random.sample(living, 2) if len(living) > 1 else (living[0], living[0])
            text = company.say(words.COMMANDS["vote"], target)
            said.append(letter(company, seat, text, "order", Wish("vote", (target,)), at=opens - 20 * MINUTE))
        return said

    # Whom they go for

    def _foes(self, company: Company, view: View, living: Sequence[str], seat: str) -> list[str]:
        """Candidates for whatever harms, by what the actor knows and guesses."""
        state = view.state()
        side = state[seat]["faction"] if seat else "civilians"
        pool = [one for one in living if one != seat]
        if side in ("red", "black"):
            pool = [one for one in pool if state[one]["faction"] != side] or pool
            rivals = [one for one in pool if state[one]["faction"] in ("red", "black")]
            return rivals if rivals and side == self.stronger and company.chance(0.8) else pool
        if side == "civilians" and company.chance(self.insight):
            return [one for one in pool if state[one]["faction"] not in ("civilians", self.stronger)] or pool
        if side == "civilians" and self.stronger and company.chance(0.5):
            return [one for one in pool if state[one]["faction"] != self.stronger] or pool
        return pool

    def _target(self, company: Company, view: View, seat: str, action: str, living: Sequence[str]) -> str:
        state = view.state()
        side = state[seat]["faction"]
        if action in OWN_ONLY:
            return company.random.choice([one for one in living if state[one]["faction"] == side])
        if action in SELF and company.chance(0.4):
            return seat
        if action in ("heal", "ride", "walk", "watch"):
            return company.random.choice(others(living, seat))
        return company.random.choice(self._foes(company, view, living, seat) or others(living, seat))

    # What they send

    def _role_move(self, company: Company, view: View, seat: str, living: Sequence[str]) -> list[Saying]:
        state = view.state()[seat]
        actions = ROLE_ACTIONS.get(state.get("acts_as") or state["role"], ())
        if not actions or len(living) < 3 or not company.chance(0.92):
            return []
        action = actions[-1] if len(actions) > 1 and company.chance(0.2) else actions[0]
        target, other = self._target(company, view, seat, action, living), company.random.choice(others(living, seat))
        wish, first = Wish(action, (target,)), Wish(action, (other,))
        if action == "interview":
            pair = company.random.sample(others(living, seat), 2)
            return [letter(company, seat, self._pair(company, pair), "order", Wish(action, tuple(pair)))]
        if action == "extra_votes":
            return [self._secret_votes(company, view, seat, target)]
        way = company.random.random()
        final = letter(company, seat, polite(company, company.say(words.COMMANDS[action], target)), "order", wish)
        if target == seat or other == target:
            return [final]
        if way < 0.1:
            texts = {"first": company.say(words.COMMANDS[action], other), "second": company.say(words.COMMANDS[action], target)}
            return [letter(company, seat, company.say(words.REVISED, **texts), "order", wish)]
        if way < 0.2:
            return [letter(company, seat, company.say(words.COMMANDS[action], other), "order", first), final]
        if way < 0.27:
            cancel = letter(company, seat, company.say(words.WITHDRAWN), "order", Wish("cancel"))
            return [letter(company, seat, company.say(words.COMMANDS[action], other), "order", first), cancel, final]
        if way < 0.34:
            command = words.COMMANDS[action][0].format_map(company.nick(target))
            doubt = company.say(words.DOUBTS, command=command, other=company.actors[other].nick.case("acc"))
            return [letter(company, seat, doubt, "doubt", wish), final]
        return [final]

    def _pair(self, company: Company, pair: Sequence[str]) -> str:
        second = company.actors[pair[1]].nick
        return company.plainly(words.COMMANDS["interview"], pair[0], nom2=second.case("nom"), gen2=second.case("gen"))

    def _secret_votes(self, company: Company, view: View, seat: str, target: str) -> Saying:
        number = 1 if view.turn > 4 or company.chance(0.5) else 0
        text = words.COMMANDS["extra_votes"][1 - number].format_map({"nom": target})
        return letter(company, seat, text, "order", Wish("extra_votes", (target,) * (2 - number)))

    def _ballot(self, company: Company, seat: str, suspect: str, living: Sequence[str]) -> list[Saying]:
        if not company.chance(0.88):
            return []
        target = suspect if suspect != seat and company.chance(0.6) else company.random.choice(others(living, seat))
        vote = letter(
            company, seat, polite(company, company.say(words.COMMANDS["vote"], target)), "order", Wish("vote", (target,))
        )
        if company.chance(0.08):
            again = company.random.choice(others(living, seat))
            text = company.say(words.COMMANDS["vote"], again)
            return [vote, letter(company, seat, text, "order", Wish("vote", (again,)))]
        if company.chance(0.04):
            return [vote, letter(company, seat, company.say(words.NO_VOTE), "order", Wish("unvote"))]
        return [vote]

    def _extra(self, company: Company, view: View, seat: str, living: Sequence[str]) -> list[Saying]:
        """The clan's kill, the civilians' hunt."""
        state = view.state()[seat]
        if state["faction"] in ("red", "black"):
            action, share = "kill", 0.9 if state["role"] == "don" else 0.5
        elif state["faction"] == "civilians" and state["role"] != "chosen":
            action, share = "hunt", 0.12
        else:
            return []
        foes = self._foes(company, view, living, seat)
        if not foes or not company.chance(share):
            return []
        target = company.random.choice(foes)
        return [
            letter(company, seat, polite(company, company.say(words.COMMANDS[action], target)), "order", Wish(action, (target,)))
        ]

    def _oddities(self, company: Company, view: View, living: list[str], dead: list[str]) -> list[list[Saying]]:
        """Talk, questions, moves in public, moves of other roles, letters of the dead and of programs."""
        if len(living) < 3:
            return []
        seat, target, other = company.random.sample(living, 3)
        packets = [
            [post(company.random.choice(living), company.say(words.CHATTER, company.random.choice(living)))] for _ in range(7)
        ]
        packets += [
            [post(company.random.choice(living), company.say(words.ANSWERS), quote_of=company.random.choice(living))]
            for _ in range(3)
        ]
        text, action = company.random.choice(words.FOREIGN)
        odd: list[list[Saying]] = [
            [post(seat, company.say(words.IN_PUBLIC, target))],
            [letter(company, other, company.say(QUESTIONS))],
            [letter(company, seat, words.NOBODY, "void", Wish("vote", ("Снегурочка",)))],
        ]
        citizens = [one for one in living if view.state()[one]["role"] in ("citizen", "mirror", "shahid")]
        if citizens:
            author = company.random.choice(citizens)
            aim = company.random.choice(others(living, author))
            odd.append([letter(company, author, text.format_map(company.nick(aim)), "order", Wish(action, (aim,)))])
        if dead:
            ghost = company.random.choice(dead)
            odd.append([letter(company, ghost, company.say(words.COMMANDS["vote"], target), "order", Wish("vote", (target,)))])
            aim = company.say(words.COMMANDS["vote"], ghost)
            odd.append([letter(company, other, aim, "order", Wish("vote", (ghost,)))])
        mailing = [one for one in living if company.actors[one].proven]
        if mailing:
            odd.append([robot(company, company.random.choice(mailing))])
        return packets + [packet for packet in odd if company.chance(0.5)]


PLAYERS = ClansPlayers
