"""The two moments of a turn at which something is decided: the lynch (21:00) and the night (07:00)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.chance import Chance
from engine.model import Counted, Ended, Event, Lynched, Notice, Outcome, Saved, Seat, Step, WinnerKind
from engine.rulesets.goldenkey import newspaper
from engine.rulesets.goldenkey.book import Play, ballots, count, refuse, rejudge, settled
from engine.rulesets.goldenkey.dealing import deal_roles
from engine.rulesets.goldenkey.phases import Command, Night, play
from engine.rulesets.goldenkey.roles import DRAW, KILLER, RANK
from engine.rulesets.goldenkey.state import EMPTY_BOOK, Arrival, Game
from engine.rulesets.goldenkey.victory import winner


def lynch(game: Game) -> Play:
    """R12, R13: the one player with the most votes loses a life; a tie and an empty vote spare all."""
    votes = count(game)
    most = max(votes.values(), default=0)
    leaders = [seat for seat, number in votes.items() if number == most]
    hit = leaders[0] if len(leaders) == 1 else None
    refs = _ballot_refs(game, hit)
    rule = "R12" if hit is not None else "R13"
    events: list[Event] = [
        Step("lynch", "counted" if votes else "no_votes", {"leaders": tuple(leaders), "votes": most}, rule=rule, refs=refs),
        Counted(MappingProxyType(votes), rule="R9", refs=refs),
    ]
    if hit is not None:
        events.append(Lynched(hit, rule="R12", refs=refs))
    events.append(newspaper.lynch_line(hit, refs))
    game = settled(game, hit)
    if hit is not None and game.players[hit].out:
        game, more = rejudge(game, look_again=True)
        events += more
    return game, tuple(events)


def _ballot_refs(game: Game, target: Seat | None) -> tuple[str, ...]:
    """The votes for this player; for nobody, all votes."""
    standing = game.book.standing
    return tuple(standing[f"vote:{voter}"].order.ref for voter, at in ballots(game).items() if target in (None, at))


def close(game: Game, chance: Chance) -> Play:
    """Step 8 of R23 with all that comes before it in the night: deaths, the winner, else new roles."""
    events: list[Event] = []
    if game.has_day and game.lynch is None:
        game, settling = lynch(game)
        events += settling
    commands, busy = _commands(game)
    events += busy
    night = play(game, commands)
    lynched = game.lynch.hit if game.lynch is not None else None
    events += newspaper.steps(night)
    events += [
        Outcome(c.performer, c.action, (c.target,), _args(c), night.outcomes[c.role], rule="R23", refs=(c.order.ref,))
        for c in commands.values()
    ]
    dying = [seat for seat, p in game.players.items() if p.alive and night.lives[seat] == 0]
    refs = _ballot_refs(game, lynched)
    events += [newspaper.death(night, seat, lynched, refs) for seat in dying]
    events += _saved(night, lynched, frozenset(dying))
    events += newspaper.lines(night, (*game.removed, *dying))
    if lynched is not None and game.lynch is not None and game.tables.notify_lynch:
        data = {"cause": "lynch", "amount": 1, "lives": game.lynch.lives}
        events.append(Notice(lynched, "life_lost", data, rule="R64", refs=refs))
    events += newspaper.notices(night)
    bids = {a.order.player: a.role for a in game.book.standing.values() if a.order.action == "bid_role" and a.role is not None}
    quiet = not (night.losses or night.recruits or game.removed or lynched)
    game = _next_morning(game, night, frozenset(dying), game.quiet + 1 if quiet else 0)
    if game.winner is not None:
        kind: WinnerKind | None = None if game.winner == DRAW else "faction"
        return game, (*events, *newspaper.last_lines(game), Ended(game.winner, kind, rule=_end_rule(game)))
    game, dealt = deal_roles(game, bids, game.night + 1, chance)
    return game, (*events, *dealt)


def _commands(game: Game) -> tuple[Mapping[str, Command], tuple[Event, ...]]:
    """The commands that stand, in canonical order; with ``killer_keeps_own_move = false`` without the killer's others (R17,
    D9)."""
    found = {
        slot: _command(game, game.book.standing[slot])
        for slot in sorted((s for s in game.book.standing if s in RANK), key=RANK.__getitem__)
    }
    killer = found.get(KILLER)
    if killer is None or game.tables.killer_keeps_own_move:
        return found, ()
    busy = [c for c in found.values() if c.performer == killer.performer and c.role != KILLER]
    events = tuple(event for command in busy for event in refuse(command.order, "killer_busy"))
    return {role: c for role, c in found.items() if c not in busy}, events


def _command(game: Game, arrival: Arrival) -> Command:
    order = arrival.order
    performer = order.args.get("by", order.player) if arrival.slot == KILLER else game.opened.holders[arrival.slot]
    return Command(arrival.slot, order.action, order.targets[0], performer, order)


def _args(command: Command) -> Mapping[str, str]:
    """D55: the role is filled in, and the performer of the villains' kill."""
    args = {"role": command.role}
    return args | {"by": command.performer} if command.role == KILLER else args


def _saved(night: Night, lynched: Seat | None, dying: frozenset[Seat]) -> list[Event]:
    """D53: who was hit, or nearly, and lives."""
    hit = {loss.player for loss in night.losses if loss.cause == "killer_attack"} | set(night.kept)
    if lynched is not None:
        hit.add(lynched)
    return [Saved(seat, rule="D53") for seat, p in night.players.items() if seat in hit and p.alive and seat not in dying]


def _next_morning(game: Game, night: Night, dying: frozenset[Seat], quiet: int) -> Game:
    """Deaths of players and roles, and the winner if there is one (R3, R7, R70, R72). A game in which nothing changes for so
    many turns ends as a draw (D57)."""
    players = {
        seat: replace(p, lives=night.lives[seat], faction=night.faction(seat), alive=p.alive and seat not in dying, out=False)
        if seat in dying or seat in night.recruits or night.lives[seat] != p.lives
        else p
        for seat, p in game.players.items()
    }
    won = winner(players.values(), game.tables)
    if won is None and game.tables.quiet_turns and quiet >= game.tables.quiet_turns:
        won = DRAW
    return replace(
        game,
        stage="between" if won is None else "over",
        players=MappingProxyType(players),
        role_lives=MappingProxyType(night.role_lives),
        book=EMPTY_BOOK,
        removed=(),
        quiet=quiet,
        winner=won,
    )


def _end_rule(game: Game) -> str:
    rules = {"villains": "R66", "maniacs": "R67", "townsfolk": "R68"}
    return rules.get(game.winner or "", "R72" if any(p.alive for p in game.players.values()) else "R69")
