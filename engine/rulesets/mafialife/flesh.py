"""Layers 8 and 9: armour, shot by shot in the order of attack, and elixirs, once for the whole night (R35-R37, R47, R48, R94)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.model import Seat
from engine.rulesets.mafialife.matrix import ROWS
from engine.rulesets.mafialife.moves import attack_rank
from engine.rulesets.mafialife.night import Fate, Hit, Night

_PLATES = {"licence_double": 2, "licence_triple": 3}
"""R47, R48: as many armours are gone through."""
ARMOUR, PLAIN, ULTRA = "armour", "elixir", "elixir_ultra"


def settle(night: Night, hits: Sequence[Hit]) -> None:
    """Deadly hits that passed the layers 1-7: what armour and elixirs stop, and who dies by whom (R57)."""
    for target in dict.fromkeys(hit.target for hit in hits):
        here = sorted((h for h in hits if h.target == target), key=lambda h: (attack_rank(h.act.move), h.act.number))
        _Flesh(night, target).take(here)


def _refs(hits: Sequence[Hit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ref for hit in hits for ref in hit.act.refs))


@dataclass(slots=True)
class _Flesh:
    """One victim of the night."""

    night: Night
    seat: Seat

    def take(self, hits: Sequence[Hit]) -> None:
        pierced = [hit for hit in hits if not self._armoured(hit)]
        self._revive(pierced)
        killers = [hit for hit in pierced if hit.stop is None]
        if not killers:
            return
        first = killers[0]
        fate = Fate(first.act.action, first.attacker, first.act.move.rule, _refs(killers), first.act.role)
        self.night.direct[self.seat] = fate
        for hit in killers:
            hit.act.kills[self.seat] = None

    def _owns(self, item: str) -> int:
        return self.night.player(self.seat).owns(item)

    def _stop(self, hit: Hit, reason: str) -> None:
        hit.stop = reason
        self.night.reached[self.seat] = None

    def _armoured(self, hit: Hit) -> bool:
        """R35: one unit a shot; piercing shots destroy all (D44); R47 and R48 for the double and triple licence."""
        effect, owned = ROWS[hit.row]["AM"].effect, self._owns(ARMOUR)
        if not owned or effect == "-":
            return False
        gone, stopped = {
            "U": (1, True),
            "P": (owned, False),
            "R47": self._plates(hit, owned),
        }[effect]
        self.night.use_up(self.seat, [ARMOUR] * gone, "R35", hit.act.refs)
        if stopped:
            self._stop(hit, ARMOUR)
        elif effect == "P":
            hit.act.pierced = True
        return stopped

    @staticmethod
    def _plates(hit: Hit, owned: int) -> tuple[int, bool]:
        limit = _PLATES.get(hit.act.action, 0)
        return (owned, False) if owned <= limit else (limit + 1, True)

    # --- Elixirs: R36, R37, R94 ---

    def _revive(self, hits: Sequence[Hit]) -> None:
        if any(ROWS[hit.row]["EL"].effect == "-" for hit in hits):
            return  # D19: he dies anyway, so no elixir is wasted
        supershots = [hit for hit in hits if ROWS[hit.row]["EL"].effect == "P"]
        if supershots:
            self._against_supershots(hits, len(supershots))
            return
        left = self._against_antielixir(hits)
        if left:
            for item in (PLAIN, ULTRA):
                if self._owns(item):
                    self._drink(left, item, 1)
                    return

    def _drink(self, hits: Sequence[Hit], item: str, units: int) -> None:
        self.night.use_up(self.seat, [item] * units, "R36", _refs(hits))
        for hit in hits:
            self._stop(hit, item)

    def _against_supershots(self, hits: Sequence[Hit], supershots: int) -> None:
        """R37: plain elixirs are destroyed; an ultra for each supershot, and one for all other hits together (D18)."""
        self.night.use_up(self.seat, [PLAIN] * self._owns(PLAIN), "R44", _refs(hits))
        needed = supershots + (len(hits) > supershots)
        if self._owns(ULTRA) >= needed:
            self._drink(hits, ULTRA, needed)

    def _against_antielixir(self, hits: Sequence[Hit]) -> list[Hit]:
        """R94: a killer's charge takes one plain elixir; what more there is helps as the table says (D33).

        Gives the hits that still ask for an elixir; none when he dies.
        """
        asking = []
        dies = False
        for hit in hits:
            if hit.row not in ("kill", "kill_piercing") or self._charges(hit) < 1 or not self._owns(PLAIN):
                asking.append(hit)
                continue
            self.night.use_up(self.seat, [PLAIN], "R94", hit.act.refs)
            self.night.put(self.night.player(hit.attacker).carried_out("antielixir"))
            hit.act.stripped = True
            many = self.night.tables.antielixir_many == "kill" and not self._owns(ULTRA)
            if many or not self._owns(PLAIN) + self._owns(ULTRA):
                dies = True
            else:
                self._stop(hit, PLAIN)
        return [] if dies else asking

    def _charges(self, hit: Hit) -> int:
        """R94, R92: what is left, below 0 where a fine has lowered the level."""
        killer = self.night.player(hit.attacker)
        return self.night.tables.killer.antielixir[killer.level] - killer.used.get("antielixir", 0)
