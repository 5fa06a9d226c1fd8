"""What the players of the demo want: skiers guess, the yeti freezes."""

from datetime import date, datetime, timedelta

from forumbot.demo.games.common import laid_out, letter, others, post
from forumbot.demo.games.model import Frame
from forumbot.demo.saying import Wish


class SnowPlayers:
    def __init__(self, seed: int) -> None:
        starts = datetime(2026, 11, 30, 8)
        phases = {"close": "день"}
        self.frame = Frame("snow", "Снежки", 8, 0.5, starts, starts.replace(hour=20), date(2026, 12, 1), {}, phases)

    def phase(self, company, view, name, start, end):  # type: ignore[no-untyped-def]
        company.begin(f"{view.turn}/{name}")
        packets = []
        for seat, actions in view.ruleset.owing(view.game).items():
            for action in actions:
                target = company.random.choice(others(view.alive(), seat))
                text = f"Голос: {target}" if action == "vote" else f"Замораживаю: {target}"
                said = post(seat, text, "order", Wish(action, (target,)))
                packets.append([said if action == "vote" else letter(company, seat, text, "order", Wish(action, (target,)))])
        return laid_out(company, packets, start + timedelta(minutes=8), end - timedelta(minutes=30))


PLAYERS = SnowPlayers
