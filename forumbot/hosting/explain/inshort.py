"""Why, in one sentence: «Алхимика убил Боцман: доктор был у Марго». For hosts; made of a night's moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.model import Death, Saved, Seat
from forumbot.hosting.explain.nights import Move, Night, Word
from forumbot.reading import decline, genders

_CAME: Mapping[str, str] = {"m": "был", "f": "была"}
_KILLED: Mapping[str, str] = {"m": "убил", "f": "убила"}


@dataclass(frozen=True, slots=True)
class InShort:
    """Sentences about one night. ``genders``: nick -> "m" or "f", where the forum or the host has said so."""

    night: Night
    names: Mapping[Seat, str]
    genders: Mapping[str, str]
    word: Word

    def fates(self) -> tuple[tuple[Seat, str], ...]:
        """Everybody who died, then who was hit and lives: seat and sentence."""
        dead = {death.player for death in self.night.deaths}
        return (
            *((death.player, self.death(death)) for death in self.night.deaths),
            *((saved.player, self._alive(saved)) for saved in self.night.saved if saved.player not in dead),
        )

    def of(self, seat: Seat) -> tuple[str, ...]:
        """All that is to say of one player: the fate, the own moves, then what others wanted."""
        found = [sentence for whose, sentence in self.fates() if whose == seat]
        found += [self.move(move) for move in self.night.moves if move.player == seat]
        found += [
            self.move(move)
            for move in self.night.moves
            if seat in move.targets and move.player != seat and seat not in move.killed
        ]
        return tuple(found)

    def death(self, death: Death) -> str:
        """Who killed whom, and why nobody helped."""
        moves = [move for move in self.night.moves if death.player in move.killed]
        killer = death.by if death.by is not None else moves[0].player if moves else None
        cause = self.word("causes", death.cause)
        if killer is None or killer == death.player:
            votes = self.night.votes.get(death.player)
            return f"{self._nick(death.player)}: {cause}" + (f", голосов {votes:g}" if votes and not moves else "")
        verb = _KILLED.get(self._gender(killer), "убивает")
        head = f"{_capital(self._declined(death.player, 'accs'))} {verb} {self._nick(killer)} ({cause})"
        excuses = self._excuses(death.player) if moves else []
        return f"{head}: {'; '.join(excuses)}" if excuses else head

    def move(self, move: Move) -> str:
        """One move: who, with what, to whom, and what came of it."""
        whom = ", ".join(self._nick(seat) for seat in move.targets)
        role = self._role(move)
        head = f"{self._nick(move.player)}{f' ({role})' if role else ''}: {self.word('actions', move.action)}"
        head += f" → {whom}" if whom else ""
        return f"{head}: {self.came(move)}"

    def came(self, move: Move) -> str:
        """What came of a move, in a few words."""
        if move.reason is not None:
            by = ", ".join(self._nick(seat) for seat in move.stopped_by)
            return f"{self._why(move.reason)}{f' ({by})' if by else ''}"
        if move.killed:
            return "убийство" if move.killed == move.targets else f"гибнет {', '.join(map(self._nick, move.killed))}"
        return "удар отведён" if move.spared else "удалось"

    def _alive(self, saved: Saved) -> str:
        """Why somebody lives who was hit: what stopped the blow, else whose blow it was that did not kill."""
        seat = saved.player
        aimed = [move for move in self.night.moves if seat in move.targets and not move.protects]
        head = f"{self._nick(seat)} остаётся в живых"
        foiled = list(dict.fromkeys(self.came(move) for move in aimed if move.reason is not None))
        if foiled:
            return f"{head}: {'; '.join(foiled)}"
        blows = [move for move in aimed if move.refs & set(saved.refs) or (seat, move.player) in self.night.blows]
        if blows:
            who = ", ".join(f"{self._nick(move.player)} - {self.word('actions', move.action)}" for move in blows)
            return f"{head}, хотя удар был: {who}"
        votes = self.night.votes.get(seat)
        return f"{head}, хотя больше всех голосов: {votes:g}" if votes else f"{head}, хотя удар был"

    def _excuses(self, victim: Seat) -> list[str]:
        """Where those were who might have kept the victim alive."""
        found = []
        for move in self.night.moves:
            if not move.protects or move.player == victim or not move.targets:
                continue
            who = self._role(move) or self._nick(move.player)
            if victim not in move.targets:
                came = _CAME.get(genders.of_nick(who), "")
                place = ", ".join(self._declined(seat, "gent") for seat in move.targets)
                found.append(f"{who} {came} у {place}" if came else f"{who} у {place}")
            elif move.reason is not None:
                found.append(f"{who} не у дел: {self._why(move.reason)}")
            else:
                found.append(f"{who} рядом, но это не помогло")
        return list(dict.fromkeys(found))

    def _role(self, move: Move) -> str:
        return self.word("roles", move.role) if move.role else ""

    def _why(self, reason: str) -> str:
        """Some reasons speak to the one whose move it was; others are told of somebody."""
        told = self.word("told_reasons", reason)
        return told if told != reason else self.word("reasons", reason)

    def _nick(self, seat: Seat) -> str:
        return self.names.get(seat, seat)

    def _gender(self, seat: Seat) -> str:
        nick = self._nick(seat)
        return self.genders.get(nick) or genders.of_nick(nick)

    def _declined(self, seat: Seat, case: str) -> str:
        """The nick in this case where the dictionary leaves no doubt, else «игрока X», which is right with any nick."""
        nick, gender = self._nick(seat), self._gender(seat)
        folded = nick.lower()
        plain = nick == nick.capitalize() and "ё" not in folded and decline.is_word(folded)
        found = {form.text for form in decline.forms(folded) if form.case == case and form.gender == gender} if plain else set()
        return found.pop().capitalize() if gender and len(found) == 1 else f"игрока {nick}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
