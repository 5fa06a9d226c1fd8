"""A turn from its opening to its report, in the order of chapter 4."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.model import Ended, Saved, Seat
from engine.rulesets.league import contracts
from engine.rulesets.league.economy import BONUS, COINS, FINE, POOLED, SHOP
from engine.rulesets.league.hosting import depart, in_range
from engine.rulesets.league.newspaper import report
from engine.rulesets.league.night import Night
from engine.rulesets.league.ranks import close_ranks, on_duty
from engine.rulesets.league.roles import CIVILIANS, COMMISSION, DRAW, GANGS, MAFIA, SIDES, YAKUZA
from engine.rulesets.league.settling import close_contracts, outcomes, pay_attacks, pay_girls, settle
from engine.rulesets.league.state import Day, Desk, Player, Printed, gang, holder, numbers_of, post
from engine.rulesets.league.steps import STEPS
from engine.rulesets.league.verdict import pass_verdict
from engine.rulesets.league.victory import RULE_OF_VICTORY, find_winner, out_of_turns


def open_turn(desk: Desk) -> None:
    """Fix what is fixed for the whole turn (R30, R50, R84); at the start tell everybody his role (R2)."""
    desk.day = Day(
        duty=on_duty(desk.players, desk.game.duty),
        numbers={p.number: p.seat for p in gang(desk.players, MAFIA)},
        mercenary=holder(desk.players.values(), "mercenary"),
        bodyguard=holder(desk.players.values(), "bodyguard"),
        post=post(desk.players),
        departed=desk.game.day.departed,
    )
    desk.step("open", "duty", "R50", duty=dict(desk.day.duty))
    if desk.turn == 0 and not desk.game.told:
        tell_roles(desk)


def tell_roles(desk: Desk) -> None:
    """R2: everybody learns his role and only the partners he may know. Of the law only the commissioner knows his partner (D7).
    """
    members = {side: gang(desk.players, side) for side in GANGS}
    for player in desk.living():
        data: dict[str, Any] = {"role": player.role, "partners": _partners(desk, player)}
        if player.number:
            data["number"] = player.number
        if player.faction == YAKUZA or player.number:
            data["numbers"] = numbers_of(desk.players, player.faction)
        if player.role == "lawyer":
            data["count"] = len(members[MAFIA])
        desk.notice(player.seat, "role", "R2", **data)


def _partners(desk: Desk, player: Player) -> list[Seat]:
    if player.faction == YAKUZA:
        known = [p for p in desk.living() if p.faction == YAKUZA]
    elif player.number:
        known = [p for p in desk.living() if p.faction == MAFIA and p.number]
    elif player.role == "commissioner":
        known = [p for p in desk.living() if p.role == "sergeant"]
    else:
        known = []
    return [p.seat for p in known if p.seat != player.seat]


def end_day(desk: Desk) -> None:
    """The deadline: the half-day at the latest (R81), and the guard auction of the opening night (D4)."""
    if desk.day.ended:
        return
    contracts.close_half(desk)
    if desk.turn == 0:
        contracts.tell(desk)
    desk.day = replace(desk.day, ended=True)
    desk.step("deadline", "day_ended", "R12")


def close_turn(desk: Desk) -> str | None:
    """Resolve the turn from verdict to report; the winner, None while the game goes on."""
    end_day(desk)
    night = Night(desk)
    night.deaths.extend(desk.day.departed)
    if desk.turn >= 1:
        close_ranks(desk, pass_verdict(night))
    _departures(night)
    winner = find_winner([*desk.living(), *_returning(desk)]) if desk.tables.win.after_lynch and desk.turn >= 1 else None
    if winner is None:
        _play_night(night)
        close_ranks(desk, settle(night))
        pay_attacks(night)
        pay_girls(night)
    close_contracts(night, played=winner is None)
    _spend_extra_moves(desk)
    if winner is None:
        _ghosts_leave(desk)
    _resurrect(night)
    if winner is None:
        _choose_ghost(desk)
        _promote(desk)
    _nets_end(desk)
    outcomes(night)
    _saved(night)
    winner = winner or find_winner(desk.living()) or out_of_turns(desk)
    _print_stories(night)
    report(night, winner)
    if winner is not None:
        _finish(desk, winner)
        desk.events.append(Ended(winner, None if winner == DRAW else "faction", rule=RULE_OF_VICTORY[winner]))
    desk.day = replace(desk.day, departed=())
    return winner


def _departures(night: Night) -> None:
    """R27: missed days are counted for everybody still living; who has missed too many leaves, in cast order."""
    desk, limit = night.desk, night.desk.tables.voting.missed_limit
    for seat in desk.day.departed:
        night.line("departures", "left", "R27", player=seat, label=desk.players[seat].label)
    if desk.turn == 0:
        return
    gone: list[Seat] = []
    for player in desk.living():
        voted = player.seat in desk.day.ballots or player.seat in desk.day.excused
        missed = 0 if voted else player.missed + 1
        if missed != player.missed:
            desk.change(player.seat, missed=missed)
        if limit and missed >= limit:
            gone.append(player.seat)
    for seat in gone:
        depart(desk, seat)
        night.deaths.append(seat)
        night.line("departures", "left", "R27", player=seat, label=desk.players[seat].label)
    close_ranks(desk, gone)


def _play_night(night: Night) -> None:
    """R40: the steps in the order of the table. The opening night's order is kept to the letter (D30)."""
    table, turn = night.desk.tables.night, night.desk.turn
    row = table.first if turn == 0 else table.cycle[(turn - 1) % len(table.cycle)]
    for step in row:
        night.desk.step("night", step, "R40")
        STEPS[step](night)


def _spend_extra_moves(desk: Desk) -> None:
    """R67: an extra move is used up when its order stands at the deadline, whatever comes of it."""
    used = sum(1 for s in desk.day.book if s.order.action in COMMISSION and s.shot > 1)
    desk.extra_checks = max(0, desk.extra_checks - used)


def _ghosts_leave(desk: Desk) -> None:
    """R78: a ghost whose killer no longer lives goes."""
    for player in list(desk.players.values()):
        if player.ghost and player.killer and not desk.players[player.killer].alive:
            desk.change(player.seat, ghost=False)
            desk.notice(player.seat, "ghost_gone", "R78")


def _returning(desk: Desk) -> list[Player]:
    """Whose return is bought and can come to pass; the early look for a winner counts them as living (R98, D88)."""
    bought = [desk.players[seat] for seat in dict.fromkeys(desk.day.revive)]
    return [player for player in bought if not player.alive and not player.left]


def _resurrect(night: Night) -> None:
    """R98: role, faction and items stay; a numbered gang member comes back last in the list. What was bought while a
    necromancer lived is a fact (D64); what he had bought is there still (D65)."""
    desk = night.desk
    for player in _returning(desk):
        seat = player.seat
        tame = player.tame or (player.role == "werewolf" and player.faction == CIVILIANS)
        number = len(gang(desk.players, player.faction)) + 1 if _ranked(player) else 0
        desk.change(seat, alive=True, missed=0, killer="", cause="", ghost=False, tame=tame, number=number)
        night.line("returns", "revived", "R98", player=seat)
        desk.step("returns", "revived", "R98", player=seat)


def _ranked(player: Player) -> bool:
    return player.turned or player.role in ("mafioso", "yakuza", "ninja")


def _choose_ghost(desk: Desk) -> None:
    """R78: among those killed at night until now by the attack of somebody who still lives. Drawn once after night 2; not the
    hanged, the revenged or the dragged (D46)."""
    table = desk.tables.ghost
    if not table.enabled or desk.turn != table.last_turn or any(p.ghost for p in desk.players.values()):
        return
    victims = [
        p.seat for p in desk.players.values() if not p.alive and p.cause in SIDES and p.killer and desk.players[p.killer].alive
    ]
    if victims:
        seat = desk.chance.draw("ghost", victims)
        desk.change(seat, ghost=True)
        desk.notice(seat, "ghost_assigned", "R78")


def _promote(desk: Desk) -> None:
    """R64: a sergeant to whom the post came in this turn is told, if he lives and holds it now."""
    now = post(desk.players)
    if now and now != desk.day.post and desk.players[now].role == "sergeant":
        desk.notice(now, "promoted", "R64")


def _nets_end(desk: Desk) -> None:
    """R97: after the night of its last turn a net is gone. Two game days, that of the purchase among them (D62)."""
    for player in list(desk.players.values()):
        if player.net_until and player.net_until <= desk.turn:
            desk.change(player.seat, net_until=0)


def _saved(night: Night) -> None:
    """Chapter 4: spared, and not dead in this turn after all."""
    for seat in night.desk.players:
        if seat in night.spared and seat not in night.deaths:
            night.desk.events.append(Saved(seat, rule="R28"))


# the end of the game


def _finish(desk: Desk, winner: str) -> None:
    """R117: coins for the game and the victory; then pots go back (R100) and fines are collected (R17)."""
    coins = desk.tables.coins
    for player in desk.players.values():
        desk.earn(player.seat, coins.played, "played", "R117", player.seat)
        if player.faction == winner:
            counts_alive = player.alive or (player.hero and winner == YAKUZA)
            pay = coins.win_alive if counts_alive else coins.win_dead
            desk.earn(player.seat, pay, "won", "R117", player.seat)
    for i, pot in enumerate(desk.pots):
        for j, (seat, share) in enumerate(pot.shares):
            desk.books.book(desk.turn, seat, share, POOLED, COINS, f"R100 returned {pot.item}", f"pot_back/{i}/{j}", pot.target)
    desk.pots = []
    for seat in desk.players:
        _collect(desk, seat)


def _collect(desk: Desk, seat: Seat) -> None:
    """R17: the fine comes from ``coins`` first, then from a positive ``bonus``; the rest remains owed."""
    for account in (COINS, BONUS):
        take = min(desk.books.balance(seat, FINE), max(0, desk.books.balance(seat, account)))
        if take:
            desk.books.book(desk.turn, seat, take, account, SHOP, "R17 collected", f"collect/{account}/{seat}")
            desk.books.book(desk.turn, seat, take, FINE, SHOP, "R17 settled", f"settle/{account}/{seat}")


# stories


def _print_stories(night: Night) -> None:
    """R111, R131: every printed story pays its author."""
    desk = night.desk
    for i, story in enumerate(night.stories):
        if not story.author:
            continue  # the host's own
        pay = in_range(desk, story.action, story.grade)
        desk.earn(story.author, pay, "story", "R111", str(i), ref=story.ref)
        desk.printed.append(Printed(desk.turn, story.author, story.action, story.target, story.shot, pay))
