"""What may be seen of a game: state, balances, who still has to move, what the reader of texts may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.messages import Known
from engine.model import Order, Seat
from engine.rulesets.league import contracts
from engine.rulesets.league.economy import BONUS, COINS, CURRENCIES, Ledger
from engine.rulesets.league.refusals import first_tests_pass
from engine.rulesets.league.roles import ACTIONS, ANNOUNCED, COMMISSION, MAFIA, YAKUZA
from engine.rulesets.league.state import Game, Player, may_vote_dead, necromancer_lives, post
from engine.turn import Stranded

SHOWN = (
    "role",
    "faction",
    "alive",
    "number",
    "items",
    "net_until",
    "missed",
    "warnings",
    "checked",
    "curse",
    "last_visit",
    "pardons",
    "defended",
    "ghost",
    "left",
)


def state(game: Game) -> dict[Seat, dict[str, Any]]:
    """The keys of 1.9 marked + and ``post``."""
    chief = post(game.players)
    return {seat: {key: _shown(getattr(p, key)) for key in SHOWN} | {"post": seat == chief} for seat, p in game.players.items()}


def _shown(value: Any) -> Any:
    """A dead player's number is 0 (D82)."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def balances(game: Game) -> dict[str, dict[Seat, float]]:
    return {account: {seat: game.ledger.balance(seat, account) for seat in game.players} for account in CURRENCIES}


def carry(ledger: Ledger, seats: Sequence[Seat]) -> dict[Seat, tuple[int, int]]:
    """After the game: seat -> (coins and bonus that go into the ledger of all games, fine that stays a debt), H6. A negative
    ``bonus``, too (D75)."""
    return {seat: (ledger.balance(seat, COINS) + ledger.balance(seat, BONUS), ledger.balance(seat, "fine")) for seat in seats}


def stranded(game: Game) -> tuple[Stranded, ...]:
    """R100: the pots whose beneficiary is dead, and the goods that the money may go to."""
    chief, raiser = bool(post(game.players)), necromancer_lives(game)
    found = []
    for pot in game.pots:
        if pot.item == "extra_shot" or (chief if pot.item == "extra_check" else raiser):
            continue
        goals = [item for item in ANNOUNCED if item != pot.item and (chief if item == "extra_check" else raiser)]
        shares = {seat: pot.share(seat) for seat in pot.contributors()}
        found.append(Stranded(pot.item, pot.target, shares, tuple(goals)))
    return tuple(found)


# who still has to move


def owing(game: Game) -> dict[Seat, tuple[str, ...]]:
    """Seat -> actions that he could send in this turn and has not, for reminders; nobody who has passed."""
    if game.stage != "turn" or game.day.ended:
        return {}
    found = {seat: _owed(game, player) for seat, player in game.players.items() if seat not in game.day.passed}
    return {seat: actions for seat, actions in found.items() if actions}


OFFERED = ("vote", "kill", "check", "visit", "heal", "cover", "watch", "curse", "defend", "pardon", "haunt")


def _owed(game: Game, player: Player) -> tuple[str, ...]:
    day = game.day
    sent = {s.order.action for s in day.book if s.order.player == player.seat}
    if sent & set(COMMISSION):
        sent |= set(COMMISSION)
    able = [a for a in OFFERED if a not in sent and first_tests_pass(game, Order(player.seat, a)) and _has_use(game, player, a)]
    if player.seat == day.mercenary and player.alive:
        if day.asked and not day.answer:
            able.append("accept_work")
        if day.answer == contracts.ACCEPTED and "contract_hit" not in sent:
            able.append("contract_hit")
    if player.seat == day.bodyguard and player.alive and len(day.wards_told) > 1 and game.turn > 0 and "guard_choose" not in sent:
        able.append("guard_choose")
    return tuple(able)


def _has_use(game: Game, player: Player, action: str) -> bool:
    """Whether the limits of the action leave him a move at all."""
    limits = game.tables.limits
    if action == "vote":
        return player.seat not in game.day.ballots and (player.alive or may_vote_dead(game, player))
    if action == "pardon":
        return player.pardons < limits.pardons
    if action == "defend":
        return any(player.defended.get(seat, 0) < limits.defences for seat in game.day.numbers.values())
    return True


# what the reader may use


def known(game: Game, seat: str) -> Known:
    """The sender as the reader of texts may know him; somebody who does not play is dead to the game."""
    dead = frozenset(p.seat for p in game.players.values() if not p.alive)
    player = game.players.get(seat)
    if player is None:
        return Known(seat, alive=False, dead=dead, night=game.turn + 1)
    roles = [player.role] if game.facts is None or "role" in game.facts else []
    if post(game.players) == seat and player.role == "sergeant":
        roles.append("commissioner")
    if player.turned:
        roles.append("mafioso")
    return Known(
        seat,
        alive=player.alive,
        roles=tuple(roles),
        faction=player.faction if roles else None,
        clan=_clan(game, player),
        dead=dead,
        night=game.turn + 1,
        more=_more(game, player),
    )


def _clan(game: Game, player: Player) -> tuple[Seat, ...]:
    if game.facts is not None:
        return tuple(game.facts.get("clan", ()))
    if player.faction == YAKUZA:
        return tuple(p.seat for p in game.players.values() if p.alive and p.faction == YAKUZA)
    return tuple(p.seat for p in game.players.values() if p.number and p.faction == MAFIA) if player.number else ()


def _more(game: Game, player: Player) -> dict[str, Any]:
    """Of his own affairs; in a sketch only what is known."""
    day, seat = game.day, player.seat
    ballot = day.ballots.get(seat)
    facts: dict[str, tuple[str, Any]] = {
        "prior_vote": ("vote", ballot.target if ballot else None),
        "coins": ("coins", game.ledger.balance(seat, COINS)),
        "necromancer_alive": ("necromancer", necromancer_lives(game)),
        "last_target": ("last_target", player.last_visit or None),
        "checked": ("checked", sorted({c for p in game.players.values() for c in p.checked}) if player.checked else []),
        "extra_shots": ("shots", day.shots.get(player.faction, 0) if player.number else 0),
        "extra_moves": ("extra_checks", game.extra_checks),
        "on_duty": ("duty", day.duty.get(player.faction) == seat),
        "offers": ("contracts", _offers(game, player)),
        "answered": ("contracts", day.answer or None),
        "stranded": ("pots", [(pot.item, pot.target) for pot in stranded(game) if seat in pot.shares]),
    }
    more = {name: value for name, (fact, value) in facts.items() if game.knows(fact)}
    more["ghost"] = player.ghost
    more["number"] = player.number or None
    more["edited_posts"] = game.tables.voting.edited_posts
    shots = [s for s in day.book if s.order.player == seat and s.story and "shot" in (ACTIONS[s.order.action].args or ())]
    more["stories"] = tuple((s.order.action, s.shot) for s in shots)
    return more


def _offers(game: Game, player: Player) -> tuple[Seat, ...]:
    """Victims or wards that he has been told of."""
    if player.seat == game.day.mercenary and game.day.answer == contracts.ACCEPTED:
        return contracts.offered(game, game.day, contracts.KILL)
    return game.day.wards_told if player.seat == game.day.bodyguard else ()
