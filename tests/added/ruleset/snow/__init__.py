"""A small ruleset of another distribution: the skiers vote by day in the thread, the yeti freezes one of them by letter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from engine.calendar import Due, same_hour
from engine.messages import Known
from engine.model import Accepted, Counted, Data, Death, Ended, EngineError, Line, Lynched, Notice, Order, Outcome, Rejected, Seat
from engine.overrides import merged
from engine.turn import Spec

SIDE = {"yeti": "cave", "skier": "slope"}
SPEC = Spec(
    roles=("yeti", "skier"), factions=("cave", "slope"), player_keys=("role",), state_keys=(), shown_keys=("role",),
    actions=("vote", "freeze", "avalanche"), host_actions=("avalanche",), public_actions=("vote",), removal="avalanche",
    reasons=("dead_player", "dead_target", "not_your_action", "bad_targets"), causes=("voted", "frozen", "avalanche"),
    notices={"role": {"role": "role", "faction": "faction"}}, told={"role": {"role": "role", "faction": "faction"}},
    chance_points=("deal", "vote_tie"),
)  # fmt: skip


@dataclass(frozen=True)
class Game:
    roles: Mapping[Seat, str]
    gone: Mapping[Seat, str] = field(default_factory=dict)
    turn: int = 0
    stage: str = "between"
    orders: Mapping[tuple[Seat, str], Order] = field(default_factory=dict)
    winner: str | None = None

    def living(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.roles if seat not in self.gone)

    def given(self, action: str) -> list[Order]:
        return [one for one in self.orders.values() if one.action == action and one.player not in self.gone]


class Days:
    """Every day is twenty-four hours long."""

    first_open = staticmethod(lambda closed, first_day: closed)
    next_open = staticmethod(lambda number, closed: closed)
    setup = staticmethod(lambda closed, first_open: ())
    turn = staticmethod(lambda number, opens: (Due("close", opens + timedelta(days=1), "close"),))
    put_off = staticmethod(lambda opens, until: same_hour(opens, until, ZoneInfo("Europe/Moscow")))

    def refuse(self, game: Game, action: str, at: Any, *, public: bool) -> None:
        return None


class Snow:
    id, spec = "snow", SPEC
    tables = staticmethod(merged)
    calendar = staticmethod(lambda tables: Days())
    seats = staticmethod(lambda game: tuple(game.roles))
    alive = staticmethod(Game.living)
    turn = staticmethod(lambda game: game.turn)
    stage = staticmethod(lambda game: game.stage)
    winner = staticmethod(lambda game: game.winner)
    winner_kind = staticmethod(lambda game: "faction" if game.winner else None)
    marks_before = staticmethod(lambda game, order: ())
    balances = staticmethod(lambda game: {})

    def start(self, cast: Sequence[Data], state: Data, tables: Any, first_turn: int | None) -> Game:
        return Game({one["nick"]: one["role"] for one in cast}, turn=(first_turn or 1) - 1)

    def deal(self, seats: Sequence[Seat], tables: Any, chance: Any) -> Any:
        if len(seats) < tables["min_players"]:
            raise EngineError("players", "игроков слишком мало")
        yetis = chance.shuffle("deal", seats)[: tables["yetis"]]
        game = Game({seat: "yeti" if seat in yetis else "skier" for seat in seats})
        return game, tuple(Notice(seat, "role", {"role": one, "faction": SIDE[one]}) for seat, one in game.roles.items())

    def open(self, game: Game, chance: Any) -> Any:
        chance.begin(game.turn + 1)
        return replace(game, turn=game.turn + 1, stage="turn", orders={}), ()

    def receive(self, game: Game, order: Order, chance: Any) -> Any:
        if order.action == "avalanche":
            gone = {**game.gone, order.player: "avalanche"}
            return replace(game, gone=gone), (Accepted(order), Death(order.player, "avalanche", refs=(order.ref,)))
        reason = self._refusal(game, order)
        if reason:
            return game, (Rejected(order.player, order.action, reason, order),)
        back = order.action in ("unvote", "cancel", "pass")
        slot = order.player, "vote" if order.action == "unvote" else "freeze" if back else order.action
        orders = {key: one for key, one in game.orders.items() if key != slot} | ({} if back else {slot: order})
        return replace(game, orders=orders), (Accepted(order, refs=(order.ref,)),)

    def _refusal(self, game: Game, order: Order) -> str:
        if order.player not in game.living():
            return "dead_player"
        if order.action == "freeze" and game.roles[order.player] != "yeti":
            return "not_your_action"
        if order.action in ("vote", "freeze") and len(order.targets) != 1:
            return "bad_targets"
        return "" if set(order.targets) <= set(game.living()) else "dead_target"

    def mark(self, game: Game, name: str, chance: Any) -> Any:
        raise EngineError("mark", name)

    def close(self, game: Game, chance: Any) -> Any:
        votes = self.votes(game)
        events, gone, ends = [Counted(votes)], dict(game.gone), []
        if votes:
            top = chance.draw("vote_tie", [seat for seat in votes if votes[seat] == max(votes.values())])
            events.append(Lynched(top))
            ends.append((top, "voted", None, tuple(one.ref for one in game.given("vote"))))
        for one in game.given("freeze"):
            events.append(Outcome(one.player, "freeze", one.targets, {}, refs=(one.ref,)))
            ends.append((one.targets[0], "frozen", one.player, (one.ref,)))
        for seat, cause, by, refs in ends:
            if seat not in gone:
                gone[seat] = cause
                events += [Death(seat, cause, by, refs=refs), Line("dead", cause, {"player": seat})]
        game = replace(game, gone=gone, stage="between")
        left = [game.roles[seat] for seat in game.living()]
        if left.count("yeti") == 0 or left.count("yeti") >= left.count("skier"):
            game = replace(game, stage="over", winner="cave" if left.count("yeti") else "slope")
            events += [Line("end", "won", {"winner": game.winner}), Ended(str(game.winner), "faction")]
        return game, tuple(events)

    def known(self, game: Game, player: str) -> Known:
        role, dead = game.roles.get(player, ""), frozenset(game.gone)
        return Known(player, player in game.living(), (role,) if role else (), SIDE.get(role), dead=dead)

    def sketch(self, roster: Sequence[Seat], author: str, role: str | None, ctx: Data, tables: Any) -> Game:
        roles = {seat: (role if seat == author else None) or "skier" for seat in roster}
        return Game(roles, dict.fromkeys(ctx.get("dead", ()), "voted"), 1, "turn")

    def votes(self, game: Game) -> dict[Seat, float]:
        stands = list(self.ballots(game).values())
        return {seat: float(stands.count(seat)) for seat in game.living() if seat in stands}

    def ballots(self, game: Game) -> dict[Seat, Seat]:
        return {one.player: one.targets[0] for one in game.given("vote")}

    def state(self, game: Game) -> dict[Seat, dict[str, Any]]:
        return {seat: {"role": role, "faction": SIDE[role], "alive": seat not in game.gone} for seat, role in game.roles.items()}

    def owing(self, game: Game) -> dict[Seat, tuple[str, ...]]:
        owed = {seat: ("vote", "freeze") if game.roles[seat] == "yeti" else ("vote",) for seat in game.living()}
        left = {seat: tuple(one for one in duties if (seat, one) not in game.orders) for seat, duties in owed.items()}
        return {seat: duties for seat, duties in left.items() if duties}

    def standing(self, game: Game, player: Seat) -> tuple[Order, ...]:
        return tuple(one for one in game.orders.values() if one.player == player)


RULESET = Snow()
